"""From answers to the HTML of a page: templates that escape all texts, styles, and files as links."""

from __future__ import annotations

import base64
import functools

import jinja2

from docie.show import report
from docie.show.report.rendering import environment as base_environment
from docie.show.report.rendering import static
from docie.show.writers import as_csv

from .limits import RefusedError

OWN = "docie.spaces.common"
"""The package with the styles and scripts of the pages."""


@functools.cache
def environment() -> jinja2.Environment:
    """The templates of the pages, and those of `docie.report`. They escape all values."""
    base: jinja2.Environment = base_environment()
    own = [jinja2.PackageLoader("docie.spaces", f"{room}/templates") for room in ("common", "form_robustness")]
    result = base.overlay(loader=jinja2.ChoiceLoader([*own, *([base.loader] if base.loader else [])]))
    result.filters = {**base.filters, "as_csv": as_csv, "data_url": data_url}
    return result


def render(template: str, **values: object) -> str:
    """The HTML of a template.

    >>> "&lt;b&gt;" in render("problem.html.j2", error=RefusedError("<b>"), lines=[])
    True
    """
    return environment().get_template(template).render(**values)


def problem(error: RefusedError, text: str = "") -> str:
    """The error beside a field, with the line of its text that stops being JSON."""
    return render("problem.html.j2", error=error, lines=text.split("\n"))


def data_url(text: str, media_type: str) -> str:
    """A text as an address, so that a link saves it as a file without a server.

    >>> data_url("a", "text/csv")
    'data:text/csv;charset=utf-8;base64,YQ=='
    """
    return f"data:{media_type};charset=utf-8;base64,{base64.b64encode(text.encode('utf-8', 'replace')).decode()}"


def styles() -> str:
    """The styles of all pages, with those of the aligned view and of the drawings."""
    return report.aligned_styles() + static("drawings.css", OWN) + static("page.css", OWN)


def script() -> str:
    """The script of all pages."""
    return static("light.js") + static("slide.js") + static("page.js", OWN)
