"""KIEval through evaluate: every way of feeding it, the schema's round trip, options, processes."""

from __future__ import annotations

import collections
import copy
import inspect
import json
import math
import pickle
import subprocess
import sys
import types
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import datasets
import evaluate
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import docie
from docie import corpus, kieval, module
from docie.core.errors import DocumentError

from checkout import needs_package
from sizes import examples

REFERENCES: list[Any] = [{"a": ("1", "2"), "g": [{"b": "60.000"}, {"b": None}]}, {"a": "x"}, {}]
PREDICTIONS: list[Any] = [{"a": "2", "g": [{"b": "60.000"}]}, {"a": {"value": "y", "confidence": 0.5}}, None]
EXPECTED = corpus.evaluate(kieval, PREDICTIONS, REFERENCES)

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.sampled_from(["60.000", "1", "null", "\ud800"]),
    lambda children: st.lists(children, max_size=3) | st.dictionaries(st.text(max_size=3), children, max_size=3),
    max_leaves=8,
)  # fmt: skip


def test_a_wrong_option_loses_nothing_that_was_added() -> None:
    metric = docie.load("kieval")
    metric.add_batch(predictions=[{"a": "1"}], references=[{"a": "1"}])
    for options in ({"matching": "random"}, {"confidence_level": 2}):
        with pytest.raises(ValueError, match="must be"):
            metric.compute(**options)
    assert metric.compute()["entity_f1"] == 1.0


def test_compute_equals_the_package() -> None:
    assert docie.load("kieval").compute(predictions=PREDICTIONS, references=REFERENCES) == EXPECTED
    assert evaluate.load(docie.path("kieval")).compute(predictions=PREDICTIONS, references=REFERENCES) == EXPECTED


def test_results_without_the_signature() -> None:
    expected = {name: value for name, value in EXPECTED.items() if name != "signature"}
    without = docie.load("kieval", signature=False)
    assert without.compute(predictions=PREDICTIONS, references=REFERENCES) == expected
    without.add_batch(predictions=PREDICTIONS, references=REFERENCES)
    assert without.compute() == expected
    loaded = evaluate.load(docie.path("kieval"), signature=False)
    assert pickle.loads(pickle.dumps(loaded)).compute(predictions=PREDICTIONS, references=REFERENCES) == expected
    with pytest.raises(ValueError, match="^signature must be True or False, got 'no'$"):
        evaluate.load(docie.path("kieval"), signature="no")


@needs_package("transformers")
@pytest.mark.filterwarnings("ignore::RuntimeWarning")  # of scipy: the scores of few samples are often the same
@pytest.mark.parametrize("name", sorted({*docie.families()} - {"box_iou", "oi_entities", "form_robustness"}))
def test_an_evaluator_bootstraps_every_score(name: str) -> None:
    """The class of evaluate, with a pipeline that answers what it is given."""

    class Extraction(evaluate.Evaluator):  # type: ignore[misc]
        PIPELINE_KWARGS: dict[str, Any] = {}  # noqa: RUF012

        def prepare_pipeline(self, model_or_pipeline: Any, **options: Any) -> Any:
            return model_or_pipeline

        def predictions_processor(self, predictions: Any, label_mapping: Any) -> dict[str, Any]:
            return {"predictions": predictions}

    texts = [json.dumps({"total": total}) for total in "123"]
    rows = datasets.Dataset.from_dict({"text": texts, "label": [*texts[:2], '{"total": "7"}']})
    results = Extraction("extraction").compute(
        lambda answers, **options: [*answers], rows, metric=docie.load(name, signature=False), strategy="bootstrap", n_resamples=9, random_state=0
    )  # fmt: skip
    of_documents = docie.load(name).compute(predictions=texts, references=rows["label"])
    scores = {score: each["score"] for score, each in results.items() if isinstance(each, dict)}
    assert scores == {score: value for score, value in of_documents.items() if score != "signature"}
    assert all("confidence_interval" in each for each in results.values() if isinstance(each, dict))


def test_add_and_add_batch() -> None:
    metric = docie.load("kieval")
    for _ in range(2):  # a metric serves many rounds
        metric.add(prediction=PREDICTIONS[0], reference=REFERENCES[0])
        metric.add_batch(predictions=PREDICTIONS[1:], references=REFERENCES[1:])
        assert metric.compute() == EXPECTED


