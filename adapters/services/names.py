"""Names of services → names of yours."""

from __future__ import annotations

import json
from collections.abc import Mapping
from importlib import resources
from pathlib import Path
from typing import Any

import yaml

from docie.core.errors import shortened
from docie.core.values.plain import JsonObject
from docie.documents import restructure


def names(kind: str, service: str) -> dict[str, str]:
    """The names that the ready-made models of a service use, with common names for them.

    Args:
        kind (str): "invoices" or "receipts".
        service (str): the name of the function that reads the answers: "azure_document_intelligence",
            "textract_expense" or "google_document_ai". Others use the names of your schema.

    Returns:
        dict: a mapping for `renamed`.

    Raises:
        ValueError: if there is no such mapping.

    >>> names("invoices", "azure_document_intelligence")["Items.Amount"]
    'items.amount'
    """
    known = {}
    if kind in ("invoices", "receipts"):
        known = json.loads((resources.files(__package__) / f"{kind}.json").read_text(encoding="utf-8"))
    if service not in known:
        raise ValueError(f"expected names for 'invoices' or 'receipts' of a service, got {kind!r}, {service!r}")
    return dict(known[service])


def renamed(document: JsonObject, mapping: Mapping[str, str] | str | Path) -> JsonObject:
    """A copy of a document with other names.

    Args:
        document (dict): the document.
        mapping (dict or path): the path of a name, such as `Items.Amount`, and the path that it gets, such as
            `items.amount`; or a JSON or YAML file of these. Other names stay. A path that is shorter takes a value out
            of its group.

    Returns:
        dict: the copy. Where several values get one name, they are a list.

    Raises:
        ValueError: for a mapping that is not from texts to texts.

    >>> renamed({"VENDOR": {"NAME": "ACME"}, "LineItems": [{"ITEM": "Bagel"}]},
    ...         {"VENDOR.NAME": "vendor", "LineItems.ITEM": "items.name"})
    {'vendor': 'ACME', 'items': [{'name': 'Bagel'}]}
    """
    return restructure.renamed(document, _with_groups(_mapping_of(mapping)))


def _mapping_of(mapping: Mapping[str, str] | str | Path) -> Mapping[str, str]:
    value: Any = mapping
    if isinstance(mapping, str | Path):
        text = Path(mapping).read_text(encoding="utf-8")
        value = json.loads(text) if str(mapping).endswith(".json") else yaml.safe_load(text)
    if not isinstance(value, Mapping) or not all(isinstance(each, str) for pair in value.items() for each in pair):
        raise ValueError(f"expected a mapping from names to names, got {shortened(value)}")
    return value


def _with_groups(mapping: Mapping[str, str]) -> dict[str, str]:
    """The mapping, with the names of groups that follow from those of their values."""
    result = dict(mapping)
    for old, new in mapping.items():
        while "." in old and old.count(".") == new.count("."):
            old, new = old.rpartition(".")[0], new.rpartition(".")[0]
            result.setdefault(old, new)
    return result
