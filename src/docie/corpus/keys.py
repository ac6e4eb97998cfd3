"""Fields that look like ids: each of their values names one document."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from docie.corpus.shapes import quoted

SAME_KEYS = 1000
"""The number of documents whose keys are compared at most."""
NO_IDS = 16
"""The number of documents after which keys with equal values in the references are left out."""
LEAST = 2
"""The number of values at other places from which on they may be ids."""

Scalar = str | int | float


class Keys:
    """The top-level keys that all documents of both sides have, with their values."""

    def __init__(self) -> None:
        self.documents = 0
        self.pairs: dict[str, list[tuple[str, str]]] = {}
        self.sides_with_id = {"predictions": 0, "references": 0}

    def note(self, prediction: Any, reference: Any) -> None:
        """Look at a pair."""
        if self.documents == SAME_KEYS or (self.documents and not self.pairs and not any(self.sides_with_id.values())):
            return
        predicted, expected = (row if isinstance(row, Mapping) else {} for row in (prediction, reference))
        if not self.documents:
            self.pairs = {key: [] for key in predicted if key in expected and isinstance(key, str)}
        for key in list(self.pairs):
            value, expected_value = predicted.get(key), expected.get(key)
            if isinstance(value, Scalar) and isinstance(expected_value, Scalar):
                self.pairs[key].append((_text(value), _text(expected_value)))
            else:
                del self.pairs[key]
        for side, document in (("predictions", predicted), ("references", expected)):
            self.sides_with_id[side] += isinstance(document.get("id"), str | int)
        self.documents += 1
        if self.documents == NO_IDS:
            self.pairs = {key: pairs for key, pairs in self.pairs.items() if key == "id" or _are_different(pairs)}

    def warnings(self) -> Iterator[str]:
        """What the values of these keys say about the order of the rows, a line each."""
        moved = [key for key, pairs in self.pairs.items() if _is_moved(pairs)]
        if moved:
            which = "this" if len(moved) == 1 else "one of them"
            yield (
                f"the values of {quoted(moved, 5)} are the same on both sides, but in another order: if {which} is the "
                "id of the documents, sort both sides by it (on the command line, --id-key joins them)"
            )
        elif len(self.pairs.get("id", ())) > 1:
            in_place = sum(predicted == expected for predicted, expected in self.pairs["id"])
            if in_place in (0, self.documents):
                always = "equal" if in_place else "different"
                yield (
                    f"the key 'id' is {always} on both sides of every document and is scored as an entity type: "
                    "leave it out if it only numbers the rows"
                )
        sides = [side for side, number in self.sides_with_id.items() if number == self.documents > 0]
        if len(sides) == 1 and not self.sides_with_id["references" if sides == ["predictions"] else "predictions"]:
            yield f"only the {sides[0]} have the key 'id', and it is scored: leave it out if it only numbers the rows"


def _text(value: Scalar) -> str:
    try:
        return str(value)
    except ValueError:  # an integer of more than 4,300 digits, which scoring refuses with its place
        return hex(value) if isinstance(value, int) else ""


def _is_moved(pairs: list[tuple[str, str]]) -> bool:
    """Whether most values that both sides have, each once, stand at other places."""
    if not _are_different(pairs):
        return False
    predicted, expected = {predicted for predicted, _ in pairs}, {expected for _, expected in pairs}
    in_place = sum(predicted_value == value for predicted_value, value in pairs)
    moved = len(predicted & expected) - in_place
    return moved >= LEAST and moved > in_place


def _are_different(pairs: list[tuple[str, str]]) -> bool:
    """Whether the references' values are all different, as ids are."""
    return len({expected for _, expected in pairs}) == len(pairs)
