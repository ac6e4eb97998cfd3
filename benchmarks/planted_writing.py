"""How two sides of the same documents come to be written differently, and what `docie check` and `docie score` say.

    DOCIE_DATA=... python benchmarks/planted_writing.py [--workers 2] [--sources receipts-careful]
    python benchmarks/planted_writing.py --list
    python benchmarks/planted_writing.py --only receipts-careful/paths     the cases whose names begin so, with texts

Verdicts on each case: *read*, if plain `docie score` gives the score of the sound documents; *mended*, if the findings
of `docie check`, applied all at once, give exactly the score of the sound documents with the same options; *told*, if a
finding, or what plain `docie score` says, names the cause; *half*, if the findings regain at least half of the score;
*refused*, if plain `docie score` stops with an error that does not name the cause; *harmless*, if the score moves by
less than .02; else *silent*. Controls are models that are really wrong: no advice that says how a side is written may
raise their score. Without DOCIE_DATA, the shipped receipts and invoices are all there is.
Exit code 1 if a case is silent, a control is lifted, or there is a finding on clean data that is not true.
"""

from __future__ import annotations

import argparse
import contextlib
import functools
import html
import json
import multiprocessing
import os
import re
import sys
import tempfile
import tomllib
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import islice, starmap
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple
from urllib.parse import quote

import writing_cases
import writing_controls
import writing_rows
import writing_structures
import writing_values
from planted import DIFFERENT_FORMATS
from writing_cases import PREDICTIONS, Case, Difference, as_it_is, case_of, json_lines, sides_of, sources, stored
from writing_controls import Control, control_of
from writing_runs import Scored, check, score, score_of_rows

TABLE = tomllib.loads((Path(__file__).parent / "writing.toml").read_text(encoding="utf-8"))
LIBRARY = {"re": re, "json": json, "html": html, "unicodedata": unicodedata, "quote": quote}
OF_SORT = ("told", "word", "types", "stored", "prepare", "other", "sound")


def made(expression: str | None, module: ModuleType) -> Any:
    """What an expression of the table makes, of the writers of a module and of all."""
    return expression and eval(expression, {**LIBRARY, **vars(writing_cases), **vars(writing_values), **vars(module)})


def difference_of(sort: str, name: str, entries: dict[str, Any], module: ModuleType) -> Difference:
    """A difference of the table, from the entries of its sort."""
    entry, (title, _, side) = entries[name], name.partition("@")
    short = [entry] if isinstance(entry, str) else entry
    given = short if isinstance(short, dict) else dict(zip(("write", "word"), short, strict=False))
    case = {**entries, **given}
    write = made(case["write"], module)
    difference = Difference(
        sort,
        title,
        write,
        case["told"].replace("{}", case.get("word", "")),
        side or PREDICTIONS,
        other=made(case.get("other"), module),
        prepare=made(case.get("prepare"), module),
        sound=made(case.get("sound"), module),
        names_types=case.get("types", False),
    )
    is_file = case.get("stored", False)
    return difference._replace(write=as_it_is, store=stored(difference.side, write)) if is_file else difference


def control(name: str, entry: str | dict[str, str]) -> Control:
    """A control of the table."""
    given = {"write": entry} if isinstance(entry, str) else entry
    return Control(name, *(made(given.get(key), writing_controls) for key in ("write", "prepare")))


MODULES = {"rows": writing_rows, "structures": writing_structures, "values": writing_values}
DIFFERENCES = [
    difference_of(sort, name, entries, module)
    for table, module in MODULES.items()
    for sort, entries in TABLE[table].items()
    for name in entries
    if name not in OF_SORT
]
CONTROLS = [control(name, entry) for name, entry in TABLE["controls"].items()]
MOVES = 0.02
SLACK = 1e-9
NO_REASON = "searches for the reason"
"""What a warning says that names no cause."""
BESIDE = {
    "cord": {"cnt", "unitprice"},
    "invoices": {"InvoiceNumber"},
    "docubench": {"transactionDescription", "premisesName", "address", "propertyType"},
}
"""Types of whose values one side says more before anything is planted (1X for 1, @11000 for 11000)."""
VERDICTS = ("read", "mended", "told", "half", "harmless", "refused", "silent")


class Verdict(NamedTuple):
    """What docie made of a case.

    Attributes:
        name, sort: of the case.
        verdict: one of VERDICTS.
        plain, sound, after: the score as it is written, of the sound documents, and with all findings; None for none.
        texts: what findings, warnings and errors said.
        is_warned: whether `docie score` pointed to `docie check`, or that showed values that it cannot explain.
    """

    name: str
    sort: str
    verdict: str
    plain: float | None
    sound: float
    after: float | None
    texts: list[str]
    is_warned: bool


