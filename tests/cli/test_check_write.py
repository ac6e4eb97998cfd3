"""`docie check --write FILE`: a `docie.toml` with which `docie score` gives the score that the findings foretold."""

from __future__ import annotations

import json
import shlex
import tomllib
from pathlib import Path
from typing import Any

import pytest
from configured import configured

import docie
from docie import corpus, kieval
from docie.inputs.config import reading_of

from cli_runs import commands_of, lines, run, run_command

NAMES = ["Latte", "Bagel", "Mocha", "Scone", "Tea", "Bun", "Cake", "Pie"]
DOCUMENTS: list[Any] = [
    {"vendor": f"Kedai {n}", "day": f"2024-03-{n + 11}", "total_amount": f"{n}744.50", "items": [{"name": NAMES[n]}, {"name": NAMES[n - 1]}]}
    for n in range(8)
]  # fmt: skip


def other(row: Any, **changes: Any) -> Any:
    names = {"total_amount": "total amount", "items": "lines"}
    return {names.get(key, key): changes.get(key, value) for key, value in row.items()}


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    lines(Path("r.jsonl"), [{"id": f"a-{n}.pdf", **row} for n, row in enumerate(DOCUMENTS)])
    rows: list[Any] = [{"id": f"a-{n}", "out": {"data": other(row)}} for n, row in enumerate(DOCUMENTS)]
    rows[3]["out"]["data"]["vendor"] = "nobody"
    lines(Path("p.jsonl"), rows)


def check(*arguments: str, references: str = "r.jsonl", predictions: str = "p.jsonl") -> list[str]:
    """The lines that check prints, with findings."""
    result = run_command("check", references, predictions, *arguments)
    assert (result.exit_code, result.stderr) == (1, ""), result.stderr
    return list(result.stdout.splitlines())


def foretold(*arguments: str, references: str = "r.jsonl", predictions: str = "p.jsonl") -> Any:
    result = run_command("check", references, predictions, *arguments, "--format", "json")
    return json.loads(result.stdout)["findings"][-1]["after"]


def score(*arguments: str, references: str = "r.jsonl", predictions: str = "p.jsonl") -> float:
    result = run(references, predictions, *arguments, "--score", "entity_f1")
    assert result.exit_code == 0, result.stderr
    return float(result.stdout)


def rows_of(path: str) -> list[Any]:
    return [json.loads(line) for line in Path(path).read_text().splitlines()]


def active(path: str) -> Any:
    return tomllib.loads(Path(path).read_text(encoding="utf-8"))


def test_the_file_gives_the_score_that_was_foretold() -> None:
    *_, last = check("--write", "docie.toml")
    assert last == "docie score r.jsonl p.jsonl --config docie.toml"
    config = active("docie.toml")
    assert config["version"] == 1
    assert config["predictions"]["unwrap"] == "out.data"
    assert config["predictions"]["rename"] == {"lines": "items", "total amount": "total_amount"}
    assert config["references"]["strip_id"] == config["predictions"]["strip_id"] == "ending"
    assert score("--config", "docie.toml") == foretold() == 39 / 40
    text = Path("docie.toml").read_text()
    assert text.startswith("# How 8 references and 8 predictions were written, as docie check found it.\nversion = 1\n")
    assert "\n[predictions]\n" in text
    assert "entity F1" in text
    assert "# Lines that are comments" not in text
    assert run_command("check", "r.jsonl", "p.jsonl", "--config", "docie.toml").exit_code == 0
    rows = rows_of("p.jsonl"), rows_of("r.jsonl")
    assert corpus.evaluate(kieval, *rows, config="docie.toml")["entity_f1"] == 39 / 40
    found = docie.check(references=rows[1], predictions=rows[0])
    assert reading_of(found.config) == reading_of("docie.toml")


def test_a_file_is_replaced_with_force_only() -> None:
    Path("docie.toml").write_text("mine")
    result = run_command("check", "r.jsonl", "p.jsonl", "--write", "docie.toml")
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == "--write docie.toml: it exists; --force replaces it\n"
    assert Path("docie.toml").read_text() == "mine"
    check("--write", "docie.toml", "--force")
    assert active("docie.toml")["version"] == 1
    result = run_command("check", "r.jsonl", "p.jsonl", "--force")
    assert (result.exit_code, result.stderr) == (2, "--force needs --write\n")


