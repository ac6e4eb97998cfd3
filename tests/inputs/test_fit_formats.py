"""What `docie check` finds about formats and names: what it proposes, what it leaves, and what no model gains by."""

from __future__ import annotations

import datetime
import random
import re
from collections.abc import Callable
from typing import Any

import pytest

import docie
from docie.diagnosis.config_file import config_file
from docie.inputs.fit.writing import AS_WRITTEN, Writing, Writings

DAYS = [datetime.date(2024, 1, 1) + datetime.timedelta(days=17 * number % 360) for number in range(24)]
REFERENCES: list[dict[str, Any]] = [
    {
        "day": str(day),
        "seen": f"{day}T10:15Z",
        "paid": number % 3 > 0,
        "total": f"{1000 + number * 37.25:.2f}",
        "pieces": 500 + number * 97,
        "vendor": f"Bäckerei Müller's & Söhne - {number}",
        "code": f"0{number + 10}",
    }
    for number, day in enumerate(DAYS)
]


def each(**changes: Callable[[Any], Any]) -> list[dict[str, Any]]:
    return [{name: changes.get(name, lambda same: same)(value) for name, value in row.items()} for row in REFERENCES]


def truth(true: Any, false: Any) -> Callable[[bool], Any]:
    return lambda value: true if value else false


def day(form: str) -> Callable[[str], str]:
    return lambda text: datetime.date.fromisoformat(text).strftime(form)


def seconds(text: str) -> int:
    return int(datetime.datetime.fromisoformat(text.replace("Z", "+00:00")).replace(tzinfo=datetime.UTC).timestamp())


def serial(text: str) -> int:
    return (datetime.date.fromisoformat(text) - datetime.date(1899, 12, 30)).days


def amount(marks: str, decimals: int = 2) -> Callable[[Any], str]:
    return lambda value: f"{float(value):,.{decimals}f}".translate(str.maketrans(",.", marks))


def garbled(text: str) -> str:
    return text.encode().decode("cp1252")


MENDED: dict[str, tuple[list[dict[str, Any]], dict[str, list[str]]]] = {
    "Y and N": (each(paid=truth("Y", "N")), {"paid": ['boolean(true="Y", false="N")']}),
    "1 and 0": (each(paid=truth(1, 0)), {"paid": ['boolean(true="1", false="0")']}),
    "ja and nein": (each(paid=truth("Ja", "Nein")), {"paid": ["boolean"]}),
    "oui and non": (each(paid=truth("Oui", "Non")), {"paid": ["boolean"]}),
    "sí and no": (each(paid=truth("Sí", "No")), {"paid": ["boolean"]}),
    "1.0 and 0.0": (each(paid=truth("1.0", "0.0")), {"paid": ['boolean(true="1.0", false="0.0")']}),
    "ticks and crosses": (each(paid=truth("✓", "✗")), {"paid": ['boolean(false="✗")']}),
    "boxes": (each(paid=truth("☒", "☐")), {"paid": ['boolean(true="☒")']}),
    "marks with words": (
        each(paid=truth(":selected:", ":unselected:")),
        {"paid": ['boolean(true=":selected:", false=":unselected:")']},
    ),
    "checked": (each(paid=truth("checked", "unchecked")), {"paid": ["boolean"]}),
    "compact dates": (each(day=day("%Y%m%d")), {"day": ['date(formats=["%Y%m%d"])']}),
    "compact dates, the day first": (each(day=day("%d%m%Y")), {"day": ['date(formats=["%d%m%Y"])']}),
    "dates of a spreadsheet": (each(day=serial), {"day": ['date(numbers="days")']}),
    "seconds": (each(day=seconds), {"day": ['date(numbers="seconds")']}),
    "milliseconds": (each(seen=lambda text: 1000 * seconds(text)), {"seen": ['date(numbers="milliseconds")']}),
    "the day first": (each(day=day("%d/%m/%Y")), {"day": ["date(day_first=True)"]}),
    "the month first": (each(day=day("%m/%d/%Y")), {"day": ["date(day_first=False)"]}),
    "the day first, two digits": (each(day=day("%d.%m.%y")), {"day": ["date(day_first=True)"]}),
    "short months, two digits": (each(day=day("%d-%b-%y")), {"day": ["date(day_first=True)"]}),
    "weekdays": (each(day=day("%a, %d %b %Y")), {"day": ["date"]}),
    "thousands with points": (
        each(total=amount(".,"), pieces=amount(".,", 0)),
        {"total": ["number"], "pieces": ['number(decimal=",")']},
    ),
    "entities": (each(vendor=lambda text: text.replace("&", "&amp;").replace("ä", "&auml;")), {"vendor": ["typography"]}),
    "mojibake": (each(vendor=garbled), {"vendor": ["typography"]}),
    "typographic signs": (each(vendor=lambda text: text.replace("'", "’").replace("-", "–")), {"vendor": ["typography"]}),
    "spaces": (each(vendor=lambda text: text.replace(" ", "\u00a0")), {"vendor": ["whitespace"]}),
    "signs and case": (
        each(vendor=lambda text: text.upper().replace("'", "’")),
        {"vendor": ["typography", "nfkc", "casefold", "whitespace"]},
    ),
}  # fmt: skip


