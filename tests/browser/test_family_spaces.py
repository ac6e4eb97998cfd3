"""The Space of each family in a browser: a change shows in score, sentence and marking, and texts stay texts."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import docie

pytest.importorskip("gradio")
from docie.spaces.common import inputs
from docie.spaces.common.computing import Request, compute
from docie.spaces.common.examples import for_family
from docie.spaces.common.limits import RefusedError

from space_links import copied

FAMILIES = sorted(docie.families())
SECONDS = 60_000
"""Milliseconds until a page answers: workers may have to start first."""
SIDES = ("references", "predictions")
MINE = '{"mine": "1"}'
WITH_TABS = ("form_robustness",)
"""Spaces that open with another tab, which has its own tests."""
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


@pytest.fixture
def space(addresses: Callable[[str], str], opened: Callable[..., Any]) -> Callable[..., Any]:
    """Opens a Space, once its first example is scored."""

    def open_space(family: str, *, theme: str = "light", width: int = 1200) -> Any:
        window = opened(f"{addresses(family)}?__theme={theme}", viewport={"width": width, "height": 800})
        if family in WITH_TABS:
            window.page.get_by_role("tab", name="Score answers").click()
        window.page.wait_for_selector("#dx-document .docie-view", timeout=SECONDS)
        return window

    return open_space


def rows_of(text: str) -> list[Any]:
    """The documents of a field."""
    return inputs.read(inputs.Form(references=text, predictions=text)).expected


def write(page: Any, field: str, text: str) -> None:
    """Replace the text of an editor."""
    page.locator(f"#{field} .cm-content").fill(text)


def paste(page: Any, field: str, text: str) -> None:
    """Replace the text of an editor as Ctrl-V does, however long it is."""
    page.locator(f"#{field} .cm-content").evaluate(
        """(editor, text) => {
            const data = new DataTransfer();
            data.setData("text/plain", text);
            editor.focus();
            document.execCommand("selectAll");
            editor.dispatchEvent(new ClipboardEvent("paste", {clipboardData: data, bubbles: true, cancelable: true}));
        }""",
        text,
    )


def fill(page: Any, family: str, reference: Any, prediction: Any) -> None:
    """Write into both editors, and wait for what the page says about these documents."""
    for field, value in (("references", reference), ("predictions", prediction)):
        write(page, field, json.dumps(value))
    request = Request(family=family, predictions=[prediction], references=[reference])
    wait_for_sentence(page, compute(request).sentence)


def texts(page: Any) -> list[str]:
    """What stands in both editors."""
    return [page.locator(f"#{side} .cm-content").inner_text() for side in SIDES]


def heights(page: Any) -> list[float]:
    """Of both editors, as they are seen and as they scroll."""
    parts = [page.locator(f"#{side} {part}") for side in SIDES for part in (".cm-editor", ".cm-scroller")]
    return [part.bounding_box()["height"] for part in parts]


def wait_for_sentence(page: Any, sentence: str) -> None:
    page.wait_for_function(
        "sentence => document.querySelector('#score .dx-sentence')?.innerText === sentence",
        arg=sentence,
        timeout=SECONDS,
    )


def shown(page: Any) -> dict[str, str]:
    """The score, the sentence, and the marked values of the family's own view."""
    view = page.locator("#results .docie-view").first
    return {
        "score": page.locator("#score [data-docie-score]").inner_text(),
        "sentence": page.locator("#score .dx-sentence").first.inner_text(),
        "view": view.inner_html(),
    }


@pytest.mark.exhaustive
@pytest.mark.parametrize("family", FAMILIES)
def test_a_change_of_an_example_shows(family: str, space: Callable[..., Any]) -> None:
    window = space(family)
    before = shown(window.page)
    example = for_family(family)[0]
    write(window.page, "predictions", example.references)
    rows = rows_of(example.references)
    answer = compute(Request(family=family, predictions=rows, references=rows))
    wait_for_sentence(window.page, answer.sentence)
    after = shown(window.page)
    assert after["score"] == answer.headline[1] != before["score"]
    assert after["sentence"] == answer.sentence != before["sentence"]
    assert after["view"] != before["view"]
    assert window.messages == []


