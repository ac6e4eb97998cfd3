"""What the report of form attacks says, section by section, as plain data: no HTML, and no files."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterator, Sequence

from docie._version import __version__
from docie.robustness import AttackResult, RobustnessReport
from docie.robustness.result import LEAST_FORMS, combined, is_clear, singles, sweeps
from docie.show import tables
from docie.show.report.content import Headline
from docie.show.report.robustness.examples import Example
from docie.show.report.wording import Facts, Share, counted, percent

MOST_ROWS = 300
"""The rows that a table shows at most."""
MOST_COMBINATIONS = 10
MOST_NAMES = 6
"""The attacks that the sentence names at most."""
SIZES = {2: "pairs of attacks", 3: "triples of attacks"}


class Robustness:
    """The sections of the report of form attacks.

    Args:
        results (RobustnessReport): what `robustness.run` gave.
        facts (Facts): how the figures were made; `references` stands for the forms, `predictions` for the model.
        examples (list of Example): forms that are shown.

    >>> from docie import robustness
    >>> from docie.robustness.form import Field, Form, Word
    >>> forms = [Form([Word("Total"), Word(str(number))], [Field("total", (1,), (0,))]) for number in range(9)]
    >>> def last_word(forms):
    ...     return [{"total": form.words[-1].text} if len(form.words) > 1 else {} for form in forms]
    >>> Robustness(robustness.run(last_word, forms, attacks=["bg_typo", "key_drop"]), Facts()).sentence
    'Of 2 attacks on 9 forms, key_drop costs most: F1 falls from 100.0 % to 0.0 %; 9 forms are too few to tell a drop from chance.'
    """  # noqa: E501

    def __init__(self, results: RobustnessReport, facts: Facts, examples: Sequence[Example] = ()) -> None:
        self.results, self.facts, self.examples = results, facts, examples
        self.version, self.most_rows = __version__, MOST_ROWS
        self.rows = singles(results) or results.attacks
        """The attacks that the sentence is about: those that stand by themselves, if there are any."""

    @property
    def level(self) -> str:
        """The level of the intervals in per cent."""
        return f"{100 * self.results.confidence_level:g} %"

    @property
    def worst(self) -> list[AttackResult]:
        """The attack that costs most, and those that cost as much."""
        return [row for row in self.rows if math.isclose(row.drop_f1, self.rows[0].drop_f1, abs_tol=1e-9)]

    @property
    def judged(self) -> list[AttackResult]:
        """The attacks on enough forms to tell a drop from chance."""
        return [row for row in self.rows if row.forms >= LEAST_FORMS]

    @property
    def clear(self) -> list[AttackResult]:
        """Those of them whose whole interval is above 0."""
        return [row for row in self.judged if is_clear(row)]

    @property
    def sentence(self) -> str:
        """What was found."""
        forms, f1 = counted(self.results.forms, "form"), Share(self.results.f1).text
        if not self.rows:
            done = (
                f"No attack applies to the {forms}" if self.results.not_applicable else f"The {forms} were not attacked"
            )
            return f"{done}; F1 is {f1}."
        if not self.results.f1 and all(row.f1 == row.drop_f1 == 0 for row in self.rows):
            return f"F1 is {f1} on {forms} even without an attack, so no attack can lower it."
        worst, number = self.rows[0], counted(len(self.rows), "attack")
        if worst.drop_f1 <= 0:
            return f"None of {number} lowers F1 from {f1} on {forms}."
        return f"Of {number} on {forms}, {self._worst_in_words()}; {self._clear_in_words()}."

    def _worst_in_words(self) -> str:
        """Which attack costs most, or which ones cost equally much, and how much."""
        worst, tied = self.rows[0], self.worst
        names = f"{_names(tied)} {'cost' if len(tied) > 1 else 'costs'} most"
        if any(row.forms < self.results.forms for row in tied) and len(tied) > 1:
            return f"{names}: F1 falls by {percent(worst.drop_f1)} points"
        on = f" on the {counted(worst.forms, 'form')} that it applies to" if worst.forms < self.results.forms else ""
        before = Share(min(1.0, worst.f1 + worst.drop_f1)).text
        where = self._where(worst) if len(tied) == 1 else ""
        return f"{names}: F1 falls from {before} to {Share(worst.f1).text}{on}{where}"

    def _where(self, row: AttackResult) -> str:
        """The field that loses most under an attack; nothing if there is one field only."""
        losses = {field: self.results.field_drop(field, row.attack) or 0.0 for field in self.results.per_entity}
        if len(losses) < 2:
            return ""
        field = max(losses, key=lambda name: losses[name])
        after = self.results.per_entity[field][f"f1_{row.attack}"]
        before = min(1.0, after + losses[field])  # rounding may have made it more
        return f", and most of all in {field}, from {Share(before).text} to {Share(after).text}"

    def _clear_in_words(self) -> str:
        """Which drops are more than an accident of these forms."""
        if not self.judged:
            most = counted(max(row.forms for row in self.rows), "form")
            return f"{most} {'is' if most == '1 form' else 'are'} too few to tell a drop from chance"
        if not self.clear:
            said = f"no {self.level} interval of a drop lies above 0"
        elif len(self.clear) == len(self.rows):
            said = f"the {self.level} interval of {'every' if len(self.clear) > 1 else 'this'} drop lies above 0"
        else:
            said = f"the {self.level} interval of the drop lies above 0 under {_names(self.clear)} only"
        few = [row for row in self.rows if row.forms < LEAST_FORMS]
        applies = "apply" if len(few) > 1 else "applies"
        return said + (f"; {_names(few)} {applies} to too few forms to tell" if few else "")

    def headlines(self) -> list[Headline]:
        """The figures to begin with."""
        return [*_headlines(self)]

    def attacks(self) -> tables.Table:
        """The attacks by themselves, or all rows if there are combinations only."""
        return self._part(self.rows[:MOST_ROWS]).table()._replace(title="drop by attack")

    def fields(self) -> tables.Table:
        """The drop of each field under each attack."""
        return self._part(self.rows[:MOST_ROWS]).by_field()

    def combinations(self) -> list[tuple[int, tables.Table]]:
        """The worst combinations by the number of attacks that they combine."""
        found = []
        for size in sizes(self.results):
            rows = combined(self.results, size)
            title = f"the worst {name_of_size(size)} of {len(rows):,}"
            table = self._part(rows[:MOST_COMBINATIONS]).table()._replace(title=title)
            cells = [[name.replace("+", " + "), *others] for name, *others in table.rows]  # lines break at blanks
            found.append((size, table._replace(rows=cells)))
        return found

    def strengths(self) -> tables.Table | None:
        """The drop at each strength; None unless an attack was made at several."""
        found = sweeps(self.results)
        strengths = sorted({row.strength for rows in found.values() for row in rows})
        cells = []
        for name, rows in [*found.items()][:MOST_ROWS]:
            drops = {row.strength: tables.number(row.drop_f1) for row in rows}
            cells.append([name, *(drops.get(strength, "") for strength in strengths)])
        columns = ["attack", *(f"{strength:g}" for strength in strengths)]
        return tables.Table("drop of F1 by strength", columns, cells) if cells else None

    def calibration(self) -> tables.Table | None:
        """What confidences are worth before and after; None without confidences."""
        return None if self.results.confidence is None else self._part(self.rows[:MOST_ROWS]).calibration()

    def families(self) -> list[tables.Table]:
        """The scores of other families."""
        part = self._part(self.rows[:MOST_ROWS])
        return [part.of_family(name) for name in part.families]

    def notes(self) -> list[str]:
        """What a reader of the tables should know."""
        return self._part(self.rows[:MOST_ROWS]).notes(by_field=True)

    def _part(self, rows: Sequence[AttackResult]) -> RobustnessReport:
        """The results with these rows only, whose tables the report shows."""
        return dataclasses.replace(self.results, attacks=[*rows])


def _names(rows: Sequence[AttackResult]) -> str:
    """The names of attacks in a sentence."""
    names = [row.attack for row in rows]
    *first, last = names if len(names) <= MOST_NAMES else [*names[:MOST_NAMES], f"{len(names) - MOST_NAMES} more"]
    return f"{', '.join(first)} and {last}" if first else last


def sizes(results: RobustnessReport) -> list[int]:
    """How many attacks its combinations combine."""
    return sorted({len(row.parts) for row in combined(results)})


def name_of_size(size: int) -> str:
    """How to speak of combinations of so many attacks."""
    return SIZES.get(size, f"combinations of {size} attacks")


def _headlines(page: Robustness) -> Iterator[Headline]:
    results = page.results
    precision, recall = Share(results.precision).text, Share(results.recall).text
    yield Headline(
        "F1 without attack",
        Share(results.f1).text,
        "",
        f"The mean over {counted(len(results.per_entity), 'field')} (macro average); "
        f"precision {precision}, recall {recall}.",
    )
    if not page.rows:
        return
    worst = page.rows[0]
    interval = " – ".join(map(percent, worst.drop_f1_interval or ()))
    yield Headline("Largest drop", f"{percent(worst.drop_f1)} points", interval, f"Under {_names(page.worst)}.")
    yield Headline(
        "Drops above 0",
        f"{len(page.clear)} of {len(page.judged)}" if page.judged else "–",
        "",
        f"Attacks whose whole {page.level} interval is above 0, of those on {LEAST_FORMS} forms or more.",
    )
    if unchanged := [row for row in page.rows if row.unchanged is not None]:
        least = min(row.unchanged or 0.0 for row in unchanged)
        attacks = _names([row for row in unchanged if row.unchanged == least])
        yield Headline(
            "Answers that stay",
            Share(least).text,
            "",
            f"Of the forms under {attacks}, where the fewest answers stay as they were.",
        )
