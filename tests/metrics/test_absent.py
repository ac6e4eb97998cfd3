"""Invented values: what references, an ontology or a schema say is absent, and how often a value is predicted there."""

from __future__ import annotations

import json
import warnings
from collections import Counter
from collections.abc import Iterator
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import docie
from docie import corpus, kieval
from docie.core.counts import Counts
from docie.metrics.kieval.metric import comparisons_of
from docie.metrics.kieval.pairs import count_judged
from docie.metrics.kieval.repairs import analyse
from docie.show.page.data import link_to
from docie.show.section import Table

from cli_runs import lines, run
from real_documents import SYSTEMS, docubench_pairs
from sizes import examples
from strategies import ONE_OFS, VALUES, documents, shuffled

NULLS = st.sampled_from([None, "", " ", [], [None], {}, float("nan"), {"value": None, "confidence": 0.5}])
REFERENCES = documents(st.one_of(ONE_OFS, NULLS))
PREDICTIONS = documents(st.one_of(VALUES, NULLS))
KINDS = ["x", "y", "g.a", "g.b", "g.sub.a", "h.b", "z"]
SETTINGS = st.one_of(
    st.just(kieval.Settings()),
    st.sampled_from(["greedy", "optimal"]).map(lambda name: kieval.Settings(matching=name)),  # type: ignore[arg-type]
    st.lists(st.sampled_from(KINDS), min_size=1, unique=True).map(lambda names: kieval.Settings(ontology=names)),
    st.just(kieval.Settings(normalize="casefold")),
    st.just(kieval.Settings(empty_groups="count")),
)


def absent(prediction: Any, reference: Any, **options: Any) -> dict[str, tuple[int, int]]:
    """From each type to its absent values, and to those that were predicted."""
    counts = kieval.count(prediction, reference, kieval.Settings(**options))
    return {str(key[1]): (row[0], row[1]) for key, row in counts.rows.items() if key[0] == "absent"}


@pytest.mark.parametrize(
    "null", [None, "", "  ", [], {}, [None, ""], {"value": None, "confidence": None}, float("nan")]
)
def test_null_is_a_word_and_a_missing_key_is_none(null: Any) -> None:
    assert absent({"a": "1", "b": "2"}, {"a": "1", "b": null}) == {"b": (1, 1)}
    assert absent({"a": "1", "b": null}, {"a": "1", "b": null}) == {"b": (1, 0)}
    assert absent({"a": "1", "b": "2"}, {"a": "1"}) == {}
    assert absent(None, {"a": "1", "b": null}) == {"b": (1, 0)}, "an answer without values invents nothing"
    assert absent({"a": "1"}, {"a": ["1", null]}) == {}, "a field with another value is not absent"
    assert absent({"a": null}, {"a": "1"}) == {}, "what a prediction writes is no statement"


def test_several_values_of_a_field_are_one_false_alarm() -> None:
    assert absent({"a": ["1", "2"]}, {"a": None}) == {"a": (1, 1)}


def test_groups() -> None:
    reference: dict[str, Any] = {"g": [{"a": "1", "b": None}, {"a": "2", "b": ""}, {"a": "3", "b": "4"}]}
    assert absent({"g": [{"a": "2", "b": "9"}, {"a": "1"}]}, reference) == {"g.b": (2, 1)}
    assert absent({"g": [{"a": "1"}, {"a": "3", "b": "9"}]}, reference) == {"g.b": (1, 0)}, "one is not matched"
    assert absent({"x": "1"}, reference) == {"g.b": (0, 0)}, "what there is depends on the reference alone"
    spare = {"g": [*({"a": each["a"]} for each in reference["g"]), {"a": "9", "b": "9"}]}
    assert absent(spare, reference) == {"g.b": (2, 0)}, "an invented group is compared with nothing"


def test_groups_with_the_same_values_count_in_any_order() -> None:
    """Of two groups with the same values, one writes null: as long as the other may have it, a value is no alarm."""
    plain, null, invented = {"x": "1"}, {"x": "1", "a": None}, {"x": "1", "a": "2"}
    for reference in ({"g": [plain, null]}, {"g": [null, plain]}):
        assert absent({"g": [plain]}, reference) == {"g.a": (1, 0)}
        assert absent({"g": [invented]}, reference) == {"g.a": (0, 0)}
        assert (
            absent({"g": [invented, plain]}, reference)
            == absent({"g": [plain, invented]}, reference)
            == {"g.a": (1, 0)}
        )
        assert absent({"g": [invented, invented]}, reference) == {"g.a": (1, 1)}


