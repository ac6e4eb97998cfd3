"""docie check: what it prints, its exit codes, and findings whose options give the scores that they name."""

from __future__ import annotations

import csv
import gzip
import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from configured import configured

import docie
from docie.inputs.fit.change import arguments_of
from docie.inputs.reading import Side

from cli_runs import commands_of, lines, run_command
from table_writers import html_of, markdown_of

COUNTRIES = ("DE", "US", "DE", "US", "DE", "US")
ITEMS = [[("Latte", "4.50")], [("Bagel", "3.25"), ("Mocha", "5.75")], [("Scone", "2.15"), ("Tea", "1.85")]]
DOCUMENTS: list[Any] = [
    {
        "vendor": {"name": f"Cafe {city}", "city": city},
        "day": f"2024-03-{day}",
        "line_items": [{"name": name, "price": price} for name, price in ITEMS[number % 3]],
        "total_amount": f"1{number}24.50",
    }
    for number, (city, day) in enumerate(
        zip(("Ulm", "Bonn", "Jena", "Kiel", "Gera", "Trier"), range(21, 27), strict=True)
    )
]
READ: list[Any] = [{**DOCUMENTS[0], "total_amount": "9.99"}, *DOCUMENTS[1:]]
"""What a model reads: one of 44 values is incorrect."""
SCORE = 43 / 44
Rows = list[Any]


def with_ids(rows: Rows, key: str = "id", text: str = "doc-{}") -> Rows:
    return [{key: text.format(number), **row} for number, row in enumerate(rows)]


def each(change: Callable[[Any], Any], rows: Rows = READ) -> Rows:
    return [change(row) for row in rows]


def with_items(change: Callable[[Any], Any], rows: Rows = READ) -> Rows:
    return [{**row, "line_items": change(row["line_items"])} for row in rows]


def columns(items: Rows) -> Any:
    return {key: [item[key] for item in items] for key in items[0]}


def cells(items: Rows) -> Any:
    return [list(item.values()) for item in items]


def numbered(items: Rows) -> Any:
    return {str(number): item for number, item in enumerate(items, 1)}


def titled(value: Any) -> Any:
    """A document whose names are capitalized."""
    if isinstance(value, dict):
        return {key.title(): titled(child) for key, child in value.items()}
    return [titled(child) for child in value] if isinstance(value, list) else value


def dotted(row: Any) -> Any:
    flat = {f"vendor.{key}": text for key, text in row["vendor"].items()}
    return flat | {key: child for key, child in row.items() if key != "vendor"}


def printed(amount: str, country: str) -> str:
    text = f"{float(amount):,.2f}"
    return text.translate(str.maketrans(",.", ".,")) if country == "DE" else text


LOCAL = [{**row, "total_amount": printed(row["total_amount"], land)} for row, land in zip(READ, COUNTRIES, strict=True)]
REPORTS = [{"error": "timeout"} if number in (1, 4) else row for number, row in enumerate(READ)]

