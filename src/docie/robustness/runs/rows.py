"""The rows of a run by what they are: attacks by themselves, combinations, and attacks at several strengths."""

from __future__ import annotations

from docie.robustness.runs.result import AttackResult, RobustnessReport

LEAST_FORMS = 20
"""With fewer forms, an interval says too little of other forms."""


def is_clear(row: AttackResult, score: str = "f1") -> bool:
    """Whether a drop is more than an accident of these forms: its interval is above 0, on 20 forms or more.

    Where all forms fall alike, there is no interval, and the drop is clear.

    Args:
        row (AttackResult): the figures under an attack.
        score (str): "f1", "precision" or "recall".

    Returns:
        bool: whether it is.

    >>> from docie.robustness.form import Field, Form, Word
    >>> from docie.robustness import run
    >>> forms = [Form([Word("Total"), Word(str(number))], [Field("total", (1,), (0,))]) for number in range(20)]
    >>> def last_word(forms):
    ...     return [{"total": form.words[-1].text} if len(form.words) > 1 else {} for form in forms]
    >>> [is_clear(run(last_word, some, attacks=["key_drop"])["key_drop"]) for some in (forms, forms[1:])]
    [True, False]
    """
    drop, interval = getattr(row, f"drop_{score}"), getattr(row, f"drop_{score}_interval")
    return bool(row.forms >= LEAST_FORMS and drop > 0 and (interval is None or interval[0] > 0))


def singles(report: RobustnessReport) -> list[AttackResult]:
    """The attacks by themselves, without those at further strengths.

    Args:
        report (RobustnessReport): what `run` gave.

    Returns:
        list of AttackResult: the largest drop of F1 first.

    >>> from docie.robustness.form import Form, Word
    >>> from docie.robustness import run
    >>> forms, attacks = [Form([Word("4.50")])], ["bg_drop", ["bg_drop", "bg_typo"]]
    >>> report = run(lambda forms: [{}] * len(forms), forms, attacks=attacks, strengths=[0.5])
    >>> [row.attack for row in report.attacks], [row.attack for row in singles(report)]
    (['bg_drop', 'bg_drop@0.5', 'bg_drop+bg_typo'], ['bg_drop'])
    """
    return [row for row in report.attacks if len(row.parts) == 1 and _name(row) == row.attack]


def combined(report: RobustnessReport, size: int | None = None) -> list[AttackResult]:
    """The combinations of attacks.

    Args:
        report (RobustnessReport): what `run` gave.
        size (int): 2 for pairs, 3 for triples; None for all.

    Returns:
        list of AttackResult: the largest drop of F1 first.

    >>> from docie.robustness.form import Form, Word
    >>> from docie.robustness import run
    >>> report = run(lambda forms: [{}] * len(forms), [Form([Word("4.50")])], attacks=[["bg_drop", "bg_typo"]])
    >>> [row.attack for row in combined(report, 2)], combined(report, 3)
    (['bg_drop+bg_typo'], [])
    """
    return [row for row in report.attacks if len(row.parts) > 1 and size in (None, len(row.parts))]


def sweeps(report: RobustnessReport) -> dict[str, list[AttackResult]]:
    """The attacks that were made at several strengths.

    Args:
        report (RobustnessReport): what `run` gave.

    Returns:
        dict: from the name of each such attack to its rows, the weakest first. The attack that drops most comes first.

    >>> from docie.robustness.form import Form, Word
    >>> from docie.robustness import run
    >>> report = run(lambda forms: [{}], [Form([Word("4.50")])], attacks=["bg_drop"], strengths=[2, 0.5])
    >>> {name: [row.strength for row in rows] for name, rows in sweeps(report).items()}
    {'bg_drop': [0.5, 1.0, 2.0]}
    """
    by_name: dict[str, list[AttackResult]] = {}
    for row in report.attacks:
        by_name.setdefault(_name(row), []).append(row)
    return {
        name: sorted(rows, key=lambda row: row.strength)
        for name, rows in by_name.items()
        if len({row.strength for row in rows}) > 1
    }


def _name(row: AttackResult) -> str:
    """The name of the attack, without the strength behind it: bg_drop for bg_drop@0.5."""
    return row.attack.removesuffix(f"@{row.strength:g}")
