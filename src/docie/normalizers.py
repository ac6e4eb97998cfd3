"""Normalisers: what may be made equal before values are compared. Off unless asked for.

`normalize` is None, a name, a function, a list of these (applied in order), or a mapping from entity type to any of
these. Names: nfkc, casefold, whitespace, alphanumeric, number, date; `number(decimal=",")` and
`date(day_first=True)` state what a text alone leaves open.
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
    """Unicode normalisation form NFKC: full-width digits, ligatures and composed letters in one spelling."""
    return unicodedata.normalize("NFKC", text)


def casefold(text: str) -> str:
    """Upper and lower case made equal.

    >>> casefold("Straße") == casefold("STRASSE")
    True
    """
    return text.casefold()


def whitespace(text: str) -> str:
    """Runs of white space become one space; none at the ends.

    >>> whitespace("  LIPTON \\t PITCHER ")
    'LIPTON PITCHER'
    """
    return " ".join(text.split())


def alphanumeric(text: str) -> str:
    """Letters and digits only.

    >>> alphanumeric("Rp. 12,500-")
    'Rp12500'
    """
    return "".join(character for character in text if character.isalnum())


def number(text: str, *, decimal: str | None = None) -> str:
    """One spelling for a number: no thousands marks, a decimal point, no needless zeros.

    `decimal` states the decimal mark, "." or ",". Without it, a text that can be read in two ways (`1.240`) stays as
    it is, and so does, always, a text that is no number.

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
    """A JSON number in digits alone: 1e+16 → 10000000000000000."""
    try:
        return format(Decimal(text), "f") if "e" in text else text
    except InvalidOperation:  # true, false
        return text


def _decimal_mark(digits: str) -> str | None:
    """The decimal mark that the digits give away by themselves; None where they do not."""
    marks = [character for character in digits if character in _DECIMAL_MARKS]
    if not marks:
        return "."
    if len(set(marks)) == 2:
        return marks[-1]
    mark = marks[0]
    if len(marks) > 1:
        return _DECIMAL_MARKS[mark == "."]  # it stands twice: it separates thousands, the other one decimals
    whole, fraction = digits.split(mark)
    thousands_possible = len(fraction) == 3 and 1 <= len(whole) <= 3 and not whole.startswith("0")
    return None if thousands_possible else mark


def date(text: str, *, day_first: bool | None = None) -> str:
    """ISO 8601 for a date with a four-digit year, month in digits or in English.

    `day_first` states the order of day and month. Without it, a text that can be read in two ways (`03/04/2024`)
    stays as it is, and so does, always, a text that is no date.

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


class NumberText(str):
    """The text of a JSON number or boolean, whose decimal mark is a point whatever the document's language."""


NORMALIZERS: dict[str, Callable[..., str]] = {
    "nfkc": nfkc,
    "casefold": casefold,
    "whitespace": whitespace,
    "alphanumeric": alphanumeric,
    "number": number,
    "date": date,
}


def by_type(normalize: Normalize) -> Callable[[str, str], str] | None:
    """The function (entity type, text) → text that `normalize` asks for; None for no normalisation.

    Raises ValueError for an unknown name or a wrong argument.

    >>> by_type({"total": 'number(decimal=",")'})("total", "1.240,50")
    '1240.5'
    """
    if normalize is None:
        return None
    _check(normalize)
    if isinstance(normalize, Mapping):
        return functools.partial(_apply_by_type, {kind: _steps(spec) for kind, spec in normalize.items()})
    return functools.partial(_apply, _steps(normalize))


def describe(normalize: Normalize) -> str:
    """`normalize` as it stands in a signature: "none", "nfkc+casefold", "total=number(decimal=',')"."""
    if normalize is None:
        return "none"
    if isinstance(normalize, Mapping):
        return ",".join(f"{kind}={describe(spec)}" for kind, spec in sorted(normalize.items())) or "none"
    return "+".join(_name(step) for step in _listed(normalize)) or "none"


def _check(normalize: Normalize) -> None:
    """Raise ValueError for what is no name, no function, no list of these and no mapping to these."""
    specs: Iterable[Any] = normalize.values() if isinstance(normalize, Mapping) else [normalize]
    for spec in specs:
        steps = _listed(spec)
        if not isinstance(steps, list | tuple) or not all(isinstance(step, str) or callable(step) for step in steps):
            raise ValueError(f"normalize must be names or functions, or a mapping to these, got {shortened(normalize)}")


def _apply(steps: list[Normalizer], kind: str, text: str) -> str:
    number_text = isinstance(text, NumberText)
    for step in steps:
        text = step(NumberText(text) if number_text else text)
        if not isinstance(text, str):
            raise DocumentError(f"its normaliser must give text, got {shortened(text)}", entity=kind)
    return text


def _apply_by_type(steps: dict[str, list[Normalizer]], kind: str, text: str) -> str:
    return _apply(steps.get(kind, []), kind, text)


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
