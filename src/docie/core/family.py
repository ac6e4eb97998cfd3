"""The interface of a metric family, and how families are found by name.

A family is a folder `metrics/<name>`: a package with the names of `Family`, and its evaluate module. The folder is its
registration: there is no list of families elsewhere.
"""

from __future__ import annotations

import ast
import importlib
import importlib.util
import inspect
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, cast, runtime_checkable

if TYPE_CHECKING:  # imports numpy, which `docie --help` does not need
    from collections import Counter

    from _typeshed import DataclassInstance

    from docie.core.counts import Counts, Number
    from docie.core.explanation import Explanation
    from docie.core.scores import Headline, Score
    from docie.core.values.plain import JsonObject


class Family(Protocol):
    """The names that the module of a family defines.

    `details(counts) -> dict` (results beyond scores and tables), `remarks(counts)` (lines that a user should know) and
    `KEY_CONVERTERS` are optional.
    """

    @property
    def NAME(self) -> str: ...  # noqa: N802 - a constant of the module
    @property
    def INPUTS(self) -> tuple[str, ...]:  # noqa: N802
        """The kinds of input that the family reads, names of `docie.inputs.kinds.INPUT_KINDS`."""

    @property
    def SCORES(self) -> tuple[Score, ...]:  # noqa: N802
        """The meaning of its scores: an entry for every number in results and tables (`docie.core.scores`)."""

    @property
    def Settings(self) -> type[DataclassInstance]: ...  # noqa: N802 - a class of the module
    def count(self, prediction: object, reference: object, settings: Any, /) -> Counts:
        """The counts of one document."""

    def score(self, counts: Counts, /) -> dict[str, Number]:
        """The scores of counts; arrays if the numbers are arrays."""

    def breakdown(self, counts: Counts, /) -> dict[str, dict[str, dict[str, Number]]]:
        """Tables of scores: {"per_entity": {entity type: {score: value}}, ...}."""

    def headlines(self, counts: Counts, figures: Mapping[str, Any], /) -> Iterator[Headline]:
        """What is said first: up to four scores of these results, each with a sentence in the numbers of the counts."""

    def explain(self, prediction: object, reference: object, settings: Any, /) -> Explanation:
        """The pairs of values behind the score of one document, and drawings of them."""


MOST_NOTES = 64
"""The number of items in a list of notes for hints."""


class Hints(Protocol):
    """What a family notes while it counts documents, to give the user a hint.

    A family with hints has a class `Hints`, which takes settings; its `count` takes an instance after the settings.
    """

    def __init__(self, settings: Any, /) -> None: ...
    @property
    def seen(self) -> JsonObject:
        """What was noted: numbers, summed over the parts of a corpus, and lists, whose MOST_NOTES smallest are kept."""

    @classmethod
    def lines(cls, seen: JsonObject, *, is_normalized: bool) -> Iterator[str]:
        """The hints for a corpus, one line each; `is_normalized`: whether it was scored with normalizers."""

    @staticmethod
    def types(counts: Counts) -> tuple[Counter[str], Counter[str], Counter[str]]:
        """The numbers of values of each entity type: correct ones, those of the predictions, and of the references."""

    @staticmethod
    def example(seen: JsonObject) -> tuple[str, str] | tuple[()]:
        """A predicted value that was noted, and that of the reference in its place; nothing if there was none."""


@runtime_checkable
class WithKeyConverters(Protocol):
    """A family that can return results with the keys of another package: those of seqeval by `keys="seqeval"`, say."""

    @property
    def KEY_CONVERTERS(self) -> Mapping[str, Callable[[JsonObject], JsonObject]]:  # noqa: N802
        """From the name of each such package to the function that converts results, with their tables, to its keys."""


@runtime_checkable
class WithColumns(Protocol):
    """A family whose evaluate module has further text columns beside predictions and references."""

    @property
    def COLUMNS(self) -> tuple[str, ...]:  # noqa: N802
        """The names of these columns."""

    def from_columns(
        self,
        predictions: Sequence[object],
        references: Sequence[object],
        /,
        *columns: Any,
        ids: Sequence[str | None] = (),
    ) -> tuple[list[Any], list[Any]]:
        """The predictions and references for `count`, made from documents, all columns, and the ids of rows."""


def families() -> list[str]:
    """The names of all metric families.

    Returns:
        list of str: the names in alphabetical order; `load` takes each of them.

    >>> "kieval" in families()
    True
    """
    return [*_families()]


def path(family: str) -> str:
    """The folder of a family's evaluate module, for `evaluate.load(docie.path("kieval"))`.

    Args:
        family (str): the name of a family.

    Returns:
        str: the absolute path of the folder.

    Raises:
        ValueError: if the family is unknown.

    >>> Path(path("kieval")).name
    'kieval'
    """
    if family not in _families():
        raise ValueError(f"unknown family {family!r}, expected one of: {', '.join(families())}")
    return str(_metrics() / family)


