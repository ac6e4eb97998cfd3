"""What the README, the pages of docs and the cards show was printed by what they show."""

from __future__ import annotations

import doctest
import importlib.util
import json
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

import docie
from docie import attacks, corpus, kieval
from docie.inputs.config import reading_of
from docie.robustness.form import Page

import attack_parts
import pages
from checkout import ROOT, skip_module_without
from generated import PART, with_generated_parts

skip_module_without("docs", "examples", "README.md")

FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
NOT_RUN = (
    "pip install ",
    "python examples/train_",
    "python benchmarks/attack_layoutlm.py",
    "python -m venv ",
    "python docs/make_picture.py",
)
"""How the commands begin that are shown and not run: they install, train or write."""
FIRST_PAGES = [ROOT / "README.md", *(ROOT / "docs" / f"{name}.md" for name in ("errors", "inputs", "tables"))]
"""Those whose commands run by default, except those on the invoices; the others take as long again."""
COMMANDS = [command for page in pages.PAGES for command in pages.commands(page)]
HEADING = re.compile(r"^#+ (.*)$", re.MULTILINE)


def names(paths: list[Path]) -> list[str]:
    """Paths as they stand in the checkout."""
    return [str(path.relative_to(ROOT)) for path in paths]


every_page = pytest.mark.parametrize("page", pages.PAGES, ids=names(pages.PAGES))


def test_there_are_commands() -> None:
    assert len(COMMANDS) >= 15


@pytest.mark.parametrize(
    "command",
    [
        pytest.param(
            command,
            id=command.command,
            marks=[pytest.mark.exhaustive] * (command.page not in FIRST_PAGES or "/invoices/" in command.command),
        )
        for command in COMMANDS
    ],
)
def test_a_command_prints_what_is_shown(command: pages.Command) -> None:
    printed = pages.run(command.command)
    assert pages.is_shown(command.output, printed), f"{command.page} shows\n{command.output}\nbut it printed\n{printed}"


@every_page
def test_every_block_is_run_or_read(page: Path) -> None:
    """Python has examples that doctest runs, JSON can be parsed, consoles have one command that tests know."""
    for language, text in FENCE.findall(page.read_text(encoding="utf-8")):
        if language == "python":
            assert text.startswith(">>> "), text
            assert text.endswith("\n\n"), "a blank line must end the last output"
        elif language == "json":
            json.loads(text)
        elif language == "toml":
            reading_of(tomllib.loads(text))
        elif language == "console":
            command = text.partition("\n")[0].removeprefix("$ ")
            assert text.startswith("$ ")
            assert command.rpartition("&& ")[2].startswith(pages.QUICK) or command.startswith(NOT_RUN), command
        else:
            assert language == "bibtex", f"{page}: nothing tests a block of {language!r}"


