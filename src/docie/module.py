"""The base of the evaluate modules: documents in and out of Arrow, options, threads and rounds.

Documents have no fixed Arrow type, so they are passed as JSON text; a tuple in a reference as `{"$any_of": [...]}`.
"""

from __future__ import annotations

import copy
import inspect
import json
import textwrap
import threading
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import datasets
import evaluate

from docie import corpus
from docie._version import REPOSITORY
from docie.core.errors import DocumentError, errors_of_document, shortened
from docie.core.family import Family, WithColumns, WithKeyConverters, check_options, options_of
from docie.core.normalizers import NORMALIZERS
from docie.core.settings import check_choice
from docie.core.values.json_text import as_json, loads
from docie.corpus.evaluation import RESULT_OPTIONS, check_result_options
from docie.documents.tagging.tagged_words import is_tagged_words
from docie.documents.tree import parse_tree
from docie.inputs.config import reading_of
from docie.inputs.join import paired
from docie.inputs.openers import is_wrapper, plain_row
from docie.inputs.reading import PLAIN, Reading
from docie.inputs.row import Row
from docie.inputs.sources.python import UNDER, check_lengths, sequence_of

DOCUMENTS = datasets.Features(
    {"predictions": datasets.Value("large_string"), "references": datasets.Value("large_string")}
)

_OF_THREADS = ("_lock", "_added_by_this_thread")
"""Attributes of a metric that cannot be pickled."""

# the sources of several families
DI_METRICS_PAPER = """\
@article{degange2022document,
  title={Document Intelligence Metrics for Visually Rich Document Evaluation},
  author={DeGange, Jonathan and Gupta, Swapnil and Han, Zhuoyu and Wilkosz, Krzysztof and Karwan, Adam},
  journal={arXiv preprint arXiv:2205.11215},
  year={2022}
}
"""
DONUT_PAPER = """\
@inproceedings{kim2022donut,
  title={OCR-free Document Understanding Transformer},
  author={Kim, Geewook and Hong, Teakgyu and Yim, Moonbin and Nam, JeongYeon and Park, Jinyoung and Yim, Jinyeong and
    Hwang, Wonseok and Yun, Sangdoo and Han, Dongyoon and Park, Seunghyun},
  booktitle={European Conference on Computer Vision},
  year={2022}
}
"""

# what the descriptions of all families share
PREDICTIONS_HELP = """\
    predictions (list of dict): one JSON object for each document, as in schema.json. A key with text (or a number, a
        boolean, or a list of these) holds ungrouped entities. A key with an object or a list of objects holds groups.
        {"value": ..., "confidence": ...} is an entity with a confidence. Anything but an object (an answer that could
        not be parsed) is scored as the empty document and counted in `invalid_predictions`.
    references (list of dict): documents in the same form. A tuple or {"$any_of": [...]} holds alternatives, any of
        which is correct.
"""
_NAMES = ", ".join(f'"{name}"' for name in NORMALIZERS)
NORMALIZE_HELP = (
    textwrap.fill(
        f"normalize: None (default), the name of a normalizer ({_NAMES}), a list of names or functions, or a dict from "
        "entity type to these.",
        width=120,
        initial_indent=" " * 4,
        subsequent_indent=" " * 8,
    )
    + "\n"
)
MATCH_HELP = """\
    match: None (default), a match rule such as "similar(0.9)" (1 - Levenshtein / length of the longer text) or
        "within(1%)" (numbers), a function of a predicted and a reference text, or a dict from entity type to these:
        which different texts count as the same value.
    schema: None (default), a JSON Schema, the path of a file with one, a pydantic class, or a list of these: sets
        normalizers and rules by the types of its values, where `normalize` and `match` do not name them.
"""
RESULTS_HELP = """\
    breakdown (bool): adds `per_document` and the tables that the family has, such as `per_entity`.
    confidence_level (float): adds `<score>_interval` for every score, in tables too (except for names that very few
        documents have). None, with a warning that says why, where the documents show no variation.
    interval (str): "t" (default), from the variation between documents, or "percentile", from resampled documents,
        with worse coverage if documents are few.
    bootstrap_samples (int): the number of resampled corpora of "percentile", 1000 by default.
    seed (int): the seed of the resampling, 0 by default.
"""
OPTIONS_HELP = NORMALIZE_HELP + RESULTS_HELP
VALUE_OPTIONS_HELP = NORMALIZE_HELP + MATCH_HELP + RESULTS_HELP


