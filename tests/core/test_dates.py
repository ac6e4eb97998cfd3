"""Dates: certain readings are made equal, uncertain ones stay text."""

from __future__ import annotations

import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docie.core.normalizers.calendar_names import LANGUAGES, WEEKDAYS, month_of
from docie.core.normalizers.dates import date

from sizes import examples, length


@pytest.mark.parametrize(
    "text",
    [
        "2023-12-31", "2023/12/31", "31.12.2023", "12/31/2023", "31/12/2023", "31-12-2023", " 31.12.2023 ",
        "31 Dec 2023", "31. december 2023", "Dec 31, 2023", "31-DEC-2023", "Dez 31, 2023", "31DEC2023", "2023-Dec-31", "2023 December 31",
        # ordinals and small words
        "31st December 2023", "Dec 31st, 2023", "31st of December, 2023", "31 de diciembre de 2023", "31º de dezembro de 2023",
        # behind its weekday
        "Sun, 31 Dec 2023", "Sunday, December 31, 2023", "So. 31.12.2023", "Dimanche 31 décembre 2023", "zo 31-12-2023", "domingo, 31/12/2023", "Sun, 31 Dec 2023 00:00:00 GMT", "NIEDZ. 31.12.2023",
        "Sunday 31.12.23", "Sun, 31-Dec-23", "Pazar 31.12.2023", "søn. 31. desember 2023",
        # with midnight, in front or behind
        "2023-12-31 00:00", "2023-12-31T00:00:00", "2023-12-31T00:00:00.000Z", "2023-12-31T00:00:00+02:00", "31.12.2023, 0:00 Uhr", "12:00 am 31.12.2023", "31/12/2023 00h00",
        # two digits of the year
        "12/31/23", "31-Dec-'23", "Dec 31, 23", "31st Dec 23", "31 of Dec 23", "31 de diciembre de 23", "31/12/'23", "12/31/23 0:00",
        # other languages
        "31. Dezember 2023", "31 décembre 2023", "31 DÉCEMBRE 2023", "31 de\u0301cembre 2023", "31 dicembre 2023", "31 december 2023", "31 grudnia 2023",
        "31. prosince 2023", "31. joulukuuta 2023", "31 Aralık 2023", "31 ARALIK 2023", "31 Desember 2023", "31 Disember 2023",
        "31 decembrie 2023", "31. desember 2023", "2023. december 31.", "31. prosinca 2023", "2023年12月31日", "２０２３年１２月３１日", "2023년 12월 31일",
    ],
)  # fmt: skip
def test_the_last_day_of_a_year(text: str) -> None:
    assert date(text) == "2023-12-31"


@pytest.mark.parametrize(
    ("text", "time"),
    [
        ("2023-12-31 14:05", "14:05"), ("2023-12-31T14:05:00Z", "14:05Z"), ("2023-12-31T23:59:59.000001+02:00", "23:59:59.000001+02:00"), ("2023-12-31T14:05:00 +0200", "14:05+02:00"),
        ("31.12.2023, 14:05 Uhr", "14:05"), ("31.12.2023 14:05:59", "14:05:59"), ("12/31/2023 2:05 PM", "14:05"), ("12/31/2023 2:05:09 p.m.", "14:05:09"), ("14:05 31.12.2023", "14:05"),
        ("31/12/2023 14h05", "14:05"), ("12/31/23 14:05", "14:05"), ("31.12.2023 14:05 GMT", "14:05Z"), ("2023-12-31T14:05+00:00", "14:05Z"), ("2023-12-31T23:30-05:00", "23:30-05:00"),
        ("31.12.2023 12:30 am", "00:30"), ("31.12.2023 12:30 pm", "12:30"), ("31.12.2023 14:05:30.50", "14:05:30.5"), ("2023-12-31 24:00", "24:00"), ("9:15 am, 31.12.2023", "09:15"),
    ],
)  # fmt: skip
def test_a_time_stays_with_its_zone(text: str, time: str) -> None:
    assert date(text) == f"2023-12-31T{time}"
    assert date(date(text)) == date(text)


