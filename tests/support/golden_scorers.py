"""More golden files of protocols: random documents with schemas, tags and tables, scored by packages of the index.

    python tests/support/golden_scorers.py run . OUT NAME      score random documents with the original program
    python tests/support/golden_scorers.py keep OUT NAME       compare them with docie, write tests/golden/protocols

As `protocol_goldens.py`. The first step runs where the package of that protocol is installed: omni-extract-bench 0.1.7,
stickler-eval 1.0.0, nervaluate 1.2.1 or table-recognition-metric 0.0.6.
"""

from __future__ import annotations

import importlib
import random
import warnings
from collections.abc import Iterator
from typing import Any

import protocol_goldens
from protocol_goldens import Random, Scored, rows_of

DATES = [
    "2024-03-31",
    "03/31/2024",
    "31.03.2024",
    "March 31, 2024",
    "31-Mar-2024",
    "03/31/24",
    "2024-04-03",
    "04/03/2024",
]
TIMES = ["2024-03-31T00:00:00", "2024-03-31 09:30", "2024-03-31T09:30:00Z", "2024-13-01", "Q1 2024", "31Mar2024"]
AMOUNTS = ["1,240.00", "1240", "1240.0", "$1,240", "(12.50)", "-12.5", "12.50-", "12.5%", "02000", "2000", "1.000.000"]
NAMES = [
    "ACME Corp",
    "Acme Corp.",
    "Müller GmbH",
    "Muller GmbH",
    "Total [1]",
    "Total",
    "• Wash hands",
    "Wash hands",
    "--",
]
NAMES += [
    "P.O. BOX 125",
    "PO BOX 125",
    "31-1440073",
    "311440073",
    "1.5 mg",
    "15 mg",
    "½",
    "O’Brien",
    "N/A",
    "",
    "  ",
    "true",
]
TEXTS = [*DATES, *TIMES, *AMOUNTS, *NAMES, *NAMES]
Schema = dict[str, Any]


def schema(rng: Random, depth: int = 0) -> Schema:
    """An object of fields, which may be objects and lists, two levels deep."""
    names = rng.sample("abcdefgh", rng.randint(1, 5))
    return {"type": "object", "properties": {name: _part(rng, depth) for name in names}}


def _part(rng: Random, depth: int) -> Schema:
    kind = rng.choice("onnaattdebiiss")
    if kind in "on" and depth < 2:
        inner = schema(rng, depth + 1)
        return inner if kind == "o" else {"type": "array", "items": inner}
    if kind == "a":
        return {"type": "array", "items": {"type": rng.choice(["string", "number"])}}
    if kind == "e":
        return {"type": "string", "enum": ["EUR", "USD", "usd"]}
    scalars: dict[str, Schema] = {"d": {"format": "date"}, "b": {"type": "boolean"}, "i": {"type": "number"}}
    return {"type": "string", **scalars.get(kind, {})}


def filled(rng: Random, part: Schema) -> Any:
    """A value of a schema, or now and then null."""
    if rng.random() < 0.06 and part["type"] != "array":
        return None
    if "properties" in part:
        return {name: filled(rng, each) for name, each in part["properties"].items() if rng.random() < 0.9}
    if part["type"] == "array":
        return [each for _ in range(rng.randint(0, 5)) if (each := filled(rng, part["items"])) is not None]
    texts: list[Any] = part.get("enum") or (DATES if "format" in part else TEXTS)
    kinds: dict[str, list[Any]] = {"number": [0, 7, 12.5, 12.0, round(rng.uniform(0, 99), 2)], "boolean": [True, False]}
    return rng.choice(kinds.get(part["type"], texts))


def changed(rng: Random, value: Any, part: Schema, rate: float) -> Any:
    """A prediction: the value with errors, in another order."""
    if isinstance(value, dict):
        kept = [name for name in value if rng.random() > rate / 3]
        rng.shuffle(kept)
        found = {name: changed(rng, value[name], part["properties"][name], rate) for name in kept}
        return found | ({"z": rng.choice(TEXTS)} if rng.random() < rate / 3 else {})
    if isinstance(value, list):
        found_items = [changed(rng, each, part["items"], rate) for each in value if rng.random() > rate / 3]
        more = filled(rng, part["items"])
        found_items += [more] if rng.random() < rate and more is not None else []
        rng.shuffle(found_items)
        return [each for each in found_items if each is not None]
    if rng.random() > rate:
        return value
    if isinstance(value, str) and value and "format" not in part and rng.random() < 0.5:
        at = rng.randrange(len(value))
        return value[:at] + rng.choice(["", "x", "1", "."]) + value[at + 1 :]
    return filled(rng, part)


def with_schemas(name: str, documents: int) -> Iterator[tuple[Any, Any, Schema]]:
    """Predictions, references and their schemas."""
    for number in range(documents):
        rng = random.Random(f"{name} {number}")
        part = schema(rng)
        reference = filled(rng, part) or {}
        yield changed(rng, reference, part, rng.choice([0.0, 0.05, 0.2, 0.5])) or {}, reference, part


def _scored(rows: list[tuple[Any, Any, Schema]], each: list[float | None]) -> Scored:
    found = rows_of((prediction, reference) for prediction, reference, _ in rows)
    known = [number for number in each if number is not None]
    return [row | {"schema": part} for row, (*_, part) in zip(found, rows, strict=True)], each, sum(known) / len(known)


def omni_extract_bench(documents: int) -> Scored:
    score = importlib.import_module("omni_extract_bench").score
    rows = [*with_schemas("omni-extract-bench", documents)]
    return _scored(rows, [score(*row)["accuracy"] for row in rows])


