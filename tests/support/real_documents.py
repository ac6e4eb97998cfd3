"""Pairs (prediction, reference) of the data sets in the folder that DOCIE_DATA names."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from docie.adapters import grouping, llm, records

from json_lines import read_lines

Pairs = list[tuple[Any, Any]]
SYSTEMS = ("claude", "docupipe_high", "docupipe_standard", "extend", "gemini", "gpt")
"""The systems of DocuBench."""
GROUP_TYPES = ["menu", "sub_total", "total"]


def cord_pairs(cord: dict[str, list[Any]], system: str) -> Pairs:
    """CORD's receipts with the answers of a model: "qwen", or "layoutlm" in line items by its line numbers."""
    references = [records.cord(record) for record in cord["references"]]
    if system == "qwen":
        answers = [records.cord_names(llm.to_document(row["prediction"]).document) for row in cord["qwen"]]
    else:
        answers = layoutlm(cord, lines=True)
    return list(zip(answers, references, strict=True))


def layoutlm(cord: dict[str, list[Any]], *, lines: bool) -> list[Any]:
    """The documents of LayoutLM's words, grouped by its line numbers or by slot filling."""
    documents = []
    for row in cord["layoutlm"]:
        words, labels, confidences, numbers = (
            [word[name] for word in row["words"]] for name in ("text", "label", "confidence", "line_item")
        )
        more = {"confidences": confidences, "line_numbers": numbers if lines else None}
        documents.append(grouping.from_words(words, labels, groups=GROUP_TYPES, **more))
    return documents


def invoice_pairs(data: Path) -> Pairs:
    """The invoices of RVL-CDIP with the answers of Deep CPCFG."""
    rows = read_lines(data / "deepcpcfg-invoices" / "invoices.jsonl")
    return [(row["prediction"], row["annotation"]) for row in rows]


def docubench_pairs(data: Path, system: str) -> Pairs:
    """DocuBench's documents with the answers of a system."""
    folder = data / "docubench"
    references = {row["id"]: row["reference"] for row in read_lines(folder / "references.jsonl")}
    rows = read_lines(folder / f"predictions-{system}.jsonl")
    return [(row["prediction"], references[row["id"]]) for row in rows]
