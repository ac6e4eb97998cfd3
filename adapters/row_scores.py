"""Scores of rows that can be added up, for harnesses and reward functions that look at one row at a time.

The mean of the scores of rows is not the score of the corpus. The sum of their counts gives it: `count` a row, carry
the counts to where the harness sees all rows, and compute the `corpus_scores` of all of them there.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from math import isnan
from typing import Any, NamedTuple

from docie import corpus
from docie.core import family
from docie.core.counts import Counts
from docie.core.errors import DocumentError, InputError, shortened, warn
from docie.core.scores import headline_of, score_of
from docie.core.values.json_text import parsed
from docie.core.values.plain import JsonObject
from docie.corpus.matrix import Matrix
from docie.corpus.method import Method
from docie.documents.values import has_values
from docie.inputs.config import Config
from docie.inputs.fit.survey import Survey

from .row_reading import read_pair, reading_of_rows

__all__ = ["RowMetric", "corpus_results", "corpus_scores"]

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
        parse (str): how predictions are read, as by `predictions.parse` of a configuration: "auto", "no", "llm",
            "donut", or the name of a service. It takes precedence over `config`; "auto" if neither says anything.
        config (path, dict or list): how rows are read, and when values are equal, as in `docie.corpus.evaluate`: a
            `docie.toml`, for instance. What it unwraps stands in the prediction, or in the reference, that is given.
        **options: the options of the family, such as `normalize` or `match`.

    Attributes:
        family (module): the family.
        settings (Settings): its options.
        reading (Reading): how rows are read.
        signature (str): how rows are counted, as results have it. The counts of every row have it, too.

    Raises:
        ValueError: if the family or an option is unknown, if nothing is read as `parse` says, or if `config` has an
            option for which a row alone is not enough.

    >>> metric = RowMetric("kieval", normalize="casefold")
    >>> rows = [metric.count('{"total": "7.50"}', {"total": "7.50"}), metric.count("{}", {"total": "1", "tax": "2"})]
    >>> [metric.scores([row.counts])["entity_f1"] for row in rows]
    [1.0, 0.0]
    >>> metric.scores(row.counts for row in rows)["entity_f1"]
    0.5
    """

    def __init__(
        self,
        metric: str = "kieval",
        *,
        parse: str | None = None,
        config: Config = None,
        **options: object,
    ) -> None:
        self.family = family.get(metric)
        reading = reading_of_rows(config, parse=parse)
        method = Method.of(self.family, family.settings_of(self.family, options), reading)
        self.settings, self.reading, self.signature = method.settings, method.reading, method.signature()

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
        except (DocumentError, InputError) as error:
            if not isinstance(prediction, str):
                raise
            counts = self._count(None, reference, needs_values).counts
            return Counted(counts, [str(error)])  # a model may write anything

    def _count(self, prediction: object, reference: object, needs_values: bool = False) -> Counted:
        if isinstance(prediction, float) and isnan(prediction):  # no answer, in frames
            prediction = None
        predicted, expected, issues = read_pair(prediction, reference, self.reading)
        is_empty = needs_values and not _is_answered(predicted, expected)
        if is_empty:
            predicted = None
            issues = issues if issues and not isinstance(prediction, Mapping) else [*issues, "no values"]
        counts = self.count_documents(predicted, expected)
        if is_empty:
            counts.invalid_predictions = counts.documents  # also of a family that accepts any text
        return Counted(counts, issues)

    def count_documents(self, prediction: object, reference: object) -> Counts:
        """Count two documents that were read. Raises DocumentError if one of them has a malformed part."""
        counts = self.family.count(prediction, reference, self.settings)
        counts.signature = self.signature
        return counts

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
    documents = Matrix(counts) if options else None
    results = corpus.results(corpus.Partial(total, documents, survey=survey), **options)
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
