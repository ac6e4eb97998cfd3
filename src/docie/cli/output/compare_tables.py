"""What `corpus.compare` gives, as tables."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from docie.cli.output.error_rows import cut
from docie.show import tables


def name_documents(results: Mapping[str, Any], name: Callable[[int], str | int]) -> None:
    """Write the ids of documents where results have their numbers."""
    listed = [*results.get("suspects", ()), *(change for row in results["comparisons"] for change in row["changes"])]
    for each in listed:
        if isinstance(each["document"], int):
            each["document"] = name(each["document"])


def print_results(results: Mapping[str, Any], form: str, *, joined_by: str) -> None:
    """Print what `corpus.compare` gave, as a table, as JSON or as Markdown."""
    if form == "json":
        print(tables.json_text(results, indent=2))
        return
    parts, line = list(_tables(results)), _facts(results, joined_by)
    if form == "markdown":
        blocks = (f"**{tables.markdown_text(part.title)}**\n\n{tables.markdown(part)}" for part in parts)
        print("\n\n".join([*blocks, tables.markdown_text(line)]))
    else:
        tables.show(parts, line)


def _tables(results: Mapping[str, Any]) -> Iterator[tables.Table]:
    from docie.show.report import comparison_tables

    yield from comparison_tables.ranks(results)
    yield comparison_tables.differences(results)
    yield from comparison_tables.changes(results)
    if "per_entity" in results:
        yield comparison_tables.by_entity_type(results)
    if "suspects" in results:
        part = comparison_tables.suspects(results)
        yield part._replace(rows=[[*map(cut, row)] for row in part.rows])


def _facts(results: Mapping[str, Any], joined_by: str) -> str:
    line = tables.facts(results, joined_by=joined_by)
    if results["units"] == results["documents"]:
        return line
    documents, separator, rest = line.partition(" · ")
    return f"{documents}, {results['units']} clusters{separator}{rest}"
