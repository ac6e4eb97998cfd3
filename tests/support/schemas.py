"""What derives from the folders of the families: the JSON Schemas of documents, which several families publish,
requirements.txt, and the imports of families for type checkers. `pages.py` writes them.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import docie
from docie.core.family import get
from docie.documents.leaves import LEAF_KEYS

ROOT = Path(__file__).resolve().parents[2]
DRAFT = "https://json-schema.org/draft/2020-12/schema"
REQUIREMENTS = f"docie=={docie.__version__}\n"
OF_FAMILIES = re.compile(r"(?:    from docie\.metrics import \w+ as \w+\n)+")
WIDTH = 120  # objects and lists that fit stand on one line

ALTERNATIVES = "Accepted alternatives, in a reference: any one of them is correct. In Python, a tuple."


def ref(name: str) -> dict[str, Any]:
    return {"$ref": f"#/$defs/{name}"}


def any_value(*others: str) -> dict[str, Any]:
    """What may stand below a key: a leaf, one of the others, or a list of these."""
    leaves = [ref(name) for name in ("scalar", "scoredLeaf", *others)]
    return {"anyOf": [*leaves, {"type": "array", "items": ref("any")}]}


def scalar(description: str) -> dict[str, Any]:
    return {"description": description, "type": ["string", "number", "boolean", "null"]}


def scored_leaf(description: str) -> dict[str, Any]:
    confidence = {"type": ["number", "null"], "minimum": 0, "maximum": 1}
    known = {"value": ref("scalar"), "confidence": confidence}
    return {
        "description": description,
        "type": "object",
        "required": ["value", "confidence"],
        "properties": {key: known.get(key, True) for key in LEAF_KEYS},
        "additionalProperties": False,
    }


def alternatives(items: dict[str, Any]) -> dict[str, Any]:
    return {
        "description": ALTERNATIVES,
        "type": "object",
        "required": ["$any_of"],
        "properties": {"$any_of": {"type": "array", "items": items}},
        "additionalProperties": False,
    }


def other_object(description: str) -> dict[str, Any]:
    """An object that is no leaf."""
    leaf = {
        "required": ["value", "confidence"],
        "properties": {"value": ref("scalar")},
        "propertyNames": {"enum": list(LEAF_KEYS)},
    }
    return {
        "description": description,
        "type": "object",
        "additionalProperties": ref("any"),
        "not": {"anyOf": [leaf, {"required": ["$any_of"], "maxProperties": 1}]},
    }


DOCUMENT = {
    "description": "What was extracted from one document (prediction), or should have been (reference). A key with values "
    "holds ungrouped entities of that type. A key with an object or a list of objects holds groups. Inside a group, nested "
    "objects belong to the group.",
    "type": "object",
    "additionalProperties": ref("any"),
}
DEFINITIONS = {
    "any": any_value("oneOf", "group"),
    "scalar": scalar(
        "One entity. null, NaN and blank text are missing values, not entities. Numbers are compared by value (12 is "
        "12.0), booleans by their JSON text."
    ),
    "scoredLeaf": scored_leaf("One entity with a confidence."),
    "oneOf": alternatives({"anyOf": [ref("scalar"), ref("scoredLeaf")]}),
    "group": other_object("A group, or a part of a group: any object that is neither a scoredLeaf nor a oneOf."),
}
OF_DOCUMENTS = {
    "$schema": DRAFT,
    "title": "A document, as docie's document metrics read it",
    **DOCUMENT,
    "$defs": DEFINITIONS,
}
OF_ENTITY_F1 = {
    "$schema": DRAFT,
    "title": "A document, or the tags of its words, as docie's entity F1 reads them",
    "anyOf": [
        {**ref("document"), "not": ref("wordsAndTags")},
        ref("tags"),
        {**ref("wordsAndTags"), "properties": {"tags": ref("tags"), "sentences": ref("sentences")}},
    ],
    "$defs": {
        "document": DOCUMENT,
        "tags": {
            "description": "One tag for each word: O, or a prefix, a hyphen and an entity type. The prefixes L and U belong "
            "to BILOU and need scheme='BILOU'.",
            "type": "array",
            "items": {"type": "string", "pattern": "^O$|^[BIESLU]$|^[BIESLU]-"},
        },
        "wordsAndTags": {
            "description": "Words, and one tag for each word. Other keys are ignored.",
            "type": "object",
            "required": ["words", "tags"],
            "properties": {"words": {"type": "array"}, "tags": {"type": "array"}},
        },
        "sentences": {
            "description": "The lengths of the sentences, in words. They add up to the number of words. No entity continues "
            "from one sentence to the next.",
            "type": ["array", "null"],
            "items": {"type": "integer", "minimum": 0},
        },
        **DEFINITIONS,
    },
}
OF_FORM_ROBUSTNESS = {
    "$schema": DRAFT,
    "title": "A form with its versions, as docie's form robustness reads it",
    "description": "A document for each attack on the form; the name none stands for the unattacked form. The columns of the "
    "evaluate module hold the documents themselves.",
    "type": "object",
    "required": ["attacks"],
    "properties": {
        "attacks": {
            "type": "object",
            "minProperties": 1,
            "propertyNames": {"pattern": "^\\S(.*\\S)?$", "not": {"pattern": "_interval$"}},
            "additionalProperties": ref("document"),
        }
    },
    "additionalProperties": False,
    "$defs": {"document": DOCUMENT, **DEFINITIONS},
}
OF_ANLS_STAR = {
    "$schema": DRAFT,
    "title": "A value, as ANLS* reads it",
    "description": "A predicted or an expected answer: a text, a number, nothing, a list of values or an object of values.",
    **ref("any"),
    "$defs": {
        "any": any_value("anyOf", "object"),
        "scalar": scalar(
            "One text. null, NaN and blank text count as nothing. Numbers are compared by value (12 is 12.0), booleans by "
            "their JSON text."
        ),
        "scoredLeaf": scored_leaf("One text with a confidence, which ANLS* does not use."),
        "anyOf": alternatives(ref("any")),
        "object": other_object("Values by key: any object that is neither a scoredLeaf nor an anyOf."),
    },
}
SCHEMAS = {
    **{name: OF_DOCUMENTS for name in docie.families() if "document" in get(name).INPUTS},
    "anls_star": OF_ANLS_STAR,
    "entity_f1": OF_ENTITY_F1,
    "form_robustness": OF_FORM_ROBUSTNESS,
}


def text_of(value: Any, indent: int = 0) -> str:
    """The JSON text of a schema, as a person would write it."""
    if not isinstance(value, dict | list) or not value:
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, dict):
        (start, end), children = "{}", list(value.values())
        keys = [f"{json.dumps(key)}: " for key in value]
    else:
        (start, end), children = "[]", value
        keys = [""] * len(value)
    line = ", ".join(key + text_of(child, 10**6) for key, child in zip(keys, children, strict=True))
    line = f"{start} {line} {end}" if isinstance(value, dict) else f"{start}{line}{end}"
    is_deep = any(isinstance(child, dict | list) and len(text_of(child, 10**6)) > 80 for child in children)
    if indent >= 10**6 or (indent and not is_deep and indent + len(line) < WIDTH - 20):
        return line
    inner = " " * (indent + 2)
    rows = [f"{inner}{key}{text_of(child, indent + 2)}" for key, child in zip(keys, children, strict=True)]
    return f"{start}\n" + ",\n".join(rows) + f"\n{' ' * indent}{end}"


def files() -> dict[Path, str]:
    """Every file, with the text that it must have."""
    found = {ROOT / "metrics" / family / "requirements.txt": REQUIREMENTS for family in docie.families()}
    found |= {ROOT / "metrics" / family / "schema.json": text_of(schema) + "\n" for family, schema in SCHEMAS.items()}
    module = ROOT / "src" / "docie" / "__init__.py"
    imports = "".join(f"    from docie.metrics import {name} as {name}\n" for name in docie.families())
    return found | {module: OF_FAMILIES.sub(imports, module.read_text(encoding="utf-8"), count=1)}
