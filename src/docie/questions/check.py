"""Were references and predictions written alike?"""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import chain, count
from typing import Any

from docie.core.errors import InputError
from docie.core.notes import noted
from docie.core.phrases import counted
from docie.core.scores import rounded
from docie.core.values.plain import JsonObject
from docie.corpus.method import Method
from docie.corpus.progress import with_progress_bar
from docie.diagnosis.check import Finding, Findings, ReadSide, TypeOfValues, findings_of, side_rows
from docie.diagnosis.config_file import score_text, undecided
from docie.inputs.config import Config, config_of, entries_of, options_of_config, reading_of
from docie.inputs.files import Files, contents_of, name_of
from docie.inputs.fit.change import arguments_of
from docie.inputs.fit.rows import SideRows
from docie.inputs.openers import CONTENT_KEYS, plain_row
from docie.inputs.reading import Reading, Side
from docie.inputs.row import Pair
from docie.inputs.sources.paths import sources_of
from docie.inputs.sources.python import Listed, is_frame, sequence_of
from docie.inputs.sources.source import Source
from docie.metrics import kieval
from docie.questions.asking import facts_named, settings_for
from docie.show.result import Result, Rows, notes_of
from docie.show.section import HINT, Part, Section, Table, Text, cut
from docie.show.writers import json_text

MOST_TYPES = 20
"""The number of entity types that are shown where nothing explains a score."""
MOST_CHARACTERS = 16
"""Of each value that is shown there."""


@dataclass(frozen=True, kw_only=True)
class CheckResult(Findings, Result):
    """What differs in how references and predictions were written: the findings, and how they were made.

    Attributes:
        given: what was asked for before, with the keys of `docie.toml`.
        paths: the references and the predictions as they were given; empty for rows in Python.
        arguments: of the command line, what was asked for that a `docie.toml` does not have.
        formats: the normalizers and match rules that were asked for, by the names that `docie.toml` has for them.
        config_file: the `docie.toml` that is written from it; None for none.
    """

    given: JsonObject
    paths: Sequence[str] = ()
    arguments: Sequence[str] = ()
    formats: JsonObject = field(default_factory=dict)
    config_file: str | None = None

    def sections(self, *, brief: bool = False) -> Iterator[Section]:
        """How both sides were read, the findings with their gains, and the command that makes their changes."""
        parts: list[Part] = [] if brief else notes_of(self.notes)
        parts.append(Text(_how_read(self.references, self.predictions)))
        applied, left, told = self._by_use()
        if applied:
            before, after = map(score_text, (self.score, applied[-1].after))
            parts.append(Text(f"entity_f1 {before} as written, {after} with these changes:"))
        elif self.findings:
            parts.append(Text(f"entity_f1 {score_text(self.score)}"))
        parts += _listed(applied, 1)
        if left:
            parts += [Text("Left to you, as an option changes what is scored:"), *_listed(left, 1 + len(applied))]
        if told:
            parts.append(Text("No option is proposed for these, the data or the model has to change:"))
            parts += _listed(told, 1 + len(applied) + len(left))
            if self.sampled < min(self.references.documents, self.predictions.documents):
                sample = counted(self.sampled, "document")
                parts.append(Text(f"Numbers of values are those of a sample of {sample}; scores are of all.", HINT))
        if self.unexplained:
            last = self.findings[-1].after if self.findings else self.score
            parts += _unexplained(last, self.unexplained)
        elif not self.findings:
            parts.append(Text(f"No differences found. Entity F1 is {score_text(self.score)}."))
        if self.options:
            parts.append(Text(self._all_of_it(), "code"))
        yield Section(parts) if brief else Section(parts, "Findings", "findings")

    def _by_use(self) -> tuple[list[Finding], list[Finding], list[Finding]]:
        """The findings whose changes are made together, those that are left to a person, and what is only told."""
        applied = [each for each in self if each.options and each.is_applied]
        left = [each for each in self if each.options and not each.is_applied]
        return applied, left, [each for each in self if not each.options]

    def tables(self) -> Iterator[Rows]:
        """The findings and, where they do not explain a low score, the entity types."""
        names = ("kind", "options", "values", "before", "after", "text")
        yield Rows("findings", names, ([getattr(each, name) for name in names] for each in self))
        if self.unexplained:
            yield Rows("unexplained", TypeOfValues._fields, self.unexplained)

    def _all_of_it(self) -> str:
        """What makes all of the changes: a file is written, and the documents are scored with it and its comments."""
        if not self.paths:
            return f"config={entries_of(options_of_config(self.config))!r}"
        path = self.config_file or _free_path()
        decided = arguments_of(undecided(self, self.given))
        score = shlex.join(["docie", "score", *self.paths, *self.arguments, "--config", path, *decided])
        if self.config_file is not None:
            return score
        asked = arguments_of(options_of_config(self.given) | self.formats)
        check = shlex.join(["docie", "check", *self.paths, *self.arguments, *asked, "--write", path])
        return f"{check}; {score}"  # the exit code of the first tells of findings


