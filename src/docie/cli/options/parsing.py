"""What the texts of options mean."""

from __future__ import annotations

from collections.abc import Sequence


def _by_type(option: str, what: str, specs: Sequence[str]) -> list[str] | dict[str, list[str]]:
    """["nfkc", ...] for all entity types, or {entity type: [...]} if each one names its type."""
    by_type: dict[str, list[str]] = {}
    for spec in specs:
        entity_type, mark, name = spec.partition("=")
        if mark and "(" not in entity_type:
            by_type.setdefault(entity_type, []).append(name)
    if by_type and sum(map(len, by_type.values())) < len(specs):
        raise ValueError(f"--{option}: name an entity type for every {what}, or for none")
    return by_type or list(specs)


def match_of(specs: Sequence[str] | None) -> str | dict[str, str] | None:
    """One rule for all entity types, or {entity type: rule}."""
    if not specs:
        return None
    by_type = _by_type("match", "rule", specs)
    for entity_type, rules in by_type.items() if isinstance(by_type, dict) else [("", by_type)]:
        if len(rules) > 1:
            place = f" of {entity_type!r}" if entity_type else ""
            raise ValueError(f"--match: expected one rule{place}, got {' and '.join(rules)}")
    return {entity_type: rule for entity_type, [rule] in by_type.items()} if isinstance(by_type, dict) else by_type[0]


def by_name(texts: Sequence[str] | None) -> dict[str, object]:
    """The values of options that were given as NAME=VALUE, where the value is JSON or text."""
    values: dict[str, object] = {}
    for text in texts or ():
        name, mark, value = text.partition("=")
        if not mark:
            raise ValueError(f"--option must be NAME=VALUE, got {text!r}")
        if name == "config":
            raise ValueError("--option config: how rows are read is asked for with --config")
        values[name] = _json_or_text(value)
    return values


def normalize_of(specs: Sequence[str] | None) -> list[str] | dict[str, list[str]] | None:
    """The normalizers of `--normalize`."""
    return _by_type("normalize", "normalizer", specs) if specs else None


def _json_or_text(value: str) -> object:
    """What JSON text says; other text as it is."""
    from docie.core.values.json_text import loads  # needs numpy, which --help does not

    try:
        return loads(value)
    except ValueError:
        return value
