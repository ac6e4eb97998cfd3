"""How good are the predictions?"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from docie import corpus
from docie.comparison.metrics_agree import correlations
from docie.core.errors import warn
from docie.core.family import Family, get
from docie.core.notes import noted
from docie.core.rules.weights import check_weight
from docie.core.scores import Headline, rounded, score_of
from docie.core.settings import check_whole
from docie.core.values.plain import JsonObject
from docie.corpus.evaluation import ResultOptions
from docie.corpus.files import Counted, count_files
from docie.corpus.guard import check_seconds
from docie.corpus.partial import Partial
from docie.corpus.workers import Engine
from docie.diagnosis.unstable import Stability
from docie.inputs.answer_rows import Issue, kept_issues
from docie.inputs.config import Config
from docie.inputs.files import Files, contents_of
from docie.inputs.kinds import INPUT_KINDS, peek_input_kind
from docie.inputs.label_corrections import with_corrections
from docie.inputs.reading import Reading
from docie.metrics import kieval
from docie.protocols import Protocol
from docie.questions.asking import advice, by_protocol, facts_of, families_for, settings_for
from docie.questions.label_effect import Before, Scores, effect_lines
from docie.show import several_runs, tables
from docie.show.result import Page, Result, Rows
from docie.show.section import Section, Table, Text

if TYPE_CHECKING:
    from pathlib import Path

    from docie.corpus.silver.powered import Powered
    from docie.questions.silver import Silver
    from docie.show.page.score.collection import Collection as Shown

LEVEL = 0.95
"""The level of intervals of a report and with a silver reading, if none is asked for."""
Coefficients = Mapping[str, Mapping[str, Mapping[str, float | None]]]


@dataclass(frozen=True, kw_only=True)
class ScoreResult(Result):
    """The scores of predictions.

    Attributes:
        results: from each family to its results, those of `docie.corpus.evaluate`.
        partials: the counts of each document by each of several metrics, whose agreement is shown; None for one.
        said: what each family says first, in the numbers of the documents.
        protocol: the protocol by which they were made, whose quoted score is said before all others; None for none.
        all_scores: whether all scores are printed, instead of these.
        by_field: whether tables by field were asked for.
        shown: the documents that a report shows; None for none.
        images: the folder of the images of their pages; None for none.
        confidence_level: of the intervals; None for none.
        corrected: the number of labels that were corrected.
        before: from each family to its scores without label corrections; None if there were none.
        issues: what was repaired or dropped in answers of models and services; none unless it was asked for.
        silver: from each family to its prediction-powered headline; None without a silver reading.
        runs: what several runs say, by family; empty for one answer a document.
    """

    results: Mapping[str, JsonObject]
    partials: Mapping[str, Partial] | None = field(default=None, repr=False)
    said: Mapping[str, Sequence[Headline]] = field(repr=False)
    protocol: Protocol | None = None
    all_scores: bool = False
    by_field: bool = False
    shown: Shown | None = field(default=None, repr=False)
    images: Path | None = None
    confidence_level: float | None = None
    corrected: int = 0
    before: Scores | None = None
    issues: Sequence[Issue] = field(default=(), repr=False)
    silver: Mapping[str, Powered] | None = None
    runs: Mapping[str, JsonObject] = field(default_factory=dict)

    def __getitem__(self, score: str) -> float:
        """A score, of the one metric that has it.

        >>> import docie
        >>> rows = [{"total": "12.00"}]
        >>> docie.score(references=rows, predictions=rows)["entity_f1"]
        1.0
        """
        found = [figures[score] for figures in self.results.values() if score in figures]
        if len(found) != 1:
            raise ValueError(f"{score}: expected one metric that has it with these options, got {len(found)}")
        value: float = found[0]
        return value

    @property
    def agreement(self) -> Coefficients | None:
        """How far the metrics agree on documents; None for a single metric, and if no documents were kept."""
        if self.partials is None or any(partial.documents is None for partial in self.partials.values()):
            return None
        return correlations(map(get, self.partials), self.partials)

    def to_dict(self) -> JsonObject:
        """From each family to its results, and `before_corrections`, `issues`, `silver` and `runs` if there are any."""
        found: JsonObject = {**self._figures}
        if self.protocol is not None:
            found["protocol"] = self.protocol.quoted_of(self.results[self.protocol.metric])
        if self.before is not None:
            found["before_corrections"] = self.before
        if self.issues:
            found["issues"] = [issue._asdict() for issue in self.issues]
        if self.silver is not None:
            found["silver"] = {name: each._asdict() for name, each in self.silver.items()}
        if self.runs:
            found["runs"] = self.runs
        return found

    @property
    def _figures(self) -> dict[str, JsonObject]:
        """The results of each family that were asked for."""
        left_out = () if self.by_field else tables.BREAKDOWN
        return {
            name: {key: value for key, value in figures.items() if key not in left_out}
            for name, figures in self.results.items()
        }

    @property
    def _quoted(self) -> str:
        """The quoted score of the protocol; empty without one."""
        return "" if self.protocol is None else self.protocol.said({"": self.results[self.protocol.metric]})

    def sections(self, *, brief: bool = False) -> Iterator[Section]:
        """The scores, and how far the metrics agree; on a page what to fix first, fields and documents."""
        if not brief and self.shown is not None:
            yield from self.page().sections
            return
        if self.protocol is not None:
            yield Section([Text(self._quoted)], "protocol")
        if self.before is not None:
            yield Section([*map(Text, effect_lines(self.before, self.results, self.corrected))], "label corrections")
        if self.silver is not None:
            from docie.questions.silver import section

            yield section(self.silver)
        if not self.all_scores:
            yield from tables.brief_sections(self._figures, self.said, joined_by=self.facts.joined_by)
            yield from self._runs(brief=brief)
            return
        yield from tables.sections(self._figures, joined_by=self.facts.joined_by)
        yield from self._runs(brief=brief)
        if (agreement := self.agreement) is not None:
            yield Section([_table_of(name, agreement[name]) for name in ("pearson", "spearman")], "agreement")

    def _runs(self, *, brief: bool) -> Iterator[Section]:
        """What several runs of each family's scores say."""
        for name, runs in self.runs.items():
            said = [each.score for each in self.said[name]]
            found = several_runs.section(runs, self.results[name], said, brief=brief)
            yield found if len(self.runs) == 1 else found._replace(title=f"{found.title}: {name}")

    def tables(self) -> Iterator[Rows]:
        """All scores, and tables by field."""
        yield from super().tables() if self.all_scores else replace(self, all_scores=True).tables()

    def page(self) -> Page:
        """The report; without documents, if none were asked for."""
        if self.shown is None:
            return super().page()
        from docie.show.page.score.corpus_page import corpus_page

        more: JsonObject = {"confidence_level": self.confidence_level, "images": self.images}
        if self.before is not None:
            more["corrected"] = [*effect_lines(self.before, self.results, self.corrected)]
        more["others"] = [*self._runs(brief=False)]
        page = corpus_page(self.results, self.shown, self.facts, said=self.said, **more)
        return page if self.protocol is None else page._replace(lead=f"{self._quoted}. {page.lead}")


