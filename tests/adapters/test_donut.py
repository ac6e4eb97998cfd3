"""Token sequences of Donut: reading what models write, writing what they learn, and transformers' own reading."""

from __future__ import annotations

import random
import sys
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docie import hed, kieval, nted
from docie.adapters import donut
from docie.adapters.donut.writing import SEPARATOR
from docie.adapters.token_scores import TokenScores
from docie.core.errors import DocumentError
from docie.core.values.json_text import ANY_OF
from docie.documents.leaves import is_scored_leaf

from mutations import mutate
from sizes import examples, length, times
from strategies import ONE_OFS, documents


@pytest.mark.parametrize(
    ("sequence", "document", "issues"),
    [
        ("", {}, []),
        ("  ", {}, []),
        ("<s_a>1</s_a>", {"a": "1"}, []),
        ("<s_a> 1 2 </s_a></s><pad><pad>", {"a": "1 2"}, []),
        ("<s_a></s_a>", {"a": ""}, []),
        ("<s_a>1<sep/>2</s_a>", {"a": ["1", "2"]}, []),
        ("<s_a>1<sep/></s_a>", {"a": ["1"]}, []),
        ("<s_a><sep/></s_a>", {"a": []}, []),
        ("<s_a><sep/>1<sep/><sep/>2</s_a>", {"a": ["1", "2"]}, []),
        ("<s_a><s_b>1</s_b><sep/>2</s_a>", {"a": [{"b": "1"}, "2"]}, []),
        ("<s_a><s_b>1</s_b><sep/><s_b>2</s_b><s_c>3</s_c></s_a>", {"a": [{"b": "1"}, {"b": "2", "c": "3"}]}, []),
        ("<s_class><invoice/></s_class>", {"class": "invoice"}, []),
        ("<s_a>x &lt;s_b> &amp;lt; &#32;</s_a>", {"a": "x <s_b> &lt;  "}, []),
        ("<s_a>R&D &copy; &#65; &#99999999;</s_a>", {"a": "R&D &copy; &#65; &#99999999;"}, []),
        ("<s_a b>1</s_a b>", {"a b": "1"}, []),
        ("<s_>1</s_>", {"": "1"}, []),
        ("<S_a>1</S_a>", None, ["no field", "'<S_a>1</S_a>' stands beside fields, and is dropped"]),
        # a key inside itself, which token2json pairs with the first closing tag
        ("<s_a><s_a>1</s_a></s_a>", {"a": {"a": "1"}}, []),
        ("<s_sub><s_nm>x</s_nm><s_sub><s_nm>y</s_nm></s_sub></s_sub>", {"sub": {"nm": "x", "sub": {"nm": "y"}}}, []),
        # repeated keys
        ("<s_a>1</s_a><s_b>2</s_b><s_a>3</s_a>", {"a": ["1", "3"], "b": "2"}, ["'<s_a>' is repeated"]),
        ("<s_a>1<sep/>2</s_a><s_a>3</s_a>", {"a": ["1", "2", "3"]}, ["'<s_a>' is repeated"]),
        ("<s_a>1</s_a><s_a>2</s_a><s_a><sep/>3</s_a>", {"a": ["1", "2", "3"]}, ["'<s_a>' is repeated (2 times)"]),
        ("<s_a>1</s_a><s_a></s_a>", {"a": "1"}, ["'<s_a>' is repeated"]),
        # unclosed tags: a value ends at the next tag, an object with what it stands in
        ("<s_a>1<s_b>2</s_b>", {"a": "1", "b": "2"}, ["'<s_a>' is not closed"]),
        ("<s_m><s_a>1<sep/><s_a>2</s_m><s_t>3", {"m": [{"a": "1"}, {"a": "2"}], "t": "3"}, ["'<s_a>' is not closed (2 times)", "'<s_t>' is not closed"]),
        ("<s_t>3</s_t><s_m><s_a>1</s_a><s_b>2", {"t": "3", "m": {"a": "1", "b": "2"}}, ["'<s_b>' is not closed", "'<s_m>' is not closed"]),
        ("<s_m><s_g><s_a>1</s_a></s_m><s_t>3</s_t>", {"m": {"g": {"a": "1"}}, "t": "3"}, ["'<s_g>' is not closed"]),
        ("<s_t>3</s_t><s_a", {"t": "3"}, ["'<s_a' is cut off"]),
        ("<s_t>3</s_", {"t": "3"}, ["'</s_' is cut off", "'<s_t>' is not closed"]),
        ("<s_t>3<", {"t": "3"}, ["'<' is cut off", "'<s_t>' is not closed"]),
        ("<s_t>3</s_t><se", {"t": "3"}, ["'<se' is cut off"]),
        ("<s_t>3<br", {"t": "3<br"}, ["'<s_t>' is not closed"]),
        # crossing and stray tags
        ("<s_a><s_b>1</s_a>2</s_b>", {"a": {"b": "1"}}, ["'<s_b>' is not closed", "'</s_b>' closes nothing", "'2' stands beside fields, and is dropped"]),
        ("</s_a><s_b>1</s_b></s_c>", {"b": "1"}, ["'</s_a>' closes nothing", "'</s_c>' closes nothing"]),
        ("<s_m>x<s_a>1</s_a>y</s_m>", {"m": {"a": "1"}}, ["'x' stands beside fields, and is dropped", "'y' stands beside fields, and is dropped"]),
        ("<s_a>1</s_a><sep/><s_b>2</s_b>", {"a": "1", "b": "2"}, ["'<sep/>' at the top is dropped"]),
        ("just text", None, ["no field", "'just text' stands beside fields, and is dropped"]),
        # the task's token
        ("<s_cord-v2><s_a>1</s_a></s>", {"a": "1"}, []),
        ("<s><s_cord-v2> <s_a>1", {"a": "1"}, ["'<s_a>' is not closed"]),
        ("<s_cord-v2></s>", {}, []),
        ("<s_cord-v2>1", {"cord-v2": "1"}, ["'<s_cord-v2>' is not closed"]),
        # what would be read as a value with a confidence
        ("<s_a><s_value>1</s_value><s_confidence>0.5</s_confidence></s_a>", {"a": {"value": "1", "confidence": 0.5}}, ["read the confidence '0.5' of 'a' as 0.5"]),
        ("<s_a><s_value>1</s_value><s_confidence>sure</s_confidence></s_a>", {"a": {"value": "1", "confidence": None}}, ["dropped the confidence of 'a', which is not a number in [0, 1]"]),
        (None, None, ["expected text, got null"]),
        (b"<s_a>", None, ["expected text, got bytes"]),
    ],
)  # fmt: skip
def test_reading(sequence: Any, document: Any, issues: list[str]) -> None:
    assert donut.to_document(sequence) == (document, issues)


