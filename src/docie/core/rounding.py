"""How a number is shown: what is not all, or not nothing, never looks so."""

from __future__ import annotations

import math

_NOISE = 1e-12
"""The rounding of floats."""


def rounded(value: float, digits: int = 4, *, whole: float = 1.0, flags: str = "") -> str:
    """A number to some digits behind the point. What is not 0, nor the whole, is never shown as if it were.

    If rounding would make it so, the last digit is one off, on the side of the number: 0.99999 is 0.9999.

    Args:
        value (float): the number.
        digits (int): how many digits stand behind the point.
        whole (float): what stands for all: 1 of a share, 100 of one in percent, infinity of a number without a limit.
        flags (str): what a format specification has before its point: "+" for a sign, "," between thousands.

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
