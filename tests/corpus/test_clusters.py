"""Clusters: intervals whose units are vendors, say, beside a slow textbook version; and whether documents are alike."""

from __future__ import annotations

import json
import math
import warnings
from typing import Any

import numpy as np
import pytest
from reports import score_report
from scipy.stats import f_oneway, kurtosis
from scipy.stats import t as student

from docie import corpus, kieval
from docie.core.counts import Counts
from docie.corpus.clusters.alike import intraclass_correlations, most_alike, p_value
from docie.corpus.clusters.units import MOST_COLUMNS, MOST_VALUES, Labels
from docie.inputs.row import Row

from checkout import needs_package
from cli_runs import lines, run_command

VENDORS = 12
SIZE = 96
Document = dict[str, Any]


def made(
    *, size: int = SIZE, correlation: float = 0.6, seed: int = 0, **columns: Any
) -> tuple[list[Document], list[Document]]:
    """Predictions and references whose vendors differ in how hard they are."""
    dice = np.random.default_rng(seed)
    vendors = dice.integers(0, VENDORS, size).tolist()
    hard = dice.normal(0, math.sqrt(correlation), VENDORS)[vendors] + dice.normal(0, math.sqrt(1 - correlation), size)
    predictions, references = [], []
    for number, (vendor, each) in enumerate(zip(vendors, hard.tolist(), strict=True)):
        right = dice.random(10) < min(max(0.8 + 0.15 * each, 0), 1)
        meta = {"vendor": f"v{vendor}", **{name: column[number] for name, column in columns.items()}}
        wrapper = {"id": f"d{number}", "meta": meta}
        references.append({**wrapper, "reference": {f"f{field}": "a" for field in range(10)}})
        predictions.append(
            {"id": f"d{number}", "prediction": {f"f{field}": "ab"[not right[field]] for field in range(10)}}
        )
    return predictions, references


PREDICTIONS, REFERENCES = made()
LABELS = [row["meta"]["vendor"] for row in REFERENCES]


def evaluated(
    predictions: list[Document] = PREDICTIONS, references: list[Document] = REFERENCES, **options: Any
) -> dict[str, Any]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return corpus.evaluate(
            kieval, predictions, references, **{"confidence_level": 0.95, "interval": "t", **options}
        )


def intervals(results: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in results.items() if name.endswith("_interval")}


def warned(predictions: list[Document], references: list[Document], **options: Any) -> list[str]:
    """The warnings on documents that are alike."""
    options = {"confidence_level": 0.95, "interval": "t", **options}
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        corpus.evaluate(kieval, predictions, references, **options)
    return [str(each.message) for each in caught if "are alike" in str(each.message)]


def delete_one_cluster(score: str) -> tuple[float, float, float]:
    """The score, the jackknife's standard error, and the degrees of freedom, cluster by cluster."""
    counts = [
        kieval.count(prediction["prediction"], reference["reference"])
        for prediction, reference in zip(PREDICTIONS, REFERENCES, strict=True)
    ]
    names = dict.fromkeys(LABELS)
    number = len(names)
    without = np.array(
        [
            kieval.score(sum((each for each, own in zip(counts, LABELS, strict=True) if own != name), Counts()))[score]
            for name in names
        ]
    )
    if score == "corrections":
        without = without * number / (number - 1)
    error = math.sqrt((number - 1) / number * float(np.sum((without - without.mean()) ** 2)))
    heavy = max(0.0, float(kurtosis(without)))
    return kieval.score(sum(counts, Counts()))[score], error, (number - 1) / (1 + heavy * (number - 1) / (2 * number))


@pytest.mark.parametrize("score", ["entity_f1", "entity_recall", "document_accuracy"])
def test_a_share_has_wilsons_interval_over_clusters(score: str) -> None:
    value, error, freedom = delete_one_cluster(score)
    low, high = evaluated(clusters="vendor")[f"{score}_interval"]
    size = value * (1 - value) / error**2
    for bound in (low, high):
        steps = abs(value - bound) / math.sqrt(bound * (1 - bound) / size)
        assert steps == pytest.approx(student.ppf(0.975, freedom))


def test_the_standard_error_is_that_of_sums_of_vendors() -> None:
    """Of the number of corrections, which is a sum, the jackknife over clusters has a closed form."""
    counts = [
        kieval.count(prediction["prediction"], reference["reference"])
        for prediction, reference in zip(PREDICTIONS, REFERENCES, strict=True)
    ]
    sums = dict.fromkeys(LABELS, 0.0)
    for each, label in zip(counts, LABELS, strict=True):
        sums[label] += kieval.score(each)["corrections"]
    expected = math.sqrt(len(sums)) * float(np.std([*sums.values()], ddof=1))
    assert delete_one_cluster("corrections")[1] == pytest.approx(expected)


