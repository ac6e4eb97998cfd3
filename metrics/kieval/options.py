"""The options of KIEval, and the meaning of its scores."""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from docie.core.errors import shortened
from docie.core.scores import Score
from docie.core.settings import Common, Valued, check_choice, comma_separated, option, sorted_thresholds
from docie.metrics.kieval import absent, weighing
from docie.metrics.kieval.evidence.scores import Asked

SCORES = (
    Score("entity_f1", "higher", "share", "Micro-averaged F1 score of entities in matched groups.", headline=True),
    Score("entity_precision", "higher", "share", "Share of predicted entities that are correct.", part_of="entity_f1"),
    Score("entity_recall", "higher", "share", "Share of reference entities that were found.", part_of="entity_f1"),
    Score("aligned", "higher", "share", "True positives over true positives plus corrections."),
    Score("corrections", "lower", "count", "Number of substitutions, additions and deletions that repair everything."),
    Score("substitutions", "lower", "count", "Number of predicted values to replace."),
    Score("additions", "lower", "count", "Number of missing values to add."),
    Score("deletions", "lower", "count", "Number of spurious values to delete."),
    Score("errors", "lower", "count", "Number of false positives and false negatives."),
    Score("true_positives", "higher", "count", "Number of correct entities."),
    Score("false_positives", "lower", "count", "Number of predicted entities that are incorrect."),
    Score("false_negatives", "lower", "count", "Number of reference entities that were not found."),
    Score("entity_f1_macro", "higher", "share", "Mean of the F1 scores of the entity types."),
    Score("group_f1", "higher", "share", "Micro-averaged F1 score of groups, which must be identical."),
    Score("group_precision", "higher", "share", "Share of predicted groups that are identical.", part_of="group_f1"),
    Score("group_recall", "higher", "share", "Share of reference groups that were found.", part_of="group_f1"),
    Score("document_accuracy", "higher", "documents", "Share of documents without any error."),
    Score("weighted_entity_f1", "higher", "share", "`entity_f1` with each entity weighted by its type."),
    Score("weighted_aligned", "higher", "share", "`aligned` with each entity weighted by its type."),
    Score("correction_cost", "lower", "cost", "Cost of all corrections."),
    Score("correction_cost_per_document", "lower", "cost", "Mean cost of the corrections of a document."),
    Score("minutes_per_100_documents", "lower", "cost", "Minutes that the corrections of 100 documents take."),
    Score("absent_accuracy", "higher", "share", "Share of absent values that were left out."),
    Score("absent", "neither", "count", "Number of values that are absent in the reference."),
    Score("false_alarms", "lower", "count", "Number of absent values that were predicted."),
    Score("grounded_f1", "higher", "share", "F1 score of values that are correct and in the correct place."),
    Score(
        "grounded_precision",
        "higher",
        "share",
        "Share of predicted values with evidence that are correct and in the correct place.",
        part_of="grounded_f1",
    ),
    Score(
        "grounded_recall",
        "higher",
        "share",
        "Share of reference values with evidence that were found in the correct place.",
        part_of="grounded_f1",
    ),
    Score("evidence_share", "higher", "share", "Share of predicted values that carry evidence."),
    Score(
        "support",
        "neither",
        "count",
        "Number of reference entities; of reference groups in `per_group`, of absent values in `per_absent_field`.",
    ),
    Score("threshold", "neither", "share", "Confidence below which a predicted entity is reviewed."),
    Score("automation_rate", "higher", "share", "Share of predicted entities that skip review at this threshold."),
    Score(
        "straight_through_rate",
        "higher",
        "documents",
        "Share of documents that skip review: they have values, each with a confidence that is high enough.",
    ),
    Score("straight_through_accuracy", "higher", "share", "Share without any error of the documents that skip review."),
)
"""In the rows of `automation`, `aligned` is the score after review at the threshold."""


