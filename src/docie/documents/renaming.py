"""Documents whose entity types and groups have other names, or are left out."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from typing import Any, NamedTuple

from docie.core.values.json_text import ANY_OF
from docie.core.values.plain import JsonObject, longer_path
from docie.documents.leaves import is_leaf


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
    >>> renamed({"number": "7"}, {"number": "invoice.No."})
    {'invoice': {'No.': '7'}}
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
        new = new_name(place, names)
        changed = _renamed_child(child, place, root or key + ".", [*homes, _Home(new, {})], names)
        if changed in ({}, []) and child not in ({}, []):
            continue  # what was moved leaves nothing behind
        is_part = isinstance(changed, dict) and not is_leaf(changed, "reference")
        target, rest = _home_of(new, homes, is_part=is_part)
        stays = (new == place and target is homes[-1].target) or rest == key
        if stays or rest:
            put(target, [key] if stays else _steps(rest), changed)
        else:
            for name in changed:
                put(target, [name], changed[name])


def _home_of(new: str, homes: list[_Home], *, is_part: bool = False) -> tuple[JsonObject, str]:
    """The object that takes what has this new path, and its path there; "" for what becomes the line item itself."""
    steps = _steps(new)
    for home in reversed(homes[1:]):
        depth = len(_steps(home.path))
        if new.startswith(home.path + "."):
            return home.target, new[len(home.path) + 1 :]
        if home.beside is not None and is_part and new == home.path:
            return home.target, ""
        if home.beside is not None and len(steps) > depth:
            return home.beside.setdefault(".".join(steps[:depth]), {}), ".".join(steps[depth:])
    items = [home for home in homes if home.beside is not None]
    group = new if is_part else new.rpartition(".")[0]
    if items and group and items[-1].beside is not None:  # it goes further out, with what stands in its row
        return items[-1].beside.setdefault(group, {}), new[len(group) + 1 :]
    return homes[0].target, new


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
        put(target, _steps(rest), rows)
    return kept


def _steps(path: str) -> list[str]:
    """The keys of a path; the dot of an abbreviation is part of one: "items.No.", "No. of pages"."""
    return re.split(r"(?<=\S)\.(?=[^\s.])", path)


def _place(path: str, root: str, key: str) -> str:
    """The entity type, or the group, of a key."""
    return longer_path(path, root, key) if path else key


def new_name(path: str, names: Mapping[str, str]) -> str:
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


def put(target: JsonObject, steps: list[str], value: object) -> None:
    """Put a value at a path, beside what stands there."""
    for step in steps[:-1]:
        inner = target.setdefault(step, {})
        if isinstance(inner, list):  # groups: a further one
            inner.append(inner := {})
        elif not isinstance(inner, dict):
            inner = target[step] = {}
        target = inner
    last = steps[-1]
    if last not in target:
        target[last] = value
        return
    here = target[last]
    if isinstance(here, dict) and isinstance(value, dict) and not is_leaf(here, "reference"):
        for key, child in value.items():
            put(here, [key], child)
        return
    target[last] = [*(here if isinstance(here, list) else [here]), *(value if isinstance(value, list) else [value])]
