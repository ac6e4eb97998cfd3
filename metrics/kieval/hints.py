"""Hints that incorrect values are the correct ones in a different format."""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, NamedTuple

from docie.core.family import MOST_NOTES
from docie.core.normalizers.same_value import may_be_same_value, same_value
from docie.core.normalizers.texts import NumberText
from docie.documents.leaves import answers_of
from docie.documents.multisets import Token, Tokens
from docie.metrics.kieval.automation import pair_substitutions

if TYPE_CHECKING:
    from docie.core.counts import Counts
    from docie.metrics.kieval.metric import Comparison
    from docie.metrics.kieval.options import Settings

LOOK_AT = 300
"""The number of substitutions in the sample: reading two values as amounts and dates takes time."""
PER_DOCUMENT = 100
"""The number of substitutions of one document that may come into the sample."""
MOST_PAIRS = 1000
"""Groups with more pairs of an incorrect and a missing value are left out: pairing them takes long."""
FEW, SHARE = 2, 0.1
"""A hint needs at least this many substitutions, and at least this share of the sample."""
IS_FORMAT = "are the same value in a different format; see the option normalize"

Incorrect = tuple[Tokens, list[Token], list[Token]]
"""The predicted values of a group, those that are incorrect, and those that are missing."""


class Sampled(NamedTuple):
    """What a sample of substitutions shows.

    Attributes:
        substitutions: their number.
        format: how many are the same value in a different format.
        ambiguous: how many others may be the same amount or date.
        example: the texts of the first of these; empty without any.
        is_all: whether the sample is all of them.
    """

    substitutions: int
    format: int
    ambiguous: int
    example: tuple[str, ...]
    is_all: bool


class Hints:
    """Inspects a sample of substitutions while documents are counted: how many of them a normalizer may fix.

    The sample is of the whole corpus: documents are ranked by a checksum of their errors, and the first MOST_NOTES of
    this order are kept. So it is the same for any number of parts, processes and orders of documents (bottom-k
    sampling: Cohen and Kaplan 2007, Summarizing data using bottom-k sketches).

    Args:
        settings (Settings): the options of KIEval.

    >>> from docie import kieval
    >>> hints = Hints(kieval.Settings())
    >>> counts = kieval.count({"total": ["1.0", "2.0"]}, {"total": [1, 2]}, hints.settings, hints)
    >>> list(Hints.lines(hints.seen, is_normalized=False))
    ['2 of 2 substitutions are the same value in a different format; see the option normalize']
    """

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self._documents = self._left_out = 0
        self._kept: list[tuple[int, int, list[Incorrect]]] = []  # a heap: the first is the next to go

    def note(self, comparisons: Iterable[Comparison]) -> None:
        """Rank a document by the values that are incorrect and missing in it, and keep it if it is among the first."""
        if self.settings.match is not None:
            return
        groups: list[Incorrect] = []
        for each in comparisons:
            if each.incorrect and each.missing and each.predicted:
                if len(each.incorrect) * len(each.missing) > MOST_PAIRS:
                    self._left_out += 1
                else:
                    groups.append((each.predicted, [*each.incorrect], [*each.missing]))
        if groups:
            self._documents += 1
            kept = (-_rank(groups), -self._documents, groups)
            (heapq.heappushpop if len(self._kept) == MOST_NOTES else heapq.heappush)(self._kept, kept)

    @property
    def seen(self) -> dict[str, Any]:
        """What was noted: of each document that was kept its rank and its substitutions."""
        sample = sorted([-rank, _substitutions(groups)] for rank, _, groups in self._kept)
        return {"documents": self._documents, "left_out": self._left_out, "sample": sample}

    @staticmethod
    def sampled(seen: Mapping[str, Any]) -> Sampled:
        """What the substitutions that were noted show."""
        by_document = [pairs for _, pairs in seen["sample"]]
        texts = [pair for pairs in by_document for pair in pairs]
        chosen = texts if len(texts) <= LOOK_AT else sorted(texts, key=_checksum)[:LOOK_AT]
        is_all = len(chosen) == len(texts) and len(by_document) == seen["documents"] and not seen["left_out"]
        is_all = is_all and all(len(pairs) < PER_DOCUMENT for pairs in by_document)
        form = ambiguous = 0
        example: tuple[str, ...] = ()
        for predicted, *answers in chosen:
            prediction, expected = _text(predicted), [*map(_text, answers)]
            if is_format_only(prediction, expected):
                form += 1
            elif same := [text for text in expected if may_be_same_value(prediction, text)]:
                ambiguous += 1
                example = min(filter(None, (example, (str(prediction), str(same[0])))))
        return Sampled(len(chosen), form, ambiguous, example, is_all)

    @classmethod
    def lines(cls, seen: Mapping[str, Any], *, is_normalized: bool) -> Iterator[str]:
        """The hints for a corpus, from what was noted in all of its parts, and from how it was scored."""
        return lines_of(cls.sampled(seen), is_normalized=is_normalized)

    @staticmethod
    def types(counts: Counts) -> tuple[Counter[str], Counter[str], Counter[str]]:
        """The numbers of values of each entity type: correct ones, those of the predictions, and of the references.

        >>> from docie import kieval
        >>> counts = kieval.count({"sum": "9", "tax": "1"}, {"tax": ["1", "2"]}, kieval.Settings())
        >>> [sorted((+types).items()) for types in Hints.types(counts)]
        [[('tax', 1)], [('sum', 1), ('tax', 1)], [('tax', 2)]]
        """
        correct, predicted, expected = Counter[str](), Counter[str](), Counter[str]()
        for key, row in counts.rows.items():
            if key[0] == "entity":
                correct[str(key[-1])] += int(row[0])
                predicted[str(key[-1])] += int(row[0] + row[1])
                expected[str(key[-1])] += int(row[0] + row[2])
        return correct, predicted, expected

    @staticmethod
    def example(seen: Mapping[str, Any]) -> tuple[str, str] | tuple[()]:
        """A substitution that was noted: a predicted value and that of the reference; nothing if there was none."""
        texts = [(str(_text(pair[0])), str(_text(pair[1]))) for _, pairs in seen["sample"][:1] for pair in pairs]
        return min(texts, default=())


