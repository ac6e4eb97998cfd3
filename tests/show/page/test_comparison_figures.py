"""The figures on the page of a comparison, computed again in a few lines that share no code with the package."""

from __future__ import annotations

import itertools
import re
from html import unescape
from html.parser import HTMLParser
from typing import Any

import numpy as np
import pytest
from page_data import values_of
from scipy.stats import t as student

import docie
from docie.show.page.page import render

NAMES = ("one", "two", "three")
FIELDS = ("date", "total", "tax")
REFERENCES: list[Any] = [{"date": f"d{number}", "total": f"{number}.50", "tax": "1"} for number in range(10)]
SYSTEMS: dict[str, list[Any]] = {
    "one": REFERENCES,
    "two": [{**row, "total": "?"} if number < 7 else row for number, row in enumerate(REFERENCES)],
    "three": [{"date": row["date"]} if number in (2, 3) else row for number, row in enumerate(REFERENCES)],
}


class _Cells(HTMLParser):
    """The rows of all tables, by the text of their first cell; of equal ones a list."""

    def __init__(self) -> None:
        super().__init__()
        self.rows: dict[str, list[list[str]]] = {}
        self._row: list[str] = []
        self._in_cell = False

    def handle_starttag(self, tag: str, attrs: object) -> None:
        if tag == "tr":
            self._row = []
        if tag in ("td", "th"):
            self._row.append("")
            self._in_cell = True

    def handle_endtag(self, tag: str) -> None:
        if tag in ("td", "th"):
            self._in_cell = False
        if tag == "tr" and self._row:
            cells = [" ".join(cell.split()) for cell in self._row]
            self.rows.setdefault(cells[0], []).append(cells[1:])

    def handle_data(self, data: str) -> None:
        if self._in_cell:
            self._row[-1] += data


@pytest.fixture(scope="module")
def html() -> str:
    result = docie.compare(references=REFERENCES, systems=SYSTEMS, by_field=True, documents=50)
    return render(result.page())


@pytest.fixture(scope="module")
def rows(html: str) -> dict[str, list[list[str]]]:
    parser = _Cells()
    parser.feed(html)
    return parser.rows


def counts(name: str, fields: tuple[str, ...] = FIELDS) -> np.ndarray[Any, Any]:
    """Correct values, and predicted and expected ones together: a row for each document. F1 is twice their ratio."""
    pairs = zip(SYSTEMS[name], REFERENCES, strict=True)
    return np.array(
        [
            (
                sum(said.get(field) == true[field] for field in fields),
                sum(field in said for field in fields) + len(fields),
            )
            for said, true in pairs
        ]
    )


def f1(rows: np.ndarray[Any, Any]) -> Any:
    return 2 * rows[..., 0].sum(-1) / rows[..., 1].sum(-1)


def exact_p(one: str, other: str) -> float:
    """All ways to swap the two answers to each document."""
    a, b = counts(one), counts(other)
    swaps = np.array([*itertools.product((False, True), repeat=len(a))])[..., None]
    swapped = f1(np.where(swaps, b, a)) - f1(np.where(swaps, a, b))
    return float((np.abs(swapped) >= abs(f1(a) - f1(b)) - 1e-12).mean())


def interval(one: str, other: str) -> tuple[float, float]:
    """The t interval from what each document adds to each F1, to first order."""
    added = [2 * (rows[:, 0] - f1(rows) / 2 * rows[:, 1]) / rows[:, 1].sum() for rows in (counts(one), counts(other))]
    moves = added[1] - added[0]
    error = np.sqrt(len(moves) * moves.var(ddof=1))
    middle, reach = f1(counts(other)) - f1(counts(one)), student.ppf(0.975, len(moves) - 1) * error
    return middle - reach, middle + reach


def holm() -> dict[tuple[str, str], float]:
    found = sorted((exact_p(*pair), pair) for pair in itertools.combinations(NAMES, 2))
    corrected, most = {}, 0.0
    for place, (p, pair) in enumerate(found):
        most = max(most, min(1.0, p * (len(found) - place)))
        corrected[pair] = most
    return corrected


