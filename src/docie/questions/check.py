"""Were references and predictions written alike?"""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

from docie.core.errors import InputError
from docie.core.notes import noted
from docie.core.phrases import counted, some_of
from docie.core.values.plain import JsonObject
from docie.corpus.method import Method
from docie.diagnosis.check import Finding, Findings, ReadSide, TypeOfValues, findings_of, side_rows
from docie.diagnosis.config_file import score_text, sentence, undecided
from docie.inputs.config import Config, config_of, entries_of, options_of_config, reading_of
from docie.inputs.files import Files, contents_of, name_of
from docie.inputs.fit.change import arguments_of
from docie.inputs.fit.rows import SideRows
from docie.inputs.openers import CONTENT_KEYS, plain_row
from docie.inputs.reading import ANY_KEY, SIDES, Reading, Side
from docie.inputs.row import Pair
from docie.inputs.sources.paths import sources_of
from docie.inputs.sources.python import Listed, is_frame, sequence_of
from docie.inputs.sources.source import Source
from docie.metrics import kieval
from docie.questions.asking import facts_named, settings_for
from docie.show.result import Result, Rows, notes_of
from docie.show.section import HINT, Part, Section, Table, Text, cut
from docie.show.writers import json_text

MOST_GROUPS = 8
"""The number of groups that the line about references or predictions lists."""
MOST_TYPES = 20
"""The number of entity types that are shown where nothing explains a score."""
MOST_CHARACTERS = 16
"""Of each value that is shown there."""


@dataclass(frozen=True, kw_only=True)
class CheckResult(Findings, Result):
    """What differs in how references and predictions were written: the findings, and how they were made.

    Attributes:
        given: what was asked for before, with the keys of `docie.toml`.
        command: the command that scores these documents, as arguments; empty for rows in Python.
        config_file: the `docie.toml` that is written from it; None for none.
    """

    given: JsonObject
    command: Sequence[str] = ()
    config_file: str | None = None

    def sections(self, *, brief: bool = False) -> Iterator[Section]:
        """How both sides were read, the findings, and what asks for their changes."""
        parts: list[Part] = [] if brief else notes_of(self.notes)
        for side, each in zip(SIDES, (self.references, self.predictions), strict=True):
            parts.append(Text(f"{side}: {_how_read(each)}"))
        parts += chain.from_iterable(_finding(number, each) for number, each in enumerate(self, 1))
        if self.findings and self.sampled < min(self.references.documents, self.predictions.documents):
            sample = counted(self.sampled, "document")
            parts.append(Text(f"Values are those of a sample of {sample}; scores are of all.", HINT))
        if self.options:
            parts.append(Text(f"All of it: {self._all_of_it()}"))
            if self.command and self.config_file is None:
                parts.append(Text("--write docie.toml writes it to a file, which --config docie.toml reads.", HINT))
        if self.unexplained:
            last = self.findings[-1].after if self.findings else self.score
            parts += _unexplained(last, self.unexplained)
        elif not self.findings:
            parts.append(Text(f"No differences found. Entity F1 is {score_text(self.score)}."))
        yield Section(parts) if brief else Section(parts, "Findings", "findings")

    def tables(self) -> Iterator[Rows]:
        """The findings and, where they do not explain a low score, the entity types."""
        names = ("kind", "options", "values", "before", "after", "text")
        yield Rows("findings", names, ([getattr(each, name) for name in names] for each in self))
        if self.unexplained:
            yield Rows("unexplained", TypeOfValues._fields, self.unexplained)

    def _all_of_it(self) -> str:
        """What asks for all of the changes: those of the file that is written, and of its comments."""
        if not self.command:
            return f"config={entries_of(options_of_config(self.config))!r}"
        if self.config_file is None:
            return shlex.join([*self.command, *arguments_of(options_of_config(self.config))])
        decided = arguments_of(undecided(self, self.given))
        return shlex.join([*self.command, "--config", self.config_file, *decided])


