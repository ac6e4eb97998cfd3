"""Metrics of arrays and texts, as a Trainer gives them: neither torch nor transformers is needed."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from docie.adapters import llm, training
from docie.core.errors import DocumentError

from training_rows import (
    ANSWERS,
    DOCUMENTS,
    LABELS,
    NAMES,
    OF_DOCUMENT,
    PREDICTED_TAGS,
    RIGHT,
    TAGS,
    WORD_IDS,
    WORDS,
    Tokens,
    generated,
    metrics_of,
    rows_of,
)


def test_labels_that_are_no_tags() -> None:
    """Neighbours of one label are one entity, on both sides."""
    compute_metrics = training.token_classification_metrics(
        [["Kedai", "Kopi", "4.50", "thanks"]],
        [["shop", "shop", "total", "O"]],
        [[0, 1, 2, 3]],
        ["O", "shop", "total"],
        metrics=["kieval", "entity_f1"],
    )
    output = SimpleNamespace(predictions=[[1, 1, 0, 2]], label_ids=None)
    assert compute_metrics.predicted(output) == [{"shop": "Kedai Kopi", "total": "thanks"}]
    assert compute_metrics(output)["entity_f1_f1"] == 0.5


@pytest.mark.parametrize(
    ("change", "error", "message"),
    [
        ({"metrics": "kieva"}, ValueError, "unknown family 'kieva', expected one of: anls_star"),
        ({"metrics": ["box_iou"]}, ValueError, "box_iou reads labelled boxes, but these are documents or lists of entities"),
        ({"metrics": {"kieval": {"treshold": 1}}}, ValueError, "unknown option 'treshold' of kieval, expected one of: "),
        ({"metrics": {"kieval": {"matching": "best"}}}, ValueError, "matching must be"),
        ({"strategy": "last"}, ValueError, "strategy must be"),
        ({"groups": "items"}, ValueError, "groups must be a list of group types, got 'items'"),
        ({"references": DOCUMENTS[:2]}, ValueError, "expected as many references as documents, got 2 and 3"),
        ({"references": [*DOCUMENTS[:2], "text"]}, DocumentError, "document 2: reference must be a JSON object, got text"),
        ({"references": [*TAGS[:2], []]}, ValueError, "document 2: expected as many tags as words, got 0 and 1"),
        ({"references": [*TAGS[:2], [9]]}, ValueError, "document 2: expected tags or ids of id2label, got 9"),
        ({"documents": [0, 0, 1]}, ValueError, "expected as many documents as word_ids has rows, got 3 and 4"),
        ({"documents": [0, 0, 1, 1]}, ValueError, "document 2 has 1 words, but no row; check that documents do not count from 0 again in every batch of a map"),
        ({"references": [*DOCUMENTS[:2], ["O"]]}, ValueError, "document 2: its reference is of the type list, that of document 0 of dict; expected documents, or lists of tags, for all"),
        ({"references": [*TAGS[:2], ["shop"]]}, ValueError, "document 2: expected labels as id2label has them, got 'shop'"),
        ({"words": ["ab", ["a"], ["b"]]}, ValueError, "document 0: expected a list of words, got 'ab'"),
        ({"documents": [0, 0, 1, 3]}, ValueError, "row 3: expected a document between 0 and 2, got 3"),
        ({"id2label": ["O", "B-shop", "total"]}, ValueError, "id2label has tags and other labels, such as 'B-shop' and 'total'"),
        ({"words": [["a"], [1], ["b"]]}, ValueError, "word 0 must be text, got 1"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said_before_training(change: dict[str, Any], error: Any, message: str) -> None:
    arguments: dict[str, Any] = {
        "words": WORDS, "references": DOCUMENTS, "word_ids": WORD_IDS, "id2label": NAMES,
        "documents": OF_DOCUMENT, "groups": ["items"],
    }  # fmt: skip
    with pytest.raises(error, match=f"^{message}"):
        training.token_classification_metrics(**{**arguments, **change})


def test_labels_of_other_documents_are_noticed() -> None:
    """Rows of equal length, swapped, or of another data set."""
    for references in ([["B-shop", "O"], ["O", "B-total"]], [{"shop": "Kedai"}, {"total": "9.00"}]):
        metrics = training.token_classification_metrics(
            [["Kedai", "Jaya"], ["paid", "9.00"]], references, [[0, 1], [0, 1]], ["O", "B-shop", "B-total"]
        )
        right = SimpleNamespace(predictions=[[1, 0], [0, 2]], label_ids=[[1, 0], [0, 2]])
        assert metrics(right)["kieval_entity_f1"] == 1.0
        swapped = SimpleNamespace(predictions=[[0, 2], [1, 0]], label_ids=([[0, 2], [1, 0]], "other labels"))
        with pytest.raises(
            ValueError,
            match=r"^2 of 2 documents share no text with their reference \(document 0 has 'Jaya'\); check that evaluation rows ",
        ):
            metrics(swapped)


def test_figures_of_tables_are_the_same_ones_every_time() -> None:
    """Of the types in the references, whatever a model invents."""
    compute_metrics = training.generation_metrics(Tokens(), [{"total": "9.00"}], per_entity=True)
    names = [set(compute_metrics(generated([answer]))) for answer in ("<s_total> 9.00", "<s_shop> Kedai", "Kedai")]
    assert names[0] == names[1] == names[2]
    assert "kieval_entity_f1/total" in names[0]


def test_a_broken_evaluation_leaves_nothing_behind() -> None:
    compute_metrics = metrics_of()
    whole = SimpleNamespace(
        predictions=[[max(label, 0) for label in row] for row in rows_of(PREDICTED_TAGS)], label_ids=None
    )
    assert (
        compute_metrics(SimpleNamespace(predictions=whole.predictions[:1], label_ids=None), compute_result=False) == {}
    )
    with pytest.raises(ValueError, match="row 1: word 2 has the label id -100"):
        compute_metrics(SimpleNamespace(predictions=[[-100] * 10], label_ids=None), compute_result=False)
    assert compute_metrics(whole)["kieval_entity_f1"] > 0.7
    assert (
        compute_metrics(SimpleNamespace(predictions=whole.predictions[:1], label_ids=None), compute_result=False) == {}
    )
    assert compute_metrics(whole)["kieval_entity_f1"] > 0.7  # asked for at once, it starts anew


@pytest.mark.parametrize("tokenizer", [Tokens(), SimpleNamespace(tokenizer=Tokens())])
def test_generation(tokenizer: Any) -> None:
    compute_metrics = training.generation_metrics(tokenizer, RIGHT, metrics=["kieval", "oi_entities", "anls_star"])
    output = generated(ANSWERS, LABELS)
    figures = compute_metrics(output)
    assert compute_metrics.predicted(output) == [RIGHT[0], {"task": "Kedai Kopi"}, {"shop": "Kopi", "total": "9.00"}]
    assert figures["kieval_true_positives"] == 3
    assert figures["kieval_false_positives"] == 2
    assert figures["repaired_predictions"] == 2
    assert figures["invalid_predictions"] == 0
    assert figures["oi_entities_bag_of_entities_recall"] == 0.75
    arrays = SimpleNamespace(
        predictions=np.array(Tokens().ids(ANSWERS[0]))[None], label_ids=np.array([Tokens().ids(LABELS[0])])
    )
    assert compute_metrics(arrays, compute_result=False) == {}
    assert compute_metrics(generated(ANSWERS[1:], LABELS[1:]), compute_result=True) == figures


def test_answers_of_any_kind() -> None:
    read = training.generation_metrics(Tokens(), [{"total": "9.00"}] * 2, read=llm.to_document)
    figures = read(generated(['{ "total": 9.00 }', "9.00"]))
    assert (figures["invalid_predictions"], figures["repaired_predictions"], figures["kieval_true_positives"]) == (
        1,
        1,
        0,
    )
    answers = training.generation_metrics(Tokens(), ["Kedai", ("9.00", "9")], read=str.strip, metrics="anls_star")
    assert answers(generated(["Kedai", "9.00"]))["anls_star_anls_star"] == 1.0


def test_generated_rows_that_are_not_those_of_the_references() -> None:
    compute_metrics = training.generation_metrics(Tokens(), RIGHT)
    with pytest.raises(ValueError, match="^expected as many rows as references, got 2 and 3$"):
        compute_metrics(generated(ANSWERS[:2]))
    with pytest.raises(
        ValueError,
        match="^expected as many rows as references, 3, got more; several processes repeat some rows, unless the trainer is a training.EachRowOnce",
    ):
        compute_metrics(generated(ANSWERS * 2))
    with pytest.raises(
        ValueError,
        match=r"^2 of 3 documents share no text with their reference \(document 1 has 'Kopi'\); check that evaluation rows ",
    ):
        compute_metrics(generated(ANSWERS, [LABELS[0], LABELS[2], LABELS[1]]))
    trusting = training.generation_metrics(Tokens(), RIGHT, check_rows=False)
    assert trusting(generated(ANSWERS, [LABELS[0], LABELS[2], LABELS[1]])) == compute_metrics(generated(ANSWERS))
    cut = [
        "<s_shop> Kedai",
        "<s_total>",
        "<s_shop> Kopi </s_shop> <s_total> 9.00",
    ]  # labels cut off, or with more than the reference
    assert compute_metrics(generated(ANSWERS, cut))["kieval_true_positives"] == 3
    with pytest.raises(ValueError, match="^expected generated tokens, got logits: set predict_with_generate=True$"):
        compute_metrics(SimpleNamespace(predictions=(np.zeros((3, 2, 13)), np.zeros((3, 4, 8))), label_ids=None))


def test_labels_that_are_spelt_in_another_way_are_no_reason_to_stop() -> None:
    references = [{"shop": "KEDAI kopi"}, {"total": "9"}, {"shop": "Kopi"}]
    labels = ["<s_shop> Kedai Kopi </s_shop>", "<s_total> 9.00 </s_total>", "<s_shop> Kopi"]
    figures = training.generation_metrics(Tokens(), references)(generated(ANSWERS, labels))
    assert figures["kieval_true_positives"] == 1


def test_what_is_wrong_with_generation_is_said_before_training() -> None:
    with pytest.raises(DocumentError, match="^document 1: reference must be a JSON object, got text$"):
        training.generation_metrics(Tokens(), [{}, "x"])
    with pytest.raises(
        ValueError, match="^tokenizer must be a tokenizer or a processor of transformers, got NoneType$"
    ):
        training.generation_metrics(None, RIGHT)

    def refuse(text: str) -> Any:
        raise KeyError(text)

    stops = training.generation_metrics(Tokens(), RIGHT, read=refuse)
    with pytest.raises(ValueError, match="^row 0: reading the answer failed: KeyError"):
        stops(generated(ANSWERS))
