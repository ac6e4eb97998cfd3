"""Dataset records → reference documents.

Annotated data is expected to be right: what is missing or malformed raises ValueError, naming record and field.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from docie.document import is_scored_leaf
from docie.errors import shortened
from docie.jsontext import loads, with_room
from docie.values import ANY_OF

__all__ = ["cord", "cord_names"]

_SUB_ITEM = re.compile(r"\.sub\.(?:sub_)?")


def cord(record: Mapping[str, Any]) -> dict[str, Any]:
    """The reference document of a CORD receipt.

    `record` is a record of the Hub's `naver-clova-ix/cord-v2`, whose `ground_truth` is JSON text, or that annotation
    itself, with `gt_parse`. Entity types are named as CORD's categories (`menu.sub_nm`, `total.total_price`).

    Source: Park et al., "CORD: A Consolidated Receipt Dataset for Post-OCR Parsing" (2019).

    >>> cord({"ground_truth": '{"gt_parse": {"menu": {"nm": "Latte", "sub": {"nm": "oat"}}}}'})
    {'menu': {'menu.nm': 'Latte', 'menu.sub': {'menu.sub_nm': 'oat'}}}
    """
    if not isinstance(record, Mapping):
        raise ValueError(f"CORD record must be an object, got {type(record).__name__}")
    annotation: Any = record.get("ground_truth", record)
    if isinstance(annotation, str):
        try:
            annotation = loads(annotation)
        except (ValueError, RecursionError) as error:
            raise ValueError(f"{_place(record)}: field 'ground_truth' is not JSON ({error})") from None
    if not isinstance(annotation, Mapping):
        raise ValueError(f"{_place(record)}: field 'ground_truth' is no object, got {type(annotation).__name__}")
    parse = annotation.get("gt_parse")
    if not isinstance(parse, Mapping):
        raise ValueError(
            f"{_place(record, annotation)}: field 'gt_parse' must be an object, got {type(parse).__name__}"
        )
    return dict(cord_names(parse))


def cord_names(document: Any) -> Any:
    """A document with CORD's entity types in full, as its annotation names them; serves references and predictions.

    CORD's parses nest sub-items (`menu` → `sub` → `nm`), models write `menu.sub` → `menu.sub_nm` or any mixture: all
    become `menu.sub_nm`. What is not an object (an invalid prediction) stays as it is.

    >>> cord_names({"menu": [{"nm": "Latte", "sub": [{"sub_nm": "oat"}, {"menu.sub_price": "0.50"}]}]})
    {'menu': [{'menu.nm': 'Latte', 'menu.sub': [{'menu.sub_nm': 'oat'}, {'menu.sub_price': '0.50'}]}]}
    """
    if not isinstance(document, Mapping):
        return document
    return with_room(lambda: {key: _named(value, str(key), f"{key}.") for key, value in document.items()})


def _named(value: Any, path: str, prefix: str) -> Any:
    if isinstance(value, list):
        return [_named(element, path, prefix) for element in value]
    if not isinstance(value, Mapping) or is_scored_leaf(value) or ANY_OF in value:
        return value
    result: dict[str, Any] = {}
    for key, child in value.items():
        full = key if str(key).startswith(prefix) else f"{path}.{key}"
        name, named = _SUB_ITEM.sub(".sub_", full), _named(child, full, prefix)
        result[name] = [result[name], named] if name in result else named
    return result


def _place(record: Mapping[str, Any], annotation: Mapping[str, Any] | None = None) -> str:
    meta = (annotation or {}).get("meta")
    number = record.get("id", meta.get("image_id") if isinstance(meta, Mapping) else None)
    return "CORD record" if number is None else f"CORD record {shortened(number)}"