def load(family: str, *, signature: bool = True, **defaults: Any) -> Any:
    """Load a family as an `evaluate.Metric`. It needs no network, and parallel runs are safe.

    Args:
        family (str): the name of a family.
        signature (bool): whether results have the `signature`. Without it, they are numbers only, as an `evaluator` of
            `evaluate` with `strategy="bootstrap"` needs them.
        **defaults: options of the family, which `compute` may override, and the parameters of `evaluate.load`
            (`num_process`, `process_id`, `experiment_id`, `cache_dir`).

    Returns:
        evaluate.Metric: the metric.

    Raises:
        ValueError: if the family or an option is unknown, or if an option does not take a value.

    >>> load("kieval", matching="greedy").compute(predictions=[{}], references=[{}])["signature"]
    'kieval|empty_groups:ignore|matching:greedy|normalize:none|ontology:all|version:0.1.0'
    """
    folder = path(family)
    import evaluate

    return evaluate.load(folder, signature=signature, **defaults)


def get(name: str) -> Family:
    """The module of a family, or a scorer, which computes a published score and is no family (`docie.protocols`).

    Raises:
        ValueError: if the family is unknown.

    >>> get("kieval").NAME
    'kieval'
    """
    if name in _scorers():
        return cast("Family", importlib.import_module(f"docie.protocols.scorers.{name}").SCORER)
    path(name)  # raises if it is unknown
    return cast("Family", importlib.import_module(f"docie.metrics.{name}"))


def family_of(results: Mapping[str, object]) -> Family:
    """The module of the family that computed results, by their signature.

    Args:
        results (dict): what `corpus.evaluate`, `corpus.compare` or `compute` returns.

    Returns:
        module: the family.

    Raises:
        ValueError: if the results have no signature, or if their family is unknown.

    >>> family_of({"f1": 0.5, "signature": "entity_f1|normalize:none|version:0.1.0"}).NAME
    'entity_f1'
    """
    if "signature" not in results:
        raise ValueError("the results have no signature, which names their family")
    return get(str(results["signature"]).partition("|")[0])


def description(name: str) -> str:
    """What a family measures: the first line of its docstring. The module is not imported.

    >>> description("kieval")
    'KIEval: entity and group F1 in structure, correction cost, and the automation curve.'
    """
    spec = importlib.util.find_spec(f"docie.metrics.{name}")
    source = Path(spec.origin).read_text(encoding="utf-8") if spec and spec.origin else ""
    return (ast.get_docstring(ast.parse(source)) or "").partition("\n")[0]


def card(name: str) -> dict[str, str]:
    """The lines of a card that say something of the family: its `title`, and the `question` that it answers.

    >>> card("hed")["title"]
    'HED and UHED'
    """
    front = Path(path(name), "README.md").read_text(encoding="utf-8").split("---\n", 2)[1]
    pairs = (line.partition(": ") for line in front.splitlines())
    return {key: value.strip('"') for key, _, value in pairs if key in ("title", "question")}


def options_of(family: Family) -> Mapping[str, inspect.Parameter]:
    """The options of a family by name, with their defaults."""
    return inspect.signature(family.Settings).parameters


def settings_of(family: Family, options: Mapping[str, object]) -> DataclassInstance:
    """The settings of a family, from options by name.

    Raises:
        ValueError: if the family has no such option, or if an option does not take a value.

    >>> settings_of(get("kieval"), {"mathcing": "greedy"})
    Traceback (most recent call last):
    ...
    ValueError: unknown option 'mathcing', expected one of: costs, empty_groups, evidence, match, ...
    """
    check_options(options, options_of(family))
    return family.Settings(**options)


def checked_settings(family: Family, settings: object) -> DataclassInstance:
    """The settings of a family; its defaults for None.

    Args:
        family: a family.
        settings: the caller's settings, or None.

    Raises:
        ValueError: if `family` is not a family, or if `settings` are not settings of it.

    >>> from docie import kieval
    >>> checked_settings(kieval, {"normalize": "casefold"})
    Traceback (most recent call last):
    ...
    ValueError: settings must be kieval.Settings(...), got {'normalize': 'casefold'}
    """
    from docie.core.errors import shortened

    if not hasattr(family, "Settings"):
        raise ValueError(f"family must be a module of metrics, such as docie.kieval, got {shortened(family)}")
    if settings is None:
        return family.Settings()
    if not isinstance(settings, family.Settings):
        raise ValueError(f"settings must be {family.NAME}.Settings(...), got {shortened(settings)}")
    return settings


def check_options(options: Iterable[str], known: Iterable[str], owner: str = "") -> None:
    """Raise ValueError if an option is not a known one; `owner` says whose options they are."""
    unknown = sorted(set(options) - set(known))
    if unknown:
        of_whom = f" of {owner}" if owner else ""
        raise ValueError(f"unknown option {unknown[0]!r}{of_whom}, expected one of: {', '.join(sorted(known))}")


@cache
def _families() -> tuple[str, ...]:
    return tuple(sorted(folder.name for folder in _metrics().iterdir() if (folder / f"{folder.name}.py").is_file()))


@cache
def _scorers() -> frozenset[str]:
    folder = Path(__file__).parents[1] / "protocols" / "scorers"
    return frozenset(file.stem for file in folder.glob("*.py")) - {"__init__"}


@cache
def _metrics() -> Path:
    spec = importlib.util.find_spec("docie.metrics")
    if spec is None or not spec.submodule_search_locations:
        raise ImportError("docie.metrics is not installed; install docie with pip")
    return Path(next(iter(spec.submodule_search_locations))).resolve()
