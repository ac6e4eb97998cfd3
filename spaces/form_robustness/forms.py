"""Forms to pick, made for this project: the first ones of `examples/forms.jsonl`."""

from __future__ import annotations

import json
from importlib import resources
from typing import Any


def examples() -> dict[str, str]:
    """The forms by name, as the page's field holds them.

    >>> [*examples()][0]
    'Invoice of Lavas Vokagun'
    """
    file = resources.files("docie.spaces.form_robustness").joinpath("static", "forms.jsonl")
    return {_name(record): text_of(record) for record in map(json.loads, file.read_text(encoding="utf-8").splitlines())}


def text_of(record: dict[str, Any]) -> str:
    """A record as JSON with a line for each column.

    >>> print(text_of({"id": "a", "words": ["Total", "9.00"]}))
    {
      "id": "a",
      "words": ["Total", "9.00"]
    }
    """
    columns = (f"  {json.dumps(name)}: {json.dumps(column, ensure_ascii=False)}" for name, column in record.items())
    return "{\n" + ",\n".join(columns) + "\n}"


def _name(record: dict[str, Any]) -> str:
    pairs = zip(record["words"], record["labels"], strict=True)
    vendor = " ".join(word for word, label in pairs if label == "vendor")
    return f"Invoice of {vendor}"
