"""How rows become documents, and documents pairs, where the references and the predictions were written differently.

Nothing is changed unless asked for. `docie.inputs.config` reads what users ask for.
"""

from __future__ import annotations

import dataclasses
import json
import os
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from docie.core.errors import shortened
from docie.core.leaf_keys import leaf_keys
from docie.core.names import read_mapping, read_names, with_groups
from docie.core.normalizers.specs import describe, normalizer_of

if TYPE_CHECKING:
    from docie.inputs.label_corrections import LabelCorrections

SIDES = ("references", "predictions")
RECORDS = ("json", "tables", "pairs", "paths", "dotted", "numbered", "columns", "cells")
"""The kinds of records that can be read as groups, in the order in which they are read."""
DATASETS = ("cord", "sroie", "funsd", "xfund", "docvqa", "mp_docvqa", "kleister", "vrdu")
"""The data sets whose records can be read, by the function of `docie.adapters.records`."""
ANY_KEY = "*"
"""What `unwrap` says of keys that are the ids of rows."""
TEXTS = ("llm", "donut")
"""What reads texts, as values of `parse`."""
BY_NAME = "name"
"""What `pages` says of ids that end with the number of a page."""
BY_ORDER = "order"
"""What `run` says of answers whose runs have no names: those of one id are numbered as they come."""
BY_ROWS = "rows"
"""What `records` says of rows that are items of documents, each with the id of its document."""
STRIPPED = ("ending", "folder", "zeros", "blanks", "case")
"""What `strip_id` removes by name; any other text is itself removed, from the beginning or the end of ids."""
MOST_CHECKED = 10
"""The number of renamed types up to which documents are expected to have each of them."""
NAMES_FILES = (".json", ".yaml", ".yml")
"""How files of names end."""
Texts = str | Iterable[str]
_LISTS = ("strip_id", "ignore", "records", "failures")
_TEXTS = ("parse", "unwrap", "pages", "lines", "run")
JOINS = {"missing": ("error", "empty", "drop"), "extra": ("error", "drop")}
"""The options of the join, and their values."""
_ENDING = re.compile(r"\.(?=[0-9]?[A-Za-z])[A-Za-z0-9]{1,5}$")
_FOLDER = re.compile(r"^.*[/\\]")
_BLANKS = re.compile(r"\s+")
_ZEROS = re.compile(r"(?<![0-9])0+(?=[0-9])")


