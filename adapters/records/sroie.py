"""SROIE: four values of a receipt."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..grouping import to_document
from .fields import field, parsed, reading
from .tags import bio, entities_of, is_tagged

SROIE_TAGS = bio(["COMPANY", "DATE", "ADDRESS", "TOTAL"])
"""The tags of `darentang/sroie`, as its feature names them."""


def sroie(record: Mapping[str, Any], *, names: Sequence[str] | None = None) -> dict[str, Any]:
    """The reference document of an SROIE receipt: ungrouped entities `company`, `date`, `address`, `total`.

    Source: Huang et al., "ICDAR2019 Competition on Scanned Receipt OCR and Information Extraction" (2019).

    Args:
        record (dict): a record of `darentang/sroie`, with columns `words` and `ner_tags`; a value that is tagged in
            several places becomes a list of them. Or one of `podbilabs/sroie-donut`, whose column `ground_truth` is
            JSON text with `gt_parse`; a value that is not annotated may be missing or None.
        names (list of str): the names of the tags, if they are numbers; `SROIE_TAGS` by default.

    Returns:
        dict: a document.

    Raises:
        ValueError: for what is missing or malformed; it names record and field.

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