CASES: dict[str, tuple[Any, Any, float | None]] = {
    "other order in one object": ({"documents": with_ids(DOCUMENTS)}, {"documents": with_ids(READ)[::-1]}, SCORE),
    "JSON text beside an image": (
        [{"image": f"{number}.png", "ground_truth": json.dumps(row)} for number, row in enumerate(DOCUMENTS)], READ, SCORE,
    ),
    "columns of the row": (
        with_ids(DOCUMENTS), [{"id": f"doc-{n}", "document": row, "latency": n / 7} for n, row in enumerate(READ)], SCORE,
    ),
    "a file name beside the fields": (with_ids(DOCUMENTS, "file_name"), READ, SCORE),
    "another key of ids": (with_ids(DOCUMENTS), with_ids(READ, "custom_id")[::-1], SCORE),
    "a file ending": (with_ids(DOCUMENTS), with_ids(READ, text="scans/doc-{}.pdf")[::-1], SCORE),
    "_gt and _pred": (with_ids(DOCUMENTS, text="{}_gt"), with_ids(READ, text="{}_pred")[::-1], SCORE),
    "predictions without references": (with_ids(DOCUMENTS)[:5], with_ids(READ), None),
    "a renamed group": (DOCUMENTS, each(lambda row: {"lines" if key == "line_items" else key: child for key, child in row.items()}), SCORE),
    "a renamed field": (DOCUMENTS, each(lambda row: {"total" if key == "total_amount" else key: child for key, child in row.items()}), SCORE),
    "capitals": (DOCUMENTS, each(lambda row: {key.title(): child for key, child in row.items()}), SCORE),
    "underscores for dots": (DOCUMENTS, each(lambda row: {key.replace(".", "_"): child for key, child in dotted(row).items()}), SCORE),
    "numbered items": (DOCUMENTS, with_items(numbered), SCORE),
    "columns": (DOCUMENTS, with_items(columns), SCORE),
    "cells": (DOCUMENTS, with_items(cells), SCORE),
    "cells with a header": (DOCUMENTS, with_items(lambda items: [list(items[0]), *cells(items)]), SCORE),
    "columns on both": (with_items(columns, DOCUMENTS), with_items(columns), SCORE),
    "JSON text": (DOCUMENTS, with_items(json.dumps), SCORE),
    "HTML tables": (DOCUMENTS, with_items(html_of), SCORE),
    "Markdown tables": (DOCUMENTS, with_items(markdown_of), SCORE),
    "HTML and Markdown tables": (with_items(html_of, DOCUMENTS), with_items(markdown_of), SCORE),
    "dotted keys": (DOCUMENTS, each(dotted), SCORE),
    "a key around the document": (DOCUMENTS, each(lambda row: {"output": {"data": row}}), SCORE),
    "reports of failures": (DOCUMENTS, REPORTS, None),
    "amounts of two countries": (DOCUMENTS, LOCAL, SCORE),
    "a key around, and a renamed group": (
        DOCUMENTS, each(lambda row: {"output": {"lines" if key == "line_items" else key: child for key, child in row.items()}}), SCORE,
    ),
}  # fmt: skip
"""References, predictions and the score that was meant; None where it is another than that of all documents."""
KINDS = {"join", "unwrap", "rename", "records", "format", "failures"}


def written(folder: Path, references: Any, predictions: Any) -> list[str]:
    """The paths of references and predictions: JSON Lines, or one object."""
    paths = []
    for name, content in (("references", references), ("predictions", predictions)):
        path = folder / f"{name}.json"
        if isinstance(content, list):
            lines(path.with_suffix(".jsonl"), content)
            path = path.with_suffix(".jsonl")
        else:
            path.write_text(json.dumps(content), encoding="utf-8")
        paths.append(str(path))
    return paths


def checked(*arguments: str, stdin: str | None = None) -> tuple[int, dict[str, Any]]:
    """The exit code and the JSON of a check that finds input to read."""
    result = run_command("check", *arguments, "--format", "json", stdin=stdin)
    assert (result.exit_code, result.stderr) in ((0, ""), (1, ""))
    return result.exit_code, json.loads(result.stdout)


def score_of(*arguments: str) -> float | None:
    """What docie score prints; None if it refuses the input."""
    result = run_command("score", *arguments, "--metric", "kieval", "--score", "entity_f1")
    return float(result.stdout) if result.exit_code == 0 else None


def test_the_cases_have_one_incorrect_value(tmp_path: Path) -> None:
    assert score_of(*written(tmp_path, DOCUMENTS, READ)) == SCORE


@pytest.mark.parametrize("name", CASES)
def test_options_of_findings_give_the_score_after_them(name: str, tmp_path: Path) -> None:
    references, predictions, meant = CASES[name]
    paths = written(tmp_path, references, predictions)
    code, report = checked(*paths)
    findings = report["findings"]
    asked = [option for finding in findings for option in finding["options"][1::2]]
    assert code == any(".ignore=" not in option for option in asked)  # which a person decides on
    assert findings[0]["before"] == score_of(*paths)
    options: list[str] = []
    for finding, following in zip(findings, [*findings[1:], None], strict=True):
        assert finding["kind"] in KINDS
        options += finding["options"]
        assert finding["after"] == score_of(*paths, *options)
        assert following is None or following["before"] == finding["after"]
    assert meant in (None, findings[-1]["after"])


