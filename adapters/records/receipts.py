"""Receipts: CORD, with line items, and SROIE, with four values each."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from docie.core.errors import DocumentError, json_kind
from docie.core.values.json_text import MAX_DEPTH, TOO_DEEP
from docie.core.values.plain import JsonObject, longer_path
from docie.documents.leaves import is_one_of_object, is_scored_leaf

from ..grouping import slot_filling, to_document
from .checks import bio, entities_of, field, is_tagged, parsed, reading

CORD_ONTOLOGY = {
    "menu.nm": "name of an item",
    "menu.num": "code or number that identifies an item",
    "menu.unitprice": "price of one piece of an item",
    "menu.cnt": "how many pieces of an item were bought",
    "menu.discountprice": "amount taken off an item's price",
    "menu.price": "amount to pay for an item, all of its pieces together",
    "menu.itemsubtotal": "amount of an item together with its additions and discounts",
    "menu.vatyn": "mark that an item's price includes tax, or does not",
    "menu.etc": "other information on an item",
    "menu.sub_nm": "name of an addition or option that belongs to an item",
    "menu.sub_unitprice": "price of one piece of an addition",
    "menu.sub_cnt": "how many pieces of an addition were bought",
    "menu.sub_price": "amount to pay for an addition, all of its pieces together",
    "menu.sub_etc": "other information on an addition",
    "void_menu.nm": "name of an item that was cancelled",
    "void_menu.price": "amount of an item that was cancelled",
    "sub_total.subtotal_price": "sum of the items, before taxes, charges and discounts on the whole",
    "sub_total.discount_price": "discount on the whole",
    "sub_total.service_price": "service charge",
    "sub_total.othersvc_price": "charge for another service, such as packing or delivery",
    "sub_total.tax_price": "tax",
    "sub_total.etc": "other line next to the subtotal, such as a rounding",
    "total.total_price": "final amount to pay",
    "total.total_etc": "other line next to the total",
    "total.cashprice": "amount handed over in cash",
    "total.changeprice": "change given back",
    "total.creditcardprice": "amount paid by credit or debit card",
    "total.emoneyprice": "amount paid with electronic money or a voucher",
    "total.menutype_cnt": "how many different items were bought",
    "total.menuqty_cnt": "how many pieces were bought, of all items together",
}
"""CORD's entity types, in the order of `CORD_TAGS`, with their meaning: an `ontology` for kieval and for prompts.

24 of these 30 types occur in the parses of the 100 receipts of the test set, four of them on at most three receipts:
`menu.etc`, `total.emoneyprice`, `menu.itemsubtotal` and `total.total_etc`. The types of `void_menu`, `menu.vatyn`,
`menu.sub_unitprice`, `menu.sub_etc` and `sub_total.othersvc_price` do not occur there.
"""
CORD_GROUPS = ("menu", "void_menu", "sub_total", "total")
"""CORD's group types."""
CORD_TAGS = ["O", *(f"{prefix}-{entity_type.upper()}" for prefix in "BI" for entity_type in CORD_ONTOLOGY)]
"""The tags of `nielsr/cord-layoutlmv3`, as named in its feature."""

_SUB_ITEM = re.compile(r"\.sub\.(?:sub_)?")


def cord(record: Mapping[str, object], *, names: Sequence[str] | None = None) -> JsonObject:
    """The reference document of a CORD receipt. Entity types are CORD's categories (`menu.sub_nm`).

    The records of tagged words have no group ids: groups come from slot filling. Their entities include the printed
    keys, which the parse leaves out ("TOTAL 60.000" instead of "60.000"). Predictions must therefore be made and scored
    with the same version.

    Source: Park et al., "CORD: A Consolidated Receipt Dataset for Post-OCR Parsing" (2019).

    Args:
        record (dict): a record of `naver-clova-ix/cord-v2`, whose column `ground_truth` is JSON text, or that
            annotation itself, with `gt_parse`; or tagged words, a record of `nielsr/cord-layoutlmv3` with columns
            `words` and `ner_tags`.
        names (list of str): the names of the tags, if these are numbers; `CORD_TAGS` by default.

    Returns:
        dict: a document.

    Raises:
        ValueError: if something is missing or malformed; it names record and field.

    >>> cord({"ground_truth": '{"gt_parse": {"menu": {"nm": "Latte", "sub": {"nm": "oat"}}}}'})
    {'menu': {'menu.nm': 'Latte', 'menu.sub': {'menu.sub_nm': 'oat'}}}
    >>> cord({"id": "0", "words": ["Iced", "Latte", "4.50"], "ner_tags": [1, 31, 6]})
    {'menu': [{'menu.nm': 'Iced Latte', 'menu.price': '4.50'}]}
    """
    with reading("CORD", record):
        if is_tagged(record):
            entities = entities_of(record, CORD_TAGS if names is None else names)
            return dict(cord_names(slot_filling(entities, CORD_GROUPS)))
    annotation = annotation_of(record)
    with reading("CORD", record, otherwise=image_id(annotation)):
        return dict(cord_names(field(annotation, "gt_parse", Mapping, "an object")))


