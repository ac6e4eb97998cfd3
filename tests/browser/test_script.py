"""The functions of the page's script, each by itself, in a browser."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rapidfuzz.distance import Levenshtein

from docie.show.page.data import KINDS
from docie.show.page.script import script

NAMES = (
    "answersView, boxesView, casesIn, chartOf, columnsOf, cornersOf, costOf, csvOf, differences, distance, documentOf, documentView",
    "explanationView, filtersIn, finder, frameOf, graphemes, hashOf, inWords, jsonLinesOf, keyOf, onPage, pagesView, pieces",
    "KINDS, pathOf, readable, revealed, shortened, showsValues, sidesOf, ticksOf, valueIn, valueOf",
)
HOSTILE = '"><img src=x onerror=alert(1)><script>alert(2)</script>\u202etxt.exe'
HEAD = {"systems": [""], "columns": ["vendor", "kind"], "patterns": [], "documents": 3, "blocks": 1}


@pytest.fixture(scope="module")
def run(chromium: Any) -> Iterator[Callable[..., Any]]:
    """Evaluates a function of JavaScript in a page that has those of the script."""
    page = chromium.new_page()
    page.set_content(
        f"<main></main><script type='module'>{script()}\nObject.assign(globalThis, {{{', '.join(NAMES)}}})</script>"
    )
    yield lambda code, argument=None: json.loads(
        page.evaluate(f"text => JSON.stringify(({code})(JSON.parse(text)) ?? null)", json.dumps(argument))
    )
    page.close()


# texts


@pytest.mark.parametrize(
    ("prediction", "reference", "parts"),
    [
        ("", "", ""),
        ("12.80", "12.80", "=12.80"),
        ("12.80", "12.50", "=12.|-8|+5|=0"),
        ("Cobb Salod", "Cobb Salad", "=Cobb Sal|-o|+a|=d"),
        ("", "x", "+x"),
        ("x", "", "-x"),
        ("kitten", "sitting", "-k|+s|=itt|-e|+i|=n|+g"),
        ("aab", "ab", "=a|-a|=b"),
        ("ab", "ba", "+b|=a|-b"),
        ("12 Long Street", "12, Long St", "=12|+,|= Long S|-tree|=t"),
        ("abcdef", "badcfe", "+b|=a|-b|+d|=c|-d|+f|=e|-f"),
        ("2026-03-14", "14.03.2026", "-2|+14.|=0|-26-|+3.2|=0|-3-14|+26"),
        ("e\u0301a", "ea", "-e\u0301|+e|=a"),
        ("\U0001f468\u200d\U0001f469", "\U0001f468", "-\U0001f468\u200d\U0001f469|+\U0001f468"),
        ("a\r\nb", "a\nb", "=a|-\r\n|+\n|=b"),
    ],
)
def test_the_fewest_characters_differ(run: Callable[..., Any], prediction: str, reference: str, parts: str) -> None:
    found = run("([one, other]) => differences(one, other)", [prediction, reference])
    signs = {"equal": "=", "delete": "-", "insert": "+"}
    assert "|".join(signs[operation] + text for operation, text in found) == parts


TEXTS = st.text(st.sampled_from("ab1. é€\u0301\u200d\U0001f600\u202e\r\n"), max_size=40)


@settings(max_examples=15)
@given(pairs=st.lists(st.tuples(TEXTS, TEXTS), min_size=20, max_size=20))
def test_differences_are_both_texts(run: Callable[..., Any], pairs: list[tuple[str, str]]) -> None:
    code = "pairs => pairs.map(([one, other]) => [differences(one, other), distance(one, other), graphemes(one)])"
    for (prediction, reference), (parts, (distance, _), letters) in zip(pairs, run(code, pairs), strict=True):
        assert "".join(text for operation, text in parts if operation != "insert") == prediction
        assert "".join(text for operation, text in parts if operation != "delete") == reference
        assert "".join(letters) == prediction
        assert distance == Levenshtein.distance(prediction, reference)
        if prediction.isascii() and reference.isascii() and "\r" not in prediction + reference:
            signs = "".join({"equal": "=", "delete": "-", "insert": "+"}[name] * len(text) for name, text in parts)
            changes = re.split("=+", signs)
            assert sum(max(run_.count("-"), run_.count("+")) for run_ in changes) == distance, "the fewest edits"


@pytest.mark.parametrize(
    ("prediction", "reference", "options", "sides"),
    [
        ("12.80", "12.50", {}, [["12.", "5", "0"], ["12.", "8", "0"]]),
        ("12,5", "12.50", {"isCorrect": True}, [["12.50"], ["12,5"]]),
        (None, "12.50", {}, [["12.50"], []]),
        ("Tea with milk", "1.000,00", {}, [["1.000,00"], ["Tea with milk"]]),
        ("cbad", "abcd", {"marksScattered": True}, [["ab", "c", "d"], ["c", "ba", "d"]]),
        ("x" * 5000 + "a", "x" * 5000 + "b", {}, [["x" * 40, "…", "x" * 40, "b"], ["x" * 40, "…", "x" * 40, "a"]]),
        ("x" * 5_000_000, None, {}, [[], ["x" * 200, "…", "x" * 200]]),
        ("x" * 500_000, "é" * 500_000, {}, [["é" * 200, "…", "é" * 200], ["x" * 200, "…", "x" * 200]]),
    ],
)
def test_sides(run: Callable[..., Any], prediction: Any, reference: Any, options: Any, sides: Any) -> None:
    code = "([one, other, options]) => sidesOf(one, other, options).map(side => side.map(([, text]) => text))"
    assert run(code, [prediction, reference, {"isCorrect": False, **options}]) == sides


@pytest.mark.parametrize(
    ("text", "place", "shown", "titles"),
    [
        ("12.00", {}, "12.00", []),
        (" 12\u202e.00", {}, "␣12U+202E.00", ["space", "U+202E right-to-left override"]),
        ("a\nb\tc ", {}, "a↵\nb⇥c␣", ["U+000A line feed", "U+0009 tab", "space"]),
        (" a ", {"isFirst": False, "isLast": False}, " a ", []),
        (
            " \u00a0",
            {"isFirst": False, "isLast": False, "isChanged": True},
            "␣U+00A0",
            ["space", "U+00A0 no-break space"],
        ),
        ("\ud800\U0001f600", {}, "U+D800\U0001f600", ["U+D800"]),
    ],
)
def test_what_cannot_be_seen_has_signs(run: Callable[..., Any], text: str, place: Any, shown: str, titles: Any) -> None:
    code = """([text, place]) => pieces(text, place).map(piece => [piece.textContent ?? piece, piece.title])"""
    found = run(code, [text, place])
    assert "".join(text for text, _ in found) == shown
    assert [title for _, title in found if title] == titles


# filters


def document(name: str, vendor: str, *pairs: Any, **more: Any) -> list[Any]:
    """A document of one line item and what is outside of it."""
    return [name, [vendor, "x"], [["", "", "", 0, [*pairs]], ["items[0]", "items", "", 0, [["amount", "2"]]]], more]


DOCUMENTS = [
    document("R-1", "ACME", ["total", "12.50", ["12.80", "value", {"c": 0.4}]], ["date", "2026"], keys=[0, 3]),
    document(
        "R-2",
        "ACME",
        ["total", "7", [None, "missing"]],
        ["tax", None, ["1", "spurious", {"c": 0.9}]],
        keys=[1, 2, 0, 5],
    ),
    document("R-3", "Globex", ["total", "8", ["8.0", "", {"c": 0.95}]], problem="The prediction is not a JSON object."),
    ["R-4", ["Globex", "y"], [["", "", "", 0, [["total", "9", [None, "missing"]]]]]],
]
PATTERNS = [{"text": "wrong", "keys": [3]}, {"text": "lost", "keys": [4, 5]}]
FOUND = """([documents, head, hash]) => documents.map(documentOf).map(finder(filtersIn(hash, head), head))
  .filter(each => each).map(({ document, wanted }) => [document.name, wanted])"""


@pytest.mark.parametrize(
    ("address", "found"),
    [
        ("", [["R-1", None], ["R-2", None], ["R-3", None], ["R-4", None]]),
        ("field=total", [["R-1", [0]], ["R-2", [0]], ["R-3", [0]], ["R-4", [0]]]),
        ("field=items.amount", [["R-1", [2]], ["R-2", [2]], ["R-3", [1]]]),
        ("field=amount", []),
        ("field=total&kind=missing", [["R-2", [0]], ["R-4", [0]]]),
        ("kind=error", [["R-1", [0]], ["R-2", [0, 1]], ["R-4", [0]]]),
        ("kind=correct&vendor=Globex", [["R-3", [0, 1]]]),
        ("kind=equal", [["R-3", [0]]]),
        ("kind=error&meta.kind=y", [["R-4", [0]]]),
        ("vendor=ACME", [["R-1", None], ["R-2", None]]),
        ("below=0.9", [["R-1", [0]]]),
        ("above=0.9", [["R-2", [1]], ["R-3", [0]]]),
        ("above=0.4&below=0.4", []),
        ("text=12.80", [["R-1", [0]]]),
        ("text=acme&kind=spurious", [["R-2", [1]]]),
        ("text=R-3", [["R-3", None]]),
        ("pattern=0", [["R-1", [0]]]),
        ("pattern=1", [["R-2", [0]]]),
        ("pattern=9", []),
        ("failed=unreadable", [["R-3", None]]),
        ("failed=empty", [["R-4", None]]),
        ("document=R-2&value=1", [["R-2", None]]),
        ("unknown=1&field=", [["R-1", None], ["R-2", None], ["R-3", None], ["R-4", None]]),
    ],
)
def test_filters_find_values(run: Callable[..., Any], address: str, found: Any) -> None:
    assert run(FOUND, [DOCUMENTS, {**HEAD, "patterns": PATTERNS}, address]) == found


TWO = [
    ["R-1", [], [["", "", "", 0, [
        ["total", "12.50", ["12.80", "value", {"c": 0.4}]],
        ["date", "7", 0, [None, "missing"]],
        ["tax", "1"],
        ["tip", None, 0, ["2", "spurious", {"c": 0.8}]],
    ]]], {"problems": {"b": "no object"}}],
]  # fmt: skip


@pytest.mark.parametrize(
    ("address", "wanted"),
    [
        ("kind=error", [0, 1, 3]),
        ("kind=error&system=a", [0]),
        ("kind=error&system=b", [1, 3]),
        ("kind=correct&system=a", [1, 2]),
        ("kind=correct", [0, 1, 2]),
        ("kind=worse&system=b", [1, 3]),
        ("kind=better&system=b", [0]),
        ("kind=better&system=b&field=date", None),
        ("below=0.9&system=b", [3]),
        ("failed=unreadable&system=b&field=tax", [2]),
        ("failed=unreadable&system=a&field=tax", None),
    ],
)
def test_filters_ask_one_system_or_any(run: Callable[..., Any], address: str, wanted: Any) -> None:
    head = {**HEAD, "columns": [], "systems": ["a", "b"]}
    assert run(FOUND, [TWO, head, address]) == ([["R-1", wanted]] if wanted else [])


@settings(max_examples=20)
@given(
    filters=st.dictionaries(
        st.sampled_from(["text", "field", "vendor", "meta.kind", "value", "__proto__"]),
        st.text(st.characters(codec="utf-8"), min_size=1),
    )
)
def test_an_address_keeps_filters(run: Callable[..., Any], filters: dict[str, str]) -> None:
    head = {**HEAD, "columns": ["vendor", "kind", "__proto__"]}
    code = "([filters, head]) => [...filtersIn(hashOf(filters), head)]"
    assert run(code, [[*filters.items()], head]) == [*map(list, filters.items())]


@pytest.mark.parametrize(
    ("address", "shows_values"),
    [
        ("", False),
        ("field=a", True),
        ("text=a", False),
        ("field=a&view=documents", False),
        ("view=values", True),
        ("field=a&document=R", False),
    ],
)
def test_the_view_follows_the_filters(run: Callable[..., Any], address: str, shows_values: bool) -> None:
    assert run("([hash, head]) => showsValues(filtersIn(hash, head))", [address, HEAD]) is shows_values


def test_kinds_have_the_words_of_the_tables(run: Callable[..., Any]) -> None:
    assert [*run("() => Object.entries(KINDS)")] == [[kind, [*words]] for kind, words in KINDS.items()]


# exports


def test_csv_has_no_formulas(run: Callable[..., Any]) -> None:
    texts = ["=1+1", "+49 30", "-5", "-5.20", "@a", '"q", r', "a\nb", "1e5", "+", "-1,000.5", " =1", "＝1", "\n", "+5%"]
    rows = [document(f"={text}", "v", ["f", text]) for text in texts]
    code = "([rows, head]) => csvOf(rows.map(row => ({ document: documentOf(row), wanted: [0] })), head)"
    first, *lines = run(code, [rows, HEAD])
    assert first == "document,vendor,meta.kind,group,field,reference,kind,prediction,confidence\r\n"
    cells = [
        "'=1+1",
        "'+49 30",
        "-5",
        "-5.20",
        "'@a",
        '"""q"", r"',
        '"a\nb"',
        "1e5",
        "'+",
        '"-1,000.5"',
        "' =1",
        "'＝1",
        '"\'\n"',
        "+5%",
    ]
    for line, text, cell in zip(lines, texts, cells, strict=True):
        assert line.endswith(f",v,x,,f,{cell},correct,{cell},\r\n"), text
        assert line.startswith(("'=", "\"'="))