@pytest.mark.exhaustive
def test_a_button_applies_what_differs(space: Callable[..., Any]) -> None:
    window = space("kieval")
    page = window.page
    reference = {"vendor": "Juniper Cafe", "items": [{"name": name, "amount": "4.50"} for name in ("Latte", "Mocha")]}
    prediction = {"vendor": "Juniper Cafe", "line_items": reference["items"]}
    fill(page, "kieval", reference, prediction)
    low = shown(page)["score"]
    assert page.locator("#finding").inner_text() == (
        "The predictions have other names than the references: 'line_items' for 'items'."
    )
    before = texts(page)
    page.get_by_role("button", name="Apply", exact=True).click()
    sound = compute(Request(family="kieval", predictions=[reference], references=[reference]))
    wait_for_sentence(page, sound.sentence)
    assert shown(page)["score"] == sound.headline[1] != low
    assert texts(page) == before, "documents stay as they are"
    assert not page.locator("#finding-button").is_visible()
    assert window.messages == []
    page.locator("#options").get_by_role("button", name="Options").click()
    held = page.locator("#option-config").locator("textarea, input").first.input_value()
    assert json.loads(held) == {"predictions": {"rename": {"line_items": "items"}}}
    for side in ("reference", "prediction"):
        indent = page.get_by_role("button", name=f"Pretty-print the {side}")
        indent.press("Enter")
        indent.wait_for(state="hidden")
    for shown_text, document in zip(texts(page), (reference, prediction), strict=True):
        assert shown_text == json.dumps(document, indent=2), "the same document, over several lines"
    page.locator("#references .cm-content").press("Control+End")
    page.keyboard.type(" ")  # so that it is scored as it now stands
    page.wait_for_timeout(2000)
    assert shown(page)["score"] == sound.headline[1]


DOCUMENTS = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=5),
    lambda part: st.lists(part, max_size=3) | st.dictionaries(st.sampled_from(["a", "box", "category", 'b"]}']), part),
    max_leaves=8,
)


@pytest.mark.exhaustive
def test_what_is_pretty_printed_is_read_as_before(space: Callable[..., Any]) -> None:
    page = space("kieval").page

    def read(text: str, family: str) -> object:
        """The documents, and what was repaired in them; else the field that is to blame."""
        try:
            rows = inputs.read(inputs.Form(references=text, predictions=text, families=[family]))
        except RefusedError as error:
            return error.field
        return repr([row.document for row in rows.predictions]), rows.issues

    given_texts = [
        '{"a": 1.50, "b": 12345678901234567890123, "c": -0, "d": 1e400, "a": "again \\" \\\\", "e": {}, "f": [ ]}',
        '{"a": "1"}\n\r\n{"a": "2"}\r\n',
        '{"label": "a", "box": [0, 0, 1, 1]}\n{"label": "b", "box": [0, 0, 1, 1]}',
        '["a", "1"]\n["b", "2"]',
        '{"a": "1"}\n\xa0',
        "[" * 60 + "]" * 60,
        '{"a": NaN}', "12", "", "{}", "not JSON", '{"a": ',
    ]  # fmt: skip
    changed = 0

    @given(lines=st.lists(DOCUMENTS.map(json.dumps), min_size=1, max_size=3))
    @settings(max_examples=300, deadline=None)
    def check(lines: list[str]) -> None:
        compare("\n".join(lines))

    def compare(text: str) -> None:
        nonlocal changed
        indented = page.evaluate("given => docieIndented(given)", text)
        for family in ("kieval", "anls_star"):
            assert read(indented, family) == read(text, family)
        changed += indented != text

    for text in given_texts:
        compare(text)
    check()
    assert changed > 50


