"""Fields that look like ids: each of their values names one document."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

SAME_KEYS = 1000
"""The number of documents whose keys are compared at most."""
LEAST = 3
"""The number of documents from which on the values of any key may be ids."""

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
                self.pairs[key].append((str(value), str(expected_value)))
            else:
                del self.pairs[key]
        for side, document in (("predictions", predicted), ("references", expected)):
            self.sides_with_id[side] += isinstance(document.get("id"), str | int)
        self.documents += 1

    def warnings(self) -> Iterator[str]:
        """A line for each key whose values are ids."""
        for key, pairs in self.pairs.items():
            predicted, expected = {predicted for predicted, _ in pairs}, {expected for _, expected in pairs}
            if len(expected) < len(pairs):
                continue
            in_place = sum(predicted_value == value for predicted_value, value in pairs)
            moved = len(predicted & expected) - in_place
            if moved and (key == "id" or (predicted == expected and len(pairs) >= LEAST and not in_place)):
                yield (
                    f"the values of {key!r} are the same on both sides, but in another order: if they are ids, "
                    "sort predictions and references by them"
                )
            elif key == "id" and in_place == len(pairs) > 1:
                yield (
                    "the key 'id' is equal on both sides of every document and is scored as an entity type: "
                    "leave it out if it only numbers the rows"
                )
        sides = [side for side, number in self.sides_with_id.items() if number == self.documents > 0]
        if len(sides) == 1 and not self.sides_with_id["references" if sides == ["predictions"] else "predictions"]:
            yield f"only the {sides[0]} have the key 'id', and it is scored: leave it out if it only numbers the rows"