def test_json_lines_have_a_key_for_each_system(run: Callable[..., Any]) -> None:
    code = "([rows, head]) => jsonLinesOf(rows.map(row => ({ document: documentOf(row), wanted: null })), head)"
    one = [json.loads(line) for line in run(code, [DOCUMENTS[:1], HEAD])]
    assert one[0] == {
        "document": "R-1", "vendor": "ACME", "meta.kind": "x", "group": "", "field": "total", "reference": "12.50",
        "kind": "value", "prediction": "12.80", "confidence": 0.4,
    }  # fmt: skip
    assert [(each["field"], each["prediction"]) for each in one[1:]] == [("date", "2026"), ("items.amount", "2")]
    two = [json.loads(line) for line in run(code, [TWO, {**HEAD, "columns": [], "systems": ["a", "b"]}])]
    assert two[3] == {
        "document": "R-1", "group": "", "field": "tip", "reference": None, "a kind": None, "a prediction": None,
        "a confidence": None, "b kind": "spurious", "b prediction": "2", "b confidence": 0.8,
    }  # fmt: skip


# drawings


def drawn(run: Callable[..., Any], code: str, argument: Any, result: str) -> Any:
    """What is read from the page when it shows what some code gives."""
    show = "document.querySelector('main').replaceChildren(...[made].flat(3).filter(each => each instanceof Node))"
    return run(
        f"argument => {{ const made = ({code})(argument); {show}; const all = (selector) => [...document.querySelectorAll(selector)]; return {result}; }}",
        argument,
    )


