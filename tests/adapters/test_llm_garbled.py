"""Garbled answers: whatever is read can be scored, and a fault in one value leaves the others as they were."""

from __future__ import annotations

import json
import random
import re
from typing import Any

import pytest

from docie import kieval
from docie.adapters import llm
from docie.adapters.llm.repair import Reader, find_start

from answers import FAMILIES, check_scorable, leaves, values
from mutations import mutate
from sizes import times

PIECES = ["Iced Latte", "Mocha (L)", "60,000", "4.50", "J.STB PROMO", "O'Brien's", "50% off", "12:30", "Tel: 021-55", 'TV 12"',
          "Jl. Raya No. 5, Jakarta", "A/B", "#4", "Rp. 1.000,-", "Café [2]", "x"]  # fmt: skip
ALPHABET = [*"{}[]\",:'\\/#aZ09 .-\n", "```", "null", '","', '": "']


def receipt(rng: random.Random) -> dict[str, Any]:
    """A document as models write it: entities, groups with groups in them, several values, a confidence."""

    def text() -> str:
        return " ".join(rng.choices(PIECES, k=rng.randint(1, 3)))

    menu: list[dict[str, Any]] = []
    for _ in range(rng.randint(1, 4)):
        menu.append({"menu.nm": text(), "menu.cnt": rng.choice(["1", "2 x", 3]), "menu.price": rng.choice(PIECES)})
        if rng.random() < 0.3:
            menu[-1]["menu.sub"] = [{"menu.sub_nm": text(), "menu.sub_price": "0.50"}, {"menu.sub_nm": text()}]
        if rng.random() < 0.2:
            menu[-1]["menu.etc"] = [text(), text()]
    total = {"total.total_price": text(), "total.cashprice": {"value": text(), "confidence": 0.9}}
    return {
        "company": text(),
        "menu": menu,
        "sub_total": {"tax": rng.choice([4.5, None, "x"])},
        "total": total,
        "date": "2023-12-31",
    }


def answer_with(document: dict[str, Any], rng: random.Random) -> str:
    text = json.dumps(document, indent=rng.choice([None, 2]), ensure_ascii=rng.random() < 0.5)
    frames = [
        "{}",
        "{}",
        "```json\n{}\n```",
        "Here is what I found:\n\n```json\n{}\n```\nLet me know if {{anything}} is off.",
        "{}\n\nDone.",
    ]
    return rng.choice(frames).format(text)


@times(40_000, 2000)
def test_garbled_answers(times: int) -> None:
    """No mutation of an answer raises; what comes out can be scored, or is no document."""
    rng = random.Random(5)
    answers = [answer_with(receipt(rng), rng) for _ in range(500)]
    read = 0
    for number in range(times):
        answer = rng.choice(answers)
        for _ in range(rng.choice([1, 1, 2, 5])):
            answer = mutate(answer, rng, alphabet=ALPHABET)
        parsed = llm.to_document(answer)
        if parsed.document is not None:
            read += 1
            check_scorable(parsed.document, FAMILIES if number % 100 == 0 else [kieval])
    assert read > 0.975 * times


@times(10_000)
def test_a_fault_in_one_value_leaves_the_others_as_they_were(times: int) -> None:
    """A mutation between a text's quotes, quotes included: all other values keep path and value in 95 % of answers."""
    rng = random.Random(7)
    answers = [answer_with(receipt(rng), rng) for _ in range(500)]
    fields = [[field for field in values(answer) if answer[field[1]] == '"'] for answer in answers]
    whole = [dict(leaves(json.JSONDecoder().raw_decode(answer, answer.index("{"))[0])) for answer in answers]
    same = 0
    for _ in range(times):
        number = rng.randrange(len(answers))
        path, start, end = rng.choice(fields[number])
        found = dict(leaves(llm.to_document(mutate(answers[number], rng, start, end, alphabet=ALPHABET)).document))
        same += all(other == path or found.get(other, found) == value for other, value in whole[number].items())
    assert same >= 0.95 * times


@times(1000)
def test_the_reader_agrees_with_json(times: int) -> None:
    """The tolerant reader finds no fault in valid JSON."""
    rng = random.Random(3)
    for _ in range(times):
        document = receipt(rng)
        text = json.dumps(document, indent=rng.choice([None, 2]))
        start = find_start(text, 0)
        assert start == (0, 1)
        reader = Reader(text, 1, len(text), set())
        assert reader.read() == (document, True)
        assert not reader.issues


SIGN = re.compile(r'"((?:[^"\\]|\\.)*)"|,')


def doublings(text: str, rng: random.Random) -> list[tuple[int, str]]:
    """Where signs may be doubled: every comma, and one quote of each key and text. After a digit, it may be inches."""
    found = []
    for sign in SIGN.finditer(text):
        is_first = rng.random() < 0.5 or sign[0][-2:-1].isdigit()
        found.append((sign.end(), ",") if sign[0] == "," else (sign.start() if is_first else sign.end(), '"'))
    return found


@times(20_000, 1000)
def test_doubled_commas_and_quotes(times: int) -> None:
    rng = random.Random(11)
    for number in range(times):
        document = receipt(rng)
        answer = json.dumps(document, indent=rng.choice([None, 2]), ensure_ascii=rng.random() < 0.5)
        places = doublings(answer, rng)
        for place, sign in sorted(rng.sample(places, min(len(places), 2 ** (number % 8))), reverse=True):
            answer = answer[:place] + sign + answer[place:]
        parsed = llm.to_document(answer)
        assert parsed.document == document, answer
        assert parsed.issues


@pytest.mark.parametrize(
    ("answer", "document"),
    [
        ('{"a": "TV 12"", "b": "2"", "c": 1}', {"a": 'TV 12"', "b": '2"', "c": 1}),  # inches
        (
            '{"a": "4.50"", "b": ""the "b"", "c": "the "c"", "d": 1}',
            {"a": "4.50", "b": '"the "b"', "c": 'the "c"', "d": 1},
        ),
        ('{"a": ""x"", "b": """, "c": ""}', {"a": '"x"', "b": '"', "c": ""}),
        ('{""a"": ""x, \\""y\\"""", ""b"": """"}', {"a": 'x, "y"', "b": ""}),
        ('"{""a"": [""x"", 1]}"', {"a": ["x", 1]}),
        ('{a: "", "b": "x"}', {"a": "", "b": "x"}),
        ('{a: "", b: ""}', {"a": "", "b": ""}),
        ('{"": {"": []}} is all', {"": {"": []}}),
        ('{"a": ["", ""], "": 1} is all', {"a": ["", ""], "": 1}),
        ('{"a": ["x",,"y",,], "b": 1,,,}', {"a": ["x", "y"], "b": 1}),
    ],
)
def test_which_quote_is_doubled(answer: str, document: Any) -> None:
    parsed = llm.to_document(answer)
    assert parsed.document == document
    assert parsed.issues
