"""Rows for tests of harnesses: receipts, and what a model that makes mistakes answers to each of them."""

from __future__ import annotations

import json
import random
from copy import deepcopy
from pathlib import Path
from typing import Any, NamedTuple

from cli_runs import run
from synthetic_receipts import receipts

CONFIG = ["predictions.ignore=items.name", "references.ignore=items.name", "values.normalize=casefold"]
"""A configuration that moves the scores of these rows."""
ASKED = [part for entry in CONFIG for part in ("--config", entry)]
"""The same for `docie score`."""


class HarnessRow(NamedTuple):
    """A receipt: its id, the words on it, the answer of the model, and the correct document."""

    id: str
    input: str
    answer: str
    reference: dict[str, Any]


def rows(number: int = 200) -> list[HarnessRow]:
    """The same rows at each call: of ten answers three are right, some are in prose or cut off, and some are no JSON."""
    rng = random.Random(7)
    return [
        HarnessRow(f"r-{place:03}", " ".join(receipt.words), answer(receipt.document, place, rng), receipt.document)
        for place, receipt in enumerate(receipts(number, seed=5))
    ]


def real_rows(cord: dict[str, list[Any]]) -> list[HarnessRow]:
    """The receipts of CORD's test set, and what Qwen2-VL answered, as texts. `cord` is the fixture."""
    return [
        HarnessRow(
            str(place), str(place), json.dumps(row["prediction"]), json.loads(expected["ground_truth"])["gt_parse"]
        )
        for place, (row, expected) in enumerate(zip(cord["qwen"], cord["references"], strict=True))
    ]


def answer(document: dict[str, Any], number: int, rng: random.Random) -> str:
    """What the model answers, by the number of the document."""
    kind, wrong = number % 10, corrupted(document, rng)
    if kind < 3:
        return json.dumps(document)
    if kind == 3:
        return f"Here is the receipt:\n```json\n{json.dumps(wrong, indent=1)}\n```\nAnything else?"
    if kind == 4:
        return json.dumps(wrong)[: -rng.randrange(2, 40)]
    if kind == 5:
        return repr(wrong)
    return "I cannot read this receipt." if kind == 6 else json.dumps(wrong)


def corrupted(document: dict[str, Any], rng: random.Random) -> dict[str, Any]:
    """A document with a wrong name, an invented field or, mostly, an item less."""
    document = deepcopy(document)
    items = document["items"] if isinstance(document["items"], list) else [document["items"]]
    items[rng.randrange(len(items))]["items.name"] = "Bagel"
    if len(items) > 1 and rng.random() < 0.6:
        del items[rng.randrange(len(items))]
    document["items"] = items
    if rng.random() < 0.3:
        document[rng.choice(["cashier", "table", "phone"])] = "7"
    return document


def scored_by_command(rows: list[HarnessRow], folder: Path, *options: str) -> dict[str, float]:
    """The numbers that `docie score` prints for these rows, under their names in harnesses: `kieval_entity_f1`."""
    files = [folder / "references.jsonl", folder / "predictions.jsonl"]
    references: list[dict[str, object]] = [
        {"id": str(place), "reference": row.reference} for place, row in enumerate(rows)
    ]
    predictions: list[dict[str, object]] = [
        {"id": str(place), "prediction": row.answer} for place, row in enumerate(rows)
    ]
    for path, lines in (files[0], references), (files[1], predictions):
        path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    result = run(*map(str, files), *options, "--format", "json")
    assert result.exit_code == 0, result.stderr
    [(name, scores), *_] = json.loads(result.stdout).items()  # behind it may be issues of reading
    return {f"{name}_{key}": value for key, value in scores.items() if isinstance(value, int | float)}
