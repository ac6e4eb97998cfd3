"""The tables of `attack_layoutlm.py`: what attacks cost, beside the figures of the paper (Xue et al., 2021).

Drops and F1 are in points: the mean over seeds, with the lowest and the highest.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from docie.robustness import RobustnessReport, UnderAttack
from docie.show.tables import Table, markdown

PAPER = {
    "value_text_augment": "15.5", "global_shuffle": "14.1", "value_location_augment": "11.2", "key_drop": "10.9",
    "neighbor_bg_drop": "about 9", "neighbor_shuffle": "about 6", "non_neighbor_shuffle": "about 4",
    "margin_pad": "slight", "bg_drop": "slight", "bg_synonyms": "negligible", "center_shift": "none",
    "box_stretch": "none", "bg_typo": "2.4 of recall", "bg_adversarial": "4.7 of precision",
}  # fmt: skip
"""The drops of F1 in points that the paper's text gives for LayoutLM on its invoices, where F1 is 70.0."""
PAPER_F1 = {"plain": "70.0", "shuffled": "58.7"}
"""The paper's F1 by the order of words in training."""
PAPER_TRIPLES = {
    "value_text_augment+value_location_augment+global_shuffle": "1st, F1 25.7",
    "value_text_augment+margin_pad+global_shuffle": "5th, F1 30.8",
    "neighbor_bg_drop+key_drop+neighbor_shuffle": "246th, F1 58.1",
}
"""The triples that the paper's text names."""
UNATTACKED = "none (F1)"
MOST = 10
"""How many combinations are shown, as in the paper's figure 3."""


class Equal(NamedTuple):
    """A model under attacks that are equally severe, and how strong each had to be."""

    report: RobustnessReport
    strength: dict[str, float]


class Attacked(NamedTuple):
    """A model under attacks as they are by default, and at each severity that was asked for."""

    report: RobustnessReport
    equal: dict[str, Equal]

    def to_json(self) -> dict[str, Any]:
        """All figures as plain JSON values."""
        equal = {name: {**each.report.to_json(), "strength": each.strength} for name, each in self.equal.items()}
        return {**self.report.to_json(), "equal_severity": equal}


def sections(found: Mapping[str, Sequence[Attacked]], sizes: Sequence[int]) -> list[str]:
    """What there is to print.

    Args:
        found: the models of each training, a model for each seed. Most tables are of the first training.
        sizes: of the combinations that were made.

    Returns:
        list of str: tables and sentences.
    """
    reports = {name: [each.report for each in seeds] for name, seeds in found.items()}
    name, first = next(iter(found.items()))
    shown = [markdown(beside_the_paper(reports[name])), *reports[name][0].notes()]
    if len(found) > 1:
        shown.append(markdown(by_training(reports)))
    shown += [markdown(at_equal_severity([each.equal[target] for each in first])) for target in first[0].equal]
    for size in sizes:
        shown += [deeper(reports[name], size), markdown(most_impactful(reports[name], size))]
    return shown


def points(values: Sequence[float]) -> list[str]:
    """The mean over seeds, and the lowest and the highest if there are several."""
    shown = [_rounded(value) for value in (statistics.fmean(values), min(values), max(values))]
    return [shown[0], f"{shown[1]} to {shown[2]}" if len(values) > 1 else ""]


def _rounded(value: float) -> str:
    """A share in points; never -0.0."""
    return f"{round(100 * value, 1) + 0.0:.1f}"


def singles(reports: Sequence[RobustnessReport]) -> list[str]:
    """The single attacks, the largest mean drop first."""
    return _sorted(reports, 1)


def _sorted(reports: Sequence[RobustnessReport], size: int) -> list[str]:
    """The attacks that combine so many, the largest mean drop first."""
    everywhere = set.intersection(*({row.attack for row in report.attacks} for report in reports))
    names = [name for name in everywhere if name.count("+") == size - 1]
    return sorted(names, key=lambda name: (-_mean(reports, name, lambda row: row.drop_f1), name))


def _mean(reports: Sequence[RobustnessReport], attack: str, figure: Callable[[UnderAttack], float]) -> float:
    return statistics.fmean(figure(report[attack]) for report in reports)


