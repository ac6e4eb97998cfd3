"""Questions on documents: their answers."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from typing import Any

from docie.adapters.records.fields import list_of, reading
from docie.jsontext import loads

__all__ = ["docvqa", "mp_docvqa"]


def docvqa(record: Mapping[str, Any]) -> str | tuple[str, ...] | None:
    """The answer to a question of DocVQA: a text, or a tuple of which any one is right.

    `record` is one of `lmms-lab/DocVQA` or `nielsr/docvqa_1200_examples` (and its copies for Donut): the column
    `answers`, a list of texts or such a list as text, JSON or Python. Answers that are given twice count once and blank
    ones do not count; None, where only blank ones are given, means that nothing is right. A record without answers, as
    those of the test sets are, cannot be a reference.

    The answer is given by itself, as the metric of these data sets compares it: `anls_star` takes it as a reference and
    a model's answer as prediction. For metrics of documents, both sides make one: `{"answer": docvqa(record)}`.

    Source: Mathew et al., "DocVQA: A Dataset for VQA on Document Images" (2021).

    >>> docvqa({"questionId": "1", "answers": ["31 May 1990", "May 31, 1990", "31 May 1990"]})
    ('31 May 1990', 'May 31, 1990')
    >>> docvqa({"answers": ["12"]})
    '12'
    """
    return _answer("DocVQA", record)


def mp_docvqa(record: Mapping[str, Any]) -> str | tuple[str, ...] | None:
    """The answer to a question of MP-DocVQA, on a document of several pages; see `docvqa`.

    `record` is one of `lmms-lab/MP-DocVQA`, whose column `answers` is a list as text, or of the annotation of
    `rubentito/mp-docvqa`, where it is a list. The page of the answer is not looked at.

    Source: Tito et al., "Hierarchical multimodal transformers for Multi-Page DocVQA" (2023).

    >>> mp_docvqa({"questionId": "1", "page_ids": "['p1', 'p2']", "answers": "['p. 4', '4']", "answer_page_idx": "1"})
    ('p. 4', '4')
    """
    return _answer("MP-DocVQA", record)


def _answer(dataset: str, record: Mapping[str, Any]) -> str | tuple[str, ...] | None:
    with reading(dataset, record, "questionId"):
        found = record.get("answers")
        answers = list_of({"answers": _list(found)}, "answers", str, "a list of text")
        if not answers:
            raise ValueError("field 'answers' has none")
        distinct = tuple(dict.fromkeys(answer for answer in answers if answer.strip()))
        return distinct if len(distinct) > 1 else next(iter(distinct), None)


def _list(value: Any) -> Any:
    """The list of texts that a text writes, in JSON or Python; any other text is one answer."""
    if not isinstance(value, str):
        return value
    for read in (loads, ast.literal_eval) if value.strip().startswith("[") else ():
        try:
            written = read(value.strip())
        except (ValueError, SyntaxError, RecursionError, MemoryError):
            continue
        if isinstance(written, list) and all(isinstance(answer, str) for answer in written):
            return written
    if value.strip().startswith(("['", '["')):
        raise ValueError("field 'answers' begins as the text of a list but is none")
    return [value]
