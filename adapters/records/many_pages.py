"""Documents of many pages, and questions about documents: Kleister, VRDU, DocVQA and MP-DocVQA."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping

from docie.core.errors import in_json, inside, shortened
from docie.core.values.json_text import loads
from docie.core.values.plain import JsonObject, as_list, is_list

from ..grouping import to_document
from ..grouping.documents import Entity
from .checks import any_of, joined_words, list_of, objects, parsed, plain, reading, text


def kleister(record: Mapping[str, object]) -> JsonObject:
    """The reference document of a contract or annual report: ungrouped entities, with the original types.

    Source: Stanisławek et al., "Kleister: Key Information Extraction Datasets Involving Long Documents with Complex
    Layouts" (2021); Borchmann et al., "DUE: End-to-End Document Understanding Benchmark" (2021).

    Args:
        record (dict): a record with a line of `expected.tsv`, the file of both data sets, in the column `expected`:
            pairs `key=value` separated by blanks. Underscores in values stand for blanks (and for colons, from which
            they cannot be distinguished). A repeated key, such as `party`, has several values. Or a record with the
            column `annotations` of the versions in DUE's format (`meta/KleisterCharity` of `mPLUG/DocDownstream-1.0`):
            a list of `key` and `values`, each with its `value`, and with `value_variants` for alternatives.

    Returns:
        dict: a document.

    Raises:
        ValueError: if something is missing or malformed; it names record and field.

    >>> kleister({"expected": "effective_date=2014-05-20 party=Ada_Ltd. party=Babbage_Inc."})
    {'effective_date': '2014-05-20', 'party': ['Ada Ltd.', 'Babbage Inc.']}
    >>> kleister({"annotations": [{"key": "report_date", "values": [{"value": "2016-03-31"}]}]})
    {'report_date': '2016-03-31'}
    """
    with reading("Kleister", record, "name"):
        if "expected" in record:
            return _kleister_document(_pair(pair) for pair in text(record, "expected").split())
        pairs: list[tuple[str, object]] = []
        annotations = objects({"annotations": parsed(record, "annotations")}, "annotations")
        for position, annotation in enumerate(annotations):
            with inside(f"annotations {position}"):
                key = text(annotation, "key")
                values = objects(annotation, "values")
                pairs += [(key, any_of(_variants(value))) for value in values]
        return _kleister_document(pairs)


def _pair(pair: str) -> tuple[str, str]:
    key, equals, value = pair.partition("=")
    if not key or not equals:
        raise ValueError(f"field 'expected' must be pairs key=value, got {shortened(pair)}")
    return key, value.replace("_", " ").strip()


def _variants(value: Mapping[str, object]) -> list[str]:
    has_more = value.get("value_variants") is not None
    return [text(value, "value"), *(list_of(value, "value_variants", str, "a list of text") if has_more else [])]


def _kleister_document(pairs: Iterable[tuple[str, object]]) -> JsonObject:
    return to_document([], [Entity(key, value) for key, value in pairs if value])


def vrdu(record: Mapping[str, object]) -> JsonObject:
    """The reference document of a registration form or ad-buy form.

    Source: Wang et al., "VRDU: A Benchmark for Visually-rich Document Understanding" (2023).

    Args:
        record (dict): a line of `dataset.jsonl` of either part, whose `annotations` (a list, or its JSON text) are
            pairs of an entity's name and its places `[text, box, spans]`. Several places are alternatives. A repeated
            name has several values. A pair of several names is a line item, a group of the type `line_item`
            (`line_item.program_desc`). Line ends in texts become blanks.

    Returns:
        dict: a document.

    Raises:
        ValueError: if something is missing or malformed; it names record and field.

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
                    texts = map(_place_text, _sized(places, None, "a list of places"))
                    ungrouped.append(Entity(_text_of(name, "an entity's name"), any_of(texts)))
        return to_document(
            [(group_type, group) for group_type, group in items if group],
            [entity for entity in ungrouped if entity.value],
        )


