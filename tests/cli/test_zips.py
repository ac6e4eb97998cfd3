"""A zip is read as a folder of files, or as its one file; a bad one is one line, and nothing is unpacked on the disk."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

import docie
from docie.core.errors import InputError
from docie.inputs.sources import zips
from docie.inputs.sources.zips import Zip

from cli_runs import run

DOCUMENTS = {f"r-{number}": {"total": f"{number}.00"} for number in range(3)}
ROWS = [json.dumps({"id": name, **document}) + "\n" for name, document in DOCUMENTS.items()]
FOLDER = {f"answers/{name}.json": json.dumps(document) for name, document in DOCUMENTS.items()}
EXPECTED = [{"id": name, "document": document} for name, document in DOCUMENTS.items()]


def pack(name: str, files: Mapping[str, str | bytes]) -> str:
    with zipfile.ZipFile(name, "w", zipfile.ZIP_DEFLATED) as file:
        for inner, content in files.items():
            file.writestr(inner, content)
    return name


@pytest.fixture(autouse=True)
def in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize(
    "files",
    [
        FOLDER,
        {name.removeprefix("answers/"): content for name, content in FOLDER.items()},
        {**FOLDER, "__MACOSX/answers/._r-0.json": "x", "answers/.DS_Store": "x"},
        {"rows.jsonl": "".join(ROWS)},
        {"deep/er/rows.json": f"[{','.join(ROWS)}]"},
        {"rows.csv": "id,total\n" + "".join(f"{name},{each['total']}\n" for name, each in DOCUMENTS.items())},
        {"part-1.jsonl": ROWS[0], "part-2.jsonl": "".join(ROWS[1:])},  # partitions
        {"part-1.jsonl": ROWS[0], "part-2.jsonl": "".join(ROWS[1:]), "notes.md": "x", "more/part-3.jsonl": "x"},
    ],
)
def test_a_zip_is_its_folder_or_its_one_file(files: dict[str, str]) -> None:
    path = pack("answers.ZIP", files)
    assert docie.read(path) == EXPECTED
    result = run(path, path, "--format", "json")
    assert result.exit_code == 0, result.stderr
    assert json.loads(result.stdout)["kieval"]["entity_f1"] == 1.0
    assert [each.name for each in Path().iterdir()] == ["answers.ZIP"]


def test_both_sides_may_be_packed_in_other_ways() -> None:
    pack("folder.zip", FOLDER)
    pack("one.zip", {"rows.json": f"[{','.join(ROWS)}]"})
    Path("rows.jsonl").write_text("".join(ROWS[:2]))
    same = run("folder.zip", "one.zip", "--format", "json")
    assert json.loads(same.stdout)["kieval"]["entity_f1"] == 1.0
    less = run("folder.zip", "rows.jsonl", "--config", "join.missing=empty", "--format", "json")
    assert json.loads(less.stdout)["kieval"]["entity_f1"] == pytest.approx(0.8)


def test_one_file_of_a_zip_is_named_after_a_slash() -> None:
    path = pack("a.zip", {"x/a.jsonl": ROWS[0], "x/b[1].jsonl": ROWS[1], "x/c.csv": f"id,total\nr-2,{'2.00'}\n"})
    assert [docie.read(f"{path}/{name}") for name in ("a.jsonl", "b[1].jsonl", "c.csv")] == [
        [each] for each in EXPECTED
    ]
    with pytest.raises(InputError, match=r"^a\.zip: no file d\.jsonl in this zip$"):
        docie.read("a.zip/d.jsonl")


def test_errors_name_the_place_in_the_zip() -> None:
    pack("a.zip", {"a.json": "{}", "b.json": '{"a": '})
    with pytest.raises(InputError, match=r"^a\.zip/b\.json: not a JSON object"):
        docie.read("a.zip")
    pack("b.zip", {"rows.jsonl": ROWS[0] + "x\n"})
    with pytest.raises(InputError, match=r"^b\.zip/rows\.jsonl:2: not a JSON object"):
        docie.read("b.zip")


def test_what_is_no_document_is_noted() -> None:
    path = pack("a.zip", {**FOLDER, "answers/notes.md": "x", "answers/more/a.json": "{}"})
    result = run(path, path)
    assert result.exit_code == 0
    assert "a.zip: not read: more (a folder), notes.md" in result.stderr


def broken(content: bytes) -> bytes:
    """A zip whose one file is damaged."""
    return content.replace(ROWS[0].encode()[:8], b"damaged!")


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({}, "a.zip: no .json files in this folder"),
        ({"inner.zip": b"PK"}, "it holds inner.zip"),  # a zip may hold itself
        ({"rows.jsonl.gz": b"x"}, "it holds rows.jsonl.gz"),
        ({"notes.md": "x", "rows.csv": "id,total\n"}, "it holds notes.md, rows.csv"),
        ({"../a.json": "{}"}, "a.zip: no .json files in this folder"),
    ],
)
def test_what_cannot_be_read_is_one_line(files: dict[str, Any], message: str) -> None:
    path = pack("a.zip", files)
    result = run(path, path)
    assert result.exit_code == 2
    assert message in result.stderr
    assert len(result.stderr.splitlines()) == 1


def test_damaged_zips_are_one_line() -> None:
    Path("text.zip").write_text("text")
    with zipfile.ZipFile("a.zip", "w") as file:
        file.writestr("rows.jsonl", ROWS[0])
    Path("damaged.zip").write_bytes(broken(Path("a.zip").read_bytes()))
    for path, message in (("text.zip", "text.zip: File is not a zip file"), ("damaged.zip", "damaged.zip/rows.jsonl: Bad CRC-32 for file 'rows.jsonl'")):  # fmt: skip
        with pytest.raises(InputError) as caught:
            docie.read(path)
        assert str(caught.value) == message


def test_too_large_a_zip_is_refused_before_it_is_unpacked(monkeypatch: pytest.MonkeyPatch) -> None:
    path = pack("a.zip", {"a.json": " " * 1000, "b.json": " " * 1000})
    monkeypatch.setattr(zips.Zip, "read", lambda *_: pytest.fail("unpacked"))
    with pytest.raises(
        InputError, match=r"^a\.zip: its files have 2,000 bytes, and at most 1,999 are read from a zip$"
    ):
        Zip(path, limit=1999)
    assert [*Zip(path, limit=2000).files] == ["a.json", "b.json"]
    assert zips.MAX_UNPACKED == 1 << 30


def test_no_more_is_read_than_a_zip_states() -> None:
    path = Path(pack("a.zip", {"a.json": " " * 10_000_000 + "{}"}))
    size, stated = (number.to_bytes(4, "little") for number in (10_000_002, 100))
    path.write_bytes(path.read_bytes().replace(size, stated))
    with pytest.raises(InputError, match=r"^a\.zip/a\.json: "):
        Zip("a.zip", limit=100).read("a.json")


def test_an_outer_name_reaches_no_other_file(tmp_path: Path) -> None:
    Path("a.json").write_text('{"secret": 1}')
    pack("a.zip", {"../a.json": '{"b": 1}', f"{tmp_path}/a.json": '{"c": 1}', "d.json": '{"d": 1}', "e.json": "{}"})
    assert [row["document"] for row in docie.read("a.zip")] == [{"d": 1}, {}]
    assert json.loads(Path("a.json").read_text()) == {"secret": 1}


def test_a_folder_may_be_called_so() -> None:
    Path("a.zip").mkdir()
    Path("a.zip/r-1.json").write_text('{"total": "1"}')
    assert docie.read("a.zip") == [{"id": "r-1", "document": {"total": "1"}}]
    assert docie.read("a.zip/r-1.json") == [{"total": "1"}]


def test_a_zip_at_an_address() -> None:
    import fsspec

    with fsspec.open("memory://answers.zip", "wb") as file:
        file.write(Path(pack("a.zip", FOLDER)).read_bytes())
    assert docie.read("memory://answers.zip") == EXPECTED
