"""How rows are read where references and predictions were written differently. Nothing is changed unless asked for."""

from __future__ import annotations

import dataclasses
import json
import os
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from docie.core.errors import shortened, with_close_names
from docie.core.names import as_texts, read_mapping, read_names, with_groups
from docie.core.normalizers.specs import describe, normalizer_of

SIDES = ("references", "predictions")
RECORDS = ("json", "tables", "pairs", "dotted", "numbered", "columns", "cells")
"""The kinds of records that can be read as groups, in the order in which they are read."""
DATASETS = ("cord", "sroie", "funsd", "xfund", "docvqa", "mp_docvqa", "kleister", "vrdu")
"""The data sets whose records can be read as references in files, by the function of `docie.adapters.records`."""
BY_NAME = "name"
"""What `pages` says of ids that end with the number of a page."""
STRIPPED = ("ending", "folder", "zeros")
"""What `strip_id` removes by name; any other text is itself removed, from the beginning or the end of ids."""
MOST_CHECKED = 10
"""The number of renamed types up to which documents are expected to have each of them."""
Texts = str | Iterable[str]
_LISTS = ("unwrap", "parse", "lines", "strip_id", "ignore", "records", "pages", "failures")
_ENDING = re.compile(r"\.(?=[0-9]?[A-Za-z])[A-Za-z0-9]{1,5}$")
_FOLDER = re.compile(r"^.*[/\\]")
_ZEROS = re.compile(r"(?<![0-9])0+(?=[0-9])")


