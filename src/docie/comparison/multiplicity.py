"""Several tests at once: corrected p-values, and letters that say which systems no test separates."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from string import ascii_letters


def holm(p_values: Sequence[float]) -> list[float]:
    """p-values corrected for all tests of a table: the chance of any false finding among them stays below the level.

    Source: Holm, "A simple sequentially rejective multiple test procedure" (1979): the smallest of m is multiplied by
    m, the next by m - 1, and none falls below one before it.

    >>> [round(value, 4) for value in holm([0.01, 0.04, 0.03, 0.005])]
    [0.03, 0.06, 0.06, 0.02]
    """
    corrected = [0.0] * len(p_values)
    least = 0.0
    for rank, place in enumerate(sorted(range(len(p_values)), key=lambda place: p_values[place])):
        least = max(least, min(1.0, (len(p_values) - rank) * p_values[place]))
        corrected[place] = least
    return corrected


def letters(systems: Sequence[str], separated: Collection[tuple[str, str]]) -> dict[str, str]:
    """Letters for systems: two share a letter if and only if no test separates them.

    Source: the insert-and-absorb algorithm of Piepho, "An algorithm for a letter-based representation of all-pairwise
    comparisons" (2004).

    Args:
        systems: the names, best first.
        separated: the pairs that a test separates.

    Returns:
        From each system to its letters, in the order of the systems. The best one has an "a".

    >>> letters(["x", "y", "z"], [("x", "z")])
    {'x': 'a', 'y': 'ab', 'z': 'b'}
    """
    groups = [frozenset(systems)]
    for one, other in separated:
        split = [group - {name} for group in groups if {one, other} <= group for name in (one, other)]
        groups = _largest([group for group in groups if not {one, other} <= group] + split)
    place = {name: number for number, name in enumerate(systems)}
    groups.sort(key=lambda group: sorted(place[name] for name in group))
    signs = [*ascii_letters, *(f"[{number}]" for number in range(len(ascii_letters), len(groups)))]
    return {
        name: "".join(sign for sign, group in zip(signs, groups, strict=False) if name in group) for name in systems
    }


def _largest(groups: Collection[frozenset[str]]) -> list[frozenset[str]]:
    """The groups that no other one holds, each once."""
    distinct = dict.fromkeys(groups)
    return [group for group in distinct if not any(group < other for other in distinct)]