@pytest.mark.parametrize("interval", ["t", "percentile"])
def test_a_document_a_cluster_is_no_cluster(interval: str) -> None:
    alone = evaluated(interval=interval, breakdown=True)
    by_list = evaluated(interval=interval, breakdown=True, clusters=[f"c{number}" for number in range(SIZE)])
    assert by_list["clusters"] == SIZE
    assert intervals(by_list) == intervals(alone)
    assert by_list["per_entity"] == alone["per_entity"]


def test_clusters_by_name_and_by_list() -> None:
    by_name, by_list = evaluated(clusters="vendor"), evaluated(clusters=np.array(LABELS))
    assert intervals(by_name) == intervals(by_list)
    assert intervals(by_name) != intervals(evaluated())
    assert (by_name["clusters"], by_list["clusters"]) == (VENDORS, VENDORS)
    assert "|clusters:vendor|" in by_name["signature"]
    assert "|clusters:given|" in by_list["signature"]
    assert intervals(evaluated(clusters=[int(label[1:]) for label in LABELS])) == intervals(by_list)


@pytest.mark.parametrize("interval", ["t", "percentile"])
def test_no_order_and_no_parts_matter(interval: str) -> None:
    whole = evaluated(clusters="vendor", group_by="half", interval=interval, **halves())
    parts = [
        corpus.count(kieval, part, expected, keep="documents", clusters="vendor", group_by="half")
        for part, expected in zip(*(thirds(each) for each in halves().values()), strict=True)
    ]
    texts = [json.dumps(part.to_json()) for part in parts]
    merged = corpus.Partial.sum_of(corpus.Partial.from_json(json.loads(text)) for text in texts)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert corpus.results(merged, confidence_level=0.95, interval=interval) == whole
    if interval == "t":
        order = np.random.default_rng(1).permutation(SIZE).tolist()
        shuffled = evaluated(
            *([each[place] for place in order] for each in (PREDICTIONS, REFERENCES)), clusters="vendor"
        )
        for name, bounds in intervals(evaluated(clusters="vendor")).items():
            assert intervals(shuffled)[name] == (bounds and pytest.approx(bounds, rel=1e-12)), name


def halves() -> dict[str, list[Document]]:
    references = [{**row, "meta": {**row["meta"], "half": f"h{number % 2}"}} for number, row in enumerate(REFERENCES)]
    return {"predictions": PREDICTIONS, "references": references}


def thirds(listed: list[Document]) -> list[list[Document]]:
    return [listed[:20], listed[20:50], listed[50:]]


def test_workers_give_the_same() -> None:
    predictions, references = made(size=600)
    one, two = (evaluated(predictions, references, clusters="vendor", workers=workers) for workers in (1, 2))
    assert one == two


def test_the_intervals_of_groups_have_the_same_clusters() -> None:
    predictions, references = halves().values()
    whole = evaluated(predictions, references, clusters="vendor", group_by="half")
    for number, name in enumerate(["h0", "h1"]):
        alone = evaluated(predictions[number::2], references[number::2], clusters="vendor")
        assert intervals(whole["by_half"][name]) == intervals(alone)
    of_one = evaluated(predictions, references, clusters="vendor", group_by="vendor")
    assert {*intervals(of_one["by_vendor"]["v0"]).values()} == {None}  # a single cluster shows no variation


