"""The same answers under every score that applies, and what moves each: the tables of docs/twenty-numbers.md.

    DOCIE_DATA=... python benchmarks/twenty_numbers.py [docs/twenty-numbers.md]

Qwen2-VL's answers to CORD's test receipts, and Gemini's to DocuBench. Beside each score stands one of its rules, and
the score with just this rule changed. It prints the tables, and the numbers in sentences of the page; a page that is
named gets the tables.
"""

from __future__ import annotations

import os
import re
import sys
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import reduce
from operator import add
from pathlib import Path
from statistics import fmean
from typing import Any, NamedTuple

import docie
from docie import anls_star, kieval, nted, protocols, text_match
from docie.adapters import grouping
from docie.core.scores import rounded
from docie.metrics.text_match.metric import Fields
from docie.protocols.scorers.cc_ocr_kie import alike

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests" / "support"))

from generated import PART
from json_lines import read_lines
from real_documents import SYSTEMS, Pairs, cord_pairs, docubench_pairs

ROW = re.compile(r"^\| \*\*([\d.]+)\*\* \| (.*?) \(", re.MULTILINE)
"""The score and the name in a row of a table."""
FEW = 2
"""Corrections of a document that is nearly correct."""


@dataclass(frozen=True)
class Answers:
    """The answers of a system to the documents of a data set; DocuBench has a JSON Schema for each document."""

    pairs: Pairs
    ids: list[str]
    schemas: dict[str, Any] | None = None

    def score(self, name: str, **options: Any) -> float:
        """What a protocol quotes."""
        protocol = protocols.get(name)
        options |= {"schema": self.schemas} if protocol.asks and "schema" not in options else {}
        return float(self.result(protocol=name, **options)[protocol.quoted])

    def of(self, family: str, name: str, **options: Any) -> float:
        """A score of a family."""
        return float(self.result(metric=family, **options)[name])

    def result(self, **options: Any) -> Any:
        """What `docie.score` gives."""
        return docie.score(references=self.rows(1), predictions=self.rows(0), **options)

    def rows(self, side: int) -> list[dict[str, Any]]:
        """The predictions (0) or the references (1) with their ids."""
        return [{"id": i, "document": pair[side]} for i, pair in zip(self.ids, self.pairs, strict=True)]

    def changed(self, change: Callable[[Any], Any]) -> Answers:
        """With every value of predictions and references changed, those inside objects and lists first."""
        return replace(self, pairs=[(_deep(change, one), _deep(change, other)) for one, other in self.pairs])

    def entities(self) -> Answers:
        """The values of each document as a list."""
        return replace(self, pairs=[(_entities(one), _entities(other)) for one, other in self.pairs])


def read(data: Path) -> dict[str, Answers]:
    """The answers of Qwen2-VL to CORD, and those of each system to DocuBench, by their names."""
    files = {"references": "references", "qwen": "predictions-qwen2-vl-72b"}
    cord = {name: [*read_lines(data / "cord-test" / f"{file}.jsonl")] for name, file in files.items()}
    found = {"CORD": Answers(cord_pairs(cord, "qwen"), [row["id"] for row in cord["references"]])}
    schemas = {row["id"]: row["schema"] for row in read_lines(data / "docubench" / "schemas.jsonl")}
    for system in SYSTEMS:
        ids = [row["id"] for row in read_lines(data / "docubench" / f"predictions-{system}.jsonl")]
        found[system] = Answers(docubench_pairs(data, system), ids, schemas)
    return found


# What changes a value


def _deep(change: Callable[[Any], Any], value: Any) -> Any:
    if isinstance(value, dict):
        value = {key: _deep(change, child) for key, child in value.items()}
    elif isinstance(value, list):
        value = [_deep(change, child) for child in value]
    return change(value)


