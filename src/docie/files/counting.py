"""Files are counted in parts: two files in one, or in blocks of documents; partitions each by itself."""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import nullcontext
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from docie.core.errors import DocumentError, InputError
from docie.core.family import get
from docie.core.reading import Reading
from docie.core.settings import signature
from docie.core.values.plain import JsonObject
from docie.corpus import Partial, count
from docie.corpus.counting import with_progress_bar
from docie.corpus.workers import Engine, results_in_order
from docie.documents.rows import unzip
from docie.files.answers import ISSUES, Issue, kept_issues
from docie.files.checkpoint import Checkpoint
from docie.files.pairing import PairedFiles, first_notes, paired_sources
from docie.files.partitions import Partition, identity, is_stream
from docie.files.source import STDIN

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

BLOCK = 4096
"""The number of documents of a block."""
Pair = tuple[object, object]
Families: TypeAlias = "Mapping[str, DataclassInstance]"
"""From the names of families to their settings."""


class Counted(NamedTuple):
    """What is known of a corpus in files, or of a part of one.

    Attributes:
        partials: of each family.
        joined_by: how rows were joined.
        notes: what a user should know about the files.
        resumed: what a checkpoint had, in words; empty for nothing.
    """

    partials: dict[str, Partial]
    joined_by: str = ""
    notes: Iterable[str] = ()
    resumed: str = ""


def count_files(
    files: PairedFiles,
    pairs: Iterator[Pair],
    families: Families,
    *,
    workers: int | Engine = 1,
    checkpoint: str | None = None,
    **options: Any,
) -> Counted:
    """Count a corpus in files: partitions by themselves, two files in one go, or with a checkpoint in blocks.

    Args:
        files: the files.
        pairs: their rows, from the first on; those of partitions are read by who counts them.
        families: the families, with their settings.
        workers: who counts: a number of processes, or an engine.
        checkpoint: a folder that keeps the counts of what is finished; None for none.
        **options: those of `corpus.count`.

    Returns:
        What is known of the corpus.

    Raises:
        InputError, DocumentError, ValueError: for what cannot be read or counted.
    """
    if checkpoint is None and not files.is_partitioned:
        partials = _partials(families, pairs, workers=workers, progress=True, **options)
        return Counted(partials, files.joined_by, files.warnings())
    work, tasks, identify = _in_partitions(files) if files.is_partitioned else _in_blocks(files, pairs)
    kept = None
    if checkpoint is not None:
        made = {name: signature(name, settings) for name, settings in families.items()}
        reading = files.reading or Reading()
        lines = [identity(path) for side in ("reference", "prediction") if (path := reading.asked_of("lines", side))]
        kept_too = ["issues"] if files.is_partitioned and ISSUES.get() is not None else []
        how = [str(files.reading), files.accepts_text, *lines, *kept_too]
        run = {"metrics": made, "options": options, "reading": how}
        workers = kept = Checkpoint(checkpoint, run, identify, workers)
    parts = results_in_order(partial(work, dict(families), options), tasks, workers)
    total = len(files.partitions) if files.is_partitioned else None
    partials, joined_by, notes = dict[str, Partial](), set[str](), list[str]()
    for part in with_progress_bar(parts, total):
        joined_by.add(part["joined_by"])
        notes += part["notes"]
        if (issues := ISSUES.get()) is not None:
            issues.update({Issue(*each): None for each in part.get("issues", ())})
        for name, value in part["partials"].items():
            each = Partial.from_json(value)
            partials[name] = each if name not in partials else partials[name].__iadd__(each)
    resumed = f"{kept.found} of {kept.found + kept.added} parts were counted before" if kept and kept.found else ""
    if files.is_partitioned:
        return Counted(partials, " and ".join(sorted(joined_by - {""})), first_notes(notes), resumed)
    return Counted(partials, files.joined_by, files.warnings(), resumed)


Cut = tuple[Callable[..., JsonObject], Iterator[tuple[object, ...]], Callable[..., object]]
"""What counts a part, the arguments of each call, and what tells from these whether a part is the same as before."""


def _in_partitions(files: PairedFiles) -> Cut:
    how = {"reading": files.reading, "accepts_text": files.accepts_text}
    tasks = ((how, ISSUES.get() is not None, partition) for partition in files.partitions)
    return _count_partition, tasks, lambda *task: [identity(path) for path in dict.fromkeys(task[-1])]


def _in_blocks(files: PairedFiles, pairs: Iterator[Pair]) -> Cut:
    for path in filter(is_stream, files.partitions[0]):
        what = "standard input" if path == STDIN else path
        raise InputError(f"{what} cannot be read again, so it has no --checkpoint")
    identities = [identity(path) for path in files.partitions[0]]
    return _count_block, _blocks(pairs), lambda start, block: [identities, start, len(block)]


def _blocks(pairs: Iterator[Pair]) -> Iterator[tuple[int, list[Pair]]]:
    """So many pairs at a time, with the number of the first."""
    start = 0
    while block := list(itertools.islice(pairs, BLOCK)):
        yield start, block
        start += len(block)


def _count_partition(
    families: Families, options: JsonObject, how: dict[str, Any], keeps_issues: bool, each: Partition
) -> JsonObject:
    pairs = paired_sources(each, **how)
    with kept_issues() if keeps_issues else nullcontext() as issues:
        try:
            partials = _partials(families, pairs, **options, first=os.path.basename(each.references))
        except DocumentError as error:
            raise pairs.located(error) from None
    counted = _in_json(partials, pairs.joined_by, pairs.warnings())
    return counted if issues is None else {**counted, "issues": [*issues]}


def _count_block(families: Families, options: JsonObject, start: int, block: list[Pair]) -> JsonObject:
    try:
        return _in_json(_partials(families, block, **options, first=start))
    except DocumentError as error:
        if isinstance(error.document, int):
            error.document += start
        raise


def _in_json(partials: dict[str, Partial], joined_by: str = "", notes: Iterable[str] = ()) -> JsonObject:
    """What is known of a part, as an engine and a checkpoint take it."""
    return {
        "partials": {name: each.to_json() for name, each in partials.items()},
        "joined_by": joined_by,
        "notes": [*notes],
    }


def _partials(families: Families, pairs: Iterable[Pair], **options: Any) -> dict[str, Partial]:
    rows = list(pairs) if len(families) > 1 else pairs
    return {name: count(get(name), *unzip(rows), settings, **options) for name, settings in families.items()}
