"""Names of services → names of yours."""

from __future__ import annotations

import json
from collections.abc import Mapping
from importlib import resources
from pathlib import Path

from docie.core.errors import shortened
from docie.core.names import read_names, with_groups
from docie.core.values.plain import JsonObject
from docie.documents import renaming


def names(kind: str, service: str) -> dict[str, str]:
    """The names that the ready-made models of a service use, with common names for them.

    Args:
        kind (str): "invoices" or "receipts".
        service (str): whose answers they are: "azure_document_intelligence", "textract_expense" or
            "google_document_ai". Others use the names of your schema.

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
        ValueError: for a mapping that is not from texts to texts, and for a file that cannot be read.

    >>> renamed({"VENDOR": {"NAME": "ACME"}, "LineItems": [{"ITEM": "Bagel"}]},
    ...         {"VENDOR.NAME": "vendor", "LineItems.ITEM": "items.name"})
    {'vendor': 'ACME', 'items': [{'name': 'Bagel'}]}
    """
    found = read_names(mapping) if isinstance(mapping, str | Path) else mapping
    if not isinstance(found, Mapping) or not all(isinstance(each, str) for pair in found.items() for each in pair):
        raise ValueError(f"expected a mapping from names to names, got {shortened(found)}")
    return renaming.renamed(document, with_groups(found))
