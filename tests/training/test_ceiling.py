"""What training helpers say of inputs that were meant otherwise: labels, groups and scores with other names."""

from __future__ import annotations

import re
import warnings
from types import SimpleNamespace
from typing import Any

import pytest

import docie
from docie.adapters import training

NAMES = ["O", "B-shop", "B-items.name", "B-items.amount"]
WORDS = [["Kedai", "Latte", "4.50"], ["Warung", "Tea", "3.00"]]
ROWS = [[1, 2, 3], [1, 2, 3]]
GROUPED: list[dict[str, Any]] = [
    {"shop": "Kedai", "items": [{"name": "Latte", "amount": "4.50"}]},
    {"shop": "Warung", "items": [{"name": "Tea", "amount": "3.00"}]},
]
UNGROUPED: list[dict[str, Any]] = [{"shop": "Kedai"}, {"shop": "Warung"}]


def metrics_of(references: Any = GROUPED, **options: Any) -> training.TrainingMetrics:
    """The metrics of two documents whose words are one token each."""
    arguments: dict[str, Any] = {"id2label": NAMES, "groups": ["items"], **options}
    return training.token_classification_metrics(WORDS, references, [[0, 1, 2], [0, 1, 2]], **arguments)


def output(predictions: Any = ROWS, labels: Any = ROWS) -> SimpleNamespace:
    """What a Trainer gives."""
    return SimpleNamespace(predictions=predictions, label_ids=labels)


