"""Entity F1: the conventional score of documents, regardless of groups, and of tagged words.

Source, documents: the field F1 of Kim et al., "OCR-free Document Understanding Transformer" (Donut, 2022), and the
score that Khang et al. compare KIEval with ("KIEval", 2025, section 3).
Source, tags: the chunk F1 of Ramshaw and Marcus, "Text Chunking using Transformation-Based Learning" (1995), as the
reference implementation seqeval (Nakayama, 2018) counts it; `docie.tagging` names the sources of the schemes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from docie.core.counts import Counts, Key, Number, Outcomes, Row, macro_f1, ratio
from docie.core.errors import DocumentError, json_kind
from docie.core.scores import Score
from docie.core.settings import Valued, option
from docie.core.values.plain import as_list, is_list
from docie.documents.document import parse_document
from docie.documents.multisets import count_values
from docie.documents.tagging.schemes import OUTSIDE, check_reading
from docie.documents.tagging.spans import count_spans
from docie.documents.tagging.tagged_words import TaggedWords, parse_tagged_words

NAME, INPUTS = "entity_f1", ("document", "tags", "tagged words")
SCORES = (
    Score("precision", "higher", "share", "Micro average: share of predicted entities that are correct.", part_of="f1"),
    Score("recall", "higher", "share", "Micro average: share of reference entities that were found.", part_of="f1"),
    Score("f1", "higher", "share", "Micro-averaged F1 score of entities.", headline=True),
    Score("f1_macro", "higher", "share", "Macro average: mean of the F1 scores of the entity types."),
    Score("accuracy", "higher", "share", "Share of words with the tag of the reference."),
    Score("support", "neither", "count", "Number of reference entities."),
)


@dataclass(frozen=True, kw_only=True)
class Settings(Valued):
    """The options of entity F1. Documents have `normalize`, `match` and `schema`; tags have the others.

    Attributes:
        scheme (str): the tag scheme, "IOB1", "IOB2", "IOE1", "IOE2", "IOBES" or "BILOU"; None reads the prefixes B, I,
            E and S.
        strict (bool): read only spans that the scheme allows, instead of every tag leniently
            (see `docie.tagging.find_spans`).
        normalize: None, a normalizer's name, a list of names, or a mapping from entity type to these
            (see `docie.normalizers`).
        match: None, a match rule such as "similar(0.9)" or "within(1%)", a function of a predicted and a reference
            text, or a mapping from entity type to these: which different texts count as the same value (see
            `docie.core.rules`).
        schema: None, a JSON Schema, the path of a file with one, a class with `model_json_schema()`, or a list of
            these, which sets normalizers and rules by the types of its values.

    Raises:
        ValueError: if an option does not take its value.

    >>> Settings(strict=True)
    Traceback (most recent call last):
    ...
    ValueError: strict needs a scheme, one of IOB1, IOB2, IOE1, IOE2, IOBES, BILOU
    """

    scheme: str | None = option(None, in_signature=lambda scheme: scheme or "any")
    strict: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        check_reading(self.scheme, self.strict)


@dataclass(slots=True)
class Tags(Row):
    """Columns of the ("token",) row, which documents lack: the number of correct tags, and of all tags."""

    correct: Number = 0
    words: Number = 0


DEFAULT = Settings()


def count(prediction: object, reference: object, settings: Settings = DEFAULT) -> Counts:
    """Count one document.

    Args:
        prediction (dict or list): a JSON object (see `docie.documents`); or a list of tags, one a word; or tagged
            words, an object in which `words` and `tags` are lists, if the reference has tags. Any other prediction is
            scored as empty and counted in `invalid_predictions`.
        reference (dict or list): a JSON object, a list of tags, or tagged words.
        settings (Settings): the options.

    Returns:
        Counts: the counts of the document.

    Raises:
        DocumentError: if a document or a tag cannot be read, or if there are more or fewer tags than in the reference.

    >>> count({"menu": [{"nm": "Latte"}, {"nm": "Tea"}]}, {"menu": {"nm": "Latte"}}).rows["entity", "menu.nm"]
    [1, 1, 0]
    >>> count(["B-nm", "O", "B-nm"], ["B-nm", "I-nm", "B-nm"]).rows
    {('entity', 'nm'): [1, 1, 1], ('token',): [2, 3]}
    """
    expected_tags = tags_of(reference, "reference")
    if expected_tags is not None:
        return _count_tags(tags_of(prediction, "prediction"), expected_tags, settings)
    if not isinstance(reference, dict) and not isinstance(reference, Mapping):  # Mapping is slow to test
        problem = f"reference must be a JSON object or a list of tags, got {json_kind(reference)}"
        raise DocumentError(problem)
    predicted = parse_document(prediction, "prediction", normalize=settings.normalizer)
    expected = parse_document(reference, "reference", normalize=settings.normalizer)
    by_type = count_values(predicted, expected, settings.rules)
    return Counts.of_document(_entity_rows(by_type), valid=isinstance(prediction, Mapping))


def tags_of(value: Any, side: str) -> TaggedWords | None:
    """The tags of a tag sequence; None for any other value."""
    if isinstance(value, dict):
        return parse_tagged_words(value, side)
    return TaggedWords([], as_list(value)) if is_list(value) else None


def _count_tags(predicted: TaggedWords | None, expected: TaggedWords, settings: Settings) -> Counts:
    """The counts of one sequence of tags. None: the prediction is not one. Sentences are the reference's."""
    reference = expected.tags
    prediction = [OUTSIDE] * len(reference) if predicted is None else predicted.tags
    if len(prediction) != len(reference):
        problem = f"expected as many tags as in the reference, got {len(prediction)} and {len(reference)}"
        raise DocumentError(problem, side="prediction")
    by_type, same = count_spans(
        prediction, reference, settings.scheme, strict=settings.strict, sentences=expected.sentences
    )
    rows = _entity_rows(by_type)
    rows["token",] = Tags(0 if predicted is None else same, len(reference))
    return Counts.of_document(rows, valid=predicted is not None)


