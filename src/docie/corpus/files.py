"""Files are counted in parts: two files in one go, partitions each by itself."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import nullcontext
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from docie.core.errors import InputError
from docie.core.family import Family, get
from docie.core.values.plain import JsonObject
from docie.corpus.counting import count
from docie.corpus.partial import Partial
from docie.corpus.progress import with_progress_bar
from docie.corpus.workers import Engine, results_in_order
from docie.inputs.answer_rows import ISSUES, Issue, kept_issues
from docie.inputs.files import NOTED, Files, joined
from docie.inputs.join import Told
from docie.inputs.reading import Reading
from docie.inputs.row import Pair, unzip
from docie.inputs.sources.paths import Partition

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

Families: TypeAlias = "Mapping[str, DataclassInstance]"
"""From the names of families to their settings."""


class Counting(NamedTuple):
    """What counts in place of a family: one that counts more, its settings, and what takes the counts of documents."""

    family: Family
    settings: Any
    take: Callable[[Partial], object] | None


class Counted(NamedTuple):
    """What is known of a corpus in files.

    Attributes:
        partials: of each family.
        joined_by: how rows were joined.
        notes: what a user should know about the files.
    """

    partials: dict[str, Partial]
    joined_by: str
    notes: list[str]


def count_files(
    files: Files,
    pairs: Iterator[Pair],
    families: Families,
    *,
    workers: int | Engine = 1,
    progress: bool = False,
    counting: Mapping[str, Counting] | None = None,
    **options: Any,
) -> Counted:
    """Count a corpus in files.

    Args:
        files: the files.
        pairs: their rows, from the first on; those of partitions are read by who counts them.
        families: the families, with their settings.
        workers: who counts: a number of processes, or an engine.
        progress: whether to show a progress bar.
        counting: what counts in place of a family, by its name; not of partitions.
        **options: those of `corpus.count`.

    Raises:
        InputError, DocumentError, ValueError: for what cannot be read or counted.
    """
    if not files.is_partitioned:
        options |= {"config": files.reading, "workers": workers, "progress": progress}
        partials = _partials(families, pairs, counting or {}, **options)
        return Counted(partials, files.joined_by, files.notes())
    tasks = ((files.reading, ISSUES.get() is not None, partition) for partition in files.partitions)
    parts = results_in_order(partial(_count_partition, dict(families), options), tasks, workers, _failure)
    totals, told = dict[str, Partial](), list[Told]()
    for part in with_progress_bar(parts, len(files.partitions)) if progress else parts:
        told.append(Told(*part["told"]))
        if (issues := ISSUES.get()) is not None:
            issues.update({Issue(*each): None for each in part["issues"]})
        for name, value in part["partials"].items():
            each = Partial.from_json(value)
            totals[name] = each if name not in totals else totals[name].__iadd__(each)
    total = Told.sum_of(told)
    files.check(total)
    return Counted(totals, total.joined_by, total.lines(NOTED))


def _failure(task: tuple[Any, ...], reason: str) -> InputError:
    """The error of a partition that has no result."""
    return InputError(f"{task[-1].references}: it {reason}; try again with workers=1")


def _count_partition(
    families: Families, options: JsonObject, reading: Reading, keeps_issues: bool, each: Partition
) -> JsonObject:
    """What is known of a partition, as an engine takes it."""
    pairs = joined(each, reading)
    empty: dict[Issue, None] = {}
    with kept_issues() if keeps_issues else nullcontext(empty) as issues:
        partials = _partials(families, pairs, {}, config=reading, **options)
    counted = {name: each.to_json() for name, each in partials.items()}
    return {"partials": counted, "told": [*pairs.told()], "issues": [*issues]}


def _partials(
    families: Families, pairs: Iterable[Pair], counting: Mapping[str, Counting], **options: Any
) -> dict[str, Partial]:
    rows, found = list(pairs) if len(families) > 1 else pairs, dict[str, Partial]()
    for name, settings in families.items():
        family, settings, take = counting.get(name, (get(name), settings, None))
        found[name] = count(family, *unzip(rows), settings, take=take, **options)
    return found
