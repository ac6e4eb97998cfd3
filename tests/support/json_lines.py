"""JSON Lines."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any


def read_lines(path: Path) -> Iterator[Any]:
    """The rows of a JSON Lines file."""
    with path.open(encoding="utf-8") as file:
        for line in file:
            yield json.loads(line)
