"""The report of form attacks: what it says is what the run found, and texts of users stay texts."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import attack_results
import pytest
from attack_results import row
from page_parts import parts

import docie
from docie import attacks, robustness
from docie.robustness.form import Field, Page, Word
from docie.robustness.report_page import robustness_page
from docie.robustness.result import Example, combined, singles
from docie.show.page.page import render
from docie.show.result import Facts
from docie.show.result import Page as ReportPage
from docie.show.section import Chart, Headline, Headlines, Table, Text

HOSTILE = '"><img src=x onerror=alert(1)><script>alert(2)</script>\u202etxt.exe'
SURE, UNSURE = [0.1, 0.5], [-0.1, 0.3]


def forms(number: int = 9, *, field: str = "total", word: str = "Thanks") -> list[Page]:
    return [
        Page(
            [
                Word("Total:", (10, 10, 40, 20)),
                Word(f"{each}.00", (50, 10, 80, 20)),
                Word(word, (10, 40, 40, 50)),
                Word("Date:", (10, 60, 40, 70)),
                Word(f"0{each}/2020", (50, 60, 80, 70)),
            ],
            [Field(field, (1,), (0,)), Field("date", (4,), (3,))],
            page=(100, 100),
            id=f"form-{each}" if each % 2 else None,
        )
        for each in range(number)
    ]


def behind_the_key(forms: Sequence[Page]) -> list[dict[str, str]]:
    """A model that lives on the key of the total, and finds the date anywhere."""
    answers = []
    for form in forms:
        texts = [word.text for word in form.words]
        answer = {"date": next(text for text in texts if "/" in text)}
        if "Total:" in texts[:-1]:
            answer["total"] = texts[texts.index("Total:") + 1]
        answers.append(answer)
    return answers


def fails_on(form_id: str) -> Any:
    """A model that knows everything, but of one form if words are gone."""
    return lambda forms: [{} if form.id == form_id and len(form.words) < 5 else form.document() for form in forms]


def sentence_of(*rows: Any, **others: Any) -> str:
    return found_on(robustness_page(attack_results.report(*rows, **others), Facts()))


def found_on(page: ReportPage) -> str:
    [sentence] = [text.text for text in parts(page, "Overview", Text) if text.style == "found"]
    return sentence


def headlines(page: ReportPage) -> list[Headline]:
    [found] = parts(page, "Overview", Headlines)
    return [*found.scores]


def words(html: str) -> str:
    """The texts of a page in one line."""
    return " ".join(re.sub(r"<(style|script).*?</\1>|<[^>]*>", " ", html, flags=re.DOTALL).split())


def test_the_sentence_says_what_was_found() -> None:
    key, typo, drop = row("key_drop", 0.3, SURE), row("bg_typo", 0.1, UNSURE), row("bg_drop", 0.2, SURE)
    worst = "Of 3 attacks on 30 forms, key_drop costs most: macro F1 falls from 80.0 % to 50.0 %"
    both = "the 95 % interval of the drop lies above 0 only under key_drop and bg_drop"
    assert sentence_of(key, typo, drop) == f"{worst}; {both}."
    fields = {"date": [0.0, 0.9, 0.9], "total": [0.6, 0.0, 0.0]}
    assert sentence_of(key, typo, drop, fields=fields) == (
        f"{worst}, and most of all in total, from 80.0 % to 20.0 %; {both}."
    )
    assert sentence_of(key, typo).endswith("; the 95 % interval of the drop lies above 0 only under key_drop.")
    assert sentence_of(key, drop).endswith("; the 95 % interval of every drop lies above 0.")
    assert sentence_of(key).endswith("; the 95 % interval of this drop lies above 0.")
    assert sentence_of(typo).endswith("; no 95 % interval of a drop lies above 0.")
    many = [row(f"a{number}", 0.5 - number / 100, SURE) for number in range(9)]
    assert sentence_of(*many, typo).endswith("lies above 0 only under a0, a1, a2, a3, a4, a5 and 3 more.")


def test_few_forms_cannot_tell_a_drop_from_chance() -> None:
    few, six = row("key_drop", 0.3, SURE, forms=19), [row(name, drop, SURE, forms=6) for name, drop in (("a", 0.4), ("b", 0.1))]  # fmt: skip
    assert sentence_of(few, forms=19).endswith("; 19 forms are too few to tell a drop from chance.")
    assert sentence_of(*six, forms=6).endswith("; 6 forms are too few to tell a drop from chance.")
    assert sentence_of(row("key_drop", 0.3, forms=1), forms=1).endswith("; 1 form is too few to tell a drop from chance.")  # fmt: skip
    clear = row("bg_drop", 0.2, SURE)
    assert sentence_of(few, clear) == (
        "Of 2 attacks on 30 forms, key_drop costs most: macro F1 falls from 80.0 % to 50.0 % on the 19 forms that it applies "
        "to; the 95 % interval of the drop lies above 0 only under bg_drop; key_drop applies to too few forms to tell."
    )


def test_attacks_that_cost_equally_much_are_all_named() -> None:
    tied = [row("key_drop", 0.3, SURE), row("margin_pad", 0.3 + 1e-15, SURE)]
    others = row("bg_typo", 0.1, SURE)
    start = (
        "Of 3 attacks on 30 forms, margin_pad and key_drop cost most: macro F1 falls from 80.0 % to 50.0 %; the 95 %"
    )
    assert sentence_of(*tied, others, fields={"a": [0.3, 0.3, 0.1], "b": [0.1, 0.2, 0.3]}).startswith(start)
    some = [row("key_drop", 0.3, SURE, forms=25, f1=0.7), row("margin_pad", 0.3, SURE)]
    assert "key_drop and margin_pad cost most: macro F1 falls by 30.0 points; the" in sentence_of(*some)


def test_what_is_not_applicable_is_said() -> None:
    page = robustness_page(attack_results.report(row("key_drop", 0.3, SURE), not_applicable=["bg_typo"]), Facts())
    assert "not applicable: bg_typo (nothing to change in these forms)" in words(render(page))
    assert sentence_of(not_applicable=["a"]) == "No attack applies to the 30 forms; macro F1 is 80.0 %."


def test_what_a_dash_means_is_said_where_it_stands() -> None:
    page = robustness_page(robustness.run(behind_the_key, forms(field="vat"), attacks=["bg_drop"]), Facts())
    said = "– the field is never correct there, even without the attack, or not in these forms"
    assert said in [text.text for text in parts(page, "Fields", Text)]
    assert said not in [text.text for text in parts(page, "Overview", Text)]


def test_the_sentence_where_nothing_falls() -> None:
    assert (
        sentence_of(row("a", 0.0, [0.0, 0.0]), row("b", -0.1))
        == "None of 2 attacks lowers macro F1 from 80.0 % on 30 forms."
    )
    assert sentence_of() == "The 30 forms were not attacked; macro F1 is 80.0 %."
    never = sentence_of(row("a", 0.0, f1=0.0), f1=0.0)
    assert never == "Macro F1 is 0.0 % on 30 forms even without an attack, so no attack can lower it."


def test_the_sentence_is_about_attacks_by_themselves() -> None:
    rows = row("a+b", 0.7, SURE), row("a@2", 0.5, SURE, strength=2), row("a", 0.3, SURE)
    assert sentence_of(*rows).startswith(
        "Of 1 attack on 30 forms, a costs most: macro F1 falls from 80.0 % to 50.0 %; the"
    )
    assert sentence_of(rows[0]).startswith("Of 1 attack on 30 forms, a+b costs most"), "if there are any"


def test_sections_are_what_the_run_found() -> None:
    rows = [row("a", 0.3, SURE, unchanged=0.5), row("b", 0.1, UNSURE, unchanged=0.25), row("b@2", 0.2, strength=2)]
    rows += [row(f"a+{number}", number / 100) for number in range(30)] + [row("a+b+c", 0.6)]
    page = robustness_page(attack_results.report(*rows, fields={"total": [0.1] * len(rows)}), Facts())
    [attacks], [fields] = parts(page, "Attacks", Table), parts(page, "Fields", Table)
    assert [cells[0] for cells in attacks.rows] == ["none", "a", "b"]
    assert [cells[:2] for cells in fields.rows] == [["none", "0.8000"], ["a", "0.1000"], ["b", "0.1000"]]
    pairs, triples = parts(page, "Combinations", Table)
    assert [pairs.title, triples.title] == [
        "the worst of 30 combinations of 2 attacks",
        "the worst of 1 combination of 3 attacks",
    ]
    assert [cells[0] for cells in pairs.rows] == ["none", *(f"a + {number}" for number in range(29, 19, -1))]
    assert [cells[0] for cells in triples.rows] == ["none", "a + b + c"]
    [chart] = parts(page, "Strength", Chart)
    assert [(each.name, each.points) for each in chart.series] == [("b", [(1, 0.1), (2, 0.2)])]
    [strengths] = parts(page, "Strength", Table)
    assert strengths.columns == ["attack", "1", "2"]
    assert strengths.rows == [["b", "0.1000", "0.2000"]]
    titles = [section.title for section in page.sections]
    assert titles == ["Overview", "Attacks", "Fields", "Combinations", "Strength"]
    assert [(each.name, each.text, each.interval) for each in headlines(page)] == [
        ("Macro F1 without attack", "0.8000", "")
    ]
    column = attacks.columns.index("unchanged")
    assert [cells[column] for cells in attacks.rows] == ["", "0.5000", "0.2500"]


def test_an_example_is_the_form_that_falls_furthest() -> None:
    listed = forms()
    results = robustness.run(behind_the_key, listed, attacks=["key_drop", "bg_typo", "global_shuffle"])
    first = results.examples[0]
    assert first.attack == "key_drop"
    assert (first.name, first.before) == (0, listed[0]), "the earliest of those that fall as far; it has no id"
    assert len(first.after.words) == 3
    assert first.answers == ({"total": "0.00", "date": "00/2020"}, {"date": "00/2020"})
    assert first.references == (listed[0].document(), first.after.document())
    assert first.f1 == (1.0, 0.5)
    model = fails_on("form-3")
    [only] = robustness.run(model, listed, attacks=["key_drop"]).examples
    assert (only.name, only.f1) == ("form-3", (1.0, 0.0))


def test_examples_are_of_any_form_and_any_options() -> None:
    listed, late = forms(25), fails_on("form-23")
    results = robustness.run(late, listed, attacks={"half": [("key_drop", {"p": 0.9})], "shift": "center_shift"})
    [only] = results.examples  # nothing is lost under the shift
    assert (only.attack, only.name, only.f1) == ("half", "form-23", (1.0, 0.0))
    assert only.after == attacks.apply([("key_drop", {"p": 0.9})], listed[23], seed=0)
    assert "examples" not in results.to_json()


def hostile_page(**facts: Any) -> str:
    listed = forms(field=HOSTILE, word=HOSTILE)
    model = lambda forms: [{HOSTILE: HOSTILE} if len(form.words) < 5 else form.document() for form in forms]  # noqa: E731
    attacks = {HOSTILE: "key_drop", f"{HOSTILE}2": "bg_typo", "both": ["key_drop", "bg_typo"]}
    results = robustness.run(model, listed, attacks=attacks, strengths=[2], families=["kieval"])
    assert [each.attack for each in results.examples] == [HOSTILE]
    return render(robustness_page(results, Facts(title=HOSTILE, notes=[HOSTILE], **facts)))


@pytest.mark.exhaustive
def test_texts_of_users_stay_texts() -> None:
    html = hostile_page(command=HOSTILE, references=HOSTILE, predictions=HOSTILE)
    assert "<img" not in html
    assert "alert(2)</script>" not in html
    assert "\u202e" not in html
    assert html.count('<script type="module">') == 1
    assert not re.search(r"""(src|href)=["'](?!#)""", html)


