"""Whether the rows that a Trainer evaluates are those of the references."""

from __future__ import annotations

from itertools import chain
from typing import Any

from docie.core.errors import shortened
from docie.documents.leaves import OneOf
from docie.documents.tree import parse_tree, tree_leaves


class RowCheck:
    """Compares the labels of rows with the references, because both should say the same.

    Labels may be cut off, and references may be spelt in another way. So a document counts as different only if the two
    share no text at all, and only if most documents are so is it an error.

    >>> check = RowCheck()
    >>> check.add(0, {"shop": "Kedai"}, {"total": "9.00"})
    >>> check.finish()
    Traceback (most recent call last):
    ...
    ValueError: 1 of 1 documents share no text with their reference (document 0 has 'Kedai');
    check that evaluation rows and references are in the same order
    """

    def __init__(self) -> None:
        self.compared = 0
        self.different: list[tuple[int, str]] = []

    def add(self, number: int, label: Any, reference: Any) -> None:
        """Compare the document that labels make, or the answer that they spell, with the reference."""
        texts = _texts(label)
        if texts:
            self.compared += 1
            if not texts.keys() & _texts(reference).keys():
                self.different.append((number, min(texts.values())))

    def finish(self) -> None:
        """Raise ValueError if most documents are different."""
        if 2 * len(self.different) > self.compared:
            number, text = self.different[0]
            share = f"{len(self.different)} of {self.compared} documents share no text with their reference"
            example = f"document {number} has {shortened(text)}"
            raise ValueError(f"{share} ({example}); check that evaluation rows and references are in the same order")


def _texts(value: Any) -> dict[str, str]:
    """The texts in a value, each under its letters and digits in lower case."""
    leaves = [holder[key] for _, holder, key in tree_leaves({"": parse_tree(value, "reference")})]
    alternatives = [leaf.alternatives if isinstance(leaf, OneOf) else [leaf] for leaf in leaves]
    texts = [text for text in chain.from_iterable(alternatives) if isinstance(text, str)]
    by_letters = {"".join(filter(str.isalnum, text.casefold())): text for text in texts}
    by_letters.pop("", None)
    return by_letters
