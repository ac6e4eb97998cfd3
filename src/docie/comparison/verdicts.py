"""What a comparison found, in words: which system is better, and why star and interval differ."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from docie.comparison.comparing import gain_of
from docie.comparison.results import Compared, Comparison, values_of
from docie.core.family import family_of
from docie.core.phrases import enumerated, figure
from docie.core.scores import rounded, score_of, tenths

MOST_NAMED = 3
"""More systems than that are worse without their names."""


class Standings(NamedTuple):
    """The systems by one score.

    Attributes:
        score: the score.
        baseline: the first system.
        values: from each system to its score, best first.
        ranks: from each system to the best and the worst rank that the tests leave to it.
        rows: the comparisons of the baseline with each other system, best first.
    """

    score: str
    baseline: str
    values: dict[str, float]
    ranks: dict[str, tuple[int, int]]
    rows: list[Comparison]


class Verdict(NamedTuple):
    """A sentence on the systems, and its sign. Of two, "▲" for better, "▼" for worse, "○" for neither; else none."""

    sign: str
    text: str


def standings_of(results: Compared) -> Iterator[Standings]:
    """The systems by each score.

    Args:
        results (dict): what `compare` returns.

    Returns:
        iterator of Standings: one for each score.

    >>> row = {"score": "f1", "a": "x", "b": "y", "value_a": 0.5, "value_b": 0.6, "significant": True}
    >>> results = {"ranks": {"f1": {"y": "a", "x": "b"}}, "comparisons": [row]}
    >>> [(found.baseline, found.values, found.ranks) for found in standings_of(results)]
    [('x', {'y': 0.6, 'x': 0.5}, {'y': (1, 1), 'x': (2, 2)})]
    """
    for score, letters in results["ranks"].items():
        rows = [row for row in results["comparisons"] if row["score"] == score]
        first, values = rows[0]["a"], values_of(rows)
        order, better, worse = [*letters], Counter[str](), Counter[str]()
        for row in rows:
            if row["significant"]:
                winner, loser = sorted((row["a"], row["b"]), key=order.index)
                better[loser] += 1
                worse[winner] += 1
        yield Standings(
            score,
            first,
            {name: values[name] for name in order},
            {name: (1 + better[name], len(order) - worse[name]) for name in order},
            sorted((row for row in rows if row["a"] == first), key=lambda row: order.index(row["b"])),
        )


def verdicts(results: Compared) -> Iterator[Verdict]:
    """What the tests say: of two systems, whether the second is better or worse; of more, which may be the best.

    Args:
        results (dict): what `compare` returns.

    Returns:
        iterator of Verdict: one for each score.
    """
    for standings in standings_of(results):
        if len(standings.rows) > 1:
            yield _of_many(standings, results["comparisons"])
        else:
            [row] = standings.rows
            yield _of_two(row) if row["significant"] else _alike(row)


def _of_many(standings: Standings, comparisons: Iterable[Comparison]) -> Verdict:
    """The best of several systems, those that no test separates from it, and the others."""
    best, *others = standings.values
    tests = {frozenset((row["a"], row["b"])): row for row in comparisons if row["score"] == standings.score}
    rows = {name: tests[frozenset((best, name))] for name in others}
    ties = [name for name in others if not rows[name]["significant"]]
    worse = [name for name in others if rows[name]["significant"]]
    told = [f"{best} is best: {standings.score} {_shown(standings.values[best])}"]
    if ties:
        p_values = [rows[name]["p_value_holm"] for name in ties]
        p = " to ".join(dict.fromkeys(map(figure, (min(p_values), max(p_values)))))
        told.append(f"{f'{enumerated(ties)} cannot' if worse else 'no other can'} be told from it (p {p})")
    if worse:
        rest = enumerated(worse) if len(worse) <= MOST_NAMED else f"the other {len(worse)}"
        told.append(f"{rest if ties else 'all others'} {'is' if len(worse) == 1 else 'are'} worse")
    return Verdict("", f"{'; '.join(told)}.")


def _of_two(row: Comparison) -> Verdict:
    """The second of two systems is better than the first, or worse."""
    word, mark = ("better", "▲") if gain_of(row, row["difference"]) > 0 else ("worse", "▼")
    said = f"{row['b']} is {word} than {row['a']}: {row['score']} {_shown(row['value_b'])} against "
    said += f"{_shown(row['value_a'])}, difference {_shown(row['difference'], '+')}"
    if row["interval"] is not None:
        said += f" ({' to '.join(_shown(bound, '+') for bound in row['interval'])})"
    return Verdict(mark, f"{said}, p {figure(row['p_value_holm'])}.")


def _alike(row: Comparison) -> Verdict:
    """No test separates two systems; which difference would have been found."""
    said = f"{row['b']} cannot be told from {row['a']} by {row['score']} (p {figure(row['p_value_holm'])})"
    if (least := row["smallest_difference"]) is not None:
        said += f". A difference of {_shown(least)} in {row['score']} would have been found with a chance of 80 %"
    elif row["interval"] is not None:  # a spread, and yet no smallest difference
        said += ". No difference could have been found: so few units have no p-value that is small enough"
    return Verdict("○", f"{said}.")


def name_of(score: str) -> str:
    """A score's name in a sentence.

    >>> name_of("entity_f1")
    'entity F1'
    """
    return score.replace("_", " ").replace("f1", "F1")


def in_points(score: str, results: Mapping[str, Any]) -> bool:
    """Whether differences of a score are shown in points, hundredths of 1: those of shares and rates are."""
    try:
        return score_of(family_of(results), score).kind in ("share", "documents", "rate", "difference")
    except ValueError:  # a family of the user's own
        return False


def amount(value: float, score: str, results: Mapping[str, Any], *, flags: str = "+") -> str:
    """A difference of a score, in points if it is a share or a rate. Nothing but 0 is shown as 0.

    >>> results = {"signature": "kieval|version:1"}
    >>> amount(-0.0845, "entity_f1", results), amount(0.00012, "entity_f1", results), amount(77, "corrections", results)
    ('-8.5', '+0.01', '+77')
    """
    if isinstance(value, int):
        return f"{value:{flags},}"
    return tenths(100 * value, flags=flags) if in_points(score, results) else tenths(value, whole=math.inf, flags=flags)


def _shown(value: float, flags: str = "") -> str:
    """A score or a difference as tables show it; of whole numbers, none has a fraction."""
    return rounded(value, flags=flags) if isinstance(value, float) else f"{value:{flags},}"


def disagreement(row: Comparison, results: Compared) -> str:
    """Why the test of a comparison and the interval beside it say different things; empty if they agree.

    Args:
        row (dict): one of the `comparisons` of `compare`.
        results (dict): what `compare` returns.

    Returns:
        str: a sentence or two.

    >>> row = {"interval": [0.1, 0.9], "significant": False, "p_value": 0.04, "p_value_holm": 0.12}
    >>> disagreement(row, {"confidence_level": 0.95, "holm": {"comparisons": "3 comparisons: 3 pairs of systems"}})
    'The interval excludes 0, yet the test finds no difference: interval and p 0.0400 are of this pair alone, ...'
    """
    interval = row["interval"]
    if interval is None or row["significant"] == (interval[0] > 0 or interval[1] < 0):
        return ""
    if row["significant"]:
        return (
            "The interval includes 0, yet the test finds a difference: the test swaps whole documents, and the "
            "interval is an approximation from their spread. The test decides."
        )
    p, tests = figure(row["p_value"]), results["holm"]["comparisons"].partition(":")[0]
    if row["p_value"] <= round(1 - results["confidence_level"], 12):
        return (
            f"The interval excludes 0, yet the test finds no difference: interval and p {p} are of this pair alone, "
            f"and p corrected for {tests} is {figure(row['p_value_holm'])}. The corrected test decides."
        )
    return (
        f"The interval excludes 0, yet the test finds no difference: the test, which swaps whole documents, has p {p}; "
        "the interval is an approximation from their spread, too narrow with few documents. The test decides."
    )
