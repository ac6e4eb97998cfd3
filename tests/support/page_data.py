"""What a page holds for its script, as tests read it."""

from __future__ import annotations

import base64
import json
import re
import zlib
from collections import Counter
from collections.abc import Iterator
from typing import Any, NamedTuple


class Value(NamedTuple):
    """A value of a document: its number there, its whole field, the value of the reference, and an answer a system."""

    document: str
    number: int
    field: str
    expected: str | None
    answers: list[Any]

    def kind(self, system: int = 0) -> str:
        """What became of it: "correct", or the kind of an error."""
        return self.answers[system][1] or "correct" if self.answers[system] else "correct"


def head_of(html: str) -> Any:
    """What the script knows before it reads documents."""
    return json.loads(re.findall(r'<script type="application/json" id="docie-head">(.*?)</script>', html)[0])


def documents_of(html: str) -> list[Any]:
    """The documents of all blocks."""
    blocks = re.findall(r'<script type="text/plain" id="docie-block-\d+">([^<]*)</script>', html)
    return [each for block in blocks for each in json.loads(zlib.decompress(base64.b64decode(block)))]


def values_of(html: str) -> Iterator[Value]:
    """The values of all documents."""
    systems = len(head_of(html)["systems"])
    for name, _, groups, *_ in documents_of(html):
        pairs = [(kind, pair) for _, kind, _, _, pairs, *_ in groups for pair in pairs]
        for number, (kind, (field, expected, *answers)) in enumerate(pairs):
            whole = f"{kind}.{field}" if kind else field
            yield Value(name, number, whole, expected, [*answers, *[0] * (systems - len(answers))])


def kinds_of(html: str) -> Counter[tuple[str, str]]:
    """How many values there are of each (field, kind), in any system."""
    return Counter(
        (each.field, kind) for each in values_of(html) for kind in {*map(each.kind, range(len(each.answers)))}
    )
