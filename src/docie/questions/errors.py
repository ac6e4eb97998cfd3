"""What is wrong with the predictions, and what would help most?"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, islice, tee
from typing import Any, NamedTuple, overload

from docie import corpus
from docie.core.counts import Counts
from docie.core.errors import shortened, with_close_names
from docie.core.notes import noted, noted_in
from docie.core.phrases import visible
from docie.core.values.plain import JsonObject
from docie.corpus.guard import check_seconds
from docie.corpus.method import Method
from docie.diagnosis.error_analysis import DocumentErrors, errors_by_document
from docie.diagnosis.patterns import Pattern, Patterns
from docie.diagnosis.unstable import Stability
from docie.inputs.answer_rows import source_of
from docie.inputs.config import Config, reading_of
from docie.inputs.files import Files
from docie.inputs.kinds import peek_input_kind
from docie.inputs.row import Pair, each_run, unzip
from docie.metrics import kieval
from docie.metrics.kieval.corrections import KINDS, ErrorRow
from docie.metrics.kieval.repairs import order_of_repairs
from docie.questions.asking import facts_of, families_for, settings_for
from docie.questions.document import DocumentResult, explained
from docie.show import several_runs, tables
from docie.show.result import Page, Result, Rows, notes_of
from docie.show.section import HINT, Fit, Part, Section, Table, Text, cut, texts

SHOWN, SHOWN_BRIEFLY = 1000, 50
"""The number of rows that a page shows at most, and a terminal."""
FITS: Mapping[str, Fit] = {"place": "break", "reference": "break", "prediction": "break", "confidence": "drop"}
"""How columns of rows fit a terminal; others are cut. Of two long values that differ, a cut would hide where."""
REPAIRS_SHOWN = 9
"""The number of repairs that are shown to people at most."""
WORST = 5
"""The number of documents with the most errors that are named."""
Listed = tuple[list[str], ErrorRow]
"""A row, and what stands before it: the group and the source of its document, where these are told."""


class Asked(NamedTuple):
    """Which errors are wanted, and how documents are compared."""

    settings: kieval.Settings
    kinds: Collection[str]
    entity_types: Collection[str]
    group_by: str | None
    max_seconds: float | None
    progress: bool

    def wants(self, row: ErrorRow) -> bool:
        """Whether an error is wanted."""
        return row.kind in self.kinds and (not self.entity_types or row.entity_type in self.entity_types)


class Stream:
    """The errors of documents, read when they are asked for, and what is known of all once they are read.

    Args:
        files: the documents.
        pairs: those of `files`, of which the first ones may have been read.
        asked: what is asked for.
        told: notes from before the documents were read.

    Attributes:
        columns: what stands before a row.
        first, number: the first rows that are asked for, and the number of all.
        counts, by_group: the counts of all documents, and of those of each group.
        patterns: what the errors that are asked for have in common.
        worst: the documents with the most of these errors, and their number.
        stability: which values differ between runs, if documents may have several answers.
        notes: what a user should know, a line each.
        is_read: whether all documents are read.
    """

    def __init__(self, files: Files, pairs: Iterator[Pair], asked: Asked, told: Sequence[str]) -> None:
        self.files, self.asked, self._told = files, asked, told
        first = [*islice(pairs, 1)]
        self.has_sources = bool(first and source_of(first[0].prediction.meta))
        self.has_runs = files.reading.has_runs
        told_of = {"source": self.has_sources, "run": self.has_runs}
        self.columns = [*filter(None, [asked.group_by]), *(name for name, is_told in told_of.items() if is_told)]
        self._unread: Iterator[Pair] | None = chain(first, pairs)
        self._clear()

    def _clear(self) -> None:
        self.counts, self.by_group = Counts(), defaultdict[str, Counts](Counts)
        self.first, self.number = list[Listed](), 0
        self.patterns: list[Pattern] = []
        self.stability = Stability(kieval, self.asked.settings)
        self.worst: list[tuple[str | int, int]] = []
        self.notes: list[str] = []
        self.is_read = False

    def rows(self) -> Iterator[Listed]:
        """The rows that are asked for. Documents that were read before are read again."""
        if self._unread is None:
            self._clear()
            self.files = Files(self.files.references, self.files.predictions, self.files.reading)
        given, self._unread = self._unread or iter(self.files), None
        name: str | int | None = None  # of the document that was read last, with its errors in all answers
        in_answers, others = 0, self.worst
        pairs, again = tee(each_run(self.stability.watched(given) if self.has_runs else given))
        for each, pair in zip(self._documents(pairs), again, strict=True):
            before = [] if each.group is None else [each.group]
            before += [source_of(pair.prediction.meta)] if self.has_sources else []
            before += [pair.prediction.run] if self.has_runs else []
            rows = [(before, row) for row in filter(self.asked.wants, each.rows)]
            in_answers = in_answers + len(rows) if each.document == name else len(rows)
            others, name = (others if each.document == name else self.worst), each.document
            if in_answers:
                self.worst = sorted([*others, (name, in_answers)], key=lambda found: -found[1])[:WORST]
            self.first += rows[: SHOWN - len(self.first)]
            self.number += len(rows)
            yield from rows

    def finish(self) -> None:
        """Read all documents, unless all are read."""
        if not self.is_read:
            deque(self.rows(), maxlen=0)

    def _documents(self, pairs: Iterator[Pair]) -> Iterator[DocumentErrors]:
        """The documents with their errors; after the last one, all is known."""
        settings, _, entity_types, group_by, max_seconds, progress = self.asked
        documents = errors_by_document(
            *unzip(pairs),
            settings,
            config=self.files.reading,
            counts=self.counts,
            group_by=group_by,
            progress=progress,
            max_seconds=max_seconds,
        )
        found, patterns = list[str](), Patterns(self.asked.wants)
        for each in noted_in(documents, found):
            if each.group is not None:
                self.by_group[each.group] += each.counts
            patterns.add(each.document, each.rows, each.counts, each.reference)
            yield each
        seen = kieval.false_alarms(self.counts)
        if unseen := [name for name in entity_types if name not in seen]:
            found.append(f"no document has the entity type {with_close_names(unseen, seen)}")
        self.notes += dict.fromkeys([*self.files.notes(), *self._told, *found])
        self.patterns, self.is_read = patterns.found(self.counts), True


@dataclass(frozen=True, kw_only=True)
class ErrorsResult(Result):
    """The errors of predictions: a row for each correction that KIEval counts, patterns, and what would help most.

    Documents are read while the rows are taken, and only the first rows are kept: whoever takes all of them again reads
    the documents again. `notes` and `summary()` are there once all rows were taken.

    Attributes:
        stream: what reads the documents.
    """

    stream: Stream = field(repr=False)

    def __iter__(self) -> Iterator[JsonObject]:
        """The rows, as `--format jsonl` has them."""
        for before, row in self.stream.rows():
            yield dict(zip(self.columns, [*before, *row], strict=True))

    @property
    def columns(self) -> list[str]:
        """The names in a row: the fields of `docie.kieval.error_rows`, and before them those of its document."""
        fields = ErrorRow._fields
        return [*(name if name not in fields else f"meta.{name}" for name in self.stream.columns), *fields]

    @property
    def notes(self) -> Sequence[str]:
        """What a user should know, a line each."""
        return self.stream.notes

    def summary(self) -> JsonObject:
        """`patterns`, `worst_documents`, what would help most (`repaired`), `false_alarms`, and what was scored.

        Raises:
            ValueError: while there are rows that were not taken.
        """
        if not self.stream.is_read:
            raise ValueError("what would help most is known once all rows were taken: iterate over the result first")
        counts, stability = self.stream.counts, self.stream.stability
        runs = {"answers": counts.documents, "runs": stability.record()} if self.stream.has_runs else {}
        return {
            "patterns": [pattern.record() for pattern in self.stream.patterns],
            "worst_documents": [{"document": name, "errors": number} for name, number in self.stream.worst],
            "repaired": kieval.repaired(counts),
            "false_alarms": kieval.false_alarms(counts),
            "documents": stability.documents if runs else counts.documents,
            "invalid_predictions": counts.invalid_predictions,
            "signature": counts.signature,
            **runs,
        }

    def to_dict(self) -> JsonObject:
        """All rows, and the summary."""
        return {"errors": [*self], **self.summary()}

    def sections(self, *, brief: bool = False) -> Iterator[Section]:
        """The patterns, what would help most, false alarms, scores by group, the first rows, and what was scored."""
        self.stream.finish()
        summary = self.summary()
        line = Text(tables.facts(summary, joined_by=self.stream.files.joined_by), HINT)
        patterns = tables.patterns(self.stream.patterns)
        alarms = [_shown(each, names=1) for each in _alarms(summary["false_alarms"])]
        runs = several_runs.values(summary["runs"], brief=brief) if "runs" in summary else ()
        parts = [*self._worst(), *runs, *patterns, _shown_repairs(summary["repaired"]), *alarms]
        parts += [*self._shown_groups(), *self._first_rows(SHOWN_BRIEFLY if brief else SHOWN), line]
        yield Section(parts) if brief else Section([*notes_of(self.notes), *parts], "What is wrong", "errors")

    def tables(self) -> Iterator[Rows]:
        """All rows, then the tables of the summary."""
        yield Rows("errors", self.columns, ([*before, *row] for before, row in self.stream.rows()))
        summary, column = self.summary(), self.stream.asked.group_by
        yield _repairs(summary["repaired"])
        yield from _alarms(summary["false_alarms"])
        if column is not None:
            yield _groups(column, self.stream.by_group)

    def page(self) -> Page:
        """The page of the errors."""
        return super().page()._replace(lead="The corrections that KIEval counts.")

    def _worst(self) -> list[Part]:
        """The documents to look at first."""
        worst = [f"{name} ({number:,})" for name, number in self.stream.worst]
        return [Text(f"Documents with the most errors: {', '.join(worst)}.")] if worst else []

    def _first_rows(self, most: int) -> list[Part]:
        """The first rows as a table, and how many more there are."""
        first, rest = self.stream.first[:most], self.stream.number - most
        has_confidence = any(row.confidence is not None for _, row in first)
        columns = [*self.stream.columns, "document", "place", "kind", "reference", "prediction"]
        cells = [
            [
                *map(cut, before),
                *(str(row.document), place_of(row), row.kind),
                *(cut(visible(text)) if text else "" for text in (row.reference, row.prediction)),
                *texts([row.confidence] * has_confidence),
            ]
            for before, row in first
        ]
        headings = [*columns, *["confidence"] * has_confidence]
        fits = {at: FITS.get(name, "cut") for at, name in enumerate(headings) if name != "kind"}
        more = [Text(f"{rest:,} more rows: csv, jsonl, json and xlsx have all", HINT)] if rest > 0 else []
        return [Table("errors", headings, cells, texts=len(columns), fits=fits), *more]

    def _shown_groups(self) -> list[Part]:
        column, by_group = self.stream.asked.group_by, self.stream.by_group
        if column is None:
            return []
        title = tables.title_of_groups(column, len(by_group))
        return [_shown(_groups(column, by_group)._replace(title=title), most=tables.GROUPS_SHOWN)]


@overload
def errors(*, references: Any, predictions: Any, document: None = None, **options: Any) -> ErrorsResult: ...


@overload
def errors(*, references: Any, predictions: Any, document: str, **options: Any) -> DocumentResult: ...


def errors(
    *,
    references: Any,
    predictions: Any,
    kind: str | Sequence[str] | None = None,
    entity_type: str | Sequence[str] | None = None,
    document: str | None = None,
    group_by: str | None = None,
    run: str | None = None,
    config: Config = None,
    max_seconds: float | None = None,
    progress: bool = False,
    **options: Any,
) -> ErrorsResult | DocumentResult:
    """List the errors of predictions, as `docie errors` does.

    Documents are read one by one while the rows of the result are taken, so memory stays bounded.

    Args:
        references, predictions (path, sequence or frame): as in `docie.score`.
        kind (str or list of str): only errors of this kind, as `docie.kieval.error_rows` names them.
        entity_type (str or list of str): only errors of this entity type.
        document (str): explain the document of this id instead, or of this number if it has none.
        group_by (str): a column of the rows' `meta`, such as "vendor": rows begin with it; add scores by its values.
        run (str): predictions have several answers for each document, as in `docie.score`: rows name the run, and
            those of all answers count.
        config (path or dict): how rows are read, as in `docie.score`.
        max_seconds (float): stop at a document that takes longer.
        progress (bool): show a progress bar on stderr, if that is a terminal.
        **options: the options of KIEval: `normalize`, `match`, `schema`, `weights`, `matching` and so on.

    Returns:
        ErrorsResult: iterating gives the rows; printed, what the command prints; `docie.write` puts it into any form.
            With `document`, a DocumentResult.

    Raises:
        ValueError: for an option's wrong value, for what is no document, and for an unknown `document`; for rows that
            cannot be read, when they are.

    >>> references = [{"id": "r-1", "total": "12.00"}, {"id": "r-2", "total": "7.50", "tax": "1"}]
    >>> predictions = [{"id": "r-1", "total": "12,00"}, {"id": "r-2", "total": "7.50"}]
    >>> result = errors(references=references, predictions=predictions)
    >>> [(row["document"], row["entity_type"], row["kind"]) for row in result]
    [('r-1', 'total', 'format'), ('r-2', 'tax', 'missing')]
    >>> [(row["name"], round(row["entity_f1"], 3)) for row in result.summary()["repaired"][:3]]
    [(None, 0.4), ('format', 0.8), ('missing', 0.667)]
    >>> print(errors(references=references, predictions=predictions, document="r-1").explanation.sentence)
    0 of 1 value correct, 1 incorrect: entity_f1 0.0000.
    """
    check_seconds("max_seconds", max_seconds)
    if document is not None:
        rest = {"kind": kind, "entity_type": entity_type, "group_by": group_by, "max_seconds": max_seconds}
        for name in [name for name, value in rest.items() if value is not None]:
            raise ValueError(f"{name} does nothing beside document")
    kinds = _listed(kind) or KINDS
    if unknown := [name for name in kinds if name not in KINDS]:
        raise ValueError(f"unknown kind {shortened(unknown[0])}, expected one of {', '.join(KINDS)}")
    with noted() as told:
        files = Files(references, predictions, reading_of(config).with_run(run))
        input_kind, pairs = peek_input_kind(files)
        settings = settings_for(families_for(kieval.NAME, input_kind), options, files.reading)[kieval.NAME]
    if document is not None:
        return explained(files, pairs, settings, document, told)
    asked = Asked(settings, kinds, _listed(entity_type), group_by, max_seconds, progress)
    facts = facts_of(files, ())
    return ErrorsResult(
        facts=replace(facts, title=f"Errors of {facts.title}"),
        signature=Method(kieval, settings, files.reading).signature(),
        stream=Stream(files, pairs, asked, told),
    )


def _listed(names: str | Iterable[str] | None) -> list[str]:
    return [names] if isinstance(names, str) else [*(names or ())]


def place_of(row: ErrorRow) -> str:
    """Where an error is: its entity type with the number of its group, and the other place of its value.

    >>> row = ErrorRow("r-1", "items", 2, 3, "items.name", "substitution", "value", "Tea", "Tee")
    >>> place_of(row)
    'items[3].name'
    >>> place_of(row._replace(reference_group=None, kind="type", elsewhere="items.note"))
    'items[2].name ↔ note'
    """
    number = row.predicted_group if row.reference_group is None else row.reference_group
    if row.group_type is None or number is None:
        place = row.entity_type
    else:
        numbers = [number, row.elsewhere] if row.kind == "group" and row.elsewhere != number else [number]
        place = f"{row.group_type}[{' ↔ '.join(map(str, numbers))}]{row.entity_type.removeprefix(row.group_type)}"
    if row.kind != "type":
        return place
    above = row.entity_type.rpartition(".")[0]
    return f"{place} ↔ {str(row.elsewhere).removeprefix(f'{above}.')}"


def _shown(rows: Rows, *, names: int = 2, most: int | None = None) -> Table:
    """Rows as people see them; so many first columns hold no numbers."""
    return Table(rows.title, [*rows.columns], [[*texts(row)] for row in islice(rows.cells, most)], texts=names)


def _shown_repairs(repaired: Sequence[JsonObject]) -> Table:
    """What would help most as people see it: the largest gains, and no scores that say the same."""
    now, *rows = repaired
    rows.sort(key=order_of_repairs)
    scores: list[str] = [name for name in ("correction_cost", "weighted_entity_f1") if name in now]
    scores += ["entity_f1", "group_f1", "document_accuracy"]
    cells = [["nothing", "", "", *texts(now[name] for name in scores)]]
    cells += [
        [row["repaired"].replace("_", " "), row["name"], *texts([row["rows"], *(row[name] for name in scores)])]
        for row in rows[:REPAIRS_SHOWN]
    ]
    title = "what would help most"
    if len(rows) > REPAIRS_SHOWN:
        title += f" (the first {REPAIRS_SHOWN} of {len(rows)} repairs)"
    return Table(title, ["repaired", "name", "errors", *scores], cells, texts=2)


def _repairs(repaired: Sequence[JsonObject]) -> Rows:
    """What would help most, by kind and by entity type."""
    columns = ["repaired", "name", "rows", "corrections", "entity_f1", "aligned", "group_f1", "document_accuracy"]
    columns[4:4] = [name for name in ("correction_cost", "weighted_entity_f1") if name in repaired[0]]
    return Rows("what would help most", columns, [[row[name] for name in columns] for row in repaired])


def _alarms(false_alarms: Mapping[str, JsonObject]) -> Iterator[Rows]:
    """The entity types that are predicted where they are not, if there are any."""
    cells = [[name, *row.values()] for name, row in false_alarms.items() if row["false_alarms"]]
    if cells:
        headings = ["entity type", "documents with it", "documents without", "rate"]
        yield Rows("false alarms: predicted where the reference lacks it", headings, cells)


def _groups(column: str, by_group: Mapping[str, Counts]) -> Rows:
    """The scores of each group of documents, and the kind of error whose repair would help it most."""

    def cells() -> Iterator[list[object]]:
        for name, counts in corpus.in_order(by_group):
            now, *repairs = kieval.repaired(counts)
            best = repairs[0] if repairs else {"name": None, "rows": None, "entity_f1": None}
            alarms = sum(row["false_alarms"] for row in kieval.false_alarms(counts).values())
            scores = [now["corrections"], now["entity_f1"], best["rows"], best["entity_f1"]]
            yield [name, best["name"], counts.documents, *scores, alarms]

    headings = [column, "helps most", "documents", "corrections", "entity_f1", "repaired", "entity_f1 then"]
    return Rows(f"by {column}", [*headings, "false alarms"], cells())
