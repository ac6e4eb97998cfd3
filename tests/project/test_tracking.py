"""The lines of docs/tracking.md, run with each tracker that is installed: what it stored is what `docie score` prints."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import docie
from docie import corpus, kieval

from checkout import ROOT, skip_module_without
from cli_runs import run

skip_module_without("docs", "examples")

RECEIPTS = ROOT / "examples" / "receipts"
FILES = [RECEIPTS / "references.jsonl", RECEIPTS / "predictions-careful.jsonl"]
ODD = {
    "shop@home": "1",
    "shop#home": "2",
    "größe/cm": "3",
    "line total": "4",
    "line_total": "5",
    "..": "6",
    "step": "7",
}
LONG = "What is the total of all amounts on this page, without taxes and without the tip? " * 4

Run = Callable[..., None]


def lines(title: str) -> str:
    """The code of a section of the page."""
    page = (ROOT / "docs" / "tracking.md").read_text(encoding="utf-8")
    section = page.partition(f"\n## {title}\n")[2].partition("\n## ")[0]
    return "\n".join(line.removeprefix("    ") for line in section.splitlines() if line.startswith("    ") or not line)


@pytest.fixture
def run_lines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Runs the code of a section in a folder of its own, on the receipts or on other documents."""
    pytest.importorskip("pandas", reason="pandas is not installed")
    pytest.importorskip("jinja2", reason="the report needs jinja2")
    monkeypatch.chdir(tmp_path)

    def run_section(title: str, predictions: Any = None, references: Any = None) -> None:
        if references is None:
            references, predictions = map(docie.read, FILES)
        names = {
            "references": references,
            "predictions": predictions,
            "scores": docie.flat(corpus.evaluate(kieval, predictions, references, breakdown=True)),
            "errors": [row.record() for row in corpus.errors(predictions, references)],
            "docie": docie,
            "result": docie.score(references=FILES[0], predictions=FILES[1], documents=20_000),
        }
        code = lines(title)
        assert "import" in code
        exec(compile(code, title, "exec"), names)

    return run_section


def scored() -> dict[str, float]:
    """What `docie score` prints for the receipts, as flat numbers."""
    result = run(*map(str, FILES), "--by-field", "--format", "json")
    [figures] = json.loads(result.stdout).values()
    return docie.flat(figures)


def listed() -> list[dict[str, Any]]:
    """The errors of the receipts."""
    references, predictions = map(docie.read, FILES)
    return [row.record() for row in corpus.errors(predictions, references)]


def odd_documents() -> tuple[list[Any], list[Any]]:
    """Predictions and references with names that trackers do not take, and errors with and without boxes."""
    found = {name: {"value": "0", "confidence": 0.5, "box": [0.1, 0.2, 0.3, 0.4], "page": 2} for name in ODD}
    references = [{**ODD, LONG + "a": "x", LONG + "b": "y"}, {"id": "r-2", "reference": ODD}]
    return [{**found, "new": "8"}, {"id": "r-2", "prediction": {}}], references


Stored = Callable[[], tuple[dict[str, Any], dict[str, Any]]]


