"""The error for bad input, and helpers for all error messages."""

from __future__ import annotations

import inspect
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from difflib import get_close_matches
from traceback import walk_stack
from types import TracebackType

_OWN = ("docie", "evaluate", "evaluate_modules", "contextlib")


class DocumentError(ValueError):
    """A document cannot be scored. The message is one line with the place, what was expected and what was got.

    Args:
        problem: what is wrong.
        entity: the entity type with the problem, such as "menu.price".
        item: the element of a list with the problem, such as "box 4".
        side: "prediction" or "reference".
        document: the position in the corpus (counted from 0), or another place ("predictions.jsonl:17"). The code that
            raises the error often does not know it; a caller that knows it adds it.
        system: the name of the system that made the prediction, if several are compared.

    >>> print(DocumentError("confidence must be between 0 and 1, got 1.7", entity="menu.price", document=3))
    document 3, entity 'menu.price': confidence must be between 0 and 1, got 1.7
    """

    def __init__(
        self,
        problem: str,
        *,
        entity: str | None = None,
        item: str | None = None,
        side: str | None = None,
        document: int | str | None = None,
        system: str | None = None,
    ) -> None:
        super().__init__(problem)
        self.problem = problem
        self.entity = entity
        self.item = item
        self.side = side
        self.document = document
        self.system = system

    def __str__(self) -> str:
        where = [] if self.system is None else [shortened(self.system)]
        if self.document is not None:
            where.append(f"document {self.document}" if isinstance(self.document, int) else self.document)
        if self.entity is not None:
            where.append(f"entity {shortened(self.entity)}")
        if self.item is not None:
            where.append(self.item if self.side is None else f"{self.item} of the {self.side}")
        return ": ".join([", ".join(where), self.problem] if where else [self.problem])


class InputError(ValueError):
    """Input that cannot be read, with its place.

    Args:
        message: one line that names the place.
        line, column: where the text stops being JSON, counted from 1; None for another problem.
    """

    def __init__(self, message: str, *, line: int | None = None, column: int | None = None) -> None:
        super().__init__(message)
        self.line, self.column = line, column


class MismatchError(InputError):
    """References and predictions that do not belong together. The message names no file."""


class located_errors:  # noqa: N801 - read as a phrase: with located_errors(entity, side)
    """Inside this block, a TypeError or ValueError becomes a DocumentError with the entity, side or item.

    >>> with located_errors("total", "prediction"):
    ...     float("12,00")
    Traceback (most recent call last):
    ...
    docie.core.errors.DocumentError: entity 'total': could not convert string to float: '12,00'
    """

    # A class, not a generator of contextlib: it wraps single values, where a generator would take three times as long.
    __slots__ = ("entity", "item", "side")

    def __init__(self, entity: str | None = None, side: str | None = None, *, item: str | None = None) -> None:
        self.entity, self.side, self.item = entity, side, item

    def __enter__(self) -> None:
        pass

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if isinstance(error, TypeError | ValueError) and not isinstance(error, DocumentError):
            raise DocumentError(str(error), entity=self.entity or None, item=self.item, side=self.side) from None


class errors_of_document:  # noqa: N801 - read as a phrase: with errors_of_document(3)
    """Inside this block, a DocumentError gets the place of the document. A loop may update `number` and `places`.

    Args:
        number: the number of the document, counted from 0.
        places: where its prediction and its reference stand, in files; its number is then not told.

    >>> with errors_of_document(3):
    ...     raise DocumentError("confidence must be between 0 and 1, got 1.7")
    Traceback (most recent call last):
    ...
    docie.core.errors.DocumentError: document 3: confidence must be between 0 and 1, got 1.7
    """

    __slots__ = ("number", "places")

    def __init__(self, number: int, places: tuple[str, str] = ("", "")) -> None:
        self.number, self.places = number, places

    def __enter__(self) -> errors_of_document:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if isinstance(error, DocumentError) and not isinstance(error.document, str):
            prediction, reference = self.places
            error.document = (prediction or reference if error.side == "prediction" else reference) or self.number


@contextmanager
def errors_of_system(name: str) -> Iterator[None]:
    """Inside this block, errors of input get the name of the system.

    Args:
        name (str): the name of the system.

    Returns:
        a context manager.

    >>> with errors_of_system("careful"):
    ...     raise ValueError("expected as many predictions as references, got 3 and 4")
    Traceback (most recent call last):
    ...
    ValueError: 'careful': expected as many predictions as references, got 3 and 4
    """
    try:
        yield
    except DocumentError as error:
        error.system = name
        raise
    except ValueError as error:
        raise ValueError(f"{shortened(name)}: {error}") from None


