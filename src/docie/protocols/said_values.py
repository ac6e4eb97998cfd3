"""Values by what they say, not by how they are written, as Omni Extract Bench compares them.

Source: omni-extract-bench 0.1.7 (Datalab).
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime, time
from decimal import Decimal, InvalidOperation, localcontext
from functools import lru_cache

_DAYS = (
    "%Y-%m-%d", "%m/%d/%Y", "%m-%d-%Y", "%d/%m/%Y", "%B %d, %Y", "%b %d, %Y", "%d %B %Y", "%d-%b-%Y", "%d%b%Y",
    "%m/%d/%y", "%Y/%m/%d", "%d.%m.%Y", "%m.%d.%Y", "%b %d %Y", "%B %d %Y",
)  # fmt: skip
_TIMES = (":%S", ":%S%z", ":%S.%f", ":%S.%f%z", "")
_FORMATS = (*_DAYS, *(f"%Y-%m-%d{mark}%H:%M{rest}" for rest in _TIMES for mark in "T "))
_LONGEST = 34  # characters of a date
_LARGEST = 100  # digits of a number with a point
_ASCII = str.maketrans("μ’‘“”‚„′″–—‐‑−―⁄", 'u\'\'"","\'"------/')
_FOOTNOTE = re.compile(r"\s*\[\s*(\d{1,2}|[a-z])\s*\]")
_BULLET = re.compile(r"[•‣◦▪▶∙●■](?=\s|$)")


@lru_cache(maxsize=100_000)
def said(text: str) -> str:
    """A value as it is compared: its number, date or time, or its text without case, accents, blanks and marks.

    >>> said("$1,240.00"), said("03/31/2024"), said("P.O. Box 125 [1]"), said("31-1440073")
    ('1240', 'date 2024-03-31', 'pobox125', '311440073')
    """
    number = _number(text)
    if number is not None:
        return _shortest(number)
    if len(text.strip()) <= _LONGEST and re.search(r"\d", text):
        for moment in _moments(text.strip()):
            naive = moment.replace(tzinfo=None)
            return f"date {naive.date()}" if naive.time() == time.min else f"time {naive.isoformat()}"
    return _folded(text) or re.sub(r"\s+", "", text.lower())


def _moments(text: str) -> Iterator[datetime]:
    """The dates and times that a text may mean: months stand before days, where that can be."""
    for form in _FORMATS:
        with suppress(ValueError):
            yield datetime.strptime(text, form)


def _number(text: str) -> float | None:
    """The number of a text with a point, rounded to seven digits after the zeros behind it.

    Without a point, digits may be a name, such as 0123 and 31-14.
    """
    text, sign = text.strip(), 1
    if text.startswith("(") and text.endswith(")"):
        text, sign = text[1:-1].strip(), -1
    text = re.sub("[−–]", "-", text)
    if text.endswith("-"):
        text, sign = text[:-1].strip(), -sign
    while text.startswith(("-", "+")):
        text, sign = text[1:].strip(), -sign if text[0] == "-" else sign
    text = re.sub("[,$% ]", "", text)
    if "." not in text:
        return None
    try:
        number = Decimal(text)
    except InvalidOperation:
        return None
    if not number.is_finite() or abs(number.adjusted()) > _LARGEST:
        return None
    with localcontext() as context:
        context.prec = len(text) + 2 * _LARGEST
        fraction = abs(number) % 1
        return sign * float(number.quantize(Decimal(1).scaleb(fraction.adjusted() - 6)) if fraction else number)


def _shortest(number: float) -> str:
    return str(int(number) if number.is_integer() else number)


def _folded(text: str) -> str:
    text = unicodedata.normalize("NFKD", text.strip().lower())
    text = "".join(c for c in text if not unicodedata.combining(c) and unicodedata.category(c) != "Cf")
    text = text.translate(_ASCII)
    without = _FOOTNOTE.sub("", text)
    text = without if without.strip() else text
    text = text[1:] if _BULLET.match(text) else text
    number = re.sub("[,$%]", "", text).strip()
    if re.fullmatch(r"[+-]?\d+(\.\d+)?", number) and not re.match(r"-?0\d", number) and math.isfinite(float(number)):
        return _shortest(float(number))
    if re.fullmatch(r"\s*(-\s*)+", text):
        return "-"
    has_decimals = len(re.findall(r"(?<=\d)\.(?=\d)", text)) == 1  # of several points, none is a decimal one
    text = re.sub(r"[\s,-]|(?<!\d)\.|\.(?!\d)" if has_decimals else r"[\s,.-]", "", text)
    return re.sub("[()/]", "", text.strip("\"'"))