class DocumentMetric(evaluate.Metric):  # type: ignore[misc]
    """An `evaluate.Metric` of a family. A subclass only sets `family` and `information`.

    Without `signature`, results do not have the text of this name.

    Threads may share a metric. `compute` with predictions and references scores these alone, whatever other threads do.
    Added documents belong to one corpus, whichever thread adds them; `compute` without documents scores all of them.
    """

    family: Family
    information: evaluate.MetricInfo

    def __init_subclass__(cls) -> None:
        cls.__doc__ = cls.information.description + cls.information.inputs_description
        cls._compute = _compute_with(cls.family)

    def __init__(self, *, signature: bool = True, **parameters: Any) -> None:
        if not isinstance(signature, bool):
            raise ValueError(f"signature must be True or False, got {shortened(signature)}")
        self.has_signature = signature
        of_evaluate = inspect.signature(evaluate.EvaluationModule.__init__).parameters
        self.columns = _columns(self.family)
        inputs = {"predictions", "references", *self.columns}
        self.options = list(inspect.signature(self._compute).parameters.keys() - inputs)
        self.defaults = {name: value for name, value in parameters.items() if name in self.options}
        check_options(parameters.keys() - of_evaluate.keys(), self.options)
        self._check(self.defaults)
        parameters = {name: value for name, value in parameters.items() if name in of_evaluate}
        self._start_threads()
        parameters["keep_in_memory"] = parameters.get("num_process", 1) == 1  # cache files of parallel runs collide
        super().__init__(**parameters)
        # evaluate has copied the method for this object: the copy must show the options too
        compute: Any = self.compute
        compute.__func__.__signature__ = _signature_with_options(DocumentMetric.compute, self.family)
        self._experiments = [self.experiment_id, f"{self.experiment_id}-next"]

    def _start_threads(self) -> None:
        self._lock = threading.RLock()
        self._added_by_this_thread = threading.local()
        self._round = 0

    def __getstate__(self) -> dict[str, Any]:
        """Other processes have threads of their own."""
        return {name: value for name, value in self.__dict__.items() if name not in _OF_THREADS}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._start_threads()

    def _info(self) -> evaluate.MetricInfo:
        information = copy.copy(self.information)  # evaluate writes the experiment into it
        columns = dict.fromkeys(_columns(self.family), datasets.Value("string"))
        information.features = datasets.Features({**information.features, **columns})
        return information

    def add(self, *, prediction: Any = None, reference: Any = None, **kwargs: Any) -> None:
        """Add one prediction and its reference, and a value for each further column of the family."""
        self._check_columns(kwargs)
        prediction = kwargs.pop("predictions", prediction)  # evaluate.combine uses the plural names
        reference = kwargs.pop("references", reference)
        texts = {
            "prediction": self._encode(prediction, "prediction"),
            "reference": self._encode(reference, "reference"),
        }
        with self._lock:
            evaluate.Metric.add(self, **texts, **kwargs)
            self._added_by_this_thread.round = self._round

    def add_batch(self, *, predictions: Any = None, references: Any = None, **kwargs: Any) -> None:
        """Add predictions and their references, and the family's further columns, in the same order."""
        self._check_columns(kwargs)
        with self._lock:
            texts = self._encode_batch(predictions, references, start=len(self))
            evaluate.Metric.add_batch(self, **texts, **kwargs)
            self._added_by_this_thread.round = self._round

    def compute(self, *, predictions: Any = None, references: Any = None, **options: Any) -> dict[str, Any] | None:
        """The scores of all added documents, or of the documents given here.

        If the same thread has added documents before, those given here are added to them.

        With several processes, all but the first get None.
        """
        columns = {name: options.pop(name) for name in self.columns if name in options}
        check_options(options, self.options)
        options = {**self.defaults, **options}
        self._check(options)  # first of all: if compute fails, added documents are lost
        is_given = predictions is not None or references is not None or bool(columns)
        if is_given:
            self._check_columns(columns)
        has_added = getattr(self._added_by_this_thread, "round", None) == self._round
        if is_given and not has_added and self.num_process == 1:
            # nothing is shared with other threads or with Arrow
            texts = self._encode_batch(predictions, references, reading=reading_of(options.get("config")))
            results: dict[str, Any] = self._compute(**texts, **columns, **options)
            return results
        with self._lock:
            if not is_given and self.writer is None and self.num_process == 1:
                raise ValueError("nothing to compute: pass predictions and references, or add some first")
            return self._compute_added(predictions, references, {**columns, **options})

    def _check_columns(self, columns: Mapping[str, Any]) -> None:
        """Raise ValueError if a further column of the family is missing."""
        for name in self.columns:
            if columns.get(name) is None:
                raise ValueError(f"{name} is missing: {self.family.NAME} takes predictions, references and {name}")

    def _compute_added(self, predictions: Any, references: Any, options: dict[str, Any]) -> dict[str, Any] | None:
        """The scores of a round, which ends it. `options` may include further columns."""
        try:
            results: dict[str, Any] | None = evaluate.Metric.compute(
                self, predictions=predictions, references=references, **options
            )
            return results
        finally:
            self._round += 1
            # other processes may be one round ahead, and must not write into files that this one still reads
            self.info.experiment_id = self._experiments[self._round % 2]

    def _check(self, options: dict[str, Any]) -> None:
        """Raise ValueError if an option does not take its value."""
        if (keys := options.get("keys")) is not None:
            check_choice("keys", keys, *_key_converters(self.family))
        _split_options(self.family, options)

    def _encode_batch(
        self, predictions: Any, references: Any, *, start: int = 0, reading: Reading = PLAIN
    ) -> dict[str, list[str]]:
        """The JSON texts of documents; the number of the first one is `start`. Those of a `reading` may differ."""
        texts = {
            name: self._encode_all(sequence_of(name, values, reading.side(name.removesuffix("s"))), name, start)
            for name, values in (("predictions", predictions), ("references", references))
        }
        if reading.is_plain:
            check_lengths(len(texts["predictions"]), len(texts["references"]))
        return texts

    def _encode_all(self, values: Any, name: str, start: int) -> list[str]:
        texts = []
        for number, value in enumerate(values, start):
            with errors_of_document(number):
                texts.append(self._encode(value, name.removesuffix("s")))
        return texts

    def _encode(self, value: Any, side: str) -> str:
        """The JSON text of a value.

        A tuple holds alternatives if the family supports them. In other families, and as a list of tags or in one, it
        is a list.
        """
        value = plain_row(value)
        tuples_are_lists = not {"document", "attacked"} & {*self.family.INPUTS}
        if not tuples_are_lists and "value" not in self.family.INPUTS:
            contents = [value, *value.values()] if is_wrapper(value) else [value]
            tuples_are_lists = any(isinstance(each, tuple) or is_tagged_words(each) for each in contents)
        if not tuples_are_lists:
            return encode(value, is_reference=side == "reference")
        try:
            return json.dumps(as_json(value, is_reference=False))
        except (TypeError, ValueError) as error:
            raise DocumentError(f"the {side} is not JSON ({error})") from None


