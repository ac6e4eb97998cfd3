"""Pictures of forms show every word, what it is, and what an attack did to it."""

from __future__ import annotations

import re
from typing import Any
from xml.etree import ElementTree

import pytest

from docie import attacks
from docie.robustness import form_picture
from docie.robustness.form import Field, Page, Word

HOSTILE = '"><script>alert(1)</script>\u202etxt'
WORDS = [
    Word("Total", (10, 20, 50, 30)),
    Word("4.50", (60, 20, 95, 30)),
    Word("Thank", (10, 40, 40, 50)),
    Word("you", (45, 40, 70, 50)),
]
FORM = Page(WORDS, [Field("total", (1,), (0,))], page=(100, 200), id="r-1")


def parsed(form: Page, before: Page | None = None, **options: Any) -> Any:
    return ElementTree.fromstring(form_picture(form, before=before, **options))


def drawn(root: Any) -> list[tuple[str, str]]:
    """The words that are drawn: what they are, and their texts."""
    groups = root.findall("svg/g")
    return [(re.sub(r"docie-|-word", "", group.get("class")), group.findtext("text")) for group in groups]


def above(root: Any) -> list[str]:
    """What stands above words."""
    return ["".join(text.itertext()) for text in root.findall("svg/text")]


def said(root: Any) -> str:
    return " ".join(root.find("figcaption/span").text.split())


def test_every_word_is_drawn_with_what_it_is() -> None:
    root = parsed(FORM)
    assert drawn(root) == [("key", "Total"), ("value", "4.50"), ("background", "Thank"), ("background", "you")]
    assert said(root) == "4 words, 1 of values, 1 of keys, 2 of the background."
    assert root.find("svg/desc").text == "total: 4.50"
    box = root.find("svg").findall("g")[1].find("rect").attrib
    assert [float(box[name]) for name in ("x", "y", "width", "height")] == [308, 108, 175, 50], "200 are 1,000 units"
    assert len(root.findall("figcaption/span")) == 4, "the sentence, and what three lines stand for"


def test_what_an_attack_did() -> None:
    attacked = FORM.with_texts({2: "Tahnk"}).arranged([1, 0, 2])
    root = parsed(attacked, FORM)
    assert drawn(root) == [
        ("value", "4.50"),
        ("key", "Total"),
        ("background replaced", "Tahnk"),
        ("background dropped", "you"),
    ]
    assert said(root).endswith("By the attack: 1 replaced, 1 dropped, 2 at another place in the order.")
    assert above(root) == ["1", "2", "Thank"], "new places in the order, and the old text"
    assert "key of total: Total; place 2 in the order, was 1" in root.find("svg/desc").text
    assert said(parsed(FORM, FORM)).endswith("The attack changed nothing.")


def test_words_that_moved_have_their_old_boxes() -> None:
    moved = FORM.with_words([WORDS[0]._replace(box=(11, 20, 51, 30), id=0), *FORM.words[1:]])
    root = parsed(moved, FORM)
    assert [rect.get("x") for rect in root.findall("svg/rect[@class='docie-old-box']")] == ["58.0"]
    assert root.find("svg/g/rect").get("x") == "63.0"
    assert root.findall("svg/path") == [], "it hardly moved"
    far = FORM.with_words([WORDS[0]._replace(box=(10, 90, 50, 100), id=0), *FORM.words[1:]])
    assert len(parsed(far, FORM).findall("svg/path")) == 1
    padded = attacks.apply("margin_pad", FORM, seed=0)
    assert "4 moved, the page is now" in said(parsed(padded, FORM))
    assert parsed(padded, FORM).find("svg/rect[@class='docie-old-edge']") is not None


def test_without_boxes_there_is_a_line_of_text() -> None:
    plain = Page([word._replace(box=None) for word in WORDS], FORM.fields)
    line = parsed(plain.with_texts({2: "Tahnk"}).arranged([0, 1, 2]), plain).find("p")
    texts = [" ".join("".join(span.itertext()).split()) for span in line]
    assert texts == ["Total", "4.50", "Thank Tahnk", "you"]
    assert [line[2].find(name) is not None for name in ("del", "ins")] == [True, True]
    assert (line[3].get("class"), line[3].find("del") is not None) == ("docie-background-word", True)
    swapped = parsed(plain.arranged([1, 0, 2, 3]), plain).find("p")
    assert [span.findtext("sup") for span in swapped] == ["2", "1", None, None], "where they were"
    assert parsed(Page([])).findtext("p/em") == "no words"


def test_dropped_words_stay_where_they_were() -> None:
    for kept, order in (
        ([2, 3], "Total 4.50 Thank you"),
        ([3, 0], "you Total 4.50 Thank"),
        ([], "Total 4.50 Thank you"),
    ):
        assert " ".join(text for _, text in drawn(parsed(FORM.arranged(kept), FORM))) == order


def test_of_many_words_the_changed_ones_are_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("docie.robustness.form.drawing.MOST_WORDS", 2)
    many = Page([Word(f"w{number}", (0, 0, 5, 5)) for number in range(50)], [Field("a", (7,))], page=(10, 10))
    root = parsed(many.with_texts({40: "x"}), many)
    assert drawn(root) == [("value", "w7"), ("background replaced", "x")]
    assert root.findtext("p") == "Not drawn: 48 words."
    with pytest.raises(ValueError, match="words that the form before does not have"):
        form_picture(many, before=FORM)


@pytest.mark.parametrize("box", [(1, 1, 9, 2), None])
def test_texts_of_users_stay_texts(box: Any) -> None:
    page = (10, 10) if box else None
    form = Page([Word(HOSTILE, box), Word("\ud800", box)], [Field(HOSTILE, (0,), (1,))], page)
    html = form_picture(form.with_texts({0: f"{HOSTILE}2"}), before=form)
    assert "<script" not in html
    assert "\u202e" not in html
    assert "\ud800" not in html
    assert "&lt;script&gt;alert(1)" in html


def test_letters_keep_their_shape() -> None:
    """A text is fitted to its box, but neither flat nor spread."""
    words = [Word("a", (0, 0, 100, 10)), Word("a" * 40, (0, 20, 10, 40)), Word("合計", (0, 50, 20, 60))]
    texts = parsed(Page(words, page=(100, 100))).findall("svg/g/text")
    sizes = [[float(text.get(name)) for name in ("font-size", "textLength")] for text in texts]
    assert sizes[0][1] < 2 * sizes[0][0], "one letter in a wide box"
    assert sizes[1][1] <= 100
    assert sizes[1][0] < 10, "many letters in a narrow box are small"
    assert sizes[2] == [78.0, 192.0]
