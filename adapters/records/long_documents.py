"""Kleister and VRDU: contracts, annual reports and filings of many pages."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from docie.adapters.grouping import Entity, to_document
from docie.adapters.records.fields import inside, joined, list_of, objects, parsed, plain, reading, text
from docie.errors import shortened
from docie.values import as_list, is_list

__all__ = ["kleister", "vrdu"]


def kleister(record: Mapping[str, Any]) -> dict[str, Any]:
    """The reference document of a contract or annual report of Kleister NDA or Kleister Charity: ungrouped entities.

    `record` has a line of `expected.tsv`, the file of both data sets, in the column `expected`: pairs `key=value` with
    blanks between them. Underscores in values stand for blanks (and for colons, which cannot be told from them); a key
    that is given several times, as `party` is, has several values. Or it has the column `annotations` of the versions
    in DUE's format (`meta/KleisterCharity` of `mPLUG/DocDownstream-1.0`): a list of `key` and `values`, each with its
    `value` and with `value_variants` where any one of these is right. Keys stay as they are (`address__post_town`).

    Source: Stanisławek et al., "Kleister: Key Information Extraction Datasets Involving Long Documents with Complex
    Layouts" (2021); Borchmann et al., "DUE: End-to-End Document Understanding Benchmark" (2021).

    >>> kleister({"expected": "effective_date=2014-05-20 party=Ada_Ltd. party=Babbage_Inc."})
    {'effective_date': '2014-05-20', 'party': ['Ada Ltd.', 'Babbage Inc.']}
    >>> kleister({"annotations": [{"key": "report_date", "values": [{"value": "2016-03-31"}]}]})
    {'report_date': '2016-03-31'}
    """
    with reading("Kleister", record, "name"):
        if "expected" in record:
            return _values(_pair(pair) for pair in text(record, "expected").split())
        pairs: list[tuple[str, Any]] = []
        annotations = objects({"annotations": parsed(record, "annotations")}, "annotations")
        for position, annotation in enumerate(annotations):
            with inside(f"annotations {position}"):
                key = text(annotation, "key")
                pairs += [
                    (key, _one_of([text(value, "value"), *_variants(value)])) for value in objects(annotation, "values")
                ]
        return _values(pairs)


def vrdu(record: Mapping[str, Any]) -> dict[str, Any]:
    """The reference document of a registration form or ad-buy form of VRDU.

    `record` is a line of `dataset.jsonl` of either part, whose `annotations` (a list, or its JSON text) are pairs of an
    entity's name and its places `[text, box, spans]`. Any one of several places is right. Names that come several times
    have several values. A pair of several names is a line item, a group of the type `line_item`
    (`line_item.program_desc`). Line ends in texts are blanks here.

    Source: Wang et al., "VRDU: A Benchmark for Visually-rich Document Understanding" (2023).

    >>> amount = ["gross_amount", [["$90.00\\n", [0, 0.1, 0.1, 0.2, 0.2], [[8, 15]]]]]
    >>> item = [["channel", "sub_amount"], [[["WABC", [], []], ["$90", [], []]]]]
    >>> vrdu({"filename": "1.pdf", "annotations": [amount, item]})
    {'line_item': [{'line_item.channel': 'WABC', 'line_item.sub_amount': '$90'}], 'gross_amount': '$90.00'}
    """
    with reading("VRDU", record, "filename"):
        ungrouped, items = [], []
        for position, pair in enumerate(list_of({"annotations": parsed(record, "annotations")}, "annotations")):
            with inside(f"annotations {position}"):
                name, places = _sized(pair, 2, "a name and its places")
                if is_list(name):
                    items.append(("line_item", _line_item(as_list(name), places)))
                else:
                    ungrouped.append(Entity(_name(name), _one_of(map(_text, _sized(places, None, "a list of places")))))
        return to_document([(kind, group) for kind, group in items if group], _present(ungrouped))


def _pair(pair: str) -> tuple[str, str]:
    key, equals, value = pair.partition("=")
    if not key or not equals:
        raise ValueError(f"field 'expected' must be pairs key=value, got {shortened(pair)}")
    return key, value.replace("_", " ").strip()


def _variants(value: Mapping[str, Any]) -> list[str]:
    if value.get("value_variants") is None:
        return []
    return list_of(value, "value_variants", str, "a list of text")


def _values(pairs: Iterable[tuple[str, Any]]) -> dict[str, Any]:
    return to_document([], _present(Entity(key, value) for key, value in pairs))


def _present(entities: Iterable[Entity]) -> list[Entity]:
    return [entity for entity in entities if entity.value]


def _line_item(names: list[Any], places: Any) -> list[Entity]:
    [parts] = _sized(places, 1, "one list of places")
    texts = [_text(place) for place in _sized(parts, len(names), f"{len(names)} places, one of each name")]
    return _present(Entity(f"line_item.{_name(name)}", value) for name, value in zip(names, texts, strict=True))


def _name(name: Any) -> str:
    if not isinstance(name, str):
        raise ValueError(f"expected an entity's name, got {shortened(name)}")
    return name


def _text(place: Any) -> str:
    """The text of a place, on one line."""
    found = _sized(place, 3, "a place [text, box, spans]")[0]
    if not isinstance(found, str):
        raise ValueError(f"expected a place's text, got {shortened(found)}")
    return joined([found])


def _sized(value: Any, size: int | None, expected: str) -> list[Any]:
    """A list of this size, or of at least one."""
    found = [plain(element) for element in as_list(value)] if is_list(value) else []
    if not found or (size is not None and len(found) != size):
        raise ValueError(f"expected {expected}, got {shortened(value)}")
    return found


def _one_of(values: Iterable[str]) -> str | tuple[str, ...]:
    """One value, or the distinct ones of which any is right; "" for none."""
    distinct = tuple(dict.fromkeys(value for value in values if value.strip()))
    return distinct if len(distinct) > 1 else next(iter(distinct), "")
