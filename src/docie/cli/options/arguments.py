"""The arguments and options that commands share.

The first paragraph of a help is what `--help` prints; all of it stands in `docs/options.md`.
"""

from __future__ import annotations

from enum import StrEnum
from functools import partial
from typing import Annotated

import typer

from docie.cli.options import completion
from docie.core.normalizers import NORMALIZERS
from docie.show.write import Format as AnyFormat


class Format(StrEnum):
    """How results are printed."""

    table = "table"
    json = "json"
    markdown = "markdown"
    latex = "latex"
    csv = "csv"


class WhatSkips(StrEnum):
    """What skips review."""

    value = "value"
    document = "document"


class Interval(StrEnum):
    """How intervals are made."""

    t = "t"
    percentile = "percentile"


# an option in one of the groups of the help
what = partial(typer.Option, rich_help_panel="What to score")
when = partial(typer.Option, rich_help_panel="When a value is correct")
how_read = partial(typer.Option, rich_help_panel="How both sides are read")
how_sure = partial(typer.Option, rich_help_panel="How sure")
large = partial(typer.Option, rich_help_panel="Large corpora")
printed = partial(typer.Option, rich_help_panel="Output")
setting = partial(when, "--option", metavar="NAME=VALUE")

References = Annotated[
    str,
    typer.Argument(
        metavar="REFERENCES",
        help="JSON Lines, a JSON list, a table, tagged words, a folder, a URL, - (stdin), or dataset:NAME#SPLIT.",
    ),
]
Predictions = Annotated[
    str, typer.Argument(metavar="PREDICTIONS", help="Likewise; joined by id if all have one, else by order.")
]
Normalize = Annotated[
    list[str] | None,
    when(
        "--normalize",
        metavar="[TYPE=]NAME",
        autocompletion=completion.normalizers,
        help=f"{', '.join(NORMALIZERS)}.\n\n"
        "What is changed in both texts before they are compared; for all entity types, or for one, and may be "
        "repeated. Arguments settle ambiguous formats: 'number(decimal=\",\")', 'money(currency=\"EUR\")', "
        "'date(day_first=True)', 'boolean(true=\"X\")'.",
    ),
]
Match = Annotated[
    list[str] | None,
    when(
        "--match",
        metavar="[TYPE=]RULE",
        autocompletion=completion.rules,
        help="similar(0.9), within(1%) or same_amount.\n\n"
        "Which different texts still count as the same value; for all entity types, or for one, and may be repeated. "
        "Shells want quotes around parentheses.",
    ),
]
Schema = Annotated[
    str | None,
    when(
        "--schema",
        metavar="FILE",
        help="Compare by the types of a JSON Schema.\n\n"
        "A file with one or more: numbers are compared as numbers, dates as dates, texts without case.",
    ),
]
_SETTING = "Another setting, such as matching=greedy.\n\nThe value is JSON or text; may be repeated. "
_OF_METRIC = "Options are those of the metric, as its card lists them, such as weights=weights.json"
OfFamily = Annotated[list[str] | None, setting(help=f"{_SETTING}{_OF_METRIC}.")]
OfScore = Annotated[
    list[str] | None,
    setting(
        help=f"{_SETTING}{_OF_METRIC}; seconds_per_correction=12, the time that a correction takes, which adds minutes "
        "per 100 documents; and, for intervals from samples, bootstrap_samples=1000 and seed=0.",
    ),
]
OfCompare = Annotated[
    list[str] | None,
    setting(
        help=f"{_SETTING}{_OF_METRIC}; and those of the test, shuffles=10000 and seed=0.",
    ),
]
OfThreshold = Annotated[
    list[str] | None,
    setting(
        help=f"{_SETTING}{_OF_METRIC}; bins=10, the number of bins of the calibration error; and, with --unit "
        "document, seconds_per_document=40, the time that a review takes, which adds the minutes that are saved.",
    ),
]
GroupBy = Annotated[
    str | None,
    what(
        metavar="COLUMN",
        help="Add scores by a column of meta, such as vendor.\n\nThat of the rows: vendor, template, language.",
    ),
]
Cluster = Annotated[
    str | None,
    what(
        metavar="COLUMN",
        help="Documents with the same vendor, say, are one unit.\n\n"
        "A column of the rows' meta objects whose documents are alike.",
    ),
]
Config = Annotated[
    list[str] | None,
    how_read(
        metavar="FILE|KEY=VALUE",
        help="A docie.toml, or an entry of one.\n\n"
        "The file is what docie check --write makes, an entry such as predictions.unwrap=output.data; may be repeated.",
    ),
]
Corrections = Annotated[
    str | None,
    how_read(
        metavar="FILE",
        help="Correct references that people found wrong.\n\n"
        "JSON Lines with a judgement of one value each. References are corrected while they are read; their file stays "
        "as it is.",
    ),
]
Run = Annotated[
    str | None,
    how_read(
        metavar="KEY",
        help="Predictions have several answers a document.\n\n"
        "The key of a row that names the run which gave the answer, or 'order' for repeated ids in the order of their "
        "runs. Documents count once, with the mean of their answers.",
    ),
]
Silver = Annotated[
    str | None,
    how_sure(
        metavar="FILE",
        help="Few labels: another system's reading of all.\n\n"
        "Predictions of another system for all documents of PREDICTIONS, of which few have references. Adds the "
        "prediction-powered score with its interval (at 0.95, if --confidence-level is not given), and what labels are "
        "worth with it. All rows need ids.",
    ),
]
Workers = Annotated[int, large(metavar="N", help="Number of processes.")]
MaxSeconds = Annotated[
    float | None, large(metavar="SECONDS", help="Stop at a document that takes longer.\n\nIts name is printed.")
]
Printed = Annotated[
    Format,
    printed(
        "--format",
        metavar="FORMAT",
        help="json, markdown, latex or csv.\n\nMarkdown and LaTeX paste into a paper; JSON has everything.",
    ),
]
Metric = Annotated[
    list[str] | None,
    what(
        metavar="NAME",
        autocompletion=completion.metrics,
        help="A metric of docie families, or all.\n\n"
        "May be repeated; all takes those that read the input, with their agreement over documents. Without it, the "
        "input format selects the metric.",
    ),
]
Protocol = Annotated[
    str | None,
    what(
        metavar="NAME",
        autocompletion=completion.protocols,
        help="A published score of docie protocols.\n\n"
        "It sets the metric, its options and how files are read; options that contradict it are refused.",
    ),
]
ByField = Annotated[bool, what("--by-field", help="Add scores by entity type and group type.")]
AllScores = Annotated[bool, what("--all-scores", help="Print all scores, not only the first ones.")]
AllPairs = Annotated[
    bool,
    what(
        "--all-scores",
        help="Print all pairs of systems.\n\nAnd ranks, and the documents that changed most.",
    ),
]
LevelOfIntervals = Annotated[float | None, how_sure(metavar="LEVEL", help="Add intervals at this level, such as 0.95.")]
HowIntervals = Annotated[
    Interval,
    how_sure(
        metavar="METHOD",
        help="t, percentile.\n\n"
        "t is from the variation between documents; percentile from resampled documents, which covers less often if "
        "these are few or unequal.",
    ),
]
WorkersOrCluster = Annotated[
    str,
    large(
        metavar="N|dask|ADDRESS",
        help="Processes, or a Dask cluster.\n\n"
        "A number of processes; dask, a cluster on this machine; or the address of a scheduler, such as "
        "tcp://10.0.0.1:8786.",
    ),
]
ScoreOnly = Annotated[
    str | None, printed("--score", metavar="NAME", help="Print only this score, with all of its digits.")
]
ScoreReport = Annotated[
    str | None,
    printed(
        metavar="FILE",
        help="Write a report: a page with all documents.\n\n"
        "One HTML file, which needs no network. It has intervals (at 0.95, if --confidence-level is not given), "
        "KIEval's scores, and the 20,000 documents with the most corrections. An existing file is replaced.",
    ),
]
Images = Annotated[
    str | None,
    printed(
        metavar="FOLDER",
        help="Show the page images of a folder in the report.\n\n"
        "With the boxes of values: of the hundred documents with the most corrections, those in this folder that "
        "meta.image of their rows names.",
    ),
]
ThresholdByField = Annotated[bool, what("--by-field", help="Add a threshold for each entity type.")]
Precision = Annotated[
    float,
    how_sure(
        metavar="SHARE",
        help="Share that must be correct.\n\nOf auto-accepted values, on these documents.",
    ),
]
Risk = Annotated[
    float,
    how_sure(
        metavar="SHARE",
        help="Share that may be incorrect.\n\n"
        "Of a document's values, those that are incorrect and skip review, on average on new documents; with --unit "
        "document, of all documents, those that skip review with an error.",
    ),
]
LevelOfRisk = Annotated[
    float | None,
    how_sure(
        metavar="LEVEL",
        help="Certify the share of those that skip, such as 0.95.\n\n"
        "With --unit document: at this confidence, at most the share of --risk of the documents that skip review have "
        "an error.",
    ),
]
Unit = Annotated[
    WhatSkips,
    what(
        metavar="UNIT",
        help="What skips review: value, or document.\n\n"
        "A document skips if it has values, and all of them have a confidence at or above the threshold.",
    ),
]
Agree = Annotated[
    str | None,
    what(
        metavar="FILE",
        help="Agreement with another system as confidence.\n\n"
        "Its predictions, joined by id; it may have more documents.",
    ),
]
ThresholdGroupBy = Annotated[
    str | None,
    what(
        metavar="COLUMN",
        help="Add what skips by a column of meta, such as vendor.\n\nAt the same threshold for all.",
    ),
]
Verify = Annotated[
    tuple[str, str] | None,
    how_sure(metavar="FILE FILE", help="Verify the thresholds on other documents.\n\nReferences and predictions."),
]
Budgets = Annotated[
    list[float] | None,
    how_sure(
        "--budget",
        metavar="SHARE",
        help="How much a review of this share catches.\n\n"
        "How many errors: values with the lowest confidence are reviewed first. May be repeated; without it, 0.05, "
        "0.1, 0.2 and 0.5.",
    ),
]
ThresholdReport = Annotated[
    str | None,
    printed(
        metavar="FILE",
        help="Write a report: a slider through all thresholds.\n\n"
        "One HTML file, which needs no network. An existing file is replaced.",
    ),
]
WriteConfig = Annotated[
    str | None,
    printed(metavar="FILE", help="Write what was found to a docie.toml.\n\nFor --config FILE of any command."),
]
Force = Annotated[bool, printed("--force", help="Replace the file of --write if it exists.")]
PredictionsOfSystems = Annotated[
    list[str],
    typer.Argument(
        metavar="PREDICTIONS...",
        help="Two or more, the baseline first; joined by id, or by order.",
    ),
]
OneMetric = Annotated[
    str | None,
    what(
        metavar="NAME",
        autocompletion=completion.families,
        help="A metric of docie families.\n\nWithout it, the input format selects the metric.",
    ),
]
Scores = Annotated[
    list[str] | None,
    what(
        "--score",
        metavar="NAME",
        help="A score of the metric; may be repeated.\n\n"
        "As docie families FAMILY lists them. Without it, the headline.",
    ),
]
Names = Annotated[
    list[str] | None,
    what(
        metavar="NAME",
        help="The name of a system; repeat it for each.\n\nIn the order of the files. Without it, file names.",
    ),
]
Baseline = Annotated[
    str | None,
    what(
        metavar="NAME",
        help="The system that others are compared with.\n\nBy its name. Without it, the first.",
    ),
]
ComparedByField = Annotated[bool, what("--by-field", help="Add the comparison of each entity type.")]
Suspects = Annotated[
    bool,
    what(
        "--suspects",
        help="List values where the reference may be incorrect.\n\n"
        "Those on which all systems agree against the reference.",
    ),
]
LevelOfTests = Annotated[float, how_sure(metavar="LEVEL", help="Level of intervals and verdicts.")]
MaxDrop = Annotated[
    float | None,
    how_sure(
        metavar="DROP",
        help="Exit code 1 for a worse system, such as 0.03.\n\n"
        "If a later system is worse than the first, or if a drop of this much, in the unit of the score, cannot be "
        "excluded: 0.03 is 3 points.",
    ),
]
MaxBroken = Annotated[
    int | None,
    how_sure(
        metavar="N",
        help="Exit code 1 for more broken documents than this.\n\n"
        "Those that lose half of their own score or more, or that can no longer be read.",
    ),
]
Comment = Annotated[
    str | None,
    printed(
        metavar="FILE",
        help="Write a comment for a pull request, in Markdown.\n\n"
        "The scores of the base and the new system, their difference, the fields that lost most. An existing file is "
        "replaced.",
    ),
]
ComparisonReport = Annotated[
    str | None,
    printed(
        metavar="FILE",
        help="Write a report: all systems' answers to documents.\n\n"
        "One HTML file, which needs no network: the verdict, fields by system, all systems' answers to a document side "
        "by side, and suspected labels. An existing file is replaced.",
    ),
]
Kinds = Annotated[
    list[str] | None,
    what(
        metavar="KIND",
        help="value, format, group, type, duplicate, missing, spurious or place.\n\n"
        "Only errors of this kind; may be repeated.",
    ),
]
EntityTypes = Annotated[
    list[str] | None, what("--type", metavar="TYPE", help="Only errors of this entity type; may be repeated.")
]
DocumentId = Annotated[
    str | None,
    what(metavar="ID", help="Explain this document instead.\n\nAll of its values, correct or not."),
]
Rows = Annotated[
    AnyFormat | None,
    printed(
        "--format",
        metavar="FORMAT",
        help=f"{', '.join(AnyFormat)}.\n\n"
        "How to write the rows. csv, jsonl, json and xlsx have all; xlsx and those for people (table, the "
        "default, markdown, latex and html) also have what would help most, and so has json.",
    ),
]
OutputFile = Annotated[
    str | None,
    printed(
        "--output",
        metavar="FILE",
        help="Write to this file; its name sets the format.\n\n"
        "By .txt, .json, .md, .tex, .html, .csv, .jsonl or .xlsx.",
    ),
]