def test_clusters_are_resampled_whole() -> None:
    """Each cluster has one value of its own, so resampled corpora have no others in between."""
    references = [{"a": "1"}] * 40
    predictions = [{"a": "1" if number < 20 else "2"} for number in range(40)]
    labels = [number // 20 for number in range(40)]
    found = evaluated(predictions, references, clusters=labels, interval="percentile")
    assert found["entity_f1_interval"] == [0.0, 1.0]


@pytest.mark.parametrize("interval", ["t", "percentile"])
def test_documents_without_an_error_are_as_many_as_clusters(interval: str) -> None:
    """Thirty documents of three vendors that are all correct are three observations, not thirty."""
    references = [{"a": "1"}] * 30
    with pytest.warns(UserWarning, match=r"corrections.* \(0 in every cluster, which gives no upper bound\)"):
        found = corpus.evaluate(
            kieval, references, references, clusters=[number % 3 for number in range(30)], confidence_level=0.95,
            interval=interval,
        )  # fmt: skip
    expected = evaluated(references[:3], references[:3])["document_accuracy_interval"]
    assert found["document_accuracy_interval"] == found["entity_f1_interval"] == expected


def test_documents_without_a_label_are_clusters_of_their_own() -> None:
    references = [{**row, "meta": {} if number < 3 else row["meta"]} for number, row in enumerate(REFERENCES)]
    with pytest.warns(UserWarning, match=r"^clusters: 3 of 96 documents have no 'vendor' in meta, and are clusters of"):
        by_name = corpus.evaluate(kieval, PREDICTIONS, references, confidence_level=0.95, clusters="vendor")
    with pytest.warns(UserWarning, match=r"^clusters: 3 of 96 documents have no label, and are clusters of their own$"):
        by_list = corpus.evaluate(
            kieval, PREDICTIONS, REFERENCES, confidence_level=0.95, clusters=[None, math.nan, None, *LABELS[3:]]
        )
    assert by_name["clusters"] == by_list["clusters"] == VENDORS + 3
    assert intervals(by_name) == intervals(by_list)


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ({"clusters": "vndor"}, "clusters: no document has a value in its meta for 'vndor' (close: 'vendor')"),
        ({"clusters": ["x"]}, "clusters must have one label for each document, got 1 for 96 documents"),
        ({"clusters": [["x"]] * SIZE}, "clusters must hold texts or numbers, got ['x']"),
        ({"clusters": 3}, "clusters must be a list, got 3"),
        ({"clusters": ""}, "clusters must be the name of a column in meta, got ''"),
        ({"clusters": ["x"] * SIZE}, "clusters: all 96 documents belong to one cluster; intervals need two"),
    ],
)
def test_what_are_no_clusters(options: dict[str, Any], problem: str) -> None:
    with pytest.raises(ValueError, match=".") as caught:
        evaluated(**options)
    assert str(caught.value) == problem


def test_clusters_without_intervals_have_no_effect() -> None:
    with pytest.warns(UserWarning, match="^clusters: no effect without confidence_level, which adds intervals$"):
        found = corpus.evaluate(kieval, PREDICTIONS, REFERENCES, clusters="vendor")
    assert found == corpus.evaluate(kieval, PREDICTIONS, REFERENCES)


def test_parts_with_other_clusters_cannot_be_added() -> None:
    one, other = (
        corpus.count(kieval, PREDICTIONS, REFERENCES, keep="documents", clusters=clusters)
        for clusters in ("vendor", None)
    )
    with pytest.raises(ValueError, match="counted with another keep, group_by or clusters$"):
        one + other
    with pytest.raises(ValueError, match="^expected the JSON of documents' labels, got "):
        corpus.Partial.from_json({**one.to_json(), "labels": {"name": 1}})


def test_few_unequal_clusters_are_named() -> None:
    labels = ["large"] * 60 + [f"c{number % 6}" for number in range(36)]
    with pytest.warns(UserWarning, match="^the largest of 7 clusters holds 0.62 of the documents"):
        corpus.evaluate(kieval, PREDICTIONS, REFERENCES, confidence_level=0.95, clusters=labels)


@needs_package("jinja2")
def test_the_report_has_the_intervals_of_clusters(tmp_path: Any) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = score_report(tmp_path / "report.html", PREDICTIONS, REFERENCES, cluster="vendor")
        expected = corpus.evaluate(kieval, PREDICTIONS, REFERENCES, confidence_level=0.95, clusters="vendor")
    assert found["entity_f1_interval"] == expected["entity_f1_interval"]


# whether documents are alike


def test_the_line_names_the_column_and_both_intervals() -> None:
    [line] = warned(PREDICTIONS, REFERENCES)
    alone, clustered = (
        " – ".join(f"{bound:.3f}" for bound in each["entity_f1_interval"])
        for each in (evaluated(), evaluated(clusters="vendor"))
    )
    start = "documents of one vendor are alike (correlation 0."
    assert line.startswith(start)
    assert line[len(start) + 2 :] == (
        f'): clusters="vendor" (--cluster vendor) gives entity_f1 {clustered} instead of {alone}'
    )


def test_nothing_is_said_with_clusters_without_intervals_and_where_nothing_is_alike() -> None:
    assert not warned(PREDICTIONS, REFERENCES, clusters="vendor")
    assert not warned(PREDICTIONS, REFERENCES, confidence_level=None, interval="percentile")
    assert not warned(*made(correlation=0.0, seed=3))
    assert not warned(REFERENCES, REFERENCES)


