"""Which of several systems is better, and may a new one take the place of the first?"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from docie.comparison.comparing import Options, check_systems, compare_pairs
from docie.comparison.gate import Limits, lines_of
from docie.comparison.results import Compared, compared
from docie.comparison.systems import of_all_systems
from docie.core.errors import DocumentError, InputError, MismatchError, errors_of_system, warn
from docie.core.explanation import path_of
from docie.core.notes import noted
from docie.core.phrases import enumerated
from docie.core.settings import check_whole
from docie.core.values.plain import JsonObject
from docie.corpus.method import Method
from docie.corpus.progress import with_progress_bar
from docie.inputs.config import Config
from docie.inputs.files import Files, contents_of
from docie.inputs.kinds import INPUT_KINDS, peek_input_kind
from docie.inputs.label_corrections import LabelCorrections, name_of, with_corrections
from docie.inputs.reading import Reading
from docie.inputs.row import Pair
from docie.metrics import kieval
from docie.metrics.kieval.options import kieval_settings
from docie.protocols import Protocol
from docie.questions.asking import by_protocol, families_for, settings_for
from docie.show import comparisons
from docie.show.result import Facts, Page, Result, Rows
from docie.show.section import Section, Text

if TYPE_CHECKING:
    from docie.show.page.comparison.shown import Shown


@dataclass(frozen=True, kw_only=True)
class CompareResult(Result):
    """The comparison of several systems.

    Attributes:
        results: those of `docie.corpus.compare`.
        protocol: the protocol by which the systems were scored; None for none.
        hidden: their keys that were not asked for: a report or a comment shows them.
        all_scores: whether all pairs are printed, instead of a row for each system.
        shown: the documents that a report shows; None for none.
    """

    results: Compared
    protocol: Protocol | None = None
    hidden: Collection[str] = ()
    all_scores: bool = False
    shown: Shown | None = field(default=None, repr=False)

    @property
    def passed(self) -> bool:
        """Whether all systems pass the gate; without a gate, they do."""
        return "gate" not in self.results or self.results["gate"]["passed"]

    @property
    def gate_lines(self) -> list[str]:
        """What the gate says, a line for each later system and score; none without a gate."""
        return [*lines_of(self.results["gate"])] if "gate" in self.results else []

    def to_dict(self) -> JsonObject:
        """What was asked for of the results."""
        kept = {key: value for key, value in self.results.items() if key not in self.hidden}
        holm = {key: tests for key, tests in self.results["holm"].items() if key not in self.hidden}
        return {**kept, "holm": holm}

    def sections(self, *, brief: bool = False) -> Iterator[Section]:
        """The verdict, ranks, and all differences; on a page fields and documents, too."""
        if not brief and self.shown is not None:
            yield from self.page().sections
            return
        if self.protocol is not None:
            yield Section([Text(self.protocol.said(self.results["systems"]))], "protocol")
        sections = comparisons.sections if self.all_scores or not brief else comparisons.brief_sections
        yield from sections(compared(self.to_dict()), joined_by=self.facts.joined_by)

    def tables(self) -> Iterator[Rows]:
        """All differences first, then ranks, changes and fields."""
        yield from super().tables() if self.all_scores else replace(self, all_scores=True).tables()

    def page(self) -> Page:
        """The report; without documents, if none were asked for."""
        if self.shown is None:
            return super().page()
        from docie.show.page.comparison.comparison_page import comparison_page

        page = comparison_page(self.results, self.shown, self.facts)
        said = "" if self.protocol is None else f"{self.protocol.said(self.results['systems'])}. "
        return page._replace(lead=said + page.lead)

    def comment(self) -> Comment:
        """The comparison of two systems in short, for a pull request; with the fields that lost most, if `comment` or
        `by_field` asked for them."""
        return Comment(facts=self.facts, signature=self.signature, whole=self)


@dataclass(frozen=True, kw_only=True)
class Comment(Result):
    """A comparison of two systems in short: `docie.write` puts it into a file in Markdown.

    Attributes:
        whole: the comparison.
    """

    whole: CompareResult

    def to_dict(self) -> JsonObject:
        """The results of the comparison."""
        return self.whole.to_dict()

    def sections(self, *, brief: bool = False) -> Iterator[Section]:
        """What the gate says, the scores with their differences, and the fields that lost most."""
        yield from comparisons.comment(self.whole.results, joined_by=self.facts.joined_by)


def compare(
    *,
    references: Any,
    systems: Mapping[str, Any],
    metric: str | None = None,
    scores: str | Collection[str] | None = None,
    protocol: str | None = None,
    config: Config = None,
    corrections: Any = None,
    run: str | None = None,
    by_field: bool = False,
    all_scores: bool = False,
    cluster: str | None = None,
    suspects: bool = False,
    confidence_level: float = 0.95,
    max_drop: float | None = None,
    max_broken: int | None = None,
    shuffles: int = 10_000,
    seed: int = 0,
    documents: int | None = None,
    comment: bool = False,
    workers: int = 1,
    max_seconds: float | None = None,
    progress: bool = False,
    **options: Any,
) -> CompareResult:
    """Compare the predictions of several systems, as `docie compare` does.

    Args:
        references (path, sequence or frame): a file, folder, pattern or URL, as the command line takes it, or rows.
            Rows are read as those of files: a key `id` on both sides joins them.
        systems (dict): from the name of each system, two or more, to its predictions, likewise. The first is the
            baseline. Documents that not all systems have are left out, if rows are joined by id.
        metric (str): a family; None to choose by the input.
        scores (str or list of str): the scores to compare; None for the headline of the family. Each further one makes
            the correction stricter.
        protocol (str): a published score by its name, as in `docie.score`; the score that it quotes is compared.
        config (path or dict): how rows are read: a `docie.toml`, or its keys, as in `docie.corpus.evaluate`.
        corrections (path or list of dict): references that people found wrong, as in `docie.score`. A warning says if
            they may favour some of the systems.
        run (str): predictions have several answers for each document, as in `docie.score`. A report shows the first.
        by_field (bool): add the comparison of each entity type.
        all_scores (bool): print all pairs of systems, ranks and the documents that changed most. JSON always has all.
        cluster (str): a column of the rows' `meta`, such as "vendor", whose documents are alike: they count as one.
        suspects (bool): add values on which all systems agree against the reference.
        confidence_level (float): the level of intervals and verdicts.
        max_drop, max_broken (float, int): add a gate, which `passed` tells of: how far a later system may fall below
            the first, in the unit of the score, and how many of its documents may break.
        shuffles, seed (int): the number of random shuffles of the test, and their seed.
        documents (int): the number of documents that a report shows, those that move the scores most first, then those
            with the most corrections; None if none will be written. The page reads all documents again.
        comment (bool): whether a comment will be written, which has the fields that lost most.
        workers (int): the number of processes. The result is the same for any.
        max_seconds (float): stop at a document that takes longer.
        progress (bool): show progress bars on stderr, if that is a terminal.
        **options: the options of the family: `normalize`, `match`, `schema`, `weights`, `matching` and so on.

    Returns:
        CompareResult: printed, what the command prints; `docie.write` puts it, and its `comment()`, into any form.

    Raises:
        ValueError: for what cannot be read or compared, and for an option's wrong value.

    >>> references = [{"id": f"r-{number}", "total": str(number)} for number in range(8)]
    >>> hasty = [{"id": row["id"], "total": "0"} for row in references]
    >>> result = compare(references=references, systems={"careful": references, "hasty": hasty}, max_drop=0.03)
    >>> result.passed, result.gate_lines
    (False, ['gate failed: hasty, entity_f1: worse by 0.8750 (0.1250 against 1.0000)'])
    >>> result.to_dict()["ranks"]
    {'entity_f1': {'careful': 'a', 'hasty': 'b'}}
    """
    check_systems("systems", systems)
    if comment and len(systems) != 2:
        raise ValueError(f"comment: expected two systems, the base and the new one, got {len(systems)}")
    if documents is not None:
        check_whole("documents", documents, 0)
    if metric == "all":
        raise ValueError("metric: expected one family, got 'all'; scores= names its scores")
    named, metrics, options, reading = by_protocol(protocol, metric, options, config)
    reading = with_corrections(reading.with_run(run), corrections)
    scores = named.quoted if named is not None and scores is None else scores
    asked_for = Options(
        scores,
        cluster,
        confidence_level,
        shuffles,
        seed,
        Limits(max_drop, max_broken),
        breakdown=by_field or comment,
        differences=documents is not None,
        suspects=suspects,
        workers=workers,
        progress=progress,
        max_seconds=max_seconds,
    )
    asked_for.check()
    shown = None
    with noted() as notes, _places_of(systems):
        given = _Given(references, systems, reading, again=documents is not None)
        files, pairs, input_kind = given.read()
        _check_kind(input_kind, documents is not None, suspects)
        [(name, family)] = (chosen := families_for(metrics, input_kind)).items()
        settings = settings_for(chosen, options, reading)[name]
        if documents is not None:
            pairs, shown = _shown(given, pairs, settings, documents, progress=progress)
        judged = None
        if reading.corrections is not None and reading.corrections.changes:
            judged = _Judged(reading.corrections, kieval_settings(settings))
            pairs = {name: judged.watched(name, each) for name, each in pairs.items()}
        method = Method.of(family, settings, reading)
        results = compare_pairs(method, pairs, asked_for, errors_of=lambda name: _errors_of(name, systems[name]))
        if judged is not None:
            judged.warn()
    asked = {"per_entity": by_field, "differences": False}
    return CompareResult(
        protocol=named,
        facts=_facts(files, notes),
        signature=results["signature"],
        results=compared(results),
        hidden=[key for key, is_asked in asked.items() if not is_asked],
        all_scores=all_scores,
        shown=shown,
    )


class _Given:
    """What is compared; it is read once or, if it will be wanted `again`, more often."""

    def __init__(self, references: Any, systems: Mapping[str, Any], reading: Reading, *, again: bool) -> None:
        self.reading, self.references = reading, _kept(references)
        self.systems = {name: _kept(predictions) if again else predictions for name, predictions in systems.items()}
        sides = [*[self.references] * len(systems), *self.systems.values()]
        self.contents = contents_of(*sides * (1 + again))

    def read(self) -> tuple[dict[str, Files], dict[str, Iterable[Pair]], str]:
        """The files and the pairs of each system, and the kind of their input."""
        files, pairs, input_kind = dict[str, Files](), dict[str, Iterable[Pair]](), ""
        for name, predictions in self.systems.items():
            with _errors_of(name, predictions):
                how = self.reading.of_system(name)
                files[name] = Files(self.references, predictions, how, contents=self.contents)
                input_kind, pairs[name] = peek_input_kind(files[name])
        return files, pairs, input_kind


def _kept(rows: Any) -> Any:
    """Rows that can be read more than once."""
    return [*rows] if isinstance(rows, Iterator) else rows


def _shown(
    given: _Given, pairs: Mapping[str, Iterable[Pair]], settings: object, most: int, *, progress: bool
) -> tuple[dict[str, Iterable[Pair]], Shown]:
    """The pairs of each system, and the documents that a report reads again once these were read."""
    from docie.show.page.comparison.shown import Shown

    ids: dict[str, list[str | None]] = {name: [] for name in pairs}

    def watched(name: str) -> Iterator[Pair]:
        for pair in pairs[name]:
            ids[name].append(pair.reference.id)
            yield pair

    def again() -> Iterator[tuple[Pair, ...]]:
        with noted(warns=False):  # they are known from the first time
            read = given.read()[1]
        rows, number = of_all_systems(read, ids), min(map(len, ids.values()))
        yield from with_progress_bar(rows, number, "reading the documents again") if progress else rows

    return {name: watched(name) for name in pairs}, Shown(
        systems=[*pairs], read=again, settings=kieval_settings(settings), most=most
    )


class _Judged:
    """How many errors of each system people judged. Errors are disagreements with the references as they were."""

    def __init__(self, corrections: LabelCorrections, settings: kieval.Settings) -> None:
        self.judged, self.settings = corrections.judged, settings
        self.numbers: dict[str, tuple[int, int]] = {}

    def watched(self, name: str, pairs: Iterable[Pair]) -> Iterator[Pair]:
        """The pairs of a system, whose errors are counted while they pass."""
        judged = errors = 0
        for number, pair in enumerate(pairs):
            paths = self._errors(pair)
            errors += len(paths)
            judged += sum((name_of(pair, number), path) in self.judged for path in paths)
            yield pair
        self.numbers[name] = judged, errors

    def _errors(self, pair: Pair) -> list[str]:
        """The places of the errors in a document; none if it cannot be read, which whoever scores it will say."""
        prediction, reference = pair
        label = reference.document if reference.uncorrected is None else reference.uncorrected
        with suppress(DocumentError):
            rows = (
                row for each in prediction.answers for row in kieval.error_rows(each.document, label, self.settings)
            )
            return [path_of(row.group_type, row.predicted_group, row.reference_group, row.entity_type) for row in rows]
        return []

    def warn(self) -> None:
        """Say so if errors of a system were not judged."""
        if any(judged < errors for judged, errors in self.numbers.values()):
            said = enumerated(f"{judged:,} of {errors:,} of {name}" for name, (judged, errors) in self.numbers.items())
            favours = "corrections favour systems whose errors were judged; judge those of all systems"
            warn(f"of the errors, {said} were judged; {favours}")


def _is_path(rows: object) -> bool:
    return isinstance(rows, str | os.PathLike)


@contextmanager
def _errors_of(name: str, predictions: object) -> Iterator[None]:
    """Inside this block, errors name the system, unless they name its file."""
    try:
        yield
    except ValueError as error:
        if _is_path(predictions) and isinstance(error, InputError) and not isinstance(error, MismatchError):
            raise
        with errors_of_system(name):
            raise


@contextmanager
def _places_of(systems: Mapping[str, object]) -> Iterator[None]:
    """Inside this block, errors of a document whose place is a file do not name the system."""
    try:
        yield
    except DocumentError as error:
        if isinstance(error.document, str) and _is_path(systems.get(error.system or "")):
            error.system = None
        raise


def _check_kind(input_kind: str, has_report: bool, has_suspects: bool) -> None:
    """Raise ValueError for what only documents have."""
    if input_kind != "document" and has_report:
        raise ValueError(f"a report shows documents, but these are {INPUT_KINDS[input_kind]}")
    if input_kind != "document" and has_suspects:
        raise ValueError(f"suspects: they are values of documents, but these are {INPUT_KINDS[input_kind]}")


def _facts(files: Mapping[str, Files], notes: Iterable[str]) -> Facts:
    """How a comparison was made."""
    own = (f"{name}: {note}" for name, each in files.items() for note in each.notes())
    named = (each.names[1] if _is_path(each.predictions) else name for name, each in files.items())
    return Facts(
        title="Comparison",
        references=next(iter(files.values())).names[0],
        predictions=", ".join(named),
        joined_by=" and ".join(dict.fromkeys(each.joined_by for each in files.values())),
        notes=list(dict.fromkeys([*own, *notes])),
    )
