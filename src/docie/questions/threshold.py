"""Above which confidence may values skip review?"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from docie.confidence import Values, collect
from docie.confidence.calibrated import BINS
from docie.confidence.review import BUDGETS
from docie.confidence.summary import summarize
from docie.confidence.values import Collector
from docie.core.errors import DocumentError, warn
from docie.core.notes import noted
from docie.core.phrases import counted
from docie.core.values.plain import JsonObject
from docie.inputs.config import Config, reading_of
from docie.inputs.files import Files, contents_of
from docie.inputs.kinds import peek_input_kind
from docie.inputs.row import unzip
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

    def sections(self, *, brief: bool = False) -> Iterator[Section]:
        """The thresholds in sentences, with a table by type; a page has tables, and a slider through all thresholds."""
        said: list[Part] = [*map(Text, thresholds.sentences(self.results, self.values))]
        if brief:
            said += [thresholds.budgets(self.results)] * self.has_budgets
            said += [thresholds.in_short(rows, self.values) for rows in [self.results.get("per_entity")] if rows]
            yield Section([*said, Text(tables.facts(self.results, joined_by=self.facts.joined_by), HINT)])
            return
        from docie.show.page.score.thresholds import slider

        shares = [*thresholds.headlines(self.results, self.values)]
        yield Section([Headlines(shares), *said[len(shares) :], *notes_of(self.notes)], "Overview", "overview")
        moved = (
            "A value with a confidence below the threshold is reviewed. Move the threshold to see what skips review, "
            "what review costs, and what it catches. Values without a confidence always skip review."
        )
        parts: list[Part] = [Text(moved, HINT), slider(self.values, self._first)]
        yield Section(parts, "Review by confidence", "automation")
        yield Section([*thresholds.tables(self.results, self.values)], "Thresholds", "thresholds")

    def tables(self) -> Iterator[Rows]:
        """The thresholds, what review catches, the calibration and the entity types, as a page has them."""
        return map(rows_of, thresholds.tables(self.results, self.values))

    @property
    def _first(self) -> float | None:
        """The first threshold that there is, at which the slider begins."""
        found = (self.results[key]["threshold"] for _, key, _ in thresholds.CHOSEN)
        return next((threshold for threshold in found if threshold is not None), None)

    def page(self) -> Page:
        """The report: what skips review at the thresholds, a slider through all thresholds, curves, and tables."""
        return super().page()._replace(lead=self.facts.lead(counted(self.values.documents, "document")))


def threshold(
    *,
    references: Any,
    predictions: Any,
    by_field: bool = False,
    cluster: str | None = None,
    precision: float = 0.99,
    risk: float = 0.01,
    verify: tuple[Any, Any] | None = None,
    budgets: Sequence[float] | None = None,
    bins: int = BINS,
    config: Config = None,
    workers: int = 1,
    progress: bool = False,
    **options: Any,
) -> ThresholdResult:
    """Choose a confidence threshold for review, as `docie threshold` does: values at or above it skip review.

    Args:
        references, predictions (path, sequence or frame): files, folders, patterns or URLs, as the command line takes
            them, or rows. Rows are read as those of files: a key `id` on both sides joins them.
        by_field (bool): add a threshold for each entity type.
        cluster (str): a column of the rows' `meta`, such as "vendor", whose documents are alike: they count as one.
        precision (float): the share of values that skip review that must be correct, on these documents.
        risk (float): the share of a document's values that may be incorrect and skip review, on average on new
            documents.
        verify (pair): references and predictions of other documents, on which both thresholds are verified.
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
    asked["budgets"] = budgets or BUDGETS
    summarize(Collector().values(), **asked)  # wrong options, before files are read
    reading, how = reading_of(config), {"clusters": cluster, "workers": workers, "progress": progress}
    contents = contents_of(references, predictions, *(verify or ()))
    files = Files(references, predictions, reading, contents=contents)
    other = None if verify is None else Files(*verify, reading, contents=contents)
    with noted() as notes:
        values = _collected(files, options, how)
        others = None if other is None else _verifying(other, options, how)
        if {*map(_identity, (references, predictions))} & {*map(_identity, verify or ())}:
            warn("verify names what the thresholds were chosen on; only other documents verify them")
    if not len(values):  # a note may say why
        raise ValueError("; ".join(["no prediction has a value", *notes]))
    results = summarize(values, **asked, verify=others)
    facts = facts_of(files, [*files.notes(), *(other.notes() if other else ()), *notes])
    facts = replace(facts, title=f"Thresholds for {facts.title}")
    made = {"facts": facts, "signature": results["signature"], "results": results, "values": values}
    return ThresholdResult(**made, has_budgets=bool(budgets))


def _collected(files: Files, options: JsonObject, how: JsonObject) -> Values:
    """The judged values of the predictions."""
    input_kind, pairs = peek_input_kind(files)
    settings = settings_for(families_for(kieval.NAME, input_kind), options, files.reading)[kieval.NAME]
    return collect(*unzip(pairs), settings, config=files.reading, **how)


def _verifying(files: Files, options: JsonObject, how: JsonObject) -> Values:
    """The values of other documents; errors about them say so."""
    try:
        return _collected(files, options, how)
    except DocumentError:
        raise
    except ValueError as error:
        raise ValueError(f"verify: {error}") from None


def _identity(given: Any) -> object:
    """What tells a file, or rows, from others."""
    return os.path.realpath(given) if isinstance(given, str | os.PathLike) else id(given)
