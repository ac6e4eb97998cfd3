"""Labels of tokens → labels of words: sub-words, masks, windows, and the forms that predictions come in."""

from __future__ import annotations

import math
import random
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from docie.adapters.tokens import word_labels
from docie.adapters.tokens.labels import WordLabels
from docie.adapters.tokens.predictions import STRATEGIES

from sizes import examples

LABELS = ["O", "B-a", "B-b"]
WORD_IDS = [[None, 0, 0, 1, 2, 2, 2, None]]
LOGITS = np.log(
    [
        [
            [0.1, 0.8, 0.1],
            [0.6, 0.3, 0.1],  # word 0
            [0.0001, 0.0999, 0.9],
            [0.2, 0.7, 0.1],  # word 1
            [0.5, 0.4, 0.1],  # word 2
            [0.3, 0.6, 0.1],
            [0.3, 0.6, 0.1],
            [0.1, 0.1, 0.8],
        ]
    ]
)


@pytest.mark.parametrize(
    ("strategy", "labels", "confidences"),
    [
        ("first", ["O", "B-a", "O"], [0.6, 0.7, 0.5]),
        ("mean", ["B-b", "B-a", "B-a"], [0.5, 0.7, 1.6 / 3]),
        ("max", ["B-b", "B-a", "B-a"], [0.9, 0.7, 0.6]),
    ],
)
def test_strategies(strategy: str, labels: list[str], confidences: list[float]) -> None:
    [found] = word_labels(LOGITS, WORD_IDS, LABELS, strategy=strategy)
    assert found.labels == labels
    assert found.confidences == pytest.approx(confidences)


def test_masks() -> None:
    """Words of which no token has a label do not count. With "first", the first token with a label does."""
    label_ids = [[-100, -100, 1, 0, 0, -100, 1, -100]]
    [found] = word_labels(LOGITS, WORD_IDS, LABELS, label_ids=label_ids)
    assert found.labels == ["B-b", "B-a", "O"]
    [found] = word_labels(LOGITS, WORD_IDS, LABELS, label_ids=[[-100, 1, -100, -100, 1, -100, -100, -100]])
    assert found == (["O", "O", "O"], [pytest.approx(0.6), None, pytest.approx(0.5)])
    [found] = word_labels(LOGITS, WORD_IDS, LABELS, label_ids=[[-100, 1, -100, -100, 1]])  # padded less
    assert found.labels == ["O", "O", "O"]


@pytest.mark.parametrize(("strategy", "label", "confidence"), [("mean", "B-b", 0.5), ("max", "B-b", 0.9)])
def test_which_sub_words_count(strategy: str, label: str, confidence: float) -> None:
    """All of a word of which one has a label, whichever; none of a word without any."""
    for labelled in (1, 2):
        label_ids = [[1 if token == labelled else -100 for token in range(8)]]
        [found] = word_labels(LOGITS, WORD_IDS, LABELS, label_ids=label_ids, strategy=strategy)
        assert found == (
            [label, "O", "O"][: len(found.labels)],
            [pytest.approx(confidence), None, None][: len(found.labels)],
        )
    [found] = word_labels(LOGITS, WORD_IDS, LABELS, label_ids=[[-100, 1, *[-100] * 6]], lengths=[3], strategy=strategy)
    assert found == ([label, "O", "O"], [pytest.approx(confidence), None, None])


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_labels_of_first_sub_words_alone_change_nothing(strategy: str) -> None:
    """As tokenizers give them: the other sub-words have -100, but belong to their words all the same."""
    label_ids = [[-100, 1, -100, 1, 0, -100, -100, -100]]
    assert word_labels(LOGITS, WORD_IDS, LABELS, label_ids=label_ids, strategy=strategy) == word_labels(
        LOGITS, WORD_IDS, LABELS, strategy=strategy
    )


def test_word_ids_without_padding_and_with() -> None:
    short = [row[:-1] for row in WORD_IDS]
    assert word_labels(LOGITS, short, LABELS) == word_labels(LOGITS, WORD_IDS, LABELS)
    longer: list[list[Any]] = [[*row, None, None, -1, float("nan")] for row in WORD_IDS]
    assert word_labels(LOGITS, longer, LABELS) == word_labels(LOGITS, WORD_IDS, LABELS)


