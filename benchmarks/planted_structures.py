"""Planted changes of structure: other names of types and groups, and other forms of records.

Nothing of docie is imported.
"""

from __future__ import annotations

import functools
import json
import random
from collections.abc import Callable, Collection
from typing import Any

from planted_drafts import Draft, Options, Planted, is_enough, of_sides
from planted_sources import Document, Path_

Put = Callable[[Draft, str, random.Random], Planted | None]


# names


def rename_types(
    draft: Draft, side: str, dice: random.Random, *, number: int, new: Callable[[str], str]
) -> Planted | None:
    """Some types have another name on one side."""
    counted, right = draft.counted()
    names = {name for path in counted for name in path}
    types = [
        path
        for path in sorted(counted)
        if len(path) <= 2 and path[0] not in draft.claimed and is_enough(right[path], counted[path])
        if new(path[-1]) not in names and not any(other[: len(path)] == path != other for other in counted)
    ]
    if len(types) < number:
        return None
    chosen = set(dice.sample(types, number))
    draft.claimed |= {path[0] for path in chosen} | {new(path[0]) for path in chosen if len(path) == 1}
    pairs = [(path, (*path[:-1], new(path[-1]))) for path in chosen]
    planted = draft.planted("rename", _renames(pairs, side), chosen.__contains__)
    draft.change(side, functools.partial(_with_new_keys, {path: new(path[-1]) for path in chosen}), renames=True)
    return planted


def rename_group(draft: Draft, side: str, dice: random.Random) -> Planted | None:
    """A group has another name on one side."""
    groups = [name for name in _groups(draft) if name not in draft.claimed]
    if not groups:
        return None
    group = dice.choice(groups)
    new = dice.choice(("lines", "entries", f"{group}_list", f"all_{group}", group.title()))
    if new == group or any(new in document for document in draft.documents()):
        return None
    draft.claimed |= {group, new}
    planted = draft.planted("rename", _renames([((group,), (new,))], side), lambda path: path[0] == group)
    draft.change(side, functools.partial(_with_new_keys, {(group,): new}), renames=True)
    return planted


def flatten(draft: Draft, side: str, dice: random.Random, *, depth: int) -> Planted | None:
    """The fields of an object stand in the one around it: at the root (depth 1), or in a group's records (2)."""
    counted, right = draft.counted()
    objects = sorted({path[:-1] for path in counted if len(path) == depth + 1 and path[0] not in draft.claimed})
    objects = [path for path in objects if depth == 2 or _is_single(draft, path[0])]
    if not objects:
        return None
    path = dice.choice(objects)
    fields = [each for each in counted if each[:-1] == path and is_enough(right[each], counted[each])]
    pairs = [(each, (*path[:-1], f"{path[-1]}_{each[-1]}")) for each in fields]
    if not pairs or any(new in counted for _, new in pairs):
        return None
    draft.claimed |= {path[0], *(new[0] for _, new in pairs)}
    planted = draft.planted("rename", _renames(pairs, side), set(fields).__contains__)
    draft.change(side, functools.partial(_flattened, path, {each[-1] for each in fields}), renames=True)
    return planted


def _with_new_keys(new: dict[Path_, str], value: Any, path: Path_ = ()) -> Any:
    if isinstance(value, list):
        return [_with_new_keys(new, child, path) for child in value]
    if not isinstance(value, dict):
        return value
    places = {key: (*path, key) for key in value}
    return {new.get(places[key], key): _with_new_keys(new, child, places[key]) for key, child in value.items()}


def _flattened(path: Path_, fields: Collection[str], value: Any) -> Any:
    """The document in which these fields of an object stand beside it, under its name and theirs."""
    if isinstance(value, list):
        return [_flattened(path, fields, child) for child in value]
    if not isinstance(value, dict) or path[0] not in value:
        return value
    if len(path) > 1:
        return {**value, path[0]: _flattened(path[1:], fields, value[path[0]])}
    records = value[path[0]] if isinstance(value[path[0]], list) else [value[path[0]]]
    if not all(isinstance(record, dict) for record in records):
        return value
    moved: Document = {}
    for record in records:
        for name in (name for name in record if name in fields):
            moved.setdefault(f"{path[0]}_{name}", []).append(record[name])
    rest = [{name: child for name, child in record.items() if name not in fields} for record in records]
    kept = {path[0]: rest} if any(rest) else {}
    others = {name: child for name, child in value.items() if name != path[0]}
    return {**others, **kept, **{name: one[0] if len(one) == 1 else one for name, one in moved.items()}}


def _renames(pairs: list[tuple[Path_, Path_]], side: str) -> Callable[[Options], bool]:
    """Whether options rename all these types, written (sound name, new name), from the predictions' names."""
    wanted = [pair if side == "references" else pair[::-1] for pair in pairs]

    def asks(options: Options) -> bool:
        renamed = [each.items() for each in of_sides(options, "rename")]
        found = [tuple(name.rpartition(".")[2] for name in pair) for pairs in renamed for pair in pairs]
        return all((old[-1], new[-1]) in found for old, new in wanted)

    return asks


# records


def restructure(
    draft: Draft, side: str, dice: random.Random, *, write: Callable[[list[Document], list[str]], Any], is_flat: bool
) -> Planted | None:
    """The line items of a group have another structure; `is_flat`: one whose cells are plain values."""
    groups = [name for name in _groups(draft, is_flat=is_flat) if name not in draft.claimed]
    if not groups:
        return None
    group = dice.choice(groups)
    draft.claimed.add(group)

    lines = [line for document in draft.documents() for line in document.get(group) or ()]
    columns = list(dict.fromkeys(name for line in lines for name in line))

    def changed(document: Document) -> Document:
        return {key: write(child, columns) if key == group and child else child for key, child in document.items()}

    draft.change(side, changed)
    return draft.planted("records", _asks_for_records, lambda path: path[0] == group)


