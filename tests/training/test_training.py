"""Metrics inside the training loops of transformers: a real Trainer evaluates small models in every way it has."""

from __future__ import annotations

import re
from types import SimpleNamespace
from typing import Any

import pytest

from docie import corpus, entity_f1, kieval, oi_entities
from docie.adapters import llm, training
from docie.core.errors import DocumentError

torch = pytest.importorskip("torch", reason="training needs torch")
transformers = pytest.importorskip("transformers", reason="training needs transformers")
pytest.importorskip("accelerate", reason="training needs accelerate")

from stub_models import (  # noqa: E402
    ANSWERS,
    CONFIDENCE,
    DOCUMENTS,
    LABELS,
    NAMES,
    OF_DOCUMENT,
    PREDICTED_TAGS,
    RIGHT,
    TAGS,
    WORD_IDS,
    WORDS,
    InOrder,
    Tokens,
    dataset,
    metrics_of,
    rows_of,
    trainer,
)


def confident(text: str) -> dict[str, Any]:
    """A value as the model predicts it."""
    return {"value": text, "confidence": pytest.approx(CONFIDENCE)}


PREDICTED_DOCUMENTS = [
    {
        "shop": confident("Kedai Kopi"),
        "items": [
            {"items.name": confident("Latte"), "items.amount": confident("4.50")},
            {"items.amount": confident("5.00")},
        ],
    },
    {"items": [{"items.name": confident("Warung")}, {"items.name": confident("Tea")}]},
    {},
]


@pytest.mark.parametrize(
    "options", [{}, {"eval_do_concat_batches": False}, {"batch_eval_metrics": True}, {"eval_accumulation_steps": 1}]
)
@pytest.mark.parametrize(
    ("strategy", "keep"),
    [
        ("first", None),
        ("mean", None),
        ("max", None),
        ("first", training.preprocess_logits_for_metrics),
        ("max", training.preprocess_logits_for_metrics),
    ],
)
def test_a_trainer_in_every_way(tmp_path: Any, options: dict[str, Any], strategy: str, keep: Any) -> None:
    compute_metrics = metrics_of(metrics=["kieval", "entity_f1"], strategy=strategy)
    evaluated = trainer(compute_metrics, tmp_path, keep=keep, **options)
    for _ in range(2):  # nothing stays of the first evaluation
        figures = evaluated.evaluate()
        assert figures["eval_kieval_entity_f1"] == pytest.approx(2 * 5 / (6 + 7))
        assert figures["eval_kieval_group_f1"] == pytest.approx(2 * 2 / (4 + 3))
        assert figures["eval_entity_f1_precision"] == pytest.approx(5 / 6)
    output = evaluated.predict(dataset())
    assert compute_metrics.predicted(output) == PREDICTED_DOCUMENTS
    assert output.metrics["test_kieval_entity_f1"] == figures["eval_kieval_entity_f1"]
    expected = corpus.evaluate(kieval, compute_metrics.predicted(output), DOCUMENTS)
    logged = {name.removeprefix("eval_kieval_"): value for name, value in figures.items() if "kieval" in name}
    assert logged == {name: value for name, value in expected.items() if name in logged}
    assert logged.keys() == kieval.score(kieval.count({}, {})).keys()


def test_figures_are_plain_numbers_with_safe_names(tmp_path: Any) -> None:
    references = [{"shop@home": "x", "shop#home": "y", "größe/cm": "1"}, *DOCUMENTS[1:]]
    compute_metrics = metrics_of(references, metrics={"kieval": {"thresholds": [0.5]}, "hed": {}}, per_entity=True)
    figures = trainer(compute_metrics, tmp_path).evaluate()
    assert all(type(value) in (int, float) for value in figures.values())
    for name in figures:
        assert re.fullmatch(r"[a-zA-Z0-9_./-]+", name)
    assert figures["eval_kieval_entity_recall/items.name"] == 1.0
    assert not any("threshold" in name for name in figures)
    assert figures["eval_kieval_support/shop_home"] == figures["eval_kieval_support/shop_home_2"] == 1
    assert figures["eval_kieval_support/gr__e_cm"] == 1
    assert figures["eval_kieval_automation_rate/0.5"] == 1.0
    assert figures["eval_hed_hed_f1"] > 0


