"""Do references and predictions fit together? What differs in how they were written, and the options that say so."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any, NamedTuple

from docie.core.counts import Counts
from docie.core.errors import errors_of_document
from docie.core.values.plain import JsonObject
from docie.corpus.method import Method
from docie.inputs.config import config_of, options_of_config
from docie.inputs.fit.change import Change, arguments_of
from docie.inputs.fit.rows import FILE_NAMES, SideRows
from docie.inputs.fit.sample import EQUALITY, Sample
from docie.inputs.fit.search import Fit, fit
from docie.inputs.kinds import check_input_kind, input_kind_of
from docie.inputs.opened import OpenedRows
from docie.inputs.openers import open_row
from docie.inputs.reading import ANY_KEY, Reading, Side
from docie.inputs.row import Pair, Row
from docie.inputs.sources.source import Source
from docie.metrics import kieval

Pairs = Callable[[Reading], Iterable[Pair]]
"""All predictions with their references, as they are read so."""
LOW = 0.5
"""Below this score, what the differences do not explain is shown."""
SHOWN = 3
"""The number of values of an entity type that are shown."""


class ReadSide(NamedTuple):
    """How the references, or the predictions, were read.

    Attributes:
        documents: the number of rows.
        ids: the key of their ids; "" for the names of files, "*" for the keys of the documents; None without ids.
        types: the number of entity types.
        groups: the types of groups.
        values: the number of values.
    """

    documents: int
    ids: str | None
    types: int
    groups: list[str]
    values: int


class Finding(NamedTuple):
    """One difference in how references and predictions were written.

    Attributes:
        kind: "join", "unwrap", "leaf", "beside", "rename", "records", "format", "failures", "contains", "alone" or
            "ambiguous".
        config: what asks for the change, by the names that `docie.toml` has for options.
        values: the number of values that it concerns, in the sample.
        before, after: KIEval's entity F1 without and with these options, both with those of the findings before it;
            None if the documents cannot be scored so.
        text: what differs, in a sentence.
        is_certain: whether the change makes no values equal that may differ.
        is_applied: whether `Findings.config`, and the scores of the findings after it, have the change. What may hide
            errors is left to a person.
        example: a predicted text, and the one of the references that it then equals; empty without one.
    """

    kind: str
    config: Mapping[str, Any]
    values: int
    before: float | None
    after: float | None
    text: str
    is_certain: bool = True
    is_applied: bool = True
    example: tuple[str, ...] = ()

    @property
    def options(self) -> list[str]:
        """The arguments of the command line that ask for the change."""
        return arguments_of(self.config)

    def to_dict(self) -> JsonObject:
        """The finding as `docie check --format json` prints it."""
        names = ("kind", "options", "values", "before", "after", "text")
        return {name: getattr(self, name) for name in names} | ({"example": [*self.example]} if self.example else {})


class TypeOfValues(NamedTuple):
    """An entity type, as references and predictions have it where the differences do not explain the score.

    Attributes:
        entity_type: its name.
        references, predictions: the numbers of its values.
        equal: how many of them are equal to one of their document, whatever group they are in.
        reference_values, prediction_values: up to three of the others, as they are compared.
    """

    entity_type: str
    references: int
    predictions: int
    equal: int
    reference_values: list[str]
    prediction_values: list[str]


@dataclass(frozen=True)
class Findings:
    """How references and predictions fit together.

    Attributes:
        references, predictions: how each was read; if they can be joined only after a finding, with it.
        sampled: the number of documents that the findings were searched in.
        score: KIEval's entity F1 as the documents are read now; None if they cannot be scored so.
        problem: why they cannot be scored; None if they can.
        findings: the differences, in the order in which their changes are made.
        config: what asks for all of the changes that are applied, beside what was asked for before, with the keys of
            `docie.toml`.
        proposed: the same with the changes that are left to a person.
        unexplained: with a score below .5 after all changes, or if no value has a counterpart, the entity types, those
            with most values first; otherwise empty.
    """

    references: ReadSide
    predictions: ReadSide
    sampled: int
    score: float | None
    problem: ValueError | None
    findings: list[Finding]
    config: JsonObject
    proposed: JsonObject
    unexplained: list[TypeOfValues]

    def __iter__(self) -> Iterator[Finding]:
        """The findings."""
        return iter(self.findings)

    def __len__(self) -> int:
        """The number of findings."""
        return len(self.findings)

    @property
    def options(self) -> list[str]:
        """The arguments of the command line that ask for all of the changes that `config` has."""
        return [option for finding in self.findings if finding.is_applied for option in finding.options]

    def to_dict(self) -> JsonObject:
        """The findings as `docie check --format json` prints them."""
        found: JsonObject = {
            "references": self.references._asdict(),
            "predictions": self.predictions._asdict(),
            "findings": [finding.to_dict() for finding in self.findings],
        }
        return {**found, "unexplained": [each._asdict() for each in self.unexplained]} if self.unexplained else found


def side_rows(
    sources: Callable[[], Iterable[Source]],
    side: str,
    how: Side,
    *,
    read: Callable[[Iterable[Row]], Iterator[Row]] = iter,
) -> SideRows:
    """All rows of one side, which can be read again, as they stand there but for answers and pages.

    Args:
        sources: opens the sources.
        side: "prediction" or "reference".
        how: how they are read at present.
        read: passes the rows on, each time that they are read.
    """

    def rows(how: Side) -> Iterator[Row]:
        for source in sources():
            yield from OpenedRows(source, side, how, ids=True).unopened()

    return SideRows(lambda how: read(rows(how)), how)


def findings_of(predictions: SideRows, references: SideRows, pairs: Pairs, method: Method) -> Findings:
    """The findings for rows from anywhere.

    Args:
        predictions, references: all rows.
        pairs: gives all of them, joined and read in a way.
        method: how they are scored already, by KIEval.

    Raises:
        ValueError: for references that are no documents, such as tagged words.
    """
    kinds = (input_kind_of(_document_of(row, method.reading.references)) for row in references.first)
    check_input_kind("docie check", ("document",), next(filter(None, kinds), "entities"))
    equality = {name: getattr(method.settings, name) for name in EQUALITY}
    found = fit(predictions, references, method.reading, **equality)
    sides = [_side(rows, found, place) for place, rows in enumerate((predictions, references))]
    plain, problem = _score(pairs, method)
    before, findings = plain, list[Finding]()
    for change in found.changes:
        after, changed = before, method
        if change.options:
            changed = _with_change(method, change)
            after, _ = _score(pairs, changed)
            method = changed if change.is_applied else method
        facts = change.text, change.is_certain, change.is_applied, change.example
        findings.append(Finding(change.kind, _asked(change, changed), change.values, before, after, *facts))
        before = after if change.is_applied else before
    last = found.changes[-1].sample if found.changes else found.sample
    is_explained = before is None or (before >= LOW and last.agreed)
    unexplained = [] if is_explained else _types_of(last)
    applied, proposed = _config_of(method), _config_of(_with_all(method, found.changes))
    return Findings(sides[1], sides[0], len(last.pairs), plain, problem, findings, applied, proposed, unexplained)


def _document_of(row: object, how: Side) -> object:
    """The document of a reference as it is read at present; the row itself if it cannot be read so."""
    try:
        return open_row(row, "reference", how, path=how.path).document
    except ValueError:
        return row


def _with_change(method: Method, change: Change) -> Method:
    """A method with a change made, beside what it has."""
    settings, reading = method.settings, method.reading
    if change.reading:
        reading = reading.with_options(change.reading)
    normalize = change.sample.normalize if change.normalize else settings.normalize
    match = change.sample.match if change.match else settings.match
    return method._replace(settings=replace(settings, normalize=normalize, match=match), reading=reading)


def _asked(change: Change, changed: Method) -> dict[str, Any]:
    """What asks for a change; of what is a list, with what was asked for before, since lists replace one another."""
    now = options_of_config(config_of(changed.reading))
    lists = {name: each for name, each in now.items() if isinstance(each, list) and name in change.options}
    return {**change.options, **{name: each for name, each in lists.items() if len(each) > len(change.options[name])}}


def _with_all(method: Method, changes: Iterable[Change]) -> Method:
    """A method with the changes that are not applied, too."""
    for change in changes:
        method = method if change.is_applied else _with_change(method, change)
    return method


def _config_of(method: Method) -> JsonObject:
    """What asks for a method, with the keys of `docie.toml`."""
    formats = {name: getattr(method.settings, name) for name in ("normalize", "match")}
    values = {**method.reading.values, **{name: value for name, value in formats.items() if value is not None}}
    return config_of(replace(method.reading, values=values))


def _score(pairs: Pairs, method: Method) -> tuple[float | None, ValueError | None]:
    """KIEval's entity F1 of all documents as they are scored so; or why they cannot be scored."""
    total = Counts()
    try:
        for number, pair in enumerate(pairs(method.reading)):
            with errors_of_document(number, pair.places):
                total += kieval.count(pair.prediction.document, pair.reference.document, method.settings)
    except ValueError as error:
        return None, error
    return float(kieval.score(total)["entity_f1"]), None