def test_the_task_token_may_be_named() -> None:
    cut = "<s_menu><s_nm>Latte</s_nm>"  # without the task's token, menu could be one
    assert donut.to_document(cut).document == {"nm": "Latte"}
    assert donut.to_document(cut, task_token="").document == {"menu": {"nm": "Latte"}}
    assert donut.to_document(f"{cut}<sep/><s_nm>Mocha</s_nm>").document == {"menu": [{"nm": "Latte"}, {"nm": "Mocha"}]}
    assert donut.to_document("<vqa><s_q>1</s_q>", task_token="<vqa>") == ({"q": "1"}, [])
    assert donut.to_document(" <s_t><s_menu><s_nm>x", task_token="<s_t>").document == {"menu": {"nm": "x"}}
    assert donut.to_document("<s_a>1</s_a>", task_token="<s_t>").document == {"a": "1"}


def test_confidences() -> None:
    sequence = "<s_t><s_nm> Iced Latte</s_nm><s_price>4.50<sep/>5</s_price></s>"
    tokens = [("<s_t>", 0.1), ("<s_nm>", 0.2), ("▁Iced", 0.9), ("▁Lat", 0.6), ("te", 0.8), ("</s_nm>", 0.1), ("<s_price>", 0.1), ("4.50", 1.0), ("<sep/>", 0.1), ("5", 0.25)]  # fmt: skip
    assert donut.to_document(sequence, token_scores=tokens) == (
        {
            "nm": {"value": "Iced Latte", "confidence": 0.6},
            "price": [{"value": "4.50", "confidence": 1.0}, {"value": "5", "confidence": 0.25}],
        },
        [],
    )


