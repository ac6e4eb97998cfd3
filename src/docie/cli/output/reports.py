"""`--report`: the file is opened before the work, and saved after it."""

from __future__ import annotations

import contextlib
import re
import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path, PurePath
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typer import Context

    from docie.core.values.plain import JsonObject
    from docie.files.pairing import PairedFiles
    from docie.metrics import kieval
    from docie.show.destination import Destination
    from docie.show.report.page import Facts
    from docie.show.report.score.collection import Collection

CONFIDENCE_LEVEL = 0.95
"""The level of a report's intervals, if none is asked for."""


class ReportFile:
    """A report that is made while documents are scored.

    Args:
        file: where it goes.
        documents: the number of documents to show.
        title: the title; "" for the names of the system and the data.
        images: the folder of page images; None for none.
        command: the command that makes it.

    Raises:
        ValueError: for a number of documents that makes no sense, and for a folder that is not there.
    """

    def __init__(self, file: Destination, *, documents: int, title: str, images: str | None, command: str) -> None:
        from docie.core.settings import check_whole
        from docie.show.report.scans import image_folder

        check_whole("--report-documents", documents, 0)
        self.file, self.documents, self.title, self.command = file, documents, title, command
        self.images = None if images is None else image_folder(images)
        self._collection: Collection | None = None

    def watch(
        self, files: PairedFiles, pairs: Iterable[tuple[object, object]], settings: kieval.Settings
    ) -> Iterator[tuple[object, object]]:
        """Pass the pairs through, and collect from them. `settings` are those of KIEval."""
        from docie.documents.rows import unzip
        from docie.show.report.score.collection import Collection

        self._collection = Collection(settings, documents=self.documents, name_of=files.name)
        return self._collection.watch(*unzip(pairs))

    def save(
        self,
        files: PairedFiles,
        results: Mapping[str, JsonObject],
        notes: Sequence[str],
        confidence_level: float | None,
    ) -> None:
        """Write the report of these results; those of KIEval have a breakdown."""
        from docie.show.report.page import render
        from docie.show.report.score.corpus_page import corpus_page

        assert self._collection is not None
        facts = facts_of(files, notes, title=self.title, command=self.command)
        options: JsonObject = {"confidence_level": confidence_level, "images": self.images}
        self.file.save(render(corpus_page(results, self._collection, facts, **options)))


def facts_of(files: PairedFiles, notes: Iterable[str], *, title: str = "", command: str = "") -> Facts:
    """How a report of two files was made. It is named for them unless it has a title."""
    from docie.show.report.page import Facts

    data, system = map(short_name, files.names)
    return Facts(
        title=title or f"{system} on {data}",
        system=system,
        data=data,
        references=files.names[0],
        predictions=files.names[1],
        command=command,
        joined_by=files.joined_by,
        notes=list(dict.fromkeys(notes)),
    )


def short_name(path: str) -> str:
    """What a file is called in a title: its name without what all are called, else that of its folder.

    >>> short_name("receipts/references.jsonl"), short_name("receipts/predictions-hasty.jsonl"), short_name("cord.csv")
    ('receipts', 'hasty', 'cord')
    """
    stem = PurePath(path).stem
    own = re.sub(r"^(predictions?|references?|ground[-_]truth)([-_. ]+|$)", "", stem)
    return own or (Path(path).absolute().parent.name if stem.startswith(("ref", "ground")) else stem)


def needs(metrics: list[str] | None, confidence_level: float | None) -> tuple[list[str] | None, float]:
    """The metrics and the level that are scored with a report, from those that are asked for.

    >>> needs(["hed"], None), needs(None, 0.9)
    ((['hed', 'kieval'], 0.95), (None, 0.9))
    """
    if metrics and not {"kieval", "all"} & {*metrics}:
        metrics = [*metrics, "kieval"]
    return metrics, CONFIDENCE_LEVEL if confidence_level is None else confidence_level


def check_kind(input_kind: str) -> None:
    """Raise ValueError unless the input is documents, or of a kind that is not known."""
    from docie.documents.kinds import INPUT_KINDS

    if input_kind not in ("document", None):
        raise ValueError(f"a report shows documents, but these are {INPUT_KINDS[input_kind]}")


@contextlib.contextmanager
def opened(path: str | None) -> Iterator[Destination | None]:
    """Inside this block a report may be made; None without a path. What prevents it is found out at its beginning.

    Args:
        path: the report's path; None for no report.

    Raises:
        ValueError: if Jinja is missing, and for a path that cannot be written.
    """
    if path is None:
        yield None
        return
    from docie.show.destination import Destination

    check_packages()
    with Destination(path) as file:
        yield file


def check_packages() -> None:
    """Raise ValueError if a package is missing that a page needs."""
    from docie.show.report.output import check_packages

    try:
        check_packages()
    except ModuleNotFoundError as error:
        raise ValueError(str(error)) from None


def command_line(context: Context) -> str:
    """The command as it was given, from what Typer has read: without options at their defaults."""
    arguments: list[str] = []
    options: list[str] = []
    for parameter in context.command.params:
        value = context.params.get(parameter.name)
        if parameter.param_type_name == "argument":
            arguments += map(str, value if isinstance(value, list | tuple) else [value])
        elif value != parameter.get_default(context):
            each = value if isinstance(value, list | tuple) else [value]
            for one in each:
                options += (
                    [parameter.opts[-1]] if one is True else [parameter.opts[-1], str(getattr(one, "value", one))]
                )
    return shlex.join(["docie", str(context.info_name), *arguments, *options])
