"""Planted differences of ids, of the order of rows, and of which rows there are."""

from __future__ import annotations

import copy
import random
from collections.abc import Callable
from typing import Any
from urllib.parse import quote

from planted_sources import Document
from writing_cases import PREDICTIONS, REFERENCES, Difference, Rows, Sides, Write, both, rows_as


def under(key: str) -> Write:
    """The id under another key; the rows are in another order."""
    write = rows_as(lambda row, _: {key: row["id"], "document": row["document"]})
    return lambda rows, dice: shuffled(write(rows, dice) or rows, dice)


def ids(function: Callable[[str], Any]) -> Write:
    """The id written in another way."""
    return rows_as(lambda row, _: {**row, "id": function(row["id"])})


def counted(form: Callable[[str, int], Any]) -> Write:
    """The id written in another way, with the number of its row."""
    return rows_as(lambda row, number: {**row, "id": form(row["id"], number)})


def inside(place: Callable[[Document, str], Any]) -> Write:
    """The id inside the answer, and nowhere else; the rows are in another order."""
    write = rows_as(lambda row, _: {"document": place(row["document"], row["id"])})
    return lambda rows, dice: shuffled(write(rows, dice) or rows, dice)


def without_ids(rows: Rows, _: random.Random) -> Rows:
    return [{"document": row["document"]} for row in rows]


def shuffled(rows: Rows, dice: random.Random) -> Rows:
    return dice.sample(rows, len(rows))


def shuffled_without_ids(rows: Rows, dice: random.Random) -> Rows:
    return without_ids(shuffled(rows, dice), dice)


def by_size_without_ids(rows: Rows, dice: random.Random) -> Rows:
    return without_ids(sorted(rows, key=lambda row: len(str(row["document"]))), dice)


def one_behind(rows: Rows, dice: random.Random) -> Rows:
    """A first call that only warms up, and the last answer is cut off."""
    return without_ids([rows[0], *rows[:-1]], dice)


def some(share: float, seed: int) -> Write:
    """Only some rows, in their order."""

    def write(rows: Rows, _: random.Random) -> Rows:
        kept = random.Random(seed).sample(range(len(rows)), round(share * len(rows)))
        return [rows[number] for number in sorted(kept)]

    return write


def common(*writes: tuple[str, Write]) -> Callable[[Sides, random.Random], list[Sides]]:
    """The sides as they are meant: the common ids only, or documents without an answer as empty ones."""

    def sound(sides: Sides, dice: random.Random) -> list[Sides]:
        for side, write in writes:
            sides = sides._replace(**{side: write(getattr(sides, side), dice) or []})
        known = [{row["id"] for row in rows} for rows in sides]
        only = Sides(*([row for row in rows if row["id"] in known[0] & known[1]] for rows in sides))
        empty = [{"id": row["id"], "document": {}} for row in sides.references if row["id"] not in known[1]]
        return [only, only._replace(references=sides.references, predictions=[*only.predictions, *empty])]

    return sound


def one_object(rows: Rows, _: random.Random) -> Rows:
    """One object whose keys are the ids."""
    return [{row["id"]: row["document"] for row in rows}]


def tries(rows: Rows, dice: random.Random, *, share: float, column: str | None = None) -> Rows:
    """Some documents were tried twice: an answer that lacks some fields comes before."""
    written = []
    for row in rows:
        again = dice.random() < share
        if again:
            first = {name: child for name, child in row["document"].items() if dice.random() < 0.6}
            written.append({**row, "document": first})
        written.append(row)
        if column:
            for number, each in enumerate(written[-2:] if again else written[-1:], 1):
                written[written.index(each)] = {"id": each["id"], column: number, "document": each["document"]}
    return written


def _numbers(sides: Sides) -> Sides:
    return both(counted(lambda _, number: f"{number + 1}"))(sides)


def _all_tries(rows: Rows, dice: random.Random) -> Rows:
    return tries(rows, dice, share=1)


def _some_tries(rows: Rows, dice: random.Random) -> Rows:
    return tries(rows, dice, share=0.3)


