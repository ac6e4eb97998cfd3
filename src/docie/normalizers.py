"""Normalisers: they make texts equal before values are compared. None is applied unless asked for.

The option `normalize` is None, a name, a function, a list of these (applied in order), or a mapping from entity type to
any of these. The names are nfkc, casefold, whitespace, alphanumeric, number and date. Some texts can be read in two
ways; `number(decimal=",")` and `date(day_first=True)` say which one is meant.
"""

from __future__ import annotations

import ast
import functools
import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date as _date
from decimal import Decimal, InvalidOperation
from typing import Any

from docie.errors import DocumentError, shortened
from docie.values import NumberText

__all__ = [
    "NORMALIZERS",
    "alphanumeric",
    "casefold",
    "date",
    "describe",
    "nfkc",
    "normalizer_of",
    "number",
    "whitespace",
]

Normalizer = Callable[[str], str]
Spec = str | Normalizer | Sequence[str | Normalizer]
Normalize = Spec | Mapping[str, Spec] | None

_DECIMAL_MARKS = (".", ",")
_NUMBER = re.compile(r"([+\-−]?)([0-9][0-9.,'’ \u00a0\u2009\u202f]*|[.,][0-9]+)")
_SPACES = re.compile(r"['’ \u00a0\u2009\u202f]")
_MONTHS = {
    name: month
    for month, name in enumerate(
        ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"], 1
    )
}
_MONTH = (
    r"(?P<name>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?"
    r"|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)"
)
_DATES = [
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"(?P<year>[0-9]{4})(?P<mark>[-/.])(?P<month>[0-9]{1,2})(?P=mark)(?P<day>[0-9]{1,2})",
        r"(?P<first>[0-9]{1,2})(?P<mark>[-/.])(?P<second>[0-9]{1,2})(?P=mark)(?P<year>[0-9]{4})",
        rf"(?P<day>[0-9]{{1,2}})(?:\.\s*|[-/\s]\s*){_MONTH}\.?[-/,\s]\s*(?P<year>[0-9]{{4}})",
        rf"{_MONTH}\.?[-/\s]\s*(?P<day>[0-9]{{1,2}})[-/,\s]\s*(?P<year>[0-9]{{4}})",
    )
]


def nfkc(text: str) -> str:
    """Give full-width digits, ligatures and composed letters one spelling (Unicode normalisation form NFKC).

    Args:
        text (str): the text.

    Returns:
        str: the text in that form.

    >>> nfkc("１２ ﬁ")
    '12 fi'
    """
    return unicodedata.normalize("NFKC", text)


def casefold(text: str) -> str:
    """Make upper and lower case equal.

    Args:
        text (str): the text.

    Returns:
        str: the text without differences of case.

    >>> casefold("Straße") == casefold("STRASSE")
    True
    """
    return text.casefold()


def whitespace(text: str) -> str:
    """Turn each run of white space into one space, and remove it at the ends.

    Args:
        text (str): the text.

    Returns:
        str: the text with single spaces.

    >>> whitespace("  LIPTON \\t PITCHER ")
    'LIPTON PITCHER'
    """
    return " ".join(text.split())


def alphanumeric(text: str) -> str:
    """Keep letters and digits only.

    Args:
        text (str): the text.

    Returns:
        str: its letters and digits.

    >>> alphanumeric("Rp. 12,500-")
    'Rp12500'
    """
    return "".join(character for character in text if character.isalnum())


