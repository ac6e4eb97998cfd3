"""Scores of rows that can be added up, for harnesses and reward functions that look at one row at a time.

The mean of the scores of rows is not the score of the corpus. The sum of their counts gives it: `count` a row, carry
the counts to where the harness sees all rows, and compute the `corpus_scores` of all of them there.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import starmap
from math import isnan
from typing import Any, NamedTuple

from docie import corpus
from docie.core import family
from docie.core.counts import Counts
from docie.core.errors import DocumentError, shortened, warn
from docie.core.reading import Reading
from docie.core.scores import headline_of, score_of
from docie.core.settings import signature
from docie.core.values.json_text import parsed
from docie.core.values.plain import JsonObject
from docie.corpus.stack import Stack
from docie.corpus.survey import Survey
from docie.documents.leaves import has_values
from docie.documents.pairs.joining import paired_rows
from docie.documents.rows import OpenedPair, is_plain

from . import answers

__all__ = ["Counted", "RowMetric", "corpus_results", "corpus_scores"]

Row = Counts | JsonObject | str
"""The counts of a row: as such, as their JSON, or as JSON text."""


class Counted(NamedTuple):
    """A row that was counted.

    Attributes:
        counts: its counts. `counts.to_json()` are plain JSON values.
        issues: a line for each thing that was repaired or dropped in the prediction.
    """

    counts: Counts
    issues: list[str]


class RowMetric:
    """A family of metrics with its options, for rows that are counted one by one.

    Args:
        metric (str): the name of a family, such as "kieval".
        parse (str): how predictions are read, as by `docie score --parse`: "auto", "no", "llm", "donut", or the name of
            a service.
        **options: the options of the family, such as `normalize` or `match`.

    Attributes:
        family (module): the family.
        settings (Settings): its options.
        signature (str): how rows are counted, as results have it. The counts of every row have it, too.

    Raises:
        ValueError: if the family or an option is unknown, if nothing is read as `parse` says, or if `reading` has an
            option for which a row alone is not enough.

    >>> metric = RowMetric("kieval", normalize="casefold")
    >>> rows = [metric.count('{"total": "7.50"}', {"total": "7.50"}), metric.count("{}", {"total": "1", "tax": "2"})]
    >>> [metric.scores([row.counts])["entity_f1"] for row in rows]
    [1.0, 0.0]
    >>> metric.scores(row.counts for row in rows)["entity_f1"]
    0.5
    """

    def __init__(self, metric: str = "kieval", *, parse: str = "auto", **options: object) -> None:
        answers.check(parse)
        self.family = family.get(metric)
        self.settings = family.settings_of(self.family, options)
        if self.settings.reading is not None:
            _check_reading(self.settings.reading)
        self.signature = signature(self.family.NAME, self.settings)
        self.parse = parse
        self._accepts_text = "value" in self.family.INPUTS

    def __getstate__(self) -> dict[str, Any]:  # modules cannot be pickled, their names can
        return {**vars(self), "family": self.family.NAME}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state, family=family.get(state["family"]))

    def count(self, prediction: object, reference: object, *, needs_values: bool = False) -> Counted:
        """Count one row.

        Args:
            prediction: a document, the text of a language model, a Donut sequence, or the answer of a service. What
                cannot be read counts as an invalid prediction.
            reference: a document, its JSON text, or the object with `gt_parse` that data sets for Donut have.
            needs_values (bool): whether a prediction without any value, or a text in place of a document, counts as an
                invalid prediction too, where the reference has values.

        Raises:
            DocumentError: if the reference is none, or if a prediction that is no text has a malformed part.
        """
        try:
            return self._count(prediction, reference, needs_values)
        except DocumentError as error:
            if not isinstance(prediction, str):
                raise
            counts = self._count(None, reference, needs_values).counts
            return Counted(counts, [str(error)])  # a model may write anything

    def _count(self, prediction: object, reference: object, needs_values: bool = False) -> Counted:
        prediction, issues = self._read(prediction)
        pairs = self._pairs(prediction, reference)
        is_empty = needs_values and not any(starmap(_is_answered, pairs))
        if is_empty:
            pairs = [(None, expected) for _, expected in pairs]
            issues = issues if issues and not isinstance(prediction, Mapping) else [*issues, "no values"]
        counted = [self.family.count(*pair, self.settings) for pair in pairs]
        counts = counted[0] if len(counted) == 1 else Counts.sum_of(counted)
        counts.signature = self.signature
        if is_empty:
            counts.invalid_predictions = counts.documents  # also of a family that accepts any text
        return Counted(counts, issues)

    def _pairs(self, prediction: object, reference: object) -> list[tuple[object, object]]:
        """The documents of a row."""
        documents = parsed(prediction), parsed(reference)
        is_simple = self.settings.reading is None and is_plain(documents[1])
        if is_simple and (documents[0] is None or is_plain(documents[0])):  # most rows; the rest takes half as long
            return [documents]
        try:
            return [(one.document, other.document) for one, other in self._paired(prediction, reference)]
        except DocumentError as error:
            error.document = None  # a row does not know its number
            raise

    def _paired(self, prediction: object, reference: object) -> Iterator[OpenedPair]:
        """The documents of a row, read as those in the rows of files."""
        reading, content = self.settings.reading, parsed(reference)
        if isinstance(content, dict) and "gt_parse" in content:
            reference = {"ground_truth": content}
        elif not isinstance(content, str) and not (reading and reading.unwrap):
            reference = {"reference": reference}  # also of JSON text, whose only keys may be those of a wrapper
        if prediction is None:
            for key in reversed(reading.unwrap_of("prediction") if reading else []):
                prediction = {key: prediction}
        if not (reading and reading.unwrap):
            prediction = {"prediction": prediction}
        yield from paired_rows(
            [prediction], [reference], accepts_text=self._accepts_text, reading=reading, tell=lambda note: None
        )

    def _read(self, prediction: object) -> tuple[object, list[str]]:
        """The document in place of an answer, and its issues. What `parse` finds no document in stays a text."""
        if prediction is None or (isinstance(prediction, float) and isnan(prediction)):  # NaN: no answer, in frames
            return None, []
        value, reads_texts = parsed(prediction) if self.parse == "auto" else prediction, not self._accepts_text
        answer = answers.read(value, self.parse, "prediction", reads_texts=reads_texts)
        if answer is None:
            return prediction, []
        is_kept = answer.document is None and self.parse == "auto" and isinstance(prediction, str)
        return (prediction if is_kept else answer.document), answer.issues

    def scores(self, rows: Iterable[Row]) -> dict[str, float]:
        """The scores of one row or of several together, with the numbers of `documents` and `invalid_predictions`.

        Nothing warns of an odd score here: this is for rewards and the scores of single rows.

        Raises:
            ValueError: as `corpus_results`.
        """
        counts = [*map(_counts_of, rows)]
        _signature_of([self.signature, *(each.signature for each in counts)])
        total = Counts.sum_of(counts)
        facts = {"documents": total.documents, "invalid_predictions": total.invalid_predictions}
        return {**self.family.score(total), **facts}


def corpus_results(rows: Iterable[Row], **options: Any) -> dict[str, Any]:
    """The results of all rows together, the same as those of `docie score`.

    Args:
        rows: the counts of every row, of one RowMetric or of several with the same options.
        **options: those of `docie.corpus.results`: `breakdown`, `confidence_level`, and so on.

    Returns:
        dict: the same as from `docie.corpus.evaluate`; empty if there are no rows. A warning says if most predictions
        could not be read, or if the score is 0.

    Raises:
        ValueError: for what is not the counts of a row, and for rows that were counted with other options or not by
            a RowMetric.

    >>> metric = RowMetric()
    >>> rows = [metric.count(text, {"total": "7.50"}).counts.to_json() for text in ('{"total": "7.50"}', "?", "{}")]
    >>> corpus_results(rows, breakdown=True)["per_entity"]["total"]["entity_recall"]
    0.3333333333333333
    """
    counts = [*map(_counts_of, rows)]
    if not counts:
        return {}
    total = Counts.sum_of(counts)
    total.signature = _signature_of(each.signature for each in counts)
    of_rows = family.family_of({"signature": total.signature})
    survey = Survey(of_rows.INPUTS, {}).to_json()  # warns of predictions that could not be read
    documents = Stack()
    if options:
        documents.extend(counts)
    results = corpus.results(corpus.Partial(total, documents if options else None, survey=survey), **options)
    headline = headline_of(of_rows)
    is_read = 2 * total.invalid_predictions <= total.documents
    if is_read and results[headline] == 0 and score_of(of_rows, headline).better == "higher":
        warn(f"{headline} is 0 in {total.documents} documents; docie check searches for the reason")
    return results


def corpus_scores(rows: Iterable[Row]) -> dict[str, float]:
    """The scores of all rows together, under the names that training logs: `kieval_entity_f1`.

    Args:
        rows: as in `corpus_results`.

    Returns:
        dict: from the family and the name of each score to its value, with the numbers of documents and of invalid
        predictions. Rows that a harness left out, because their model failed, are not among the documents.

    Raises:
        ValueError: as `corpus_results`.

    >>> metric = RowMetric()
    >>> scores = corpus_scores(metric.count(text, {"total": "7.50"}).counts for text in ('{"total": "7.50"}', "{}"))
    >>> scores["kieval_entity_recall"], scores["kieval_documents"]
    (0.5, 2)
    """
    return dict(_flat(corpus_results(rows)))


def picked(scores: Mapping[str, float], names: Iterable[str], *, family: str) -> dict[str, float]:
    """The scores with these names. Raises ValueError if one is missing, as those are that need an option.

    >>> picked({"entity_f1": 0.5, "documents": 2}, ["entity_f1"], family="kieval")
    {'entity_f1': 0.5}
    """
    names = [*names]
    if missing := [name for name in names if name not in scores]:
        known = f"expected some of: {', '.join(scores)}"
        raise ValueError(f"{family} has no score {missing[0]!r} with these options, {known}")
    return {name: scores[name] for name in names}


def _is_answered(predicted: object, expected: object) -> bool:
    """Whether a prediction has what its reference asks for: nothing, a text, or a document with values.

    >>> _is_answered({"total": None}, {"total": "7.50"}), _is_answered("7.50", {"total": "7.50"})
    (False, False)
    """
    is_text_for_document = isinstance(predicted, str) and isinstance(expected, Mapping | list)
    return not has_values(expected) or (has_values(predicted) and not is_text_for_document)


def _check_reading(reading: Reading) -> None:
    """Raise ValueError for options that need what a row alone does not have."""
    if reading.parse:
        raise ValueError("reading: parse is for files; pass RowMetric(..., parse=...)")
    needs_more = ["lines", "common_ids", "pages"] + ["id_key", "normalize_by"] * (not reading.unwrap)
    for name in needs_more:
        if getattr(reading, name):
            raise ValueError(f"reading: {name} needs ids or meta, which a row that is counted alone does not have")


def _signature_of(signatures: Iterable[str]) -> str:
    """The only signature of rows. Raises ValueError for several, and for rows without one."""
    made = dict.fromkeys(signatures)
    if "" in made:
        raise ValueError("expected rows that a RowMetric counted, got counts without a signature")
    if len(made) > 1:
        raise ValueError(f"rows were counted in different ways: {' and '.join(map(repr, made))}")
    return next(iter(made))


def _flat(results: dict[str, Any]) -> Iterator[tuple[str, float]]:
    name = str(results.get("signature", "")).partition("|")[0]
    for key, value in results.items():
        if isinstance(value, int | float):
            yield f"{name}_{key}", value


def _counts_of(row: object) -> Counts:
    row = parsed(row)
    if isinstance(row, Counts):
        return row
    if not isinstance(row, dict):
        raise ValueError(f"expected the counts of a row, got {shortened(row)}")
    return Counts.from_json(row)
