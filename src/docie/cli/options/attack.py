"""The arguments and options of docie attack."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

import typer

from docie.cli.options import completion
from docie.cli.options.arguments import Format

if TYPE_CHECKING:  # numpy comes with it
    from docie.core.values.plain import JsonObject

_how = partial(typer.Option, rich_help_panel="How forms are changed")
_with_model = partial(typer.Option, rich_help_panel="With --model")

Forms = Annotated[
    str,
    typer.Argument(metavar="FORMS", help="JSON Lines, a JSON list, a table, a folder of JSON files, or - (stdin)."),
]
Attacks = Annotated[
    list[str] | None,
    _how(
        "--attack",
        metavar="NAME",
        autocompletion=completion.attacks,
        help="An attack, or several joined by +.\n\n"
        "Joined ones are made one after the other. With --model it may be repeated, each is scored by itself; by "
        "default all of the paper.",
    ),
]
Strength = Annotated[float, _how(metavar="FACTOR", help="How much is changed; 0 is nothing.")]
Severity = Annotated[
    str | None,
    _how(
        metavar="FIGURE=VALUE",
        help="Or what all come to, such as edit_rate=0.1.\n\n"
        "Instead of --strength, which is chosen so that this measure, over all forms, has the value.",
    ),
]
Option = Annotated[
    list[str] | None,
    _how(
        "--option",
        metavar="NAME=VALUE",
        help="Another setting, such as seed=1.\n\n"
        "The value is JSON or text; may be repeated. seed=0 is that of the random changes; names=O,B-total,I-total "
        "are the names of numeric tags, and key_labels=question labels of keys, for records that do not have them; "
        "without --model, there are those of the attack, such as p=0.2.",
    ),
]
EntityType = Annotated[
    list[str] | None,
    _how("--type", metavar="LABEL", help="Only this label is a field; may be repeated.\n\nBy default all."),
]
Model = Annotated[
    str | None,
    typer.Option(
        metavar="MODULE:FUNCTION",
        rich_help_panel="With --model",
        help="A function from forms to documents.\n\n"
        "From a list of docie.form.Page to a list of documents, in a module of this folder, say.",
    ),
]
Strengths = Annotated[
    str | None,
    _with_model(metavar="FACTORS", help="Also each attack at strengths such as 0.25,0.5,2."),
]
Pairs = Annotated[bool, _with_model("--pairs", help="Add the 91 pairs of attacks.")]
Triples = Annotated[int, _with_model(metavar="N", help="Add so many random triples of attacks.\n\nOf 364.")]
Metric = Annotated[
    list[str] | None,
    _with_model(
        metavar="NAME", autocompletion=completion.families, help="Another metric to score with; may be repeated."
    ),
]
ByField = Annotated[bool, _with_model("--by-field", help="Add the drop of each field.")]
Folder = Annotated[str | None, _with_model(metavar="FOLDER", help="Keep answers here; a stopped run resumes.")]
ConfidenceLevel = Annotated[
    float | None, _with_model(metavar="LEVEL", help="The level of the intervals.\n\n0.95 by default.")
]
Precision = Annotated[
    float | None,
    _with_model(
        metavar="SHARE",
        help="Share that must be correct above the threshold.\n\n"
        "If answers have confidences: the threshold is chosen on the unattacked forms; 0.99 by default.",
    ),
]
Output = Annotated[Format, _with_model("--format", metavar="FORMAT", help="json, markdown, latex or csv.")]
Report = Annotated[
    str | None,
    _with_model(
        metavar="FILE",
        help="Write a report: charts, and forms side by side.\n\n"
        "One HTML file, which needs no network, with charts, all tables, and forms on which the model lost, before "
        "and after. An existing file is replaced.",
    ),
]


def reading_of(settings: dict[str, Any], types: list[str] | None) -> JsonObject:
    """How records are read, as in `Page.from_record`; their settings are taken out of those of `--option`.

    >>> reading_of({"key_labels": "question", "p": 0.2}, None)
    {'names': None, 'types': None, 'key_labels': ['question']}
    """
    names, key_labels = (
        value.split(",") if isinstance(value, str) else value
        for value in (settings.pop("names", None), settings.pop("key_labels", ()))
    )
    return {"names": names, "types": types, "key_labels": key_labels}


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
