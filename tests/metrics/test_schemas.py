"""The published schemas are those of `support/schemas.py`, in the files and in the cards."""

from __future__ import annotations

from pathlib import Path

import pytest
from schemas import JSON_BLOCK, REQUIREMENTS, SCHEMAS, text_of

import docie


@pytest.mark.parametrize("family", SCHEMAS)
def test_files_and_cards_are_up_to_date(family: str) -> None:
    """If not, run `python tests/support/schemas.py`."""
    folder = Path(docie.path(family))
    expected = text_of(SCHEMAS[family])
    assert (folder / "schema.json").read_text(encoding="utf-8") == expected + "\n"
    assert JSON_BLOCK.findall((folder / "README.md").read_text(encoding="utf-8")) == [expected]


@pytest.mark.parametrize("family", docie.families())
def test_a_metric_requires_this_version(family: str) -> None:
    assert Path(docie.path(family), "requirements.txt").read_text(encoding="utf-8") == REQUIREMENTS
