"""The tab that attacks a form, in a browser: attack and slider change the boxes and the sentence, and texts stay texts."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

pytest.importorskip("gradio")
from docie.spaces.form_robustness import attacking
from docie.spaces.form_robustness.attacking import Asked, examples

from space_links import copied, packed

SECONDS = 60_000
"""Milliseconds until the page answers: workers may have to start first."""
INVOICES = [*examples().values()]
SHOWN = "#attack-results"
HOSTILE = "<script>alert(1)</script><img src=x onerror=alert(2)>"
HOSTILE_FORM = {
    "words": [HOSTILE, "9.00"], "labels": [HOSTILE, HOSTILE], "is_key": [1, 0], "boxes": [[10, 10, 300, 40], [310, 10, 400, 40]],
}  # fmt: skip
exhaustive = pytest.mark.exhaustive


@pytest.fixture
def address(addresses: Callable[[str], str]) -> str:
    """The running Space."""
    return addresses("form_robustness")


@pytest.fixture
def tab(address: str, opened: Callable[..., Any]) -> Callable[..., Any]:
    """Opens the Space, once its first form is attacked."""

    def open_tab(*, theme: str = "light", width: int = 1200, query: str = "") -> Any:
        window = opened(f"{address}?__theme={theme}{query}", viewport={"width": width, "height": 900})
        window.page.wait_for_selector(f"{SHOWN} .docie-form svg", timeout=SECONDS)
        return window

    return open_tab


def sentence_of(**asked: Any) -> str:
    return str(attacking.figures(Asked(**{"record": INVOICES[0], **asked}))["sentence"])


def wait_for_sentence(page: Any, sentence: str) -> None:
    page.wait_for_function(
        "text => document.querySelector('#attack-score .dx-sentence')?.innerText === text",
        arg=sentence,
        timeout=SECONDS,
    )


def choose_attacks(page: Any, *names: str) -> None:
    """Choose these attacks in place of the others."""
    box = page.locator("#attacks")
    box.get_by_title("Clear").click()
    field = box.get_by_role("combobox")
    for name in names:
        field.click()
        page.get_by_role("option", name=name, exact=True).click()
    field.press("Escape")


def move_slider(page: Any, value: float) -> None:
    page.locator("#strength input[type=number]").fill(str(value))
    page.locator("#strength input[type=number]").press("Tab")


def write(page: Any, field: str, text: str) -> None:
    """Replace the text of an editor."""
    page.locator(f"#{field} .cm-content").fill(text)


def pictures(page: Any) -> list[str]:
    """What both pictures show."""
    return [each.inner_html() for each in page.locator(f"{SHOWN} .docie-form svg[role=img]").all()]


@exhaustive
def test_attack_and_slider_change_the_boxes_and_the_sentence(tab: Callable[..., Any]) -> None:
    window = tab()
    page = window.page
    wait_for_sentence(page, sentence_of(attacks=["bg_typo"], strength=2.0))
    as_it_is, first = pictures(page)
    choose_attacks(page, "center_shift")
    wait_for_sentence(page, sentence_of(attacks=["center_shift"], strength=2.0))
    same, shifted = pictures(page)
    assert same == as_it_is
    slider = page.locator("#strength input[type=range]")
    slider.focus()
    for _ in range(10):
        slider.press("ArrowRight")
    wait_for_sentence(page, sentence_of(attacks=["center_shift"], strength=3.0))
    same, shifted_more = pictures(page)
    assert same == as_it_is
    assert len({as_it_is, first, shifted, shifted_more}) == 4
    assert window.messages == []
    assert [url for url in window.requests if "127.0.0.1" not in url and not url.startswith(("data:", "blob:"))] == []


@exhaustive
def test_only_a_form_that_is_chosen_replaces_the_form(tab: Callable[..., Any]) -> None:
    page = tab().page
    own = {"words": ["Total", "9.00"], "labels": ["O", "total"], "boxes": [[10, 10, 90, 40], [100, 10, 190, 40]]}
    page.get_by_role("button", name="The form as JSON").click()
    editor = page.locator("#record .cm-editor")
    height = editor.bounding_box()["height"]
    write(page, "record", json.dumps(own))
    asked = {"record": json.dumps(own), "attacks": ["bg_typo"], "strength": 2.0}
    wait_for_sentence(page, sentence_of(**asked))
    opens = page.locator("#attack-example").get_by_role("button", name="Examples")
    for leave in ("Escape", "Tab"):
        opens.click()
        page.keyboard.press(leave)
    opens.click()
    button = page.locator("#attack-example").get_by_role("button", name=next(iter(examples())))
    button.focus()
    page.keyboard.press("Tab")
    page.locator("h1").click()
    page.wait_for_timeout(1500)
    assert page.locator("#record .cm-content").inner_text() == json.dumps(own)
    write(page, "record", json.dumps({**own, "note": "word " * 2000}))
    assert editor.bounding_box()["height"] == height < 300
    if not button.is_visible():
        opens.click()
    button.click()
    wait_for_sentence(page, sentence_of(**{**asked, "record": INVOICES[0]}))


@exhaustive
def test_what_is_pretty_printed_is_attacked_as_before(tab: Callable[..., Any]) -> None:
    page = tab().page
    own = {"words": ["Total", "9.00"], "labels": ["O", "total"], "boxes": [[10, 10, 90, 40], [100, 10, 190, 40]]}
    page.get_by_role("button", name="The form as JSON").click()
    write(page, "record", json.dumps(own))
    sentence = sentence_of(record=json.dumps(own), attacks=["bg_typo"], strength=2.0)
    wait_for_sentence(page, sentence)
    indent = page.get_by_role("button", name="Pretty-print the form")
    indent.click()
    indent.wait_for(state="hidden")
    assert page.locator("#record .cm-line").first.inner_text() == "{"
    page.locator("#strength input[type=range]").press("ArrowRight")
    wait_for_sentence(page, sentence_of(record=json.dumps(own), attacks=["bg_typo"], strength=2.1))


@exhaustive
def test_several_attacks_and_another_form(tab: Callable[..., Any]) -> None:
    page = tab().page
    choose_attacks(page, "key_drop", "global_shuffle")
    wait_for_sentence(page, sentence_of(attacks=["key_drop", "global_shuffle"], strength=2.0))
    page.locator("#attack-example").get_by_role("button", name="Examples").click()
    page.locator("#attack-example").get_by_role("button", name=[*examples()][1]).click()
    wait_for_sentence(page, sentence_of(record=INVOICES[1], attacks=["key_drop", "global_shuffle"], strength=2.0))


@exhaustive
def test_pictures_can_be_larger(tab: Callable[..., Any]) -> None:
    page = tab().page
    picture = page.locator(f"{SHOWN} .docie-form svg[role=img]").first
    width = picture.bounding_box()["width"]
    page.get_by_role("button", name="Larger pictures", pressed=False).click()
    assert picture.bounding_box()["width"] > 1.8 * width
    move_slider(page, 3.0)
    wait_for_sentence(page, sentence_of(attacks=["bg_typo"], strength=3.0))
    assert picture.bounding_box()["width"] > 1.8 * width  # it stays so
    page.get_by_role("button", name="Larger pictures", pressed=True).click()
    assert picture.bounding_box()["width"] == width


@exhaustive
def test_answers_of_a_model_are_scored(tab: Callable[..., Any]) -> None:
    page = tab().page
    page.locator("#reader input").click()
    page.get_by_role("option", name="my model").click()
    page.locator("#before-problem").get_by_role("alert").wait_for(timeout=SECONDS)
    write(page, "before", '{"due_date": "20/08/2019"}')
    page.locator("#after-problem").get_by_role("alert").wait_for(timeout=SECONDS)
    write(page, "after", "{}")
    asked = {"reader": "answers", "before": '{"due_date": "20/08/2019"}', "after": "{}"}
    wait_for_sentence(page, sentence_of(attacks=["bg_typo"], strength=2.0, **asked))


@exhaustive
def test_hostile_and_broken_forms_stay_texts(tab: Callable[..., Any]) -> None:
    window = tab()
    page = window.page
    page.get_by_role("button", name="The form as JSON").click()
    write(page, "record", json.dumps(HOSTILE_FORM))
    wait_for_sentence(page, sentence_of(record=json.dumps(HOSTILE_FORM), attacks=["bg_typo"], strength=2.0))
    assert page.locator(f"{SHOWN} script:not([type='application/json']), {SHOWN} img").count() == 0
    assert HOSTILE in page.locator(SHOWN).inner_text()
    write(page, "record", f'{{\n  "words": {HOSTILE}}}')
    problem = page.locator("#record-problem")
    problem.get_by_role("alert").wait_for(timeout=SECONDS)
    assert "Line 2, column 12" in problem.inner_text()
    assert problem.locator("script, img").count() == 0
    assert window.messages == []


@exhaustive
def test_a_file_is_opened_and_the_attacked_form_saved(tab: Callable[..., Any], tmp_path: Any) -> None:
    page = tab().page
    path = tmp_path / "form.json"
    path.write_text(INVOICES[2], encoding="utf-8")
    page.get_by_role("button", name="The form as JSON").click()
    with page.expect_file_chooser() as chooser:
        page.get_by_role("button", name="Open a file as the form").click()
    chooser.value.set_files(path)
    wait_for_sentence(page, sentence_of(record=INVOICES[2], attacks=["bg_typo"], strength=2.0))
    with page.expect_download() as download:
        page.locator("a[download='attacked.jsonl']").click()
    expected = attacking.figures(Asked(record=INVOICES[2], attacks=["bg_typo"], strength=2.0))["record"]
    assert json.loads(download.value.path().read_text(encoding="utf-8")) == expected


@exhaustive
def test_a_link_reopens_the_tab(tab: Callable[..., Any], opened: Callable[..., Any], address: str) -> None:
    page = tab().page
    choose_attacks(page, "center_shift", "key_drop")
    move_slider(page, 0.7)
    sentence = sentence_of(attacks=["center_shift", "key_drop"], strength=0.7)
    wait_for_sentence(page, sentence)
    link = copied(page, SHOWN)
    again = opened(link).page
    wait_for_sentence(again, sentence)
    assert copied(again, SHOWN) == link
    assert again.locator("#strength input[type=number]").input_value() == "0.7"


@exhaustive
@pytest.mark.parametrize(
    "link",
    [
        "nonsense",
        *map(packed, ({"attacks": ["drop"]}, {"reader": "me"}, {"strength": "2"}, {"attacks": [{"a": 1}]}, "x")),
    ],
)
def test_a_damaged_link_says_so(link: str, tab: Callable[..., Any], capfd: pytest.CaptureFixture[str]) -> None:
    page = tab(query=f"&attack={link}").page
    assert "The link is damaged" in page.locator("#attack-notice").inner_text()
    wait_for_sentence(page, sentence_of(attacks=["bg_typo"], strength=2.0))
    assert "drop" not in "".join(capfd.readouterr())


@exhaustive
@pytest.mark.parametrize(("theme", "width"), [("light", 1200), ("dark", 1200), ("light", 360), ("dark", 360)])
def test_it_can_be_read_everywhere(theme: str, width: int, tab: Callable[..., Any]) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    page = tab(theme=theme, width=width).page
    page.get_by_role("button", name="The form as JSON").click()
    page.evaluate("for (const each of document.querySelectorAll('details')) each.open = true")
    assert page.evaluate("document.documentElement.scrollWidth") == width
    one, other = (each.bounding_box() for each in page.locator(f"{SHOWN} .docie-form svg[role=img]").all())
    assert (one["y"] == other["y"]) == (width > 1000)  # side by side, or below each other
    found = axe.run(page).response["violations"]
    serious = [each for each in found if each["impact"] in ("serious", "critical")]
    assert [(each["id"], [node["html"] for node in each["nodes"]][:3]) for each in serious] == []
    colour = page.locator(f"{SHOWN} .docie-view").first.evaluate("element => getComputedStyle(element).color")
    assert colour == ("rgb(232, 234, 238)" if theme == "dark" else "rgb(28, 33, 39)")