@dataclass(frozen=True, kw_only=True)
class Side:
    """How the rows of the references, or of the predictions, become documents.

    Options that take several texts take one, too. `docie check` finds which ones are needed.

    Attributes:
        parse: how rows are written: "auto" finds answers of services, exports of annotation tools and, in predictions
            whose references are objects, texts with a JSON object; "no" takes rows as they stand; "llm" or "donut"
            reads texts, and the name of a service or of an annotation tool its answers.
        unwrap: where the document stands in a row, a path of keys and positions such as "output.data" or
            "choices.0.message". JSON text on the way is parsed. A list at that place, in a file that is one object,
            holds the rows. "*" is the only key that holds an object, whatever its name: of a row with no other key and
            no id, its id; in a file that is one object, each key.
        id: the key that holds the id of a row, or a path of keys such as "answer.doc_id", which is not scored; "" for
            rows without ids. By default, files whose rows all have the key "id" are joined by it, and rows in Python by
            their order.
        strip_id: what is removed from ids before they are compared: "ending" (`.pdf`), "folder" (`scans/`), "zeros"
            (those that numbers begin with), "blanks", "case" (capitals are small letters), or a text that ids begin or
            end with, such as "_gt".
        rename: entity types or groups that the other side names differently: a mapping to the names there, texts such
            as "lines=line_items", or the path of a JSON or YAML file of such a mapping, by which groups follow their
            values.
        ignore: entity types or groups that are not scored, by the names of the other side.
        leaf: the keys of objects that stand for one value: `{"value": "content", "confidence": "score"}` for
            `{"content": "9.15", "score": 0.98}`, with further keys `percent` (a confidence in per cent), `box`, `page`
            and `ignore`; a text names the key of the value alone. A list takes several kinds of objects. With `*` for
            the key of the value, facts stand beside it: `{"value": "*", "confidence": "*_confidence"}`. Of lists, the
            keys are positions: `{"value": "0", "confidence": "1"}` for `["9.15", 0.98]`.
        records: how groups are written if not as objects: "numbered" (`{"1": {...}, "2": {...}}`), "columns"
            (`{"name": [...], "price": [...]}`), "cells" (a list of lists, with or without a header, or with the header
            under another key beside it), "pairs" (`[{"name": ..., "value": ...}]`, `[["total", ...]]`), "paths"
            (`{"items[0].name": ...}`, `items_1_name`, `name_1`), "dotted" (`{"vendor.name": ...}`), "tables" (text with
            tables of HTML, Markdown or CSV; a document that is such a text has its rows as the group "rows") or "json"
            (JSON text). "rows" is a table with a row for each item: rows of one id are a document, and columns that
            differ in them, as `items.name` or in the group "items", its items; cells that repeat those above may be
            blank. Or the name of the data set whose records the rows are: "cord", "sroie", "funsd", "xfund", "docvqa",
            "mp_docvqa", "kleister" or "vrdu".
        pages: merges rows that are pages to documents: "name" for ids or names of files that end with the number of the
            page (`inv-1_p2`, `inv-1-page-02`, `inv-1.3`, `inv-1 (2)`), any other text for the key of a row that holds
            it, beside the id of the document.
        failures: keys that only the report of a failure has, such as "error": a prediction with one of them counts as
            invalid.
        lines: the file with the line items of a table of documents, joined by the column of ids. Its column `group`, or
            else the file, names the group.
        run: of predictions, several answers for each document: the key of a row that names the run which gave it, or
            "order" for answers of one id in the order of their runs. Documents count once, with the mean of their
            answers (docs/runs.md).

    Raises:
        ValueError: if an option does not take its value.

    >>> Side(records="lines")
    Traceback (most recent call last):
    ...
    ValueError: records must be json, tables, pairs, paths, dotted, numbered, columns, cells, rows or the name of ...
    """

    parse: str = "auto"
    unwrap: str = ""
    id: str | None = None
    strip_id: Texts = ()
    rename: Texts | Mapping[str, str] = ()
    ignore: Texts = ()
    leaf: Any = ()
    records: Texts = ()
    pages: str = ""
    failures: Texts = ()
    lines: str = ""
    run: str = ""

    def __post_init__(self) -> None:
        for name in _LISTS:
            object.__setattr__(self, name, _listed(name, getattr(self, name)))
        object.__setattr__(self, "rename", _renames(self.rename))
        object.__setattr__(self, "leaf", leaf_keys(self.leaf))
        for name in _TEXTS:
            if not isinstance(getattr(self, name), str):
                raise ValueError(f"{name} must be text, got {shortened(getattr(self, name))}")
        if not isinstance(self.id, str | None):
            raise ValueError(f"id must be text, got {shortened(self.id)}")
        for kind in self.records:
            if kind not in (*RECORDS, BY_ROWS, *DATASETS):
                raise ValueError(
                    f"records must be {', '.join((*RECORDS, BY_ROWS))} or the name of a data set, got {kind!r}"
                )
        if len(datasets := {*self.records} & {*DATASETS}) > 1:
            raise ValueError(f"records takes one data set, got {', '.join(sorted(datasets))}")
        for name, is_set in {"pages": self.pages, "lines": self.lines, "records": self.has_item_rows}.items():
            if self.run and is_set:
                raise ValueError(f"run takes rows that are whole answers, so it does not go with {name}")

    @property
    def id_key(self) -> str:
        """The key of a row that holds its id."""
        return "id" if self.id is None else self.id

    @property
    def path(self) -> list[str]:
        """The keys that lead to the document in a row; empty for the row itself."""
        return self.unwrap.split(".") if self.unwrap else []

    @property
    def dataset(self) -> str:
        """The data set whose records the rows are; an empty text for documents."""
        return next((name for name in DATASETS if name in self.records), "")

    @property
    def renamed(self) -> dict[str, str]:
        """From names here to names on the other side."""
        return dict(self.rename)  # type: ignore[arg-type]

    @property
    def has_item_rows(self) -> bool:
        """Whether rows are items of documents."""
        return BY_ROWS in self.records

    @property
    def names(self) -> dict[str, list[str]]:
        """The entity types and groups that options name, by option: those that documents are expected to have."""
        renamed = self.renamed if len(self.renamed) <= MOST_CHECKED else ()  # a mapping of a service has more
        return {"rename": [*renamed], "ignore": [*self.ignore]}

    def stripped(self, identity: str) -> str:
        """An id without what `strip_id` removes: the folder, the file ending, zeros, blanks, capitals, then texts.

        >>> Side(strip_id=["_gt", "ending", "folder"]).stripped("scans/doc-00_gt.pdf")
        'doc-00'
        """
        if not self.strip_id:
            return identity
        patterns = (("folder", _FOLDER), ("ending", _ENDING), ("zeros", _ZEROS), ("blanks", _BLANKS))
        for name, pattern in patterns:
            identity = pattern.sub("", identity) if name in self.strip_id else identity
        fold = str.casefold if "case" in self.strip_id else str
        identity = fold(identity)
        for text in self.strip_id:
            if text not in STRIPPED:
                identity = identity.removeprefix(fold(text)).removesuffix(fold(text))
        return identity


