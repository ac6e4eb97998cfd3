"""What a comparison found, in words: which systems are better than the baseline, and why star and interval differ."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from docie.comparison.comparing import gain_of
from docie.comparison.results import Compared, Comparison, values_of
from docie.core.family import family_of
from docie.core.phrases import enumerated, figure
from docie.core.scores import rounded, score_of, tenths

MOST_SENTENCES = 2
"""More systems than that share a sentence."""


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
    """A sentence on the baseline and other systems, and its sign: "▲" for better, "▼" for worse, "○" for neither."""

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
    """What the tests say of the baseline and each other system, and which systems may be the best.

    Args:
        results (dict): what `compare` returns.

    Returns:
        iterator of Verdict: sentences, for each score in turn.
    """
    for standings in standings_of(results):
        rows = standings.rows
        if len(rows) > 1:
            yield _best(standings, results["ranks"][standings.score])
        for sign in (1, -1):
            separated = [row for row in rows if row["significant"] and sign * gain_of(row, row["difference"]) > 0]
            yield from _separated(separated, sign)
        if alike := [row for row in rows if not row["significant"]]:
            yield _alike(alike, are_all=len(alike) == len(rows) > 1)


def _best(standings: Standings, letters: Mapping[str, str]) -> Verdict:
    """The system with the best score, and whether the tests separate it from others."""
    best, *others = letters
    ties = [name for name in others if {*letters[name]} & {*letters[best]}]
    told = f"{enumerated(ties)} cannot be told from it" if ties else "it is separated from all others"
    told = "no other can be told from it" if len(ties) == len(others) else told
    told = "" if ties and best == standings.baseline else f"; {told}"  # then it is said below
    return Verdict("", f"{best} has the best {standings.score}{told}.")


def _separated(rows: list[Comparison], sign: int) -> Iterator[Verdict]:
    """The systems that are better than the baseline, or worse: a sentence for each of two, or one for more."""
    word, mark = ("better", "▲") if sign > 0 else ("worse", "▼")
    for row in rows if len(rows) <= MOST_SENTENCES else ():
        said = f"{row['b']} is {word} than {row['a']}: {row['score']} {_shown(row['value_b'])} against "
        said += f"{_shown(row['value_a'])}, difference {_shown(row['difference'], '+')}"
        if row["interval"] is not None:
            said += f" ({' to '.join(_shown(bound, '+') for bound in row['interval'])})"
        yield Verdict(mark, f"{said}, p {figure(row['p_value_holm'])}.")
    if len(rows) > MOST_SENTENCES:
        between = _between([abs(row["difference"]) for row in rows], rows[0]["score"])
        yield Verdict(mark, f"{enumerated(row['b'] for row in rows)} are {word} than {rows[0]['a']} by {between}.")


def _alike(rows: list[Comparison], *, are_all: bool) -> Verdict:
    """The systems that no test separates from the baseline, and which differences would have been found."""
    score = rows[0]["score"]
    others = "No other system" if are_all else enumerated(row["b"] for row in rows)
    said = f"{others} can{'' if are_all else 'not'} be told from {rows[0]['a']}"
    if len(rows) == 1:
        said += f" by {score} (p {figure(rows[0]['p_value_holm'])})"
    if least := [row["smallest_difference"] for row in rows if row["smallest_difference"] is not None]:
        said += f". A difference of {_between(least, score)} would have been found with a chance of 80 %"
    elif any(row["interval"] is not None for row in rows):  # a spread, and yet no smallest difference
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


def _between(values: list[float], score: str) -> str:
    """The smallest and the largest of some differences, with the name of the score."""
    return " to ".join(dict.fromkeys(map(_shown, (min(values), max(values))))) + f" in {score}"


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
