"""The options of families: those that all share, checks of values, and the signature that records them."""

from __future__ import annotations

import dataclasses
import math
import re
from collections.abc import Callable, Iterable, Mapping, Sized
from dataclasses import dataclass, field
from numbers import Integral, Real
from typing import TYPE_CHECKING, Any

from docie._version import __version__
from docie.core.errors import shortened
from docie.core.normalizers.specs import Normalize, describe, normalizer_of
from docie.core.rules.match import Match, Rules, rules_of
from docie.core.rules.schemas import Schema, read_schema

if TYPE_CHECKING:
    from _typeshed import DataclassInstance


def option(
    default: object,
    *,
    in_signature: Callable[[Any], str] = str,
    only_if_set: bool = False,
    entity_types: Callable[[Any], Iterable[str]] | None = None,
) -> Any:
    """A field of a family's settings that defines how the signature writes it.

    Args:
        default: the default value.
        in_signature: returns the text of a value.
        only_if_set: leave the option out of the signature at its default: for a newer option, so that older signatures
            stay the same.
        entity_types: returns the entity types that a value names.
    """
    metadata = {"in_signature": in_signature, "only_if_set": only_if_set, "entity_types": entity_types}
    return field(default=default, metadata=metadata)


def is_normalized(settings: object) -> bool:
    """Whether settings allow different texts to count as the same value."""
    return any(getattr(settings, name, None) is not None for name in ("normalize", "match", "schema"))


def named_entity_types(settings: DataclassInstance) -> dict[str, list[str]]:
    """From each option that names entity types to these names, in alphabetical order.

    >>> named_entity_types(Common(normalize={"total": "number"}))
    {'normalize': ['total']}
    """
    named = {}
    for each in dataclasses.fields(settings):
        entity_types = each.metadata.get("entity_types")
        names = entity_types(getattr(settings, each.name)) if entity_types else ()
        if names:
            named[each.name] = sorted(names)
    return named


def settings_of_document(settings: Any, identity: str | None) -> Any:
    """The settings for one document, by its id, where those of documents differ: each may have its own schema."""
    of_document = getattr(settings, "of_document", None)
    return settings if of_document is None else of_document(identity)


def comma_separated(values: Iterable[object]) -> str:
    """Several values in a signature."""
    return ",".join(map(str, values))


def _keys(value: object) -> Iterable[str]:
    return list(value) if isinstance(value, Mapping) else []


@dataclass(frozen=True, kw_only=True)
class Common:
    """The options that all families of texts share. Families with more options inherit from it.

    Attributes:
        normalize: None, the name of a normalizer, a function, a list of these, or a mapping from entity type to any of
            these (see `docie.normalizers`).
        normalizer: the function (entity type, text) → text for `normalize`; None if nothing is normalised.

    Raises:
        ValueError: if a normalizer is unknown.

    >>> Common(normalize="up")
    Traceback (most recent call last):
    ...
    ValueError: unknown normalizer 'up', expected one of nfkc, casefold, whitespace, alphanumeric, ...
    """

    normalize: Normalize = option(None, in_signature=describe, entity_types=_keys)
    normalizer: Callable[[str, str], str] | None = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "normalizer", normalizer_of(self.normalize))


@dataclass(frozen=True, kw_only=True)
class Valued(Common):
    """The options of families that judge values as correct or incorrect.

    Attributes:
        normalize: None, the name of a normalizer, a function, a list of these, or a mapping from entity type to any of
            these (see `docie.normalizers`).
        match: None, a match rule such as "similar(0.9)" or "within(1%)", a function of a predicted and a reference
            text, or a mapping from entity type to these: which different texts count as the same value (see
            `docie.core.rules`).
        schema: None, a JSON Schema, the path of a file with one, a class with `model_json_schema()`, or a list of
            these: it sets the normalizers and rules of its types that `normalize` and `match` do not name (see
            `docie.core.rules`).
        rules: the rules for `match` and `schema`; None if there are none.

    Raises:
        ValueError: if an option does not take its value.

    >>> Valued(match="roughly")
    Traceback (most recent call last):
    ...
    ValueError: match: unknown rule 'roughly', expected similar(0.9), ...
    """

    match: Match = option(None, in_signature=describe, only_if_set=True, entity_types=_keys)
    schema: Any = option(None, only_if_set=True)
    rules: Rules | None = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        super().__post_init__()
        schema: Schema | None = read_schema(self.schema)
        if schema is not None:
            object.__setattr__(self, "schema", schema)
            object.__setattr__(self, "normalizer", normalizer_of(self.normalize, schema.normalizers))
        object.__setattr__(self, "rules", rules_of(self.match, schema.matches if schema else None))