SIDE_OPTIONS = tuple(each.name for each in dataclasses.fields(Side))
"""The options of one side."""


@dataclass(frozen=True, kw_only=True)
class Reading:
    """How the rows of references and predictions become pairs of documents.

    Attributes:
        references, predictions: how the rows of each become documents.
        missing: a reference without a prediction, where rows have ids: "error"; "empty" scores it against an empty
            document; "drop" leaves it out.
        extra: a prediction without a reference: "error", or "drop".
        normalize_by: normalizers by a column of the rows' `meta`, such as `{"country": {"DE": {"total":
            'number(decimal=",")'}}}`, its JSON text, or the path of a JSON file that holds it.
        corrections: what people found wrong in the references; None for nothing. It is no option: a signature says how
            many labels it changes.
        systems: how the predictions of one of several systems are read, by its name, if not as `predictions`.
        values: options of families that say when values are equal, by name, for those that are not set otherwise.
        protocol: from the name of a family to that of the protocol by which it scores, for signatures.

    Raises:
        ValueError: if an option does not take its value.

    >>> str(Reading(predictions=Side(unwrap="output", rename={"lines": "line_items"}), missing="empty"))
    'join.missing(empty)+predictions.rename(lines=line_items)+predictions.unwrap(output)'
    """

    references: Side = field(default_factory=Side)
    predictions: Side = field(default_factory=Side)
    missing: str = "error"
    extra: str = "error"
    normalize_by: Any = None
    corrections: LabelCorrections | None = None
    systems: Mapping[str, Side] = field(default_factory=dict, compare=False)
    values: Mapping[str, Any] = field(default_factory=dict, compare=False)
    protocol: Mapping[str, str] = field(default_factory=dict, compare=False)

    def __post_init__(self) -> None:
        for name, choices in JOINS.items():
            if getattr(self, name) not in choices:
                expected = " or ".join(map(repr, choices))
                raise ValueError(f"{name} must be {expected}, got {shortened(getattr(self, name))}")
        if self.references.run:
            raise ValueError("run goes with predictions; a document has one reference")
        if self.normalize_by is not None:
            object.__setattr__(self, "normalize_by", _read_normalize_by(self.normalize_by))

    def side(self, name: str) -> Side:
        """How the rows of "reference" or "prediction" become documents."""
        return self.references if name == "reference" else self.predictions

    def of_system(self, name: str) -> Reading:
        """How the references, and the predictions of one of several systems, are read."""
        return dataclasses.replace(self, predictions=self.systems.get(name, self.predictions))

    @property
    def has_runs(self) -> bool:
        """Whether a document may have several answers."""
        return any(side.run for side in (self.predictions, *self.systems.values()))

    def check_one_run(self, what: str) -> None:
        """Raise ValueError if a document may have several answers, of which `what` takes one."""
        if self.has_runs:
            raise ValueError(f"run: {what} takes one answer for each document; score, compare and errors take several")

    def with_run(self, run: str | None) -> Reading:
        """The same reading of predictions with several answers for each document; None for as it is."""
        return self if run is None else self.with_options({"predictions.run": run})

    def with_options(self, options: Mapping[str, Any]) -> Reading:
        """The same reading with further options, by their names: "join.missing", "predictions.rename".

        Those that list texts are added to what it has, others take its place.

        >>> str(Reading(predictions=Side(ignore="notes")).with_options({"predictions.ignore": ["page"]}))
        'predictions.ignore(notes,page)'
        """
        changed: dict[str, Any] = {}
        for name, value in options.items():
            section, _, option = name.partition(".")
            if section not in SIDES:
                changed[option] = value
                continue
            now = changed.get(section, getattr(self, section))
            own = getattr(now, option)
            if option == "rename":
                value = {**dict(own), **dict(value)}
            elif isinstance(own, tuple):
                value = [*own, *([value] if isinstance(value, str | Mapping) else value)]
            changed[section] = dataclasses.replace(now, **{option: value})
            if section == "predictions":  # of systems that say nothing else of their own, too
                changed["systems"] = {
                    system: dataclasses.replace(how, **{option: value}) if getattr(how, option) == own else how
                    for system, how in changed.get("systems", self.systems).items()
                }
        return dataclasses.replace(self, **changed)

    @property
    def options(self) -> dict[str, Any]:
        """The options that are not at their defaults, by the names that `docie.toml` has for them."""
        options = {f"{side}.{name}": value for side in SIDES for name, value in _set_options(getattr(self, side))}
        for system, how in self.systems.items():
            own = [each for each in SIDE_OPTIONS if getattr(how, each) != getattr(self.predictions, each)]
            options |= {f"systems.{system}.{name}": getattr(how, name) for name in own}
        sections = {**dict.fromkeys(JOINS, "join"), "normalize_by": "values"}
        return options | {f"{sections[name]}.{name}": value for name, value in _set_options(self) if name in sections}

    def __str__(self) -> str:
        """How a signature writes the options that are not at their defaults."""
        return "+".join(f"{name}({_described(name, value)})" for name, value in sorted(self.options.items())) or "plain"

    @property
    def is_plain(self) -> bool:
        """Whether no option is set."""
        return self == PLAIN

    @property
    def joins_by_id(self) -> bool:
        """Whether an option is set that only rows joined by id need."""
        sides = (self.references, self.predictions)
        needs_ids = any(side.id or side.strip_id or side.pages or side.run or side.has_item_rows for side in sides)
        return needs_ids or self.missing != "error" or self.extra != "error"

    def normalizer(self, meta: Mapping[str, object]) -> Callable[[str, str], str] | None:
        """The normalizer of the values of a pair with this `meta`; None if there is none."""
        if self.normalize_by is None:
            return None
        [(column, by_value)] = self.normalize_by.items()
        return normalizer_of(by_value.get(str(meta.get(column))))


