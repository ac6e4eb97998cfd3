"""docie attack --model: a model of the user's, asked and scored."""

from __future__ import annotations

import importlib
import os
import sys
import warnings
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

from docie import tables
from docie.cli import reports, runs

if TYPE_CHECKING:  # numpy comes with it
    from docie.form import Form
    from docie.robustness import RobustnessReport


def print_report(
    model: str,
    forms: Iterable[Form],
    output: runs.Format,
    *,
    by_field: bool,
    source: str,
    command: str,
    report: str | None = None,
    charts: str | None = None,
    **options: Any,
) -> None:
    """Attack a model, and print how far it fell.

    Args:
        model: MODULE:FUNCTION.
        forms: the forms.
        output: how to print.
        by_field: whether to print the drop of each field.
        source: the path of the forms.
        command: the command that makes the report.
        report: where an HTML file goes; None for none.
        charts: the folder for charts; None for none.
        **options: those of `docie.robustness.run`.
    """
    from docie import robustness
    from docie.report import Facts, Robustness, chart_folder, examples, render_robustness, save_charts

    with reports.opened(report, (source,)) as file:
        if charts is not None:
            chart_folder(charts)
        predict = _model(model)
        listed = list(forms)
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always", UserWarning)
            results = robustness.run(predict, listed, **options)
        notes = list(dict.fromkeys(str(warning.message) for warning in caught))
        shown, unshown = examples(results, listed, predict) if file or charts is not None else ([], [])
        if file:
            facts = Facts(
                title="Form attacks",
                references=source,
                predictions=model,
                command=command,
                notes=[*notes, *unshown],
            )
            file.save(render_robustness(Robustness(results, facts, shown)))
        if charts is not None:
            save_charts(results, charts, shown)
    runs.print_warnings(notes)
    with runs.prints_to_pipe():
        _print(results, output, by_field=by_field)


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
    parts = [report.table()]
    parts += [report.by_field()] if by_field else []
    parts += [report.calibration()] if report.confidence else []
    parts += map(report.of_family, report.families)
    line = f"{report.forms} form{'s' * (report.forms != 1)} · {report.signature}"
    if output == runs.Format.markdown:
        print("\n\n".join([*map(tables.markdown, parts), tables.markdown_text(line)]))
    else:
        tables.show(parts, line)