def check(*, references: Any, predictions: Any, config: Config = None, **options: Any) -> CheckResult:
    """Check whether references and predictions were written alike, before a score is believed, as `docie check` does.

    Differences in ids, names, structure and formats lower a score although the values are correct. A difference is
    found by its effect: at least three values, and at least half of those that it concerns, find an equal counterpart
    that they did not have. Of formats, only pairs that are certainly the same value count. Nothing is changed;
    `config` of the result requests the changes.

    Args:
        references, predictions (path, sequence or frame): files, folders, patterns or URLs, as the command line takes
            them, or rows. Rows are read as those of files: a key `id` on both sides joins them.
        config (path or dict): how they are read already: a `docie.toml`, or its keys; None for as they are.
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
    method = Method(kieval, settings_for({kieval.NAME: kieval}, options, reading)[kieval.NAME], reading)
    references, predictions = _repeatable("references", references), _repeatable("predictions", predictions)
    contents = contents_of(*[references, predictions] * 2)  # both are read again for each finding

    def pairs(asked: Reading) -> Iterator[Pair]:
        return iter(Files(references, predictions, asked, contents=contents))

    with noted() as notes:
        predicted = _rows(predictions, "prediction", reading.predictions, contents)
        expected = _rows(references, "reference", reading.references, contents)
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
        command=["docie", "score", references, predictions, *_arguments(options)] if are_paths else [],
    )


def _repeatable(side: str, given: Any) -> Any:
    """A path as text; rows of which all can be read several times."""
    if isinstance(given, str | os.PathLike):
        return os.fspath(given)
    return given if is_frame(given) else [plain_row(row) for row in sequence_of(side, given)]


def _rows(given: Any, side: str, how: Side, contents: dict[str, bytes]) -> SideRows:
    """All rows of a side, as they stand but for answers and pages.

    Raises:
        InputError: if there are none.
    """

    def sources() -> Iterator[Source]:
        if isinstance(given, str):
            yield from sources_of(given, side, how, contents=contents)
        else:
            yield Listed(f"{side}s", given, how, is_placed=True)

    rows = side_rows(sources, side, how)
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


def _how_read(side: ReadSide) -> str:
    """How references or predictions were read, in a line."""
    named = {None: "no ids", "": "ids from the names of files", ANY_KEY: "ids from the keys of the documents"}
    ids = named.get(side.ids, f"ids from {side.ids!r}")
    groups = f"groups {some_of(side.groups, MOST_GROUPS)}" if side.groups else "no groups"
    return (
        f"{counted(side.documents, 'document')}, {ids}, {counted(side.types, 'entity type')}, {groups}, "
        f"{counted(side.values, 'value')}"
    )


def _finding(number: int, finding: Finding) -> Iterator[Part]:
    yield Text(f"{number}. {finding.kind}: {sentence(finding)}")
    if finding.options:
        yield Text(f"   {shlex.join(finding.options)}")


def _unexplained(score: float | None, types: Sequence[TypeOfValues]) -> Iterator[Part]:
    """The entity types of references and predictions beside each other, where no difference explains a low score."""
    equal = sum(each.equal for each in types)
    expected, predicted = (sum(getattr(each, side) for each in types) for side in ("references", "predictions"))
    yield Text(
        f"Not explained: entity F1 is {score_text(score)}. {counted(expected - equal, 'value')} of {expected:,} in the "
        f"references and {predicted - equal:,} of {predicted:,} in the predictions equal none of their document."
    )
    columns = ["entity type", "in references", "in predictions", "references", "predictions", "equal"]
    rows = [
        [each.entity_type, _shown(each.reference_values), _shown(each.prediction_values)]
        + [f"{number:,}" for number in (each.references, each.predictions, each.equal)]
        for each in types[:MOST_TYPES]
    ]
    yield Table("values that have no equal", columns, rows, texts=3)
    if len(types) > MOST_TYPES:
        yield Text(f"{counted(len(types) - MOST_TYPES, 'more entity type')}: --format json has all of them.", HINT)


def _shown(values: list[str]) -> str:
    return " · ".join(cut(value, MOST_CHARACTERS) for value in values)