@pytest.mark.parametrize("side", ["predictions", "references"])
@pytest.mark.parametrize("name", MENDED)
def test_a_format_is_mended_whole(name: str, side: str) -> None:
    written, normalize = MENDED[name]
    sides: dict[str, Any] = {"predictions": REFERENCES, "references": REFERENCES, side: written}
    findings = docie.check(**sides)
    assert findings.config == {"values": {"normalize": normalize}}
    assert {each.kind for each in findings} == {"format"}
    assert all(each.is_certain for each in findings)
    assert findings.findings[-1].after == 1
    assert docie.check(**sides, config=findings.config).findings == []


@pytest.mark.parametrize("name", MENDED)
def test_wrong_values_stay_wrong(name: str) -> None:
    """Of a format with other documents' values, no more is gained than happens to be equal."""
    written, _ = MENDED[name]
    changed = [key for key in REFERENCES[0] if written[1][key] != REFERENCES[1][key] and key != "paid"]
    rows = [
        {**row, **{key: other[key] for key in changed}}
        for row, other in zip(written, written[5:] + written[:5], strict=True)
    ]
    if changed:
        assert [each.config for each in docie.check(references=REFERENCES, predictions=rows) if each.config] == []


# signs: told

SIGNS: dict[str, tuple[Callable[[str], str], str, bool]] = {
    "accents dropped": (
        lambda text: text.replace("ä", "a").replace("ü", "u").replace("ö", "o"),
        "accents only: ",
        False,
    ),
    "accents in two letters": (lambda text: text.replace("ä", "ae").replace("ü", "ue"), "accents only: ", False),
    "quotes": ('"{}"'.format, "punctuation only: ", True),
    "Markdown": ("**{}**".format, "punctuation only: ", True),
    "a full stop": ("{}.".format, "punctuation only: ", True),
    "a dash": ("- {}".format, "punctuation and blanks only: ", True),
    "without blanks": (lambda text: text.replace("i M", "iM"), "blanks only: ", True),
    "capitals, and a full stop": (lambda text: f"{text.upper()}.", "case and punctuation only: ", True),
}


@pytest.mark.parametrize("name", SIGNS)
def test_texts_that_differ_in_signs_only_are_told(name: str) -> None:
    change, kinds, is_alphanumeric = SIGNS[name]
    [finding] = docie.check(references=REFERENCES, predictions=each(vendor=change))
    assert finding.text.startswith(f"values of 'vendor' differ from those in the references in {kinds}")
    assert f"{change(REFERENCES[0]['vendor'])!r} for {REFERENCES[0]['vendor']!r}" in finding.text
    assert ("alphanumeric" in finding.text) == is_alphanumeric
    assert (finding.kind, finding.config, finding.after) == ("format", {}, finding.before)


