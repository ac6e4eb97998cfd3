"""Advice that hides errors is none: where a model is really wrong, no option that is proposed raises the score."""

from __future__ import annotations

import json
import random
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from configured import configured
from hypothesis import given
from hypothesis import strategies as st

import docie
from docie import corpus, kieval
from docie.core.normalizers import same_value
from docie.diagnosis.error_analysis import errors
from docie.inputs.fit.hypotheses.formats import Gain, Open, gain_of, specs_for

from cli_runs import commands_of, lines, run, run_command
from real_documents import SYSTEMS, cord_pairs, docubench_pairs
from sizes import examples

NAMES = ["Latte", "Mocha", "Bagel", "Scone", "Juice", "Toast", "Salad", "Wrap"]
DICE = random.Random(36)
ROWS: list[dict[str, Any]] = [
    {
        "vendor": f"Cafe {DICE.choice(NAMES)} {number}",
        "account": f"{DICE.randrange(10, 99):010}",
        "zip": f"0{DICE.randrange(1000, 9999)}",
        "date": "2024-{:02}-{:02}".format(*DICE.sample(range(1, 13), 2)),
        "seen": f"2024-{DICE.randrange(1, 13):02}-{DICE.randrange(13, 28)}T10:15Z",
        "currency": "USD",
        "total": f"${DICE.randrange(1001, 9001, 2) / 8:,.2f}",
        "tax": f"-{DICE.randrange(100, 900) / 8:.2f}",
        "rate": f"{DICE.randrange(5, 25)}%",
        "deposit": f"{DICE.randrange(20, 90)},000",
        "weight": f"{DICE.randrange(11, 99) / 10} kg",
        "items": [{"name": name, "price": f"{DICE.randrange(100, 900) / 10:.2f}"} for name in DICE.sample(NAMES, 3)],
    }
    for number in range(12)
]


def each(**changes: Callable[[Any], Any]) -> list[dict[str, Any]]:
    return [{name: changes.get(name, lambda same: same)(value) for name, value in row.items()} for row in ROWS]


def priced(change: Callable[[list[str]], list[str]]) -> list[dict[str, Any]]:
    """The documents with other prices of their items."""
    return [
        {
            **row,
            "items": [
                {**item, "price": price}
                for item, price in zip(row["items"], change([item["price"] for item in row["items"]]), strict=True)
            ],
        }
        for row in ROWS
    ]


CONTROLS: dict[str, list[dict[str, Any]]] = {
    # the four that were recommended
    "another currency": each(total=lambda text: text.replace("$", "€")),
    "leading zeros lost": each(zip=lambda text: text.lstrip("0"), account=lambda text: text.lstrip("0")),
    "a thousandth of an amount": each(deposit=lambda text: text.removesuffix(",000")),
    "another time and zone": each(seen=lambda text: text.replace("T10:15Z", "T23:30-05:00")),
    # and more
    "a thousandfold amount": each(rate=lambda text: f"{text[:-1]}.000%", deposit=lambda text: text.replace(",", ".")),
    "the sign lost": each(tax=lambda text: text.lstrip("-")),
    "a fraction for a percentage": each(rate=lambda text: f"{int(text[:-1]) / 100}"),
    "the percent sign lost": each(rate=lambda text: text.rstrip("%")),
    "rounded": each(total=lambda text: f"${round(float(text[1:].replace(',', '')))}"),
    "another year": each(date=lambda text: text.replace("2024", "2023"), seen=lambda text: text.replace("2024", "2023")),
    "day and month swapped": each(date=lambda text: "-".join(text.split("-")[place] for place in (0, 2, 1))),
    "day and month swapped, in another format": each(date=lambda text: "/".join(text.split("-")[place] for place in (1, 2, 0))),
    "the date without its time": each(seen=lambda text: text[:10]),
    "the point lost in a measure": each(weight=lambda text: text.replace(".", "")),
    "another unit": each(weight=lambda text: text.replace("kg", "lb")),
    "the point lost in an amount": each(total=lambda text: text.replace(".", "")),
    "prices in the rows of others": priced(lambda prices: [*prices[1:], prices[0]]),
    "the values of other fields": [{**row, "zip": row["account"], "account": row["zip"]} for row in ROWS],
    "the answers to other documents": [*ROWS[1:], ROWS[0]],
    "another currency, and a few in another format": [
        {**row, "total": row["total"].replace("$", "" if number < 3 else "€")} for number, row in enumerate(ROWS)
    ],
}  # fmt: skip
"""What a model that is really wrong answers."""
RIGHT_TOO = {"another currency, and a few in another format": 3 / 168}
"""How much of the score may rise all the same, for values that are right."""


