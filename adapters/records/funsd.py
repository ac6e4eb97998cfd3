"""FUNSD: forms in English."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from docie.core.settings import check_flag

from .fields import reading
from .forms import annotated_form, form_annotation, tagged_form
from .tags import bio

FUNSD_TAGS = bio(["HEADER", "QUESTION", "ANSWER"])
"""The tags of `nielsr/funsd-layoutlmv3`, as its feature names them."""


def funsd(record: Mapping[str, Any], *, links: bool = False, names: Sequence[str] | None = None) -> dict[str, Any]:
    """The reference document of a FUNSD form: `header`, `question` and `answer`, all ungrouped, as in KIEval's paper.

    With `links`, questions and answers stand in groups of the type `field`: each question with all answers linked to
    it. An answer that is linked to several questions, as in a table with headings of rows and columns, stands in the
    group of each; one that is linked to none is a group by itself. Headers stay ungrouped. Other links (of headers,
    between questions or between answers) are not followed.

    Source: Jaume et al., "FUNSD: A Dataset for Form Understanding in Noisy Scanned Documents" (2019).

    Args:
        record (dict): a record of `nielsr/funsd-layoutlmv3`, with columns `tokens` and `ner_tags` (`nielsr/funsd` names
            the first one `words`). Or FUNSD's own annotation, whose `form` lists entities with `id`, `label`, `text`
            and `linking`; `davidle7/funsd-json` has it as JSON text in the column `text_output`. Entities labelled
            `other` are left out.
        links (bool): follow the links between questions and answers, which only the annotation has.
        names (list of str): the names of the tags, if they are numbers; `FUNSD_TAGS` by default.

    Returns:
        dict: a document.

    Raises:
        ValueError: for what is missing or malformed; it names record and field.

    >>> funsd({"id": "0", "tokens": ["FAX", "Sent", "by:", "Ada"], "ner_tags": [1, 3, 4, 5]})
    {'header': 'FAX', 'question': 'Sent by:', 'answer': 'Ada'}
    >>> sent = {"id": 0, "label": "question", "text": "Sent by:", "linking": [[0, 1]]}
    >>> funsd({"form": [sent, {"id": 1, "label": "answer", "text": "Ada", "linking": [[0, 1]]}]}, links=True)
    {'field': [{'field.question': 'Sent by:', 'field.answer': 'Ada'}]}
    """
    check_flag("links", links)
    with reading("FUNSD", record):
        if "text_output" in record or "form" in record:
            return annotated_form(*form_annotation(record), links)
        return tagged_form(record, "form", links, FUNSD_TAGS if names is None else names)
