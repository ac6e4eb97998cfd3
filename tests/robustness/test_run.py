"""Runs of attacks: drops, intervals, what did not change, and a folder in which a run goes on."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import docie
from docie import attacks, corpus, entity_f1, robustness
from docie.core.errors import DocumentError
from docie.core.family import get
from docie.robustness.form import Page
from docie.robustness.plan import planned

import synthetic_invoices
from sizes import examples
from strategies import forms as random_forms

pytest.importorskip("faker")
FORMS = synthetic_invoices.invoices(12, 7)
TWO = ["key_drop", "global_shuffle"]


def right(forms: Sequence[Page]) -> list[Any]:
    """A model that is always right."""
    return [form.document() for form in forms]


def behind_keys(forms: Sequence[Page]) -> list[Any]:
    """A model that takes the word behind the last word of a key, wherever these words stand."""
    ends = {key.split()[-1]: name for name, keys in synthetic_invoices.KEYS.items() for key in keys}
    return [
        {
            ends[word.text]: following.text
            for word, following in zip(form.words, form.words[1:], strict=False)
            if word.text in ends
        }
        for form in forms
    ]


def run(predict: Callable[..., Any] = behind_keys, **options: Any) -> robustness.RobustnessReport:
    return robustness.run(predict, options.pop("forms", FORMS), **{"attacks": TWO, **options})


def test_who_is_always_right_does_not_fall() -> None:
    report = run(right, attacks=None, families=["kieval"])
    assert report.not_applicable == ["value_location_move"], "these forms have no company and no address"
    assert (report.f1, report.precision, report.recall, report.worst_drop) == (1.0, 1.0, 1.0, 0.0)
    assert [*(row.attack for row in report.attacks), *report.not_applicable] == attacks.names()
    for row in report.attacks:
        assert (row.drop_f1, row.drop_f1_interval) == (0.0, None)
        assert row.unchanged == (None if row.attack == "value_text_augment" else 1.0)
        assert row.families["kieval"]["corrections"]["value"] == 0


def test_who_needs_keys_falls_without_them() -> None:
    report = run()
    row = report["key_drop"]
    assert report.attacks[0].drop_f1 == report.worst_drop == max(each.drop_f1 for each in report.attacks)
    assert row.drop_f1 > 0.2
    assert row.drop_f1 == pytest.approx(report.f1 - row.f1)
    low, high = row.drop_f1_interval or (1.0, 0.0)
    assert low < row.drop_f1 < high
    assert row.unchanged is not None
    assert row.unchanged < 0.5
    assert run(lambda forms: [None] * len(forms))["key_drop"].unchanged == 1.0


def test_names_of_ones_own_change_no_verdict() -> None:
    expected = run(attacks=["key_drop"], families=["text_match"])["key_drop"]
    report = run(attacks={"x_cer": "key_drop", "drop_x": "key_drop"}, families=["text_match"])
    for row in report.attacks:
        assert (row.f1, row.drop_f1, row.drop_f1_interval) == (expected.f1, expected.drop_f1, expected.drop_f1_interval)
        assert row.families == expected.families
    drops = {score: figures["drop"] for score, figures in expected.families["text_match"].items()}
    assert all(drops[score] > 0 for score in ("exact_match", "levenshtein_distance", "lcs_length", "lcs_distance"))


def test_figures_are_those_of_the_module_and_of_each_family() -> None:
    report = run(families={"kieval": None, "nted": None, "entity_f1": entity_f1.Settings(normalize="casefold")})
    versions = {"none": FORMS} | {name: [attacks.apply(name, form, seed=0) for form in FORMS] for name in TWO}
    rows = [
        (a, f.document(), name)
        for name, forms in versions.items()
        for a, f in zip(behind_keys(forms), forms, strict=True)
    ]
    predictions, references, names = map(list, zip(*rows, strict=True))
    expected = docie.load("form_robustness").compute(
        predictions=predictions, references=references, attack=names, breakdown=True
    )
    assert {name: getattr(report, name) for name in ("f1", "precision", "recall", "worst_drop")} == {
        name: expected[name] for name in ("f1", "precision", "recall", "worst_drop")
    }
    assert report.per_entity == expected["per_entity"]
    for attack in TWO:
        row = report[attack]
        for drop in ("drop_f1", "drop_precision", "drop_recall"):
            assert getattr(row, drop) == expected[f"{drop}_{attack}"]
        for family, scores in row.families.items():
            settings = entity_f1.Settings(normalize="casefold") if family == "entity_f1" else None
            before, after = (
                corpus.evaluate(get(family), behind_keys(versions[name]), right(versions[name]), settings)
                for name in ("none", attack)
            )
            for score, cells in scores.items():
                assert cells["value"] == after[score]
                sign = -1 if score in ("corrections", "substitutions", "additions", "deletions", "errors") else 1
                if not score.startswith("false_"):
                    assert cells["drop"] == pytest.approx(sign * (before[score] - after[score]))


def test_intervals_are_those_of_a_comparison_of_two_systems() -> None:
    """Of an attack that leaves values alone, before and after are two systems on the same references."""
    report = run(attacks=["key_drop"], families=["entity_f1"], confidence_level=0.9)
    attacked = [attacks.apply("key_drop", form, seed=0) for form in FORMS]
    systems = {"before": behind_keys(FORMS), "after": behind_keys(attacked)}
    [expected] = corpus.compare(entity_f1, systems, right(FORMS), scores="f1", confidence_level=0.9)["comparisons"]
    low, high = expected["interval"]
    found = report["key_drop"].families["entity_f1"]["f1"]
    assert found["drop"] == pytest.approx(-expected["difference"])
    assert found["drop_interval"] == pytest.approx([-high, -low])


def test_the_same_seed_gives_the_same_run() -> None:
    assert run().to_json() == run().to_json()
    assert run(attacks=["bg_drop"], seed=1).to_json() != run(attacks=["bg_drop"]).to_json()
    assert json.loads(json.dumps(run().to_json()))["attacks"][0]["attack"] in TWO


def without_keys(forms: Sequence[Page]) -> list[Page]:
    """The same forms, of whose fields none has a key any more."""
    return [
        Page(form.words, [field._replace(keys=()) for field in form.fields], form.page, f"{form.id} without")
        for form in forms
    ]


def test_an_attack_counts_on_the_forms_in_which_it_finds_something() -> None:
    """Forms without keys change neither the drop of key_drop nor its interval, and no model is asked about them."""
    asked: list[int] = []

    def model(forms: Sequence[Page]) -> list[Any]:
        asked.append(len(forms))
        return behind_keys(forms)

    more = [*without_keys(FORMS), *FORMS]
    names = ["key_drop", "global_shuffle"]
    own = (
        "forms",
        "f1",
        "drop_f1",
        "drop_precision",
        "drop_recall",
        "drop_f1_interval",
        "unchanged",
        "severity",
        "families",
    )
    few, many = run(attacks=names, families=["kieval"]), run(model, forms=more, attacks=names, families=["kieval"])
    assert asked == [24, 12, 24]
    assert [getattr(many["key_drop"], name) for name in own] == [getattr(few["key_drop"], name) for name in own]
    assert (many["key_drop"].forms, many["global_shuffle"].forms, many.forms, many.not_applicable) == (12, 24, 24, [])
    before = many["key_drop"].f1 + many["key_drop"].drop_f1
    assert before == pytest.approx(few.f1)
    assert [row[:2] for row in many.table().rows] == [["none", "24"], *([row.attack, f"{row.forms}"] for row in many.attacks)]  # fmt: skip
    for field, figures in few.per_entity.items():
        assert many.field_drop(field, "key_drop") == few.field_drop(field, "key_drop")
        assert many.per_entity[field].get("f1_key_drop") == figures.get("f1_key_drop")


def test_an_attack_that_finds_nothing_is_not_applicable(tmp_path: Path) -> None:
    asked: list[int] = []

    def model(forms: Sequence[Page]) -> list[Any]:
        asked.append(len(forms))
        return behind_keys(forms)

    options: dict[str, Any] = {"attacks": ["key_drop", "bg_typo"], "strengths": [0.5], "folder": tmp_path}
    report = run(model, forms=without_keys(FORMS), **options)
    assert asked == [12, 12, 12], "unattacked, and under the two strengths of bg_typo"
    assert [row.attack for row in report.attacks if "key" in row.attack] == []
    assert report.not_applicable == ["key_drop", "key_drop@0.5"]
    assert report.notes() == ["not applicable: key_drop (nothing to change in these forms)"]
    assert str(report).endswith(report.notes()[0])
    assert json.loads(json.dumps(report.to_json()))["not_applicable"] == report.not_applicable
    assert run(model, forms=without_keys(FORMS), **options) == report
    assert len(asked) == 3
    with pytest.raises(KeyError, match="key_drop is not applicable: it finds nothing to change in these forms"):
        report["key_drop"]
    nothing = run(forms=without_keys(FORMS), attacks=["key_drop", "value_location_augment"])
    assert (nothing.attacks, nothing.worst_drop, len(nothing.not_applicable)) == ([], 0.0, 2)
    assert nothing.notes() == ["not applicable: key_drop, value_location_augment (nothing to change in these forms)"]


def test_an_attack_is_as_severe_as_that_on_the_forms_in_which_it_finds_something() -> None:
    report = run(forms=[*FORMS, *without_keys(FORMS)], attacks=["key_drop"], severity={"edit_rate": 0.1})
    assert report["key_drop"].strength == attacks.strength_for("key_drop", FORMS, seed=0, edit_rate=0.1)
    none = run(forms=without_keys(FORMS), attacks=["key_drop", "bg_typo"], severity={"edit_rate": 0.01})
    assert none.not_applicable == ["key_drop"]


def test_a_form_that_chance_spared_counts() -> None:
    report = run(right, attacks=["bg_typo", "value_location_move"], strength=0.05)
    assert report["bg_typo"].forms == 12
    assert sum(attacks.apply("bg_typo", form, seed=0, strength=0.05) == form for form in FORMS) > 3


def test_a_field_that_is_never_right_does_not_look_robust() -> None:
    """A model that reads nothing but totals loses nothing else, and is not robust for it."""
    model = lambda forms: [{"total_amount": form.document()["total_amount"]} for form in forms]  # noqa: E731
    report = run(model, attacks=["bg_typo"])
    assert report.field_drop("total_amount", "bg_typo") == 0.0
    assert report.field_drop("vendor", "bg_typo") is None
    table = report.by_field()
    cells = dict(zip(table.columns, table.rows[1], strict=True))
    assert (cells["total_amount"], cells["vendor"]) == ("0.0000", "–")
    assert report.notes() == []
    assert report.notes(by_field=True) == [
        "– the field is never correct there, even without the attack, or not in these forms"
    ]


def test_severity_and_strength() -> None:
    attacked = [attacks.apply("center_shift", form, seed=0, strength=3) for form in FORMS]
    for strength in (3, {"center_shift": 3}):
        report = run(right, attacks=["center_shift", "bg_typo"], strength=strength)
        assert report["center_shift"].severity == attacks.severity(FORMS, attacked)._asdict()
    assert run(right, attacks=["bg_drop"], strength=0)["bg_drop"].severity["dropped"] == 0.0


def test_single_attacks_are_made_at_further_strengths(tmp_path: Path) -> None:
    """The combinations are not, nor what would be the same twice: the probability of key_drop is 1 by default."""
    options: dict[str, Any] = {"attacks": [*TWO, "bg_drop", ["bg_typo", "bg_drop"]], "strengths": [0, 0.5, 1, 2]}
    report = run(**options, folder=tmp_path)
    rows = {row.attack: (row.parts, row.strength) for row in report.attacks}
    assert rows == {
        "bg_typo+bg_drop": (["bg_typo", "bg_drop"], 1.0),
        **{name: (["bg_drop"], strength) for name, strength in [("bg_drop", 1.0), ("bg_drop@2", 2.0)]},
        **{name: ([name], 1.0) for name in TWO},
        **{f"{name}@{strength:g}": ([name], strength) for name in [*TWO, "bg_drop"] for strength in (0.0, 0.5)},
    }
    assert report["bg_drop"] == run(attacks=["bg_drop"])["bg_drop"]
    [twice] = run(attacks=["bg_drop"], strength=2).attacks
    assert report["bg_drop@2"].severity == twice.severity
    assert report["bg_drop@2"].drop_f1_interval == twice.drop_f1_interval
    assert all(report[f"{name}@0"].drop_f1 == 0.0 for name in rows if name in TWO)
    assert sorted(path.stem for path in tmp_path.iterdir()) == sorted([*rows, "none"])
    assert run(**options, folder=tmp_path) == report


def test_further_strengths_of_an_attack_that_has_a_strength_or_a_name() -> None:
    report = run(attacks={"few": [("bg_drop", {"p": 0.01})]}, strength={"few": 2}, strengths=[1, 2])
    assert {row.attack: (row.parts, row.strength) for row in report.attacks} == {
        "few": (["bg_drop"], 2.0),
        "few@1": (["bg_drop"], 1.0),
    }


def test_all_attacks_do_equally_much() -> None:
    names = ["bg_typo", "bg_drop", ("key_drop", "bg_typo"), "global_shuffle", "center_shift"]
    with pytest.warns(UserWarning, match=r"edit_rate 0.05, so they are left out: global_shuffle, center_shift$"):
        report = run(right, attacks=names, severity={"edit_rate": 0.05}, strengths=[1])
    assert {row.attack for row in report.attacks} == {
        *("bg_typo", "bg_drop", "key_drop+bg_typo"),
        *("bg_typo@1", "bg_drop@1"),
    }
    for row in report.attacks:
        if "@" not in row.attack:
            assert row.severity["edit_rate"] == pytest.approx(0.05, rel=0.1)
            assert row.strength == attacks.strength_for(row.parts, FORMS, seed=0, edit_rate=0.05)
    assert report["bg_drop@1"].severity == run(right, attacks=["bg_drop"])["bg_drop"].severity
    shifted = run(right, attacks=["center_shift"], severity={"mean_iou": 0.5})["center_shift"]
    assert shifted.severity["mean_iou"] == pytest.approx(0.5, abs=0.001)


def test_other_references() -> None:
    """What there is to find may be another document than the fields without groups."""
    only_total = lambda form: {"total_amount": form.document()["total_amount"]}  # noqa: E731
    report = robustness.run(lambda forms: list(map(only_total, forms)), FORMS, attacks=TWO, reference=only_total)
    assert (report.f1, report.worst_drop, [*report.per_entity]) == (1.0, 0.0, ["total_amount"])


def test_answers_that_differ_in_order_or_confidence_only_are_unchanged() -> None:
    answers = [{"a": ["1", "2"], "g": [{"b": "1"}, {"b": "2"}]}, {"g": [{"b": "2"}, {"b": "1"}], "a": ["2", "1"]}]
    sure = {"a": [{"value": "1", "confidence": 0.5}, "2"], "g": [{"b": "1"}, {"b": "2"}]}
    other = {"a": ["1", "2"], "g": [{"b": "1"}, {"b": "3"}]}
    for after, unchanged in ((answers[1], 1.0), (sure, 1.0), (other, 0.0), (None, 0.0)):
        replies = iter([answers[0], after])
        report = robustness.run(
            lambda forms, replies=replies: [next(replies)],  # type: ignore[misc]
            FORMS[:1],
            attacks=["key_drop"],
            reference=lambda form: answers[0],
        )
        assert report["key_drop"].unchanged == unchanged


def test_one_form_has_no_interval() -> None:
    row = run(forms=FORMS[:1], families=["kieval"])["key_drop"]
    assert row.drop_f1_interval is None
    assert row.families["kieval"]["entity_f1"]["drop_interval"] is None


@given(forms=st.lists(random_forms(), min_size=1, max_size=3), name=st.sampled_from(attacks.names(own=True)))
@examples(300, 60)
def test_any_form_can_be_attacked(forms: list[Page], name: str) -> None:
    """Without fields, of one word or none, with fields that share words, with boxes and without."""
    has_boxes = all(form.has_boxes or not form.words for form in forms)
    if attacks.ATTACKS[name].needs_boxes and not has_boxes:
        with pytest.raises(ValueError, match=f"^no attack is left: these attacks need boxes, .* have them: {name}$"):
            run(right, forms=forms, attacks=[name])
        return
    report = run(right, forms=forms, attacks=[name])
    assert report.worst_drop == 0.0
    assert all(row.f1 == 1.0 for row in report.attacks)


def test_forms_without_boxes_are_spared_the_attacks_that_need_them() -> None:
    bare = [Page([word._replace(box=None) for word in form.words], form.fields, id=form.id) for form in FORMS[:3]]
    with pytest.warns(UserWarning, match="boxes") as caught:
        report = run(right, forms=[*FORMS[3:5], *bare], attacks=None)
    assert [str(each.message) for each in caught] == [
        "these attacks need boxes, and not all forms have them, so they are left out: "
        "center_shift, box_stretch, margin_pad, value_location_augment, value_location_move"
    ]
    assert len(report.attacks) == 10
    assert run(right, forms=bare, attacks=["bg_drop"])["bg_drop"].severity["mean_iou"] is None
    with pytest.raises(ValueError, match="^mean_iou cannot be measured: the forms have no boxes$"):
        run(right, forms=bare, attacks=["bg_drop"], severity={"mean_iou": 0.5})


def test_tables() -> None:
    report = run(families=["nted"])
    table = report.table()
    assert [row[0] for row in table.rows] == ["none", *(row.attack for row in report.attacks)]
    assert table.rows[1][1:4] == ["12", f"{report.attacks[0].f1:.4f}", f"{report.attacks[0].drop_f1:.4f}"]
    assert len(report.table(most=1).rows) == 2
    assert all(len(row) == len(table.columns) for row in table.rows)
    assert report.by_field().columns == ["attack", *report.per_entity]
    assert report.of_family("nted").rows[0][:2] == ["none", "nted_accuracy"]
    assert "| key_drop |" in str(report)
    with pytest.raises(KeyError, match="no attack is called 'typo'; there are key_drop, global_shuffle"):
        report["typo"]


def test_pairs_and_triples() -> None:
    options: dict[str, Any] = {"strength": 1.0, "seed": 0}
    names = [each.name for each in planned(None, (), pairs=True, triples=False, **options)]
    assert len(names) == len({*names}) == 15 + 91
    assert "value_text_augment+global_shuffle" in names
    assert len(planned([], (), pairs=False, triples=True, **options)) == 364
    some = [each.name for each in planned([], (), pairs=False, triples=5, **options)]
    assert len(some) == 5
    assert some == [each.name for each in planned([], (), pairs=False, triples=5, **options)]
    assert some != [each.name for each in planned([], (), pairs=False, triples=5, **options | {"seed": 1})]
    own = planned({"few": [("bg_drop", {"p": 0.13})]}, [["key_drop", "bg_typo"]], pairs=False, triples=False, **options)
    assert [(each.name, each.preserves_texts) for each in own] == [("few", True), ("key_drop+bg_typo", True)]
    [augment] = planned([["bg_typo", "value_text_augment"]], (), pairs=False, triples=False, **options)
    assert not augment.preserves_texts


@pytest.mark.exhaustive
def test_all_pairs_in_one_run() -> None:
    report = run(attacks=[], pairs=True, triples=3, forms=FORMS[:4])
    assert len(report.attacks) == 94
    drops = [row.drop_f1 for row in report.attacks]
    assert drops == sorted(drops, reverse=True)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"forms": []}, "^there are no forms to attack$"),
        ({"forms": [{"words": []}]}, "^forms must be docie.form.Page objects, got {'words': \\[\\]}$"),
        ({"attacks": ["kydrop"]}, "^unknown attack 'kydrop', expected one of center_shift"),
        ({"attacks": "key_drop"}, "^attacks must be a list, got the text 'key_drop'; write \\['key_drop'\\]$"),
        ({"attacks": [7]}, "^an attack must be a name, or a list of names, got 7$"),
        ({"forms": FORMS[0]}, "^forms must be a list, got one Page; write \\[form\\]$"),
        ({"attacks": [("bg_drop", {"p": 0.5})]}, "^expected the name of an attack, .*: \\[\\(name, options\\)\\]$"),
        (
            {"attacks": [[["key_drop"]]]},
            "^expected the name of an attack, or a name and its options, got \\['key_drop'\\]$",
        ),
        ({"attacks": [[]]}, "^an attack must be a name, or a list of names, got \\[\\]$"),
        ({"attacks": ["key_drop"] * 2}, "^two attacks are called 'key_drop'; give names of your own"),
        ({"attacks": {"none": "key_drop"}}, "^no attack may be called 'none'"),
        ({"attacks": {"a_interval": "key_drop"}}, "^no attack may end in '_interval'"),
        ({"strength": {"bg_typo": 2}}, "^strength: no attack of this run is called 'bg_typo'$"),
        ({"strength": -1}, "^strength must be a number of at least 0, got -1$"),
        ({"strengths": [-1]}, "^strength must be a number of at least 0, got -1$"),
        ({"strengths": 2}, "^strengths must be a list of numbers, got 2$"),
        ({"strengths": "2"}, "^strengths must be a list of numbers, got '2'$"),
        ({"strengths": ["2"]}, "^strengths must be a list of numbers, got \\['2'\\]$"),
        ({"strengths": [0.5, 0.50000001]}, "^two attacks are called 'key_drop@0.5'"),
        (
            {"severity": {"edits": 1}},
            "^severity must be a measure with its value, such as edit_rate=0.1, got {'edits': 1}$",
        ),
        ({"severity": 0.1}, "^severity must be a measure with its value, such as edit_rate=0.1, got 0.1$"),
        ({"severity": {}}, "^name one measure, such as edit_rate=0.1, of mean_iou, "),
        ({"severity": {"edit_rate": 2}}, "^edit_rate must be between 0 and 1, got 2$"),
        (
            {"severity": {"mean_iou": 0.5}},
            "^no attack is left: no strength of these attacks reaches mean_iou 0.5: key_drop, global_shuffle$",
        ),
        ({"severity": {"edit_rate": 0.1}, "strength": 2}, "^give a strength or a severity, not both$"),
        ({"seed": -1}, "^seed must be a whole number of at least 0, got -1$"),
        ({"triples": 365}, "^triples must be at most 364, got 365$"),
        ({"families": ["box_iou"]}, "^box_iou does not read documents"),
        ({"families": "kieval"}, "^families must be a list, got the text 'kieval'"),
        ({"families": ["keival"]}, "^unknown family 'keival'"),
        ({"precision": 95}, "^precision must be between 0 and 1, got 95$"),
        ({"confidence_level": 95}, "^confidence_level must be between 0 and 1, got 95$"),
        (
            {"predict": lambda forms: []},
            "^predict must give one document for each form, got 0 for 12 forms under 'none'$",
        ),
        ({"predict": lambda forms: {"a": 1}}, "^predict's answers must be a sequence of documents, got dict$"),
    ],
)
def test_what_makes_no_sense(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        run(**options)


def test_answers_are_rows_as_everywhere() -> None:
    """JSON texts and wrappers are documents, and what is probably meant otherwise is warned of."""
    report = run(right)
    assert run(lambda forms: [json.dumps(form.document()) for form in forms]) == report
    assert run(lambda forms: [{"id": "x", "prediction": form.document()} for form in forms]) == report
    with pytest.warns(
        UserWarning, match="^12 of 12 predictions could not be read, and count as empty \\(one is text\\)"
    ):
        run(lambda forms: ["Sorry"] * len(forms))
    with pytest.warns(UserWarning, match="^predictions and references have no entity type in common"):
        run(lambda forms: [{"sum": "9.00"}] * len(forms))


def test_answers_that_have_to_change_have_no_share_of_unchanged_ones() -> None:
    report = run(
        right, attacks={side: [("ocr_confusion", {"on": side, "p": 1.0})] for side in ("background", "values")}
    )
    assert (report["background"].unchanged, report["values"].unchanged) == (1.0, None)


def test_an_answer_that_cannot_be_scored_is_named() -> None:
    bad = {"a": {"value": "1", "confidence": 7}}
    with pytest.raises(
        DocumentError, match="^document 1, entity 'a', attack 'none' of the prediction: confidence must be"
    ):
        run(lambda forms: [{}, bad, *[{}] * 10])


def test_nothing_is_shown_where_there_is_no_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    run(progress=True)
    assert capsys.readouterr() == ("", "")


class Model:
    """Counts how often it is asked, and fails at one of the times."""

    def __init__(self, fails_at: int | None = None) -> None:
        self.calls, self.fails_at = 0, fails_at

    def __call__(self, forms: Sequence[Page]) -> list[Any]:
        self.calls += 1
        if self.calls == self.fails_at:
            raise RuntimeError("out of memory")
        return behind_keys(forms)


def test_a_run_that_was_stopped_goes_on(tmp_path: Path) -> None:
    options: dict[str, Any] = {"attacks": [*TWO, ["bg_typo", "bg_drop"]], "families": ["kieval"]}
    with pytest.raises(RuntimeError, match="out of memory"):
        run(Model(fails_at=3), folder=tmp_path / "new", **options)
    assert sorted(path.name for path in (tmp_path / "new").iterdir()) == ["key_drop.json", "none.json"]
    model = Model()
    report = run(model, folder=tmp_path / "new", **options)
    assert model.calls == 2
    assert report == run(**options)
    again = Model()
    assert run(again, folder=str(tmp_path / "new"), **options) == report
    assert again.calls == 0
    more = run(again, folder=tmp_path / "new", **(options | {"attacks": [*options["attacks"], "center_shift"]}))
    assert (again.calls, len(more.attacks)) == (1, 4)


def test_answers_of_another_run_are_not_taken(tmp_path: Path) -> None:
    run(attacks=["key_drop"], folder=tmp_path)
    others: list[tuple[dict[str, Any], str]] = [
        ({"seed": 1}, "key_drop.json: these answers belong to another run: seed differ"),
        ({"strength": 0.5}, "key_drop.json: these answers belong to another run: strength differ"),
        ({"attacks": {"key_drop": [("key_drop", {"p": 0.5})]}}, "key_drop.json: .*: attack differ"),
        ({"forms": FORMS[:3]}, "none.json: these answers belong to another run: forms, expected differ"),
        ({"reference": lambda form: {}}, "none.json: these answers belong to another run: expected differ"),
    ]
    for options, differs in others:
        with pytest.raises(ValueError, match=differs):
            run(**{"attacks": ["key_drop"], "folder": tmp_path, **options})
    file = tmp_path / "key_drop.json"
    fewer = json.loads(file.read_text())
    fewer["predictions"].pop()
    for text in ('{"format": 1', "[]", "{}", json.dumps(fewer)):
        file.write_text(text)
        with pytest.raises(ValueError, match="key_drop.json: not the answers of a run .*; delete it to ask again$"):
            run(attacks=["key_drop"], folder=tmp_path)
    with pytest.raises(ValueError, match="key_drop.json: cannot keep answers in this folder \\(File exists\\)$"):
        run(folder=file)


def test_names_that_no_file_can_have(tmp_path: Path) -> None:
    options: dict[str, Any] = {"attacks": {"../up": "key_drop", "größe/x": "bg_typo", "..": "bg_drop"}}
    report = run(folder=tmp_path / "in", **options)
    assert report == run(folder=tmp_path / "in", **options)
    assert [path.name for path in tmp_path.iterdir()] == ["in"]
    assert len([*(tmp_path / "in").iterdir()]) == 4