def test_the_line_does_not_depend_on_order_parts_or_processes() -> None:
    predictions, references = made(size=600)
    [line] = warned(predictions, references)
    assert warned(predictions[::-1], references[::-1]) == [line]
    assert warned(predictions, references, workers=2) == [line]
    parts = [
        corpus.Partial.from_json(json.loads(json.dumps(corpus.count(kieval, *each, keep="documents").to_json())))
        for each in zip(*(thirds(each) for each in (predictions, references)), strict=True)
    ]
    with pytest.warns(UserWarning, match="are alike") as caught:
        corpus.results(parts[2] + parts[0] + parts[1], confidence_level=0.95, interval="t")
    assert line in [str(each.message) for each in caught]


@pytest.mark.exhaustive
def test_false_alarms_with_many_columns() -> None:
    """Beside ten columns that say nothing, one is named in at most 5 % of corpora: here of 200, certain to 3 points."""
    dice = np.random.default_rng(0)
    alarms = 0
    for _ in range(200):
        labels = labelled({f"c{column}": dice.integers(0, 20, 100).astype(str).tolist() for column in range(10)})
        alarms += most_alike(dice.exponential(size=(1, 100)) ** 2, labels) is not None
    assert alarms <= 18


def labelled(columns: dict[str, list[Any]]) -> Labels:
    labels = Labels()
    for row in zip(*columns.values(), strict=True):
        labels.note(Row(None), Row(None, meta=dict(zip(columns, row, strict=True))))
    return labels


def test_columns_that_are_no_clusters() -> None:
    """Identifiers, times, constants and few values are not looked at; of numbers, only what their size does not say."""
    vendors, dice = np.repeat(np.arange(20), 10), np.random.default_rng(0)
    values = (dice.normal(size=20)[vendors] + dice.normal(size=200))[None, :]
    size = range(200)
    cases: list[tuple[list[Any], bool]] = [
        ([f"v{vendor}" for vendor in vendors], True),
        ([int(vendor) for vendor in dice.permutation(20)[vendors]], True),  # numbers that are names
        ([None if vendor < 5 else f"v{vendor}" for vendor in vendors], True),
        ([f"d{number}" for number in size], False),
        ([f"d{number // 2 if number < 80 else number}" for number in size], False),  # most do not repeat
        (["test"] * 200, False),
        ([f"v{vendor // 5}" for vendor in vendors], False),  # four values
        ([["v"]] * 200, False),
        (["x" * 300 + f"{vendor}" for vendor in vendors], False),
    ]
    for column, is_named in cases:
        found = most_alike(values, labelled({"column": column}))
        assert (found is not None) == is_named, column[:3]
    pages = dice.integers(1, 12, 200)
    harder = (np.log(pages) + 0.5 * dice.normal(size=200))[None, :]
    assert most_alike(harder, labelled({"pages": pages.tolist()})) is None
    assert most_alike(harder, labelled({"pages": [f"p{each}" for each in pages]})) is not None


def test_the_most_alike_column_is_named_and_objects_in_meta_have_columns() -> None:
    vendors, dice = np.repeat(np.arange(20), 10), np.random.default_rng(1)
    values = (dice.normal(size=20)[vendors] + dice.normal(size=200))[None, :]
    columns: dict[str, list[Any]] = {
        "coarse": [f"c{vendor // 3}" for vendor in vendors],
        "source": [{"vendor": f"v{vendor}"} for vendor in vendors],
        "same": [f"s{vendor}" for vendor in vendors],
    }
    found = most_alike(values, labelled(columns))
    assert found is not None
    assert found.column == "same"  # the first of two that say the same
    del columns["same"]
    found = most_alike(values, labelled(columns))
    assert found is not None
    assert found.column == "source.vendor"


def test_columns_are_kept_up_to_a_number_whatever_the_order() -> None:
    def of(numbers: range) -> Labels:
        return labelled({f"c{number:03}": ["a", "b"] for number in numbers})

    wide, narrow = range(2 * MOST_COLUMNS), range(5, MOST_COLUMNS + 5)
    totals = []
    for first, second in ((wide, narrow), (narrow, wide)):
        total = of(first)
        total += of(second)
        totals.append(total)
    assert {*totals[0].columns} == {*totals[1].columns} == {f"c{number:03}" for number in range(MOST_COLUMNS)}
    ids = labelled({"id": [str(number) for number in range(MOST_VALUES + 1)]})
    assert ids.columns == {"id": None}
    few = labelled({"id": ["1", "2"]})
    few += ids
    assert few.columns == {"id": None}