def test_nothing_is_written_without_findings() -> None:
    lines(Path("same.jsonl"), rows_of("r.jsonl"))
    result = run_command("check", "r.jsonl", "same.jsonl", "--write", "docie.toml")
    assert result.exit_code == 0
    assert result.stderr == "docie.toml: not written, as no option changes anything\n"
    assert not Path("docie.toml").exists()
    result = run_command("check", "r.jsonl", "p.jsonl", "--write", "nowhere/docie.toml")
    assert (result.exit_code, result.stderr) == (2, "nowhere/docie.toml: cannot be written (No such file or directory)\n")  # fmt: skip


def test_what_decides_what_is_scored_is_a_comment() -> None:
    """A person removes the mark; with all of them removed, the score is the one that was foretold."""
    rows = [{"id": f"a-{n}", **other(row)} for n, row in enumerate(DOCUMENTS)]
    lines(Path("p.jsonl"), rows[:6])
    lines(Path("r.jsonl"), [{"id": f"a-{n}", **row} for n, row in enumerate(DOCUMENTS)])
    *_, last = check("--write", "docie.toml")
    assert "missing" not in active("docie.toml").get("join", {})
    text = Path("docie.toml").read_text()
    assert "\n# A key behind a # changes what is scored, or what counts as equal: remove the # if you agree.\n" in text
    assert '\n# missing = "drop"' in text or '\n# missing = "empty"' in text
    assert active("docie.toml")["predictions"]["rename"]["lines"] == "items"
    assert run("r.jsonl", "p.jsonl", "--config", "docie.toml").exit_code == 2  # nobody has decided yet
    command = shlex.split(last.removeprefix("docie score "))
    assert command[2:4] == ["--config", "docie.toml"]
    assert float(run(*command, "--score", "entity_f1").stdout) == foretold()
    decided = [line.removeprefix("# ") if " = " in line and line.startswith("# ") and "(" not in line else line for line in text.splitlines()]  # fmt: skip
    Path("docie.toml").write_text("\n".join(decided))
    assert score("--config", "docie.toml") == foretold()


def test_what_is_ignored_is_a_comment() -> None:
    numbered = [{"file_name": f"scan-{n}", **row} for n, row in enumerate(DOCUMENTS)]
    lines(Path("r.jsonl"), numbered)
    lines(Path("p.jsonl"), [*map(other, DOCUMENTS)])
    check("--write", "docie.toml")
    text = Path("docie.toml").read_text()
    assert "# ignore = " in text
    assert "ignore" not in active("docie.toml").get("references", {})
    # an `ignore` that was given stays, and what was found beside it is the comment
    lines(Path("r.jsonl"), [{"note": "n", **row} for row in numbered])
    check("--config", "references.ignore=note", "--write", "docie.toml", "--force")
    assert active("docie.toml")["references"]["ignore"] == "note"
    assert '# ignore = ["note", "file_name"]' in Path("docie.toml").read_text()


def test_formats_that_may_be_other_values_are_comments() -> None:
    wanted = [{"total": f"{n}744.50", "no": f"{n}.240"} for n in range(11, 31)]
    got = [{"total": f"{n},744.50", "no": f"{n}.24"} for n in range(11, 31)]
    got[0]["total"], wanted[0]["total"] = "11.000", "11"
    lines(Path("r.jsonl"), wanted)
    lines(Path("p.jsonl"), got)
    rows = docie.check(references=wanted, predictions=got)
    uncertain = [finding for finding in rows if finding.config and not finding.is_certain]
    check("--write", "docie.toml")
    normalize = active("docie.toml").get("values", {}).get("normalize", {})
    for finding in rows:
        for name in finding.config.get("values.normalize", {}):
            assert (name in normalize) == finding.is_certain
    text = Path("docie.toml").read_text()
    assert text.count("# normalize.") == len({name for each in uncertain for name in each.config["values.normalize"]})