def _line_item(names: list[object], places: object) -> list[Entity]:
    [parts] = _sized(places, 1, "one list of places")
    texts = [_place_text(place) for place in _sized(parts, len(names), f"{len(names)} places, one of each name")]
    types = ["line_item." + _text_of(name, "an entity's name") for name in names]
    return [Entity(*pair) for pair in zip(types, texts, strict=True) if pair[1]]


def _text_of(value: object, expected: str) -> str:
    if not isinstance(value, str):
        raise ValueError(f"expected {expected}, got {in_json(value)}")
    return value


def _place_text(place: object) -> str:
    """The text of a place, on one line."""
    return joined_words([_text_of(_sized(place, 3, "a place [text, box, spans]")[0], "a place's text")])


def _sized(value: object, size: int | None, expected: str) -> list[object]:
    """A list of this size; None: of at least one element."""
    elements = [plain(element) for element in as_list(value)] if is_list(value) else []
    if not elements or (size is not None and len(elements) != size):
        raise ValueError(f"expected {expected}, got {in_json(value)}")
    return elements


def docvqa(record: Mapping[str, object]) -> str | tuple[str, ...] | None:
    """The answer to a question of DocVQA.

    The answer is not in a document, as in the metric of these data sets: `anls_star` accepts it as a reference and a
    model's answer as prediction. For metrics of documents, wrap reference and prediction: `{"answer": docvqa(record)}`.

    Source: Mathew et al., "DocVQA: A Dataset for VQA on Document Images" (2021).

    Args:
        record (dict): a record of `lmms-lab/DocVQA` or `nielsr/docvqa_1200_examples` (and its copies for Donut), with
            the column `answers`: a list of texts, or such a list as text, in JSON or Python.

    Returns:
        str or tuple of str: the answer, or the alternative answers. Equal ones count once, blank ones are ignored.
        None, if all are blank, means that no answer is correct.

    Raises:
        ValueError: if something is missing or malformed; it names record and field. A record without answers, as in the
            test sets, cannot be a reference.

    >>> docvqa({"questionId": "1", "answers": ["31 May 1990", "May 31, 1990", "31 May 1990"]})
    ('31 May 1990', 'May 31, 1990')
    >>> docvqa({"answers": ["12"]})
    '12'
    """
    return _answer("DocVQA", record)


def mp_docvqa(record: Mapping[str, object]) -> str | tuple[str, ...] | None:
    """The answer to a question of MP-DocVQA, about a document of several pages. The page of the answer is ignored.

    Source: Tito et al., "Hierarchical multimodal transformers for Multi-Page DocVQA" (2023).

    Args:
        record (dict): a record of `lmms-lab/MP-DocVQA`, whose column `answers` is a list as text, or of the annotation
            of `rubentito/mp-docvqa`, where it is a list.

    Returns:
        str or tuple of str: as in `docvqa`.

    Raises:
        ValueError: for the same reasons as `docvqa`.

    >>> mp_docvqa({"questionId": "1", "page_ids": "['p1', 'p2']", "answers": "['p. 4', '4']", "answer_page_idx": "1"})
    ('p. 4', '4')
    """
    return _answer("MP-DocVQA", record)


def _answer(dataset: str, record: Mapping[str, object]) -> str | tuple[str, ...] | None:
    with reading(dataset, record, "questionId"):
        answers = list_of({"answers": _list(record.get("answers"))}, "answers", str, "a list of text")
        if not answers:
            raise ValueError("field 'answers' has none")
        return any_of(answers) or None


def _list(value: object) -> object:
    """The list of texts that a text encodes, in JSON or Python. Any other text is one answer."""
    if not isinstance(value, str):
        return value
    for read in (loads, ast.literal_eval) if value.strip().startswith("[") else ():
        try:
            written = read(value.strip())
        except (ValueError, SyntaxError, RecursionError, MemoryError):
            continue
        if isinstance(written, list) and all(isinstance(answer, str) for answer in written):
            return written
    if value.strip().startswith(("['", '["')):
        raise ValueError("field 'answers' begins as the text of a list but is none")
    return [value]
