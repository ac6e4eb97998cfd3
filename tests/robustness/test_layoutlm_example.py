"""The measurement that trains a LayoutLMv3 and attacks it, on very few invoices: what it prints, and that it goes on."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from docie import attacks
from docie.robustness.form import Page

from checkout import ROOT, skip_module_without

skip_module_without("benchmarks", "examples")
NOT_APPLICABLE = 1  # value_location_move finds nothing to move in these forms

sys.path.append(str(ROOT / "benchmarks"))
pytest.importorskip("faker")
pytest.importorskip("transformers")
attack_layoutlm: Any = pytest.importorskip("attack_layoutlm")
train_layoutlmv3: Any = attack_layoutlm.train_layoutlmv3


def options(folder: Path, **more: Any) -> argparse.Namespace:
    small = {"invoices": 16, "tested": 3, "seeds": 1, "epochs": 1, "window": 96, "learning_rate": 4e-3}
    asked = {"training": ["plain"], "severity": [], "pairs": False, "triples": 2}
    return argparse.Namespace(**{"output": folder, **small, **asked, **more})


def boxes_learned(folder: Path, training: str) -> Any:
    """The boxes of the tokens that a model must learn from, in the order of the words."""
    train = attack_layoutlm.pages(attack_layoutlm.training_forms(training, 16, 0))
    tokenizer, *_ = train_layoutlmv3.hub_model(str(folder / f"{training}-0" / "model"), attack_layoutlm.LABELS)
    return train_layoutlmv3.Windows(train, tokenizer, attack_layoutlm.LABELS, 96).encoding["bbox"]


def test_the_value_of_a_field_is_the_word_that_the_model_is_surest_of() -> None:
    words, labels = ["7", "8", "9", "x"], ["total_tax", "total_tax", "O", "amount_due"]
    assert attack_layoutlm.fields(words, labels, [0.5, 0.6, 0.9, 0.1]) == {"total_tax": "8"}
    assert attack_layoutlm.fields(words, labels, [0.5, None, 0.9, 0.2]) == {"total_tax": "7", "amount_due": "x"}


def test_fields_of_several_words_have_the_run_with_the_surest_one() -> None:
    words, labels = (
        ["Kedai", "Kopi", "No.", "5", "May", "2020", "6"],
        ["vendor"] * 2 + ["O"] + ["due_date"] * 3 + ["vendor"],
    )
    assert attack_layoutlm.fields(words, labels, [0.9, 0.2, 0.9, 0.3, 0.4, 0.5, 0.8]) == {
        "vendor": "Kedai Kopi",
        "due_date": "5 May 2020",
    }
    assert attack_layoutlm.fields(words, labels, [0.2, 0.2, 0.9, 0.3, 0.1, 0.5, 0.8]) == {
        "vendor": "6",
        "due_date": "2020",
    }


def test_forms_of_the_training() -> None:
    plain, shuffled, augmented = (attack_layoutlm.training_forms(name, 16, 0) for name in attack_layoutlm.TRAININGS)
    assert all(attacks.severity(one, other).reordered > 0.5 for one, other in zip(plain, shuffled, strict=True))
    same = [one == other for one, other in zip(plain, augmented, strict=True)]
    assert all(same[::2])
    assert sum(same[1::2]) < 4  # an attack may find nothing to change


def test_tags_are_fields() -> None:
    [form] = attack_layoutlm.training_forms("plain", 1, 0)
    page = attack_layoutlm.pages([form])
    assert {tag for tag in page.tags[0] if tag != "O"} == {field.type for field in form.fields}
    assert sum(tag != "O" for tag in page.tags[0]) == len(form.values)
    assert all(0 <= place <= 1000 for box in page.boxes[0] for place in box)


def test_a_severity_of_the_command_line() -> None:
    assert attack_layoutlm.severity("mean_iou=0.75") == ("mean_iou", 0.75)
    with pytest.raises(argparse.ArgumentTypeError, match="'iou=1' begins with none of mean_iou, edit_rate"):
        attack_layoutlm.severity("iou=1")


def test_strengths_are_found_once(tmp_path: Path) -> None:
    forms, path = attack_layoutlm.synthetic_invoices.invoices(2, 0), tmp_path / "kept.json"
    found = attack_layoutlm.strengths(forms, "reordered", 0.3, 0, path)
    assert {*found} == {"global_shuffle", "non_neighbor_shuffle", "value_location_augment", "line_order_shuffle"}
    for name, strength in found.items():
        attacked = [attacks.apply(name, form, seed=0, strength=strength) for form in forms]
        assert attacks.severity(forms, attacked).reordered >= 0.3
    assert attack_layoutlm.strengths([], "reordered", 0.3, 0, path) == found


@pytest.mark.exhaustive
def test_it_attacks_what_it_trained(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    learned: list[Any] = []
    train = train_layoutlmv3.trained

    def recorded(model: Any, windows: Any, *arguments: Any) -> Any:
        learned.append(windows.encoding["bbox"])
        return train(model, windows, *arguments)

    monkeypatch.setattr(train_layoutlmv3, "trained", recorded)
    attack_layoutlm.main(options(tmp_path, training=["plain", "shuffled"], severity=[("mean_iou", 0.75)], pairs=True))
    printed = capsys.readouterr().out
    assert printed.startswith("| attack | drop of F1 | over seeds |")
    found = json.loads((tmp_path / "report.json").read_text())
    assert {name: len(seeds) for name, seeds in found.items()} == {"plain": 1, "shuffled": 1}
    [report] = found["plain"]
    assert report["forms"] == 3
    assert len(report["attacks"]) == len(attacks.names(own=True)) - NOT_APPLICABLE + 91 + 2
    names = {row["attack"] for row in report["equal_severity"]["mean_iou 0.75"]["attacks"]}
    assert {"margin_pad", "center_shift"} < names
    assert learned == [boxes_learned(tmp_path, "plain"), boxes_learned(tmp_path, "shuffled")]
    plain, shuffled = ((tmp_path / name / "model" / "model.safetensors") for name in ("plain-0", "shuffled-0"))
    assert plain.read_bytes() != shuffled.read_bytes()
    assert "of 91 combinations of 2 cost more than the worst attack alone" in printed
    assert "of 2 combinations of 3 cost more than the worst attack alone" in printed
    assert (tmp_path / "combinations.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.exhaustive
def test_a_run_that_was_stopped_goes_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    at_once, stopped = (options(tmp_path / name, seeds=2, triples=3) for name in ("at once", "stopped"))
    attack_layoutlm.main(at_once)
    expected = capsys.readouterr().out
    asked: list[int] = []
    ask = attack_layoutlm.Model.__call__

    def stop_at_the_fifth(self: Any, forms: Sequence[Page]) -> Any:
        asked.append(len(forms))
        if len(asked) == 5:
            raise KeyboardInterrupt
        return ask(self, forms)

    monkeypatch.setattr(attack_layoutlm.Model, "__call__", stop_at_the_fifth)
    with pytest.raises(KeyboardInterrupt):
        attack_layoutlm.main(stopped)
    model = tmp_path / "stopped" / "plain-0" / "model" / "model.safetensors"
    trained = model.stat().st_mtime_ns
    for _ in range(2):  # the second time nothing is left to be asked
        attack_layoutlm.main(stopped)
        assert capsys.readouterr().out == expected
        assert len(asked) == 1 + 2 * (
            1 + len(attacks.names(own=True)) - NOT_APPLICABLE + 3
        )  # the fifth was asked again
    assert model.stat().st_mtime_ns == trained
    with pytest.raises(ValueError, match="plain-0/model: trained otherwise: epochs differ; use another --output"):
        attack_layoutlm.main(options(tmp_path / "stopped", epochs=2))
