# Two commands on a fresh machine with Python 3.11 or newer: `make demo` and `make test`.

PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
SAMPLES := $(patsubst %/toolcast.toml,%,$(wildcard samples/*/server/toolcast.toml))

.PHONY: demo test check samples docs axe wheel lowest clean

# Set everything up once, and again when the dependencies change.
$(VENV)/.ready: pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or newer is needed: make PYTHON=python3.12 …")'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade 'pip>=25.1'
	$(BIN)/python -m pip install --quiet --editable . --group dev
	touch $@

demo: $(VENV)/.ready  ## Generate a sample's server and call it as an agent would.
	@begin=$$(date +%s); $(BIN)/toolcast demo && echo "make demo took $$(($$(date +%s) - begin)) s"

test: $(VENV)/.ready  ## Run the tests.
	@begin=$$(date +%s); $(BIN)/python -m pytest -n 2 && echo "make test took $$(($$(date +%s) - begin)) s"

check: $(VENV)/.ready  ## Look at the code: style, types, and the direction of imports.
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/basedpyright --pythonpath $(BIN)/python
	$(BIN)/lint-imports

samples: $(VENV)/.ready  ## Generate the samples again; their diff shows what a change does to emitted code.
	@for sample in $(SAMPLES); do $(BIN)/toolcast update $$sample || exit 1; done

docs: $(VENV)/.ready  ## Build the pages as a site, in build/docs; a link that leads nowhere fails.
	$(BIN)/sphinx-build --quiet --fail-on-warning --keep-going --conf-dir docs . build/docs

# Pictures of the site and of inspect's page, and axe-core over them, as phones and desktops have them, light and dark.
axe: docs  ## Look at the pages with axe-core in headless Chromium; skipped, and said, where node or Chromium is missing.
	sh tests/pages/browser/axe.sh $(BIN)/toolcast

wheel: $(VENV)/.ready  ## Build the wheel, and try it in a clean environment.
	sh tests/wheel.sh $(PYTHON) $(BIN)/python

lowest: $(VENV)/.ready  ## Test an emitted package with the lowest and the newest versions that it allows.
	sh tests/lowest.sh $(PYTHON) $(BIN)/python

clean:
	rm -rf $(VENV) dist build
