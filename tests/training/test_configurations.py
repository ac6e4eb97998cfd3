"""A Trainer's metrics read and compare as a configuration says, which gives the scores of files and Python."""

from __future__ import annotations

import json
import re
from types import SimpleNamespace
from typing import Any

import pytest

import docie
from docie import corpus
from docie.adapters import donut, llm, training
from docie.core import family

from training_rows import DOCUMENTS, NAMES, PREDICTED_TAGS, TAGS, WORD_IDS, WORDS, dataset, metrics_of, rows_of

NAMED = json.loads(
    json.dumps(DOCUMENTS).replace('"items"', '"menu"').replace("items.name", "nm").replace("items.amount", "price")
)
"""The documents of the labels under the names of another data set."""
CONFIG: dict[str, Any] = {
    "predictions": {
        "rename": {"items": "menu", "items.name": "menu.nm", "items.amount": "menu.price"},
        "ignore": "shop",
    },
    "references": {"ignore": "shop"},
    "values": {"normalize": {"menu.price": "number"}},
}
RIGHT = SimpleNamespace(predictions=rows_of(TAGS, only_first=False), label_ids=None)
OUTPUT = SimpleNamespace(predictions=rows_of(PREDICTED_TAGS, only_first=False), label_ids=rows_of(TAGS))
OF_DOCUMENTS = [name for name in docie.families() if "document" in family.get(name).INPUTS]


def scores_of(results: dict[str, Any], prefix: str = "") -> dict[str, float]:
    left_out = ("documents", "invalid_predictions", "repaired_predictions")
    numbers = {name: value for name, value in results.items() if isinstance(value, int | float)}
    return {prefix + name: value for name, value in numbers.items() if name not in left_out}


@pytest.mark.parametrize("name", OF_DOCUMENTS)
def test_labels_and_references_get_the_names_of_a_configuration(name: str) -> None:
    without = metrics_of(DOCUMENTS).predicted(OUTPUT)
    expected = corpus.evaluate(family.get(name), without, NAMED, config=CONFIG)
    metrics = metrics_of(NAMED, metrics=name, config=CONFIG)
    assert scores_of(metrics(OUTPUT)) == scores_of(expected, f"{name}_")
    assert all(value == 1 for key, value in metrics.ceiling().items() if key.endswith("f1"))
    document: Any = metrics.predicted(OUTPUT)[0]
    assert [*document] == ["menu"]
    if name == "kieval":
        assert 0 < expected["entity_f1"] < 1
        assert metrics_of(NAMED, check_rows=False)(OUTPUT)["kieval_entity_f1"] < expected["entity_f1"]


@pytest.mark.parametrize("name", ["kieval", "entity_f1", "oi_entities"])
def test_tags_as_references_get_the_names_of_a_configuration(name: str) -> None:
    """Those of references are renamed as references, and not as predictions."""
    predicted: list[Any] = [{"words": words, "tags": tags} for words, tags in zip(WORDS, PREDICTED_TAGS, strict=True)]
    right: list[Any] = [{"words": words, "tags": tags} for words, tags in zip(WORDS, TAGS, strict=True)]
    config = {
        "predictions": {"rename": {"items.name": "items.nm"}, "ignore": "shop"},
        "references": {"rename": {"items.name": "items.nm", "items.amount": "items.nm"}, "ignore": "shop"},
    }
    logged = metrics_of(TAGS, metrics=name, config=config)(OUTPUT)
    if name == "kieval":
        documents = metrics_of(DOCUMENTS)
        predicted, right = documents.predicted(OUTPUT), documents.predicted(RIGHT)
    expected = corpus.evaluate(family.get(name), predicted, right, config=config)
    assert scores_of(logged) == scores_of(expected, f"{name}_")
    assert 0 < next(iter(scores_of(expected).values())) < 1


def test_groups_of_a_data_set_are_found_under_their_new_names() -> None:
    class Tokenizer:
        all_special_ids, unk_token_id = [0, 1], None

    rows = [
        {"tokens": words, "ner_tags": [NAMES.index(tag) for tag in tags], "reference": json.dumps(named), "word_ids": [*range(len(words))]}
        for words, tags, named in zip(WORDS, TAGS, NAMED, strict=True)
    ]  # fmt: skip
    labels = [row["ner_tags"] for row in rows]
    found = training.token_classification_metrics.from_dataset(rows, Tokenizer(), id2label=NAMES, config=CONFIG)
    assert found.ceiling(labels)["kieval_group_f1"] == 1
    assert found.ceiling(labels)["kieval_entity_f1"] == 1