def number(text: str, *, decimal: str | None = None) -> str:
    """Write a number without thousands marks and needless zeros, and with a decimal point.

    Args:
        text (str): the text.
        decimal (str): the decimal mark, "." or ",". None: the text must show it by itself.

    Returns:
        str: the number. A text that is no number stays as it is; so does one that can be read in two ways (`1.240`).

    Raises:
        ValueError: for another decimal mark.

    >>> number("1,240.00"), number("1.240,00"), number("1 240"), number("1.240"), number("Rp 12")
    ('1240', '1240', '1240', '1.240', 'Rp 12')
    >>> number("1.240", decimal=","), number("1.240", decimal=".")
    ('1240', '1.24')
    """
    if decimal not in (None, *_DECIMAL_MARKS):
        raise ValueError(f"number: decimal must be '.' or ',', got {decimal!r}")
    if isinstance(text, NumberText):
        decimal, text = ".", _without_exponent(text)
    match = _NUMBER.fullmatch(text.strip())
    if match is None:
        return text
    sign, digits = match.groups()
    digits = _SPACES.sub(" ", digits)
    mark = decimal or _decimal_mark(digits)
    if mark is None:
        return text
    whole, _, fraction = digits.partition(mark)
    thousands = {character for character in whole if not character.isdigit()}
    if len(thousands) > 1 or not (fraction or "0").isdigit() or (mark in digits and not fraction):
        return text
    if thousands and not re.fullmatch(rf"[1-9][0-9]{{0,2}}(?:{re.escape(thousands.pop())}[0-9]{{3}})+", whole):
        return text
    whole = re.sub("[^0-9]", "", whole).lstrip("0") or "0"
    value = f"{whole}.{fraction}".rstrip("0").rstrip(".")
    return f"-{value}" if sign in ("-", "−") and value != "0" else value


def _without_exponent(text: str) -> str:
    """A JSON number written in digits only: 1e+16 → 10000000000000000."""
    try:
        return format(Decimal(text), "f") if "e" in text else text
    except InvalidOperation:  # true, false
        return text


def _decimal_mark(digits: str) -> str | None:
    """The decimal mark, if the digits leave no doubt about it."""
    marks = [character for character in digits if character in _DECIMAL_MARKS]
    if not marks:
        return "."
    if len(set(marks)) == 2:
        return marks[-1]
    mark = marks[0]
    if len(marks) > 1:
        return _DECIMAL_MARKS[mark == "."]  # what stands twice separates thousands; the other mark separates decimals
    whole, fraction = digits.split(mark)
    thousands_possible = len(fraction) == 3 and 1 <= len(whole) <= 3 and not whole.startswith("0")
    return None if thousands_possible else mark


def date(text: str, *, day_first: bool | None = None) -> str:
    """Write a date as in ISO 8601. The year must have four digits; the month may be digits or an English name.

    Args:
        text (str): the text.
        day_first (bool): whether the day stands before the month. None: the text must show it by itself.

    Returns:
        str: the date. A text that is no date stays as it is; so does one that can be read in two ways (`03/04/2024`).

    Raises:
        ValueError: if `day_first` is something else.

    >>> date("31.12.2023"), date("Dec 31, 2023"), date("03/04/2024"), date("03/04/2024", day_first=True)
    ('2023-12-31', '2023-12-31', '03/04/2024', '2024-04-03')
    """
    if not isinstance(day_first, bool | None):
        raise ValueError(f"date: day_first must be True, False or None, got {shortened(day_first)}")
    for pattern in _DATES:
        match = pattern.fullmatch(text.strip())
        if match is not None:
            return _iso(match.groupdict(), day_first) or text
    return text


def _iso(parts: dict[str, str | None], day_first: bool | None) -> str | None:
    year = int(parts["year"] or 0)
    if parts.get("name"):
        readings = {(_MONTHS[str(parts["name"])[:3].lower()], int(parts["day"] or 0))}
    elif parts.get("first"):
        first, second = int(parts["first"] or 0), int(parts["second"] or 0)
        readings = {(second, first), (first, second)}
        if day_first is not None:
            readings = {(second, first) if day_first else (first, second)}
    else:
        readings = {(int(parts["month"] or 0), int(parts["day"] or 0))}
    dates = {day for day in (_valid(year, *reading) for reading in readings) if day}
    return dates.pop() if len(dates) == 1 else None


def _valid(year: int, month: int, day: int) -> str | None:
    try:
        return _date(year, month, day).isoformat()
    except ValueError:
        return None


NORMALIZERS: dict[str, Callable[..., str]] = {
    "nfkc": nfkc,
    "casefold": casefold,
    "whitespace": whitespace,
    "alphanumeric": alphanumeric,
    "number": number,
    "date": date,
}