def test_what_was_given_stays() -> None:
    Path("sub").mkdir()
    Path("sub/weights.json").write_text('{"total_amount": 2}')
    Path("sub/docie.toml").write_text(
        '[predictions]\nunwrap = "out.data"\nrename = { lines = "items" }\n[join]\nmissing = "empty"\n'
        '[values]\nnormalize = { vendor = "casefold" }\nweights = "weights.json"\n'
    )
    given = ["--config", "sub/docie.toml"]
    Path("new").mkdir()
    *_, last = check(*given, "--write", "new/docie.toml")
    assert last == "docie score r.jsonl p.jsonl --config new/docie.toml"
    config = active("new/docie.toml")
    assert config["predictions"]["rename"] == {"lines": "items", "total amount": "total_amount"}
    assert config["join"] == {"missing": "empty"}
    assert config["values"]["normalize"]["vendor"] == "casefold"
    assert config["values"]["weights"] == "../sub/weights.json"  # as the new file sees it
    assert reading_of("new/docie.toml").values["weights"] == "new/../sub/weights.json"
    assert score("--config", "new/docie.toml") == foretold(*given) == 39 / 40


def test_given_systems_stay() -> None:
    config = configured('systems."gpt-4.1 mini".unwrap=x')
    check(*config, "--write", "docie.toml")
    assert active("docie.toml")["systems"] == {"gpt-4.1 mini": {"unwrap": "x"}}


@pytest.mark.parametrize("name", ["line items", "a.b", 'a"b', "a'b", "Größe", "x#y", "\u007fdel", "a\\b", "[x]", "1"])
def test_names_of_every_sort_are_written(name: str) -> None:
    lines(Path("r.jsonl"), DOCUMENTS)
    lines(Path("p.jsonl"), [{name if key == "items" else key: value for key, value in row.items()} for row in DOCUMENTS])  # fmt: skip
    check("--write", "docie.toml")
    assert score("--config", "docie.toml") == foretold() == 1
    for command in commands_of("\n".join(check("--write", "docie.toml", "--force"))):
        assert float(run(*command[1:], "--score", "entity_f1").stdout) == 1


def test_what_check_tells_of_names_with_blanks_can_be_typed(tmp_path: Path) -> None:
    references = lines(tmp_path / "r.jsonl", [{"a": "1", "items": [{"n": f"N{n}"}]} for n in range(6)])
    predictions = lines(tmp_path / "p.jsonl", [{"a": "1", "line items": [{"n": f"N{n}"}]} for n in range(6)])
    told = run(references, predictions).stderr
    assert "of types that no reference has: 'line items.n'" in told
    assert told.endswith("; docie check searches for the reason\n")
    first, second = commands_of("\n".join(check(references=references, predictions=predictions)))
    run_command(*first)
    assert active("docie.toml")["predictions"]["rename"] == {"line items": "items"}
    assert run_command(*second, "--score", "entity_f1").stdout == "1.0\n"


def test_what_is_told_is_no_reason_to_stop() -> None:
    """The exit code is that of what the file changes by itself."""
    documents = [{"day": f"2024-03-{day}", "total": f"{day}.50"} for day in range(10, 22)]
    lines(Path("r.jsonl"), documents)
    lines(Path("p.jsonl"), [{**row, "note": "paid"} for row in documents])
    told = run_command("check", "r.jsonl", "p.jsonl")
    assert (told.exit_code, "the predictions have 1 type that no reference has" in told.stdout) == (0, True)
    lines(Path("p.jsonl"), [{"day": row["day"], "sum": row["total"], "note": "paid"} for row in documents])
    assert run_command("check", "r.jsonl", "p.jsonl", "--write", "docie.toml").exit_code == 1
    assert run_command("check", "r.jsonl", "p.jsonl", "--config", "docie.toml").exit_code == 0
    lines(Path("r.jsonl"), [{"id": f"a-{n}", **row} for n, row in enumerate(documents)])
    lines(Path("p.jsonl"), [{"id": f"a-{n}", **row} for n, row in enumerate(documents[:9])])
    assert run_command("check", "r.jsonl", "p.jsonl").exit_code == 1  # docie score refuses it