def stickler(documents: int) -> Scored:
    """A document that its schema refuses, or a schema that the original refuses, has no score."""
    warnings.simplefilter("ignore")
    model = importlib.import_module("stickler").StructuredModel

    def score(prediction: Any, reference: Any, part: Schema) -> float | None:
        try:
            made = model.from_json_schema(part)
            sides = made.from_json(reference), made.from_json(prediction)
        except Exception:  # its own errors, pydantic's, and an AttributeError
            return None
        return float(sides[0].compare_with(sides[1])["overall_score"])

    rows = [*with_schemas("stickler", documents)]
    return _scored(rows, [score(*row) for row in rows])


def _nervaluate(name: str, documents: int) -> Scored:
    evaluator = importlib.import_module("nervaluate").Evaluator
    rng, kinds = random.Random("nervaluate"), ["nm", "price", "total"]
    tags = ["O", "O", *(f"{prefix}-{kind}" for prefix in "BII" for kind in kinds)]

    def sequence() -> list[str]:
        found: list[str] = []
        for _ in range(rng.choice([1, 5, 12, 30, 150])):
            last = found[-1] if found else "O"
            found.append(f"I{last[1:]}" if last != "O" and rng.random() < 0.6 else rng.choice(tags))
        return found

    references = [sequence() for _ in range(documents)]
    found = []
    for reference in references:
        rate = rng.choice([0.0, 0.05, 0.2, 0.6])
        found.append(([rng.choice(tags) if rng.random() < rate else tag for tag in reference], reference))

    def f1(predictions: list[list[str]], expected: list[list[str]]) -> float:
        return float(evaluator(expected, predictions, tags=kinds, loader="list").evaluate()["overall"][name].f1)

    predictions, expected = zip(*found, strict=True)
    return rows_of(found), [f1([row[0]], [row[1]]) for row in found], f1([*predictions], [*expected])


def nervaluate_partial(documents: int) -> Scored:
    return _nervaluate("partial", documents)


def nervaluate_type(documents: int) -> Scored:
    return _nervaluate("ent_type", documents)


CELLS = [
    "Bagel",
    "Latte",
    "3.00",
    "4.50",
    "Total",
    "",
    "x<sup>2</sup>",
    "<b>Net</b>",
    "a<br>b",
    "Tea &amp; Co",
    "  3 ",
    "été",
]
Table = list[list[tuple[str, int, int]]]


def table(rng: Random) -> Table:
    """Rows of cells: the text, and how many columns and rows they take."""
    wide, high = rng.randint(1, 5), rng.randint(1, rng.choice([2, 4, 8]))
    return [[cell(rng) for _ in range(wide)] for _ in range(high)]


def cell(rng: Random) -> tuple[str, int, int]:
    return rng.choice(CELLS), 1 + (rng.random() < 0.06), 1 + (rng.random() < 0.04)


def redrawn(rng: Random, rows: Table, rate: float) -> Table:
    """A prediction: a table with errors."""
    found = []
    for row in rows:
        cells = [cell(rng) if rng.random() < rate else each for each in row if rng.random() > rate / 8]
        found += [[*cells, cell(rng)] if rng.random() < rate / 2 else cells] * (rng.random() > rate / 3)
    if rng.random() < rate:
        rng.shuffle(found)
    return found


def html(rng: Random, rows: Table, head: str) -> str:
    """A table with or without a head and a body."""

    def written(row: list[tuple[str, int, int]], tag: str) -> str:
        spans = [
            (f' colspan="{wide}"' * (wide > 1) + f' rowspan="{high}"' * (high > 1), text) for text, wide, high in row
        ]
        return f"<tr>{''.join(f'<{tag}{span}>{text}</{tag}>' for span, text in spans)}</tr>"

    first = 1 if rng.random() < 0.6 else 0
    top = "".join(f"<thead>{written(row, head)}</thead>" for row in rows[:first])
    body = "".join(written(row, "td") for row in rows[first:])
    return f"<html><body><table>{top}{f'<tbody>{body}</tbody>' if rng.random() < 0.7 else body}</table></body></html>"


def _teds(documents: int, *, structure: bool) -> Scored:
    score = importlib.import_module("table_recognition_metric").TEDS(structure_only=structure)
    found = []
    for number in range(documents):
        rng = random.Random(f"teds {number}")
        rows, head = table(rng), rng.choice(["td"] * 9 + ["th"])
        found.append((html(rng, redrawn(rng, rows, rng.choice([0.0, 0.1, 0.3])), head), html(rng, rows, head)))
    each = [float(score(*row)) for row in found]
    return rows_of(found), [*each], sum(each) / len(each)


def teds(documents: int) -> Scored:
    return _teds(documents, structure=False)


def teds_struct(documents: int) -> Scored:
    return _teds(documents, structure=True)


protocol_goldens.ORIGINALS.update(
    {
        "omni-extract-bench": (omni_extract_bench, "omni-extract-bench 0.1.7"),
        "stickler": (stickler, "stickler-eval 1.0.0, from_json_schema"),
        "nervaluate-partial": (nervaluate_partial, "nervaluate 1.2.1"),
        "nervaluate-type": (nervaluate_type, "nervaluate 1.2.1"),
        "teds": (teds, "table-recognition-metric 0.0.6"),
        "teds-struct": (teds_struct, "table-recognition-metric 0.0.6, structure_only"),
    }
)

if __name__ == "__main__":
    protocol_goldens.main()
