"""From data to HTML: the templates of all views. They stand on those of `docie.report`, and escape all values."""

from __future__ import annotations

import functools
from pathlib import Path
from typing import Any

import jinja2

from docie.show import report

_FOLDER = Path(__file__).parent


@functools.cache
def environment() -> jinja2.Environment:
    """The templates of `docie.spaces` by their paths there, and those of `docie.report` by their names."""
    base: jinja2.Environment = report.environment()
    folders = [jinja2.FileSystemLoader(_FOLDER.parent), *([base.loader] if base.loader else [])]
    return base.overlay(loader=jinja2.ChoiceLoader(folders))


def render(template: str, **values: Any) -> str:
    """The HTML of a template.

    Args:
        template (str): its path in `docie.spaces`, such as "nted/templates/trees.html.j2".
        **values: what it shows.

    Returns:
        str: a fragment of HTML. All texts in it are escaped.

    >>> "&lt;b&gt;" in render("views/templates/fields.html.j2", blocks=[], lead="<b>", omitted="", noun="")
    True
    """
    return environment().get_template(template).render(**values)


def styles() -> str:
    """The styles of all views. They need `docie.report.aligned_styles()` beside them."""
    return (_FOLDER / "static" / "views.css").read_text(encoding="utf-8")