def as_numbered(records: list[Document], _: list[str]) -> Any:
    return {str(number): record for number, record in enumerate(records, 1)}


def as_columns(records: list[Document], columns: list[str]) -> Any:
    return {name: [record.get(name) for record in records] for name in columns}


def as_cells(records: list[Document], columns: list[str]) -> Any:
    return [columns, *as_cells_without_header(records, columns)]


def as_cells_without_header(records: list[Document], columns: list[str]) -> Any:
    return [[record.get(name) for name in columns] for record in records]


def as_json_text(records: list[Document], _: list[str]) -> Any:
    return json.dumps(records, ensure_ascii=False)


def as_pairs(draft: Draft, side: str, dice: random.Random, *, names: tuple[str, str]) -> Planted | None:
    """The values of the root are a list of pairs of name and value."""
    documents = draft.documents()
    types = {name for document in documents for name, child in document.items() if not isinstance(child, dict | list)}
    types -= draft.claimed | {name for each in documents for name in each if isinstance(each[name], dict | list)}
    holder = dice.choice(("fields", "entities", "extracted"))
    draft.claimed |= types

    def changed(document: Document) -> Document:
        pairs = [dict(zip(names, (name, document[name]), strict=True)) for name in document if name in types]
        rest = {name: child for name, child in document.items() if name not in types}
        return {holder: pairs, **rest} if pairs else rest

    draft.change(side, changed)
    return draft.planted("records", _asks_for_records, lambda path: len(path) == 1 and path[0] in types)


def with_dotted_keys(draft: Draft, side: str, dice: random.Random) -> Planted | None:
    """The fields of an object stand at the root, under their whole path."""
    groups = [name for name in sorted(_object_names(draft)) if _is_single(draft, name) and name not in draft.claimed]
    if not groups:
        return None
    group = dice.choice(groups)
    draft.claimed.add(group)

    def changed(document: Document) -> Document:
        inner = document.get(group) or {}
        dotted = {f"{group}.{name}": child for name, child in inner.items()}
        return {**{name: child for name, child in document.items() if name != group}, **dotted}

    draft.change(side, changed)
    return draft.planted("records", functools.partial(_asks_for_dotted, group), lambda path: path[0] == group)


def _asks_for_dotted(group: str, options: Options) -> bool:
    return _asks_for_records(options) or any(group in str(each) for each in of_sides(options, "rename"))


def _asks_for_records(options: Options) -> bool:
    return bool(of_sides(options, "records") or of_sides(options, "unwrap"))


def _object_names(draft: Draft) -> set[str]:
    return {name for document in draft.documents() for name, child in document.items() if isinstance(child, dict)}


def _is_single(draft: Draft, name: str) -> bool:
    """Whether a key of the root holds one object wherever it is there, whose fields are plain values."""
    found = [document[name] for document in draft.documents() if document.get(name)]
    return bool(found) and all(isinstance(each, dict) and _is_flat(each) for each in found)


def _groups(draft: Draft, *, is_flat: bool = False) -> list[str]:
    """The keys of the root that hold lists of objects wherever they are there."""
    found: dict[str, list[Any]] = {}
    for document in draft.documents():
        for name, child in document.items():
            if child:
                found.setdefault(name, []).append(child)
    return [
        name
        for name in sorted(found)
        if all(isinstance(child, list) and all(isinstance(record, dict) for record in child) for child in found[name])
        if not is_flat or all(_is_flat(record) for child in found[name] for record in child)
    ]


def _is_flat(record: Document) -> bool:
    return not any(isinstance(child, dict | list) for child in record.values())


def camel_case(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(part.title() for part in rest) if rest else f"{first}Field"


_NEW_NAMES: dict[str, Callable[[str], str]] = {
    "longer": lambda name: f"{name}_amount",
    "title": lambda name: name[:1].swapcase() + name[1:],
    "camel": camel_case,
    "other": lambda name: f"x{sum(map(ord, name))}",
}
"""Other names of a type. The last one has nothing in common with it."""
RENAMES: dict[str, Put] = {
    **{
        f"{count}-{style}": functools.partial(rename_types, number=number, new=new)
        for count, number in (("one-type", 1), ("three-types", 3))
        for style, new in _NEW_NAMES.items()
    },
    "group": rename_group,
    "nested-type-flattened": functools.partial(flatten, depth=2),
    "flat-object": functools.partial(flatten, depth=1),
}
RECORDS: dict[str, Put] = {
    "numbered": functools.partial(restructure, write=as_numbered, is_flat=False),
    "columns": functools.partial(restructure, write=as_columns, is_flat=True),
    "cells": functools.partial(restructure, write=as_cells, is_flat=True),
    "cells-without-header": functools.partial(restructure, write=as_cells_without_header, is_flat=True),
    "json-text": functools.partial(restructure, write=as_json_text, is_flat=False),
    "pairs-name-value": functools.partial(as_pairs, names=("name", "value")),
    "pairs-key-value": functools.partial(as_pairs, names=("key", "value")),
    "dotted-keys": with_dotted_keys,
}
SWAPPED = ("columns", "cells", "cells-without-header")
"""Structures that hide swapped rows if both sides have them."""
