"""How the pages become a site: `make docs`. The source folder is the repository, so that pages may
link to what is beside docs/.
"""

import tomllib
from pathlib import Path

from sphinx.application import Sphinx

_ROOT = Path(__file__).parents[1]
_PROJECT = tomllib.loads((_ROOT / "pyproject.toml").read_text("utf-8"))["project"]

project = "Toolcast"
author = copyright = "The Toolcast authors"  # noqa: A001
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

# What the theme's markup lacks for keyboards and screen readers; `make axe` looks at the result.
_MARKUP = {
    '<p class="caption" role="heading">': '<p class="caption" role="heading" aria-level="2">',
    '<aside class="sidebar-drawer">': '<aside class="sidebar-drawer" aria-label="Pages">',
    '<aside class="toc-drawer">': '<aside class="toc-drawer" aria-label="On this page">',
    '<div id="search-results"></div>': '<h1>Search</h1><div id="search-results"></div>',
    "<pre>": '<pre tabindex="0">',
    '<div class="table-wrapper ': '<div tabindex="0" class="table-wrapper ',
    '<th class="head"><p></p></th>': "<td></td>",  # the corner of a table is no heading
}


def _finished(app: Sphinx, _: Exception | None) -> None:
    for page in Path(app.outdir).rglob("*.html"):
        text = page.read_text("utf-8")
        for theirs, ours in _MARKUP.items():
            text = text.replace(theirs, ours)
        page.write_text(text, "utf-8", newline="\n")


def setup(app: Sphinx) -> None:
    """Called by Sphinx."""
    app.connect("build-finished", _finished)
