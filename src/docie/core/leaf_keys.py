"""The keys of objects that stand for one value, as the option `leaf` names them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from docie.core.errors import shortened

if TYPE_CHECKING:
    from docie.core.values.plain import JsonObject

BESIDE = "*"
"""In the names of keys, the key of the value: facts beside a value are under `*_confidence`, say."""


class LeafKeys(NamedTuple):
    """The keys of an object that stands for a value; "" for those that it has not.

    Attributes:
        value: the key of the value; "*" for facts that stand beside a value, not in an object with it.
        confidence, percent: the key of its confidence, from 0 to 1 or in per cent.
        box, page: the keys of its box and of its page.
        ignore: keys that are not scored.
    """

    value: str
    confidence: str = ""
    percent: str = ""
    box: str = ""
    page: str = ""
    ignore: tuple[str, ...] = ()

    def __str__(self) -> str:
        """The keys as a signature writes them."""
        given = [(name, key) for name, key in zip(self._fields, self, strict=True) if key]
        return ",".join(f"{name}={'/'.join(key) if isinstance(key, tuple) else key}" for name, key in given)

    @property
    def facts(self) -> dict[str, str]:
        """The keys of facts, by what they are."""
        given = {name: getattr(self, name) for name in ("confidence", "percent", "box", "page")}
        return {name: key for name, key in given.items() if key}

    @property
    def keys(self) -> frozenset[str]:
        """All keys that such an object may have."""
        return frozenset({self.value, *self.facts.values(), *self.ignore})

    def to_json(self) -> JsonObject:
        """The keys as `docie.toml` has them."""
        given = {name: key for name, key in self._asdict().items() if key}
        return {**given, "ignore": [*self.ignore]} if self.ignore else given


def leaf_keys(value: object) -> tuple[LeafKeys, ...]:
    """What the option `leaf` says: the keys of one kind of object, or of several.

    Raises:
        ValueError: for any other value.

    >>> [str(each) for each in leaf_keys({"value": "content", "confidence": "score", "ignore": ["kind"]})]
    ['value=content,confidence=score,ignore=kind']
    """
    given = [value] if isinstance(value, str | Mapping | LeafKeys) else value
    return tuple(map(_read, given if isinstance(given, Iterable) else [value]))


def _read(value: Any) -> LeafKeys:
    if isinstance(value, LeafKeys):
        return value
    keys = {"value": value} if isinstance(value, str) else value
    if not isinstance(keys, Mapping) or not {"value"} <= keys.keys() <= {*LeafKeys._fields}:
        expected = f"the key of the value, or a table with value, {', '.join(LeafKeys._fields[1:])}"
        raise ValueError(f"leaf must be {expected}, got {shortened(value)}")
    ignored = keys.get("ignore", ())
    given: dict[str, Any] = {**keys, "ignore": tuple(ignored) if isinstance(ignored, list | tuple) else (ignored,)}
    names = [*given["ignore"], *(key for name, key in keys.items() if name != "ignore")]
    if not all(isinstance(key, str) and key for key in names):
        raise ValueError(f"leaf must name keys, got {shortened(dict(keys))}")
    return LeafKeys(**given)
