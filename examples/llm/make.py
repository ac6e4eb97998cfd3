"""Make the answers of a language model to twelve receipts: JSON in code fences, in prose, broken or cut off.

    python examples/llm/make.py [FOLDER]

They hold what the careful system of `receipts` read, under other names. The labels of these receipts are in an Excel
sheet that `llm_against_excel.py` makes.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
RECEIPTS = HERE.parent / "receipts" / "predictions-careful.jsonl"
COUNT = 12
CUT = 1000
"""The number of characters after which the model had to stop."""


def text(leaf: Any) -> Any:
    """The text of a value with a confidence; None if it is missing."""
    return leaf and leaf["value"]


def document(read: dict[str, Any]) -> dict[str, Any]:
    """What the model was asked for, with the names that it chose."""
    return {
        "merchant": text(read.get("vendor")),
        "date": text(read.get("date")),
        "lines": [{"name": text(item.get("name")), "amount": text(item.get("amount"))} for item in read["items"]],
        "total": text(read["summary"]["total"]),
    }


def answer(number: int, read: dict[str, Any]) -> str:
    """An answer in one of four styles."""
    content = json.dumps(document(read), ensure_ascii=False, indent=2 if number % 2 else None)
    if len(content) > CUT:
        return f"```json\n{content[:CUT]}"
    match number % 4:
        case 0:
            return f"{content}\n"
        case 1:
            return f"```json\n{content}\n```\n"
        case 2:
            return f"Here is what the receipt says:\n\n{content}\n\nLet me know if you need the tax as well!\n"
        case _:  # quotes and commas of Python
            return "```\n" + content.replace('"', "'").replace("\n}", ",\n}") + "\n```\n"


def main(folder: Path) -> None:
    """Write a text for each receipt."""
    lines = RECEIPTS.read_text(encoding="utf-8").splitlines()[:COUNT]
    for number, row in enumerate(map(json.loads, lines), 1):
        (folder / f"{row['id']}.txt").write_text(answer(number, row["prediction"]), encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else HERE / "answers")
