"""Notes on stderr about documents that will take long, before they are counted."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from docie.cli import runs
from docie.core.errors import DocumentError
from docie.core.family import Family

if TYPE_CHECKING:  # numpy comes with it
    from docie.files import Joined

LONG = 10.0
"""The seconds from which a document is noted."""
SMALL = 10_000
"""A document of fewer bytes, both sides together, does not take that long; its cost is not asked for."""
NOTED = 5
"""The number of documents that are noted."""


def with_notes(
    pairs: Iterable[tuple[Any, Any]], family: Family, settings: Any, joined: Joined, *, system: str = ""
) -> Iterator[tuple[Any, Any]]:
    """Pass the rows (prediction, reference) on. A note says which of them will take long, and how long.

    Args:
        pairs, joined: the rows, and the files that they come from.
        family, settings: what will count them.
        system: whose predictions they are, where several are compared.
    """
    from docie.corpus import spoken

    noted, whose = 0, f"{system}: " if system else ""
    for number, pair in enumerate(pairs):
        if noted <= NOTED and joined.size(number) >= SMALL and (seconds := _cost(family, pair, settings)) > LONG:
            noted += 1
            what = f"document {joined.name(number)}: {family.NAME} takes {spoken(seconds)}; see --max-seconds"
            runs.say(whose + (what if noted <= NOTED else "more documents will take long; they are not listed"))
        yield pair


def _cost(family: Family, pair: tuple[Any, Any], settings: Any) -> float:
    from docie.documents import read_row

    accepts_text = "value" in family.INPUTS
    try:
        documents = [
            read_row(row, side, accepts_text=accepts_text)
            for row, side in zip(pair, ("prediction", "reference"), strict=True)
        ]
    except DocumentError:
        return 0.0  # the scoring says what is wrong
    prediction, reference = documents
    return family.cost(prediction, reference, settings)
