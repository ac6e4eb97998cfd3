"""`docie.toml`: files, entries, mappings and lists of these; what beats what, and what is refused, with its line."""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from configured import configured, entries
from hypothesis import given
from hypothesis import strategies as st

import docie
from docie import corpus, kieval
from docie.inputs.config import config_of, entries_of, files_of, options_of_config, reading_of
from docie.inputs.reading import DATASETS, RECORDS, Reading, Side

from cli_runs import lines, run, run_command

REFERENCES: list[Any] = [{"id": f"r-{n}", "total": f"{n}.50", "items": [{"name": f"N{n}"}, {"name": "X"}]} for n in range(6)]  # fmt: skip
OUTPUTS: list[Any] = [{"id": row["id"], "out": {"sum": row["total"] if row["id"] > "r-1" else "0", "lines": row["items"]}} for row in REFERENCES]  # fmt: skip
CONFIG: dict[str, Any] = {"predictions": {"unwrap": "out", "rename": {"sum": "total", "lines": "items"}}}


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    lines(tmp_path / "r.jsonl", REFERENCES)
    lines(tmp_path / "p.jsonl", OUTPUTS)
    return tmp_path


def file(text: str, path: str = "docie.toml") -> str:
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    Path(path).write_text(text, encoding="utf-8")
    return path


def refusal(config: Any, **how: Any) -> str:
    with pytest.raises(ValueError, match=r"^[^\n]+$") as error:
        reading_of(config, **how)
    return str(error.value)


# what a configuration is, and what beats what


def test_files_entries_mappings_and_lists_ask_for_the_same() -> None:
    written = file('version = 1\n[predictions]\nunwrap = "out"\nrename = { sum = "total", lines = "items" }\n')
    listed = ["predictions.unwrap=out", "predictions.rename.sum=total", "predictions.rename={ lines = 'items' }"]
    expected = Reading(predictions=Side(unwrap="out", rename={"sum": "total", "lines": "items"}))
    for config in (written, Path(written), CONFIG, listed, [written], [CONFIG, listed[1]], expected):
        assert reading_of(config) == expected
        results = corpus.evaluate(kieval, OUTPUTS, REFERENCES, config=config)
        assert results["entity_f1"] == 16 / 18
    scored = run("r.jsonl", "p.jsonl", "--config", written, "--score", "entity_f1")
    assert scored.stdout == f"{16 / 18}\n"
    found = docie.read("p.jsonl", side="prediction", config=written)
    assert found[5]["document"] == {"total": "5.50", "items": REFERENCES[5]["items"]}


@pytest.mark.parametrize(
    ("parts", "expected"),
    [
        (["predictions.unwrap=b", "a.toml"], {"predictions": {"unwrap": "b", "ignore": ["x", "y"]}}),
        (["a.toml", {"predictions": {"unwrap": "b"}}], {"predictions": {"unwrap": "b", "ignore": ["x", "y"]}}),
        (["a.toml", "b.toml"], {"predictions": {"unwrap": "B", "ignore": ["z"]}}),
        (["b.toml", "a.toml"], {"predictions": {"unwrap": "A", "ignore": ["x", "y"]}}),
        (["join.missing=empty", "join.missing=drop"], {"join": {"missing": "drop"}}),
        ([{"join": {"missing": "drop"}}, "join.missing=empty"], {"join": {"missing": "empty"}}),
        (["predictions.rename.a=b", "predictions.rename.c=d", "predictions.rename.a=e"], {"predictions": {"rename": {"a": "e", "c": "d"}}}),
        (["predictions.ignore=a", "predictions.ignore=b"], {"predictions": {"ignore": ["b"]}}),
        ([{"predictions": {"rename": ["a=b"]}}, {"predictions": {"rename": "c=d"}}], {"predictions": {"rename": {"a": "b", "c": "d"}}}),
        ([{"values": {"normalize": {"a": "number"}}}, "values.normalize.b=date"], {"values": {"normalize": {"a": "number", "b": "date"}}}),
        ([{"values": {"normalize": {"a": "number"}}}, "values.normalize=nfkc"], {"values": {"normalize": "nfkc"}}),
        (["a.toml", 'predictions.unwrap=""'], {"predictions": {"ignore": ["x", "y"]}}),
        (["systems.b.rename.x=y", "predictions.rename.a=b", "predictions.unwrap=out"],
         {"predictions": {"rename": {"a": "b"}, "unwrap": "out"}, "systems": {"b": {"rename": {"a": "b", "x": "y"}}}}),
    ],
)  # fmt: skip
def test_entries_beat_files_and_later_parts_earlier_ones(parts: list[Any], expected: Any) -> None:
    file('[predictions]\nunwrap = "A"\nignore = ["x", "y"]\n', "a.toml")
    file('[predictions]\nunwrap = "B"\nignore = "z"\n', "b.toml")
    assert config_of(reading_of(parts)) == expected


