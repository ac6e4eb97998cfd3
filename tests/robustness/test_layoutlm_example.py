"""The example that trains a LayoutLMv3 and attacks it, on very few invoices: what it prints, and that it goes on."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

import pytest

from docie import attacks

pytest.importorskip("faker")
pytest.importorskip("transformers")
attack_layoutlm: Any = pytest.importorskip("attack_layoutlm")


def options(folder: Path, **more: Any) -> argparse.Namespace:
    small = {"invoices": 16, "tested": 3, "seeds": 1, "epochs": 1, "window": 96, "learning_rate": 4e-3}
    return argparse.Namespace(
        **{"output": folder, "order": "reading", "augment": False, "pairs": False, "triples": 2, **small, **more}
    )


def test_values_are_the_words_that_the_model_is_sure_of() -> None:
    words, labels = ["Kedai", "Kopi", "No.", "7", "8"], ["vendor", "vendor", "O", "number", "number"]
    confidences = [0.9, 0.5, 0.9, 0.05, None]
    assert attack_layoutlm.fields(words, labels, confidences) == {"vendor": "Kedai Kopi"}


def test_forms_of_the_training(tmp_path: Path) -> None:
    plain, shuffled, augmented = (
        attack_layoutlm.training_forms(options(tmp_path, **more), 0)
        for more in ({}, {"order": "shuffled"}, {"augment": True})
    )
    assert all(attacks.severity(one, other).reordered > 0.5 for one, other in zip(plain, shuffled, strict=True))
    same = [one == other for one, other in zip(plain, augmented, strict=True)]
    assert all(same[::2])
    assert sum(same[1::2]) < 4  # an attack may find nothing to change


def test_tags_are_fields(tmp_path: Path) -> None:
    [form] = attack_layoutlm.training_forms(options(tmp_path, invoices=1), 0)
    page = attack_layoutlm.pages([form])
    assert {tag for tag in page.tags[0] if tag != "O"} == {field.type for field in form.fields}
    assert sum(tag != "O" for tag in page.tags[0]) == len(form.values)
    assert all(0 <= place <= 1000 for box in page.boxes[0] for place in box)


@pytest.mark.exhaustive
def test_it_attacks_what_it_trained_and_goes_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    attack_layoutlm.main(options(tmp_path))
    printed = capsys.readouterr().out
    assert printed.startswith("| attack | drop of F1 |")
    [report] = json.loads((tmp_path / "report.json").read_text())
    assert report["forms"] == 3
    assert len(report["attacks"]) == len(attacks.names(own=True)) + 2
    assert len(printed.splitlines()) == 3 + len(report["attacks"])
    monkeypatch.setattr(attack_layoutlm, "Reader", None)  # nothing is left to be asked
    attack_layoutlm.main(options(tmp_path))
    assert capsys.readouterr().out == printed
