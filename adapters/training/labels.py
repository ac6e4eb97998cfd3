"""The labels of rows, counted as predictions: whether they belong to the references, and whether they score 1."""

from __future__ import annotations

from collections.abc import Collection
from itertools import chain

from docie.core.counts import Counts
from docie.core.errors import shortened
from docie.core.notes import noted
from docie.core.phrases import some_of
from docie.documents.leaves import OneOf
from docie.documents.tree import parse_tree, tree_leaves
from docie.inputs.fit.hint import FitHint

from .scores import Forms, Scorer

_ENOUGH = 1 - 1e-9  # a mean of ones may miss 1 by the last digit
_NAMED = 5
"""The number of entity types that a message names."""


class Labels:
    """The labels of one evaluation. They may be truncated, and references may be spelt differently.

    So a document counts as different only if the two share no text at all, and it is an error only if most are.

    Args:
        scorer: counts them.
        counts (bool): whether they are counted, and not only compared.

    Attributes:
        tally: their counts; None if they are not counted.
        compared: the number of documents whose labels have a text.

    >>> labels = Labels(Scorer("kieval"))
    >>> labels.add(0, {"document": {"shop": "Kedai"}}, {"document": {"total": "9.00"}})
    >>> labels.check()
    Traceback (most recent call last):
    ...
    ValueError: 1 of 1 documents share no text with their reference (document 0 has 'Kedai');
    check that evaluation rows and references are in the same order
    """

    def __init__(self, scorer: Scorer, *, counts: bool = True) -> None:
        self.scorer = scorer
        self.tally = scorer.tally() if counts else None
        first, _ = scorer.families[0]
        self.fit = FitHint(first.family, first.settings)
        self.compared = 0
        self.different: list[tuple[int, str]] = []

    def add(self, number: int, label: Forms, reference: Forms) -> None:
        """Count the document that labels make, or the answer that they spell, and compare it with the reference."""
        texts = _texts(label["document"])
        if texts:
            self.compared += 1
            if not texts.keys() & _texts(reference["document"]).keys():
                self.different.append((number, min(texts.values())))
        if self.tally is not None:
            self.fit.note(label["document"], reference["document"])
            self.scorer.add(self.tally, number, label, reference)

    def check(self) -> None:
        """Raise ValueError if most documents are different."""
        if 2 * len(self.different) > self.compared:
            number, text = self.different[0]
            share = f"{len(self.different)} of {self.compared} documents share no text with their reference"
            example = f"document {number} has {shortened(text)}"
            raise ValueError(f"{share} ({example}); check that evaluation rows and references are in the same order")

    def shortfall(self, expected: Collection[str], *, cut: str = "") -> str:
        """One line if they do not score 1; empty if they do.

        Considers the scores whose best value is 1, which is also their value without predicted and expected items.

        Args:
            expected: the entity types of the references.
            cut: how many documents are cut off; empty if none is.

        >>> labels = Labels(Scorer("kieval"))
        >>> labels.add(0, {"document": {"sum": "9.00"}}, {"document": {"total": "9.00"}})
        >>> labels.shortfall(["total"], cut="1 of 1 documents are cut off")
        "the labels do not score 1 against the references: kieval_entity_f1 is 0; 1 of 1 documents are cut off;
        never correct are 'total' of the references and 'sum' of the labels;
        check whether labels, groups and references have the same names"
        """
        figures: list[str] = []
        never: set[str] = set()
        with noted(warns=False):  # labels have no confidences, and need none
            all_results = list(self.scorer.results(self.tally or [], breakdown=True))
        for (metric, _), (name, results) in zip(self.scorer.families, all_results, strict=False):
            best = [figure for figure, value in metric.family.score(Counts()).items() if value == 1.0]
            low = [figure for figure in best if results.get(figure, 1) < _ENOUGH]
            figures += [f"{name}_{figure} is {results[figure]:.4g}" for figure in low[:1]]
            for entity_type, row in results.get("per_entity", {}).items():
                values = [row[figure] for figure in best if figure in row]
                if values and not any(values):
                    never.add(entity_type)
        if not figures:
            return ""
        parts = ["the labels do not score 1 against the references: " + ", ".join(figures), *([cut] if cut else [])]
        sides = {"references": never.intersection(expected), "labels": never.difference(expected)}
        named = [f"{some_of(map(repr, sorted(types)), _NAMED)} of the {side}" for side, types in sides.items() if types]
        if named:
            change = self.fit.change()
            same = "check whether labels, groups and references have the same names"
            advice = change.text.replace("prediction", "label") if change else same  # which is what they are counted as
            parts += [f"never correct are {' and '.join(named)}", advice]
        return "; ".join(parts)


def _texts(value: object) -> dict[str, str]:
    """The texts in a value, each under its letters and digits in lower case."""
    leaves = tree_leaves(parse_tree(value, "reference"))
    alternatives = [leaf.alternatives if isinstance(leaf, OneOf) else [leaf] for leaf in leaves]
    texts = [text for text in chain.from_iterable(alternatives) if isinstance(text, str)]
    by_letters = {"".join(filter(str.isalnum, text.casefold())): text for text in texts}
    by_letters.pop("", None)
    return by_letters
