"""The score of many documents of which few have labels: a second system's reading of all of them stands beside."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from docie.core.errors import MismatchError, shortened, warn
from docie.core.family import get
from docie.core.phrases import counted
from docie.core.scores import headline_of
from docie.corpus.counting import count
from docie.corpus.files import Counted
from docie.corpus.silver.powered import Powered, powered, warnings_of
from docie.inputs.files import Files
from docie.inputs.join import with_normalizers
from docie.inputs.reading import Reading
from docie.inputs.row import Pair, Row, unzip
from docie.show.section import HINT, Section, Table, Text, number

COLUMNS = ["score", "plain", "plain_interval", "value", "interval", "labels", "worth"]
"""Of the table of prediction-powered scores."""


class Silver:
    """The silver reading: what a second system has read in the same documents as the predictions.

    Args:
        references, silver: paths or rows.
        reading: how rows are read: the second system's as predictions are, or as those of the system "silver".
        contents: what was read of the paths.
    """

    def __init__(self, references: Any, silver: Any, reading: Reading, contents: Mapping[str, bytes]) -> None:
        self._reading, self._labelled, self._are_objects = reading, dict[str, Row](), False
        how = replace(reading.of_system("silver"), corrections=None, missing="drop")
        self._files = Files(references, silver, how, contents=contents, keeps_extra=True)

    def watched(self, pairs: Iterable[Pair]) -> Iterator[Pair]:
        """The pairs of predictions and labels, whose predictions are kept while they pass."""
        for pair in pairs:
            self._labelled[str(pair.id)] = pair.prediction
            self._are_objects |= isinstance(pair.reference.document, Mapping)
            yield pair

    def powered(
        self,
        others: Mapping[str, Row],
        settings: Mapping[str, Any],
        plain: Counted,
        results: Any,
        level: float,
        **how: Any,
    ) -> dict[str, Powered]:
        """The prediction-powered headline of each family.

        Args:
            others: the predictions without a reference, by their ids.
            settings: of each family.
            plain, results: the counts of documents with labels, and their scores.
            level: of intervals.
            **how: options of `docie.corpus.count`.

        Raises:
            MismatchError: unless both systems have read the same documents.
        """
        pairs, found = self._pairs(others), dict[str, Powered]()
        for name, own in settings.items():
            family = get(name)
            headline, labels = headline_of(family), plain.partials[name].documents
            read = count(family, *unzip(pairs), own, keep="documents", **how).documents
            if labels is not None and read is not None:
                of_labels = results[name][headline], results[name][f"{headline}_interval"]
                found[name] = powered(family, labels, read, of_labels, level)
        for line in (*self._files.notes(), *warnings_of(found)):
            warn(line)
        return found

    def _pairs(self, others: Mapping[str, Row]) -> list[Pair]:
        """The predictions with the silver reading in place of a label, those of documents with labels first."""
        try:
            read = {str(pair.id): pair.prediction for pair in self._files}
        except MismatchError as error:
            raise MismatchError(f"silver: {error}") from None
        known, extra = {**self._labelled, **others}, self._files.extra
        read |= extra
        for ids, where in ((known.keys() - read, "predictions"), (extra.keys() - known, "silver reading")):
            if ids:
                alone = f"{counted(len(ids), 'id')} in the {where} only, such as {shortened(min(ids))}"
                raise MismatchError(f"silver: expected the same documents, got {alone}")
        pairs = [Pair(row, self._as_label(read[name])) for name, row in known.items()]
        size = len(self._labelled)  # the join has normalized these
        return [*pairs[:size], *(with_normalizers(pair, self._reading) for pair in pairs[size:])]

    def _as_label(self, row: Row) -> Row:
        """A row in place of a label: where labels are objects, what could not be read is one without values."""
        return row._replace(document={}) if self._are_objects and not isinstance(row.document, Mapping) else row


def section(found: Mapping[str, Powered]) -> Section:
    """The prediction-powered scores, and in words what labels are worth with the silver reading."""
    rows, said = [], list[Text]()
    for name, each in found.items():
        score = f"{name} {each.score}" if len(found) > 1 else each.score
        plain, powered = _cells(each.plain, each.plain_interval), _cells(each.value, each.interval)
        rows.append([score, *plain, *powered, str(each.labelled), str(round(each.worth))])
        said.append(Text(f"{score}: {in_words(each)}"))
    random = "This holds if the documents with labels were drawn at random among all."
    return Section([Table("few labels", COLUMNS, rows), *said, Text(random, HINT)], "few labels", captions=False)


def in_words(found: Powered) -> str:
    """What labels are worth.

    >>> in_words(Powered("f1", 0.9, [0.8, 0.95], True, 0.88, [0.7, 0.95], [0.8, 0.9], 30, 400, 71.3, None, [0.9, 0.9]))
    '30 labels are worth 71, with the silver reading of 400 documents without labels.'
    """
    labels = f"{counted(found.labelled, 'label')} {'is' if found.labelled == 1 else 'are'} worth {found.worth:.0f}"
    others = f"the silver reading of {counted(found.unlabelled, 'document')} without labels"
    if found.is_powered:
        return f"{labels}, with {others}."
    return f"{labels}; {others} brings nothing, so the plain score stands."


def _cells(value: float, interval: list[float] | None) -> list[str]:
    return [number(value), "–" if interval is None else " – ".join(map(number, interval))]
