"""The command docie agreement: whether metrics agree on documents."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from typing import Annotated, Any

import typer

from docie.cli import options as cli_options
from docie.cli import runs
from docie.core.errors import DocumentError
from docie.show import tables

HELP_OF_AGREEMENT = (
    "Correlate metrics over documents: do documents that one finds good look good to the others? "
    "Results go to stdout, progress and errors to stderr. Exit code 2 means bad input."
)


def agreement(
    references: runs.References,
    predictions: runs.Predictions,
    metric: Annotated[
        list[str] | None, typer.Option(help="A family; may be repeated. Without it, all that read the input.")
    ] = None,
    score: Annotated[
        list[str] | None,
        typer.Option(help="A score, of all families that have it; may be repeated. Without it, their headlines."),
    ] = None,
    output: runs.FormatOption = runs.Format.table,
    normalize: runs.NormalizeOption = None,
    match: runs.MatchOption = None,
    schema: runs.SchemaOption = None,
    option: runs.FamilyOption = None,
    missing: runs.MissingOption = runs.Missing.error,
    id_key: runs.IdKeyOption = "id",
    workers: runs.WorkersOption = 1,
) -> None:
    """Correlate metrics over documents."""
    from docie import corpus
    from docie.documents.kinds import peek_input_kind

    try:
        accepts_text = cli_options.accepts_text(metric or [])
        joined = runs.join(references, predictions, missing=missing, id_key=id_key, accepts_text=accepts_text)
        input_kind, pairs = peek_input_kind(joined)
        families = cli_options.choose_families(metric or ["all"], input_kind)
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always", UserWarning)
            settings = cli_options.settings_of_families(
                families, normalize or (), option or (), match or (), schema=schema
            )
            results = corpus.agreement(
                families.values(), *runs.unzip(pairs), settings, score, workers=workers, progress=True
            )
    except DocumentError as error:
        runs.fail(joined.located(error))
    except (ValueError, MemoryError) as error:
        runs.fail(error)
    runs.print_warnings([*joined.warnings(), *(warning.message for warning in caught)])
    with runs.prints_to_pipe():
        _print(results, output, joined.joined_by)


def _print(results: Mapping[str, Any], output: runs.Format, joined_by: str) -> None:
    if output == runs.Format.json:
        print(tables.json_text(results, indent=2))
        return
    parts = [_table(name, results[name]) for name in ("pearson", "spearman")]
    line = tables.facts({**results, "signature": " · ".join(results["signatures"].values())}, joined_by=joined_by)
    if output == runs.Format.markdown:
        blocks = (f"**{tables.markdown_text(part.title)}**\n\n{tables.markdown(part)}" for part in parts)
        print("\n\n".join([*blocks, tables.markdown_text(line)]))
    else:
        tables.show(parts, line)


def _table(name: str, rows: Mapping[str, Mapping[str, float | None]]) -> tables.Table:
    """The coefficients of one kind; a dash for a figure that is the same in all documents."""
    cells = [
        [figure, *("–" if value is None else tables.rounded(value, 3) for value in row.values())]
        for figure, row in rows.items()
    ]
    title = "Pearson: near a straight line" if name == "pearson" else "Spearman: in the same order"
    return tables.Table(title, ["figure", *(figure.rpartition(".")[2] for figure in rows)], cells)
