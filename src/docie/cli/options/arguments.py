"""The arguments and options that commands share."""

from __future__ import annotations

from enum import StrEnum
from functools import partial
from typing import Annotated

import typer

from docie.core.normalizers import NORMALIZERS
from docie.show.write import Format as AnyFormat

NORMALIZE_HELP = (
    f"A normalizer ({', '.join(NORMALIZERS)}), or ENTITY_TYPE=NORMALIZER; may be repeated. "
    "Arguments settle ambiguous formats: 'number(decimal=\",\")', 'money(currency=\"EUR\")', 'date(day_first=True)', "
    "'boolean(true=\"X\")'."
)

MATCH_HELP = (
    "Which different texts still count as the same value: a match rule such as 'similar(0.9)', 'within(1%)' or "
    "same_amount, or ENTITY_TYPE=RULE; may be repeated."
)
SCHEMA_HELP = (
    "A file with one or more JSON Schemas: numbers are compared as numbers, dates as dates, texts without case."
)


class Format(StrEnum):
    """How results are printed."""

    table = "table"
    json = "json"
    markdown = "markdown"
    latex = "latex"
    csv = "csv"


class Interval(StrEnum):
    """How intervals are made."""

    t = "t"
    percentile = "percentile"
    poisson = "poisson"


# an option in one of the groups of the help
what = partial(typer.Option, rich_help_panel="What to score")
when = partial(typer.Option, rich_help_panel="When a value is correct")
how_read = partial(typer.Option, rich_help_panel="How references and predictions are read")
how_sure = partial(typer.Option, rich_help_panel="How sure")
large = partial(typer.Option, rich_help_panel="Large corpora")
printed = partial(typer.Option, rich_help_panel="Output")