def whole_numbers(value: Any) -> Any:
    """12.0 as 12."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


def in_lists(value: Any) -> Any:
    """An object inside an object as a list of one."""
    if not isinstance(value, dict):
        return value
    return {key: [child] if isinstance(child, dict) else child for key, child in value.items()}


def without_blanks(value: Any) -> Any:
    """An object without the keys that have null or an empty text."""
    return {key: child for key, child in value.items() if child not in (None, "")} if isinstance(value, dict) else value


def letters_and_digits(value: Any) -> Any:
    """A text without anything else, in lower case."""
    return "".join(filter(str.isalnum, value.lower())) if isinstance(value, str) else value


def spaces_alike(value: Any) -> Any:
    """A text with the widths and spaces that CC-OCR gives it."""
    return alike(value) if isinstance(value, str) else value


def _entities(document: Any) -> list[tuple[str, Any]]:
    return [(entity.type, entity.value) for entity in grouping.entities(document)]


def _groups(document: Any) -> dict[str, Any]:
    """What a document holds in objects."""
    lists = {key: child if isinstance(child, list) else [child] for key, child in document.items()}
    return {key: child for key, child in lists.items() if any(isinstance(each, dict) for each in child)}


# Scores with one rule changed


def by_documents(answers: Answers) -> float:
    """Text match's similarity as a mean over documents, not over all fields."""
    return fmean(text_match.score(text_match.count(*pair))["levenshtein_similarity"] for pair in answers.pairs)


def fields(answers: Answers) -> tuple[Fields, int, int]:
    """Text match's sums over all fields, and the numbers of fields in the predictions and in the references."""
    one, other = (
        reduce(add, (text_match.count(*pair[::step]) for pair in answers.pairs)).total("field", Fields)
        for step in (1, -1)
    )
    return one, int(other.references), int(one.references)


def of_both(answers: Answers) -> float:
    """Text match's similarity of the fields that both documents have."""
    sums, predicted, expected = fields(answers)
    return float(sums.levenshtein_similarity / (predicted + expected - sums.fields))


def equal_as_f1(answers: Answers) -> float:
    """The F1 score of text match's equal fields."""
    sums, predicted, expected = fields(answers)
    return float(2 * sums.exact_match / (predicted + expected))


def over_both_lengths(answers: Answers) -> float:
    """nTED with edits divided by the sizes of both documents."""
    shares = (
        [1 - nted.score(nted.count(*pair[::step]))["nted_accuracy"] for step in (1, -1)] for pair in answers.pairs
    )
    return fmean(1 - one * other / (one + other) if one + other else 1 for one, other in shares)


def in_their_order(answers: Answers) -> float:
    """nTED with the lists of the reference in the order of the prediction, as ANLS* pairs their elements."""
    return replace(answers, pairs=[(one, anls_star.closest(one, other)) for one, other in answers.pairs]).of(
        "nted", "nted_accuracy"
    )


def nearly_correct(answers: Answers) -> float:
    """The share of documents with few corrections."""
    return fmean(kieval.score(kieval.count(*pair))["corrections"] <= FEW for pair in answers.pairs)


def without_thresholds(answers: Answers) -> float:
    """Stickler with any similarity of texts."""

    def change(schema: Any) -> Any:
        is_text = isinstance(schema, dict) and "string" in (schema.get("type") or ())
        return schema | {"x-aws-stickler-threshold": 0} if is_text else schema

    return answers.score("stickler", schema=_deep(change, answers.schemas))


# The scores


class Number(NamedTuple):
    """A score: its name, where it comes from, what it counts (first of all the unit), and how it is made."""

    name: str
    origin: str
    counts: str
    made: Callable[[Answers], float]


def _quoted(name: str, protocol: str, counts: str) -> Number:
    return Number(name, protocol, counts, lambda answers: answers.score(protocol))


def _of(name: str, family: str, score: str, counts: str) -> Number:
    return Number(name, family, counts, lambda answers: answers.of(family, score))


NUMBERS = [
    _quoted("UHED, as published", "di-metrics", "characters, of paired line items only"),
    _of("UHED", "hed", "uhed_f1", "characters, line items in any order"),
    _quoted("HED", "di-metrics-hed", "characters, line items in their order"),
    _of("nTED", "nted", "nted_accuracy", "characters, as edits of a tree"),
    _quoted("Donut nTED", "donut", "characters, numbers as they are written"),
    _quoted("Stickler", "stickler", "texts, how near, by a schema"),
    _quoted("ANLS\\*", "anls-star", "texts, how near, in a tree"),
    _of("text similarity", "text_match", "levenshtein_similarity", "texts, how near, field by field"),
    _quoted("DocuBench", "docubench", "values of a schema, by document"),
    _quoted("Omni Extract Bench", "omni-extract-bench", "values of either document, by document"),
    _quoted("CC-OCR F1", "cc-ocr-kie", "values, with widths and spaces alike"),
    _quoted("Donut field F1", "donut-f1", "values as written, in any group"),
    _of("entity F1", "entity_f1", "f1", "values, in any group"),
    _quoted("KIEval entity F1", "kieval", "values, in their group"),
    _of("macro entity F1", "entity_f1", "f1_macro", "values, all types weighing the same"),
    _of("KIEval aligned", "kieval", "aligned", "values, against a person's corrections"),
    _of("exact match", "text_match", "exact_match", "values, of all fields"),
    _of("KIEval group F1", "kieval", "group_f1", "groups with all values correct"),
    _of("document accuracy", "kieval", "document_accuracy", "documents without any error"),
]
"""Those that are better if they are higher; equal ones in this order. `docvqa` has the settings of `anls-star`."""
ERROR = Number("OIECER", "ie-eval", "characters", lambda answers: answers.entities().score("ie-eval"))


