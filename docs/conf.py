"""How the pages become a site: `make docs`. The source folder is the repository, so that pages may
link to what is beside docs/.
"""

import tomllib
from pathlib import Path

_ROOT = Path(__file__).parents[1]
_PROJECT = tomllib.loads((_ROOT / "pyproject.toml").read_text("utf-8"))["project"]

project = "Toolcast"
author = "The Toolcast authors"
release = version = _PROJECT["version"]
extensions = ["myst_parser"]
root_doc = "docs/index"
include_patterns = ["docs/index.rst", "docs/*.md", "SECURITY.md", "CONTRIBUTING.md", "CHANGELOG.md"]
exclude_patterns = [".*", "docs/README.md", "build", "dist", "samples", "tests", "generator", "templates", "benchmarks"]
source_suffix = {".rst": "restructuredtext", ".md": "markdown"}
myst_heading_anchors = 4  # headings are reached as on code hosts
myst_links_external_new_tab = False
suppress_warnings = ["misc.highlighting_failure"]  # code blocks are shortened by "…"; tests look at them
nitpicky = True

html_theme = "furo"
html_title = "Toolcast"
html_static_path = ["static"]
html_extra_path = ["extra"]  # leads from the top of the site to its first page
html_css_files = ["toolcast.css"]
html_copy_source = False
html_show_sourcelink = False
html_show_sphinx = False
html_last_updated_fmt = None  # the same from the same
html_theme_options = {"top_of_page_buttons": []}
