"""The answers of all systems to a document stand beside the value that they answer."""

from __future__ import annotations

from typing import Any

import pytest

from docie import corpus, kieval
from docie.show.report.answers import Line, Run, lines_of, to_correct

REFERENCE: dict[str, Any] = {
    "date": "7",
    "tags": ["a", "b", "a"],
    "menu": [{"nm": "Tea", "price": "1"}, {"nm": "Latte", "price": "4"}],
}


def lines(*answers: Any, reference: Any = REFERENCE) -> list[Line | Run]:
    return lines_of([kieval.explain(answer, reference) for answer in answers])


def words(line: Line | Run) -> Any:
    """The expected value and what each system says of it; of a run its values."""
    if isinstance(line, Run):
        return line.values
    said = [
        None if row is None else row.look.mark + "".join(part.text for part in row.predicted) for row in line.answers
    ]
    return (line.group, line.field, "".join(part.text for part in line.expected), said)


def test_a_document_that_all_have_right_is_one_run() -> None:
    [run] = lines(REFERENCE, REFERENCE)
    assert isinstance(run, Run)
    assert run.values[:2] == [("date", "7"), ("tags", "a")]
    assert ("menu[1] price", "4") in run.values
    assert len(run.values) == 8


def test_each_answer_stands_beside_its_value() -> None:
    """The same value twice, groups in another order, missing and spurious values."""
    first = {**REFERENCE, "tags": ["a", "a"], "menu": [*reversed(REFERENCE["menu"])]}
    second = {
        **REFERENCE,
        "date": "8",
        "note": "x",
        "menu": [{"nm": "Tea", "price": "1"}, {"nm": "Latte", "price": "5"}],
    }
    found = [words(line) for line in lines(first, second, {})]
    assert ("", "date", "7", ["✓7", "≠8", "+"]) in found
    assert ("", "tags", "b", ["+", "✓b", "+"]) in found
    assert ("menu[1]", "price", "4", ["✓4", "≠5", "+"]) in found
    assert ("", "note", "", [None, "−x", None]) in found
    assert [line for line in found if isinstance(line, list)] == []
    assert len(found) == 8 + 1
    assert [to_correct(kieval.explain(each, REFERENCE)) for each in (first, second, {})] == [1, 3, 8]


def test_groups_that_only_predictions_have_come_behind() -> None:
    more = {**REFERENCE, "menu": [*REFERENCE["menu"], {"nm": "Cake"}]}
    *_, last = lines(REFERENCE, more)
    assert words(last) == ("menu[2]", "nm", "", [None, "−Cake"])


def test_nothing_to_show() -> None:
    assert lines({}, {}, reference={}) == []


def test_a_value_on_which_all_agree_against_the_reference_is_marked() -> None:
    wrong = {**REFERENCE, "date": "8", "note": "x"}
    suspects = [line.field for line in lines(wrong, wrong) if isinstance(line, Line) and line.is_suspect]
    assert suspects == ["date", "note"]
    assert not any(isinstance(line, Line) and line.is_suspect for line in lines(wrong, {**wrong, "date": "9"}, {}))
    missing = lines({}, {})
    assert not any(isinstance(line, Line) and line.is_suspect for line in missing), "silence is no agreement"


@pytest.mark.parametrize(
    ("reference", "answers"),
    [("12.60", ("12.00", "12")), ("1.00", ("1,00", "1,00")), ("x", ("CAT", "CAT")), ("x", ("CAT", "DOG"))],
)
def test_marks_are_those_of_the_list_of_suspects(reference: str, answers: tuple[str, str]) -> None:
    systems = [{"a": text} for text in answers]
    listed = corpus.suspects({str(number): [each] for number, each in enumerate(systems)}, [{"a": reference}])
    [line] = lines(*systems, reference={"a": reference})
    assert isinstance(line, Line)
    assert line.is_suspect == bool(listed)
