"""Pairs (prediction, reference) of the data sets in the folder that DOCIE_DATA names."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from docie.adapters import llm, records
from docie.adapters.grouping.labelled_words import from_words

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
        more: dict[str, Any] = {"confidences": confidences, "line_numbers": numbers if lines else None}
        documents.append(from_words(words, labels, groups=GROUP_TYPES, **more))
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


LINE_ITEM_NAMES = {
    "menu.nm": "MenuNm",
    "menu.cnt": "MenuCnt",
    "menu.unitprice": "MenuUnitprice",
    "menu.price": "MenuPrice",
}
"""CORD's names of the fields that the line items of Deep CPCFG have."""


def line_item_systems(data: Path) -> tuple[dict[str, list[Any]], list[Any]]:
    """The answers of three systems to CORD's receipts, in the fields that all of them have, and the references."""
    folder = data / "cord-test"
    rows = {
        name: [row["document"] for row in read_lines(folder / f"line-items-{name}.jsonl")]
        for name in ("deepcpcfg", "references")
    }
    qwen = [
        _line_items_of_qwen(document if isinstance(document, dict) else {})
        for row in read_lines(folder / "predictions-qwen2-vl-72b.jsonl")
        for document in [llm.to_document(row["prediction"]).document]
    ]
    words = [_line_items_of_words(row["words"]) for row in read_lines(folder / "predictions-layoutlm-words.jsonl")]
    return {"Qwen2-VL": qwen, "LayoutLM": words, "Deep CPCFG": rows["deepcpcfg"]}, rows["references"]


def _line_items_of_qwen(document: dict[str, Any]) -> dict[str, Any]:
    menu, total = document.get("menu") or [], document.get("total") or {}
    items = [item for item in (menu if isinstance(menu, list) else [menu]) if isinstance(item, dict)]
    return {
        "LineItem": [{name: item.get(key) for key, name in LINE_ITEM_NAMES.items()} for item in items],
        "TotalPrice": total.get("total.total_price") if isinstance(total, dict) else None,
    }


def _line_items_of_words(words: list[dict[str, Any]]) -> dict[str, Any]:
    items: dict[str, dict[str, list[str]]] = {}
    for word in words:
        if word["psl_label"] in LINE_ITEM_NAMES:
            item = items.setdefault(word["line_item"], {})
            item.setdefault(LINE_ITEM_NAMES[word["psl_label"]], []).append(word["text"])
    total = [word["text"] for word in words if word["psl_label"] == "total.total_price"]
    lines = [{name: " ".join(texts) for name, texts in item.items()} for item in items.values()]
    return {"LineItem": lines, "TotalPrice": " ".join(total)}
