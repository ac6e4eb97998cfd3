"""The Space of each family in a browser: a change shows in score, sentence and marking, and texts stay texts."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import pytest

import docie

DEFAULT = "nted"
"""The family whose Space is always tested."""
FAMILIES = [
    pytest.param(name, marks=[] if name == DEFAULT else pytest.mark.exhaustive) for name in sorted(docie.families())
]
SECONDS = 60_000
"""Milliseconds until a page answers: workers may have to start first."""
HOSTILE = "<script>alert(1)</script><img src=x onerror=alert(2)>"


class Case(NamedTuple):
    """What is written into the fields of a page: a reference, two predictions of it, and hostile texts."""

    reference: Any
    prediction: Any
    other: Any
    hostile: Any


_DOCUMENT = {"vendor": "Juniper Cafe", "items": [{"name": "Latte", "amount": "4.50"}]}
CASES = {
    **dict.fromkeys(
        docie.families(),
        Case(
            _DOCUMENT,
            {"vendor": "Juniper Café", "items": [{"name": "Latte", "amount": {"value": "4.50", "confidence": 0.7}}]},
            {"vendor": "Juniper Café", "items": [{"name": "Lattes", "amount": {"value": "4.80", "confidence": 0.7}}]},
            {HOSTILE: HOSTILE, "items": [{"name": f"{HOSTILE}!"}]},
        ),
    ),
    "form_robustness": Case(
        {"attacks": {"none": _DOCUMENT, "key_drop": _DOCUMENT}},
        {"attacks": {"none": _DOCUMENT, "key_drop": {"vendor": "Juniper Cafe"}}},
        {"attacks": {"none": _DOCUMENT, "key_drop": {"vendor": "Juniper"}}},
        {"attacks": {"none": _DOCUMENT, "key_drop": {HOSTILE: HOSTILE}}},
    ),
    "oi_entities": Case(
        {"words": ["Jordi", "of", "Vic"], "tags": ["B-name", "O", "B-place"]},
        {"words": ["Jordi", "of", "Vich"], "tags": ["B-name", "O", "B-place"]},
        {"words": ["Jordi", "of", "Vich"], "tags": ["B-name", "O", "B-name"]},
        {"words": [HOSTILE, "of", "Vic"], "tags": [f"B-{HOSTILE}", "O", "B-place"]},
    ),
    "box_iou": Case(
        [{"label": "total", "box": [0, 0, 10, 4]}],
        [{"label": "total", "box": [1, 0, 10, 4]}],
        [{"label": "total", "box": [8, 0, 20, 4]}],
        [{"label": HOSTILE, "box": [0, 0, 10, 4], "group": HOSTILE}],
    ),
}


@pytest.fixture(scope="module")
def addresses() -> Iterator[Callable[[str], str]]:
    """From a family to the address of its running Space."""
    page = pytest.importorskip("docie.spaces.common.page")
    from importlib import import_module

    running: dict[str, tuple[Any, str]] = {}

    def address_of(family: str) -> str:
        if family not in running:
            demo = import_module(f"docie.spaces.{family}.app").demo
            running[family] = demo, page.launch(demo, prevent_thread_lock=True)[1]
        return running[family][1]

    yield address_of
    for demo, _ in running.values():
        demo.close()


@pytest.fixture
def space(addresses: Callable[[str], str], opened: Callable[..., Any]) -> Callable[..., Any]:
    """Opens a Space, once its first example is scored."""

    def open_space(family: str, *, theme: str = "light", width: int = 1200) -> Any:
        window = opened(f"{addresses(family)}?__theme={theme}", viewport={"width": width, "height": 800})
        window.page.wait_for_selector(".docie-view", timeout=SECONDS)
        return window

    return open_space


def fill(page: Any, family: str, reference: Any, prediction: Any) -> None:
    """Write into both editors, and wait for what the page says about these documents."""
    from docie.spaces.common.computing import Request, compute

    sentence = compute(Request(family=family, predictions=[prediction], references=[reference])).sentence
    for field, value in (("references", reference), ("predictions", prediction)):
        page.locator(f"#{field} .cm-content").fill(json.dumps(value))
    page.wait_for_function(
        "sentence => document.querySelector('.dx-sentence')?.innerText === sentence", arg=sentence, timeout=SECONDS
    )


def shown(page: Any) -> dict[str, str]:
    """The score, the sentence, and the marked values of the family's own view."""
    view = page.locator(".docie-view").first
    return {
        "score": page.locator(".dx-figure b").first.inner_text(),
        "sentence": page.locator(".dx-sentence").first.inner_text(),
        "view": view.inner_html(),
    }


@pytest.mark.parametrize("family", FAMILIES)
def test_a_change_shows(family: str, space: Callable[..., Any]) -> None:
    case = CASES[family]
    window = space(family)
    fill(window.page, family, case.reference, case.prediction)
    before = shown(window.page)
    fill(window.page, family, case.reference, case.other)
    after = shown(window.page)
    assert all(before[name] != after[name] for name in before), (before, after)
    assert window.messages == []


@pytest.mark.parametrize("family", FAMILIES)
def test_hostile_texts_stay_texts(family: str, space: Callable[..., Any]) -> None:
    case = CASES[family]
    window = space(family)
    fill(window.page, family, case.reference, case.hostile)
    assert window.page.locator("#results script, #results img").count() == 0
    assert HOSTILE in window.page.locator("#results").inner_text()
    assert window.messages == []  # no dialog either


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize(
    ("theme", "width"),
    [
        ("light", 1200),
        pytest.param("dark", 360, marks=pytest.mark.exhaustive),
    ],
)
def test_views_can_be_read_everywhere(family: str, theme: str, width: int, space: Callable[..., Any]) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    window = space(family, theme=theme, width=width)
    case = CASES[family]
    fill(window.page, family, case.reference, case.other)
    assert window.page.evaluate("document.documentElement.scrollWidth") == width
    found = axe.run(window.page, context="#results").response["violations"]
    assert [(each["id"], each["nodes"][0]["html"]) for each in found if each["impact"] in ("serious", "critical")] == []
    colours = "element => getComputedStyle(element).backgroundColor"
    expected = "rgb(22, 24, 29)" if theme == "dark" else "rgb(255, 255, 255)"
    assert window.page.locator(".docie-view").first.evaluate(colours) == expected


@pytest.mark.exhaustive
def test_the_slider_changes_the_claim(space: Callable[..., Any]) -> None:
    page = space("kieval").page
    claim = page.locator(".docie-claim")
    before = claim.inner_text()
    assert before.startswith("At 0.85, ")
    slider = page.locator("#threshold input[type=range]")
    slider.focus()
    for _ in range(20):
        slider.press("ArrowRight")
    page.wait_for_function(
        "before => !document.querySelector('.docie-claim')?.innerText.startsWith('At 0.85')", timeout=SECONDS
    )
    assert claim.inner_text() != before
