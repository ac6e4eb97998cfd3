"""Forms: FUNSD, and XFUND in seven languages. Headers, questions and answers, and the links between them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from docie.core.errors import in_json, inside, shortened
from docie.core.settings import check_flag
from docie.core.values.plain import Columns, JsonObject, as_list, is_list
from docie.documents.tagging.schemes import OUTSIDE

from ..grouping import to_document
from ..grouping.documents import Entity
from .checks import bio, box_of, entities_of, field, list_of, objects, parsed, plain, reading, text, whole

LABELS = ("header", "question", "answer", "other")
"""The labels of an annotation, in the order of their numbers."""
Links = list[tuple[str | int, str | int]]


class FormEntity(NamedTuple):
    """An annotated entity of a form."""

    id: str | int
    label: str
    text: str


def tagged_form(record: Mapping[str, object], annotation: str, links: bool, names: Sequence[str] | None) -> JsonObject:
    """The document of tagged words; `annotation` is the field that holds links."""
    if links:
        raise ValueError(f"field {annotation!r} is missing, and tagged words have no links; links=False reads them")
    return to_document([], entities_of(record, names))


def form_annotation(record: Mapping[str, object]) -> tuple[Mapping[str, object], str]:
    """The original annotation of FUNSD or XFUND, and the field that lists its entities."""
    name = "document" if "document" in record else "form"
    if "text_output" in record:
        record = field({"text_output": parsed(record, "text_output")}, "text_output", Mapping, "an object")
    return {name: parsed(record, name)}, name


def annotated_form(annotation: Mapping[str, object], name: str, links: bool) -> JsonObject:
    """The document of entities that hold their own links; `name` is the field that lists them."""
    parts, links_of_all = _parts(annotation, name, links)
    return form_document(parts, links_of_all if links else None)


def form_words(annotation: Mapping[str, object], name: str) -> Columns:
    """The words of entities, with their boxes, the label and the number of the entity, and the links by number."""
    columns: Columns = {"words": [], "boxes": [], "labels": [], "entities": []}
    parts, links = _parts(annotation, name, links=True)
    for position, (entity, part) in enumerate(zip(objects(annotation, name), parts, strict=True)):
        with inside(f"{name} {position}"):
            words = [(text(word, "text"), box_of(word)) for word in objects(entity, "words")]
        label = OUTSIDE if part.label == "other" else part.label
        for word, box in words:
            if word.strip():
                for column, value in zip(columns.values(), (word, box, label, position), strict=True):
                    column.append(value)
    answers = _linked_answers(parts, links)
    return {**columns, "links": [[question, answer] for question in answers for answer in answers[question]]}


def _parts(annotation: Mapping[str, object], name: str, links: bool) -> tuple[list[FormEntity], Links]:
    """The entities, and their links if requested."""
    parts: list[FormEntity] = []
    links_of_all: Links = []
    for position, entity in enumerate(objects(annotation, name)):
        with inside(f"{name} {position}"):
            identity = field(entity, "id", int | str, "a whole number or text")
            parts.append(FormEntity(identity, label_of(entity, LABELS), text(entity, "text").strip()))
            links_of_all += _links_of(entity) if links else []
    return parts, links_of_all


def _links_of(entity: Mapping[str, object]) -> Links:
    pairs = []
    for position, link in enumerate(list_of(entity, "linking", expected="a list of pairs of ids")):
        ids = [plain(end) for end in as_list(link)] if is_list(link) else []
        if len(ids) != 2 or not all(isinstance(end, int | str) for end in ids):
            raise ValueError(f"field 'linking' must be a list of pairs of ids, got {in_json(link)} at {position}")
        pairs.append((ids[0], ids[1]))
    return pairs


def label_of(entity: Mapping[str, object], labels: Sequence[str]) -> str:
    """The label of an entity, given by name or by number."""
    label = field(entity, "label", int | str, "text or a number")
    if isinstance(label, int) and 0 <= label < len(labels):
        return labels[label]
    if str(label).lower() not in labels:
        raise ValueError(f"field 'label' must be one of {', '.join(labels)}, got {in_json(label)}")
    return str(label).lower()


def form_document(parts: list[FormEntity], links: Links | None) -> JsonObject:
    """The document of a form. With `links`, even without any link, questions and answers are in groups."""
    if links is None:
        return to_document([], [Entity(part.label, part.text) for part in parts if part.text and part.label != "other"])
    answers_of = _linked_answers(parts, links)
    linked = {answer for answers in answers_of.values() for answer in answers}
    grouped = []
    for position, part in enumerate(parts):
        if part.label == "question":
            members = [position, *answers_of[position]]
        elif part.label == "answer" and position not in linked:
            members = [position]
        else:
            continue
        group = [Entity(f"field.{parts[member].label}", parts[member].text) for member in members if parts[member].text]
        if group:
            grouped.append(("field", group))
    return to_document(grouped, [Entity("header", part.text) for part in parts if part.label == "header" and part.text])


def _linked_answers(parts: list[FormEntity], links: Iterable[tuple[str | int, str | int]]) -> dict[int, list[int]]:
    """From the position of each question to the positions of the answers linked to it, in order."""
    positions = {part.id: position for position, part in enumerate(parts)}
    if len(positions) < len(parts):
        raise ValueError("field 'id' must differ between entities")
    answers: dict[int, set[int]] = {position: set() for position, part in enumerate(parts) if part.label == "question"}
    for link in links:
        for end in link:
            if end not in positions:
                raise ValueError(f"links name the entity {shortened(end)}, which is none")
        for question, answer in (map(positions.__getitem__, ends) for ends in (link, link[::-1])):
            if question in answers and parts[answer].label == "answer":
                answers[question].add(answer)
    return {question: sorted(linked) for question, linked in answers.items()}


FUNSD_TAGS = bio(["HEADER", "QUESTION", "ANSWER"])
"""The tags of `nielsr/funsd-layoutlmv3`, as named in its feature."""


def funsd(record: Mapping[str, object], *, links: bool = False, names: Sequence[str] | None = None) -> JsonObject:
    """The reference document of a FUNSD form: `header`, `question` and `answer`, all ungrouped, as in KIEval's paper.

    With `links`, questions and answers are in groups of the type `field`: each question with all answers linked to it.
    An answer that is linked to several questions, as in a table with headings of rows and columns, is in the group of
    each; an answer without a link is a group by itself. Headers stay ungrouped. Other links (of headers, between
    questions or between answers) are ignored.

    Source: Jaume et al., "FUNSD: A Dataset for Form Understanding in Noisy Scanned Documents" (2019).

    Args:
        record (dict): a record of `nielsr/funsd-layoutlmv3`, with columns `tokens` and `ner_tags` (`nielsr/funsd` names
            the first one `words`). Or FUNSD's original annotation, whose `form` lists entities with `id`, `label`,
            `text` and `linking`; `davidle7/funsd-json` has it as JSON text in the column `text_output`. Entities
            labelled `other` are left out.
        links (bool): follow the links between questions and answers, which only the original annotation has.
        names (list of str): the names of the tags, if these are numbers; `FUNSD_TAGS` by default.

    Returns:
        dict: a document.

    Raises:
        ValueError: if something is missing or malformed; it names record and field.

    >>> funsd({"id": "0", "tokens": ["FAX", "Sent", "by:", "Ada"], "ner_tags": [1, 3, 4, 5]})
    {'header': 'FAX', 'question': 'Sent by:', 'answer': 'Ada'}
    >>> sent = {"id": 0, "label": "question", "text": "Sent by:", "linking": [[0, 1]]}
    >>> funsd({"form": [sent, {"id": 1, "label": "answer", "text": "Ada", "linking": [[0, 1]]}]}, links=True)
    {'field': [{'field.question': 'Sent by:', 'field.answer': 'Ada'}]}
    """
    check_flag("links", links)
    with reading("FUNSD", record):
        if "text_output" in record or "form" in record:
            return annotated_form(*form_annotation(record), links)
        return tagged_form(record, "form", links, FUNSD_TAGS if names is None else names)


def xfund(
    record: Mapping[str, object],
    *,
    links: bool = True,
    names: Sequence[str] | None = None,
    decode: Callable[[list[int]], str] | None = None,
) -> JsonObject:
    """The reference document of an XFUND form, with types and groups as in `funsd`.

    Source: Xu et al., "XFUND: A Benchmark Dataset for Multilingual Visually Rich Form Understanding" (2022).

    Args:
        record (dict): XFUND's original annotation of one document, as in `ArneBinder/xfund`, whose `document` lists
            entities with `id`, `label`, `text` and `linking`. Or a record of `nielsr/XFUN`, `ranpox/xfund` or
            `FrancophonIA/XFUND`, with columns `input_ids`, `entities` (`start`, `end`, `label`) and `relations`
            (`head`, `tail`), which hold numbers of tokens instead of text; these records are pieces of at most 512
            tokens, without the links between pieces. Or tagged words, with columns `words` or `tokens` and `ner_tags`.
        links (bool): follow the links between questions and answers; tagged words have none.
        names (list of str): the names of the tags, if these are numbers: they differ between versions.
        decode (function): the tokenizer's `decode`, for `input_ids`:
            `AutoTokenizer.from_pretrained("xlm-roberta-base").decode`.

    Returns:
        dict: a document.

    Raises:
        ValueError: if something is missing or malformed; it names record and field.

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


def _decoded_parts(record: Mapping[str, object], decode: Callable[[list[int]], str] | None) -> list[FormEntity]:
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
            parts.append(FormEntity(position, label_of(entity, LABELS[:3]), decode(tokens[start:end]).strip()))
    return parts


def _relations(record: Mapping[str, object]) -> Links:
    return [(whole(relation, "head"), whole(relation, "tail")) for relation in objects(record, "relations")]
