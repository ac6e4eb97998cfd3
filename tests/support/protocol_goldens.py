"""The golden files of protocols: random documents with the scores that the original programs give them.

    python tests/support/protocol_goldens.py run ORIGINALS OUT [NAME]    score random documents with the original programs
    python tests/support/protocol_goldens.py keep OUT [NAME]             compare with docie, write tests/golden/protocols

The first step needs no docie: it runs where the originals are installed (anls-star, ie-eval, seqeval, zss, nltk, numpy,
scipy, PyYAML, rich), and ORIGINALS is a folder with their sources where they are no packages: `donut_util.py` (the class
JSONParseEvaluator of clovaai/donut), `ccocr.py` (kie_evaluator.py of CC-OCR), `rrc_anls.py` (infographicsvqa_eval.py of
the Robust Reading Competition, as in QwenLM/Qwen-VL), `docubench_scorer.py` (scorer.py of DocuPipe/DocuBench) and the
folders `KIEval` of UpstageAI/KIEval and `dime` of MetricsDI/DIMetrics. The second step prints on how many of many documents both differ, and keeps a few.
"""

from __future__ import annotations

import gzip
import importlib
import json
import random
import sys
from argparse import Namespace
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

DOCUMENTS, KEPT = 2000, 250
"""The number of random documents, and of those in the golden files."""
TEXTS = ["12.00", "7.50", "7.5", "Latte", "latte", "Kopi O", "Kopi", "2023-12-31", "A", "AB", "ABC", "1", "17"]
Random = random.Random


def value(rng: Random, pool: Iterable[Any] = TEXTS) -> Any:
    """A value from a pool, or several."""
    pool = [*pool]
    return [rng.choice(pool) for _ in range(rng.randint(1, 3))] if rng.random() < 0.1 else rng.choice(pool)


def flat(rng: Random, names: str, make: Callable[[Random], Any] = value) -> dict[str, Any]:
    """Some fields with values."""
    return {name: make(rng) for name in names if rng.random() < 0.7}


def document(rng: Random, make: Callable[[Random], Any] = value) -> dict[str, Any]:
    """Fields, line items, and now and then objects in objects."""
    found = flat(rng, "abcd", make)
    if rng.random() < 0.7:
        found["items"] = [
            flat(rng, "xyz", make) | ({"sub": flat(rng, "xy", make)} if rng.random() < 0.15 else {})
            for _ in range(rng.randint(1, 4))
        ]
    if rng.random() < 0.2:
        found["total"] = flat(rng, "pq", make)
    return found


def answer(reference: Any, rng: Random, make: Callable[[Random], Any] = value, rate: float = 0.15) -> Any:
    """A prediction: the reference with errors."""
    if isinstance(reference, dict):
        kept = {key: answer(each, rng, make, rate) for key, each in reference.items() if rng.random() > rate / 2}
        return kept | ({rng.choice("abx"): make(rng)} if rng.random() < rate / 2 else {})
    if isinstance(reference, list) and reference and isinstance(reference[0], dict):
        kept_items = [answer(each, rng, make, rate) for each in reference if rng.random() > rate]
        if rng.random() < rate:
            kept_items.append(flat(rng, "xyz", make))
        if rng.random() < rate:
            rng.shuffle(kept_items)
        return kept_items
    return make(rng) if rng.random() < rate else reference


def pairs(name: str, documents: int, make: Callable[[Random], Any] = value) -> list[tuple[Any, Any]]:
    """Predictions with references."""
    rng = random.Random(name)
    references = [document(rng, make) for _ in range(documents)]
    return [(answer(each, rng, make), each) for each in references]


def with_rare(rng: Random) -> Any:
    """Texts, and now and then what is no text."""
    return value(rng) if rng.random() < 0.98 else rng.choice([0, 12, 12.0, None, "", " ", False, True, [], {}])


def ratio(numerator: float, denominator: float) -> float | None:
    return numerator / denominator if denominator else None


