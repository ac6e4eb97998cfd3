"""The tab that attacks a form: its figures are those of docie attack, its sentence is about this form, and it is bounded."""

from __future__ import annotations

import html
import json
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docie import robustness
from docie.robustness.attacks import ATTACKS
from docie.robustness.form import Page

from checkout import ROOT
from cli_runs import run_command
from sizes import examples
from strategies import forms

pytest.importorskip("jinja2")
pytest.importorskip("faker")
from docie.robustness import KeyReader
from docie.spaces.common import limits
from docie.spaces.common.limits import RefusedError
from docie.spaces.form_robustness import attacking
from docie.spaces.form_robustness.attacking import Asked
from docie.spaces.form_robustness.attacking import examples as shipped

HOSTILE = "<script>alert(1)</script><img src=x onerror=alert(1)>\u202e{{7*7}}"
INVOICES = [*shipped().values()]
BOXES = [[10, 10, 40, 20], [50, 10, 80, 20], [10, 40, 40, 50]]
SMALL = json.dumps({"words": ["Total", "9.00", "Thanks"], "labels": ["total", "total", "O"], "is_key": [1, 0, 0]})
BOXED = json.dumps({**json.loads(SMALL), "boxes": BOXES})


def refusal(**fields: Any) -> RefusedError:
    with pytest.raises(RefusedError) as caught:
        attacking.explain(Asked(**{"record": SMALL, "attacks": ["bg_typo"], **fields}))
    return caught.value


def form_of(record: str) -> Page:
    return Page.from_record(json.loads(record))


def test_the_forms_to_pick_are_those_of_the_examples() -> None:
    lines = (ROOT / "examples" / "forms.jsonl").read_text(encoding="utf-8").splitlines()
    assert [json.loads(text) for text in INVOICES] == [json.loads(line) for line in lines[: len(INVOICES)]]


@pytest.mark.parametrize(
    "attacks", [*([name] for name in ATTACKS), ["value_text_augment", "bg_typo", "bg_typo"]], ids="+".join
)
@pytest.mark.parametrize("reader", ["place", "order"])
def test_figures_are_those_of_robustness(attacks: list[str], reader: str) -> None:
    for record in INVOICES[:2]:
        found = attacking.attack(Asked(record=record, attacks=attacks, strength=2, seed=3, reader=reader))
        form = form_of(record)
        read = KeyReader.of([form], sorts=reader == "place")
        report = robustness.run(read, [form], attacks=[attacks], strength=2.0, seed=3, progress=False)
        if report.not_applicable:
            assert attacks == report.not_applicable == ["value_location_move"], "these invoices have no such fields"
            assert found.f1 == [report.f1]
            continue
        [row] = report.attacks
        assert found.f1 == [report.f1, row.f1]
        assert found.figures["scores"][f"drop_f1_{row.attack}"] == row.drop_f1
        assert found.figures["severity"] == row.severity


def test_the_attacked_record_is_that_of_the_command_line(tmp_path: Path) -> None:
    path = tmp_path / "form.jsonl"
    path.write_text(json.dumps(json.loads(INVOICES[0])) + "\n", encoding="utf-8")
    attacks = ["--attack", "bg_typo+global_shuffle", "--strength", "3.0", "--option", "seed=2"]
    printed = json.loads(run_command("attack", str(path), *attacks).stdout)
    asked = Asked(record=INVOICES[0], attacks=["bg_typo", "global_shuffle"], strength=3.0, seed=2)
    assert attacking.figures(asked)["record"] == printed