@pytest.fixture
def in_wandb(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Stored:
    """W&B offline. Gives the summary that the last run had when it ended, and the table that it stored."""
    wandb = pytest.importorskip("wandb", reason="wandb is not installed")
    for name, value in (("MODE", "offline"), ("SILENT", "true"), ("DIR", str(tmp_path))):
        monkeypatch.setenv(f"WANDB_{name}", value)
    ended: list[tuple[Path, dict[str, Any]]] = []
    ends = wandb.Run.__exit__

    def end(run: Any, *error: Any) -> None:
        ended.append((Path(run.dir), dict(run.summary)))
        ends(run, *error)

    monkeypatch.setattr(wandb.Run, "__exit__", end)

    def stored() -> tuple[dict[str, Any], dict[str, Any]]:
        folder, summary = ended[-1]
        return summary, json.loads((folder / summary["error_rows"]["path"]).read_text(encoding="utf-8"))

    return stored


@pytest.mark.exhaustive
def test_wandb(run_lines: Run, in_wandb: Stored) -> None:
    run_lines("Weights & Biases")
    summary, table = in_wandb()
    assert {name: summary[name] for name in scored()} == scored()
    assert [dict(zip(table["columns"], row, strict=True)) for row in table["data"]] == listed()


@pytest.mark.exhaustive
def test_wandb_takes_odd_names_mixed_values_and_no_errors(run_lines: Run, in_wandb: Stored) -> None:
    rows = [list(row) for row in corpus.errors(*odd_documents())]
    with pytest.raises(TypeError, match="incompatible types"):  # ids and numbers of documents in one column
        sys.modules["wandb"].Table(columns=[*map(str, range(len(rows[0])))], data=rows)
    run_lines("Weights & Biases", *odd_documents())
    assert in_wandb()[0]["per_entity/shop_home_2/support"] == 2
    run_lines("Weights & Biases", [{"a": "1"}], [{"a": "1"}])
    summary, table = in_wandb()
    assert (summary["entity_f1"], table["data"]) == (1.0, [])


@pytest.mark.exhaustive
def test_wandb_stores_as_many_rows_as_the_page_says(run_lines: Run, in_wandb: Stored) -> None:
    wandb = sys.modules["wandb"]
    many = [str(number) for number in range(10_020)]
    run_lines("Weights & Biases", [{}], [{"a": many}])
    assert len(in_wandb()[1]["data"]) == wandb.Table.MAX_ROWS == 10_000
    with wandb.init(project="receipts") as run:
        run.log({"error_rows": wandb.Table(columns=["a"], data=[[each] for each in many])})
    assert len(in_wandb()[1]["data"]) == 10_000


@pytest.fixture
def mlflow(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Any:
    """MLflow with a folder as its store, which the small package has, too."""
    monkeypatch.setenv("MLFLOW_ALLOW_FILE_STORE", "true")
    package = pytest.importorskip("mlflow", reason="mlflow is not installed")
    before = package.get_tracking_uri()
    package.set_tracking_uri((tmp_path / "mlruns").as_uri())
    package.set_experiment("receipts")  # that of an earlier test is elsewhere
    yield package
    package.set_tracking_uri(before)


def test_mlflow(run_lines: Run, mlflow: Any) -> None:
    run_lines("MLflow")
    stored = mlflow.last_active_run()
    assert stored.data.metrics == scored()
    table = mlflow.artifacts.load_dict(f"{stored.info.artifact_uri}/error_rows.json")
    rows = [dict(zip(table["columns"], row, strict=True)) for row in table["data"]]
    for row, expected in zip(rows, listed(), strict=True):
        assert row == pytest.approx(expected)  # ten digits of a number in a table
    assert "report.html" in [each.path for each in mlflow.MlflowClient().list_artifacts(stored.info.run_id)]


@pytest.mark.exhaustive
def test_mlflow_takes_odd_names_and_no_errors(run_lines: Run, mlflow: Any) -> None:
    with mlflow.start_run():
        for name in ("shop@home", "per_entity/../f1", "x" * 251):
            with pytest.raises(mlflow.exceptions.MlflowException):
                mlflow.log_metrics({name: 1.0})
    run_lines("MLflow", *odd_documents())
    metrics = mlflow.last_active_run().data.metrics
    assert [metrics[f"per_entity/{name}/support"] for name in ("shop_home", "shop_home_2", "gr__e_cm")] == [2, 2, 2]
    assert len([name for name in metrics if name.startswith(f"per_entity/{LONG[:20]}")]) % 2 == 0
    run_lines("MLflow", [{"a": "1"}], [{"a": "1"}])
    assert mlflow.last_active_run().data.metrics["entity_f1"] == 1.0


def test_tensorboard(run_lines: Run, tmp_path: Path) -> None:
    pytest.importorskip("torch.utils.tensorboard", reason="tensorboard is not installed")
    run_lines("TensorBoard")
    assert scalars(tmp_path / "runs" / "receipts") == pytest.approx(scored(), rel=1e-7)
    [text] = events_of(tmp_path / "runs" / "receipts").Tensors("error_rows/text_summary")
    assert "| receipt-01 | payment.method | value | cash | cosh |" in text.tensor_proto.string_val[0].decode()
    run_lines("TensorBoard", *odd_documents())


def test_trackio(run_lines: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TRACKIO_DIR", str(tmp_path / "trackio"))
    pytest.importorskip("trackio", reason="trackio is not installed")
    from trackio.sqlite_storage import SQLiteStorage

    def stored() -> dict[str, Any]:
        name = SQLiteStorage.get_runs("receipts")[-1]
        return {key: value for row in SQLiteStorage.get_logs("receipts", name) for key, value in row.items()}

    run_lines("Trackio")
    found = stored()
    assert {name: found[name] for name in scored()} == scored()
    assert found["error_rows"]["_value"] == listed()
    assert (tmp_path / "trackio" / "artifacts").is_dir()


@pytest.mark.exhaustive
def test_tensorboard_gets_every_score_from_a_trainer(tmp_path: Path) -> None:
    """Its callback drops what is neither int nor float: numbers of numpy, say."""
    pytest.importorskip("torch.utils.tensorboard", reason="tensorboard is not installed")
    transformers = pytest.importorskip("transformers", reason="a Trainer needs transformers")
    pytest.importorskip("accelerate", reason="a Trainer needs accelerate")
    from stub_models import trainer
    from training_rows import metrics_of

    evaluated = trainer(metrics_of(metrics=["kieval", "hed"], per_entity=True), tmp_path / "run")
    evaluated.add_callback(transformers.integrations.TensorBoardCallback(writer(tmp_path / "events")))
    figures = evaluated.evaluate()
    expected = {name.replace("eval_", "eval/", 1): value for name, value in figures.items() if name != "epoch"}
    assert "eval/kieval_entity_f1/items.name" in expected
    values = scalars(tmp_path / "events")
    assert {name: values.get(name) for name in expected} == pytest.approx(expected)


def writer(folder: Path) -> Any:
    from torch.utils.tensorboard import SummaryWriter

    return SummaryWriter(str(folder))


def scalars(folder: Path) -> dict[str, float]:
    """The scalars that TensorBoard has."""
    events = events_of(folder)
    return {name: events.Scalars(name)[0].value for name in events.Tags()["scalars"]}


def events_of(folder: Path) -> Any:
    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

    events = EventAccumulator(str(folder))
    events.Reload()
    return events
