"""Results as flat numbers."""

from __future__ import annotations

import re
import subprocess
import sys
from typing import Any

import pytest

import docie

DOCUMENT = {"total": {"value": "9.00", "confidence": 0.5}, "menu": [{"nm": "Tea"}, {"nm": "Latte"}], "größe/cm": "1"}
TAGGED = {"words": ["Kedai", "paid"], "tags": ["B-shop", "O"]}
BOXES = [{"label": "shop", "box": [0, 0, 2, 2]}]


@pytest.mark.parametrize("family", docie.families())
def test_all_results_of_all_families_are_flat_floats(family: str) -> None:
    sample: Any = {"oi_entities": TAGGED, "box_iou": BOXES}.get(family, DOCUMENT)
    options: dict[str, dict[str, Any]] = {"kieval": {"thresholds": [0.25]}, "anls_star": {"closest": True}}
    columns = {"attack": ["none", "key_drop"]} if family == "form_robustness" else {}
    results = docie.load(family).compute(
        predictions=[sample, sample], references=[sample, sample], **columns,
        breakdown=True, confidence_level=0.9, **options.get(family, {}),
    )  # fmt: skip
    figures = docie.flat(results)
    assert all(type(value) is float for value in figures.values())
    assert all(re.fullmatch(r"[A-Za-z0-9_./ -]+", name) for name in figures)
    assert not any(name.startswith(("signature", "per_document", "closest")) for name in figures)
    for name, value in results.items():
        if isinstance(value, int | float):
            assert figures[name] == value
        if name.endswith("_interval"):
            assert [figures.get(f"{name}/low"), figures.get(f"{name}/high")] == (value or [None, None])
    tables = [results.get(name, {}) for name in ("per_entity", "per_group")]
    cells = [value for table in tables for row in table.values() for value in row.values()]
    assert sum(name.startswith(("per_entity/", "per_group/")) for name in figures) == sum(
        len(value) if isinstance(value, list) else 1
        for value in cells  # an interval has two bounds
        if value is not None
    )


def test_a_score_without_an_interval_has_no_bounds() -> None:
    results = {"f1": 1.0, "f1_interval": None, "per_entity": {"a": {"f1": 1.0, "f1_interval": None}}}
    assert docie.flat(results) == {"f1": 1.0, "per_entity/a/f1": 1.0}


def test_names() -> None:
    rows = {"menu.nm": {"f1": 0.5}, "a#b": {"f1": 1}, "a@b": {"f1": 0}, "..": {"f1": 0}}
    assert docie.flat({"f1": 1, "per_entity": rows, "f1_interval": [0.25, 1.0], "signature": "x", "none": None}) == {
        "f1": 1.0, "per_entity/menu.nm/f1": 0.5, "per_entity/a_b/f1": 1.0, "per_entity/a_b_2/f1": 0.0, "per_entity/_/f1": 0.0,
        "f1_interval/low": 0.25, "f1_interval/high": 1.0,
    }  # fmt: skip
    assert docie.flat({"automation": [{"threshold": 0.5, "aligned": 0.75}]}) == {"automation/0.5/aligned": 0.75}
    assert docie.flat({"PER": {"f1": 1.0, "number": 3}}) == {"PER/f1": 1.0, "PER/number": 3.0}  # keys="seqeval"
    assert docie.flat({}) == {}


def test_long_names_are_cut_and_stay_apart() -> None:
    question = "What is the total of all amounts that " * 10
    figures = docie.flat({"per_entity": {f"{question}{end}": {"entity_f1_interval": [0.5, 1.0]} for end in "ab"}})
    assert len(figures) == 4
    assert max(map(len, figures)) <= 250
    assert all(name.split("/")[1].startswith(question[:100]) for name in figures)


def test_it_needs_no_large_package() -> None:
    code = "import sys, docie; print(docie.flat({'f1': 1}), [m for m in ('numpy', 'evaluate') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "{'f1': 1.0} []\n"


def test_tensorboard_takes_what_flat_gives(tmp_path: Any) -> None:
    tensorboard = pytest.importorskip("torch.utils.tensorboard", reason="tensorboard is not installed")
    results = docie.load("kieval").compute(predictions=[DOCUMENT], references=[DOCUMENT], breakdown=True)
    writer = tensorboard.SummaryWriter(str(tmp_path))
    for name, value in docie.flat(results).items():
        writer.add_scalar(name, value, 1)
    writer.close()
    assert any(tmp_path.iterdir())