@contextmanager
def inside(place: str) -> Iterator[None]:
    """Inside this block, every ValueError begins with the place."""
    try:
        yield
    except ValueError as error:
        raise ValueError(f"{place}: {error}") from None


def warn(message: str) -> None:
    """Warn the user, with the line of their own code that called docie."""
    rooms = [frame.f_globals.get("__name__", "").partition(".")[0] for frame, _ in walk_stack(inspect.currentframe())]
    level = next((level for level, room in enumerate(rooms, 1) if room not in _OWN), len(rooms))
    warnings.warn(message, stacklevel=level)


def with_close_names(names: Iterable[str], known: Iterable[str], limit: int = 5) -> str:
    """Unknown names, each with similar known ones. At most `limit` names are listed.

    >>> with_close_names(["nm", "totl"], ["menu.nm", "summary.total"])
    "'nm' (close: 'menu.nm'), 'totl' (close: 'summary.total')"
    """
    names, known = list(names), sorted(known)
    texts = []
    for name in names[:limit]:
        close = [each for each in known if each.startswith(f"{name}.") or each.endswith(f".{name}")]
        close += get_close_matches(name, known)
        last_keys = get_close_matches(_last_key(name), {_last_key(each): None for each in known})
        close += [each for key in last_keys for each in known if _last_key(each) == key]
        close = list(dict.fromkeys(close))
        texts.append(f"{name!r}" + (f" (close: {', '.join(map(repr, close[:limit]))})" if close else ""))
    more = f" and {len(names) - limit} more" if len(names) > limit else ""
    return ", ".join(texts) + more


def _last_key(path: str) -> str:
    return path.rpartition(".")[2]


_JSON_KINDS: dict[type, str] = {
    type(None): "null",
    bool: "a boolean",
    str: "text",
    int: "a number",
    float: "a decimal number",
    list: "a list",
    tuple: "a list",
    dict: "an object",
}


def json_kind(value: object) -> str:
    """The JSON name of a value's type; the Python name if JSON has no such value.

    >>> json_kind(None), json_kind({"total": 1}), json_kind(12.5), json_kind({1, 2})
    ('null', 'an object', 'a decimal number', 'set')
    """
    return _JSON_KINDS.get(type(value), type(value).__name__)


def shortened(value: object, limit: int = 60) -> str:
    """`repr(value)`, cut so that a message stays one readable line."""
    return _shortened(value, limit, {})


def in_json(value: object, limit: int = 60) -> str:
    """`shortened` for a value of a document: null, true and false are written as in JSON.

    >>> in_json([None, True, 1, "None"])
    "[null, true, 1, 'None']"
    """
    return _shortened(value, limit, {"None": "null", "True": "true", "False": "false"})


def _shortened(value: object, limit: int, names: Mapping[str, str]) -> str:
    try:
        text = ""
        for piece in _pieces(value, limit, names):
            text += piece
            if len(text) > limit + 2:
                break
    except Exception:  # an integer of more than 4,300 digits, or an object whose `repr` fails
        text = "a value that cannot be shown"
    return text if len(text) <= limit + 2 else f"{text[:limit]}…"


def _pieces(value: object, limit: int, names: Mapping[str, str]) -> Iterator[str]:
    """`repr(value)` piece by piece: only the first pieces of a large or deep value are made."""
    if isinstance(value, str):
        yield repr(value[: limit + 1])
    elif type(value) is dict:
        for number, (key, child) in enumerate(value.items()):
            yield ", " if number else "{"
            yield from _pieces(key, limit, names)
            yield ": "
            yield from _pieces(child, limit, names)
        yield "}" if value else "{}"
    elif type(value) in (list, tuple):
        elements: Sequence[object] = value  # type: ignore[assignment]
        first, last = "[]" if type(value) is list else "()"
        yield first
        for number, child in enumerate(elements):
            yield ", " if number else ""
            yield from _pieces(child, limit, names)
        yield f",{last}" if len(elements) == 1 and last == ")" else last
    else:
        text = " ".join(repr(value).split())  # arrays and tables have several lines
        yield names.get(text, text)
