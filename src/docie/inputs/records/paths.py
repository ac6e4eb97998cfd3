"""Rows whose fields stand in one object, under keys that are paths: "items[0].name", "item_1_name", "name_1"."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from typing import Any, NamedTuple

from docie.core.values.plain import JsonObject
from docie.documents.renaming import put

ROWS = "rows"
"""The group of rows that have no name: of keys such as "name_1", or of a document that is nothing but a table."""
_PATH = re.compile(
    r"(?P<before>[^\W\d].*?)?[\W_]*?(?P<open>\[)?(?P<number>\d{1,4})(?(open)\])(?:[\W_]+(?P<after>[^\W\d].*))?"
)


class _Path(NamedTuple):
    """What a key such as "items[0].name" or "name_1" says: a group, the number of a row, and the key in it.

    The key is empty for a plain value such as "tags[0]".
    """

    group: str
    number: int
    key: str


def _path_of(key: object) -> _Path | None:
    match = _PATH.fullmatch(key) if isinstance(key, str) else None
    if match is None or not (match["before"] or match["after"]):
        return None
    if match["after"] or match["open"]:
        return _Path(match["before"] or ROWS, int(match["number"]), match["after"] or "")
    return _Path(ROWS, int(match["number"]), match["before"])


def _paths_in(value: dict[Any, Any]) -> dict[str, _Path]:
    """The keys of an object that are paths to the fields of rows, and not just names with a number."""
    paths = {key: path for key in value if (path := _path_of(key)) and path.group not in value}
    paths = {key: path for key, path in paths.items() if path.group != ROWS or path.number <= len(value)}  # no ISO 9001
    often = Counter(path.group for key, path in paths.items() for _ in range(1 + ("[" in key)))
    keys: defaultdict[str, set[str]] = defaultdict(set)
    for path in paths.values():
        keys[path.group].add(path.key)
    least = {group: 2 if group == ROWS else 1 for group in keys}  # "line_1" and "line_2" are no rows
    are_rows = {group for group in keys if often[group] > 1 and len(keys[group]) >= least[group]}
    are_rows -= {group for group in are_rows if "" in keys[group] and len(keys[group]) > 1}
    return {key: path for key, path in paths.items() if path.group in are_rows}


def from_paths(value: object) -> object:
    """The same object, with the rows whose values stand under keys such as "items[0].name" as lists of objects."""
    paths = _paths_in(value) if isinstance(value, dict) else {}
    if not isinstance(value, dict) or not paths:
        return value
    result: JsonObject = {}
    rows: defaultdict[str, dict[int, Any]] = defaultdict(dict)
    for key, child in value.items():
        if path := paths.get(key):
            result.setdefault(path.group, [])
            if path.key:
                steps = [path.key] if _path_of(path.key) else path.key.split(".")
                put(rows[path.group].setdefault(path.number, {}), steps, child)
            else:
                rows[path.group][path.number] = child
        else:
            result[key] = child
    return result | {group: [by_number[number] for number in sorted(by_number)] for group, by_number in rows.items()}
