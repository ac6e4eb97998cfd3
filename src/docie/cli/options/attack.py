"""The arguments and options of docie attack."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Annotated

import typer

from docie.cli.options.arguments import Format

_with_model = partial(typer.Option, rich_help_panel="With --model")

Forms = Annotated[str, typer.Argument(help="JSON Lines, a JSON list, a table, a folder of JSON files, or - (stdin).")]
Attacks = Annotated[
    list[str] | None,
    typer.Option(
        "--attack",
        help="The name of an attack, or several joined by +, made one after the other. With --model it "
        "may be repeated, each is scored by itself; by default all of the paper.",
    ),
]
Seed = Annotated[int, typer.Option(help="Seed of the random changes.")]
Strength = Annotated[float, typer.Option(help="A factor for how much attacks change; 0 changes nothing.")]
Severity = Annotated[
    str | None,
    typer.Option(
        metavar="FIGURE=VALUE",
        help="Instead of a strength, how much attacks change over all forms, such as edit_rate=0.1.",
    ),
]
Option = Annotated[
    list[str] | None,
    typer.Option("--option", help="Without --model: an option of an attack as NAME=VALUE, such as p=0.2."),
]
Names = Annotated[str | None, typer.Option(help="The names of numeric tags, separated by commas: O,B-total,I-total.")]
EntityType = Annotated[
    list[str] | None, typer.Option("--type", help="Only this label is a field; may be repeated. By default all.")
]
KeyLabel = Annotated[list[str] | None, typer.Option(help="A label of keys, such as question; may be repeated.")]
Model = Annotated[
    str | None,
    typer.Option(
        metavar="MODULE:FUNCTION",
        help="A function from a list of docie.form.Page to a list of documents, in a module of this folder, say.",
    ),
]
Strengths = Annotated[
    str | None, _with_model(help="Also each attack at these strengths, separated by commas: 0.25,0.5,2.")
]
Pairs = Annotated[bool, _with_model("--pairs", help="Add the 91 pairs of attacks.")]
Triples = Annotated[int, _with_model(help="Add this many random triples of attacks, of 364.")]
Metric = Annotated[list[str] | None, _with_model(help="Another family to score with; may be repeated.")]
ByField = Annotated[bool, _with_model("--by-field", help="Add the drop of each field.")]
Folder = Annotated[str | None, _with_model(help="Keep answers here, so that a stopped run can resume.")]
ConfidenceLevel = Annotated[float | None, _with_model(help="The level of the intervals; 0.95 by default.")]
Precision = Annotated[
    float | None,
    _with_model(
        help="If answers have confidences: the share of values that must be correct above the "
        "threshold chosen on the unattacked forms; 0.99 by default."
    ),
]
Output = Annotated[Format, _with_model("--format", help="How to print the results.")]
Report = Annotated[
    str | None,
    _with_model(
        help="Write a report: one HTML file, which needs no network, with charts, all tables, and "
        "forms on which the model lost, before and after. An existing file is replaced."
    ),
]
Charts = Annotated[str | None, _with_model(help="Save the charts as PNG files in this folder.")]


def severity_of(text: str | None) -> dict[str, float] | None:
    """What --severity asks for."""
    if text is None:
        return None
    measure, _, value = text.partition("=")
    try:
        return {measure: float(value)}
    except ValueError:
        raise ValueError(f"--severity must be NAME=VALUE, such as edit_rate=0.1, got {text!r}") from None


def strengths_of(text: str | None) -> list[float]:
    """The numbers of --strengths."""
    try:
        return [float(number) for number in text.split(",")] if text else []
    except ValueError:
        raise ValueError(f"--strengths must be numbers separated by commas, such as 0.5,2, got {text!r}") from None


def only(given: Sequence[str], chosen: Sequence[list[str]]) -> list[str]:
    """The one attack that records are changed by."""
    if not chosen:
        raise ValueError("name an attack with --attack, or a model with --model")
    if len(chosen) > 1:
        joined = "+".join(given)
        raise ValueError(f"--attack is given {len(chosen)} times; --attack {joined} makes one after the other")
    return chosen[0]
