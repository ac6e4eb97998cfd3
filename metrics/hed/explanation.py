"""HED and UHED, explained: the characters that reference and prediction share in each field."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from docie.core.counts import Counts, Outcomes
from docie.core.explanation import Explanation, Fields, Group, Pair, explained, no_document, pairs_of, verdict_of
from docie.core.matching.similarity import common_length
from docie.core.phrases import counted
from docie.core.scores import Headline
from docie.documents.line_items import (
    ItemPair,
    NamedPair,
    Section,
    aligned_items,
    assigned_items,
    named_pairs,
    sections,
)
from docie.metrics.hed.metric import DEFAULT, SCORES, Settings, count, score

Pairing = Callable[[Section], Iterable[ItemPair]]


def explain(prediction: object, reference: object, settings: Settings = DEFAULT) -> Explanation:
    """The characters of all fields of a document: line items in any order, and in order if that differs.

    Source: as in `count`.

    Args:
        prediction (dict): as in `count`.
        reference (dict): as in `count`.
        settings (Settings): the options.

    Returns:
        Explanation: the pairs of UHED, one for each field. Their credit is the F1 score of their characters.

    Raises:
        DocumentError: as in `count`.

    >>> explanation = explain({"total": "12.50"}, {"total": "12.00"})
    >>> [(pair.verdict, pair.credit, pair.note) for pair in explanation.pairs]
    [('incorrect', 0.8, 'characters: 4 correct · 1 spurious · 1 missing')]
    """
    figures = score(count(prediction, reference, settings))
    found = [*sections(prediction, reference, settings.normalizer)]
    counts_all = settings.unmatched == "count"
    (any_order, total), (in_order, total_in_order) = (
        _groups(found, assigned_items, counts_all=counts_all),
        _groups(found, aligned_items, counts_all=True),
    )
    lead = f"All {_numbers(total)}."
    if [group._replace(pairs=[]) for group in any_order] == [group._replace(pairs=[]) for group in in_order]:
        lead += " The order of line items makes no difference."
        drawings = [Fields("Characters", any_order, lead, marks_scattered=True)]
    else:
        ordered = f"All {_numbers(total_in_order)}."
        drawings = [
            Fields("Characters, line items in any order (UHED)", any_order, lead, marks_scattered=True),
            Fields("Characters, line items in their order (HED)", in_order, ordered, marks_scattered=True),
        ]
    problem = no_document(prediction)
    return explained(pairs_of(any_order), drawings, SCORES, figures, "uhed_f1", "hed_f1", noun="field", problem=problem)


def _groups(found: Sequence[Section], pairing: Pairing, *, counts_all: bool) -> tuple[list[Group], Outcomes]:
    """All items, paired, and the characters of those that count. UHED may ignore items without a counterpart."""
    groups, total = [], Outcomes()
    for section in found:
        for named in named_pairs(section, pairing(section)):
            # an item without any counterpart may be ignored
            has_both = named.is_complete and bool(named.prediction and named.reference)
            group, counts = _group(named, f"{section.group_type}.")
            if counts_all or section.group_type is None or has_both:
                _add(total, counts)
            else:
                group = group._replace(numbers="not counted")
            groups.append(group)
    return groups, total


def _group(named: NamedPair, prefix: str) -> tuple[Group, Outcomes]:
    pairs, total = [], Outcomes()
    for entity_type in {**named.reference, **named.prediction}:
        predicted, expected = named.prediction.get(entity_type), named.reference.get(entity_type)
        shared = common_length(predicted or "", expected or "")
        counts = Outcomes(shared, len(predicted or "") - shared, len(expected or "") - shared)
        _add(total, counts)
        is_correct = not counts.false_positives and not counts.false_negatives
        verdict = verdict_of(predicted, expected, is_correct=is_correct)
        name = entity_type.removeprefix(prefix)
        pairs.append(Pair(named.name, name, predicted, expected, verdict, counts.scores.f1, _numbers(counts)))
    return Group(named.name, pairs, _numbers(total), named.note), total


def _add(total: Outcomes, counts: Outcomes) -> None:
    total.true_positives += counts.true_positives
    total.false_positives += counts.false_positives
    total.false_negatives += counts.false_negatives


def _numbers(counts: Outcomes) -> str:
    names = zip(counts.numbers(), ("correct", "spurious", "missing"), strict=True)
    found = " · ".join(f"{number:,} {name}" for number, name in names if number)
    return f"characters: {found or 'none'}"


def headlines(counts: Counts, figures: Mapping[str, Any]) -> Iterator[Headline]:
    """The share of characters that are correct, in any order of line items and in theirs.

    Args:
        counts (Counts): the counts of a document or of a corpus.
        figures (dict): their scores.

    Returns:
        iterator of Headline: the scores, each with its sentence.

    >>> from docie.metrics.hed import count, score
    >>> counts = count({"total": "9"}, {"total": "9"})
    >>> [each.sentence for each in headlines(counts, score(counts))][0]
    'F1 of characters, mean of 1 document, line items in any order'
    """
    mean = f"F1 of characters, mean of {counted(counts.documents, 'document')}, line items in"
    yield Headline("uhed_f1", f"{mean} any order")
    yield Headline("hed_f1", f"{mean} their order")