@pytest.mark.exhaustive
def test_pretty_printing_is_offered_where_json_stands_on_one_line(space: Callable[..., Any]) -> None:
    page = space("kieval").page
    indent = page.get_by_role("button", name="Pretty-print the prediction")
    offered = {
        MINE: True,
        f"{MINE}\n{MINE}\n": True,
        json.dumps(json.loads(MINE), indent=1): False,
        "12": False,
        "{}": False,
    }
    for text, is_offered in offered.items():
        write(page, "predictions", text)
        page.wait_for_timeout(300)
        assert indent.is_visible() == is_offered, text
    write(page, "predictions", f"{MINE}\n{MINE}")
    write(page, "references", f"{MINE}\n{MINE}")
    page.locator("#score .dx-bar").get_by_text("all 2 documents").wait_for(timeout=SECONDS)
    indent.click()
    indent.wait_for(state="hidden")
    assert json.loads(texts(page)[1]) == [json.loads(MINE)] * 2
    write(page, "predictions", MINE)
    page.locator("#form input").click()
    page.get_by_role("option", name="a language model's answer").click()
    indent.wait_for(state="hidden")


def leave_the_examples(page: Any) -> None:
    """Open the list of examples, and leave it in every way but by a choice."""
    opens = page.locator("#example").get_by_role("button", name="Examples")
    for leave in ("Escape", "Tab", "Shift+Tab"):
        opens.click()
        page.keyboard.press(leave)
    opens.click()
    page.locator("h1").click()
    first = page.locator("#example").get_by_role("button").nth(1)
    if not first.is_visible():
        opens.click()
    for leave in ("Escape", "Tab"):
        first.focus()
        page.keyboard.press(leave)
    page.wait_for_timeout(1500)  # what replaced the documents came within a second


@pytest.mark.exhaustive
@pytest.mark.parametrize("name", ["explorer", *FAMILIES])
def test_only_an_example_that_is_chosen_replaces_documents(name: str, space: Callable[..., Any]) -> None:
    window = space(name)
    page = window.page
    example = for_family(None if name == "explorer" else name)[0]
    shown = [text.splitlines()[0] for text in (example.references, example.predictions)]
    for press in ("click", "Enter"):  # the same example again
        for side in SIDES:
            write(page, side, MINE)
        leave_the_examples(page)
        assert texts(page) == [MINE, MINE]
        button = page.locator("#example").get_by_role("button", name=example.name)
        button.click() if press == "click" else button.press(press)
        for side, line in zip(SIDES, shown, strict=True):
            page.locator(f"#{side} .cm-line").first.get_by_text(line, exact=True).wait_for(timeout=SECONDS)
    page.locator("#references .cm-content").press("Control+z")
    page.wait_for_timeout(500)
    assert texts(page)[0] == MINE, "what was replaced can be had back"
    assert window.messages == []


@pytest.mark.exhaustive
def test_what_is_written_right_after_an_example_is_chosen_stays(space: Callable[..., Any]) -> None:
    page = space("kieval").page
    held: list[Any] = []
    page.route("**/queue/join*", lambda route: held.append(route))
    page.locator("#example").get_by_role("button", name="Examples").click()
    page.locator("#example").get_by_role("button", name=for_family("kieval")[1].name).click()
    page.wait_for_timeout(500)
    write(page, "predictions", MINE)
    page.wait_for_timeout(500)
    assert held, "what the page asks for is under way"
    for route in held:
        route.continue_()
    page.unroute("**/queue/join*")
    page.wait_for_timeout(2500)
    assert texts(page)[1] == MINE


@pytest.mark.exhaustive
def test_what_is_written_while_a_page_starts_stays(space: Callable[..., Any]) -> None:
    page = space("kieval").page
    held: list[Any] = []
    page.route("**/queue/join*", lambda route: held.append(route))
    page.reload()
    for side in SIDES:
        page.locator(f"#{side} .cm-content").wait_for(timeout=SECONDS)
        write(page, side, MINE)
    page.wait_for_timeout(500)
    assert held, "what the page asks for when it starts is under way"
    for route in held:
        route.continue_()
    page.unroute("**/queue/join*")
    answer = compute(Request(family="kieval", predictions=[json.loads(MINE)], references=[json.loads(MINE)]))
    wait_for_sentence(page, answer.sentence)
    assert texts(page) == [MINE, MINE]


