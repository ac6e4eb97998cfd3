"""What is checked before any command runs: it writes nothing that it reads, and no option does nothing."""

from __future__ import annotations

import glob
import os
import stat
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any, TextIO

from docie.cli import runs
from docie.cli.options import parsing
from docie.cli.output.help import WithShortHelp

if TYPE_CHECKING:
    from typer import Context

READ = {"references", "predictions", "forms", "--verify", "--agree", "--schema", "--corrections", "--silver"}
"""The arguments and options that name what is read; `--model`, `--config` and some values of `--option` do, too."""
FILES = {"--output", "--report", "--comment", "--write"}
FOLDERS = {"--out", "--folder"}
"""The options that name what is written."""
_FILES_OF_OPTIONS = ("schema", "weights", "costs")

_OF_MODELS = (
    *("--strengths", "--pairs", "--triples", "--metric", "--by-field", "--folder", "--confidence-level"),
    *("--precision", "--format", "--report"),
)
NEEDS: dict[tuple[str, str], tuple[str, ...]] = {
    ("score", "--interval"): ("--confidence-level", "--report"),
    **{("score", f"--option {name}"): ("--interval percentile",) for name in ("bootstrap_samples", "seed")},
    ("score", "--images"): ("--report",),
    **{("attack", option): ("--model",) for option in _OF_MODELS},
    ("check", "--force"): ("--write",),
    ("threshold", "--confidence-level"): ("--unit document",),
    ("threshold", "--option seconds_per_document"): ("--unit document",),
}
"""Of commands, the options that do nothing without one of others."""
CLASHES: dict[tuple[str, str], tuple[str, ...]] = {
    **{("score", f"--option {name}"): ("--interval t",) for name in ("bootstrap_samples", "seed")},
    ("score", "--all-scores"): ("--format json", "--format csv", "--score"),
    ("score", "--format"): ("--score",),
    ("score", "--silver"): ("--score",),
    ("score", "--by-field"): ("--score",),
    **{("errors", option): ("--document",) for option in ("--kind", "--type", "--group-by", "--max-seconds")},
    ("attack", "--strength"): ("--severity",),
    ("threshold", "--by-field"): ("--unit document",),
}
"""Of commands, the options that do nothing beside others, or beside a value of others."""


class Command(WithShortHelp):
    """A command that checks its arguments before it runs."""

    def invoke(self, ctx: Any) -> object:
        """Run the command. An error in its arguments is one line, and exit code 2."""
        values = dict(_given(ctx))
        try:
            check_options(str(ctx.info_name), values)
            check_outputs(values)
        except ValueError as error:
            runs.fail(error)
        return super().invoke(ctx)


def _given(ctx: Context) -> Iterator[tuple[str, object]]:
    """The arguments and options on the command line, by their names there, and their values."""
    for parameter in ctx.command.params:
        if (source := ctx.get_parameter_source(parameter.name or "")) and source.name == "COMMANDLINE":
            is_argument = parameter.param_type_name == "argument"
            yield parameter.name if is_argument else max(parameter.opts, key=len), ctx.params.get(parameter.name)


def check_options(command: str, values: Mapping[str, object]) -> None:
    """Raise ValueError for an option that would do nothing, or a setting of `--option`.

    >>> check_options("score", {"--interval": "t"})
    Traceback (most recent call last):
    ...
    ValueError: --interval needs --confidence-level or --report
    """
    for option in [*values, *(f"--option {name}" for name in parsing.by_name(_texts(values.get("--option"))))]:
        needed = NEEDS.get((command, option), ())
        if needed and values.keys().isdisjoint(name.partition(" ")[0] for name in needed):
            raise ValueError(f"{option} needs {' or '.join(needed)}")
        for other in CLASHES.get((command, option), ()):
            name, _, value = other.partition(" ")
            if name in values and value in ("", values[name]):
                raise ValueError(f"{option} does nothing beside {other}")


