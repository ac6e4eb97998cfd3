"""How well does a language model read our documents? Its answers are text files, our labels an Excel sheet.

    pip install ".[tables]"
    python examples/llm_against_excel.py [FOLDER]

FOLDER (a new one by default) gets `labels.xlsx`, and `docie.toml`, which says how labels and answers were written.
"""

from __future__ import annotations

import datetime
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import openpyxl

import docie

HERE = Path(__file__).parent
ANSWERS = HERE / "llm" / "answers"


def write_labels(path: Path) -> None:
    """What an office typed of twelve receipts: a row for each, and a second sheet for what was bought."""
    book = openpyxl.Workbook()
    receipts, items = book.active, book.create_sheet("items")
    receipts.append(["file", "vendor", "date", "total"])
    items.append(["file", "name", "amount"])
    for row in docie.read(HERE / "receipts" / "references.jsonl")[:12]:
        file, document = f"{row['id']}.pdf", row["document"]
        receipts.append([file, document["vendor"], day(document), number(document["summary"]["total"])])
        bought = document["items"]
        for item in bought if isinstance(bought, list) else [bought]:
            items.append([file, item["name"], number(item["amount"])])
    book.save(path)


def day(document: dict[str, Any]) -> datetime.date | None:
    """The date as Excel has it."""
    form = "%d.%m.%Y" if document["currency"] == "EUR" else "%m/%d/%Y"
    return datetime.datetime.strptime(document["date"], form).date() if "date" in document else None


def number(amount: str) -> float:
    """The amount as Excel has it: 1234.5 of 1.234,50 and of 1,234.50."""
    return int(amount.replace(",", "").replace(".", "")) / 100


def run(*arguments: str | Path) -> None:
    """Run a command of docie, as you type it."""
    subprocess.run([sys.executable, "-m", "docie", *map(str, arguments)], check=False)


def main(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    labels, config = folder / "labels.xlsx", folder / "docie.toml"
    write_labels(labels)
    run("check", labels, ANSWERS, "--write", config, "--force")
    run("score", labels, ANSWERS, "--config", config)


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else tempfile.mkdtemp()))