@pytest.mark.parametrize("probability", [float("nan"), -0.1, 1.5, None, "0.5"])
def test_scores_that_are_none(probability: Any) -> None:
    parsed = donut.to_document(
        "<s_a>x y</s_a><s_b>z</s_b>", token_scores=[("<s_a>", 1), ("x", 0.5), ("y", probability)]
    )
    assert parsed.document == {"a": {"value": "x y", "confidence": 0.5}, "b": "z"}
    assert parsed.issues == ["1 token scores are not numbers between 0 and 1"]
    kieval.count(parsed.document, {})


@pytest.mark.parametrize("model", ["bytes", "words"])
@times(300)
def test_scores_of_a_real_tokenizer(model: str, times: int) -> None:
    """Every value has the least probability of the tokens that the tokenizer's own offsets put into it."""
    tokenizers = pytest.importorskip("tokenizers")
    texts = ["Kedai Kopi", "Café 東京", "12.500,00", "naïve – “x”", "a", "Crème brûlée", "日本語", "Iced Latte"]
    tokenizer = (
        tokenizers.ByteLevelBPETokenizer()
        if model == "bytes"
        else tokenizers.BertWordPieceTokenizer(lowercase=False, strip_accents=False)
    )
    tokenizer.train_from_iterator(texts, vocab_size=300, show_progress=False)
    tokenizer.add_special_tokens(donut.tags([{"shop": "", "total": "", "x": ""}]))
    rng = random.Random(0)
    for _ in range(times):
        values = rng.sample(texts, 3)
        sequence = donut.to_sequence(dict(zip(("shop", "total", "x"), values, strict=True)))
        encoding = tokenizer.encode(sequence, add_special_tokens=False)
        scores = [rng.choice([0.5, 0.6, 0.7, 0.8, 0.9]) for _ in encoding.ids]
        document = donut.to_document(sequence, token_scores=zip(encoding.tokens, scores, strict=True)).document
        assert isinstance(document, dict)
        for key, value in zip(("shop", "total", "x"), values, strict=True):
            start = sequence.index(f"<s_{key}>") + len(f"<s_{key}>")
            inside = [
                score
                for score, (a, b) in zip(scores, encoding.offsets, strict=True)
                if a < start + len(value) and b > start and sequence[a:b].strip()
            ]
            assert document[key] == {"value": value, "confidence": min(inside)}, (encoding.tokens, scores)


def test_no_scores_at_all() -> None:
    assert donut.to_document("<s_a>x</s_a>", token_scores=[]).document == {"a": "x"}


@pytest.mark.parametrize(
    ("document", "sequence"),
    [
        ({}, ""),
        ({"a": "1", "b": 2, "c": True, "d": 1.0}, "<s_a>1</s_a><s_b>2</s_b><s_c>true</s_c><s_d>1</s_d>"),
        ({"a": None, "b": {}, "c": ""}, "<s_a></s_a><s_b></s_b><s_c></s_c>"),
        ({"a": ["1", "2"], "b": ["1"], "c": []}, "<s_a>1<sep/>2</s_a><s_b>1<sep/></s_b><s_c><sep/></s_c>"),
        ({"a": [["1", ["2"]], [], "3", None]}, "<s_a>1<sep/>2<sep/>3</s_a>"),
        ({"m": [{"a": "1"}, {"a": "2"}]}, "<s_m><s_a>1</s_a><sep/><s_a>2</s_a></s_m>"),
        ({"a": {"value": "1", "confidence": 0.5}}, "<s_a>1</s_a>"),
        ({"a": ("1", "2"), "b": {"$any_of": ["3", "4"]}, "c": ()}, "<s_a>1</s_a><s_b>3</s_b><s_c></s_c>"),
        ({"value": "1", "confidence": "2"}, "<s_value>1</s_value><s_confidence>2</s_confidence>"),
        ({"a": "<s_b> </s> &lt; & < <x/> \n"}, "<s_a>&lt;s_b> &lt;/s> &amp;lt; & < <x/>&#32;&#10;</s_a>"),
        ({"a": "<x/>"}, "<s_a>&lt;x/></s_a>"),
        ({"<a>": "1", 2: "3"}, "<s_&lt;a&gt;>1</s_&lt;a&gt;><s_2>3</s_2>"),
    ],
)
def test_writing(document: Any, sequence: str) -> None:
    assert donut.to_sequence(document) == sequence


