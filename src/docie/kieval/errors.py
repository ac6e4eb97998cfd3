"""The errors of a document, one row for each correction, from the matching that KIEval scores with.

A row is a substitution, an addition or a deletion (Khang et al., KIEval, equations 8 to 10), so the numbers of rows are
those of the figures. Its kind says what went wrong.
"""

from __future__ import annotations

import json
import math
from collections import defaultdict, deque
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

from rapidfuzz.distance import Levenshtein

from docie.documents import Located, OneOf, Token, Tokens, most_similar, parse_document
from docie.kieval.automation import COMPARED_CHARACTERS, pair_substitutions
from docie.kieval.metric import Comparison, compare
from docie.kieval.options import Settings
from docie.normalizers import alphanumeric, casefold, date, money, nfkc, number, read_amount, whitespace
from docie.values import NO_CONFIDENCE

Operation = Literal["substitution", "addition", "deletion"]
Kind = Literal["form", "group", "type", "duplicate", "value", "missed", "invented"]
KINDS: tuple[Kind, ...] = ("form", "group", "type", "duplicate", "value", "missed", "invented")
"""All kinds, in the order in which they are looked for."""


class ErrorRow(NamedTuple):
    """One correction.

    Values are texts as they stand in the document, before any normaliser; numbers are written by their value.

    Attributes:
        document: the id of the document, or its number, counted from 0.
        group_type: the type of its group; None outside of all groups.
        predicted_group, reference_group: the numbers of the groups among the objects of that type in the predicted and
            in the reference document, counted from 0; None outside of all groups, and without a counterpart.
        entity_type: the type of the value.
        operation: "substitution", "addition" (a missed value) or "deletion" (a value too many).
        kind: what went wrong, one of `KINDS`.
        reference: the right value; of alternatives, the one most similar to the prediction. None for a deletion.
        prediction: the predicted value; None for an addition.
        similarity: of a substitution, 1 - Levenshtein / length of the longer text, of the first 1,000 characters of
            both values as they are compared, that is, normalised.
        confidence, box, page: those of the predicted value; None if it has none.
        elsewhere: where the value stands that explains the row. Of kind "group", the number of that group in its
            document; of kind "type", that entity type. Of several, the lowest number, or the first type in the
            alphabet. None for other kinds.
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

    def record(self) -> dict[str, Any]:
        """The row as a dict for Arrow, which wants one type a column: box, document, elsewhere and page are texts.

        >>> row = ErrorRow(7, None, None, None, "a", "deletion", "type", None, "1", box=[0, 0, 9, 9], elsewhere="b")
        >>> {name: row.record()[name] for name in ("document", "box", "page", "elsewhere")}
        {'document': '7', 'box': '[0, 0, 9, 9]', 'page': None, 'elsewhere': 'b'}
        """
        texts = {name: getattr(self, name) for name in ("document", "page", "elsewhere")}
        return {
            **self._asdict(),
            **{name: None if value is None else str(value) for name, value in texts.items()},
            "box": None if self.box is None else json.dumps(self.box),
        }


@dataclass(slots=True)
class Pair:
    """Two groups that were compared, and what differs. `substituted` holds wrong tokens, each with its right one."""

    group_type: str | None
    predicted: Tokens | None
    expected: Tokens | None
    right: Collection[Token]
    substituted: list[tuple[Token, Token]]
    deleted: list[Token]
    added: list[Token]
    predicted_group: int | None = None
    reference_group: int | None = None

    @classmethod
    def of(cls, comparison: Comparison) -> Pair:
        """The pair of a comparison; tokens in alphabetical order."""
        group_type, predicted, expected, right, wrong, missed = comparison
        substituted = sorted(pair_substitutions(predicted or {}, wrong, missed)) if wrong and missed else []
        deleted = sorted({*wrong} - {token for token, _ in substituted})
        added = sorted({*missed} - {token for _, token in substituted})
        return cls(group_type, predicted, expected, right, substituted, deleted, added)

    def comparison(self) -> Comparison:
        """What was compared, for the counts of KIEval."""
        wrong = [*(token for token, _ in self.substituted), *self.deleted]
        missed = [*(token for _, token in self.substituted), *self.added]
        return self.group_type, self.predicted, self.expected, self.right, wrong, missed

    def differences(self) -> Iterator[tuple[Operation, Token | None, Token | None]]:
        """Each correction: its operation, the wrong token and the missed token."""
        for wrong, missed in self.substituted:
            yield "substitution", wrong, missed
        for wrong in self.deleted:
            yield "deletion", wrong, None
        for missed in self.added:
            yield "addition", None, missed


def pairs_of(prediction: object, reference: object, settings: Settings) -> list[Pair]:
    """The pairs of a document, as KIEval compares them, with the numbers of their groups."""
    pairs = list(map(Pair.of, compare(prediction, reference, settings, located=True)))
    empty_predicted, empty_expected = (
        _empty_groups(document, side, settings)
        for document, side in ((prediction, "prediction"), (reference, "reference"))
    )
    for pair in pairs:
        if pair.group_type is not None:
            pair.predicted_group = _number(pair.predicted, empty_predicted.get(pair.group_type))
            pair.reference_group = _number(pair.expected, empty_expected.get(pair.group_type))
    return sorted(pairs, key=_place)


def _place(pair: Pair) -> tuple[bool, str, float, float]:
    """Sorts pairs by the type of their groups, then as they stand in the reference, then in the prediction."""
    reference, prediction = (
        math.inf if number is None else number for number in (pair.reference_group, pair.predicted_group)
    )
    return pair.group_type is None, pair.group_type or "", reference, prediction


def _number(group: Tokens | None, empty: deque[int] | None) -> int | None:
    """The number of a group in its document. All empty groups of a type are alike: any order of them will do."""
    if group is None:
        return None
    for confidence in group.values():
        return confidence.group if isinstance(confidence, Located) else None
    return empty.popleft() if empty else None


def _empty_groups(document: object, side: str, settings: Settings) -> dict[str, deque[int]]:
    """The numbers of the groups without entities, by type, if these are counted."""
    if settings.empty_groups != "count":
        return {}
    groups = parse_document(document, side, normalize=settings.normalizer, keep_empty_groups=True).groups
    return {name: deque(place for place, group in enumerate(each) if not group) for name, each in groups.items()}


def rows_of_pairs(pairs: Iterable[Pair], document: str | int) -> Iterator[ErrorRow]:
    """The rows of a document, in the order of its pairs."""
    pairs = list(pairs)
    elsewhere = _Elsewhere.of(pairs)
    for place, pair in enumerate(pairs):
        for operation, wrong, missed in pair.differences():
            found = located_of(pair.predicted, wrong)
            prediction = None if found is None else str(found.value)
            reference = shown_reference(located_of(pair.expected, missed), prediction)
            kind, other_place = elsewhere.explain(
                place, pair.group_type, wrong, missed, (prediction, _answers_before(pair, missed))
            )
            yield ErrorRow(
                document,
                pair.group_type,
                pair.predicted_group,
                pair.reference_group,
                (wrong or missed or ("",))[0],
                operation,
                kind,
                reference,
                prediction,
                _similarity(wrong, missed),
                None if found is None or found == NO_CONFIDENCE else float(found),
                None if found is None else found.box,
                None if found is None else found.page,
                other_place,
            )


def located_of(group: Tokens | None, token: Token | None) -> Located | None:
    """Where a token of a group stands; None without a token."""
    confidence = group[token] if group is not None and token is not None else None
    return confidence if isinstance(confidence, Located) else None


def _answers(value: Any) -> tuple[str, ...]:
    return value.alternatives if isinstance(value, OneOf) else (value,)


def _answers_before(pair: Pair, missed: Token | None) -> tuple[str, ...]:
    """The right answers before normalisation."""
    located = located_of(pair.expected, missed)
    return () if located is None else _answers(located.value)


def shown_reference(located: Located | None, prediction: str | None) -> str | None:
    """The reference value to show: of alternatives, the one most similar to the prediction."""
    if located is None:
        return None
    answers = _answers(located.value)
    if prediction is None or len(answers) == 1:
        return str(answers[0])
    beginnings = [answer[:COMPARED_CHARACTERS] for answer in answers]
    return str(answers[beginnings.index(most_similar(beginnings, [prediction[:COMPARED_CHARACTERS]]))])


def _similarity(wrong: Token | None, missed: Token | None) -> float | None:
    if wrong is None or missed is None:
        return None
    texts = [value[:COMPARED_CHARACTERS] for value in (wrong[1], *_answers(missed[1]))]
    return max(Levenshtein.normalized_similarity(texts[0], answer) for answer in texts[1:])


@dataclass(slots=True)
class _Elsewhere:
    """What a document holds, by value: where values are wrong, missed and right.

    Attributes:
        groups: from (side, group type, entity type, value) to the pairs in which it is wrong or missed: from the place
            of each to the number of its group on that side.
        types: from (side, value) to the entity types under which it is wrong or missed.
        right: each (entity type, value) that is right somewhere.
    """

    groups: defaultdict[tuple[Any, ...], dict[int, int | None]] = field(default_factory=lambda: defaultdict(dict))
    types: defaultdict[tuple[str, str], set[str]] = field(default_factory=lambda: defaultdict(set))
    right: set[tuple[str, str]] = field(default_factory=set)

    @classmethod
    def of(cls, pairs: Iterable[Pair]) -> _Elsewhere:
        """What the pairs of a document hold."""
        known = cls()
        for place, pair in enumerate(pairs):
            known.right.update((entity_type, value) for entity_type, value, _ in pair.right)
            for _, *tokens in pair.differences():
                for side, token in zip(("wrong", "missed"), tokens, strict=True):
                    if token is not None:
                        known._note(side, token, place, pair)
        return known

    def _note(self, side: str, token: Token, place: int, pair: Pair) -> None:
        entity_type, value, _ = token
        number = pair.predicted_group if side == "wrong" else pair.reference_group
        for answer in _answers(value):
            self.groups[side, pair.group_type, entity_type, answer][place] = number
            self.types[side, answer].add(entity_type)

    def explain(
        self,
        place: int,
        group_type: str | None,
        wrong: Token | None,
        missed: Token | None,
        texts: tuple[str | None, tuple[str, ...]],
    ) -> tuple[Kind, int | str | None]:
        """The first kind that holds, and the group or the entity type where the value stands.

        `texts` are the predicted value and the right answers before normalisation.
        """
        prediction, answers = texts
        if prediction is not None and any(_differ_in_form_only(prediction, answer) for answer in answers):
            return "form", None
        # where the wrong value is missed, and where the missed one is predicted wrongly
        sought = [("missed", wrong[0], wrong[1])] if wrong else []
        sought += [("wrong", missed[0], answer) for answer in _answers(missed[1])] if missed else []
        for side, entity_type, value in sought:
            groups = self.groups.get((side, group_type, entity_type, value), {})
            if numbers := [number for other, number in groups.items() if other != place and number is not None]:
                return "group", min(numbers)
        for side, entity_type, value in sought:
            if types := self.types.get((side, value), set()) - {entity_type}:
                return "type", min(types)
        if wrong and not missed and (wrong[0], wrong[1]) in self.right:
            return "duplicate", None
        return ("value" if wrong and missed else "missed" if missed else "invented"), None


def _differ_in_form_only(prediction: str, reference: str) -> bool:
    """Whether two values are equal as numbers, money or dates, or in letters and digits.

    Two amounts with different values differ in more than their form: 12.00 and 1200, though their digits are equal.
    """
    if any(read(prediction) == read(reference) for read in (number, money, date)):
        return True
    if read_amount(prediction) is not None and read_amount(reference) is not None:
        return False
    return _letters_and_digits(prediction) == _letters_and_digits(reference)


def _letters_and_digits(text: str) -> str:
    return alphanumeric(whitespace(casefold(nfkc(text))))


def error_rows(
    prediction: object, reference: object, settings: Settings | None = None, *, document: str | int = 0
) -> list[ErrorRow]:
    """The errors of one document; `docie.corpus.errors` gives those of a corpus.

    Which group is compared with which, and so what is wrong and what is missed, is as in the score. The kind of a row
    is the first that holds:

    * `form`: the two values are equal but for case, spaces and signs, or are equal as numbers, money or dates;
    * `group`: the predicted value is missed in another group of the same type, or the missed value is predicted
      wrongly in another one; a swapped cell gives two such rows;
    * `type`: the predicted value is missed under another entity type of this document, or the missed value is predicted
      wrongly under another one;
    * `duplicate`: the deleted value is right elsewhere in this document, under the same entity type;
    * `value` (a substitution), `missed` (an addition), `invented` (a deletion).

    Args:
        prediction (dict): the predicted document.
        reference (dict): the reference document.
        settings (Settings): the options of KIEval; None for the defaults.
        document (str or int): what the rows say as `document`.

    Returns:
        list of ErrorRow: as many of each operation as KIEval counts `substitutions`, `additions` and `deletions`.

    Raises:
        DocumentError: for a document that cannot be read.

    >>> prediction = {"menu": [{"nm": "latte", "price": "9"}, {"nm": "Tea", "price": "3"}], "total": "12"}
    >>> reference = {"menu": [{"nm": "Latte", "price": "9"}, {"nm": "Tea"}], "tax": "1"}
    >>> for row in error_rows(prediction, reference):
    ...     print(row.predicted_group, row.entity_type, row.operation, row.kind, row.reference, row.prediction)
    0 menu.nm substitution form Latte latte
    1 menu.price deletion invented None 3
    None total deletion invented None 12
    None tax addition missed 1 None
    """
    pairs = pairs_of(prediction, reference, Settings() if settings is None else settings)
    return list(rows_of_pairs(pairs, document))