def test_scores_and_ranks(rows: dict[str, list[list[str]]]) -> None:
    shown = {
        name: rows[f"{name} {said}".strip()][0]
        for name, said in zip(NAMES, ("baseline", "", "not separated"), strict=True)
    }
    assert [shown[name][0] for name in NAMES] == [f"{f1(counts(name)):.4f}" for name in NAMES]
    separated = {pair for pair, p in holm().items() if p <= 0.05}
    assert separated == {("one", "two")}
    assert [shown[name][1] for name in NAMES] == ["1 – 2 (a)", "2 – 3 (b)", "1 – 3 (ab)"]


def test_differences_intervals_and_p(rows: dict[str, list[list[str]]]) -> None:
    corrected = holm()
    for one, other in itertools.combinations(NAMES, 2):
        difference, between, p, p_holm, _, better, worse = rows[f"{one} → {other}"][0]
        gain = f1(counts(other)) - f1(counts(one))
        assert difference == f"{gain:+.4f}"
        assert between == " – ".join(f"{bound:+.4f}" for bound in interval(one, other))
        assert p == f"{exact_p(one, other):.4f}"
        assert p_holm.rstrip("*") == f"{corrected[one, other]:.4f}"
        assert p_holm.endswith("*") == (corrected[one, other] <= 0.05)
        alone = [2 * rows[:, 0] / rows[:, 1] for rows in (counts(one), counts(other))]
        assert (better, worse) == (str((alone[1] > alone[0]).sum()), str((alone[1] < alone[0]).sum()))


def test_the_verdict(html: str) -> None:
    said = f"one is best: entity_f1 {f1(counts('one')):.4f}; three cannot be told from it "
    said += f"(p {holm()['one', 'three']:.4f}); two is worse."
    assert said in unescape(re.sub(r"<[^>]*>", "", html))


def test_fields(rows: dict[str, list[list[str]]]) -> None:
    for field in ("total", "tax"):
        own = {name: f1(counts(name, (field,))) for name in NAMES}
        shown = [cell.lstrip("▲▼ ").rstrip("*") for cell in rows[field][0]]
        assert shown[:2] == ["10", f"{own['one']:.4f}"]
        differences = [100 * (own[name] - own["one"]) for name in ("three", "two")]
        assert shown[2:] == [f"{each:+.1f}" if each else "=" for each in differences]
    assert "date" not in [name for name, cells in rows.items() if len(cells[0]) == 4], "it is the same in all systems"


def wrong(name: str) -> set[tuple[int, str]]:
    """The documents and fields in which a system is wrong."""
    return {
        (number, field)
        for number, (said, true) in enumerate(zip(SYSTEMS[name], REFERENCES, strict=True))
        for field in FIELDS
        if said.get(field) != true[field]
    }


def test_what_there_is_to_correct(html: str, rows: dict[str, list[list[str]]]) -> None:
    values = [*values_of(html)]
    assert len(values) == len(REFERENCES) * len(FIELDS)
    for system, name in enumerate(NAMES):
        errors = {(int(each.document), each.field) for each in values if each.kind(system) != "correct"}
        assert errors == wrong(name)
        for number in range(len(REFERENCES)):
            own = sum(document == number for document, _ in errors)
            assert rows[str(number)][-1][system] == str(own)


def test_worse_and_better_values_are_counted_and_lead_to_these(html: str, rows: dict[str, list[list[str]]]) -> None:
    for name in ("two", "three"):
        row = rows[f"{name} {'not separated' if name == 'three' else ''}".strip()][0]
        worse, better = (str(len(wrong(a) - wrong(b))) for a, b in ((name, "one"), ("one", name)))
        assert row[4:] == [worse, better]
        assert f'<a href="#system={name}&amp;kind=worse">{worse}</a>' in html
    assert "kind=better" not in html, "none is: there is nothing to lead to"
