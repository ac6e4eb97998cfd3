"""Partial spans of tagged words, as at MUC-5 and at SemEval-2013, task 9.1: strict, exact, partial and type matches.

Source: Chinchor and Sundheim, "MUC-5 Evaluation Metrics" (1993); Segura-Bedmar et al., "SemEval-2013 Task 9" (2013);
nervaluate 1.2.1, whose pairs of spans these are.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from docie.core.counts import Counts, Key, Number, Row, ratio
from docie.core.errors import DocumentError, json_kind
from docie.core.scores import Score
from docie.core.values.plain import as_list, is_list
from docie.documents.tagging.schemes import OUTSIDE
from docie.documents.tagging.spans import Span, find_spans
from docie.documents.tagging.tagged_words import TaggedWords, parse_tagged_words
from docie.metrics import entity_f1
from docie.protocols.scorer import Scorer

_MATCHES = {
    "partial": "the place, of whatever type; half a point where they only overlap",
    "type": "the type, and overlap",
    "exact": "the place, of whatever type",
    "strict": "the place and the type",
}
_LEAST = 0.01  # the share of an expected span that a predicted one has to overlap


@dataclass(slots=True)
class Spans(Row):
    """Columns of a kind of match: COR, INC, PAR, MIS and SPU."""

    correct: Number = 0
    incorrect: Number = 0
    partial: Number = 0
    missing: Number = 0
    spurious: Number = 0

    @property
    def support(self) -> Number:
        """The number of expected spans."""
        return self.correct + self.incorrect + self.partial + self.missing

    def scores(self, match: str) -> dict[str, Number]:
        """Precision, recall and F1, by their names; 0.0 where the denominator is 0."""
        points, predicted = self.correct + self.partial / 2, self.support - self.missing + self.spurious
        return {
            f"precision_{match}": ratio(points, predicted),
            f"recall_{match}": ratio(points, self.support),
            f"f1_{match}": ratio(2 * points, predicted + self.support),
        }


def count(prediction: object, reference: object, settings: object = None) -> Counts:
    """Count the spans of one document: a list of tags, or tagged words; those of each type also by themselves.

    Raises:
        DocumentError: if the tags cannot be read, or are not as many as in the reference.

    >>> score(count(["B-nm", "O", "O"], ["B-nm", "I-nm", "O"]))["f1_partial"]
    0.5
    """
    expected = _tags(reference, "reference")
    if expected is None:
        raise DocumentError(f"reference must be tagged words or a list of tags, got {json_kind(reference)}")
    predicted = _tags(prediction, "prediction")
    tags = [OUTSIDE] * len(expected.tags) if predicted is None else predicted.tags
    if len(tags) != len(expected.tags):
        problem = f"expected as many tags as in the reference, got {len(tags)} and {len(expected.tags)}"
        raise DocumentError(problem, side="prediction")
    spans, others = (find_spans(each, sentences=expected.sentences) for each in (tags, expected.tags))
    rows: dict[Key, Row] = {("all", match): _outcomes(spans, others, match) for match in _MATCHES}
    for kind in sorted({span.type for span in [*spans, *others]}):
        own, other = ([span for span in each if span.type == kind] for each in (spans, others))
        rows |= {("type", match, kind): _outcomes(own, other, match) for match in _MATCHES}
    return Counts.of_document(rows, valid=predicted is not None)


def _tags(value: object, side: str) -> TaggedWords | None:
    return TaggedWords([], as_list(value)) if is_list(value) else parse_tagged_words(value, side)


def _outcomes(predicted: Sequence[Span], expected: Sequence[Span], match: str) -> Spans:
    """Each predicted span in turn takes a span that fits, the nearest one, or else the first that it overlaps."""
    row, left = Spans(), list(expected)
    for span in predicted:
        overlapping = [other for other in left if _overlap(span, other) >= _LEAST]
        fitting = [other for other in overlapping if _fits(span, other, match)]
        if fitting:
            row.correct += 1
            left.remove(min(fitting, key=lambda other: _distance(span, other)))
        elif overlapping:
            row.partial += match == "partial"
            row.incorrect += match != "partial"
            left.remove(overlapping[0])
        else:
            row.spurious += 1
    row.missing += len(left)
    return row


def _overlap(span: Span, other: Span) -> float:
    return (min(span.last, other.last) - max(span.first, other.first) + 1) / (other.last - other.first + 1)


def _distance(span: Span, other: Span) -> int:
    return abs(span.first - other.first) + abs(span.last - other.last)


def _fits(span: Span, other: Span, match: str) -> bool:
    is_same_type = span.type == other.type or match in ("partial", "exact")
    return is_same_type and (match == "type" or _distance(span, other) == 0)


def score(counts: Counts) -> dict[str, Number]:
    """Precision, recall and F1 of each kind of match, of all documents together, and the number of expected spans."""
    rows = counts.by("all", 1, Spans)
    figures = {name: each for match in _MATCHES for name, each in rows.get(match, Spans()).scores(match).items()}
    return {**figures, "support": rows.get("partial", Spans()).support}


def breakdown(counts: Counts) -> dict[str, dict[str, dict[str, Number]]]:
    """The scores of the spans of each type, beside which those of others do not count."""
    tables: dict[str, dict[str, Number]] = {}
    for key, numbers in counts.rows.items():
        if key[0] == "type":
            row = Spans(*numbers)
            tables.setdefault(str(key[2]), {"support": row.support}).update(row.scores(str(key[1])))
    return {"per_entity": {kind: tables[kind] for kind in sorted(tables)}}


def _meanings() -> Iterable[Score]:
    for match, meaning in _MATCHES.items():
        f1 = f"f1_{match}"
        yield Score(f"precision_{match}", "higher", "share", f"Precision of spans by {meaning}.", part_of=f1)
        yield Score(f"recall_{match}", "higher", "share", f"Recall of spans by {meaning}.", part_of=f1)
        yield Score(f1, "higher", "share", f"F1 score of spans by {meaning}.", headline=match == "partial")
    yield Score("support", "neither", "count", "Number of expected spans.")


SCORER = Scorer(
    NAME="nervaluate",
    SCORES=(*_meanings(),),
    count=count,
    score=score,
    breakdown=breakdown,
    INPUTS=("tags", "tagged words"),
    explained=entity_f1.explain,
)