def normalizer_of(normalize: Normalize) -> Callable[[str, str], str] | None:
    """The function (entity type, text) → text that an option `normalize` asks for.

    Args:
        normalize: the option, as the top of this module describes it.

    Returns:
        The function; None if nothing is to be normalised.

    Raises:
        ValueError: for an unknown name or a wrong argument.

    >>> normalizer_of({"total": 'number(decimal=",")'})("total", "1.240,50")
    '1240.5'
    """
    if normalize is None:
        return None
    _check(normalize)
    if isinstance(normalize, Mapping):
        return functools.partial(_apply_by_type, {entity_type: _steps(spec) for entity_type, spec in normalize.items()})
    return functools.partial(_apply, _steps(normalize))


def describe(normalize: Normalize) -> str:
    """How a signature writes an option `normalize`.

    Args:
        normalize: the option, as the top of this module describes it.

    Returns:
        str: its text.

    >>> describe(None), describe(["nfkc", "casefold"]), describe({"total": "number"})
    ('none', 'nfkc+casefold', 'total=number')
    """
    if normalize is None:
        return "none"
    if isinstance(normalize, Mapping):
        specs = (f"{entity_type}={describe(spec)}" for entity_type, spec in sorted(normalize.items()))
        return ",".join(specs) or "none"
    return "+".join(_name(step) for step in _listed(normalize)) or "none"


def _check(normalize: Normalize) -> None:
    """Raise ValueError unless it consists of names and functions, in lists or in a mapping."""
    specs: Iterable[Any] = normalize.values() if isinstance(normalize, Mapping) else [normalize]
    for spec in specs:
        steps = _listed(spec)
        if not isinstance(steps, list | tuple) or not all(isinstance(step, str) or callable(step) for step in steps):
            raise ValueError(f"normalize must be names or functions, or a mapping to these, got {shortened(normalize)}")


def _apply(steps: list[Normalizer], entity_type: str, text: str) -> str:
    number_text = isinstance(text, NumberText)
    for step in steps:
        text = step(NumberText(text) if number_text else text)
        if not isinstance(text, str):
            raise DocumentError(f"its normaliser must give text, got {shortened(text)}", entity=entity_type)
    return text


def _apply_by_type(steps: dict[str, list[Normalizer]], entity_type: str, text: str) -> str:
    return _apply(steps.get(entity_type, []), entity_type, text)


def _listed(spec: Spec) -> Sequence[str | Normalizer]:
    return [spec] if isinstance(spec, str) or callable(spec) else spec


def _steps(spec: Spec) -> list[Normalizer]:
    return [step if callable(step) else _named(step) for step in _listed(spec)]


def _name(step: str | Normalizer) -> str:
    if isinstance(step, str):
        return step.strip()
    if isinstance(step, functools.partial):
        arguments = [*map(repr, step.args), *(f"{name}={value!r}" for name, value in step.keywords.items())]
        return f"{_name(step.func)}({', '.join(arguments)})"
    module, name = getattr(step, "__module__", None), getattr(step, "__qualname__", type(step).__qualname__)
    return f"{module}.{name}" if module else name


def _named(text: str) -> Normalizer:
    """The normaliser of a name such as `casefold` or `number(decimal=",")`."""
    problem = f"unknown normaliser {shortened(text)}, expected one of {', '.join(NORMALIZERS)}"
    try:
        node = ast.parse(text.strip(), mode="eval").body
        arguments = {}
        if isinstance(node, ast.Call) and not node.args:
            arguments = {str(keyword.arg): ast.literal_eval(keyword.value) for keyword in node.keywords}
            node = node.func
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        raise ValueError(problem) from None
    if not isinstance(node, ast.Name) or node.id not in NORMALIZERS:
        raise ValueError(problem)
    normalizer = functools.partial(NORMALIZERS[node.id], **arguments)
    try:
        normalizer("1")
    except TypeError as error:
        raise ValueError(f"normaliser {text!r}: {error}") from None
    return normalizer