@pytest.mark.parametrize(
    ("document", "message"),
    [
        ({"a": {"b": {1, 2}}}, "entity 'a.b': expected text, a number, a boolean, a list or an object, got set"),
        ({"a": {"$any_of": "x"}}, r"entity 'a': \$any_of must hold a list, got 'x'"),
    ],
)
def test_what_cannot_be_written(document: Any, message: str) -> None:
    with pytest.raises(DocumentError, match=f"^{message}$"):
        donut.to_sequence(document)


def test_only_documents_are_written() -> None:
    with pytest.raises(ValueError, match="^document must be an object, got a list$"):
        donut.to_sequence([{"a": "1"}])  # type: ignore[arg-type]


TEXTS = st.text(max_size=8) | st.text("<>/&;#s_ep lt3amgx\t", max_size=12)
KEYS = TEXTS.filter(lambda text: text != ANY_OF)  # whose value is a list of alternatives
VALUES = st.recursive(
    TEXTS,
    lambda inner: (
        st.lists((TEXTS.filter(bool) | inner).filter(lambda v: v != "" and not isinstance(v, list)), max_size=3)
        | st.dictionaries(KEYS, inner, min_size=1, max_size=3).filter(lambda v: not is_scored_leaf(v))
    ),
    max_leaves=8,
)


@given(st.dictionaries(KEYS, VALUES, max_size=3))
@examples(1500)
def test_a_document_of_text_comes_back_as_it_was(document: dict[str, Any]) -> None:
    assert donut.to_document(donut.to_sequence(document)) == (document, [])


@given(documents(ONE_OFS))
@examples(300)
def test_any_document_comes_back_with_its_entities_and_groups(document: dict[str, Any]) -> None:
    figures = kieval.score(kieval.count(donut.to_document(donut.to_sequence(document)).document, document))
    assert (figures["entity_f1"], figures["group_f1"], figures["errors"]) == (1.0, 1.0, 0)


def test_deep_documents_come_back() -> None:
    document: Any = "x"
    for _ in range(100):
        document = {"a": document}
    parsed = donut.to_document(donut.to_sequence(document))
    assert not parsed.issues
    assert kieval.score(kieval.count(parsed.document, document))["entity_f1"] == 1.0
    deeper = donut.to_document("<s_b>1</s_b>" + "<s_a>" * 200 + "x" + "</s_a>" * 200)
    assert isinstance(deeper.document, dict)
    assert deeper.document["b"] == "1"
    assert "'<s_a>' is nested too deep, and dropped (100 times)" in deeper.issues
    kieval.count(deeper.document, {})
    with_lists = donut.to_document("<s_c>1</s_c>" + "<s_a><s_b>1</s_b><sep/>" * 60 + "x")
    assert isinstance(with_lists.document, dict)
    assert with_lists.document["c"] == "1"
    assert "which is nested more than 100 levels deep" in with_lists.issues[-1]
    kieval.count(with_lists.document, {})


def test_tags() -> None:
    assert donut.tags([]) == ["<sep/>"]
    assert donut.tags([{"b": {"a": "<s_c>"}}]) == ["</s_a>", "</s_b>", "<s_a>", "<s_b>", "<sep/>"]


PIECES = ["<s_a>", "</s_a>", "<s_b>", "</s_b>", "<S_A>", "</s_A>", "<sep/>", "x", "y ", "<s_", "<c/>", ">", "</s_c>", "<s_c>", "</s>"]  # fmt: skip