def test_words_that_no_token_stands_for() -> None:
    assert word_labels([[1, 2]], [[0, 2]], LABELS, lengths=[4]) == [WordLabels(["B-a", "O", "B-b", "O"], [None] * 4)]
    assert word_labels([], [], LABELS) == []
    assert word_labels([[0]], [[None]], LABELS) == [([], [])]
    assert word_labels([[0]], [[None]], LABELS, documents=[1], lengths=[2, 0]) == [(["O", "O"], [None, None]), ([], [])]


IDS = np.array([[0, 1, 2], [2, 1, 0]])
ROWS = [[0, 1, 2], [0, 0, 1]]
EXPECTED = [["O", "B-a", "B-b"], ["B-b", "O"]]


@pytest.mark.parametrize(
    "predictions",
    [
        IDS,
        IDS.astype(np.uint8),
        IDS.tolist(),
        [IDS],
        [IDS[:1], IDS[1:]],
        [row.tolist() for row in IDS],
        list(IDS),
        [np.array([[0, 1, 2, 0]]), np.array([[2, 1, 0]])],  # batches that differ in length
        [[0, 1, 2, 0], [2, 1, 0]],
        np.eye(3)[IDS],
        np.eye(3, dtype=np.float16)[IDS],
        np.eye(3)[IDS].tolist(),
        list(np.eye(3)[IDS]),
        [np.eye(3)[IDS[:1]], np.eye(3)[IDS[1:]]],
        [np.eye(3)[[[0, 1, 2, 0]]], np.eye(3)[[[2, 1, 0]]]],
        [np.eye(3)[[0, 1, 2, 0]].tolist(), np.eye(3)[[2, 1, 0]].tolist()],
        (np.eye(3)[IDS], "hidden states", None),
        (IDS, np.full(IDS.shape, 0.5)),
        [(IDS[:1], np.full((1, 3), 0.5)), (IDS[1:], np.full((1, 3), 0.5))],
        (IDS,),
    ],
)
def test_forms_of_predictions(predictions: Any) -> None:
    assert [found.labels for found in word_labels(predictions, ROWS, LABELS)] == EXPECTED


@pytest.mark.parametrize("kind", ["float32", "float16", "bfloat16", "int64", "int32"])
def test_tensors(kind: str) -> None:
    torch = pytest.importorskip("torch")
    dtype = getattr(torch, kind)
    tensor = torch.tensor(IDS if "int" in kind else np.eye(3)[IDS], dtype=dtype).requires_grad_("float" in kind)
    for predictions in (tensor, [tensor], [tensor[:1], tensor[1:]], (tensor,)):
        assert [found.labels for found in word_labels(predictions, ROWS, LABELS)] == EXPECTED


def test_logits_that_are_no_numbers() -> None:
    """A model that has diverged: no run stops, and nothing is sure."""
    for bad in (math.nan, math.inf, -math.inf):
        for strategy in STRATEGIES:
            [found] = word_labels(np.full((1, 2, 3), bad), [[0, 1]], LABELS, strategy=strategy)
            assert found.confidences == [0.0, 0.0]
    [found] = word_labels((IDS[:1], np.full((1, 3), math.nan)), ROWS[:1], LABELS)
    assert found.confidences == [0.0, 0.0, 0.0]
    [found] = word_labels(np.array([[[1e300, -1e300, 0.0]]]), [[0]], LABELS)
    assert found == (["O"], [1.0])


