"""From data to HTML: templates and style sheets."""

from __future__ import annotations

import functools
from importlib import resources
from typing import Any

from docie.metrics import kieval
from docie.show.report.aligned import view_of
from docie.show.report.packages import imported
from docie.show.report.signs import pieces
from docie.show.tables import printable, rounded


@functools.cache
def environment() -> Any:
    """The templates. They escape all values.

    Returns:
        jinja2.Environment: with the filters `pieces` for texts of users, `printable` for such texts in attributes,
            and `rounded` for scores.

    Raises:
        ModuleNotFoundError: without Jinja.
    """
    jinja2 = imported("jinja2")
    result = jinja2.Environment(
        loader=jinja2.PackageLoader("docie.show.report"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    result.filters |= {"pieces": pieces, "printable": printable, "rounded": rounded}
    return result


def aligned_view(
    prediction: object,
    reference: object,
    settings: kieval.Settings | None = None,
    *,
    document: str | int | None = None,
    most_entities: int = 500,
) -> str:
    """One document side by side: groups as KIEval matched them, every value right or wrong, with what is wrong in it.

    It needs no script, and the styles of `aligned_styles`. In a notebook:
    `HTML(f"<style>{aligned_styles()}</style>{aligned_view(prediction, reference)}")`.

    Args:
        prediction (dict): the predicted document. Anything else counts as the empty document, and the view says so.
        reference (dict): the reference document.
        settings (kieval.Settings): the options of KIEval; None for the defaults.
        document (str or int): its name, as a title; None for no title.
        most_entities (int): at most so many errors are shown, and at most so many right values. The view says how many
            are not.

    Returns:
        str: a fragment of HTML. All texts of the documents in it are escaped.

    Raises:
        DocumentError: for a document that cannot be read.
        ValueError: if `most_entities` is less than 1.
        ModuleNotFoundError: without the packages of the extra `report`.

    >>> html = aligned_view({"total": "<b>12"}, {"total": "<b>12"})
    >>> "The only value is right; nothing to correct." in html, "<b>" in html, "&lt;b&gt;12" in html
    (True, False, True)
    """
    view = view_of(prediction, reference, settings, document=document, most_entities=most_entities)
    html: str = environment().get_template("aligned.html.j2").render(view=view)
    return html


def aligned_styles() -> str:
    """The styles of `aligned_view` and of `form_picture`, once for a page.

    All class names begin with "docie-". Light and dark follow the system, else an element around the view with
    `data-theme="light"` or `data-theme="dark"`, or the theme of Gradio and of Jupyter.

    Returns:
        str: a style sheet (CSS).

    >>> ".docie-aligned" in aligned_styles()
    True
    """
    return static("aligned.css") + static("pages.css")


def static(name: str) -> str:
    """The text of a file in the folder `static`."""
    return resources.files("docie.show.report").joinpath("static", name).read_text(encoding="utf-8")
