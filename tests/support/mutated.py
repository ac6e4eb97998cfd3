"""Mutated records: what services, tools and models write, with one part of it changed. No reader of model output raises, and
no value is lost without a word.

    python tests/support/mutated.py                        100,000 records
    python tests/support/mutated.py --number 1000000 --seed 7

A value is lost if it does not arrive although the mutation left it as it was. Then the issues must say so; of annotated data,
an error that names the record. The script prints a line for each reader, and every kind of loss without a word.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from docie.adapters import donut, exports, llm, services
from docie.documents.document import parse_document

from forms import answers
from forms import exports as exporters
from forms.files import html, markdown
from forms.invoices import Case, texts_of
from forms.services import azure, google_dict, google_json, google_rest, textract
from mutations import mutate
from service_answers import (
    WRITERS,
    Invoice,
    Value,
    azure_javascript,
    azure_to_dict,
    landing_ai_parse,
    mindee_first_version,
    reducto_legacy,
    textract_pages,
)

Keys = tuple[str | int, ...]
Read = Callable[[Any], tuple[Any, list[str]]]
"""What a record is read as, and what was said."""
HUGE = (10**400, 1e308, -1e308, "x" * 10_000)
WORDS = ("nine", "high", "95%", "1e3", "NaN", "0x1F", "½", "٣")
ODD: tuple[Any, ...] = (
    0,
    -1,
    2.5,
    True,
    False,
    "",
    "odd",
    [],
    {},
    [[]],
    [{}],
    ["odd", 7],
    {"odd": 1},
    {"value": "odd"},
)
SIGNS = [*"{}[]\",:'\\<>/|aZ09 .-\n", "```", "null", '","', '": "', "<s_", "</s_", "<sep/>", "<td>", "</tr>"]


SPAN = ("start_offset", "start")
"""The keys of what names a part of a text, and so is the source of a value."""


FACTS = ("confidence", "box", "page")
GONE = ("missing", "null", "renamed", "cut")
"""The mutations after which a confidence or a place is no longer there."""


EMPTY: tuple[Any, ...] = ("", [], {}, [[]], [{}])


class Record(NamedTuple):
    """A record, and the function that reads it."""

    name: str
    content: Any
    read: Read


def invoice() -> Invoice:
    """Values that are told apart by their texts."""
    names = (("vendor", "date", "total"), ("name", "amount"), ("name", "amount"), ("name", "amount"))
    box = (0.125, 0.25, 0.5, 0.75)
    fields = [
        {name: Value(f"q{row}{name}", 0.5 + row / 64, box, 1 + row % 2) for name in each}
        for row, each in enumerate(names)
    ]
    return Invoice(fields[0], fields[1:])


def records() -> list[Record]:
    """A record for every reader."""
    case = Case("101", "US", invoice(), invoice(), {})
    whole, text = case.found, json.dumps(texts_of(case.found), indent=2)
    spellings = {
        "azure_document_intelligence, invoices": azure, "textract_expense, invoices": textract, "google_document_ai, REST": google_rest,
        "google_document_ai, to_json": google_json, "google_document_ai, to_dict": google_dict, "reducto, legacy": reducto_legacy,
        "azure_document_intelligence, to_dict": azure_to_dict, "azure_document_intelligence, JavaScript": azure_javascript,
        "textract_expense, pages": textract_pages, "mindee, first version": mindee_first_version,
    }  # fmt: skip
    made = []
    for name, write in {**WRITERS, **spellings}.items():
        function: Any = partial(services.to_document, service=name.partition(",")[0])
        if name == "landing_ai":
            function = partial(function, parse=landing_ai_parse(whole))
        if name == "langextract":
            function = partial(function, group_by="items")
        made.append(Record(name, write(whole), partial(_parsed, function)))
    parse = lambda content: services.to_document(WRITERS["landing_ai"](whole), parse=content)  # noqa: E731
    made.append(Record("landing_ai, parse", landing_ai_parse(whole), partial(_parsed, parse)))
    made.append(Record("llm", text, partial(_parsed, llm.to_document)))
    made.append(Record("donut", answers.sequence(texts_of(whole)), partial(_parsed, donut.to_document)))
    for name, write_export, read in EXPORTS:
        made.append(Record(name, _first(write_export, case), partial(_rows, read)))
    read_batch = partial(services.to_document, service="openai_batch")
    for kind, body in answers.BODIES.items():
        response = {"status_code": 200, "request_id": "r", "body": body(case)}
        line = {"id": "b-1", "custom_id": "101", "response": response, "error": None}
        made.append(Record(f"openai_batch, {kind}", line, partial(_parsed, read_batch)))
    return made + _tables(case)


EXPORTS: list[tuple[str, Any, Any]] = [
    ("label_studio", exporters.label_studio, partial(exports.label_studio, group="items")),
    ("doccano", exporters.doccano, partial(exports.doccano, group="items")),
    ("argilla", exporters.argilla, exports.argilla),
]


def _first(write: Callable[[Path, list[Case]], None], case: Case) -> Any:
    """The first record of an export."""
    with TemporaryDirectory() as folder:
        write(Path(folder), [case])
        [path] = [path for path in Path(folder).iterdir() if not path.name.startswith("predictions")]
        text = path.read_text(encoding="utf-8")
    return json.loads(text)[0] if path.suffix == ".json" else json.loads(text)


def _tables(case: Case) -> list[Record]:
    """Line items as tables, if they can be read."""
    try:
        tables = import_module("docie.adapters.tables")
    except ImportError:
        return []
    names, cells = [*case.found.items[0]], [[value.text for value in item.values()] for item in case.found.items]
    read = partial(_parsed, tables.to_records)
    return [Record("tables, HTML", html(names, cells), read), Record("tables, Markdown", markdown(names, cells), read)]


def _parsed(read: Callable[[Any], Any], content: Any) -> tuple[Any, list[str]]:
    """What a reader of model output gives: it never raises, and its document can be scored."""
    found = read(content)
    assert all(isinstance(issue, str) and "\n" not in issue for issue in found.issues)
    assert found.document is not None or found.issues
    document = {"records": found.document} if isinstance(found.document, list) else found.document
    if document is not None:
        parse_document(document, "prediction")
    return document, found.issues


def _rows(read: Callable[[Any], Any], content: Any) -> tuple[Any, list[str]]:
    """The rows of an export, or an error that names the record. A row says how many regions have no text."""
    try:
        rows = [*read([content])]
    except ValueError as error:
        if "\n" in str(error) or not str(error).startswith(("Label Studio", "doccano", "Argilla")):
            raise AssertionError("an error does not name the record") from error
        return None, [str(error)]
    for row in rows:
        for key in {"reference", "prediction"} & row.keys():
            parse_document(row[key], key)
    said = [key for row in rows for key in row["meta"] if key.endswith("_without_text")]
    return [{key: row[key] for key in row if key != "meta"} for row in rows], said


def parts(value: Any, path: Keys = ()) -> Iterator[Keys]:
    """The paths of all parts of a record."""
    children = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, child in children:
        yield (*path, key)
        yield from parts(child, (*path, key))


def at(value: Any, path: Keys) -> Any:
    for key in path:
        value = value[key]
    return value


def changed(value: Any, path: Keys, change: Callable[[Any, str | int], Any]) -> Any:
    """A copy of a record in which the holder of one part is changed; the rest is shared."""
    copy: Any = dict(value) if isinstance(value, dict) else [*value]
    if len(path) == 1:
        return change(copy, path[0])
    copy[path[0]] = changed(copy[path[0]], path[1:], change)
    return copy


def put(new: object) -> Callable[[Any, str | int], Any]:
    def change(holder: Any, key: Any) -> Any:
        holder[key] = new
        return holder

    return change


def missing(holder: Any, key: Any) -> Any:
    del holder[key]
    return holder


def mutation(content: Any, path: Keys, rng: random.Random) -> tuple[str, Callable[[Any, str | int], Any]]:
    """A change of one part, and what it is called."""
    part = at(content, path)
    kind = rng.choice(
        ("missing", "null", "odd", "odd", "huge", "word", "nested", "cut", "doubled", "reordered", "renamed")
    )
    if kind == "missing":
        return kind, missing
    if kind == "doubled" and not isinstance(path[-1], int):
        return kind, lambda holder, key: {**holder, f"{key}2": holder[key]}
    if kind == "renamed" and not isinstance(path[-1], int):
        return kind, lambda holder, key: {f"{each}x" if each == key else each: child for each, child in holder.items()}
    if kind == "reordered" and isinstance(part, list | dict):
        order = rng.sample([*(part.items() if isinstance(part, dict) else part)], len(part))
        return kind, put(dict(order) if isinstance(part, dict) else order)
    new = {
        "null": None, "odd": rng.choice(ODD), "huge": rng.choice(HUGE), "word": rng.choice(WORDS), "nested": {"value": part, "odd": [part]},
        "doubled": [part, part], "cut": part[: rng.randint(0, len(part) - 1)] if isinstance(part, str | list) and part else None,
    }.get(kind, [part])  # fmt: skip
    return kind, put(new)


class Losses:
    """Mutates one record again and again, and looks for losses without a word."""

    def __init__(self, record: Record, rng: random.Random) -> None:
        self.record, self.rng = record, rng
        document, self.usual = record.read(record.content)
        self.planted = {text for text in texts_in(document) if text.startswith("q")}
        self.facts = facts_in(document)
        self.paths = [*parts(record.content)]
        self.before = json.dumps(record.content)
        self.sources = {text: [path for path in self.paths if self._is_source(path, text)] for text in self.planted}
        self.seen: Counter[str] = Counter()
        self.silent: Counter[str] = Counter()

    def _is_source(self, path: Keys, text: str) -> bool:
        """Whether a value is read from the text at this path."""
        here = at(self.record.content, path)
        if isinstance(here, dict) and {*SPAN} & here.keys():
            whole = self.record.content.get("text") or self.record.content["fields"]["text"]
            return bool(whole[here.get("start_offset", here.get("start")) :].startswith(text))
        if not isinstance(here, str) or text not in here:
            return False
        marked = changed(self.record.content, path, put(here.replace(text, f"z{text[1:]}")))
        return f"z{text[1:]}" in texts_in(self.record.read(marked)[0])

    def run(self, times: int) -> None:
        for _ in range(times):
            if isinstance(self.record.content, str):
                self.text()
            else:
                self.part()
        assert json.dumps(self.record.content) == self.before, f"{self.record.name}: a reader has changed its input"

    def text(self) -> None:
        """One to three mutations of a text. Values that still stand in it must arrive, maybe within a longer text."""
        text = self.record.content
        for _ in range(self.rng.choice((1, 1, 2, 3))):
            text = mutate(text, self.rng, alphabet=SIGNS)
        self._check("text", text, {value for value in self.planted if value in text})

    def part(self) -> None:
        path = self.rng.choice(self.paths)
        kind, change = mutation(self.record.content, path, self.rng)
        shape = ".".join("0" if isinstance(key, int) else key for key in path)
        kept = {text for text, sources in self.sources.items() if not any(map(partial(_on_one_way, path), sources))}
        new = changed(self.record.content, path, change)
        self._check(f"{kind} at {shape}", new, kept, are_facts_gone=kind in GONE or at(new, path) in EMPTY)

    def _check(self, what: str, content: Any, kept: set[str], *, are_facts_gone: bool = True) -> None:
        services.detect(content)
        document, issues = self.record.read(content)
        said = [issue for issue in issues if issue not in self.usual]
        lost = kept - texts_in(document)
        if isinstance(content, str):
            arrived = json.dumps(document)
            lost = {text for text in lost if text not in arrived}
        facts = {} if are_facts_gone else facts_in(document)
        less = {text for text in facts.keys() & kept if facts[text] < self.facts.get(text, set())}
        self.seen["no document" if document is None else "lost" if lost else "without a fact" if less else "whole"] += 1
        if (lost or less) and not said:
            self.silent[what] += 1


def _on_one_way(path: Keys, source: Keys) -> bool:
    """Whether one of two parts is in the other, or is the other."""
    return all(one == other for one, other in zip(path, source, strict=False))


def facts_in(value: Any) -> dict[str, set[str]]:
    """Of each text, what is known beside it: confidence, box, page."""
    found: dict[str, set[str]] = {}
    waiting = [value]
    while waiting:
        each = waiting.pop()
        if isinstance(each, dict) and isinstance(each.get("value"), str):
            found.setdefault(each["value"], set()).update(key for key in FACTS if each.get(key) is not None)
        elif isinstance(each, dict | list):
            waiting += each.values() if isinstance(each, dict) else each
    return found


def texts_in(value: Any) -> set[str]:
    """The texts in a document."""
    found, waiting = set[str](), [value]
    while waiting:
        each = waiting.pop()
        if isinstance(each, str):
            found.add(each)
        elif isinstance(each, dict | list | tuple):
            waiting += each.values() if isinstance(each, dict) else each
    return found


def main() -> int:
    """Mutate records of all readers."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--number", type=int, default=100_000, help="the number of mutated records")
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    readers, silent = records(), 0
    for record in readers:
        losses = Losses(record, random.Random(arguments.seed))
        losses.run(arguments.number // len(readers))
        print(
            f"{record.name}: {dict(losses.seen)}",
            *(f"    {what}: {times}" for what, times in losses.silent.most_common()),
            sep="\n",
            flush=True,
        )
        silent += losses.silent.total()
    print(f"{silent} losses without a word")
    return 1 if silent else 0


if __name__ == "__main__":
    sys.exit(main())
