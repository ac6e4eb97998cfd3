"""Metrics inside the training loops of transformers: a real Trainer evaluates small models in every way it has."""

from __future__ import annotations

import re
from types import SimpleNamespace
from typing import Any

import pytest

from docie import corpus, entity_f1, kieval, oi_entities
from docie.adapters import training

torch = pytest.importorskip("torch", reason="training needs torch")
transformers = pytest.importorskip("transformers", reason="training needs transformers")
pytest.importorskip("accelerate", reason="training needs accelerate")

from stub_models import InOrder, trainer  # noqa: E402
from training_rows import (  # noqa: E402
    ANSWERS,
    CONFIDENCE,
    DOCUMENTS,
    LABELS,
    NAMES,
    PREDICTED_TAGS,
    RIGHT,
    TAGS,
    WORDS,
    Tokens,
    dataset,
    generated,
    metrics_of,
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


def test_a_stream_of_rows(tmp_path: Any) -> None:
    import datasets

    stream = datasets.IterableDataset.from_generator(lambda: iter(dataset()))
    for cls in (transformers.Trainer, InOrder):
        assert trainer(metrics_of(), tmp_path, cls=cls).evaluate(stream)["eval_kieval_entity_f1"] > 0.7


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


def test_what_is_kept_of_logits() -> None:
    logits = torch.tensor([[[1.0, 3.0, 2.0], [0.0, 0.0, 5.0]]])
    ids, confidences = training.preprocess_logits_for_metrics((logits, "hidden states"), None)
    assert ids.tolist() == [[1, 2]]
    assert torch.allclose(confidences, logits.softmax(-1).max(-1).values)
    generated_tokens = torch.tensor([[1, 2, 3]])
    assert training.preprocess_logits_for_metrics(generated_tokens, None) is generated_tokens
    half, _ = training.preprocess_logits_for_metrics(logits.bfloat16())
    assert half.tolist() == [[1, 2]]


def test_generated_tensors() -> None:
    compute_metrics = training.generation_metrics(Tokens(), RIGHT)
    answers, labels = (
        torch.nn.utils.rnn.pad_sequence([torch.tensor(Tokens().ids(text)) for text in texts], batch_first=True)
        for texts in (ANSWERS, LABELS)
    )
    tensors = SimpleNamespace(predictions=answers, label_ids=labels)
    assert compute_metrics(tensors) == compute_metrics(generated(ANSWERS, LABELS))
    kept = training.preprocess_logits_for_metrics(torch.zeros(3, 2, 13))  # of a trainer that does not generate
    with pytest.raises(ValueError, match="^expected generated tokens, got logits"):
        compute_metrics(SimpleNamespace(predictions=kept, label_ids=None))
