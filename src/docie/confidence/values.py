"""The predicted values of a corpus, each with its confidence and whether it is correct: the input of this package."""

from __future__ import annotations

import math
from array import array
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import tee
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from docie import corpus
from docie.confidence.agreement import agreeing, count_agreeing
from docie.core.errors import with_close_names
from docie.core.family import Family
from docie.core.settings import with_more
from docie.corpus.clusters.units import Clusters, Units, units_of_texts
from docie.corpus.method import Method
from docie.inputs.config import Config
from docie.inputs.row import unzip
from docie.metrics import kieval
from docie.metrics.kieval.automation import least_of_documents
from docie.metrics.kieval.pairs import Judged, count_judged

NO_CONFIDENCES = (
    "no prediction has a confidence, so there is nothing to choose a threshold by. "
    'A value with a confidence is {"value": ..., "confidence": ...}'
)
_KIEVAL = {name: vars(kieval)[name] for name in ("NAME", "INPUTS", "Settings", "score", "breakdown")}
_JUDGING, _AGREEING = (
    cast(Family, SimpleNamespace(**_KIEVAL, count=count)) for count in (count_judged, count_agreeing)
)
"""KIEval as a family whose counts list the values: `corpus.count` then reads, checks and counts the documents."""


class NoConfidencesError(ValueError):
    """No predicted value has a confidence."""


