"""The counts of some documents of a corpus: they can be added, and every result is computed from them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field

from docie.core.counts import Counts
from docie.core.errors import shortened, warn
from docie.core.family import Family
from docie.core.values.plain import JsonObject
from docie.corpus.clusters.column import WITHOUT, Column
from docie.corpus.clusters.units import Labels
from docie.corpus.matrix import Matrix
from docie.corpus.runs.answers import Runs
from docie.inputs.fit.survey import Survey


@dataclass(slots=True)
class Partial:
    """The counts of some documents of a corpus, with everything else that its results need.

    Partials can be added: documents that were counted separately give the same results as if counted together. Scores
    do not depend on the order in which Partials are added. If documents are kept, their order does, and so do the
    intervals that are computed from them.

    Attributes:
        counts (Counts): the sum of the documents' counts; its `signature` records how they were counted.
        documents (Matrix): the counts of each document, which intervals and `per_document` need; None if they were not
            kept.
        labels (Labels): which documents belong together, or None.
        column (Column): the column of `meta` by which documents are grouped, or None.
        groups (dict): from each value of that column to the counts of its documents.
        survey (dict): notes on the documents, for warnings; None if there are none.
        notes (list of str): notes on how the rows were read, for the user.
        runs (Runs): the counts of each answer, if documents may have several; else None.

    >>> from docie import corpus, kieval
    >>> parts = [corpus.count(kieval, [{"total": text}], [{"total": "12.00"}]) for text in ("12.00", "7.50")]
    >>> whole = parts[0] + Partial.from_json(parts[1].to_json())
    >>> whole.counts.documents, corpus.results(whole)["entity_f1"]
    (2, 0.5)
    """

    counts: Counts = field(default_factory=Counts)
    documents: Matrix | None = None
    labels: Labels | None = None
    column: Column | None = None
    groups: dict[str, Counts] = field(default_factory=dict)
    survey: JsonObject | None = None
    notes: list[str] = field(default_factory=list)
    runs: Runs | None = None

    def empty(self) -> Partial:
        """An empty Partial that keeps the same information for each document."""
        documents, runs = None if self.documents is None else Matrix(), None if self.runs is None else Runs()
        return Partial(Counts(signature=self.counts.signature), documents, runs=runs)

    def add(self, counts: Iterable[Counts], labels: Sequence[str | None]) -> None:
        """Add documents.

        Args:
            counts: the counts of each document.
            labels: the group of each; None for no groups.
        """
        groups = [label for label in dict.fromkeys(labels) if label is not None]
        if self.documents is not None or groups:
            counts = list(counts)
        self.counts += Counts.sum_of(counts)  # if none is kept, one by one: each is used once, then dropped
        if self.documents is not None:
            self.documents.extend(counts)
        for label in groups:
            of_group = Counts.sum_of(each for each, own in zip(counts, labels, strict=True) if own == label)
            self._add_to_group(label, of_group)

    def _add_to_group(self, label: str, counts: Counts) -> None:
        self.groups[label] = self.groups.get(label, Counts()) + counts

    @classmethod
    def sum_of(cls, partials: Iterable[Partial]) -> Partial:
        """The sum of several Partials, which may be a generator: faster than `+`, which copies.

        Raises:
            ValueError: if it is not a list of Partials, if it is empty, or for the same reasons as `+`.
        """
        total: Partial | None = None
        if isinstance(partials, (str, bytes, Mapping, Partial)) or not isinstance(partials, Iterable):
            raise ValueError(f"expected a list of Partials, got {shortened(partials)}")
        for each in partials:
            if not isinstance(each, Partial):
                raise ValueError(f"expected a Partial, got {shortened(each)}")
            total = deepcopy(each) if total is None else total.__iadd__(each)
        if total is None:
            raise ValueError("expected at least one Partial, got none")
        return total

    def __add__(self, other: Partial) -> Partial:
        """The sum of two Partials.

        Raises:
            ValueError: if their settings differ, or what they keep of each document.
        """
        return deepcopy(self).__iadd__(other)

    def __iadd__(self, other: Partial) -> Partial:
        self._check(other)
        self.counts += other.counts
        if self.documents is not None and other.documents is not None:
            self.documents += other.documents
        if self.runs is not None and other.runs is not None:
            self.runs += other.runs
        if self.labels is not None and other.labels is not None:
            self.labels += other.labels
        if other.column is not None:
            self.column = other.column if self.column is None else self.column + other.column
        for label, group in other.groups.items():
            self._add_to_group(label, group)
        self.survey = Survey.sum_of(self.survey, other.survey)
        self.notes += [note for note in other.notes if note not in self.notes]
        return self

    def _check(self, other: Partial) -> None:
        """Raise ValueError if two Partials cannot be added."""
        made = self.counts.signature, other.counts.signature
        if made[0] != made[1]:
            raise ValueError(f"cannot add a Partial made as {made[1]!r} to one made as {made[0]!r}")
        if self._kept() != other._kept():
            raise ValueError("cannot add Partials that were counted with another keep, group_by or clusters")
        _check_widths(self.counts, other.counts)

    def _kept(self) -> tuple[object, ...]:
        labels = self.labels is not None and (self.labels.name,)
        return self.documents is None, labels, self.column and self.column.name

    def to_json(self) -> JsonObject:
        """Plain JSON values, for `from_json` in another process or on another machine.

        Raises:
            ValueError: if documents have several answers: their runs are compared in one process.
        """
        if self.runs is not None:
            raise ValueError("run: counts of documents with several answers are not written; count them in one process")
        value: JsonObject = {"counts": self.counts.to_json()}
        for name in ("documents", "labels", "column"):
            if (each := getattr(self, name)) is not None:
                value[name] = each.to_json()
        if self.groups:
            value["groups"] = {label: group.to_json() for label, group in self.groups.items()}
        return value | {name: each for name in ("survey", "notes") if (each := getattr(self, name))}

    @classmethod
    def from_json(cls, value: JsonObject) -> Partial:
        """The Partial that `to_json` wrote.

        Raises:
            ValueError: if `to_json` did not write this value.
        """
        if not isinstance(value, Mapping) or "counts" not in value:
            raise ValueError(f"expected the JSON of a Partial, got {shortened(value)}")
        kinds: dict[str, Callable[[JsonObject], object]] = {
            "counts": Counts.from_json,
            "documents": Matrix.from_json,
            "labels": Labels.from_json,
            "column": Column.from_json,
        }
        read: JsonObject = {name: from_json(value[name]) for name, from_json in kinds.items() if name in value}
        survey = value.get("survey")
        try:
            read["groups"] = {label: Counts.from_json(group) for label, group in value.get("groups", {}).items()}
            read |= {"survey": survey and Survey.from_json(survey).to_json(), "notes": [*value.get("notes", ())]}
        except (AttributeError, KeyError, TypeError):
            raise ValueError(f"expected the JSON of a Partial, got {shortened(value)}") from None
        _check_widths(read["counts"])
        return cls(**read)

    def check(self) -> None:
        """Raise ValueError if no document has the ontology or a column of `meta`; warn of documents without it."""
        if self.survey is not None:
            Survey.from_json(self.survey).check()
        for labels in (self.labels, self.column):
            if labels is not None:
                labels.check()

    def warn(self, family: Family, *, system: str = "") -> None:
        """Warn of problems in the rows; `system` names the system that made the predictions, if there are several."""
        for note in self.notes:
            warn(note)
        if self.survey is not None:
            Survey.from_json(self.survey).warn(family, self.counts, system=system)
        remarks = getattr(family, "remarks", None)
        for line in remarks(self.counts) if remarks else ():
            warn(f"{system}: {line}" if system else line)


def _check_widths(*several: Counts) -> None:
    """Raise ValueError unless the rows of each table have the same length everywhere."""
    widths: dict[str | None, int] = {}
    for counts in several:
        for key, numbers in counts.rows.items():
            if widths.setdefault(key[0], len(numbers)) != len(numbers):
                raise ValueError(f"cannot add rows of {widths[key[0]]} and of {len(numbers)} numbers in {key[0]!r}")


def in_order(counts: Mapping[str, Counts]) -> list[tuple[str, Counts]]:
    """Groups with their counts: the largest groups first, documents without a group last.

    Args:
        counts (dict): from each group to the counts of its documents.

    Returns:
        list of (str, Counts): the groups in order.

    >>> [name for name, _ in in_order({"(none)": Counts(9), "a": Counts(1), "c": Counts(2), "b": Counts(2)})]
    ['b', 'c', 'a', '(none)']
    """
    return sorted(counts.items(), key=lambda item: (item[0] == WITHOUT, -item[1].documents, item[0]))