def lines_of(found: Sampled, *, is_normalized: bool) -> Iterator[str]:
    """The hints on substitutions, a line each."""
    few = max(FEW, SHARE * found.substitutions)
    sample = f"{found.substitutions:,} {'' if found.is_all else 'sampled '}substitutions"
    if found.format >= few and not is_normalized:
        yield f"{found.format:,} of {sample} {IS_FORMAT}"
    if found.ambiguous >= few:
        example = " and ".join(map(repr, found.example))
        yield (
            f"{found.ambiguous:,} of {sample} may be the same amount or date ({example}, say), but can be read in two "
            'ways: normalizers leave them as they are, unless number(decimal=",") or date(day_first=True) states the '
            "reading"
        )


def _rank(groups: Iterable[Incorrect]) -> int:
    """The place of a document in a random order, which depends on its errors alone."""
    return _checksum(
        sorted(
            (side, token[0], answers_of(token[1]))
            for _, *sides in groups
            for side, tokens in enumerate(sides)
            for token in tokens
        )
    )


def _checksum(values: object) -> int:
    return int.from_bytes(blake2b(repr(values).encode(errors="surrogatepass"), digest_size=6).digest())


def _substitutions(groups: Iterable[Incorrect]) -> list[list[list[Any]]]:
    """The substitutions of a document, each the predicted text and the accepted ones, with whether each is a number."""
    pairs = sorted(
        [[str(text), isinstance(text, NumberText)] for text in (incorrect[1], *answers_of(missing[1]))]
        for group in groups
        for incorrect, missing in pair_substitutions(*group)
    )
    return pairs if len(pairs) <= PER_DOCUMENT else sorted(pairs, key=_checksum)[:PER_DOCUMENT]


def _text(noted: tuple[str, bool]) -> str:
    text, is_number = noted
    return NumberText(text) if is_number else text


def is_format_only(prediction: str | None, answers: Iterable[str]) -> bool:
    """Whether a predicted value is one of the accepted answers in a different format."""
    return prediction is not None and any(same_value(prediction, answer) for answer in answers)
