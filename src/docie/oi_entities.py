"""Entity error rates and F1 scores, in reading order and independent of it: ECER, EWER, Nerval, bags, CER and WER.

Source: Villanova-Aparisi et al., "Reading Order Independent Metrics for Information Extraction in Handwritten
Documents" (2024).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from numbers import Real
from typing import Any, NamedTuple

from rapidfuzz.distance import Levenshtein

from docie.counts import Counts, Key, Number, precision_recall_f1, ratio
from docie.entity_alignment import Compared, by_category, compare
from docie.entity_lists import EntityList, parse
from docie.errors import shortened
from docie.settings import Common

__all__ = ["INPUTS", "NAME", "Settings", "breakdown", "count", "details", "score"]

NAME, INPUTS = "oi_entities", ("entities", "tagged words")


@dataclass(frozen=True, kw_only=True)
class Settings(Common):
    """How entities are compared.

    nerval_threshold: the greatest character error rate of a match in Nerval and OINerval, a fraction in [0, 1].
    normalize: as in every family, by category (see `docie.normalizers`).

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


class Entities(NamedTuple):
    """Columns of the ("entities", category) rows; the category None is the whole document.

    `longer` is the number of entities on the side that has more, the others but the last three are distances.
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


class Words(NamedTuple):
    """Columns of the ("words", category) rows: the words of the entities.

    `equal` and `equal_tagged` are the words in common, the latter those of one category.
    """

    references: Number = 0
    predictions: Number = 0
    longer: Number = 0
    equal: Number = 0
    equal_tagged: Number = 0


class Text(NamedTuple):
    """Columns of the ("text", category) rows: distances between texts, and the length of the reference's."""

    character_errors: Number = 0
    characters: Number = 0
    word_errors: Number = 0
    words: Number = 0


DEFAULT = Settings()


def count(prediction: object, reference: object, settings: Settings = DEFAULT) -> Counts:
    """The additive counts of one document.

    `prediction` and `reference` are lists of entities or tagged words (see `docie.entity_lists`); a prediction that is
    neither has no entities and is counted in `invalid_predictions`. Raises DocumentError for what cannot be read.

    >>> counts = count([["date", "26 mai 1771"]], [["date", "26 mai 1770"], ["serie", "X1A"]])
    >>> Entities(*counts.rows["entities", "serie"]).oi_ecer, Words(*counts.rows["words", None]).equal
    (1.0, 2)
    """
    predicted = parse(prediction, "prediction", normalize=settings.normalizer)
    expected = parse(reference, "reference", normalize=settings.normalizer)
    assert expected is not None
    rows = _rows(expected, predicted or EntityList([]), settings.nerval_threshold)
    return Counts(1, int(predicted is None), rows)


def score(counts: Counts) -> dict[str, Number]:
    """Error rates (0 is best, they may exceed 1), and precision, recall and F1 in [0, 1], all micro averages.

    `oi_ecer`, `oi_ewer` (equations 6 and 7) and `ecer`, `ewer`: distances over reference entities, by the cheapest
    assignment and by the cheapest alignment in order; `oi_nerval_*` (9) and `nerval_*`; `bag_of_words_*`,
    `bag_of_tagged_words_*`, `bag_of_entities_*` (10 and 11); of tagged words also `cer` and `wer`, of the whole text.
    An error rate without any reference is 0.0 if nothing was predicted, else 1.0.

    >>> figures = score(count([["date", "26 mai 1771"]], [["date", "26 mai 1770"], ["serie", "X1A"]]))
    >>> round(figures["oi_ecer"], 3), round(figures["oi_nerval_f1"], 3), figures["bag_of_tagged_words_recall"]
    (0.545, 0.667, 0.5)
    """
    return _figures(counts, None)


