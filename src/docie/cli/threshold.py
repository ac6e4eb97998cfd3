"""docie threshold: choose a confidence threshold for review, and print what it means."""

from __future__ import annotations

import typer

from docie.cli import runs
from docie.cli.options import arguments as o

HELP = (
    "Choose a confidence threshold for review.\n\n"
    "Values at or above it skip review (are auto-accepted), or documents all of whose values are. It is chosen so that "
    "enough of them are correct on these documents, and so that few incorrect ones are expected on new documents."
)


def threshold(
    context: typer.Context,
    references: o.References,
    predictions: o.Predictions,
    unit: o.Unit = o.WhatSkips.value,
    agree: o.Agree = None,
    by_field: o.ThresholdByField = False,
    group_by: o.ThresholdGroupBy = None,
    cluster: o.Cluster = None,
    normalize: o.Normalize = None,
    match: o.Match = None,
    schema: o.Schema = None,
    option: o.OfThreshold = None,
    config: o.Config = None,
    precision: o.Precision = 0.99,
    risk: o.Risk = 0.01,
    confidence_level: o.LevelOfRisk = None,
    verify: o.Verify = None,
    budgets: o.Budgets = None,
    workers: o.Workers = 1,
    output: o.Printed = o.Format.table,
    report: o.ThresholdReport = None,
) -> None:
    """Choose a confidence threshold: values at or above it skip review."""
    from docie.questions.threshold import threshold as ask

    runs.answer(context, ask, progress=True)
