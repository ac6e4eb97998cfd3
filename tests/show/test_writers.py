"""Sections in each form: a paper takes LaTeX as it is printed, and every form has the same cells."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docie import tables
from docie.show.section import HINT, Section, Table, Text
from docie.show.terminal import to_terminal
from docie.show.writers import latex_text, to_latex, to_markdown

from cli_runs import lines, rows, run_command
from sizes import examples

TABLE = Table("by entity type", ["type", "f1", "change"], [["menu_nm", "0.5000", "-0.1000 – 0.2000"], ["[b]", "1.0000", ""]])  # fmt: skip
SECTION = Section([Text("At 90 % there is no review."), TABLE, Text("2 documents · kieval", HINT)], "kieval")
LATEX = r"""
% needs \usepackage{booktabs}

At 90 \% there is no review.

\begin{table}
\centering
\caption{kieval by entity type}
\begin{tabular}{lrr}
\toprule
type & f1 & change \\
\midrule
menu\_nm & 0.5000 & $-$0.1000 \textendash{} 0.2000 \\
{[}b] & 1.0000 &  \\
\bottomrule
\end{tabular}
\end{table}

% 2 documents · kieval
""".strip()
ESCAPES = {
    r"\textbackslash{}": "\\",
    r"\textasciitilde{}": "~",
    r"\textasciicircum{}": "^",
    r"\textasciigrave{}": "`",
    r"\textquotesingle{}": "'",
    r"\textless{}": "<",
    r"\textgreater{}": ">",
    r"\textbar{}": "|",
    r"\textendash{}": "–",
    "{[}": "[",
    "{*}": "*",
    "{}": "",
    **{f"\\{character}": character for character in "{}$&#_%"},
}


def test_latex() -> None:
    assert to_latex([SECTION]) == LATEX


def test_one_of_several_sections_has_its_title_in_markdown() -> None:
    plain = to_markdown([Section([TABLE], "hed", captions=False)])
    assert plain == tables.markdown(TABLE)
    assert to_markdown([SECTION]).split("\n\n")[:2] == ["At 90 % there is no review.", "**by entity type**"]
    both = to_markdown([SECTION, Section([TABLE], "hed", captions=False)])
    assert both.startswith("### kieval\n\nAt 90 %")
    assert both.endswith(f"### hed\n\n{plain}")


def test_a_terminal_has_texts_above_and_below() -> None:
    first, *_, last = to_terminal([SECTION]).split("\n")
    assert first == "At 90 % there is no review."
    assert last == "2 documents · kieval"
    assert to_terminal([SECTION, SECTION]).count("\n\nAt 90 %") == 1


@given(text=st.text(st.sampled_from([*r"\{}$&#_%~^`'<>|[]*-,–", "a", "1", " ", "é"]), max_size=12))
@examples(2000)
def test_latex_shows_the_text(text: str) -> None:
    shown = latex_text(text)
    escape = "|".join(map(re.escape, ESCAPES))
    assert re.sub(escape, lambda found: ESCAPES[found.group()], shown) == text
    rest = re.sub(escape, "", shown)
    assert not re.search(r"[\\{}$&#_%~^`'<>|*\[–]", rest)
    assert not re.search(r"--|,,", shown), "one dash, not two that join to a longer one"


def cells_of(printed: str, pattern: str, separator: str) -> list[list[str]]:
    """The rows of the tables in a text, without what escapes a cell."""
    found = [found.group(1).split(separator) for found in re.finditer(pattern, printed, re.MULTILINE)]
    plain = [[re.sub(r"[\\{}$]|textendash", "", cell).replace("–", "").strip() for cell in row] for row in found]
    return [row for row in plain if set("".join(row)) - set(":-")]


@pytest.mark.parametrize("command", ["score", "compare", "threshold", "agreement", "attack", "errors"])
def test_every_command_prints_the_same_cells_in_latex(
    command: str, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(root / "examples")
    folder = root / "examples" / "receipts"
    files = [str(folder / f"{name}.jsonl") for name in ("references", "predictions-careful", "predictions-hasty")]
    arguments = {
        "score": [
            "score",
            *files[:2],
            "--by-field",
            "--confidence-level",
            "0.9",
            "--metric",
            "kieval",
            "--metric",
            "nted",
        ],
        "compare": ["compare", *files],
        "threshold": ["threshold", *files[:2], "--by-field"],
        "errors": ["errors", *files[:2], "--document", "receipt-03"],
        "agreement": ["score", *files[:2], "--metric", "all"],
        "attack": [
            "attack",
            str(root / "examples" / "forms.jsonl"),
            "--model",
            "rule_reader:read",
            "--attack",
            "bg_drop",
        ],
    }[command]
    latex, markdown = (run_command(*arguments, "--format", form) for form in ("latex", "markdown"))
    assert (latex.exit_code, latex.stderr) == (0, markdown.stderr)
    assert cells_of(latex.stdout, r"^(.*) \\\\$", " & ") == cells_of(markdown.stdout, r"^\| (.*) \|$", " | ")
    rules = re.findall(r"^\| :?--", markdown.stdout, re.MULTILINE)
    assert latex.stdout.count(r"\toprule") == latex.stdout.count(r"\end{table}") == len(rules)


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    references, predictions = [{"a": "1", "b": "2", "c": "3"}], [{"a": "1", "b": "2", "c": "4"}]
    return [
        lines(tmp_path / "references.jsonl", rows("reference", references)),
        lines(tmp_path / "predictions.jsonl", rows("prediction", predictions)),
    ]


def test_one_score_alone(files: list[str]) -> None:
    results = json.loads(run_command("score", *files, "--format", "json").stdout)["kieval"]
    for name in ("entity_f1", "corrections"):
        assert run_command("score", *files, "--score", name).stdout == f"{results[name]}\n"
    hed = run_command("score", *files, "--metric", "kieval", "--metric", "hed", "--score", "hed_f1")
    assert float(hed.stdout) == pytest.approx(2 / 3)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--score", "entity_f2"], "unknown score 'entity_f2' (close: 'entity_f1'"),
        (["--score", "weighted_entity_f1"], "weighted_entity_f1: expected one metric that has it with these options, got 0"),
        (["--metric", "kieval", "--metric", "hed", "--score", "f1"], "unknown score 'f1'"),
        (["--score", "entity_f1", "--format", "json"], "--format does nothing beside --score"),
        (["--score", "entity_f1", "--by-field"], "--by-field does nothing beside --score"),
    ],
)  # fmt: skip
def test_one_score_that_cannot_be_printed(files: list[str], options: list[str], message: str) -> None:
    result = run_command("score", *files, *options)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith(message)
    assert result.stderr.count("\n") == 1
