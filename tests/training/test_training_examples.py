"""The training examples: they learn, and the figures that they print are those of `docie score` on their files."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from docie import tables
from docie.adapters import donut, grouping, records

import cli_runs
from checkout import skip_module_without

skip_module_without("examples")
pytest.importorskip("torch", reason="training needs torch")
transformers = pytest.importorskip("transformers", reason="training needs transformers")
pytest.importorskip("accelerate", reason="training needs accelerate")
pytest.importorskip("matplotlib", reason="the learning curves need matplotlib")
Image = pytest.importorskip("PIL.Image", reason="training needs Pillow")

import coded_receipts  # noqa: E402
import synthetic_receipts  # noqa: E402
import train_donut  # noqa: E402
import train_layoutlmv3  # noqa: E402
from transformers_versions import image_processor  # noqa: E402

Trainings = dict[str, tuple[Path, dict[str, list[str]]]]
"""By model: the folder, and the printed figures."""
METRICS = {"layoutlmv3": train_layoutlmv3.METRICS, "donut": train_donut.METRICS}
SHORT = {
    "layoutlmv3": ["--receipts", "300", "--epochs", "1"],
    "donut": ["--receipts", "300", "--epochs", "1", "--batch-size", "8", "--learning-rate", "4e-3"],
}
CORD = {  # as CORD names what the receipts have
    "items.name": "menu.nm",
    "items.quantity": "menu.cnt",
    "items.amount": "menu.price",
    "items.option": "menu.sub_nm",
    "total.subtotal": "sub_total.subtotal_price",
    "total.tax": "sub_total.tax_price",
    "total.amount": "total.total_price",
}


def run(root: Path, model: str, output: Path, *options: str) -> dict[str, list[str]]:
    """Run an example; the figures that it printed, as text, by name."""
    done = subprocess.run(
        [sys.executable, str(root / "examples" / f"train_{model}.py"), "--output", str(output), *options],
        capture_output=True,
        encoding="utf-8",
        env={**os.environ, "HF_HUB_OFFLINE": "1", "OMP_NUM_THREADS": "1"},  # two run at a time
    )
    assert done.returncode == 0, done.stderr[-3000:]
    lines = done.stdout.splitlines()
    assert all(line.startswith("| ") for line in lines), "nothing but the table belongs on stdout"
    assert "epoch 1: loss " in done.stderr
    assert "Warning" not in done.stderr, done.stderr
    return {name: figures for name, *figures in ([cell.strip() for cell in line[1:-1].split("|")] for line in lines)}


@pytest.fixture(scope="module")
def trainings(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Trainings:
    """Both examples as they are by themselves, at the same time."""
    outputs = {model: tmp_path_factory.mktemp(model) for model in METRICS}
    with ThreadPoolExecutor() as pool:
        runs = {model: pool.submit(run, root, model, output) for model, output in outputs.items()}
    return {model: (output, runs[model].result()) for model, output in outputs.items()}


def scored(output: Path, *families: str) -> dict[str, str]:
    """What `docie score` says of an example's files, a figure as text by family and name."""
    files = [str(output / name) for name in ("references.jsonl", "predictions.jsonl")]
    options = [option for family in families for option in ("--metric", family)]
    by_family = json.loads(cli_runs.run(*files, *options, "--format", "json").stdout)
    return {
        f"{family}_{name}": tables.number(value)
        for family, results in by_family.items()
        for name, value in results.items()
        if isinstance(value, int | float) and name not in ("documents", "invalid_predictions")
    }