@pytest.mark.exhaustive
@pytest.mark.parametrize("reader", ["place", "answers"])
def test_the_lines_give_the_same_figures(reader: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    texts: dict[str, Any] = {"before": '{"due_date": "20/08/2019"}', "after": "{}"}
    asked = Asked(record=INVOICES[0], attacks=["key_drop", "bg_typo"], strength=0.5, reader=reader, **texts)
    outcome = attacking.attack(asked)
    page = attacking.explain(asked)
    python, command = (html.unescape(text) for text in re.findall(r'<code dir="ltr">(.*?)</code>', page, re.DOTALL)[1:])
    (tmp_path / "form.jsonl").write_text(json.dumps(json.loads(INVOICES[0])), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    named: dict[str, Any] = {}
    exec(python, named)
    if reader == "place":
        assert [named["report"].f1, named["report"].attacks[0].f1] == outcome.f1
    else:
        assert named["result"].to_dict() == {"form_robustness": outcome.figures["scores"]}
    command = command.replace("docie ", f"{shlex.quote(sys.executable)} -m docie ")
    done = subprocess.run(["bash", "-ec", command], capture_output=True, text=True, check=True)
    assert json.loads(done.stdout) == {"form_robustness": outcome.figures["scores"]}
    assert json.loads((tmp_path / "attacked.jsonl").read_text(encoding="utf-8")) == outcome.figures["record"]


def test_the_sentence_is_about_what_is_shown() -> None:
    first: dict[str, Any] = {"record": INVOICES[0], "attacks": ["bg_typo"], "strength": 2.0}
    changes: list[dict[str, Any]] = [
        {}, {"record": INVOICES[1]}, {"attacks": ["key_drop"]}, {"strength": 4.0}, {"seed": 5}, {"strength": 0.0},
        {"attacks": ["global_shuffle"]}, {"attacks": ["global_shuffle"], "reader": "order"},
        {"reader": "answers", "before": "{}", "after": "{}"},
    ]  # fmt: skip
    sentences = [attacking.figures(Asked(**first | change))["sentence"] for change in changes]
    assert len({*sentences}) == len(changes), sentences
    assert all(sentence.endswith(".") and sentence in html.unescape(sentence) for sentence in sentences)


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"attacks": ["key_drop"]}, "key_drop: of the form's 3 words, 1 dropped; macro F1 1.0000 → 0.0000."),
        ({"attacks": ["key_drop"], "strength": 0.0}, "key_drop: of the form's 3 words, none changed; macro F1 1.0000 → 1.0000."),
        ({"record": BOXED, "attacks": ["value_location_move"]}, "value_location_move: not applicable, as there is nothing to change in this form; macro F1 1.0000."),
        ({"record": BOXED, "attacks": ["value_location_augment"] * 2}, "value_location_augment+value_location_augment: not applicable, as there is nothing to change in this form; macro F1 1.0000."),
        ({"attacks": ["bg_typo", "key_drop"], "strength": 10}, "bg_typo+key_drop: of the form's 3 words, 1 dropped and 1 replaced; macro F1 1.0000 → 0.0000."),
        ({"attacks": ["key_drop"], "reader": "answers", "before": "{}", "after": '{"total": "9.00"}'}, "key_drop: of the form's 3 words, 1 dropped; macro F1 0.0000 → 1.0000."),
    ],
)  # fmt: skip
def test_sentences(fields: dict[str, Any], expected: str) -> None:
    assert attacking.figures(Asked(**{"record": SMALL, **fields}))["sentence"] == expected


@given(forms(), st.lists(st.sampled_from([*ATTACKS]), min_size=1, max_size=3), st.floats(0, 5), st.integers(0, 3))
@examples(300, 40)
def test_every_form_is_shown_or_refused_beside_its_field(
    form: Page, attacks: list[str], strength: float, seed: int
) -> None:
    asked = Asked(record=json.dumps({"id": form.id, **form.to_record()}), attacks=attacks, strength=strength, seed=seed)
    refused = None
    try:
        outcome = attacking.attack(asked)
    except RefusedError as error:
        refused = error.field, "needs boxes" in str(error)
    if refused:
        assert refused == ("attacks", True)
        return
    sentence = outcome.figures["sentence"]
    figures = {f"{value:.4f}" for value in outcome.figures["scores"].values() if isinstance(value, float)}
    assert {*re.findall(r"\d\.\d{4}", sentence)} <= figures
    assert len(re.findall(r'<figure class="docie-theme docie-page docie-form">', attacking.explain(asked))) == (
        len(outcome.f1)
    )