def test_options_of_their_own_beat_a_configuration() -> None:
    rows = [{"total": "1,5", "day": "2024-03-01"}], [{"total": "1.5", "day": "2024-03-02"}]
    config = file('[values]\nnormalize = { total = "number" }\nmatch = { day = "similar(0.8)" }\n')

    def score(settings: Any = None) -> Any:
        return corpus.evaluate(kieval, *rows, settings, config=config)["entity_f1"]

    assert corpus.evaluate(kieval, *rows)["entity_f1"] == 0
    assert score() == 1
    assert score(kieval.Settings(normalize={"day": "date"})) == 0.5  # match is that of the file
    assert score(kieval.Settings(normalize={"day": "date"}, match={"total": "similar(0.9)"})) == 0
    lines(Path("a.jsonl"), rows[1])
    lines(Path("b.jsonl"), rows[0])
    asked = ["a.jsonl", "b.jsonl", "--config", config, "--score", "entity_f1"]
    assert run(*asked).stdout == "1.0\n"
    assert run(*asked, "--normalize", "nfkc").stdout == "0.5\n"
    assert run(*asked, "--match", "total=similar(0.9)").stdout == "0.5\n"
    assert run(*asked, "--config", "values.match.day=similar(0.99)").stdout == "0.5\n"


@pytest.mark.parametrize("family", ["kieval", "hed", "anls_star", "nted"])
def test_values_fill_the_options_that_a_family_has(family: str) -> None:
    rows = [{"total": "1,5"}], [{"total": "1.5"}]
    module = docie.load(family)
    config = {"values": {"normalize": "number", "weights": {"total": 2}, "match": "similar(0.5)"}}
    found = module.compute(predictions=rows[0], references=rows[1], config=config)
    assert "normalize:number" in found["signature"]
    results = json.loads(run("r.jsonl", "p.jsonl", "--metric", "all", "--config", "values.normalize=number", "--format", "json").stdout)  # fmt: skip
    assert "normalize:number" in results[family]["signature"]


def test_paths_are_relative_to_the_file() -> None:
    """But those of entries and mappings are relative to where docie runs."""
    Path("sub").mkdir()
    Path("sub/items.csv").write_text("id,name\nr-1,Tea\nr-2,Bun\n")
    Path("sub/names.yaml").write_text("sum: total\n")
    Path("sub/by.json").write_text('{"country": {"DE": {"total": "number"}}}')
    Path("sub/schema.json").write_text('{"properties": {"total": {"type": "number"}}}')
    Path("sub/weights.json").write_text('{"total": 3}')
    Path("t.csv").write_text("id,total\nr-1,1\nr-2,2\n")
    text = (
        '[references]\nlines = "items.csv"\n[predictions]\nrename = "names.yaml"\n[systems.b]\nlines = "items.csv"\n'
        '[values]\nnormalize_by = "by.json"\nschema = ["schema.json"]\nweights = "weights.json"\n'
    )
    reading = reading_of(file(text, "sub/docie.toml"))
    assert reading.references.lines == reading.systems["b"].lines == "sub/items.csv"
    assert reading.predictions.renamed == {"sum": "total"}
    assert reading.normalize_by == {"country": {"DE": {"total": "number"}}}
    assert reading.values == {"schema": ["sub/schema.json"], "weights": "sub/weights.json"}
    names = ["docie.toml", "items.csv", "names.yaml", "items.csv", "by.json", "schema.json", "weights.json"]
    assert sorted(files_of("sub/docie.toml")) == sorted(f"sub/{name}" for name in names)
    first = docie.read("t.csv", side="reference", config="sub/docie.toml")[0]
    assert first["document"] == {"total": "1", "items": [{"name": "Tea"}]}
    assert refusal("predictions.rename=names.yaml").endswith("rename: names.yaml: No such file or directory")
    assert reading_of("predictions.rename=sub/names.yaml").predictions.renamed == {"sum": "total"}
    absolute = file(f'[predictions]\nrename = "{Path("sub/names.yaml").absolute()}"\n', "other/docie.toml")
    assert reading_of(absolute).predictions.renamed == {"sum": "total"}


def test_no_command_writes_over_a_file_that_a_configuration_names() -> None:
    Path("sub").mkdir()
    Path("sub/names.yaml").write_text("sum: total\n")
    file('[predictions]\nunwrap = "out"\nrename = "names.yaml"\n', "sub/docie.toml")
    for path in ("sub/docie.toml", "sub/names.yaml"):
        found = run_command("check", "r.jsonl", "p.jsonl", "--config", "sub/docie.toml", "--write", path, "--force")
        assert (found.exit_code, found.stderr) == (2, f"--write {path}: this is an input, and would be overwritten\n")