VIEW = "([row, head, wanted]) => documentView({ document: documentOf(row), wanted }, head)"


def test_side_by_side_shows_errors_and_folds_the_rest(run: Callable[..., Any]) -> None:
    groups = [
        ["", "", "", 0, [["total", "12.50", ["12.80", "value", {"c": 0.4}]], ["date", "7"], ["tax", "1"]]],
        *([f"items[{number}]", "items", "", 0, [["name", "Tea"]]] for number in range(3)),
        ["items[3]", "items", "only in the reference", 1, [["name", "Mocha", [None, "missing"]]]],
    ]
    row = ["R", [], groups, {"problem": "It is no object."}]
    texts = drawn(
        run,
        VIEW,
        [row, HEAD, None],
        "[document.querySelector('main').innerText, all('del, ins').map(each => each.outerHTML), all('tr[data-docie-pair]').length]",
    )
    assert "It is no object." in texts[0]
    assert "1 of 5 characters differs; correct would be “12.50”." in texts[0]
    assert "2 of 3 correct, 1 incorrect" in texts[0]
    assert "items[0] – items[2] 3 groups, all correct" in re.sub(r"\s+", " ", texts[0])
    assert "confidence 0.4" in texts[0]
    assert texts[1:] == [["<ins>5</ins>", "<del>8</del>"], 2]
    found = drawn(
        run,
        VIEW,
        [row, HEAD, [3]],
        "[revealed(document.querySelector('main'), 'tr[data-docie-pair=\"1\"]').textContent, all('.docie-sought').length]",
    )
    assert found == ["✓date correct77", 1], "what is folded can be found, and what is sought is marked"


