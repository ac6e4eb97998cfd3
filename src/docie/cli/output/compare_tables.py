"""What `corpus.compare` gives, with the ids of documents."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from docie.core.values.plain import JsonObject


def name_documents(results: JsonObject, name: Callable[[int], str | int]) -> None:
    """Write the ids of documents where results have their numbers."""
    listed = [*results.get("suspects", ()), *(change for row in results["comparisons"] for change in row["changes"])]
    for each in listed:
        if isinstance(each["document"], int):
            each["document"] = name(each["document"])
