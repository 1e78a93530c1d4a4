"""Sphinx's settings."""

from pathlib import Path

from mteval_site.version import VERSION

project = "mteval"
author = "The mteval developers"
release = version = VERSION
extensions = ["myst_parser"]
source_suffix = {".md": "markdown"}
root_doc = "index"
exclude_patterns = ["checkout"]
# As GitHub names headings, so that links hold in a checkout and here.
myst_heading_anchors = 6
# Pages outside the navigation, such as decisions, are found by links and by the search; headings
# may skip a level; some examples of code are cut off.
suppress_warnings = [
    "toc.not_included",
    "toc.not_readable",
    "misc.highlighting_failure",
    "myst.header",
]
html_theme = "theme"
html_theme_path = [str(Path(__file__).resolve().parent)]
html_title = "mteval"
html_copy_source = False
html_show_sphinx = False
html_use_index = False