@pytest.mark.parametrize("name", CASES)
def test_after_all_changes_there_is_nothing_left(name: str, tmp_path: Path) -> None:
    """The options of findings are options of check, too."""
    paths = written(tmp_path, *CASES[name][:2])
    found = checked(*paths)[1]["findings"]
    options = [option for finding in found for option in finding["options"]]
    assert checked(*paths, *options)[1]["findings"] == []


def test_json_has_the_keys_of_the_contract(tmp_path: Path) -> None:
    code, report = checked(*written(tmp_path, *CASES["a renamed group"][:2]))
    assert code == 1
    assert report == {
        "references": {"documents": 6, "ids": None, "types": 6, "groups": ["line_items", "vendor"], "values": 44},
        "predictions": {"documents": 6, "ids": None, "types": 6, "groups": ["lines", "vendor"], "values": 44},
        "findings": [
            {
                "kind": "rename",
                "options": ["--config", "predictions.rename.lines=line_items"],
                "values": 20,
                "before": pytest.approx(23 / 44),
                "after": pytest.approx(43 / 44),
                "text": "the predictions have other names than the references: 'lines' for 'line_items'",
            }
        ],
    }


def test_a_score_that_cannot_be_had_is_null(tmp_path: Path) -> None:
    report = checked(*written(tmp_path, *CASES["a file ending"][:2]))[1]
    [finding] = report["findings"]
    assert (finding["kind"], finding["before"], finding["after"]) == ("join", None, SCORE)


