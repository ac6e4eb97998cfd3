"""The examples for other engines run, and give the figures of one process."""

from __future__ import annotations

import importlib.util
import json
import os
import random
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import docie
from docie import corpus, kieval
from docie.core.family import get

from checkout import ROOT, skip_module_without

skip_module_without("examples", "benchmarks")

import score_with_ray  # noqa: E402

pytestmark = pytest.mark.exhaustive
FAMILIES = [name for name in docie.families() if "document" in get(name).INPUTS]
WITH_ALL: dict[str, Any] = {"confidence_level": 0.9, "breakdown": True}
SPARK = f"""
import json, sys
from docie.core.family import get
from pyspark.sql import SparkSession
import score_with_spark

spark = (
    SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false")
    .config("spark.driver.host", "127.0.0.1").config("spark.driver.bindAddress", "127.0.0.1").getOrCreate()
)
table = spark.read.json(sys.argv[1], schema="id string, prediction string, reference string")
cut = table.repartition(4, "id")
results = {{name: score_with_spark.score(cut, get(name)) for name in {FAMILIES}}}
in_order = table.coalesce(1).sort("id")
results["in order"] = score_with_spark.score(in_order, **{WITH_ALL})
print(json.dumps(results))
"""


def receipts(number: int) -> list[dict[str, Any]]:
    """Rows as tables have them: an id, and JSON texts of a prediction and a reference."""
    spec = importlib.util.spec_from_file_location("generate", ROOT / "benchmarks" / "generate.py")
    assert spec is not None
    assert spec.loader is not None
    generate = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(generate)
    return [
        {"id": f"r-{number:05}", "prediction": json.dumps(prediction), "reference": json.dumps(reference)}
        for number, (prediction, reference) in enumerate(generate.receipts(number))
    ]


@pytest.mark.exhaustive(minutes=True)
def test_spark_gives_the_figures_of_one_process(tmp_path: Path) -> None:
    if shutil.which("java") is None:
        pytest.skip("Spark needs Java")
    rows = receipts(2000)
    path = tmp_path / "rows.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in random.Random(0).sample(rows, len(rows))))
    environment = {
        **os.environ,
        "PYSPARK_PYTHON": sys.executable,
        "SPARK_LOCAL_IP": "127.0.0.1",
        "PYTHONPATH": str(ROOT / "examples"),
    }
    done = subprocess.run(
        [sys.executable, "-c", SPARK, str(path)], capture_output=True, text=True, env=environment, check=False
    )
    assert done.returncode == 0, done.stderr[-3000:]
    results = json.loads(done.stdout.splitlines()[-1])
    assert results.pop("in order") == corpus.evaluate(kieval, rows, rows, **WITH_ALL)
    assert results == {name: corpus.evaluate(get(name), rows, rows) for name in FAMILIES}


class Batches:
    """A Ray dataset as far as the example knows one."""

    def __init__(self, rows: list[dict[str, Any]]) -> None:
        self.rows = rows

    def map_batches(self, count: Any, *, batch_format: str, batch_size: int) -> Batches:
        pandas = pytest.importorskip(batch_format)
        starts = range(0, len(self.rows), batch_size)
        made = [count(pandas.DataFrame(self.rows[start : start + batch_size])) for start in starts]
        return Batches(
            [dict(zip(part, cells, strict=True)) for part in made for cells in zip(*part.values(), strict=True)]
        )

    def iter_rows(self) -> Iterator[dict[str, Any]]:
        return iter(self.rows)


def test_batches_of_ray_give_the_figures_of_one_process() -> None:
    rows = receipts(2500)  # three batches
    assert score_with_ray.score(Batches(rows), **WITH_ALL) == corpus.evaluate(kieval, rows, rows, **WITH_ALL)