References = Annotated[
    str,
    typer.Argument(
        help="JSON Lines, a JSON list, a table (CSV, TSV, Excel, Parquet), a file of tagged words, a folder of these "
        "or of JSON files, a URL, or - (stdin)."
    ),
]
Predictions = Annotated[str, typer.Argument(help="Likewise; joined by id if all have one, else by order.")]
Normalize = Annotated[list[str] | None, when("--normalize", help=NORMALIZE_HELP)]
Match = Annotated[list[str] | None, when("--match", help=MATCH_HELP)]
Schema = Annotated[str | None, when("--schema", help=SCHEMA_HELP)]
OfFamily = Annotated[
    list[str] | None, when("--option", help="An option of a family as NAME=VALUE, such as matching=greedy.")
]
Weights = Annotated[str | None, when(help="A JSON file that maps entity types to weights, for weighted scores.")]
GroupBy = Annotated[
    str | None, what(help="Add scores by a column of the rows' meta objects, such as vendor or template.")
]
Cluster = Annotated[
    str | None,
    what(help="A column of the rows' meta objects, such as vendor, whose documents are alike: they count as one."),
]
Config = Annotated[
    list[str] | None,
    how_read(
        metavar="FILE|KEY=VALUE",
        help="A docie.toml, as docie check --write makes it, or one entry of it, such as "
        "predictions.unwrap=output.data; may be repeated.",
    ),
]
DataSet = Annotated[
    str | None,
    how_read(
        metavar="FOLDER|NAME",
        help="A data set in place of REFERENCES: a folder, or its name on the Hugging Face Hub.",
    ),
]
Split = Annotated[str | None, how_read(help="The split of --dataset, such as test.")]
Workers = Annotated[int, large(help="Number of processes.")]
MaxSeconds = Annotated[float | None, large(help="Stop at a document that takes longer, and name it.")]
Printed = Annotated[
    Format, printed("--format", help="How to print the results; markdown and latex paste into a paper.")
]
Issues = Annotated[
    str | None,
    printed(
        metavar="FILE", help="Write what was repaired or dropped in answers of models and services, as JSON Lines."
    ),
]
Metric = Annotated[
    list[str] | None,
    what(
        help="A family, or all that read the input, with their agreement over documents; may be repeated. "
        "Without it, the input format selects the metric."
    ),
]
ByField = Annotated[bool, what("--by-field", help="Add scores by entity type and group type.")]
AllScores = Annotated[bool, what("--all-scores", help="Print all scores, not only those that the metric says first.")]
AllPairs = Annotated[bool, what("--all-scores", help="Print all pairs, and the documents that changed most.")]
SecondsPerCorrection = Annotated[
    float | None, when(help="The time that a correction takes; adds minutes per 100 documents.")
]
LevelOfIntervals = Annotated[float | None, how_sure(help="Add intervals at this level, such as 0.95.")]
HowIntervals = Annotated[
    Interval,
    how_sure(
        help="The method: t, from the variation between documents; percentile, from resampled documents, which "
        "covers less often if these are few or unequal; poisson, the same without keeping documents in memory."
    ),
]
Samples = Annotated[int, how_sure(help="Number of samples, for --interval percentile and poisson.")]
Seed = Annotated[int, how_sure(help="Seed of the samples.")]
WorkersOrCluster = Annotated[
    str,
    large(
        metavar="N|dask|ADDRESS",
        help="Number of processes; or count on a Dask cluster: on this machine, or that of a scheduler, such as "
        "tcp://10.0.0.1:8786.",
    ),
]
ScoreOnly = Annotated[
    str | None, printed("--score", metavar="SCORE", help="Print only the value of this score, with all digits.")
]
ScoreReport = Annotated[
    str | None,
    printed(
        help="Write a report: one HTML file, which needs no network. It has intervals (at 0.95, if "
        "--confidence-level is not given) and KIEval's scores. An existing file is replaced."
    ),
]
Documents = Annotated[
    int,
    printed(
        "--report-documents",
        help="The number of documents that the report shows, those with the most corrections.",
    ),
]
Title = Annotated[
    str | None, printed(help="The title of the report; without it, the names of the system and the data.")
]
Images = Annotated[
    str | None,
    printed(
        metavar="FOLDER",
        help="Show page images in the report, with the boxes of values: of the hundred documents with the most "
        "corrections, those in this folder that meta.image of their rows names.",
    ),
]
ThresholdByField = Annotated[bool, what("--by-field", help="Add a threshold for each entity type.")]
Precision = Annotated[
    float, how_sure(help="The share of auto-accepted values that must be correct, on these documents.")
]
Risk = Annotated[
    float,
    how_sure(
        help="The share of a document's values that may be incorrect and skip review, on average on new documents."
    ),
]
Verify = Annotated[
    tuple[str, str] | None,
    how_sure(metavar="REFERENCES PREDICTIONS", help="Other documents to verify the thresholds on."),
]
Budgets = Annotated[
    list[float] | None,
    how_sure(
        "--budget",
        help="Review this share of values, lowest confidence first: how many errors this catches. May be repeated; "
        "without it, 0.05, 0.1, 0.2 and 0.5.",
    ),
]
Bins = Annotated[int, how_sure(help="The number of bins of the calibration error.")]
ThresholdReport = Annotated[
    str | None,
    printed(
        help="Write a report: one HTML file, which needs no network, with a slider through all thresholds. An "
        "existing file is replaced."
    ),
]
WriteConfig = Annotated[
    str | None,
    printed(metavar="FILE", help="Write what was found to a docie.toml, for --config FILE of any command."),
]
Force = Annotated[bool, printed("--force", help="Replace the file of --write if it exists.")]
PredictionsOfSystems = Annotated[
    list[str],
    typer.Argument(help="Two or more systems, the baseline first; joined by id if all have one, else by order."),
]
OneMetric = Annotated[str | None, what(help="A family. Without it, the input format selects the metric.")]
Scores = Annotated[
    list[str] | None,
    what("--score", help="A score, as docie families FAMILY lists them; may be repeated. Without it, the headline."),
]
Names = Annotated[
    list[str] | None,
    what(help="The name of a system, in the order of the files; repeat it for each. Without it, file names."),
]
Baseline = Annotated[
    str | None, what(help="The name of the system that others are compared with. Without it, the first.")
]
ComparedByField = Annotated[bool, what("--by-field", help="Add the comparison of each entity type.")]
Suspects = Annotated[bool, what("--suspects", help="List values on which all systems agree against the reference.")]
LevelOfTests = Annotated[float, how_sure(help="The level of intervals and verdicts.")]
MaxDrop = Annotated[
    float | None,
    how_sure(
        help="Exit code 1 if a later system is worse than the first, or if a drop of this much, in the unit of the "
        "score, cannot be excluded: 0.03 is 3 points."
    ),
]
MaxBroken = Annotated[
    int | None,
    how_sure(
        help="Exit code 1 if more documents than this lose half of their own score or more, or can no longer be read."
    ),
]
Shuffles = Annotated[int, how_sure(help="The number of random shuffles of the test.")]
SeedOfShuffles = Annotated[int, how_sure(help="Seed of the shuffles.")]
Comment = Annotated[
    str | None,
    printed(
        metavar="FILE",
        help="Write a comment for a pull request, in Markdown: the scores of the base and the new system, their "
        "difference, the fields that lost most. An existing file is replaced.",
    ),
]
ComparisonReport = Annotated[
    str | None,
    printed(
        help="Write a report: one HTML file, which needs no network: the verdict, fields by system, all systems' "
        "answers to a document side by side, and suspected labels. An existing file is replaced."
    ),
]
Kinds = Annotated[
    list[str] | None,
    what(help="Only errors of this kind: value, format, group, type, duplicate, missing or spurious; may be repeated."),
]
EntityTypes = Annotated[list[str] | None, what("--type", help="Only errors of this entity type; may be repeated.")]
DocumentId = Annotated[
    str | None, what(metavar="ID", help="Explain this document instead: all of its values, correct or not.")
]
Rows = Annotated[
    AnyFormat | None,
    printed(
        "--format",
        help="How to write the rows. csv, jsonl, json and xlsx have all; xlsx and those for people (table, the "
        "default, markdown, latex and html) also have what would help most, and so has json.",
    ),
]
OutputFile = Annotated[
    str | None,
    printed(
        "--output",
        help="Write to this file; .txt, .json, .md, .tex, .html, .csv, .jsonl and .xlsx set the format.",
    ),
]
