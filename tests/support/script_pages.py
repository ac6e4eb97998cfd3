"""Pages with documents that are written as data, for tests of the script."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from docie.show.page import data
from docie.show.page.page import render
from docie.show.result import Page
from docie.show.section import Documents, Section, Table, Text

BODY = "the body of the test"


def page_of(documents: Sequence[Any] = (), body: str = "", **head: Any) -> str:
    """A page with these documents, under a `body` of HTML."""
    texts = [json.dumps(each).encode() for each in documents]
    patterns = [(each["text"], each["keys"]) for each in head.pop("patterns", ())]
    part = Documents(texts, Table("without scripts", ["Document"], []), patterns=patterns, **head)
    html = render(
        Page("Receipts", "", [Section([Text(BODY), *([part] if documents else [])], "Documents", "documents")], [])
    )
    return html.replace(BODY, body)


def in_script(content: Any, attributes: str = "") -> str:
    """Data in an element that no browser runs."""
    return f'<script type="application/json"{attributes}>{data.in_script(content)}</script>'
