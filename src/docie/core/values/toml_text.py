"""Text in TOML: values as they are written, and the lines in which keys stand."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Mapping
from itertools import takewhile
from typing import Any

_BARE = re.compile(r"[A-Za-z0-9_-]+")


def toml_value(value: object) -> str:
    """A value as TOML: a text, a list, or a mapping as an inline table.

    >>> toml_value({"line total": ["number", "nfkc"]})
    '{ "line total" = ["number", "nfkc"] }'
    """
    if isinstance(value, Mapping):
        return f"{{ {', '.join(f'{toml_key(key)} = {toml_value(each)}' for key, each in value.items())} }}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(toml_value, value))}]"
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def toml_key(key: str) -> str:
    """A key as TOML: in quotes where it is not of letters, digits, `_` and `-`."""
    return key if _BARE.fullmatch(key) else toml_value(key)


def line_of(keys: tuple[str, ...], text: str) -> int:
    """The number of the line of a file in which a key stands, or else the first with most of its sections."""
    best, found, section = 0, 1, tuple[str, ...]()
    for number, line in enumerate(text.split("\n"), 1):
        is_header = line.lstrip().startswith("[")
        names = _path(line)
        place = names if is_header else (*section, *names)
        section = names if is_header and names else section
        shared = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(place, keys, strict=False)))
        if shared > best:
            best, found = shared, number
    return found


def _path(line: str) -> tuple[str, ...]:
    """The keys of a line, which may be the first of several; empty for a line that begins no value."""
    for text in (line, f"{line.partition('=')[0]} = 0"):
        try:
            nested: Any = tomllib.loads(text)
        except tomllib.TOMLDecodeError:
            continue
        names = []
        while isinstance(nested, Mapping) and len(nested) == 1:
            [(name, nested)] = nested.items()
            names.append(name)
        return tuple(names)
    return ()