def check(
    *, references: Any, predictions: Any, config: Config = None, progress: bool = False, **options: Any
) -> CheckResult:
    """Check whether references and predictions were written alike, before a score is believed, as `docie check` does.

    Differences in ids, names, structure and formats lower a score although the values are correct. A difference is
    found by its effect: at least three values, and at least half of those that it concerns, find an equal counterpart
    that they did not have. Of formats, only pairs that are certainly the same value count. Nothing is changed;
    `config` of the result requests the changes.

    Args:
        references, predictions (path, sequence or frame): files, folders, patterns or URLs, as the command line takes
            them, or rows. Rows are read as those of files: a key `id` on both sides joins them.
        config (path or dict): how they are read already: a `docie.toml`, or its keys; None for as they are.
        progress (bool): show progress bars on stderr, if that is a terminal.
        **options: the options of KIEval by which they are scored already: `normalize`, `match`, `schema` and so on.

    Returns:
        CheckResult: the differences, in the order in which their changes are made; printed, what the command prints.

    Raises:
        ValueError: for what cannot be read, if there are no documents, for references that are no documents, and for
            what can neither be scored nor explained.

    >>> references = [{"total": "9.00", "items": [{"name": name}]} for name in ("Latte", "Mocha", "Bagel")]
    >>> predictions = [{"total": "9.00", "lines": [{"name": name}]} for name in ("Latte", "Mocha", "Bagel")]
    >>> found = check(references=references, predictions=predictions)
    >>> for finding in found:
    ...     print(finding.text, finding.before, finding.after)
    the predictions have other names than the references: 'lines' for 'items' 0.5 1.0
    >>> found.config
    {'predictions': {'rename': {'lines': 'items'}}}
    """
    reading = reading_of(config)
    reading.check_one_run("docie check")
    method = Method(kieval, settings_for({kieval.NAME: kieval}, options, reading)[kieval.NAME], reading)
    references, predictions = _repeatable("references", references), _repeatable("predictions", predictions)
    contents = contents_of(*[references, predictions] * 2)  # both are read again for each finding

    def pairs(asked: Reading) -> Iterator[Pair]:
        read = iter(Files(references, predictions, asked, contents=contents))
        return with_progress_bar(read, expected.size) if progress else read

    with noted() as notes:
        predicted = _rows(predictions, "prediction", reading.predictions, contents, progress)
        expected = _rows(references, "reference", reading.references, contents, progress)
        found = findings_of(predicted, expected, pairs, method)
    are_paths = isinstance(references, str) and isinstance(predictions, str)
    if are_paths and references == predictions:
        _check_sides(references, predicted, expected, reading)
    if found.problem and not found.findings:
        raise found.problem
    return CheckResult(
        **vars(found),
        facts=facts_named((name_of("references", references), name_of("predictions", predictions)), notes),
        signature=method.signature(),
        given=config_of(reading),
        paths=[references, predictions] if are_paths else [],
        arguments=[*_arguments(options)],
        formats={f"values.{name}": options[name] for name in ("normalize", "match") if options.get(name) is not None},
    )


def _repeatable(side: str, given: Any) -> Any:
    """A path as text; rows of which all can be read several times."""
    if isinstance(given, str | os.PathLike):
        return os.fspath(given)
    return given if is_frame(given) else [plain_row(row) for row in sequence_of(side, given)]


def _rows(given: Any, side: str, how: Side, contents: dict[str, bytes], progress: bool) -> SideRows:
    """All rows of a side, as they stand but for answers and pages.

    Raises:
        InputError: if there are none.
    """

    def sources() -> Iterator[Source]:
        if isinstance(given, str):
            yield from sources_of(given, side, how, contents=contents)
        else:
            yield Listed(f"{side}s", given, how, is_placed=True)

    rows = side_rows(
        sources, side, how, read=partial(with_progress_bar, label=f"reading {side}s") if progress else iter
    )
    if not rows.size:
        raise InputError(f"{given if isinstance(given, str) else f'{side}s'}: no documents")
    return rows


