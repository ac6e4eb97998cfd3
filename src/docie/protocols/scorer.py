"""What computes a published score that no family computes, though it counts, adds and scores as families do.

How to write one, `scorers/<name>.py`, of at most 120 lines of code:

1. `count(prediction, reference, settings) -> Counts`: one document as rows of numbers that may be added
   (`docie.core.counts`). A prediction that cannot be read is `Counts.of_document({}, valid=False)` plus what it costs.
2. `score(counts) -> dict`: the scores of one document or of many; arithmetic that also works on arrays (`ratio`).
3. `SCORER = Scorer(NAME="<name>", SCORES=(Score(..., headline=True), ...), count=count, score=score)`. `INPUTS` is
   ("document",) if it is not given; `Settings`, a frozen dataclass with a default for every field, has no fields;
   `breakdown`, a function from counts to tables, gives none.
4. `published/<name>.toml` with `scorer = "<name>"` in place of `family`; `quoted` is one of `SCORES`.

    def count(prediction, reference, settings):
        valid = isinstance(prediction, dict)
        return Counts.of_document({("document",): Documents(exact=int(prediction == reference))}, valid=valid)

    def score(counts):
        return {"exact": ratio(counts.total("document", Documents).exact, counts.documents, empty=1.0)}

`means.py` has the scorer of a mean over documents, `fields.py` that of fields, and `objects` reads two JSON objects.
Settings that differ by document (a schema each) have a method `of_document(id)`, as those of `docie.protocols.schemas`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any

from docie.core.counts import Counts, Number
from docie.core.errors import DocumentError, json_kind
from docie.core.scores import Headline, Score
from docie.metrics import kieval

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

    from docie.core.explanation import Explanation

MOST_SAID = 4
"""The number of scores that are said first."""


@dataclass(frozen=True)
class NoSettings:
    """The settings of a scorer without options."""


def objects(prediction: object, reference: object) -> tuple[Mapping[str, Any], Mapping[str, Any]]:
    """Two documents that are JSON objects; a prediction that is none is an empty one.

    Raises:
        DocumentError: for a reference that is none.

    >>> objects("Latte", {"total": "9"})
    ({}, {'total': '9'})
    """
    if not isinstance(reference, Mapping):
        raise DocumentError(f"reference must be a JSON object, got {json_kind(reference)}", side="reference")
    return prediction if isinstance(prediction, Mapping) else {}, reference


def no_tables(counts: Counts) -> dict[str, dict[str, dict[str, Number]]]:
    """The tables of a scorer that has none."""
    return {}


@dataclass(frozen=True, kw_only=True)
class Scorer:
    """A scorer, which the engine takes as a `docie.core.family.Family`. It has no card and no evaluate module.

    Attributes:
        NAME: its name, that of its module.
        SCORES: the meaning of its scores.
        count, score, breakdown: as in `Family`.
        INPUTS: the kinds of input that it reads, names of `docie.inputs.kinds.INPUT_KINDS`.
        Settings: the class of its settings.
        explained: the pairs that reports show, of a prediction and a reference; KIEval's pairs of values by default.
    """

    NAME: str
    SCORES: tuple[Score, ...]
    count: Callable[[object, object, Any], Counts]
    score: Callable[[Counts], dict[str, Number]]
    breakdown: Callable[[Counts], dict[str, dict[str, dict[str, Number]]]] = no_tables
    INPUTS: tuple[str, ...] = ("document",)
    Settings: type[DataclassInstance] = NoSettings
    explained: Callable[[object, object], Explanation] = kieval.explain

    def headlines(self, counts: Counts, figures: Mapping[str, Any], /) -> Iterator[Headline]:
        """The headline, then the other scores that are no part of one, each with its meaning."""
        own = [each for each in self.SCORES if each.name in figures and each.better != "neither"]
        own.sort(key=lambda each: (not each.headline, each.part_of is not None))
        yield from (Headline(each.name, each.meaning) for each in islice(own, MOST_SAID))

    def explain(self, prediction: object, reference: object, settings: Any, /) -> Explanation:
        """The pairs that reports show."""
        return self.explained(prediction, reference)
