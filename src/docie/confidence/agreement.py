"""Agreement with another system as confidence, for systems that return none."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from rapidfuzz.distance import Levenshtein

from docie.core.counts import Counts
from docie.core.errors import DocumentError
from docie.documents.document import Document
from docie.inputs.row import Pair
from docie.metrics.kieval.automation import pair_substitutions
from docie.metrics.kieval.metric import DEFAULT, compare, parsed, rows_of
from docie.metrics.kieval.options import Settings
from docie.metrics.kieval.pairs import judged


class Agreeing(dict[str, Any]):
    """A prediction, and that of another system for the same document."""

    other: object = None


def agreeing(pairs: Iterable[Pair], others: Iterable[Pair]) -> Iterator[Pair]:
    """The pairs, each with the prediction that another system has for its document.

    Raises:
        DocumentError: if the other prediction is one for another document.
    """
    for number, (pair, other) in enumerate(zip(pairs, others, strict=True)):
        if pair.id != other.id:
            problem = f"expected another prediction of the same document, got the ids {pair.id!r} and {other.id!r}"
            raise DocumentError(problem, document=number)
        prediction = pair.prediction.document
        if isinstance(prediction, Mapping):  # others have no values
            prediction = Agreeing(prediction)
            prediction.other = other.prediction.document
        yield pair._replace(prediction=pair.prediction._replace(document=prediction))


def count_agreeing(prediction: object, reference: object, settings: Settings = DEFAULT) -> Counts:
    """Count and judge one document as `count_judged` does, with agreement in place of confidences.

    >>> prediction = Agreeing({"total": "9.00", "shop": "Kedai", "date": "1 May"})
    >>> prediction.other = {"total": "9.00", "shop": "Kedaí"}
    >>> [judged] = count_agreeing(prediction, {"total": "9.00"}).listed
    >>> sorted(zip(judged.entity_types, judged.confidences))
    [('date', 0.0), ('shop', 0.8), ('total', 1.0)]
    """
    predicted, expected = parsed(prediction, reference, settings)
    most = math.inf
    if isinstance(prediction, Agreeing):
        other = parsed(prediction.other, {}, settings)[0]
        predicted, lacks = with_agreement(predicted, other, settings)
        most = 0.0 if lacks else math.inf
    comparisons = [*compare(predicted, expected, settings)]
    rows = rows_of(comparisons, expected, settings, (prediction, reference))
    counts = Counts.of_document(rows, valid=isinstance(prediction, Mapping))
    counts.listed.append(judged(comparisons)._replace(most=most))
    return counts


def with_agreement(document: Document, other: Document, settings: Settings) -> tuple[Document, bool]:
    """A document whose confidences say how far another one agrees: 1 for a value that KIEval's matching of both finds
    equal, the similarity of the texts for one that stands in place of another, and 0 for one that the other lacks; and
    whether it lacks a value that the other has.

    Args:
        document (Document): whose values are asked about.
        other (Document): what another system says.
        settings (Settings): when values are equal, and how groups are matched.
    """
    found = Document(groups={name: [[] for _ in groups] for name, groups in document.groups.items()})
    found.has_confidences, lacks = True, False
    for each in compare(document, other, settings):
        if each.predicted is None or each.places[0] is None:
            lacks = lacks or bool(each.missing)
            continue
        agreement = dict.fromkeys(each.predicted, 0.0) | dict.fromkeys(each.correct, 1.0)
        substitutions = pair_substitutions(each.predicted, each.incorrect, each.missing)
        lacks = lacks or len(each.missing) > len(substitutions)
        for token, instead in substitutions:
            agreement[token] = Levenshtein.normalized_similarity(token[1], instead[1])
        group = [(kind, value, agreement[kind, value, copy]) for kind, value, copy in each.predicted]
        if each.group_type is None:
            found.ungrouped = group
        else:
            found.groups[each.group_type][each.places[0]] = group
    return found, lacks
