"""SROIE: four values of a receipt."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from docie.adapters.grouping import to_document
from docie.adapters.records.fields import field, parsed, reading
from docie.adapters.records.tags import bio, entities_of, is_tagged

__all__ = ["SROIE_TAGS", "sroie"]

SROIE_TAGS = bio(["COMPANY", "DATE", "ADDRESS", "TOTAL"])
"""The tags of `darentang/sroie`, as its feature names them."""


def sroie(record: Mapping[str, Any], *, names: Sequence[str] | None = None) -> dict[str, Any]:
    """The reference document of an SROIE receipt: ungrouped entities `company`, `date`, `address`, `total`.

    `record` is one of `darentang/sroie`, with columns `words` and `ner_tags`, whose `names` are `SROIE_TAGS` unless
    given; a value tagged in several places is a list of them. Or it is one of `podbilabs/sroie-donut`, whose column
    `ground_truth` is JSON text with `gt_parse`; a value that is not annotated may be missing or None.

    Source: Huang et al., "ICDAR2019 Competition on Scanned Receipt OCR and Information Extraction" (2019).

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
        return {kind: field(parse, kind, str | None, "text") for kind in parse}
