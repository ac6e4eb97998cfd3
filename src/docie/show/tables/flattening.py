"""Results as flat numbers, for loggers."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from typing import Any

_UNSAFE = re.compile(r"[^\w.\- ]", re.ASCII)
"""What some loggers do not take in a name."""


def flat(results: Mapping[str, Any]) -> dict[str, float]:
    """The numbers of results as a flat dict, for TensorBoard's `add_scalar`, for W&B or MLflow.

    Args:
        results (dict): what `compute` or `corpus.evaluate` gave.

    Returns:
        dict of str to float: the figures; the bounds of intervals as `f1_interval/low` and `f1_interval/high`; the
        tables as `per_entity/total/f1` and `automation/0.5/aligned`. Texts and other lists (`signature`,
        `per_document`, `closest`) are left out. Characters that a logger may not take become `_`.

    >>> import docie
    >>> metric = docie.load("entity_f1")
    >>> results = metric.compute(predictions=[{"total": "9.00"}], references=[{"total": "9"}], breakdown=True)
    >>> figures = docie.flat(results)
    >>> figures["f1"], figures["per_entity/total/support"], "signature" in figures
    (0.0, 1.0, False)
    >>> for name, value in figures.items():  # doctest: +SKIP
    ...     writer.add_scalar(name, value, step)
    """
    return dict(_numbers(results, ()))


def _numbers(values: Mapping[str, Any], path: tuple[str, ...]) -> Iterator[tuple[str, float]]:
    taken: set[str] = set()
    for key, value in values.items():
        name = free_name(safe_name(str(key)), taken)
        taken.add(name)
        if isinstance(value, int | float):
            yield "/".join([*path, name]), float(value)
        else:
            yield from _numbers(_by_name(name, value), (*path, name))


def _by_name(name: str, value: Any) -> Mapping[str, Any]:
    """What a value other than a number holds, by name; nothing of texts and lists."""
    if isinstance(value, Mapping):
        return value
    if name == "automation":
        return rows_by_threshold(value)
    if name.endswith("_interval"):
        return {} if value is None else dict(zip(("low", "high"), value, strict=True))
    return {}


def rows_by_threshold(rows: Collection[Mapping[str, float]]) -> dict[str, dict[str, float]]:
    """The rows of `automation`, each under the text of its threshold.

    >>> rows_by_threshold([{"threshold": 0.5, "aligned": 0.75}])
    {'0.5': {'aligned': 0.75}}
    """
    return {str(row["threshold"]): {name: row[name] for name in row if name != "threshold"} for row in rows}


def safe_name(name: str) -> str:
    """A name as a part of a path. Some loggers do not take letters of other scripts.

    >>> safe_name("menu.nm"), safe_name("größe/cm"), safe_name("..")
    ('menu.nm', 'gr__e_cm', '_')
    """
    return _UNSAFE.sub("_", name) if name.strip(". ") else "_"


def free_name(name: str, taken: Collection[str]) -> str:
    """The name, with a number behind it if it is taken.

    >>> free_name("total", {"total", "total_2"})
    'total_3'
    """
    numbered = (f"{name}_{number}" for number in range(2, len(taken) + 3))
    return name if name not in taken else next(other for other in numbered if other not in taken)
