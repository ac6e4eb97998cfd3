"""The one error of bad input, and words that errors share."""

from __future__ import annotations

from numbers import Integral
from typing import Any


class DocumentError(ValueError):
    """Something in a document that cannot be scored: where it is, what was expected, what came.

    `document` is the position in the corpus (an int, counted from 0) or a place to look ("predictions.jsonl:17");
    whoever knows it fills it in. `side` is "prediction" or "reference". What is wrong is the entity of that name, or
    the `item` of a list ("box 4").

    >>> print(DocumentError("confidence must be between 0 and 1, got 1.7", entity="menu.price", document=3))
    document 3, entity 'menu.price': confidence must be between 0 and 1, got 1.7
    """

    def __init__(
        self,
        problem: str,
        *,
        entity: str | None = None,
        item: str | None = None,
        side: str | None = None,
        document: int | str | None = None,
    ) -> None:
        super().__init__(problem)
        self.problem = problem
        self.entity = entity
        self.item = item
        self.side = side
        self.document = document

    def __str__(self) -> str:
        where = []
        if self.document is not None:
            where.append(f"document {self.document}" if isinstance(self.document, int) else self.document)
        if self.entity is not None:
            where.append(f"entity {shortened(self.entity)}")
        if self.item is not None:
            where.append(self.item if self.side is None else f"{self.item} of the {self.side}")
        return ": ".join([", ".join(where), self.problem] if where else [self.problem])

    def __reduce__(self) -> tuple[object, ...]:  # the keyword arguments too must survive a process pool
        return (_rebuild, (self.problem, self.entity, self.item, self.side, self.document))


def _rebuild(problem: str, entity: str | None, item: str | None, side: str | None, document: Any) -> DocumentError:
    return DocumentError(problem, entity=entity, item=item, side=side, document=document)


def shortened(value: object, limit: int = 60) -> str:
    """`repr(value)`, cut so that a message stays one readable line."""
    try:
        text = repr(value if not isinstance(value, str) else value[: limit + 1])
    except (ValueError, RecursionError):  # an integer of more than 4,300 digits, a list in thousands of others
        text = f"a very long {type(value).__name__}"
    return text if len(text) <= limit + 2 else f"{text[:limit]}…"


def check_whole(name: str, value: object, least: int) -> None:
    """Raise ValueError unless an option's value is a whole number of at least `least`."""
    if not isinstance(value, Integral) or isinstance(value, bool) or value < least:
        raise ValueError(f"{name} must be a whole number of at least {least}, got {shortened(value)}")
