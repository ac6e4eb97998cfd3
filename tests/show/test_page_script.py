"""The script and the styles of pages, as they are put together."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from docie.show.page import script as module
from docie.show.page.script import STYLES, script, styles


def test_all_modules_are_one_that_may_stand_in_a_page() -> None:
    text = script()
    assert not re.search(r"^(import|export) ", text, re.MULTILINE)
    assert "</script" not in text.lower()
    assert "<!--" not in text
    for name in ("sideBySide", "filtersIn", "drawChart"):
        defined = text.index(f"function {name}(")
        assert defined == text.find(f"function {name}("), "once"
        assert defined < text.index("\nstart();"), "what starts comes last"


def test_a_name_that_two_modules_define_is_an_error(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "one.js").write_text('import { b } from "./two.js";\nexport const a = 1;\n', "utf-8")
    (tmp_path / "two.js").write_text("/** Both. */\nexport async function b() {}\nconst a = 2;\n", "utf-8")
    monkeypatch.setattr(module, "_files", lambda folder, ending: sorted(tmp_path.iterdir()))
    with pytest.raises(ValueError, match="defined twice at the top of modules: a"):
        script.__wrapped__()
    (tmp_path / "two.js").write_text("/** Both. */\nexport async function b() {}\n", "utf-8")
    assert script.__wrapped__() == "async function b() {}\nconst a = 1;\n"


def test_styles_hold_every_file() -> None:
    folder = Path(str(module.__file__)).parent / "styles"
    assert {*STYLES} == {path.stem for path in folder.glob("*.css")}
    assert styles().startswith("/* The look")
    assert styles().count("{") == styles().count("}")