@pytest.mark.parametrize(
    "text",
    ["31.12.2023 14:05 am", "31.12.2023 24:05", "14:05 31.12.2023 15:05", "31.12.2023 14:05.5", "31.12.2023 25:00"],
)
def test_times_that_cannot_be_read_leave_the_text(text: str) -> None:
    assert date(text) == text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2023/1/5", "2023-01-05"), ("03.03.2024", "2024-03-03"), ("Sept. 5 2023", "2023-09-05"), ("May 5, 2023", "2023-05-05"), ("1er août 2023", "2023-08-01"),
        ("29.02.2024", "2024-02-29"),
        # 69 to 99 are 19.., 00 to 68 are 20..
        ("31.12.69", "1969-12-31"), ("31.12.68", "2068-12-31"), ("31.12.99", "1999-12-31"), ("31.12.00", "2000-12-31"),
        # two digits that can be no day, or no year, tell where the year stands; and so does a date with one reading
        ("68/12/31", "2068-12-31"), ("99-12-31", "1999-12-31"), ("68-Dec-31", "2068-12-31"), ("31-Dec-32", "2032-12-31"), ("1-Dec-23", "2023-12-01"), ("12.12.12", "2012-12-12"),
        ("29/02/23", "2029-02-23"), ("23/2/29", "2029-02-23"), ("00/12/31", "2000-12-31"),
    ],
)  # fmt: skip
def test_date(text: str, expected: str) -> None:
    assert date(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        # uncertain
        "03/04/2024", "03/04/24", "03/04/2024 14:05", "5 listopada 2023", "5 lip 2023",
        # the year may stand first or last
        "23/12/31", "23-12-31", "23.12.31", "31/12/23", "31.12.23 14:05", "23/1/15", "31-12-23", "23-Dec-31", "31-Dec-23", "31 Dec 23", "31. Dezember 23", "31DEC23", "23/Dec/31",
        # of another weekday, or behind no weekday
        "Mon, 31 Dec 2023", "Mo 31.12.2023", "Sunday, 03/04/24 or so", "Due 31.12.2023", "to 31.12.2023", "Sunday", "Sun, Sun, 31.12.2023", "Sun 31.12.2023 14:05 am",
        # impossible, or no date
        "31.02.2023", "29.02.2023", "2023", "31/12-2023", "0000-01-01", "", "14:05", "20231231", "31 Dec", "Dec 2023", "31 Foo 2023", "31.12.2023 25:05",
        "31.12.2023 14:05 or later", "31.12.023", "1.2.3", "x" * 10_000, " " * 10_000 + "x", "31" + " " * 10_000 + "Dec 2023",
    ],
)  # fmt: skip
def test_what_stays_text(text: str) -> None:
    assert date(text) == text


def test_a_stated_order() -> None:
    assert date("03/04/2024", day_first=True) == date("03/04/24 0:00", day_first=True) == "2024-04-03"
    assert date("03/04/24 9:15", day_first=True) == "2024-04-03T09:15"
    assert date("03/04/2024", day_first=False) == "2024-03-04"
    assert date("31/12/2024", day_first=False) == "31/12/2024"


def test_with_a_stated_order_the_year_stands_last() -> None:
    for text in ("23/12/31", "23-12-31", "23.12.31", "23-Dec-31", "23 Dec 31"):
        assert (date(text), date(text, day_first=True)) == (text, "2031-12-23")
    assert date("12/11/10", day_first=False) == "2010-12-11"
    assert date("23/12/31", day_first=False) == "23/12/31"  # there is no month 23
    assert date("23-Dec-31", day_first=False) == "2031-12-23"
    assert date("68/12/31", day_first=True) == "68/12/31"


def test_a_weekday_tells_the_order() -> None:
    assert (date("Mon, 08/01/2024"), date("Thu, 08/01/2024"), date("Tue, 08/01/2024")) == (
        "2024-01-08",
        "2024-08-01",
        "Tue, 08/01/2024",
    )
    assert date("Thu, 08/01/2024", day_first=True) == "Thu, 08/01/2024"
    assert date("Mon, 08 Jan 2024 14:05:00 GMT") == "2024-01-08T14:05Z"


