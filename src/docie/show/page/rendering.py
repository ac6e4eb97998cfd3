"""From data to HTML: templates, and the small table of a document that needs no script."""

from __future__ import annotations

import functools
from itertools import islice
from typing import Any, NamedTuple

from docie.core.explanation import Explanation, Fields, Pair
from docie.core.phrases import counted, printable, visible
from docie.core.settings import check_whole
from docie.metrics import kieval
from docie.show.page.data import KINDS
from docie.show.page.output import imported
from docie.show.page.script import styles
from docie.show.section import brief

OWN = "docie.show.page"
"""The package with the templates of pages."""
MOST_ENTITIES = 500
"""The values of a document that its table shows, those with errors first if there are more."""
LONGEST = 400
"""The characters of a value in the table."""
LOOKS = {
    "correct": ("correct", "✓", "correct"),
    "incorrect": ("value", "≠", "incorrect"),
    "missing": ("missing", "+", "missing"),
    "spurious": ("spurious", "−", "spurious"),
    None: ("", "", ""),
}
"""The class in style sheets, the mark and the words of a verdict."""


@functools.cache
def environment(package: str = OWN) -> Any:
    """The templates of Jinja, of a package and those of pages. They escape all values."""
    jinja2 = imported("jinja2")
    result = jinja2.Environment(
        loader=jinja2.ChoiceLoader([*map(jinja2.PackageLoader, dict.fromkeys((package, OWN)))]),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    result.filters |= {"printable": printable, "kind": lambda part: type(part).__name__}
    return result


class Line(NamedTuple):
    """A pair in the table: the class, the mark and the words of its verdict."""

    pair: Pair
    tone: str
    mark: str
    label: str

    @classmethod
    def of(cls, pair: Pair) -> Line:
        """The line of a pair."""
        tone, mark, label = LOOKS[pair.verdict]
        if pair.kind in KINDS:
            tone, (mark, label) = pair.kind, KINDS[pair.kind]
        return cls(pair, tone, mark, label)

    @property
    def texts(self) -> list[str | None]:
        """The values of the reference and of the prediction."""
        return [
            text if text is None else printable(visible(text[:LONGEST])) + "…" * (len(text) > LONGEST)
            for text in (self.pair.expected, self.pair.predicted)
        ]

    @property
    def remark(self) -> str:
        """The confidence of the predicted value, and whether it only counts as equal."""
        pair, said = self.pair, list[str]()
        if pair.is_correct and pair.predicted != pair.expected:
            said.append("counts as equal")
        if pair.confidence is not None:
            said.append(f"confidence {brief(pair.confidence, 3)}")
        return ", ".join(said)


def aligned_view(
    prediction: object,
    reference: object,
    settings: kieval.Settings | None = None,
    *,
    document: str | int | None = None,
    most_entities: int = MOST_ENTITIES,
) -> str:
    """One document side by side: groups as KIEval matched them, every value correct or with its error.

    It is a table that needs no script, and the styles of `aligned_styles`. In a notebook:
    `HTML(f"<style>{aligned_styles()}</style>{aligned_view(prediction, reference)}")`.

    Args:
        prediction (dict): the predicted document. Anything else counts as the empty document, and the view says so.
        reference (dict): the reference document.
        settings (kieval.Settings): the options of KIEval; None for the defaults.
        document (str or int): its name, as a title; None for no title.
        most_entities (int): at most so many values are shown, errors first. The view says how many are not.

    Returns:
        str: a fragment of HTML. All texts of the documents in it are escaped.

    Raises:
        DocumentError: for a document that cannot be read.
        ValueError: if `most_entities` is less than 1.
        ModuleNotFoundError: without the packages of the extra `report`.

    >>> html = aligned_view({"total": "<b>12"}, {"total": "<b>12"})
    >>> "1 of 1 value correct" in html, "<b>" in html, "&lt;b&gt;12" in html
    (True, False, True)
    """
    explanation = kieval.explain(prediction, reference, settings or kieval.Settings())
    return explanation_view(explanation, "" if document is None else str(document), most_entities=most_entities)


def explanation_view(explanation: Explanation, title: str = "", *, most_entities: int = MOST_ENTITIES) -> str:
    """The sentence of an explanation, and its values as a table, as `aligned_view` shows them.

    Args:
        explanation (Explanation): what a family's `explain` gives. Of its drawings, the `Fields` are shown.
        title (str): a title; "" for none.
        most_entities (int): as in `aligned_view`.

    Returns:
        str: a fragment of HTML. All texts of the documents in it are escaped.

    Raises:
        ValueError, ModuleNotFoundError: as `aligned_view`.

    >>> "incorrect value" in explanation_view(kieval.explain({"total": "marked"}, {"total": "marked!"}))
    True
    """
    check_whole("most_entities", most_entities, 1)
    groups = [group for each in explanation.drawings if isinstance(each, Fields) for group in each.groups]
    pairs = [pair for group in groups for pair in group.pairs]
    first = sorted(range(len(pairs)), key=lambda place: pairs[place].is_correct)
    kept = {id(pairs[place]) for place in islice(first, most_entities)}
    shown = [(group, [Line.of(pair) for pair in group.pairs if id(pair) in kept]) for group in groups]
    left = max(0, len(pairs) - most_entities)
    html: str = (
        environment()
        .get_template("values.html.j2")
        .render(
            title=title,
            explanation=explanation,
            groups=[(group, lines) for group, lines in shown if lines or not group.pairs],
            omitted=f"Not shown: {counted(left, 'value')}." if left else "",
        )
    )
    return html


def aligned_styles() -> str:
    """The styles of `aligned_view` and of pictures of forms, once for a page.

    All class names begin with "docie-". Light and dark follow the system, else an element around the view with
    `data-theme="light"` or `data-theme="dark"`, or the theme of Gradio and of Jupyter.

    Returns:
        str: a style sheet (CSS).

    >>> ".docie-aligned" in aligned_styles()
    True
    """
    return styles("look", "aligned", "pages")
