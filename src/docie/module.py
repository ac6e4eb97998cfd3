"""The base of the evaluate modules: documents in and out of Arrow, options, and nothing else.

Documents have no fixed Arrow type, so they travel as JSON text; a reference's tuple as `{"$any_of": [...]}`.
"""

from __future__ import annotations

import inspect
import json
from collections.abc import Sequence, Set
from functools import partial
from typing import Any

import datasets
import evaluate

from docie import bootstrap, corpus
from docie.errors import DocumentError
from docie.jsontext import loads, with_room
from docie.pairs import check_lengths
from docie.tagging import is_tagged
from docie.tree import read
from docie.values import as_json, plain_value

DOCUMENTS = datasets.Features(
    {"predictions": datasets.Value("large_string"), "references": datasets.Value("large_string")}
)

# what every family's description of its arguments says
PREDICTIONS_HELP = """\
    predictions (list of dict): one JSON object a document, as in schema.json. A key with text (or a number, a boolean,
        or a list of these) holds ungrouped entities, a key with an object or a list of objects holds groups, and
        {"value": ..., "confidence": ...} is an entity with a confidence. Anything but an object (an answer that could
        not be parsed) is scored as the empty document and counted in `invalid_predictions`.
    references (list of dict): likewise; a tuple or {"$any_of": [...]} means that any one of its values is right.
"""
NORMALIZE_HELP = """\
    normalize: None (default), a normaliser's name ("nfkc", "casefold", "whitespace", "alphanumeric", "number", "date"),
        a list of names or functions, or a dict from entity type to these.
"""
RESULTS_HELP = """\
    breakdown (bool): adds `per_document` and the tables that the family has, such as `per_entity`.
    confidence_level (float): adds `<score>_interval` to every score, by a document bootstrap.
    bootstrap_samples (int): number of resamples, 1000 by default.
    seed (int): seed of the bootstrap, 0 by default.
"""
OPTIONS_HELP = NORMALIZE_HELP + RESULTS_HELP


class DocumentMetric(evaluate.Metric):  # type: ignore[misc]
    """An `evaluate.Metric` of JSON documents. A subclass sets `family` and writes `_info` and `_compute`."""

    family: corpus.Family

    def __init__(self, **parameters: Any) -> None:
        of_evaluate = inspect.signature(evaluate.EvaluationModule.__init__).parameters
        self.options = list(inspect.signature(self._compute).parameters.keys() - {"predictions", "references"})
        self.defaults = {name: value for name, value in parameters.items() if name in self.options}
        self._refuse_unknown(parameters.keys() - of_evaluate.keys())
        self._check(self.defaults)
        rest = {name: value for name, value in parameters.items() if name in of_evaluate}
        rest["keep_in_memory"] = rest.get("num_process", 1) == 1  # cache files of parallel runs collide
        super().__init__(**rest)

    def add(self, *, prediction: Any = None, reference: Any = None, **kwargs: Any) -> None:
        """Add one prediction and its reference."""
        prediction = kwargs.pop("predictions", prediction)  # evaluate.combine uses the plural names
        reference = kwargs.pop("references", reference)
        texts = {
            "prediction": self._encode(prediction, "prediction"),
            "reference": self._encode(reference, "reference"),
        }
        evaluate.Metric.add(self, **texts, **kwargs)

    def add_batch(self, *, predictions: Any = None, references: Any = None, **kwargs: Any) -> None:
        """Add predictions and their references, in the same order."""
        texts = {
            "predictions": self._encode_all(predictions, "predictions"),
            "references": self._encode_all(references, "references"),
        }
        check_lengths(len(texts["predictions"]), len(texts["references"]))
        evaluate.Metric.add_batch(self, **texts, **kwargs)

    def compute(self, *, predictions: Any = None, references: Any = None, **options: Any) -> dict[str, Any] | None:
        """The figures of all that was added, or of what is given here.

        Returns None on every process but the first of several.
        """
        self._refuse_unknown(options.keys())
        if predictions is None and references is None and self.writer is None and self.num_process == 1:
            raise ValueError("nothing to compute: give predictions and references, or add some first")
        options = {**self.defaults, **options}
        self._check(options)  # first, since a compute that fails loses what was added
        results: dict[str, Any] | None = evaluate.Metric.compute(
            self, predictions=predictions, references=references, **options
        )
        return results

    def _check(self, options: dict[str, Any]) -> None:
        """Raise ValueError for an option with a value that it does not take."""
        of_family = inspect.signature(self.family.Settings).parameters
        self.family.Settings(**{name: value for name, value in options.items() if name in of_family})
        bootstrap.check(**{name: value for name, value in options.items() if name in bootstrap.OPTIONS})

    def _encode_all(self, values: Any, name: str) -> list[str]:
        if values is None or isinstance(values, str | bytes | dict):
            raise ValueError(f"{name} must be a list of documents, got {type(values).__name__}")
        texts = []
        for number, value in enumerate(values, len(self)):
            try:
                texts.append(self._encode(value, name.removesuffix("s")))
            except DocumentError as error:
                error.document = number
                raise
        return texts

    def _encode(self, value: Any, side: str) -> str:
        """A tuple is a one-of where the family has these; elsewhere, and in or as a list of tags, it is a list."""
        lists = "document" not in self.family.INPUTS
        if not lists and "value" not in self.family.INPUTS:
            lists = isinstance(value, tuple) or is_tagged(value)
        if not lists:
            return encode(value, reference=side == "reference")
        try:
            return json.dumps(as_json(value, reference=False))
        except (TypeError, ValueError, RecursionError) as error:
            raise DocumentError(f"the {side} is no JSON ({error})") from None

    def _refuse_unknown(self, names: Set[str]) -> None:
        unknown = names - set(self.options)
        if unknown:
            raise ValueError(f"unknown option {min(unknown)!r}, expected one of: {', '.join(sorted(self.options))}")


def info(description: str, citation: str, inputs: str, url: str) -> evaluate.MetricInfo:
    """What a module says of itself."""
    return evaluate.MetricInfo(
        description=description,
        citation=citation,
        inputs_description=inputs,
        features=DOCUMENTS,
        reference_urls=[url],
    )


def encode(value: Any, *, reference: bool = False) -> str:
    """A document as JSON text, one-of tuples of a reference marked. Raises DocumentError for what JSON lacks.

    >>> encode({"total": ("12.00", "12")}, reference=True)
    '{"total": {"$any_of": ["12.00", "12"]}}'
    """
    try:
        return with_room(partial(_json, value, reference))
    except (TypeError, ValueError, RecursionError) as error:
        read(value, "reference" if reference else "prediction")  # names the entity, where there is one
        problem = "nested too deep" if isinstance(error, RecursionError) else str(error)
        raise DocumentError(problem) from None


def _json(value: Any, reference: bool) -> str:
    try:
        return json.dumps(as_json(value, reference=True) if reference else value, default=plain_value)
    except TypeError:  # keys that are no text
        return json.dumps(as_json(value, reference=reference))


def evaluate_texts(
    family: corpus.Family, predictions: Sequence[str], references: Sequence[str], settings: Any, **options: Any
) -> dict[str, Any]:
    """`corpus.evaluate` of the documents that `encode` wrote."""
    return corpus.evaluate(family, map(loads, predictions), map(loads, references), settings, **options)