def score(
    *,
    references: Any,
    predictions: Any,
    metric: str | Sequence[str] | None = None,
    protocol: str | None = None,
    config: Config = None,
    corrections: Any = None,
    silver: Any = None,
    run: str | None = None,
    by_field: bool = False,
    all_scores: bool = False,
    group_by: str | None = None,
    cluster: str | None = None,
    seconds_per_correction: float | None = None,
    confidence_level: float | None = None,
    interval: str = "t",
    bootstrap_samples: int = 1000,
    seed: int = 0,
    scores: Collection[str] = (),
    documents: int | None = None,
    images: str | Path | None = None,
    issues: bool = False,
    workers: int | str | Engine = 1,
    max_seconds: float | None = None,
    progress: bool = False,
    **options: Any,
) -> ScoreResult:
    """Score predictions against references, as `docie score` does.

    Args:
        references, predictions (path, sequence or frame): files, folders, patterns or URLs, as the command line takes
            them, or rows. Rows are read as those of files: a key `id` on both sides joins them.
        metric (str or list of str): a family, several, or "all" that read the input; None to choose by the input.
        protocol (str): a published score by its name, one of `docie.protocols.names()`: sets the metric, its options
            and how rows are read. Options that contradict it are refused.
        config (path or dict): how rows are read: a `docie.toml`, or its keys, as in `docie.corpus.evaluate`.
        corrections (path or list of dict): references that people found wrong: a row for each value, which is corrected
            while it is read (docs/labels.md).
        silver (path, sequence or frame): what another system has read in all documents of the predictions, of which
            few have references: adds the prediction-powered score, with intervals at 0.95 unless `confidence_level`
            says otherwise (docs/few-labels.md). All rows need ids. Without a report, and clusters.
        run (str): predictions have several answers for each document: the key of a row that names the run which gave
            it, or "order" for answers of one id in the order of their runs. Documents count once, with the mean of
            their answers (docs/runs.md).
        by_field (bool): add scores by entity type and group type.
        all_scores (bool): print all scores, instead of those that the metric says first. JSON always has all.
        group_by (str): a column of the rows' `meta`, such as "vendor": add scores by its values.
        cluster (str): a column whose documents are alike: they count as one in intervals.
        seconds_per_correction (float): the time that a correction takes: add minutes per 100 documents.
        confidence_level (float): add intervals at this level, such as 0.95.
        interval, bootstrap_samples, seed: how intervals are made, as in `docie.corpus.evaluate`.
        scores (list of str): scores that the metrics must have: known before any document is counted.
        documents (int): the number of documents that a report shows, those with the most corrections; None if none
            will be written. For a report, KIEval is among the metrics, and intervals are those at 0.95 unless
            `confidence_level` says otherwise.
        images (path): the folder of the images of pages that `meta.image` of rows names, for the report.
        issues (bool): keep what was repaired or dropped in answers of models and services, as JSON has it.
        workers (int, str or Engine): the number of processes; "dask", or the address of a Dask scheduler; or an engine.
        max_seconds (float): stop at a document that takes longer.
        progress (bool): show a progress bar on stderr, if that is a terminal.
        **options: the options of the families: `normalize`, `match`, `schema`, `weights`, `matching` and so on.

    Returns:
        ScoreResult: printed, what the command prints; `docie.write` puts it into any form.

    Raises:
        ValueError: for what cannot be read or scored, and for an option's wrong value.

    >>> references = [{"id": "r-1", "total": "12.00"}, {"id": "r-2", "total": "7.50"}]
    >>> predictions = [{"id": "r-2", "total": "7.50"}, {"id": "r-1", "total": "13.00"}]
    >>> result = score(references=references, predictions=predictions)
    >>> result["entity_f1"], result["documents"], result.facts.joined_by
    (0.5, 2, 'id')
    """
    _check(seconds_per_correction, max_seconds, documents)
    named, metric, options, reading = by_protocol(protocol, metric, options, config)
    if documents is not None:
        metric, confidence_level = _for_report(metric, confidence_level)
    if silver is not None:
        confidence_level = LEVEL if confidence_level is None else confidence_level
        reading.with_run(run).check_one_run("silver")
        _check_silver({"a report": documents is not None, "clusters": cluster is not None, interval: interval != "t"})
    asked = ResultOptions(by_field, confidence_level, interval, bootstrap_samples, seed)
    asked.check()
    reading, folder = with_corrections(reading.with_run(run), corrections), _folder(images)
    options |= {} if seconds_per_correction is None else {"costs": seconds_per_correction}
    none: dict[Issue, None] = {}
    with noted() as notes, kept_issues() if issues else nullcontext(none) as kept, _engine(workers) as engine:
        files, read = Files(references, predictions, reading), None
        if silver is not None:
            files, read = _with_silver(references, predictions, silver, reading)
        input_kind, pairs = peek_input_kind(files)
        if documents is not None:
            _check_report(files, input_kind)
        with advice(metric, input_kind):
            families = families_for(metric, input_kind)
            for name in scores:
                _check_score(name, families)
            settings = settings_for(families, options, reading, named)
            shown = _shown(settings, documents)
            before, corrected = None, 0 if reading.corrections is None else reading.corrections.changes
            if corrected:
                before = Before(families, settings)
                pairs = before.watched(pairs)
            if read is not None:
                pairs = read.watched(pairs)
            stability = dict[str, Stability]()
            if reading.has_runs:
                stability = {name: Stability(family, settings[name]) for name, family in families.items()}
                for each in stability.values():
                    pairs = each.watched(pairs)
            agrees = _is_all(metric)
            found = count_files(
                files,
                pairs if shown is None else shown.watch(pairs),
                settings,
                counting=None if shown is None else {kieval.NAME: shown.counting},
                workers=engine,
                group_by=group_by,
                clusters=cluster,
                max_seconds=max_seconds,
                progress=progress,
                keep=asked.keep or ("documents" if agrees else None),
            )
            for note in found.notes:
                warn(note)
            results = _results(families, found, asked, group_by, with_tables=shown is not None)
            powered = None
            if read is not None and confidence_level is not None:
                how = {"workers": engine, "max_seconds": max_seconds, "progress": progress}
                powered = read.powered(files.extra, settings, found, results, confidence_level, **how)
    if seconds_per_correction is not None:
        _add_minutes(results, group_by)
    return ScoreResult(
        protocol=named,
        facts=facts_of(files, notes, joined_by=found.joined_by),
        signature="\n".join(each["signature"] for each in results.values()),
        results=results,
        partials=found.partials if agrees and len(families) > 1 else None,
        said={
            name: [*family.headlines(found.partials[name].counts, results[name])] for name, family in families.items()
        },
        by_field=by_field,
        all_scores=all_scores,
        shown=shown,
        images=folder,
        confidence_level=confidence_level,
        corrected=corrected,
        before=None if before is None else before.scores,
        issues=[*kept],
        silver=powered,
        runs=_runs(families, found.partials, stability),
    )