def _compute_with(family: Family) -> Any:
    """The `_compute` of a family."""

    def _compute(self: DocumentMetric, predictions: Any, references: Any, **options: Any) -> dict[str, Any]:
        columns = [options.pop(name) for name in self.columns]
        check_options(options, self.options)
        settings, result_options = _split_options(family, options)
        keys, breakdown = options.get("keys"), result_options.pop("breakdown", False)
        predictions, references = map(loads, predictions), map(loads, references)
        if isinstance(family, WithColumns):
            predictions, references = _with_columns(family, predictions, references, columns, result_options["config"])
        results = corpus.evaluate(
            family,
            predictions,
            references,
            settings,
            breakdown=breakdown or keys is not None,
            **result_options,
        )
        if not self.has_signature:
            del results["signature"]
        if keys is None:
            return results
        if not breakdown:
            results.pop("per_document", None)
        return _key_converters(family)[keys](results)

    _compute.__signature__ = _signature_with_options(_compute, family)  # type: ignore[attr-defined]
    return _compute


def _with_columns(
    family: WithColumns, predictions: Iterable[object], references: Iterable[object], columns: Any, reading: Reading
) -> tuple[list[Row], list[Row]]:
    """The documents that a family makes of rows and of the columns beside them."""
    texts = [list(sequence_of(name, values)) for name, values in zip(family.COLUMNS, columns, strict=True)]
    versions = [", ".join(map(str, each)) for each in zip(*texts, strict=True)]
    pairs = [*paired(predictions, references, reading, versions=versions)]
    ids = [pair.id for pair in pairs]
    if reading.joins_by_id:
        of_version = dict(zip(versions, zip(*texts, strict=True), strict=True))
        parts = [str(each).rpartition(UNDER) for each in ids]
        ids, texts = (
            [part[0] for part in parts],
            [*map(list, zip(*(of_version[part[2]] for part in parts), strict=True))],
        )
    documents = [[row.document for row in side] for side in zip(*pairs, strict=True)] or [[], []]
    predicted, expected = family.from_columns(*documents, *texts, ids=ids)
    return [*map(Row, predicted)], [*map(Row, expected)]


