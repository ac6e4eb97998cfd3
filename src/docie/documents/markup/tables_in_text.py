"""The tables of a text, and the records of all of them."""

from __future__ import annotations

import re
from collections import Counter

from docie.core.values.plain import JsonObject
from docie.documents.markup.cells import Cell, records_of
from docie.documents.markup.html import html_tables
from docie.documents.markup.markdown import markdown_tables

_IS_HTML = re.compile(r"<(?:table|t[rdh])[\s/>]", re.IGNORECASE)


def tables_in(text: str, issues: Counter[str]) -> list[list[Cell]]:
    """The tables of a text, in their order: those of HTML, or else those of Markdown. What is dropped is counted.

    >>> len(tables_in("<table><tr><td>1</table> and <table><tr><td>2</table>", Counter()))
    2
    """
    return (html_tables if _IS_HTML.search(text) else markdown_tables)(text, issues)


def records_in(text: str) -> list[JsonObject]:
    """The records of all tables of a text; none of a text without tables.

    >>> records_in("| Name | Price |\\n|--|--|\\n| Bagel | 3.00 |"), records_in("3.00")
    ([{'Name': 'Bagel', 'Price': '3.00'}], [])
    """
    if "<" not in text and "|" not in text:
        return []
    issues = Counter[str]()
    return [record for table in tables_in(text, issues) for record in records_of(table, issues)]
