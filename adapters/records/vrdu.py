"""VRDU: registration forms and ad-buy forms of many pages."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from docie.core.errors import in_json
from docie.core.values.plain import as_list, is_list

from ..grouping import Entity, to_document
from .fields import any_of, inside, joined, list_of, parsed, plain, reading


def vrdu(record: Mapping[str, Any]) -> dict[str, Any]:
    """The reference document of a registration form or ad-buy form.

    Source: Wang et al., "VRDU: A Benchmark for Visually-rich Document Understanding" (2023).

    Args:
        record (dict): a line of `dataset.jsonl` of either part, whose `annotations` (a list, or its JSON text) are
            pairs of an entity's name and its places `[text, box, spans]`. Any one of several places is right. A name
            that comes several times has several values. A pair of several names is a line item, a group of the type
            `line_item` (`line_item.program_desc`). Line ends in texts become blanks.

    Returns:
        dict: a document.

    Raises:
        ValueError: for what is missing or malformed; it names record and field.

    >>> amount = ["gross_amount", [["$90.00\\n", [0, 0.1, 0.1, 0.2, 0.2], [[8, 15]]]]]
    >>> item = [["channel", "sub_amount"], [[["WABC", [], []], ["$90", [], []]]]]
    >>> vrdu({"filename": "1.pdf", "annotations": [amount, item]})
    {'line_item': [{'line_item.channel': 'WABC', 'line_item.sub_amount': '$90'}], 'gross_amount': '$90.00'}
    """
    with reading("VRDU", record, "filename"):
        ungrouped: list[Entity] = []
        items: list[tuple[str, list[Entity]]] = []
        for position, pair in enumerate(list_of({"annotations": parsed(record, "annotations")}, "annotations")):
            with inside(f"annotations {position}"):
                name, places = _sized(pair, 2, "a name and its places")
                if is_list(name):
                    items.append(("line_item", _line_item(as_list(name), places)))
                else:
                    texts = map(_text, _sized(places, None, "a list of places"))
                    ungrouped.append(Entity(_name(name), any_of(texts)))
        return to_document(
            [(group_type, group) for group_type, group in items if group],
            [entity for entity in ungrouped if entity.value],
        )


def _line_item(names: list[Any], places: Any) -> list[Entity]:
    [parts] = _sized(places, 1, "one list of places")
    texts = [_text(place) for place in _sized(parts, len(names), f"{len(names)} places, one of each name")]
    entities = (Entity(f"line_item.{_name(name)}", value) for name, value in zip(names, texts, strict=True))
    return [entity for entity in entities if entity.value]


def _name(name: Any) -> str:
    if not isinstance(name, str):
        raise ValueError(f"expected an entity's name, got {in_json(name)}")
    return name


def _text(place: Any) -> str:
    """The text of a place, on one line."""
    text = _sized(place, 3, "a place [text, box, spans]")[0]
    if not isinstance(text, str):
        raise ValueError(f"expected a place's text, got {in_json(text)}")
    return joined([text])


def _sized(value: Any, size: int | None, expected: str) -> list[Any]:
    """A list of this size; None: of at least one element."""
    elements = [plain(element) for element in as_list(value)] if is_list(value) else []
    if not elements or (size is not None and len(elements) != size):
        raise ValueError(f"expected {expected}, got {in_json(value)}")
    return elements