def check_files(output: Path, printed: dict[str, list[str]], families: list[str], count: int) -> None:
    """The printed figures are those of the files; the picture is one."""
    expected = scored(output, *families)
    assert len(expected) > 13
    assert {name: printed[name][0] for name in expected} == expected
    for name in ("references", "predictions"):
        rows = [json.loads(line) for line in (output / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()]
        assert len({row["id"] for row in rows}) == len(rows) == count
    with Image.open(output / "learning-curve.png") as picture:
        assert picture.size == (1350, 540)
        assert len(picture.convert("RGB").getcolors(10**6)) > 50


@pytest.mark.exhaustive
@pytest.mark.parametrize("model", METRICS)
def test_the_printed_figures_are_those_of_the_files(model: str, root: Path, tmp_path: Path) -> None:
    """On few receipts, which is too short to learn much."""
    output, printed = tmp_path, run(root, model, tmp_path, *SHORT[model])
    check_files(output, printed, METRICS[model], 60)
    assert float(printed["kieval_corrections"][0]) > 0
    assert len(printed["score"]) == (2 if model == "layoutlmv3" else 1)  # LayoutLMv3 has a baseline beside it
    for name in ("config.json", "model.safetensors", "tokenizer.json"):
        assert (output / name).stat().st_size > 0


@pytest.mark.exhaustive(minutes=True)
def test_layoutlmv3_learns_to_read_unseen_receipts(trainings: Trainings) -> None:
    output, printed = trainings["layoutlmv3"]
    check_files(output, printed, train_layoutlmv3.METRICS, 60)
    model, baseline = map(float, printed["kieval_entity_f1"])
    assert model > 0.9
    assert 0 < baseline < 0.6

    tokenizer = transformers.LayoutLMv3TokenizerFast.from_pretrained(output)
    labels = transformers.LayoutLMv3Config.from_pretrained(output).id2label
    pages = train_layoutlmv3.synthetic_pages(60, 0, "held_out")
    windows = train_layoutlmv3.Windows(pages, tokenizer, list(labels.values()), 96)
    several = [page for page in range(60) if windows.pages.count(page) > 1]
    assert 10 < len(several) < 50  # both kinds occur
    for page in several:  # and neighbours overlap
        seen = [
            set(ids) - {None} for ids, number in zip(windows.word_ids, windows.pages, strict=True) if number == page
        ]
        assert seen[0] & seen[1]
        assert set().union(*seen) == set(range(len(pages.words[page])))


@pytest.mark.exhaustive(minutes=True)
def test_donut_learns_to_read_known_words_in_new_places(trainings: Trainings) -> None:
    output, printed = trainings["donut"]
    check_files(output, printed, train_donut.METRICS, 60)
    assert float(printed["kieval_entity_f1"][0]) > 0.9
    assert int(printed["invalid_predictions"][0]) == 0

    tokenizer = transformers.AutoTokenizer.from_pretrained(output)
    rows = train_donut.Rows(train_donut.coded_pages(500, 0, "train"), None, tokenizer, 40)
    assert {row[-1] for row in rows.labels} <= {-100, tokenizer.eos_token_id}  # no document is cut off


@pytest.mark.exhaustive(minutes=True)
def test_what_generate_returns_gives_confidences(trainings: Trainings) -> None:
    """As the docstring of `donut.to_document` shows it: a value is as sure as its one token."""
    output, _ = trainings["donut"]
    model = transformers.VisionEncoderDecoderModel.from_pretrained(output)
    tokenizer = transformers.AutoTokenizer.from_pretrained(output)
    processor = image_processor("Donut").from_pretrained(output)
    pages = train_donut.coded_pages(8, 0, "held_out")
    pixels = processor([image.convert("RGB") for image in pages.images], return_tensors="pt")["pixel_values"]
    found = model.generate(pixel_values=pixels, output_scores=True, return_dict_in_generate=True)
    scores = model.compute_transition_scores(found.sequences, found.scores, normalize_logits=True).exp()
    for sequence, row in zip(found.sequences, scores, strict=True):
        text, tokens = tokenizer.decode(sequence), tokenizer.convert_ids_to_tokens(sequence)[-len(row) :]
        parsed = donut.to_document(text, token_scores=zip(tokens, row.tolist(), strict=True))
        expected = [score for token, score in zip(tokens, row.tolist(), strict=True) if not token.startswith("<")]
        entities = grouping.entities(parsed.document, side="prediction")
        assert not parsed.issues
        assert 4 <= len(entities) == len(expected)
        assert sorted(entity.confidence for entity in entities) == sorted(expected)
        assert 0 < min(expected) <= max(expected) <= 1


def save_dataset(folder: Path, columns: dict[str, Any], rows: dict[str, list[dict[str, Any]]]) -> None:
    """A data set of parquet files, as the Hub has them."""
    import datasets

    (folder / "data").mkdir(parents=True)
    for split, found in rows.items():
        table = datasets.Dataset.from_list(found, features=datasets.Features(columns))
        table.to_parquet(folder / "data" / f"{split}-00000-of-00001.parquet")


def png(picture: Any) -> dict[str, bytes]:
    file = io.BytesIO()
    picture.save(file, format="PNG")
    return {"bytes": file.getvalue()}


def cord_tag(tag: str) -> str:
    kind = CORD.get(tag[2:])
    return f"{tag[:2]}{kind.upper()}" if kind else "O"


@pytest.mark.exhaustive
def test_layoutlmv3_takes_a_model_and_a_data_set_of_the_hub(root: Path, tmp_path: Path) -> None:
    import datasets

    receipts = synthetic_receipts.receipts(50, 1)
    rows = [
        {
            "id": str(number),
            "words": receipt.words,
            "bboxes": pages_boxes,
            "ner_tags": [records.CORD_TAGS.index(cord_tag(tag)) for tag in receipt.tags],
            "image": png(synthetic_receipts.picture(receipt)),
        }
        for number, (receipt, pages_boxes) in enumerate(
            zip(receipts, train_layoutlmv3.synthetic_pages(50, 1, "train").boxes, strict=True)
        )
    ]
    columns = {
        "id": datasets.Value("string"),
        "words": [datasets.Value("string")],
        "bboxes": [[datasets.Value("int64")]],
        "ner_tags": [datasets.ClassLabel(names=records.CORD_TAGS)],
        "image": datasets.Image(),
    }
    save_dataset(tmp_path / "dataset", columns, {"train": rows[:41], "test": rows[41:]})
    pages = train_layoutlmv3.synthetic_pages(50, 1, "train")
    tokenizer, tiny = train_layoutlmv3.tiny_model(pages, ["O"], 96)
    config = tiny.config
    config.update({"visual_embed": True, "input_size": 32})
    for part in (
        tokenizer,
        transformers.LayoutLMv3ForTokenClassification(config),
        image_processor("LayoutLMv3")(apply_ocr=False, size={"height": 32, "width": 32}),
    ):
        part.save_pretrained(tmp_path / "model")

    options = ["--model", str(tmp_path / "model"), "--dataset", str(tmp_path / "dataset"), "--epochs", "8"]
    printed = run(root, "layoutlmv3", tmp_path / "output", *options)
    check_files(tmp_path / "output", printed, train_layoutlmv3.METRICS, 9)
    assert 0 < float(printed["kieval_entity_f1"][0]) < 1
    first = json.loads((tmp_path / "output" / "references.jsonl").read_text(encoding="utf-8").splitlines()[0])
    assert first == {"id": "41", "reference": records.cord(rows[41])}


@pytest.mark.exhaustive
def test_donut_takes_a_model_and_a_data_set_of_the_hub(root: Path, tmp_path: Path) -> None:
    import datasets

    def parse(receipt: synthetic_receipts.Receipt) -> dict[str, Any]:
        items = [
            {CORD[name].split(".")[1]: value for name, value in item.items()} for item in receipt.document["items"]
        ]
        (total,) = receipt.document["total"]
        return {"menu": items if len(items) > 1 else items[0], "total": {"total_price": total["total.amount"]}}

    receipts = coded_receipts.receipts(300, 1)
    rows = [
        {
            "image": png(coded_receipts.picture(receipt)),
            "ground_truth": json.dumps({"gt_parse": parse(receipt), "meta": {"image_id": number}}),
        }
        for number, receipt in enumerate(receipts)
    ]
    columns = {"image": datasets.Image(), "ground_truth": datasets.Value("string")}
    save_dataset(tmp_path / "dataset", columns, {"train": rows[:289], "test": rows[289:]})
    for part in train_donut.tiny_model(40):
        part.save_pretrained(tmp_path / "model")

    options = ["--model", str(tmp_path / "model"), "--dataset", str(tmp_path / "dataset"), "--epochs", "8"]
    printed = run(root, "donut", tmp_path / "output", *options)
    check_files(tmp_path / "output", printed, train_donut.METRICS, 11)
    assert 0 < float(printed["kieval_entity_f1"][0]) < 1
    first = json.loads((tmp_path / "output" / "references.jsonl").read_text(encoding="utf-8").splitlines()[0])
    assert first == {"id": "test-0", "reference": records.cord(rows[289])}
