"""Labels of words → the views that metrics take: tagged words, documents, lists of entities."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from docie.adapters import bio
from docie.adapters.grouping import GroupTypes, slot_filling
from docie.adapters.tokens import OUTSIDE, Id2Label, WordLabels, label_names
from docie.adapters.training_scores import View, of_documents
from docie.errors import shortened
from docie.tagging import split_tag
from docie.values import as_list, is_list

__all__ = ["TaggedDocuments"]


class TaggedDocuments:
    """The words of documents with what is right about them: documents, or lists of tags or label ids, one a word.

    `names` are the model's labels as tags, `kinds` the kinds of input that there are views of, `references` is the view
    of what is right. Raises ValueError for arguments that do not fit together, naming the document.
    """

    def __init__(
        self, words: Sequence[Sequence[str]], references: Sequence[Any], id2label: Id2Label, groups: GroupTypes
    ) -> None:
        if len(references) != len(words):
            raise ValueError(f"expected as many references as documents, got {len(references)} and {len(words)}")
        names = label_names(id2label)
        prefix = _missing_prefix(names.values())
        self.names = {number: name if name == OUTSIDE else prefix + name for number, name in names.items()}
        self.words = words
        self.groups = groups if isinstance(groups, Mapping | str) else list(groups)
        self.kinds = ["document", "entities"]
        self.references = of_documents(references)
        if len(references) and all(map(is_list, references)):
            self.kinds.append("tagged words")
            self.references = self.view([self._labels(number, tags, prefix) for number, tags in enumerate(references)])

    def documents(self, labels: Sequence[WordLabels]) -> list[Any]:
        """The documents that the labels of their words make."""
        return [
            slot_filling(bio.decode(words, found.labels, None, confidences=found.confidences), self.groups)
            for words, found in zip(self.words, labels, strict=True)
        ]

    def view(self, labels: Sequence[WordLabels]) -> View:
        """Labelled words as the kind of input that is asked for."""

        def rows(kind: str) -> Sequence[Any]:
            if kind == "tagged words":
                return [
                    {"words": list(words), "tags": found.labels}
                    for words, found in zip(self.words, labels, strict=True)
                ]
            found: Sequence[Any] = of_documents(self.documents(labels))(kind)
            return found

        return rows

    def nothing(self) -> View:
        """The view of documents in which nothing was found."""
        return self.view([WordLabels([OUTSIDE] * len(words), [None] * len(words)) for words in self.words])

    def _labels(self, number: int, tags: Any, prefix: str) -> WordLabels:
        given = as_list(tags)
        if len(given) != len(self.words[number]):
            expected = len(self.words[number])
            raise ValueError(f"document {number}: expected as many tags as words, got {len(given)} and {expected}")
        found = []
        for tag in given:
            if tag in self.names:
                found.append(self.names[tag])
            elif isinstance(tag, str):
                found.append(tag if tag == OUTSIDE else prefix + tag)
            else:
                raise ValueError(f"document {number}: expected tags or ids of id2label, got {shortened(tag)}")
        return WordLabels(found, [None] * len(found))


def _missing_prefix(names: Collection[str]) -> str:
    """What makes tags of the labels: nothing if they are tags, else `I-`, so that neighbours of one label belong
    together. Raises ValueError for labels of both kinds."""
    plain = [name for name in names if name != OUTSIDE and not _is_tag(name)]
    tags = [name for name in names if name != OUTSIDE and _is_tag(name)]
    if plain and tags:
        raise ValueError(f"id2label has tags and other labels, such as {tags[0]!r} and {plain[0]!r}")
    return "I-" if plain else ""


def _is_tag(name: str) -> bool:
    try:
        split_tag(name)
    except ValueError:
        return False
    return True
