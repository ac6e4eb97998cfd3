"""The options of KIEval."""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from docie.core.errors import shortened
from docie.core.settings import Valued, check_choice, comma_separated, option, sorted_thresholds
from docie.metrics.kieval import weighing


@dataclass(frozen=True, kw_only=True)
class Settings(Valued):
    """The options of KIEval.

    Attributes:
        matching (str): "optimal" (most identical entities, then fewest corrections, then most identical groups) or
            "greedy" (the official code's `max_em_score`, which depends on the order of groups).
        empty_groups (str): "ignore" objects without entities, or "count" them as groups, as the official code does.
        ontology (list of str): the entity types to score; None for all.
        thresholds (list of float): confidences, each at least 0, at which `automation` scores are wanted.
        weights: None, a mapping from entity type to a number of at least 0 (1 for types that it does not name), or the
            path of a JSON file with one: adds `weighted_entity_f1` and `weighted_aligned`. A schema's
            `x-docie-weight` does so too.
        costs: None, the cost of a correction, or a mapping from entity type to that cost, or to the costs of
            "substitution", "addition" and "deletion" (1 for what it does not name): adds `correction_cost`.
        weight_of: the weights that `weights` and `schema` give; None if they give none.
        normalize: None, a normalizer's name, a list of names, or a mapping from entity type to these
            (see `docie.normalizers`).
        match: None, a match rule such as "similar(0.9)" or "within(1%)", a function of a predicted and a reference
            text, or a mapping from entity type to these: which different texts still count as the same value (see
            `docie.core.rules`).
        schema: None, a JSON Schema, the path of a file with one, a class with `model_json_schema()`, or a list of
            these, which sets normalizers and rules by the types of its values.

    Raises:
        ValueError: for a value that an option does not take.

    >>> Settings(matching="hungarian")
    Traceback (most recent call last):
    ...
    ValueError: matching must be 'optimal' or 'greedy', got 'hungarian'
    """

    matching: Literal["optimal", "greedy"] = "optimal"
    empty_groups: Literal["ignore", "count"] = "ignore"
    ontology: Collection[str] | None = option(
        None,
        in_signature=lambda types: "all" if types is None else comma_separated(sorted(types)),
        entity_types=lambda types: types or (),
    )
    thresholds: Sequence[float] | None = option(None, in_signature=comma_separated, only_if_set=True)
    weights: Any = option(None, in_signature=weighing.describe, only_if_set=True, entity_types=weighing.named)
    costs: Any = option(None, in_signature=weighing.describe, only_if_set=True, entity_types=weighing.named)
    weight_of: Mapping[str, float] | None = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        super().__post_init__()
        check_choice("matching", self.matching, "optimal", "greedy")
        check_choice("empty_groups", self.empty_groups, "ignore", "count")
        if self.ontology is not None:
            object.__setattr__(self, "ontology", _entity_types(self.ontology))
        weighing.read_options(self)
        if self.thresholds is not None:
            object.__setattr__(
                self,
                "thresholds",
                sorted_thresholds(self.thresholds, lambda value: 0 <= value <= sys.float_info.max, "of at least 0"),
            )


def _entity_types(ontology: Iterable[str]) -> frozenset[str]:
    types = [] if isinstance(ontology, str) or not isinstance(ontology, Iterable) else list(ontology)
    if not types or not all(isinstance(entity_type, str) for entity_type in types):
        raise ValueError(f"ontology must be a list of entity types, got {shortened(ontology)}")
    return frozenset(types)
