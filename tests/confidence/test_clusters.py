"""Certified thresholds over clusters of documents, such as those of one vendor."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from docie import confidence
from docie.confidence.summary import summarize

from cli_runs import lines, run_command

SIZE = 60


def made(size: int = SIZE, seed: int = 0) -> tuple[list[Any], list[Any], list[str]]:
    """Predictions and references of vendors of different sizes, and the vendors."""
    dice = np.random.default_rng(seed)
    vendors = [f"v{vendor}" for vendor in (dice.integers(0, 5, size) ** 2 // 2).tolist()]
    predictions, references = [], []
    for vendor in vendors:
        number = int(dice.integers(0, 5))
        sure = dice.random(number).tolist()
        right = (dice.random(number) < 0.7).tolist()
        fields = [f"f{each}" for each in range(number)]
        document = {name: {"value": "1", "confidence": each} for name, each in zip(fields, sure, strict=True)}
        predictions.append({"prediction": document})
        reference = {name: "12"[not each] for name, each in zip(fields, right, strict=True)}
        references.append({"reference": reference, "meta": {"vendor": vendor}})
    return predictions, references, vendors


PREDICTIONS, REFERENCES, VENDORS = made()


def loss(threshold: float) -> Fraction:
    """The mean over vendors of the mean loss of their documents, document by document."""
    of_vendor: dict[str, list[Fraction]] = {}
    for prediction, reference, vendor in zip(PREDICTIONS, REFERENCES, VENDORS, strict=True):
        values, expected = prediction["prediction"], reference["reference"]
        wrong = sum(
            each["confidence"] >= threshold and each["value"] != expected[name] for name, each in values.items()
        )
        of_vendor.setdefault(vendor, []).append(Fraction(wrong, max(1, len(values))))
    return sum((sum(each, Fraction(0)) / len(each) for each in of_vendor.values()), Fraction(0)) / len(of_vendor)


@pytest.mark.parametrize("risk", [0.15, 0.2, 0.3, 0.4])
def test_the_threshold_is_the_lowest_that_the_bound_allows_over_clusters(risk: float) -> None:
    values = confidence.collect(PREDICTIONS, REFERENCES, clusters="vendor")
    number = len({*VENDORS})
    found = confidence.certified_threshold(values, risk)
    confidences = sorted({each["confidence"] for row in PREDICTIONS for each in row["prediction"].values()})
    thresholds = [0.0, *np.nextafter(confidences, 2).tolist()]
    allowed = [each for each in thresholds if (number * loss(each) + 1) / (number + 1) <= Fraction(str(risk))]
    assert (found["clusters"], found["documents"]) == (number, SIZE)
    assert found["threshold"] == (min(allowed) if allowed else None)
    if allowed:
        assert found["loss"] == pytest.approx(float(loss(found["threshold"])), abs=1e-15)


def test_a_document_a_cluster_is_no_cluster() -> None:
    alone = confidence.collect(PREDICTIONS, REFERENCES)
    each = confidence.collect(PREDICTIONS, REFERENCES, clusters=[*range(SIZE)])
    found = confidence.certified_threshold(each, 0.1)
    assert found.pop("clusters") == SIZE
    assert found == confidence.certified_threshold(alone, 0.1)
    assert "clusters" not in summarize(alone)
    without = confidence.collect(PREDICTIONS, REFERENCES, clusters=[None] * (SIZE - 2) + ["a", "a"])
    assert (without.units, without.documents) == (SIZE - 1, SIZE)


def test_clusters_come_along_with_parts_types_and_documents() -> None:
    whole = confidence.collect(PREDICTIONS, REFERENCES, clusters="vendor")
    parts = [
        confidence.collect(PREDICTIONS[cut], REFERENCES[cut], clusters="vendor") for cut in (slice(25), slice(25, 60))
    ]
    assert confidence.certified_threshold(parts[1] + parts[0], 0.3) == confidence.certified_threshold(whole, 0.3)
    assert whole.of_documents(range(10)).units == len({*VENDORS[:10]})
    has_f3 = [vendor for row, vendor in zip(PREDICTIONS, VENDORS, strict=True) if "f3" in row["prediction"]]
    assert whole.of_type("f3").with_values().units == len({*has_f3})
    with pytest.raises(ValueError, match="^cannot add values"):
        whole + confidence.collect(PREDICTIONS, REFERENCES)


def test_too_few_clusters_are_named() -> None:
    values = confidence.collect(PREDICTIONS, REFERENCES, clusters="vendor")
    reason = f"{len({*VENDORS})} clusters are too few: a risk of 0.01 needs at least 99"
    assert confidence.certified_threshold(values)["reason"] == reason
    with pytest.raises(ValueError, match="^clusters: no document has a value in its meta for 'vndor'"):
        confidence.collect(PREDICTIONS, REFERENCES, clusters="vndor")


@pytest.mark.exhaustive
def test_the_guarantee_holds_for_vendors_only_with_clusters() -> None:
    """Vendors of ten documents, of which one in six is always wrong: the mean loss of a new one is at most the risk."""
    dice, risk = np.random.default_rng(0), 0.25
    losses = []
    for _ in range(100):
        is_hard = dice.random(13) < 1 / 6
        sure = dice.random((13, 10))
        rows = [
            ({"a": {"value": "1", "confidence": each}}, {"a": "12"[hard]}, vendor)
            for vendor, hard in enumerate(is_hard[:12].tolist())
            for each in sure[vendor].tolist()
        ]
        predictions, references, clusters = map(list, zip(*rows, strict=True))
        values = confidence.collect(predictions, references, clusters=clusters)
        found = confidence.certified_threshold(values, risk)["threshold"]
        losses.append(float(np.mean(is_hard[12] & (sure[12] >= found))))
    assert np.mean(losses) <= risk


def test_the_command_line_says_clusters(tmp_path: Path) -> None:
    paths = [lines(tmp_path / f"{name}.jsonl", each) for name, each in (("r", REFERENCES), ("p", PREDICTIONS))]
    number = len({*VENDORS})
    result = run_command("threshold", *paths, "--cluster", "vendor", "--risk", "0.3", "--verify", *paths)
    assert result.exit_code == 0
    said = " ".join(result.stdout.split())
    assert (
        f"at most 30 % of a document's values, on average over the documents of a new cluster like these {number}"
        in said
    )
    assert f"On the {SIZE} documents of {number} clusters to verify" in said
    assert f"{SIZE} documents, {number} clusters" in result.stdout
    assert "clusters:vendor" in result.stdout
    missing = run_command("threshold", *paths, "--cluster", "vndor")
    assert (missing.exit_code, missing.stderr.partition(" in its")[0]) == (2, "clusters: no document has a value")
