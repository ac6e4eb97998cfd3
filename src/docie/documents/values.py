"""The values of a document with their places: one table for all who look at documents.

The families count with `parse_document`, whose walk gives the same entities, barer and in less time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import chain
from typing import Any, NamedTuple

from docie.core.values.json_text import ANY_OF
from docie.core.values.plain import JSON_TYPES, NO_CONFIDENCE, key_text, plain_value, scalar_text
from docie.documents.document import Value, is_object, normalized
from docie.documents.leaves import PLACE_KEYS, LeafReader, OneOf, is_leaf

Path = tuple[str | int, ...]
"""Keys and positions, such as ("items", 2, "amount")."""
Place = tuple[str, int | None, Path, object]
"""An entity type, the number of the group among those of its type (None outside of groups), the path, and the leaf."""


class Leaf(NamedTuple):
    """A value of a document.

    Attributes:
        type: its entity type.
        text: its text or, in references, a `OneOf`; both as they are compared: normalised.
        confidence: its confidence; `NO_CONFIDENCE` if it has none.
        path: the keys and positions that lead to it.
        value: the value before normalisation: a text, a number, a boolean or a `OneOf`.
        box, page: those of the scored leaf; None if it has none.
    """

    type: str
    text: Value
    confidence: float
    path: Path
    value: Any  # str | float | OneOf
    box: object = None
    page: object = None

    @property
    def known_confidence(self) -> float | None:
        """Its confidence; None if it has none."""
        return None if self.confidence == NO_CONFIDENCE else self.confidence

    @property
    def written(self) -> Value:
        """The text or the `OneOf` before normalisation.

        >>> Leaf("total", "9", NO_CONFIDENCE, ("total",), 9.0).written
        '9'
        """
        return self.value if isinstance(self.value, OneOf) else scalar_text(self.value)


@dataclass(slots=True)
class Values:
    """The values of a document.

    Attributes:
        ungrouped: those outside of all groups.
        groups: the groups of each group type in the order of the document, empty ones too.
        has_one_of, has_confidences: as of the `Document`.
    """

    ungrouped: list[Leaf] = field(default_factory=list)
    groups: dict[str, list[list[Leaf]]] = field(default_factory=dict)
    has_one_of: bool = False
    has_confidences: bool = False

    def leaves(self) -> Iterator[Leaf]:
        """All values: the ungrouped ones, then those of each group."""
        return chain(self.ungrouped, *chain(*self.groups.values()))


def values_of(value: object, side: str, *, normalize: Callable[[str, str], str] | None = None) -> Values:
    """Read a JSON object as a table of values.

    Args:
        value (dict): the object. In a prediction, anything else has no values.
        side (str): "prediction" or "reference".
        normalize: a function (entity type, text) → text, applied to every value.

    Returns:
        Values: the values of the entities that `parse_document` finds, in the same groups.

    Raises:
        DocumentError: as `parse_document`.

    >>> values = values_of({"shop": "Kedai", "items": [{"name": "Tea"}, {}, {"amount": 4.50}]}, "prediction")
    >>> [(leaf.text, leaf.path) for leaf in values.leaves()]
    [('Kedai', ('shop',)), ('Tea', ('items', 0, 'name')), ('4.5', ('items', 2, 'amount'))]
    >>> [len(group) for group in values.groups["items"]]
    [1, 0, 1]
    """
    if not is_object(value, side):
        return Values()
    walk = _Walk(side)
    values = Values(groups=walk.groups)
    for entity_type, number, path, found in walk.places(value):
        if type(found) is str:  # most of them: saves a call
            leaf: Leaf | None = Leaf(entity_type, found, NO_CONFIDENCE, path, found)
        else:
            leaf = walk.leaf(entity_type, path, found)
        if leaf is not None and normalize is not None:
            text = normalized(entity_type, leaf.text, normalize)
            leaf = None if text is None else leaf._replace(text=text)
        if leaf is not None:
            (values.ungrouped if number is None else walk.groups[str(path[0])][number]).append(leaf)
    values.has_one_of, values.has_confidences = walk.has_one_of, walk.has_confidences
    return values


def places_of(value: object, side: str) -> Iterator[Place]:
    """The places of the values in what may be a document, with the leaves as they stand, up to what cannot be read.

    >>> list(places_of({"items": [{"name": "Tea", "note": ""}, {"amount": 4.50}]}, "prediction"))
    [('items.name', 0, ('items', 0, 'name'), 'Tea'), ('items.amount', 1, ('items', 1, 'amount'), 4.5)]
    """
    with suppress(TypeError, ValueError):
        if is_object(value, side):
            yield from (place for place in _Walk(side).places(value) if not _is_absent(place[3]))


def has_values(document: object) -> bool:
    """Whether a document, or any other JSON value, has a value: a leaf that is neither null nor blank.

    >>> has_values({"total": "12.00"}), has_values({"total": {"value": None, "confidence": 0.9}, "items": [" "]})
    (True, False)
    """
    return any(True for _ in places_of({"": document}, "prediction"))


_Waiting = tuple[str, int | None, Path, Any, int]
"""What is still to be walked through, as a `Place`, and its depth."""


class _Walk(LeafReader):
    """Walks through a document in its order. `groups` gets an empty list for each group where it begins."""

    def __init__(self, side: str) -> None:
        super().__init__(side)
        self.groups: dict[str, list[list[Leaf]]] = {}

    def places(self, document: Mapping[str, object]) -> Iterator[Place]:
        """The place of every leaf but blank texts."""
        keys = ((key_text(name), child) for name, child in document.items())
        stack = list[_Waiting]((key, None, (key,), child, 1) for key, child in keys)
        stack.reverse()
        while stack:
            entity_type, number, path, value, depth = stack.pop()
            if type(value) not in JSON_TYPES:
                value = self.plain(entity_type, value)
            if type(value) is str or is_leaf(value, self.side):
                if value != "" and not (type(value) is str and value.isspace()):
                    yield entity_type, number, path, value
                continue
            if not isinstance(value, dict):
                self.enter(value, entity_type, depth)
                inner = [(entity_type, number, (*path, place), child, depth + 1) for place, child in enumerate(value)]
                stack += reversed(inner)
                continue
            if number is None:
                groups = self.groups.setdefault(entity_type, [])
                number = len(groups)
                groups.append([])
            self.enter(value, entity_type, depth)
            root, later = f"{path[0]}.", list[_Waiting]()
            for name, child in value.items():
                key = name if type(name) is str else key_text(name)
                longer = key if key.startswith(root) else f"{entity_type}.{key}"  # as `longer_path`, without a call
                if later or type(child) is not str:
                    later.append((longer, number, (*path, key), child, depth + 1))
                elif child and not child.isspace():
                    yield longer, number, (*path, key), child
            stack += reversed(later)

    def leaf(self, entity_type: str, path: Path, leaf: Any) -> Leaf | None:
        """The value of a leaf; None if it is absent."""
        entity = self.entity(entity_type, leaf)
        if entity is None:
            return None
        value, placed = content_of(leaf), _placed(leaf)
        box, page = placed.get("box"), placed.get("page")
        return Leaf(*entity, path, value if isinstance(value, int | float) else entity[1], box, page)


def _placed(leaf: Any) -> Mapping[str, object]:
    """The object that may say where a leaf stands: itself or, of alternatives, the first that does."""
    if isinstance(leaf, dict) and ANY_OF not in leaf:
        return leaf
    alternatives = leaf[ANY_OF] if isinstance(leaf, dict) else leaf if isinstance(leaf, tuple) else ()
    return next((each for each in alternatives if isinstance(each, dict) and any(map(each.get, PLACE_KEYS))), {})


def content_of(leaf: Any) -> Any:
    """The JSON value of a scored leaf; any other leaf as it is.

    Raises:
        TypeError, ValueError: if JSON has no such value.

    >>> content_of({"value": "12.00", "confidence": 0.9})
    '12.00'
    """
    value = leaf["value"] if isinstance(leaf, dict) and "value" in leaf else leaf
    return value if type(value) in JSON_TYPES else plain_value(value)


def _is_absent(leaf: Any) -> bool:
    """Whether a leaf is null, NaN or blank; alternatives are read later."""
    value = content_of(leaf)
    return value is None or value != value or (isinstance(value, str) and (not value or value.isspace()))
