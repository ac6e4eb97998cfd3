"""From the texts of a page, and opened files, to rows, by the rules of the command line.

Errors name the field, and the place in it.
"""

from __future__ import annotations

import io
import json
import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from docie.adapters import donut, llm
from docie.core.errors import DocumentError, InputError
from docie.core.family import families, get
from docie.core.reading import Reading
from docie.core.values.plain import JsonObject
from docie.documents.kinds import check_input_kind, input_kind_of
from docie.documents.pairs.joining import PairedRows
from docie.documents.rows import Parsed, is_wrapper, read_row
from docie.documents.tagging.words import SUFFIXES
from docie.files.source import CERTAIN_SUFFIXES, Source
from docie.show.report.scans import Scan, scan_of
from docie.show.section import cut, printable

from . import limits
from .limits import RefusedError, refused

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
"""From a kind of `docie.documents.INPUT_KINDS` to an example."""
_PATHS = {"normalize_by": "a JSON object", "rename": "texts such as lines=items"}
"""Options of a reading that may be the path of a file; not on a page."""
_FIELDS = ("predictions", "references")
_EMPTY = "For an answer without values, write {}."
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
        document: the number of the document to show in detail, counted from 0.
        scans: the pictures of its pages, which no link holds.
    """

    references: str = ""
    predictions: str = ""
    form: str = "json"
    families: Sequence[str] = ()
    options: JsonObject = field(default_factory=dict)
    confidence_level: float | None = None
    document: int = 0
    scans: Sequence[Scan] = ()


class Rows(NamedTuple):
    """Predictions and references in pairs, as in files.

    Attributes:
        predictions, references: one row a document.
        given: the references and the predictions as they were given, for programs that read them.
        joined_by: "id" or "order".
        issues: what was repaired or dropped in a model's answer.
        notes: notes on the input for the visitor.
    """

    predictions: list[Any]
    references: list[Any]
    joined_by: str
    issues: list[str]
    notes: list[str]
    given: tuple[list[Any], list[Any]]


def read(form: Form) -> Rows:
    """Read references and predictions.

    Raises:
        RefusedError: if a text is too long or cannot be read.

    >>> read(Form(references='{"total": "12"}', predictions='Total: {"total": "12"', form="llm"))[:2]
    ([{'total': '12'}], [{'total': '12'}])
    """
    (references, predictions), issues = open_sides(form)
    joined = PairedRows(references, predictions)
    with refused("predictions"):
        pairs = [*joined]
        rows = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
        given = rows[::-1] if references.reading is None else ([*references.given()], [*predictions.given()])
    notes = [*joined.warnings(), *_advised(pairs, form)]
    return Rows(*rows, joined.joined_by, issues, notes, given)


def open_sides(form: Form) -> tuple[tuple[Source, Source], list[str]]:
    """The references and the predictions, which can be read, and what was repaired or dropped in a model's answer.

    Raises:
        RefusedError: as `read`, but for rows that do not belong together.
    """
    if form.form not in FORMS:
        raise RefusedError(f"form must be {', '.join(FORMS)}, got {form.form!r}", field="predictions")
    named = form.options.get("reading")
    for option, what in _PATHS.items():  # no file of the server is read
        value = named.get(option) if isinstance(named, dict) else None
        texts = [value] if isinstance(value, str) else value if isinstance(value, list) else []
        if any("=" not in str(text) or option == "normalize_by" for text in texts):
            raise RefusedError(f"{option} must be {what} here, not the path of a file.", field="options")
    with refused("options"):
        reading = Reading.of(named)
        accepts_text = bool(form.families) and all("value" in get(name).INPUTS for name in form.families)
    references = source_of(form.references, "references", reading=reading, accepts_text=accepts_text)
    text, issues = _as_json(form.predictions, form.form)
    predictions = source_of(text, "predictions", reading=reading, accepts_text=accepts_text)
    return (references, predictions), issues


def _advised(pairs: Sequence[tuple[object, object]], form: Form) -> list[str]:
    """The first note on a prediction that is not a document, and counts as an empty one, if there is one.

    Raises:
        RefusedError: if a row cannot be read, or is a single value where a family reads none.
    """
    notes: list[str] = []
    others = [name for name in form.families if "value" not in get(name).INPUTS]
    for number, rows in enumerate(pairs, 1):
        where = "" if len(pairs) == 1 else f", document {number},"
        prediction, reference = (_document(row, field, where) for row, field in zip(rows, _FIELDS, strict=True))
        if _is_single(reference) and others:
            what = f"{limits.NAMES['references']}{where} is {_shown(reference)}"
            example = _EXAMPLES[get(others[0]).INPUTS[0]]
            raise RefusedError(f"{what}, where {others[0]} reads {example}, for instance.", field="references")
        if _is_single(prediction) and not _is_single(reference) and (others or not form.families):
            what = f"{limits.NAMES['predictions']}{where} is {_shown(prediction)}: it counts as an empty document."
            is_text = isinstance(prediction, str)
            advice = "If it holds JSON, choose “a language model's answer” above." if is_text else _EMPTY
            notes.append(f"{what} {advice}")
    return notes[:1] if form.form == "json" else []  # reading other formats has its own issues


def _document(row: object, field: str, where: str) -> object:
    """The document of a row. `where` names the row of the field in words; it is empty if there is only one."""
    try:
        return read_row(row, field.removesuffix("s"), accepts_text=True)
    except DocumentError as error:
        raise RefusedError(f"{limits.NAMES[field]}{where}: {error.problem}", field=field) from None


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


def source_of(text: str, field: str, *, reading: Reading | None = None, accepts_text: bool = False) -> Source:
    """The rows of a text in a field, a key of `limits.NAMES`: JSON, JSON Lines or a JSON list.

    Raises:
        RefusedError: if the text is empty, too long or cannot be read; it names the field, and the place.

    >>> [row.value for row in source_of('{"total": "12"}', "references")]
    [{'total': '12'}]
    """
    limits.check_text(text, field)
    if not text.strip():
        raise RefusedError(f"{limits.NAMES[field]} is empty: write JSON, open a file or take an example.", field=field)
    content = text.encode("utf-8", "surrogatepass")
    side = "prediction" if field == "predictions" else "reference"
    source = Source(field.removesuffix("s"), side, reading=reading, accepts_text=accepts_text, content=content)
    try:
        rows = [row.value for row in source]
    except InputError as error:
        raise RefusedError(str(error), field=field, line=error.line, column=error.column) from None
    limits.check_rows(rows if reading is None else [*source.given()], field)
    return source


def choose_families(form: Form, references: Iterable[object]) -> list[str]:
    """The families to score with.

    Raises:
        RefusedError: if a requested family does not read such references.
    """
    kinds = (input_kind_of(read_row(row, "reference", accepts_text=True)) for row in references)
    input_kind = next((kind for kind in kinds if kind is not None), "entities")
    with refused("options"):
        for name in form.families:
            check_input_kind(name, get(name).INPUTS, input_kind)
    readers = [name for name in families() if input_kind in get(name).INPUTS]
    return [*form.families] or sorted(readers, key=lambda name: name != "kieval")  # the aligned view shows it


FILES_TAKEN = sorted({".json", ".jsonl", ".ndjson", *SUFFIXES})
"""The suffixes of files that can be opened."""
FILES_HINT = (
    f"Files may be JSON, JSON Lines or words with their tags ({', '.join(CERTAIN_SUFFIXES)}). "
    "Of several files, each is one document, and its name is the id."
)


def text_of_files(files: Mapping[str, bytes], side: str) -> str:
    """The text of a side after files are opened, by their names.

    A single JSON file is used as it is; others become rows of JSON Lines, as `docie score` reads a folder of them.

    Raises:
        RefusedError: if a file is too large or cannot be read.

    >>> print(text_of_files({"a.bio": b"Kedai B-shop", "b.bio": b"Kopi O"}, "references"))
    {"id": "a", "reference": {"words": ["Kedai"], "tags": ["B-shop"]}}
    {"id": "b", "reference": {"words": ["Kopi"], "tags": ["O"]}}
    """
    [name, *others] = files
    if others or Path(name).suffix.lower() in CERTAIN_SUFFIXES:
        text = _lines(files, side.removesuffix("s"), is_folder=bool(others))
    else:
        try:
            text = files[name].decode("utf-8-sig")
        except UnicodeDecodeError:
            raise RefusedError(f"{name}: this file is not UTF-8 text.") from None
    limits.check_text(text, side)
    return text


def scans_of_files(files: Mapping[str, bytes], side: str) -> list[Scan]:
    """The pictures of pages, small enough for a page; nothing else of the files is kept.

    Raises:
        RefusedError: if a file is no picture, or too large a one.
    """
    try:
        return [scan_of(io.BytesIO(content)) for content in files.values()]
    except MemoryError:
        raise
    except Exception:  # of whatever kind a picture is, its reader has errors of its own
        said = "Only pictures can be opened here, such as PNG or JPEG files, and none of very many pixels."
        raise RefusedError(said, field=side) from None


def _lines(files: Mapping[str, bytes], side: str, *, is_folder: bool) -> str:
    """A row of JSON Lines for each file. The temporary folder with the files is deleted."""
    with tempfile.TemporaryDirectory() as folder:
        for name, content in files.items():
            Path(folder, name).write_bytes(content)
        try:
            source = Source(folder if is_folder else str(Path(folder, *files)), side)
            rows = [(row.id, source.document(row)) for row in source]
        except InputError as error:
            raise RefusedError(f"{error}.".replace(f"{folder}/", "").replace(folder, "These files")) from None
    left_out = len(files) - len(rows)
    if left_out:
        raise RefusedError(f"{left_out} of {len(files)} files are not documents: open files of one kind.")
    if not is_folder:
        return json.dumps(rows[0][1], ensure_ascii=False)
    wrapped = (row if is_wrapper(row) else {"id": identity, side: row} for identity, row in rows)
    return "\n".join(json.dumps(row, ensure_ascii=False) for row in wrapped)