def test_answers_of_systems_stand_side_by_side(run: Callable[..., Any]) -> None:
    head = {**HEAD, "columns": [], "systems": ["a", "b"]}
    rows = drawn(run, VIEW, [TWO[0], head, None], "all('tr').map(row => [...row.cells].map(cell => cell.textContent))")
    assert rows == [
        ["Field", "Reference", "a 1 to correct", "b 2 to correct"],
        ["Values outside of groups"],
        ["total", "12.50", "≠ incorrect value 12.80", "✓"],
        ["date", "7", "✓", "+ missing"],
        ["✓ 1 correct in all systems"],
        ["tip", "not in the reference", "✓ no value", "− spurious 2"],
    ]


def test_hostile_texts_are_texts(run: Callable[..., Any]) -> None:
    row = [
        HOSTILE,
        [HOSTILE, "x"],
        [[HOSTILE, HOSTILE, HOSTILE, 0, [[HOSTILE, HOSTILE, [HOSTILE + "!", "value", {"n": HOSTILE, "p": HOSTILE}]]]]],
    ]
    elements = drawn(
        run,
        VIEW,
        [row, HEAD, None],
        "[all('main img, main script').length, document.querySelector('main').textContent]",
    )
    assert elements[0] == 0
    assert "onerror=alert(1)" in elements[1]
    assert "\u202e" not in elements[1]


