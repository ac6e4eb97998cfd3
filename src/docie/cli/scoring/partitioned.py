"""docie score of a corpus that is counted in parts: partitions of files, or blocks of documents with a checkpoint."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from docie.cli import runs

if TYPE_CHECKING:  # numpy comes with it
    from docie.core.family import Family
    from docie.corpus import Engine
    from docie.files.counting import PartitionedFiles, Reading, Tallies
    from docie.files.joined import Joined

NOTED = 5
"""The number of lines about single files that are printed."""
Pairs = Iterator[tuple[Any, Any]]


class Inputs(NamedTuple):
    """What is counted, and how it is read.

    Attributes:
        partitions: files in partitions; None for two files.
        joined: the two files; None for partitions.
        reading: how files are read.
    """

    partitions: PartitionedFiles | None
    joined: Joined | None
    reading: Reading

    def pairs(self) -> Pairs:
        """The rows (prediction, reference)."""
        return self.partitions.pairs() if self.partitions else iter(self.joined or ())


class Scored(NamedTuple):
    """The results of families, and what is printed beside them."""

    results: dict[str, dict[str, Any]]
    notes: list[str]
    joined_by: str


class Counting(NamedTuple):
    """Who counts, and what is kept.

    Attributes:
        workers: a number of processes, or an engine.
        checkpoint: the folder of what is finished; None for none.
        options: those of `corpus.count_part`.
    """

    workers: int | Engine
    checkpoint: str | None
    options: dict[str, Any]


def inputs_of(references: str, predictions: str, *, missing: runs.Missing, id_key: str, accepts_text: bool) -> Inputs:
    """The input that two paths mean."""
    from docie.files.counting import PartitionedFiles, Reading
    from docie.files.partitions import is_partitioned, partitions_of

    is_empty = missing == runs.Missing.empty
    reading = Reading(id_key, is_empty, accepts_text)
    if is_partitioned(references) or is_partitioned(predictions):
        return Inputs(PartitionedFiles(partitions_of(references, predictions), reading), None, reading)
    joined = runs.join(references, predictions, missing=missing, id_key=id_key, accepts_text=accepts_text)
    return Inputs(None, joined, reading)


def kept(
    by_field: bool, *, confidence_level: float | None, interval: str, bootstrap_samples: int, seed: int
) -> dict[str, Any]:
    """What intervals and tables need of each part: options of `corpus.count_part`."""
    if confidence_level is not None and interval == "poisson":
        return {"samples": bootstrap_samples, "seed": seed}
    return {"per_document": by_field or confidence_level is not None}


def scored(
    families: Mapping[str, Family],
    inputs: Inputs,
    pairs: Pairs,
    make_settings: Callable[[Any], dict[str, Any]],
    counting: Counting,
    **wanted: Any,
) -> Scored:
    """The results of the families.

    Args:
        families: the families.
        inputs: what is counted.
        pairs: its rows (prediction, reference), from the first on.
        make_settings: gives the settings of the families.
        counting: who counts, and what is kept.
        **wanted: which results, as `corpus.evaluate_parts` takes it.

    Raises:
        ValueError: for input that cannot be scored.
    """
    from docie import corpus

    notes, joined_by = list[str](), set[str]()
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", UserWarning)
        settings = make_settings(families)
        totals = {name: corpus.PartsTotal(family, settings[name]) for name, family in families.items()}
        for tallies in _tallies(families, inputs, pairs, settings, counting):
            notes += tallies["notes"]
            joined_by.add(tallies["joined_by"])
            for name, part in tallies["parts"].items():
                totals[name].add(part)
        results = {name: total.evaluate(**wanted) for name, total in totals.items()}
        for name, figures in results.items() if wanted["breakdown"] else ():
            check_tables(families[name], figures, counting.options["group_by"])
    _check_documents(results, inputs)
    if inputs.joined is not None:
        notes, joined_by = inputs.joined.warnings(), {inputs.joined.joined_by}
    return Scored(
        results,
        [*_first(list(dict.fromkeys(notes))), *(str(warning.message) for warning in caught)],
        " and ".join(sorted(joined_by - {""})),
    )


def _tallies(
    families: Mapping[str, Family],
    inputs: Inputs,
    pairs: Pairs,
    settings: dict[str, Any],
    counting: Counting,
) -> Iterator[Tallies]:
    """What is known of each part of the corpus, in order."""
    from docie import corpus
    from docie.files.counting import Blocks

    parts: PartitionedFiles | Blocks
    if inputs.partitions:
        parts = inputs.partitions
    else:
        assert inputs.joined is not None
        parts = Blocks(inputs.joined, pairs)
    workers = counting.workers
    kept = None
    if counting.checkpoint is not None:
        kept = workers = corpus.Checkpoint(
            counting.checkpoint, _facts(settings, inputs, counting.options), parts.identify, counting.workers
        )
    results = corpus.results_in_order(parts.work(settings, counting.options), parts.tasks(), workers)
    yield from corpus.with_progress_bar(results, len(inputs.partitions) if inputs.partitions else None)
    if kept is not None and kept.found:
        runs.say(f"checkpoint: {kept.found} of {kept.found + kept.added} parts were counted before")


def _facts(settings: dict[str, Any], inputs: Inputs, options: dict[str, Any]) -> dict[str, Any]:
    """What decides the counts of a file, in plain JSON values."""
    from docie.core.settings import signature

    signatures = {name: signature(name, each) for name, each in settings.items()}
    return {"metrics": signatures, "options": options, "reading": inputs.reading._asdict()}


def check_tables(family: Family, figures: Mapping[str, Any], group_by: str | None) -> None:
    """Warn if figures by field were wanted, and there are none."""
    if not any(isinstance(figures[name], dict) for name in figures if name != f"by_{group_by}"):
        warnings.warn(f"{family.NAME} has no figures by field here", stacklevel=2)


def _check_documents(results: Mapping[str, dict[str, Any]], inputs: Inputs) -> None:
    if inputs.partitions and not any(figures["documents"] for figures in results.values()):
        from docie.files.source import InputError

        raise InputError(f"{inputs.partitions.partitions[0].references}: no documents, and none in other partitions")


def _first(notes: list[str]) -> list[str]:
    """The first notes on files: of a thousand partitions, each may have its own."""
    more = len(notes) - NOTED
    return [*notes[:NOTED], f"{more} more lines like these, of other files"] if more > 0 else notes
