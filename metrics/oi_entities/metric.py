"""Entity error rates and F1 scores, in reading order and independent of it: ECER, EWER, Nerval, bags, CER and WER.

Source: Villanova-Aparisi et al., "Reading Order Independent Metrics for Information Extraction in Handwritten
Documents" (2024).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from numbers import Real
from typing import Any

from docie.core.counts import Counts, Key, Number, Row, precision_recall_f1, ratio
from docie.core.errors import shortened
from docie.core.matching.similarity import edit_distance
from docie.core.settings import Common
from docie.metrics.oi_entities.alignment import Alignment, align, by_category
from docie.metrics.oi_entities.entity_lists import EntityList, parse_entities

NAME, INPUTS = "oi_entities", ("entities", "tagged words")


@dataclass(frozen=True, kw_only=True)
class Settings(Common):
    """The options of the order-independent metrics.

    Attributes:
        nerval_threshold (float): the greatest character error rate of a match in Nerval and OINerval, a fraction in
            [0, 1].
        normalize: None, a normalizer's name, a list of names, or a mapping from category to these
            (see `docie.normalizers`).

    Raises:
        ValueError: if an option does not take its value.

    >>> Settings(nerval_threshold=30)
    Traceback (most recent call last):
    ...
    ValueError: nerval_threshold must be a fraction between 0 and 1, got 30 (other packages count in percent)
    """

    nerval_threshold: float = 0.3

    def __post_init__(self) -> None:
        super().__post_init__()
        value = self.nerval_threshold
        if isinstance(value, bool) or not isinstance(value, Real) or not 0 <= value <= 1:
            hint = " (other packages count in percent)" if isinstance(value, Real) and value > 1 else ""
            raise ValueError(f"nerval_threshold must be a fraction between 0 and 1, got {shortened(value)}{hint}")
        object.__setattr__(self, "nerval_threshold", float(value))


@dataclass(slots=True)
class Entities(Row):
    """Columns of the ("entities", category) rows; the category None is the whole document.

    `longer` is the number of entities in the longer list, `equal` the number of common entities; `ecer` to `oi_ewer`
    are distances.
    """

    references: Number = 0
    predictions: Number = 0
    longer: Number = 0
    ecer: Number = 0.0
    ewer: Number = 0.0
    oi_ecer: Number = 0.0
    oi_ewer: Number = 0.0
    nerval_matches: Number = 0
    oi_nerval_matches: Number = 0
    equal: Number = 0


@dataclass(slots=True)
class Words(Row):
    """Columns of the ("words", category) rows: the words of the entities.

    `equal` is the number of common words, `equal_tagged` that of common words within a category.
    """

    references: Number = 0
    predictions: Number = 0
    longer: Number = 0
    equal: Number = 0
    equal_tagged: Number = 0


@dataclass(slots=True)
class Text(Row):
    """Columns of the ("text", category) rows: distances between the texts, and the length of the reference's."""

    character_errors: Number = 0
    characters: Number = 0
    word_errors: Number = 0
    words: Number = 0


DEFAULT = Settings()


def count(prediction: object, reference: object, settings: Settings = DEFAULT) -> Counts:
    """Count one document.

    Args:
        prediction (list or dict): a list of entities, or tagged words, as `docie.documents.parse_entities` reads them.
            Anything else is scored as a list without entities and counted in `invalid_predictions`.
        reference (list or dict): a list of entities, or tagged words.
        settings (Settings): the options.

    Returns:
        Counts: the counts of the document.

    Raises:
        DocumentError: if the entities cannot be read.

    >>> counts = count([["date", "26 mai 1771"]], [["date", "26 mai 1770"], ["serie", "X1A"]])
    >>> Entities(*counts.rows["entities", "serie"]).oi_ecer, Words(*counts.rows["words", None]).equal
    (1.0, 2)
    """
    predicted = parse_entities(prediction, "prediction", normalize=settings.normalizer)
    expected = parse_entities(reference, "reference", normalize=settings.normalizer)
    assert expected is not None
    rows = _rows(expected, predicted or EntityList([]), settings.nerval_threshold)
    return Counts.of_document(rows, valid=predicted is not None)


def score(counts: Counts) -> dict[str, Number]:
    """The scores of counts, all micro averages.

    Args:
        counts (Counts): the counts of a document or of a corpus.

    Returns:
        dict of str to float:

        * error rates, of which 0 is best and which may exceed 1: `oi_ecer`, `oi_ewer` (equations 6 and 7) and `ecer`,
          `ewer`, distances divided by the number of reference entities, for the cheapest assignment and the cheapest
          alignment in order; `bag_of_words_error_rate`, `bag_of_tagged_words_error_rate`, `bag_of_entities_error_rate`
          (10 and 11); for tagged words also `cer` and `wer` of the whole text. Without any reference, an error rate is
          0.0 if nothing was predicted, else 1.0.
        * `_precision`, `_recall` and `_f1`, in [0, 1], of `oi_nerval` (9), `nerval` and the three bags.

    >>> figures = score(count([["date", "26 mai 1771"]], [["date", "26 mai 1770"], ["serie", "X1A"]]))
    >>> round(figures["oi_ecer"], 3), round(figures["oi_nerval_f1"], 3), figures["bag_of_tagged_words_recall"]
    (0.545, 0.667, 0.5)
    """
    return _figures(counts, None)


