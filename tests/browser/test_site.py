"""The documentation site in a browser: its search finds what people ask, on any screen, with nothing from elsewhere."""

from __future__ import annotations

import functools
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from checkout import skip_module_without

skip_module_without("docs", "examples", "CHANGELOG.md")
pytest.importorskip("pydata_sphinx_theme", reason="the site needs Sphinx and its theme: the extra docs")
pytestmark = pytest.mark.exhaustive

ANSWERS = {
    "my predictions have other ids": {"fit"},
    "why is my score 0": {"fit"},
    "is the difference significant": {"comparing"},
    "confidence interval": {"comparing"},
    "one run differs from another": {"runs"},
    "ANLS for DocVQA": {"metrics/anls_star"},
    "threshold for auto accept": {"confidence"},
    "compare to an Excel sheet": {"inputs"},
    "gate in CI": {"ci"},
    "Trainer compute_metrics": {"training"},
    "line items in another order": {"metrics/hed", "choosing", "metrics/kieval"},
    "hallucinated values, false alarms": {"metrics/kieval", "errors"},
    "wrong labels": {"errors"},
    "dates in another format": {"values"},
    "LLM answer in a code fence": {"inputs"},
    "evaluate Donut": {"training", "inputs", "metrics/nted"},
    "BIO tags": {"inputs", "metrics/entity_f1"},
    "box IoU": {"metrics/box_iou"},
    "what do I cite, signature": {"choosing"},
    "large corpora on Spark": {"python"},
    "docie.compare": {"api/questions"},
}
"""What people type, and the pages that answer it."""
PAGES = ["index", "start", "errors", "metrics/kieval", "command-line", "api/questions"]
"""One of each part."""


class Quiet(SimpleHTTPRequestHandler):
    """Serves files and says nothing."""

    def log_message(self, format: str, *arguments: Any) -> None:
        """Nothing."""


@pytest.fixture(scope="module")
def folder(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, built as strictly as .ci/run builds it."""
    out = tmp_path_factory.mktemp("site")
    subprocess.run([sys.executable, "-m", "sphinx", "-qW", "--keep-going", "-c", "docs", ".", out], cwd=root, check=True)
    return out


@pytest.fixture(scope="module")
def address(folder: Path) -> Iterator[str]:
    """Where the site is served, as the search needs it."""
    with ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=str(folder))) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def found(page: Any, query: str) -> list[str]:
    """The addresses of what the search finds, as somebody types."""
    page.keyboard.press("Control+k")
    page.locator("#pst-search-dialog input").fill("")
    page.locator("#pst-search-dialog input").press_sequentially(query)
    page.locator("#search-results h2", has_text="Search Results").wait_for()
    return [link.get_attribute("href") for link in page.locator("#search-results li > a").all()]


def test_the_search_finds_the_page_that_answers(address: str, opened: Callable[..., Any]) -> None:
    missed = {}
    for query, answers in ANSWERS.items():
        page = opened(f"{address}/index.html").page
        first = [each.partition(".html")[0] for each in found(page, query)[:3]]
        if not answers & {*first}:
            missed[query] = first
    assert missed == {}
