"""FUNSD and XFUND: headers, questions and answers of forms, and the links between them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from docie.adapters.grouping import Entity, to_document
from docie.adapters.records.fields import field, inside, list_of, objects, parsed, plain, reading, text, whole
from docie.adapters.records.tags import bio, entities_of
from docie.errors import shortened
from docie.values import as_list, is_list

__all__ = ["FUNSD_TAGS", "funsd", "xfund"]

LABELS = ("header", "question", "answer", "other")
"""Of an annotation, in the order of their numbers where a data set numbers them."""
FUNSD_TAGS = bio(["HEADER", "QUESTION", "ANSWER"])
"""The tags of `nielsr/funsd-layoutlmv3`, as its feature names them."""


class _Part(NamedTuple):
    """An annotated entity of a form."""

    id: str | int
    label: str
    text: str


Links = list[tuple[str | int, str | int]]


def funsd(record: Mapping[str, Any], *, links: bool = False, names: Sequence[str] | None = None) -> dict[str, Any]:
    """The reference document of a FUNSD form: `header`, `question` and `answer`, all ungrouped, as in KIEval's paper.

    `record` is one of `nielsr/funsd-layoutlmv3`, with columns `tokens` and `ner_tags` (`nielsr/funsd` names the first
    `words`), whose `names` are `FUNSD_TAGS` unless given. Or it is FUNSD's own annotation, whose `form` lists entities
    with `id`, `label`, `text` and `linking`; `davidle7/funsd-json` has it as JSON text in the column `text_output`.
    Entities labelled `other` are left out.

    With `links`, which only the annotation has, questions and answers stand in groups of the type `field`: one of each
    question, with all answers linked to it, or none; an answer that is linked to several questions, as in a table with
    heads of rows and of columns, stands in the group of each, and one that is linked to none in a group of its own.
    Headers stay ungrouped. All other links (of headers, between questions or between answers) are not followed.

    Source: Jaume et al., "FUNSD: A Dataset for Form Understanding in Noisy Scanned Documents" (2019).

    >>> funsd({"id": "0", "tokens": ["FAX", "Sent", "by:", "Ada"], "ner_tags": [1, 3, 4, 5]})
    {'header': 'FAX', 'question': 'Sent by:', 'answer': 'Ada'}
    >>> sent = {"id": 0, "label": "question", "text": "Sent by:", "linking": [[0, 1]]}
    >>> funsd({"form": [sent, {"id": 1, "label": "answer", "text": "Ada", "linking": [[0, 1]]}]}, links=True)
    {'field': [{'field.question': 'Sent by:', 'field.answer': 'Ada'}]}
    """
    with reading("FUNSD", record):
        annotation = record
        if "text_output" in record:
            annotation = field({"text_output": parsed(record, "text_output")}, "text_output", Mapping, "an object")
        if "text_output" in record or "form" in record:
            return _annotated({"form": parsed(annotation, "form")}, "form", links)
        return _tagged(record, "form", links, FUNSD_TAGS if names is None else names)


def xfund(
    record: Mapping[str, Any],
    *,
    links: bool = True,
    names: Sequence[str] | None = None,
    decode: Callable[[list[int]], str] | None = None,
) -> dict[str, Any]:
    """The reference document of an XFUND form: types and groups as `funsd` makes them, with links unless told.

    `record` is XFUND's own annotation of one document, as in `ArneBinder/xfund`, whose `document` lists entities with
    `id`, `label`, `text` and `linking`. Or it is one of `nielsr/XFUN`, `ranpox/xfund` or `FrancophonIA/XFUND`, with
    columns `input_ids`, `entities` (`start`, `end`, `label`) and `relations` (`head`, `tail`), which hold numbers of
    tokens instead of text: `decode` is that tokenizer's (`AutoTokenizer.from_pretrained("xlm-roberta-base").decode`).
    These records are pieces of at most 512 tokens, links between pieces are not in them. Records of tagged words, with
    columns `words` or `tokens` and `ner_tags`, have no links and differ in their tags, so that numbers need `names`.

    Source: Xu et al., "XFUND: A Benchmark Dataset for Multilingual Visually Rich Form Understanding" (2022).

    >>> name = {"id": 3, "label": "question", "text": "Nom :", "linking": [[3, 7]]}
    >>> xfund({"id": "fr_val_0", "document": [name, {"id": 7, "label": "answer", "text": "Ada", "linking": [[3, 7]]}]})
    {'field': [{'field.question': 'Nom :', 'field.answer': 'Ada'}]}
    >>> entities, relations = {"start": [0, 2], "end": [2, 3], "label": [1, 2]}, {"head": [0], "tail": [1]}
    >>> tokens = {"input_ids": [11, 12, 13], "entities": entities, "relations": relations}
    >>> xfund(tokens, decode=lambda numbers: " ".join(map(str, numbers)))
    {'field': [{'field.question': '11 12', 'field.answer': '13'}]}
    """
    with reading("XFUND", record):
        if "document" in record:
            return _annotated({"document": parsed(record, "document")}, "document", links)
        if "input_ids" in record:
            return _document(_of_tokens(record, decode), _relations(record) if links else None)
        return _tagged(record, "document", links, names)


def _tagged(record: Mapping[str, Any], annotation: str, links: bool, names: Sequence[str] | None) -> dict[str, Any]:
    if links:
        raise ValueError(f"field {annotation!r} is missing, and tagged words have no links; links=False reads them")
    return to_document([], entities_of(record, names))


def _annotated(annotation: Mapping[str, Any], name: str, links: bool) -> dict[str, Any]:
    """The document of entities that carry their own links."""
    parts: list[_Part] = []
    found: Links = []
    for position, entity in enumerate(objects(annotation, name)):
        with inside(f"{name} {position}"):
            identity = field(entity, "id", int | str, "a whole number or text")
            parts.append(_Part(identity, _label(entity, LABELS), text(entity, "text").strip()))
            found += _linking(entity) if links else []
    return _document(parts, found if links else None)


def _linking(entity: Mapping[str, Any]) -> Links:
    pairs = []
    for position, link in enumerate(list_of(entity, "linking", expected="a list of pairs of ids")):
        ids = [plain(end) for end in as_list(link)] if is_list(link) else []
        if len(ids) != 2 or not all(isinstance(end, int | str) for end in ids):
            raise ValueError(f"field 'linking' must be a list of pairs of ids, got {shortened(link)} at {position}")
        pairs.append((ids[0], ids[1]))
    return pairs


def _label(entity: Mapping[str, Any], labels: Sequence[str]) -> str:
    found = field(entity, "label", int | str, "text or a number")
    if isinstance(found, int) and 0 <= found < len(labels):
        return labels[found]
    if str(found).lower() not in labels:
        raise ValueError(f"field 'label' must be one of {', '.join(labels)}, got {shortened(found)}")
    return str(found).lower()


def _of_tokens(record: Mapping[str, Any], decode: Callable[[list[int]], str] | None) -> list[_Part]:
    """The entities of a record of tokens, each with its position as id."""
    tokens = list_of(record, "input_ids", int, "a list of whole numbers")
    if decode is None:
        raise ValueError("field 'input_ids' holds numbers, which need the tokenizer's decode=")
    parts = []
    for position, entity in enumerate(objects(record, "entities")):
        with inside(f"entities {position}"):
            start, end = whole(entity, "start"), whole(entity, "end")
            if not 0 <= start <= end <= len(tokens):
                raise ValueError(f"expected 0 <= start <= end <= {len(tokens)}, got {start} and {end}")
            parts.append(_Part(position, _label(entity, LABELS[:3]), decode(tokens[start:end]).strip()))
    return parts


def _relations(record: Mapping[str, Any]) -> Links:
    return [(whole(relation, "head"), whole(relation, "tail")) for relation in objects(record, "relations")]


def _document(parts: list[_Part], links: Links | None) -> dict[str, Any]:
    """The document of a form, its questions and answers in groups where there are `links`, even if none."""
    if links is None:
        return to_document([], [Entity(part.label, part.text) for part in parts if part.text and part.label != "other"])
    answers = _answers(parts, links)
    linked = {answer for found in answers.values() for answer in found}
    grouped = []
    for position, part in enumerate(parts):
        if part.label == "question":
            members = [position, *answers[position]]
        elif part.label == "answer" and position not in linked:
            members = [position]
        else:
            continue
        group = [Entity(f"field.{parts[member].label}", parts[member].text) for member in members if parts[member].text]
        if group:
            grouped.append(("field", group))
    return to_document(grouped, [Entity("header", part.text) for part in parts if part.label == "header" and part.text])


def _answers(parts: list[_Part], links: Iterable[tuple[str | int, str | int]]) -> dict[int, list[int]]:
    """By the position of each question, the positions of the answers linked to it, in order."""
    positions = {part.id: position for position, part in enumerate(parts)}
    if len(positions) < len(parts):
        raise ValueError("field 'id' must differ between entities")
    found: dict[int, set[int]] = {position: set() for position, part in enumerate(parts) if part.label == "question"}
    for link in links:
        for end in link:
            if end not in positions:
                raise ValueError(f"links name the entity {shortened(end)}, which is none")
        for question, answer in (map(positions.__getitem__, ends) for ends in (link, link[::-1])):
            if question in found and parts[answer].label == "answer":
                found[question].add(answer)
    return {question: sorted(answers) for question, answers in found.items()}
