"""Several runs of one system: means of counts, the spread of scores, beside plain loops, and what one run is."""

from __future__ import annotations

from statistics import fmean, stdev, variance
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy.sparse import csr_matrix
from scipy.stats import f as f_distribution

import docie
from docie import anls_star, corpus, entity_f1, hed, kieval
from docie.core.counts import Counts
from docie.corpus.runs.spread import spreads

from sizes import examples

FIELDS = ("total", "date", "vendor")
DOCUMENTS = st.fixed_dictionaries({}, optional=dict.fromkeys(FIELDS, st.sampled_from(["1", "2", "3"])))


@st.composite
def corpora(draw: st.DrawFn, least: int = 1) -> tuple[list[Any], list[list[Any]]]:
    """References, and for each the answers of the runs."""
    references = draw(st.lists(DOCUMENTS, min_size=1, max_size=6))
    return references, [draw(st.lists(DOCUMENTS, min_size=least, max_size=4)) for _ in references]


def rows(documents: list[Any]) -> list[dict[str, Any]]:
    return [{"id": f"r-{number}", "document": each} for number, each in enumerate(documents)]


def of_runs(answers: list[list[Any]]) -> list[dict[str, Any]]:
    """The rows of all runs, run by run, as a file has them."""
    most = max(map(len, answers))
    by_run = [[(number, each[run]) for number, each in enumerate(answers) if run < len(each)] for run in range(most)]
    return [{"id": f"r-{number}", "document": each} for run in by_run for number, each in run]


ORDER = {"predictions": {"run": "order"}}
BY_ID = {"predictions": {"id": "id"}}


@pytest.mark.parametrize("family", [kieval, entity_f1, anls_star, hed], ids=lambda family: family.NAME)
@pytest.mark.filterwarnings("ignore")
@given(documents=st.lists(st.tuples(DOCUMENTS, DOCUMENTS), min_size=1, max_size=6))
@examples(200, 30)
def test_one_run_has_the_scores_that_it_has_without(family: Any, documents: list[tuple[Any, Any]]) -> None:
    predictions, references = (rows([*side]) for side in zip(*documents, strict=True))
    more: dict[str, Any] = {"confidence_level": 0.95, "breakdown": True}
    alone, of_one = (corpus.evaluate(family, predictions, references, config=how, **more) for how in (BY_ID, ORDER))
    del alone["signature"], of_one["signature"]
    assert of_one == alone


@pytest.mark.filterwarnings("ignore")
@given(corpora())
@examples(300, 60)
def test_a_document_counts_with_the_mean_of_its_answers(given_: tuple[list[Any], list[list[Any]]]) -> None:
    references, answers = given_
    found = corpus.evaluate(kieval, of_runs(answers), rows(references), config=ORDER, breakdown=True)
    sums = np.zeros(3)
    for reference, each in zip(references, answers, strict=True):
        counted = [kieval.score(kieval.count(answer, reference)) for answer in each]
        sums += [
            fmean(one[name] for one in counted) for name in ("true_positives", "false_positives", "false_negatives")
        ]
    assert [found["true_positives"], found["false_positives"], found["false_negatives"]] == pytest.approx(sums.tolist())
    assert found["documents"] == len(references) == len(found["per_document"])
    if sums.sum():
        assert found["entity_f1"] == pytest.approx(2 * sums[0] / (2 * sums[0] + sums[1] + sums[2]))


@pytest.mark.filterwarnings("ignore")
@given(corpora(least=2), st.randoms(use_true_random=False))
@examples(200, 40)
def test_the_order_of_rows_and_of_runs_does_not_matter(given_: tuple[list[Any], list[list[Any]]], dice: Any) -> None:
    references, answers = given_
    first = corpus.evaluate(kieval, of_runs(answers), rows(references), config=ORDER)
    for each in answers:
        dice.shuffle(each)
    shuffled = of_runs(answers)
    dice.shuffle(shuffled)
    assert corpus.evaluate(kieval, shuffled, rows(references), config=ORDER) == pytest.approx(first)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("workers", [1, 2])
def test_processes_and_groups_count_documents_too(workers: int) -> None:
    references = [
        {"id": f"r-{number}", "reference": {"total": "1"}, "meta": {"vendor": "AB"[number % 2]}}
        for number in range(300)
    ]
    answers = [{"id": f"r-{number}", "document": {"total": str(run)}} for run in range(3) for number in range(300)]
    found = corpus.evaluate(kieval, answers, references, config=ORDER, group_by="vendor", workers=workers)
    assert found["documents"] == 300
    assert found["entity_f1"] == pytest.approx(1 / 3)
    assert {name: (row["documents"], row["entity_f1"]) for name, row in found["by_vendor"].items()} == {
        "A": (150, pytest.approx(1 / 3)),
        "B": (150, pytest.approx(1 / 3)),
    }


def mean_of(sums: Any) -> dict[str, Any]:
    """The mean of shares, from their sum and the number of documents."""
    return {"mean": sums[:, 0] / sums[:, 1]}