def test_types_that_differ_alike_are_told_at_once() -> None:
    rows, marked = ([{"a": f"{sign}Tea {row['vendor'][-1]}x{sign}", **row} for row in REFERENCES] for sign in ("", "*"))
    [finding] = docie.check(references=rows, predictions=[{**row, "vendor": f"_{row['vendor']}_"} for row in marked])
    assert finding.text.startswith("values of 'a', 'vendor' differ from those in the references in punctuation only: ")


@pytest.mark.parametrize(
    "change",
    [
        lambda text: f"{text}+", lambda text: f"{text} #1", lambda text: text.replace("ä", "e"), lambda text: f"☑ {text}",
        lambda text: f"-1 {text}", lambda text: text[1:], lambda text: text.replace("Söhne", "Sohn"),
    ],
)  # fmt: skip
def test_what_differs_in_more_than_signs_is_not_told_so(change: Callable[[str], str]) -> None:
    assert not [
        each for each in docie.check(references=REFERENCES, predictions=each(vendor=change)) if "only: " in each.text
    ]


# what models that are wrong do not gain by


def without_format(value: str) -> str:
    return value.replace("-", "")


WRONG: dict[str, list[dict[str, Any]]] = {
    "always yes": each(paid=lambda _: "Y"),
    "the opposite": each(paid=truth("0", "1")),
    "the opposite, with a point": each(paid=truth("0.0", "1.0")),
    "the opposite, in letters": each(paid=truth("N", "J")),
    "the opposite, in brackets": each(paid=truth("[no]", "[yes]")),
    "other words": each(paid=lambda _: "unknown"),
    "day and month swapped": each(day=lambda text: "-".join(text.split("-")[place] for place in (0, 2, 1))),
    "day and month swapped, compact": each(day=day("%Y%d%m")),
    "day and year swapped": each(day=lambda text: day("%d-%b-%y")(f"20{text[8:]}{text[4:8]}{text[2:4]}")),
    "another weekday": each(
        day=lambda text: f"{DAYS[DAYS.index(datetime.date.fromisoformat(text)) - 1]:%a}, {day('%d %b %Y')(text)}"
    ),
    "a day later, of a spreadsheet": each(day=lambda text: serial(text) + 1),
    "the spreadsheets of 1904": each(day=lambda text: serial(text) - 1462),
    "another hour in seconds": each(seen=lambda text: seconds(text) + 3600),
    "seconds without a zone": each(seen=lambda text: seconds(text[:10])),
    "a thousandth": each(pieces=lambda value: f"{value / 1000:.3f}"),
    "a thousandth, with a comma": each(pieces=lambda value: f"{value / 1000:.3f}".replace(".", ",")),
    "a thousandfold amount": each(total=lambda text: f"{text[:-3]}.000"),
    "cents": each(total=lambda text: text.replace(".", "")),
    "leading zeros lost": each(code=lambda text: text.lstrip("0")),
    "other letters": each(vendor=lambda text: text.replace("ä", "a").replace("ü", "u")),
    "signs dropped": each(vendor=lambda text: text.replace("&", "").replace("'", "")),
}
RIGHT = {"always yes": 16 / 168}
"""How much of the score may rise all the same, for values that are right."""


@pytest.mark.parametrize("name", WRONG)
def test_no_advice_raises_the_score_of_a_model_that_is_wrong(name: str) -> None:
    findings = docie.check(references=REFERENCES, predictions=WRONG[name])
    assert findings.score is not None
    for finding in findings:
        assert finding.after is not None
        assert finding.after <= findings.score + RIGHT.get(name, 0) + 1e-12, finding