def test_the_page() -> None:
    listed = forms()
    attacks = ["key_drop", "bg_typo", "center_shift", ["key_drop", "bg_typo"]]
    results = robustness.run(behind_the_key, listed, attacks=attacks, strengths=[2], families=["kieval"])
    found = results.examples
    page = robustness_page(results, Facts())
    html = render(page)
    shown = words(html)
    assert found_on(page) in shown
    for name in ("key_drop", "key_drop+bg_typo", "center_shift@2"):
        assert name.partition("@")[0].replace("+", " + ") in shown
        assert f"{results[name].drop_f1:.4f}" in shown
    assert results.signature in shown
    body = html.partition("</main>")[0]
    assert body.count('role="img"') == 2 * len(found), "forms before and after"
    assert body.count('<figure class="docie-chart">') == 1, "strengths"
    assert body.count('<div class="docie-drawn">') == 2 * len(found), "answers before and after"
    assert body.count('class="fill"') == 3 * len(singles(results)) + len(combined(results)), "bars of drops"
    assert "form 0: macro F1 1.00 → 0.50" in shown
    assert "entity_f1 0.6667" in shown, "of the same answer: both have their names"
    assert not re.search(r"(?<!macro )(?<!entity )(?<!Macro )F1 (is|falls|\d)", shown)
    headings = [words(each) for each in re.findall(r"<h2[^>]*>(.*?)</h2>", html)]
    assert headings == ["Overview", "Attacks", "Fields", "Combinations", "Strength", "Other metrics", "Forms", "How it was made"]  # fmt: skip
    links = re.findall(r'<li><a href="#(\w+)">', html)
    assert all(f'id="{each}"' in html for each in links)
    assert len(links) == len(headings)


