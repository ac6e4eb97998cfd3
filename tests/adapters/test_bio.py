"""Tagged words ↔ entities, and their files."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docie.adapters import bio, grouping
from docie.adapters.grouping.documents import Entity
from docie.documents.tagging import SCHEMES
from docie.documents.tagging.schemes import PREFIXES
from docie.documents.tagging.spans import first_fault, tags_of
from docie.documents.tagging.tagged_words import LineError, parse_lines

from sizes import examples

every_scheme = pytest.mark.parametrize("scheme", SCHEMES)
WORD = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=4).filter(
    lambda text: len(text.split()) == 1 and text.split()[0] == text
)
BLOCKS = st.lists(st.tuples(st.sampled_from([None, "X", "Y"]), st.lists(WORD, min_size=1, max_size=3)), max_size=6)


def joined(blocks: list[tuple[str | None, list[str]]]) -> list[tuple[str | None, str]]:
    return [(kind, " ".join(words)) for kind, words in blocks]


def test_documents_of_tagged_words() -> None:
    words = ["Kedai", "Kopi", "Latte", "4.50", "Flat", "White", "5.00"]
    tags = ["B-shop", "I-shop", "B-menu.nm", "B-menu.price", "B-menu.nm", "I-menu.nm", "B-menu.price"]
    assert grouping.slot_filling(bio.decode(words, tags), ["menu"]) == {
        "shop": "Kedai Kopi",
        "menu": [{"menu.nm": "Latte", "menu.price": "4.50"}, {"menu.nm": "Flat White", "menu.price": "5.00"}],
    }


def test_outside() -> None:
    nothing: Any = None
    words, tags = ["a", "b", "c", "d", "e", "f"], ["O", "O", "B-X", "B-X", "O", "O"]
    assert bio.decode(words, tags) == [Entity("X", "c"), Entity("X", "d")]
    assert bio.decode(words, tags, outside=True) == [
        Entity(nothing, "a b"),
        Entity("X", "c"),
        Entity("X", "d"),
        Entity(nothing, "e f"),
    ]
    assert bio.decode(["a"], ["O"], outside=True) == [Entity(nothing, "a")]
    assert bio.decode([], [], outside=True) == []


def test_an_entity_is_as_sure_as_its_least_sure_word() -> None:
    words, tags = ["Kedai", "Kopi", "Satu", "4.50", "5.00"], ["B-shop", "I-shop", "I-shop", "B-total", "B-tax"]
    for unsure in (0.3, 0.0):
        for place in range(3):
            of_shop: list[float | None] = [0.8, 0.9, 0.8]
            of_shop[place] = unsure
            entities = bio.decode(words, tags, confidences=[*of_shop, 1.0, None])
            assert [entity.confidence for entity in entities] == [unsure, 1.0, None]
    unknown_first = bio.decode(words, tags, confidences=[None, 0.9, 0.8, None, 0.1])
    assert [entity.confidence for entity in unknown_first] == [0.8, None, 0.1]


@every_scheme
@given(blocks=BLOCKS)
@examples(150)
def test_encode_gives_back_what_was_decoded(scheme: str, blocks: Any) -> None:
    both = bio.encode(joined(blocks), scheme)
    assert both["words"] == [word for _, words in blocks for word in words]
    assert first_fault(both["tags"], scheme) is None
    for invalid in ("repair", "refuse"):
        entities = bio.decode(**both, scheme=scheme, invalid=invalid, outside=True)
        assert bio.encode(entities, scheme) == both
    found = [(entity.type, entity.value) for entity in entities if entity.type]
    assert found == [(kind, text) for kind, text in joined(blocks) if kind]
    assert bio.decode(**both, scheme=scheme) == [entity for entity in entities if entity.type]


@given(blocks=BLOCKS, seed=st.integers(0, 999))
@examples(200)
def test_shuffled_entities_are_the_same_entities(blocks: Any, seed: int) -> None:
    before = joined(blocks)
    mixed = bio.shuffle_entities(before, seed)
    assert mixed == bio.shuffle_entities(before, seed)
    assert Counter(mixed) == Counter(before)
    assert before == joined(blocks)
    both = bio.encode(mixed)
    assert sorted(both["words"]) == sorted(bio.encode(before)["words"])


def test_shuffling_moves_and_depends_on_the_seed() -> None:
    entities: list[Any] = [{"category": "X", "text": str(number)} for number in range(20)]
    one, other = bio.shuffle_entities(entities, 1), bio.shuffle_entities(entities, 2)
    assert one != entities
    assert one != other
    assert bio.shuffle_entities(iter(entities), 1) == one


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: bio.decode(["a"], ["O", "O"]), "expected as many tags as words, got 2 and 1"),
        (lambda: bio.decode(["a", 3], ["O", "O"]),  # type: ignore[list-item]
         "word 1 must be text, got 3"),
        (lambda: bio.decode(["a"], ["E-X"]), "tag 0: 'E-X' is no tag of IOB2, expected O or a tag such as B-total (prefixes B, I)"),
        (lambda: bio.decode(["a"], ["I-X"], "BIO"), "unknown scheme 'BIO', expected one of IOB1, IOB2, IOE1, IOE2, IOBES, BILOU"),
        (lambda: bio.decode(["a"], ["I-X"], invalid="drop"), "invalid must be 'repair' or 'refuse', got 'drop'"),
        (lambda: bio.decode(["a"], ["I-X"], invalid="refuse"), "tag 0: IOB2 has no 'I-X' at the beginning, expected 'B-X'"),
        (lambda: bio.decode(["a", "b", "c"], ["B-X", "I-Y", "O"], invalid="refuse"), "tag 1: IOB2 has no 'I-Y' after 'B-X' and before 'O', expected 'B-Y'"),
        (lambda: bio.decode(["a", "b"], ["I-X", "O"], "IOE2", invalid="refuse"), "tag 0: IOE2 has no 'I-X' at the beginning and before 'O', expected 'E-X'"),
        (lambda: bio.decode(["a"], ["I-X"], None, invalid="refuse"), "invalid='refuse' needs a scheme, one of IOB1, IOB2, IOE1, IOE2, IOBES, BILOU"),
        (lambda: bio.encode([("X", "a"), ("X", " ")]), "entity 1 ('X') has no words"),
        (lambda: bio.encode([("X", "a"), ("X", 4.5)]), "entity 1 ('X') must have text, got 4.5"),
        (lambda: bio.encode([("X",)]), "entity 0 must be a type and a text, got ('X',)"),
        (lambda: bio.encode(["Xa"]), "entity 0 must be a type and a text, got 'Xa'"),
        (lambda: bio.encode([(3, "a")]), "entity 0: its type must be text or None, got 3"),
        (lambda: bio.encode([("X", "a")], "BIO"), "unknown scheme 'BIO', expected one of IOB1, IOB2, IOE1, IOE2, IOBES, BILOU"),
        (lambda: bio.write("nowhere", ["a"], []), "expected as many tags as words, got 0 and 1"),
        (lambda: bio.write("nowhere", ["a", ""], ["O", "O"]), "word 1 must not be empty or have white space in it, got ''"),
        (lambda: bio.write("nowhere", ["a\tb"], ["O"]), "word 0 must not be empty or have white space in it, got 'a\\tb'"),
        (lambda: bio.write("nowhere", ["a"], ["B-a b"]), "tag 0 must not be empty or have white space in it, got 'B-a b'"),
        (lambda: bio.write("nowhere", ["a"], ["PER"]), "'PER' is no tag, expected O or a tag such as B-total (prefixes B, I, E, S, L, U)"),
    ],
)  # fmt: skip
def test_errors(call: Any, message: str) -> None:
    with pytest.raises(ValueError) as error:  # noqa: PT011 - the message is compared whole
        call()
    assert str(error.value) == message


def test_refusing_takes_what_is_well_formed_and_bare_prefixes() -> None:
    assert bio.decode(["a", "b"], ["B", "I"], invalid="refuse") == [Entity("_", "a b")]
    assert bio.decode(["a", "b"], ["I-X", "O"], "IOB1", invalid="refuse") == [Entity("X", "a")]
    assert bio.encode([("O", "a b"), Entity("X", "c", 0.5, 1)]) == {"words": ["a", "b", "c"], "tags": ["O", "O", "B-X"]}
    assert bio.encode([(None, " ")]) == {"words": [], "tags": []}


@pytest.mark.parametrize(
    ("text", "words", "tags"),
    [
        ("", "", ""),
        ("\n\n  \n\t\n", "", ""),
        ("a O\nb B-X", "a b", "O B-X"),
        ("a\tO\r\nb \t B-X\r\n", "a b", "O B-X"),
        (" a O \rb B-X", "a b", "O B-X"),
        ("a NN B-NP B-X\nb VB O O\n", "a b", "B-X O"),  # CoNLL's columns
        ("-DOCSTART- -X- O\n\na O\n", "a", "O"),
        ("-DOCSTART-\n\na O\n", "a", "O"),
        ("-DOCSTART- O\na O\n", "-DOCSTART- a", "O O"),  # what `write` writes of such a word
    ],
)
def test_lines(text: str, words: str, tags: str, tmp_path: Path) -> None:
    expected = {"words": words.split(), "tags": tags.split()}
    assert parse_lines(text) == expected
    file = tmp_path / "r.bio"
    file.write_bytes(b"\xef\xbb\xbf" + text.encode())
    assert bio.read(file) == bio.read(str(file)) == expected


@pytest.mark.parametrize(
    ("text", "sentences", "found"),
    [
        ("a B-X\n\nb I-X\n", [1, 1], ["a", "b"]),
        ("a I-X\n\n \nb I-X\nc I-X\n\n", [1, 2], ["a", "b c"]),
        ("\na O\nb B-X\n\n-DOCSTART- -X- O\n\nc E-X\n", [2, 1], ["b", "c"]),
        ("a B-X\nb I-X\n\nc S-X\n\nd I-X\n", [2, 1, 1], ["a b", "c", "d"]),
    ],
)
def test_no_entity_goes_on_over_a_blank_line(text: str, sentences: list[int], found: list[str], tmp_path: Path) -> None:
    (tmp_path / "a.bio").write_text(text)
    read: dict[str, Any] = bio.read(tmp_path / "a.bio")
    assert read["sentences"] == sentences
    assert [entity.value for entity in bio.decode(**read, scheme=None)] == found
    bio.write(tmp_path / "b.bio", **read)
    assert bio.read(tmp_path / "b.bio") == read
    whole = {name: read[name] for name in ("words", "tags")}
    assert len(bio.decode(**whole, scheme=None)) <= len(found)


def test_sentences_are_refused_by_themselves() -> None:
    words, tags = ["a", "b", "c"], ["I-X", "I-X", "I-X"]
    assert len(bio.decode(words, tags, "IOB1", sentences=[1, 2], invalid="refuse")) == 2
    with pytest.raises(
        ValueError, match="^tag 1: IOB2 has no 'I-X' at the beginning and before 'I-X', expected 'B-X'$"
    ):
        bio.decode(words, ["B-X", *tags[1:]], "IOB2", sentences=[1, 2], invalid="refuse")
    for wrong in ([1, 1], [4], [-1, 4]):
        with pytest.raises(ValueError, match="^expected sentences that add up to 3 words, got "):
            bio.decode(words, tags, sentences=wrong)
        with pytest.raises(ValueError, match="^expected sentences that add up to 3 words, got "):
            bio.write("nowhere", words, tags, sentences=wrong)


def test_white_space_inside_of_words_is_theirs() -> None:
    assert parse_lines("1\u00a0000\u2028,00 O\n")["words"] == ["1\u00a0000\u2028,00"]


@pytest.mark.parametrize(
    ("text", "line", "problem"),
    [
        ("a O\n\nfoo\n", 3, "expected a word and a tag, got 'foo'"),
        ("a O\r\nb PER\r\n", 2, "'PER' is no tag, expected O or a tag such as B-total (prefixes B, I, E, S, L, U)"),
    ],
)
def test_bad_lines_are_named(text: str, line: int, problem: str, tmp_path: Path) -> None:
    with pytest.raises(LineError) as error:
        parse_lines(text)
    assert (error.value.line, error.value.problem) == (line, problem)
    file = tmp_path / "r.bio"
    file.write_bytes(text.encode())
    with pytest.raises(ValueError) as error_of_file:  # noqa: PT011
        bio.read(file)
    assert str(error_of_file.value) == f"{file}:{line}: {problem}"


def test_files_that_are_no_text(tmp_path: Path) -> None:
    (tmp_path / "r.bio").write_bytes(b"a O\n\xff")
    with pytest.raises(ValueError, match=r"r.bio: not UTF-8 text \(byte 4\)$"):
        bio.read(tmp_path / "r.bio")
    with pytest.raises(FileNotFoundError):
        bio.read(tmp_path / "none.bio")


FILE_WORD = st.text(st.characters(exclude_categories=["Cs"], exclude_characters=" \t\r\n\ufeff"), min_size=1)


@every_scheme
@given(words=st.lists(FILE_WORD, max_size=5), data=st.data())
@examples(100)
def test_files_are_read_as_written(scheme: str, words: list[str], data: Any, tmp_path_factory: Any) -> None:
    prefixes = st.sampled_from([f"{prefix}-{kind}" for prefix in PREFIXES[scheme] for kind in "XY"])
    tags = data.draw(st.lists(st.just("O") | prefixes, min_size=len(words), max_size=len(words)))
    file = tmp_path_factory.getbasetemp() / "words.bio"
    bio.write(file, words, tags)
    assert bio.read(file) == {"words": words, "tags": tags}


def test_the_line_for_tagged_words_shuffles_blocks() -> None:
    words, tags = ["a", "b", "c", "d", "e", "f"], tags_of([("X", 0, 1), ("Y", 3, 3), ("X", 4, 5)], 6)
    mixed = bio.encode(bio.shuffle_entities(bio.decode(words, tags, outside=True), 4))
    assert mixed["words"] != words
    assert Counter(bio.decode(**mixed)) == Counter(bio.decode(words, tags))
