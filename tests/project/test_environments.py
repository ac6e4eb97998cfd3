"""Tests in several environments: what an extra must bring, and what passed in another environment."""

from __future__ import annotations

import sys
from importlib import metadata
from pathlib import Path

import pytest

import extras
import typed
from checkout import ROOT

pytest_plugins = ["pytester"]


def test_the_packages_of_an_extra_are_there_or_named(monkeypatch: pytest.MonkeyPatch) -> None:
    assert extras.absent("test-base") == []
    monkeypatch.setattr(metadata, "version", {"pytest": "7.0", "pytest-xdist": "3.9"}.__getitem__)
    monkeypatch.setattr(metadata, "PackageNotFoundError", KeyError)
    missing = extras.absent("test-base")
    assert any(each.startswith("pytest>=") for each in missing)
    assert any(each.startswith("hypothesis>=") for each in missing)
    assert not any(each.startswith("pytest-xdist") for each in missing)
    with pytest.raises(pytest.UsageError, match="^DOCIE_EXTRAS=test-base, but there is no "):
        extras.require("test-base")


def test_a_package_that_cannot_be_imported_is_no_reason_to_skip(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "broken_package.py").write_text("import no_such_package\n")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(ModuleNotFoundError, match="no_such_package"):
        extras.import_or_skip("broken_package")
    (tmp_path / "shared_by_several").mkdir()
    with pytest.raises(pytest.skip.Exception, match="shared_by_several.one"):
        extras.import_or_skip("shared_by_several.one")
    with pytest.raises(pytest.skip.Exception, match="no_such_package"):
        extras.import_or_skip("no_such_package")
    assert extras.import_or_skip("json", reason="nothing").loads("1") == 1


@pytest.mark.exhaustive
def test_what_passed_is_left_out_and_nothing_else(pytester: pytest.Pytester) -> None:
    pytester.syspathinsert(ROOT / "tests" / "support")
    pytester.makeconftest("""
        import os
        from pathlib import Path
        from passed import Passed
        def pytest_configure(config):
            config.pluginmanager.register(Passed(Path(os.environ["PASSED"])))
    """)
    pytester.makepyfile("""
        import os
        import pytest
        def test_one(): pass
        @pytest.mark.parametrize("number", [1, 2])
        def test_two(number): assert number == 1 or "MORE" in os.environ
        def test_three(): "MORE" in os.environ or pytest.skip("needs more")
    """)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PASSED", str(pytester.path / "passed.txt"))
        patch.setenv("PYTHONPATH", str(ROOT / "tests" / "support"))
        patch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")  # they take longer than the tests
        command = [sys.executable, "-m", "pytest", "-p", "xdist.plugin", "-n", "2"]
        pytester.run(*command).assert_outcomes(passed=2, failed=1, skipped=1)
        patch.setenv("MORE", "1")
        pytester.run(*command).assert_outcomes(passed=2)
        assert len((pytester.path / "passed.txt").read_text().splitlines()) == 4


def test_messages_of_mypy_name_the_files_of_the_checkout() -> None:
    folder = Path("build", "types")
    printed = f"{folder}/docie/metrics/hed/metric.py:3: error: a\n{folder}/docie/module.py:4: note: b\nFound 1 error\n"
    expected = "metrics/hed/metric.py:3: error: a\nsrc/docie/module.py:4: note: b\nFound 1 error\n"
    assert typed.in_the_checkout(printed, folder) == expected