@pytest.mark.parametrize("language", WEEKDAYS)
def test_every_weekday_of_every_language_is_read(language: str) -> None:
    names = WEEKDAYS[language].split()
    assert language in LANGUAGES
    assert len(names) == 7
    for number, name in enumerate(names):
        day = datetime.date(2024, 1, 15) + datetime.timedelta(days=number)  # the first is a Monday
        for written in (name, name.upper(), name[:3].title()):
            assert date(f"{written}, {day:%d.%m.%Y}") == str(day)


def test_stated_formats_are_tried_first() -> None:
    assert date("23/12/31", formats=["%y/%m/%d"]) == "2023-12-31"
    assert date("31-12-23", day_first=True) == date("31-12-99", day_first=None).replace("1999", "2023") == "2023-12-31"
    assert date("03/04/2024", formats=["%d.%m.%Y", "%d/%m/%Y"]) == "2024-04-03"
    assert date("20231231", formats=["%Y%m%d"]) == "2023-12-31"
    assert date("365/2023", formats=["%j/%Y"]) == "2023-12-31"
    assert date(" 20231231T1405 ", formats=["%Y%m%dT%H%M"]) == "2023-12-31T14:05"
    assert date("20231231T0000", formats=["%Y%m%dT%H%M"]) == "2023-12-31"
    assert date("31. Dez. 2023", formats=["%y/%m/%d"]) == "2023-12-31"  # what is certain is read all the same


@pytest.mark.parametrize("formats", ["%d.%m.%Y", ["%d.%m"], ["%Q"], [""], [5], ["%Y-%m-%d", "%H:%M"]])
def test_a_format_reads_a_whole_date(formats: list[str]) -> None:
    with pytest.raises(
        ValueError, match="^date: (formats must be a list of texts|a format must have day, month and year)"
    ):
        date("31.12.2023", formats=formats)


def test_another_order_is_an_error() -> None:
    with pytest.raises(ValueError, match="^date: day_first must be True, False or None, got 'yes'$"):
        date("31.12.2023", day_first="yes")  # type: ignore[arg-type]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_month_of_every_language_is_read(language: str) -> None:
    months = LANGUAGES[language].split("|")
    assert len(months) == 12
    unsure = {"listopad", "listopada", "srp", "lip", "lis"}  # they mean another month in another language
    for month, names in enumerate(months, 1):
        for name in names.split():
            text = f"5 {name} 2023"
            assert date(text) == (text if name in unsure else f"2023-{month:02}-05"), name
            assert month_of(name.upper()) == (None if name in unsure else month)


@given(st.dates(datetime.date(1970, 1, 1), datetime.date(2068, 12, 31)))
@examples(100, 100)
def test_what_was_printed_is_read(day: datetime.date) -> None:
    for form in ("%Y-%m-%d", "%d %B %Y", "%b %d, %Y", "%d-%b-%Y", "%b %d, %y", "%Y-%m-%dT%H:%M:%S"):
        assert date(day.strftime(form)) == day.isoformat()
    for form, day_first in (("%d/%m/%y", True), ("%d-%b-%y", True), ("%m/%d/%Y", False)):
        assert date(day.strftime(form), day_first=day_first) == day.isoformat()
        assert date(day.strftime(form)) in (day.isoformat(), day.strftime(form))


FORMS = [
    f"%{parts[0]}{mark}%{parts[1]}{mark}%{parts[2]}"
    for parts in ("ymd", "dmy", "mdy", "dmY", "mdY", "Ymd", "ybd", "dby", "yBd", "dBy", "bdy", "dbY", "Ybd")
    for mark in ("/", "-", ".", " ")
    if mark != " " or not {"m"} & {*parts}
]


@pytest.mark.parametrize("form", FORMS)
@length(24_837, 900)
def test_no_date_is_read_as_another(form: str, length: int) -> None:
    first, days = datetime.date(2001, 1, 1), 24_837  # to the end of 2068
    for number in range(length):
        day = first + datetime.timedelta(number * 27 % days if length < days else number)
        printed = day.strftime(form)
        assert date(printed) in (day.isoformat(), printed)
