"""The answers of all systems to a document stand beside the value that they answer."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docie import corpus, kieval
from docie.show.report.all_systems import Line, Run, beside_each_other, line_of, lines_of, to_correct

from sizes import examples

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
    assert words(last) == ("menu[2], not in the reference", "nm", "", [None, "−Cake"])


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


VALUES = st.sampled_from(["1", "1.0", "2", "x"])
ROWS = st.fixed_dictionaries({}, optional={"nm": st.lists(VALUES, max_size=2), "price": VALUES})
DOCUMENTS = st.fixed_dictionaries(
    {}, optional={"tags": st.lists(VALUES, max_size=3), "menu": st.lists(ROWS, max_size=3)}
)


@given(answers=st.lists(DOCUMENTS, min_size=2, max_size=3), reference=DOCUMENTS)
@examples(2000, 300)
def test_each_suspect_has_a_line_of_its_own(answers: list[Any], reference: Any) -> None:
    """Systems may say the same in another order and in groups with other numbers."""
    listed = corpus.suspects({str(number): [each] for number, each in enumerate(answers)}, [reference])
    found, taken = lines(*answers, reference=reference), set[int]()
    for suspect in listed:
        number = line_of(suspect, found, taken)
        assert number is not None, suspect
        taken.add(number)
    assert taken == {number for number, line in enumerate(found) if isinstance(line, Line) and line.is_suspect}
    pairs = [
        pair for row in beside_each_other([kieval.explain(each, reference) for each in answers]) for pair in row.pairs
    ]
    assert sum(pair is not None for pair in pairs) == sum(
        len(kieval.explain(each, reference).pairs) for each in answers
    )


def test_equal_values_of_other_groups_stand_beside_each_other() -> None:
    """Both add the same item, as their second and as their third one; the reference has a second one of its own."""
    reference = {"menu": [{"nm": "Tea"}, {"nm": "Latte"}]}
    first = {"menu": [{"nm": "Tea"}, {"nm": "Cake", "price": "9"}]}
    second = {"menu": [{"nm": "Tea"}, {"nm": "Latte"}, {"nm": "Pie"}, {"nm": "Cake", "price": "9"}]}
    found = [words(line) for line in lines({"menu": [*first["menu"], {"nm": "Latte"}]}, second, reference=reference)]
    assert ("menu[1], not in the reference", "nm", "", ["−Cake", "−Cake"]) in found
    assert ("menu[1], not in the reference", "price", "", ["−9", "−9"]) in found
    assert ("menu[2], not in the reference", "nm", "", [None, "−Pie"]) in found
