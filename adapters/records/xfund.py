"""XFUND: forms in seven languages."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from docie.core.errors import shortened
from docie.core.settings import check_flag

from .fields import inside, list_of, objects, parsed, reading, whole
from .forms import LABELS, Links, Part, annotated_form, form_document, label_of, tagged_form


def xfund(
    record: Mapping[str, Any],
    *,
    links: bool = True,
    names: Sequence[str] | None = None,
    decode: Callable[[list[int]], str] | None = None,
) -> dict[str, Any]:
    """The reference document of an XFUND form, with types and groups as `funsd` makes them.

    Source: Xu et al., "XFUND: A Benchmark Dataset for Multilingual Visually Rich Form Understanding" (2022).

    Args:
        record (dict): XFUND's own annotation of one document, as in `ArneBinder/xfund`, whose `document` lists entities
            with `id`, `label`, `text` and `linking`. Or a record of `nielsr/XFUN`, `ranpox/xfund` or
            `FrancophonIA/XFUND`, with columns `input_ids`, `entities` (`start`, `end`, `label`) and `relations`
            (`head`, `tail`), which hold numbers of tokens instead of text; these are pieces of at most 512 tokens,
            without the links between pieces. Or tagged words, with columns `words` or `tokens` and `ner_tags`.
        links (bool): follow the links between questions and answers; tagged words have none.
        names (list of str): the names of the tags, if they are numbers: they differ between versions.
        decode (function): that of the tokenizer, for `input_ids`:
            `AutoTokenizer.from_pretrained("xlm-roberta-base").decode`.

    Returns:
        dict: a document.

    Raises:
        ValueError: for what is missing or malformed; it names record and field.

    >>> name = {"id": 3, "label": "question", "text": "Nom :", "linking": [[3, 7]]}
    >>> xfund({"id": "fr_val_0", "document": [name, {"id": 7, "label": "answer", "text": "Ada", "linking": [[3, 7]]}]})
    {'field': [{'field.question': 'Nom :', 'field.answer': 'Ada'}]}
    >>> entities, relations = {"start": [0, 2], "end": [2, 3], "label": [1, 2]}, {"head": [0], "tail": [1]}
    >>> tokens = {"input_ids": [11, 12, 13], "entities": entities, "relations": relations}
    >>> xfund(tokens, decode=lambda numbers: " ".join(map(str, numbers)))
    {'field': [{'field.question': '11 12', 'field.answer': '13'}]}
    """
    check_flag("links", links)
    with reading("XFUND", record):
        if "document" in record:
            return annotated_form({"document": parsed(record, "document")}, "document", links)
        if "input_ids" in record:
            return form_document(_decoded_parts(record, decode), _relations(record) if links else None)
        return tagged_form(record, "document", links, names)


def _decoded_parts(record: Mapping[str, Any], decode: Callable[[list[int]], str] | None) -> list[Part]:
    """The entities of a record of tokens, each with its position as id."""
    tokens = list_of(record, "input_ids", int, "a list of whole numbers")
    if not callable(decode):
        raise ValueError(
            f"field 'input_ids' holds numbers, which need the tokenizer's decode=, got {shortened(decode)}"
        )
    parts = []
    for position, entity in enumerate(objects(record, "entities")):
        with inside(f"entities {position}"):
            start, end = whole(entity, "start"), whole(entity, "end")
            if not 0 <= start <= end <= len(tokens):
                raise ValueError(f"expected 0 <= start <= end <= {len(tokens)}, got {start} and {end}")
            parts.append(Part(position, label_of(entity, LABELS[:3]), decode(tokens[start:end]).strip()))
    return parts


def _relations(record: Mapping[str, Any]) -> Links:
    return [(whole(relation, "head"), whole(relation, "tail")) for relation in objects(record, "relations")]