# The originals: from rows (prediction, reference) to the score of each, None for none, and that of all.

Scored = tuple[list[dict[str, Any]], list[float | None], float]


def rows_of(found: Iterable[tuple[Any, Any]]) -> list[dict[str, Any]]:
    return [{"prediction": prediction, "reference": reference} for prediction, reference in found]


def kieval(documents: int) -> Scored:
    module = importlib.import_module("KIEval.kieval")
    from collections import defaultdict

    def counts(prediction: Any, reference: Any) -> tuple[int, int, int]:
        matrix: Any = defaultdict(lambda: defaultdict(int))
        sides = [(_ungrouped(side), _groups(side)) for side in (reference, prediction)]
        (own, own_groups), (theirs, their_groups) = sides
        for name in {*own_groups, *their_groups}:  # the original asks both sides for each
            own_groups.setdefault(name, [])
            their_groups.setdefault(name, [])
        shared = {"empty_token": "[E]", "value_delimiter": "|", "split_merged_value": True}
        shared["include_empty_token_in_score_calculation"] = False
        module.get_non_group_confusion_matrix(own, theirs, matrix, **shared)
        strategy = {"doc_name": "", "grouping_strategy": "hungarian"}
        module.get_group_confusion_matrix(own_groups, their_groups, matrix, **strategy, **shared)
        entities = [row for key, row in matrix.items() if not key.endswith(".grouping")]
        tp, fp, fn = (sum(row[kind] for row in entities) for kind in ("TP", "FP", "FN"))
        return tp, fp, fn

    found = [(_two_levels(prediction), _two_levels(reference)) for prediction, reference in pairs("kieval", documents)]
    each = [counts(*pair) for pair in found]
    total = [sum(column) for column in zip(*each, strict=True)]
    f1 = [ratio(2 * tp, 2 * tp + fp + fn) for tp, fp, fn in [*each, total]]
    return rows_of(found), f1[:-1], f1[-1] or 0.0


def _two_levels(document: dict[str, Any]) -> dict[str, Any]:
    """Without objects in objects, which the original has no place for."""
    return {
        key: [{name: text for name, text in item.items() if name != "sub"} for item in each]
        if isinstance(each, list) and isinstance(each[0] if each else None, dict)
        else each
        for key, each in document.items()
    }


def _ungrouped(document: dict[str, Any]) -> dict[str, list[str]]:
    values = {
        key: each if isinstance(each, list) else [each]
        for key, each in document.items()
        if key not in ("items", "total")
    }
    return {key: list(map(str, each)) for key, each in values.items()}


def _groups(document: dict[str, Any]) -> dict[str, list[dict[str, str]]]:
    groups = {key: document[key] for key in ("items", "total") if document.get(key)}
    return {
        key: [
            {name: "|".join(text) if isinstance(text, list) else text for name, text in item.items()}
            for item in (each if isinstance(each, list) else [each])
            if item
        ]
        for key, each in groups.items()
    }


def _donut(score: str, documents: int) -> Scored:
    evaluator = importlib.import_module("donut_util").JSONParseEvaluator()
    found = pairs(score, documents, with_rare)
    each: list[float | None] = []
    for prediction, reference in found:
        try:
            if score == "donut-f1":
                each.append(evaluator.cal_f1([prediction], [reference]))
            else:
                each.append(evaluator.cal_acc(prediction, reference))
        except ZeroDivisionError:
            each.append(None)
    if score == "donut-f1":
        return rows_of(found), each, evaluator.cal_f1(*zip(*found, strict=True))
    known = [number for number in each if number is not None]
    return rows_of(found), each, sum(known) / len(known)


def donut(documents: int) -> Scored:
    return _donut("donut", documents)


def donut_f1(documents: int) -> Scored:
    return _donut("donut-f1", documents)


