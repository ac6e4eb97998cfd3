"""From documents and options to the content of a page. Pure functions, without Gradio: they run in worker processes."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

from docie import confidence, corpus
from docie.core.errors import DocumentError
from docie.core.explanation import Boxes, Drawing, Explanation, Tree
from docie.core.family import Family, get, settings_of
from docie.core.notes import noted
from docie.core.scores import headline_of, rounded, score_of
from docie.core.values.plain import JsonObject
from docie.corpus.method import Method
from docie.documents.leaves import is_one_of_object
from docie.inputs.config import Config
from docie.inputs.kinds import input_kind_of
from docie.inputs.label_corrections import name_of
from docie.inputs.row import Pair
from docie.metrics import kieval
from docie.metrics.kieval.options import kieval_settings
from docie.metrics.kieval.pairs import sides_of
from docie.show import tables
from docie.show.page.data import document_text, explained, in_script, numbered
from docie.show.page.page import parts_alone
from docie.show.page.score.thresholds import slider
from docie.show.page.values import compared_values
from docie.show.section import Scan, Text

from .inputs import Rows
from .limits import RefusedError, refused

NO_CONFIDENCE = (
    "No predicted value has a confidence, so nothing is reviewed. A value with a confidence is "
    '{"value": "12.00", "confidence": 0.9}.'
)
REVIEWED = "Values with a confidence below the threshold are reviewed and corrected; values without one never are."
LARGE = {"form_robustness": "worst_drop"}
"""The score that a page shows large instead of the headline. Systems are compared by F1 first, as one that finds
nothing never drops; but the page of an attacked form is about the drop."""


class Part(NamedTuple):
    """A section of a page: its heading, and its content as HTML, in which texts are escaped.

    It is about the document that is shown, or `is_of_all` documents.
    """

    title: str
    html: str
    is_of_all: bool = False


@dataclass(kw_only=True)
class Request:
    """Documents to score with one family.

    Attributes:
        family: the name of the family.
        predictions, references: rows, as `docie.corpus.evaluate` takes them; one a document.
        options: the family's options by name, as JSON values; others have their defaults.
        config: how the rows are read; None for as they are.
        confidence_level: the level of the intervals; None for none.
        document: the number of the document that is shown in detail, counted from 0.
        scans: the pictures of its pages.
    """

    family: str
    predictions: Sequence[Any]
    references: Sequence[Any]
    options: Mapping[str, object] = field(default_factory=dict)
    config: Config = None
    confidence_level: float | None = None
    document: int = 0
    scans: Sequence[Scan] = ()

    @cached_property
    def module(self) -> Family:
        """The module of the family."""
        return get(self.family)

    @cached_property
    def settings(self) -> Any:
        """The family's settings."""
        return self.method.settings

    @cached_property
    def method(self) -> Method:
        """How the documents are scored."""
        return Method.of(self.module, settings_of(self.module, self.options), self.config)

    @cached_property
    def pairs(self) -> list[tuple[object, object]]:
        """The documents themselves, as (prediction, reference), the arguments of `family.count`."""
        with noted(warns=False):  # the scoring shows them
            rows = self.method.pairs(self.predictions, self.references)
            return [(predicted.document, expected.document) for predicted, expected in rows]

    @cached_property
    def scored(self) -> tuple[JsonObject, list[str]]:
        """The scores, and the warnings of the command line."""
        with noted(warns=False) as notes:
            return score(self), notes

    def ranked(self) -> list[tuple[int, str]]:
        """The numbers of the documents, the worst first, each with what is wrong in words."""
        name = "corrections" if self.family == kieval.NAME else headline_name(self.family)
        better = score_of(self.module, name).better
        each = [document.get(name) for document in self.scored[0].get("per_document") or ()]

        def badness(number: int) -> tuple[bool, float]:
            value = each[number]
            return value is None, 0 if value is None else value if better == "higher" else -value

        is_count = name == "corrections"
        words = [f"{value} to correct" if is_count else f"{name} {rounded(value)}" for value in each]
        return [(number, words[number]) for number in sorted(range(len(each)), key=badness)]

    @property
    def prediction(self) -> object:
        """The predicted document that is shown."""
        return self.pairs[self.document][0]

    @property
    def reference(self) -> object:
        """The reference document that is shown."""
        return self.pairs[self.document][1]


@dataclass(frozen=True, kw_only=True)
class Answer:
    """The content of a page for one family.

    Attributes:
        family: the name of the family.
        results: the scores, those of `docie score --by-field --format json`.
        sentence: what the score of the document that is shown means, with its numbers.
        figures: the scores, with their intervals if there are any.
        by_field: a table by entity type; None if the family has none.
        parts: views; the first one shows the document with what is incorrect marked in it.
        notes: the warnings of the command line.
    """

    family: str
    results: JsonObject
    sentence: str
    figures: tables.Table
    by_field: tables.Table | None
    parts: list[Part]
    notes: list[str]

    @property
    def headline(self) -> list[str]:
        """The row of the score that the page shows large."""
        name = headline_name(self.family)
        return next(row for row in self.figures.rows if row[0] == name)

    @property
    def meaning(self) -> str:
        """What that score measures: of several documents, the sentence on one of them says something else."""
        return score_of(get(self.family), self.headline[0]).meaning


