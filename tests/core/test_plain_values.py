"""Python values as JSON has them: numbers by value, dates as text, objects of every kind; what stands for nothing."""

from __future__ import annotations

import dataclasses
import datetime
import decimal
import enum
import fractions
from typing import Any

import numpy as np
import pytest

from docie.core.normalizers.dates import date
from docie.core.normalizers.texts import NumberText
from docie.core.values.plain import key_text, plain_value, scalar_text
from docie.documents.document import parse_document
from docie.documents.tree import parse_tree
from docie.metrics.oi_entities.entity_lists import parse_entities

NAN = float("nan")


class Currency(enum.Enum):
    EURO = "EUR"
    CENTS = 100
    DAY = datetime.date(2023, 12, 31)


class Code(str, enum.Enum):  # noqa: UP042 - as many programs have them
    EURO = "EUR"


class Count(enum.IntEnum):
    TWO = 2


@dataclasses.dataclass
class Item:
    nm: str
    price: decimal.Decimal | None = None


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (12, "12"), (12.0, "12"), (0.10, "0.1"), (-0.0, "0"), (1e16, "10000000000000000"), (True, "true"), ("12.00", "12.00"),
        (decimal.Decimal("1.240"), "1.24"), (decimal.Decimal("12"), "12"), (decimal.Decimal("12.00"), "12"), (decimal.Decimal("-0.00"), "0"),
        (decimal.Decimal("1E+3"), "1000"), (decimal.Decimal("1e-3"), "0.001"),
        (fractions.Fraction(1, 2), "0.5"),
        # numpy's numbers have the shortest text of their own precision
        (np.float64(12.3), "12.3"), (np.float32(12.3), "12.3"), (np.float16(12.3), "12.3"), (np.longdouble(12.5), "12.5"), (np.int8(3), "3"),
        (np.array(np.float32(0.1)), "0.1"), (np.float32(1e10), "10000000000"), (np.bool_(True), "true"), (np.str_("x"), "x"),
        (np.datetime64("2023-12-31"), "2023-12-31"), (np.datetime64("2023-12-31T14:05:00.000000000"), "2023-12-31T14:05:00"),
        (datetime.datetime(2023, 12, 31), "2023-12-31T00:00:00"), (datetime.time(14, 5), "14:05:00"),
        (Currency.EURO, "EUR"), (Currency.CENTS, "100"), (Currency.DAY, "2023-12-31"), (Code.EURO, "EUR"), (Count.TWO, "2"),
    ],
)  # fmt: skip
def test_the_text_of_a_scalar(value: Any, text: str) -> None:
    assert scalar_text(value) == text
    is_number = not isinstance(plain_value(value), str)
    assert isinstance(scalar_text(value), NumberText) == is_number
    [(_, value_of_document, _)] = parse_document({"a": value}, "prediction").ungrouped
    assert value_of_document == parse_tree(value, "reference") == text
    entities = parse_entities([["a", value]], "prediction")
    assert entities is not None
    assert entities.entities == [("a", text)]


def test_arrays_of_short_floats() -> None:
    assert plain_value(np.array([[12.3, 0.1], [1, np.nan]], dtype=np.float32))[0] == [12.3, 0.1]
    assert plain_value(np.array([], dtype=np.float16)) == []
    document = parse_document({"a": np.array([12.3, np.nan, 0.5], dtype=np.float32)}, "prediction")
    assert [value for _, value, _ in document.ungrouped] == ["12.3", "0.5"]


@pytest.mark.parametrize(
    "value", [object(), {1}, b"x", 1j, np.complex64(1), datetime.timedelta(1), np.timedelta64(5, "ns"), Item, Currency]
)
def test_what_json_does_not_have(value: Any) -> None:
    with pytest.raises(TypeError, match="^expected "):
        plain_value(value)


@pytest.mark.parametrize(
    "value", [10**5000, decimal.Decimal("1e5000"), decimal.Decimal("1e99999")], ids=["integer", "decimal", "longer"]
)
def test_numbers_that_are_too_long(value: Any) -> None:
    with pytest.raises(ValueError, match="^expected a number of at most 4,300 digits, got a longer one$"):
        scalar_text(value)


