"""docie attack: forms as another scan, OCR or layout would have given them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Annotated, Any

import typer

from docie.cli import options as cli_options
from docie.cli import runs

if TYPE_CHECKING:
    from docie.attacks import RecordAttack
    from docie.files import Source
    from docie.form import Form

HELP = (
    "Attack forms: records with words, boxes and labels, or CORD's. The attacked records go to stdout as JSON Lines, "
    "and to stderr how much was changed. Exit code 2 means bad input."
)


def attack(
    forms: Annotated[str, typer.Argument(help="JSON Lines, a JSON list, a folder of JSON files, or - (stdin).")],
    attacks: Annotated[
        list[str], typer.Option("--attack", help="The name of an attack; may be repeated: one after the other.")
    ],
    seed: Annotated[int, typer.Option(help="Another seed attacks otherwise.")] = 0,
    strength: Annotated[float, typer.Option(help="Multiplies what attacks do by default; 0 changes nothing.")] = 1.0,
    option: Annotated[
        list[str] | None, typer.Option("--option", help="An option of an attack as NAME=VALUE, such as p=0.2.")
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
) -> None:
    """Attack forms."""
    from docie.attacks import RecordAttack, severity
    from docie.files import Source

    try:
        reading = {"names": names.split(",") if names else None, "types": entity_type, "key_labels": key_label or ()}
        options = cli_options.values_by_name(option or ())
        chosen = RecordAttack(attack=attacks, seed=seed, strength=strength, options=options, reading=reading)
        with runs.prints_to_pipe():
            figures = severity(*runs.unzip(_attacked(Source(forms, "reference"), chosen)))
    except (ValueError, OSError, ImportError) as error:
        runs.fail(error)
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


def _record(value: Any) -> dict[str, Any]:
    """The columns of words of a record: its own, or those of a CORD receipt."""
    from docie.adapters import records

    if not isinstance(value, Mapping):
        raise ValueError(f"record must be an object, got {type(value).__name__}")
    if "ground_truth" not in value and "valid_line" not in value:
        return dict(value)
    columns: dict[str, Any] = records.words_and_boxes(value)
    return columns if value.get("id") is None else {"id": value["id"], **columns}