def breakdown(counts: Counts) -> dict[str, dict[str, dict[str, Number]]]:
    """The scores of each category.

    Args:
        counts (Counts): the counts of a document or of a corpus.

    Returns:
        dict: `per_entity`, from each category to the scores of `score` and `support`, its number of reference
        entities. `cer` and `wer` compare the texts of the category, joined by blanks.

    >>> table = breakdown(count([["date", "26 mai 1771"]], [["date", "26 mai 1770"], ["serie", "X1A"]]))["per_entity"]
    >>> table["date"]["oi_nerval_f1"], round(table["date"]["cer"], 3), table["serie"]["oi_ecer"]
    (1.0, 0.091, 1.0)
    """
    categories = sorted(key[1] for key in counts.rows if key[0] == "entities" and key[1] is not None)
    return {
        "per_entity": {
            category: {
                **_figures(counts, category),
                "support": Entities(*counts.rows["entities", category]).references,
            }
            for category in categories
        }
    }


def _rows(expected: EntityList, predicted: EntityList, threshold: float) -> dict[Key, Row]:
    """The rows of every category, then those of the whole document."""
    references_by_category, predictions_by_category = by_category(expected.entities), by_category(predicted.entities)
    alignments = align(expected.entities, predicted.entities, threshold)
    rows: dict[Key, Row] = {}
    equal_tagged = 0
    all_references, all_predictions = list[str](), list[str]()
    for category in dict.fromkeys((*references_by_category, *predictions_by_category)):
        references = references_by_category.get(category, [])
        predictions = predictions_by_category.get(category, [])
        reference_text = " ".join(references)
        predicted_text = reference_text if references == predictions else " ".join(predictions)
        texts_as_words = reference_text.split(), predicted_text.split()
        words = _words(*texts_as_words)
        rows["entities", category] = _entities(references, predictions, alignments[category])
        rows["words", category] = words
        rows["text", category] = _text(reference_text, predicted_text, *texts_as_words)
        equal_tagged += words.equal
        all_references += texts_as_words[0]
        all_predictions += texts_as_words[1]
    rows["entities", None] = _entities(expected.entities, predicted.entities, alignments[None])
    rows["words", None] = total = _words(all_references, all_predictions)
    total.equal_tagged = equal_tagged
    if expected.text is not None:
        text = predicted.text if predicted.text is not None else " ".join(text for _, text in predicted.entities)
        rows["text", None] = _text(expected.text, text, expected.text.split(), text.split())
    return rows


def _entities(references: Sequence[Any], predictions: Sequence[Any], alignment: Alignment) -> Entities:
    in_order, in_any_order = alignment
    return Entities(
        references=len(references),
        predictions=len(predictions),
        longer=max(len(references), len(predictions)),
        ecer=in_order.characters,
        ewer=in_order.words,
        oi_ecer=in_any_order.characters,
        oi_ewer=in_any_order.words,
        nerval_matches=in_order.matches,
        oi_nerval_matches=in_any_order.matches,
        equal=_count_common(references, predictions),
    )


def _words(references: list[str], predictions: list[str]) -> Words:
    equal = _count_common(references, predictions)
    return Words(
        references=len(references),
        predictions=len(predictions),
        longer=max(len(references), len(predictions)),
        equal=equal,
        equal_tagged=equal,
    )


def _count_common(references: Sequence[Any], predictions: Sequence[Any]) -> int:
    """The size of the intersection of two bags."""
    if references == predictions or not references or not predictions:  # bags are slow, and rarely needed
        return min(len(references), len(predictions))
    if len(references) == 1:
        return int(references[0] in predictions)
    return (Counter(references) & Counter(predictions)).total()


def _text(reference: str, prediction: str, reference_words: list[str], predicted_words: list[str]) -> Text:
    return Text(
        character_errors=edit_distance(reference, prediction),
        characters=len(reference),
        word_errors=edit_distance(reference_words, predicted_words),
        words=len(reference_words),
    )


def _figures(counts: Counts, category: str | None) -> dict[str, Number]:
    """The scores of one category, or of all (None)."""
    entities = Entities(*counts.rows.get(("entities", category), ()))
    words = Words(*counts.rows.get(("words", category), ()))
    figures = {
        name: _error_rate(getattr(entities, name), entities.references)
        for name in ("oi_ecer", "oi_ewer", "ecer", "ewer")
    }
    figures |= _matched("oi_nerval", entities.oi_nerval_matches, entities)
    figures |= _matched("nerval", entities.nerval_matches, entities)
    for name, equal, bag in (
        ("bag_of_words", words.equal, words),
        ("bag_of_tagged_words", words.equal_tagged, words),
        ("bag_of_entities", entities.equal, entities),
    ):
        figures[f"{name}_error_rate"] = _error_rate(bag.longer - equal, bag.references)
        figures |= _matched(name, equal, bag)
    if ("text", category) in counts.rows:
        text = Text(*counts.rows["text", category])
        figures["cer"] = _error_rate(text.character_errors, text.characters)
        figures["wer"] = _error_rate(text.word_errors, text.words)
    return figures


def _matched(name: str, matches: Number, row: Entities | Words) -> dict[str, Number]:
    scores = precision_recall_f1(matches, row.predictions - matches, row.references - matches)
    return {f"{name}_{score}": value for score, value in scores._asdict().items()}


def _error_rate(errors: Number, references: Number) -> Number:
    """Errors divided by references; without any reference 0.0 if there are no errors, else 1.0."""
    return ratio(errors, references, empty=errors > 0)
