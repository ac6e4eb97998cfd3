"""What differs in how the two sides of a page were written, and the options that allow for it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from docie.core.family import get, options_of
from docie.core.normalizers.specs import normalizer_of
from docie.core.phrases import enumerated
from docie.core.values.plain import JsonObject
from docie.diagnosis.check import side_rows
from docie.inputs.config import config_of, entries_of, options_of_config
from docie.inputs.fit.hypotheses.formats import normalizer_for
from docie.inputs.fit.search import fit
from docie.inputs.kinds import input_kind_of
from docie.inputs.openers import read_row
from docie.metrics import kieval

from . import inputs
from .computing import Request
from .inputs import Form
from .limits import refused


class Finding(NamedTuple):
    """The difference that explains most.

    Attributes:
        text: what differs, in a sentence.
        options: the options of the form, with those that allow for it.
        added: these, as entries of `--config`.
    """

    text: str
    options: JsonObject
    added: list[str]


def find(form: Form) -> Finding | None:
    """The first finding of `docie check` for the documents of a page; None if there is none.

    Raises:
        RefusedError: for a text that cannot be read.

    >>> references = '[{"items": {"name": "Latte"}}, {"items": {"name": "Mocha"}}, {"items": {"name": "Bagel"}}]'
    >>> form = Form(references=references, predictions=references.replace("items", "lines"), families=["kieval"])
    >>> find(form).options
    {'config': {'predictions': {'rename': {'lines': 'items'}}}}
    """
    sides = inputs.open_sides(form)
    reading, normalize = sides.reading, form.options.get("normalize") or {}
    with refused("predictions"):
        predicted = side_rows(lambda: [sides.predictions], "prediction", reading.predictions)
    with refused("references"):
        expected = side_rows(lambda: [sides.references], "reference", reading.references)
        names = inputs.choose_families(form, (read_row(row, "reference") for row in expected.first))
    if not any("document" in get(name).INPUTS for name in names):
        return None
    takes_formats = isinstance(normalize, Mapping) and form.options.keys().isdisjoint(("match", "schema"))
    takes_rules = all("match" in options_of(get(name)) for name in names)
    for change in fit(predicted, expected, reading, normalize=normalize if takes_formats else {}).changes:
        is_taken = (takes_formats or change.kind != "format") and (takes_rules or not change.match)
        if change.options and is_taken:
            options = {**form.options, "config": config_of(reading.with_options(change.reading))}
            if change.normalize:
                added = {name: _with_steps(normalize.get(name), specs) for name, specs in change.normalize.items()}
                options["normalize"] = {**normalize, **added}
            if change.match:
                options["match"] = {**change.match}
            return _finding(change.text, options, form.options)
    return _in_format(form, normalize) if takes_formats else None


def _finding(text: str, options: JsonObject, before: JsonObject) -> Finding:
    """A finding that asks for these options in place of those before."""
    entries = [*map(_entries, (before, options))]
    added = [entry for entry in entries[1] if entry not in entries[0]]
    return Finding(text, {name: value for name, value in options.items() if value}, added)


def _entries(options: JsonObject) -> list[str]:
    """Options as entries, NAME=VALUE."""
    config = options_of_config(options.get("config") or {})
    return entries_of(
        {**config, **{f"values.{name}": options[name] for name in ("normalize", "match") if options.get(name)}}
    )


def _in_format(form: Form, normalize: Mapping[str, object]) -> Finding | None:
    """The values of the shown document that differ in format alone, and the normalizers that make them equal."""
    rows = inputs.read(form)
    options = {name: value for name, value in form.options.items() if name in ("normalize", "ontology")}
    request = Request(
        family=kieval.NAME,
        predictions=rows.predictions,
        references=rows.references,
        options=options,
        config=form.config,
    )
    if input_kind_of(request.reference) != "document":
        return None
    number = form.chosen(len(rows.references))
    request.document = request.ranked()[0][0] if number is None else number
    found: dict[str, list[str]] = {}
    for row in kieval.error_rows(request.prediction, request.reference, request.settings):
        if row.kind != "format" or row.prediction is None or row.reference is None:
            continue
        name, texts = row.entity_type, (row.prediction, row.reference)
        steps = _with_steps(found.get(name, normalize.get(name)), normalizer_for(*texts))
        normalizer = normalizer_of({name: steps})
        if normalizer and len({normalizer(name, text) for text in texts}) == 1:
            found[name] = steps
    if not found:
        return None
    text = f"only the format differs in {enumerated(found)}; normalizers count such values as correct"
    return _finding(text, {**form.options, "normalize": {**normalize, **found}}, form.options)


def _with_steps(before: object, steps: Sequence[str]) -> list[str]:
    """The normalizers of a type, with further ones behind them."""
    listed = [before] if isinstance(before, str) else [*before] if isinstance(before, list | tuple) else []
    return [*listed, *(step for step in steps if step not in listed)]