class Rule(NamedTuple):
    """A rule that keeps a score below the one above it, and the score without it."""

    why: str
    instead: str = ""
    made: Callable[[Answers], float] = lambda _: 0.0


RULES = {
    "UHED": Rule("spurious and missing line items count", "ignored", lambda a: a.score("di-metrics")),
    "HED": Rule("line items must keep their order", "any order", lambda a: a.of("hed", "uhed_f1")),
    "KIEval entity F1": Rule("a value must stand in its group", "any group", lambda a: a.of("entity_f1", "f1")),
    "KIEval aligned": Rule("correct values over these and corrections", "as F1", lambda a: a.score("kieval")),
    "exact match": Rule("a share of the fields of either document", "as F1", equal_as_f1),
    "KIEval group F1": Rule(
        "one incorrect value costs its whole group",
        "the values of these groups",
        lambda a: replace(a, pairs=[(_groups(one), _groups(other)) for one, other in a.pairs]).score("kieval"),
    ),
    "document accuracy": Rule("one incorrect value costs its document", f"up to {FEW} corrections", nearly_correct),
}
"""What holds for both data sets."""
OF_CORD = RULES | {
    "nTED": Rule("edits over the reference's length alone", "over both lengths", over_both_lengths),
    "Donut nTED": Rule("the same: there are no JSON numbers"),
    "text similarity": Rule("a field that one document lacks is 0", "fields of both", of_both),
    "CC-OCR F1": Rule(
        "a near text is incorrect",
        "half alike is correct",
        lambda a: a.changed(spaces_alike).of("entity_f1", "f1", match="similar(0.5)"),
    ),
    "Donut field F1": Rule("other spaces, another text", "alike", lambda a: a.changed(spaces_alike).score("donut-f1")),
    "entity F1": Rule("the same: there are no JSON numbers"),
    "KIEval entity F1": Rule("the same: groups cost nothing here"),
    "ANLS\\*": Rule(
        "an object is no list of one, so all in it is 0", "as lists", lambda a: a.changed(in_lists).score("anls-star")
    ),
    "macro entity F1": Rule("rare types weigh as much", "by their number", lambda a: a.of("entity_f1", "f1")),
}
OF_DOCUBENCH = RULES | {
    "Stickler": Rule("a text less than half alike is 0", "any likeness counts", without_thresholds),
    "ANLS\\*": Rule(
        "a text less than half alike is 0",
        "any likeness counts",
        lambda a: a.of("anls_star", "anls_star", threshold=0.0),
    ),
    "DocuBench": Rule(
        "only equal letters and digits count",
        "ANLS\\* with this rule",
        lambda a: a.changed(letters_and_digits).of("anls_star", "anls_star", threshold=1.0),
    ),
    "Omni Extract Bench": Rule(
        "what is missing or spurious costs 1, in F1 ½",
        "as F1",
        lambda a: float(a.result(protocol="omni-extract-bench", schema=a.schemas)["f1"]),
    ),
    "nTED": Rule("groups must keep their order", "any order", in_their_order),
    "macro entity F1": Rule(
        "a near text is incorrect",
        "half alike is correct",
        lambda a: a.of("entity_f1", "f1_macro", match="similar(0.5)"),
    ),
    "text similarity": Rule("long documents weigh more", "all weigh the same", by_documents),
    "entity F1": Rule(
        "a near text is incorrect", "half alike is correct", lambda a: a.of("entity_f1", "f1", match="similar(0.5)")
    ),
    "Donut nTED": Rule("`12.0` is not `12`", "written alike", lambda a: a.changed(whole_numbers).score("donut")),
    "CC-OCR F1": Rule(
        "`12.0` is not `12`, and `null` is a value",
        "written alike, without `null`",
        lambda a: a.changed(whole_numbers).changed(without_blanks).score("cc-ocr-kie"),
    ),
    "Donut field F1": Rule(
        "`12.0` is not `12`, and spaces matter",
        "written alike",
        lambda a: a.changed(whole_numbers).changed(spaces_alike).score("donut-f1"),
    ),
}


