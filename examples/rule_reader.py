"""A model of one rule, to attack: the value of a field is the word behind its key.

    cd examples && docie attack forms.jsonl --model rule_reader:read

`read` is a model as `docie.robustness.run` and `docie attack` take one. It sorts words by their places first, so their
order does not matter.

>>> form = synthetic_invoices.invoices(1, seed=3)[0]
>>> read([form])[0]["purchase_order"], form.document()["purchase_order"]
('78702', '78702')
"""

from __future__ import annotations

from docie.robustness import KeyReader, KeyRule

import synthetic_invoices

read = KeyReader(
    KeyRule(field, [tuple(key.split()) for key in keys]) for field, keys in synthetic_invoices.KEYS.items()
)