def _signature_with_options(function: Any, family: Family) -> inspect.Signature:
    """The signature of a function with `**options`, with every option listed by name with its default."""
    signature = inspect.signature(function)
    parameters = [each for each in signature.parameters.values() if each.kind is not each.VAR_KEYWORD]
    of_results = inspect.signature(corpus.evaluate).parameters
    keyword, columns = inspect.Parameter.KEYWORD_ONLY, _columns(family)
    options = [
        *(inspect.Parameter(name, keyword, default=None, annotation="Any") for name in columns),
        of_results["config"],
        *options_of(family).values(),
        *(of_results[name] for name in RESULT_OPTIONS),
    ]
    if _key_converters(family):
        options.append(inspect.Parameter("keys", keyword, default=None, annotation="str | None"))
    return signature.replace(parameters=[*parameters, *options])


def _columns(family: Family) -> tuple[str, ...]:
    """The columns of the evaluate module beside predictions and references."""
    return family.COLUMNS if isinstance(family, WithColumns) else ()


def _key_converters(family: Family) -> Mapping[str, Callable[[dict[str, Any]], dict[str, Any]]]:
    return family.KEY_CONVERTERS if isinstance(family, WithKeyConverters) else {}


def _split_options(family: Family, options: dict[str, Any]) -> tuple[Any, dict[str, Any]]:
    """The settings of the family, and the options of `corpus.evaluate`. Raises ValueError for a wrong value."""
    result_options = {name: value for name, value in options.items() if name in RESULT_OPTIONS}
    check_result_options(**result_options)
    result_options["config"] = reading_of(options.get("config"))
    of_family = {name: options[name] for name in options.keys() & options_of(family).keys()}
    return family.Settings(**of_family), result_options


def information(description: str, citation: str, inputs: str, paper: str, *codes: str) -> evaluate.MetricInfo:
    """The description of a module.

    Args:
        description, citation, inputs: what it measures, its source, its arguments and results.
        paper: the address of the paper.
        codes: the addresses of the reference implementations.
    """
    return evaluate.MetricInfo(
        description=description,
        citation=citation,
        inputs_description=inputs,
        features=DOCUMENTS,
        homepage=paper,
        license="Apache-2.0",
        codebase_urls=[REPOSITORY],
        reference_urls=[paper, *codes],
    )


def encode(value: Any, *, is_reference: bool = False) -> str:
    """A document as JSON text. A tuple in a reference becomes {"$any_of": [...]}.

    Raises:
        DocumentError: if JSON has no such value, or if the document is nested too deep or has too many values.

    >>> encode({"total": ("12.00", "12")}, is_reference=True)
    '{"total": {"$any_of": ["12.00", "12"]}}'
    """
    try:
        return json.dumps(as_json(value, is_reference=is_reference))
    except (TypeError, ValueError) as error:
        parse_tree(value, "reference" if is_reference else "prediction")  # names the entity, if there is one
        raise DocumentError(str(error)) from None
