"""The answers of a model to pages under each attack: each is requested once, and kept in a folder if one is given."""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from docie.core.errors import located_errors, shortened
from docie.core.values.json_text import as_json
from docie.core.values.plain import JsonObject
from docie.inputs.openers import plain_row, read_row
from docie.inputs.sources.python import sequence_of
from docie.metrics.form_robustness import UNATTACKED
from docie.robustness import attacks as form_attacks
from docie.robustness.form import Page
from docie.robustness.plan import Planned

Predict = Callable[[Sequence[Page]], Sequence[Any]]
"""A model: takes a list of forms, and returns a document for each, in the same order."""
_VERSION = 2
"""The version of the files in the folder."""


class Answers(NamedTuple):
    """The answers of a model under one attack.

    Attributes:
        name: the name of the attack, "none" for the unattacked forms.
        places: the numbers of the forms that the model gets: those in which the attack finds something to change.
        predictions, references: a document for each of these forms.
        severity: how much the attack changed these forms; None for the unattacked ones.
        preserves_texts: whether a correct answer stays correct under the attack.
    """

    name: str
    places: list[int]
    predictions: list[Any]
    references: list[Any]
    severity: dict[str, float | None] | None
    preserves_texts: bool


class Asker:
    """Gets answers from a model, or from the folder.

    Args:
        predict: the model.
        forms: the unattacked forms.
        reference: returns the reference document of a form.
        folder: a folder with a file for the answers to each attack; None keeps nothing.
    """

    def __init__(
        self, predict: Predict, forms: Sequence[Page], reference: Callable[[Page], object], folder: str | Path | None
    ) -> None:
        self.predict, self.forms, self.reference = predict, forms, reference
        self.folder = None if folder is None else _folder(folder)
        if self.folder is not None:
            self._digest = _digest(forms)
            self._expected_digest = _sha256(repr(self._expected(form)) for form in forms)

    def answers(self, attack: Planned | None) -> Answers:
        """The answers under an attack; None for the unattacked forms."""
        path = None if self.folder is None else self.folder / file_name(UNATTACKED if attack is None else attack.name)
        if path is None:
            return self._ask(attack)
        made_of = self._made_of(attack)
        if path.exists():
            return _read(path, made_of, len(self.forms))
        answers = self._ask(attack)
        _write(path, {**made_of, **answers._asdict()})
        return answers

    def _ask(self, attack: Planned | None) -> Answers:
        if attack is None:
            places, forms, severity = [*range(len(self.forms))], list(self.forms), None
        else:
            attacked = [attack.apply(form) for form in self.forms]
            places = [place for place, after in enumerate(attacked) if attack.acted(self.forms[place], after)]
            forms = [attacked[place] for place in places]
            severity = form_attacks.severity([self.forms[place] for place in places], forms)._asdict()
        name = UNATTACKED if attack is None else attack.name
        predictions = predicted(self.predict, forms, attack=name) if forms else []
        references = [self._expected(form) for form in forms]
        return Answers(name, places, predictions, references, severity, attack is None or attack.preserves_texts)

    def _expected(self, form: Page) -> object:
        """The reference document of a form."""
        return as_json(plain_row(self.reference(form)), is_reference=True)

    def _made_of(self, attack: Planned | None) -> JsonObject:
        """The parameters that determine the answers, apart from the model."""
        made_of: dict[str, object] = {"format": _VERSION, "forms": self._digest, "expected": self._expected_digest}
        if attack is not None:
            made_of |= {"attack": attack.spec, "strength": attack.strength, "seed": attack.seed}
        return json.loads(json.dumps(made_of))  # type: ignore[no-any-return]


def predicted(predict: Predict, forms: Sequence[Page], *, attack: str = UNATTACKED) -> list[object]:
    """Get the documents of forms from a model.

    Args:
        predict (callable): the model, as `run` takes it.
        forms (list of Page): the forms.
        attack (str): the attack to name in errors.

    Returns:
        list: the answers as plain JSON values, rows as `docie.inputs.openers.read_row` reads them. Answers that are not
        documents are kept as they are.

    Raises:
        ValueError: unless there is an answer for each form.

    >>> predicted(lambda forms: ['{"total": "9"}', None], [Page([]), Page([])])
    [{'total': '9'}, None]
    """
    answers = sequence_of("predict's answers", predict(forms))
    documents = []
    for number, answer in enumerate(answers):
        with located_errors(item=f"answer {number}"):
            documents.append(as_json(read_row(answer, "prediction"), is_reference=False))
    if len(documents) != len(forms):
        got = f"{len(documents)} for {len(forms)} forms under {attack!r}"
        raise ValueError(f"predict must give one document for each form, got {got}")
    return documents


def file_name(name: str) -> str:
    """The file name for an attack. Names that a file cannot have are replaced by a digest.

    >>> file_name("key_drop+bg_typo"), len(file_name("a/b"))
    ('key_drop+bg_typo.json', 21)
    """
    if re.fullmatch(r"[A-Za-z0-9_+.@-]{1,150}", name) and name.strip("."):
        return f"{name}.json"
    return f"{hashlib.sha256(name.encode('utf-8', 'surrogatepass')).hexdigest()[:16]}.json"


def _folder(path: str | Path) -> Path:
    """The folder, created if it does not exist. Raises ValueError if it cannot be created."""
    try:
        Path(path).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ValueError(f"{path}: cannot keep answers in this folder ({error.strerror or error})") from None
    return Path(path)


def _digest(forms: Sequence[Page]) -> str:
    return _sha256(repr((form.id, form.page, *map(tuple, form.words), *map(tuple, form.fields))) for form in forms)


def _sha256(texts: Iterable[str]) -> str:
    total = hashlib.sha256()
    for text in texts:
        total.update(text.encode("utf-8", "surrogatepass"))
    return total.hexdigest()


def _read(path: Path, made_of: dict[str, object], forms: int) -> Answers:
    try:
        value = json.loads(path.read_text(encoding="utf-8"))
        found = {key: value[key] for key in made_of}
        answers = Answers(**{key: value[key] for key in Answers._fields})
        lengths = {len(answers.predictions), len(answers.references), len(answers.places)}
    except (ValueError, KeyError, TypeError) as error:
        raise ValueError(f"{path}: not the answers of a run ({shortened(error)}); delete it to ask again") from None
    different = [key for key in made_of if found[key] != made_of[key]]
    if different:
        raise ValueError(
            f"{path}: these answers belong to another run: {', '.join(different)} differ; use another folder"
        )
    if len(lengths) > 1 or not {*answers.places} <= {*range(forms)}:
        raise ValueError(f"{path}: not the answers of a run on {forms} forms; delete it to ask again")
    return answers


def _write(path: Path, value: dict[str, object]) -> None:
    """Write the file in one step, so that an interrupted run leaves no incomplete file."""
    part = path.with_suffix(".part")
    part.write_text(json.dumps(value), encoding="utf-8")
    os.replace(part, path)