def _severity(reports: Sequence[RobustnessReport], attack: str, figure: str, digits: int) -> str:
    return f"{_mean(reports, attack, lambda row: row.severity[figure] or 0.0):.{digits}f}"


def beside_the_paper(reports: Sequence[RobustnessReport]) -> Table:
    """The single attacks, the largest drop first, beside the paper's drops."""
    rows = [[UNATTACKED, *points([report.f1 for report in reports]), "", "", "", "", PAPER_F1["plain"]]]
    for attack in singles(reports):
        unchanged = [row.unchanged for row in (report[attack] for report in reports) if row.unchanged is not None]
        rows.append(
            [
                attack,
                *points([report[attack].drop_f1 for report in reports]),
                f"{100 * statistics.fmean(unchanged):.0f} %" if unchanged else "",
                _severity(reports, attack, "mean_iou", 2),
                _severity(reports, attack, "edit_rate", 3),
                _severity(reports, attack, "reordered", 2),
                PAPER.get(attack, ""),
            ]
        )
    columns = ["attack", "drop of F1", "over seeds", "unchanged", "mean IoU", "edit rate", "reordered", "in the paper"]
    return Table("attacks", columns, rows)


def by_training(found: Mapping[str, Sequence[RobustnessReport]]) -> Table:
    """The drops of models that were trained differently, in the order of the first."""

    def cell(values: Sequence[float]) -> str:
        mean, seeds = points(values)
        return f"{mean} ({seeds})" if seeds else mean

    rows = [
        [attack, *(cell([report[attack].drop_f1 for report in reports]) for reports in found.values())]
        for attack in singles(next(iter(found.values())))
    ]
    f1 = [UNATTACKED, *(cell([report.f1 for report in reports]) for reports in found.values())]
    paper = ["none in the paper (F1)", *(PAPER_F1.get(name, "") for name in found)]
    return Table("trainings", ["attack", *found], [f1, paper, *rows])


def at_equal_severity(seeds: Sequence[Equal]) -> Table:
    """The attacks at one severity, the largest drop first."""
    reports = [each.report for each in seeds]
    rows = [
        [
            attack,
            *points([report[attack].drop_f1 for report in reports]),
            f"{statistics.fmean(each.strength[attack] for each in seeds):.2f}",
            _severity(reports, attack, "mean_iou", 2),
            _severity(reports, attack, "edit_rate", 3),
            _severity(reports, attack, "reordered", 2),
        ]
        for attack in singles(reports)
    ]
    columns = ["attack", "drop of F1", "over seeds", "strength", "mean IoU", "edit rate", "reordered"]
    return Table("equal severity", columns, rows)


def most_impactful(reports: Sequence[RobustnessReport], size: int) -> Table:
    """The combinations that cost most, then those that the paper names, each beside the worst of its attacks alone."""
    ranked = _sorted(reports, size)
    rows = []
    for rank, attack in enumerate(ranked, 1):
        if rank <= MOST or attack in PAPER_TRIPLES:
            drops = [report[attack].drop_f1 for report in reports]
            alone = max(_mean(reports, name, lambda row: row.drop_f1) for name in attack.split("+"))
            f1 = f"{100 * _mean(reports, attack, lambda row: row.f1):.1f}"
            rows.append([attack, str(rank), f1, *points(drops), f"{100 * alone:.1f}", PAPER_TRIPLES.get(attack, "")])
    columns = ["attacks", "rank", "F1", "drop of F1", "over seeds", "worst alone", "in the paper"]
    return Table(f"combinations of {size}", columns, rows)


def deeper(reports: Sequence[RobustnessReport], size: int) -> str:
    """How many combinations cost more than the worst attack alone."""
    worst = singles(reports)[0]
    drop = _mean(reports, worst, lambda row: row.drop_f1)
    names = _sorted(reports, size)
    number = sum(_mean(reports, name, lambda row: row.drop_f1) > drop for name in names)
    return f"{number} of {len(names)} combinations of {size} cost more than the worst attack alone ({worst})."