def test_groups_without_values_are_of_the_document() -> None:
    assert absent({"g": {"a": "1"}}, {"g": {"a": None, "b": None}}) == {"g.a": (1, 1), "g.b": (1, 0)}
    assert absent({"g": [{"a": "1"}]}, {"g": [{"a": None}, {"a": "1"}]}) == {}, "a value of it is elsewhere"
    assert absent({"g": [{"a": "1"}]}, {"g": None}) == {"g": (1, 1)}, "a value below it is one of it"
    assert absent({"g": {"a": "1", "s": {"b": "2"}}}, {"g": {"a": "1", "s": []}}) == {"g.s": (1, 1)}
    assert absent({"g": {"a": "1"}}, {"g": {}}, empty_groups="count") == {}, "there is a group"


def test_ontology_and_schema_say_what_every_document_could_have() -> None:
    ontology = ["a", "g.a", "g.b"]
    schema = {"properties": {"a": {"type": "string"}, "g": {"items": {"properties": {"a": {}, "b": {}}}}}}
    for options in ({"ontology": ontology}, {"schema": schema}):
        assert absent({"a": "1"}, {"a": "1"}, **options) == {"g.a": (1, 0), "g.b": (1, 0)}
        assert absent({"g": [{"a": "1"}, {"a": "2"}]}, {"a": None}, **options) == {
            "a": (1, 0), "g.a": (1, 1), "g.b": (1, 0),
        }  # fmt: skip
        groups = {"a": "1", "g": [{"a": "1", "b": None}, {"a": "2", "b": None}]}
        assert absent(groups, groups, **options) == {"g.b": (2, 0)}, "what groups write is not said again"
        assert absent({"g": {"b": "1"}}, {"a": "1", "g": None}, **options) == {"g.a": (1, 0), "g.b": (1, 1)}
    assert absent({"z": "1"}, {"z": None}, ontology=["a"]) == {"a": (1, 0)}
    assert absent({"z": "1"}, {"a": "1", "z": None}, schema=schema)["z"] == (1, 1)
    other = {"properties": {"invoice": {"type": "string"}}}
    assert absent({"a": "1"}, {"a": "1"}, schema=[schema, other]) == {}, "no document says which schema is its own"


def places_in(value: Any, path: str) -> Iterator[tuple[str, bool]]:
    """The types that an object, a list or a value of this path writes, and whether each has a value there."""
    if isinstance(value, dict) and "confidence" not in value and value:
        for key, child in value.items():
            yield from places_in(child, f"{path}.{key}".removeprefix("."))
    elif isinstance(value, list) and value:
        for child in value:
            yield from places_in(child, path)
    elif path:
        leaf = value["value"] if isinstance(value, dict) and value else value
        yield path, bool(leaf) and leaf == leaf and bool("".join(leaf).strip())


def scope_of(value: Any, path: str) -> tuple[set[str], set[str]]:
    """The types with a value, and those above them; those that are written."""
    found = [*places_in(value, path)]
    types = {kind for kind, has_value in found if has_value}
    above = {kind[:at] for kind in types for at, letter in enumerate(kind) if letter == "."}
    return types | above, {kind for kind, _ in found}


def objects_in(value: Any) -> list[Any]:
    """The groups of a value."""
    if isinstance(value, list):
        return [each for child in value for each in objects_in(child)]
    return [value] if isinstance(value, dict) and "confidence" not in value else []


def counted_in_order(name: str, groups: Any, order: Any) -> tuple[int, int]:
    """False alarms, and the places below 0, if groups have the predicted values of others with the same values."""
    pairs = [found for (names, _), (_, found) in zip(groups, order, strict=True) if name in names and found is not None]
    return sum(name in found for found in pairs), -len(pairs)


def by_the_book(prediction: Any, reference: Any, settings: kieval.Settings) -> dict[str, tuple[int, int]]:
    """The same, from the documents as they are written and the pairs of groups."""
    ontology = settings.ontology

    def kept(types: set[str]) -> set[str]:
        if ontology is None:
            return types
        below = {name for name in ontology if any(name.startswith(f"{each}.") for each in types)}
        return (types & {*ontology}) | below

    predicted, (known, written) = scope_of(prediction, "")[0], scope_of(reference, "")
    rows: Counter[str] = Counter()
    alarms: Counter[str] = Counter()
    in_groups = set[str]()
    for kind in "xygh":
        sides = [
            [
                each
                for each in objects_in(document.get(kind))
                if settings.empty_groups == "count"
                or (scope_of(each, kind)[0] if ontology is None else scope_of(each, kind)[0] & {*ontology})
            ]
            for document in (prediction, reference)
        ]
        alike: dict[Any, list[tuple[set[str], set[str] | None]]] = {}
        for each in comparisons_of(prediction, reference, settings):
            row, column = each.places
            if each.group_type == kind and column is not None and each.expected:
                has, writes = scope_of(sides[1][column], kind)
                found = None if row is None else scope_of(sides[0][row], kind)[0]
                alike.setdefault(frozenset(each.expected.items()), []).append((kept(writes) - has - {kind}, found))
        for groups in alike.values():
            for name in set[str]().union(*(names for names, _ in groups)):
                in_groups.add(name)
                least = min(counted_in_order(name, groups, order) for order in permutations(groups))
                alarms[name] += least[0]
                rows[name] -= least[1]
        if sides[1]:
            known = known | {kind}
    for name in (kept(written) | {*(ontology or ())}) - known - in_groups:
        rows[name], alarms[name] = 1, int(name in predicted)
    return {name: (rows[name], alarms[name]) for name in {*rows, *in_groups}}