def test_the_ready_names_of_a_service() -> None:
    by_file = reading_of(file('[predictions]\nrename = "textract_expense:invoices"\n', "sub/docie.toml"))
    by_entry = reading_of("predictions.rename=textract_expense:invoices")
    assert by_file == by_entry
    assert by_file.predictions.renamed["LineItems"] == "items"
    both = reading_of(["sub/docie.toml", "predictions.rename.Extra=extra"]).predictions.renamed
    assert both == {"Extra": "extra"}  # a mapping takes the place of a text


# systems


def test_systems_are_read_each_as_it_says() -> None:
    other = [{"key": row["id"], "answer": {"total": row["out"]["sum"], "items": row["out"]["lines"]}} for row in OUTPUTS]  # fmt: skip
    alike = [{"id": row["key"], **row["answer"]} for row in other]
    lines(Path("gpt-4.1.jsonl"), OUTPUTS)
    lines(Path("b.jsonl"), other)
    lines(Path("plain.jsonl"), alike)
    config = file(
        '[references]\nid = "id"\n[predictions]\nunwrap = "out"\nrename = { sum = "total", lines = "items" }\n'
        '[systems.b]\nunwrap = "answer"\nid = "key"\nrename = { x = "y" }\n[systems.plain]\nunwrap = ""\n'
    )
    paths = ["gpt-4.1.jsonl", "b.jsonl", "plain.jsonl"]
    result = run_command("compare", "r.jsonl", *paths, "--config", config, "--format", "json")
    assert result.exit_code == 0, result.stderr
    in_files = json.loads(result.stdout)["comparisons"]
    predictions = dict(zip(("gpt-4.1", "b", "plain"), (OUTPUTS, other, alike), strict=True))
    in_python = corpus.compare(kieval, predictions, REFERENCES, config=[config, "predictions.id=id", "systems.b.id=key"])  # fmt: skip
    expected = corpus.compare(kieval, dict.fromkeys(predictions, alike), REFERENCES, config=entries("id=id"))[
        "comparisons"
    ]
    for comparisons in (in_files, in_python["comparisons"]):
        assert [each["value_a"] for each in comparisons] == [each["value_a"] for each in expected]
        assert {each["difference"] for each in comparisons} == {0}
    assert "systems.b.unwrap(answer)" in in_python["signature"]


def test_systems_alone_are_a_reading() -> None:
    outputs = [row["out"] for row in OUTPUTS]
    config = {"systems": {"b": {"unwrap": "out"}}}
    found = corpus.compare(kieval, {"a": outputs, "b": OUTPUTS}, REFERENCES, config=config)
    [row] = found["comparisons"]
    assert row["value_a"] == row["value_b"]
    assert "reading:systems.b.unwrap(out)" in found["signature"]


def test_a_system_that_nobody_has_is_refused() -> None:
    message = r"^config: \[systems\] has 'gpt' \(close: 'gpt-4'\), which is not compared$"
    config = {"systems": {"gpt": {"unwrap": "out"}}}
    with pytest.raises(ValueError, match=message):
        corpus.compare(kieval, {"gpt-4": REFERENCES, "b": REFERENCES}, REFERENCES, config=config)
    lines(Path("gpt-4.jsonl"), OUTPUTS)
    result = run_command("compare", "r.jsonl", "p.jsonl", "gpt-4.jsonl", "--config", "systems.gpt.unwrap=out")
    assert (result.exit_code, result.stderr.splitlines()[-1]) == (2, f"--{message[1:-1]}".replace("\\", ""))


# entries ask for every option, whatever the texts are

