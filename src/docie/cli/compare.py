"""docie compare: compare the predictions of several systems, and decide by a gate how to end."""

from __future__ import annotations

from typing import Any

import typer

from docie.cli import runs
from docie.cli.options import arguments as o
from docie.cli.output.system_names import names_of

HELP = (
    "Compare the predictions of several systems.\n\n"
    "All read the same documents. The tables have differences with p-values and intervals, and ranks. "
    "Exit code 1 means that the gate fails, 2 bad input."
)


def compare(
    context: typer.Context,
    references: o.References,
    predictions: o.PredictionsOfSystems,
    metric: o.OneMetric = None,
    protocol: o.Protocol = None,
    scores: o.Scores = None,
    name: o.Names = None,
    baseline: o.Baseline = None,
    by_field: o.ComparedByField = False,
    all_scores: o.AllPairs = False,
    cluster: o.Cluster = None,
    suspects: o.Suspects = False,
    normalize: o.Normalize = None,
    match: o.Match = None,
    schema: o.Schema = None,
    option: o.OfCompare = None,
    config: o.Config = None,
    run: o.Run = None,
    corrections: o.Corrections = None,
    confidence_level: o.LevelOfTests = 0.95,
    max_drop: o.MaxDrop = None,
    max_broken: o.MaxBroken = None,
    workers: o.Workers = 1,
    max_seconds: o.MaxSeconds = None,
    comment: o.Comment = None,
    output: o.Printed = o.Format.table,
    report: o.ComparisonReport = None,
) -> None:
    """Compare the predictions of several systems."""
    from docie.questions.compare import compare as ask

    documents = None if report is None else runs.SHOWN_DOCUMENTS
    own: dict[str, Any] = {
        "predictions": None,
        "name": None,
        "baseline": None,
        "comment": comment is not None,
        "progress": True,
    }
    with runs.ended(context), runs.destination(comment) as file:
        systems = names_of(predictions, name or (), baseline)
        result = runs.answer(context, ask, systems=systems, documents=documents, **own)
        if file is not None:
            runs.write_to(file, result.comment(), "markdown", context)
    for line in result.gate_lines:
        runs.say(line)
    if not result.passed:
        raise typer.Exit(1)