@times(20_000)
def test_token2json_reads_as_transformers_does(times: int) -> None:
    transformers = pytest.importorskip("transformers")

    class Processor:
        class tokenizer:  # noqa: N801
            get_added_vocab = staticmethod(lambda: {"<c/>": 1})

        token2json = transformers.DonutProcessor.token2json

    rng = random.Random(0)
    for _ in range(times):
        sequence = "".join(rng.choices(PIECES, k=rng.randint(0, 14)))
        assert donut.token2json(sequence, ["<c/>"]) == Processor().token2json(sequence), sequence


@pytest.mark.parametrize(
    ("sequence", "ours", "theirs"),
    [
        ("<s_a>1</s_a>", {"a": "1"}, {"a": "1"}),
        ("<s_a>1</s_a><s_a>2</s_a>", {"a": ["1", "2"]}, {"a": "2"}),
        ("<s_a><s_a>1</s_a></s_a>", {"a": {"a": "1"}}, {"a": "<s_a>1"}),
        ("<s_a>1<s_b>2</s_b>", {"a": "1", "b": "2"}, {"b": "2"}),
        ("<s_m><s_b>1</s_b><sep/></s_m>", {"m": [{"b": "1"}]}, {"m": {"b": "1"}}),
        ("<s_b>1<sep/></s_b>", {"b": ["1"]}, {"b": ["1", ""]}),
        ("<s_a>1</s_a><sep/><s_a>2</s_a>", {"a": ["1", "2"]}, [{"a": "1"}, {"a": "2"}]),
        ("text", None, {"text_sequence": "text"}),
    ],
)
def test_where_the_two_readings_differ(sequence: str, ours: Any, theirs: Any) -> None:
    assert donut.to_document(sequence).document == ours
    assert donut.token2json(sequence) == theirs


def test_token2json_of_what_kills_the_original() -> None:
    assert donut.token2json("<s_a>1</s_a><sep/>" * 3000) == [{"a": "1"}] * 3000


LONG = ["<s_a>", "</s_a>", "<s_a>x", "<s_a>x</s_a>", "<sep/>", "<s_", "<s_a><s_b>", "<", "&", "&lt;", "<pad>", " ", "<s_a></s_b>", "x<sep/>"]  # fmt: skip