def cord_names(document: object) -> Any:
    """Rename the entity types of a document to those of CORD's annotation, in references and predictions.

    CORD's parses nest sub-items (`menu` → `sub` → `nm`); models write `menu.sub` → `menu.sub_nm`, or any mixture. All
    become `menu.sub_nm`.

    Args:
        document (dict): a document.

    Returns:
        dict: the document with full names. A value that is not an object (an invalid prediction) is returned as it is.

    Raises:
        DocumentError: if it is nested more than 100 levels deep.

    >>> cord_names({"menu": [{"nm": "Latte", "sub": [{"sub_nm": "oat"}, {"menu.sub_price": "0.50"}]}]})
    {'menu': [{'menu.nm': 'Latte', 'menu.sub': [{'menu.sub_nm': 'oat'}, {'menu.sub_price': '0.50'}]}]}
    """
    if not isinstance(document, Mapping):
        return document
    return {key: _named(value, str(key), f"{key}.", 1) for key, value in document.items()}


def _named(value: object, path: str, root: str, depth: int) -> object:
    if isinstance(value, list | Mapping) and depth >= MAX_DEPTH:
        raise DocumentError(TOO_DEEP, entity=path)
    if isinstance(value, list):
        return [_named(element, path, root, depth + 1) for element in value]
    if not isinstance(value, Mapping) or is_scored_leaf(value) or is_one_of_object(value):
        return value
    result: dict[str, object] = {}
    for key, child in value.items():
        full = longer_path(path, root, str(key))
        name, named = _SUB_ITEM.sub(".sub_", full), _named(child, full, root, depth + 1)
        result[name] = [result[name], named] if name in result else named
    return result


def annotation_of(record: Mapping[str, object]) -> Mapping[str, object]:
    """The content of a record's `ground_truth`; the record itself if it has none."""
    with reading("CORD", record):
        annotation = parsed(record, "ground_truth") if "ground_truth" in record else record
        if not isinstance(annotation, Mapping):
            raise ValueError(f"field 'ground_truth' must be an object, got {json_kind(annotation)}")
        return annotation


def image_id(annotation: Mapping[str, object]) -> object:
    """The number of the receipt in its part of the data set, which names records without `id`."""
    meta = annotation.get("meta")
    return meta.get("image_id") if isinstance(meta, Mapping) else None


SROIE_TAGS = bio(["COMPANY", "DATE", "ADDRESS", "TOTAL"])
"""The tags of `darentang/sroie`, as named in its feature."""


def sroie(record: Mapping[str, object], *, names: Sequence[str] | None = None) -> JsonObject:
    """The reference document of an SROIE receipt: ungrouped entities `company`, `date`, `address`, `total`.

    Source: Huang et al., "ICDAR2019 Competition on Scanned Receipt OCR and Information Extraction" (2019).

    Args:
        record (dict): a record of `darentang/sroie`, with columns `words` and `ner_tags`; a value that is tagged in
            several places becomes a list. Or one of `podbilabs/sroie-donut`, whose column `ground_truth` is JSON text
            with `gt_parse`; a value that is not annotated may be missing or None.
        names (list of str): the names of the tags, if these are numbers; `SROIE_TAGS` by default.

    Returns:
        dict: a document.

    Raises:
        ValueError: if something is missing or malformed; it names record and field.

    >>> sroie({"id": "0", "words": ["Kedai", "Kopi", "paid", "9.00"], "ner_tags": [1, 2, 0, 7]})
    {'company': 'Kedai Kopi', 'total': '9.00'}
    >>> sroie({"ground_truth": '{"gt_parse": {"company": "Kedai Kopi", "total": "9.00"}}'})
    {'company': 'Kedai Kopi', 'total': '9.00'}
    """
    with reading("SROIE", record):
        if is_tagged(record):
            return to_document([], entities_of(record, SROIE_TAGS if names is None else names))
        annotation = {"ground_truth": parsed(record, "ground_truth")}
        parse = field(field(annotation, "ground_truth", Mapping, "an object"), "gt_parse", Mapping, "an object")
        return {entity_type: field(parse, entity_type, str | None, "text") for entity_type in parse}
