"""Mappings from names to names: paths such as `Items.Amount`, in a JSON or YAML file."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping

from docie.core.errors import json_kind, shortened


def read_mapping(path: str | os.PathLike[str]) -> object:
    """What a JSON or YAML file holds.

    Raises:
        ValueError: for a file that cannot be read.
    """
    import yaml  # slow

    try:
        with open(path, encoding="utf-8-sig") as file:
            return json.load(file) if os.fspath(path).lower().endswith(".json") else yaml.safe_load(file)
    except (OSError, ValueError, yaml.YAMLError) as error:
        reason = getattr(error, "strerror", None) or " ".join(str(error).split())
        raise ValueError(f"{path}: {reason}") from None


def read_names(path: str | os.PathLike[str]) -> dict[str, str]:
    """The mapping from names to names in a JSON or YAML file.

    Raises:
        ValueError: for a file that cannot be read, or that holds something else.
    """
    names = read_mapping(path)
    if not isinstance(names, Mapping):
        raise ValueError(f"{path}: expected a mapping from names to names, got {json_kind(names)}")
    for old, new in names.items():
        if not isinstance(old, str) or not old:
            raise ValueError(f"{path}: expected a text as name, got {shortened(old)}; write it in quotes")
        if not isinstance(new, str) or not new:
            hint = f"; write {old}.NAME: NAME" if isinstance(new, Mapping) else ""
            raise ValueError(f"{path}: expected a name for {shortened(old)}, got {json_kind(new)}{hint}")
    return dict(names)


def as_names(texts: Iterable[str]) -> dict[str, str]:
    """The mapping that texts such as "lines=items" are."""
    return {old: new for old, _, new in (text.partition("=") for text in texts)}


def with_groups(names: Mapping[str, str]) -> dict[str, str]:
    """The mapping, with the names of groups that follow from those of their values.

    >>> with_groups({"Items.Amount": "items.amount"})
    {'Items.Amount': 'items.amount', 'Items': 'items'}
    """
    result = dict(names)
    for old, new in names.items():
        while "." in old and old.count(".") == new.count("."):
            old, new = old.rpartition(".")[0], new.rpartition(".")[0]
            result.setdefault(old, new)
    return result