CHINESE = [
    "金额 100",
    "合计：１２．５０",
    "总计 Total",
    "北 京 市",
    "a , b",
    "10kg",
    "10 kg",
    "３ 号楼",
    "A1、B2",
    "A 1,B 2",
]


def cc_ocr_kie(documents: int) -> Scored:
    module = importlib.import_module("ccocr")

    def make(rng: Random) -> Any:
        return (
            value(rng, TEXTS + CHINESE) if rng.random() < 0.95 else rng.choice([0, 12.0, None, "", " ", True, [], {}])
        )

    found = pairs("cc-ocr-kie", documents, make)
    evaluate = module.KieEvaluator().evaluate
    each = []
    for prediction, reference in found:
        summary = evaluate({"d": prediction}, {"d": reference})["summary"] if reference else {"f1_score": None}
        each.append(summary["f1_score"])
    names = [str(number) for number in range(len(found))]
    sides = [dict(zip(names, side, strict=True)) for side in zip(*found, strict=True)]
    f1 = module.cal_f1_all(
        *(module.normalize_values_of_nested_dict(side, module.KieEvaluator().normalize_func) for side in sides)
    )[0]
    return rows_of(found), each, f1


def docvqa(documents: int) -> Scored:
    module = importlib.import_module("rrc_anls")
    rng = random.Random("docvqa")
    texts = [*TEXTS, "Kedai  Kopi", "T.F. Riehl", "the Itc Limited", "31 dec 2023", "31. Dec 2023"]
    found = []
    for _ in range(documents):
        answers = [rng.choice(texts) for _ in range(rng.randint(1, 3))]
        prediction = rng.choice(answers) if rng.random() < 0.4 else rng.choice(texts)
        if prediction and rng.random() < 0.5:
            at = rng.randrange(len(prediction))
            prediction = prediction[:at] + rng.choice(["", "x", "xy"]) + prediction[at + 1 :]
        found.append((prediction.upper() if rng.random() < 0.3 else prediction, answers))
    from tempfile import TemporaryDirectory

    with TemporaryDirectory() as folder:
        truth, given = Path(folder, "truth.json"), Path(folder, "given.json")
        questions = [{"questionId": number, "question": "", "answers": row[1]} for number, row in enumerate(found)]
        truth.write_text(json.dumps({"dataset_name": "", "data": questions}))
        given.write_text(json.dumps([{"questionId": number, "answer": row[0]} for number, row in enumerate(found)]))
        result = module.evaluate_method(truth, given, Namespace(answer_types=False, anls_threshold=0.5))
    each = [result["per_sample_result"][str(number)]["score"] for number in range(len(found))]
    return rows_of(found), each, result["result"]["score"]


def anls_star(documents: int) -> Scored:
    score = importlib.import_module("anls_star").anls_score
    found = pairs("anls-star", documents, with_rare)
    each = [score(reference, prediction) for prediction, reference in found]
    return rows_of(found), each, sum(each) / len(each)


def seqeval(documents: int) -> Scored:
    f1 = importlib.import_module("seqeval.metrics").f1_score
    rng = random.Random("seqeval")
    tags = ["O", "O", "O", "B-a", "I-a", "B-b", "I-b"]
    references = [[rng.choice(tags) for _ in range(rng.randint(1, 12))] for _ in range(documents)]
    found = [([rng.choice(tags) if rng.random() < 0.2 else tag for tag in tags_of], tags_of) for tags_of in references]
    each = [f1([reference], [prediction]) for prediction, reference in found]
    predictions, expected = zip(*found, strict=True)
    return rows_of(found), each, f1([*expected], [*predictions])