def score(counts: Counts) -> dict[str, Number]:
    """The scores of counts.

    Args:
        counts (Counts): the counts of a document or of a corpus.

    Returns:
        dict of str to float: fractions in [0, 1]: `precision`, `recall` and `f1`, micro averages over documents and
        entity types; `f1_macro`, the mean F1 of all entity types; for tags also `accuracy`, the
        share of words that have the tag of the reference.

    >>> score(count({"nm": ["Latte", "Tea"]}, {"nm": "Latte", "price": "4.50"}))["f1"]
    0.5
    """
    figures = {
        **counts.total("entity", Outcomes).scores._asdict(),
        "f1_macro": macro_f1(counts.by("entity", 1, Outcomes).values()),
    }
    if ("token",) in counts.rows:
        tags = counts.total("token", Tags)
        figures["accuracy"] = ratio(tags.correct, tags.words, empty=1.0)
    return figures


def breakdown(counts: Counts) -> dict[str, dict[str, dict[str, Number]]]:
    """The scores of each entity type.

    Args:
        counts (Counts): the counts of a document or of a corpus.

    Returns:
        dict: `per_entity`, from each entity type to `precision`, `recall`, `f1` and `support`, its number of reference
        entities.

    >>> breakdown(count({"nm": "Latte"}, {"nm": ["Latte", "Tea"]}))["per_entity"]["nm"]["recall"]
    0.5
    """
    return {
        "per_entity": {
            str(entity_type): {**row.scores._asdict(), "support": row.support}
            for entity_type, row in counts.by("entity", 1, Outcomes).items()
        }
    }


def seqeval_keys(results: Mapping[str, Any]) -> dict[str, Any]:
    """Results with the keys of `evaluate`'s module seqeval, and the same values.

    Source: `metrics/seqeval` of Hugging Face's evaluate 0.4.

    Args:
        results (dict): results with `per_entity`, such as those of `corpus.evaluate(entity_f1, ..., breakdown=True)`.

    Returns:
        dict: `overall_precision`, `overall_recall`, `overall_f1`, and for tags `overall_accuracy`; for each entity type
        its `precision`, `recall`, `f1` and `number` (in the reference); all other results unchanged.

    Raises:
        ValueError: if an entity type has the name of another key.

    >>> counts = count(["B-nm", "O"], ["B-nm", "I-nm"])
    >>> results = seqeval_keys({**score(counts), **breakdown(counts)})
    >>> results["nm"], results["overall_f1"], results["overall_accuracy"]
    ({'precision': 0.0, 'recall': 0.0, 'f1': 0.0, 'number': 1}, 0.0, 0.5)
    """
    overall = ("precision", "recall", "f1", "accuracy")
    renamed = {
        f"overall_{key}" if key.removesuffix("_interval") in overall else key: value
        for key, value in results.items()
        if key != "per_entity"
    }
    by_type = {
        entity_type: {"precision": row["precision"], "recall": row["recall"], "f1": row["f1"], "number": row["support"]}
        for entity_type, row in results["per_entity"].items()
    }
    if taken := sorted(by_type.keys() & renamed.keys()):
        raise ValueError(f"an entity type has the name of a score, {taken[0]!r}: leave out keys='seqeval'")
    return {**by_type, **renamed}


KEY_CONVERTERS = {"seqeval": seqeval_keys}
"""From the name of another package to the function that converts results to its keys."""


def _entity_rows(by_type: Mapping[str, Outcomes]) -> dict[Key, Row]:
    return {("entity", entity_type): row for entity_type, row in by_type.items()}
