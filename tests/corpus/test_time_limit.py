"""Documents that would take too long are refused before they are counted."""

from __future__ import annotations

from typing import Any

import pytest

import docie
from docie import corpus, nted
from docie.core.errors import DocumentError
from docie.core.family import get

HARD = {"items": [{"name": f"item {number}", "price": str(number)} for number in range(20_000)]}
OTHER = {"items": [{"name": f"thing {number}", "price": f"{number}.0"} for number in range(20_000)]}


@pytest.mark.parametrize("workers", [1, 2])
def test_a_document_that_takes_too_long_is_refused_by_number(workers: int) -> None:
    predictions: list[Any] = [{"total": "7"}, HARD]
    with pytest.raises(DocumentError, match=r"document 1: nted would take about \d+ (s|min|h), more than 2.5 s"):
        corpus.evaluate(nted, predictions, [{"total": "7"}, OTHER], max_seconds=2.5, workers=workers)


def test_errors_and_comparisons_refuse_it_too() -> None:
    hard, other = ({"items": document["items"][:300]} for document in (HARD, OTHER))
    with pytest.raises(DocumentError, match="document 1: kieval would take .*, more than 0.001 s"):
        list(corpus.errors([{}, hard], [{}, other], max_seconds=0.001))
    systems: dict[str, list[Any]] = {"quick": [{}, {}], "slow": [{}, hard]}
    with pytest.raises(DocumentError, match="'slow', document 1: nted would take .*, more than 0.01 s"):
        corpus.compare(nted, systems, [{}, other], max_seconds=0.01)


def test_what_is_within_the_limit_is_scored_as_without_one() -> None:
    documents = [{"total": "7"}, {"items": [{"name": "Tea"}]}]
    assert corpus.evaluate(nted, documents, documents, max_seconds=5) == corpus.evaluate(nted, documents, documents)


def test_a_document_that_cannot_be_read_is_no_matter_of_time() -> None:
    with pytest.raises(DocumentError, match="document 0"):
        corpus.evaluate(nted, [{}], [None], max_seconds=1)


@pytest.mark.parametrize("seconds", [0, -1, float("nan"), float("inf"), True, "9"])
def test_limits_that_make_no_sense(seconds: Any) -> None:
    with pytest.raises(ValueError, match="max_seconds must be a number of seconds above 0"):
        corpus.evaluate(nted, [{}], [{}], max_seconds=seconds)
    with pytest.raises(ValueError, match="max_seconds must be a number of seconds above 0"):
        list(corpus.errors([{}], [{}], max_seconds=seconds))
    with pytest.raises(ValueError, match="max_seconds must be a number of seconds above 0"):
        corpus.compare(nted, {"a": [{}], "b": [{}]}, [{}], max_seconds=seconds)


@pytest.mark.parametrize("family", docie.families())
def test_every_family_says_what_a_document_costs(family: str) -> None:
    module = get(family)
    seconds = module.cost({}, {}, module.Settings())
    assert 0 <= seconds < 0.01
