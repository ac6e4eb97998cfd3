"""The result of a run, and its attacks by kind: single ones, combinations, and series of strengths."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, NamedTuple

from docie.confidence.values import NO_CONFIDENCES
from docie.core.values.plain import JsonObject
from docie.robustness.form import Page
from docie.show.section import Table, brief, number
from docie.show.writers import markdown

SHOWN_SEVERITIES = ("mean_iou", "edit_rate", "reordered", "dropped", "value_shift")
"""The columns on severity in the table."""
NOTHING = "–"
"""Shown for a field with nothing to lose."""
_FAMILY_COLUMNS = ["attack", "score", "value", "drop", "interval"]


@dataclass(frozen=True, kw_only=True)
class UnderAttack:
    """The scores of the forms under one attack.

    Attributes:
        attack (str): its name. After @ it has its strength, if it is a further strength of the run.
        parts (list of str): the names of the attacks that it combines; one name for a single attack.
        strength (float): its strength; 1 is the default.
        forms (int): the number of forms in which it finds something to change. All other values refer to these forms.
        f1 (float): end-to-end F1 under the attack.
        drop_f1, drop_precision, drop_recall (float): the score of the same forms without the attack, minus the score
            under the attack.
        drop_f1_interval, drop_precision_interval, drop_recall_interval (list of float): [low, high], paired by form;
            None with fewer than two forms.
        unchanged (float): the share of forms whose answer did not change (invariance); None if the attack changes the
            reference documents.
        severity (dict): how much the attack changed the forms, as measured by `docie.attacks.severity`.
        confidence (dict): the quality of confidences under the attack; None if the answers to the unattacked forms have
            none. `values`, `mean_confidence`, `accuracy`, `expected_calibration_error` and `brier_score` are those of
            `docie.confidence.calibration`; `average_precision` measures how well confidences rank correct values before
            incorrect ones. `threshold` is chosen on the unattacked forms; `coverage` is the share of values at or above
            it, and `precision` the share of them that are correct. A result without values is None.
        families (dict): from the name of each other family to its scores: {"value", "drop", "drop_interval"}. For error
            rates and other scores for which lower is better, the drop is the increase.
    """

    attack: str
    parts: list[str]
    strength: float
    forms: int
    f1: float
    drop_f1: float
    drop_precision: float
    drop_recall: float
    drop_f1_interval: list[float] | None
    drop_precision_interval: list[float] | None
    drop_recall_interval: list[float] | None
    unchanged: float | None
    severity: dict[str, float | None]
    confidence: dict[str, Any] | None
    families: dict[str, dict[str, dict[str, Any]]]


class Example(NamedTuple):
    """A form before and under an attack.

    Attributes:
        attack (str): the name of the attack.
        name (str or int): the id of the form, or its number if it has none.
        before, after (Page): the form.
        answers (tuple): what the model says of both.
        references (tuple): what there is to find in both.
        f1 (tuple of float): the F1 of both answers.
    """

    attack: str
    name: str | int
    before: Page
    after: Page
    answers: tuple[object, object]
    references: tuple[object, object]
    f1: tuple[float, float]


@dataclass(frozen=True, kw_only=True)
class RobustnessReport:
    """The result of a run. `print(report)` shows the table.

    Attributes:
        f1, precision, recall (float): the scores of the unattacked forms, macro averages (means over fields).
        attacks (list of UnderAttack): the attacks, the largest drop of F1 first.
        per_entity (dict): from each field to its scores under each attack, as `docie.form_robustness.breakdown`.
        families (dict): the scores of the other families on the unattacked forms.
        confidence (dict): the quality of the confidences on the unattacked forms, as in `UnderAttack`.
        not_applicable (list of str): the attacks that find nothing to change in any of the forms.
        forms (int): the number of forms.
        confidence_level (float): the level of the intervals.
        seed (int): the seed of the attacks.
        signature (str): the signature of form robustness, which scored the answers.
        examples (list of Example): for each of the three attacks that cost most, the form on which the model falls
            furthest.
    """

    f1: float
    precision: float
    recall: float
    attacks: list[UnderAttack]
    per_entity: dict[str, dict[str, Any]]
    families: dict[str, dict[str, dict[str, Any]]]
    confidence: dict[str, Any] | None
    not_applicable: list[str]
    forms: int
    confidence_level: float
    seed: int
    signature: str
    examples: Sequence[Example] = ()

    @property
    def worst_drop(self) -> float:
        """The largest drop of F1; 0.0 without attacks."""
        return max((row.drop_f1 for row in self.attacks), default=0.0)

    def __getitem__(self, attack: str) -> UnderAttack:
        """The scores under the attack of this name."""
        try:
            return next(row for row in self.attacks if row.attack == attack)
        except StopIteration:
            if attack in self.not_applicable:
                raise KeyError(f"{attack} is not applicable: it finds nothing to change in these forms") from None
            known = ", ".join(row.attack for row in self.attacks)
            raise KeyError(f"no attack is called {attack!r}; there are {known}") from None

    def table(self, most: int | None = None) -> Table:
        """The table of drops, the largest first, with the severity of each attack.

        Args:
            most (int): the largest number of attacks to show; None for all.

        Returns:
            docie.tables.Table: a row for each attack; `docie.tables.markdown` and `latex` print it.
        """
        columns = ["attack", "forms", "F1", "drop", "interval", "precision drop", "recall drop", "unchanged"]
        columns += [name.replace("_", " ").replace("iou", "IoU") for name in SHOWN_SEVERITIES]
        rows = [["none", _text(self.forms), _text(self.f1), *[""] * (len(columns) - 3)]]
        for row in self.attacks[:most]:
            severity = [row.severity.get(name) for name in SHOWN_SEVERITIES]
            cells = map(_text, (row.forms, row.f1, row.drop_f1))
            others = map(_text, (row.drop_precision, row.drop_recall, row.unchanged, *severity))
            rows.append([row.attack, *cells, _interval(row.drop_f1_interval), *others])
        return Table("form_robustness", columns, rows)

    def by_field(self) -> Table:
        """The drop of F1 of each field under each attack.

        Returns:
            docie.tables.Table: a row for each attack, the largest drop of any field first, and a column for each field.
            A dash stands where `field_drop` returns None.
        """
        rows = [["none", *(_text(row["f1"]) for row in self.per_entity.values())]]
        for each in self.attacks:
            drops = (self.field_drop(field, each.attack) for field in self.per_entity)
            rows.append([each.attack, *(NOTHING if drop is None else _text(drop) for drop in drops)])
        return Table("drop of F1 by field", ["attack", *self.per_entity], rows)

    def field_drop(self, field: str, attack: str, score: str = "f1") -> float | None:
        """The drop of a field's score under an attack.

        Args:
            field (str): the field.
            attack (str): the attack.
            score (str): "f1", "precision" or "recall".

        Returns:
            float: the drop; None if the forms of the attack do not have the field, or if the field is never correct
            there, with or without the attack: such a field is not robust, it has nothing to lose.
        """
        figures = self.per_entity[field]
        f1, drop = (figures.get(f"{name}_{attack}") for name in ("f1", "drop_f1"))
        return None if f1 is None or f1 == drop == 0 else figures[f"drop_{score}_{attack}"]

    def notes(self, *, by_field: bool = False) -> list[str]:
        """Notes for readers of the tables, one line each.

        Args:
            by_field (bool): include notes on the table by field.

        Returns:
            list of str: the attacks that are not applicable, and the meaning of a dash, if there is one.
        """
        notes = []
        names = [name for name in self.not_applicable if name.rpartition("@")[0] not in self.not_applicable]
        if names:
            notes.append(f"not applicable: {', '.join(names)} (nothing to change in these forms)")
        if by_field and any(NOTHING in row for row in self.by_field().rows):
            notes.append(f"{NOTHING} the field is never correct there, even without the attack, or not in these forms")
        return notes

    def of_family(self, family: str) -> Table:
        """The scores of another family.

        Args:
            family (str): its name.

        Returns:
            docie.tables.Table: a row for each attack and score.

        Raises:
            KeyError: if the run did not compute it.
        """
        rows = [["none", score, _text(row["value"]), "", ""] for score, row in self.families[family].items()]
        for result in self.attacks:
            for score, row in result.families[family].items():
                cells = _text(row["value"]), _text(row["drop"]), _interval(row["drop_interval"])
                rows.append([result.attack, score, *cells])
        return Table(family, _FAMILY_COLUMNS, rows, texts=2)

    def calibration(self) -> Table:
        """The quality of confidences, unattacked and under each attack.

        Returns:
            docie.tables.Table: a row for each attack, the largest drop of F1 first: the mean confidence, the share of
            correct values, the expected calibration error, the Brier score, the average precision of confidences, and
            coverage and precision at the threshold that was chosen on the unattacked forms, if there is one.

        Raises:
            ValueError: if the answers have no confidences.
        """
        if self.confidence is None:
            raise ValueError(NO_CONFIDENCES)
        names = {
            "values": "values",
            "mean_confidence": "mean confidence",
            "accuracy": "accuracy",
            "expected_calibration_error": "ECE",
            "brier_score": "Brier score",
            "average_precision": "average precision",
        }
        threshold = self.confidence["threshold"]
        if threshold is not None:
            names |= {"coverage": f"coverage at {brief(threshold)}", "precision": "precision there"}
        found = {"none": self.confidence, **{row.attack: row.confidence or {} for row in self.attacks}}
        rows = [[attack, *(_text(figures.get(name)) for name in names)] for attack, figures in found.items()]
        return Table("calibration", ["attack", *names.values()], rows)

    def to_json(self) -> JsonObject:
        """The report as plain JSON values, with `attacks` as a list of objects, and without examples."""
        plain = asdict(replace(self, examples=()))
        del plain["examples"]
        return {**plain, "worst_drop": self.worst_drop}

    def __str__(self) -> str:
        """The table, for a terminal."""
        return "\n\n".join([markdown(self.table()), *self.notes()])


def _text(value: float | None) -> str:
    return "" if value is None else number(value)


def _interval(bounds: list[float] | None) -> str:
    return "" if bounds is None else " – ".join(map(number, bounds))


LEAST_FORMS = 20
"""With fewer forms, an interval says too little about other forms."""


def is_clear(row: UnderAttack, score: str = "f1") -> bool:
    """Whether a drop is significant: its interval is above 0, with 20 forms or more.

    If all forms drop by the same amount, there is no interval, and the drop counts as significant.

    Args:
        row (UnderAttack): the scores under an attack.
        score (str): "f1", "precision" or "recall".

    Returns:
        bool: whether it is significant.

    >>> from docie.robustness.form import Field, Page, Word
    >>> from docie.robustness import run
    >>> forms = [Page([Word("Total"), Word(str(number))], [Field("total", (1,), (0,))]) for number in range(20)]
    >>> def last_word(forms):
    ...     return [{"total": form.words[-1].text} if len(form.words) > 1 else {} for form in forms]
    >>> [is_clear(run(last_word, some, attacks=["key_drop"])["key_drop"]) for some in (forms, forms[1:])]
    [True, False]
    """
    drop, interval = getattr(row, f"drop_{score}"), getattr(row, f"drop_{score}_interval")
    return bool(row.forms >= LEAST_FORMS and drop > 0 and (interval is None or interval[0] > 0))


def singles(report: RobustnessReport) -> list[UnderAttack]:
    """The single attacks, without those at further strengths.

    Args:
        report (RobustnessReport): the result of `run`.

    Returns:
        list of UnderAttack: the largest drop of F1 first.

    >>> from docie.robustness.form import Page, Word
    >>> from docie.robustness import run
    >>> forms, attacks = [Page([Word("4.50")])], ["bg_drop", ["bg_drop", "bg_typo"]]
    >>> report = run(lambda forms: [{}] * len(forms), forms, attacks=attacks, strengths=[0.5])
    >>> [row.attack for row in report.attacks], [row.attack for row in singles(report)]
    (['bg_drop', 'bg_drop@0.5', 'bg_drop+bg_typo'], ['bg_drop'])
    """
    return [row for row in report.attacks if len(row.parts) == 1 and _name(row) == row.attack]


def main_attacks(report: RobustnessReport) -> list[UnderAttack]:
    """The attacks that a report is about: those that stand by themselves, if there are any."""
    return singles(report) or report.attacks


def combined(report: RobustnessReport, size: int | None = None) -> list[UnderAttack]:
    """The combinations of attacks.

    Args:
        report (RobustnessReport): the result of `run`.
        size (int): 2 for pairs, 3 for triples; None for all.

    Returns:
        list of UnderAttack: the largest drop of F1 first.

    >>> from docie.robustness.form import Page, Word
    >>> from docie.robustness import run
    >>> report = run(lambda forms: [{}] * len(forms), [Page([Word("4.50")])], attacks=[["bg_drop", "bg_typo"]])
    >>> [row.attack for row in combined(report, 2)], combined(report, 3)
    (['bg_drop+bg_typo'], [])
    """
    return [row for row in report.attacks if len(row.parts) > 1 and size in (None, len(row.parts))]


def sweeps(report: RobustnessReport) -> dict[str, list[UnderAttack]]:
    """The attacks with several strengths.

    Args:
        report (RobustnessReport): the result of `run`.

    Returns:
        dict: from the name of each such attack to its rows, the weakest first. The attack with the largest drop comes
            first.

    >>> from docie.robustness.form import Page, Word
    >>> from docie.robustness import run
    >>> report = run(lambda forms: [{}], [Page([Word("4.50")])], attacks=["bg_drop"], strengths=[2, 0.5])
    >>> {name: [row.strength for row in rows] for name, rows in sweeps(report).items()}
    {'bg_drop': [0.5, 1.0, 2.0]}
    """
    by_name: dict[str, list[UnderAttack]] = {}
    for row in report.attacks:
        by_name.setdefault(_name(row), []).append(row)
    return {
        name: sorted(rows, key=lambda row: row.strength)
        for name, rows in by_name.items()
        if len({row.strength for row in rows}) > 1
    }


def _name(row: UnderAttack) -> str:
    """The name of the attack, without the strength after it: bg_drop for bg_drop@0.5."""
    return row.attack.removesuffix(f"@{row.strength:g}")