def test_thresholds_see_the_model_confidence(tmp_path: Any) -> None:
    compute_metrics = metrics_of(metrics={"kieval": {"thresholds": [CONFIDENCE - 0.01, CONFIDENCE + 0.01]}})
    figures = trainer(compute_metrics, tmp_path).evaluate()
    rates = [value for name, value in figures.items() if "automation_rate" in name]
    assert rates == [1.0, 0.0]


def test_reference_tags(tmp_path: Any) -> None:
    """Families that read tagged words get them, the others documents that are made of both sides in one way."""
    compute_metrics = metrics_of(TAGS, metrics=["kieval", "entity_f1", "oi_entities"])
    figures = trainer(compute_metrics, tmp_path).evaluate()
    predicted = [{"words": words, "tags": tags} for words, tags in zip(WORDS, PREDICTED_TAGS, strict=True)]
    right = [{"words": words, "tags": tags} for words, tags in zip(WORDS, TAGS, strict=True)]
    for family in (entity_f1, oi_entities):
        for name, value in corpus.evaluate(family, predicted, right).items():
            if isinstance(value, float):
                assert figures[f"eval_{family.NAME}_{name}"] == value
    assert figures["eval_kieval_entity_f1"] == trainer(metrics_of(), tmp_path).evaluate()["eval_kieval_entity_f1"]
    ids = [[NAMES.index(tag) for tag in tags] for tags in TAGS]
    assert (
        metrics_of(ids, metrics="entity_f1").predicted(trainer(None, tmp_path).predict(dataset()))
        == PREDICTED_DOCUMENTS
    )


@pytest.mark.parametrize("options", [{}, {"batch_eval_metrics": True}])
@pytest.mark.parametrize("cls", [None, InOrder])
def test_several_evaluation_sets(tmp_path: Any, options: dict[str, Any], cls: Any) -> None:
    """Each has as many rows as the other; its name may end with that of another one."""
    right = [{**row, "input_ids": [max(label, 0) for label in row["labels"]]} for row in dataset()]
    by_set = training.MetricsBySet({"b": metrics_of(), "a_b": metrics_of(), "test": metrics_of()})
    evaluated = trainer(by_set, tmp_path, cls=cls, **options)
    alone = trainer(metrics_of(), tmp_path).evaluate()
    for _ in range(2):
        figures = evaluated.evaluate({"b": dataset(), "a_b": right})
        assert figures["eval_b_kieval_entity_f1"] == alone["eval_kieval_entity_f1"]
        assert figures["eval_a_b_kieval_entity_precision"] == 1.0 > alone["eval_kieval_entity_precision"]
    assert evaluated.predict(dataset()).metrics["test_kieval_entity_f1"] == alone["eval_kieval_entity_f1"]
    assert by_set.sets["b"].ceiling() == by_set.sets["a_b"].ceiling()
    message = "^expected one of the data sets 'b', 'a_b', 'test', got results with the prefix 'eval_c'$"
    with pytest.raises(ValueError, match=message):
        evaluated.evaluate({"c": dataset()})
    with pytest.raises(ValueError, match="'test', got a call outside of a Trainer's loop$"):
        by_set(SimpleNamespace(predictions=[], label_ids=None))


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


