"""Documents as a `Reading` asks for them: records as groups, other names, and without what is not scored."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

from docie.core.reading import RECORDS, Reading
from docie.core.values.json_text import ANY_OF, parsed
from docie.core.values.plain import JsonObject, longer_path
from docie.documents.kinds import ATTACKS, input_kind_of
from docie.documents.leaves import PLACE_KEYS, is_leaf
from docie.documents.type_names import with_types

ERROR_KEYS = ("error", "errors", "error_message", "exception", "detail", "refusal")
"""The keys of a row that reports a failure."""
NAME_KEYS = ("name", "key", "field", "field_name", "label", "type", "entity", "entity_type")
VALUE_KEYS = ("value", "text", "content", "mention_text", "answer")
"""The keys of a name-value pair."""
_NUMBERED = re.compile(r"(\D{0,30}?)[ _-]?(\d{1,6})")
_NAME = re.compile(r"[^\W\d][^\d]{0,60}")


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
    if ignored:
        document = without(document, ignored)
    return document if normalize is None else normalized(document, normalize)


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


def _from_numbered(value: object) -> object:
    """The objects at numbered keys, as a list: `{"1": {...}, "2": {...}}`, `{"item_1": {...}}`."""
    if not isinstance(value, dict) or not all(isinstance(each, dict) for each in value.values()):
        return value
    numbers = [_NUMBERED.fullmatch(key) for key in value if isinstance(key, str)]
    if not value or len(numbers) < len(value) or not all(numbers) or len({each[1] for each in numbers if each}) > 1:
        return value
    order = sorted(range(len(numbers)), key=lambda place: int(numbers[place][2]))  # type: ignore[index]
    rows = list(value.values())
    return [rows[place] for place in order]


def _from_columns(value: object) -> object:
    """The rows of columns of one length: `{"name": [...], "price": [...]}`."""
    if not isinstance(value, dict) or not value or is_leaf(value, "reference"):
        return value
    columns = list(value.values())
    if not all(type(each) is list and each and _are_leaves(each) for each in columns):
        return value
    if len(set(map(len, columns))) > 1:
        return value
    return [dict(zip(value, row, strict=True)) for row in zip(*columns, strict=True)]


def _from_cells(value: object) -> object:
    """The rows of a list of lists of single values. Without a header, columns are named by their numbers, from 1."""
    if type(value) is not list or not value or not all(type(row) is list and row and _are_leaves(row) for row in value):
        return value
    if not any(isinstance(cell, str | dict) for row in value for cell in row):  # a matrix, or a polygon
        return value
    header, *rows = value
    if not _is_header(header, rows):
        header, rows = [str(number) for number in range(1, 1 + max(map(len, value)))], value
    return [dict(zip(header, row, strict=False)) for row in rows]


def _is_header(header: list[object], rows: list[list[object]]) -> bool:
    """Whether the first row names the columns: distinct names without digits, over a column of values with digits."""
    if not rows or len({str(cell) for cell in header}) < len(header):
        return False
    if not all(isinstance(cell, str) and _NAME.fullmatch(cell) for cell in header):
        return False
    return any(re.search(r"\d", str(cell)) for row in rows for cell in row)


def _are_leaves(values: Iterable[object]) -> bool:
    return all(is_leaf(each, "reference") for each in values)


def pair_of(value: object) -> tuple[str, object] | None:
    """The name and the leaf of a name-value pair, such as `{"name": "total", "value": "12.00"}`.

    >>> pair_of({"field": "total", "value": "12.00", "confidence": 0.9}), pair_of({"name": "Latte", "price": "3.00"})
    (('total', {'value': '12.00', 'confidence': 0.9}), None)
    """
    if not isinstance(value, dict) or not 2 <= len(value) <= 2 + len(PLACE_KEYS) + 1:
        return None
    names, texts = ([key for key in keys if key in value] for keys in (NAME_KEYS, VALUE_KEYS))
    facts = value.keys() - {*names, *texts}
    if (
        len(names) != 1
        or len(texts) != 1
        or not facts <= {"confidence", *PLACE_KEYS}
        or not isinstance(value[names[0]], str)
    ):
        return None
    leaf = value[texts[0]]
    if "confidence" in facts and not isinstance(leaf, dict | list):
        leaf = {"value": leaf, **{key: value[key] for key in sorted(facts)}}
    return value[names[0]], leaf


def is_pairs(value: object) -> bool:
    """Whether a value is a list of name-value pairs."""
    return type(value) is list and bool(value) and all(pair_of(each) for each in value)


def _from_pairs(value: object) -> object:
    """The same object, with the name-value pairs of its lists as its fields; a list of pairs becomes an object."""
    if is_pairs(value):
        value = {"": value}
    if not isinstance(value, dict) or not any(map(is_pairs, value.values())):
        return value
    result: JsonObject = {}
    for key, child in value.items():
        for name, each in map(pair_of, child) if is_pairs(child) else [(key, child)]:  # type: ignore[misc]
            _put(result, [name], each)
    return result


def _undotted(value: Any, root: str = "") -> Any:
    """The same document with nested objects for keys such as "vendor.name". Keys that begin with `root`, the top-level
    key that they are in, are whole paths already."""
    if isinstance(value, list):
        return [_undotted(each, root) for each in value]
    if not isinstance(value, dict) or is_leaf(value, "reference"):
        return value
    result: JsonObject = {}
    for key, child in value.items():
        _put(result, key.split(".") if _is_dotted(key, root) else [key], _undotted(child, root or f"{key}."))
    return result


def _is_dotted(key: object, root: str) -> bool:
    return isinstance(key, str) and "." in key and "." in key.strip(".") and not (root and key.startswith(root))


_CHANGES: dict[str, Callable[[object], object]] = dict(
    zip(RECORDS, (parsed, _from_pairs, _undotted, _from_numbered, _from_columns, _from_cells), strict=True)
)


def with_records(document: object, kinds: Iterable[str]) -> object:
    """A document whose records of these kinds are groups; `docie.Reading` describes the kinds.

    >>> with_records({"total": "9", "menu": {"1": {"nm": "Latte"}, "2": {"nm": "Mocha"}}}, ["numbered"])
    {'total': '9', 'menu': [{'nm': 'Latte'}, {'nm': 'Mocha'}]}
    >>> with_records({"menu": {"nm": ["Latte", "Mocha"], "price": ["3.00", "4.00"]}}, ["columns"])
    {'menu': [{'nm': 'Latte', 'price': '3.00'}, {'nm': 'Mocha', 'price': '4.00'}]}
    >>> with_records({"menu": [["nm", "price"], ["Latte", "3.00"]], "vendor.name": "Kedai"}, ["cells", "dotted"])
    {'menu': [{'nm': 'Latte', 'price': '3.00'}], 'vendor': {'name': 'Kedai'}}
    >>> with_records([{"name": "total", "value": "9"}], ["pairs"])
    {'total': '9'}
    """
    for kind in RECORDS:
        if kind == "dotted" and kind in kinds:
            document = _undotted(document)
        elif kind in kinds:
            document = _changed(document, _CHANGES[kind], is_root=kind in ("columns", "numbered", "cells"))
    return document


def record_kinds(document: object) -> set[str]:
    """The kinds of records that a document holds beside objects and lists of objects.

    >>> sorted(record_kinds({"menu": {"1": {"nm": "Latte"}}, "tax": [["0.50", "A"]], "vendor.name": "Kedai"}))
    ['cells', 'dotted', 'numbered']
    """
    kinds = set[str]()
    waiting: list[tuple[object, str | None]] = [(document, None)]  # with the top-level key that each stands in
    while waiting:
        value, root = waiting.pop()
        if isinstance(value, str):
            if value[:1] in ("{", "[") and parsed(value) is not value:
                kinds.add("json")
        elif isinstance(value, dict) and not is_leaf(value, "reference"):
            kinds.update(kind for kind in _OBJECT_KINDS if root is not None and _CHANGES[kind](value) is not value)
            if any(_is_dotted(key, root or "") for key in value):
                kinds.add("dotted")
            waiting += [(child, f"{key}." if root is None else root) for key, child in value.items()]
        elif isinstance(value, list) and value:
            if root is not None and isinstance(value[0], list) and _from_cells(value) is not value:
                kinds.add("cells")
            elif isinstance(value[0], dict) and is_pairs(value):
                kinds.add("pairs")
            waiting += [(child, root or "") for child in value if isinstance(child, dict | list | str)]
    return kinds


_OBJECT_KINDS = ("numbered", "columns")


def _changed(value: object, change: Callable[[object], object], *, is_root: bool = False) -> object:
    """The value with a change made to what is in it and, unless it is a root that must stay an object, to itself."""
    if not is_root:
        value = change(value)
    if isinstance(value, dict) and not is_leaf(value, "reference"):
        return {key: _changed(child, change) for key, child in value.items()}
    return [_changed(child, change) for child in value] if isinstance(value, list) else value


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
            _put(target, [key] if stays else rest.split("."), changed)


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
        _put(target, rest.split("."), rows)
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


def _put(target: JsonObject, steps: list[str], value: object) -> None:
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
            _put(here, [key], child)
        return
    target[last] = [*(here if isinstance(here, list) else [here]), *(value if isinstance(value, list) else [value])]


def without(document: JsonObject, names: Iterable[str]) -> JsonObject:
    """A document without the entity types and groups of these names.

    >>> without({"total": "9", "menu": [{"nm": "Latte", "id": "7"}]}, ["menu.id"])
    {'total': '9', 'menu': [{'nm': 'Latte'}]}
    """
    ignored = frozenset(names)
    return _kept(document, "", "", ignored)


def _kept(node: JsonObject, path: str, root: str, ignored: frozenset[str]) -> JsonObject:
    result: JsonObject = {}
    for key, child in node.items():
        place = _place(path, root, key)
        if place not in ignored:
            result[key] = _kept_child(child, place, root or key + ".", ignored)
    return result


def _kept_child(value: Any, path: str, root: str, ignored: frozenset[str]) -> Any:
    if type(value) is dict and not is_leaf(value, "reference"):
        return _kept(value, path, root, ignored)
    return [_kept_child(each, path, root, ignored) for each in value] if type(value) is list else value


def normalized(value: Any, normalize: Callable[[str, str], str], path: str = "", root: str = "") -> Any:
    """A document whose texts are normalised by their entity types.

    >>> normalized({"menu": [{"price": "3,50"}]}, lambda entity_type, text: text.replace(",", "."))
    {'menu': [{'price': '3.50'}]}
    """
    if isinstance(value, str):
        return normalize(path, value)
    if isinstance(value, dict):
        if is_leaf(value, "reference"):
            return {
                key: normalized(each, normalize, path, root) if key in ("value", ANY_OF) else each
                for key, each in value.items()
            }
        return {
            key: normalized(child, normalize, _place(path, root, key), root or key + ".")
            for key, child in value.items()
        }
    if isinstance(value, list | tuple):
        return type(value)(normalized(child, normalize, path, root) for child in value)
    return value
