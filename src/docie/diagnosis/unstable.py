"""Values that differ between the runs of one system."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import Any, NamedTuple

from docie.core.errors import DocumentError
from docie.core.explanation import Pair as Compared
from docie.core.family import Family
from docie.core.settings import settings_of_document
from docie.inputs.row import Pair

Key = tuple[str, str, str | None, str | None, int]


class Unstable(NamedTuple):
    """A value that differs between runs.

    Attributes:
        document: the id of its document, or its number.
        place: its group and entity type, such as "items[2].name".
        reference: what is expected; None for what only some runs say.
        answers: what the runs say, each with the runs that say so, most frequent first. None is nothing. Answers that
            count as correct are one: the reference.
    """

    document: str | int
    place: str
    reference: str | None
    answers: list[tuple[str | None, list[str]]]

    @property
    def share(self) -> float:
        """The share of runs that do not say what most say."""
        times = [len(runs) for _, runs in self.answers]
        return 1 - max(times) / sum(times)

    def record(self) -> dict[str, Any]:
        """Plain JSON values."""
        answers = [{"prediction": text, "runs": runs} for text, runs in self.answers]
        return {**self._asdict(), "answers": answers}


class Stability:
    """Collects which values differ between runs, while documents pass.

    Values are paired with those of the reference as the family explains its score. What only predictions have is known
    by its types and text.

    Args:
        family, settings: what compares values.

    Attributes:
        documents: the number of documents.
        values: the number of values of documents with several answers.
        found: those that differ, in the order of the documents.

    >>> from docie import kieval
    >>> from docie.inputs.row import Row
    >>> runs = [Row({"total": "9", "tax": "1"}, run="1"), Row({"total": "8", "tax": "1"}, run="2")]
    >>> pair = Pair(runs[0]._replace(runs=runs), Row({"total": "9", "tax": "2"}, id="r-1"))
    >>> stability = Stability(kieval, kieval.Settings())
    >>> _ = [*stability.watched([pair])]
    >>> stability.values, stability.found
    (2, [Unstable(document='r-1', place='total', reference='9', answers=[('9', ['1']), ('8', ['2'])])])
    """

    def __init__(self, family: Family, settings: object) -> None:
        self._family, self._settings = family, settings
        self.documents = self.values = 0
        self.found: list[Unstable] = []

    def watched(self, pairs: Iterable[Pair]) -> Iterator[Pair]:
        """The pairs, which are looked at while they pass."""
        for number, pair in enumerate(pairs):
            self.documents += 1
            if pair.prediction.runs:
                with suppress(DocumentError):  # whoever counts the document will say so
                    self._add(number if pair.id is None else pair.id, pair)
            yield pair

    def _add(self, document: str | int, pair: Pair) -> None:
        answers, runs = dict[Key, list[str | None]](), pair.prediction.runs
        settings = settings_of_document(self._settings, pair.id)
        for run, row in enumerate(runs):
            explanation = self._family.explain(row.document, pair.reference.document, settings)
            for key, each in _keyed(explanation.pairs):
                said = each.expected if each.is_correct else each.predicted
                answers.setdefault(key, [None] * len(runs))[run] = said
        self.values += len(answers)
        for (group, entity_type, expected, *_), texts in answers.items():
            if len(set(texts)) > 1:
                place = f"{group}.{entity_type}" if group else entity_type
                by_text = dict[str | None, list[str]]()
                for text, row in zip(texts, runs, strict=True):
                    by_text.setdefault(text, []).append(row.run)
                frequent = sorted(by_text.items(), key=lambda answer: -len(answer[1]))
                self.found.append(Unstable(document, place, expected, frequent))

    def record(self) -> dict[str, Any]:
        """The numbers of values and of those that differ; these, most unstable first; and their number by document."""
        by_document = Counter(each.document for each in self.found).most_common()
        return {
            "values": self.values,
            "unstable_values": len(self.found),
            "unstable_documents": [{"document": name, "values": number} for name, number in by_document],
            "unstable": [each.record() for each in sorted(self.found, key=lambda each: -each.share)],
        }


def _keyed(pairs: Iterable[Compared]) -> Iterator[tuple[Key, Compared]]:
    """Pairs with a key that is the same for the same value in another run."""
    times = Counter[tuple[Any, ...]]()
    for each in pairs:
        group, text = each.group, None
        if each.expected is None:  # the number of its group is that of the run
            group, text = each.group.partition("[")[0], each.predicted
        value = group, each.entity_type, each.expected, text
        yield (*value, times[value]), each
        times[value] += 1