def test_label_names() -> None:
    for names in (LABELS, dict(enumerate(LABELS)), {str(number): name for number, name in enumerate(LABELS)}):
        assert word_labels([[2]], [[0]], names)[0].labels == ["B-b"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"predictions": [[0, 1, 2]]}, "expected 2 rows, as many as word_ids has, got 1"),
        ({"predictions": [[0, 1, 2]] * 3}, "expected 2 rows, as many as word_ids has, got more"),
        ({"predictions": [[0, 1, 2], [0, 1]]}, "row 1: expected predictions for 3 tokens, as in word_ids, got 2"),
        ({"predictions": [[0, 1, 2], [0, 1, 3]]}, "row 1: word 1 has the label id 3, which id2label does not have"),
        ({"predictions": [[0, 1, -100], [0, 1, 2]]}, "row 0: word 2 has the label id -100, which id2label does not have"),
        ({"label_ids": [[0, 0, 0, 0], [0, 0, 0, 0]], "predictions": [[0, 0, 0, 0]] * 2}, "row 0: token 3 has a label, but belongs to no word in word_ids; check that rows and word_ids are of the same data set, in the same order"),
        ({"documents": [0]}, "expected as many documents as word_ids has rows, got 1 and 2"),
        ({"documents": [0, -1]}, "row 1: expected a document between 0 and 0, got -1"),
        ({"documents": [0, 2], "lengths": [3, 3]}, "row 1: expected a document between 0 and 1, got 2"),
        ({"lengths": [3]}, "got 2 rows for 1 documents; pass `documents=` to assign rows to documents"),
        ({"lengths": [2, 2]}, "row 0: word_ids names word 2 of a document of 2 words"),
        ({"documents": [0, 0], "word_ids": [[3, 4, 5], [2, 3, 4]]}, "row 1: expected a document's windows in order, got word 2 after 3"),
        ({"id2label": {"O": 0}}, "id2label must give names by numbers, got {'O': 0}"),
        ({"strategy": "last"}, "strategy must be 'first' or 'mean' or 'max', got 'last'"),
        ({"strategy": "max"}, "row 0: strategy 'max' needs logits, or label ids with confidences"),
        ({"strategy": "mean"}, "row 0: strategy 'mean' needs logits: label ids do not say how probable the other labels are"),
        ({"predictions": "text"}, "expected logits (rows × tokens × labels) or label ids (rows × tokens), got 'text'"),
        ({"predictions": [0.5, 0.5]}, "expected logits (rows × tokens × labels) or label ids (rows × tokens), got [0.5, 0.5]"),
        ({"predictions": ()}, "expected logits or label ids, got an empty tuple"),
        ({"predictions": (IDS, IDS[:1])}, "expected label ids and as many confidences, got arrays of the shapes (2, 3) and (1, 3)"),
    ],
)  # fmt: skip
def test_what_does_not_fit_together(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(
        ValueError, match="^" + message.replace("(", r"\(").replace(")", r"\)").replace("[", r"\[").replace("?", r"\?")
    ):
        word_labels(**{"predictions": IDS, "word_ids": ROWS, "id2label": LABELS, **arguments})


def windows(word_ids: list[int], size: int, stride: int) -> list[tuple[int, int]]:
    """Beginnings and ends of windows over tokens, each sharing `stride` of them with the one before."""
    found, start = [], 0
    while True:
        found.append((start, min(start + size, len(word_ids))))
        if found[-1][1] == len(word_ids):
            return found
        start += size - stride


@given(
    counts=st.lists(st.integers(1, 4), min_size=1, max_size=30),
    size=st.integers(6, 12),
    stride=st.integers(4, 5),
    strategy=st.sampled_from(STRATEGIES),
    seed=st.integers(0, 99),
    masked=st.booleans(),
)
@examples(600)
def test_one_window_or_many(counts: list[int], size: int, stride: int, strategy: str, seed: int, masked: bool) -> None:
    """A model that looks at nothing but the token: its words are the same however the document is cut."""
    word_ids = [word for word, count in enumerate(counts) for _ in range(count)]
    logits = np.random.default_rng(seed).normal(size=(len(word_ids), 3))
    true = [
        1 if seed % 2 or position == 0 or word_ids[position - 1] != word else -100
        for position, word in enumerate(word_ids)
    ]
    parts = windows(word_ids, size, stride)
    whole = word_labels([logits.tolist()], [word_ids], LABELS, strategy=strategy, label_ids=[true] if masked else None)
    cut = word_labels(
        [np.vstack([np.full((1, 3), 9.0), logits[a:b], np.full((2, 3), 9.0)]).tolist() for a, b in parts],
        [[None, *word_ids[a:b], None] for a, b in parts],
        LABELS,
        documents=[0] * len(parts),
        strategy=strategy,
        label_ids=[[-100, *true[a:b], -100] for a, b in parts] if masked else None,
    )
    assert cut[0].labels == whole[0].labels
    assert cut[0].confidences == pytest.approx(whole[0].confidences)


def test_three_windows() -> None:
    """A document of 20 words of three tokens in one window of 60 tokens, and in three of 26 that share nine."""
    word_ids = [word for word in range(20) for _ in range(3)]
    logits = np.random.default_rng(1).normal(size=(60, 3))
    for stride, strategies in ((9, STRATEGIES), (0, ("first",))):
        parts = windows(word_ids, 26, stride)
        assert len(parts) == 3
        for strategy in strategies:
            cut = word_labels([logits[a:b] for a, b in parts], [word_ids[a:b] for a, b in parts], LABELS, documents=[0] * 3, strategy=strategy)  # fmt: skip
            assert cut == word_labels(logits[None], [word_ids], LABELS, strategy=strategy)


def test_the_window_with_the_best_context_counts() -> None:
    """Words 3 to 5 are in both windows: 3 stands nearer to the end of the first, 5 to the beginning of the second."""
    ids = [[1] * 6, [2] * 6]
    word_ids = [[0, 1, 2, 3, 4, 5], [3, 4, 5, 6, 7, 8]]
    [found] = word_labels(ids, word_ids, LABELS, documents=[0, 0])
    # distances to the nearest cut: word 3 has 2 and 0, word 4 has 1 and 1, where the earlier window counts, word 5 0 and 2
    assert found.labels == ["B-a"] * 5 + ["B-b"] * 4


def test_the_ends_of_a_document_cut_nothing_off() -> None:
    """Word 1 begins the second of two windows; in the first it stands last, but that is the document's beginning."""
    [found] = word_labels([[1, 1], [2, 2]], [[0, 1], [1, 2]], LABELS, documents=[0, 0])
    assert found.labels == ["B-a", "B-a", "B-b"]


def test_documents_need_not_be_neighbours() -> None:
    ids = [[1, 1], [0, 0], [2, 2]]
    found = word_labels(ids, [[0, 1], [0, 1], [2, 3]], LABELS, documents=[1, 0, 1])
    assert [words.labels for words in found] == [["O", "O"], ["B-a", "B-a", "B-b", "B-b"]]


def textbook(
    rows: list[list[float]], word_ids: list[list[int]], documents: list[int], strategy: str
) -> list[dict[int, tuple[int, float]]]:
    """By document and word: the label and the probability, in plain loops. Every row is (tokens × 3) probabilities."""
    best: list[dict[int, tuple[Any, ...]]] = [{} for _ in range(max(documents) + 1)]
    for number, (row, words, document) in enumerate(zip(rows, word_ids, documents, strict=True)):
        first = documents.index(document) == number
        last = max(n for n, d in enumerate(documents) if d == document) == number
        for word in set(words):
            at = [position for position, other in enumerate(words) if other == word]
            probabilities: list[Any] = [row[position] for position in at]
            if strategy == "first":
                chosen = probabilities[0]
            elif strategy == "max":
                chosen = max(probabilities, key=max)
            else:
                chosen = [sum(column) / len(at) for column in zip(*probabilities, strict=True)]
            context = min(math.inf if first else at[0], math.inf if last else len(words) - 1 - at[-1])
            shown = len(at) if strategy != "first" else int(at[0] > 0 or first)
            label = max(range(3), key=lambda k: chosen[k])
            candidate = (shown, context, -number, label, chosen[label])
            best[document][word] = max(best[document].get(word, candidate), candidate)
    return [{word: found[3:] for word, found in of_one.items()} for of_one in best]


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_against_plain_loops(strategy: str) -> None:
    rng = random.Random(0)
    for _ in range(300):
        documents = sorted(rng.choices(range(3), k=rng.randint(1, 6)))
        documents = [sorted(set(documents)).index(document) for document in documents]
        rng.shuffle(documents)
        drawn = sorted(sorted(rng.choices(range(8), k=rng.randint(1, 9))) for _ in documents)
        word_ids = [
            drawn[sum(other < document for other in documents) + documents[:row].count(document)]
            for row, document in enumerate(documents)
        ]  # in order
        rows: list[Any] = [
            np.random.default_rng(rng.randrange(10**6)).dirichlet([1, 1, 1], len(words)) for words in word_ids
        ]
        expected = textbook([row.tolist() for row in rows], word_ids, documents, strategy)
        found = word_labels([np.log(row) for row in rows], word_ids, "012", documents=documents, strategy=strategy)
        for of_one, words in zip(expected, found, strict=True):
            for word, (label, probability) in of_one.items():
                assert words.labels[word] == str(label)
                assert words.confidences[word] == pytest.approx(probability)
