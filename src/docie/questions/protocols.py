"""Which published scores can be made, and how is one of them?"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from docie import protocols as published
from docie.core.values.plain import JsonObject
from docie.inputs.config import entries_of, options_of_config
from docie.protocols import Protocol
from docie.show.result import Facts, Result
from docie.show.section import Part, Section, Table, Text
from docie.show.writers import json_text

ENTRIES = {"published": "published", "faults": "known faults of the original", "compared": "compared"}
"""The lists of a protocol, and their titles."""


@dataclass(frozen=True, kw_only=True)
class ProtocolsResult(Result):
    """Protocols by name.

    Attributes:
        protocols: all of them, or the one that was named.
        is_one: whether one was named, of which everything is shown.
    """

    protocols: Sequence[Protocol]
    is_one: bool = False

    def to_dict(self) -> JsonObject:
        """From each name to what its file says."""
        return {each.name: _without_blanks(dataclasses.asdict(each)) for each in self.protocols}

    def sections(self, *, brief: bool = False) -> Iterator[Section]:
        """A row for each protocol; of one, everything that its file says."""
        if self.is_one:
            yield from _explained(self.protocols[0])
            return
        made = [each for each in self.protocols if not each.missing]
        rows = [[each.name, each.title, each.metric, each.called] for each in made]
        yield Section(
            [Table("published scores", ["protocol", "what it is", "metric", "quoted"], rows, texts=4)], "made"
        )
        waiting = [[each.name, each.title, each.missing] for each in self.protocols if each.missing]
        if waiting:
            table = Table("not made yet", ["protocol", "what it is", "what is missing"], waiting, texts=3)
            yield Section([table], "not made yet", captions=False)


def protocols(*, name: str | None = None) -> ProtocolsResult:
    """The published scores that docie makes by name, as `docie protocols` does.

    Args:
        name (str): one of them; None for all.

    Returns:
        ProtocolsResult: printed, what the command prints; `docie.write` puts it into any form.

    Raises:
        ValueError: if there is none of this name, or if what its file says is wrong.

    >>> protocols(name="docvqa").to_dict()["docvqa"]["quoted"]
    'anls_star'
    """
    names = [*published.names(), *published.names(waiting=True)] if name is None else [name]
    if name is not None:
        published.get(name).check()
    return ProtocolsResult(
        facts=Facts(title="Published scores"),
        signature="",
        protocols=[*map(published.get, names)],
        is_one=name is not None,
    )


def _explained(protocol: Protocol) -> Iterator[Section]:
    parts: list[Part] = [Text(f"{protocol.name}: {protocol.title}")]
    if protocol.missing:
        parts.append(Text(f"Not made yet: {protocol.missing}."))
    else:
        scale = ", in per cent" if protocol.scale == 100 else ""
        parts.append(Text(f"Quoted: {protocol.called} ({protocol.quoted} of {protocol.metric}){scale}."))
        if options := _options(protocol):
            parts.append(Text(f"Options: {', '.join(options)}."))
        parts.append(Text(f"docie score REFERENCES PREDICTIONS --protocol {protocol.name}{_asks(protocol)}", "code"))
    yield Section(parts, "score")
    said = dataclasses.asdict(protocol)
    rows = [[name, value] for name, value in said["reference"].items() if value]
    yield Section([Table("reference", ["", ""], rows, texts=2, is_list=True)], "reference", captions=False)
    for name, title in ENTRIES.items():
        if said[name]:
            yield Section([_table(title, said[name])], title, captions=False)


def _options(protocol: Protocol) -> list[str]:
    """The options of the family and of the reading, as the command line takes them."""
    settings = (
        f"{name}={value if isinstance(value, str) else json_text(value)}" for name, value in protocol.settings.items()
    )
    return [*settings, *entries_of(options_of_config(protocol.reading))]


def _asks(protocol: Protocol) -> str:
    return "".join(f" --{name} FILE" for name in protocol.asks)


def _table(title: str, entries: Sequence[Mapping[str, Any]]) -> Table:
    """A row for each entry; columns of which none has anything are left out."""
    columns = [name for name in entries[0] if any(each[name] != "" for each in entries)]
    rows = [[str(each[name]) for name in columns] for each in entries]
    return Table(title, columns, rows, texts=len(columns), fits=dict.fromkeys(range(len(columns)), "break"))


def _without_blanks(entry: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in entry.items() if value not in ("", (), {})}
