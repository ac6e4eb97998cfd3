"""Forms in files: a line for each form, and for each version of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, TextIO

from docie.errors import DocumentError
from docie.form import Form
from docie.form_robustness import UNATTACKED
from docie.robustness.plan import planned
from docie.values import loads


def load_forms(path: str | Path | TextIO) -> Iterator[Form]:
    """The forms of a file of JSON Lines, one record a line.

    Args:
        path (str or Path): the file, or an open one. Records are as `docie.form.Form.from_record` reads them, or as
            `docie.adapters.records.words_and_boxes` makes them.

    Returns:
        iterator of Form: the forms. A form without an id has the number of its line as id.

    Raises:
        DocumentError: for a file that cannot be read, and for a line that is no form; it names file and line.

    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp(), "forms.jsonl")
    >>> _ = path.write_text('{"words": ["Total", "9.00"], "labels": ["O", "total"]}')
    >>> [form.document() for form in load_forms(path)]
    [{'total': '9.00'}]
    """
    if not isinstance(path, str | Path):
        return _forms(path, getattr(path, "name", "input"))
    try:
        return _forms(Path(path).open(encoding="utf-8-sig"), str(path))
    except OSError as error:
        raise DocumentError(error.strerror or "cannot be read", document=str(path)) from None


def _forms(file: TextIO, name: str) -> Iterator[Form]:
    try:
        with file as lines:
            for number, line in enumerate(lines, 1):
                if line.strip():
                    yield _form(line, name, number)
    except UnicodeDecodeError as error:
        raise DocumentError(f"not UTF-8 ({error.reason})", document=name) from None


def _form(line: str, name: str, number: int) -> Form:
    try:
        return form_of_row(loads(line), default_id=number)
    except (ValueError, RecursionError) as error:
        raise DocumentError(str(error), document=f"{name}:{number}") from None


def form_of_row(row: Any, *, default_id: int | None = None) -> Form:
    """The form of a row.

    Args:
        row (dict): a record with words, and boxes, labels, keys and so on if it has them. Other columns are ignored.
        default_id (int): the id of a form without one.

    Returns:
        Form: the form.

    Raises:
        ValueError: for what is no form.

    >>> form_of_row({"words": ["Total", "9.00"], "labels": ["O", "total"]}, default_id=3).id
    3
    """
    if not isinstance(row, Mapping):
        raise ValueError(f"expected an object with words, boxes and labels, got {type(row).__name__}")
    form = Form.from_record(row)
    return form if form.id is not None else Form(form.words, form.fields, form.page, default_id)


def attacked_rows(
    forms: Iterable[Form], attacks: Iterable[Any] | None = None, *, strength: float = 1.0, seed: int = 0
) -> Iterator[dict[str, Any]]:
    """Versions of forms as rows of a file: each form unattacked, then under each attack.

    Args:
        forms (iterable of Form): the forms.
        attacks (list): as in `run`.
        strength (float): as in `run`.
        seed (int): as in `run`.

    Returns:
        iterator of dict: `id`, `attack` ("none" for the unattacked form), the columns of the form, and `document`,
        what there is to find in it.

    Raises:
        ValueError: for an unknown attack.

    >>> from docie.form import Word
    >>> [row["attack"] for row in attacked_rows([Form([Word("Total")], id=3)], ["bg_typo"])]
    ['none', 'bg_typo']
    """
    plan = planned(attacks, (), pairs=False, triples=False, strength=strength, seed=seed)
    for form in forms:
        yield _row(form, UNATTACKED)
        for each in plan:
            yield _row(each.apply(form), each.name)


def _row(form: Form, attack: str) -> dict[str, Any]:
    return {"id": form.id, "attack": attack, **form.to_record(), "document": form.document()}
