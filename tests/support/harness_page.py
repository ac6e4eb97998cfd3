"""What docs/harnesses.md and docs/platforms.md show of a harness: code and outputs, which tests run and compare."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Iterable

from checkout import ROOT
from harness_rows import HarnessRow


def blocks(heading: str) -> list[str]:
    """The indented blocks of a section, in order."""
    pages = "".join((ROOT / "docs" / name).read_text(encoding="utf-8") for name in ("harnesses.md", "platforms.md"))
    section = pages.partition(f"\n## {heading}\n")[2].partition("\n## ")[0]
    found, lines = list[str](), list[str]()
    for line in [*section.splitlines(), "."]:
        if line.startswith("    ") or (lines and not line):
            lines.append(line)
        elif lines:
            found.append(textwrap.dedent("\n".join(lines)).strip("\n") + "\n")
            lines = []
    return found


def as_json(receipts: Iterable[HarnessRow]) -> list[dict[str, str]]:
    """The `rows` of the page's examples."""
    return [{"id": row.id, "text": row.input, "reference": json.dumps(row.reference)} for row in receipts]
