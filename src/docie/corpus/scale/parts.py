"""Parts of a corpus: what is known of each is plain JSON, and the parts together give every figure of the whole.

An engine needs no more: it counts each partition of its data wherever that lies, and brings the parts together.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from docie.core.counts import Counts
from docie.core.errors import shortened, warn
from docie.core.family import Family, checked_settings
from docie.core.settings import signature
from docie.corpus.bootstrap import Stack
from docie.corpus.counting import check_several, fold, survey_of
from docie.corpus.groups import Groups
from docie.corpus.guard import check_seconds
from docie.corpus.poisson.draws import draws_of
from docie.corpus.poisson.parts import merge_replicates
from docie.corpus.poisson.replicates import Replicates
from docie.corpus.results import Wanted, results_of
from docie.corpus.survey import Survey

Part = dict[str, Any]
"""The counts of some documents, and what was seen in them, as plain JSON values."""


def count_part(
    family: Family,
    predictions: Iterable[object],
    references: Iterable[object],
    settings: Any = None,
    *,
    per_document: bool = False,
    group_by: str | None = None,
    max_seconds: float | None = None,
    samples: int | None = None,
    seed: int = 0,
    first: int | str = 0,
) -> Part:
    """Count a part of a corpus, wherever it lies, for `evaluate_parts`.

    Args:
        family, predictions, references, settings: as in `evaluate`.
        per_document (bool): keep the counts of each document, which intervals and `per_document` need.
        group_by, max_seconds: as in `evaluate`.
        samples (int): resample the documents here, as `poisson_bootstrap` does, for `interval="poisson"`; None for no.
        seed (int): of these samples.
        first (int or str): for documents without an id: the number of the first one in the corpus, or a name that no
            other part has.

    Returns:
        dict: plain JSON values; `counts` among them are those that `merge` takes.

    Raises:
        DocumentError, ValueError: as in `evaluate`. The number in an error is that of the document in this part.

    >>> from docie import kieval
    >>> part = count_part(kieval, [{"total": "12.00"}, {}], [{"total": "12.00"}, {"total": "7.50"}])
    >>> part["counts"]["documents"], sorted(part)
    (2, ['counts', 'notes', 'survey'])
    """
    settings = checked_settings(family, settings)
    check_seconds("max_seconds", max_seconds)
    rows = Stack() if per_document else None
    groups = None if group_by is None else Groups(group_by, keeps_documents=per_document)
    draws = None if samples is None else draws_of(group_by, samples, seed, first)
    survey = survey_of(family, settings)
    notes: list[str] = []
    counts = fold(
        family,
        predictions,
        references,
        settings,
        survey=survey,
        rows=rows,
        groups=draws or groups,
        max_seconds=max_seconds,
        tell=notes.append,
    )
    counts.signature = signature(family.NAME, settings)
    return _part(counts, survey, notes, rows=rows, groups=groups, replicates=draws.replicates if draws else None)


def merge_parts(parts: Iterable[Part]) -> Part:
    """Add parts to one, which then stands for them: in the steps of a reduction, say.

    Args:
        parts (iterable): the results of `count_part` and `merge_parts`, all of the same settings.

    Returns:
        dict: their sum. Its counts do not depend on the order of the parts; the order of documents, where they were
        kept, does.

    Raises:
        ValueError: for what is no part, and for parts of different settings.

    >>> from docie import kieval
    >>> part = count_part(kieval, [{"total": "12.00"}], [{"total": "12.00"}])
    >>> merge_parts([part, merge_parts([part, part])])["counts"]["documents"]
    3
    """
    total = _Sum(Survey((), {}))
    for part in _checked(parts):
        total.add(part)
    return total.to_json()


def evaluate_parts(
    family: Family,
    parts: Iterable[Part],
    settings: Any = None,
    *,
    breakdown: bool = False,
    confidence_level: float | None = None,
    interval: str = "percentile",
    bootstrap_samples: int = 1000,
    seed: int = 0,
) -> dict[str, Any]:
    """Score a corpus of which each part was counted by itself.

    Args:
        family (module): the family that counted.
        parts (iterable): the results of `count_part`. Their order is that of `per_document`, and intervals depend on
            it; other figures do not.
        settings (Settings): the settings of the parts; None for the family's defaults.
        breakdown, confidence_level, interval, bootstrap_samples, seed: as in `evaluate`. Intervals need parts that
            were counted with `per_document`, or with `samples` for "poisson". The list `per_document` is there only
            with the former.

    Returns:
        dict: as `evaluate` returns it for the whole corpus, with `by_<column>` if the parts were counted with
        `group_by`.

    Raises:
        ValueError: for what is no part, for parts of other settings, and for intervals without documents.

    >>> from docie import kieval
    >>> parts = [count_part(kieval, [{"total": text}], [{"total": "12.00"}]) for text in ("12.00", "7.50")]
    >>> evaluate_parts(kieval, parts)["entity_f1"]
    0.5
    """
    total = PartsTotal(family, settings)
    for part in _checked(parts):
        total.add(part)
    return total.evaluate(
        breakdown=breakdown,
        confidence_level=confidence_level,
        interval=interval,
        bootstrap_samples=bootstrap_samples,
        seed=seed,
    )


class PartsTotal:
    """The sum of parts, which may be added as they come.

    Args:
        family (module): the family that counted.
        settings (Settings): the settings of the parts; None for the family's defaults.

    >>> from docie import kieval
    >>> total = PartsTotal(kieval)
    >>> total.add(count_part(kieval, [{"total": "12.00"}], [{"total": "12.00"}]))
    >>> total.evaluate()["documents"]
    1
    """

    def __init__(self, family: Family, settings: Any = None) -> None:
        self.family = family
        self.settings = checked_settings(family, settings)
        self._sum = _Sum(survey_of(family, self.settings), signature(family.NAME, self.settings))

    def add(self, part: Part) -> None:
        """Add a part.

        Raises:
            ValueError: for what is no part, and for one of other settings.
        """
        self._sum.add(part)

    def evaluate(
        self,
        *,
        breakdown: bool = False,
        confidence_level: float | None = None,
        interval: str = "percentile",
        bootstrap_samples: int = 1000,
        seed: int = 0,
    ) -> dict[str, Any]:
        """The results, as `evaluate_parts` returns them."""
        wanted = Wanted(breakdown, confidence_level, interval, bootstrap_samples, seed)
        wanted.check()
        total = self._sum
        total.check(wanted)
        for note in total.notes:
            warn(note)
        return results_of(
            self.family,
            self.settings,
            wanted,
            counts=total.counts,
            survey=total.survey,
            rows=total.rows,
            groups=total.groups,
            replicates=total.replicates if wanted.is_poisson else None,
        )


class _Sum:
    """The sum of parts: what `evaluate` knows of a corpus once it has read it.

    Args:
        survey: one that has not seen anything yet.
        expected: the signature of all parts; empty for that of the first.
    """

    def __init__(self, survey: Survey, expected: str = "") -> None:
        self.counts, self.survey, self.expected = Counts(), survey, expected
        self.rows: Stack | None = None
        self.groups: Groups | None = None
        self.replicates: Replicates | None = None
        self.notes: list[str] = []
        self._options: tuple[object, ...] | None = None  # per_document, group_by and samples of all parts

    def add(self, part: Part) -> None:
        try:
            counts = Counts.from_json(part["counts"])
            group_by = part["groups"]["name"] if "groups" in part else ""
            self._check(counts.signature, ("rows" in part, group_by, "replicates" in part))
            self.counts += counts
            self.counts.signature = counts.signature
            self.survey.add(part["survey"])
            self.notes += [note for note in part["notes"] if note not in self.notes]
            if "rows" in part:
                self.rows = self.rows or Stack()
                self.rows.add(Stack.from_json(part["rows"]))
            if "groups" in part:
                kept = part["groups"]["kept"] is not None
                self.groups = self.groups or Groups(part["groups"]["name"], keeps_documents=kept)
                self.groups.add(part["groups"])
            if "replicates" in part:
                self.replicates = merge_replicates([*filter(None, [self.replicates]), part["replicates"]])
        except (AttributeError, KeyError, TypeError):
            raise ValueError(f"expected a part, as count_part gives it, got {shortened(part)}") from None

    def _check(self, signature_of_part: str, options: tuple[object, ...]) -> None:
        self.expected = self.expected or signature_of_part
        if signature_of_part != self.expected:
            raise ValueError(f"expected a part made as {self.expected!r}, got one made as {signature_of_part!r}")
        self._options = self._options or options
        if options != self._options:
            raise ValueError("cannot add parts that were counted with another per_document, group_by or samples")

    def check(self, wanted: Wanted) -> None:
        """Raise ValueError for intervals that the parts do not have."""
        drawn = self.replicates
        if not wanted.is_poisson:
            if wanted.confidence_level is not None and self.rows is None:
                raise ValueError("intervals need the counts of each document: count the parts with per_document=True")
        elif drawn is None:
            raise ValueError("interval 'poisson' needs parts that were resampled: count them with samples=1000")
        elif (drawn.samples, drawn.seed) != (wanted.bootstrap_samples, wanted.seed):
            made = f"bootstrap_samples={drawn.samples}, seed={drawn.seed}"
            raise ValueError(f"the parts were resampled with {made}, and that is how they are to be evaluated")

    def to_json(self) -> Part:
        """The sum as a part."""
        return _part(
            self.counts, self.survey, self.notes, rows=self.rows, groups=self.groups, replicates=self.replicates
        )


def _checked(parts: Iterable[Part]) -> Iterator[Part]:
    """The parts, of which there must be one at least."""
    check_several("parts", parts)
    is_empty = True
    for part in parts:
        is_empty = False
        yield part
    if is_empty:
        raise ValueError("expected at least one part, got none")


def _part(counts: Counts, survey: Survey, notes: list[str], **kept: Stack | Groups | Replicates | None) -> Part:
    part = {"counts": counts.to_json(), "survey": survey.to_json(), "notes": notes}
    return part | {name: each.to_json() for name, each in kept.items() if each is not None}
