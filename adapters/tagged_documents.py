"""Labels of words → what metrics take: tagged words, documents, lists of entities."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import partial
from typing import Any

from docie.adapters import bio
from docie.adapters.grouping import GroupTypes, slot_filling
from docie.adapters.tokens import OUTSIDE, Id2Label, Joiner, WordLabels, label_names
from docie.adapters.training_scores import View, of_document
from docie.errors import shortened
from docie.tagging import is_tag
from docie.values import as_list, is_list

__all__ = ["TaggedDocuments"]


class TaggedDocuments:
    """The words of documents with what is right about them: documents, or lists of tags or label ids, one a word.

    Arguments as in `training.token_classification_metrics`. `reader` makes what reads the rows of one evaluation,
    `label_reader` what reads their labels, `kinds` are the kinds of input that there are views of.
    """

    def __init__(
        self,
        words: Sequence[Sequence[str]],
        references: Sequence[Any],
        word_ids: Sequence[Sequence[int | None]],
        id2label: Id2Label,
        *,
        documents: Sequence[int] | None,
        groups: GroupTypes,
        strategy: str,
    ) -> None:
        if len(references) != len(words):
            raise ValueError(f"expected as many references as documents, got {len(references)} and {len(words)}")
        names = label_names(id2label)
        self.prefix = _missing_prefix(names.values())
        self.names = {number: name if name == OUTSIDE else self.prefix + name for number, name in names.items()}
        self.words = words
        self.groups = groups if isinstance(groups, Mapping | str) else list(groups)
        self.references = references
        self.are_tags = _are_lists(references)
        self.kinds = ("tagged words", "document", "entities") if self.are_tags else ("document", "entities")
        lengths = [_length(number, of_one) for number, of_one in enumerate(words)]
        joiner = partial(Joiner, word_ids, self.names, documents=documents, lengths=lengths)
        self.reader, self.label_reader = partial(joiner, strategy=strategy), partial(joiner, strategy="first")
        _check_rows(self.reader(), lengths)

    def document(self, number: int, found: WordLabels) -> dict[str, Any]:
        """The document that the labels of its words make."""
        entities = bio.decode(self.words[number], found.labels, None, confidences=found.confidences)
        return slot_filling(entities, self.groups)

    def prediction(self, number: int, found: WordLabels) -> View:
        """Labelled words as the kind of input that is asked for."""

        def view(kind: str) -> Any:
            if kind == "tagged words":
                return {"words": list(self.words[number]), "tags": found.labels}
            return of_document(self.document(number, found), "prediction")(kind)

        return view

    def reference(self, number: int) -> View:
        """What is right about a document."""
        given = self.references[number]
        return (
            self.prediction(number, self._labels(number, given)) if self.are_tags else of_document(given, "reference")
        )

    def nothing(self, number: int) -> WordLabels:
        """The labels of a document in which nothing was found."""
        return WordLabels([OUTSIDE] * len(self.words[number]), [None] * len(self.words[number]))

    def facts(self, reader: Joiner) -> dict[str, float]:
        """Labels of words are always valid."""
        return {}

    def _labels(self, number: int, tags: Any) -> WordLabels:
        given = _listed(tags)
        if len(given) != len(self.words[number]):
            expected = len(self.words[number])
            raise ValueError(f"document {number}: expected as many tags as words, got {len(given)} and {expected}")
        return WordLabels([self._tag(number, tag) for tag in given], [None] * len(given))

    def _tag(self, number: int, tag: Any) -> str:
        """A label id or name as a tag."""
        if tag in self.names:
            return self.names[tag]
        if not isinstance(tag, str):
            raise ValueError(f"document {number}: expected tags or ids of id2label, got {shortened(tag)}")
        if tag != OUTSIDE and is_tag(tag) != (not self.prefix):
            raise ValueError(f"document {number}: expected labels as id2label has them, got {tag!r}")
        return tag if tag == OUTSIDE else self.prefix + tag


def _listed(value: Any) -> Any:
    """A list, of a tensor too."""
    return value.tolist() if hasattr(value, "tolist") else as_list(value)


def _are_lists(references: Sequence[Any]) -> bool:
    """Whether references are lists of tags. Raises ValueError if some are and some are not."""
    lists = [is_list(reference) or hasattr(reference, "tolist") for reference in references]
    if any(lists) and not all(lists):
        number = lists.index(not lists[0])
        first, other = (type(references[place]).__name__ for place in (0, number))
        problem = f"document {number}: its reference is of the type {other}, that of document 0 of {first}"
        raise ValueError(f"{problem}; expected documents, or lists of tags, for all")
    return any(lists)


def _length(number: int, words: Sequence[str]) -> int:
    if isinstance(words, str):
        raise ValueError(f"document {number}: expected a list of words, got {shortened(words)}")
    return len(words)


def _check_rows(reader: Joiner, lengths: Sequence[int]) -> None:
    """Raise ValueError for a document that has words but is never shown to the model."""
    for number, length in enumerate(lengths):
        if length and number not in reader.last_rows:
            problem = f"document {number} has {length} words, but no row"
            raise ValueError(f"{problem}; do documents count from 0 again in every batch of a map?")


def _missing_prefix(names: Collection[str]) -> str:
    """What makes tags of the labels: nothing if they are tags, else `I-`, so that neighbours of one label belong
    together. Raises ValueError for labels of both kinds."""
    plain = [name for name in names if name != OUTSIDE and not is_tag(name)]
    tags = [name for name in names if name != OUTSIDE and is_tag(name)]
    if plain and tags:
        raise ValueError(f"id2label has tags and other labels, such as {tags[0]!r} and {plain[0]!r}")
    return "I-" if plain else ""
