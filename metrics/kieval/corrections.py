"""The errors of a document, one row for each correction, from the matching behind the scores of KIEval.

A row is a substitution, an addition or a deletion (Khang et al., KIEval, equations 8 to 10), so the rows add up to the
scores. The kind of a row describes the error, and where else in the document the value occurs.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain
from typing import Any, Literal, NamedTuple

from rapidfuzz.distance import Levenshtein

from docie.core.matching.similarity import most_similar
from docie.documents.document import Value
from docie.documents.leaves import answers_of
from docie.documents.multisets import Token
from docie.metrics.kieval.automation import COMPARED_CHARACTERS
from docie.metrics.kieval.hints import is_format_only
from docie.metrics.kieval.options import Settings
from docie.metrics.kieval.pairs import Operation, Pair, pairs_of, sides_of

Kind = Literal["format", "group", "type", "duplicate", "value", "missing", "spurious", "place"]
KINDS: tuple[Kind, ...] = ("format", "group", "type", "duplicate", "value", "missing", "spurious", "place")
"""All kinds, in the order in which they are checked."""
CORRECT = ("", "place")
"""The kinds of correct values: without an error, and in the wrong place, which is no correction."""


@dataclass
class Elsewhere:
    """The values in the pairs of a document: where they are incorrect, missing and correct.

    Attributes:
        groups: from (side, group type, entity type, value) to the pairs in which it is incorrect or missing: from the
            position of each to the number of its group on that side.
        types: from (side, value) to the entity types under which it is incorrect or missing.
        pairs: all of them.
    """

    pairs: Sequence[Pair]

    groups: defaultdict[tuple[Any, ...], dict[int, int | None]] = field(default_factory=lambda: defaultdict(dict))
    types: defaultdict[tuple[str, str], set[str]] = field(default_factory=lambda: defaultdict(set))

    def __post_init__(self) -> None:
        for place, pair in enumerate(self.pairs):
            for _, incorrect, missing in pair.differences():
                if incorrect is not None:
                    self.note("incorrect", incorrect, place, pair)
                if missing is not None:
                    self.note("missing", missing, place, pair)

    @cached_property
    def correct(self) -> set[tuple[str, str]]:
        """Each (entity type, value) that is correct somewhere."""
        return {token[:2] for pair in self.pairs for token in pair.correct}

    def note(self, side: str, token: Token, place: int, pair: Pair) -> None:
        entity_type, value, _ = token
        number = pair.predicted_group if side == "incorrect" else pair.reference_group
        for answer in answers_of(value):
            self.groups[side, pair.group_type, entity_type, answer][place] = number
            self.types[side, answer].add(entity_type)

    def explain(
        self,
        place: int,
        group_type: str | None,
        incorrect: Token | None,
        missing: Token | None,
        is_format: bool,
    ) -> tuple[Kind, int | str | None]:
        """The first kind that applies, and the group or the entity type where the value occurs.

        `is_format`: whether the two values are the same in different formats.
        """
        if is_format:
            return "format", None
        # where the incorrect value is missing, and where the missing one is predicted incorrectly
        sought = [("missing", incorrect[0], incorrect[1])] if incorrect else []
        sought += [("incorrect", missing[0], answer) for answer in answers_of(missing[1])] if missing else []
        for side, entity_type, value in sought:
            groups = self.groups.get((side, group_type, entity_type, value), {})
            if numbers := [number for other, number in groups.items() if other != place and number is not None]:
                return "group", min(numbers)
        for side, entity_type, value in sought:
            if types := self.types.get((side, value), set()) - {entity_type}:
                return "type", min(types)
        if incorrect and not missing and (incorrect[0], incorrect[1]) in self.correct:
            return "duplicate", None
        return ("value" if incorrect and missing else "missing" if missing else "spurious"), None


class ErrorRow(NamedTuple):
    """One correction or, with evidence, one correct value in the wrong place.

    Values are texts as they are in the document, before any normalizer; numbers are written without needless zeros.

    Attributes:
        document: the id of the document, or its number, counted from 0.
        group_type: the type of its group; None for values outside groups.
        predicted_group, reference_group: the numbers of the groups among the objects of that type in the predicted and
            in the reference document, counted from 0; None outside groups, and without a counterpart.
        entity_type: the type of the value.
        operation: "substitution", "addition" (a missing value), "deletion" (a spurious value) or "relocation" (a
            correct value in the wrong place).
        kind: the kind of the error, one of `KINDS`.
        reference: the correct value; if there are alternatives, the one most similar to the prediction. None for a
            deletion.
        prediction: the predicted value; None for an addition.
        similarity: for a substitution, 1 - Levenshtein / length of the longer text, from the first 1,000 characters of
            both values as they are compared, that is, normalized.
        confidence, box, page: those of the predicted value; None if it has none.
        elsewhere: where the value occurs that explains the row. For the kind "group", the number of that group in its
            document; for the kind "type", that entity type. The lowest number, or the first type in the alphabet, if
            there are several. None for other kinds.
        reference_box, reference_page: those of the correct value; None if it has none.
    """

    document: str | int
    group_type: str | None
    predicted_group: int | None
    reference_group: int | None
    entity_type: str
    operation: Operation
    kind: Kind
    reference: str | None
    prediction: str | None
    similarity: float | None = None
    confidence: float | None = None
    box: Any = None
    page: Any = None
    elsewhere: int | str | None = None
    reference_box: Any = None
    reference_page: Any = None

    def record(self) -> dict[str, Any]:
        """The row as a dict for Arrow, which needs one type a column: boxes, pages, document, elsewhere are texts.

        >>> row = ErrorRow(7, None, None, None, "a", "deletion", "type", None, "1", box=[0, 0, 9, 9], elsewhere="b")
        >>> {name: row.record()[name] for name in ("document", "box", "page", "elsewhere")}
        {'document': '7', 'box': '[0, 0, 9, 9]', 'page': None, 'elsewhere': 'b'}
        """
        texts = {name: getattr(self, name) for name in ("document", "page", "elsewhere", "reference_page")}
        boxes = {"box": self.box, "reference_box": self.reference_box}
        return {
            **self._asdict(),
            **{name: None if value is None else str(value) for name, value in texts.items()},
            **{name: None if value is None else json.dumps(value) for name, value in boxes.items()},
        }


def rows_of_pairs(pairs: Sequence[Pair], document: str | int) -> Iterator[list[ErrorRow]]:
    """The rows of each pair of a document, in the order of its errors."""
    elsewhere = Elsewhere(pairs)
    for place, pair in enumerate(pairs):
        yield [_row(document, place, pair, *error, elsewhere) for error in pair.errors()]


def _row(
    document: str | int,
    place: int,
    pair: Pair,
    operation: Operation,
    incorrect: Token | None,
    missing: Token | None,
    elsewhere: Elsewhere,
) -> ErrorRow:
    """The row of one difference; `place` is that of its pair among all."""
    found = None if incorrect is None else pair.leaf(incorrect)
    answer = None if missing is None else pair.expected_texts[missing]
    prediction = None if found is None else str(found.written)
    is_format = found is not None and answer is not None and is_format_only(found.written, answers_of(answer))
    kind: Kind = "place"
    other_place: int | str | None = None
    if operation != "relocation":
        kind, other_place = elsewhere.explain(place, pair.group_type, incorrect, missing, is_format)
    expected = pair.expected_leaves[missing] if missing is not None and pair.has_places else None
    return ErrorRow(
        document,
        pair.group_type,
        pair.predicted_group,
        pair.reference_group,
        (incorrect or missing or ("",))[0],
        operation,
        kind,
        shown_reference(answer, prediction),
        prediction,
        _similarity(incorrect, missing),
        found and found.known_confidence,
        found and found.box,
        found and found.page,
        other_place,
        expected and expected.box,
        expected and expected.page,
    )


def shown_reference(value: Value | None, prediction: str | None) -> str | None:
    """The reference value to show: the alternative most similar to the prediction, if there are several."""
    if value is None:
        return None
    answers = answers_of(value)
    if prediction is None or len(answers) == 1:
        return str(answers[0])
    beginnings = [answer[:COMPARED_CHARACTERS] for answer in answers]
    return str(answers[beginnings.index(most_similar(beginnings, prediction[:COMPARED_CHARACTERS]))])


def _similarity(incorrect: Token | None, missing: Token | None) -> float | None:
    if incorrect is None or missing is None:
        return None
    texts = [value[:COMPARED_CHARACTERS] for value in (incorrect[1], *answers_of(missing[1]))]
    return max(Levenshtein.normalized_similarity(texts[0], answer) for answer in texts[1:])


def error_rows(
    prediction: object, reference: object, settings: Settings | None = None, *, document: str | int = 0
) -> list[ErrorRow]:
    """The errors of one document; `docie.corpus.errors` returns those of a corpus.

    Groups are compared as in the score, which determines what is incorrect or missing. The kind of a row is the first
    that applies:

    * `format`: the two values are certainly the same in different formats, by `docie.normalizers.same_value`;
    * `group`: the predicted value is missing in another group of the same type, or the missing value is predicted
      incorrectly in another one; a swapped cell gives two such rows;
    * `type`: the predicted value is missing under another entity type of this document, or the missing one is
      predicted incorrectly under another one;
    * `duplicate`: the deleted value is correct elsewhere in this document, under the same entity type;
    * `value` (a substitution), `missing` (an addition), `spurious` (a deletion).

    With the option `evidence`, correct values that are not grounded have rows of the kind `place`.

    Args:
        prediction (dict): the predicted document.
        reference (dict): the reference document.
        settings (Settings): the options of KIEval; None for the defaults.
        document (str or int): the value of `document` in the rows.

    Returns:
        list of ErrorRow: as many for each operation as KIEval counts `substitutions`, `additions` and `deletions`;
        those of the kind `place` are none of these.

    Raises:
        DocumentError: if a document cannot be read.

    >>> prediction = {"menu": [{"nm": "latte", "price": "9"}, {"nm": "Tea", "price": "3"}], "total": "12"}
    >>> reference = {"menu": [{"nm": "Latte", "price": "9"}, {"nm": "Tea"}], "tax": "1"}
    >>> for row in error_rows(prediction, reference):
    ...     print(row.predicted_group, row.entity_type, row.operation, row.kind, row.reference, row.prediction)
    0 menu.nm substitution format Latte latte
    1 menu.price deletion spurious None 3
    None total deletion spurious None 12
    None tax addition missing 1 None
    """
    settings = Settings() if settings is None else settings
    pairs = pairs_of(*sides_of(prediction, reference, settings), settings)
    return [*chain.from_iterable(rows_of_pairs(pairs, document))]
