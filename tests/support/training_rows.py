"""Rows that need no model: what a Trainer gives and gets, as arrays and texts."""

from __future__ import annotations

import math
from types import SimpleNamespace
from typing import Any

from docie.adapters import training

NAMES = ["O", "B-shop", "I-shop", "B-items.name", "B-items.amount"]
WORDS = [["Kedai", "Kopi", "Latte", "4.50", "Mocha", "5.00"], ["Warung", "Tea"], ["thanks"]]
TAGS = [
    ["B-shop", "I-shop", "B-items.name", "B-items.amount", "B-items.name", "B-items.amount"],
    ["B-shop", "B-items.name"],
    ["O"],
]
DOCUMENTS = [
    {
        "shop": "Kedai Kopi",
        "items": [{"items.name": "Latte", "items.amount": "4.50"}, {"items.name": "Mocha", "items.amount": "5.00"}],
    },
    {"shop": "Warung", "items": [{"items.name": "Tea"}]},
    {},
]
PREDICTED_TAGS = [
    ["B-shop", "I-shop", "B-items.name", "B-items.amount", "O", "B-items.amount"],
    ["B-items.name", "B-items.name"],
    ["O"],
]
CONFIDENCE = math.exp(4) / (math.exp(4) + 4)
"""Of every label that `Echo` predicts."""

# two sub-words a word; the first document is cut into two windows that share two words
WORD_IDS = [
    [None, 0, 0, 1, 1, 2, 2, 3, 3, None],
    [None, 2, 2, 3, 3, 4, 4, 5, 5, None],
    [None, 0, 0, 1, 1, None],
    [None, 0, 0, None],
]
OF_DOCUMENT = [0, 0, 1, 2]


def rows_of(tags: list[list[str]], *, only_first: bool = True) -> list[list[int]]:
    """The label ids of the windows' tokens."""
    rows = []
    for word_ids, document in zip(WORD_IDS, OF_DOCUMENT, strict=True):
        before: list[int | None] = [None, *word_ids]
        rows.append(
            [
                -100 if word is None or (only_first and word == before[position]) else NAMES.index(tags[document][word])
                for position, word in enumerate(word_ids)
            ]
        )
    return rows


def dataset() -> list[dict[str, list[int]]]:
    """Rows whose tokens are the labels that the model will predict, and whose labels are right."""
    shown = [[max(label, 0) for label in row] for row in rows_of(PREDICTED_TAGS, only_first=False)]
    return [{"input_ids": tokens, "labels": labels} for tokens, labels in zip(shown, rows_of(TAGS), strict=True)]


def metrics_of(references: Any = DOCUMENTS, **options: Any) -> training.TrainingMetrics:
    """The metrics of `dataset()`."""
    return training.token_classification_metrics(
        WORDS, references, WORD_IDS, dict(enumerate(NAMES)), documents=OF_DOCUMENT, **{"groups": ["items"], **options}
    )


class Tokens:
    """A tokenizer of whole words."""

    pad_token_id, eos_token_id, bos_token_id = 0, 1, None
    words = (
        "<pad>", "</s>", "<s_task>", "<s_shop>", "</s_shop>", "<s_total>", "</s_total>",
        "Kedai", "Kopi", "9.00", "{", "}", '"total":',
    )  # fmt: skip

    def decode(self, ids: list[int], **options: Any) -> str:
        return " ".join(self.words[number] for number in ids)

    def ids(self, text: str) -> list[int]:
        return [self.words.index(word) for word in text.split()]


# what a model that writes should have written, what it wrote, and the labels of its rows
RIGHT = [{"shop": "Kedai Kopi", "total": "9.00"}, {"total": "9.00"}, {"shop": "Kopi"}]
ANSWERS = [
    "<s_task> <s_shop> Kedai Kopi </s_shop> <s_total> 9.00 </s_total> </s> <pad>",
    "<s_task> Kedai Kopi </s> <pad>",
    "<s_task> <s_shop> Kopi <s_total> 9.00 </s> <pad>",
]
LABELS = [
    "<s_shop> Kedai Kopi </s_shop> <s_total> 9.00 </s_total> </s>",
    "<s_total> 9.00 </s_total> </s>",
    "<s_shop> Kopi </s_shop> </s>",
]


def generated(answers: list[str], labels: list[str] | None = None) -> SimpleNamespace:
    """What a Trainer gives that generates: token ids of texts."""
    tokenizer = Tokens()
    rows = None if labels is None else [[*tokenizer.ids(text), -100] for text in labels]
    return SimpleNamespace(predictions=[tokenizer.ids(text) for text in answers], label_ids=rows)