@pytest.mark.exhaustive
@pytest.mark.parametrize("name", ["explorer", *FAMILIES])
def test_long_texts_scroll_in_their_editors(name: str, space: Callable[..., Any]) -> None:
    page = space(name).page
    before = heights(page)
    assert max(before) < 160, "half of what they had"
    items = [{"name": f"item {number}", "amount": f"{number}.00"} for number in range(200)]
    for text in (json.dumps({"items": items[:17]}), json.dumps({"items": items}), json.dumps(items, indent=1)):
        for side in SIDES:
            paste(page, side, text)
        page.wait_for_timeout(300)  # an editor takes its height after it has drawn its text
        assert heights(page) == before
    scrolls = "element => element.scrollHeight > element.clientHeight"
    assert all(page.locator(f"#{side} .cm-scroller").evaluate(scrolls) for side in SIDES)


@pytest.mark.exhaustive
def test_a_text_of_five_megabytes_and_a_deep_one_leave_the_page_as_it_is(space: Callable[..., Any]) -> None:
    page = space("kieval").page
    before = heights(page)
    paste(page, "references", json.dumps({"a": "x y " * 1_250_000}))
    page.locator("#references-problem").get_by_text("at most 1,000,000 are read").wait_for(timeout=SECONDS)
    assert heights(page) == before
    assert page.evaluate("document.documentElement.scrollHeight") < 5000
    paste(page, "references", '{"a": ' * 200 + "1" + "}" * 200)
    page.locator("#references-problem").get_by_text("nested more than 100 levels deep").wait_for(timeout=SECONDS)


@pytest.mark.exhaustive
@pytest.mark.parametrize("family", FAMILIES)
def test_a_wrong_value_shows(family: str, space: Callable[..., Any]) -> None:
    case = CASES[family]
    window = space(family)
    fill(window.page, family, case.reference, case.prediction)
    before = shown(window.page)
    fill(window.page, family, case.reference, case.other)
    after = shown(window.page)
    assert all(before[name] != after[name] for name in before), (before, after)
    assert window.messages == []


@pytest.mark.exhaustive
@pytest.mark.parametrize("family", FAMILIES)
def test_hostile_and_broken_texts_stay_texts(family: str, space: Callable[..., Any]) -> None:
    case = CASES[family]
    window = space(family)
    page = window.page
    fill(page, family, case.reference, case.hostile)
    assert page.locator("#results script:not([type='application/json']), #results img").count() == 0
    assert HOSTILE in page.locator("#results").inner_text()
    write(page, "predictions", f'{{\n  "a": {HOSTILE}}}')
    problem = page.locator("#predictions-problem")
    problem.get_by_role("alert").wait_for(timeout=SECONDS)
    assert "Line 2, column 8" in problem.inner_text()
    assert HOSTILE in problem.inner_text()
    assert problem.locator("script, img").count() == 0
    assert window.messages == []  # no dialog either


@pytest.mark.exhaustive
@pytest.mark.parametrize("family", FAMILIES)
def test_a_link_reopens_the_page(family: str, space: Callable[..., Any], opened: Callable[..., Any]) -> None:
    case = CASES[family]
    page = space(family).page
    fill(page, family, case.reference, case.other)
    link = copied(page, "#results")
    again = opened(link).page
    wait_for_sentence(again, shown(page)["sentence"])
    assert shown(again)["score"] == shown(page)["score"]
    assert again.locator("#predictions .cm-content").inner_text() == json.dumps(case.other)
    assert copied(again, "#results") == link


@pytest.mark.exhaustive
@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize(("theme", "width"), [("light", 1200), ("dark", 360)])
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
    assert window.page.locator("#results .docie-view").first.evaluate(colours) == expected


@pytest.mark.exhaustive
def test_the_slider_goes_through_the_thresholds(space: Callable[..., Any]) -> None:
    page = space("kieval").page
    slider = page.get_by_role("slider", name="Threshold")
    slider.focus()
    page.keyboard.press("Home")
    shown = page.locator(".docie-slider dd")
    assert shown.all_inner_texts() == ["11 (100.0 %)", "0 (0.0 %)", "3 (27.3 %)", "0 of 3"]
    page.keyboard.press("End")
    assert shown.all_inner_texts()[-1] == "3 of 3"
    assert slider.get_attribute("aria-valuetext") == page.locator(".docie-slider output").inner_text() != "0"
