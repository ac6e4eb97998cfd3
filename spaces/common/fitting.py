"""What differs in how the two sides of a page were written, and the options that allow for it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from docie.core.family import get
from docie.core.reading import Reading
from docie.core.values.plain import JsonObject
from docie.documents.fit import SideRows, fit

from . import inputs
from .inputs import Form


class Finding(NamedTuple):
    """The difference that explains most.

    Attributes:
        text: what differs, in a sentence.
        options: the options of the form, with those that allow for it.
    """

    text: str
    options: JsonObject


def find(form: Form) -> Finding | None:
    """The first finding of `docie check` for the documents of a page; None if there is none.

    Args:
        form: what a visitor has filled in.

    Raises:
        RefusedError: for a text that cannot be read.

    >>> references = '[{"items": {"name": "Latte"}}, {"items": {"name": "Mocha"}}, {"items": {"name": "Bagel"}}]'
    >>> form = Form(references=references, predictions=references.replace("items", "lines"), families=["kieval"])
    >>> find(form).options
    {'reading': {'rename': ['lines=items']}}
    """
    sources, _ = inputs.open_sides(form)
    references, predictions = ([*source.given()] for source in sources)
    names = inputs.choose_families(form, references)
    if not any("document" in get(name).INPUTS for name in names):
        return None
    reading, normalize = sources[0].reading or Reading(), form.options.get("normalize") or {}
    takes_formats = isinstance(normalize, Mapping) and form.options.keys().isdisjoint(("match", "schema"))
    predicted, expected = map(SideRows.listed, (predictions, references))
    for change in fit(predicted, expected, reading, normalize if takes_formats else {}).changes:
        if change.options and (takes_formats or change.kind != "form"):
            options = {**form.options, "reading": _as_json(reading.with_options(**change.reading))}
            if change.normalize:
                options["normalize"] = {**normalize, **{name: [*specs] for name, specs in change.normalize.items()}}
            return Finding(change.text, {name: value for name, value in options.items() if value})
    return None


def _as_json(reading: Reading) -> JsonObject:
    return {name: [*value] if isinstance(value, tuple) else value for name, value in reading.options.items()}
