"""docie score: score predictions against references, and print the results."""

from __future__ import annotations

import typer

from docie.cli import runs
from docie.cli.options import arguments as o

HELP = (
    "Score predictions against references.\n\n"
    "A row is a document, a list of entities, tags or boxes, tagged words, "
    "or an object with only the keys id, meta, document, prediction, reference, ground_truth and gt_parse. "
    "Results go to stdout, progress and errors to stderr. Exit code 2 means bad input."
)


def score(
    context: typer.Context,
    references: o.References,
    predictions: o.Predictions,
    metric: o.Metric = None,
    by_field: o.ByField = False,
    all_scores: o.AllScores = False,
    group_by: o.GroupBy = None,
    cluster: o.Cluster = None,
    normalize: o.Normalize = None,
    match: o.Match = None,
    schema: o.Schema = None,
    option: o.OfFamily = None,
    weights: o.Weights = None,
    seconds_per_correction: o.SecondsPerCorrection = None,
    config: o.Config = None,
    dataset: o.DataSet = None,
    split: o.Split = None,
    confidence_level: o.LevelOfIntervals = None,
    interval: o.HowIntervals = o.Interval.t,
    bootstrap_samples: o.Samples = 1000,
    seed: o.Seed = 0,
    workers: o.WorkersOrCluster = "1",
    max_seconds: o.MaxSeconds = None,
    output: o.Printed = o.Format.table,
    score_only: o.ScoreOnly = None,
    report: o.ScoreReport = None,
    documents: o.Documents = 20_000,
    title: o.Title = None,
    images: o.Images = None,
    issues: o.Issues = None,
) -> None:
    """Score predictions against references, and print the results."""
    from docie.questions.score import score as ask

    shown = None if report is None else documents
    scores = None if score_only is None else [score_only]
    runs.answer(context, ask, only=score_only, documents=shown, scores=scores, score_only=None, progress=True)