def test_a_tree_of_a_hundred_levels(run: Callable[..., Any]) -> None:
    node: dict[str, Any] = {"name": "leaf", "verdict": "incorrect", "predicted": "1a", "expected": "1b"}
    for level in range(100):
        right = {"name": "right", "verdict": "correct", "predicted": "1", "expected": "1"}
        node = {"name": f"level {level}", "verdict": "correct", "children": [right, node]}
    drawing = {"type": "tree", "title": "Edits", "lead": "", "roots": [["", "both", node]]}
    code = "drawing => explanationView({ drawings: [drawing] })"
    levels = drawn(run, code, drawing, "all('details').length")
    assert levels < 50, "the others open one by one"
    text = "revealed(document.querySelector('main'), 'del').parentElement.textContent"
    assert drawn(run, code, drawing, text) == "1ab"
    assert drawn(run, code, {**drawing, "roots": [["", "both", right]]}, "all('main li')[0].textContent").split() == [
        "✓",
        "right",
        "1",
    ]


def test_tags_and_boxes(run: Callable[..., Any]) -> None:
    tags = {
        "type": "tags",
        "title": "",
        "lead": "",
        "sides": [["Reference", [["at", "", 0, None], ["Juniper Cafe", "shop", 1, "missing"]]], ["Prediction", []]],
    }
    boxes = {
        "type": "boxes",
        "title": "",
        "lead": "",
        "predicted": [["a", [0.1, 0.1, 0.5, 0.2]]],
        "expected": [],
        "found": [["a", [0.1, 0.1, 0.5, 0.2], None]],
    }
    fields = {
        "type": "fields",
        "title": "",
        "lead": "",
        "noun": "box",
        "scattered": False,
        "groups": [["", "", "", 0, [["a", None, ["x", "spurious"]]]]],
    }
    explanation = {"images": [["data:image/png;base64,", 500, 1000]], "drawings": [fields, tags, boxes]}
    code = "explanation => explanationView(explanation)"
    assert drawn(run, code, explanation, "all('mark').map(each => each.textContent)") == [
        "Juniper Cafe + 1 shop, missing"
    ]
    assert drawn(run, code, explanation, "all('em').map(each => each.textContent)") == [
        "not in the reference",
        "no words",
    ]
    shown = "all('g.docie-prediction rect').map(each => ['x', 'y', 'width', 'height', 'data-docie-pair'].map(name => each.getAttribute(name)))"
    assert drawn(run, code, explanation, shown) == [["90", "140", "200", "100", "0"]]


def test_boxes_of_values_on_pages(run: Callable[..., Any]) -> None:
    pairs = [
        ["a", "1", ["2", "value", {"b": [0.1, 0.1, 0.5, 0.2], "B": [[50, 90], [250, 90], [250, 200], [50, 200]]}]],
        ["b", "1", ["1", "", {"b": [0, 0, 1, 1], "p": "2"}]],
        ["c", "1", ["1", "", {"b": "nowhere"}]],
        [
            "d",
            "1",
            [
                "1",
                "place",
                {"b": [[0, 0, 0.5, 0.6], [0, 0, 0.5, 0.7]], "p": [2, 1], "B": [[1, 0, 5, 8], [2, 0, 5, 9]], "P": 2},
            ],
        ],
    ]
    code = "([pictures, groups]) => pagesView(pictures, groups)"
    shown = "all('figure').map(each => [...each.querySelectorAll('g')].map(box => [box.getAttribute('class'), box.querySelector('rect').getAttribute('x'), box.querySelector('rect').getAttribute('height')]))"
    pages = [["data:image/png;base64,", 500, 1000]] * 2
    assert drawn(run, code, [pages, [["", "", "", 0, pairs]]], shown) == [
        [
            ["docie-of-reference docie-value docie-substitution", "50", "110"],
            ["docie-of-prediction docie-value docie-substitution", "50", "100"],
            ["docie-of-prediction docie-place", "0", "700"],
        ],
        [
            ["docie-of-prediction docie-correct", "0", "1000"],
            ["docie-of-reference docie-place", "1", "8"],
            ["docie-of-reference docie-place", "2", "9"],
            ["docie-of-prediction docie-place", "0", "600"],
        ],
    ]
    corners = [
        [1, 2, 3, 4],
        [3, 4, 1, 2],
        [[1, 2], [3, 2], [3, 4], [1, 4]],
        [1, 1, 1, 2],
        ["1", "2", "3", "4"],
        [1, 2, None, 4],
        "x",
        None,
        [1, 2, 3],
    ]
    box = [1, 2, 3, 4]
    assert run("boxes => boxes.map(cornersOf)", corners) == [box, box, box, None, box, None, None, None, None]


