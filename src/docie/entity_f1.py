"""Entity F1: the conventional figure, of documents, in which groups have no say, and of tagged words.

Source, documents: the field F1 of Kim et al., "OCR-free Document Understanding Transformer" (Donut, 2022), and the
figure that Khang et al. compare KIEval with ("KIEval", 2025, section 3).
Source, tags: the chunk F1 of Ramshaw and Marcus, "Text Chunking using Transformation-Based Learning" (1995), as the
reference implementation seqeval (Nakayama, 2018) counts it; `docie.tagging` names the sources of the schemes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import chain
from operator import eq
from typing import Any, NamedTuple

from docie.counts import Counts, Key, Number, macro_f1, precision_recall_f1, ratio
from docie.document import Document, Group, parse
from docie.errors import DocumentError
from docie.matching import difference, tokens
from docie.settings import Common
from docie.tagging import Tagged, check_reading, compared, tagged
from docie.values import as_list, is_list

__all__ = ["INPUTS", "NAME", "Settings", "breakdown", "count", "details", "score"]

NAME, INPUTS = "entity_f1", ("document", "tags", "tagged words")


@dataclass(frozen=True, kw_only=True)
class Settings(Common):
    """The options of entity F1; documents have only `normalize`, and tags have all but that.

    scheme: the tag scheme, "IOB1", "IOB2", "IOE1", "IOE2", "IOBES" or "BILOU"; None reads the prefixes B, I, E and S.
    strict: read only what the scheme allows, rather than to make the best of every tag (see `docie.tagging.spans`).
    normalize: None, a normaliser's name, a list of names, or a mapping from entity type to these
        (see `docie.normalizers`).

    Raises ValueError for a value outside these.

    >>> Settings(strict=True)
    Traceback (most recent call last):
    ...
    ValueError: strict needs a scheme, one of IOB1, IOB2, IOE1, IOE2, IOBES, BILOU
    """

    scheme: str | None = None
    strict: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        check_reading(self.scheme, self.strict)


class Entities(NamedTuple):
    """Columns of the ("entity", entity type) rows."""

    true_positives: Number = 0
    false_positives: Number = 0
    false_negatives: Number = 0


DEFAULT = Settings()


def count(prediction: object, reference: object, settings: Settings = DEFAULT) -> Counts:
    """The additive counts of one document.

    `prediction` and `reference` are JSON objects (see `docie.document`), or both are lists of tags, one a word, or
    objects in which `words` and `tags` are lists (see `docie.tagging.tagged`). The reference says which of the two; a
    prediction that is neither an object nor tags, as it does, finds nothing and is counted in `invalid_predictions`.
    Raises DocumentError for a document or a tag that cannot be read, and for another number of tags than in the
    reference.

    >>> count({"menu": [{"nm": "Latte"}, {"nm": "Tea"}]}, {"menu": {"nm": "Latte"}}).rows["entity", "menu.nm"]
    [1, 1, 0]
    >>> count(["B-nm", "O", "B-nm"], ["B-nm", "I-nm", "B-nm"]).rows
    {('entity', 'nm'): [1, 1, 1], ('token',): [2, 3]}
    """
    expected_tags = _tags(reference, "reference")
    if expected_tags is not None:
        return _count_tags(_tags(prediction, "prediction"), expected_tags, settings)
    if not isinstance(reference, dict) and not isinstance(reference, Mapping):  # a Mapping is slow to tell
        problem = f"reference must be a JSON object or a list of tags, got {type(reference).__name__}"
        raise DocumentError(problem)
    predicted = parse(prediction, "prediction", normalize=settings.normalizer)
    expected = parse(reference, "reference", normalize=settings.normalizer)
    left, right = tokens(_entities(predicted)), tokens(_entities(expected))
    rows: dict[Key, list[Number]] = {}
    for column, found in enumerate(difference(left, right, one_of=expected.one_of)):
        for kind, _, _ in found:
            rows.setdefault(("entity", kind), [0, 0, 0])[column] += 1
    return Counts(1, int(not isinstance(prediction, Mapping)), rows)


def _tags(value: Any, side: str) -> Tagged | None:
    """The tags of a tag sequence, None for all else."""
    if isinstance(value, dict):
        return tagged(value, side)
    return Tagged([], as_list(value)) if is_list(value) else None


def _count_tags(predicted: Tagged | None, expected: Tagged, settings: Settings) -> Counts:
    """The counts of one sequence of tags; None is a prediction that is no such thing. The reference's sentences count.

    The ("token",) row, which documents do not have, is the number of tags equal to the reference's, and of all.
    """
    reference = expected.tags
    prediction = ["O"] * len(reference) if predicted is None else predicted.tags
    if len(prediction) != len(reference):
        problem = f"expected as many tags as in the reference, got {len(prediction)} and {len(reference)}"
        raise DocumentError(problem, side="prediction")
    by_type = compared(prediction, reference, settings.scheme, strict=settings.strict, sentences=expected.sentences)
    equal = 0 if predicted is None else sum(map(eq, prediction, reference))
    rows: dict[Key, list[Number]] = {("entity", kind): row for kind, row in by_type.items()}
    rows["token",] = [equal, len(reference)]
    return Counts(1, int(predicted is None), rows)


def score(counts: Counts) -> dict[str, Number]:
    """`precision`, `recall` and `f1`: micro averages over documents and entity types, in [0, 1]; `f1_macro`: the mean
    of the F1 of the entity types found on either side. Of tags also `accuracy`, the share of words that have the tag
    of the reference.

    >>> score(count({"nm": ["Latte", "Tea"]}, {"nm": "Latte", "price": "4.50"}))["f1"]
    0.5
    """
    types = counts.by("entity", 1, Entities)
    figures = {
        **precision_recall_f1(*counts.total("entity", Entities))._asdict(),
        "f1_macro": macro_f1(types.values()),
    }
    if ("token",) in counts.rows:
        right, words = counts.rows["token",]
        figures["accuracy"] = ratio(right, words, empty=1.0)
    return figures


def breakdown(counts: Counts) -> dict[str, dict[str, dict[str, Number]]]:
    """`per_entity`: the figures of each entity type, with `support`, its number of reference entities.

    >>> breakdown(count({"nm": "Latte"}, {"nm": ["Latte", "Tea"]}))["per_entity"]["nm"]["recall"]
    0.5
    """
    return {
        "per_entity": {
            str(kind): {**precision_recall_f1(*row)._asdict(), "support": row.true_positives + row.false_negatives}
            for kind, row in counts.by("entity", 1, Entities).items()
        }
    }


def details(counts: Counts) -> dict[str, Any]:
    """Nothing beyond figures and tables."""
    return {}


def _entities(document: Document) -> Group:
    """All entities, in groups or not."""
    return list(chain.from_iterable(document.parts()))
