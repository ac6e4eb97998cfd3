"""Labels of words → the inputs of metrics."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from difflib import get_close_matches
from functools import partial

from docie.core.errors import shortened, warn
from docie.core.settings import check_list
from docie.core.values.plain import as_list, is_list
from docie.documents.tagging.schemes import OUTSIDE, is_tag, split_tag
from docie.inputs.reading import PLAIN, Reading
from docie.inputs.row import Row
from docie.inputs.shapes import Shape

from .. import bio
from ..grouping import slot_filling
from ..grouping.documents import GroupTypes, checked_iterable
from ..tokens.labels import Id2Label, Joiner, WordLabels, label_names
from .scores import View, view_of_document


class TaggedDocuments:
    """The words of documents, and their references: documents, or lists of tags or label ids, one a word.

    Args:
        words, references, word_ids, id2label, documents, groups, strategy: as in `token_classification_metrics`.
        reading: which names on both sides are others, or left out.

    Attributes:
        reader: makes the reader of the rows of one evaluation.
        label_reader: makes the reader of their labels.
        kinds: the kinds of input for which there are views.
    """

    def __init__(
        self,
        words: Sequence[Sequence[str]],
        references: Sequence[object],
        word_ids: Sequence[Sequence[int | None]],
        id2label: Id2Label,
        *,
        documents: Sequence[int] | None,
        groups: GroupTypes,
        strategy: str,
        reading: Reading = PLAIN,
    ) -> None:
        for name, values in (("words", words), ("references", references)):
            check_list(name, values)
        words, references = list(words), list(references)
        if len(references) != len(words):
            raise ValueError(f"expected as many references as documents, got {len(references)} and {len(words)}")
        names = label_names(id2label)
        self.prefix = _missing_prefix(names.values())
        self.names = {number: name if name == OUTSIDE else self.prefix + name for number, name in names.items()}
        self.words = words
        self.groups = groups if isinstance(groups, Mapping | str) else list(checked_iterable("groups", groups))
        _check_groups(self.groups, {split_tag(name)[1] for name in self.names.values() if name != OUTSIDE})
        self.shapes = {side: Shape(side, reading.side(side), looks=False) for side in ("prediction", "reference")}
        self.references: Sequence[object] = references
        self.references_are_tags = _are_lists(references)
        self.kinds = (("tagged words",) if self.references_are_tags else ()) + ("document", "entities")
        lengths = [_length(number, words_of_one) for number, words_of_one in enumerate(words)]
        joiner = partial(Joiner, word_ids, self.names, documents=documents, lengths=lengths)
        self.reader, self.label_reader = partial(joiner, strategy=strategy), partial(joiner, strategy="first")
        _check_all_documents_have_rows(self.reader(), lengths)

    def document(self, number: int, content: WordLabels) -> object:
        """The document of labelled words."""
        return self._named(self._document(number, content), "prediction")

    def _document(self, number: int, content: WordLabels) -> object:
        entities = bio.decode(self.words[number], content.labels, None, confidences=content.confidences)
        return slot_filling(entities, self.groups)

    def _named(self, document: object, side: str) -> object:
        """A document with the names of the other side."""
        shape = self.shapes[side]
        return document if shape.is_plain else shape.of(Row(document)).document

    def prediction(self, number: int, content: WordLabels) -> View:
        """Labelled words in the format of metrics."""
        return self._view(number, content, "prediction")

    def _view(self, number: int, content: WordLabels, side: str) -> View:
        def view(input_kind: str) -> object:
            if input_kind == "tagged words":
                return self._named({"words": list(self.words[number]), "tags": content.labels}, side)
            return view_of_document(self._named(self._document(number, content), side), side)(input_kind)

        return view

    def reference(self, number: int) -> View:
        """The reference of a document in the format of metrics."""
        reference = self.references[number]
        if self.references_are_tags:
            return self._view(number, self._word_labels(number, reference), "reference")
        return view_of_document(self._named(reference, "reference"), "reference")

    def nothing(self, number: int) -> WordLabels:
        """The labels of a document without any entity."""
        return WordLabels([OUTSIDE] * len(self.words[number]), [None] * len(self.words[number]))

    def _word_labels(self, number: int, tags: object) -> WordLabels:
        tags = tags.tolist() if hasattr(tags, "tolist") else as_list(tags)  # also for a tensor
        if len(tags) != len(self.words[number]):
            expected = len(self.words[number])
            raise ValueError(f"document {number}: expected as many tags as words, got {len(tags)} and {expected}")
        return WordLabels([self._tag(number, tag) for tag in tags], [None] * len(tags))

    def _tag(self, number: int, tag: object) -> str:
        """A label id or name as a tag."""
        if isinstance(tag, int | str) and tag in self.names:
            return self.names[tag]
        if not isinstance(tag, str):
            raise ValueError(f"document {number}: expected tags or ids of id2label, got {shortened(tag)}")
        if tag != OUTSIDE and is_tag(tag) != (not self.prefix):
            raise ValueError(f"document {number}: expected labels as id2label has them, got {tag!r}")
        return tag if tag == OUTSIDE else self.prefix + tag


def _are_lists(references: Sequence[object]) -> bool:
    """Whether references are lists of tags. Raises ValueError if only some are."""
    lists = [is_list(reference) or hasattr(reference, "tolist") for reference in references]
    if any(lists) and not all(lists):
        number = lists.index(not lists[0])
        first, here = (type(references[place]).__name__ for place in (0, number))
        problem = f"document {number}: its reference is of the type {here}, that of document 0 of {first}"
        raise ValueError(f"{problem}; expected documents, or lists of tags, for all")
    return any(lists)


def _length(number: int, words: Sequence[str]) -> int:
    if not is_list(words):
        raise ValueError(f"document {number}: expected a list of words, got {shortened(words)}")
    return len(words)


def _check_groups(groups: GroupTypes, types: Collection[str]) -> None:
    """Warn of groups, or of their entity types, without a label. Raise ValueError if all are."""
    slot_filling([], groups)  # raises if they are not group types
    if isinstance(groups, Mapping):
        named, known = [entity_type for members in groups.values() for entity_type in members], set(types)
    else:
        named, known = list(groups), {name[:end] for name in types for end, mark in enumerate(name) if mark == "."}
    unknown = [name for name in named if name not in known]
    texts = []
    for name in unknown:
        close = get_close_matches(name, known, n=1)
        texts.append(f"{name!r} (close: {close[0]!r})" if close else repr(name))
    message = f"groups: no label belongs to {', '.join(texts)}"
    if unknown and len(unknown) == len(named):
        raise ValueError(f"{message}; labels are {', '.join(sorted(types))}")
    if unknown:
        warn(message)


def _check_all_documents_have_rows(reader: Joiner, lengths: Sequence[int]) -> None:
    """Raise ValueError for a document with words but without any row."""
    for number, length in enumerate(lengths):
        if length and number not in reader.last_rows:
            problem = f"document {number} has {length} words, but no row"
            raise ValueError(f"{problem}; check that documents do not count from 0 again in every batch of a map")


def _missing_prefix(names: Collection[str]) -> str:
    """The prefix that turns labels into tags: nothing if they are tags, otherwise `I-`.

    With `I-`, neighbours with the same label are one entity. Raises ValueError for labels of both kinds.
    """
    plain = [name for name in names if name != OUTSIDE and not is_tag(name)]
    tags = [name for name in names if name != OUTSIDE and is_tag(name)]
    if plain and tags:
        raise ValueError(f"id2label has tags and other labels, such as {tags[0]!r} and {plain[0]!r}")
    return "I-" if plain else ""
