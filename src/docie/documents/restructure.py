"""Documents as a `Reading` asks for them: records as groups, other names, and without what is not scored."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any, NamedTuple

from docie.core.reading import Reading
from docie.core.values.json_text import ANY_OF, parsed
from docie.core.values.plain import JsonObject, longer_path
from docie.documents.kinds import ATTACKS, input_kind_of
from docie.documents.leaves import is_leaf
from docie.documents.pairs.records import put, with_records
from docie.documents.type_names import with_types

ERROR_KEYS = ("error", "errors", "error_message", "exception", "detail", "refusal")
"""The keys of a row that reports a failure."""


def restructured(document: Any, side: str, reading: Reading, meta: object = None) -> Any:
    """A document as a `Reading` asks for it; None for a prediction that only reports a failure.

    Args:
        document: the document of a row.
        side: "prediction" or "reference".
        reading: how it is read.
        meta: the `meta` of its row.

    >>> restructured({"lines": {"1": {"nm": "Latte"}}}, "prediction", Reading(rename="lines=menu", records="numbered"))
    {'menu': [{'nm': 'Latte'}]}
    >>> restructured({"error": "timeout"}, "prediction", Reading(failures="error"))
    """
    if side == "prediction" and is_failure(document, reading.failures):
        return None
    names, ignored = reading.renamed() if side == "prediction" else {}, frozenset(reading.ignore)
    normalize = reading.normalizers(meta)
    kind = input_kind_of(document)
    if kind == "attacked":
        versions = document[ATTACKS].items()
        return {ATTACKS: {attack: restructured(version, side, reading, meta) for attack, version in versions}}
    if kind not in ("document", "value"):
        return with_types(document, lambda name: None if (new := _new_name(name, names)) in ignored else new, normalize)
    document = with_records(document, reading.records)
    if not isinstance(document, dict):
        return document
    if names:
        document = renamed(document, names)
    return changed(document, ignored, normalize) if ignored or normalize else document


def is_failure(row: object, keys: Iterable[str]) -> bool:
    """Whether a row has one of the keys that only the report of a failure has.

    >>> is_failure({"error": "timeout"}, ["error"]), is_failure({"error": None, "total": "9"}, ["error"])
    (True, False)
    """
    return isinstance(row, dict) and any(row.get(key) is not None for key in keys)


def unwrapped(row: object, path: Iterable[str]) -> object:
    """What stands at a path of keys in a row; JSON text on the way is parsed.

    Raises:
        KeyError: for a key of the path that is not there.

    >>> unwrapped({"file": "a.pdf", "output": {"data": '{"total": "9"}'}}, ["output", "data"])
    {'total': '9'}
    """
    for key in path:
        row = parsed(row)
        if not isinstance(row, dict) or key not in row:
            raise KeyError(key)
        row = row[key]
    return parsed(row)


def renamed(document: JsonObject, names: Mapping[str, str]) -> JsonObject:
    """A document whose entity types and groups have other names: dotted paths, as metrics write entity types.

    A name that is in several of `names` follows the longest. Values whose new place has a value already stand beside
    it, in a list.

    Args:
        document: the document.
        names: from its names to the new ones.

    >>> renamed({"lines": [{"desc": "Latte", "sum": "3.00"}]}, {"lines": "items", "lines.desc": "items.name"})
    {'items': [{'name': 'Latte', 'sum': '3.00'}]}
    >>> renamed({"vendor_name": "Kedai", "buyer": {"name": "Ann"}}, {"vendor_name": "vendor.name", "buyer.name": "to"})
    {'vendor': {'name': 'Kedai'}, 'to': 'Ann'}
    >>> renamed({"Menu": [{"Nm": "Latte", "Price": "3.00"}]}, {"Menu.Nm": "menu.nm", "Menu.Price": "menu.price"})
    {'menu': [{'nm': 'Latte', 'price': '3.00'}]}
    """
    result: JsonObject = {}
    _rename(document, "", "", [_Home("", result)], names)
    return result


class _Home(NamedTuple):
    """An object that takes renamed values: its new path, and of a line item also the items of other groups that its
    values go to, so that what stood in one row stays in one."""

    path: str
    target: JsonObject
    beside: dict[str, JsonObject] | None = None


def _rename(node: JsonObject, path: str, root: str, homes: list[_Home], names: Mapping[str, str]) -> None:
    """Put what is in an object to its new places: into the last of `homes`, or into one further out."""
    for key, child in node.items():
        place = _place(path, root, key)
        new = _new_name(place, names)
        target, rest = _home_of(new, homes)
        stays = (new == place and target is homes[-1].target) or rest == key
        changed = _renamed_child(child, place, root or key + ".", [*homes, _Home(new, {})], names)
        if changed not in ({}, []) or child in ({}, []):  # what was moved leaves nothing behind
            put(target, [key] if stays else rest.split("."), changed)


def _home_of(new: str, homes: list[_Home]) -> tuple[JsonObject, str]:
    """The object that takes what has this new path, and its path there."""
    for home in reversed(homes):
        if not home.path or new.startswith(home.path + "."):
            return home.target, new[len(home.path) + 1 :] if home.path else new
        steps = new.split(".")
        depth = home.path.count(".") + 1
        if home.beside is not None and len(steps) > depth:
            return home.beside.setdefault(".".join(steps[:depth]), {}), ".".join(steps[depth:])
    raise AssertionError("the root takes everything")


def _renamed_child(value: Any, path: str, root: str, homes: list[_Home], names: Mapping[str, str]) -> Any:
    if type(value) is list:
        return _renamed_list(value, path, root, homes, names)
    if type(value) is not dict or is_leaf(value, "reference"):
        return value
    _rename(value, path, root, homes, names)
    return homes[-1].target


def _renamed_list(values: list[Any], path: str, root: str, homes: list[_Home], names: Mapping[str, str]) -> list[Any]:
    outer, kept, moved = homes[:-1], list[Any](), dict[str, list[JsonObject]]()
    for each in values:
        beside: dict[str, JsonObject] = {}
        changed = _renamed_child(each, path, root, [*outer, _Home(homes[-1].path, {}, beside)], names)
        if changed != {} or each == {}:
            kept.append(changed)
        for group, row in beside.items():
            moved.setdefault(group, []).append(row)
    for group, rows in moved.items():
        target, rest = _home_of(group, outer)
        put(target, rest.split("."), rows)
    return kept


def _place(path: str, root: str, key: str) -> str:
    """The entity type, or the group, of a key."""
    return longer_path(path, root, key) if path else key


def _new_name(path: str, names: Mapping[str, str]) -> str:
    """The new name of a path, by the longest name that it has or begins with."""
    old = path
    while old and old not in names:
        old = old.rpartition(".")[0]
    return names[old] + path[len(old) :] if old else path


def changed(
    value: Any,
    ignored: Collection[str] = (),
    normalize: Callable[[str, str], str] | None = None,
    path: str = "",
    root: str = "",
) -> Any:
    """A document without the entity types and groups of these names, with its texts normalised by their entity types.

    >>> changed({"total": "9", "menu": [{"nm": "Latte", "id": "7"}]}, ["menu.id"])
    {'total': '9', 'menu': [{'nm': 'Latte'}]}
    >>> changed({"menu": [{"price": "3,50"}]}, normalize=lambda entity_type, text: text.replace(",", "."))
    {'menu': [{'price': '3.50'}]}
    """
    if isinstance(value, str):
        return value if normalize is None else normalize(path, value)
    if isinstance(value, list | tuple):
        sequence = tuple if isinstance(value, tuple) else list
        return sequence(changed(child, ignored, normalize, path, root) for child in value)
    if not isinstance(value, dict):
        return value
    result: JsonObject = {}
    is_value = is_leaf(value, "reference")
    for key, child in value.items():
        if is_value:
            result[key] = changed(child, (), normalize, path, root) if key in ("value", ANY_OF) else child
        elif (place := _place(path, root, key)) not in ignored:
            result[key] = changed(child, ignored, normalize, place, root or key + ".")
    return result
