"""`docie.score`: the command to the last digit, whatever holds the rows."""

from __future__ import annotations

import io
import json
import random
from pathlib import Path
from typing import Any

import pytest

import docie

from checkout import ROOT, skip_module_without
from cli_runs import lines, run_command

skip_module_without("examples")

RECEIPTS = ROOT / "examples" / "receipts"
REFERENCES, PREDICTIONS = RECEIPTS / "references.jsonl", RECEIPTS / "predictions-careful.jsonl"
ASKED: list[tuple[dict[str, Any], list[str]]] = [
    ({}, []),
    ({"by_field": True, "confidence_level": 0.9}, ["--by-field", "--confidence-level", "0.9"]),
    ({"by_field": True, "all_scores": True}, ["--by-field", "--all-scores"]),
    ({"metric": "all"}, ["--metric", "all"]),
    ({"metric": ["hed", "nted"], "interval": "percentile", "confidence_level": 0.9, "bootstrap_samples": 50},
     ["--metric", "hed", "--metric", "nted", "--interval", "percentile", "--confidence-level", "0.9", "--option", "bootstrap_samples=50"]),
    ({"normalize": {"total": ["number"]}, "match": "similar(0.8)", "matching": "greedy", "seconds_per_correction": 6},
     ["--normalize", "total=number", "--match", "similar(0.8)", "--option", "matching=greedy", "--option", "seconds_per_correction=6"]),
    ({"config": "predictions.rename.items=lines", "group_by": "currency"},
     ["--config", "predictions.rename.items=lines", "--group-by", "currency"]),
]  # fmt: skip


def rows(path: Path) -> list[Any]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize(("asked", "options"), ASKED)
def test_python_gives_what_the_command_prints(asked: dict[str, Any], options: list[str]) -> None:
    result = docie.score(references=REFERENCES, predictions=str(PREDICTIONS), **asked)
    forms = ("table", "markdown", "latex", "json", "csv")
    for form in forms[:3] if "--all-scores" in options else forms:  # the others always have all scores
        stream = io.StringIO()
        docie.write(result, stream, form)
        done = run_command("score", str(REFERENCES), str(PREDICTIONS), *options, "--format", form)
        assert (done.exit_code, done.stdout) == (0, stream.getvalue())
    warnings = [line.removeprefix("warning: ") for line in done.stderr.splitlines()]
    assert warnings[: len(result.notes)] == list(result.notes)


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_rows_and_frames_give_what_files_give() -> None:
    pandas = pytest.importorskip("pandas")
    expected = docie.score(references=REFERENCES, predictions=PREDICTIONS, by_field=True).to_dict()
    predictions = rows(PREDICTIONS)
    random.Random(0).shuffle(predictions)
    found = docie.score(references=iter(rows(REFERENCES)), predictions=predictions, by_field=True)
    assert found.facts.joined_by == "id"
    each = [found.to_dict(), docie.score(references=REFERENCES, predictions=predictions, by_field=True).to_dict()]
    flat = [
        [{"id": str(n), "a": str(n % 3), "b": "x"} for n in range(9)],
        [{"id": str(n), "a": "1", "b": "x"} for n in range(9)],
    ]
    of_rows = docie.score(references=flat[0], predictions=flat[1]).to_dict()
    frames = docie.score(references=pandas.DataFrame(flat[0]), predictions=pandas.DataFrame(flat[1])).to_dict()
    for one in each:  # documents have another order
        assert {k: v for k, v in one["kieval"].items() if k != "per_document"} == {
            k: v for k, v in expected["kieval"].items() if k != "per_document"
        }
    assert frames == of_rows
    assert of_rows["kieval"]["entity_f1"] == 12 / 18


def test_what_a_reader_should_know_is_warned_of_once_and_noted() -> None:
    with pytest.warns(UserWarning, match="same value in a different format") as caught:
        result = docie.score(references=REFERENCES, predictions=PREDICTIONS)
    assert [str(each.message) for each in caught] == list(result.notes)
    assert len(result.notes) == 1
    assert caught[0].filename == __file__


def test_swapped_sides_need_their_names() -> None:
    with pytest.raises(TypeError):
        docie.score(rows(REFERENCES), rows(PREDICTIONS))  # type: ignore[call-arg]


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"mathcing": "greedy"}, "unknown option 'mathcing' of kieval"),
        ({"metric": "keival"}, "unknown family 'keival'"),
        ({"scores": ["entity_f2"]}, "entity_f2"),
        ({"workers": "two"}, "workers must be a whole number, dask or the address of a scheduler, got 'two'"),
        ({"workers": "-1"}, "workers must be a whole number of at least 1, got -1"),
        ({"documents": -1}, "documents must be a whole number"),
        ({"predictions": {"total": "1"}}, "predictions must be a sequence of documents, got dict"),
        ({"predictions": "nowhere.jsonl"}, "nowhere.jsonl"),
    ],
)
def test_wrong_arguments_are_one_line(asked: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message) as error:
        docie.score(**{"references": rows(REFERENCES), "predictions": rows(PREDICTIONS), **asked})
    assert "\n" not in str(error.value)


def test_advice_names_the_argument_in_python_and_the_option_in_commands(tmp_path: Path) -> None:
    words = {"words": ["a", "b"], "tags": ["B-x", "O"]}
    for reference, prediction, argument, option in (
        ("12.00", "12.00", '; metric="anls_star" scores', "; --metric anls_star scores"),
        (words, {"words": ["a"], "tags": ["O"]}, '; metric="oi_entities" scores', "; --metric oi_entities scores"),
    ):
        with pytest.raises(ValueError, match=argument):
            docie.score(references=[reference], predictions=[prediction])
        paths = [lines(tmp_path / f"{name}.jsonl", [row]) for name, row in (("r", reference), ("p", prediction))]
        done = run_command("score", *paths)
        assert done.exit_code == 2
        assert option in done.stderr


def test_an_option_cannot_take_the_place_of_an_argument() -> None:
    done = run_command("score", str(REFERENCES), str(PREDICTIONS), "--option", "workers=3")
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr == "--option workers: no setting has this name; see --help\n"
