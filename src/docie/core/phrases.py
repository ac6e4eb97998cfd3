"""Numbers in sentences."""

from __future__ import annotations

from collections.abc import Iterable

from docie.core.scores import rounded

NAMED = 5
"""The number of names that a message lists, unless its sentence holds fewer."""


def figure(value: float) -> str:
    """A score as tables show it.

    >>> figure(2 / 3)
    '0.6667'
    """
    return rounded(value)


def percent(part: float, whole: float) -> str:
    """A share in percent. 100 stands only for all, and 0 only for none.

    >>> percent(2, 3), percent(999_999, 1_000_000), percent(1, 1), percent(0, 0)
    ('66.7 %', '99.9 %', '100 %', '0 %')
    """
    share = 100 * part / whole if whole else 0.0
    return f"{rounded(share, 1, whole=100)} %".replace(".0 %", " %")


def amount(number: float) -> str:
    """A number of things. The mean of several answers is told as a whole number.

    >>> amount(1200), amount(610.33)
    ('1,200', '610')
    """
    return f"{round(number):,}"


def counted(number: float, noun: str) -> str:
    """A number with its noun.

    >>> counted(1, "entity"), counted(1200, "entity"), counted(2, "box")
    ('1 entity', '1,200 entities', '2 boxes')
    """
    if number != 1:
        noun = f"{noun[:-1]}ies" if noun.endswith("y") else f"{noun}es" if noun.endswith("x") else f"{noun}s"
    return f"{amount(number)} {noun}"


def verb(number: int, one: str = "is", more: str = "are") -> str:
    """The verb that agrees with a number.

    >>> verb(1), verb(0), verb(2, "stands", "stand")
    ('is', 'are', 'stand')
    """
    return one if number == 1 else more


def in_words(*parts: tuple[float, str], empty: str = "nothing") -> str:
    """Numbers with the names of what they count, without zeros.

    >>> in_words((1, "correct"), (0, "incorrect"), (2_000, "missing"), (3, "spurious")), in_words()
    ('1 correct, 2,000 missing and 3 spurious', 'nothing')
    """
    return enumerated((f"{amount(number)} {name}" for number, name in parts if round(number)), empty=empty)


def correct_of(correct: float, incorrect: float, missing: float, noun: str, said: str = " correct") -> str:
    """How many of the expected are correct, and how many of the predicted are not.

    Args:
        correct: the number of correct ones.
        incorrect: the number of incorrect ones among the predicted.
        missing: the number of expected ones that were not found.
        noun: what is counted.
        said: what is said of the correct ones, behind the noun.

    >>> correct_of(610, 17, 26, "value"), correct_of(1, 0, 0, "value")
    ('610 of 636 values correct, 17 of 627 predicted are incorrect', '1 of 1 value correct')
    """
    found = f"{amount(correct)} of {counted(correct + missing, noun)}{said}"
    wrong = round(incorrect)
    return found + (f", {wrong:,} of {amount(correct + incorrect)} predicted {verb(wrong)} incorrect" if wrong else "")


def some_of(parts: Iterable[str], most: int = NAMED) -> str:
    """The first of several parts, and how many more there are.

    >>> some_of(["date", "tax", "total", "vendor"], 2), some_of(["date", "tax"], 2)
    ('date, tax and 2 more', 'date, tax')
    """
    listed = [*parts]
    more = f" and {len(listed) - most} more" if len(listed) > most else ""
    return ", ".join(listed[:most]) + more


def enumerated(parts: Iterable[str], *, empty: str = "nothing") -> str:
    """Parts of a sentence, joined by commas and "and".

    >>> enumerated(["names", "dates", "totals"]), enumerated([])
    ('names, dates and totals', 'nothing')
    """
    *most, last = [*parts] or [empty]
    return f"{', '.join(most)} and {last}" if most else last


def visible(text: str) -> str:
    """The text, with quotes if it begins or ends with a blank, or if there is none: nobody would see that.

    >>> visible("Tea"), visible("Tea ")
    ('Tea', "'Tea '")
    """
    return text if text and text == text.strip() else repr(text)


def printable(text: str) -> str:
    """The text, with characters escaped that would move the cursor or break a row.

    >>> print(printable("new\\nline"))
    new\\nline
    """
    if text.isprintable():
        return text
    return "".join(character if character.isprintable() else ascii(character)[1:-1] for character in text)