@dataclass(frozen=True, kw_only=True)
class Reading:
    """How the rows of references and predictions become pairs of documents.

    All options but `parse` are off by default. Each takes the same texts as the option of its name on the command
    line, one or several of them; `docie check` finds which ones are needed.

    Attributes:
        unwrap: where the document stands in a row, a path of keys such as "output.data"; "predictions:output" or
            "references:output" for one side only. JSON text on the way is parsed. A list at that place, in a file
            that is one object, holds the rows.
        parse: how the rows of a file are written: "auto" finds answers of services, exports of annotation tools and, in
            predictions, texts with a JSON object; "no" takes rows as they stand; "llm" or "donut" reads texts, and the
            name of a service or of an annotation tool its answers; "predictions:llm" or "references:llm" for one side
            only.
        lines: the file with the line items of a table of documents, joined by the column of ids; "references:FILE" or
            "predictions:FILE" for one side only. Its column `group`, or else the file, names the group.
        id_key: the key that holds the id of a row, which is not scored; "file:doc_id" names the key of the references
            and that of the predictions; "" for rows without ids. By default, files whose rows all have the key "id" are
            joined by it, and rows in Python by their order.
        strip_id: what is removed from ids before they are compared: "ending" (`.pdf`), "folder" (`scans/`), "zeros"
            (those that numbers begin with), or a text that ids begin or end with, such as "_gt".
        common_ids: compare only the documents whose ids are in both references and predictions.
        missing: "empty" scores a reference without a prediction as an empty document, beside `common_ids` too; "error"
            refuses it.
        rename: entity types or groups of the predictions that have other names in the references: a mapping from the
            name in the predictions to the name in the references, texts such as "lines=line_items", or the path of a
            JSON or YAML file of such a mapping, by which groups follow their values.
        ignore: entity types or groups that are not scored.
        records: how groups are written if not as objects: "numbered" (`{"1": {...}, "2": {...}}`), "columns"
            (`{"name": [...], "price": [...]}`), "cells" (a list of lists, with or without a header), "pairs"
            (`[{"name": ..., "value": ...}]`), "dotted" (`{"vendor.name": ...}`), "tables" (text with tables of HTML or
            Markdown; a document that is such a text has its rows as the group "rows") or "json" (JSON text). Or the
            name of the data set whose records the references in a file are: "cord", "sroie", "funsd", "xfund",
            "docvqa", "mp_docvqa", "kleister" or "vrdu".
        pages: merges rows that are pages to documents: "name" for ids or names of files that end with the number of the
            page (`inv-1_p2`, `inv-1-page-02`, `inv-1.3`, `inv-1 (2)`), any other text for the key of a row that holds
            it, beside the id of the document; "references:name" or "predictions:name" for one side only.
        failures: keys that only the report of a failure has, such as "error": a prediction with one of them counts as
            invalid.
        normalize_by: normalizers by a column of the rows' `meta`, such as `{"country": {"DE": {"total":
            'number(decimal=",")'}}}`, its JSON text, or the path of a JSON file that holds it.

    Raises:
        ValueError: if an option does not take its value.

    >>> str(Reading(unwrap="predictions:output", rename={"lines": "line_items"}))
    'unwrap(predictions:output)+rename(lines=line_items)'
    >>> Reading(records="rows")
    Traceback (most recent call last):
    ...
    ValueError: records must be json, tables, pairs, dotted, numbered, columns, cells or the name of a data set, ...
    """

    unwrap: Texts = ()
    parse: Texts = ()
    lines: Texts = ()
    id_key: str | None = None
    strip_id: Texts = ()
    common_ids: bool = False
    missing: str = "error"
    rename: Texts | Mapping[str, str] = ()
    ignore: Texts = ()
    records: Texts = ()
    pages: Texts = ()
    failures: Texts = ()
    normalize_by: Any = None

    def __post_init__(self) -> None:
        rename = self.rename
        if isinstance(rename, Mapping):
            rename = as_texts(rename)
        texts = {name: _listed(name, getattr(self, name)) for name in _LISTS}
        texts["rename"] = tuple(each for text in _listed("rename", rename) for each in _renames(text))
        for name, value in texts.items():
            object.__setattr__(self, name, value)
        for renamed in texts["rename"]:
            if not all(renamed.partition("=")):
                expected = "PREDICTIONS_NAME=REFERENCES_NAME or a JSON or YAML file"
                raise ValueError(f"rename must be {expected}, got {renamed!r}")
        for kind in texts["records"]:
            if kind not in (*RECORDS, *DATASETS):
                raise ValueError(f"records must be {', '.join(RECORDS)} or the name of a data set, got {kind!r}")
        if len(datasets := {*texts["records"]} & {*DATASETS}) > 1:
            raise ValueError(f"records takes one data set, got {', '.join(sorted(datasets))}")
        if self.missing not in ("error", "empty"):
            raise ValueError(f"missing must be 'error' or 'empty', got {shortened(self.missing)}")
        if not isinstance(self.id_key, str | None):
            raise ValueError(f"id_key must be text, got {shortened(self.id_key)}")
        if not isinstance(self.common_ids, bool):
            raise ValueError(f"common_ids must be True or False, got {shortened(self.common_ids)}")
        if self.normalize_by is not None:
            object.__setattr__(self, "normalize_by", _read_normalize_by(self.normalize_by))

    @classmethod
    def of(cls, value: object) -> Reading | None:
        """The reading that an option asks for: a Reading, or a mapping of its options; None if none is set.

        >>> Reading.of({"ignore": "notes"})
        Reading(unwrap=(), parse=(), lines=(), id_key=None, strip_id=(), common_ids=False, missing='error', ...)
        """
        if value is None or isinstance(value, cls):
            return None if value is None or value.is_plain else value
        if not isinstance(value, Mapping):
            raise ValueError(f"reading must be a docie.Reading or a mapping of its options, got {shortened(value)}")
        known = [each.name for each in dataclasses.fields(cls)]
        if unknown := [name for name in value if name not in known]:
            raise ValueError(f"reading: no option {with_close_names(unknown, known, 5)}")
        return cls.of(cls(**value))

    def with_options(self, **options: Any) -> Reading:
        """The same reading with further options. Those that list texts are added to its own, others take their place.

        >>> str(Reading(ignore="notes").with_options(ignore=["page"], id_key="file"))
        'id_key(file)+ignore(notes,page)'
        """
        changes: dict[str, Any] = {}
        for name, value in options.items():
            own = getattr(self, name)
            changes[name] = (*own, *value) if isinstance(own, tuple) else value
        return dataclasses.replace(self, **changes)

    def __str__(self) -> str:
        """How a signature writes the options that are not at their defaults."""
        parts = []
        for name, value in self.options.items():
            text = _described(value) if name == "normalize_by" else value
            parts.append(f"{name}({','.join(text) if isinstance(text, tuple) else text})")
        return "+".join(parts) or "plain"

    @property
    def options(self) -> dict[str, Any]:
        """The options that are not at their defaults."""
        values = [(each, getattr(self, each.name)) for each in dataclasses.fields(self)]
        return {each.name: value for each, value in values if value != each.default}

    @property
    def is_plain(self) -> bool:
        """Whether no option is set."""
        return not self.options

    @property
    def joins_by_id(self) -> bool:
        """Whether an option is set that only rows joined by id need."""
        asked = self.id_key, self.strip_id, self.common_ids, self.pages
        return any(asked) or self.missing == "empty"

    def id_key_of(self, side: str) -> str:
        """The key of a row that holds its id. `side` is "reference" or "prediction"."""
        references, mark, predictions = ("id" if self.id_key is None else self.id_key).partition(":")
        return predictions if mark and side == "prediction" else references

    def stripped(self, identity: str) -> str:
        """An id without what `strip_id` removes: the folder, the file ending, zeros, then texts in their order.

        >>> Reading(strip_id=["_gt", "ending", "folder"]).stripped("scans/doc-00_gt.pdf")
        'doc-00'
        """
        for name, pattern in (("folder", _FOLDER), ("ending", _ENDING), ("zeros", _ZEROS)):
            identity = pattern.sub("", identity) if name in self.strip_id else identity
        for text in self.strip_id:
            if text not in STRIPPED:
                identity = identity.removeprefix(text).removesuffix(text)
        return identity

    def unwrap_of(self, side: str) -> list[str]:
        """The keys that lead to the document in a row; empty for the row itself."""
        path = self.asked_of("unwrap", side)
        return path.split(".") if path else []

    def asked_of(self, option: str, side: str) -> str:
        """What an option, `unwrap`, `parse`, `lines` or `pages`, says first of a side; an empty text for nothing.

        >>> Reading(unwrap=["references:data", "output"]).asked_of("unwrap", "prediction")
        'output'
        """
        for spec in getattr(self, option):
            name, mark, rest = spec.partition(":")
            if not mark or name not in SIDES:
                return str(spec)
            if name == f"{side}s":
                return str(rest)
        return ""

    @property
    def dataset(self) -> str:
        """The data set whose records the references are; an empty text for documents."""
        return next((name for name in DATASETS if name in self.records), "")

    def renamed(self) -> dict[str, str]:
        """From names in the predictions to names in the references."""
        return dict(text.partition("=")[::2] for text in self.rename)

    def names(self) -> list[str]:
        """The entity types and groups that options name, as documents have them before they are renamed."""
        by_value = next(iter(self.normalize_by.values())).values() if self.normalize_by else ()
        names = self.renamed()
        renamed = names if len(names) <= MOST_CHECKED else ()  # a mapping of a service has more
        return [*renamed, *self.ignore, *(name for each in by_value for name in each)]

    def normalizers(self, meta: object) -> Callable[[str, str], str] | None:
        """The normalizer of the values of a document with this `meta`; None if there is none."""
        if self.normalize_by is None or not isinstance(meta, Mapping):
            return None
        [(column, by_value)] = self.normalize_by.items()
        return normalizer_of(by_value.get(str(meta.get(column))))