@pytest.mark.parametrize(
    ("entry", "option"),
    [
        ("predictions.unwrap=out", "predictions.unwrap"),
        ("predictions.parse=llm", "predictions.parse"),
        ("references.records=cord", "references.records"),
        ("predictions.failures=error", "predictions.failures"),
        ("references.id=file", "references.id"),
        ("predictions.pages=name", "predictions.pages"),
        ("join.missing=empty", "join.missing"),
        ('values.normalize_by={ country = { DE = { total = "casefold" } } }', "values.normalize_by"),
    ],
)
def test_labels_have_names_and_values_only(entry: str, option: str) -> None:
    with pytest.raises(ValueError, match=f"^config: {option} needs rows, which labelled words are not$"):
        metrics_of(config=entry)


def test_options_of_a_family_take_precedence_over_values() -> None:
    config = {"values": {"normalize": "casefold", "match": {"total": "within(10%)"}}}
    answers, references = ["<s_total>9.00</s_total><s_shop>KEDAI</s_shop>"], [{"total": "9.10", "shop": "Kedai"}]

    def score(**options: Any) -> float:
        metrics = training.generation_metrics(Written(answers), references, **options)
        return metrics(SimpleNamespace(predictions=[[0]], label_ids=None))["kieval_entity_f1"]

    assert score() == 0
    assert score(config=config) == 1
    assert score(config=config, metrics={"kieval": {"normalize": "nfkc"}}) == 0.5
    assert score(config=config, metrics={"kieval": {"match": "within(0.1%)"}}) == 0.5
    names = ["kieval", "hed"]  # which has no rules of matches
    metrics = training.generation_metrics(Written(answers), references, metrics=names, config=config)
    assert metrics(SimpleNamespace(predictions=[[0]], label_ids=None))["kieval_entity_f1"] == 1


class Written:
    """A tokenizer whose only token of a row is the whole answer."""

    pad_token_id = bos_token_id = eos_token_id = None

    def __init__(self, answers: list[str]) -> None:
        self.answers = answers

    def decode(self, ids: list[int], **options: object) -> str:
        return "".join(self.answers[number] for number in ids)


def logged(answers: list[str], references: list[Any], labels: Any = None, **options: Any) -> dict[str, float]:
    metrics = training.generation_metrics(Written(answers), references, **options)
    return metrics(SimpleNamespace(predictions=[[number] for number in range(len(answers))], label_ids=labels))


def test_a_configuration_reads_what_files_may_hold() -> None:
    """Without one, and with `read`, texts are read by one reader."""
    answers = ['{"total": "1"}', "<s_total>1</s_total>", 'It is {"total": "1"}', "Sorry."]
    references = [{"total": "1"}] * 4
    for options, score, invalid, repaired in (
        ({}, 1, 3, 3),
        ({"read": llm.to_document}, 2, 2, 3),
        ({"config": {}}, 3, 1, 2),
        ({"config": "predictions.parse=donut"}, 1, 3, 3),
        ({"config": "predictions.parse=donut", "read": llm.to_document}, 2, 2, 3),
        ({"config": "predictions.parse=no"}, 1, 3, 0),
    ):
        found = logged(answers, references, **options)
        assert found["kieval_entity_recall"] == score / 4, options
        assert (found["invalid_predictions"], found["repaired_predictions"]) == (invalid, repaired), options


def test_the_rest_of_a_configuration_follows_read() -> None:
    config = {"predictions": {"unwrap": "out", "rename": "sum=total", "failures": "error"}}
    answers = ["<s_out><s_sum>1</s_sum></s_out>", "<s_out><s_sum>1</s_out>", "<s_error>?</s_error>", "<s_in>1</s_in>"]
    found = logged(answers, [{"total": "1"}] * 4, read=donut.to_document, config=config)
    assert found["kieval_entity_recall"] == 0.5
    assert (found["invalid_predictions"], found["repaired_predictions"]) == (2, 2)


def test_labels_are_read_as_answers_are() -> None:
    config = {"predictions": {"rename": "sum=total"}}
    labels = [[0], [1]]
    texts, references = ['{"sum": "1"}', '{"sum": "2"}'], [{"total": "1"}, {"total": "2"}]
    metrics = training.generation_metrics(Written(texts), references, config=config)
    metrics(SimpleNamespace(predictions=[[1], [0]], label_ids=labels))
    assert metrics.ceiling()["kieval_entity_f1"] == 1


