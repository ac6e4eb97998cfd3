"""Results as tables, for a terminal (rich) or as Markdown that pastes into a paper; as JSON, and as flat numbers."""

from docie.core.scores import rounded
from docie.show.tables.flattening import flat, free_name, rows_by_threshold, safe_name
from docie.show.tables.formats import as_csv, json_text, markdown, markdown_row, markdown_text, safe_cell
from docie.show.tables.results import BREAKDOWN, BY, GROUPS_SHOWN, cost, facts, tables, title_of_groups
from docie.show.tables.table import Table, brief, number, printable
from docie.show.tables.terminal import rich_table, show

__all__ = [
    "BREAKDOWN",
    "BY",
    "GROUPS_SHOWN",
    "Table",
    "as_csv",
    "brief",
    "cost",
    "facts",
    "flat",
    "free_name",
    "json_text",
    "markdown",
    "markdown_row",
    "markdown_text",
    "number",
    "printable",
    "rich_table",
    "rounded",
    "rows_by_threshold",
    "safe_cell",
    "safe_name",
    "show",
    "tables",
    "title_of_groups",
]
