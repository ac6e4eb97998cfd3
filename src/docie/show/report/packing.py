"""A long list of documents in one file: what they are found by, and all but the first of them compressed."""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from urllib.parse import urlencode

from docie.show.report.fields import KINDS
from docie.show.section import Answers, Explained, Item, Part

TOGETHER = 100
"""The items that a page shows as they are, and those that are compressed together."""


def link_to(**wanted: str) -> str:
    """The fragment that shows only the documents with an error: of a `kind`, of a `field`, or of both.

    A `document` is shown by its place in the list, and in it the row that is named so: a `suspect` by its number.

    >>> link_to(field="menu.nm", kind="format")
    'field=menu.nm&kind=format'
    """
    return urlencode(wanted, errors="replace")


def suspect_anchor(place: int, suspect: int) -> str:
    """What the row of a suspected label is called, in the document at a place of the list."""
    return link_to(document=str(place), suspect=str(suspect))


def suspect_links(places: Iterable[int | None], anchors: Iterable[str]) -> dict[int, str]:
    """Where suspects lead, by their numbers: to their rows, else to their documents; `places` are those of these."""
    known, links = {*anchors}, dict[int, str]()
    for suspect, place in enumerate(places):
        if place is not None:
            anchor = suspect_anchor(place, suspect)
            links[suspect] = anchor if anchor in known else link_to(document=str(place))
    return links


def packed(
    items: Sequence[Item], heading: Callable[[Item], str], body: Callable[[Sequence[Part]], str]
) -> Iterator[tuple[str, str]]:
    """The names and the contents of blocks that report.js reads: "bodies-1" and so on, then "index".

    A block is JSON, compressed (zlib), in base64. Bodies are fragments of HTML, in the order of the items. The index
    has the errors of all items, each once; the kinds of errors in words; and of each item its heading, the positions of
    its errors, and what it is found by, in small letters. `heading` makes HTML of an item, `body` of its parts.

    >>> blocks = dict(packed([Item("R-1", "", [], "cafe", [("total", "format")])], lambda item: item.name, str))
    >>> errors, kinds, [entry] = json.loads(zlib.decompress(base64.b64decode(blocks["index"])))
    >>> errors, kinds["format"], entry
    ([['total', 'format']], '≈ different format', ['R-1', [0], 'r-1 cafe'])
    """
    errors: dict[tuple[str, str], int] = {}
    entries: list[list[object]] = []
    for start in range(0, len(items), TOGETHER):
        bodies = []
        for item in items[start : start + TOGETHER]:
            found = [errors.setdefault(error, len(errors)) for error in item.errors]
            words = filter(None, [item.name, item.keywords, *_values(item)])
            entries.append([heading(item), found, " ".join(words).lower()])
            if start:
                bodies.append(body(item.parts))
        if start:
            yield f"bodies-{start // TOGETHER}", _compressed(bodies)
    yield "index", _compressed([[*errors], {kind: " ".join(words) for kind, words in KINDS.items()}, entries])


def _values(item: Item) -> dict[str, None]:
    """The values that an item explains, each once."""
    explanations = [part.explain() for part in item.parts if isinstance(part, Explained)]
    explanations += [each for part in item.parts if isinstance(part, Answers) for each in part.explanations]
    pairs = [pair for explanation in explanations for pair in explanation.pairs]
    return dict.fromkeys(text for pair in pairs for text in (pair.predicted, pair.expected) if text is not None)


def _compressed(content: object) -> str:
    return base64.b64encode(zlib.compress(json.dumps(content, separators=(",", ":")).encode(), 9)).decode()