@dataclass(frozen=True, eq=False)
class Values:
    """The predicted values of a corpus, document by document. `+` joins those of two corpora.

    A value takes 13 bytes. No result depends on the order of documents.

    Attributes:
        confidences: the confidence of each value, in [0, 1]; infinity for a value without one, which is never reviewed.
            Of `as_documents`, -1 for a document that is always reviewed.
        correct: whether KIEval counts it as a true positive.
        codes: the number of its entity type in `names`.
        names: entity types, each once.
        sizes: the number of values of each document, including documents without values.
        correct_documents: whether each document has no error, such as a missing value.
        most: the highest confidence that each document as a whole can have: 0 if another system, whose agreement
            confidences are, has a value that it lacks.
        clusters: None, or the cluster of each document as text, None for a document that is a cluster by itself.
        signature: how the values were judged.
    """

    confidences: NDArray[np.float64]
    correct: NDArray[np.bool_]
    codes: NDArray[np.int32]
    names: tuple[str, ...]
    sizes: NDArray[np.int64]
    correct_documents: NDArray[np.bool_]
    most: NDArray[np.float64]
    signature: str = ""
    clusters: NDArray[np.object_] | None = None

    def __len__(self) -> int:
        return len(self.confidences)

    @property
    def documents(self) -> int:
        """The number of documents."""
        return len(self.sizes)

    @property
    def units(self) -> int:
        """The number of clusters or, without clusters, of documents."""
        return int(self.unit_of.max(initial=-1)) + 1

    @cached_property
    def unit_of(self) -> Units:
        """The unit of each document, by its number: its cluster or, without clusters, the document itself."""
        if self.clusters is None:
            return np.arange(self.documents)
        return units_of_texts(self.clusters.tolist())

    @property
    def document_of(self) -> NDArray[np.int64]:
        """The document of each value, by its number."""
        return np.repeat(np.arange(self.documents), self.sizes)

    @property
    def has_confidence(self) -> NDArray[np.bool_]:
        """Whether each value has a confidence."""
        return (self.confidences >= 0) & (self.confidences < math.inf)

    def as_documents(self) -> Values:
        """Whole documents in place of their values, for thresholds at which documents skip review.

        A document skips review at a threshold if it has a value, and each of its values has a confidence of at least
        that threshold: nothing vouches for an empty or invalid answer, or for a value without a confidence.

        Returns:
            Values: of each document one value, whose confidence is the lowest of the document, or -1 if it is always
            reviewed. It is correct if the document has no error.

        >>> from docie.confidence import collect
        >>> prediction = {"a": {"value": "1", "confidence": 0.9}, "b": {"value": "2", "confidence": 0.5}}
        >>> documents = collect([prediction, {}], [{"a": "1", "b": "2"}, {"a": "1"}]).as_documents()
        >>> documents.confidences.tolist(), documents.correct.tolist()
        ([0.5, -1.0], [True, False])
        """
        return replace(
            self,
            confidences=np.minimum(least_of_documents(self.confidences, self.sizes), self.most),
            correct=self.correct_documents,
            codes=np.zeros(self.documents, np.int32),
            names=("document",),
            sizes=np.ones(self.documents, np.int64),
        )

    def of_type(self, entity_type: str) -> Values:
        """The values of one entity type. Documents without such a value are kept.

        Args:
            entity_type (str): the type.

        Returns:
            Values: the values of that type.

        Raises:
            ValueError: if no value has that type.
        """
        types = self._types()
        if entity_type not in types:
            raise ValueError(f"no predicted value has the type {with_close_names([entity_type], types)}")
        return self._chosen(self.codes == self.names.index(entity_type))

    def by_type(self, names: Iterable[str] | None = None) -> dict[str, Values]:
        """The values of each entity type, by name.

        Args:
            names (iterable of str): the types; None for all that occur. A type without values is no error.

        Returns:
            dict: from each type to the result of `of_type`.
        """
        types, nothing = self._types(), np.zeros(len(self), np.bool_)
        return {
            name: self.of_type(name) if name in types else self._chosen(nothing)
            for name in (types if names is None else names)
        }

    def with_values(self) -> Values:
        """The same values, without the documents that have none.

        A document without values has a loss of 0 at any threshold. Nearly all documents lack a rare entity type, and a
        threshold that is certified over all of them says little about the few that have it.

        Returns:
            Values: these values, with fewer documents.
        """
        return self._with_documents(self.sizes > 0)

    def of_documents(self, numbers: Iterable[int]) -> Values:
        """The values of some documents, in corpus order: to choose a threshold on some and verify it on others.

        Args:
            numbers (iterable of int): their numbers in the corpus, counted from 0.

        Returns:
            Values: the values of these documents.

        Raises:
            IndexError: if no document has that number.
        """
        kept = np.zeros(self.documents, np.bool_)
        kept[np.fromiter(numbers, np.int64)] = True
        part = self._chosen(kept[self.document_of])
        return part._with_documents(kept)

    def _with_documents(self, kept: NDArray[np.bool_]) -> Values:
        clusters = None if self.clusters is None else self.clusters[kept]
        correct, most = self.correct_documents[kept], self.most[kept]
        return replace(self, sizes=self.sizes[kept], correct_documents=correct, most=most, clusters=clusters)

    def _types(self) -> list[str]:
        """The entity types that occur: a part may have fewer than `names`."""
        return sorted(self.names[code] for code in np.unique(self.codes))

    def _chosen(self, chosen: NDArray[np.bool_]) -> Values:
        return replace(
            self,
            confidences=self.confidences[chosen],
            correct=self.correct[chosen],
            codes=self.codes[chosen],
            sizes=np.bincount(self.document_of[chosen], minlength=self.documents),
        )

    def __add__(self, other: Values) -> Values:
        """The values of both corpora: these documents, then the others.

        Raises:
            ValueError: if they were judged with different settings, or if only one has clusters.
        """
        if self.signature != other.signature:
            raise ValueError(f"cannot add values judged as {other.signature!r} to values judged as {self.signature!r}")
        if (self.clusters is None) != (other.clusters is None):
            raise ValueError("cannot add values with clusters to values without")
        clusters = [each.clusters for each in (self, other) if each.clusters is not None]
        names = tuple(dict.fromkeys([*self.names, *other.names]))
        codes = np.array([names.index(name) for name in other.names], np.int32)[other.codes]
        return Values(
            np.concatenate([self.confidences, other.confidences]),
            np.concatenate([self.correct, other.correct]),
            np.concatenate([self.codes, codes]),
            names,
            np.concatenate([self.sizes, other.sizes]),
            np.concatenate([self.correct_documents, other.correct_documents]),
            np.concatenate([self.most, other.most]),
            self.signature,
            np.concatenate(clusters) if clusters else None,
        )


