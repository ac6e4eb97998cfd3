"""Documents with the names of the other side: records as groups, other names, and without what is not scored."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from docie.core.errors import DocumentError
from docie.core.values.json_text import TOO_DEEP, is_deep
from docie.core.values.plain import JsonObject
from docie.documents.attacked import ATTACKS
from docie.documents.leaf_objects import with_leaves
from docie.documents.renaming import changed, new_name, renamed
from docie.documents.tagging.type_names import with_types
from docie.inputs.kinds import entity_types, input_kind_of
from docie.inputs.reading import BY_ROWS, Side
from docie.inputs.records import with_records
from docie.inputs.row import Row

Normalize = Callable[[str, str], str]


class Shape:
    """What gives the documents of one side their names, and knows which of the names in options it never saw.

    Args:
        side: "prediction" or "reference".
        how: how documents are read.
        looks: whether names in options that no document has are looked for.

    >>> side = Side(rename={"lines": "menu"}, records="numbered")
    >>> Shape("prediction", side).of(Row({"lines": {"1": {"nm": "Latte"}}})).document
    {'menu': [{'nm': 'Latte'}]}
    """

    def __init__(self, side: str, how: Side, *, looks: bool = True) -> None:
        self.side, self.how = side, how
        self.names, self.ignored = how.renamed, frozenset(how.ignore)
        self.records = [kind for kind in how.records if kind not in (how.dataset, BY_ROWS)]
        self.is_plain = not (self.names or self.ignored or self.records or how.leaf)
        self.unseen = how.names if looks else {}
        self.types = set[str]()

    def of(self, row: Row) -> Row:
        """The row with its document as it is asked for.

        Raises:
            DocumentError: for one that is nested too deep, as one in Python may be.
        """
        _check_depth(row.document, self.side)
        document = self.grouped(row.document)
        if self.records:
            _check_depth(document, self.side)  # dotted keys and JSON in JSON make it deeper
        return self.named(row._replace(document=document))

    def named(self, row: Row) -> Row:
        """The row with other names in its document, and without what is not scored."""
        return row._replace(document=self._named(row.document)) if self.names or self.ignored else row

    def grouped(self, document: Any) -> Any:
        """The document with its records as groups, and its objects that stand for a value as values."""
        if not (self.records or self.how.leaf) or input_kind_of(document) not in ("document", "value", "attacked"):
            return document
        if input_kind_of(document) == "attacked":
            return _each_version(document, self.grouped)
        document = self._with_leaves(document)
        return self._with_leaves(with_records(document, self.records)) if self.records else document

    def _with_leaves(self, document: Any) -> Any:
        return with_leaves(document, self.how.leaf) if self.how.leaf and isinstance(document, dict) else document

    def _named(self, document: Any) -> Any:
        if any(self.unseen.values()):
            self._look(document)
        kind = input_kind_of(document)
        if kind == "attacked":
            return _each_version(document, self._named)
        if kind not in ("document", "value"):
            return with_types(document, self._type)
        if not isinstance(document, dict):
            return document
        document = renamed(document, self.names) if self.names else document
        return changed(document, self.ignored) if self.ignored else document

    def _type(self, name: str) -> str | None:
        new = new_name(name, self.names)
        return None if new in self.ignored else new

    def _look(self, document: Any) -> None:
        types = entity_types(document, self.side)
        new = {new_name(name, self.names) for name in types}
        self.types |= types
        for option, names in self.unseen.items():
            seen = types | new if option == "ignore" else types
            self.unseen[option] = [name for name in names if not _has(seen, name)]


def _check_depth(document: object, side: str) -> None:
    if is_deep(document):
        raise DocumentError(TOO_DEEP, side=side)


def _has(types: set[str], name: str) -> bool:
    """Whether there is an entity type or a group of this name."""
    return name in types or any(each.startswith(name + ".") for each in types)


def _each_version(document: JsonObject, change: Callable[[Any], Any]) -> JsonObject:
    """A form with attacked versions, each of which is changed."""
    return {ATTACKS: {attack: change(version) for attack, version in document[ATTACKS].items()}}


def normalized(document: Any, normalize: Normalize) -> Any:
    """A document whose texts are normalised by their entity types."""
    kind = input_kind_of(document)
    if kind == "attacked":
        return _each_version(document, lambda version: normalized(version, normalize))
    if kind not in ("document", "value"):
        return with_types(document, lambda name: name, normalize)
    return changed(document, normalize=normalize) if isinstance(document, dict) else document


def empty_document(reference: object) -> object:
    """What stands for a missing prediction: nothing; of tags, which need a number of them, an invalid prediction."""
    return [] if input_kind_of(reference) in (None, "entities", "boxes") else {}
