"""DocVQA and MP-DocVQA: answers to questions on documents."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from typing import Any

from docie.core.values.json_text import loads

from .fields import any_of, list_of, reading


def docvqa(record: Mapping[str, Any]) -> str | tuple[str, ...] | None:
    """The answer to a question of DocVQA.

    The answer stands by itself, as the metric of these data sets compares it: `anls_star` takes it as a reference and a
    model's answer as prediction. For metrics of documents, make both sides one: `{"answer": docvqa(record)}`.

    Source: Mathew et al., "DocVQA: A Dataset for VQA on Document Images" (2021).

    Args:
        record (dict): a record of `lmms-lab/DocVQA` or `nielsr/docvqa_1200_examples` (and its copies for Donut), with
            the column `answers`: a list of texts, or such a list as text, in JSON or Python.

    Returns:
        str or tuple of str: the answer, or the answers of which any one is right. Equal ones count once, blank ones do
        not count. None, if all are blank, means that nothing is right.

    Raises:
        ValueError: for what is missing or malformed; it names record and field. A record without answers, as those of
            the test sets are, cannot be a reference.

    >>> docvqa({"questionId": "1", "answers": ["31 May 1990", "May 31, 1990", "31 May 1990"]})
    ('31 May 1990', 'May 31, 1990')
    >>> docvqa({"answers": ["12"]})
    '12'
    """
    return _answer("DocVQA", record)


def mp_docvqa(record: Mapping[str, Any]) -> str | tuple[str, ...] | None:
    """The answer to a question of MP-DocVQA, on a document of several pages. The page of the answer does not matter.

    Source: Tito et al., "Hierarchical multimodal transformers for Multi-Page DocVQA" (2023).

    Args:
        record (dict): a record of `lmms-lab/MP-DocVQA`, whose column `answers` is a list as text, or of the annotation
            of `rubentito/mp-docvqa`, where it is a list.

    Returns:
        str or tuple of str: as `docvqa`.

    Raises:
        ValueError: as `docvqa`.

    >>> mp_docvqa({"questionId": "1", "page_ids": "['p1', 'p2']", "answers": "['p. 4', '4']", "answer_page_idx": "1"})
    ('p. 4', '4')
    """
    return _answer("MP-DocVQA", record)


def _answer(dataset: str, record: Mapping[str, Any]) -> str | tuple[str, ...] | None:
    with reading(dataset, record, "questionId"):
        answers = list_of({"answers": _list(record.get("answers"))}, "answers", str, "a list of text")
        if not answers:
            raise ValueError("field 'answers' has none")
        return any_of(answers) or None


def _list(value: Any) -> Any:
    """The list of texts that a text spells, in JSON or Python. Any other text is one answer."""
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
