"""How long a document will take to count, told before it begins: what the `cost` of all families is made of.

Every family has `cost(prediction, reference, settings) -> float`: roughly the seconds that its `count` takes, right
within a factor of four on an ordinary machine. It takes time in proportion to the document's size. It never raises: of
what cannot be read it is 0.0, because `count` says what is wrong.

The constants are seconds of one processor, measured with `benchmarks/hard_inputs.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from typing import NamedTuple

from docie.core.errors import DocumentError
from docie.core.values import MAX_DEPTH, with_deep_recursion

DOCUMENT = 1e-5
"""Counting a document with nothing in it."""
VALUE = 2e-6
"""Reading a value of a document."""
TEXT_PAIR = 1.2e-8
"""Comparing two short texts, of many that are compared at once."""
CHARACTER_PAIR = 2e-11
"""What each character of one text with each of another adds to that."""


class Size(NamedTuple):
    """How large a JSON value is: its objects, lists and single values, and the characters of its texts."""

    values: int
    characters: int


def size_of(value: object) -> Size:
    """The size of a JSON value, or of what stands for one.

    Raises:
        DocumentError: for nesting of more than 1,000 levels, which has no end if a value holds itself.

    >>> size_of({"menu": [{"nm": "Latte"}, {"nm": "Mocha", "cnt": 1}]})
    Size(values=7, characters=10)
    """
    values = characters = 0
    levels: list[Iterator[object]] = [iter([value])]
    while levels:
        for child in levels[-1]:
            values += 1
            if type(child) is str:
                characters += len(child)
            elif isinstance(child, Mapping | list | tuple):
                levels.append(iter(child.values() if isinstance(child, Mapping) else child))
                break
        else:
            levels.pop()
        if len(levels) > MAX_DEPTH + 2:
            raise DocumentError(f"nested more than {MAX_DEPTH} levels deep")
    return Size(values, characters)


def comparing_texts(texts: Collection[str], other_texts: Collection[str]) -> float:
    """The seconds of comparing each distinct text of one side with each of the other, but for equal ones.

    >>> comparing_texts(["a"] * 1000, ["b"]) < comparing_texts(["a" * 1000], ["b" * 1000])
    True
    """
    one, other = set(texts), set(other_texts)
    equal = one & other
    characters = sum(map(len, one)) * sum(map(len, other)) - sum(len(text) ** 2 for text in equal)
    return (len(one) * len(other) - len(equal)) * TEXT_PAIR + characters * CHARACTER_PAIR


def foretold(seconds: Callable[[], float]) -> float:
    """The result of `seconds()`, which may recurse as deep as a document is nested; 0.0 if that cannot be read."""
    try:
        return with_deep_recursion(seconds)
    except DocumentError:
        return 0.0