def _runs(
    families: Mapping[str, Family], partials: Mapping[str, Partial], stability: Mapping[str, Stability]
) -> dict[str, JsonObject]:
    """What several runs say, by family; nothing for one answer a document."""
    if not stability:
        return {}
    from docie.corpus.runs.spread import record_of  # scipy comes with it

    counted = {name: runs for name, partial in partials.items() if (runs := partial.runs) is not None}
    return {name: record_of(families[name], runs) | stability[name].record() for name, runs in counted.items()}


def _check(seconds_per_correction: float | None, max_seconds: float | None, documents: int | None) -> None:
    if seconds_per_correction is not None:
        check_weight("seconds_per_correction", seconds_per_correction)
    check_seconds("max_seconds", max_seconds)
    if documents is not None:
        check_whole("documents", documents, 0)


def _for_report(
    metric: str | Sequence[str] | None, confidence_level: float | None
) -> tuple[str | Sequence[str] | None, float]:
    """The metrics and the level of a report, from those that are asked for.

    >>> _for_report(["hed"], None), _for_report(None, 0.9)
    ((['hed', 'kieval'], 0.95), (None, 0.9))
    """
    named = [metric] if isinstance(metric, str) else [*(metric or ())]
    if named and not {kieval.NAME, "all"} & {*named}:
        metric = [*named, kieval.NAME]
    return metric, LEVEL if confidence_level is None else confidence_level


