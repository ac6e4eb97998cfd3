"""From the texts of a page to rows, by the rules of the command line.

Errors name the field, and the place in it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from docie.adapters import donut, llm
from docie.core.errors import DocumentError, InputError
from docie.core.family import families, get
from docie.core.phrases import printable
from docie.core.values.plain import JsonObject
from docie.documents.leaves import is_one_of_object
from docie.documents.parsed import Parsed
from docie.inputs.config import reading_of
from docie.inputs.join import Join
from docie.inputs.kinds import check_input_kind, input_kind_of
from docie.inputs.label_corrections import with_corrections
from docie.inputs.openers import is_wrapper
from docie.inputs.reading import Reading
from docie.inputs.row import Pair, Row
from docie.inputs.sources.lines import Lines
from docie.show.section import Scan, cut

from . import limits
from .limits import RefusedError, refused
from .options import CONFIG, CORRECTIONS

FORMS = {"json": "JSON", "llm": "a language model's answer", "donut": "a token sequence (Donut)"}
"""The possible formats of predictions."""
_EXAMPLES = {
    "document": '{"total": "12.00"}',
    "tagged words": '{"words": ["Total", "12.00"], "tags": ["O", "B-total"]}',
    "tags": '["O", "B-total"]',
    "entities": '[{"category": "total", "text": "12.00"}]',
    "boxes": '[{"label": "total", "box": [0, 0, 90, 20]}]',
    "attacked": '{"attacks": {"none": {"total": "12.00"}, "key_drop": {"total": "1"}}}',
}
"""From a kind of `docie.inputs.kinds.INPUT_KINDS` to an example."""
_LONGEST = 41
"""Characters of a value in a message."""
_TO_DOCUMENT: dict[str, Callable[[str], Parsed]] = {"llm": llm.to_document, "donut": donut.to_document}


@dataclass(frozen=True, kw_only=True)
class Form:
    """The input of a visitor.

    Attributes:
        references, predictions: texts: JSON, JSON Lines or a JSON list.
        form: the format of the predictions, a key of `FORMS`.
        families: the names of the families to score with; empty for all that read such references.
        options: the families' options by name, as JSON values. Each family uses those that it has.
        confidence_level: the level of the intervals; None for none.
        document: the number of the document to show in detail, counted from 0; None for the worst one.
        among: the number of documents among which it was chosen. Of another number, the worst one is shown; 0 for any.
        scans: the pictures of its pages.
    """

    references: str = ""
    predictions: str = ""
    form: str = "json"
    families: Sequence[str] = ()
    options: JsonObject = field(default_factory=dict)
    confidence_level: float | None = None
    document: int | None = None
    among: int = 0
    scans: Sequence[Scan] = ()

    def chosen(self, among: int) -> int | None:
        """The number of the document to show, of so many; None if none of these was chosen."""
        return self.document if self.among in (0, among) else None

    @property
    def config(self) -> Any:
        """How rows are read, as JSON values; None for as they stand."""
        return self.options.get(CONFIG)

    def reading(self, *, corrects: bool = True) -> Reading:
        """How rows are scored: as they are read, with the labels corrected that are wrong.

        Raises:
            RefusedError: for options that cannot be used.
        """
        with refused("options"):
            reading = reading_of(self.config or None, reads_files=False)
            reading.check_one_run("a page")
            given = self.options.get(CORRECTIONS) or None
            return with_corrections(reading, given, reads_files=False) if corrects else reading


class Rows(NamedTuple):
    """Predictions and references in pairs, as in files.

    Attributes:
        predictions, references: one row a document, which every function for a corpus takes as it is.
        given: the references and the predictions for programs that read them: as they were written where a reading is
            asked for; else in their pairs, with ids beside the documents.
        joined_by: "id" or "order".
        issues: what was repaired or dropped in a model's answer.
        notes: notes on the input for the visitor.
    """

    predictions: list[Row]
    references: list[Row]
    joined_by: str
    issues: list[str]
    notes: list[str]
    given: tuple[list[Any], list[Any]]

    @property
    def names(self) -> list[str]:
        """The ids of the documents, or their numbers."""
        pairs = zip(self.references, self.predictions, strict=True)
        ids = [one.id if one.id is not None else other.id for one, other in pairs]
        return [f"Document {number} of {len(ids)}" if each is None else each for number, each in enumerate(ids, 1)]

    @property
    def expected(self) -> list[Any]:
        """The documents of the references."""
        return [row.document for row in self.references]


class Sides(NamedTuple):
    """References and predictions that can be read.

    Attributes:
        references, predictions: their rows.
        reading: how they are read.
        issues: what was repaired or dropped in a model's answer.
    """

    references: Lines
    predictions: Lines
    reading: Reading
    issues: list[str]


def read(form: Form) -> Rows:
    """Read references and predictions.

    Raises:
        RefusedError: if a text is too long or cannot be read.

    >>> rows = read(Form(references='{"total": "12"}', predictions='Total: {"total": "12"', form="llm"))
    >>> rows.given
    ([{'total': '12'}], [{'total': '12'}])
    """
    sides = open_sides(form)
    with refused("options"):
        joined = Join(sides.references, sides.predictions, sides.reading, in_python=False)
    with refused("predictions"):
        try:
            pairs = [*joined]
        except DocumentError as error:
            raise _refused(error, sides) from None
    limits.check_rows(pairs, "references")
    predictions, references = (list(rows) for rows in zip(*pairs, strict=True))
    if sides.reading.is_plain:
        given = [as_given(row, "reference") for row in references], [as_given(row, "prediction") for row in predictions]
    else:
        given = [row.document for row in sides.references], [row.document for row in sides.predictions]
    notes = [*joined.told().lines(), *_advised(pairs, form)]
    return Rows(predictions, references, joined.joined_by, sides.issues, notes, given)


def corrected(rows: Rows, form: Form) -> Sequence[Row]:
    """The references, with the labels corrected that are wrong.

    Raises:
        RefusedError: for corrections that do not fit them.
    """
    corrections = form.reading().corrections
    if corrections is None:
        return rows.references
    with refused("options"):
        pairs = [*corrections.applied(map(Pair, rows.predictions, rows.references), ())]
    return [pair.reference for pair in pairs]


def open_sides(form: Form) -> Sides:
    """The references and the predictions, which can be read.

    Raises:
        RefusedError: as `read`, but for rows that do not belong together.
    """
    if form.form not in FORMS:
        raise RefusedError(f"form must be {', '.join(FORMS)}, got {form.form!r}", field="predictions")
    with refused("options"):
        for name in form.families:
            get(name)  # raises if it is unknown
    reading = form.reading(corrects=False)
    references = source_of(form.references, "references", reading.references.parse)
    text, issues = _as_json(form.predictions, form.form)
    return Sides(references, source_of(text, "predictions", reading.predictions.parse), reading, issues)


def _refused(error: DocumentError, sides: Sides) -> RefusedError:
    """The refusal of a row that cannot be read. It names the row in words, unless it is the only one."""
    if error.side is None:
        return RefusedError(str(error), field="predictions")
    field = f"{error.side}s"
    source = sides.references if field == "references" else sides.predictions
    number = re.search(r"[0-9]+$", str(error.document))
    what = "document" if source.has_elements else "line"
    where = f", {what} {number[0]}" if number and len([*source]) > 1 else ""
    return RefusedError(f"{limits.NAMES[field]}{where}: {error.problem}", field=field)


def as_given(row: Row, side: str) -> Any:
    """The document of an opened row, in a wrapper if it has an id or `meta`, or looks like a wrapper itself.

    >>> as_given(Row({"total": "12"}, id="a"), "prediction"), as_given(Row({"total": "12"}), "prediction")
    ({'id': 'a', 'prediction': {'total': '12'}}, {'total': '12'})
    """
    own = {} if row.id is None else {"id": row.id}
    beside = {} if row.meta is None else {"meta": row.meta}
    is_bare = not (own or beside or is_wrapper(row.document))
    return row.document if is_bare else {**own, side: row.document, **beside}


def _advised(pairs: Sequence[Pair], form: Form) -> list[str]:
    """The first note on a prediction that is not a document, and counts as an empty one, if there is one.

    Raises:
        RefusedError: if a reference is a single value where a family reads none.
    """
    notes: list[str] = []
    others = [name for name in form.families if "value" not in get(name).INPUTS]
    for number, pair in enumerate(pairs, 1):
        where = "" if len(pairs) == 1 else f", document {number},"
        prediction, reference = pair.prediction.document, pair.reference.document
        if _is_single(reference) and others:
            what = f"{limits.NAMES['references']}{where} is {_shown(reference)}"
            example = _EXAMPLES[get(others[0]).INPUTS[0]]
            raise RefusedError(f"{what}, where {others[0]} reads {example}, for instance.", field="references")
        if _is_single(prediction) and not _is_single(reference) and (others or not form.families):
            what = f"{limits.NAMES['predictions']}{where} is {_shown(prediction)}: it counts as an empty document."
            notes.append(f"{what} For an answer without values, write {{}}.")
    return notes[:1] if form.form == "json" else []  # reading other formats has its own issues


def _is_single(document: object) -> bool:
    return not isinstance(document, dict | list)


def _shown(value: object) -> str:
    return cut(printable(json.dumps(value, ensure_ascii=False)), _LONGEST)


def _as_json(text: str, form: str) -> tuple[str, list[str]]:
    """The JSON text of a prediction, and what was repaired or dropped."""
    limits.check_text(text, "predictions")
    if form == "json" or not text.strip():
        return text, []
    document, issues = _TO_DOCUMENT[form](text)
    return json.dumps(document), issues


def source_of(text: str, field: str, parse: str = "auto") -> Lines:
    """The rows of a text in a field, a key of `limits.NAMES`: JSON, JSON Lines or a JSON list.

    Raises:
        RefusedError: if the text is empty, too long or cannot be read; it names the field, and the place.

    >>> [row.document for row in source_of('{"total": "12"}', "references")]
    [{'total': '12'}]
    """
    limits.check_given(text, field)
    content = text.encode("utf-8", "surrogatepass")
    side = "prediction" if field == "predictions" else "reference"
    source = Lines(field.removesuffix("s"), content, side=side, parse=parse)
    try:
        rows = [*source]
    except InputError as error:
        raise RefusedError(str(error), field=field, line=error.line, column=error.column) from None
    limits.check_rows(rows, field)
    return source


def choose_families(form: Form, references: Iterable[object]) -> list[str]:
    """The families to score with, for the documents of references.

    Raises:
        RefusedError: if a requested family does not read such references.
    """
    first = next((each for each in references if input_kind_of(each)), None)
    input_kind = input_kind_of(first) or "entities"
    with refused("options"):
        for name in form.families:
            check_input_kind(name, get(name).INPUTS, input_kind)
    readers = [name for name in families() if input_kind in get(name).INPUTS]
    is_value = isinstance(first, Mapping) and is_one_of_object(first)  # a document, too, but with one value
    first_ones = {"kieval"} if not is_value else {name for name in readers if "value" in get(name).INPUTS}
    return [*form.families] or sorted(readers, key=lambda name: name not in first_ones)  # KIEval shows both sides
