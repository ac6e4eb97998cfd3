"""Documents in groups: those of one vendor, template or language, as the `meta` of their wrappers says."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from docie.core.counts import Counts
from docie.core.errors import DocumentError, errors_of_document, shortened, warn, with_close_names
from docie.core.family import Family
from docie.core.values.plain import scalar_text
from docie.corpus import bootstrap, spread
from docie.corpus.shapes import quoted
from docie.corpus.spread import Figures
from docie.documents.rows import Opened

WITHOUT = "(none)"
"""Stands for documents without a value. A value of this text means the same."""
_KNOWN = 1000
"""The number of names that are kept for the message about a column that no document has."""

OpenedPair = tuple[Opened, Opened]


class Column:
    """A column of `meta`, read document by document.

    Args:
        name: the name of the column.
        option: the option that names it, for messages.
        without: what becomes of documents without a value, for messages.

    Raises:
        ValueError: for what is no name.
    """

    def __init__(self, name: str, *, option: str = "group_by", without: str = f"are listed as {WITHOUT!r}") -> None:
        if not isinstance(name, str) or not name:
            raise ValueError(f"{option} must be the name of a column in meta, got {shortened(name)}")
        self.name, self.option, self.without_text = name, option, without
        self.documents = self.without = 0
        self.known: dict[str, None] = {}

    def value_of(self, predicted: Opened, expected: Opened) -> str:
        """The value of a document as text: the reference's, else the prediction's; `WITHOUT` if there is none.

        Raises:
            DocumentError: if `meta` is no object, and if the value is no single one.

        >>> row = Opened({}, meta={"vendor": "ACME", "pages": 2.0})
        >>> Column("vendor").value_of(Opened({}), row), Column("pages").value_of(row, Opened({}))
        ('ACME', '2')
        """
        self.documents += 1
        for side, meta in (("reference", expected.meta), ("prediction", predicted.meta)):
            text = self._text(meta, side)
            if text is not None and text.strip() and text != WITHOUT:
                return text
        self.without += 1
        return WITHOUT

    def _text(self, meta: Any, side: str) -> str | None:
        if meta is None:
            return None
        if not isinstance(meta, Mapping):
            raise DocumentError(f"meta must be an object, got {shortened(meta)}", side=side)
        if len(self.known) < _KNOWN:
            self.known |= dict.fromkeys(map(str, meta))
        value = meta.get(self.name)
        try:
            return scalar_text(value)
        except (TypeError, ValueError):
            problem = f"{self.name!r} in meta must be a text, a number or a boolean, got {shortened(value)}"
            raise DocumentError(problem, side=side) from None

    def check(self) -> None:
        """Raise ValueError if no document has the column; warn of those that have not."""
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


class Groups:
    """The counts of each group of documents.

    Args:
        name: the column of `meta` that says which group a document belongs to.
        keeps_documents: whether the counts of each document are kept, as intervals need them.
    """

    def __init__(self, name: str, *, keeps_documents: bool = False) -> None:
        self.column = Column(name)
        self.counts: dict[str, Counts] = {}
        self.kept: dict[str, bootstrap.Stack] | None = {} if keeps_documents else None
        self._waiting: deque[str] = deque()  # the groups of documents that were read, and are not counted yet

    def watch(self, pairs: Iterable[OpenedPair]) -> Iterator[OpenedPair]:
        """Pass the pairs on, and look at their groups."""
        for number, pair in enumerate(pairs):
            with errors_of_document(number):
                self._waiting.append(self.column.value_of(*pair))
            yield pair

    def add_counts(self, counts: Iterable[Counts]) -> None:
        """Add the counts of the next documents, one of each."""
        by_group: dict[str, list[Counts]] = {}
        for each in counts:
            by_group.setdefault(self._waiting.popleft(), []).append(each)
        for name, of_group in by_group.items():
            self.counts.setdefault(name, Counts()).__iadd__(Counts.sum_of(of_group))
            if self.kept is not None:
                self.kept.setdefault(name, bootstrap.Stack()).extend(of_group)

    def to_json(self) -> dict[str, Any]:
        """Plain JSON values, for `add`."""
        column = self.column
        return {
            "name": column.name,
            "documents": column.documents,
            "without": column.without,
            "known": [*column.known],
            "counts": {name: counts.to_json() for name, counts in self.counts.items()},
            "kept": self.kept and {name: stack.to_json() for name, stack in self.kept.items()},
        }

    def add(self, other: Mapping[str, Any]) -> None:
        """Add the groups of another part of the corpus, the result of `to_json`."""
        self.column.documents += other["documents"]
        self.column.without += other["without"]
        self.column.known |= dict.fromkeys(other["known"])
        for name, counts in other["counts"].items():
            self.counts.setdefault(name, Counts()).__iadd__(Counts.from_json(counts))
        for name, stack in (other["kept"] or {}).items():
            if self.kept is not None:
                self.kept.setdefault(name, bootstrap.Stack()).add(bootstrap.Stack.from_json(stack))

    def figures(
        self, family: Family, confidence_level: float | None, interval: str, **sampling: int
    ) -> dict[str, dict[str, Any]]:
        """The figures of each group, in the order of `in_order`.

        Args:
            family: whose counts these are.
            confidence_level: the level of intervals; None for none.
            interval, **sampling: how they are made, as for `evaluate`.
        """
        table = {}
        for name, counts in in_order(self.counts):
            scores = family.score(counts)
            table[name] = {"documents": counts.documents, **scores}
            if self.kept is not None and confidence_level is not None:
                figures = Figures(family, scores, {}, counts.documents)
                table[name] |= spread.intervals_of(figures, self.kept[name], confidence_level, interval, **sampling)
        return table


def in_order(counts: Mapping[str, Counts]) -> list[tuple[str, Counts]]:
    """Groups with their counts: those with most documents first, documents without a group last.

    Args:
        counts (dict): from each group to the counts of its documents.

    Returns:
        list of (str, Counts): the same, in order.

    >>> [name for name, _ in in_order({"(none)": Counts(9), "a": Counts(1), "c": Counts(2), "b": Counts(2)})]
    ['b', 'c', 'a', '(none)']
    """
    return sorted(counts.items(), key=lambda item: (item[0] == WITHOUT, -item[1].documents, item[0]))