def _side(rows: SideRows, found: Fit, place: int) -> ReadSide:
    keys, sample = found.join.keys, found.sample
    if not sample.pairs and found.changes:  # rows that are joined with a finding alone
        sample = found.changes[0].sample
    groups = {name for pair in sample.values for name in pair[place] if name}
    types = sample.types[place]
    ids = keys and keys[1 - place]
    if ids == FILE_NAMES and rows.how.path[:1] == [ANY_KEY]:
        ids = ANY_KEY
    return ReadSide(rows.size, ids, len(types), sorted(groups), types.total())


def _types_of(sample: Sample) -> list[TypeOfValues]:
    """The entity types of a sample, those with most values first, with values that have no counterpart."""
    equal, examples = Counter[str](), (defaultdict[str, list[str]](list), defaultdict[str, list[str]](list))
    for written in sample.entities:
        keys = [Counter(chain.from_iterable(chain.from_iterable(side.values()))) for side in written]
        equal.update(name for name, _ in (keys[0] & keys[1]).elements())
        for found, own, other in zip(examples, keys, reversed(keys), strict=True):
            for name, text in own - other:
                if len(found[name]) < SHOWN and text not in found[name]:
                    found[name].append(str(text))
    predicted, expected = sample.types
    names = sorted({*predicted, *expected}, key=lambda name: (-max(predicted[name], expected[name]), name))
    return [
        TypeOfValues(name, expected[name], predicted[name], equal[name], examples[1][name], examples[0][name])
        for name in names
    ]
