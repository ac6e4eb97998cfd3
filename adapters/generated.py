"""Generated tokens → answers, a row a document, with a check that the rows are those of the references."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from docie.adapters.parsed import Parsed
from docie.adapters.token_rows import rows
from docie.errors import shortened
from docie.values import is_list, scalar_text

__all__ = ["Answers"]


class Answers:
    """Reads rows as they come: what a model has generated for each reference, and how many of them were repaired.

    `tokenizer` is a tokenizer or a processor of transformers; `read` takes a decoded answer to its value, or to a
    `Parsed`.
    """

    def __init__(self, tokenizer: Any, references: Sequence[Any], read: Callable[[str], Any]) -> None:
        self.tokenizer = getattr(tokenizer, "tokenizer", tokenizer)
        self.left_out = {getattr(self.tokenizer, f"{name}_token_id", None) for name in ("pad", "eos", "bos")}
        self.references = references
        self.read = read
        self.values: list[Any] = []
        self.repaired = 0
        self.labels: list[frozenset[str]] = []

    def add(self, predictions: Any, label_ids: Any = None) -> None:
        """Read the next rows: ids of generated tokens and, if there are any, of the right ones."""
        for answer in self._answers(predictions):
            self.values.append(answer.document)
            self.repaired += bool(answer.issues)
        if label_ids is not None:
            self.labels += [_texts(label.document) for label in self._answers(label_ids)]

    def result(self) -> Answers:
        """All answers. Raises ValueError for other rows than the references'."""
        found, expected = len(self.values), len(self.references)
        if found != expected:
            problem = f"expected as many rows as references, got {found} and {expected}"
            if found > expected:
                problem += "; of several processes some repeat rows, unless the trainer is a training.EachRowOnce too"
            raise ValueError(problem)
        self._check_order()
        return self

    def _answers(self, ids: Any) -> Iterator[Parsed]:
        for row in rows(ids):
            if row.probabilities is not None:
                raise ValueError("expected generated tokens, got logits: set predict_with_generate=True")
            kept = [number for number in row.ids.tolist() if number >= 0 and number not in self.left_out]
            text = self.tokenizer.decode(kept, skip_special_tokens=False, clean_up_tokenization_spaces=False)
            answer = self.read(text)
            yield answer if isinstance(answer, Parsed) else Parsed(answer, [])

    def _check_order(self) -> None:
        """Raise ValueError if a row's labels share nothing with its reference, and hold all of them in another one."""
        right: list[frozenset[str]] = []
        for row, label in enumerate(self.labels[: len(self.references)]):
            if label and not label & _texts(self.references[row]):
                right = right or [_texts(reference) for reference in self.references]
                other = next((number for number, texts in enumerate(right) if label <= texts), None)
                if other is not None:
                    problem = f"row {row} has the labels of reference {other}: {shortened(sorted(label)[0])}"
                    raise ValueError(f"{problem}; are the rows evaluated in the order of the references?")


def _texts(value: Any) -> frozenset[str]:
    """All scalars in a value, as text without white space."""
    found, stack = set(), [value]
    while stack:
        part = stack.pop()
        if isinstance(part, dict):
            stack += part.values()
        elif is_list(part):
            stack += list(part)
        else:
            found.add("".join((scalar_text(part) or "").split()))
    return frozenset(found - {""})
