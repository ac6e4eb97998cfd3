"""Prompts that ask a language model for the document of a page."""

from __future__ import annotations

import json
from collections.abc import Mapping

from docie.core.errors import shortened
from docie.core.settings import check_flag

from ..grouping import slot_filling
from ..grouping.documents import Entity, GroupTypes

_TASK = (
    "Read the document and answer with one JSON object of this form, where each value says what belongs in its place:"
)


def prompt(ontology: Mapping[str, str | None], *, groups: GroupTypes = (), confidences: bool = False) -> str:
    """A prompt that asks a model for the document of a page, in the format of `to_document` and the metrics.

    Args:
        ontology (dict of str to str): from each entity type to a description, or None. Entity types are used as keys
            unchanged, so that the model's values have these types, in groups or not.
        groups (list of str, or dict): the group types, as in `grouping.slot_filling` (an entity type `menu.nm` belongs
            to `menu`). They become lists of objects.
        confidences (bool): ask for objects with value and confidence.

    Returns:
        str: the prompt.

    Raises:
        ValueError: if the ontology is empty or does not map texts to texts.

    >>> print(prompt({"menu.nm": "name of an item", "menu.price": "its price", "date": "ISO date"}, groups=["menu"]))
    Read the document and answer with one JSON object of this form, where each value says what belongs in its place:
    <BLANKLINE>
    {
      "menu": [
        {
          "menu.nm": "name of an item",
          "menu.price": "its price"
        }
      ],
      "date": "ISO date"
    }
    <BLANKLINE>
    - Use the keys exactly as they are given, and no others.
    - Copy values as they are printed on the page, as text; do not reformat, translate or compute them.
    - Leave out every key whose value is not on the page.
    - Where a key has several values, give a list of them.
    - Lists hold one object for each group on the page (such as a line item), in reading order.
    - Answer with the JSON object alone: no explanation, no comments.
    """
    check_flag("confidences", confidences)
    if not isinstance(ontology, Mapping) or not ontology:
        raise ValueError(f"ontology must map entity types to descriptions, got {shortened(ontology)}")
    leaves = []
    for entity_type, description in ontology.items():
        if not isinstance(entity_type, str) or not isinstance(description, str | None):
            got = f"{shortened(entity_type)}: {shortened(description)}"
            raise ValueError(f"ontology must map texts to texts, got {got}")
        text = description or entity_type
        leaves.append(Entity(entity_type, {"value": text, "confidence": "0 to 1"} if confidences else text))
    form = slot_filling(leaves, groups)
    rules = [
        "Use the keys exactly as they are given, and no others.",
        "Copy values as they are printed on the page, as text; do not reformat, translate or compute them.",
        "Leave out every key whose value is not on the page.",
        "Where a key has several values, give a list of them.",
    ]
    if any(isinstance(value, list) for value in form.values()):
        rules.append("Lists hold one object for each group on the page (such as a line item), in reading order.")
    if confidences:
        rules.append("A confidence is a number from 0 to 1: how likely the value is to be correct.")
    rules.append("Answer with the JSON object alone: no explanation, no comments.")
    shown = json.dumps(form, indent=2, ensure_ascii=False)
    return "\n".join([_TASK, "", shown, "", *(f"- {rule}" for rule in rules)])
