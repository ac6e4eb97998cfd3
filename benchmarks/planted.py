"""Whether `docie check` finds how two sides came to be written differently, and nothing where they were not.

    DOCIE_DATA=... python benchmarks/planted.py [--cases 2000] [--negatives 600] [--workers 4]
    python benchmarks/planted.py --only cord/one-type-longer@predictions+folders@references/0

Changes are planted in sound documents (planted_changes.py), one or two at a time. The first table says in how many
cases the planted change is the first finding (of two: the first finding is one of them, and both are found), and in how
many the score after it is, to the last digit, that of the sound documents scored with the same options. The second
table says how often there is a finding where nothing is planted. Then come the names of the cases that fail, which
`--only` makes again. Without DOCIE_DATA, the shipped receipts and invoices are all there is.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import multiprocessing
import os
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from planted_changes import Case, make, names, negative_names
from planted_drafts import Options, Planted, requested

import docie
from docie.cli.app import app
from docie.inputs.config import entries_of

BATCH = 200  # names that are tried at a time
SHOWN = 3  # findings of a case that failed
SCORING = "values."
"""How the names of options begin that change the score of sound documents, too."""
OTHER_KINDS = {"records": {"records", "unwrap", "rename"}}
"""Under which other kinds a change may be found: records are named by what undoes them."""
DIFFERENT_FORMATS = {
    "invoices": {"TotalAmount", "ItemTotal", "ItemUnitValue", "ItemDescription", "IssuedDate"},
    "docubench": {"route", "productName", "buyer", "depth"},
    "cord": {f"{name}price" for name in ("", "cash", "change", "total_", "subtotal_", "tax_", "discount", "unit")}
    | {"menuqty_cnt", "service_price"},
    "receipts": {"tax", "amount", "quantity", "method", "vendor"},
}
"""Types whose formats differ before anything is planted ($2,000.00 and 2,000.00, a blank around a dash or behind a
value, Rp 35.000 and Rp35.000, capitals, long and short dashes), reviewed by hand. A finding whose first type, the one
with most values, is among them is true, wherever it comes."""


class Verdict(NamedTuple):
    """What `docie check` made of a case.

    Attributes:
        name: the name of the case.
        hypothesis: the kinds of the planted changes; the kind of data, if nothing was planted.
        is_first: whether the planted change was the first finding, or told of as values with two readings, which only a
            user can settle; of a negative, whether there was no false one.
        is_equal: whether the score after it was that of the sound documents, or what is left was told of so.
        findings: the first findings, as they are shown.
    """

    name: str
    hypothesis: str
    is_first: bool
    is_equal: bool
    findings: list[str]


def judged(name: str) -> Verdict | None:
    """The verdict on the case with this name; None if there is none."""
    case = make(name)
    if case is None:
        return None
    hypothesis = _hypothesis(case)
    try:
        all_findings = docie.check(references=case.references, predictions=case.predictions).findings
    except Exception as error:  # what stops a check is shown with its case, and counts as a failure
        return Verdict(name, hypothesis, False, False, [f"{type(error).__name__}: {error}"])
    findings = [each for each in all_findings if each.config and each.is_applied]  # others are told, and change nothing
    is_told = any(each.kind == "ambiguous" for each in all_findings)
    shown = [
        f"{each.kind}: {' '.join(entries_of(each.config))} ({each.before} → {each.after})" for each in findings[:SHOWN]
    ]
    if not case.planted:
        return Verdict(
            name, hypothesis, all(_is_true(name, each) or not each.is_certain for each in findings), True, shown
        )
    if is_told:  # formats with two readings are told of, and never changed
        case = case._replace(
            planted=[each for each in case.planted if each.kind != "format" or _place(each, findings) < len(findings)]
        )
        if not case.planted:
            return Verdict(name, hypothesis, True, True, shown)
    places = [_place(planted, findings) for planted in case.planted]
    last, earliest = max(places), min(places)
    if last >= len(findings):
        return Verdict(name, hypothesis, False, False, shown)
    first = case.planted[places.index(earliest)]
    is_first = all(_may_be(first, each.kind) or _is_true(name, each) for each in findings[:earliest])
    options = requested(each.config for each in findings)
    sound = sound_score(case, options)
    shown.append(f"sound documents with these options: {sound}")
    is_equal = sound == findings[-1].after or (is_told and "format" in hypothesis)
    return Verdict(name, hypothesis, is_first, is_equal, shown)


def _place(planted: Planted, findings: list[Any]) -> int:
    """The place of the finding with which a planted change has been asked for; one behind the last if there is none."""
    configs: list[Options] = []
    for place, finding in enumerate(findings):
        if _may_be(planted, finding.kind):
            configs.append(finding.config)
            if planted.asks(requested(configs)):
                return place
    return len(findings)


def _may_be(planted: Planted, kind: str) -> bool:
    return kind in OTHER_KINDS.get(planted.kind, {planted.kind})


def _is_true(name: str, finding: Any) -> bool:
    """Whether a finding is about a type whose formats differ in this source."""
    different = DIFFERENT_FORMATS.get(name.split("/")[0].split("-")[0], set())
    asked = finding.config.get("values.normalize") or finding.config.get("values.match") or {}
    return finding.kind == "format" and isinstance(asked, dict) and next(iter(asked)).rpartition(".")[2] in different


def _hypothesis(case: Case) -> str:
    if case.planted:
        return " + ".join(planted.kind for planted in case.planted)
    return "unchanged" if "/unchanged/" in case.name else "bad extractors"


def sound_score(case: Case, options: Options) -> float:
    """What `docie score` prints for the sound documents, with those of the options that also concern them."""
    entries = entries_of({name: value for name, value in options.items() if name.startswith(SCORING)})
    kept = [part for entry in entries for part in ("--config", entry)]
    with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(io.StringIO()) as printed:
        paths = [str(Path(folder, f"{side}.jsonl")) for side in ("references", "predictions")]
        for path, rows in zip(paths, (case.sound_references, case.sound_predictions), strict=True):
            Path(path).write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
        with contextlib.redirect_stderr(io.StringIO()):
            app(["score", *paths, "--metric", "kieval", "--score", "entity_f1", *kept], standalone_mode=False)
    return float(printed.getvalue())


def verdicts(candidates: Iterable[str], number: int, *, workers: int = 1) -> list[Verdict]:
    """The verdicts on the first so many of these cases that can be made."""
    candidates, found = iter(candidates), list[Verdict]()
    with multiprocessing.Pool(workers) if workers > 1 else contextlib.nullcontext() as pool:
        while len(found) < number and (batch := list(islice(candidates, BATCH if pool else 1))):
            done: Iterator[Verdict | None] = pool.imap(judged, batch, chunksize=4) if pool else map(judged, batch)
            found += filter(None, done)
    return found[:number]


def shares(found: Iterable[Verdict]) -> dict[str, tuple[int, float, float]]:
    """By hypothesis: the cases, the share whose change is the first finding, and that with the right score after it."""
    cases, first, equal = Counter[str](), Counter[str](), Counter[str]()
    for verdict in found:
        for row in (verdict.hypothesis, "two changes" if "+" in verdict.hypothesis else "one change", "all"):
            cases[row] += 1
            first[row] += verdict.is_first
            equal[row] += verdict.is_equal
    ranked = sorted(cases, key=lambda row: (row in ("one change", "two changes", "all"), row.count("+"), row))
    return {row: (cases[row], first[row] / cases[row], equal[row] / cases[row]) for row in ranked}


def _percent(share: float) -> str:
    return f"{100 * share:.1f}"


def report(planted: list[Verdict], negatives: list[Verdict]) -> Iterator[str]:
    """The tables in Markdown, and the cases that fail."""
    yield "| planted | cases | first finding (%) | same score (%) |\n| :-- | --: | --: | --: |"
    for name, (cases, first, equal) in shares(planted).items():
        yield f"| {name} | {cases:,} | {_percent(first)} | {_percent(equal)} |"
    yield "\n| nothing planted | cases | false findings (%) |\n| :-- | --: | --: |"
    for name, (cases, none, _) in shares(negatives).items():
        if name not in ("one change", "all"):
            yield f"| {name} | {cases:,} | {_percent(1 - none)} |"
    failed = [verdict for verdict in (*planted, *negatives) if not (verdict.is_first and verdict.is_equal)]
    yield f"\n{len(failed)} cases fail:"
    for verdict in failed:
        yield f"{verdict.name}: {'; '.join(verdict.findings) or 'no finding'}"


def only(name: str) -> Iterator[str]:
    """One case, its findings, and how it ends."""
    case, verdict = make(name), judged(name)
    if case is None or verdict is None:
        yield f"{name}: this cannot be planted here"
        return
    for planted in case.planted:
        yield f"planted: {planted.kind}, {planted.right} of {planted.values} values are right"
    for side, rows in (("references", case.references), ("predictions", case.predictions)):
        yield f"first of {len(rows)} {side}: {json.dumps(rows[0], ensure_ascii=False)[:1000]}"
    yield from verdict.findings or ["no finding"]
    yield f"first finding: {verdict.is_first}, same score: {verdict.is_equal}"


def main() -> None:
    """Print the tables, or one case."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cases", type=int, default=2000)
    parser.add_argument("--negatives", type=int, default=600)
    parser.add_argument("--sources", nargs="*", default=[])
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--only", metavar="NAME")
    arguments = parser.parse_args()
    if arguments.only:
        print("\n".join(only(arguments.only)))
        return
    planted = verdicts(names(arguments.sources), arguments.cases, workers=arguments.workers)
    negatives = verdicts(negative_names(arguments.sources), arguments.negatives, workers=arguments.workers)
    print("\n".join(report(planted, negatives)))


if __name__ == "__main__":
    main()
