"""The functions that workers run: from a form to the scores, to the page and to the report."""

from __future__ import annotations

import io
import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from docie.core.family import get, options_of
from docie.core.settings import check_fraction
from docie.core.values.plain import JsonObject
from docie.inputs.fit.survey import ADVICE
from docie.metrics import kieval
from docie.questions.label_effect import effect_lines
from docie.questions.score import score as ask
from docie.show.write import write

from . import computing, inputs, reproducing
from .computing import Request
from .fitting import Finding
from .inputs import Form, Rows
from .limits import RefusedError, refused
from .options import CORRECTIONS, names_of
from .rendering import render

_MAPPINGS = ("schema", "weights", "costs")
"""Options that may be the path of a file; not on a page."""


class Explained(NamedTuple):
    """The content of a page.

    Attributes:
        html: the scores, views and lines: the score, then what stands below it.
        documents: for the chooser, a label and a value for each document, the worst first.
        document: the value of the one that is shown.
    """

    html: str
    documents: list[tuple[str, str]]
    document: str


def score(form: Form) -> dict[str, JsonObject]:
    """The scores of each family, as `docie score --by-field --format json` prints them.

    Raises:
        RefusedError: if they cannot be scored, or if it would take too long.
    """
    return {request.family: computing.score(request) for request in _requests(form, inputs.read(form))}


def explain(form: Form, finding: Finding | None = None) -> Explained:
    """The content of a page.

    Args:
        form: what a visitor has filled in.
        finding: what the page says by itself of how both sides were written, so that no note does.

    Raises:
        RefusedError: for the same reasons as `score`.
    """
    rows = inputs.read(form)
    requests, among = _requests(form, rows), len(rows.references)
    ranked, number = requests[0].ranked(), form.chosen(among)
    number = ranked[0][0] if number is None else number
    for request in requests:
        request.document = number
    answers = [computing.compute(request, shows_document=request is requests[0]) for request in requests]
    names = [answer.family for answer in answers]
    can_be_reported = kieval.NAME in inputs.choose_families(Form(), rows.expected)
    references, predictions = rows.given
    lines = {"confidence_level": form.confidence_level}
    notes = dict.fromkeys([*rows.notes, *(note for answer in answers for note in answer.notes)])
    html = render(
        "results.html.j2",
        answers=answers,
        rows=rows,
        notes=[note for note in notes if finding is None or not note.endswith(ADVICE)],
        python=reproducing.python_lines(names, predictions, references, form.options, **lines),
        command=reproducing.command_lines(names, predictions, references, form.options, **lines),
        files={
            "references.jsonl": reproducing.json_lines(references) + "\n",
            "predictions.jsonl": reproducing.json_lines(predictions) + "\n",
        },
        results=json.dumps({answer.family: answer.results for answer in answers}, indent=2),
        name=rows.names[number],
        corrected=_effect(requests[0], rows),
        judging=computing.judging(rows, requests[0].settings) if can_be_reported else "",
        can_be_reported=can_be_reported,
    )
    documents = [(f"{rows.names[each]} · {words}", f"{each + 1} of {among}") for each, words in ranked]
    return Explained(html, documents, f"{number + 1} of {among}")


def views(form: Form) -> JsonObject:
    """For each family its sentence, and its views as HTML, for programs.

    Raises:
        RefusedError: for the same reasons as `score`.
    """
    rows = inputs.read(form)
    answers = [computing.compute(request) for request in _requests(form, rows)]
    return {
        "issues": rows.issues,
        "families": {
            answer.family: {
                "sentence": answer.sentence,
                "parts": [{"title": part.title, "html": part.html} for part in answer.parts],
                "notes": [*rows.notes, *answer.notes],
            }
            for answer in answers
        },
    }


def report_of(form: Form) -> str:
    """The HTML report of the documents, as `docie score --report` writes it.

    Raises:
        RefusedError: for the same reasons as `score`.
    """
    rows = inputs.read(form)
    options = {name: value for name, value in form.options.items() if name in options_of(kieval)}
    _check_options(options, [kieval.NAME])
    shown = len(rows.references)
    how: JsonObject = {"config": form.config, "corrections": form.options.get(CORRECTIONS) or None}
    how |= {"confidence_level": form.confidence_level, "documents": shown}
    page = io.StringIO()
    with refused(""):
        result = ask(
            references=inputs.corrected(rows, form), predictions=rows.predictions, metric=kieval.NAME, **how, **options
        )
        write(result, page, "html", title="Extraction report")
    return page.getvalue()


def _effect(request: Request, rows: Rows) -> str:
    """What label corrections did to the first score; "" without any."""
    corrections = request.method.reading.corrections
    if corrections is None or not corrections.changes:
        return ""
    before = computing.score(replace(request, references=rows.references))
    [line] = effect_lines({request.family: before}, {request.family: request.scored[0]}, corrections.changes)
    return line


def _requests(form: Form, rows: Rows) -> list[Request]:
    """The request for each family, with the options that it has."""
    if form.confidence_level is not None:
        with refused("options"):
            check_fraction("confidence_level", form.confidence_level)
    names = inputs.choose_families(form, rows.expected)
    _check_options(form.options, names)
    number, among = form.chosen(len(rows.references)) or 0, len(rows.references)
    if not 0 <= number < among:
        raise RefusedError(f"There is no document {number + 1}: there are {among}.", field="options")
    reading, references = form.reading(), inputs.corrected(rows, form)
    return [
        Request(
            family=name,
            predictions=rows.predictions,
            references=references,
            options={option: value for option, value in form.options.items() if option in options_of(get(name))},
            config=reading,
            confidence_level=form.confidence_level,
            document=number,
            scans=form.scans,
        )
        for name in names
    ]


def _check_options(options: Mapping[str, object], names: Sequence[str]) -> None:
    """Refuse options that a public page must not accept.

    Raises:
        RefusedError: if no family has an option, or if it is a path in place of a value.
    """
    known = {option for name in names for option in names_of(name)}
    for name, value in options.items():
        parts = value if isinstance(value, list) else [value]
        if name in _MAPPINGS and any(isinstance(part, str) for part in parts):
            raise RefusedError(f"{name} must be a JSON object here, not the path of a file.", field="options")
        if name not in known:
            raise RefusedError(f"Unknown option {name!r} of {', '.join(names)}.", field="options")