def _set_options(options: Any) -> list[tuple[str, Any]]:
    values = [(each, getattr(options, each.name)) for each in dataclasses.fields(options)]
    return [(each.name, value) for each, value in values if value != each.default]


def _listed(name: str, value: object) -> tuple[str, ...]:
    values = (value,) if isinstance(value, str) else tuple(value) if isinstance(value, Iterable) else (None,)
    if not all(isinstance(each, str) and each for each in values):
        raise ValueError(f"{name} must be a text or a list of texts, got {shortened(value)}")
    return values


def _renames(value: object) -> tuple[tuple[str, str], ...]:
    """Names with their new names, from a mapping, from texts, or from the files that texts name."""
    if isinstance(value, tuple) and all(isinstance(each, tuple) for each in value):
        value = dict(value)
    if isinstance(value, Mapping):
        pairs = [*value.items()]
    else:
        pairs = [pair for text in _listed("rename", value) for pair in _renames_of(text)]
    for old, new in pairs:
        if isinstance(old, str) and "=" in old:
            raise ValueError(f"rename: the name {shortened(old)} has a '='; rename it in the predictions")
        if not (isinstance(old, str) and isinstance(new, str) and old and new):
            raise ValueError(f"rename must map names to names, got {shortened(f'{old}={new}')}")
    return tuple(dict(pairs).items())


def _renames_of(text: str) -> list[tuple[str, str]]:
    old, mark, new = text.partition("=")
    if mark:
        return [(old, new)]
    service, mark, kind = text.partition(":")  # such as textract_expense:invoices
    from docie.adapters import services  # with them, readers of answers are loaded

    if not mark and not (os.path.exists(text) or text.lower().endswith(NAMES_FILES)):
        expected = "OLD=NEW, a mapping of such names, a JSON or YAML file with one, or names of a service such as"
        raise ValueError(f"rename must be {expected} textract_expense:invoices, got {text!r}")
    try:
        names = with_groups(services.names(kind, service) if mark and not os.path.exists(text) else read_names(text))
    except ValueError as error:
        raise ValueError(f"rename: {error}") from None
    if unreadable := [name for name in names if "=" in name]:
        raise ValueError(f"rename: {text}: the name {shortened(unreadable[0])} has a '='; rename it in the predictions")
    return [*names.items()]


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


def _described(name: str, value: Any) -> str:
    if name == "values.normalize_by":
        [(column, by_value)] = value.items()
        return f"{column}:" + ";".join(f"{each}:{describe(spec)}" for each, spec in sorted(by_value.items()))
    if name.endswith(".rename"):
        return ",".join(f"{old}={new}" for old, new in value)
    if name.endswith(".leaf"):
        return ";".join(map(str, value))
    return ",".join(value) if isinstance(value, tuple) else str(value)


def both(option: str, value: Any) -> dict[str, Any]:
    """The same option of both sides."""
    return {f"{side}.{option}": value for side in SIDES}


PLAIN = Reading()
"""Rows as they stand."""
