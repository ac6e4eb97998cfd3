"""From answers to the HTML of a page: templates that escape all texts, styles, and files as links."""

from __future__ import annotations

import base64
import functools
import json
from importlib import resources
from typing import TYPE_CHECKING

import jinja2

from docie.core.scores import rounded
from docie.show.page.rendering import environment as base_environment
from docie.show.page.script import styles as page_styles
from docie.show.writers import as_csv

from .limits import RefusedError

if TYPE_CHECKING:
    from docie.core.values.plain import JsonObject

    from .fitting import Finding

OWN = "docie.spaces.common"
"""The package with the styles and scripts of the pages."""
BELOW = "<!-- below -->"
"""Between the score and all else that a page shows: on a phone, what is entered stands between them."""
DRAWN = ("look", "aligned", "pages", "drawings", "judging")
"""The style sheets of what the script of reports draws."""


@functools.cache
def environment() -> jinja2.Environment:
    """The templates of the pages, and those of `docie.report`. They escape all values."""
    base: jinja2.Environment = base_environment()
    own = [jinja2.PackageLoader("docie.spaces", f"{room}/templates") for room in ("common", "form_robustness")]
    result = base.overlay(loader=jinja2.ChoiceLoader([*own, *([base.loader] if base.loader else [])]))
    result.filters = {**base.filters, "as_csv": as_csv, "data_url": data_url, "rounded": rounded}
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


def finding(found: Finding, controls: JsonObject) -> str:
    """A finding, with what its button sets, the values of the options' controls, and says then."""
    return render("finding.html.j2", finding=found, controls=json.dumps(controls))


def data_url(text: str, media_type: str) -> str:
    """A text as an address, so that a link saves it as a file without a server.

    >>> data_url("a", "text/csv")
    'data:text/csv;charset=utf-8;base64,YQ=='
    """
    return f"data:{media_type};charset=utf-8;base64,{base64.b64encode(text.encode('utf-8', 'replace')).decode()}"


def styles() -> str:
    """The styles of all pages, with those of what the script of reports draws."""
    return page_styles(*DRAWN) + own("page.css")


def script() -> str:
    """The script of the pages; that of reports draws documents in them, too."""
    return own("page.js")


def own(name: str) -> str:
    """The text of a file in the folder `static`."""
    return resources.files(OWN).joinpath("static", name).read_text(encoding="utf-8")
