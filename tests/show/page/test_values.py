"""The values of a page, written straight from the comparison, are those of the explanation."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docie.core.explanation import Fields
from docie.metrics import kieval
from docie.metrics.kieval.explanation import UNGROUPED, groups_in_order
from docie.metrics.kieval.repairs import analyse
from docie.show.page import data
from docie.show.page.values import groups_of

from sizes import examples
from strategies import CONFIDENCES, ONE_OFS, VALUES, documents

BOXED = st.fixed_dictionaries({"value": VALUES, "box": st.just([0, 0, 9, 9]), "page": st.integers(1, 2)})
SURE = st.fixed_dictionaries({"value": VALUES, "confidence": CONFIDENCES})


@pytest.mark.parametrize("settings", [{}, {"normalize": "number"}, {"match": "same_amount"}, {"empty_groups": "count"}])
@given(st.one_of(documents(), documents(SURE), documents(st.one_of(VALUES, BOXED))), documents(ONE_OFS))
@examples(500, 40)
def test_values_are_those_of_the_explanation(settings: dict[str, Any], prediction: Any, reference: Any) -> None:
    options = kieval.Settings(**settings)
    found = analyse(prediction, reference, options)
    both = groups_in_order(prediction, reference, found.pairs, found.by_pair)
    text, errors, equal = groups_of(both, options.rules)
    [fields] = kieval.explain(prediction, reference, options).drawings
    assert isinstance(fields, Fields)
    expected = [each[:5] for each in data.groups_of(fields.groups)]
    for group in expected:
        group[0] = "" if group[0] == UNGROUPED and not group[1] else group[0]
    groups = json.loads(text)
    assert groups == json.loads(data.text_of(expected))
    pairs = [(kind, pair) for _, kind, _, _, pairs in groups for pair in pairs]
    assert len(errors) == len(found.rows)
    told = kieval.explain(prediction, reference, options).pairs
    assert equal == sum(pair.is_correct and pair.predicted != pair.expected for pair in told)
    for row, number in errors:
        kind, (field, wanted, (predicted, of_error, *_)) = pairs[number]
        assert (f"{kind}.{field}" if kind else field) == row.entity_type
        assert (wanted, predicted, of_error) == (row.reference, row.prediction, row.kind)