def ie_eval(documents: int) -> Scored:
    scorer = importlib.import_module("ie_eval.scorer")
    rng = random.Random("ie-eval")

    def entities(least: int) -> list[list[str]]:
        return [[rng.choice("ABC"), rng.choice(TEXTS)] for _ in range(rng.randint(least, 6))]

    references = [entities(1) for _ in range(documents)]
    found = [
        ([each if rng.random() < 0.7 else entities(1)[0] for each in row] + entities(0)[:1], row) for row in references
    ]
    errors = [scorer.OiEcerEwer(*(list(map(tuple, side)) for side in (row[1], row[0])), True).errors for row in found]
    each: list[float | None] = [number / len(reference) for number, (_, reference) in zip(errors, found, strict=True)]
    return rows_of(found), each, sum(errors) / sum(len(reference) for _, reference in found)


def _dimetrics(name: str, documents: int) -> Scored:
    measure = getattr(importlib.import_module(f"dime.{name}"), name)

    def with_items(document: dict[str, Any]) -> dict[str, Any]:
        """Texts, and one list of line items, which the original expects on both sides."""
        found = {key: str(each) for key, each in document.items() if key not in ("items", "total")}
        items = [{key: str(text) for key, text in each.items() if key != "sub"} for each in document.get("items", ())]
        return {**found, "items": items}

    found = [(with_items(prediction), with_items(reference)) for prediction, reference in pairs(name, documents)]
    each: list[float | None] = []
    for prediction, reference in found:
        tp, fp, fn = map(float, measure(reference, prediction, "items")[0])
        each.append(ratio(2 * tp, 2 * tp + fp + fn))
    known = [number for number in each if number is not None]
    return rows_of(found), each, sum(known) / len(known)


def di_metrics(documents: int) -> Scored:
    return _dimetrics("uhed", documents)


def di_metrics_hed(documents: int) -> Scored:
    return _dimetrics("hed", documents)


def sroie(documents: int) -> Scored:
    """No program is public: what its paper says, by itself. A blank text is an answer."""
    rng = random.Random("sroie")
    names = ("company", "date", "address", "total")

    def receipt(text: Callable[[], str]) -> dict[str, str]:
        return {name: text() for name in names}

    references = [receipt(lambda: rng.choice([*TEXTS, ""])) for _ in range(documents)]
    found = []
    for reference in references:
        changed = {name: rng.choice([*TEXTS, ""]) if rng.random() < 0.2 else text for name, text in reference.items()}
        found.append(({name: text for name, text in changed.items() if rng.random() < 0.95}, reference))
    right = [sum(row[0].get(name) == row[1][name] for name in names) for row in found]
    each: list[float | None] = [2 * number / (len(row[0]) + 4) for number, row in zip(right, found, strict=True)]
    return rows_of(found), each, 2 * sum(right) / sum(len(row[0]) + 4 for row in found)


def docubench(documents: int) -> Scored:
    score = importlib.import_module("docubench_scorer").score_standardization
    rng = random.Random("docubench")
    kinds = ["string", "number", ["string", "null"]]

    def fields(names: str) -> dict[str, Any]:
        return {name: {"type": rng.choice(kinds)} for name in names if rng.random() < 0.8}

    def listed() -> dict[str, Any]:
        item = {"type": "object", "properties": fields("xyz")} if rng.random() < 0.8 else {"type": "string"}
        return {"type": "array", "items": item}

    def schema() -> dict[str, Any]:
        properties = {**fields("abcd"), "k": {"type": "string"}}
        properties |= {"items": listed()} if rng.random() < 0.7 else {}
        if rng.random() < 0.3:
            kind = rng.choice(["object", "object", ["object", "null"]])
            inner = fields("pq") | ({"items": listed()} if rng.random() < 0.3 else {})
            inner |= {"more": listed()} if rng.random() < 0.1 else {}
            properties["total"] = {"type": kind, "properties": inner}
        return {"type": "object", "properties": properties}

    def filled(part: dict[str, Any]) -> Any:
        kind = part["type"]
        if "properties" in part:
            return {name: filled(each) for name, each in part["properties"].items() if rng.random() < 0.9}
        if kind == "array":
            return [filled(part["items"]) for _ in range(rng.randint(0, 4))]
        if rng.random() < 0.1:
            return rng.choice([None, "", " ", True, {}, []])
        return (
            rng.choice([1, 2.0, 0.1 + 0.2, 0.3, 12]) if kind == "number" else rng.choice([*TEXTS, "Kopi-O!", "KOPI O"])
        )

    schemas = [schema() for _ in range(documents)]
    references = [filled(each) for each in schemas]
    found = [(answer(each, rng, lambda rng: rng.choice([*TEXTS, 1, 2.0, None])), each) for each in references]
    each = [score(row[0], part, row[1])["final"] for row, part in zip(found, schemas, strict=True)]
    rows = [row | {"schema": part} for row, part in zip(rows_of(found), schemas, strict=True)]
    return rows, each, sum(each) / len(each)


