"""Ten figures of each report page, counted again by a few lines that use nothing of what counts them there."""

from __future__ import annotations

import html
import json
import random
import re
import statistics
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import docie
from docie.robustness.form import Field, Page, Word

from cli_runs import run_command

FIELDS = ("vendor", "date", "total", "tax", "change")


@pytest.fixture(scope="module")
def pairs() -> list[tuple[dict[str, tuple[str, float]], dict[str, str]]]:
    """Predictions with confidences and references, of fields without groups: a fifth of the values is not correct."""
    draw, pairs = random.Random(7), []
    for _ in range(120):
        reference = {name: str(draw.randrange(100, 999)) for name in FIELDS if draw.random() < 0.9}
        prediction = {}
        for name in FIELDS:
            if name in reference and draw.random() < 0.9:
                is_correct = draw.random() < 0.85
                text = reference[name] if is_correct else f"{reference[name]} or so"
                prediction[name] = (
                    text,
                    round(draw.uniform(0.5 if is_correct else 0.3, 1.0 if is_correct else 0.9), 1),
                )
        pairs.append((prediction, reference))
    return pairs


def page_of(command: str, folder: Path, pairs: list[Any]) -> str:
    """The text of the report of a command, with one space between words."""
    paths = [folder / "references.jsonl", folder / "predictions.jsonl"]
    leaves = [
        {name: {"value": text, "confidence": confidence} for name, (text, confidence) in prediction.items()}
        for prediction, _ in pairs
    ]
    for path, rows in zip(paths, ([reference for _, reference in pairs], leaves), strict=True):
        lines = (json.dumps({"id": f"d-{number}", "document": row}) for number, row in enumerate(rows))
        path.write_text("\n".join(lines), encoding="utf-8")
    done = run_command(command, *map(str, paths), "--report", str(folder / "report.html"))
    assert done.exit_code == 0, done.stderr
    return text_of(folder / "report.html")


def text_of(path: Path) -> str:
    source = re.sub(r"<(script|style|svg).*?</\1>", " ", path.read_text(encoding="utf-8"), flags=re.DOTALL)
    return " ".join(html.unescape(re.sub("<[^>]*>", " ", source)).split())


@pytest.mark.exhaustive
def test_figures_of_the_score_report(pairs: list[Any], tmp_path: Path) -> None:
    text = page_of("score", tmp_path, pairs)
    right, predicted, expected, kinds = Counter[str](), Counter[str](), Counter[str](), Counter[str]()
    for prediction, reference in pairs:
        predicted.update([*prediction])
        expected.update([*reference])
        right.update(name for name, (value, _) in prediction.items() if reference[name] == value)
        kinds["incorrect"] += sum(reference[name] != value for name, (value, _) in prediction.items())
        kinds["missing"] += len(reference.keys() - prediction.keys())
    error_free = sum(reference == {name: value for name, (value, _) in found.items()} for found, reference in pairs)
    f1 = 2 * right.total() / (predicted.total() + expected.total())
    assert f"entity_f1 {f1:.4f} interval:" in text
    wrong = predicted.total() - right.total()
    assert f"{right.total()} of {expected.total()} values correct, {wrong} of {predicted.total()} predicted are" in text
    assert f"document_accuracy {error_free / len(pairs):.4f}" in text
    assert f"corrections {kinds.total()} " in text
    assert f"{kinds['incorrect']} to replace and {kinds['missing']} to add: " in text
    fields = text[text.index("Values by field and kind") :]
    for name in FIELDS:
        of_field = 2 * right[name] / (predicted[name] + expected[name])
        errors = predicted[name] - right[name], expected[name] - predicted[name]
        documents = sum(
            reference.get(name) != (found[name][0] if name in found else None) for found, reference in pairs
        )
        row = (
            rf"{name} {100 * of_field:.1f} % [\d.]+ – [\d.]+ % {expected[name]} {right[name]} {errors[0]} {errors[1]} "
        )
        assert re.search(rf"{row}{documents} ", fields), name
    added = kinds["missing"]
    then = 2 * (right.total() + added) / (predicted.total() + added + expected.total())
    share = f"{100 * added / kinds.total():.1f} %"
    assert f"+ missing all fields {share} +{100 * (then - f1):.1f} {then:.4f} {added} " in text


def test_figures_of_the_threshold_report(pairs: list[Any], tmp_path: Path) -> None:
    text = page_of("threshold", tmp_path, pairs)
    values = [(confidence, pair[1][name] == text) for pair in pairs for name, (text, confidence) in pair[0].items()]
    wrong, checked = sum(not is_correct for _, is_correct in values), 0
    steps = text[text.index("Table of thresholds") :]
    for threshold in (0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0):
        skips = [is_correct for confidence, is_correct in values if confidence >= threshold]
        unseen = skips.count(False)
        numbers = (len(skips), len(values)), (len(values) - len(skips), len(values)), (unseen, len(skips))
        row = " ".join(f"{part} ({100 * part / whole:.1f} %)" for part, whole in numbers)
        checked += f" {row} {wrong - unseen} of {wrong} " in steps
    assert checked == 7
    enough = min(
        threshold
        for threshold, _ in values
        if statistics.fmean(is_correct for confidence, is_correct in values if confidence >= threshold) >= 0.99
    )
    coverage = sum(confidence >= enough for confidence, _ in values) / len(values)
    assert f"Share of values that skip review at {enough:g} (required precision 0.99) {coverage:.4f}" in text
    source = (tmp_path / "report.html").read_text(encoding="utf-8")
    start = int(re.findall(r'\{"start":(\d+)\}', source)[0])
    thresholds = re.findall(r'<th scope="row"><bdi>([\d.]+)</bdi></th>', source[source.index("Table of thresholds") :])
    assert float(thresholds[start]) == enough, "the slider begins there"


def test_figures_of_the_attack_report(tmp_path: Path) -> None:
    words = [[Word("Total"), Word(str(number)), Word("Tax"), Word("7")] for number in range(30)]
    forms = [Page(each, [Field("total", (1,), (0,)), Field("tax", (3,), (2,))]) for each in words]

    def read(asked: Any) -> list[dict[str, str]]:
        """The total beside its key, except on one form of five; the tax wherever it stands."""
        found = []
        for form in asked:
            texts = [word.text for word in form.words]
            knows = "Total" in texts and int(texts[texts.index("Total") + 1]) % 5
            found.append({"tax": "7"} | ({"total": texts[texts.index("Total") + 1]} if knows else {}))
        return found

    result = docie.attack(forms=forms, predict=read, attacks=["key_drop"])
    docie.write(result, tmp_path / "attacks.html", title="T")
    text = text_of(tmp_path / "attacks.html")
    recall = 24 / 30
    total = 2 * recall / (1 + recall)
    before, after = statistics.fmean((total, 1.0)), statistics.fmean((0.0, 1.0))
    assert f"Macro F1 without attack {before:.4f}" in text
    assert f"precision {1:.4f}, recall {statistics.fmean((recall, 1)):.4f}" in text
    assert f"macro F1 falls from {100 * before:.1f} % to {100 * after:.1f} %" in text
    assert f"most of all in total, from {100 * total:.1f} % to 0.0 %" in text
    assert "the 95 % interval of this drop lies above 0" in text
    assert re.search(rf"key_drop 30 {after:.4f} {before - after:.4f} .* {6 / 30:.4f} ", text)
    assert "What a model loses when 30 forms change" in text
    assert "form 1: macro F1 1.00 → " in text