def _check_silver(others: Mapping[str, bool]) -> None:
    for name, is_asked in others.items():
        if is_asked:
            raise ValueError(f"silver: it does not go with {name}, which has the plain score only")


def _with_silver(references: Any, predictions: Any, silver: Any, reading: Reading) -> tuple[Files, Silver]:
    """The files, in which predictions may have no reference, and the silver reading."""
    from docie.questions.silver import Silver  # scipy comes with it

    references = [*references] if isinstance(references, Iterator) else references
    contents = contents_of(references, references, predictions, silver)
    files = Files(references, predictions, reading, contents=contents, keeps_extra=True)
    return files, Silver(references, silver, reading, contents)


def _check_report(files: Files, input_kind: str) -> None:
    if files.is_partitioned:
        raise ValueError("a report needs two files: it shows the documents that it reads")
    if input_kind != "document":
        raise ValueError(f"a report shows documents, but these are {INPUT_KINDS[input_kind]}")


def _check_score(name: str, families: Mapping[str, Family]) -> None:
    """Raise ValueError if none of the families has this score."""
    if not any(each.names(name) for family in families.values() for each in family.SCORES):
        score_of(next(iter(families.values())), name)


def _is_all(metric: str | Sequence[str] | None) -> bool:
    return metric == "all" or (not isinstance(metric, str) and "all" in (metric or ()))