def table(answers: Answers, rules: dict[str, Rule]) -> str:
    """The scores from the highest to the lowest, each with its rule, and an error rate below."""
    made = [(number.made(answers), number) for number in NUMBERS if applies(number.origin, answers)]
    ordered = sorted(made, key=lambda pair: -pair[0])
    rows = list[str]()
    for value, number in ordered:
        rule = rules[number.name] if rows else Rule("")
        instead = f"{rule.instead}: {said(rule.made(answers))}" if rule.instead else ""
        origins = "`docvqa`, `anls-star`" if number.origin == "anls-star" else f"`{number.origin}`"
        rows.append(f"| **{said(value)}** | {number.name} ({origins}) | {number.counts} | {rule.why} | {instead} |")
    head = "| score | name | what it counts | why it is not higher | without that |\n| --: | :-- | :-- | :-- | :-- |"
    whole = said(answers.entities().of("oi_entities", "bag_of_entities_error_rate"))
    error = f"{ERROR.name} (`{ERROR.origin}`) **{said(ERROR.made(answers))}**, by the {ERROR.counts} of values"
    return "\n".join([head, *rows, "", f"And an error rate, where 0 is best: {error}; by whole values {whole}.", ""])


def applies(origin: str, answers: Answers) -> bool:
    """Whether these answers have what a protocol asks for."""
    return origin not in protocols.names() or not protocols.get(origin).asks or answers.schemas is not None


def said(value: float) -> str:
    """A score with three decimals."""
    return rounded(value, 3)


def parts(found: dict[str, Answers]) -> dict[str, str]:
    """The tables by the names that they have in the page."""
    return {"cord": table(found["CORD"], OF_CORD), "docubench": table(found["gemini"], OF_DOCUBENCH)}


def sentences(found: dict[str, Answers], made: dict[str, str]) -> Iterator[str]:
    """What the sentences of the page say, with the numbers in them."""
    for text in made.values():
        rows = ROW.findall(text)
        yield f"{rows[-1][0]} or {rows[0][0]}"
    called = [value for value, name in rows if "F1" in name or "HED" in name]
    yield f"{len(called)} scores that are F1 lie between {called[-1]} and {called[0]}"
    systems = {name: answers for name, answers in found.items() if answers.schemas}
    scores = {name: answers.score("docubench") for name, answers in systems.items()}
    yield f"from {said(min(scores.values()))} to {said(max(scores.values()))}"
    rivals = {name: systems[name].rows(0) for name in ("gpt", "extend")}
    chances = []
    asked: dict[str, Any] = {"docubench": {"schema": systems["gpt"].schemas}, "kieval": {}}
    for protocol, options in asked.items():
        compared = docie.compare(references=systems["gpt"].rows(1), systems=rivals, protocol=protocol, **options)
        [row] = compared.results["comparisons"]
        yield f"{said(row['value_a'])} to {said(row['value_b'])}"
        chances.append(said(row["p_value"]))
    yield f"p {' and '.join(chances)}"
    result = found["gemini"].result(protocol="kieval")
    yield str(result).partition("\n")[0]
    yield result.signature


def written(text: str, made: dict[str, str]) -> str:
    """A page with its tables as they were made."""
    return PART.sub(lambda part: part[1] + made.get(part[2].removeprefix("measured "), part[3]), text)


def main() -> None:
    warnings.simplefilter("ignore")  # of formats and names that look odd: they are what the scores differ in
    found = read(Path(os.environ["DOCIE_DATA"]))
    made = parts(found)
    for page in map(Path, sys.argv[1:]):
        page.write_text(written(page.read_text(encoding="utf-8"), made), encoding="utf-8")
    print(*made.values(), sep="\n")
    print(*sentences(found, made), sep="\n")


if __name__ == "__main__":
    main()
