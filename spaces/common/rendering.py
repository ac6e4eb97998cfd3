"""From answers to the HTML of a page: templates that escape all texts, styles, and files as links."""

from __future__ import annotations

import base64
import functools

import jinja2

from docie.show import report
from docie.show.report.rendering import static
from docie.show.writers import as_csv

from .limits import RefusedError

OWN = "docie.spaces.common"
"""The package with the styles and scripts of the pages."""


@functools.cache
def environment() -> jinja2.Environment:
    """The templates of the pages, and those of `docie.report`. They escape all values."""
    base: jinja2.Environment = report.environment()
    own = [jinja2.PackageLoader("docie.spaces", f"{room}/templates") for room in ("common", "form_robustness")]
    result = base.overlay(loader=jinja2.ChoiceLoader([*own, *([base.loader] if base.loader else [])]))
    result.filters = {**base.filters, "as_csv": as_csv, "data_url": data_url}
    return result


def render(template: str, **values: object) -> str:
    """The HTML of a template.

    >>> "&lt;b&gt;" in render("problem.html.j2", message="<b>", excerpt=None)
    True
    """
    return environment().get_template(template).render(**values)


def problem(error: RefusedError, text: str = "") -> str:
    """The error beside a field.

    Args:
        error: the error.
        text: the text of the field, for the line that is shown.
    """
    return render("problem.html.j2", message=str(error), excerpt=_excerpt(error, text))


def _excerpt(error: RefusedError, text: str, width: int = 60) -> dict[str, object] | None:
    """The line where the text stops being JSON, shortened to fit, in two parts."""
    lines = text.split("\n")
    if error.line is None or error.column is None or not 1 <= error.line <= len(lines):
        return None
    line, column = lines[error.line - 1], error.column - 1
    start = max(0, column - width // 2)
    before = ("…" if start else "") + line[start:column]
    return {"line": error.line, "column": error.column, "before": before, "after": line[column : start + width]}


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
