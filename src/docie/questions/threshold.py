"""Above which confidence may values, or whole documents, skip review?"""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from typing import Any

from docie.confidence import Values, collect
from docie.confidence.calibrated import BINS
from docie.confidence.review import BUDGETS
from docie.confidence.summary import by_group, minutes_saved, rankings, summarize
from docie.confidence.values import Collector, NoConfidencesError
from docie.core.errors import DocumentError, errors_of_document, warn
from docie.core.notes import noted
from docie.core.phrases import counted
from docie.core.rules.weights import check_weight
from docie.core.values.plain import JsonObject
from docie.corpus.clusters.column import Column
from docie.inputs.config import Config, reading_of
from docie.inputs.files import Files, contents_of
from docie.inputs.kinds import peek_input_kind
from docie.inputs.reading import Reading
from docie.inputs.row import Pair, Row, unzip
from docie.metrics import kieval
from docie.questions.asking import facts_of, families_for, settings_for
from docie.show import tables, thresholds
from docie.show.result import Page, Result, Rows, notes_of, rows_of
from docie.show.section import HINT, Headlines, Part, Section, Text


@dataclass(frozen=True, kw_only=True)
class ThresholdResult(Result):
    """Thresholds of confidence, and what skips review at them.

    Attributes:
        results: those of `docie.confidence.summary.summarize`.
        values: the judged values of the predictions.
        has_budgets: whether shares to review were asked for, which are shown first, too, then.
    """

    results: JsonObject
    values: Values = field(repr=False)
    has_budgets: bool = False

    def to_dict(self) -> JsonObject:
        """The thresholds, the errors that review catches, and the calibration."""
        return {**self.results}

    @property
    def judged(self) -> Values:
        """What skips review: the values, or documents in place of these."""
        return self.values if self.results["unit"] == "value" else self.values.as_documents()

    def sections(self, *, brief: bool = False) -> Iterator[Section]:
        """The thresholds in sentences, with a table by type; a page has tables, and a slider through all thresholds."""
        unit = self.results["unit"]
        said = [*map(Text, thresholds.sentences(self.results, self.judged))]
        if brief:
            asked = [thresholds.budgets(self.results)] * self.has_budgets
            asked += [thresholds.in_short(rows, self.values) for rows in [self.results.get("per_entity")] if rows]
            asked += thresholds.asked(self.results)
            yield Section([*said, *asked, Text(tables.facts(self.results, joined_by=self.facts.joined_by), HINT)])
            return
        from docie.show.page.score.thresholds import slider

        shares = [*thresholds.headlines(self.results, self.judged)]
        shown = {share.sentence for share in shares}
        rest = [part for part in said if part.text not in shown]
        first = rest[: unit == "document"]  # what an operations lead wants to know
        yield Section([*first, Headlines(shares), *rest[len(first) :], *notes_of(self.notes)], "Overview", "overview")
        parts: list[Part] = [Text(thresholds.MOVED[unit], HINT), slider(self.values, self._first, unit=unit)]
        yield Section(parts, "Review by confidence", "automation")
        yield Section([*thresholds.tables(self.results, self.judged)], "Thresholds", "thresholds")

    def tables(self) -> Iterator[Rows]:
        """The thresholds, what review catches, the calibration and the entity types, as a page has them."""
        return map(rows_of, thresholds.tables(self.results, self.judged))

    @property
    def _first(self) -> float | None:
        """The first threshold that there is, at which the slider begins."""
        found = (self.results[key]["threshold"] for _, key, _ in thresholds.chosen(self.results))
        return next((threshold for threshold in found if threshold is not None), None)

    def page(self) -> Page:
        """The report: what skips review at the thresholds, a slider through all thresholds, curves, and tables."""
        return super().page()._replace(lead=self.facts.lead(counted(self.values.documents, "document")))


