"""Weights of entities, and costs of their corrections: sums over the rows of entity types, added in one place."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from docie.core.counts import Counts, Key, Number, Outcomes, Row, exact_sum, ratio
from docie.core.rules.weights import Costs, read_costs, read_weights


@dataclass(slots=True)
class Entities(Outcomes):
    """Columns of the ("entity", group type, entity type) rows. ("group", group type) rows have the `Outcomes` only."""

    substitutions: Number = 0

    @property
    def additions(self) -> Number:
        """Equation 9."""
        return self.false_negatives - self.substitutions

    @property
    def deletions(self) -> Number:
        """Equation 10."""
        return self.false_positives - self.substitutions

    @property
    def corrections(self) -> Number:
        """Equation 11: substitutions, additions and deletions."""
        return self.false_positives + self.false_negatives - self.substitutions


@dataclass(slots=True)
class Weighted(Outcomes):
    """Columns of the ("weighted",) row: outcomes and corrections, times the weights of their types."""

    corrections: Number = 0


@dataclass(slots=True)
class Cost(Row):
    """Column of the ("cost", entity type) rows."""

    cost: Number = 0.0


def read_options(settings: Any) -> None:
    """Read the options `weights` and `costs`. A schema's weights apply to types that `weights` omits."""
    of_schema = settings.schema.weights if settings.schema else {}
    weights = None if settings.weights is None else read_weights(settings.weights)
    object.__setattr__(settings, "weights", weights)
    object.__setattr__(
        settings, "weight_of", {**of_schema, **(weights or {})} if weights is not None or of_schema else None
    )
    if settings.costs is not None and not isinstance(settings.costs, Costs):
        object.__setattr__(settings, "costs", read_costs(settings.costs))


def named(option: Mapping[str, float] | Costs | None) -> Iterable[str]:
    """The entity types that an option names."""
    return (option.by_type if isinstance(option, Costs) else option) or ()


def describe(option: Mapping[str, float] | Costs | None) -> str:
    """The text of an option in the signature.

    >>> describe({"total": 3.0, "tax": 0.5}), describe(Costs({}, (10.0, 10.0, 10.0)))
    ('tax=0.5,total=3', '10')
    """
    if isinstance(option, Costs):
        parts = [f"{entity_type}={_text(costs)}" for entity_type, costs in sorted(option.by_type.items())]
        return ",".join(parts + [_text(option.others)] * (not parts))
    return ",".join(f"{entity_type}={weight:.12g}" for entity_type, weight in sorted((option or {}).items())) or "none"


def _text(costs: tuple[float, ...]) -> str:
    return "/".join(f"{cost:.12g}" for cost in (costs[:1] if len(set(costs)) == 1 else costs))


def rows_of(
    entities: Mapping[Key, Entities], weights: Mapping[str, float] | None, costs: Costs | None
) -> dict[Key, Row]:
    """The weighted row and the rows of costs of one document, from its rows of entities."""
    rows: dict[Key, Row] = {}
    if weights is not None:
        weighted = [
            [weights.get(str(entity_type), 1.0) * number for number in (*row.numbers()[:3], row.corrections)]
            for (*_, entity_type), row in entities.items()
        ]
        rows["weighted",] = Weighted(*(exact_sum(list(column)) for column in zip(*weighted, strict=True)))
    if costs is not None:
        terms: defaultdict[str | None, list[Number]] = defaultdict(list, {None: [0.0]})  # without errors too
        for (*_, entity_type), row in entities.items():
            substitution, addition, deletion = costs.of(str(entity_type))
            terms[entity_type] += [substitution * row.substitutions, addition * row.additions, deletion * row.deletions]
        rows |= {("cost", entity_type): Cost(exact_sum(costs)) for entity_type, costs in terms.items()}
    return rows


def rows_of_repair(
    entity_type: str, change: Entities, weights: Mapping[str, float] | None, costs: Costs | None
) -> Iterator[tuple[str, Row]]:
    """What a repair adds to the weighted row and to the sum of costs, from what it adds to the row of the entities."""
    if weights is not None:
        numbers = *change.numbers()[:3], change.corrections
        yield "weighted", Weighted(*(weights.get(entity_type, 1.0) * number for number in numbers))
    if costs is not None:
        substitution, addition, deletion = costs.of(entity_type)
        cost = substitution * change.substitutions + addition * change.additions + deletion * change.deletions
        yield "cost", Cost(cost)


def figures(counts: Counts) -> dict[str, Number]:
    """The weighted scores and the costs, if requested.

    The formulas are those of entity F1 (equation 5) and of the aligned score (12), with weighted sums.
    """
    result: dict[str, Number] = {}
    if ("weighted",) in counts.rows:
        row = counts.total("weighted", Weighted)
        result["weighted_entity_f1"] = row.scores.f1
        result["weighted_aligned"] = ratio(row.true_positives, row.true_positives + row.corrections, empty=1.0)
    if ("cost", None) in counts.rows:
        cost = counts.total("cost", Cost).cost
        result["correction_cost"] = cost
        result["correction_cost_per_document"] = ratio(cost, counts.documents)
    return result


def costs_by_type(counts: Counts) -> dict[str | None, dict[str, Number]]:
    """The cost of each entity type's corrections."""
    return {entity_type: {"correction_cost": row.cost} for entity_type, row in counts.by("cost", 1, Cost).items()}