def test_no_finding_on_clean_data() -> None:
    assert docie.check(references=REFERENCES, predictions=REFERENCES).findings == []
    assert docie.check(references=each(paid=truth("Y", "N")), predictions=each(paid=truth("Y", "N"))).findings == []
    dice = random.Random(3)
    noisy = [{key: value if dice.random() < 0.8 else f"{value}x" for key, value in row.items()} for row in REFERENCES]
    told = docie.check(references=REFERENCES, predictions=noisy)
    assert {each.kind for each in told} == {"contains"}  # true, and nothing to change
    assert (told.config, told.options) == ({}, [])


def test_dates_that_are_all_ambiguous_show_no_order() -> None:
    references = [{"day": f"2024-{month:02}-{month + 1:02}"} for month in range(1, 12)]
    predictions = [{"day": f"{month + 1:02}/{month:02}/2024"} for month in range(1, 12)]
    [finding] = docie.check(references=references, predictions=predictions)
    assert (finding.kind, finding.config) == ("ambiguous", {})


def test_one_text_that_shows_the_other_order_leaves_all_as_they_are() -> None:
    rows = each(day=day("%d/%m/%Y"))
    rows[0]["day"] = "01/25/2024"
    [finding, ambiguous] = docie.check(references=REFERENCES, predictions=rows)
    assert (finding.config, ambiguous.kind) == ({"values.normalize": {"day": ("date",)}}, "ambiguous")


# how a side writes


def entities(**values: list[str]) -> Any:
    return [({"": [[(name, text) for name, texts in values.items() for text in texts]]}, {})]


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ({"n": ["1.240", "12,5", "7,25", "3,5"]}, ["1240"]),
        ({"n": ["1.240", "12.5", "7.25", "3.5"]}, ["1.24"]),
        ({"n": ["1.240", "12,5", "7.25", "3,5", "8,5"]}, ["1.240"]),  # both marks
        ({"n": ["1.240", "12,5", "7,25"]}, ["1.240"]),  # too few
        ({"n": ["1.240"], "m": ["12,5", "7,25", "3,5"]}, ["1240"]),  # of another type
        ({"n": ["12.000"], "m": ["12.5", "7.25", "3.5"]}, ["12.000"]),  # which says nothing of three decimals
    ],
)  # fmt: skip
def test_a_decimal_mark_is_shown_by_other_texts(values: dict[str, list[str]], expected: list[str]) -> None:
    text = values["n"][0]
    found = Writings(entities(**values)).of("n", [text], [])
    assert [(found or (AS_WRITTEN,))[0].meaning(text)] == expected


def test_what_has_one_reading_is_not_read_anew() -> None:
    how = Writing(decimal=",", day_first=True)
    assert [how.meaning(text) for text in ("12.5", "1.240,50", "12/31/2024", "03/04/2024", "1.240", "Tea")] == [
        "12.5",
        "1.240,50",
        "12/31/2024",
        "2024-04-03",
        "1240",
        "Tea",
    ]


# by a column of meta


def by_country(*, swapped: bool = False) -> list[dict[str, Any]]:
    rows = []
    for number, row in enumerate(REFERENCES):
        country = ("DE", "US")[number % 2]
        is_german = (country == "DE") != swapped
        marks = ".," if country == "DE" else ",."
        written = {
            **row,
            "total": amount(marks)(row["total"]),
            "pieces": amount(marks, 0)(row["pieces"]),
            "day": day("%d/%m/%Y" if is_german else "%m/%d/%Y")(row["day"]),
        }
        rows.append({"document": written, "meta": {"country": country, "number": number}})
    return rows


def test_formats_by_country() -> None:
    findings = docie.check(references=[{"document": row} for row in REFERENCES], predictions=by_country())
    assert findings.findings[0].config == {
        "values.normalize_by": {
            "country": {
                "DE": {"day": "date(day_first=True)", "pieces": 'number(decimal=",")'},
                "US": {"day": "date(day_first=False)", "pieces": 'number(decimal=".")'},
            }
        }
    }
    assert findings.findings[0].text == "values of 'day', 'pieces' are written differently by 'country'"
    assert findings.findings[-1].after == 1
    references = [{"document": row} for row in REFERENCES]
    assert docie.check(references=references, predictions=by_country(), config=findings.config).findings == []


