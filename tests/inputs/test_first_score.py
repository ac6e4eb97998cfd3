"""From an accountant's truth and a folder of raw answers to the right score, in two commands, whatever the files."""

from __future__ import annotations

import csv
import datetime
import json
from collections.abc import Callable, Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from docie import corpus, kieval

from checkout import needs_package
from cli_runs import lines, run, run_command

GOODS = ["Papier A4", "Toner", "Wartung", "Kabel", "Beratung", "Strom", "Ordner"]
VENDORS = ["Meyer & Söhne", "Blumen Kraus", "Papier Otto", "Hotel Adler"]
HEAD = ["Datei", "Rechnungs-Nr.", "Rechnungsdatum", "Lieferant", "Netto", "Brutto"]
LINES = ["Bezeichnung", "Menge", "Betrag"]
REFUSED, CUT = 7, 9


def truth() -> list[dict[str, Any]]:
    found = []
    for number in range(12):
        items: list[dict[str, Any]] = [
            {"description": GOODS[(number + each) % 7], "quantity": 1 + each, "amount": 3.15 + 7 * each + 11 * number}
            for each in range(1 + number % 3)
        ]
        net = sum(item["amount"] for item in items)
        day = datetime.date(2024, 1 + number, 28 - 2 * number)
        head = {"number": f"RE-{1007 + 13 * number}", "date": day.isoformat(), "supplier": VENDORS[number % 4]}
        found.append({**head, "net": round(net, 2), "total": round(net * 1.19, 2), "items": items})
    return found


def answered() -> list[Any]:
    """What the model says, with planted errors."""
    found: list[Any] = deepcopy(truth())
    found[1]["total"] += 100
    found[4]["date"] = "2023-01-01"
    found[5]["items"].pop()
    found[8]["supplier"] = "Unbekannt"
    found[REFUSED] = None
    del found[CUT]["items"]
    return found


def answers(folder: Path, endings: str = "txt") -> str:
    """A file of raw text for each document: prose, fences, bare JSON, one that breaks off, and one refusal."""
    folder.mkdir(parents=True)
    kinds = endings.split()
    for number, document in enumerate(answered()):
        text = json.dumps(document, indent=2, ensure_ascii=False)
        if document is None:
            text = "I'm sorry, but I cannot read this document."
        elif number == CUT:
            text = text.removesuffix("\n}") + ',\n  "items": [\n    {\n      "descr'
        elif number % 3:
            text = (
                f"Here is the data:\n\n```json\n{text}\n```\nAnything else?" if number % 3 == 1 else f"```\n{text}\n```"
            )
        (folder / f"scan_{number + 1:02}.{kinds[number % len(kinds)]}").write_text(text, encoding="utf-8")
    return str(folder)


def head_of(number: int, document: dict[str, Any]) -> list[Any]:
    day = datetime.datetime.fromisoformat(document["date"])
    return [f"scan_{number + 1:02}.pdf", document["number"], day, *(document[k] for k in ("supplier", "net", "total"))]


def table(*, repeats: bool) -> Iterator[list[Any]]:
    """A row for each item; what is the same in all of an invoice stands in each row, or in the first."""
    yield HEAD + LINES
    for number, document in enumerate(truth()):
        head = head_of(number, document)
        for place, item in enumerate(document["items"]):
            yield [*(head if repeats or not place else [None] * len(head)), *item.values()]


def two_sheets(path: Path) -> str:
    from openpyxl import Workbook

    book = Workbook()
    for row in (["Rechnungseingang 2024"], [], HEAD, *(head_of(*each) for each in enumerate(truth()))):
        book.active.append(row)
    sheet = book.create_sheet("Positionen")
    sheet.append(["Datei", *LINES])
    for number, document in enumerate(truth()):
        for item in document["items"]:
            sheet.append([f"scan_{number + 1:02}.pdf", *item.values()])
    book.create_sheet("Hinweise").append(["Alle Beträge in EUR"])
    book.save(path)
    return str(path)


def one_sheet(path: Path, *, repeats: bool = False) -> str:
    from openpyxl import Workbook

    book = Workbook()
    for row in (["Rechnungen, Stand Mai"], *table(repeats=repeats)):
        book.active.append(row)
    book.save(path)
    return str(path)


def german(cell: Any) -> Any:
    if isinstance(cell, datetime.datetime):
        return f"{cell:%d.%m.%Y}"
    return f"{cell:,.2f}".translate(str.maketrans(",.", ".,")) if isinstance(cell, float) else cell


def german_csv(path: Path) -> str:
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file, delimiter=";").writerows([*map(german, row)] for row in table(repeats=True))
    return str(path)


def json_lines(path: Path) -> str:
    return lines(path, [{"file": f"scan_{n + 1:02}.pdf", **each} for n, each in enumerate(truth())])


TRUTHS: dict[str, Callable[[Path], str]] = {
    "two.xlsx": two_sheets,
    "one.xlsx": one_sheet,
    "repeats.xlsx": lambda path: one_sheet(path, repeats=True),
    "lines.csv": german_csv,
    "truth.jsonl": json_lines,
}


@needs_package("openpyxl")
@pytest.mark.parametrize(("name", "endings"), [*((each, "txt") for each in TRUTHS), ("two.xlsx", "txt md json")])
def test_two_commands_to_the_right_score(
    name: str, endings: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    references, predictions = TRUTHS[name](Path(name)), answers(Path("answers"), endings)
    found = run_command("check", references, predictions, "--write", "docie.toml")
    assert found.exit_code == 1, found.output
    result = run(references, predictions, "--config", "docie.toml", "--format", "json")
    assert result.exit_code == 0, result.stderr
    expected = corpus.evaluate(kieval, answered(), truth())["entity_f1"]
    assert json.loads(result.stdout)["kieval"]["entity_f1"] == expected
    again = run_command("check", references, predictions, "--config", "docie.toml")
    assert again.exit_code == 0, again.stdout


def test_a_folder_of_systems_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    references = json_lines(Path("truth.jsonl"))
    for system in ("a", "b"):
        answers(Path("runs", system))
    assert run(references, "runs").stderr.endswith(
        "; name a folder with the answers of one system, such as runs/a; "
        "docie compare REFERENCES runs/a runs/b compares all\n"
    )
    assert run_command("compare", references, "runs/a", "runs/b").exit_code == 0