def test_normalizers_by_what_stands_beside_a_reference() -> None:
    table = {"country": {"DE": {"total": 'number(decimal=",")'}, "US": {"total": "number"}}}
    config = {"references": {"unwrap": "gold"}, "values": {"normalize_by": table}}
    references = [{"gold": {"total": "1.50"}, "country": "US"}, {"gold": {"total": "1,50"}, "country": "DE"}]
    answers = ['{"total": "1.5"}', '{"total": "1,5"}']
    expected = corpus.evaluate(docie.kieval, answers, references, config=config)
    found = scores_of(logged(answers, references, config=config))
    assert {**scores_of(expected, "kieval_"), **found} == scores_of(expected, "kieval_")
    assert found["kieval_entity_f1"] == 1


@pytest.mark.parametrize(
    ("cell", "config"),
    [
        ({"total": "1"}, {}),
        ('{"gt_parse": {"total": "1"}}', {}),
        ({"gold": {"sum": "1"}}, {"references": {"unwrap": "gold", "rename": "sum=total"}}),
        ('{"gold": {"sum": "1"}}', {"references": {"unwrap": "gold", "rename": "sum=total"}}),
        ({"words": ["1"], "ner_tags": ["B-TOTAL"]}, {"references": {"records": "sroie"}}),
        ([{"name": "total", "value": "1"}], {"references": {"records": "pairs"}}),
    ],
)
def test_the_column_of_a_data_set_is_read_as_a_configuration_says(cell: Any, config: Any) -> None:
    rows = [{"reference": cell}, {"reference": cell}]
    metrics = training.generation_metrics.from_dataset(rows, Written(['{"total": "1"}', "{}"]), config=config)
    assert metrics(SimpleNamespace(predictions=[[0], [1]], label_ids=None))["kieval_entity_recall"] == 0.5


def test_references_that_cannot_be_read_are_named() -> None:
    message = "document 1: no key 'gold', which references.unwrap names; the row has 'total'"
    with pytest.raises(ValueError, match=f"^{re.escape(message)}"):
        training.generation_metrics(
            Written([]), [{"gold": {"total": "1"}}, {"total": "1"}], config={"references": {"unwrap": "gold"}}
        )
    with pytest.raises(ValueError, match="^predictions.unwarp=x: no key 'unwarp'"):
        training.generation_metrics(Written([]), [], config="predictions.unwarp=x")


def test_a_real_trainer(tmp_path: Any) -> None:
    """One that labels, and one that writes: with other names and a file, the same scores as without."""
    pytest.importorskip("torch", reason="training needs torch")
    pytest.importorskip("transformers", reason="training needs transformers")
    pytest.importorskip("accelerate", reason="training needs accelerate")
    from stub_models import InOrder, Parrot, trainer

    path = tmp_path / "docie.toml"
    path.write_text('[predictions]\nrename = { "items.name" = "items.nm", shop = "store" }\nignore = ["total"]\n')
    named = json.loads(json.dumps(DOCUMENTS).replace("items.name", "nm").replace('"shop"', '"store"'))
    found = trainer(metrics_of(named, config=path), tmp_path).evaluate()
    expected = trainer(metrics_of(), tmp_path).evaluate()
    scores = [name for name in expected if "kieval" in name]
    assert [found[name] for name in scores] == [expected[name] for name in scores]

    texts = [f"<s_shop>{number}</s_shop><s_total>9.00</s_total>" for number in range(len(NAMES))]
    references = [{"store": "4"}] * len(WORD_IDS)

    class Last(Written):
        def decode(self, ids: list[int], **options: object) -> str:
            return self.answers[max(ids, default=0)]

    metrics = training.generation_metrics(Last(texts), references, config=path, check_rows=False)
    found = trainer(metrics, tmp_path, cls=InOrder, model=Parrot()).evaluate()
    answers = [texts[max(row["input_ids"])] for row in dataset()]
    expected = corpus.evaluate(docie.kieval, answers, references, config=path)
    assert 0 < expected["entity_f1"] < 1
    assert all(found[f"eval_kieval_{name}"] == expected[name] for name in ("entity_f1", "corrections"))