@every_page
def test_what_is_written_from_the_code_is_up_to_date(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert text == with_generated_parts(text, page), f"run `python tests/support/pages.py {page.relative_to(ROOT)}`"


def test_parts_that_are_written_from_the_code() -> None:
    stale = "# KIEval\n<!-- generated: scores kieval -->\nold\n<!-- end -->\nprose\n"
    fresh = with_generated_parts(stale, ROOT / "metrics" / "kieval" / "README.md")
    assert fresh.startswith(
        "# KIEval\n<!-- generated: scores kieval -->\n| score | range or unit | better | meaning |\n"
    )
    assert "| **`entity_f1`** | 0 to 1 | higher | " in fresh
    assert "| `corrections` | count | lower | " in fresh
    assert fresh.endswith("\n<!-- end -->\nprose\n")
    with pytest.raises(ValueError, match="README.md: unknown generated part 'figures kieval'"):
        with_generated_parts(stale.replace("scores", "figures"), ROOT / "README.md")


def test_every_attack_of_the_paper_changes_the_form_that_its_page_shows() -> None:
    page = ROOT / "docs" / "robustness.md"
    shown: dict[str, Any] = {}
    for example in doctest.DocTestParser().get_examples(page.read_text(encoding="utf-8")):
        if example.source.startswith("record = "):
            exec(example.source, shown)
    form = attack_parts.form()
    assert Page.from_record(shown["record"]) == form
    before, *after = attack_parts.on_a_form([["*none*", ""], *([f"`{name}`", ""] for name in attacks.names())])
    assert before[-1] == "5 Mill Lane Invoice No. 4711 Due Date 05/06/21 Total 12.40 Thank you. Please come again"
    assert not {before[-1], attack_parts.difference(form, form)} & {made for *_, made in after}
    with pytest.raises(ValueError, match="the rows are \\['key_drop'\\], and the attacks are"):
        list(attack_parts.on_a_form([["*none*", ""], ["`key_drop`", ""]]))


@every_page
def test_no_link_is_dead(page: Path) -> None:
    for target, anchor in re.findall(r"\]\(([^)#]*)(?:#([^)]*))?\)", page.read_text(encoding="utf-8")):
        place = page.parent / target if target else page
        assert target.startswith("https://") or place.exists(), f"{page}: {target}"
        if anchor and not target.startswith("https://"):
            headings = HEADING.findall(place.read_text(encoding="utf-8"))
            assert anchor in [re.sub(r"[^\w\- ]", "", heading).lower().replace(" ", "-") for heading in headings]


def test_the_indexes_name_every_page_and_example() -> None:
    for folder, suffix in (("docs", ".md"), ("examples", ".py")):
        index = (ROOT / folder / "README.md").read_text(encoding="utf-8")
        for path in (ROOT / folder).iterdir():
            if path.suffix == suffix and path.name != "README.md" and path.name != "conftest.py":
                assert f"({path.name})" in index, path


def test_figures_in_sentences_are_those_of_the_receipts() -> None:
    rows = {
        name: docie.read(ROOT / f"examples/receipts/{name}.jsonl") for name in ("references", "predictions-careful")
    }
    figures = corpus.evaluate(kieval, rows["predictions-careful"], rows["references"], confidence_level=0.95)
    low, high = figures["entity_f1_interval"]
    sentences = {
        "README.md": f"{figures['document_accuracy'] * 24:.0f} of 24",
        "docs/choosing.md": f"is {figures['entity_f1']:.3f} (95 % interval {low:.3f} to {high:.3f}, ",
    }
    for page, sentence in sentences.items():
        assert sentence in (ROOT / page).read_text(encoding="utf-8")


@pytest.mark.parametrize("page", sorted((ROOT / "docs").glob("*.md")), ids=lambda page: page.name)
def test_a_page_of_docs_answers_one_question(page: Path) -> None:
    """Tables from the code may be as long as they are; what is longer otherwise is two pages."""
    assert len(PART.sub("", page.read_text(encoding="utf-8")).splitlines()) <= 300


def test_the_readme_is_short() -> None:
    lines = (ROOT / "README.md").read_text(encoding="utf-8").splitlines()
    assert len(lines) <= 120
    assert max(map(len, lines)) <= 200


def drawn_texts(picture: Path) -> list[str]:
    """The texts of a picture. Matplotlib writes each one as a comment beside its outlines."""
    return re.findall(r"<!-- (.*?) -->", picture.read_text(encoding="utf-8"))


def draw(script: str, path: Path) -> None:
    """Have a script of the docs draw its picture."""
    pytest.importorskip("matplotlib", reason="drawing needs matplotlib")
    spec = importlib.util.spec_from_file_location(script, ROOT / "docs" / f"{script}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    module.draw(path)


def test_the_picture_is_what_its_script_draws(tmp_path: Path) -> None:
    draw("make_picture", tmp_path / "picture.svg")
    texts = drawn_texts(tmp_path / "picture.svg")
    assert drawn_texts(ROOT / "docs" / "picture.svg") == texts
    assert {"Cobb Salod", "missing", "KIEval group F1"} <= {*texts}


@pytest.mark.exhaustive
def test_the_charts_are_what_their_script_draws(tmp_path: Path) -> None:
    draw("make_plots", tmp_path / "plots.svg")
    shown, drawn = (
        re.findall(r"<text [^>]*>([^<]*)<", (folder / "plots.svg").read_text(encoding="utf-8"))
        for folder in (ROOT / "docs", tmp_path)
    )
    assert shown == drawn
    assert {"payment.change (6)", "spurious", "automation rate"} <= {*drawn}


def test_commands_run_again_after_a_change_of_what_they_read(tmp_path: Path) -> None:
    """Kept outputs name the modules and the data that a command read; another one's change is none of its business."""
    path = tmp_path / "pages.json"
    kept = pages.Kept(path)
    command = "docie score examples/receipts/references.jsonl examples/receipts/references.jsonl --score entity_f1"
    assert kept.printed(command) == "1.0"
    kept.printed("docie families | head -n 1")
    runs = json.loads(path.read_text(encoding="utf-8"))
    files = runs[command]["files"]
    assert {"src/docie/cli/score.py", "metrics/kieval/metric.py", "examples/receipts/references.jsonl"} <= {*files}
    assert not {"src/docie/comparison/comparing.py", "docs/errors.md"} & {*files}
    runs["docie families | head -n 1"] |= {"printed": "kept"}
    runs[command] |= {"printed": "stale", "files": files | {"metrics/kieval/metric.py": "another digest"}}
    path.write_text(json.dumps(runs), encoding="utf-8")
    kept = pages.Kept(path)
    assert kept.printed("docie families | head -n 1") == "kept"
    assert kept.printed(command) == "1.0"


@pytest.mark.parametrize(
    ("shown", "printed", "expected"),
    [
        ("a\n...\nd\n", "a\nb\nc\nd", "a\n...\nd"),
        ("F1 0.5\n...\n2 documents\n", "F1 0.75\nb\nc\n3 documents", "F1 0.75\n...\n3 documents"),  # new numbers
        ("a\n...\n", "a\nb\nc", "a\n..."),  # the end is left out
        ("...\nc\n", "a\nb\nc", "...\nc"),
        ("a\n...\nc\n...\ne\n", "a\nb\nc\nx\nd\ne", "a\n...\nc\n...\ne"),
        ("a\n...\nd\n", "a\nb\nc", "a\nb\nc"),  # what stood after it is gone: a person must look
    ],
)
def test_what_a_person_left_out_stays_out(shown: str, printed: str, expected: str) -> None:
    assert pages.shortened_alike(shown, printed) == expected


def test_outputs_that_are_out_of_date_are_rewritten(tmp_path: Path) -> None:
    stale = "```console\n$ docie families | head -n 1\nold\n```\n\n```python\n>>> 1 + 1\n3\n>>> 2\n2\n\n```\n"
    page = tmp_path / "page.md"
    page.write_text(stale, encoding="utf-8")
    fresh = pages.with_examples_run(pages.with_commands_run(page, pages.Kept(tmp_path / "pages.json")), "page.md")
    assert "old" not in fresh
    assert "ANLS*: the similarity" in fresh
    assert ">>> 1 + 1\n2\n>>> 2\n2\n\n```" in fresh


def test_a_command_that_fails_is_not_taken_for_output() -> None:
    with pytest.raises(AssertionError, match="exit code 1"):
        pages.run("docie families && exit 1")


def test_a_shortened_output_has_any_lines_in_between() -> None:
    assert pages.is_shown("one\n...\nfour\n", "one\ntwo\nthree\nfour")
    assert not pages.is_shown("one\n...\nfour\n", "one\ntwo\nthree")
    assert not pages.is_shown("one\n", "one\ntwo")
