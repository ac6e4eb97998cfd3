"""The text of a number: numbers are compared by their value, whatever a writer of JSON made of it."""

from __future__ import annotations

from decimal import Decimal


class NumberText(str):
    """The text of a number or boolean of JSON. Its decimal mark is a point, whatever the document's language."""

    __slots__ = ()


def number_text(value: float) -> NumberText | None:
    """Write a number by its value: without exponent, needless zeros and point.

    Args:
        value (int or float): the number, or a boolean.

    Returns:
        NumberText: the text; None for NaN, which is how tables write nothing. Booleans are written as JSON writes them.

    Raises:
        ValueError: for infinity, as which 1e999 is read, and for an integer of more than 4,300 digits.

    >>> number_text(12), number_text(12.0), number_text(1.2e1), number_text(0.10), number_text(-0.0), number_text(True)
    ('12', '12', '12', '0.1', '0', 'true')
    """
    if isinstance(value, bool):
        return NumberText("true" if value else "false")
    if isinstance(value, int):
        try:
            return NumberText(int.__repr__(value))
        except ValueError:
            raise ValueError("expected a number of at most 4,300 digits, got a longer one") from None
    text = float.__repr__(value)
    if text.endswith(".0"):
        text = text[:-2] if text != "-0.0" else "0"
    elif "e" in text:
        text = format(Decimal(text), "f")
    elif text == "nan":
        return None
    elif text[-1] == "f":  # inf: other numbers of that size would equal it
        raise ValueError(f"expected a finite number of at most 1.8e308, got {text}")
    return NumberText(text)
