"""What derives from the folders of families is as `support/schemas.py` has it: schemas, requirements, imports."""

from __future__ import annotations

import docie

import schemas


def test_files_are_up_to_date() -> None:
    """If not, run `python tests/support/pages.py`."""
    expected = schemas.files()
    assert [str(path) for path, text in expected.items() if path.read_text(encoding="utf-8") != text] == []
    assert {path.parent.name for path in expected if path.name == "schema.json"} <= {*docie.families()}