def test_a_column_that_says_nothing_is_not_proposed() -> None:
    rows = [{"document": row, "meta": {"shelf": number % 2}} for number, row in enumerate(each(day=day("%d/%m/%Y")))]
    findings = docie.check(references=REFERENCES, predictions=rows)
    assert findings.config == {"values": {"normalize": {"day": ["date(day_first=True)"]}}}


# truth values


@pytest.mark.parametrize(("true", "false"), [("WAHR", "FALSCH"), ("[x]", "[ ]"), ("on", "off"), ("copy", "original")])
def test_a_person_decides_on_texts_that_do_not_show_which_one_is_true(true: str, false: str) -> None:
    for sides in ((written := each(paid=truth(true, false)), REFERENCES), (REFERENCES, written)):
        findings = docie.check(predictions=sides[0], references=sides[1])
        [finding] = findings
        assert finding.config == {"values.normalize": {"paid": (f'boolean(true="{true}", false="{false}")',)}}
        assert finding.text == f"values of 'paid' are true or false on one side, and '{true}' or '{false}' on the other"
        assert (finding.is_certain, finding.after) == (False, 1)
        assert '# normalize.paid = "boolean' in config_file(findings, {}, "docie.toml")


def test_texts_that_do_not_go_along_with_truth_values() -> None:
    dice = random.Random(0)
    for share in (0.5, 0.8):
        rows = each(paid=lambda value: ("on", "off")[dice.random() > 0.5 if dice.random() < share else value])  # noqa: B023
        assert docie.check(references=REFERENCES, predictions=rows).config == {}


def test_ticks_and_blanks_are_for_a_person_to_decide() -> None:
    findings = docie.check(references=REFERENCES, predictions=each(paid=truth("X", "")))
    [finding] = findings
    assert finding.config == {"values.normalize": {"paid": ('boolean(true="X", false="")',)}}
    assert (finding.is_certain, finding.after) == (False, 1)
    assert '# normalize.paid = "boolean' in config_file(findings, {}, "docie.toml")


@pytest.mark.parametrize(
    "write",
    [
        truth(True, ""),  # false values are left out
        truth("", "X"),
        truth("maybe", ""),
    ],
)
def test_what_is_no_tick(write: Callable[[bool], Any]) -> None:
    findings = docie.check(references=REFERENCES, predictions=each(paid=write))
    assert findings.config == {}


# placeholders


def sparse(placeholder: str) -> list[dict[str, Any]]:
    """Documents without some of their values, or with a placeholder for these."""
    return [
        {
            **{key: value if (number + place) % 3 else placeholder for place, (key, value) in enumerate(row.items())},
            "lines": [{"n": f"{number}.5", "tax": placeholder}, {"n": "7", "tax": "19"}],
        }
        for number, row in enumerate(REFERENCES)
    ]


def test_a_placeholder_of_predictions_is_no_value() -> None:
    findings = docie.check(references=sparse(""), predictions=sparse("Not found"))
    [finding] = findings
    assert finding.text.endswith("and 4 more stand for no value, such as 'Not found'")
    assert {*finding.config["values.normalize"].values()} == {("absent",)}
    assert "lines.tax" in finding.config["values.normalize"]
    assert (finding.is_certain, finding.after) == (True, 1)


@pytest.mark.parametrize(
    ("predicted", "expected", "spec"),
    [("", "N/A", "absent"), ("unknown", "", 'absent(texts=["unknown"])'), ("[]", "", 'absent(texts=["[]"])')],
)
def test_a_person_decides_on_other_placeholders(predicted: str, expected: str, spec: str) -> None:
    findings = docie.check(references=sparse(expected), predictions=sparse(predicted))
    [finding] = findings
    assert {*finding.config["values.normalize"].values()} == {(spec,)}
    assert (finding.is_certain, finding.after) == (False, 1)
    assert "# normalize.day = " in config_file(findings, {}, "docie.toml")
    assert (
        docie.check(references=sparse(expected), predictions=sparse(predicted), config=findings.config).findings == []
    )