def _hashed(name: str) -> str:
    return f"{random.Random(name).getrandbits(64):016x}"


def _in(*path: str) -> Callable[[Document, str], Document]:
    def place(document: Document, name: str) -> Document:
        document, holder = (copy.copy(document), {path[-1]: name})
        return {path[0]: holder, **document} if len(path) > 1 else {**holder, **document}

    return place


_WRITTEN = r"^join.*({})|^(warning|error).*({})|strip_id"
_ORDER = r"(another|other|different|wrong) order|fits? (another|other)|sort both"
_REPEATED = r"\bids?\b.*(repeated|twice|more than once|again)|(repeated|several|two|duplicate).*\b(ids?|answers|tries)"
_COMMON = r"join\.(extra|missing)|no (prediction|reference)|not (among|in) the|without (a )?(prediction|reference)"


def _written(words: str) -> str:
    return _WRITTEN.format(words, words)


_ENDING, _FOLDER = _written(r"\bending|extension|suffix"), _written(r"folder|director|path|prefix")
_CASE, _BLANK = _written(r"\bcase\b|capital|upper|lower"), _written(r"blank|white ?space|_|hyphen|dash")
_ZEROS, _PREFIX, _SUFFIX = _written(r"zero|padd"), _written(r"prefix|begin|start"), _written(r"suffix|\bend")
_FLOAT = _written(r"number|decimal|\.0")
_INSIDE = r"\b{0}\b.*identif|identif.*\b{0}\b|\.id=.*\b{0}\b"