def test_texts_are_texts() -> None:
    record = {
        "words": [HOSTILE, f"{HOSTILE}1", "a"], "labels": [f"{HOSTILE}field"] * 2 + ["O"], "is_key": [1, 0, 0],
        "boxes": [[0, 0, 9, 9], [10, 0, 19, 9], [20, 0, 29, 9]], "id": HOSTILE, HOSTILE: HOSTILE,
    }  # fmt: skip
    answer = json.dumps({HOSTILE: HOSTILE})
    every: list[dict[str, Any]] = [{}, {"reader": "answers", "before": answer, "after": f"{HOSTILE}{answer}"}]
    for fields in every:
        page = attacking.explain(
            Asked(record=json.dumps(record), attacks=["value_text_augment", "bg_typo"], strength=10, **fields)
        )
        assert "<script" not in page.replace('<script type="application/json">', "")
        assert "<img" not in page
        assert "\u202e" not in page
        assert "&lt;script&gt;" in page
        assert "{{7*7}}" in page


@pytest.mark.parametrize(
    ("fields", "field", "expected"),
    [
        ({"record": ""}, "record", "The form is empty"),
        ({"record": '{"words": }'}, "record", "record:1: not a JSON object (Expecting value: column 11)"),
        ({"record": "[1, 2]"}, "record", ""),
        ({"record": "[]"}, "record", "There is no form in this list."),
        ({"record": '{"texts": ["a"]}'}, "record", "record: column 'words' is missing."),
        ({"record": '{"words": ["a"], "labels": [3]}'}, "record", "record: labels has numbers"),
        ({"record": json.dumps({"words": ["a"] * (attacking.MAX_WORDS + 1)})}, "record", "The form has 2,001 words; here at most 2,000"),
        ({"record": json.dumps({"words": ["a" * (attacking.MAX_TEXT + 1)]})}, "record", "The form has 100,001 characters in its words"),
        ({"record": " " * (limits.MAX_CHARACTERS + 1)}, "record", "The form has too many characters; here at most 1,000,000"),
        ({"attacks": []}, "attacks", "Choose a list of 1 to 5 attacks."),
        ({"attacks": "bg_drop"}, "attacks", "Choose a list of 1 to 5 attacks."),
        ({"attacks": ["bg_drop"] * 6}, "attacks", "Choose a list of 1 to 5 attacks."),
        ({"attacks": ["drop"]}, "attacks", "unknown attack 'drop', expected one of center_shift"),
        ({"attacks": ["center_shift"]}, "attacks", "center_shift needs boxes, and the form has none."),
        ({"strength": 101.0}, "attacks", "strength must be at most 100, got 101."),
        ({"strength": float("nan")}, "attacks", "strength must be a number of at least 0"),
        ({"seed": -1}, "attacks", "seed must be"),
        ({"reader": "me"}, "attacks", "reader must be 'place' or 'order' or 'answers', got 'me'."),
        ({"reader": "answers"}, "before", "The answer to the unattacked form is empty"),
        ({"reader": "answers", "before": "{}"}, "after", "The answer to the attacked form is empty"),
        ({"reader": "answers", "before": "{}", "after": "x" * (limits.MAX_CHARACTERS + 1)}, "after", "The answer to the attacked form has too many characters"),
    ],
)  # fmt: skip
def test_errors_name_their_field(fields: dict[str, Any], field: str, expected: str) -> None:
    error = refusal(**fields)
    assert (error.field, str(error)[: len(expected)]) == (field, expected)


WITHOUT_FAKER = """
import sys; sys.modules["faker"] = None
from docie.spaces.form_robustness.attacking import Asked, attack
try: attack(Asked(record='{"words": ["Ada", "Vik"], "labels": ["name", "name"]}', attacks=["value_text_augment"]))
except ValueError as error: print(type(error).__name__, error.field, error)
"""


def test_without_faker_the_attack_says_so() -> None:
    done = subprocess.run([sys.executable, "-c", WITHOUT_FAKER], capture_output=True, text=True, check=True)
    assert done.stdout == "RefusedError attacks random texts need Faker: pip install 'docie[robustness]'.\n"


