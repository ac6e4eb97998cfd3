"""The documentation site in a browser: its search finds what people ask, on any screen, with nothing from elsewhere."""

from __future__ import annotations

import functools
import re
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

import docie
from docie._version import REPOSITORY

from checkout import skip_module_without

skip_module_without("docs", "examples", "CHANGELOG.md")
pytest.importorskip("pydata_sphinx_theme", reason="the site needs Sphinx and its theme: the extra docs")
pytestmark = pytest.mark.exhaustive

ANSWERS = {
    "my predictions have other ids": {"fit"},
    "why is my score 0": {"fit"},
    "is the difference significant": {"comparing"},
    "confidence interval": {"intervals"},
    "one run differs from another": {"runs"},
    "ANLS for DocVQA": {"metrics/anls_star"},
    "threshold for auto accept": {"confidence"},
    "compare to an Excel sheet": {"tables"},
    "gate in CI": {"ci"},
    "Trainer compute_metrics": {"training"},
    "line items in another order": {"metrics/hed", "choosing", "metrics/kieval"},
    "hallucinated values, false alarms": {"metrics/kieval", "errors"},
    "wrong labels": {"labels"},
    "dates in another format": {"values"},
    "LLM answer in a code fence": {"outputs"},
    "evaluate Donut": {"training", "outputs", "metrics/nted"},
    "BIO tags": {"inputs", "outputs", "metrics/entity_f1"},
    "score of a leaderboard by name": {"protocols"},
    "why do published numbers differ": {"twenty-numbers"},
    "reward for reinforcement learning": {"rewards"},
    "report in one HTML file": {"reports"},
    "box IoU": {"metrics/box_iou"},
    "what do I cite, signature": {"choosing"},
    "large corpora on Spark": {"python"},
    "docie.compare": {"api/questions"},
}
"""What people type, and the pages that answer it."""
PAGES = ["index", "start", "errors", "metrics/kieval", "command-line", "api/questions"]
"""One of each part."""
LOOKS: list[dict[str, Any]] = [
    {"color_scheme": "light"},
    {"color_scheme": "dark", "viewport": {"width": 360, "height": 740}},
]
WEIGHT_AND_PAINT = """[
    ['navigation', 'resource'].flatMap((kind) => performance.getEntriesByType(kind))
        .reduce((sum, each) => sum + each.decodedBodySize, 0),
    performance.getEntriesByName('first-contentful-paint')[0].startTime,
]"""


class Quiet(SimpleHTTPRequestHandler):
    """Serves files and says nothing."""

    def log_message(self, format: str, *arguments: Any) -> None:
        """Nothing."""


@pytest.fixture(scope="module")
def folder(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, built as strictly as .ci/run builds it."""
    out = tmp_path_factory.mktemp("site")
    subprocess.run(
        [sys.executable, "-m", "sphinx", "-qW", "--keep-going", "-c", "docs", ".", out], cwd=root, check=True
    )
    return out


@pytest.fixture(scope="module")
def address(folder: Path) -> Iterator[str]:
    """Where the site is served, as the search needs it."""
    with ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=str(folder))) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def test_the_search_finds_the_page_that_answers(address: str, opened: Callable[..., Any]) -> None:
    page = opened(f"{address}/index.html").page
    page.keyboard.press("Control+k")
    field, missed = page.locator("#pst-search-dialog input"), {}
    for query, answers in ANSWERS.items():
        field.clear()
        field.press_sequentially(query)
        page.locator("#search-results h2", has_text="Search Results").wait_for()
        links = [link.get_attribute("href") for link in page.locator("#search-results li > a").all()[:3]]
        first = [link.removeprefix("./").partition(".html")[0] for link in links]
        if not answers & {*first}:
            missed[query] = first
    assert missed == {}


@pytest.mark.parametrize("name", PAGES)
def test_a_page_is_quick_silent_and_readable(
    name: str, address: str, opened: Callable[..., Any], capsys: pytest.CaptureFixture[str]
) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    measured = []
    for look in LOOKS:
        window = opened(f"{address}/{name}.html", **look)
        page = window.page
        page.wait_for_load_state("networkidle")
        assert {urlsplit(each).netloc for each in window.requests} == {urlsplit(address).netloc}
        assert [each for each in window.messages if not each.startswith("[PST]: ")] == []
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "it scrolls sideways"
        measured.append(page.evaluate(WEIGHT_AND_PAINT))
        violations = axe.run(page, options={"resultTypes": ["violations"]}).response["violations"]
        assert [each["id"] for each in violations if each["impact"] in ("serious", "critical")] == []
    weight, paint = map(max, zip(*measured, strict=True))
    assert weight < 2_000_000
    with capsys.disabled():
        print(f" [{weight / 1e6:.2f} MB, first paint after {paint:.0f} ms] ", end="")


def test_links_out_of_the_site_lead_to_files_of_this_version_and_nothing_is_loaded(root: Path, folder: Path) -> None:
    texts = "".join(page.read_text(encoding="utf-8") for page in folder.rglob("*.html"))
    paths = {*re.findall(rf'href="{re.escape(REPOSITORY)}/(tree|blob)/v{re.escape(docie.__version__)}/([^"#]*)', texts)}
    assert ("tree", "examples/receipts") in paths
    assert ("blob", "examples/faults.py") in paths
    assert [
        path for kind, path in paths if (root / path).is_dir() != (kind == "tree") or not (root / path).exists()
    ] == []
    assert not [*folder.rglob("_downloads")]
    assert re.findall(r'<(?:script|img|link|iframe)\b[^>]*(?:src|href)="(?:https?:)?//[^"]*"', texts) == []