def test_what_people_see(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    written(Path(), *CASES["a key around, and a renamed group"][:2])
    result = run_command("check", "references.jsonl", "predictions.jsonl")
    assert result.exit_code == 1
    assert result.stdout.splitlines() == [
        "references: 6 documents, 6 types, 44 values; predictions: 6, 6, 44",
        "entity_f1 0.0000 as written, 0.9773 with these changes:",
        "  1  +0.5227  the documents of the predictions stand under 'output'",
        "  2  +0.4545  the predictions have other names than the references: 'lines' for",
        "              'line_items'",
        "",
        "docie check references.jsonl predictions.jsonl --write docie.toml;",
        "docie score references.jsonl predictions.jsonl --config docie.toml",
    ]
    check, score = commands_of(result.stdout)
    assert run_command(*check).exit_code == 1
    assert json.loads(run_command(*score, "--score", "entity_f1").stdout) == SCORE
    assert commands_of(run_command(*check[:3]).stdout)[1][-1] == "docie-2.toml", "a file is never replaced"


def test_what_no_option_mends_comes_last(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    wanted = [{"total": f"{number}744.50", "code": f"A{number}", "kind": "x"} for number in range(31, 41)]
    got = [
        {"total": f"{number}744,50", "code": f"No. A{number}", "kind": "x", "note": "paid"} for number in range(31, 41)
    ]
    printed = run_command("check", *written(tmp_path, wanted, got)).stdout.splitlines()
    assert printed[2:7] == [
        "  1  +0.2857  values of 'total' are the same in a different format: '31744,50' for '31744.50'",
        "Left to you, as an option changes what is scored:",
        "  2  +0.0952  the predictions have 1 type that no reference has ('note'): 10 values, counted as spurious. Ignore them only if "
        "no reference was meant to have them: they may as well be inventions",
        "              (--config predictions.ignore=note)",
        "No option is proposed for these, the data or the model has to change:",
    ]
    assert printed[7].startswith("  3  10 values  the values of 'code' in the predictions have 'no.' beside those")
    found = docie.check(references=wanted, predictions=got)
    assert [each.get("example") for each in found.to_dict()["findings"]] == [["31744,50", "31744.50"], None, None]


def test_no_differences(tmp_path: Path) -> None:
    paths = written(tmp_path, with_ids(DOCUMENTS), with_ids(READ))
    result = run_command("check", *paths)
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout.splitlines() == [
        "references: 6 documents, 6 types, 44 values; predictions: 6, 6, 44",
        "No differences found. Entity F1 is 0.9773.",
    ]
    assert checked(*paths)[1]["findings"] == []


@pytest.mark.parametrize("output", ["markdown", "latex"])
def test_other_formats(output: str, tmp_path: Path) -> None:
    result = run_command("check", *written(tmp_path, *CASES["a renamed field"][:2]), "--format", output)
    assert (result.exit_code, result.stderr) == (1, "")
    assert "the predictions have other names than the references" in result.stdout


def test_ambiguous_amounts_are_counted(tmp_path: Path) -> None:
    wanted = [{"total": f"{number}744000"} for number in range(31, 41)] + [{"total": "9019"}] * 6
    got = [{"total": f"{number} 744 000"} for number in range(31, 41)] + [{"total": "9,019"}] * 6
    form, ambiguous = checked(*written(tmp_path, wanted, got))[1]["findings"]
    assert (form["options"], form["values"]) == (["--config", "values.normalize.total=number"], 10)
    assert (ambiguous["kind"], ambiguous["options"], ambiguous["values"]) == ("ambiguous", [], 6)
    assert ambiguous["text"] == (
        "6 values can be read in two ways ('9,019' and '9019', say) and were left as text: number(decimal=\",\"), "
        "date(day_first=True) and values.normalize_by say how they are meant"
    )
    assert ambiguous["before"] == ambiguous["after"] == form["after"] == 10 / 16


def test_amounts_that_others_of_their_type_decide_are_not_ambiguous(tmp_path: Path) -> None:
    wanted = [{"total": f"{number}744.50"} for number in range(31, 41)] + [{"total": "9019"}] * 6
    got = [{"total": f"{number},744.50"} for number in range(31, 41)] + [{"total": "9,019"}] * 6
    [finding] = checked(*written(tmp_path, wanted, got))[1]["findings"]
    assert finding["options"] == ["--config", 'values.normalize.total=number(decimal=".")']
    assert (finding["kind"], finding["values"], finding["after"]) == ("format", 16, 1)


# where rows come from


def test_standard_input(tmp_path: Path) -> None:
    references, predictions = CASES["columns of the row"][:2]
    paths = written(tmp_path, references, predictions)
    expected = checked(*paths)
    for place in (0, 1):
        arguments = [*paths]
        arguments[place] = "-"
        assert checked(*arguments, stdin=Path(paths[place]).read_text(encoding="utf-8")) == expected


def test_the_same_stream_twice(tmp_path: Path) -> None:
    rows = [{"reference": row, "prediction": row} for row in DOCUMENTS]
    text = Path(written(tmp_path, rows, READ)[0]).read_text(encoding="utf-8")
    code, report = checked("-", "-", stdin=text)
    assert (code, report["findings"]) == (0, [])
    assert report["references"] == report["predictions"]


def test_folders_are_joined_by_the_names_of_files(tmp_path: Path) -> None:
    for name, rows, ending in (("references", DOCUMENTS, ""), ("predictions", READ, "_pred")):
        (tmp_path / name).mkdir()
        for number, row in enumerate(rows):
            (tmp_path / name / f"doc-{number}{ending}.json").write_text(json.dumps(row))
    paths = [str(tmp_path / name) for name in ("references", "predictions")]
    code, report = checked(*paths)
    assert (code, report["references"]["ids"]) == (1, "")
    [finding] = report["findings"]
    assert (finding["options"], finding["after"]) == (configured("strip_id=_pred"), SCORE)
    assert score_of(*paths, *finding["options"]) == SCORE


@pytest.mark.parametrize("name", ["a renamed group", "columns of the row", "dotted keys", "reports of failures"])
def test_partitions_have_the_findings_of_a_file(name: str, tmp_path: Path) -> None:
    references, predictions = CASES[name][:2]
    expected = checked(*written(tmp_path, references, predictions))
    for side, rows in (("r", references), ("p", predictions)):
        (tmp_path / side).mkdir()
        for number in range(3):
            part = "".join(json.dumps(row) + "\n" for row in rows[2 * number : 2 * number + 2])
            (tmp_path / side / f"part-{number}.jsonl.gz").write_bytes(gzip.compress(part.encode()))
    assert checked(str(tmp_path / "r"), str(tmp_path / "p")) == expected


@pytest.mark.parametrize("name", [name for name in CASES if not name.startswith("other order")])
def test_python_has_the_findings_of_the_command_line(name: str, tmp_path: Path) -> None:
    references, predictions = CASES[name][:2]
    paths = written(tmp_path, references, predictions)
    report = checked(*paths)[1]
    for given in ([references, predictions], map(Path, paths)):
        found = docie.check(**dict(zip(("references", "predictions"), given, strict=True)))
        assert found.to_dict() == report
        assert len(found) == len(report["findings"])
    assert f"{found}\n" == run_command("check", *paths).stdout
    if predictions != REPORTS and len(references) == len(predictions):
        score = docie.corpus.evaluate(docie.kieval, predictions, references, config=found.config)["entity_f1"]
        assert score == report["findings"][-1]["after"]


@pytest.mark.parametrize(
    "name", ["a renamed group", "columns of the row", "another key of ids", "amounts of two countries"]
)
def test_frames_have_the_findings_of_rows(name: str) -> None:
    pandas = pytest.importorskip("pandas")
    references, predictions = CASES[name][:2]
    found = docie.check(references=pandas.DataFrame(references), predictions=pandas.DataFrame(predictions))
    assert found.to_dict() == docie.check(references=references, predictions=predictions).to_dict()


def test_rows_are_joined_by_their_ids() -> None:
    found = docie.check(references=with_ids(DOCUMENTS), predictions=iter(with_ids(READ)[::-1]))
    assert (found.references.ids, found.score, found.findings) == ("id", SCORE, [])
    assert str(found).splitlines()[-1] == "No differences found. Entity F1 is 0.9773."


def test_what_asks_for_all_changes() -> None:
    references, predictions = CASES["a key around, and a renamed group"][:2]
    found = docie.check(references=references, predictions=predictions, matching="greedy")
    assert str(found).splitlines()[-1] == (
        "config=['predictions.unwrap=output', 'predictions.rename.lines=line_items']"
    )
    assert "|matching:greedy|" in found.signature


def test_other_options_are_those_of_the_score(tmp_path: Path) -> None:
    paths = written(tmp_path, *CASES["a renamed group"][:2])
    printed = run_command(
        "check", *paths, "--option", "matching=greedy", "--option", 'ontology=["total_amount", "lines"]'
    )
    for command in commands_of(printed.stdout):
        assert command[3:7] == ["--option", "matching=greedy", "--option", 'ontology=["total_amount", "lines"]']


def test_findings_are_rows_for_spreadsheets(tmp_path: Path) -> None:
    paths = written(tmp_path, *CASES["a renamed group"][:2])
    result = run_command("check", *paths, "--format", "csv")
    assert result.exit_code == 1
    heading, row = csv.reader(io.StringIO(result.stdout))
    [finding] = checked(*paths)[1]["findings"]
    assert heading == [*finding]
    assert (row[0], json.loads(row[1]), float(row[4])) == ("rename", finding["options"], finding["after"])
    docie.write(docie.check(references=DOCUMENTS, predictions=READ), tmp_path / "none.csv")
    assert (tmp_path / "none.csv").read_text() == ",".join(heading) + "\n"


def test_a_page(tmp_path: Path) -> None:
    pytest.importorskip("jinja2")
    references, predictions = CASES["a renamed group"][:2]
    docie.write(docie.check(references=references, predictions=predictions), tmp_path / "check.html", title="<Check>")
    page = (tmp_path / "check.html").read_text(encoding="utf-8")
    assert "<title>&lt;Check&gt;" in page
    assert "the predictions have other names than the references: &#39;lines&#39; for &#39;line_items&#39;" in page


# bad input


@pytest.mark.parametrize(
    ("rows", "kind"),
    [
        ({"words": ["7.50", "EUR"], "tags": ["B-total", "O"]}, "tagged words"),
        (["B-total", "O"], "tags"),
        ([{"label": "total", "box": [0, 0, 1, 1]}], "labelled boxes"),
        ([{"category": "total", "text": "7.50"}], "lists of entities"),
        ({"attacks": {"none": {"total": "7.50"}}}, "forms with attacked versions"),
    ],
)
def test_what_is_no_document_is_refused(rows: Any, kind: str, tmp_path: Path) -> None:
    message = f"docie check reads documents, but these are {kind}"
    result = run_command("check", *written(tmp_path, [rows] * 3, [rows] * 3))
    assert (result.exit_code, result.stdout, result.stderr) == (2, "", f"{message}\n")
    with pytest.raises(ValueError, match=f"^{message}$"):
        docie.check(references=[rows] * 3, predictions=[rows] * 3)


@pytest.mark.parametrize(
    ("files", "message"),
    [
        (("", '{"a": "1"}'), "r.jsonl: no documents"),
        (('{"a": "1"}', "\n\n"), "p.jsonl: no documents"),
        (('{"a": "1"}', "sorry"), "p.jsonl:1: not a JSON object (Expecting value: column 1)"),
        (("null", "null"), "r.jsonl:1: reference must be a JSON object, got null"),
        (('{"a": "1"}\n{"a": "2"}', '{"a": "1"}'), "expected as many predictions as references, got 1 and 2"),
        ((None, '{"a": "1"}'), "r.jsonl: No such file or directory"),
    ],
)
def test_bad_input(
    files: tuple[str | None, str], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name, text in zip(("r.jsonl", "p.jsonl"), files, strict=True):
        if text is not None:
            Path(name).write_text(text)
    result = run_command("check", "r.jsonl", "p.jsonl")
    assert (result.exit_code, result.stdout, result.stderr) == (2, "", f"{message}\n")


def test_one_file_that_has_only_one_side(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    lines(Path("r.jsonl"), with_ids(DOCUMENTS))
    result = run_command("check", "r.jsonl", "r.jsonl")
    message = (
        "r.jsonl: given as references and predictions, but each row has one document; if they have two, say where: "
    )
    assert (result.exit_code, result.stderr) == (
        2,
        f"{message}--config references.unwrap=KEY --config predictions.unwrap=KEY\n",
    )
    rows = [{"reference": row, "prediction": other} for row, other in zip(DOCUMENTS, READ, strict=True)]
    both = str(lines(Path("both.jsonl"), rows))
    assert run_command("check", both, both).exit_code == 0
    rows = [{"gt": row, "pred": other} for row, other in zip(DOCUMENTS, READ, strict=True)]
    both = str(lines(Path("keys.jsonl"), rows))
    assert (
        run_command(
            "check", both, both, "--config", "references.unwrap=gt", "--config", "predictions.unwrap=pred"
        ).exit_code
        == 0
    )


def test_zeros_in_front_of_the_numbers_of_ids(tmp_path: Path) -> None:
    references, predictions = with_ids(DOCUMENTS, text="scan-{:03}"), with_ids(READ, text="{}")[::-1]
    code, report = checked(*written(tmp_path, references, predictions))
    [finding] = report["findings"]
    assert (code, finding["options"], finding["after"]) == (1, configured('strip_id=["zeros", "scan-"]'), SCORE)
    assert Side(strip_id="zeros").stripped("p007/x0-100_00.5") == "p7/x0-100_0.5"


@pytest.mark.parametrize(("name", "old"), [("line_items", "item"), ("lines", "line")])
def test_items_under_a_key_of_their_own_as_in_xml(name: str, old: str, tmp_path: Path) -> None:
    nested = [
        {
            name if key == "line_items" else key: {old: child} if key == "line_items" else child
            for key, child in row.items()
        }
        for row in READ
    ]
    for references, predictions, names in (
        (DOCUMENTS, nested, {f"{name}.{old}": "line_items"}),
        (nested, DOCUMENTS, {"line_items": f"{name}.{old}"}),
    ):
        report = checked(*written(tmp_path, with_ids(references), with_ids(predictions)))[1]
        [finding] = report["findings"]
        assert (finding["options"], finding["after"]) == (arguments_of({"predictions.rename": names}), SCORE)


def test_a_wrong_option_is_named(tmp_path: Path) -> None:
    result = run_command("check", *written(tmp_path, DOCUMENTS, READ), "--config", "predictions.rename=lines")
    assert (result.exit_code, result.stderr) == (
        2,
        "predictions.rename=lines: [predictions] rename must be OLD=NEW, a mapping of such names, a JSON or YAML file with "
        "one, or names of a service such as textract_expense:invoices, got 'lines'\n",
    )