def test_options_of_compute_override_those_of_load() -> None:
    metric = docie.load("kieval", matching="greedy", thresholds=[0.5], interval="percentile", seed=3)
    first = metric.compute(predictions=PREDICTIONS, references=REFERENCES)
    assert "matching:greedy" in first["signature"]
    assert len(first["automation"]) == 1
    second = metric.compute(predictions=PREDICTIONS, references=REFERENCES, matching="optimal", confidence_level=0.9)
    assert "matching:optimal" in second["signature"]
    assert "seed:3" in second["signature"]


def test_every_option_of_the_settings_is_an_option_of_compute() -> None:
    metric = docie.load("kieval")
    options = inspect.signature(metric._compute).parameters
    for name, parameter in inspect.signature(kieval.Settings).parameters.items():
        assert options[name].default == parameter.default
    generic = inspect.signature(corpus.evaluate).parameters
    for name in ("breakdown", "confidence_level", "interval", "bootstrap_samples", "seed"):
        assert options[name].default == generic[name].default


def test_misspelt_options() -> None:
    with pytest.raises(ValueError, match="^unknown option 'mathcing', expected one of: .*matching"):
        docie.load("kieval", mathcing="greedy")
    with pytest.raises(ValueError, match="^matching must be"):
        docie.load("kieval", matching="best")
    with pytest.raises(ValueError, match="^confidence_level must be between 0 and 1, got 95$"):
        docie.load("kieval", confidence_level=95)
    metric = docie.load("kieval")
    with pytest.raises(ValueError, match="^unknown option 'mathcing', expected one of: .*matching"):
        metric.compute(predictions=PREDICTIONS, references=REFERENCES, mathcing="greedy")
    assert metric.compute(predictions=PREDICTIONS, references=REFERENCES) == EXPECTED
    with pytest.raises(
        ValueError,
        match=f"^unknown family 'kieva', expected one of: {', '.join(docie.families())}$",
    ):
        docie.load("kieva")


def test_bad_documents_are_named_and_leave_the_metric_usable() -> None:
    metric = docie.load("kieval")
    with pytest.raises(DocumentError, match="^document 1, entity 'a': expected text, a number, .* got set$"):
        metric.add_batch(predictions=[{}, {"a": {1}}], references=[{}, {}])
    metric.add(prediction={}, reference={})
    with pytest.raises(DocumentError, match="^document 2, entity 'a': expected text"):
        metric.add_batch(predictions=[{}, {"a": {1}}], references=[{}, {}])
    metric.compute()
    with pytest.raises(ValueError, match="^expected as many predictions as references, got 1 and 2$"):
        metric.add_batch(predictions=[{}], references=[{}, {}])
    with pytest.raises(ValueError, match="^predictions must be a sequence of documents, got dict$"):
        metric.compute(predictions={}, references={})
    with pytest.raises(DocumentError, match="^document 1: reference must be a JSON object, got a list$"):
        metric.compute(predictions=[{}, {}], references=[{}, []])
    with pytest.raises(DocumentError, match="^entity 'a.b': expected text, a number, .* got set$"):
        metric.add(prediction={"a": {"b": {1}}}, reference={})
    with pytest.raises(ValueError, match="^nothing to compute: pass predictions and references, or add some first$"):
        metric.compute()
    with pytest.raises(DocumentError, match="nested more than 100 levels deep"):
        metric.add(prediction={"a": nested(100_000)}, reference={})
    assert metric.compute(predictions=PREDICTIONS, references=REFERENCES) == EXPECTED


class PairOfAnswers(NamedTuple):
    one: str
    other: str


def nested(levels: int) -> Any:
    value: Any = "x"
    for level in range(levels):
        value = [value] if level % 2 else {"b": value}
    return value


def test_depth_is_the_same_by_every_route() -> None:
    metric, deep = docie.load("kieval"), {"a": nested(99)}
    assert metric.compute(predictions=[deep], references=[deep])["true_positives"] == 1
    assert kieval.score(kieval.count(deep, deep))["true_positives"] == 1
    deeper = {"a": [nested(99)]}
    for call in (
        partial(metric.compute, predictions=[{}], references=[deeper]),
        partial(kieval.count, {}, deeper),
        partial(corpus.evaluate, kieval, [{}], [deeper]),
    ):
        with pytest.raises(DocumentError, match="nested more than 100 levels deep$"):
            call()


