"""The kind of a correction, and where else in the document its value stands."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from docie.core.normalizers import same_value
from docie.documents.leaves import OneOf
from docie.documents.multisets import Token

if TYPE_CHECKING:
    from docie.metrics.kieval.errors.pairs import Pair

Kind = Literal["form", "group", "type", "duplicate", "value", "missed", "invented"]
KINDS: tuple[Kind, ...] = ("form", "group", "type", "duplicate", "value", "missed", "invented")
"""All kinds, in the order in which they are looked for."""


def answers_of(value: Any) -> tuple[str, ...]:
    """The accepted answers of a value: its alternatives, or itself."""
    return value.alternatives if isinstance(value, OneOf) else (value,)


def is_form_only(prediction: str | None, answers: Iterable[str]) -> bool:
    """Whether a predicted value is one of the accepted answers in a different format."""
    return prediction is not None and any(same_value(prediction, answer) for answer in answers)


@dataclass(slots=True)
class Elsewhere:
    """What a document holds, by value: where values are incorrect, missing and correct.

    Attributes:
        groups: from (side, group type, entity type, value) to the pairs where it is incorrect or missing: the place
            of each to the number of its group on that side.
        types: from (side, value) to the entity types under which it is incorrect or missing.
        right: each (entity type, value) that is correct somewhere.
    """

    groups: defaultdict[tuple[Any, ...], dict[int, int | None]] = field(default_factory=lambda: defaultdict(dict))
    types: defaultdict[tuple[str, str], set[str]] = field(default_factory=lambda: defaultdict(set))
    right: set[tuple[str, str]] = field(default_factory=set)

    @classmethod
    def of(cls, pairs: Iterable[Pair]) -> Elsewhere:
        """What the pairs of a document hold."""
        known = cls()
        for place, pair in enumerate(pairs):
            known.right.update((entity_type, value) for entity_type, value, _ in pair.right)
            for _, *tokens in pair.differences():
                for side, token in zip(("wrong", "missed"), tokens, strict=True):
                    if token is not None:
                        known.note(side, token, place, pair)
        return known

    def note(self, side: str, token: Token, place: int, pair: Pair) -> None:
        entity_type, value, _ = token
        number = pair.predicted_group if side == "wrong" else pair.reference_group
        for answer in answers_of(value):
            self.groups[side, pair.group_type, entity_type, answer][place] = number
            self.types[side, answer].add(entity_type)

    def explain(
        self,
        place: int,
        group_type: str | None,
        wrong: Token | None,
        missed: Token | None,
        is_form: bool,
    ) -> tuple[Kind, int | str | None]:
        """The first kind that holds, and the group or the entity type where the value stands.

        `is_form` says whether the two values are the same, written in another way.
        """
        if is_form:
            return "form", None
        # where the wrong value is missed, and where the missed one is predicted wrongly
        sought = [("missed", wrong[0], wrong[1])] if wrong else []
        sought += [("wrong", missed[0], answer) for answer in answers_of(missed[1])] if missed else []
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