@pytest.mark.exhaustive
def test_a_large_form_is_shown_in_time() -> None:
    words = [f"w{number}" for number in range(attacking.MAX_WORDS)]
    boxes = [
        [20 * (number % 50), 24 * (number // 50), 20 * (number % 50) + 15, 24 * (number // 50) + 20]
        for number in range(len(words))
    ]
    record = {
        "words": words,
        "boxes": boxes,
        "labels": [f"f{number // 2}" for number in range(len(words))],
        "is_key": [1, 0] * (len(words) // 2),
    }
    page = attacking.explain(Asked(record=json.dumps(record), attacks=["neighbor_bg_drop"]))
    assert len(page) < 2_000_000
    assert "Not drawn: " in page


def test_several_forms_say_which_one_is_attacked() -> None:
    outcome = attacking.attack(Asked(record=f"{SMALL}\n{SMALL}", attacks=["bg_typo"]))
    assert outcome.figures["notes"] == ["There are 2 forms; the first one is attacked."]


def test_what_is_odd_is_said() -> None:
    notes = attacking.attack(Asked(record='{"words": ["a"]}', attacks=["bg_typo"])).figures["notes"]
    assert notes == ["The form has no values: no label marks words as a value."]
    outcome = attacking.attack(Asked(record='{"words": ["a", "b"], "labels": ["x", "O"]}', attacks=["bg_typo"]))
    assert outcome.figures["notes"] == [
        "No value of this form has a key (is_key), so the rule finds none: paste the answers of a model instead."
    ]
    assert "Values of this form without a key: 1." in attacking.explain(Asked(record=INVOICES[0], attacks=["bg_typo"]))
    answers: dict[str, Any] = {"reader": "answers", "before": 'I say {"total": "9.00"', "after": '{"total": "9.00"}'}
    outcome = attacking.attack(Asked(record=SMALL, attacks=["bg_typo"], **answers))
    assert outcome.figures["notes"]
    assert all(
        note.startswith("The answer to the unattacked form was read like this: ") for note in outcome.figures["notes"]
    )
    assert outcome.f1 == [1.0, 1.0]


def test_an_attack_that_does_not_apply_has_no_drop() -> None:
    asked = Asked(record=BOXED, attacks=["value_location_move"])
    page = attacking.explain(asked)
    assert "<b data-docie-score>1.0000</b> <span>macro F1</span> <small>not applicable</small>" in page
    assert "drop" not in attacking.figures(asked)["scores"]
    assert [*attacking.figures(asked)["references"]] == ["none"]


@pytest.mark.exhaustive
def test_the_endpoint_gives_the_figures(addresses: Any) -> None:
    from gradio_client import Client

    client = Client(addresses("form_robustness"), verbose=False)
    asked = Asked(record=INVOICES[0], attacks=["key_drop", "bg_typo"], strength=0.5, seed=1)
    found = client.predict(INVOICES[0], ["key_drop", "bg_typo"], 0.5, 1, api_name="/attack")
    assert found == json.loads(json.dumps(attacking.figures(asked)))
    with pytest.raises(Exception, match="unknown attack 'drop'"):
        client.predict(INVOICES[0], ["drop"], api_name="/attack")


@pytest.mark.exhaustive
def test_attacks_are_made_in_workers_which_are_bounded(addresses: Any) -> None:
    from docie.spaces.common.page.launching import WORKERS
    from docie.spaces.common.runner import Runner
    from docie.spaces.form_robustness.app import demo

    addresses("form_robustness")
    assert {(event.concurrency_id, event.concurrency_limit) for event in demo.fns.values()} == {("work", WORKERS)}
    runner = Runner(1, time_limit=0.02)
    with pytest.raises(RefusedError, match="was stopped"):
        runner.run(attacking.explain, Asked(record=INVOICES[0], attacks=["bg_typo"]))  # its imports alone take longer
    runner.close()


def test_the_annotation_of_a_data_set_is_read() -> None:
    name, ada = ({"text": text, "words": [{"text": text, "box": [8, 4, 16, 6]}]} for text in ("Name:", "Ada"))
    form = [
        {"id": 0, "label": "question", "linking": [[0, 1]], **name},
        {"id": 1, "label": "answer", "linking": [], **ada},
    ]
    outcome = attacking.attack(Asked(record=json.dumps({"id": "f", "form": form}), attacks=["bg_drop"]))
    assert outcome.forms[0].document() == {"answer": "Ada"}  # the linked question is its key
    assert outcome.figures["record"]["id"] == "f"
    with pytest.raises(RefusedError, match="record must be an object"):
        attacking.attack(Asked(record="[[1]]", attacks=["bg_drop"]))