TEXTS = st.one_of(
    st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=8),
    st.sampled_from(["a.b", "a b", "a=b", 'a"b', "a'b", "Größe", "", "007", "1.5", "true", "[x]", "{x}", '"x"', "'x'", "[", " x ", "\n", "\\", "$HOME", "a\\\"b=c", "x\x7fy", "é=\"", "#", "=", "-", "1e5", "1979-05-27"]),
)  # fmt: skip
NAMES = TEXTS.filter(bool)
LISTS = st.lists(NAMES, min_size=1, max_size=3, unique=True)
OLD_NAMES = NAMES.filter(lambda name: "=" not in name)
SIDE = {
    "parse": st.sampled_from(["no", "llm", "donut", "textract_expense"]),
    "unwrap": NAMES,
    "id": TEXTS,
    "strip_id": LISTS,
    "rename": st.dictionaries(OLD_NAMES, NAMES, min_size=1, max_size=3),
    "ignore": LISTS,
    "records": st.lists(st.sampled_from([*RECORDS, DATASETS[0]]), min_size=1, max_size=3, unique=True),
    "pages": NAMES,
    "failures": LISTS,
    "lines": NAMES,
}
FORMATS = st.sampled_from(["number", 'number(decimal=",")', "date(day_first=True)"])
VALUES = {
    "normalize": st.one_of(FORMATS, st.dictionaries(TEXTS, st.one_of(FORMATS, st.lists(FORMATS, min_size=2, max_size=2)), min_size=1, max_size=3)),
    "match": st.one_of(st.just("similar(0.9)"), st.dictionaries(TEXTS, st.just("within(1%)"), min_size=1, max_size=3)),
    "normalize_by": st.dictionaries(NAMES, st.dictionaries(TEXTS, st.dictionaries(TEXTS, FORMATS, max_size=2), min_size=1, max_size=2), min_size=1, max_size=1),
    "weights": st.dictionaries(TEXTS, st.one_of(st.integers(0, 9), st.floats(0, 9)), min_size=1, max_size=3),
    "schema": st.dictionaries(st.just("properties"), st.dictionaries(NAMES, st.fixed_dictionaries({"type": st.just("number"), "nullable": st.booleans(), "maximum": st.integers()}), min_size=1, max_size=2), min_size=1),
}  # fmt: skip


def section(options: dict[str, Any]) -> st.SearchStrategy[dict[str, Any]]:
    return st.fixed_dictionaries({}, optional=options)


CONFIGS = st.fixed_dictionaries(
    {},
    optional={
        "references": section(SIDE),
        "predictions": section(SIDE),
        "systems": st.dictionaries(NAMES, section(SIDE), max_size=2),
        "join": section({"missing": st.sampled_from(["empty", "drop"]), "extra": st.just("drop")}),
        "values": section(VALUES),
    },
)


def asked(reading: Reading) -> tuple[Any, ...]:
    """All of a reading: systems that say nothing of their own are left out."""
    systems = {name: how for name, how in reading.systems.items() if how != reading.predictions}
    return reading, systems, reading.values


@given(CONFIGS)
def test_entries_ask_for_what_they_were_made_from(config: dict[str, Any]) -> None:
    reading = reading_of(config)
    found = entries_of(options_of_config(config_of(reading)))
    assert asked(reading_of(found)) == asked(reading), found
    assert asked(reading_of(config_of(reading))) == asked(reading)
    alone = entries_of(reading.options)  # as errors and findings name them
    assert reading_of(alone) == reading, alone


def test_entries_pass_through_a_shell() -> None:
    names = ["a.b", "a b", 'a"b', "a'b", "Größe", "$HOME", "`id`", "a\\b", "*", "a;b", '\\"='[:-1], "!x", "#"]
    config = {
        "predictions": {"rename": {name: f"new {name}" for name in names}, "ignore": names, "unwrap": "a=b", "id": ""},
        "values": {"normalize": dict.fromkeys(names, 'number(decimal=",")')},
        "systems": {"gpt-4.1 mini": {"unwrap": "[x]"}},
    }
    expected = reading_of(config)
    arguments = shlex.join(configured(*entries_of(options_of_config(config_of(expected)))))
    script = "import json, sys; print(json.dumps(sys.argv[2::2]))"
    printed = subprocess.run(
        f"{shlex.quote(sys.executable)} -c {shlex.quote(script)} {arguments}",
        shell=True,
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert asked(reading_of(json.loads(printed))) == asked(expected)


@pytest.mark.parametrize(
    ("entry", "value"),
    [
        ("predictions.unwrap=output.data", "output.data"),
        ("predictions.unwrap=a=b", "a=b"),
        ("predictions.unwrap= x ", "x"),
        ("predictions.unwrap=' x '", " x "),
        ('predictions.unwrap="a\\nb"', "a\nb"),
        ("predictions.unwrap=007", "007"),
        ("predictions.unwrap=true", "true"),
        ("predictions.unwrap=[", "["),
        ("predictions.unwrap=", ""),
        ('predictions."unwrap"=x', "x"),
        (" predictions . unwrap = x", "x"),
        ("predictions={ unwrap = 'x' }", "x"),
    ],
)
def test_values_of_entries_are_texts_unless_they_begin_as_toml(entry: str, value: str) -> None:
    assert reading_of(entry).predictions.unwrap == value


def test_numbers_of_entries() -> None:
    assert reading_of(["values.weights.total=2", 'values.weights."a b"=0.5']).values == {"weights": {"total": 2, "a b": 0.5}}  # fmt: skip


def test_a_file_whose_name_looks_like_an_entry_is_read() -> None:
    file('[predictions]\nunwrap = "x"\n', "predictions.unwrap=y")
    assert reading_of("predictions.unwrap=y").predictions.unwrap == "x"
