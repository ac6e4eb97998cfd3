"""The documentation site: Sphinx makes it of the pages as they stand in the repository.

    sphinx-build -W --keep-going -c docs . build/site

The pages are docs/, the cards of metrics/, and what stands at the root for people who contribute. They are written for
GitHub, too, and have no directives; only those of docs/site/, the API reference, do. Navigation comes from the tables
of docs/README.md. A link to a file that is no page leads to the repository. Whatever leads nowhere is a warning, by -W
an error.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.project import Project

from docie._version import REPOSITORY, __version__, address_of

ROOT = Path(__file__).resolve().parents[1]
PATTERNS = (
    "docs/*.md",
    "docs/site/*.md",
    "metrics/*/README.md",
    "examples/README.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
)


def _address(path: Path) -> str:
    name = path.relative_to(ROOT).with_suffix("").as_posix().lower()
    name = name.replace("docs/site/", "api/").removeprefix("docs/").removesuffix("/readme")
    return "index" if name == "readme" else name


PAGES = {path: _address(path) for pattern in PATTERNS for path in sorted(ROOT.glob(pattern))}
"""The address of each page, without its ending: metrics/kieval for metrics/kieval/README.md."""

project, version, release = "docie", __version__, __version__
copyright = "the docie authors, Apache-2.0"
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "sphinx_copybutton"]
root_doc = "index"
include_patterns = [path.relative_to(ROOT).as_posix() for path in PAGES]

default_role = "code"  # docstrings have `code`
autodoc_default_options = {"members": True, "member-order": "groupwise"}
python_use_unqualified_type_names = True
autodoc_typehints = "description"
autodoc_typehints_description_target = "documented"

myst_enable_extensions = ["html_image"]
myst_heading_anchors = 4

copybutton_prompt_text = r">>> |\.\.\. |\$ "
copybutton_prompt_is_regexp = True

html_theme = "pydata_sphinx_theme"
html_title = "docie"
html_theme_options = {
    "logo": {"text": "docie"},
    "icon_links": [{"name": "Repository", "url": REPOSITORY, "icon": "fa-brands fa-github"}],
    "navbar_center": [],
    "secondary_sidebar_items": ["page-toc"],
    "search_as_you_type": True,
    "footer_start": ["copyright"],
    "footer_end": [],
}
html_sidebars = {"**": ["pages.html"]}
templates_path, html_static_path, html_css_files = ["site/templates"], ["site/static"], ["site.css"]
html_favicon = "site/static/icon.svg"
html_context = {"default_mode": "auto"}  # dark or light, as the visitor's system is
html_search_scorer = str(ROOT / "docs" / "site" / "search.js")
html_copy_source = False


def page_name(project: Project, filename: Any) -> str | None:
    """The name of the page that a file is; None if it is none."""
    return PAGES.get(ROOT / filename)


def with_navigation(app: Sphinx, name: str, source: list[str]) -> None:
    """Add to the first page a table of contents for each of its parts: the links that begin the rows of its table."""
    if name != root_doc:
        return
    _, *parts = re.split(r"^## (.*)$", source[0], flags=re.MULTILINE)
    shown = [(ROOT / "docs", *part) for part in zip(parts[::2], parts[1::2], strict=True)]
    api = ROOT / "docs" / "site"  # on GitHub, its pages would show directives: README.md has no link to it
    shown.append((api, "API", "| [Overview](index.md) |\n" + (api / "index.md").read_text(encoding="utf-8")))
    for folder, caption, text in shown:
        links = re.findall(r"^\| \[([^]]+)\]\(([^)#]+)\)", text, re.MULTILINE)
        entries = [f"{title} </{PAGES[(folder / target).resolve()]}>" for title, target in links]
        source[0] += "\n".join(["", "```{toctree}", ":hidden:", f":caption: {caption}", "", *entries, "```", ""])


def to_the_repository(app: Sphinx, doctree: nodes.document) -> None:
    """Let links to files and folders that are no pages lead to the repository, at the tag of this version."""
    here = app.env.doc2path(app.env.docname).parent
    for link in [*doctree.findall(addnodes.pending_xref), *doctree.findall(addnodes.download_reference)]:
        path, _, anchor = link["reftarget"].partition("#")
        place = (here / path).resolve()
        if link["reftype"] == "myst" and place not in PAGES and place.exists() and place.is_relative_to(ROOT):
            kind = "tree" if place.is_dir() else "blob"
            target = place.relative_to(ROOT).as_posix() + f"#{anchor}" * bool(anchor)
            link.replace_self(nodes.reference("", "", *link.children, refuri=address_of(target, kind)))


def in_terms_of_sphinx(app: Sphinx, what: str, name: str, thing: Any, options: Any, lines: list[str]) -> None:
    """Show attributes of a data class as arguments, with the types of their annotations, and link the pages named."""
    for number, line in enumerate(lines):
        line = "Args:" if line == "Attributes:" else line.replace("settings (Settings):", "settings:")
        lines[number] = re.sub(r"\bdocs/([\w-]+)\.md", r":doc:`/\1`", line)


def setup(app: Sphinx) -> None:
    """Name the pages, and read them."""
    Project.path2doc = page_name
    app.connect("source-read", with_navigation)
    app.connect("autodoc-process-docstring", in_terms_of_sphinx, priority=0)
    app.connect("doctree-read", to_the_repository, priority=0)  # before Sphinx copies the files of links
