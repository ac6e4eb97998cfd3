"""Normalisers on the command line: their names, their arguments, and the help that lists them."""

from __future__ import annotations

from pathlib import Path

import pytest

from docie.core.normalizers import NORMALIZERS

from cli_runs import lines, run, scored

REFERENCE = {"total": "8.20", "issued": "2023-12-31", "shop": "कि"}


@pytest.mark.parametrize(
    ("normalize", "prediction", "true_positives"),
    [
        (["money"], {"total": "$8.20"}, 0),
        (["total=money(currency='USD')"], {"total": "$8.20"}, 1),
        (["total=number(leading_zeros=True)"], {"total": "08.20"}, 1),
        (["number"], {"total": "$8.20"}, 0),
        (['total=money(decimal=".", currency="EUR")'], {"total": "8.200 €"}, 1),
        (["total=money(currency='RM')", "issued=date"], {"total": "RM8.20", "issued": "31st December 2023"}, 2),
        (["issued=date"], {"issued": "31st December 2023 14:05"}, 0),
        (['issued=date(formats=["%y/%m/%d"])'], {"issued": "23/12/31"}, 1),
        (['date(formats=["%y/%m/%d", "%d|%m|%Y"])'], {"issued": "31|12|2023"}, 1),
        (["date"], {"issued": "23/12/31"}, 0),
        (["alphanumeric"], {"shop": "की"}, 0),
    ],
)
def test_normalisers(normalize: list[str], prediction: dict[str, str], true_positives: int, tmp_path: Path) -> None:
    references, predictions = lines(tmp_path / "r.jsonl", [REFERENCE]), lines(tmp_path / "p.jsonl", [prediction])
    options = [part for spec in normalize for part in ("--normalize", spec)]
    results = scored(references, predictions, *options)
    assert results["true_positives"] == true_positives
    for spec in normalize:
        assert spec in results["signature"]


def test_a_format_that_reads_no_date_is_refused(tmp_path: Path) -> None:
    path = lines(tmp_path / "r.jsonl", [REFERENCE])
    done = run(path, path, "--normalize", 'date(formats=["%d.%m"])')
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr == "date: a format must have day, month and year as in datetime.strptime, got '%d.%m'\n"


def test_the_help_lists_the_normalisers() -> None:
    assert ", ".join(NORMALIZERS) in " ".join(run("--help").stdout.split())
