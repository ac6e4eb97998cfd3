"""docie attack: forms as another scan, OCR or layout would have given them, and how far a model falls on these."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Annotated, Any

import typer

from docie.cli import options as cli_options
from docie.cli import reports, robustness, runs

if TYPE_CHECKING:
    from docie.attacks import RecordAttack
    from docie.files import Source
    from docie.form import Form

HELP = (
    "Attack forms: records with words, boxes and labels, or CORD's. The attacked records go to stdout as JSON Lines, "
    "and to stderr how much was changed. With --model, a model is asked for the fields of all forms, and results say "
    "how far it falls. Exit code 2 means bad input."
)
_WITH_MODEL = "With --model: "


def attack(
    context: typer.Context,
    forms: Annotated[str, typer.Argument(help="JSON Lines, a JSON list, a folder of JSON files, or - (stdin).")],
    attacks: Annotated[
        list[str] | None,
        typer.Option(
            "--attack",
            help="The name of an attack, or several joined by +; may be repeated: one after the other; with --model, "
            "each by itself, and without it all of the paper.",
        ),
    ] = None,
    seed: Annotated[int, typer.Option(help="Another seed attacks otherwise.")] = 0,
    strength: Annotated[float, typer.Option(help="Multiplies what attacks do by default; 0 changes nothing.")] = 1.0,
    option: Annotated[
        list[str] | None,
        typer.Option("--option", help="Without --model: an option of an attack as NAME=VALUE, such as p=0.2."),
    ] = None,
    names: Annotated[
        str | None, typer.Option(help="The names of tags that are numbers, with commas: O,B-total,I-total.")
    ] = None,
    entity_type: Annotated[
        list[str] | None, typer.Option("--type", help="Only this label is a field; may be repeated. All by default.")
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
    pairs: Annotated[bool, typer.Option("--pairs", help=f"{_WITH_MODEL}add the 91 pairs of attacks.")] = False,
    triples: Annotated[int, typer.Option(help=f"{_WITH_MODEL}add so many random triples; 364 are all.")] = 0,
    metric: Annotated[
        list[str] | None, typer.Option(help=f"{_WITH_MODEL}another family to score with; may be repeated.")
    ] = None,
    by_field: Annotated[bool, typer.Option("--by-field", help=f"{_WITH_MODEL}add the drop of each field.")] = False,
    folder: Annotated[
        str | None, typer.Option(help=f"{_WITH_MODEL}keep answers here. A run that was stopped goes on.")
    ] = None,
    confidence_level: Annotated[float, typer.Option(help=f"{_WITH_MODEL}the level of the intervals.")] = 0.95,
    output: Annotated[
        runs.Format | None, typer.Option("--format", help=f"{_WITH_MODEL}how to print the results.")
    ] = None,
    report: Annotated[
        str | None,
        typer.Option(
            help=f"{_WITH_MODEL}write a report: one HTML file, which needs no network, with charts, all tables, and "
            "forms on which the model fell, before and after. A file that is there is replaced."
        ),
    ] = None,
    charts: Annotated[
        str | None, typer.Option(help=f"{_WITH_MODEL}save the charts as PNG files in this folder.")
    ] = None,
) -> None:
    """Attack forms."""
    reading = {"names": names.split(",") if names else None, "types": entity_type, "key_labels": key_label or ()}
    chosen = [name.split("+") for name in attacks or ()]
    of_model: dict[str, Any] = {"pairs": pairs, "triples": triples, "families": metric or (), "folder": folder}
    of_model |= {"report": report, "charts": charts}
    try:
        if model is None:
            if given := [name for name, value in {**of_model, "by_field": by_field, "format": output}.items() if value]:
                option_name = {"families": "metric"}.get(given[0], given[0].replace("_", "-"))
                raise ValueError(f"--{option_name} needs --model")
            if not chosen:
                raise ValueError("name an attack with --attack, or a model with --model")
            in_order = [name for names_of_one in chosen for name in names_of_one]
            _print_attacked(forms, in_order, reading, option or (), seed=seed, strength=strength)
            return
        if option:
            raise ValueError("--option is for attacked records, without --model")
        robustness.print_report(
            model,
            _forms(forms, reading),
            output or runs.Format.table,
            source=forms,
            command=reports.command_line(context),
            by_field=by_field,
            attacks=chosen or None,
            seed=seed,
            strength=strength,
            confidence_level=confidence_level,
            **of_model,
        )
    except (ValueError, OSError, ImportError) as error:
        runs.fail(error)


def _print_attacked(
    path: str, attacks: list[str], reading: dict[str, Any], options: Any, *, seed: int, strength: float
) -> None:
    """Print attacked records, and say what was done to them."""
    from docie.attacks import RecordAttack, severity
    from docie.files import Source

    values = cli_options.values_by_name(options)
    chosen = RecordAttack(attack=attacks, seed=seed, strength=strength, options=values, reading=reading)
    with runs.prints_to_pipe():  # a reader that has seen enough ends it, before there are figures
        figures = severity(*runs.unzip(_attacked(Source(path, "reference"), chosen)))
        changes = {name: value for name, value in figures._asdict().items() if value is not None}
        runs.say(", ".join(f"{name} {value:.4f}" for name, value in changes.items()))


def _attacked(source: Source, attack: RecordAttack) -> Iterator[tuple[Form, Form]]:
    """The forms before and after, each printed as a record as soon as it is attacked."""
    for row in source:
        try:
            record = _record(row.value)
            before, after = attack.forms(record)
            columns = attack.columns_of(record, before, after)
        except ValueError as error:
            raise ValueError(f"{source.place(row.number)}: {error}") from None
        print(json.dumps({**record, **columns}, ensure_ascii=False))
        yield before, after


def _forms(path: str, reading: dict[str, Any]) -> Iterator[Form]:
    """The forms of a file. One without an id has its number as id, so that equal forms are attacked differently."""
    from docie.files import Source
    from docie.form import Form

    source = Source(path, "reference")
    for row in source:
        try:
            record = _record(row.value)
            yield Form.from_record(record if record.get("id") is not None else {**record, "id": row.number}, **reading)
        except ValueError as error:
            raise ValueError(f"{source.place(row.number)}: {error}") from None


def _record(value: Any) -> dict[str, Any]:
    """The columns of words of a record: its own, or those of a CORD receipt."""
    from docie.adapters import records

    if not isinstance(value, Mapping):
        raise ValueError(f"record must be an object, got {type(value).__name__}")
    if "ground_truth" not in value and "valid_line" not in value:
        return dict(value)
    columns: dict[str, Any] = records.words_and_boxes(value)
    return columns if value.get("id") is None else {"id": value["id"], **columns}