@pytest.mark.parametrize(
    "reference",
    [
        collections.OrderedDict(a=("1", "2")),
        {"a": types.MappingProxyType({"b": ("1", "2")})},
        {"a": np.array(["1", "2"]), "b": np.int64(3)},
        {np.int64(3): "x", "b": [("1", "2"), "3"]},
        {"a": PairOfAnswers("1", "2")},
        {"a": {"value": np.array([1, 2]), "confidence": 0.5}},
    ],
)
def test_python_values_count_the_same_by_every_route(reference: Any) -> None:
    prediction = {"a": ["1", {"b": "2"}], "b": 3, 3: "x"}
    expected = corpus.evaluate(kieval, [prediction, reference], [reference, prediction])
    assert (
        docie.load("kieval").compute(predictions=[prediction, reference], references=[reference, prediction])
        == expected
    )


@given(value=JSON)
@examples(300)
def test_the_schema_round_trips_any_json(value: Any) -> None:
    for text in (module.encode(value), module.encode(value, is_reference=True)):
        assert _same(json.loads(text), value)


def test_the_schema_round_trips_through_arrow() -> None:
    seen: list[Any] = []
    metric = docie.load("kieval")
    values: list[Any] = [
        {"a": "60.000", "b": None, "c": math.nan, "d": 1e-12, "e": 10**30, "f": [], "g": {}, "h": "\ud800"},
        None,
    ]
    metric.add_batch(predictions=values, references=[{}, {}])
    original = metric._compute

    def spy(predictions: list[str], references: list[str], **options: Any) -> Any:
        seen.extend(map(json.loads, predictions))
        return original(predictions, references, **options)

    metric._compute = spy
    metric.compute()
    assert len(seen) == 2
    assert _same(seen, values)


def _same(one: Any, other: Any) -> bool:
    return json.dumps(one) == json.dumps(other)


def test_combine() -> None:
    both = evaluate.combine([docie.load("kieval"), docie.load("kieval", matching="greedy")])
    for prediction, reference in zip(PREDICTIONS, REFERENCES, strict=True):
        both.add(prediction=prediction, reference=reference)
    one_by_one = both.compute()
    both.add_batch(predictions=PREDICTIONS, references=REFERENCES)
    assert both.compute() == one_by_one
    at_once = both.compute(predictions=PREDICTIONS, references=REFERENCES)
    assert at_once == one_by_one
    assert at_once["kieval_0_entity_f1"] == EXPECTED["entity_f1"]
    assert "greedy" in at_once["kieval_1_signature"]


def figures_of(values: list[str]) -> tuple[list[Any], list[Any], dict[str, Any]]:
    """Documents of which each second one is right, and their figures."""
    references = [{"a": value} for value in values]
    predictions = [{"a": value} if number % 2 else {"a": "no"} for number, value in enumerate(values)]
    return predictions, references, corpus.evaluate(kieval, predictions, references)


def test_threads_share_a_metric() -> None:
    metric = docie.load("kieval")
    cases = [figures_of([f"{number}.{index}" for index in range(2 + number)]) for number in range(40)]

    def computed(case: tuple[list[Any], list[Any], dict[str, Any]]) -> Any:
        return [metric.compute(predictions=case[0], references=case[1]) for _ in range(5)]

    state = repr(np.random.get_state())
    with ThreadPoolExecutor(8) as pool:
        assert [*pool.map(computed, cases)] == [[expected] * 5 for *_, expected in cases]
    assert repr(np.random.get_state()) == state


def test_threads_add_to_one_corpus() -> None:
    metric = docie.load("kieval")
    predictions, references, expected = figures_of([str(number) for number in range(200)])
    with ThreadPoolExecutor(8) as pool:
        [
            *pool.map(
                lambda pair: metric.add(prediction=pair[0], reference=pair[1]),
                zip(predictions, references, strict=True),
            )
        ]
        assert metric.compute() == expected
        [
            *pool.map(
                lambda pair: metric.add_batch(predictions=[pair[0]], references=[pair[1]]),
                zip(predictions, references, strict=True),
            )
        ]
    assert metric.compute() == expected


def test_documents_that_are_given_are_scored_alone_in_other_threads() -> None:
    metric = docie.load("kieval")
    metric.add(prediction={"a": "1"}, reference={"a": "2"})
    right = {"predictions": [{"a": "1"}], "references": [{"a": "1"}]}
    with ThreadPoolExecutor(1) as pool:
        assert pool.submit(metric.compute, **right).result()["documents"] == 1
    assert metric.compute(**right)["documents"] == 2  # of this thread, as in every evaluate.Metric
    assert metric.compute(**right)["documents"] == 1


