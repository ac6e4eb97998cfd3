"""What reading order does to every entity metric: predictions as they are, and with their entities shuffled.

The protocol is that of Villanova-Aparisi et al., "Reading Order Independent Metrics for Information Extraction in
Handwritten Documents" (2024), section 4.3: entities change places across the document, but each stays whole. The
script prints Markdown.

    python benchmarks/reading_order.py REFERENCES PREDICTIONS    files of documents or entities, folders of tagged words
    DOCIE_DATA=... python benchmarks/reading_order.py            CORD's test set, with the predictions of two systems
"""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from docie import corpus, oi_entities, tables
from docie.adapters import bio, grouping, llm, records
from docie.documents.tagging.tagged_words import is_tagged_words
from docie.inputs.files import Files

Pair = tuple[Any, Any]
"""A prediction and its reference, both as lists of entities."""


def read(references: str, predictions: str) -> list[Pair]:
    """The pairs of two files or folders."""
    return [
        (entities(prediction.document, "prediction"), entities(reference.document, "reference"))
        for prediction, reference in Files(references, predictions)
    ]


def entities(row: Any, side: str) -> Any:
    """The entities of a row, which holds tagged words or a document."""
    if is_tagged_words(row):
        return bio.decode(row["words"], row["tags"], None, sentences=row.get("sentences"))
    return grouping.entities(row, side=side)


def cord(folder: Path) -> dict[str, list[Pair]]:
    """CORD's test set. LayoutLM labels words in reading order, Qwen2-VL writes JSON in an order of its own."""
    annotated = list(lines(folder / "references.jsonl"))
    words = lines(folder / "predictions-layoutlm-words.jsonl")
    answers = lines(folder / "predictions-qwen2-vl-72b.jsonl")
    return {
        "LayoutLM": [
            ([(word["label"], word["text"]) for word in row["words"]], in_reading_order(record))
            for row, record in zip(words, annotated, strict=True)
        ],
        "Qwen2-VL": [
            (
                entities(records.cord_names(llm.to_document(row["prediction"]).document), "prediction"),
                entities(records.cord(record), "reference"),
            )
            for row, record in zip(answers, annotated, strict=True)
        ],
    }


def lines(path: Path) -> Iterator[Any]:
    """The rows of a JSON Lines file."""
    with path.open(encoding="utf-8") as file:
        yield from map(json.loads, file)


def in_reading_order(record: dict[str, Any]) -> list[tuple[str, str]]:
    """The annotated lines of a CORD receipt, without the words that only name a field."""
    return [
        (line["category"], " ".join(word["text"] for word in line["words"] if not word["is_key"]))
        for line in json.loads(record["ground_truth"])["valid_line"]
        if not all(word["is_key"] for word in line["words"])
    ]


def table(systems: dict[str, list[Pair]], seed: int) -> tables.Table:
    """A row for each metric. Every system has two columns: its predictions as they are, and shuffled."""
    columns: dict[str, dict[str, Any]] = {}
    for name, pairs in systems.items():
        predictions, references = [prediction for prediction, _ in pairs], [reference for _, reference in pairs]
        shuffled = [
            bio.shuffle_entities(prediction, seed + number) if isinstance(prediction, list) else prediction
            for number, prediction in enumerate(predictions)
        ]
        columns[f"{name} regular".strip()] = corpus.evaluate(oi_entities, predictions, references)
        columns[f"{name} shuffled".strip()] = corpus.evaluate(oi_entities, shuffled, references)
    metrics = [metric for metric, value in next(iter(columns.values())).items() if isinstance(value, float)]
    rows = [[metric, *(tables.number(figures[metric]) for figures in columns.values())] for metric in metrics]
    return tables.Table("reading order", ["metric", *columns], rows)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", metavar="REFERENCES PREDICTIONS")
    parser.add_argument("--seed", type=int, default=0, help="of the shuffling (0)")
    arguments = parser.parse_args()
    folder = os.environ.get("DOCIE_DATA")
    if len(arguments.files) == 2:
        systems = {"": read(*arguments.files)}
    elif not arguments.files and folder:
        systems = cord(Path(folder) / "cord-test")
    else:
        parser.error("name references and predictions, or set DOCIE_DATA to the folder that has cord-test")
    print(tables.markdown(table(systems, arguments.seed)))


if __name__ == "__main__":
    main()