def said(metrics: training.TrainingMetrics, *outputs: SimpleNamespace) -> list[str]:
    """The warnings of evaluations."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        for each in outputs:
            metrics(each)
    return [str(warning.message) for warning in caught]


@pytest.mark.parametrize("metrics", ["kieval", {"kieval": {"empty_groups": "count"}}])
def test_group_figures_are_left_out_if_no_reference_has_a_group(metrics: Any) -> None:
    names = metrics_of(metrics=metrics)(output()).keys()
    without = metrics_of(UNGROUPED, groups=(), metrics=metrics, check_rows=False)(output()).keys()
    assert names - without == {"kieval_group_f1", "kieval_group_precision", "kieval_group_recall"}
    assert not without - names


def test_group_figures_do_not_come_and_go_with_predictions() -> None:
    class Writer:
        def decode(self, ids: list[int], **options: Any) -> str:
            return ["", "<s_shop>Kedai</s_shop>", "<s_items><s_name>Tea</s_name></s_items>"][sum(ids)]

    flat = training.generation_metrics(Writer(), [{"shop": "Kedai"}])
    invented = flat(SimpleNamespace(predictions=[[2]], label_ids=None))
    assert invented.keys() == flat(SimpleNamespace(predictions=[[1]], label_ids=None)).keys()
    assert not any("group" in name for name in invented)
    assert invented["kieval_false_positives"] == 1
    grouped = training.generation_metrics(Writer(), [{"items": {"name": "Tea"}}])
    assert grouped(SimpleNamespace(predictions=[[1]], label_ids=None))["kieval_group_f1"] == 0.0


def test_tags_with_other_names_are_reported_once() -> None:
    metrics = metrics_of(id2label=["O", "B-store", "B-items.name", "B-items.amount"])
    with pytest.raises(ValueError, match="^the labels are not known before the first evaluation: pass those of all "):
        metrics.ceiling()
    first = said(metrics, output([[0, 0, 0]] * 2), output())
    assert first == [
        "the labels do not score 1 against the references: kieval_entity_f1 is 0.6667; never correct are 'shop' of the "
        "references and 'store' of the labels; check whether labels, groups and references have the same names"
    ]
    assert metrics.ceiling() == metrics.ceiling(ROWS) == metrics(output())
    assert metrics.ceiling()["kieval_entity_f1"] == pytest.approx(2 / 3)


def test_the_warning_says_what_differs() -> None:
    references = [{"shop": row["shop"], "lines": row["items"]} for row in GROUPED]
    first = said(metrics_of(references), output([[0, 0, 0]] * 2), output())
    assert first == [
        "the labels do not score 1 against the references: kieval_entity_f1 is 0.3333; never correct are 'lines.amount', "
        "'lines.name' of the references and 'items.amount', 'items.name' of the labels; "
        "the labels have other names than the references: 'items' for 'lines'"
    ]


def test_missing_groups_are_reported() -> None:
    metrics = metrics_of(groups=())
    [message] = said(metrics, output())
    assert "kieval_entity_f1 is 0.3333; never correct are 'items.amount', 'items.name' of the references" in message
    assert metrics.ceiling()["kieval_group_f1"] == 0.0  # references have groups


def test_labels_that_say_what_references_say_need_no_word() -> None:
    names = [name for name in docie.families() if name not in ("box_iou", "form_robustness")]
    references = [{"shop": each["shop"], "items": [_full(item) for item in each["items"]]} for each in GROUPED]
    metrics = metrics_of(references, metrics=names)
    assert said(metrics, output([[0, 0, 0]] * 2)) == []
    assert metrics.ceiling()["anls_star_anls_star"] == metrics.ceiling()["kieval_entity_f1"] == 1.0
    tags = metrics_of([[NAMES[label] for label in row] for row in ROWS], metrics=names)
    assert said(tags, output([[0, 0, 0]] * 2)) == []


def _full(item: dict[str, str]) -> dict[str, str]:
    return {f"items.{name}": value for name, value in item.items()}


def test_labels_that_are_cut_off_are_counted_without_types() -> None:
    metrics = metrics_of(metrics=["entity_f1", "hed"])
    [message] = said(metrics, output(labels=[[1, 2, 3], [1, -100, -100]]))
    assert re.fullmatch(
        r"the labels do not score 1 against the references: entity_f1_recall is 0\.6667, hed_hed_f1 is 0\.\d+; 1 of 2 documents are cut off",
        message,
    )


def test_words_without_tokens_are_cut_off_too() -> None:
    arguments: dict[str, Any] = {"id2label": NAMES, "groups": ["items"], "scores": ["kieval_entity_f1"]}
    metrics = training.token_classification_metrics(WORDS, GROUPED, [[0, 1, 2], [0, 1]], **arguments)
    [message] = said(metrics, output([ROWS[0], [1, 2]], [ROWS[0], [1, 2]]))
    assert (
        message
        == "the labels do not score 1 against the references: kieval_entity_f1 is 0.9091; 1 of 2 documents are cut off"
    )


def test_generated_labels_that_are_cut_off_are_counted() -> None:
    class Writer:
        eos_token_id = 9

        def decode(self, ids: list[int], **options: Any) -> str:
            return "".join(["", "<s_shop>Kedai</s_shop>", "<s_sum>9.00</s_sum>"][number] for number in ids)

    metrics = training.generation_metrics(Writer(), [{"shop": "Kedai", "sum": "9.00"}] * 3, scores=["kieval_entity_f1"])
    [message] = said(metrics, output([[1]] * 3, [[1, 2, 9], [1, 9, -100], [1, -100, -100]]))
    assert message.endswith("kieval_entity_f1 is 0.8; 1 of 3 documents are cut off")


@pytest.mark.parametrize("labels", [None, [[-100] * 3] * 2])
def test_rows_without_labels_have_scores_but_no_ceiling(labels: Any) -> None:
    metrics = metrics_of(UNGROUPED)
    assert said(metrics, output(labels=labels)) == []
    assert metrics(output(labels=labels))["kieval_entity_recall"] == 1.0
    assert metrics.labels is None
    assert len(said(metrics, output())) == 1
    assert said(metrics_of(UNGROUPED, check_rows=False), output()) == []


def test_the_ceiling_of_batches_is_that_of_all_rows() -> None:
    metrics = metrics_of(id2label=["O", "B-store", "B-items.name", "B-items.amount"])
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        assert metrics(output(ROWS[:1], ROWS[:1]), compute_result=False) == {}
        metrics(output(ROWS[1:], ROWS[1:]), compute_result=True)
    assert "never correct are 'shop' of the references" in str(caught[0].message)
    assert metrics.ceiling() == metrics.ceiling(ROWS)


def test_only_the_first_of_several_processes_reports(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RANK", "1")
    metrics = metrics_of(groups=())
    assert said(metrics, output()) == []
    assert metrics.ceiling()["kieval_group_f1"] == 0.0
    monkeypatch.setenv("RANK", "0")
    assert len(said(metrics_of(groups=()), output())) == 1


def test_labels_of_generated_texts() -> None:
    class Writer:
        def decode(self, ids: list[int], **options: Any) -> str:
            return ["", "<s_shop>Kedai</s_shop>", "<s_shop>Kedai</s_shop><s_sum>9.00</s_sum>"][sum(ids)]

    metrics = training.generation_metrics(Writer(), [{"shop": "Kedai", "total": "9.00"}], scores=["kieval_entity_f1"])
    [message] = said(metrics, output([[1]], [[2]]))
    assert "kieval_entity_f1 is 0.5; never correct are 'total' of the references and 'sum' of the labels" in message
    assert metrics.ceiling() == {"kieval_entity_f1": 0.5}
    answers = training.generation_metrics(Writer(), ["Kedai"], read=lambda text: text[8:13], metrics="anls_star")
    assert said(answers, output([[1]], [[1]])) == []


@pytest.mark.parametrize(
    ("groups", "error"),
    [
        (["item"], "groups: no label belongs to 'item' (close: 'items'); labels are items.amount, items.name, shop"),
        (["rows"], "groups: no label belongs to 'rows'; labels are items.amount, items.name, shop"),
        ({"items": ["items.nam"]}, "groups: no label belongs to 'items.nam' (close: 'items.name'); labels are "),
    ],
)
def test_groups_without_any_label(groups: Any, error: str) -> None:
    with pytest.raises(ValueError, match=f"^{re.escape(error)}"):
        metrics_of(groups=groups)


@pytest.mark.parametrize(
    ("groups", "warning"),
    [
        (["items", "itms"], "groups: no label belongs to 'itms' (close: 'items')"),
        ({"items": ["items.name", "amount"]}, "groups: no label belongs to 'amount' (close: 'items.amount')"),
    ],
)
def test_some_groups_without_labels(groups: Any, warning: str) -> None:
    arguments: dict[str, Any] = {"id2label": NAMES, "groups": groups}
    with pytest.warns(UserWarning, match=f"^{re.escape(warning)}$") as caught:
        training.token_classification_metrics(WORDS, GROUPED, [[0, 1, 2], [0, 1, 2]], **arguments)
    assert [each.filename for each in caught] == [__file__]


def test_scores_are_picked_by_name_or_pattern() -> None:
    everything = metrics_of(per_entity=True, metrics=["kieval", "entity_f1"])(output())
    for scores, expected in [
        (["kieval_entity_f1"], {"kieval_entity_f1"}),
        (("kieval_group_f1", "entity_f1_f1"), {"kieval_group_f1", "entity_f1_f1"}),
        (
            ["kieval_entity_f1*"],
            {f"kieval_entity_f1{row}" for row in ("", "_macro", "/shop", "/items.name", "/items.amount", "/group/items")},
        ),
        (["entity_f1_f1/shop"], {"entity_f1_f1/shop"}),
    ]:  # fmt: skip
        metrics = metrics_of(per_entity=True, metrics=["kieval", "entity_f1"], scores=scores)
        assert metrics(output()) == {name: everything[name] for name in expected}


def test_unknown_scores() -> None:
    with pytest.raises(
        ValueError, match=r"^unknown score 'kieval_entityf1', did you mean 'kieval_entity_f1'\? expected "
    ):
        metrics_of(scores=["kieval_entity_f1", "kieval_entityf1"])
    with pytest.raises(ValueError, match=r"^unknown score 'loss', expected some of: entity_f1_precision, entity_f1_recall, entity_f1_f1, entity_f1_f1_macro$"):  # fmt: skip
        metrics_of(metrics="entity_f1", scores=["loss"])
    with pytest.raises(ValueError, match=r"entity_f1_f1/\*, entity_f1_precision/\*"):
        metrics_of(metrics="entity_f1", scores=["loss"], per_entity=True)
    with pytest.raises(ValueError, match="^scores must be a list, got 'loss'$"):
        metrics_of(scores="loss")


def test_a_ceiling_of_too_few_rows() -> None:
    with pytest.raises(ValueError, match="^expected 2 rows, as many as word_ids has, got 1$"):
        metrics_of().ceiling(ROWS[:1])


def test_a_document_without_any_label_is_read_as_if_there_were_none() -> None:
    """Otherwise all of its words would be ignored, and it would score 0."""
    for labels in ([ROWS[0], [-100] * 3], [[-100] * 3, ROWS[1]]):
        assert metrics_of(scores=["kieval_entity_f1"])(output(labels=labels)) == {"kieval_entity_f1": 1.0}
    windows = training.token_classification_metrics(
        [["Kedai", "Latte", "4.50"]], GROUPED[:1], [[0, 1], [1, 2]], NAMES, documents=[0, 0], groups=["items"]
    )  # fmt: skip
    predictions = [[1, 2], [2, 3]]
    for window_labels, recall in (
        ([[-100, -100], [-100, -100]], 1.0),
        ([[-100, -100], [2, 3]], 2 / 3),  # the first window's words are ignored where another one has labels
        ([[1, 2], [-100, 3]], 1.0),
    ):
        found = windows(output(predictions, window_labels))
        assert found["kieval_entity_recall"] == pytest.approx(recall)


NAN = float("nan")
LOGITS = [[[0.0, 9.0, 0.0, 0.0], [0.0, 0.0, 9.0, 0.0], [0.0, 0.0, 0.0, 9.0]]] * 2


@pytest.mark.parametrize("strategy", ["first", "mean", "max"])
def test_logits_that_are_nan_are_reported(strategy: str) -> None:
    broken = [LOGITS[0], [LOGITS[1][0], [NAN] * 4, LOGITS[1][2]]]
    [message] = said(metrics_of(strategy=strategy), output(broken))
    assert message == (
        "the logits of words are NaN in 1 of 2 rows, the first of which is row 1: "
        "their labels mean nothing, and the training may have diverged"
    )
    assert said(metrics_of(strategy=strategy), output(LOGITS)) == []


def test_kept_logits_that_are_nan_are_reported() -> None:
    kept = ([[0, 0, 0], [1, 2, 3]], [[NAN] * 3, [0.9] * 3])
    [message] = said(metrics_of(), output(kept))
    assert "NaN in 1 of 2 rows, the first of which is row 0" in message


def test_padding_may_be_nan() -> None:
    padded = [[*row, [NAN] * 4] for row in LOGITS]
    assert said(metrics_of(), output(padded, [[*row, -100] for row in ROWS])) == []
