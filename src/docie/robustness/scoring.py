"""Score the answers of a run: drops with intervals, unchanged answers, and the quality of confidences."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import chain
from typing import Any, NamedTuple

from docie import confidence
from docie.confidence.review import average_precision, coverage_at_precision
from docie.confidence.values import Collector
from docie.core.counts import Counts, Key, Number
from docie.core.errors import DocumentError
from docie.core.family import Family
from docie.core.scores import is_better_low
from docie.core.values.plain import NO_CONFIDENCE, JsonObject
from docie.corpus.intervals import delta_intervals
from docie.corpus.matrix import Matrix
from docie.documents.attacked import ATTACKS
from docie.documents.values import Leaf, values_of
from docie.metrics import form_robustness
from docie.metrics.form_robustness import UNATTACKED
from docie.metrics.kieval.options import kieval_settings
from docie.metrics.kieval.pairs import count_judged
from docie.robustness.models.answers import Answers

BEFORE, AFTER = "before", "after"
_DOCUMENTS: Key = ("documents and invalid predictions",)


class Worst(NamedTuple):
    """A form on which the model falls: its number, and answers, references and F1 before and under an attack."""

    place: int
    answers: tuple[object, object]
    references: tuple[object, object]
    f1: tuple[float, float]


class Scorer:
    """Scores answers against those to the unattacked forms.

    Args:
        unattacked: the answers to the unattacked forms.
        settings: the options of form robustness.
        families: other families by name, each with its settings.
        confidence_level: the level of the intervals.
    """

    def __init__(
        self,
        unattacked: Answers,
        settings: object,
        families: Mapping[str, tuple[Family, object]],
        confidence_level: float,
    ) -> None:
        self.settings, self.families, self.level = settings, families, confidence_level
        self.unattacked = unattacked
        self.counts = {name: _counts(unattacked, *family) for name, family in families.items()}
        self.total = Counts.sum_of(self._fields(unattacked))
        self._content = [_content(answer) for answer in unattacked.predictions]
        self.worst: dict[str, Worst] = {}
        """For each attack the form on which the model falls furthest, if it falls on any."""

    def add(self, answers: Answers) -> JsonObject:
        """The scores of the forms under an attack, for `UnderAttack`."""
        fields, name = self._fields(answers), answers.name
        total = Counts.sum_of(fields)
        # the unattacked forms are counted separately
        self.total += Counts(rows={key: numbers for key, numbers in total.rows.items() if key[1] != UNATTACKED})
        self._note_worst(answers, fields)
        figures = form_robustness.score(total)
        intervals = _intervals(form_robustness.score, fields, self.level)
        row: dict[str, object] = {"forms": len(fields), "f1": figures[f"f1_{name}"]}
        for drop in ("drop_f1", "drop_precision", "drop_recall"):
            key = f"{drop}_{name}"
            row |= {drop: figures[key], f"{drop}_interval": intervals.get(key)}
        row["unchanged"] = self._unchanged(answers)
        return row

    def _note_worst(self, answers: Answers, fields: Iterable[Counts]) -> None:
        pairs = [(each["f1"], each[f"f1_{answers.name}"]) for each in map(form_robustness.score, fields)]
        number = min(range(len(pairs)), key=lambda place: pairs[place][1] - pairs[place][0])
        before, after = pairs[number]
        if after < before:
            place = answers.places[number]
            self.worst[answers.name] = Worst(
                place,
                (self.unattacked.predictions[place], answers.predictions[number]),
                (self.unattacked.references[place], answers.references[number]),
                (float(before), float(after)),
            )

    def of_families(self, answers: Answers) -> dict[str, JsonObject]:
        """The scores of the other families under an attack, each with its drop."""
        result = {}
        for name, (family, settings) in self.families.items():
            counts = _counts(answers, family, settings)

            def drops(both: Counts, family: Family = family) -> dict[str, Number]:
                before, after = (family.score(_side(both, side)) for side in (BEFORE, AFTER))
                return {
                    score: after[score] - before[score]
                    if is_better_low(family, score)
                    else before[score] - after[score]
                    for score in before
                    if score in after
                }

            both = [_both(self.counts[name][place], after) for place, after in zip(answers.places, counts, strict=True)]
            scores, lost = family.score(Counts.sum_of(counts)), drops(Counts.sum_of(both))
            intervals = _intervals(drops, both, self.level)
            result[name] = {
                score: {"value": scores[score], "drop": lost[score], "drop_interval": intervals.get(score)}
                for score in lost
            }
        return result

    def of_unattacked(self) -> tuple[JsonObject, dict[str, JsonObject]]:
        """The scores of the unattacked forms, by form robustness and the other families."""
        figures = form_robustness.score(self.total)
        families = {
            name: {score: {"value": value} for score, value in family.score(Counts.sum_of(self.counts[name])).items()}
            for name, (family, _) in self.families.items()
        }
        return {name: figures[name] for name in ("f1", "precision", "recall")}, families

    def _fields(self, answers: Answers) -> list[Counts]:
        """The counts of each form, unattacked and under the attack."""
        rows = []
        for number, place in enumerate(answers.places):
            sides = (
                (self.unattacked.predictions[place], answers.predictions[number]),
                (self.unattacked.references[place], answers.references[number]),
            )
            prediction, reference = ({ATTACKS: {UNATTACKED: before, answers.name: after}} for before, after in sides)
            rows.append((prediction, reference))
        return _counted(form_robustness, rows, self.settings, answers.places)

    def _unchanged(self, answers: Answers) -> float | None:
        """The share of forms with the same answer as before; None if a correct answer had to change."""
        if not answers.preserves_texts or not answers.predictions:
            return None
        pairs = zip(answers.places, answers.predictions, strict=True)
        same = sum(bool(self._content[place] == _content(after)) for place, after in pairs)
        return same / len(answers.predictions)


def _counts(answers: Answers, family: Family, settings: object) -> list[Counts]:
    rows = list(zip(answers.predictions, answers.references, strict=True))
    return _counted(family, rows, settings, answers.places)


def _counted(
    family: Any, rows: Sequence[tuple[object, object]], settings: object, numbers: Sequence[int]
) -> list[Counts]:
    counts = []
    for number, (prediction, reference) in zip(numbers, rows, strict=True):
        try:
            counts.append(family.count(prediction, reference, settings))
        except DocumentError as error:
            error.document = number
            raise
    return counts


def _intervals(
    figures_of: Callable[[Counts], dict[str, Number]], documents: Any, level: float
) -> dict[str, list[float] | None]:
    return delta_intervals(figures_of, Matrix(documents), level, most=1.0) if len(documents) > 1 else {}


def _both(before: Counts, after: Counts) -> Counts:
    """The counts of a form before and after in one row, so that they are paired."""
    rows: dict[Key, list[Number]] = {}
    for side, counts in ((BEFORE, before), (AFTER, after)):
        rows[(side, *_DOCUMENTS)] = [counts.documents, counts.invalid_predictions]
        rows |= {(side, *key): numbers for key, numbers in counts.rows.items()}
    return Counts(1, 0, rows)


def _side(both: Counts, side: str) -> Counts:
    """The inverse of `_both`, for many forms."""
    rows = {key[1:]: numbers for key, numbers in both.rows.items() if key[0] == side}
    documents, invalid = rows.pop(_DOCUMENTS)
    return Counts(documents, invalid, rows)


def _content(answer: object) -> object:
    """The content of an answer: its values by type and group, whatever their order and confidence."""
    values = values_of(answer, "prediction")
    groups = {name: sorted(_texts(group) for group in each if group) for name, each in values.groups.items()}
    return _texts(values.ungrouped), {name: texts for name, texts in groups.items() if texts}


def _texts(group: Iterable[Leaf]) -> list[tuple[str, str]]:
    """The types and texts of values, in alphabetical order."""
    return sorted(leaf[:2] for leaf in group)


class Judge:
    """Judges answers with confidences as `docie.confidence` does, by KIEval's matching.

    The threshold is chosen on the answers to the unattacked forms, as it would be in practice; the answers under attack
    are only evaluated at it.

    Args:
        unattacked: the answers to the unattacked forms.
        settings: options such as match rules.
        precision: the share of values at or above the threshold that must be correct on the unattacked forms.
    """

    def __init__(self, unattacked: Answers, settings: object, precision: float) -> None:
        self.settings = kieval_settings(settings)
        leaves = chain.from_iterable(values_of(answer, "prediction").leaves() for answer in unattacked.predictions)
        self.has_confidences = any(leaf.confidence != NO_CONFIDENCE for leaf in leaves)
        self.threshold: float | None = None
        self.of_unattacked: dict[str, object] | None = None
        if self.has_confidences:
            values = self._values(unattacked)
            self.threshold = coverage_at_precision(values, precision)["threshold"]
            self.of_unattacked = self._figures(values)

    def figures(self, answers: Answers) -> JsonObject | None:
        """The quality of confidences, for `UnderAttack`. None if there are none."""
        return self._figures(self._values(answers)) if self.has_confidences else None

    def _figures(self, values: confidence.Values) -> JsonObject:
        calibration = confidence.calibration(values)
        del calibration["bins"]
        passed = {"coverage": None, "precision": None}
        if self.threshold is not None and len(values):
            passed = confidence.at_threshold(values, self.threshold)
        return {
            **calibration,
            "average_precision": average_precision(values),
            "threshold": self.threshold,
            **{name: passed[name] for name in ("coverage", "precision")},
        }

    def _values(self, answers: Answers) -> confidence.Values:
        collector = Collector()
        for prediction, reference in zip(answers.predictions, answers.references, strict=True):
            collector.add(count_judged(prediction, reference, self.settings).listed[0])
        return collector.values()