def test_a_page_without_attacks_or_examples() -> None:
    shown = words(render(robustness_page(attack_results.report(), Facts())))
    assert "The 30 forms were not attacked; macro F1 is 80.0 %." in shown
    assert "Attacks What costs most" not in shown


def test_confidences_are_shown_if_there_are_any(monkeypatch: pytest.MonkeyPatch) -> None:
    results = attack_results.report(row("a", 0.1))
    monkeypatch.setattr(type(results), "confidence", {"values": 3}, raising=False)
    table = Table("calibration", ["attack", "ECE"], [["none", "0.0420"], ["a", "0.2310"]])
    monkeypatch.setattr(type(results), "calibration", lambda self: table, raising=False)
    object.__setattr__(results, "confidence", {"values": 3})
    shown = words(render(robustness_page(results, Facts())))
    assert "calibration attack ECE none 0.0420 a 0.2310" in shown


@pytest.mark.exhaustive
def test_a_report_of_attacks_is_written(tmp_path: Path) -> None:
    listed, path = forms(), tmp_path / "report.html"
    result = docie.attack(forms=iter(listed), predict=behind_the_key, attacks=["key_drop"])
    docie.write(result, path, title="Mine", command="me")
    html = path.read_text(encoding="utf-8")
    assert f"<title>Mine, {Facts().date}</title>" in html
    assert html.count("docie-form") >= 2
    again = docie.attack(forms=listed, predict=behind_the_key, attacks=["key_drop"])
    docie.write(again, path, title="Mine", command="me")
    assert path.read_text(encoding="utf-8") == html, "the same input gives the same file"
    result = docie.attack(forms=listed, predict=behind_the_key, attacks=["center_shift"])
    docie.write(result, path)
    assert 'id="forms"' not in path.read_text(encoding="utf-8"), "nothing is lost"
    with pytest.raises(ValueError, match="cannot be written"):
        docie.write(result, tmp_path / "none" / "x.html")


def test_an_example_is_plain_data() -> None:
    form = forms(1)[0]
    one = Example("a", 0, form, form, ({}, {}), ({}, {}), (1.0, 0.5))
    html = render(robustness_page(replace(attack_results.report(row("a", 0.1)), examples=[one]), Facts()))
    assert "form 0: macro F1 1.00 → 0.50" in words(html)