class Collector:
    """Collects the judged values of documents, one document at a time.

    >>> collector = Collector()
    >>> collector.add(count_judged({"a": "1", "b": "2"}, {"a": "1"}).listed[0])
    >>> values = collector.values()
    >>> len(values), values.names, values.correct.tolist()
    (2, ('a', 'b'), [True, False])
    """

    def __init__(self, judged: Iterable[Judged] = ()) -> None:
        self._confidences, self._correct, self._codes, self._sizes = array("d"), bytearray(), array("i"), array("q")
        self._correct_documents, self._most = bytearray(), array("d")
        self._code_of: defaultdict[str, int] = defaultdict(lambda: len(self._code_of))
        for each in judged:
            self.add(each)

    def add(self, judged: Judged) -> None:
        """Take the values of the next document."""
        self._confidences += judged.confidences
        self._correct += judged.correct
        self._codes.extend(map(self._code_of.__getitem__, judged.entity_types))
        self._sizes.append(len(judged.correct))
        self._correct_documents.append(judged.is_correct)
        self._most.append(judged.most)

    def values(self, signature: str = "") -> Values:
        """The values collected so far."""
        return Values(
            np.array(self._confidences, np.float64),
            np.array(self._correct).astype(np.bool_),
            np.array(self._codes, np.int32),
            tuple(self._code_of),
            np.array(self._sizes, np.int64),
            np.array(self._correct_documents).astype(np.bool_),
            np.array(self._most, np.float64),
            signature,
        )


def collect(
    predictions: Iterable[object],
    references: Iterable[object],
    settings: kieval.Settings | None = None,
    *,
    agree: Iterable[object] | None = None,
    config: Config = None,
    clusters: Clusters = None,
    workers: int = 1,
    progress: bool = False,
) -> Values:
    """Judge the predicted values of a corpus: the input of all functions of this package.

    A value is correct if it is a true positive of KIEval, which includes that it stands in the correct group. Among
    equal values, those with the highest confidence count as the correct ones.

    Args:
        predictions (iterable of dict): one prediction a document. A generator is read once.
        references (iterable of dict): the references, in the same order.
        settings (kieval.Settings): the options of KIEval; None for its defaults.
        agree (iterable of dict): another system's predictions of the same documents. The confidence of a value is then
            its agreement with these: 1 if KIEval's matching of both predictions finds it equal, the similarity of the
            texts if another value stands in its place, 0 if none does. A document that lacks a value of these skips
            review as a whole at no threshold above 0.
        config (path or dict): how rows are read, as in `docie.corpus.evaluate`.
        clusters (str or list): documents that are not independent, such as those of one vendor: a column of the
            wrappers' `meta`, or a list with a label for each document. They are the units of `certified_threshold`.
        workers (int): the number of processes. The result is the same for any.
        progress (bool): show a progress bar on stderr, if that is a terminal.

    Returns:
        Values: the values. `+` joins those of parts of a corpus.

    Raises:
        DocumentError: if a document cannot be read; the error has its number.
        ValueError: if there are more or fewer predictions than references, or if no predicted value has a confidence.

    >>> leaf = {"value": "4.50", "confidence": 0.6}
    >>> values = collect([{"price": leaf, "nm": "Latte"}], [{"price": "4.80", "nm": "Latte"}])
    >>> dict(zip(values.confidences.tolist(), values.correct.tolist()))
    {inf: True, 0.6: False}
    """
    options: dict[str, Any] = {"clusters": clusters, "workers": workers, "progress": progress}
    if agree is not None:
        pairs, (references, again) = Method.of(kieval, settings, config).pairs, tee(references)
        predictions, references = unzip(agreeing(pairs(predictions, references), pairs(agree, again)))
    family = _JUDGING if agree is None else _AGREEING
    partial = corpus.count(family, predictions, references, settings, config=config, **options)
    counts, labels = partial.counts, partial.labels
    partial.warn(family)
    if agree is not None:
        counts.signature = with_more(counts.signature, {"confidences": "agreement"})
    values = Collector(counts.listed).values(counts.signature)
    if labels is not None and labels.name is not None:
        labels.check()
        signature = with_more(counts.signature, {"clusters": labels.name})
        values = replace(values, signature=signature, clusters=np.array(labels.texts(), dtype=np.object_))
    if len(values) and not values.has_confidence.any():
        raise NoConfidencesError(NO_CONFIDENCES)
    return values
