"""What derives from the folders of families is as `support/schemas.py` has it: schemas, requirements, imports."""

from __future__ import annotations

import json
from pathlib import Path

import docie

import schemas


def test_files_are_up_to_date() -> None:
    """If not, run `python tests/support/pages.py`, which also writes the schemas in cards."""
    expected = schemas.files()
    assert [str(path) for path, text in expected.items() if path.read_text(encoding="utf-8") != text] == []
    assert {path.parent.name for path in expected if path.name == "schema.json"} <= {*docie.families()}


def test_cards_show_the_schemas() -> None:
    for family in schemas.SCHEMAS:
        card = Path(docie.path(family), "README.md").read_text(encoding="utf-8")
        [shown] = schemas.JSON_BLOCK.findall(card)
        assert json.loads(shown) == schemas.SCHEMAS[family]
        assert schemas.with_schema(card, family) == card
