"""A column of `meta`, by which documents are grouped or belong together."""

from __future__ import annotations

from collections.abc import Mapping

from docie.core.errors import DocumentError, shortened, warn, with_close_names
from docie.core.values.plain import JsonObject, scalar_text
from docie.inputs.fit.input_checks import quoted
from docie.inputs.row import Row

WITHOUT = "(none)"
"""The group of documents without a value. A value with this text means the same."""
_KNOWN = 1000
"""The number of names that the message about a missing column lists."""


class Column:
    """A column of `meta`, read document by document.

    Args:
        name: the name of the column, or of an object in `meta` and a key in it, such as "source.service".
        option: the option that names it, for messages.
        without: what happens to documents without a value, for messages.

    Raises:
        ValueError: if it is not a name.
    """

    def __init__(self, name: str, *, option: str = "group_by", without: str = f"are listed as {WITHOUT!r}") -> None:
        if not isinstance(name, str) or not name:
            raise ValueError(f"{option} must be the name of a column in meta, got {shortened(name)}")
        self.name, self.option, self.without_text = name, option, without
        self.documents = self.without = 0
        self.known: dict[str, None] = {}

    def value_of(self, predicted: Row, expected: Row) -> str:
        """The value of a document as text: the reference's, or else the prediction's; `WITHOUT` if there is none. Of
        `source`, which says who answered, the prediction's goes first.

        Raises:
            DocumentError: if `meta` is not an object, or if the value is not a single one.

        >>> row = Row({}, meta={"vendor": "ACME", "pages": 2.0})
        >>> Column("vendor").value_of(Row({}), row), Column("pages").value_of(row, Row({}))
        ('ACME', '2')
        """
        self.documents += 1
        metas = [("reference", expected.meta), ("prediction", predicted.meta)]
        for side, meta in metas[::-1] if self.name.startswith("source.") else metas:
            text = self._text(meta, side)
            if text is not None and text.strip() and text != WITHOUT:
                return text
        self.without += 1
        return WITHOUT

    def _text(self, meta: object, side: str) -> str | None:
        if meta is None:
            return None
        if not isinstance(meta, Mapping):
            raise DocumentError(f"meta must be an object, got {shortened(meta)}", side=side)
        if len(self.known) < _KNOWN:
            self.known |= dict.fromkeys(map(str, meta))
        value = meta.get(self.name)
        if value is None and "." in self.name:
            holder, _, key = self.name.partition(".")
            inner = meta.get(holder)
            value = inner.get(key) if isinstance(inner, Mapping) else None
        try:
            return scalar_text(value)
        except (TypeError, ValueError):
            problem = f"{self.name!r} in meta must be a text, a number or a boolean, got {shortened(value)}"
            raise DocumentError(problem, side=side) from None

    def __add__(self, other: Column) -> Column:
        total = Column(self.name, option=self.option, without=self.without_text)
        total.documents, total.without = self.documents + other.documents, self.without + other.without
        total.known = self.known | other.known
        return total

    def to_json(self) -> JsonObject:
        """Plain JSON values, for `from_json`."""
        return {"name": self.name, "documents": self.documents, "without": self.without, "known": [*self.known]}

    @classmethod
    def from_json(cls, value: JsonObject, **words: str) -> Column:
        """The column that `to_json` wrote; `words` are `option` and `without`.

        Raises:
            ValueError: if `to_json` did not write this value.
        """
        try:
            column = cls(value["name"], **words)
            column.documents, column.without = int(value["documents"]), int(value["without"])
            column.known = dict.fromkeys(value["known"])
        except (KeyError, TypeError):
            raise ValueError(f"expected the JSON of a column of meta, got {shortened(value)}") from None
        return column

    def check(self) -> None:
        """Raise ValueError if no document has the column; warn of documents without it."""
        if not self.without:
            return
        if self.without == self.documents:
            others = [name for name in self.known if name != self.name]
            names, hint = with_close_names([self.name], others), ""
            if not others:
                hint = f'; a row has one as {{"reference": {{...}}, "meta": {{"{self.name}": ...}}}}'
            elif names == repr(self.name):
                hint = f"; it holds {quoted(others, 5)}"
            raise ValueError(f"{self.option}: no document has a value in its meta for {names}{hint}")
        number = f"{self.without} of {self.documents} documents"
        warn(f"{self.option}: {number} have no {self.name!r} in meta, and {self.without_text}")