def test_what_is_no_placeholder() -> None:
    for text in ("0.00", "true"):  # a number, and a value of the references
        assert docie.check(references=sparse(""), predictions=sparse(text)).config == {}
    one_type = [{**row, "vendor": "unknown" if number % 2 else row["vendor"]} for number, row in enumerate(REFERENCES)]
    blank = [{**row, "vendor": "" if number % 2 else row["vendor"]} for number, row in enumerate(REFERENCES)]
    assert docie.check(references=blank, predictions=one_type).config == {}


# names


def converted(value: Any, name: Callable[[str], str]) -> Any:
    if isinstance(value, dict):
        return {name(key): converted(child, name) for key, child in value.items()}
    return [converted(child, name) for child in value] if isinstance(value, list) else value


INVOICES: list[Any] = [
    {
        "invoice_number": f"A-{number}",
        "invoice_date": f"2024-03-1{number}",
        "total_amount": f"{number + 9}.50",
        "line_items": [{"item_name": f"Latte {number}", "unit_price": f"3.{number}0", "tax": {"tax_rate": "19"}}],
    }
    for number in range(2)
]
NAMES: dict[str, Callable[[str], str]] = {
    "camelCase": lambda key: re.sub("_(.)", lambda match: match[1].upper(), key),
    "PascalCase": lambda key: key.replace("_", " ").title().replace(" ", ""),
    "Title Case": lambda key: key.replace("_", " ").title(),
    "kebab-case": lambda key: key.replace("_", "-"),
    "UPPER_CASE": str.upper,
    "with colons": lambda key: f"{key.replace('_', ' ')}:",
}


@pytest.mark.parametrize("number", [1, 2])
@pytest.mark.parametrize("name", NAMES)
def test_spelling_of_names_is_mended_whole(name: str, number: int) -> None:
    other = [converted(row, NAMES[name]) for row in INVOICES[:number]]
    for predictions, references in ((other, INVOICES[:number]), (INVOICES[:number], other)):
        [finding] = docie.check(references=references, predictions=predictions)
        assert (finding.kind, finding.before, finding.after) == ("rename", 0, 1)


def test_one_shared_value_is_enough() -> None:
    predictions = [{"invoiceNumber": "A-0", "total": "9"}, {"invoiceNumber": "wrong", "total": "8"}]
    references = [{"invoice_number": "A-0", "total": "9"}, {"invoice_number": "A-1", "total": "8"}]
    [finding] = docie.check(references=references, predictions=predictions)
    assert finding.config == {"predictions.rename": {"invoiceNumber": "invoice_number"}}
    assert finding.after == 0.75


def test_names_with_a_dot_at_the_end() -> None:
    predictions = [{f"{key}.": row[key] for key in ("invoice_number", "total_amount")} for row in INVOICES]
    references = [{key: row[key] for key in ("invoice_number", "total_amount")} for row in INVOICES]
    [finding] = docie.check(references=references, predictions=predictions)
    assert (finding.before, finding.after) == (0, 1)


@pytest.mark.parametrize(
    ("predicted", "expected"),
    [
        ({"invoiceNumber": "wrong"}, {"invoice_number": "A-1"}),  # no shared value
        ({"InvoiceNumber": "A-1", "invoice number": "B"}, {"invoice_number": "A-1"}),  # two spellings
        ({"number": "A-1"}, {"invoice_number": "A-1"}),  # another name: one value is not enough
        ({"invoiceNumbers": "A-1"}, {"invoice_number": "A-1"}),
    ],
)
def test_what_is_no_other_spelling(predicted: dict[str, str], expected: dict[str, str]) -> None:
    assert [
        each.config
        for each in docie.check(references=[expected] * 2, predictions=[predicted] * 2)
        if each.kind == "rename"
    ] == []