def test_charts(run: Callable[..., Any]) -> None:
    for values, ticks in (
        ([0, 1], [0, 0.2, 0.4, 0.6, 0.8, 1]),
        ([0.93, 0.97], [0.93, 0.94, 0.95, 0.96, 0.97]),
        ([5, 5], [5, 6]),
        ([-3, 12], [-5, 0, 5, 10, 15]),
    ):
        assert run("values => ticksOf(values, 5)", values) == ticks
    chart = {
        "title": "Errors", "x": {"label": "Automated", "percent": True}, "y": {"label": "Errors"}, "diagonal": True,
        "series": [{"name": "a", "points": [[0, 0], [1, 2]]}, {"name": "b", "points": [[0, 1]], "dots": True}], "marks": [[0, 0], [1, 2]],
    }  # fmt: skip
    shown = "[all('.line, .diagonal').map(each => each.getAttribute('d')), all('.docie-mark circle').map(each => each.getAttribute('cx')), document.querySelector('main').textContent]"
    (diagonal, line, _), marks, text = drawn(run, "chart => chartOf(chart, 500, 1)", chart, shown)
    assert marks == [re.findall(r"L([\d.]+) ", line)[-1]], "the mark is at the end of the line"
    assert diagonal.startswith(line.partition("L")[0])
    assert "100 %" in text
    assert (
        drawn(
            run,
            "chart => chartOf(chart, 500)",
            {**chart, "series": [], "marks": []},
            "all('svg')[0].getAttribute('aria-label')",
        )
        == "Errors: no points"
    )


# judging


def test_places_in_the_reference(run: Callable[..., Any]) -> None:
    """As docie.inputs.label_corrections reads them."""
    right, spurious = ["options.name", "large"], ["options.name", None, ["oat", "spurious"]]
    groups = [
        ["", "", "", 0, [right]],
        ["menu[2]", "menu", "predicted as menu[1]", 0, [right, spurious]],
        ["menu[1]", "menu", "only in the prediction", 1, [spurious]],
        ["menu[3]", "menu", "only in the reference", 1, [["nm", "Tea", [None, "missing"]]]],
    ]
    paths = ["options.name", *["menu[2].options.name"] * 2, "menu[+1].options.name", "menu[3].nm"]
    assert run("groups => groups.flatMap(group => group[4].map(pair => pathOf(group, pair)))", groups) == paths


def test_the_labels_likeliest_to_be_wrong_are_judged_first(run: Callable[..., Any]) -> None:
    wrong = [["8", "value", {"c": 0.5}], ["8", "value", {"c": 0.9}], ["7", "value", {"c": 0.7}]]
    pairs = [
        ["right", "1"],
        ["one", "9", wrong[0]],
        ["both", "9", wrong[0], wrong[0]],
        ["differently", "9", wrong[2], wrong[1]],
        ["missing", "9", [None, "missing"], [None, "missing"]],
        ["accepted", "9", ["9.0", ""], 0],
    ]
    code = """([pairs, wanted]) => {
        const document = documentOf(["r-1", [], [["", "", "", 0, pairs]], {}]);
        const cases = casesIn([{ document, wanted }], { systems: ["a", "b"] });
        return cases.map(({ place, answers }) => [place.pair[0], answers.map(({ text, systems }) => [text, systems.join()])]);
    }"""
    both = ["both", [["8", "a,b"]]]
    found = [both, ["differently", [["7", "a"], ["8", "b"]]], ["one", [["8", "a"]]], ["missing", [[None, "a,b"]]]]
    assert run(code, [pairs, None]) == found
    assert run(code, [pairs, [0, 2]]) == [both]