def _folder(images: str | Path | None) -> Path | None:
    if images is None:
        return None
    from docie.show.page.images import image_folder

    return image_folder(images)


def _shown(settings: Mapping[str, Any], documents: int | None) -> Shown | None:
    if documents is None:
        return None
    from docie.show.page.score.collection import Collection

    return Collection(settings[kieval.NAME], documents=documents)


@contextmanager
def _engine(workers: int | str | Engine) -> Iterator[int | Engine]:
    """Inside this block, documents may be counted by what this gives.

    Raises:
        ValueError: for a cluster that cannot be reached, and for a text that is neither a number nor an address.
    """
    if isinstance(workers, str) and (workers == "dask" or ":" in workers):
        with corpus.dask_workers(None if workers == "dask" else workers) as cluster:
            yield cluster
    elif isinstance(workers, str) and not re.fullmatch("-?[0-9]{1,9}", workers):
        raise ValueError(f"workers must be a whole number, dask or the address of a scheduler, got {workers!r}")
    else:
        yield int(workers) if isinstance(workers, str) else workers


def _results(
    families: Mapping[str, Family],
    counted: Counted,
    asked: ResultOptions,
    group_by: str | None,
    *,
    with_tables: bool,
) -> dict[str, JsonObject]:
    """The results of the families. With a report, those of KIEval have its tables."""
    found = {}
    for name, family in families.items():
        breakdown = asked.breakdown or (with_tables and name == kieval.NAME)
        found[name] = corpus.results(counted.partials[name], **asked._replace(breakdown=breakdown)._asdict())
        if breakdown and not any(isinstance(found[name][key], dict) for key in found[name] if key != f"by_{group_by}"):
            warn(f"{family.NAME} has no scores by field here")
    return found


def _add_minutes(results: Mapping[str, JsonObject], group_by: str | None) -> None:
    """Seconds per document as minutes per 100 documents."""
    for of_family in results.values():
        for figures in (of_family, *of_family.get(f"by_{group_by}", {}).values()):
            for end in ("", "_interval"):
                if f"correction_cost_per_document{end}" in figures:
                    seconds = figures[f"correction_cost_per_document{end}"]
                    minutes = [100 * each / 60 for each in seconds or ()] or None if end else 100 * seconds / 60
                    figures[f"minutes_per_100_documents{end}"] = minutes


def _table_of(name: str, rows: Mapping[str, Mapping[str, float | None]]) -> Table:
    """The coefficients of one kind; a dash for a score that is the same in all documents."""
    cells = [
        [figure, *("–" if value is None else rounded(value, 3) for value in row.values())]
        for figure, row in rows.items()
    ]
    title = "agreement of the metrics: " + ("Pearson" if name == "pearson" else "Spearman, how they order documents")
    return Table(title, ["figure", *(figure.rpartition(".")[2] for figure in rows)], cells)
