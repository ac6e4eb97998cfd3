"""docie attack: change forms as another scan, OCR or layout would, and measure how much a model loses."""

from __future__ import annotations

import json
from typing import Any

import typer

from docie.cli import runs
from docie.cli.options import arguments, parsing
from docie.cli.options import attack as o
from docie.core.notes import noted

HELP = (
    "Attack forms, and measure how much a model loses.\n\n"
    "Forms are records with words, boxes and labels, or the annotation of CORD, FUNSD or XFUND. The attacked "
    "records go to stdout as JSON Lines, and a summary of the changes to stderr. With --model, a model reads the "
    "fields of all forms, and the results say how much it loses."
)


def attack(
    context: typer.Context,
    forms: o.Forms,
    attacks: o.Attacks = None,
    strength: o.Strength = 1.0,
    severity: o.Severity = None,
    option: o.Option = None,
    entity_type: o.EntityType = None,
    model: o.Model = None,
    strengths: o.Strengths = None,
    pairs: o.Pairs = False,
    triples: o.Triples = 0,
    metric: o.Metric = None,
    by_field: o.ByField = False,
    folder: o.Folder = None,
    confidence_level: o.ConfidenceLevel = None,
    precision: o.Precision = None,
    output: o.Output = arguments.Format.table,
    report: o.Report = None,
) -> None:
    """Attack forms."""
    chosen = [name.split("+") for name in attacks or ()]
    try:
        settings = parsing.by_name(option)
        seed, reading = settings.pop("seed", 0), o.reading_of(settings, entity_type)
        strong: dict[str, Any] = {"seed": seed, "strength": strength, "severity": o.severity_of(severity)}
        if model is None:
            _print_attacked(forms, o.only(attacks or (), chosen), reading, settings, strong)
            return
        if settings:
            raise ValueError(f"--option {next(iter(settings))} does nothing beside --model")
        more = {"strengths": o.strengths_of(strengths), "pairs": pairs, "triples": triples, "families": metric or ()}
        of_run = {"folder": folder, "confidence_level": confidence_level, "precision": precision}
        more |= {name: value for name, value in of_run.items() if value is not None}
        shown = {"names": (forms, model), "by_field": by_field}
        _ask(context, forms, reading, {**strong, **more, **shown, "attacks": chosen or None})
    except (ValueError, OSError, ImportError) as error:
        runs.fail(error)


def _print_attacked(forms: str, attack: list[str], reading: Any, options: Any, how: dict[str, Any]) -> None:
    """Print attacked records, and how much they changed. A reader that has seen enough ends it."""
    from docie.robustness.records import attack_records

    def write(record: object) -> None:
        print(json.dumps(record, ensure_ascii=False))

    with runs.prints_to_pipe():
        for line in attack_records(forms, attack, reading, options, write, **how):
            runs.say(line)


def _ask(context: typer.Context, forms: str, reading: Any, how: dict[str, Any]) -> None:
    """Attack a model, print how much it loses, and write the report if one was asked for."""
    from docie.robustness.models.named import model_of
    from docie.robustness.question import attack as ask
    from docie.robustness.records import forms_of

    with runs.report_to(context.params["report"]) as file:
        predict = model_of(context.params["model"])
        with noted(warns=False):  # the answer has them
            result = ask(forms=forms_of(forms, reading), predict=predict, **how)
        if file is not None:
            runs.write_to(file, result, "html", context)
    runs.print_warnings(result.notes)
    runs.print_result(result, context.params["output"])