def _listed(name: str, value: object) -> tuple[str, ...]:
    values = (value,) if isinstance(value, str) else tuple(value) if isinstance(value, Iterable) else (None,)
    if not all(isinstance(each, str) and each for each in values):
        raise ValueError(f"{name} must be a text or a list of texts, got {shortened(value)}")
    return values


def _renames(text: str) -> list[str]:
    """What a text of the option `rename` asks for: itself, or what the file that it names holds."""
    if "=" in text or not os.path.exists(text):
        return [text]
    try:
        names = with_groups(read_names(text))
    except ValueError as error:
        raise ValueError(f"rename: {error}") from None
    if unreadable := [name for name in names if "=" in name]:
        raise ValueError(f"rename: {text}: the name {shortened(unreadable[0])} has a '='; rename it in the predictions")
    return as_texts(names)


def _read_normalize_by(value: object) -> dict[str, dict[str, Any]]:
    """The option `normalize_by`, read and checked."""
    try:
        if isinstance(value, str):
            value = json.loads(value) if value.lstrip().startswith("{") else read_mapping(value)
    except json.JSONDecodeError as error:
        raise ValueError(f"normalize_by is no JSON ({error})") from None
    except ValueError as error:
        raise ValueError(f"normalize_by: {error}") from None
    problem = f"normalize_by must map one column to {{value: {{entity type: normalizer}}}}, got {shortened(value)}"
    if not isinstance(value, Mapping) or len(value) != 1:
        raise ValueError(problem)
    [(column, by_value)] = value.items()
    if not isinstance(by_value, Mapping) or not all(isinstance(each, Mapping) for each in by_value.values()):
        raise ValueError(problem)
    for each in by_value.values():
        normalizer_of(each)
    return {str(column): {str(name): dict(each) for name, each in by_value.items()}}


def _described(normalize_by: Mapping[str, Mapping[str, Any]]) -> str:
    [(column, by_value)] = normalize_by.items()
    return f"{column}:" + ";".join(f"{value}:{describe(each)}" for value, each in sorted(by_value.items()))
