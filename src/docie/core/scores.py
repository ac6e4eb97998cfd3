"""The meaning of scores: every number in the results of a family has one entry in its `SCORES`.

Tables, comparisons, ranks, intervals, plots and reports look up there which values are better and what kind of number a
score is. Nothing is guessed from a name.

"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, NamedTuple, Protocol

from docie.core.errors import with_close_names

Better = Literal["higher", "lower", "neither"]
Kind = Literal["share", "documents", "rate", "difference", "count", "length", "cost"]


@dataclass(frozen=True)
class Score:
    """The meaning of a score.

    Attributes:
        name (str): its key in results, or a pattern, in which `<...>` stands for any text: "f1_<attack>".
        better (str): which values are better: "higher", "lower" or "neither".
        kind (str): the kind of number:

            * "share": a fraction between 0 and 1 by definition, such as an F1 score;
            * "documents": a share of whole documents: the mean over documents of 0 or 1;
            * "rate": errors divided by the number of reference items, which may exceed 1;
            * "difference": one share minus another, which may be negative;
            * "count": a whole number, which grows with the corpus;
            * "length": a number of characters, as a mean;
            * "cost": a sum or a mean in the user's unit, such as minutes.
        meaning (str): what it measures, in one sentence.
        headline (bool): whether it is the score that is shown and compared first. A family has exactly one.
        part_of (str): the score that it is a component of, as precision and recall are of an F1 score; None for none.
            Short tables leave components out.

    >>> Score("f1_<attack>", "higher", "share", "F1 score of the forms under an attack.").names("f1_key_drop")
    True
    """

    name: str
    better: Better
    kind: Kind
    meaning: str
    headline: bool = False
    part_of: str | None = None

    def names(self, key: str) -> bool:
        """Whether a key of results is this score's name, or matches its pattern."""
        if "<" not in self.name:
            return key == self.name
        start, _, rest = self.name.partition("<")
        end = rest.partition(">")[2]
        return key.startswith(start) and key.endswith(end) and len(key) > len(start) + len(end)


class Headline(NamedTuple):
    """A score that is said first, and what it means, in the numbers of the documents."""

    score: str
    sentence: str


class Scored(Protocol):
    """An object that declares scores: a family."""

    @property
    def NAME(self) -> str: ...  # noqa: N802 - a constant of the module
    @property
    def SCORES(self) -> tuple[Score, ...]: ...  # noqa: N802


COMMON = (
    Score("documents", "neither", "count", "Number of documents."),
    Score("invalid_predictions", "lower", "count", "Number of predictions that could not be read."),
)
"""The numbers in the results of every family."""


def score_of(family: Scored, key: str) -> Score:
    """The meaning of a number in the results of a family.

    Args:
        family (module): a family of metrics, such as `docie.kieval`.
        key (str): the number's key: in the results, or in a row of one of their tables.

    Returns:
        Score: its entry in the family's `SCORES`.

    Raises:
        ValueError: if the key has no entry, or if the family declares no `SCORES`.

    >>> from docie import form_robustness
    >>> score_of(form_robustness, "f1_x_cer").better, score_of(form_robustness, "drop_f1_x_cer").better
    ('higher', 'lower')
    """
    scores = (*declared(family), *COMMON)
    for score in scores:
        if score.names(key):
            return score
    known = [score.name for score in scores]
    raise ValueError(f"unknown score {with_close_names([key], known)}, expected one of: {', '.join(known)}")


def is_better_low(family: Scored, key: str) -> bool:
    """Whether lower values of a score are better. Raises ValueError if neither are, or as `score_of`.

    >>> from docie import form_robustness
    >>> is_better_low(form_robustness, "worst_drop"), is_better_low(form_robustness, "f1")
    (True, False)
    """
    better = score_of(family, key).better
    if better == "neither":
        raise ValueError(f"{key} cannot be compared: neither higher nor lower values are better")
    return better == "lower"


def main_of(family: Scored, keys: Iterable[str]) -> str:
    """The most important of some scores: the headline or, if it is not among them, one that is not part of another.

    >>> from docie import hed
    >>> main_of(hed, ["hed_f1", "uhed_f1"]), main_of(hed, ["hed_precision_micro", "hed_f1_micro"])
    ('uhed_f1', 'hed_f1_micro')
    """
    keys = list(keys)
    headline = headline_of(family)
    whole = (key for key in keys if (score := score_of(family, key)).part_of is None and score.better != "neither")
    return headline if headline in keys else next(whole)


def headline_of(family: Scored) -> str:
    """The score of a family that is shown and compared first.

    Args:
        family (module): a family of metrics.

    Returns:
        str: its name.

    Raises:
        ValueError: if the family declares no `SCORES`, or no headline among them.

    >>> from docie import kieval
    >>> headline_of(kieval)
    'entity_f1'
    """
    for score in declared(family):
        if score.headline:
            return score.name
    raise ValueError(f"no score in {family.NAME}.SCORES is the headline, one must be")


def declared(family: Scored) -> tuple[Score, ...]:
    """The `SCORES` of a family.

    Args:
        family (module): a family of metrics.

    Returns:
        tuple of Score: the declared scores.

    Raises:
        ValueError: if the family declares none.
    """
    scores: tuple[Score, ...] | None = getattr(family, "SCORES", None)
    if scores is None:
        name = getattr(family, "NAME", family)
        raise ValueError(f"family {name!r} must declare SCORES, a tuple of docie.core.scores.Score with their meaning")
    return scores


_NOISE = 1e-12
"""The rounding of floats."""


def rounded(value: float, digits: int = 4, *, whole: float = 1.0, flags: str = "") -> str:
    """A number with some decimals. Only 0 is shown as 0, and only the whole as the whole.

    If rounding would hide that, the last digit is one off: 0.99999 is shown as 0.9999.

    Args:
        value (float): the number.
        digits (int): the number of decimals.
        whole (float): the largest value: 1 for a share, 100 for a percentage, infinity for a number without a limit.
        flags (str): the part of a format specification before its point: "+" for a sign, "," between thousands.

    Returns:
        str: the number as text.

    >>> rounded(2 / 3), rounded(1.0), rounded(19_999 / 20_000), rounded(1e-5), rounded(-1e-5), rounded(1.00001)
    ('0.6667', '1.0000', '0.9999', '0.0001', '-0.0001', '1.0001')
    >>> rounded(99.96, 1, whole=100), rounded(0.1 + 0.2 - 0.3), rounded(1234.56, 1, whole=math.inf, flags=",")
    ('99.9', '0.0000', '1,234.6')
    """
    value = float(value)
    for limit in (0.0, whole, -whole) if math.isfinite(whole) else (0.0,):
        if abs(value - limit) <= _NOISE * max(1.0, abs(limit)):
            value = limit  # a sum of floats that should be 1 is 0.9999999999999999
        elif round(value, digits) == limit:
            value = limit + math.copysign(10.0**-digits, value - limit)
    return f"{value:{flags}.{digits}f}"


def tenths(value: float, *, whole: float = 100, flags: str = "") -> str:
    """A number with one decimal, or its first digit where that would be 0. Only the whole is shown as the whole.

    >>> tenths(99.96), tenths(7.25, flags="+"), tenths(0.0312), tenths(0.0)
    ('99.9', '+7.2', '0.03', '0.0')
    """
    return f"{value:{flags}.1g}" if 0 < abs(value) < 0.05 else rounded(value, 1, whole=whole, flags=flags)
