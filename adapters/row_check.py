"""Whether the rows that a Trainer evaluates are those of the references."""

from __future__ import annotations

from typing import Any

from docie.errors import shortened
from docie.values import is_list, scalar_text

__all__ = ["RowCheck"]


class RowCheck:
    """Compares what the labels of rows say with the references, since both should say the same.

    Labels may be cut off and references spelt in another way, so that only texts that have nothing in common count,
    and only if that is so in most documents.

    >>> check = RowCheck()
    >>> check.add(0, {"shop": "Kedai"}, {"total": "9.00"})
    >>> check.finish()
    Traceback (most recent call last):
    ...
    ValueError: the labels of 1 in 1 documents have nothing in common with their references, as 'Kedai' of document 0;
    are the rows evaluated those of the references, in their order?
    """

    def __init__(self) -> None:
        self.compared = 0
        self.strangers: list[tuple[int, str]] = []

    def add(self, number: int, label: Any, reference: Any) -> None:
        """Compare the document that labels make, or the answer that they spell, with the reference."""
        texts = _texts(label)
        if texts:
            self.compared += 1
            if not texts.keys() & _texts(reference).keys():
                self.strangers.append((number, min(texts.values())))

    def finish(self) -> None:
        """Raise ValueError if most documents have other labels."""
        if 2 * len(self.strangers) > self.compared:
            number, text = self.strangers[0]
            how_many = f"the labels of {len(self.strangers)} in {self.compared} documents"
            problem = (
                f"{how_many} have nothing in common with their references, as {shortened(text)} of document {number}"
            )
            raise ValueError(f"{problem}; are the rows evaluated those of the references, in their order?")


def _texts(value: Any) -> dict[str, str]:
    """All scalars in a value as text, by their letters and digits alone."""
    found, stack = {}, [value]
    while stack:
        part = stack.pop()
        if isinstance(part, dict):
            stack += [child for key, child in part.items() if key != "confidence"]
        elif is_list(part):
            stack += list(part)
        else:
            text = scalar_text(part) or ""
            found["".join(filter(str.isalnum, text.casefold()))] = text
    found.pop("", None)
    return found
