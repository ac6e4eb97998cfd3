"""Figures of every kind of page, recomputed by a few lines that share no code with the metrics."""

from __future__ import annotations

import html as markup
import json
import re
from typing import Any

import pytest

pytest.importorskip("gradio")
from docie.spaces.common import examples, work
from docie.spaces.common.inputs import Form
from docie.spaces.form_robustness import attacking

EXAMPLES = {each.name: each for each in examples.EXAMPLES}


def page_of(name: str, *families: str) -> str:
    """The text of a page with an example."""
    example = EXAMPLES[name]
    form = Form(references=example.references, predictions=example.predictions, families=families, form=example.form)
    return visible(work.explain(form).html)


def visible(html: str) -> str:
    return re.sub(r"\s+", " ", markup.unescape(re.sub(r"<[^>]*>", " ", html)))


def texts_of(value: Any, path: tuple[Any, ...] = ()) -> dict[tuple[Any, ...], str]:
    """The text at every path of a document."""
    if isinstance(value, dict) and "value" not in value:
        return {place: text for key, child in value.items() for place, text in texts_of(child, (*path, key)).items()}
    if isinstance(value, list):
        return {place: text for key, child in enumerate(value) for place, text in texts_of(child, (*path, key)).items()}
    return {path: value["value"] if isinstance(value, dict) else value}


def common(one: str, other: str) -> int:
    """The length of the longest common subsequence."""
    row: list[int] = [0] * (len(other) + 1)
    for mine in one:
        before, row = row, [0]
        for place, yours in enumerate(other):
            row.append(before[place] + 1 if mine == yours else max(row[-1], before[place + 1]))
    return row[-1]


def edits(one: str, other: str) -> int:
    """The Levenshtein distance."""
    row: list[int] = [*range(len(other) + 1)]
    for number, mine in enumerate(one, 1):
        before, row = row, [number]
        for place, yours in enumerate(other):
            row.append(min(row[-1] + 1, before[place + 1] + 1, before[place] + (mine != yours)))
    return row[-1]


def test_the_explorer() -> None:
    example = EXAMPLES["A receipt"]
    expected, found = (texts_of(json.loads(text)) for text in (example.references, example.predictions))
    right = sum(found.get(place) == text for place, text in expected.items())
    wrong = [(found[place], text) for place, text in expected.items() if place in found and found[place] != text]
    missing = [text for place, text in expected.items() if place not in found]
    similar = [
        1 - edits(found.get(place, ""), text) / max(len(found.get(place, "")), len(text))
        for place, text in expected.items()
    ]
    read = sum(common(found.get(place, ""), text) for place, text in expected.items())
    characters = [sum(map(len, side.values())) for side in (expected, found)]
    keys = 4 + 3 + 9  # at the root, the items, and those in items
    cost = sum(edits(*pair) for pair in wrong) + sum(len(text) + 1 for text in missing)
    figures = {
        "entity_f1": 2 * right / (len(expected) + len(found)),
        "corrections": len(wrong) + len(missing),
        "aligned": right / (right + len(wrong) + len(missing)),
        "precision": right / len(found),
        "recall": right / len(expected),
        "anls_star": sum(each for each in similar if each >= 0.5) / len(similar),
        "levenshtein_similarity": sum(similar) / len(similar),
        "exact_match": right / len(expected),
        "uhed_f1": 2 * read / sum(characters),
        "nted_accuracy": 1 - cost / (characters[0] + keys),
    }
    page = page_of("A receipt")
    for name, value in figures.items():
        assert f"{name} {value:.4f}" in page or f"{name} {value}" in page, (name, value)


def test_the_boxes_of_a_page() -> None:
    example = EXAMPLES["Boxes on a page"]
    sides = [json.loads(text) for text in (example.references, example.predictions)]

    def area(box: list[float]) -> float:
        return max(0.0, box[2] - box[0]) * max(0.0, box[3] - box[1])

    def overlap(one: list[float], other: list[float]) -> float:
        inner = area([*map(max, zip(one[:2], other[:2], strict=True)), *map(min, zip(one[2:], other[2:], strict=True))])
        return inner / (area(one) + area(other) - inner)

    boxes = [[each["box"] for each in side] for side in sides]
    hulls = [
        [side[0], [side[1][0], min(side[1][1], side[2][1]), side[2][2], max(side[1][3], side[2][3])], *side[3:]]
        for side in boxes
    ]  # the second and the third box are a group
    overlaps = [overlap(one, other) for one, other in zip(*hulls, strict=True)]
    found = sum(each >= 0.5 for each in overlaps)
    figures = {
        "iou_grouped": sum(overlaps) / len(overlaps),
        "precision": found / len(hulls[1]),
        "recall": found / len(hulls[0]),
        "f1": 2 * found / (len(hulls[0]) + len(hulls[1])),
        "f1_at_0.5": 2 * found / (len(hulls[0]) + len(hulls[1])),
    }
    page = page_of("Boxes on a page", "box_iou")
    for name, value in figures.items():
        assert f"{name} {value:.4f}" in page, name
    for each in overlaps:
        assert f"IoU_G {each:.4f}" in page
    assert f"{found} of {len(hulls[0])} boxes correct" in page, "a group is one box"


def test_an_attacked_form() -> None:
    record = next(iter(attacking.examples().values()))
    question = attacking.Asked(record=record, attacks=["bg_typo"], strength=2.0)
    outcome = attacking.attack(question)
    html = attacking.explain(question)
    page, [data] = visible(html), re.findall(r'<div class="docie-drawn"><script[^>]*>(.*?)</script>', html)
    form, attacked = json.loads(record), outcome.figures["record"]
    answers, expected = (outcome.figures[name] for name in ("predictions", "references"))
    before, after = (
        sum(answers[name].get(key) == value for key, value in expected[name].items()) for name in ("none", "bg_typo")
    )
    fields = len(expected["none"])
    changed = sum(one != other for one, other in zip(form["words"], attacked["words"], strict=True))
    keys = sum(bool(each) for each in form["is_key"])
    background = sum(label == "O" for label in form["labels"])
    words = len(form["words"])
    scores = before / fields, after / fields
    for text in (
        f"{scores[1]:.4f} macro F1, attacked before: {scores[0]:.4f} drop {scores[0] - scores[1]:.4f}",
        f"bg_typo: of the form's {words} words, {changed} replaced; macro F1 {scores[0]:.4f} → {scores[1]:.4f}.",
        f"{words} words, {words - keys - background} of values, {keys} of keys, {background} of the background",
    ):
        assert text in page, text
    drawn = [
        (name, [*map(len, pairs)].count(2), numbers)
        for name, *_, pairs, numbers in json.loads(data)["drawings"][0]["groups"]
    ]
    assert drawn == [
        ("unattacked", before, f"macro F1 {scores[0]:.4f}"),
        ("bg_typo", after, f"macro F1 {scores[1]:.4f}"),
    ]