@given(prediction=PREDICTIONS, reference=REFERENCES, settings=SETTINGS)
@examples(600)
def test_by_the_book(prediction: Any, reference: Any, settings: kieval.Settings) -> None:
    counts = kieval.count(prediction, reference, settings)
    found = {str(key[1]): (row[0], row[1]) for key, row in counts.rows.items() if key[0] == "absent"}
    assert found == by_the_book(prediction, reference, settings)
    assert all(0 <= alarms <= number for number, alarms in found.values())
    assert kieval.count(None, reference, settings).rows.keys() & {("absent", name) for name in found} == {
        ("absent", name) for name in found
    }


@given(prediction=PREDICTIONS, reference=REFERENCES, settings=SETTINGS)
@examples(300)
def test_errors_and_pages_count_the_same(prediction: Any, reference: Any, settings: kieval.Settings) -> None:
    counts = kieval.count(prediction, reference, settings)
    assert analyse(prediction, reference, settings).scored == counts
    assert count_judged(prediction, reference, settings).rows == counts.rows


@given(pairs=st.lists(st.tuples(PREDICTIONS, REFERENCES), max_size=5), cut=st.integers(0, 5), rng=st.randoms())
@examples(100)
def test_counts_add_up_in_any_order(pairs: Any, cut: int, rng: Any) -> None:
    counts = [kieval.count(*pair) for pair in pairs]
    whole = sum(counts, Counts())
    assert sum(counts[:cut], Counts()) + sum(counts[cut:], Counts()) == whole
    mixed = rng.sample(pairs, len(pairs))
    others = sum((kieval.count(shuffled(one, rng), shuffled(other, rng)) for one, other in mixed), Counts())
    assert kieval.score(others).get("absent") == kieval.score(whole).get("absent")
    if not any("sub" in json.dumps(pair, default=str) for pair in pairs):  # equally good matchings differ in them
        assert {key for key in others.rows if key[0] == "absent"} == {key for key in whole.rows if key[0] == "absent"}


@given(reference=documents(st.one_of(VALUES, NULLS)), settings=SETTINGS)
@examples(200)
def test_who_repeats_the_reference_invents_nothing(reference: Any, settings: kieval.Settings) -> None:
    figures = kieval.score(kieval.count(reference, reference, settings))
    assert (figures.get("absent_accuracy", 1.0), figures.get("false_alarms", 0)) == (1.0, 0)


@given(prediction=PREDICTIONS, reference=REFERENCES)
@examples(200)
def test_no_other_figure_moves(prediction: Any, reference: Any) -> None:
    """References without what they write of nothing have the same scores, and the same signature."""

    def bare(value: Any) -> Any:
        if isinstance(value, dict) and "confidence" not in value:
            return {key: bare(child) for key, child in value.items() if not is_nothing(child)}
        return [bare(child) for child in value if not is_nothing(child)] if isinstance(value, list) else value

    def is_nothing(value: Any) -> bool:
        return not any(has_value for _, has_value in places_in(value, "x"))

    with_nulls, without = (
        corpus.evaluate(kieval, [prediction], [each], breakdown=True) for each in (reference, bare(reference))
    )
    assert not without.keys() & {"absent_accuracy", "absent", "false_alarms", "per_absent_field"}
    for figures in (with_nulls, *with_nulls["per_document"]):
        for name in ("absent_accuracy", "absent", "false_alarms", "per_absent_field"):
            figures.pop(name, None)
    assert with_nulls == without


REFERENCE_ROWS = [{"total": str(place), "tax": None, "tip": None if place % 2 else "1"} for place in range(10)]
PREDICTED_ROWS = [{"total": str(place), "tax": "3" if place < 2 else None, "tip": "1"} for place in range(10)]