@dataclass(frozen=True, kw_only=True)
class Settings(Valued):
    """The options of KIEval.

    Attributes:
        matching (str): "optimal" (most identical entities, then fewest corrections, then most identical groups) or
            "greedy" (the official code's `max_em_score`, which depends on the order of groups).
        empty_groups (str): "ignore" objects without entities, or "count" them as groups, as the official code does.
        ontology (list of str): the entity types to score; None for all.
        thresholds (list of float): confidences, each at least 0, at which `automation` scores are computed.
        weights: None, a mapping from entity type to a number of at least 0 (1 for other types), or the path of a JSON
            file with one: adds `weighted_entity_f1` and `weighted_aligned`. So does a schema's `x-docie-weight`.
        costs: None, the cost of a correction, or a mapping from entity type to that cost, or to the costs of
            "substitution", "addition" and "deletion" (1 for other types and operations): adds `correction_cost`.
        evidence (str): None, "box", "box(0.7)" with the least intersection over union (0.5 by default), or "page": adds
            `grounded_precision`, `grounded_recall`, `grounded_f1` and `evidence_share`: whether correct values also
            have the boxes, or the pages, of the reference.
        asked_evidence: what `evidence` asks for; None for nothing.
        declared: the entity types that every document could have: those of the ontology, else those of the schema.
        weight_of: the weights from `weights` and `schema`; None if there are none.
        normalize: None, a normalizer's name, a list of names, or a mapping from entity type to these
            (see `docie.normalizers`).
        match: None, a match rule such as "similar(0.9)" or "within(1%)", a function of a predicted and a reference
            text, or a mapping from entity type to these: which different texts count as the same value (see
            `docie.core.rules`).
        schema: None, a JSON Schema, the path of a file with one, a class with `model_json_schema()`, or a list of
            these, which sets normalizers and rules by the types of its values.

    Raises:
        ValueError: if an option does not take its value.

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
    evidence: str | None = option(None, only_if_set=True)
    asked_evidence: Asked | None = field(init=False, repr=False, compare=False)
    weight_of: Mapping[str, float] | None = field(init=False, repr=False, compare=False)
    declared: frozenset[str] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        super().__post_init__()
        check_choice("matching", self.matching, "optimal", "greedy")
        check_choice("empty_groups", self.empty_groups, "ignore", "count")
        if self.ontology is not None:
            object.__setattr__(self, "ontology", _entity_types(self.ontology))
        weighing.read_options(self)
        asked = None if self.evidence is None else Asked.of(self.evidence)
        object.__setattr__(self, "asked_evidence", asked)
        object.__setattr__(self, "evidence", asked and str(asked))
        object.__setattr__(self, "declared", absent.declared_types(self))
        if self.thresholds is not None:
            object.__setattr__(
                self,
                "thresholds",
                sorted_thresholds(self.thresholds, lambda value: 0 <= value <= sys.float_info.max, "of at least 0"),
            )


def kieval_settings(settings: object) -> Settings:
    """Settings of KIEval, with the options that the settings of any family share with it.

    Args:
        settings (Settings): settings of a family; None for the defaults.

    Returns:
        Settings: the settings themselves, if they are KIEval's.

    >>> from docie import entity_f1
    >>> kieval_settings(entity_f1.Settings(normalize="casefold")).normalize
    'casefold'
    """
    if isinstance(settings, Settings):
        return settings
    # what else has a schema reads it in its own way
    shared = ("normalize", "match", "schema", "ontology") if isinstance(settings, Common) else ()
    return Settings(**{name: getattr(settings, name) for name in shared if hasattr(settings, name)})


def _entity_types(ontology: Iterable[str]) -> frozenset[str]:
    types = [] if isinstance(ontology, str) or not isinstance(ontology, Iterable) else list(ontology)
    if not types or not all(isinstance(entity_type, str) for entity_type in types):
        raise ValueError(f"ontology must be a list of entity types, got {shortened(ontology)}")
    return frozenset(types)