def with_ids(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [{"id": f"doc-{number}", **row} for number, row in enumerate(rows)]


def written(folder: Path, predictions: list[Any], references: list[Any]) -> list[str]:
    return [str(lines(folder / name, rows)) for name, rows in (("r.jsonl", references), ("p.jsonl", predictions))]


@pytest.mark.parametrize("name", CONTROLS)
def test_no_advice_raises_the_score_of_a_model_that_is_wrong(name: str, tmp_path: Path) -> None:
    paths = written(tmp_path, with_ids(CONTROLS[name]), with_ids(ROWS))
    report = json.loads(run_command("check", *paths, "--format", "json").stdout)
    plain = float(run(*paths, "--score", "entity_f1").stdout)
    assert plain < 1
    options: list[str] = []
    for finding in report["findings"]:
        options += finding["options"]
        score = float(run(*paths, *options, "--score", "entity_f1").stdout)
        assert finding["after"] == score <= plain + RIGHT_TOO.get(name, 0), finding
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        corpus.evaluate(kieval, CONTROLS[name], ROWS)
    assert name in RIGHT_TOO or not [
        str(each.message) for each in caught if "in a different format" in str(each.message)
    ]


@pytest.mark.parametrize("name", CONTROLS)
def test_errors_calls_them_wrong_too(name: str) -> None:
    """The rows of errors, the hints and check agree: what one calls another value, none calls a format."""
    kinds = [row.kind for row in errors(CONTROLS[name], ROWS)]
    assert kinds.count("format") <= (3 if name in RIGHT_TOO else 0)


# what is proposed, and what is said of it

AMOUNTS = [f"{number}.50" for number in range(31, 51)]


def found(predictions: list[str], references: list[str], name: str = "total") -> list[Any]:
    return docie.check(
        references=[{name: text} for text in references], predictions=[{name: text} for text in predictions]
    ).findings


def test_other_pairs_that_become_equal_are_told_with_an_example() -> None:
    predictions = [text.replace(".", ",") for text in AMOUNTS[:18]] + ["+49", "8"]
    references = [*AMOUNTS[:18], "49", "9"]
    [finding] = found(predictions, references)
    assert (finding.options, finding.before, finding.after) == (
        ["--config", "values.normalize.total=number"],
        0,
        19 / 20,
    )
    assert finding.text == (
        "values of 'total' are the same in a different format; 1 other pair would count as equal, too, and may differ "
        "('+49' and '49', say)"
    )


@pytest.mark.parametrize(("others", "is_found"), [(2, True), (3, False)])
def test_a_tenth_of_other_pairs_is_too_much(others: int, is_found: bool) -> None:
    predictions = [text.replace(".", ",") for text in AMOUNTS[:18]] + [f"+{number}" for number in range(others)]
    kinds = {each.kind for each in found(predictions, [*AMOUNTS[:18], *map(str, range(others))])}
    assert ("format" in kinds) == is_found


def test_a_currency_on_one_side_only() -> None:
    euros = [f"€{text}" for text in AMOUNTS]
    [finding] = found(AMOUNTS, euros)
    assert (finding.options, finding.after) == (["--config", 'values.normalize.total=money(currency="EUR")'], 1)
    for sign in ("€", "$"):  # of which the references say nothing
        [finding] = found([f"{sign}{text}" for text in AMOUNTS], AMOUNTS)
        assert (finding.options, finding.after) == (["--config", "values.match.total=same_amount"], 1)
    both = [f"€{text}" if number % 2 else f"$ {text}" for number, text in enumerate(AMOUNTS)]
    [finding] = found(AMOUNTS, both)
    assert (finding.options, finding.after) == (["--config", "values.match.total=same_amount"], 1)


def test_the_limit_is_one_of_the_field() -> None:
    """A format that matters in one field is found although the whole score hardly rises."""
    many = {f"field {number}": "x" for number in range(200)}
    references = [{**many, "day": f"2024-03-{day}"} for day in range(13, 23)]
    predictions = [{**many, "day": f"{day}.03.2024" if day < 17 else f"2024-03-{day}"} for day in range(13, 23)]
    [finding] = docie.check(references=references, predictions=predictions).findings
    assert finding.options == ["--config", "values.normalize.day=date"]
    assert 0 < float(finding.after or 0) - float(finding.before or 0) < 0.02


def test_nothing_that_was_equal_becomes_unequal() -> None:
    """1.234 is a number with three decimals in JSON; as rupiahs, the text is a number of thousands."""
    predictions: list[Any] = [{"n": 1.234}] * 6 + [{"n": "5000.5"}] * 4
    references = [{"n": "1.234"}] * 6 + [{"n": "Rp 5000.50"}] * 4
    [finding] = docie.check(references=references, predictions=predictions).findings
    assert (finding.options, finding.before, finding.after) == (["--config", "values.match.n=same_amount"], 0.6, 1)


TEXTS = st.sampled_from(
    ["12", "12.0", "+12", "012", "€12", "12 EUR", "$12", "12%", "1.240", "1,240", "1240", "2024-03-14", "14.03.2024", "2024-03-14T00:00", "14.03.2024 10:15",
     "03/04/2024", "Tea", "TEA", " tea ", "½", "1/2", "yes", "true", "x²", "x2"]
)  # fmt: skip


@given(st.lists(TEXTS, max_size=5), st.lists(TEXTS, max_size=5))
@examples(2000, 300)
def test_only_certain_pairs_are_gained(predictions: list[str], references: list[str]) -> None:
    texts = [Open(predictions, references, [])]
    for spec in specs_for((*predictions, *references)):
        gain = gain_of(texts, spec)
        assert gain is not None
        certain = sum(any(same_value(one, other) for other in references) for one in predictions)
        assert gain.certain <= certain
        assert gain.certain + gain.others <= min(len(predictions), len(references))
        assert bool(gain.example) == (gain.others > 0)
        assert not gain.example or not same_value(*gain.example)


def test_a_gain_is_honest() -> None:
    assert [Gain(*numbers, ()).is_honest() for numbers in ((9, 1, 18), (9, 2, 9), (8, 0, 17), (0, 0, 0))] == [
        True,
        False,
        False,
        False,
    ]


# real data


def test_cord_has_its_true_findings(cord: dict[str, list[Any]]) -> None:
    predictions, references = ([*side] for side in zip(*cord_pairs(cord, "qwen"), strict=True))
    result = docie.check(references=references, predictions=predictions)
    assert {each.kind for each in result} == {"format", "ambiguous", "contains"}
    assert all(each.config == {} for each in result if each.kind == "contains")
    assert 'values.normalize."menu.price"=number' in " ".join(result.options)
    assert all("would count as equal" not in each.text for each in result)


@pytest.mark.parametrize("system", SYSTEMS)
def test_docubench_has_none_but_true_findings(data: Path, system: str) -> None:
    """Every pair that the advice makes equal is certainly the same value."""
    predictions, references = ([*side] for side in zip(*docubench_pairs(data, system), strict=True))
    for finding in docie.check(references=references, predictions=predictions):
        assert finding.kind == "format" or (finding.kind in ("ambiguous", "contains") and finding.config == {})
        assert "would count as equal" not in finding.text


# what check says


def test_a_low_score_is_never_called_free_of_differences(tmp_path: Path) -> None:
    references = [{"day": f"2024-03-{day}", "total": f"{day}.50"} for day in range(10, 22)]
    predictions = [{"day": f"24{day}03", "sum": f"{day}.75"} for day in range(10, 22)]
    result = run_command("check", *written(tmp_path, predictions, references))
    assert result.exit_code == 0  # 'sum' and 'total' stand on one side alone: told, and nothing is changed
    assert "No differences found" not in result.stdout
    printed = result.stdout.splitlines()
    assert "Not explained: entity F1 is 0.0000. 24 values of 24 in the references and 24 of" in printed
    assert "  24 in the predictions equal none of their document." in printed
    assert [" ".join(line.split()) for line in printed[printed.index("values that have no equal") + 1 :]] == [
        "day 12 in the references ('2024-03-10', '2024-03-11', '2024-03-12'), 12 in",
        "the predictions ('241003', '241103', '241203')",
        "sum 12 in the predictions ('10.75', '11.75', '12.75')",
        "total 12 in the references ('10.50', '11.50', '12.50')",
    ]
    report = json.loads(run_command("check", *written(tmp_path, predictions, references), "--format", "json").stdout)
    assert report["unexplained"][0]["prediction_values"] == ["241003", "241103", "241203"]


def test_many_types_are_cut(tmp_path: Path) -> None:
    rows = [[{f"{side}{number}": "x" for number in range(15)}] * 2 for side in "ab"]
    printed = run_command("check", *written(tmp_path, *rows)).stdout
    assert "10 more entity types: --format json has all of them." in printed


def test_what_a_join_alone_finds_is_described(tmp_path: Path) -> None:
    references = [{"id": f"doc-{number}", **row} for number, row in enumerate(ROWS)]
    predictions = [{"id": f"scans/doc-{number}.pdf", **row} for number, row in enumerate(ROWS)][::-1]
    result = run_command("check", *written(tmp_path, predictions, references))
    assert result.stdout.splitlines()[0] == "references: 12 documents, 13 types, 204 values; predictions: 12, 13, 204"


@pytest.mark.parametrize(
    "given",
    [
        [*configured("id=id", "predictions.rename.lines=items"), "--normalize", "date=date"],
        ["--option", "matching=greedy", "--match", "zip=similar(0.9)"],
        ["--schema", "SCHEMA"],
    ],
)
def test_check_takes_what_score_takes_and_prints_nothing_twice(
    given: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    schema = tmp_path / "schema.json"
    schema.write_text(json.dumps({"properties": {"vendor": {"type": "string"}}}))
    given = [str(schema) if text == "SCHEMA" else text for text in given]
    predictions = [
        {
            "id": row["id"],
            **{"lines" if name == "items" else f"{name}": value for name, value in row.items() if name != "id"},
            "total": row["total"].lstrip("$"),
            "tax": row["tax"].replace(".", ","),
        }
        for row in with_ids(ROWS)
    ]
    paths = written(tmp_path, predictions, with_ids(ROWS))
    report = json.loads(run_command("check", *paths, *given, "--format", "json").stdout)
    assert report["findings"][0]["before"] == float(run(*paths, *given, "--score", "entity_f1").stdout)
    monkeypatch.chdir(tmp_path)
    check, score = commands_of(run_command("check", *paths, *given).stdout)
    options = [*zip(check[3::2], check[4::2], strict=True)]
    assert len(options) == len({*options})
    formats = {"--normalize": "values.normalize", "--match": "values.match"}  # they are entries, too
    asked = {
        ("--config", f"{formats[option]}.{value}") if option in formats else (option, value)
        for option, value in zip(given[::2], given[1::2], strict=True)
    }
    assert asked <= {*options}
    assert run_command(*check).exit_code == 1
    assert float(run(*score[1:], "--score", "entity_f1").stdout) == report["findings"][-1]["after"] == 1
    assert run_command("check", *score[1:]).exit_code == 0