def check_outputs(values: Mapping[str, object]) -> None:
    """Raise ValueError if a command would write what it reads: a file, or one more file in a folder that is read."""
    written = {option: Path(str(values[option])) for option in values.keys() & (FILES | FOLDERS)}
    printed = _of_stream(sys.stdout)
    if not written and printed is None:
        return
    read = list(_read(values))
    known = {identity for path in read for identity in _identities(path)}
    if printed is not None and printed in known:
        raise ValueError("standard output: this is an input, and would be overwritten")
    for option, path in sorted(written.items()):
        if _identity(path) in known and (option in FILES or not path.is_dir()):
            raise ValueError(f"{option} {path}: this is an input, and would be overwritten")
        new = path if option in FILES else path / "0.json"
        for source in read:
            if _would_hold(source, new):
                raise ValueError(f"{option} {path}: {source} is read, and would hold this, too")


def _read(values: Mapping[str, object]) -> Iterator[str]:
    """The paths that a command reads. "-" is standard input."""
    from docie.inputs.config import files_of
    from docie.inputs.sources.datasets import PREFIX
    from docie.inputs.sources.table_files import split_sheet

    yield from files_of(_texts(values.get("--config")))
    for name in values.keys() & READ:
        for path in _texts(values[name]):
            for prefix in ("local://", "file://"):
                path = path.removeprefix(prefix)
            yield path[len(PREFIX) :].rpartition("#")[0] if path.startswith(PREFIX) else split_sheet(path)[0]
    for option in _texts(values.get("--option")):
        name, _, value = option.partition("=")
        if name in _FILES_OF_OPTIONS:
            yield value
    for model in _texts(values.get("--model")):
        if module := model.partition(":")[0]:
            yield f"{module.replace('.', os.sep)}.py"


def _texts(value: object) -> list[str]:
    """The texts of an option, which may have one or several."""
    return [value] if isinstance(value, str) else [*map(str, value)] if isinstance(value, list | tuple) else []


def _identities(path: str) -> Iterator[object]:
    """What tells the files of an input from others."""
    if path == "-":
        yield _of_stream(sys.stdin)
    elif os.path.isdir(path):
        device = os.stat(path).st_dev
        with os.scandir(path) as entries:
            yield from (_identity(each) if each.is_symlink() else (device, each.inode()) for each in entries)
    elif glob.has_magic(path) and not os.path.exists(path):
        yield from map(_identity, glob.iglob(path, recursive=True))
    else:
        yield _identity(path)


def _identity(path: str | os.PathLike[str]) -> object:
    """What tells a file from others, whatever its names; of one that is not there, its full name."""
    try:
        facts = os.stat(path)
    except OSError:
        return os.path.normcase(os.path.realpath(path))
    return (facts.st_dev, facts.st_ino) if stat.S_ISREG(facts.st_mode) or stat.S_ISDIR(facts.st_mode) else object()


def _of_stream(stream: TextIO | None) -> tuple[int, int] | None:
    """What tells the file that a stream is; None if it is no file."""
    try:
        facts = os.fstat(stream.fileno()) if stream is not None else None
    except (OSError, ValueError):
        return None
    return (facts.st_dev, facts.st_ino) if facts is not None and stat.S_ISREG(facts.st_mode) else None


def _would_hold(source: str, new: Path) -> bool:
    """Whether a folder or a pattern that is read would hold a new file, and read it, too."""
    from docie.inputs.sources.paths import SUFFIXES_OF_FOLDERS

    new = Path(os.path.realpath(new))
    is_pattern = glob.has_magic(source) and not os.path.exists(source)
    folder = os.path.dirname(os.path.realpath(source)) if is_pattern else source
    if os.path.isdir(folder):
        return _identity(new.parent) == _identity(folder) and new.suffix.lower() in SUFFIXES_OF_FOLDERS
    return is_pattern and PurePath(new).match(os.path.realpath(source))