def _check_sides(path: str, predictions: SideRows, references: SideRows, reading: Reading) -> None:
    """Raise InputError for one path as both sides whose rows are the same on both, and no wrappers of two documents."""
    if reading.references.unwrap or reading.predictions.unwrap or predictions.first != references.first:
        return
    keys = [row.keys() & {*CONTENT_KEYS["reference"]} for row in references.first if isinstance(row, dict)]
    if all(len(each) < 2 for each in keys):
        hint = "if they have two, say where: --config references.unwrap=KEY --config predictions.unwrap=KEY"
        raise InputError(f"{path}: given as references and predictions, but each row has one document; {hint}")


def _arguments(options: JsonObject) -> Iterator[str]:
    """The arguments that ask for options which the configuration of a result does not have."""
    for name, value in options.items():
        if name == "schema" and isinstance(value, str | os.PathLike):
            yield from ("--schema", os.fspath(value))
        elif name not in ("normalize", "match"):
            yield from ("--option", f"{name}={value if isinstance(value, str) else json_text(value)}")


def _free_path() -> str:
    """A `docie.toml` of this folder that does not exist."""
    names = chain(["docie.toml"], (f"docie-{number}.toml" for number in count(2)))
    return next(name for name in names if not os.path.lexists(name))


def _how_read(references: ReadSide, predictions: ReadSide) -> str:
    """What was read of references and predictions, in a line."""
    nouns = ("document", "type", "value")
    expected, predicted = ((each.documents, each.types, each.values) for each in (references, predictions))
    return (
        f"references: {', '.join(map(counted, expected, nouns))}; "
        f"predictions: {', '.join(f'{number:,}' for number in predicted)}"
    )


def _listed(findings: Sequence[Finding], first: int) -> Iterator[Table]:
    """Findings in a line each, with what they bring, or how many values they concern."""
    rows = [[f"{number:>3}", _gain(each), _said(each)] for number, each in enumerate(findings, first)]
    if rows:
        yield Table("", ["number", "gain" if findings[0].options else "values", "finding"], rows, is_list=True)


def _gain(finding: Finding) -> str:
    """What a finding adds to the score, if it can; nothing can be scored without those that are needed."""
    if not finding.options:
        return counted(finding.values, "value")
    if finding.before is None or finding.after is None:
        return "needed"
    return rounded(finding.after - finding.before, flags="+")


def _said(finding: Finding) -> str:
    """What differs, with an example; with the options that no command makes use of."""
    example = f": {' for '.join(map(repr, finding.example))}" if finding.example and finding.is_certain else ""
    options = "" if finding.is_applied else f" ({shlex.join(finding.options)})"
    return f"{finding.text}{example}{options}"


def _unexplained(score: float | None, types: Sequence[TypeOfValues]) -> Iterator[Part]:
    """The entity types of references and predictions beside each other, where no difference explains a low score."""
    equal = sum(each.equal for each in types)
    expected, predicted = (sum(getattr(each, side) for each in types) for side in ("references", "predictions"))
    yield Text(
        f"Not explained: entity F1 is {score_text(score)}. {counted(expected - equal, 'value')} of {expected:,} in the "
        f"references and {predicted - equal:,} of {predicted:,} in the predictions equal none of their document."
    )
    rows = [[each.entity_type, _sides(each)] for each in types[:MOST_TYPES]]
    yield Table("values that have no equal", ["entity type", "values"], rows, texts=2, is_list=True)
    if len(types) > MOST_TYPES:
        yield Text(f"{counted(len(types) - MOST_TYPES, 'more entity type')}: --format json has all of them.", HINT)


def _sides(each: TypeOfValues) -> str:
    """The values of a type on both sides, with some that have no equal."""
    sides = (
        (each.references, "in the references", each.reference_values),
        (each.predictions, "in the predictions", each.prediction_values),
    )
    shown = [f"{number:,} {where}{_examples(values)}" for number, where, values in sides if number]
    return ", ".join([*shown, *([f"{each.equal:,} equal"] if each.equal else [])])


def _examples(values: Sequence[str]) -> str:
    return f" ({', '.join(repr(cut(value, MOST_CHARACTERS)) for value in values)})" if values else ""