@pytest.mark.parametrize(
    "value",
    [
        float("inf"),
        -1e999,
        decimal.Decimal("-Infinity"),
        np.float32("inf"),
        np.array(np.inf),
        fractions.Fraction(10) ** 400,
    ],
)
def test_numbers_that_are_not_finite(value: Any) -> None:
    with pytest.raises(ValueError, match="^expected a number between -1.8e308 and 1.8e308, got -?inf$"):
        scalar_text(value)


@pytest.mark.parametrize("value", [["x"], {"a": "x"}, ("x",), np.array([1, 2]), Item("x")])
def test_what_is_no_scalar(value: Any) -> None:
    with pytest.raises(TypeError, match="^expected a single value, got "):
        scalar_text(value)


# --- what stands for nothing ---


def nothings() -> list[Any]:
    pandas = pytest.importorskip("pandas")
    return [None, NAN, np.nan, np.float32("nan"), np.float64("nan"), decimal.Decimal("NaN"), decimal.Decimal("sNaN"), np.datetime64("NaT"), pandas.NaT, pandas.NA]  # fmt: skip


def test_what_tables_write_for_nothing_is_absent() -> None:
    for nothing in nothings():
        assert scalar_text(nothing) is None
        leaf = {"value": nothing, "confidence": 0.5}
        for value in (nothing, [nothing], [[nothing, None]], leaf, [leaf], {"b": nothing}, [{"b": nothing}]):
            for side in ("prediction", "reference"):
                document = parse_document({"a": value}, side)
                assert (document.ungrouped, document.groups) == ([], {})
        assert (
            parse_document({"a": [nothing, "x"]}, "reference").ungrouped
            == parse_document({"a": "x"}, "reference").ungrouped
        )
        for one_of in ((nothing, "x"), {"$any_of": [nothing, "x"]}):
            assert (
                parse_document({"a": one_of}, "reference").ungrouped
                == parse_document({"a": "x"}, "reference").ungrouped
            )
        assert parse_tree({"a": nothing, "b": [nothing]}, "reference") == {"a": None, "b": [None]}
        entities = parse_entities([["a", nothing], ["b", "x"]], "reference")
        assert entities is not None
        assert entities.entities == [("b", "x")]


def test_times_of_pandas_are_times() -> None:
    pandas = pytest.importorskip("pandas")
    for day in (
        pandas.Timestamp("2023-12-31"),
        datetime.datetime(2023, 12, 31),
        datetime.date(2023, 12, 31),
        pandas.Timestamp("2023-12-31", tz="UTC"),
    ):
        text = scalar_text(day)
        assert text is not None
        assert date(text) == "2023-12-31"


# --- objects ---


def test_dataclasses_and_models_inside_of_documents() -> None:
    pydantic = pytest.importorskip("pydantic")

    class Model(pydantic.BaseModel):  # type: ignore[misc, name-defined]
        nm: str
        price: decimal.Decimal | None = None
        ratio: float = NAN
        rows: list[Item] = pydantic.Field(default_factory=list)

    plain = parse_document({"g": [{"nm": "Latte", "price": 4.5}], "h": {"i": {"nm": "x"}}}, "reference")
    for item in (Item, Model):
        latte, other = item(nm="Latte", price=decimal.Decimal("4.50")), item(nm="x")
        document = parse_document({"g": [latte], "h": {"i": other}}, "reference")
        assert (document.ungrouped, document.groups) == (plain.ungrouped, plain.groups)
        assert parse_tree({"g": [latte]}, "reference")["g"][0]["price"] == "4.5"
    nested = plain_value(Model(nm="x", rows=[Item("y", decimal.Decimal("1.50"))]))
    assert nested["rows"] == [{"nm": "y", "price": decimal.Decimal("1.50")}]


def test_members_of_enums_as_keys() -> None:
    assert [key_text(key) for key in (Currency.EURO, Currency.CENTS, Code.EURO, "x", 1.0)] == [
        "EUR",
        "100",
        "EUR",
        "x",
        "1.0",
    ]