def test_a_metric_can_be_copied_and_pickled() -> None:
    metric = docie.load("kieval", matching="greedy")
    for again in (pickle.loads(pickle.dumps(metric)), copy.deepcopy(metric)):
        assert "greedy" in again.compute(predictions=PREDICTIONS, references=REFERENCES)["signature"]


# evaluate imports transformers if it can, which takes seconds
WITHOUT_TRANSFORMERS = """
import sys
sys.modules["transformers"] = None
import evaluate
del sys.modules["transformers"]
import docie"""
importing = pytest.mark.parametrize(
    "imports",
    [
        pytest.param(WITHOUT_TRANSFORMERS, id="without transformers"),
        pytest.param("import docie", id="with all packages", marks=pytest.mark.exhaustive),
    ],
)


_ONE_OF_TWO = """
import json, sys
import docie
number, cache = int(sys.argv[1]), sys.argv[2]
predictions, references = json.load(sys.stdin)
metric = docie.load("kieval", num_process=2, process_id=number, experiment_id="pair", cache_dir=cache)
metric.add_batch(predictions=predictions[number::2], references=references[number::2])
print(json.dumps(metric.compute()))
"""


@pytest.mark.exhaustive
@importing
def test_two_processes(imports: str, tmp_path: Path) -> None:
    documents = json.dumps([PREDICTIONS, [json.loads(module.encode(value, is_reference=True)) for value in REFERENCES]])
    runs = []
    for number in range(2):
        command = [sys.executable, "-c", _ONE_OF_TWO.replace("import docie", imports), str(number), str(tmp_path)]
        run = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        assert run.stdin
        run.stdin.write(documents)
        run.stdin.close()
        runs.append(run)
    outputs = []
    for run in runs:
        assert run.wait(timeout=120) == 0
        assert run.stdout
        outputs.append(json.loads(run.stdout.read()))
        run.stdout.close()
    assert outputs == [EXPECTED, None]


_TWO_ROUNDS = """
import json, sys, time
import docie
number, cache = int(sys.argv[1]), sys.argv[2]
metric = docie.load("kieval", num_process=2, process_id=number, experiment_id="rounds", cache_dir=cache)
other = docie.load("kieval", num_process=2, process_id=number, experiment_id="other", cache_dir=cache)
for size in (1, 2, 3):
    metric.add_batch(predictions=[{"a": str(size)}] * size, references=[{"a": str(size)}] * size)
    time.sleep(1.0 if number == 0 else 0.0)  # the other process goes on to the next round
    results = metric.compute()
    print(results and results["documents"])
"""


@pytest.mark.exhaustive
def test_rounds_of_several_processes_do_not_mix(tmp_path: Path) -> None:
    script = _TWO_ROUNDS.replace("import docie", WITHOUT_TRANSFORMERS)
    runs = [
        subprocess.Popen([sys.executable, "-c", script, str(number), str(tmp_path)], stdout=subprocess.PIPE, text=True)
        for number in range(2)
    ]
    assert [run.communicate(timeout=120)[0].split() for run in runs] == [["2", "4", "6"], ["None"] * 3]
    assert not [*tmp_path.rglob("*.arrow")]


_OFFLINE = """
import socket
def refuse(*arguments, **options):
    raise AssertionError("network")
socket.socket.connect = socket.create_connection = socket.getaddrinfo = refuse
import docie
metric = docie.load("kieval")
for _ in range(50):
    metric.add(prediction={"a": "1"}, reference={"a": "1"})
result = metric.compute()
assert result["documents"] == 50, result
"""


@pytest.mark.exhaustive
@importing
def test_parallel_runs_do_not_meet_and_need_no_network(imports: str, tmp_path: Path) -> None:
    environment = {"HF_HOME": str(tmp_path), "PATH": "/usr/bin"}
    script = _OFFLINE.replace("import docie", imports)
    runs = [
        subprocess.Popen([sys.executable, "-c", script], env=environment, stderr=subprocess.PIPE, cwd=tmp_path)
        for _ in range(4)
    ]
    for run in runs:
        _, errors = run.communicate(timeout=120)
        assert run.returncode == 0, errors.decode()


def test_importing_docie_is_light() -> None:
    code = (
        "import sys, docie; print([m for m in ('numpy', 'evaluate', 'datasets', 'rich', 'typer') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
