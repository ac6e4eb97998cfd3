"""Values that KIEval compared, as a page has them: straight from the comparison, since a corpus has many."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from json.encoder import encode_basestring_ascii as quoted
from typing import Any, NamedTuple

from docie.core.explanation import place_of
from docie.core.rules.match import Rules
from docie.core.values.plain import NO_CONFIDENCE
from docie.documents.multisets import Token
from docie.documents.value_pairs import places_in_pair
from docie.metrics.kieval.corrections import ErrorRow, rows_of_pairs, shown_reference
from docie.metrics.kieval.evidence.sides import Side
from docie.metrics.kieval.explanation import Compared, groups_in_order, values_in_order
from docie.metrics.kieval.options import Settings
from docie.metrics.kieval.pairs import Pair, pairs_of
from docie.show.page.data import text_of

NAMES = {"confidence": "c", "box": "b", "page": "p", "expected_box": "B", "expected_page": "P"}
"""What is known of an answer beside its text, as a page calls it."""


class Values(NamedTuple):
    """The values of a document.

    Attributes:
        groups: they in their groups as a page has them, as JSON.
        errors: their errors, each with the number of its value in the document.
        equal: how many are correct that are not written as in the reference.
    """

    groups: str
    errors: list[tuple[ErrorRow, int]]
    equal: int


def groups_of(groups: Iterable[tuple[Pair, Sequence[ErrorRow]]], rules: Rules | None) -> Values:
    """The values of groups, each with its errors.

    >>> from docie.metrics.kieval import Settings
    >>> from docie.metrics.kieval.corrections import rows_of_pairs
    >>> from docie.metrics.kieval.pairs import pairs_of, sides_of
    >>> settings = Settings()
    >>> pairs = pairs_of(*sides_of({"total": "8", "tax": "1"}, {"tax": "1", "total": "9"}, settings), settings)
    >>> found = groups_of(zip(pairs, rows_of_pairs(pairs, 0)), None)
    >>> print(found.groups, [(row.kind, number) for row, number in found.errors])
    [["","","",0,[["tax","1"],["total","9",["8","value"]]]]] [('value', 1)]
    """
    texts, errors, number, equal = list[str](), list[tuple[ErrorRow, int]](), 0, 0
    for compared, rows in groups:
        kind, numbers = compared.group_type or "", (compared.predicted_group, compared.reference_group)
        name, note = place_of(kind, *numbers) if kind else ("", "")
        prefix, is_alone = kind and f"{kind}.", int(bool(kind) and None in numbers)
        if not rows and rules is None and compared.is_plain:
            values = _correct_values(compared, prefix)
        else:
            if rules is None and compared.is_plain:
                found = [*_plain_values(compared, rows, prefix)]
            else:
                each = [
                    (_value(compared, value, prefix), value.error) for value in values_in_order(compared, rows, rules)
                ]
                equal += sum(_is_equal(*value) for value, _ in each)
                found = [(text_of(value), error) for value, error in each]
            values = [text for text, _ in found]
            errors += ((row, place) for place, (_, row) in enumerate(found, number) if row is not None)
        number += len(values)
        texts.append(f"[{quoted(name)},{quoted(kind)},{quoted(note)},{is_alone},[{','.join(values)}]]")
    return Values(f"[{','.join(texts)}]", errors, equal)


def compared_values(documents: tuple[object, object], sides: tuple[Side, Side], settings: Settings) -> Values:
    """The values of a document.

    Args:
        documents: the prediction and the reference.
        sides: both, as `docie.metrics.kieval.pairs.sides_of` reads them.
        settings: the options of KIEval.

    >>> from docie.metrics.kieval.pairs import sides_of
    >>> documents, settings = ({"total": "8"}, {"total": "9"}), Settings()
    >>> compared_values(documents, sides_of(*documents, settings), settings).groups
    '[["","","",0,[["total","9",["8","value"]]]]]'
    """
    pairs = pairs_of(*sides, settings)
    return groups_of(groups_in_order(*documents, pairs, [*rows_of_pairs(pairs, 0)]), settings.rules)


def _correct_values(compared: Pair, prefix: str) -> list[str]:
    """The values where all are correct and written as in the reference, as most are."""
    predicted, values = compared.predicted or {}, list[str]()
    for token in compared.expected or ():
        field, text, sure = quoted(token[0].removeprefix(prefix)), quoted(token[1]), predicted[token]
        values.append(
            f"[{field},{text}]" if sure == NO_CONFIDENCE else f'[{field},{text},[{text},"",{{"c":{sure!r}}}]]'
        )
    return values


def _plain_values(compared: Pair, rows: Sequence[ErrorRow], prefix: str) -> Iterator[tuple[str, ErrorRow | None]]:
    """The values where a correct one is written as in the reference: the same in a tenth of the time."""
    predicted, differences = compared.predicted or {}, [*zip(compared.differences(), rows, strict=True)]
    missing = {expected: (incorrect, row) for (_, incorrect, expected), row in differences if expected is not None}
    spurious = {incorrect: row for (_, incorrect, expected), row in differences if expected is None}
    behind = _behind(compared, missing, spurious)
    for expected in (None, *(compared.expected or ())):
        if expected is not None:
            incorrect, row = missing.get(expected, (expected, None))
            sure = NO_CONFIDENCE if incorrect is None else predicted[incorrect]
            yield _plain(expected[0].removeprefix(prefix), expected, incorrect, row, sure), row
        for incorrect in behind.get(expected, ()):
            row = spurious[incorrect]
            yield _plain(incorrect[0].removeprefix(prefix), None, incorrect, row, predicted[incorrect]), row


def _plain(field: str, expected: Token | None, predicted: Token | None, row: ErrorRow | None, sure: float) -> str:
    """A value as JSON."""
    reference = "null" if expected is None else quoted(expected[1])
    if row is None and sure == NO_CONFIDENCE:
        return f"[{quoted(field)},{reference}]"
    prediction = "null" if predicted is None else reference if predicted is expected else quoted(predicted[1])
    more = "" if sure == NO_CONFIDENCE else f',{{"c":{sure!r}}}'
    return f'[{quoted(field)},{reference},[{prediction},"{row.kind if row else ""}"{more}]]'


def _behind(
    compared: Pair, missing: Mapping[Token, tuple[Token | None, ErrorRow]], spurious: Collection[Token | None]
) -> dict[Token | None, list[Token]]:
    """From a value of the reference to the spurious ones that follow it in the prediction; from None to the first."""
    behind: dict[Token | None, list[Token]] = {}
    if not spurious:
        return behind
    instead, before = {incorrect: expected for expected, (incorrect, _) in missing.items()}, None
    for token in compared.predicted or ():
        if token in spurious:
            behind.setdefault(before, []).append(token)
        else:
            before = instead.get(token, token)
    return behind


def _is_equal(_: str, reference: str | None, answer: Sequence[Any] | None = None) -> bool:
    """Whether a value is correct, but not written as in the reference."""
    return answer is not None and answer[1] == "" and answer[0] != reference


def _value(compared: Pair, value: Compared, prefix: str) -> list[Any]:
    predicted = None if value.predicted is None else compared.predicted_leaves[value.predicted]
    expected = None if value.expected is None else compared.expected_leaves[value.expected]
    prediction = None if predicted is None else str(predicted.written)
    reference = shown_reference(expected and expected.written, prediction)
    field = (value.predicted or value.expected or ("",))[0].removeprefix(prefix)
    if compared.has_places:
        known = places_in_pair(predicted, expected)
        more = {short: known[name] for name, short in NAMES.items() if known[name] is not None}
    else:
        more = {} if predicted is None or predicted.confidence == NO_CONFIDENCE else {"c": predicted.confidence}
    if value.error is None and prediction == reference and not more:
        return [field, reference]
    answer: list[Any] = [prediction, "" if value.error is None else value.error.kind]
    return [field, reference, [*answer, more] if more else answer]