@pytest.mark.parametrize("piece", LONG)
@length(2**18, 2**13)
def test_long_sequences(piece: str, length: int) -> None:
    """Twice the text takes twice the calls, not four times."""
    for frame in ("{}", "<s_c>1</s_c>{}", "<s_c>{}</s_c>"):
        half, whole = (calls_of_reading(frame.format(piece * (size // len(piece)))) for size in (length // 2, length))
        assert whole < 3 * half, frame


def calls_of_reading(sequence: str) -> int:
    """How many functions, Python's own ones too, are called to read a sequence and to count its document."""
    calls = 0

    def note(frame: Any, event: str, argument: Any) -> None:
        nonlocal calls
        calls += event in ("call", "c_call")

    earlier = sys.getprofile()
    sys.setprofile(note)
    try:
        document = donut.to_document(sequence, token_scores=[("1", 0.5)]).document
        kieval.count(document, {})
    finally:
        sys.setprofile(earlier)
    return calls


RECEIPTS: list[dict[str, Any]] = [
    {"shop": "Kedai Kopi", "menu": [{"nm": "Iced Latte", "cnt": "2", "price": "9.00"}, {"nm": "Bagel", "price": "3.50"}], "total": {"price": "12.50", "cash": "20.00"}},
    {"menu": {"nm": "Tea", "sub": [{"nm": "lemon", "price": "0.20"}, {"nm": "honey"}]}, "date": ["2023-12-31", "31.12."], "total": "1.20"},
]  # fmt: skip
GARBLE = ["<", ">", "/", "s_", "<s_", "</s_", "<sep/>", "&", "x", "1", " ", "é", "<s_nm>", "</s_nm>", "</s>", "<pad>"]


def fields(value: Any, path: str = "") -> dict[str, Any]:
    """The fields of a document by their paths; a list of texts is one."""
    if isinstance(value, dict):
        inner = [fields(child, f"{path}.{key}") for key, child in value.items()]
    elif isinstance(value, list) and any(isinstance(child, dict) for child in value):
        inner = [fields(child, f"{path}[{number}]") for number, child in enumerate(value)]
    else:
        return {path: value}
    return {name: found for part in inner for name, found in part.items()}


@times(50_000, 2500)
def test_any_garbled_sequence_is_a_document(times: int) -> None:
    rng = random.Random(0)
    for number in range(times):
        sequence = donut.to_sequence(RECEIPTS[number % 2])
        for _ in range(rng.choice((1, 1, 2, 8))):
            sequence = mutate(sequence, rng, alphabet=GARBLE)
        document = donut.to_document(sequence).document
        kieval.count(document, RECEIPTS[0])
        if number % 50 == 0:
            hed.count(document, RECEIPTS[0])
            nted.count(document, RECEIPTS[0])


@pytest.mark.parametrize(("with_tags", "least"), [(False, 0.99), (True, 0.95)])
@times(20_000)
def test_a_garbled_field_leaves_the_others_as_they_were(with_tags: bool, least: float, times: int) -> None:
    """Of mutations in a value, tags inserted among them: .997; of those in a value or its own tags: .952."""
    rng = random.Random(0)
    kept = 0
    for number in range(times):
        document = RECEIPTS[number % 2]
        sequence = donut.to_sequence(document)
        before = fields(document)
        path = rng.choice(list(before))
        text = before[path] if isinstance(before[path], str) else SEPARATOR.join(before[path])
        start = sequence.index(f">{text}<") + 1
        end = start + len(text)
        if with_tags:
            start, end = sequence.rindex("<", 0, start), sequence.index(">", end) + 1
        after = fields(donut.to_document(mutate(sequence, rng, start, end, alphabet=GARBLE)).document)
        kept += all(after.get(name) == value for name, value in before.items() if name != path)
    assert kept >= least * times, kept


def test_the_deepest_sequence_and_one_that_is_deeper() -> None:
    for levels, issues in ((100, []), (101, ["'<s_a>' is nested too deep, and dropped", "'x' stands beside fields, and is dropped"])):  # fmt: skip
        parsed = donut.to_document("<s_a>" * levels + "x" + "</s_a>" * levels, task_token="")
        value: Any = parsed.document
        depth = 0
        while isinstance(value, dict):
            value, depth = value.get("a"), depth + 1
        assert (depth, value) == (100, "x")
        assert parsed.issues == issues[:1]


def test_twenty_issues_are_named() -> None:
    for number, last in ((20, "'</s_19>' closes nothing"), (21, "1 issues more"), (30, "10 issues more")):
        issues = donut.to_document("<s_a>1</s_a>" + "".join(f"</s_{k}>" for k in range(number))).issues
        assert (len(issues), issues[-1]) == (min(number, 21), last)


def test_how_far_a_token_is_looked_for() -> None:
    """A token of more than two characters 64 characters behind the last one; behind 2,000 that were not found."""
    for gap, unnamed in ((64, None), (65, 0.5)):  # the score of a token that is not found is that of the whole text
        assert TokenScores("-" * gap + "abc", [("abc", 0.5)]).least([(0, gap)]) == unnamed
    unknown = [("é", 0.9)] * 1500
    document = donut.to_document("<s_a>" + "-" * 1500 + "z</s_a>", token_scores=[*unknown, ("z", 0.5)]).document
    assert document == {"a": {"value": "-" * 1500 + "z", "confidence": 0.5}}


def test_thoughts_are_no_answer() -> None:
    assert donut.to_document("<think><s_total>9.00</s_total></think>") == (None, ["nothing beside the thoughts"])
    assert donut.to_document("<think><s_total>8.00</s_total></think><s_total>9.00</s_total>") == ({"total": "9.00"}, [])
