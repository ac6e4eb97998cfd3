"""Text match, explained: both texts of every field, and the edits between them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from docie.core.counts import Counts
from docie.core.explanation import Explanation, Fields, Group, Pair, explained, no_document, pairs_of, verdict_of
from docie.core.phrases import amount, counted, figure
from docie.core.scores import Headline
from docie.documents.line_items import NamedPair, assigned_items, named_pairs, sections
from docie.documents.value_pairs import places_in_pair
from docie.documents.values import Leaf, Values, values_of
from docie.metrics.text_match import metric
from docie.metrics.text_match.metric import DEFAULT, SCORES, Settings, count, match_field, score


def explain(prediction: object, reference: object, settings: Settings = DEFAULT) -> Explanation:
    """The texts of all fields of a document, and the edits between them.

    Source: as in `count`; the mean credit of the pairs is `levenshtein_similarity`.

    Args:
        prediction (dict): as in `count`.
        reference (dict): as in `count`.
        settings (Settings): the options.

    Returns:
        Explanation: a pair for each field, whose credit is its Levenshtein similarity.

    Raises:
        DocumentError: as in `count`.

    >>> [pair] = explain({"total": "12.50"}, {"total": "12.00"}).pairs
    >>> pair.group, pair.entity_type, pair.verdict, pair.credit, pair.note
    ('Header', 'total', 'incorrect', 0.8, '1 edit · similarity 0.8000')
    """
    figures = score(count(prediction, reference, settings))
    sides = ((prediction, "prediction"), (reference, "reference"))
    tables = [_fields(values_of(document, side, normalize=settings.normalizer)) for document, side in sides]
    groups = []
    for section in sections(prediction, reference, settings.normalizer):
        for named in named_pairs(section, assigned_items(section)):
            items = [
                table.get((section.group_type, each), {}) for table, each in zip(tables, named.numbers, strict=True)
            ]
            if (group := _group(named, f"{section.group_type}.", items, settings)).pairs:
                groups.append(group)
    told = ("exact_match", "levenshtein_similarity")
    fields, problem = Fields("Texts, field by field", groups), no_document(prediction)
    return explained(pairs_of(groups), [fields], SCORES, figures, *told, noun="field", problem=problem)


def _fields(values: Values) -> dict[tuple[str | None, int | None], dict[str, Leaf]]:
    """The values of each item that are a whole field, by the type and the number of its group."""
    groups: dict[str | None, list[list[Leaf]]] = {None: [values.ungrouped]}
    groups |= {name: [*filter(None, each)] for name, each in values.groups.items()}
    found: dict[tuple[str | None, int | None], dict[str, Leaf]] = {}
    for name, each in groups.items():
        for number, group in enumerate(each):
            times = Counter(leaf.type for leaf in group)
            found[name, number] = {leaf.type: leaf for leaf in group if times[leaf.type] == 1}
    return found


def _group(named: NamedPair, prefix: str, items: Sequence[Mapping[str, Leaf]], settings: Settings) -> Group:
    pairs = []
    for entity_type in {**named.reference, **named.prediction}:
        predicted, expected = named.prediction.get(entity_type), named.reference.get(entity_type)
        row = match_field(predicted, expected, settings.rules.of(entity_type) if settings.rules else None)
        distance, similarity = row.levenshtein_distance, row.levenshtein_similarity
        note = f"{counted(distance, 'edit')} · similarity {figure(similarity)}" if distance else ""
        verdict = verdict_of(predicted, expected, is_correct=bool(row.exact_match))
        name = entity_type.removeprefix(prefix)
        places = places_in_pair(*(item.get(entity_type) for item in items))
        pairs.append(Pair(named.name, name, predicted, expected, verdict, similarity, note, **places))
    return Group(named.name, pairs, note=named.note)


def headlines(counts: Counts, figures: Mapping[str, Any]) -> Iterator[Headline]:
    """How many fields are identical, and how similar all are.

    Args:
        counts (Counts): the counts of a document or of a corpus.
        figures (dict): their scores.

    Returns:
        iterator of Headline: the scores, each with its sentence.

    >>> from docie.metrics.text_match import count, score
    >>> counts = count({"total": "9"}, {"total": "9", "tax": "1"})
    >>> [each.sentence for each in headlines(counts, score(counts))]
    ['1 of 2 fields identical, 0 spurious, 1 missing or different', 'mean similarity of 2 fields']
    """
    row = counts.total("field", metric.Fields)
    fields = counted(row.fields, "field")
    spurious, others = row.fields - row.references, row.references - row.exact_match
    wrong = f"{amount(spurious)} spurious, {amount(others)} missing or different"
    yield Headline("exact_match", f"{amount(row.exact_match)} of {fields} identical, {wrong}")
    yield Headline("levenshtein_similarity", f"mean similarity of {fields}")