def test_the_correlation_is_that_of_a_textbook() -> None:
    """Shrout and Fleiss, "Intraclass correlations" (1979), table 2: four judges of six targets, ICC(1, 1) = .17."""
    ratings = [[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]]
    values = np.array(ratings, float).reshape(1, -1)
    [found] = intraclass_correlations(values, np.repeat(np.arange(6), 4))
    assert round(found, 2) == 0.17


def test_the_correlation_of_unequal_clusters_follows_from_the_f_statistic() -> None:
    dice = np.random.default_rng(0)
    units = np.repeat(np.arange(6), [3, 9, 1, 4, 7, 2])
    values = dice.normal(size=(1, len(units))) + dice.normal(size=6)[units]
    groups = [values[0, units == unit] for unit in range(6)]
    ratio = float(f_oneway(*groups).statistic)
    sizes = np.bincount(units)
    mean = (sizes.sum() - (sizes**2).sum() / sizes.sum()) / 5
    assert intraclass_correlations(values, units)[0] == pytest.approx((ratio - 1) / (ratio + mean - 1))


def test_the_permutation_test_is_that_of_all_permutations() -> None:
    """Three pairs of values: of the 15 ways to pair six values, so many are at least as alike."""
    values, units = np.array([[1.0, 2.0, 3.5, 5.0, 8.0, 13.0]]), np.array([0, 0, 1, 1, 2, 2])
    assert p_value(values, units, 20_000) == pytest.approx(1 / 15, abs=0.006)
    assert p_value(values, np.array([0, 1, 0, 1, 2, 2]), 20_000) == pytest.approx(2 / 15, abs=0.008)


def test_comparisons_say_it_too() -> None:
    harder, references = made(correlation=0.7, seed=5)
    answers = {"a": references, "b": harder}
    with pytest.warns(UserWarning, match="^documents of one vendor are alike") as caught:
        alone = corpus.compare(kieval, answers, references)
    clustered = corpus.compare(kieval, answers, references, clusters="vendor")
    bounds = [" – ".join(f"{bound:.3f}" for bound in each["comparisons"][0]["interval"]) for each in (clustered, alone)]
    [line] = [str(each.message) for each in caught if "are alike" in str(each.message)]
    assert line.endswith(f"gives the difference in entity_f1 of a and b {bounds[0]} instead of {bounds[1]}")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        corpus.compare(kieval, answers, references, clusters="vendor")
    both = corpus.compare(kieval, {"a": harder, "b": harder}, references, clusters="vendor")
    assert both["comparisons"][0]["difference"] == 0


# the command line


@pytest.mark.exhaustive
def test_the_command_line_gives_the_same_from_files_and_partitions(tmp_path: Any) -> None:
    predictions, references = made(size=300, seed=2)
    expected = evaluated(predictions, references, clusters="vendor")
    files = [lines(tmp_path / f"{name}.jsonl", each) for name, each in (("r", references), ("p", predictions))]
    folders = []
    for name, each in (("references", references), ("predictions", predictions)):
        (tmp_path / name).mkdir()
        for number in range(3):
            lines(tmp_path / name / f"{number}.jsonl", each[number * 100 : number * 100 + 100])
        folders.append(str(tmp_path / name))
    options = ["--confidence-level", "0.95", "--interval", "t", "--format", "json"]
    for paths in (files, folders):
        for more in ([], ["--workers", "2"]):
            result = run_command("score", *paths, *options, "--cluster", "vendor", *more)
            assert json.loads(result.stdout)["kieval"] == expected, more
            [said] = [
                line
                for line in run_command("score", *paths, *options, *more).stderr.splitlines()
                if line.startswith("warning: documents of one vendor are alike (correlation 0.")
            ]
            assert "--cluster vendor" in said
    shown = run_command("score", *files, "--confidence-level", "0.95", "--cluster", "vendor").stdout
    assert f"300 documents, {VENDORS} clusters, joined by id" in shown


def test_what_the_command_line_refuses(tmp_path: Any) -> None:
    paths = [lines(tmp_path / f"{name}.jsonl", each) for name, each in (("r", REFERENCES), ("p", PREDICTIONS))]
    for options, problem in (
        (["--cluster", "vndor"], "clusters: no document has a value in its meta for 'vndor' (close: 'vendor')"),
    ):
        result = run_command("score", *paths, "--confidence-level", "0.95", *options)
        assert (result.exit_code, result.stdout) == (2, "")
        assert result.stderr.startswith(problem)
    idle = run_command("score", *paths, "--cluster", "vendor")
    assert idle.stderr == "warning: clusters: no effect without confidence_level, which adds intervals\n"
