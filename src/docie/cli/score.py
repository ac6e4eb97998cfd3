"""docie score: score predictions against references, and print the results."""

from __future__ import annotations

from typing import Any

import typer

from docie.cli import runs
from docie.cli.options import arguments as o

HELP = (
    "Score predictions against references.\n\n"
    "A row is a document, a list of entities, tags or boxes, tagged words, "
    "or an object with only the keys id, meta, document, prediction, reference, ground_truth and gt_parse."
)


def score(
    context: typer.Context,
    references: o.References,
    predictions: o.Predictions,
    metric: o.Metric = None,
    protocol: o.Protocol = None,
    by_field: o.ByField = False,
    all_scores: o.AllScores = False,
    group_by: o.GroupBy = None,
    cluster: o.Cluster = None,
    normalize: o.Normalize = None,
    match: o.Match = None,
    schema: o.Schema = None,
    option: o.OfScore = None,
    config: o.Config = None,
    run: o.Run = None,
    corrections: o.Corrections = None,
    silver: o.Silver = None,
    confidence_level: o.LevelOfIntervals = None,
    interval: o.HowIntervals = o.Interval.t,
    workers: o.WorkersOrCluster = "1",
    max_seconds: o.MaxSeconds = None,
    output: o.Printed = o.Format.table,
    score_only: o.ScoreOnly = None,
    report: o.ScoreReport = None,
    images: o.Images = None,
) -> None:
    """Score predictions against references, and print the results."""
    from docie.questions.score import score as ask

    own: dict[str, Any] = {
        "documents": None if report is None else runs.SHOWN_DOCUMENTS,
        "scores": None if score_only is None else [score_only],
        "score_only": None,
        "issues": output == o.Format.json,
        "progress": True,
    }
    runs.answer(context, ask, only=score_only, **own)
