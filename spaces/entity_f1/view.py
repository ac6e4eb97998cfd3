"""Entity F1, seen: of documents the values of each type, of tagged words the spans."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import chain
from typing import Any, NamedTuple

from docie.counts import Outcomes
from docie.documents import OneOf, Token, compare_tokens, counterparts, parse_document, tokens_of
from docie.tagging import OUTSIDE, Span, TaggedWords, find_spans, is_tagged_words, parse_tagged_words

from ..common.computing import Part, Request
from ..views import (
    Block,
    Row,
    compared_parts,
    counted,
    document_figures,
    figure,
    joined,
    limited_list,
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
        counts, noun = _sum(_outcomes(request).values()), "value"
    f1 = figure(figures["f1"])
    if not counts.false_positives and not counts.false_negatives:
        return f"All {counted(counts.true_positives, noun)} were found, and nothing else: F1 is {f1}."
    wrong = counts.false_positives
    predicted_number = counts.true_positives + wrong
    return (
        f"{counts.true_positives:,} of the reference's {counted(counts.support, noun)} were found (recall "
        f"{percent(counts.true_positives, counts.support)}), and {wrong:,} of the {predicted_number:,} predicted "
        f"{verb(wrong)} wrong (precision {percent(counts.true_positives, predicted_number)}): F1 is {f1}."
    )


_LEAD = "Values of one type are compared whatever their order and their group."


# of documents


class _Compared(NamedTuple):
    """Values of one type: right ones as (prediction, reference), wrong and missed ones."""

    right: list[tuple[str, str]]
    wrong: list[str]
    missed: list[str]

    @property
    def outcomes(self) -> Outcomes:
        return Outcomes(len(self.right), len(self.wrong), len(self.missed))


def _outcomes(request: Request) -> dict[str, Outcomes]:
    return {entity_type: compared.outcomes for entity_type, compared in _compare(request).items()}


def _compare(request: Request) -> dict[str, _Compared]:
    """The values of each type, compared as the family does it."""
    settings = request.settings
    predicted = parse_document(request.prediction, "prediction", normalize=settings.normalizer)
    expected = parse_document(request.reference, "reference", normalize=settings.normalizer)
    tokens, expected_tokens = (tokens_of([*chain.from_iterable(each.parts())]) for each in (predicted, expected))
    with_one_of = expected.has_one_of
    right, wrong, missed = compare_tokens(tokens, expected_tokens, with_one_of=with_one_of, rules=settings.rules)
    partners = counterparts(right, expected_tokens.keys() - missed, rules=settings.rules)
    compared: defaultdict[str, _Compared] = defaultdict(lambda: _Compared([], [], []))
    for entity_type in dict.fromkeys(token[0] for token in (*expected_tokens, *tokens)):
        compared[entity_type]  # in the order of the reference
    for token in tokens:
        if token in right:
            compared[token[0]].right.append((token[1], _text(partners[token])))
        elif token in wrong:
            compared[token[0]].wrong.append(token[1])
    for token in expected_tokens:
        if token in missed:
            compared[token[0]].missed.append(_text(token))
    return compared


def _text(token: Token) -> str:
    """A value as text: of alternatives, all of them."""
    value = token[1]
    return " | ".join(value.alternatives) if isinstance(value, OneOf) else str(value)


def _blocks(request: Request) -> list[Block]:
    blocks = []
    for entity_type, compared in _compare(request).items():
        rows = [
            Row(
                "found",
                "right",
                *_whole(prediction, reference),
                label="" if prediction == reference else "counts as equal",
            )
            for prediction, reference in compared.right
        ]
        rows += [Row("", "missed", *compared_parts(None, text)) for text in compared.missed]
        rows += [Row("", "invented", *compared_parts(text, None), label="wrong") for text in compared.wrong]
        blocks.append(Block(entity_type, _numbers(compared.outcomes), rows))
    return blocks


def _whole(prediction: str, reference: str) -> tuple[Any, Any]:
    """Both texts without marks: they are right."""
    return compared_parts(None, reference)[0], compared_parts(prediction, None)[1]


def _numbers(counts: Outcomes) -> str:
    names = ((counts.true_positives, "right"), (counts.false_positives, "wrong"), (counts.false_negatives, "missed"))
    return f"{joined(f'{number:,} {name}' for number, name in names if number)} · F1 {figure(counts.scores.f1)}"


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
            blocks.append(Block(entity_type, _numbers(Outcomes(*numbers)), rows))
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
