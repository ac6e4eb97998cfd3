"""Folders of documents."""

from __future__ import annotations

from pathlib import Path

from docie.inputs.sources.folders import Folder


def test_every_file_of_a_folder_may_begin_with_a_byte_order_mark(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / f"{name}.json").write_bytes(b'\xef\xbb\xbf{"total": "12.00"}')
    assert [row.document for row in Folder(str(tmp_path), side="reference")] == [{"total": "12.00"}] * 2
