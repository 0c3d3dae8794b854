"""The documentation as a static site: `make docs`. Needs nothing from the network."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

from sphinx.application import Sphinx

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent))

from docs.generate import rule_pages  # noqa: E402
from migrate_spec import __version__  # noqa: E402

project = "fishhawk"
version = release = __version__
project_copyright = ""
html_show_copyright = False
html_show_sphinx = False

extensions = ["myst_parser"]
exclude_patterns = ["man", "examples"]
source_suffix = {".md": "markdown"}
root_doc = "index"

myst_heading_anchors = 4
suppress_warnings = ["misc.highlighting_failure"]  # a faulty document is no YAML, and is shown all the same

html_theme = "furo"
html_title = "fishhawk"
html_copy_source = False
html_static_path = ["_static"]
html_css_files = ["site.css"]


def _write_rules(_app: Sphinx) -> None:
    folder = HERE / "rules"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    for name, text in rule_pages().items():
        (folder / name).write_text(text, encoding="utf-8")


def setup(app: Sphinx) -> None:
    """Let the pages of the rules be written before the site is built."""
    app.connect("builder-inited", _write_rules)
