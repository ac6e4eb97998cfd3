"""docie attack --model: run and score a model of the user."""

from __future__ import annotations

import contextlib
import importlib
import os
import sys
import sysconfig
import traceback
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import docie
from docie.cli import runs
from docie.cli.output import reports
from docie.show.section import HINT, Section, Text

if TYPE_CHECKING:  # numpy comes with it
    from docie.robustness import RobustnessReport
    from docie.robustness.form import Form


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
    """Attack a model, and print how much it loses.

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
    from docie.robustness.examples import examples
    from docie.show.report import save_charts
    from docie.show.report.page import Facts, render
    from docie.show.report.robustness_page import robustness_page
    from docie.show.report.writing import chart_folder

    with reports.opened(report) as file:
        if charts is not None:
            chart_folder(charts)
        predict = _model(model)
        listed = list(forms)
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always", UserWarning)
            results = robustness.run(predict, listed, **options)
        notes = list(dict.fromkeys(str(warning.message) for warning in caught))
        if file:
            shown, unshown = examples(results, listed, predict)
            facts = Facts(
                title=f"Form attacks on {model}",
                references=source,
                predictions=model,
                command=command,
                notes=[*notes, *unshown],
            )
            file.save(render(robustness_page(results, facts, shown)))
        if charts is not None:
            save_charts(results, charts)
    runs.print_warnings(notes)
    with runs.prints_to_pipe():
        runs.print_results(output, _sections(results, by_field=by_field), results.to_json())


def _model(name: str) -> Callable[[Sequence[Form]], Sequence[object]]:
    """The function that --model names. The errors of what goes wrong inside of it say where."""
    from docie.documents.rows import sequence_of

    module_name, _, function_name = name.partition(":")
    if not module_name or not function_name:
        raise ValueError(f"--model must be MODULE:FUNCTION, got {name!r}")
    if os.getcwd() not in sys.path:
        sys.path.insert(0, os.getcwd())
    try:
        with _errors_of_code(f"--model: the import of {module_name} failed", module_name):
            module = importlib.import_module(module_name)
    except ModuleNotFoundError:
        raise ValueError(f"--model: there is no module {module_name!r} here") from None
    function = getattr(module, function_name, None)
    if not callable(function):
        raise ValueError(f"--model: {module_name} has no function {function_name!r}")

    def answers(forms: Sequence[Form]) -> Sequence[object]:
        with _errors_of_code(f"--model {name} failed"):
            found = function(forms)
            found = list(found) if isinstance(found, Iterator) else found
        found = sequence_of(f"--model {name}: the answers", found)
        if len(found) != len(forms):
            raise ValueError(f"--model {name}: expected an answer for each of {len(forms)} forms, got {len(found)}")
        answers: Sequence[object] = found
        return answers

    return answers


@contextlib.contextmanager
def _errors_of_code(problem: str, module: str = "") -> Iterator[None]:
    """Inside this block runs code of the user. Its errors are one line, with the place.

    Args:
        problem: the beginning of that line.
        module: the module that is imported; that it is not there is another error.
    """
    try:
        yield
    except (Exception, SystemExit) as error:
        if isinstance(error, ModuleNotFoundError) and f"{module}.".startswith(f"{error.name}."):
            raise
        what = " ".join(f"{type(error).__name__}: {error}".split()).rstrip(": ")
        raise ValueError(f"{problem}: {what}{_place_in_code(error)}") from None


def _place_in_code(error: BaseException) -> str:
    """Where an error was raised: in the innermost code that is of no package, nor of Python itself."""
    callers = _folders(map(os.path.dirname, (docie.__file__, importlib.__file__)))
    packages = _folders(sysconfig.get_paths().values())
    place = ""
    for frame in traceback.extract_tb(error.__traceback__):
        path = os.path.realpath(frame.filename)
        if path.startswith(callers) or frame.filename.startswith("<frozen "):
            continue
        if not place or not path.startswith(packages):
            place = f" ({frame.filename}, line {frame.lineno}, in {frame.name})"
    return place


def _folders(paths: Iterable[str]) -> tuple[str, ...]:
    """What the paths of files in these folders begin with."""
    return tuple(os.path.join(os.path.realpath(path), "") for path in paths)


def _sections(report: RobustnessReport, *, by_field: bool) -> Iterator[Section]:
    parts = [report.table()]
    parts += [report.by_field()] if by_field else []
    parts += [report.calibration()] if report.confidence else []
    parts += map(report.of_family, report.families)
    lines = [*report.notes(by_field=by_field), f"{report.forms} form{'s' * (report.forms != 1)} · {report.signature}"]
    yield Section([*parts, *(Text(line, HINT) for line in lines)], captions=False)