def judged(case: Case) -> Verdict:
    """The verdict on a case."""
    with tempfile.TemporaryDirectory() as folder:
        files = case.difference.store(case.written, Path(folder))
        plain, said = score(files, [])
        sound = [found for each in case.sound if (found := score_of_rows(each, [])) is not None]
        verdict = functools.partial(Verdict, case.name, case.difference.sort)
        if plain in sound:
            return verdict("read", plain, plain, plain, said, False)
        entries, findings, is_shown = check(files)
        after, said_after = score(files, entries) if entries else Scored(plain, [])
    formats = [each for each in entries if each.startswith("values.")]
    after_sound = [found for each in case.sound if (found := score_of_rows(each, formats)) is not None]
    texts = [*said, *findings, *(f"after: {each}" for each in said_after if each.startswith("error"))]
    lost, of_formats = sound[0] - (plain or 0), max(0.0, after_sound[0] - sound[0])
    if entries and after in after_sound:
        name = "mended"
    elif is_told(case, [*said, *findings]):
        name = "told"
    elif entries and after is not None and after - (plain or 0) - of_formats >= lost / 2 > MOVES / 2:
        name = "half"
    elif plain is None:
        name = "refused"
    else:
        name = "harmless" if min(abs(plain - each) for each in sound) < MOVES else "silent"
    is_warned = is_shown or any("docie check" in each for each in said)
    return verdict(name, plain, after_sound[0], after, texts, is_warned)


def is_told(case: Case, texts: list[str]) -> bool:
    """Whether one of these texts names the cause, and a type that it concerns."""
    names = re.compile("|".join(rf"\b{re.escape(name)}\b" for name in case.types))
    told = re.compile(case.difference.told, re.IGNORECASE)
    known = said_of_sound(case.name.partition("/")[0])
    new = [text for text in texts if without_digits(text) not in known and NO_REASON not in text]
    return any(told.search(text) and (not case.types or names.search(text)) for text in new)


@functools.cache
def said_of_sound(where: str) -> frozenset[str]:
    """What is said of documents in which nothing is planted, without numbers."""
    with tempfile.TemporaryDirectory() as folder:
        files = json_lines(sides_of(where), Path(folder))
        return frozenset(map(without_digits, [*score(files, []).texts, *check(files).texts]))


def without_digits(text: str) -> str:
    return re.sub(r"\d+", "0", text)


def names_of_cases(wanted: Iterable[str]) -> Iterator[tuple[str, int]]:
    """The sources and the numbers of differences, each difference in all sources."""
    for number, _ in enumerate(DIFFERENCES):
        for where in wanted:
            yield where, number


def judged_at(place: tuple[str, int]) -> Verdict | None:
    """The verdict on a difference in a source; None if it cannot be planted there."""
    where, number = place
    case = case_of(DIFFERENCES[number], where)
    return judged(case) if case else None


def verdicts(places: Iterable[tuple[str, int]], *, workers: int = 1) -> Iterator[Verdict]:
    """The verdicts on all cases that can be planted."""
    with multiprocessing.Pool(workers) if workers > 1 else contextlib.nullcontext() as pool:
        yield from filter(None, pool.imap(judged_at, places, chunksize=4) if pool else map(judged_at, places))


def lifted_all(wanted: Iterable[str], *, every: int = 1, workers: int = 1) -> Iterator[tuple[str, float, float]]:
    """The controls that can be made, one in so many."""
    places = [(each.name, where) for where in wanted for each in CONTROLS][::every]
    with multiprocessing.Pool(workers) if workers > 1 else contextlib.nullcontext() as pool:
        yield from filter(None, pool.starmap(lifted, places, chunksize=4) if pool else starmap(lifted, places))


def lifted(name: str, where: str) -> tuple[str, float, float] | None:
    """A control in a source: its name, its score, and what active advice makes of it; None if it cannot be made.

    What is true of the documents with a right model, too, is no advice.
    """
    sides = control_of(next(each for each in CONTROLS if each.name == name), sides_of(where))
    if sides is None:
        return None
    right, wrong = sides
    with tempfile.TemporaryDirectory() as folder:
        (clean := Path(folder, "clean")).mkdir()
        files, clean_files = json_lines(wrong, Path(folder)), json_lines(right, clean)
        true, advice = str(clean / "docie.toml"), str(Path(folder, "docie.toml"))
        for each, path in ((clean_files, true), (files, advice)):
            check(each, "--write", path)
        base = [true] if os.path.exists(true) else []
        before = score(files, base).score or 0.0
        if not os.path.exists(advice):
            return f"{where}/{name}", before, before
        after = score(files, [*base, advice]).score or 0.0
        deserved = (score(clean_files, [*base, advice]).score or 0.0) - (score(clean_files, base).score or 0.0)
        asked = [line for line in Path(advice).read_text(encoding="utf-8").splitlines() if re.match(r"\w", line)]
    return f"{where}/{name}: {'; '.join(asked)}", before, after - max(0.0, deserved)


