"""A model of one rule, to attack: the value of a field is the word behind its key.

    cd examples && docie attack forms.jsonl --model rule_reader:read

`read` is a model as `docie.robustness.run` and `docie attack` take one.

>>> form = synthetic_invoices.invoices(1, seed=3)[0]
>>> read([form])[0]["purchase_order"], form.document()["purchase_order"]
('78702', '78702')
"""

from __future__ import annotations

from collections.abc import Sequence

from docie.form import Form, reading_order

import synthetic_invoices


def read(forms: Sequence[Form]) -> list[dict[str, str]]:
    """The fields of invoices. Words are sorted by their places first, so their order does not matter."""
    return [_fields([form.words[position].text for position in reading_order(form)]) for form in forms]


def _fields(words: Sequence[str]) -> dict[str, str]:
    found = {}
    for field, keys in synthetic_invoices.KEYS.items():
        for key in map(str.split, keys):
            places = [place for place in range(len(words) - len(key)) if list(words[place : place + len(key)]) == key]
            if places and field not in found:
                found[field] = words[places[0] + len(key)]
    return found