ORIGINALS: dict[str, tuple[Callable[[int], Scored], str]] = {
    "kieval": (kieval, "UpstageAI/KIEval 95914a4"),
    "donut": (donut, "clovaai/donut 4cfcf97 with zss 1.2.0 and nltk 3.10.4"),
    "donut-f1": (donut_f1, "clovaai/donut 4cfcf97"),
    "cc-ocr-kie": (cc_ocr_kie, "CC-OCR, AdvancedLiterateMachinery fb6187e"),
    "docvqa": (docvqa, "infographicsVQA_eval.py of the Robust Reading Competition, as in QwenLM/Qwen-VL aa00ed0"),
    "anls-star": (anls_star, "anls-star 1.0.1"),
    "seqeval": (seqeval, "seqeval 1.2.2, default mode"),
    "ie-eval": (ie_eval, "ie-eval 0.2.0, its errors without the cap"),
    "di-metrics": (di_metrics, "MetricsDI/DIMetrics e598768, dime/uhed.py"),
    "di-metrics-hed": (di_metrics_hed, "MetricsDI/DIMetrics e598768, dime/hed.py"),
    "sroie": (sroie, "its paper, written again: no program is public"),
    "docubench": (docubench, "DocuPipe/DocuBench 43fae2e, scorer.py"),
}


def run(out: Path, names: Iterable[str]) -> None:
    """Write what the originals say, of a few documents and of many."""
    out.mkdir(parents=True, exist_ok=True)
    for name in names:
        make, origin = ORIGINALS[name]
        for documents in (KEPT, DOCUMENTS):
            rows, scores, total = make(documents)
            for number, (row, score) in enumerate(zip(rows, scores, strict=True)):
                row |= {"id": f"d-{number}", "score": score}
            written = {"origin": f"{origin}; tests/support/protocol_goldens.py", "score": total, "rows": rows}
            (out / f"{name}-{documents}.json").write_text(json.dumps(written))


def keep(out: Path, names: Iterable[str], folder: Path) -> None:
    """Say where docie differs, and keep the few documents."""
    from protocol_scores import CLOSE, differences, score

    for name in names:
        for documents in (DOCUMENTS, KEPT):
            golden = json.loads((out / f"{name}-{documents}.json").read_text())
            golden["differ"] = differences(name, golden)
            found = score(name, golden["rows"])
            told = f"{len(golden['differ'])} of {documents} differ; in all {found}, the original {golden['score']}"
            print(f"{name}: {told}", *golden["differ"][:10])
        if abs(found - golden["score"]) > CLOSE:
            golden["score"] = None  # of documents that differ
        text = json.dumps(golden, ensure_ascii=False, separators=(",", ":"))
        (folder / f"{name}.json.gz").write_bytes(gzip.compress(text.encode(), mtime=0))


def main() -> None:
    what, *paths = sys.argv[1:]
    if what == "run":
        sys.path.insert(0, paths[0])
        run(Path(paths[1]), paths[2:] or ORIGINALS)
    else:
        keep(Path(paths[0]), paths[1:] or ORIGINALS, Path(__file__).parents[1] / "golden" / "protocols")


if __name__ == "__main__":
    main()
