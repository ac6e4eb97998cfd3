"""What the options of the command line mean: which families, and their settings."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from docie.core.family import Family, check_options, families, get, options_of, settings_of

DEFAULT_FAMILIES = {
    "document": "kieval",
    "tagged words": "entity_f1",
    "tags": "entity_f1",
    "entities": "oi_entities",
    "boxes": "box_iou",
    "attacked": "form_robustness",
    "value": "kieval",
}
"""The family for each kind of input, if none is named."""


def accepts_text(metrics: list[str]) -> bool:
    """Whether, for all of these metrics, a document may be a text."""
    return bool(metrics) and all(metric != "all" and "value" in get(metric).INPUTS for metric in metrics)


def choose_families(metrics: list[str], input_kind: str) -> dict[str, Family]:
    """The families that were named. "all" stands for those that read this kind of input.

    Raises:
        ValueError: for an unknown family, and for one that does not read this kind of input.
    """
    from docie.documents.kinds import check_input_kind

    chosen: dict[str, Family] = {}
    for metric in metrics or [DEFAULT_FAMILIES[input_kind]]:
        if metric == "all":
            chosen |= {name: get(name) for name in families() if input_kind in get(name).INPUTS}
        else:
            chosen[metric] = get(metric)
            check_input_kind(metric, chosen[metric].INPUTS, input_kind)
    return chosen


def settings_of_families(
    chosen: dict[str, Family],
    normalize: Sequence[str] = (),
    options: Sequence[str] = (),
    match: Sequence[str] = (),
    **others: Any,
) -> dict[str, Any]:
    """The settings of every family. Each takes those of the options that it has.

    Args:
        chosen: the families.
        normalize: normalizers, or ENTITY_TYPE=NORMALIZER.
        options: NAME=VALUE, where the value is JSON or text.
        match: a match rule, or ENTITY_TYPE=RULE.
        **others: the values of other options; None for those that were not given.

    Raises:
        ValueError: for an option that none of the families has, and for a value that an option does not take.
    """
    values = values_by_name(options)
    if normalize:
        values["normalize"] = _by_type("normalize", "normalizer", normalize)
    if match:
        values["match"] = _match(match)
    values |= {name: value for name, value in others.items() if value is not None}
    known = {name: options_of(family).keys() for name, family in chosen.items()}
    check_options(values, set().union(*known.values()), owner=", ".join(chosen))
    return {
        name: settings_of(family, {option: value for option, value in values.items() if option in known[name]})
        for name, family in chosen.items()
    }


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


def _match(specs: Sequence[str]) -> str | dict[str, str]:
    """One rule for all entity types, or {entity type: rule}."""
    by_type = _by_type("match", "rule", specs)
    for entity_type, rules in by_type.items() if isinstance(by_type, dict) else [("", by_type)]:
        if len(rules) > 1:
            place = f" of {entity_type!r}" if entity_type else ""
            raise ValueError(f"--match: expected one rule{place}, got {' and '.join(rules)}")
    return {entity_type: rule for entity_type, [rule] in by_type.items()} if isinstance(by_type, dict) else by_type[0]


def values_by_name(texts: Sequence[str]) -> dict[str, object]:
    """The values of options that were given as NAME=VALUE, where the value is JSON or text."""
    values: dict[str, object] = {}
    for text in texts:
        name, mark, value = text.partition("=")
        if not mark:
            raise ValueError(f"--option must be NAME=VALUE, got {text!r}")
        if name == "reading":
            raise ValueError("--option reading: how rows are read has options of its own, such as --rename")
        values[name] = _json_or_text(value)
    return values


def _json_or_text(value: str) -> object:
    """What JSON text says; other text as it is."""
    try:
        return json.loads(value)
    except (ValueError, RecursionError):
        return value