def false_findings(where: str) -> Iterator[str]:
    """The findings on clean data that are not true."""
    with tempfile.TemporaryDirectory() as folder:
        found = check(json_lines(sides_of(where), Path(folder)))
    data = where.partition("-")[0]
    true = {"format": DIFFERENT_FORMATS.get(data, set()), "contains": BESIDE.get(data, set())}
    for text in found.texts:
        first = re.search(r"'([^']+)'", text)
        if not (first and first[1].rpartition(".")[2] in true.get(text.partition(":")[0], ())):
            yield f"{where}: {text}"


def table(found: list[Verdict]) -> Iterator[str]:
    """Verdicts by sort, in Markdown."""
    yield f"| sort | cases | {' | '.join(VERDICTS)} |"
    yield f"| :-- | --: |{' --: |' * len(VERDICTS)}"
    rows = dict.fromkeys(each.sort for each in found)
    for sort in (*rows, None):
        of_sort = [each for each in found if sort in (None, each.sort)]
        counts = Counter(each.verdict for each in of_sort)
        cells = (f"{counts[name] or ''}" for name in VERDICTS)
        yield f"| {sort or 'all'} | {len(of_sort)} | {' | '.join(cells)} |"


def shown(verdict: Verdict) -> str:
    scores = ("none" if each is None else f"{each:.4f}" for each in (verdict.sound, verdict.plain, verdict.after))
    return f"{verdict.verdict:8} {verdict.name}: {' → '.join(scores)}{' *' if verdict.is_warned else ''}"


def only(name: str, wanted: Iterable[str]) -> Iterator[str]:
    """The cases whose names begin so, each with all that is said."""
    for where, number in names_of_cases(wanted):
        difference = DIFFERENCES[number]
        if f"{where}/{difference.sort}/{difference.name}@{difference.side}".startswith(name):
            case = case_of(difference, where)
            if case:
                one = judged(case)
                yield f"\n{shown(one)}\n{str(getattr(case.written, difference.side)[0])[:500]}"
                yield "\n".join(one.texts) or "nothing is said"


def main() -> None:
    """Print the tables, or cases with all texts."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sources", nargs="*", default=sources(), help="the data (all that there are)")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--every", type=int, default=1, metavar="N", help="one case in so many, and one control")
    parser.add_argument("--only", metavar="NAME", help="the cases whose names begin so, each with all texts")
    parser.add_argument("--list", action="store_true", help="the names of all differences and controls")
    arguments = parser.parse_args()
    if arguments.list:
        print("\n".join(f"{each.sort}/{each.name}@{each.side}" for each in DIFFERENCES))
        print("\n".join(f"control/{each.name}" for each in CONTROLS))
        return
    if arguments.only is not None:
        for line in only(arguments.only, arguments.sources):
            print(line)
        return
    places = islice(names_of_cases(arguments.sources), 0, None, arguments.every)
    found = list(verdicts(places, workers=arguments.workers))
    print("\n".join(table(found)))
    print(f"\n{len(found)} cases of {len({each.name.partition('/')[2] for each in found})} differences; * warned of")
    bad = [each for each in found if each.verdict in ("silent", "half", "refused")]
    print(
        "\n".join(map(shown, sorted(bad, key=lambda each: (VERDICTS.index(each.verdict), each.name.partition("/")[2]))))
    )
    controls = list(lifted_all(arguments.sources, every=arguments.every, workers=arguments.workers))
    raised = [each for each in controls if each[2] > each[1] + SLACK]
    print(f"\nscores raised for {len(raised)} of {len(controls)} controls")
    print("\n".join(f"{before:.4f} → {after:.4f} {name}" for name, before, after in raised))
    false = [text for where in arguments.sources for text in false_findings(where)]
    print(f"\n{len(false)} false findings on clean data", *false, sep="\n")
    sys.exit(bool(raised or false or any(each.verdict == "silent" for each in found)))


if __name__ == "__main__":
    main()
