"""docie check: whether references and predictions were written alike, before a score is believed."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from itertools import chain
from typing import TYPE_CHECKING, Annotated

import typer

from docie.cli import runs
from docie.core.errors import InputError
from docie.core.phrases import counted, some_of
from docie.core.reading import SIDES, Reading
from docie.core.scores import rounded
from docie.show.destination import Destination
from docie.show.section import HINT, Part, Section, Table, Text, cut

if TYPE_CHECKING:
    from docie.diagnosis.check import Finding, Findings, Side
    from docie.documents.fit import SideRows
    from docie.documents.rows import OpenedPair

HELP = (
    "Check whether references and predictions were written alike.\n\n"
    "Ids, names, structure and formats that differ lower a score although the values are correct. Each finding names "
    "the option that allows for the difference. A low score that none explains is told, with values. "
    "Exit code 0 without findings, 1 with findings, 2 for bad input."
)

MOST_GROUPS = 8
"""The number of groups that the line about references or predictions lists."""
MOST_NAMES = 8
"""The number of renamed entity types and groups from which on a file for them is mentioned."""
MOST_TYPES = 20
"""The number of entity types that are shown where nothing explains a score."""
MOST_CHARACTERS = 16
"""Of each value that is shown there."""


@runs.reads
def check(
    references: runs.References,
    predictions: runs.Predictions,
    normalize: runs.NormalizeOption = None,
    match: runs.MatchOption = None,
    schema: runs.SchemaOption = None,
    option: runs.FamilyOption = None,
    output: runs.FormatOption = runs.Format.table,
    mapping: Annotated[
        str | None, runs.printed(help="Write the names that were found to this JSON or YAML file, for --rename FILE.")
    ] = None,
    reading: Reading | None = None,
) -> None:
    """Check whether references and predictions were written alike."""
    from docie.cli.options import settings_of_families
    from docie.core.names import SUFFIXES
    from docie.diagnosis.check import findings_of, ignore
    from docie.documents.pairs.joining import paired_rows
    from docie.documents.rows import unzip
    from docie.files.pairing import PairedFiles
    from docie.files.partitions import read_once
    from docie.metrics import kieval

    def pairs(asked: Reading) -> Iterator[OpenedPair]:
        files = PairedFiles(references, predictions, Reading.of(asked), contents=contents)
        return paired_rows(*unzip(files), tell=ignore)

    if mapping is not None and not mapping.lower().endswith(SUFFIXES):
        runs.fail(InputError(f"--mapping {mapping}: expected a file that ends in {', '.join(SUFFIXES)}"))
    try:
        [settings] = settings_of_families(
            {kieval.NAME: kieval}, normalize or (), option or (), match or (), schema=schema, reading=reading
        ).values()
        contents = read_once(*[references, predictions] * 2)  # both are read again for each finding
        sides = [
            _rows(path, side, reading, contents)
            for path, side in ((predictions, "prediction"), (references, "reference"))
        ]
        findings = findings_of(sides[0], sides[1], pairs, settings)
    except (ValueError, MemoryError) as error:
        runs.fail(error)
    if references == predictions and not (reading and reading.unwrap) and _are_alike(*sides):
        hint = "if they have two, say where: --unwrap references:KEY --unwrap predictions:KEY"
        runs.fail(
            InputError(f"{references}: given as references and predictions, but each row has one document; {hint}")
        )
    if findings.problem and not findings.findings:
        runs.fail(findings.problem)
    given = [] if schema is None else ["--schema", schema]
    given += [part for text in option or () for part in ("--option", text)]
    with runs.prints_to_pipe():
        section = _section(findings, [references, predictions], given, mapping)
        runs.print_results(output, [section], findings.to_json())
    if mapping is not None:
        _write(mapping, findings.reading)
    if findings.findings:
        raise typer.Exit(1)


def _rows(path: str, side: str, reading: Reading | None, contents: dict[str, bytes]) -> SideRows:
    """All rows of a path, as they stand in its files, with what a reading does to whole files, and without answers."""
    from docie.documents.fit import SideRows
    from docie.files.partitions import is_partitioned, open_source, partition_files

    def read() -> Iterator[tuple[object, str | None]]:
        for file in partition_files(path) if is_partitioned(path) else [path]:
            source = open_source(file, side, reading=reading, accepts_text=True, content=contents.get(file))
            source.answers.reads_texts = side == "prediction"
            for value, name in source.named():
                yield source.answers.with_columns(value), name

    rows = SideRows(read)
    if not rows.size:
        raise InputError(f"{path}: no documents")
    return rows


def _section(findings: Findings, paths: list[str], given: list[str], mapping: str | None) -> Section:
    """What is printed. `given` are the options that stay as they are; `mapping` is the file that gets the names."""
    from docie.documents.fit.change import arguments_of, arguments_of_formats

    parts: list[Part] = [
        Text(f"{side}: {_read(each)}")
        for side, each in zip(SIDES, (findings.references, findings.predictions), strict=True)
    ]
    parts += chain.from_iterable(_parts(number, each, mapping) for number, each in enumerate(findings, 1))
    if findings.findings and findings.sampled < min(findings.references.documents, findings.predictions.documents):
        sample = counted(findings.sampled, "document")
        parts.append(Text(f"Values are those of a sample of {sample}; scores are of all.", HINT))
    if mapping is None and findings.options.count("--rename") > MOST_NAMES:
        parts.append(Text("--mapping FILE writes the names to a file, which --rename reads.", HINT))
    if findings.options:
        settings = findings.settings
        formats = arguments_of_formats(settings.normalize, settings.match)
        options = _with_file(arguments_of(findings.reading.options), mapping) + given + formats
        parts.append(Text(f"All of it: {shlex.join(['docie', 'score', *paths, *options])}"))
    if findings.unexplained:
        parts += _unexplained(findings)
    elif not findings.findings:
        parts.append(Text(f"No differences found. Entity F1 is {_number(findings.score)}."))
    return Section(parts)


def _unexplained(findings: Findings) -> Iterator[Part]:
    """The entity types of references and predictions beside each other, where no difference explains a low score."""
    score = findings.findings[-1].after if findings.findings else findings.score
    types = findings.unexplained
    equal = sum(each.equal for each in types)
    expected, predicted = (sum(getattr(each, side) for each in types) for side in ("references", "predictions"))
    yield Text(
        f"Not explained: entity F1 is {_number(score)}. {counted(expected - equal, 'value')} of {expected:,} in the "
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


def _with_file(options: list[str], names: str | None) -> list[str]:
    """Options with one file, if there is one, in place of all names."""
    places = [place for place, option in enumerate(options) if option == "--rename"]
    if names is None or not places:
        return options
    rest = [option for place, option in enumerate(options) if not {place, place - 1} & {*places}]
    return [*rest[: places[0]], "--rename", names, *rest[places[0] :]]


def _are_alike(predictions: SideRows, references: SideRows) -> bool:
    """Whether the rows of one file are the same on both sides, and no wrappers of two documents."""
    from docie.documents.rows import CONTENT_KEYS

    keys = [row.keys() & {*CONTENT_KEYS["reference"]} for row in references.first if isinstance(row, dict)]
    return predictions.first == references.first and all(len(each) < 2 for each in keys)


def _write(mapping: str, reading: Reading) -> None:
    """Write the names of a reading to a file, if it has any."""
    from docie.core.names import names_text

    if not reading.rename:
        return runs.say(f"{mapping}: not written, as no other names were found")
    try:
        with Destination(mapping) as file, file.opened() as stream:
            stream.write(names_text(mapping, reading.renamed()))
    except ValueError as error:
        runs.fail(error)


def _read(side: Side) -> str:
    """How references or predictions were read, in a line."""
    ids = "no ids" if side.ids is None else f"ids from {side.ids!r}" if side.ids else "ids from the names of files"
    groups = f"groups {some_of(side.groups, MOST_GROUPS)}" if side.groups else "no groups"
    return (
        f"{counted(side.documents, 'document')}, {ids}, {counted(side.types, 'entity type')}, {groups}, "
        f"{counted(side.values, 'value')}"
    )


def _parts(number: int, finding: Finding, names: str | None) -> Iterator[Part]:
    before, after = _number(finding.before), _number(finding.after)
    scores = "" if finding.before == finding.after else f", entity F1 {before} → {after}"
    yield Text(f"{number}. {finding.kind}: {finding.text} ({counted(finding.values, 'value')}{scores})")
    if finding.options:
        yield Text(f"   {shlex.join(_with_file(finding.options, names))}")


def _number(score: float | None) -> str:
    return "not scored" if score is None else rounded(score)
