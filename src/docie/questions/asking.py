"""What all questions share: which families answer, with which settings, and of what."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path, PurePath
from typing import Any, NamedTuple

from docie.core.errors import DocumentError
from docie.core.family import Family, check_options, families, get, options_of, path, settings_of
from docie.core.settings import filled
from docie.inputs.config import Config, reading_of
from docie.inputs.files import ROWS, Files
from docie.inputs.kinds import check_input_kind
from docie.inputs.reading import Reading
from docie.protocols import Protocol
from docie.protocols import get as protocol_named
from docie.show.result import Facts

DEFAULT_FAMILIES = {
    "document": "kieval",
    "tagged words": "entity_f1",
    "tags": "entity_f1",
    "entities": "oi_entities",
    "boxes": "box_iou",
    "attacked": "form_robustness",
    "value": "kieval",
}
"""The family for each kind of input, if none is named."""


class Asked(NamedTuple):
    """How a question is to be answered: by which protocol, if any, and metrics, with which options and reading."""

    protocol: Protocol | None
    metric: str | Sequence[str] | None
    options: dict[str, Any]
    reading: Reading


def by_protocol(
    protocol: str | None, metric: str | Sequence[str] | None, options: dict[str, Any], config: Config
) -> Asked:
    """What a protocol says in place of a user, or what the user says.

    Raises:
        ValueError: for an unknown protocol, one that cannot be made yet, and for options that contradict it.
    """
    named = [metric] if isinstance(metric, str) else [*(metric or ())]
    if protocol is None:
        for name in named:
            if name != "all":
                path(name)  # raises if it is no family
        return Asked(None, metric, options, reading_of(config))
    found = protocol_named(protocol)
    if found.missing:
        raise ValueError(f"protocol {protocol} cannot be made yet: {found.missing}")
    found.check()
    if named and {*named} != {found.metric}:
        raise ValueError(f"metric: protocol {protocol} has {found.metric}, got {', '.join(named)}")
    given = {name: value for name, value in options.items() if value is not None}
    return Asked(found, found.metric, found.with_options(given), found.with_config(config))


def families_for(metric: str | Sequence[str] | None, input_kind: str) -> dict[str, Family]:
    """The families that were named. "all" stands for those that read this kind of input.

    Raises:
        ValueError: for an unknown family, and for one that does not read this kind of input.
    """
    chosen: dict[str, Family] = {}
    for name in [metric] if isinstance(metric, str) else metric or [DEFAULT_FAMILIES[input_kind]]:
        if name == "all":
            chosen |= {each: get(each) for each in families() if input_kind in get(each).INPUTS}
        else:
            chosen[name] = get(name)
            check_input_kind(name, chosen[name].INPUTS, input_kind)
    return chosen


def settings_for(
    chosen: Mapping[str, Family],
    options: Mapping[str, object],
    reading: Reading,
    protocol: Protocol | None = None,
) -> dict[str, Any]:
    """The settings of every family. Each takes those of the options that it has.

    Args:
        chosen: the families.
        options: the options by name; None for those that are not given.
        reading: the values of a configuration are those of options that are not given.
        protocol: what sets options, for its own metric alone.

    Raises:
        ValueError: for an option that none of the families has, and for a value that an option does not take.
    """
    given = {name: value for name, value in options.items() if value is not None}
    known = {name: {*options_of(family)} for name, family in chosen.items()}
    if protocol is not None:
        for name in known.keys() - {protocol.metric}:
            known[name] -= {*protocol.settings, *protocol.asks}
    check_options(given, set().union(*known.values()), owner=", ".join(chosen))
    return {
        name: filled(
            settings_of(family, {option: value for option, value in given.items() if option in known[name]}),
            reading.values,
        )
        for name, family in chosen.items()
    }


def facts_of(files: Files, notes: Iterable[str], *, joined_by: str = "") -> Facts:
    """How a result of files was made. It is named for them."""
    return facts_named(files.names, notes, joined_by=joined_by or files.joined_by)


def facts_named(names: tuple[str, str], notes: Iterable[str], *, joined_by: str = "") -> Facts:
    """How a result of references and predictions with these names was made; rows in Python have none of their own."""
    data, system = ("" if name in ROWS else short_name(name) for name in names)
    return Facts(
        title=f"{system} on {data}" if system and data else Facts.title,
        system=system,
        data=data,
        references=names[0],
        predictions=names[1],
        joined_by=joined_by,
        notes=list(dict.fromkeys(notes)),
    )


def short_name(path: str) -> str:
    """What a file is called in a title: its name without what all are called, else that of its folder.

    >>> short_name("receipts/references.jsonl"), short_name("receipts/predictions-hasty.jsonl"), short_name("cord.csv")
    ('receipts', 'hasty', 'cord')
    """
    stem = PurePath(path).stem
    own = re.sub(r"^(predictions?|references?|ground[-_]truth)([-_. ]+|$)", "", stem)
    return own or (Path(path).absolute().parent.name if stem.startswith(("ref", "ground")) else stem)


@contextmanager
def advice(metric: str | Sequence[str] | None, input_kind: str) -> Iterator[None]:
    """Inside this block, errors of what the selected metric does not score name the metric that does."""
    try:
        yield
    except DocumentError as error:
        if not metric and input_kind == "value" and ("must be a JSON" in error.problem or "not JSON" in error.problem):
            error.problem += '; metric="anls_star" scores texts, numbers and lists'
        if not metric and input_kind == "tagged words" and error.problem.startswith("expected as many tags"):
            error.problem += '; metric="oi_entities" scores entities of pages with other words'
        raise