def threshold(
    *,
    references: Any,
    predictions: Any,
    unit: str = "value",
    agree: Any = None,
    by_field: bool = False,
    group_by: str | None = None,
    cluster: str | None = None,
    precision: float = 0.99,
    risk: float = 0.01,
    confidence_level: float | None = None,
    verify: tuple[Any, Any] | None = None,
    seconds_per_document: float | None = None,
    budgets: Sequence[float] | None = None,
    bins: int = BINS,
    config: Config = None,
    workers: int = 1,
    progress: bool = False,
    **options: Any,
) -> ThresholdResult:
    """Choose a confidence threshold for review, as `docie threshold` does: values at or above it skip review, or
    documents all of whose values are.

    Args:
        references, predictions (path, sequence or frame): files, folders, patterns or URLs, as the command line takes
            them, or rows. Rows are read as those of files: a key `id` on both sides joins them.
        unit (str): what skips review: "value", or "document" for those that have values, each with a confidence that is
            high enough.
        agree (path, sequence or frame): the predictions of another system, joined as `predictions` are; it may have
            more. Agreement with them takes the place of confidences, as in `docie.confidence.collect`.
        by_field (bool): add a threshold for each entity type.
        group_by (str): a column of the rows' `meta`, such as "vendor": add what skips review of each, at one threshold.
        cluster (str): a column of the rows' `meta`, such as "vendor", whose documents are alike: they count as one.
        precision (float): the share of values that skip review that must be correct, on these documents.
        risk (float): the share of a document's values that may be incorrect and skip review, on average on new
            documents; with documents as units, the share of all documents that may skip review with an error.
        confidence_level (float): with documents as units, add a threshold at which, at this confidence, the share of
            documents with an error among those that skip review is at most the risk.
        verify (pair): references and predictions of other documents, on which all thresholds are verified.
        seconds_per_document (float): the time that the review of a document takes: add the minutes that are saved.
        budgets (list of float): shares of values that are reviewed, lowest confidence first: how many errors this
            catches. None for 0.05, 0.1, 0.2 and 0.5.
        bins (int): the number of bins of the calibration error.
        config (path or dict): how rows are read: a `docie.toml`, or its keys, as in `docie.corpus.evaluate`.
        workers (int): the number of processes.
        progress (bool): show a progress bar on stderr, if that is a terminal.
        **options: the options of KIEval: `normalize`, `match`, `schema`, `matching` and so on.

    Returns:
        ThresholdResult: printed, what the command prints; `docie.write` puts it into any form.

    Raises:
        ValueError: for what cannot be read or scored, if no value has a confidence, and for an option's wrong value.

    >>> references = [{"total": "9.00"}, {"total": "7.50"}]
    >>> predictions = [{"total": {"value": text, "confidence": sure}} for text, sure in (("9.00", 0.9), ("1.50", 0.4))]
    >>> result = threshold(references=references, predictions=predictions)
    >>> result.to_dict()["coverage_at_precision"]["threshold"], result.notes
    (0.9, [])
    """
    asked: JsonObject = {"precision": precision, "risk": risk, "bins": bins, "breakdown": by_field}
    asked |= {"budgets": budgets or BUDGETS, "unit": unit, "confidence_level": confidence_level}
    _check(seconds_per_document, unit)
    summarize(Collector().values(), **asked)  # wrong options, before files are read
    reading, how = reading_of(config), {"clusters": cluster, "workers": workers, "progress": progress}
    reading.check_one_run("a threshold")
    sides = [(_kept(references), _kept(predictions), _kept(agree))]
    if verify is not None:
        sides.append((*map(_kept, verify), sides[0][2]))
    reads = 1 if agree is None else 3  # of both, of references and the other system, and with own confidences
    contents = contents_of(*(each for side in sides for each in side * reads if each is not None))
    given = [_Given(*side, reading, contents, options, how) for side in sides]
    groups = None if group_by is None else _Groups(group_by)
    with noted() as notes:
        values, others, own = given[0].values(groups), None, None
        if verify is not None:
            with _named("verify"):
                others = given[1].values()
        if agree is not None:
            if _identity(sides[0][1]) == _identity(sides[0][2]):
                warn("agree names the predictions themselves; only another system can confirm them")
            with suppress(NoConfidencesError):
                own = given[0].values(own=True)
        if {*map(_identity, sides[0][:2])} & {*map(_identity, verify or ())}:
            warn("verify names what the thresholds were chosen on; only other documents verify them")
    if not len(values):  # a note may say why
        raise ValueError("; ".join(["no prediction has a value", *notes]))
    results = summarize(values, **asked, verify=others)
    if agree is not None:
        results["confidences"] = rankings({"agreement": values} | ({} if own is None else {"own": own}), unit)
    if groups is not None:
        results[f"by_{group_by}"] = by_group(groups.of(values), results)
    if seconds_per_document is not None:
        results["minutes_saved_per_100_documents"] = minutes_saved(results, seconds_per_document)
    facts = facts_of(given[0].files, [*given[0].notes, *given[-1].notes, *notes])
    facts = replace(facts, title=f"Thresholds for {facts.title}")
    made = {"facts": facts, "signature": results["signature"], "results": results, "values": values}
    return ThresholdResult(**made, has_budgets=bool(budgets))


