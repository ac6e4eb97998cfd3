"""docie attack: change forms as another scan, OCR or layout would, and measure how much a model loses."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from docie.cli import options as cli_options
from docie.cli import runs
from docie.cli.output import reports, robustness
from docie.core.errors import inside
from docie.show import tables

if TYPE_CHECKING:
    from docie.core.values.plain import JsonObject
    from docie.robustness.attacks import RecordAttack
    from docie.robustness.form import Form

HELP = (
    "Attack forms, and measure how much a model loses.\n\n"
    "Forms are records with words, boxes and labels, or the annotation of CORD, FUNSD or XFUND. The attacked "
    "records go to stdout as JSON Lines, and a summary of the changes to stderr. With --model, a model reads the "
    "fields of all forms, and the results say how much it loses. Exit code 2 means bad input."
)
_with_model = partial(typer.Option, rich_help_panel="With --model")


def attack(
    context: typer.Context,
    forms: Annotated[
        str, typer.Argument(help="JSON Lines, a JSON list, a table, a folder of JSON files, or - (stdin).")
    ],
    attacks: Annotated[
        list[str] | None,
        typer.Option(
            "--attack",
            help="The name of an attack, or several joined by +, made one after the other. With --model it "
            "may be repeated, each is scored by itself; by default all of the paper.",
        ),
    ] = None,
    seed: Annotated[int, typer.Option(help="Seed of the random changes.")] = 0,
    strength: Annotated[float, typer.Option(help="A factor for how much attacks change; 0 changes nothing.")] = 1.0,
    severity: Annotated[
        str | None,
        typer.Option(
            metavar="FIGURE=VALUE",
            help="Instead of a strength, how much attacks change over all forms, such as edit_rate=0.1.",
        ),
    ] = None,
    option: Annotated[
        list[str] | None,
        typer.Option("--option", help="Without --model: an option of an attack as NAME=VALUE, such as p=0.2."),
    ] = None,
    names: Annotated[
        str | None, typer.Option(help="The names of numeric tags, separated by commas: O,B-total,I-total.")
    ] = None,
    entity_type: Annotated[
        list[str] | None, typer.Option("--type", help="Only this label is a field; may be repeated. By default all.")
    ] = None,
    key_label: Annotated[
        list[str] | None, typer.Option(help="A label of keys, such as question; may be repeated.")
    ] = None,
    model: Annotated[
        str | None,
        typer.Option(
            metavar="MODULE:FUNCTION",
            help="A function from a list of docie.form.Form to a list of documents, in a module of this folder, say.",
        ),
    ] = None,
    strengths: Annotated[
        str | None, _with_model(help="Also each attack at these strengths, separated by commas: 0.25,0.5,2.")
    ] = None,
    pairs: Annotated[bool, _with_model("--pairs", help="Add the 91 pairs of attacks.")] = False,
    triples: Annotated[int, _with_model(help="Add this many random triples of attacks, of 364.")] = 0,
    metric: Annotated[list[str] | None, _with_model(help="Another family to score with; may be repeated.")] = None,
    by_field: Annotated[bool, _with_model("--by-field", help="Add the drop of each field.")] = False,
    folder: Annotated[str | None, _with_model(help="Keep answers here, so that a stopped run can resume.")] = None,
    confidence_level: Annotated[float | None, _with_model(help="The level of the intervals; 0.95 by default.")] = None,
    precision: Annotated[
        float | None,
        _with_model(
            help="If answers have confidences: the share of values that must be correct above the "
            "threshold chosen on the unattacked forms; 0.99 by default."
        ),
    ] = None,
    output: Annotated[runs.Format | None, _with_model("--format", help="How to print the results.")] = None,
    report: Annotated[
        str | None,
        _with_model(
            help="Write a report: one HTML file, which needs no network, with charts, all tables, and "
            "forms on which the model lost, before and after. An existing file is replaced."
        ),
    ] = None,
    charts: Annotated[str | None, _with_model(help="Save the charts as PNG files in this folder.")] = None,
) -> None:
    """Attack forms."""
    reading = {"names": names.split(",") if names else None, "types": entity_type, "key_labels": key_label or ()}
    chosen = [name.split("+") for name in attacks or ()]
    of_model: JsonObject = {"pairs": pairs, "triples": triples, "families": metric, "folder": folder}
    of_model |= {"report": report, "charts": charts, "confidence_level": confidence_level, "precision": precision}
    try:
        of_model["strengths"] = _strengths(strengths)
        strong: JsonObject = {"seed": seed, "strength": strength, "severity": _severity(severity)}
        if model is None:
            if not chosen:
                raise ValueError("name an attack with --attack, or a model with --model")
            if len(chosen) > 1:
                joined = "+".join(attacks or ())
                raise ValueError(f"--attack is given {len(chosen)} times; --attack {joined} makes one after the other")
            _print_attacked(forms, chosen[0], reading, cli_options.values_by_name(option or ()), **strong)
            return
        robustness.print_report(
            model,
            _forms(forms, reading),
            output or runs.Format.table,
            source=forms,
            command=reports.command_line(context),
            by_field=by_field,
            attacks=chosen or None,
            **strong,
            **{name: value for name, value in of_model.items() if value is not None},
        )
    except (ValueError, OSError, ImportError) as error:
        runs.fail(error)


def _severity(text: str | None) -> dict[str, float] | None:
    """What --severity asks for."""
    if text is None:
        return None
    figure, _, value = text.partition("=")
    try:
        return {figure: float(value)}
    except ValueError:
        raise ValueError(f"--severity must be NAME=VALUE, such as edit_rate=0.1, got {text!r}") from None


def _strengths(text: str | None) -> list[float]:
    """The numbers of --strengths."""
    try:
        return [float(number) for number in text.split(",")] if text else []
    except ValueError:
        raise ValueError(f"--strengths must be numbers separated by commas, such as 0.5,2, got {text!r}") from None


def _print_attacked(
    path: str,
    attack: list[str],
    reading: JsonObject,
    options: JsonObject,
    *,
    seed: int,
    strength: float,
    severity: dict[str, float] | None,
) -> None:
    """Print attacked records, and a summary of the changes."""
    from docie.documents.rows import unzip
    from docie.robustness import attacks

    chosen = attacks.RecordAttack(attack=attack, seed=seed, strength=strength, options=options, reading=reading)
    records: Iterable[Record] = _records(path)
    if severity is not None:  # it is that of all forms, so all are read before the first is printed
        records = list(records)
        forms = [_form(record, record.columns, reading) for record in records]
        needed = attacks.strength_for(attack, forms, seed=seed, **severity, **options)
        chosen = dataclasses.replace(chosen, strength=needed)
    acted: list[bool] = []
    with runs.prints_to_pipe():  # a reader that has seen enough ends it, before there are figures
        figures = attacks.severity(*unzip(_attacked(records, chosen, acted)))
        changes = {name: value for name, value in figures._asdict().items() if value is not None}
        runs.say(", ".join(f"{name} {tables.number(value)}" for name, value in changes.items()))
        if missed := acted.count(False):
            where = "these forms" if missed == len(acted) else f"{missed} of {len(acted)} forms"
            runs.say(f"not applicable: {'+'.join(attack)} (nothing to change in {where})")


def _attacked(records: Iterable[Record], attack: RecordAttack, acted: list[bool]) -> Iterator[tuple[Form, Form]]:
    """The forms before and after, each printed as a record as soon as it is attacked; `acted` says which ones count."""
    from docie.robustness import attacks

    for record in records:
        with inside(record.place):
            before, after = attack.forms(record.columns)
            columns = attack.columns_of(record.columns, before, after)
        print(json.dumps({**record.columns, **columns}, ensure_ascii=False))
        acted.append(attacks.acted(attack.attack, before, after, **attack.options))
        yield before, after


def _forms(path: str, reading: JsonObject) -> Iterator[Form]:
    """The forms of a file. One without an id has its number as id, so that equal forms are attacked differently."""
    for record in _records(path):
        has_id = record.columns.get("id") is not None
        yield _form(record, record.columns if has_id else {**record.columns, "id": record.number}, reading)


def _form(record: Record, columns: JsonObject, reading: JsonObject) -> Form:
    from docie.robustness.form import Form

    with inside(record.place):
        return Form.from_record(columns, **reading)


class Record(NamedTuple):
    """A record of a file: its place, its number, and its columns of words."""

    place: str
    number: int
    columns: JsonObject


def _records(path: str) -> Iterator[Record]:
    from docie.adapters import records
    from docie.files.partitions import open_source

    source = open_source(path, "reference")
    for row in source:
        place = source.place(row.number)
        with inside(place):
            columns = records.form_columns(row.value)
        yield Record(place, row.number, columns)