@given(st.lists(st.lists(st.integers(0, 4), min_size=1, max_size=5), min_size=2, max_size=8))
@examples(300, 60)
def test_the_spread_of_a_mean_is_that_of_a_plain_loop(shares: list[list[int]]) -> None:
    assume(any(len(set(each)) > 1 for each in shares))
    size = len(shares)
    table = csr_matrix(np.array([[share / 4, 1.0] for each in shares for share in each]))
    found = spreads(mean_of, table, [[str(run) for run, _ in enumerate(each)] for each in shares])["mean"]
    added = [[share / 4 / size for share in each] for each in shares]
    within = sum((one - fmean(each)) ** 2 for each in added for one in each) / sum(len(each) - 1 for each in added)
    of_answers, of_more = (within * fmean(1 / (len(each) + more) for each in added) for more in (0, 1))
    between = max(0.0, variance(map(fmean, added)) - of_answers)
    assert found.standard_deviation == pytest.approx((size * within) ** 0.5, rel=1e-4)
    assert found.another_run == pytest.approx(((between + of_more) / (between + of_answers)) ** 0.5, rel=1e-4)
    runs = fmean(map(len, shares))
    assert found.more_documents == pytest.approx((runs / (runs + 1)) ** 0.5)
    if len({*map(len, shares)}) == 1:
        whole = [fmean(each[run] / 4 for each in shares) for run in range(len(shares[0]))]
        assert found.of_whole_runs == pytest.approx(stdev(whole))
        freedom = len(whole) - 1, sum(len(each) - 1 for each in shares)
        assert found.p == pytest.approx(f_distribution.sf(variance(whole) / (size * within), *freedom), rel=1e-3)
    else:
        assert (found.of_whole_runs, found.p) == (None, None)


def test_answers_that_do_not_vary_have_no_spread() -> None:
    found = spreads(mean_of, csr_matrix(np.array([[1.0, 1.0], [1.0, 1.0], [0.0, 1.0], [0.0, 1.0]])), [["a", "b"]] * 2)
    assert found["mean"][:4] == (0.0, 0.0, None, 1.0)
    assert found["mean"].more_documents == pytest.approx((2 / 3) ** 0.5)


def test_means_of_counts_stay_whole_where_they_can() -> None:
    one, two = (Counts(1, invalid, {("a",): [number, 1]}) for invalid, number in ((0, 1), (1, 4)))
    assert Counts.mean_of([one]) is one
    found = Counts.mean_of([one, two])
    assert (found.documents, found.invalid_predictions, found.rows) == (1, 0.5, {("a",): [2.5, 1]})
    assert type(found.documents) is int


def test_parts_with_runs_are_added_and_not_written() -> None:
    references, answers = (
        rows([{"total": "1"}, {"total": "2"}]),
        of_runs([[{"total": "1"}, {"total": "3"}], [{"total": "2"}] * 2]),
    )
    whole = corpus.count(kieval, answers, references, config=ORDER, keep="documents")
    parts = [
        corpus.count(kieval, answers[at::2], references[at : at + 1], config=ORDER, keep="documents") for at in (0, 1)
    ]
    total = parts[0] + parts[1]
    assert total.counts == whole.counts
    assert total.runs is not None
    assert whole.runs is not None
    assert (total.runs.names, len(total.runs.matrix)) == (whole.runs.names, len(whole.runs.matrix))
    with pytest.raises(ValueError, match="^run: counts of documents with several answers are not written"):
        whole.to_json()


@pytest.mark.parametrize(
    ("config", "expected"),
    [
        ({"references": {"run": "order"}}, "run goes with predictions; a document has one reference"),
        ({"predictions": {"run": "order", "pages": "page"}}, "so it does not go with pages"),
        ({"predictions": {"run": "order", "records": "rows"}}, "so it does not go with records"),
    ],
)
def test_readings_that_cannot_be(config: dict[str, Any], expected: str) -> None:
    with pytest.raises(ValueError, match=expected):
        corpus.evaluate(kieval, [{}], [{}], config=config)


@pytest.mark.parametrize(
    "ask",
    [
        lambda **given: docie.check(**given),
        lambda **given: docie.threshold(**given),
        lambda **given: docie.score(**given, silver=given["predictions"]),
        lambda references, predictions, config: kieval.automation_curve(predictions, references, config=config),
        lambda references, predictions, config: corpus.suspects(
            {"a": predictions, "b": predictions}, references, config=config
        ),
    ],
)
def test_what_takes_one_answer_refuses_several(ask: Any) -> None:
    references = rows([{"total": "1"}])
    with pytest.raises(
        ValueError, match=r"^run: .* one answer for each document; score, compare and errors take several"
    ):
        ask(references=references, predictions=[*references, *references], config=ORDER)


def test_sentences_have_the_numbers_of_all_fields() -> None:
    """Of 20 fields with five answers, two of which are wrong, 12 are correct: no field by itself is 0 or 1."""
    reference = {f"f{number}": "1" for number in range(20)}
    answers = [{"id": "r", **dict.fromkeys(reference, "1" if run < 3 else "2")} for run in range(5)]
    found = docie.score(references=[{"id": "r", **reference}], predictions=answers, run="order")
    said = {each.score: each.sentence for each in found.said["kieval"]}
    assert said["entity_f1"] == "12 of 20 values correct, 8 of 20 predicted are incorrect"
    assert said["corrections"] == "8 to replace: 8 a document"
