"""The options of families as controls of a page: each with its choices, from the families' own settings."""

from __future__ import annotations

import dataclasses
import json
import re
import typing
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from docie.core.family import get, options_of
from docie.core.normalizers import NORMALIZERS
from docie.core.values.json_text import loads
from docie.core.values.plain import JsonObject
from docie.documents.tagging import SCHEMES

from .limits import RefusedError

CONFIG = "config"
"""The option of no family: how rows are read."""
CORRECTIONS = "corrections"
"""Another one, where references are documents: which labels are wrong."""
CHOICES = {"normalize": tuple(NORMALIZERS), "scheme": ("", *SCHEMES)}
"""Choices of options whose types do not list them."""
GROUPS: dict[str, dict[str, tuple[str, str]]] = {
    "What counts as equal": {
        "normalize": ("Formats that count as equal", "For single fields: total=number"),
        "match": ("Different texts that count as equal", "similar(0.9), within(0.01), within(1%), same_amount"),
        "schema": ("JSON Schema", "Numbers are compared as numbers, dates as dates"),
        "threshold": ("Least similarity with credit", ""),
        "strict_threshold": ("No credit at exactly that similarity", ""),
        "nerval_threshold": ("Most errors in a match", "The greatest character error rate"),
        "thresholds": ("Least overlaps, or confidences", "Numbers: 0.5, 0.9"),
    },
    "What is scored": {
        "ontology": ("Fields to score", "total, items.amount"),
        "weights": ("Weights of fields", '{"total": 3}'),
        "costs": ("Costs of corrections", '{"total": 3}'),
        "matching": ("How line items are paired", ""),
        "empty_groups": ("Line items without values", ""),
        "evidence": ("Whether values are in their place", "box, box(0.7), page"),
        "unmatched": ("Line items without a counterpart", ""),
        "closest": ("Name the closest reference", ""),
        "scheme": ("Scheme of the tags", ""),
        "strict": ("Only tags that follow the scheme", ""),
    },
    "How documents are read": {
        "config": ("Names and structure", '{"predictions": {"rename": {"lines": "items"}, "unwrap": "output"}}'),
        "corrections": ("Labels that are wrong", "What “Judge errors” wrote, a JSON object a line"),
    },
}
"""Groups of options: for each option a label in plain words, and a hint."""
_BY_TYPE = re.compile(r"([^=()]+)=(.+)", re.DOTALL)


@dataclass(frozen=True)
class Option:
    """An option as a control.

    Attributes:
        name: its name.
        families: the families that have it.
        kind: "choice", "choices" (several), "flag", "number" or "text".
        default: the value for which it is omitted.
        choices: the possible values.
    """

    name: str
    families: tuple[str, ...]
    kind: str
    default: object
    choices: tuple[str, ...] = ()


def names_of(family: str) -> list[str]:
    """The names of the options of a page that a family takes: its own, and how rows are read."""
    reads_documents = "document" in get(family).INPUTS
    return [*options_of(get(family)), CONFIG, *([CORRECTIONS] if reads_documents else [])]


def options_for(families: Iterable[str]) -> list[Option]:
    """The options of families, each name once, by their groups; those that more families have come first.

    >>> [option.name for option in options_for(["hed"])]
    ['normalize', 'unmatched', 'config', 'corrections']
    """
    owners: dict[str, list[str]] = {}
    for family in families:
        for name in names_of(family):
            owners.setdefault(name, []).append(family)
    result = [_option(name, tuple(names)) for name, names in owners.items()]
    places = {name: place for place, told in enumerate(GROUPS.values()) for name in told}
    return sorted(result, key=lambda option: (places[option.name], -len(option.families), option.name))


def _option(name: str, families: tuple[str, ...]) -> Option:
    if name in (CONFIG, CORRECTIONS):
        return Option(name, families, "text", "")
    settings: Any = get(families[0]).Settings
    default = next(each.default for each in dataclasses.fields(settings) if each.name == name)
    hint = typing.get_type_hints(settings)[name]
    if name == "normalize":
        return Option(name, families, "choices", None, CHOICES[name])
    if name in CHOICES:
        return Option(name, families, "choice", "", CHOICES[name])
    if typing.get_origin(hint) is typing.Literal:
        return Option(name, families, "choice", default, typing.get_args(hint))
    if hint is bool:
        return Option(name, families, "flag", default)
    if hint is float:
        return Option(name, families, "number", default)
    return Option(name, families, "text", "")


def values_of(options: Iterable[Option], controls: Mapping[str, object]) -> JsonObject:
    """The options by name, as JSON values, from the values of their controls by the same names. Defaults are omitted.

    Raises:
        RefusedError: if a text cannot be read.

    >>> values_of(options_for(["kieval"]), {"normalize": ["total=number"], "match": "", "matching": "greedy"})
    {'normalize': {'total': ['number']}, 'matching': 'greedy'}
    """
    return {
        option.name: _value(option, controls[option.name])
        for option in options
        if option.name in controls and controls[option.name] not in (option.default, None, "", [])
    }


def _value(option: Option, value: object) -> object:
    if option.name == "normalize" and isinstance(value, list):
        return _normalize([str(each) for each in value])
    if option.kind != "text":
        return value
    text = str(value).strip()
    if option.name == CORRECTIONS:
        return [_from_json(CORRECTIONS, line) for line in text.splitlines() if line.strip()]
    if option.name in ("weights", "costs", "schema", "config") or text[:1] in ("{", "["):
        return _from_json(option.name, text)
    if option.name == "ontology":
        return [part.strip() for part in text.split(",") if part.strip()]
    if option.name == "thresholds":
        return _from_json(option.name, f"[{text}]")
    if match := _BY_TYPE.fullmatch(text):
        return {match[1].strip(): match[2].strip()}
    return text


def _normalize(specs: list[str]) -> list[str] | dict[str, list[str]]:
    """A list of normalizers, or a list for each entity type."""
    named = [_BY_TYPE.fullmatch(spec) for spec in specs]
    if not any(named):
        return specs
    if not all(named):
        raise RefusedError("normalize: name a field for every normalizer, or for none.", field="options")
    result: dict[str, list[str]] = {}
    for match in named:
        assert match is not None
        result.setdefault(match[1].strip(), []).append(match[2].strip())
    return result


def _from_json(name: str, text: str) -> object:
    try:
        return loads(text)
    except ValueError as error:
        raise RefusedError(f"{name}: not JSON ({error}).", field="options") from None


def control_value(option: Option, value: object) -> object:
    """The value of an option's control, from a result of `values_of`; its default for None.

    >>> [option] = [each for each in options_for(["hed"]) if each.name == "normalize"]
    >>> control_value(option, {"total": ["number"]}), control_value(option, None)
    (['total=number'], [])
    """
    if value is None:
        return [] if option.kind == "choices" else option.default
    if option.kind == "choices":
        if isinstance(value, dict):
            return [f"{entity_type}={name}" for entity_type, names in value.items() for name in names]
        return [value] if isinstance(value, str) else value
    if option.name == CORRECTIONS and isinstance(value, list):
        return "".join(f"{json.dumps(each, ensure_ascii=False)}\n" for each in value)
    return json.dumps(value, ensure_ascii=False) if option.kind == "text" and not isinstance(value, str) else value
