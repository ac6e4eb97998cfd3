"""What the scores of KIEval mean."""

from __future__ import annotations

from docie.core.scores import Score

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
    Score(
        "support", "neither", "count", "Number of reference entities, in the table by group type of reference groups."
    ),
    Score("threshold", "neither", "share", "Confidence below which a predicted entity is reviewed."),
    Score("automation_rate", "higher", "share", "Share of predicted entities that skip review at this threshold."),
    Score("straight_through_rate", "higher", "documents", "Share of documents in which nothing is reviewed."),
    Score("straight_through_accuracy", "higher", "share", "Share of the documents without review that have no error."),
)
"""In the rows of `automation`, `aligned` is the score after review at the threshold."""
