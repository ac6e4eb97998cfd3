"""docie attack: forms under attacks, or how far a model falls under them."""

from __future__ import annotations

import importlib
import os
import sys
import warnings
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from docie import tables
from docie.cli import runs

if TYPE_CHECKING:  # numpy comes with it
    from docie.form import Form
    from docie.robustness import RobustnessReport

HELP = (
    "Attack forms: shuffle their words, drop their keys, replace their values. Without --model, the attacked forms are "
    "written as JSON Lines. With --model, it is asked for the fields of all forms, and results say how far it falls. "
    "Exit code 2 means bad input."
)


def attack(
    forms: Annotated[str, typer.Argument(help="JSON Lines with words, boxes and labels of a form, or - (stdin).")],
    attacks: Annotated[
        list[str] | None,
        typer.Option(
            "--attack",
            metavar="NAME",
            help="An attack, or several joined by +; may be repeated. Without it, all of the paper, one by one.",
        ),
    ] = None,
    model: Annotated[
        str | None,
        typer.Option(
            metavar="MODULE:FUNCTION",
            help="A function from a list of docie.form.Form to a list of documents. It may stand in a file here.",
        ),
    ] = None,
    pairs: Annotated[bool, typer.Option("--pairs", help="With --model: add the 91 pairs of attacks.")] = False,
    triples: Annotated[int, typer.Option(help="With --model: add so many random triples; 364 are all.")] = 0,
    strength: Annotated[float, typer.Option(help="How strong the attacks are; 1 is their default.")] = 1.0,
    seed: Annotated[int, typer.Option(help="Seed of the attacks.")] = 0,
    metric: Annotated[
        list[str] | None, typer.Option(help="With --model: another family to score with; may be repeated.")
    ] = None,
    by_field: Annotated[bool, typer.Option("--by-field", help="With --model: add the drop of each field.")] = False,
    folder: Annotated[
        str | None, typer.Option(help="With --model: keep answers here. A run that was stopped goes on.")
    ] = None,
    confidence_level: Annotated[float, typer.Option(help="With --model: the level of the intervals.")] = 0.95,
    output: runs.FormatOption = runs.Format.table,
) -> None:
    """Attack forms."""
    from docie import robustness

    specs = None if not attacks else [name.split("+") if "+" in name else name for name in attacks]
    try:
        read = robustness.load_forms(sys.stdin if forms == "-" else forms)
        if model is None:
            _check_alone(pairs=pairs, triples=triples, metric=metric, by_field=by_field, folder=folder)
            with runs.prints_to_pipe():
                for row in robustness.attacked_rows(read, specs, strength=strength, seed=seed):
                    print(tables.json_text(row, ensure_ascii=False))
            return
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always", UserWarning)
            report = robustness.run(
                _model(model),
                read,
                attacks=specs,
                pairs=pairs,
                triples=triples,
                strength=strength,
                seed=seed,
                families=metric or (),
                confidence_level=confidence_level,
                folder=folder,
            )
    except (ValueError, OSError, ImportError) as error:
        runs.fail(error)
    runs.print_warnings(warning.message for warning in caught)
    with runs.prints_to_pipe():
        _print(report, output, by_field=by_field)


def _check_alone(**options: Any) -> None:
    """Refuse options that only a model has a use for."""
    if given := [name for name, value in options.items() if value]:
        raise ValueError(f"--{given[0].replace('_', '-')} needs --model")


def _model(name: str) -> Callable[[Sequence[Form]], Sequence[Any]]:
    """The function that --model names. What goes wrong inside of it is no bad input, and shows a traceback."""
    module_name, _, function_name = name.partition(":")
    if not module_name or not function_name:
        raise ValueError(f"--model must be MODULE:FUNCTION, got {name!r}")
    if os.getcwd() not in sys.path:
        sys.path.insert(0, os.getcwd())
    try:
        module = importlib.import_module(module_name)
    except ModuleNotFoundError as error:
        if error.name is None or not f"{module_name}.".startswith(f"{error.name}."):
            raise
        raise ValueError(f"--model: there is no module {module_name!r} here") from None
    function = getattr(module, function_name, None)
    if not callable(function):
        raise ValueError(f"--model: {module_name} has no function {function_name!r}")

    def answers(forms: Sequence[Form]) -> Sequence[Any]:
        try:
            found: Sequence[Any] = function(forms)
        except (ValueError, OSError, ImportError) as error:
            raise RuntimeError(f"{name} failed: {error}") from error
        return found

    return answers


def _print(report: RobustnessReport, output: runs.Format, *, by_field: bool) -> None:
    if output == runs.Format.json:
        print(tables.json_text(report.to_json(), indent=2))
        return
    parts = [report.table(), *([report.by_field()] if by_field else []), *map(report.of_family, report.families)]
    line = f"{report.forms} form{'s' * (report.forms != 1)} · {report.signature}"
    if output == runs.Format.markdown:
        print("\n\n".join([*map(tables.markdown, parts), tables.markdown_text(line)]))
    else:
        tables.show(parts, line)
