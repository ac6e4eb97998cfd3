"""What commands print fits the terminal: lines are no wider, numbers and headings stay whole, no line ends in blanks."""

from __future__ import annotations

import re
import shlex
from functools import cache
from pathlib import Path

import pytest
from rich.cells import cell_len

import docie
from docie.show.section import Section, Table, Text
from docie.show.terminal import command_lines, to_terminal, wrapped

from checkout import needs_package
from cli_runs import run_command

WIDTHS = (80, 100, 140)
ROOT = Path(__file__).parents[2]
RECEIPTS, INVOICES = (f"{ROOT}/examples/{name}" for name in ("receipts", "invoices"))
CAREFUL, HASTY, EXPORTED = (f"{RECEIPTS}/predictions-{name}.jsonl" for name in ("careful", "hasty", "exported"))
RECEIPT = [f"{RECEIPTS}/references.jsonl", CAREFUL]
INVOICE = [f"{INVOICES}/references.jsonl", f"{INVOICES}/predictions.jsonl"]
SCORED = ((), ("--by-field",), ("--all-scores", "--by-field"), ("--metric", "all", "--by-field"))
COMPARED = ((), ("--by-field", "--suspects"), ("--by-field", "--all-scores"))
COMMANDS: list[list[str]] = [
    *(["score", *files, *options] for files in (RECEIPT, INVOICE) for options in SCORED),
    *(["compare", *RECEIPT, HASTY, *options] for options in COMPARED),
    ["errors", *RECEIPT],
    ["errors", *RECEIPT, "--group-by", "vendor"],
    ["errors", *RECEIPT, "--document", "receipt-17"],
    ["errors", *INVOICE],
    ["threshold", *RECEIPT],
    ["threshold", *RECEIPT, "--by-field", "--risk", "0.05"],
    ["check", *RECEIPT],
    ["check", RECEIPT[0], EXPORTED],
    ["check", *INVOICE],
    ["check", INVOICE[0], CAREFUL],
    ["attack", f"{ROOT}/examples/forms.jsonl", "--model", "rule_reader:read", "--by-field"],
    ["families"],
    ["protocols"],
    ["protocols", "docvqa"],
    *(["families", name] for name in docie.families()),
]


@cache
def printed(arguments: str, width: int) -> str:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("COLUMNS", str(width))
        patch.syspath_prepend(ROOT / "examples")
        result = run_command(*shlex.split(arguments))
    assert result.exit_code in (0, 1), result.stderr
    shown: str = result.stdout
    return shown


NEED = {"attack": [needs_package("faker")]}
"""What some commands need."""


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize(
    "arguments",
    [pytest.param(shlex.join(each), marks=NEED.get(each[0], [])) for each in COMMANDS],
    ids=lambda each: each.replace(str(ROOT), ""),
)
def test_nothing_is_wider_than_the_terminal(arguments: str, width: int) -> None:
    lines = printed(arguments, width).splitlines()
    too_wide = [line for line in lines if cell_len(line) > width and not re.search(r"\S{50}", line)]  # a path is whole
    assert too_wide == []
    assert [line for line in lines if line != line.rstrip()] == []
    assert not any(re.search(r"[\d.,]+…|^ *\d*\.$", line) for line in lines)


def numbers(text: str) -> list[str]:
    return sorted(re.findall(r"[+-]?\d+\.\d{4}", text))


@pytest.mark.parametrize("arguments", map(shlex.join, [COMMANDS[2], COMMANDS[8], COMMANDS[10], COMMANDS[14]]))
def test_numbers_are_those_of_a_wide_terminal(arguments: str) -> None:
    assert numbers(printed(arguments, 80)) == numbers(printed(arguments, 300)) != []


def shown(*parts: Text | Table) -> list[str]:
    return to_terminal([Section(parts)]).splitlines()


def test_wide_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    heads = ["entity type", "average precision", *(f"score_of_{number}" for number in range(4))]
    low = Table("", heads, [["total", *["0.5000"] * 5]])
    first = " ".join(shown(low)[1].split())
    assert first == "entity type average precision score of 0 score of 1 score of 2 score of 3"
    named = Table("", heads[:4], [["line_items.descriptions.of_all", *["-0.5000 – +0.5000"] * 3]])
    lines = shown(named)
    assert max(map(cell_len, lines)) <= 80
    assert [line.split()[0] for line in lines[-2:]] == ["line_items.", "descriptions.of_all"]
    parts = shown(Table("", ["a", *"bcdefg"], [["name", *["-0.5000 – +0.5000"] * 6]]))
    assert [line.split()[0] for line in parts if "0.5" in line] == ["name", "name"]
    assert sum(line.count("-0.5000 – +0.5000") for line in parts) == 6
    assert shown(Table("values: none", ["a"], [])) == ["values: none"]


def test_texts_are_broken_at_blanks() -> None:
    assert wrapped("one two three", 8) == ["one two", "  three"]
    assert wrapped("値段 " * 3, 10) == ["値段 値段", "  値段"]
    assert wrapped("x" * 25, 10, hanging="") == ["x" * 10, "x" * 10, "x" * 5]


@pytest.mark.parametrize("width", [20, 45, 80, 200])
def test_a_shell_takes_commands_as_they_are_broken(width: int) -> None:
    first = ["docie", "check", "my refs.jsonl", "it's.jsonl", "--config", 'predictions.rename."line items"=items']
    second = ["docie", "score", "my refs.jsonl", "--config", "docie.toml"]
    text = "\n".join(command_lines(f"{shlex.join(first)}; {shlex.join(second)}", width))
    assert shlex.split(text.replace("\\\n", "").replace(";\n", "; ")) == [*first[:-1], f"{first[-1]};", *second]
