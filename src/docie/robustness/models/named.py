"""The model that `docie attack --model` names."""

from __future__ import annotations

import contextlib
import importlib
import os
import sys
import sysconfig
import traceback
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # numpy comes with it
    from docie.robustness.form import Page


def model_of(name: str) -> Callable[[Sequence[Page]], Sequence[object]]:
    """The function that --model names. The errors of what goes wrong inside of it say where."""
    from docie.inputs.sources.python import sequence_of

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

    def answers(forms: Sequence[Page]) -> Sequence[object]:
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
    callers = _folders([str(Path(__file__).parents[2]), os.path.dirname(importlib.__file__)])
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
