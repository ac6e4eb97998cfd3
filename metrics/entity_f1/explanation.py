"""Entity F1, explained: the values of each type in documents, the spans in tagged words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from docie.core.counts import Counts, Outcomes, precision_recall_f1
from docie.core.explanation import (
    Explanation,
    Fields,
    Group,
    Pair,
    Tags,
    Verdict,
    explained,
    no_document,
    pairs_of,
    pieces_of,
    tally,
    verdict_of,
)
from docie.core.phrases import amount, correct_of, counted, figure
from docie.core.scores import Headline
from docie.documents.tagging import find_spans
from docie.documents.tagging.schemes import OUTSIDE
from docie.documents.tagging.spans import Span
from docie.documents.tagging.tagged_words import TaggedWords
from docie.documents.value_pairs import shown_pair, value_pairs
from docie.documents.values import values_of
from docie.metrics.entity_f1 import metric
from docie.metrics.entity_f1.metric import DEFAULT, SCORES, Settings, count, score, tags_of

_TOLD = ("f1", "precision", "recall")
_ALONE: tuple[Verdict, ...] = ("missing", "spurious")


def explain(prediction: object, reference: object, settings: Settings = DEFAULT) -> Explanation:
    """The values of each entity type of a document, or the spans of tagged words.

    Source: as in `count`.

    Args:
        prediction (dict or list): as in `count`.
        reference (dict or list): as in `count`.
        settings (Settings): the options.

    Returns:
        Explanation: a pair for each correct, missing and spurious value or span. Correct ones have the credit 1.

    Raises:
        DocumentError: as in `count`.

    >>> explanation = explain({"nm": ["Latte", "Tea"]}, {"nm": ["Latte", "Mocha"]})
    >>> [(pair.verdict, pair.expected or pair.predicted) for pair in explanation.pairs]
    [('correct', 'Latte'), ('missing', 'Mocha'), ('spurious', 'Tea')]
    """
    figures = score(count(prediction, reference, settings))
    expected = tags_of(reference, "reference")
    if expected is not None:
        return _of_tags(tags_of(prediction, "prediction"), expected, settings, figures)
    found = values_of(prediction, "prediction", normalize=settings.normalizer)
    document = values_of(reference, "reference", normalize=settings.normalizer)
    groups = []
    for entity_type, values in value_pairs(found, document, settings.rules).items():
        pairs = [shown_pair(entity_type, "found" if None not in value else "", value) for value in values]
        groups.append(Group(entity_type, pairs, _f1(pairs)))
    lead = "Values of one type are compared regardless of order and group."
    fields, problem = Fields("Values by type", groups, lead, noun="value"), no_document(prediction)
    return explained(pairs_of(groups), [fields], SCORES, figures, *_TOLD, problem=problem)


def _f1(pairs: Sequence[Pair]) -> str:
    found = tally(pairs)
    return f"F1 {figure(precision_recall_f1(found.correct, found.spurious, found.missing).f1)}"


def _of_tags(
    predicted: TaggedWords | None, expected: TaggedWords, settings: Settings, figures: Mapping[str, float]
) -> Explanation:
    """The explanation of tagged words. The words are the reference's; without them, numbers stand for words."""
    words = [*map(str, expected.words or range(1, len(expected.tags) + 1))]
    tags = [OUTSIDE] * len(words) if predicted is None else predicted.tags
    sides = [
        find_spans(side, settings.scheme, strict=settings.strict, sentences=expected.sentences)
        for side in (expected.tags, tags)
    ]
    expected_spans, predicted_spans = ({*side} for side in sides)
    groups = []
    for entity_type in dict.fromkeys(span.type for side in sides for span in side):
        spans = sorted(span for span in expected_spans | predicted_spans if span.type == entity_type)
        pairs = [_span_pair(span, words, span in expected_spans, span in predicted_spans) for span in spans]
        groups.append(Group(entity_type, pairs, _f1(pairs)))
    text = []
    correct = expected_spans & predicted_spans
    for title, spans, alone in zip(("Reference", "Prediction"), sides, _ALONE, strict=True):
        verdicts: list[Verdict] = ["correct" if span in correct else alone for span in spans]
        text.append((title, pieces_of(words, spans, verdicts)))
    table = Fields("Spans by type", groups, "A span is correct if its type, first and last word are.", noun="span")
    return explained(
        pairs_of(groups), [Tags("Words and their spans", text), table], SCORES, figures, *_TOLD, noun="span"
    )


def _span_pair(span: Span, words: Sequence[str], is_expected: bool, is_predicted: bool) -> Pair:
    first, last = span.first + 1, span.last + 1
    place = f"word {first}" if first == last else f"words {first} to {last}"
    text = " ".join(words[span.first : last])
    texts = text if is_predicted else None, text if is_expected else None
    return Pair(span.type, place, *texts, verdict_of(*texts, is_correct=True), float(is_predicted and is_expected))


def headlines(counts: Counts, figures: Mapping[str, Any]) -> Iterator[Headline]:
    """The quality of values or of spans; and that of entity types or of tags.

    Args:
        counts (Counts): the counts of a document or of a corpus.
        figures (dict): their scores.

    Returns:
        iterator of Headline: the scores, each with its sentence.

    >>> from docie.metrics.entity_f1 import count, score
    >>> counts = count(["B-date", "O"], ["B-date", "B-total"])
    >>> [each.sentence for each in headlines(counts, score(counts))]
    ['1 of 2 entities correct, words and type', '1 of 2 words with the tag of the reference']
    """
    correct, incorrect, missing = counts.total("entity", Outcomes).numbers()
    if "accuracy" in figures:
        tags = counts.total("token", metric.Tags)
        yield Headline("f1", correct_of(correct, incorrect, missing, "entity", " correct, words and type"))
        yield Headline(
            "accuracy", f"{amount(tags.correct)} of {counted(tags.words, 'word')} with the tag of the reference"
        )
    else:
        types = counted(len(counts.by("entity", 1, Outcomes)), "entity type")
        yield Headline("f1", correct_of(correct, incorrect, missing, "value"))
        yield Headline("f1_macro", f"mean of the F1 scores of {types}")
