"""Records of data sets become rows, by `docie.adapters.records`."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Mapping

from docie.core.values.json_text import as_json
from docie.core.values.plain import JsonObject
from docie.inputs.openers import meta_of

GROUND_TRUTH = "ground_truth"
"""The column of data sets for Donut, which every metric reads as it is."""
_COLUMNS = {
    "funsd": ({"form"}, {"text_output"}),
    "xfund": ({"document"},),
    "mp_docvqa": ({"answers", "question", "page_ids"}, {"answers", "question", "answer_page_idx"}),
    "docvqa": ({"answers", "question"},),
    "kleister": ({"expected"}, {"annotations"}),
    "vrdu": ({"annotations", "filename"},),
}
"""The columns that tell a data set; several may do so."""
_ANNOTATIONS = {GROUND_TRUTH, "form", "text_output", "document", "answers", "expected", "annotations"}


def record_row(record: object, dataset: str, id_key: str) -> JsonObject:
    """A record as a wrapper, with its id, its document, and its other single values as `meta`.

    Args:
        record: a record of the data set.
        dataset: whose records are read so, one of `docie.inputs.reading.DATASETS`, or `GROUND_TRUTH`.
        id_key: the key of the id.

    Raises:
        ValueError: for a record that is malformed.

    >>> record_row({"id": 7, "words": ["Kopi"], "ner_tags": ["B-COMPANY"], "lang": "ms"}, "sroie", "id")
    {'id': 7, 'document': {'company': 'Kopi'}, 'meta': {'lang': 'ms'}}
    """
    from docie.adapters import records

    fields = record if isinstance(record, dict) else {}
    if dataset == GROUND_TRUTH:
        content = {GROUND_TRUTH: fields[GROUND_TRUTH]}
    else:
        content = {"document": as_json(getattr(records, dataset)(record), is_reference=True)}
    identity = {id_key: fields[id_key]} if id_key in fields else {}
    meta = meta_of({key: value for key, value in fields.items() if key not in _ANNOTATIONS}, id_key, ())
    return {**identity, **content, **({"meta": meta} if meta else {})}


def datasets_like(record: Mapping[str, object], tags: Iterable[object]) -> list[str]:
    """The data sets whose records may be like this one: several if their tags have other names.

    Args:
        record: a record.
        tags: the names of its tags, as far as they are known.

    >>> datasets_like({"words": ["Kopi"], "ner_tags": [1]}, ["O", "B-COMPANY"]), datasets_like({"total": "9.00"}, [])
    (['sroie'], [])
    """
    from docie.adapters import records

    if GROUND_TRUTH in record:
        return [GROUND_TRUTH]
    if "ner_tags" in record and {"words", "tokens"} & record.keys():
        known = {"cord": records.CORD_TAGS, "sroie": records.SROIE_TAGS, "funsd": records.FUNSD_TAGS}
        names = {*tags}
        return [name for name, listed in known.items() if names and names <= {*listed}][:1] or [*known]
    for name, columns in _COLUMNS.items():
        if any(each <= record.keys() for each in columns):
            with contextlib.suppress(ValueError):  # other data sets have such columns, too
                getattr(records, name)(record)
                return [name]
    return []
