"""Entity F1, seen: of documents the values of each type, of tagged words the spans."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from docie.core.counts import Outcomes
from docie.documents.tagging import Span, find_spans
from docie.documents.tagging.schemes import OUTSIDE
from docie.documents.tagging.words import TaggedWords, is_tagged_words, parse_tagged_words

from ..common.computing import Part, Request
from ..views import (
    Block,
    ComparedValues,
    Row,
    compared_parts,
    compared_values,
    counted,
    document_figures,
    figure,
    limited_list,
    outcomes_in_words,
    percent,
    render,
    render_fields,
    verb,
)

MOST_WORDS = 1_000


def parts(request: Request, results: dict[str, Any]) -> list[Part]:
    """The values by type, or the words with their spans."""
    if not _is_tagged(request.reference):
        return [Part("Values by type", render_fields(_blocks(request), lead=_LEAD, noun="value"))]
    expected, predicted = _tags(request)
    spans = _Spans(expected, predicted, request.settings)
    words, omitted = limited_list(_words(expected, predicted, spans), MOST_WORDS, "word")
    html = render("entity_f1/templates/tags.html.j2", words=words, omitted=omitted, spans=spans)
    table = render_fields(
        spans.blocks(expected), lead="A span is right if its type, first and last word are.", noun="span"
    )
    return [Part("Words and their spans", html), Part("Spans by type", table)]


def sentence(request: Request, results: dict[str, Any]) -> str:
    """What F1 means for the document that is shown."""
    figures = document_figures(request, results)
    if _is_tagged(request.reference):
        expected, predicted = _tags(request)
        counts, noun = _Spans(expected, predicted, request.settings).counts, "span"
    else:
        counts, noun = _sum(each.outcomes for each in _values(request).values()), "value"
    f1 = f"micro F1 is {figure(figures['f1'])}"
    if not counts.false_positives and not counts.false_negatives:
        if not counts.support:
            return f"Neither side has a {noun}, so there is nothing to compare: {f1}."
        every = f"All {counted(counts.support, noun)} were" if counts.support > 1 else f"The only {noun} was"
        return f"{every} found, and nothing else: {f1}."
    found, wrong = counts.true_positives, counts.false_positives
    predicted_number = found + wrong
    was = verb(found if counts.support > 1 else 1, "was", "were")
    return (
        f"{found:,} of the reference's {counted(counts.support, noun)} {was} found (recall "
        f"{percent(found, counts.support)}), and {wrong:,} of the {predicted_number:,} predicted "
        f"{verb(wrong)} wrong (precision {percent(found, predicted_number)}): {f1}."
    )


_LEAD = "Values of one type are compared whatever their order and their group."


# of documents


def _blocks(request: Request) -> list[Block]:
    return [
        Block(entity_type, outcomes_in_words(values.outcomes), values.rows("found"))
        for entity_type, values in _values(request).items()
    ]


def _values(request: Request) -> dict[str, ComparedValues]:
    return compared_values(request.prediction, request.reference, request.settings)


def _sum(rows: Iterable[Outcomes]) -> Outcomes:
    total = Outcomes()
    for row in rows:
        total.true_positives += row.true_positives
        total.false_positives += row.false_positives
        total.false_negatives += row.false_negatives
    return total


# of tagged words


def _is_tagged(reference: Any) -> bool:
    return isinstance(reference, list) or is_tagged_words(reference)


def _tags(request: Request) -> tuple[TaggedWords, list[str]]:
    """The tagged words of the reference, and the predicted tags: O for all if the prediction has none."""
    expected, predicted = (
        TaggedWords([], side) if isinstance(side, list) else parse_tagged_words(side)
        for side in (request.reference, request.prediction)
    )
    assert expected is not None
    return expected, [OUTSIDE] * len(expected.tags) if predicted is None else predicted.tags


class _Spans:
    """The spans of both sides: right, wrong and missed."""

    def __init__(self, expected: TaggedWords, predicted: Sequence[str], settings: Any) -> None:
        self.expected, self.predicted = (
            find_spans(tags, settings.scheme, strict=settings.strict, sentences=expected.sentences)
            for tags in (expected.tags, predicted)
        )
        self.right = {*self.expected} & {*self.predicted}

    @property
    def counts(self) -> Outcomes:
        """Their numbers."""
        right = len(self.right)
        return Outcomes(right, len(self.predicted) - right, len(self.expected) - right)

    def blocks(self, words: TaggedWords) -> list[Block]:
        """The spans by type."""
        blocks = []
        for entity_type in dict.fromkeys(span.type for span in (*self.expected, *self.predicted)):
            spans = sorted({span for span in (*self.expected, *self.predicted) if span.type == entity_type}, key=_place)
            rows = [self._row(span, words) for span in spans]
            numbers = [sum(row.outcome == name for row in rows) for name in ("right", "invented", "missed")]
            blocks.append(Block(entity_type, outcomes_in_words(Outcomes(*numbers)), rows))
        return blocks

    def _row(self, span: Span, words: TaggedWords) -> Row:
        text = " ".join(map(str, words.words[span.first : span.last + 1])) if words.words else ""
        first, last = span.first + 1, span.last + 1
        place = f"word {first}" if first == last else f"words {first} to {last}"
        text = text or place
        if span in self.right:
            return Row(place, "right", *compared_parts(text, text))
        if span in self.expected:
            return Row(place, "missed", *compared_parts(None, text))
        return Row(place, "invented", *compared_parts(text, None), label="wrong")


def _place(span: Span) -> tuple[int, int]:
    return span.first, span.last


class _Word(NamedTuple):
    """A word with both tags; `marks` says for each side whether the span that holds it is right: None for no span."""

    text: str
    expected: str
    predicted: str
    outcomes: tuple[str, str]


def _words(expected: TaggedWords, predicted: Sequence[str], spans: _Spans) -> list[_Word]:
    sides = []
    for found, wrong in ((spans.expected, "addition"), (spans.predicted, "deletion")):
        tones = [""] * len(expected.tags)
        for span in found:
            for place in range(span.first, span.last + 1):
                tones[place] = "right" if span in spans.right else wrong
        sides.append(tones)
    words = expected.words or [f"{number}" for number in range(1, len(expected.tags) + 1)]
    rows = zip(words, expected.tags, predicted, *sides, strict=True)
    return [_Word(str(word), tag, other, (one, two)) for word, tag, other, one, two in rows]