def test_what_is_printed(tmp_path: Path) -> None:
    sides = [lines(tmp_path / f"{name}.jsonl", rows) for name, rows in (("r", REFERENCE_ROWS), ("p", PREDICTED_ROWS))]
    printed = run(*sides, "--by-field", "--confidence-level", "0.9").output
    said = " ".join(printed.split())
    assert "absent_accuracy 0.5333" in said
    assert "8 of 15 absent values left out, 7 invented" in said
    assert "absent values entity type absent accuracy false alarms support" in said
    assert "tip 0.0000 5 5" in said
    assert "tax 0.8000 2 10" in said
    found = json.loads(run(*sides, "--format", "json").stdout)["kieval"]
    assert (found["absent_accuracy"], found["absent"], found["false_alarms"]) == (8 / 15, 15, 7)
    assert "per_absent_field" not in found


def test_nothing_is_said_if_nothing_is_absent() -> None:
    references = [{"total": row["total"]} for row in REFERENCE_ROWS]
    scored = docie.score(references=references, predictions=PREDICTED_ROWS, by_field=True)
    assert "absent" not in str(scored)
    assert "absent" not in json.dumps(scored.to_dict())
    of_nulls = docie.score(references=REFERENCE_ROWS, predictions=PREDICTED_ROWS)
    assert of_nulls.signature == scored.signature


def test_intervals() -> None:
    options: dict[str, Any] = {"breakdown": True, "confidence_level": 0.95}
    result = corpus.evaluate(kieval, PREDICTED_ROWS, REFERENCE_ROWS, **options)
    low, high = result["absent_accuracy_interval"]
    assert 0 < low < 8 / 15 < high < 1
    low, high = result["per_absent_field"]["tax"]["absent_accuracy_interval"]
    assert 0 < low < 0.8 < high < 1
    assert result["per_absent_field"]["tax"].keys() == {
        "absent_accuracy", "absent_accuracy_interval", "false_alarms", "support",
    }  # fmt: skip


def test_what_repairs_change_says_nothing_of_absent_values() -> None:
    rows = corpus.repaired(PREDICTED_ROWS, REFERENCE_ROWS)
    assert len({tuple(row) for row in rows}) == 1
    assert "absent" not in rows[0]


def invented(predictions: Any, references: Any, *, documents: int = 100) -> Table | None:
    """The table of a report."""
    page = docie.score(references=references, predictions=predictions, documents=documents).page()
    parts = [part for section in page.sections for part in section.parts]
    return next((part for part in parts if isinstance(part, Table) and part.title == "Invented values"), None)


def test_the_report() -> None:
    table = invented(PREDICTED_ROWS, REFERENCE_ROWS)
    assert table is not None
    assert [[row[0], *row[2:]] for row in table.rows] == [["tip", "5", "5"], ["tax", "10", "2"]]
    assert table.links == {0: link_to(field="tip", kind="spurious"), 1: link_to(field="tax", kind="spurious")}
    few = invented(PREDICTED_ROWS, REFERENCE_ROWS, documents=2)
    assert few is not None
    assert not few.links, "the page has not all of them"
    assert invented(REFERENCE_ROWS, REFERENCE_ROWS) is None
    two = invented([{"a": ["1", "2"]}], [{"a": None}])
    assert two is not None
    assert not two.links, "two values, and one false alarm"


@given(pairs=st.lists(st.tuples(PREDICTIONS, REFERENCES), min_size=1, max_size=4))
@examples(100)
def test_a_link_shows_what_was_invented(pairs: Any) -> None:
    predictions, references = zip(*pairs, strict=True)
    with warnings.catch_warnings(action="ignore"):
        table = invented([*predictions], [*references])
    for place, link in (table.links if table is not None else {}).items():
        assert table is not None
        field = table.rows[place][0]
        assert link == link_to(field=field, kind="spurious")
        for prediction, reference in pairs:
            rows = corpus.errors([prediction], [reference])
            shown = sum(row.entity_type == field and row.kind == "spurious" for row in rows)
            assert shown == absent(prediction, reference).get(field, (0, 0))[1]


FIGURES = {
    "claude": (426, 39),
    "docupipe_high": (461, 0),
    "docupipe_standard": (461, 8),
    "extend": (461, 41),
    "gemini": (457, 35),
    "gpt": (457, 38),
}
"""Of each system the absent values of its documents, and how many of them it invents."""


@pytest.mark.parametrize("system", SYSTEMS)
def test_docubench(system: str, data: Path) -> None:
    figures = kieval.score(corpus.count(kieval, *zip(*docubench_pairs(data, system), strict=True)).counts)
    assert (figures["absent"], figures["false_alarms"]) == FIGURES[system]