def headline_name(family: str) -> str:
    """The score of a family that a page shows large."""
    return LARGE.get(family) or headline_of(get(family))


def compute(request: Request, *, shows_document: bool = True) -> Answer:
    """Score documents, and compute the whole content of a page.

    With `shows_document`, the views include the document side by side, where the family's own ones do not.

    Raises:
        RefusedError: if there is too much work, or if documents or options cannot be scored.

    >>> answer = compute(Request(family="kieval", predictions=[{"total": "9"}], references=[{"total": "7"}]))
    >>> answer.results["corrections"], [part.title for part in answer.parts][0]
    (1, 'Side by side')
    """
    results, notes = request.scored
    figures, *breakdowns = tables.tables(request.family, results)
    explanation = request.module.explain(request.prediction, request.reference, request.settings)
    if request.family == kieval.NAME:
        parts = [_side_by_side(explanation, request), _review(request)]
    else:
        own = [*_drawn(explanation, request)]
        aligned = [*_aligned(request)] if shows_document else []
        parts = aligned + own if isinstance(explanation.drawings[0], Tree) else own + aligned
    return Answer(
        family=request.family,
        results=results,
        sentence=explanation.sentence,
        figures=figures,
        by_field=next((table for table in breakdowns if table.title == "by entity type"), None),
        parts=parts,
        notes=notes,
    )


def score(request: Request) -> JsonObject:
    """The scores alone, as `docie score --by-field --format json` prints them.

    Raises:
        RefusedError: for the same reasons as `compute`.

    >>> score(Request(family="kieval", predictions=[{"total": "9"}], references=[{"total": "7"}]))["corrections"]
    1
    """
    with refused("options"):
        settings = request.settings
    try:
        return corpus.evaluate(
            request.module,
            request.predictions,
            request.references,
            settings,
            config=request.config,
            breakdown=True,
            confidence_level=request.confidence_level,
        )
    except RefusedError:
        raise
    except ValueError as error:
        side = getattr(error, "side", None)
        field = f"{side}s" if side in ("prediction", "reference") else ""
        raise RefusedError(str(error), field=field) from None


def _review(request: Request) -> Part:
    """The values that skip review at each threshold, and what that costs."""
    title = "Values that skip review"
    with noted(warns=False):  # the scoring shows them
        try:
            values = confidence.collect(
                request.predictions, request.references, request.settings, config=request.config
            )
        except ValueError:  # no value has a confidence
            return Part(title, parts_alone([Text(NO_CONFIDENCE)]), is_of_all=True)
    return Part(title, parts_alone([Text(REVIEWED), slider(values)]), is_of_all=True)


def _drawn(explanation: Explanation, request: Request) -> Iterator[Part]:
    """The family's own drawings, boxes on the first page with the rows of their pairs."""
    drawings = [*explanation.drawings]
    while drawings:
        together = drawings[:2] if isinstance(drawings[0], Boxes) else drawings[:1]
        del drawings[: len(together)]
        yield Part(together[0].title, drawn(together, request.scans))


def _aligned(request: Request) -> Iterator[Part]:
    """The document side by side, if it is one, with the options that KIEval shares with the family."""
    reference = request.reference
    if input_kind_of(reference) != "document" or (isinstance(reference, Mapping) and is_one_of_object(reference)):
        return
    try:
        explanation = kieval.explain(request.prediction, reference, kieval_settings(request.settings))
    except DocumentError:  # the family reads more than KIEval does
        return
    yield _side_by_side(explanation, request)


def _side_by_side(explanation: Explanation, request: Request) -> Part:
    """The values of both sides, beside the pictures of their pages if there are any."""
    return Part("Side by side", drawn(explanation.drawings, request.scans))


def drawn(drawings: Sequence[Drawing], scans: Sequence[Scan] = ()) -> str:
    """The data of drawings, which the script of the page draws in its place.

    >>> "<b>" in drawn(kieval.explain({"a": "<b>"}, {"a": "<b>"}).drawings)
    False
    """
    data = explained(Explanation("", [], drawings), [[*scan] for scan in scans])
    return f'<div class="docie-drawn"><script type="application/json">{in_script(data)}</script></div>'


MOST_JUDGED = 1_000_000
"""Characters of the values that a page sends to be judged. More are judged in a report."""


def judging(rows: Rows, settings: object) -> str:
    """The values of all documents, which the script of the page lets people judge; "" if there are too many.

    The labels are those before any was corrected: all that is judged is of these.
    """
    options, texts, size = kieval_settings(settings), list[str](), 0
    for number, (prediction, reference) in enumerate(zip(rows.predictions, rows.references, strict=True)):
        name, documents = name_of(Pair(prediction, reference), number), (prediction.document, reference.document)
        values = compared_values(documents, sides_of(*documents, options), options)
        texts.append(document_text(rows.names[number], [], values.groups, numbered(name)).decode())
        size += len(texts[-1])
        if size > MOST_JUDGED:
            return ""
    all_documents = ",".join(texts)
    head = {"systems": [""], "columns": [], "patterns": [], "documents": len(texts), "blocks": 0}
    name = hashlib.sha256(all_documents.encode()).hexdigest()[:16]
    data = f'{{"name":"{name}","head":{in_script(head)},"documents":[{all_documents}]}}'.replace("<", "\\u003c")
    return f'<div class="docie-judging"><script type="application/json">{data}</script></div>'