def test_rows_in_another_order_are_noticed(tmp_path: Any) -> None:
    evaluated = trainer(metrics_of(), tmp_path)
    for wrong, message in [
        (
            dataset()[::-1],
            "row 0: expected predictions for 10 tokens, as in word_ids, got 6|row 2: token 5 has a label",
        ),
        (dataset()[:3], "expected 4 rows, as many as word_ids has, got 3"),
        (dataset() * 2, "expected 4 rows, as many as word_ids has, got more"),
    ]:
        with pytest.raises(ValueError, match=message):
            evaluated.evaluate(wrong)
    by_length: dict[str, Any] = {"train_sampling_strategy": "group_by_length"}
    if not hasattr(transformers.TrainingArguments, "train_sampling_strategy"):  # before transformers 5
        by_length = {"group_by_length": True}
    grouped = trainer(metrics_of(), tmp_path, cls=InOrder, **by_length)
    with pytest.raises(
        ValueError, match="^expected rows in the data set's order, got them from a LengthGroupedSampler$"
    ):
        grouped.evaluate()
    assert trainer(metrics_of(), tmp_path, cls=InOrder).evaluate()["eval_kieval_entity_f1"] > 0.7


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


def test_a_stream_of_rows(tmp_path: Any) -> None:
    import datasets

    stream = datasets.IterableDataset.from_generator(lambda: iter(dataset()))
    for cls in (transformers.Trainer, InOrder):
        assert trainer(metrics_of(), tmp_path, cls=cls).evaluate(stream)["eval_kieval_entity_f1"] > 0.7


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


def test_an_interrupted_evaluation_leaves_nothing_behind(tmp_path: Any) -> None:
    class Interrupt(transformers.TrainerCallback):  # type: ignore[misc,name-defined]
        steps = 0

        def on_prediction_step(self, *arguments: Any, **options: Any) -> None:
            self.steps += 1
            if self.steps == 2:
                raise KeyboardInterrupt

    compute_metrics = metrics_of()

    def wrapped(output: Any, compute_result: bool) -> Any:  # as users do who add figures of their own
        return compute_metrics(output, compute_result)

    for metrics in (compute_metrics, wrapped):
        interrupted = trainer(metrics, tmp_path, batch_eval_metrics=True)
        expected = interrupted.evaluate()["eval_kieval_entity_f1"]
        for _ in range(2):
            interrupted.add_callback(Interrupt)
            with pytest.raises(KeyboardInterrupt):
                interrupted.evaluate()
            assert compute_metrics._under_way is not None
            interrupted.remove_callback(Interrupt)
            assert interrupted.evaluate()["eval_kieval_entity_f1"] == expected
            assert compute_metrics._loop is None


def generated(answers: list[str], labels: list[str] | None = None) -> SimpleNamespace:
    tokenizer = Tokens()
    rows = None if labels is None else [[*tokenizer.ids(text), -100] for text in labels]
    return SimpleNamespace(predictions=[tokenizer.ids(text) for text in answers], label_ids=rows)


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
    tensors = SimpleNamespace(
        predictions=torch.tensor(Tokens().ids(ANSWERS[0]))[None], label_ids=torch.tensor([Tokens().ids(LABELS[0])])
    )
    assert compute_metrics(tensors, compute_result=False) == {}
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
        compute_metrics(SimpleNamespace(predictions=(torch.zeros(3, 2, 13), torch.zeros(3, 4, 8)), label_ids=None))
    kept = training.preprocess_logits_for_metrics(torch.zeros(3, 2, 13))  # of a trainer that does not generate
    with pytest.raises(ValueError, match="^expected generated tokens, got logits"):
        compute_metrics(SimpleNamespace(predictions=kept, label_ids=None))


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


def test_what_is_kept_of_logits() -> None:
    logits = torch.tensor([[[1.0, 3.0, 2.0], [0.0, 0.0, 5.0]]])
    ids, confidences = training.preprocess_logits_for_metrics((logits, "hidden states"), None)
    assert ids.tolist() == [[1, 2]]
    assert torch.allclose(confidences, logits.softmax(-1).max(-1).values)
    generated_tokens = torch.tensor([[1, 2, 3]])
    assert training.preprocess_logits_for_metrics(generated_tokens, None) is generated_tokens
    half, _ = training.preprocess_logits_for_metrics(logits.bfloat16())
    assert half.tolist() == [[1, 2]]