def _check(seconds_per_document: float | None, unit: str) -> None:
    if seconds_per_document is not None:
        check_weight("seconds_per_document", seconds_per_document)
        if unit != "document":
            raise ValueError('seconds_per_document must come with documents as units; unit="document"')


def _kept(rows: Any) -> Any:
    """Rows that can be read more than once."""
    return [*rows] if isinstance(rows, Iterator) else rows


@dataclass
class _Given:
    """References and predictions, with those of another system; and how they are read and judged."""

    references: Any
    predictions: Any
    agree: Any
    reading: Reading
    contents: Mapping[str, bytes]
    options: JsonObject
    how: JsonObject

    def __post_init__(self) -> None:
        self.files = self._files(self.predictions, self.reading)
        self.notes: list[str] = []

    def _files(self, predictions: Any, reading: Reading) -> Files:
        return Files(self.references, predictions, reading, contents=self.contents)

    def values(self, groups: _Groups | None = None, *, own: bool = False) -> Values:
        """The judged values of the predictions; `own`: with their own confidences, although another system is given."""
        files = self._files(self.predictions, self.reading) if own else self.files
        input_kind, pairs = peek_input_kind(files)
        settings = settings_for(families_for(kieval.NAME, input_kind), self.options, self.reading)[kieval.NAME]
        if groups is not None:
            pairs = groups.noted(pairs)
        others = self._others() if self.agree is not None and not own else None
        values = collect(*unzip(pairs), settings, agree=others, config=self.reading, **self.how)
        self.notes += files.notes()
        return values

    def _others(self) -> Iterator[Row]:
        """The predictions of the other system, which may have more documents if rows have ids."""
        reading = replace(self.reading, extra="drop") if "id" in self.files.joined_by else self.reading
        with _named("agree"):
            for pair in self._files(self.agree, reading):
                yield pair.prediction._replace(id=pair.id)


class _Groups:
    """Notes the group of each document while documents are read."""

    def __init__(self, name: str) -> None:
        self._column = Column(name)
        self._documents: defaultdict[str, list[int]] = defaultdict(list)

    def noted(self, pairs: Iterable[Pair]) -> Iterator[Pair]:
        """Pass the pairs on."""
        for number, pair in enumerate(pairs):
            with errors_of_document(number, pair.places):
                self._documents[self._column.value_of(*pair)].append(number)
            yield pair

    def of(self, values: Values) -> dict[str, Values]:
        """The values of each group."""
        self._column.check()
        return {name: values.of_documents(numbers) for name, numbers in sorted(self._documents.items())}


@contextmanager
def _named(argument: str) -> Iterator[None]:
    """Inside this block, errors name the argument, unless they name a document."""
    try:
        yield
    except DocumentError:
        raise
    except ValueError as error:
        raise ValueError(f"{argument}: {error}") from None


def _identity(given: Any) -> object:
    """What tells a file, or rows, from others."""
    return os.path.realpath(given) if isinstance(given, str | os.PathLike) else id(given)