DIFFERENCES = [
    *(
        Difference("id under another key", key, under(key), rf"^(join|warning|error).*{key}", side)
        for key, side in (
            ("custom_id", PREDICTIONS),
            ("file_name", REFERENCES),
            ("Document ID", PREDICTIONS),
            ("image_path", PREDICTIONS),
            ("key", PREDICTIONS),
        )
    ),
    Difference(
        "id under another key", "both", under("task_id"), r"task_id.*image|image.*task_id", other=under("image")
    ),
    Difference(
        "a running number as id",
        "true id beside it",
        rows_as(lambda row, number: {"id": number, "file": row["id"], "document": row["document"]}),
        r"\bfile\b",
    ),
    Difference("id in the answer", "first field", inside(_in("document_id")), _INSIDE.format("document_id")),
    Difference("id in the answer", "of metadata", inside(_in("metadata", "source")), _INSIDE.format("source")),
    Difference("id in the answer", "of both", inside(_in("doc_ref")), _INSIDE.format("doc_ref"), other=under("name")),
    Difference("ids with endings", "pdf", ids("{}.pdf".format), _ENDING),
    Difference("ids with endings", "PDF of references", ids("{}.PDF".format), _ENDING, REFERENCES),
    Difference("ids with endings", "png.json", ids("{}.png.json".format), _ENDING),
    Difference("ids with endings", "jpeg and pdf", ids("{}.jpeg".format), _ENDING, other=ids("{}.pdf".format)),
    Difference("ids with endings", "page image", ids("{}_page_1.jpg".format), _ENDING),
    Difference("ids with folders", "of Linux", ids("/data/scans/{}.pdf".format), _FOLDER),
    Difference("ids with folders", "of Windows", ids("C:\\scans\\2024\\{}.pdf".format), _FOLDER),
    Difference("ids with folders", "bucket", ids("s3://in-box/a/{}.pdf".format), _FOLDER),
    Difference("ids with folders", "encoded", ids(lambda name: quote(f"scans/{name}.pdf", safe="")), _FOLDER),
    Difference("ids in another case", "capitals", ids(str.upper), _CASE),
    Difference("ids in another case", "capitals of references", ids(str.upper), _CASE, REFERENCES),
    Difference("ids in another case", "title", ids(str.title), _CASE),
    Difference("ids with blanks", "behind", ids("{} ".format), _BLANK),
    Difference("ids with blanks", "around, in references", ids(" {}\t".format), _BLANK, REFERENCES),
    Difference("ids with blanks", "for hyphens", ids(lambda name: name.replace("-", " ").replace("_", " ")), _BLANK),
    Difference("ids with blanks", "underscores", ids(lambda name: name.replace("-", "_")), _BLANK),
    Difference("ids with blanks", "line end", ids("{}\r".format), _BLANK),
    Difference("padded ids", "with zeros", ids(lambda name: name.zfill(6)), _ZEROS, prepare=_numbers),
    Difference("padded ids", "of references", ids(lambda name: name.zfill(4)), _ZEROS, REFERENCES, prepare=_numbers),
    Difference(
        "padded ids",
        "after a word",
        ids(lambda name: f"doc-{name.zfill(4)}"),
        _ZEROS,
        prepare=_numbers,
        other=ids("doc-{}".format),
    ),
    Difference("ids as numbers", "whole", ids(int), _FLOAT, prepare=_numbers),
    Difference("ids as numbers", "24.0", ids(float), _FLOAT, prepare=_numbers),
    Difference("ids as numbers", "text 24.0", ids("{}.0".format), _FLOAT, prepare=_numbers),
    Difference("ids as numbers", "of references", ids(float), _FLOAT, REFERENCES, prepare=_numbers),
    Difference("ids with a prefix", "pred_", ids("pred_{}".format), _PREFIX),
    Difference("ids with a prefix", "of references", ids("GT-{}".format), _PREFIX, REFERENCES),
    Difference("ids with a prefix", "of both", ids("run3:{}".format), _PREFIX, other=ids("gold:{}".format)),
    Difference("ids with a prefix", "running", counted(lambda name, number: f"{number:04}_{name}"), _PREFIX),
    Difference("ids with a suffix", "_extracted", ids("{}_extracted".format), _SUFFIX),
    Difference("ids with a suffix", "model", ids("{}-gpt-4o-2024-08-06".format), _SUFFIX),
    Difference("ids with a suffix", "copy", ids("{} (1)".format), _SUFFIX),
    Difference("ids of their own", "hashes", ids(_hashed), r"^(join|warning|error).*(order|no id|ids)"),
    Difference(
        "common ids only", "fewer predictions", some(0.6, 1), _COMMON, sound=common((PREDICTIONS, some(0.6, 1)))
    ),
    Difference(
        "common ids only",
        "fewer references",
        some(0.5, 2),
        _COMMON,
        REFERENCES,
        sound=common((REFERENCES, some(0.5, 2))),
    ),
    Difference(
        "common ids only",
        "of both",
        some(0.8, 3),
        _COMMON,
        other=some(0.8, 4),
        sound=common((PREDICTIONS, some(0.8, 3)), (REFERENCES, some(0.8, 4))),
    ),
    Difference("another order", "with ids", shuffled, _ORDER),
    Difference("another order", "no ids", shuffled_without_ids, _ORDER, other=without_ids),
    Difference("another order", "no ids of predictions", shuffled_without_ids, _ORDER),
    Difference("another order", "by size", by_size_without_ids, _ORDER, other=without_ids),
    Difference("another order", "one behind", one_behind, _ORDER + r"|shift|behind", other=without_ids),
    Difference("no ids", "of predictions", without_ids, r"^(join|warning).*order"),
    Difference(
        "ids as keys",
        "of predictions",
        one_object,
        r"^(join|unwrap|warning|error).*\bkeys?\b.*\bids?\b|\bids?\b.*\bkeys?\b",
    ),
    Difference("ids as keys", "of both", one_object, r"\bkeys?\b.*\bids?\b|\bids?\b.*\bkeys?\b", other=one_object),
    Difference("repeated tries", "all twice", _all_tries, _REPEATED),
    Difference("repeated tries", "some twice", _some_tries, _REPEATED),
    Difference(
        "repeated tries",
        "with a column",
        lambda rows, dice: tries(rows, dice, share=0.5, column="attempt"),
        _REPEATED + r"|attempt",
    ),
]