def filled(settings: DataclassInstance, values: Mapping[str, object]) -> DataclassInstance:
    """Settings with other values for options that are at their defaults. Names that are no options are left out.

    >>> filled(Common(normalize="nfkc"), {"normalize": "casefold", "match": "within(1%)"}).normalize
    'nfkc'
    """
    at_default = {e.name for e in dataclasses.fields(settings) if e.init and getattr(settings, e.name) == e.default}
    given = {name: value for name, value in values.items() if name in at_default}
    return dataclasses.replace(settings, **given) if given else settings


def signature(family: str, settings: DataclassInstance, **more: object) -> str:
    """One line that records how a score was computed, with all defaults, so that it can be reproduced.

    Args:
        family: the name of the family.
        settings: its settings, a dataclass; `option` defines how each field is written.
        more: further options by name, such as those of intervals, or how rows were read.

    Returns:
        The family, the options in alphabetical order, and the version of docie last.

    >>> from docie import kieval
    >>> signature("kieval", kieval.Settings(normalize=["nfkc", "casefold"]))
    'kieval|empty_groups:ignore|matching:optimal|normalize:nfkc+casefold|ontology:all|version:0.1.0'
    """
    texts = {name: str(value) for name, value in more.items()}
    for each in dataclasses.fields(settings):
        value = getattr(settings, each.name)
        if each.init and not (each.metadata.get("only_if_set") and value == each.default):
            texts[each.name] = each.metadata.get("in_signature", str)(value)
    parts = [f"{name}:{text}" for name, text in sorted(texts.items())]
    return "|".join([family, *parts, f"version:{__version__}"])


def with_more(signature: str, more: Mapping[str, object]) -> str:
    """A signature with further options, as `signature` would have written it.

    >>> with_more("kieval|normalize:none|version:0.1.0", {"seed": 0, "confidence_level": 0.95})
    'kieval|confidence_level:0.95|normalize:none|seed:0|version:0.1.0'
    """
    family, *parts, version = re.split(r"\|(?=\w+:)", signature)
    return "|".join([family, *sorted([*parts, *(f"{name}:{value}" for name, value in more.items())]), version])


def check_choice(name: str, value: object, *choices: str) -> None:
    """Raise ValueError unless the value of an option is one of its choices."""
    if not isinstance(value, str) or value not in choices:
        raise ValueError(f"{name} must be {' or '.join(map(repr, choices))}, got {shortened(value)}")


def check_flag(name: str, value: object) -> None:
    """Raise ValueError unless the value of an option is True or False."""
    if not isinstance(value, bool):
        raise ValueError(f"{name} must be True or False, got {shortened(value)}")


def check_list(name: str, value: object) -> None:
    """Raise ValueError unless a value is a list or can be used as one: a tuple, an array, a tensor, a table column.

    >>> check_list("words", "Latte")
    Traceback (most recent call last):
    ...
    ValueError: words must be a list, got 'Latte'
    """
    if type(value) is list:
        return
    try:
        is_list = isinstance(value, Sized) and hasattr(value, "__getitem__") and len(value) >= 0
        is_list = is_list and not isinstance(value, str | bytes | Mapping)
    except TypeError:  # a zero-dimensional array
        is_list = False
    if not is_list:
        raise ValueError(f"{name} must be a list, got {shortened(value)}")


def check_whole(name: str, value: object, least: int, *, most: float = math.inf) -> None:
    """Raise ValueError unless the value of an option is a whole number of at least `least`, and at most `most`."""
    if not isinstance(value, Integral) or isinstance(value, bool) or value < least:
        raise ValueError(f"{name} must be a whole number of at least {least}, got {shortened(value)}")
    if int(value) > most:
        raise ValueError(f"{name} must be at most {most:,}, got {shortened(value)}")


def check_fraction(name: str, value: object) -> None:
    """Raise ValueError unless the value of an option is a number between 0 and 1."""
    if not isinstance(value, Real) or isinstance(value, bool) or not 0 <= float(value) <= 1:
        raise ValueError(f"{name} must be between 0 and 1, got {shortened(value)}")


def sorted_thresholds(thresholds: object, accepts: Callable[[Any], bool], expected: str) -> tuple[float, ...]:
    """The distinct thresholds, lowest first.

    Args:
        thresholds: the value of the option.
        accepts: whether a number may be a threshold.
        expected: the description of such numbers in the error.

    Raises:
        ValueError: unless the value is a list of at least one such number.

    >>> sorted_thresholds([0.9, 0.5, 0.9], lambda value: 0 < value <= 1, "above 0 and at most 1")
    (0.5, 0.9)
    """
    values = list(thresholds) if isinstance(thresholds, Iterable) and not isinstance(thresholds, str) else []
    wrong = [v for v in values if not isinstance(v, Real) or isinstance(v, bool) or not accepts(v)]
    if wrong or not values:
        got = shortened(wrong[0] if wrong else thresholds)
        raise ValueError(f"thresholds must be a list of numbers {expected}, got {got}")
    return tuple(sorted({float(value) for value in values}))