def breakdown(counts: Counts) -> dict[str, dict[str, dict[str, Number]]]:
    """`per_entity`: the figures of each category's entities by themselves, with `support`, its reference entities.

    `cer` and `wer` compare the category's texts, joined by blanks.

    >>> table = breakdown(count([["date", "26 mai 1771"]], [["date", "26 mai 1770"], ["serie", "X1A"]]))["per_entity"]
    >>> table["date"]["oi_nerval_f1"], round(table["date"]["cer"], 3), table["serie"]["oi_ecer"]
    (1.0, 0.091, 1.0)
    """
    categories = sorted(key[1] for key in counts.rows if key[0] == "entities" and key[1] is not None)
    return {
        "per_entity": {
            category: {**_figures(counts, category), "support": counts.rows["entities", category][0]}
            for category in categories
        }
    }


def details(counts: Counts) -> dict[str, Any]:
    """Nothing beyond figures and tables."""
    return {}


def _rows(expected: EntityList, predicted: EntityList, threshold: float) -> dict[Key, list[Number]]:
    """The rows of every category, then those of the whole document."""
    references, predictions = by_category(expected.entities), by_category(predicted.entities)
    compared = compare(expected.entities, predicted.entities, threshold)
    rows: dict[Key, list[Number]] = {}
    equal_tagged = 0
    left_words, right_words = list[str](), list[str]()
    for category in dict.fromkeys((*references, *predictions)):
        left, right = references.get(category, []), predictions.get(category, [])
        left_text = " ".join(left)
        right_text = left_text if left == right else " ".join(right)
        here = left_text.split(), right_text.split()
        words = _words(*here)
        rows["entities", category] = [*_entities(left, right, compared[category])]
        rows["words", category] = [*words]
        rows["text", category] = [*_text(left_text, right_text, *here)]
        equal_tagged += words.equal
        left_words += here[0]
        right_words += here[1]
    rows["entities", None] = [*_entities(expected.entities, predicted.entities, compared[None])]
    rows["words", None] = [*_words(left_words, right_words)._replace(equal_tagged=equal_tagged)]
    if expected.text is not None:
        text = predicted.text if predicted.text is not None else " ".join(text for _, text in predicted.entities)
        rows["text", None] = [*_text(expected.text, text, expected.text.split(), text.split())]
    return rows


def _entities(references: Sequence[Any], predictions: Sequence[Any], compared: Compared) -> Entities:
    in_order, in_any = compared
    return Entities(
        len(references),
        len(predictions),
        max(len(references), len(predictions)),
        ecer=in_order.characters,
        ewer=in_order.words,
        oi_ecer=in_any.characters,
        oi_ewer=in_any.words,
        nerval_matches=in_order.matches,
        oi_nerval_matches=in_any.matches,
        equal=_common(references, predictions),
    )


def _words(references: list[str], predictions: list[str]) -> Words:
    equal = _common(references, predictions)
    longer = max(len(references), len(predictions))
    return Words(len(references), len(predictions), longer, equal, equal_tagged=equal)


def _common(left: Sequence[Any], right: Sequence[Any]) -> int:
    """The size of what two bags share."""
    if left == right or not left or not right:  # bags are slow, and seldom needed
        return min(len(left), len(right))
    if len(left) == 1:
        return int(left[0] in right)
    return (Counter(left) & Counter(right)).total()


def _text(reference: str, prediction: str, words: list[str], predicted_words: list[str]) -> Text:
    return Text(
        Levenshtein.distance(reference, prediction),
        len(reference),
        Levenshtein.distance(words, predicted_words),
        len(words),
    )


def _figures(counts: Counts, category: str | None) -> dict[str, Number]:
    """The figures of one category, or of all."""
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


def _matched(name: str, matches: Number, sides: Entities | Words) -> dict[str, Number]:
    found = precision_recall_f1(matches, sides.predictions - matches, sides.references - matches)
    return {f"{name}_{score}": value for score, value in found._asdict().items()}


def _error_rate(errors: Number, references: Number) -> Number:
    """Errors over references; without any reference 0.0 if there are no errors, else 1.0."""
    return ratio(errors, references, empty=errors > 0)
