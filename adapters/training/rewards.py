"""Scores as rewards of reinforcement learning: one object for TRL, verifiers and verl."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from sys import float_info
from typing import Any, NamedTuple, TypeGuard

from docie.core.counts import Counts
from docie.core.errors import inside, shortened, warn, with_close_names
from docie.core.family import Family
from docie.core.scores import headline_of, is_better_low, score_of
from docie.inputs.config import Config

from ..row_scores import RowMetric, picked

_OF_TRL = {"prompts", "completion_ids", "trainer_state", "environments"}
"""What TRL passes to a reward function beside the columns of the data set."""


class Rated(NamedTuple):
    """The reward of one answer, and what it was made of."""

    reward: float | None
    scores: dict[str, float]
    is_unreadable: bool
    issues: list[str]


class reward:  # noqa: N801 - called like a function
    """A reward function that scores each answer of a model against its reference.

    It is pure: it may be called from several threads, and equal answers get equal rewards.

    A score that even no answer has in full counts nothing, as a score of groups does where the reference has none. It
    is left out of that row, and the other positive weights take over its own, so that a correct answer always earns the
    same. A row where nothing is left has no reward: None. An answer without any value cannot be read where the
    reference has values; nor can thoughts that no answer follows.

    Args:
        family (str): the name of a family of metrics.
        score (str or dict): the name of a score of which higher values are better; None for the family's headline. Or
            several scores, each with its weight: the reward is their weighted sum. A score of which lower values are
            better must have a negative weight. Shares are between 0 and 1; counts, lengths, rates and costs have no
            upper limit. Precision alone rewards one sure value, and recall alone a list of everything: a warning says
            so.
        reference (str): the column of the data set with the references: documents, or their JSON text.
        unreadable (float): the reward of an answer that cannot be read; None for what the family gives for it, which is
            0 for an F1 score.
        parse (str): how answers are read, as in `RowMetric`. With "no", an answer that is not exactly a JSON text
            cannot be read; otherwise it is repaired where possible, also if it was cut off.
        config (path, dict or list): how answers and references are read, and when values are equal, as in `RowMetric`.
        **options: the options of the family, such as `normalize` or `match`.

    Attributes:
        __name__ (str): the name under which TRL logs it, such as "kieval_entity_f1". Change it if a trainer has two of
            the same name.

    Raises:
        ValueError: if a name or an option is unknown, if a weight has the wrong sign, or if `config` has an option for
            which a row alone is not enough.

    >>> entity_f1 = reward("kieval", "entity_f1", reference="gold", unreadable=-1.0)
    >>> entity_f1(completions=['{"total": "9.00"}', "Sorry."], gold=[{"total": "9.00", "tax": "1.00"}] * 2)
    [0.6666666666666666, -1.0]
    >>> entity_f1.of('{"total": "9.00"}', '{"total": "9.00"}')
    1.0
    >>> reward("kieval", {"entity_f1": 1.0, "corrections": -0.05}).of('{"total": "8.00"}', '{"total": "9.00"}')
    -0.05
    """

    def __init__(
        self,
        family: str = "kieval",
        score: str | Mapping[str, float] | None = None,
        reference: str = "reference",
        *,
        unreadable: float | None = None,
        parse: str | None = None,
        config: Config = None,
        **options: object,
    ) -> None:
        for name, value in (("family", family), ("reference", reference)):
            if not isinstance(value, str):
                raise ValueError(f"{name} must be a text, got {shortened(value)}")
        self.row_metric = RowMetric(family, parse=parse, config=config, **options)  # verifiers marks its own `metric`
        self.weights = _weights(self.row_metric.family, score)
        if unreadable is not None and not _is_number(unreadable):
            raise ValueError(f"unreadable must be a finite number, got {shortened(unreadable)}")
        self.reference, self.unreadable = reference, unreadable
        self.__name__ = "_".join([family, *self.weights])

    def __call__(
        self,
        *,
        completions: Sequence[object],
        log_extra: Callable[[str, list[str]], object] | None = None,
        log_metric: Callable[[str, float], object] | None = None,
        **columns: Any,
    ) -> list[float | None]:
        """The rewards of a batch, as TRL asks for them.

        Of a conversation, the last turn of the assistant is the answer.

        Args:
            completions: texts or lists of messages.
            log_extra: gets a column with the issues of reading each answer.
            log_metric: gets the share of unreadable answers, if any answer has a reference.
            **columns: the columns of the data set, and what else TRL passes.

        Returns:
            A reward for each completion; None for one without a reference, or whose reference has nothing to count.

        Raises:
            ValueError: if the column of references is missing, or if a reference cannot be read.
        """
        rated: list[Rated | None] = []
        for row, (completion, expected) in enumerate(zip(completions, self._column(columns, completions), strict=True)):
            with inside(f"column {self.reference!r}, row {row} of the batch"):
                rated.append(None if expected is None else self._rate(_answer(completion), expected))
        if log_extra is not None:
            issues = [["no reference"] if each is None else each.issues for each in rated]
            log_extra(f"{self.__name__}_issues", ["; ".join(lines) for lines in issues])
        unreadable = [each.is_unreadable for each in rated if each is not None]
        if log_metric is not None and unreadable:
            log_metric(f"{self.__name__}_unreadable", sum(unreadable) / len(unreadable))
        return [None if each is None else each.reward for each in rated]

    def of(self, answer: object, reference: object) -> float | None:
        """The reward of one answer, for verifiers and everything else.

        Args:
            answer (str): what the model wrote, or a document.
            reference: a document, or its JSON text.

        Returns:
            float: the reward; None if the reference has nothing that the scores count.

        Raises:
            ValueError: if the reference cannot be read.

        >>> reward("hed").of('{"total": "9.00"}', {"total": "9.00"})
        1.0
        """
        return self._rate(answer, reference).reward

    def compute_score(
        self, data_source: object, solution_str: str, ground_truth: object, extra_info: object = None, **_: object
    ) -> dict[str, float]:
        """The reward of one answer, as verl asks for it.

        Args:
            data_source: ignored.
            solution_str: what the model wrote.
            ground_truth: a document, or its JSON text.
            extra_info: ignored.
            **_: ignored.

        Returns:
            dict: the reward as `score`, and numbers that verl logs: each of the scores, and `unreadable`, which is 0 or
                1. The keys are the same for every answer. verl needs a number: `score` is 0 for every answer to a
                reference that has nothing to count, so that they all have the same advantage.

        Raises:
            ValueError: if the reference cannot be read.

        >>> reward("kieval", "entity_f1").compute_score("receipts", '{"total": "9.00"}', '{"total": "9.00"}')
        {'score': 1.0, 'entity_f1': 1.0, 'unreadable': 0.0}
        """
        with inside("ground_truth"):
            rated = self._rate(solution_str, ground_truth)
        return {"score": rated.reward or 0.0, **rated.scores, "unreadable": float(rated.is_unreadable)}

    def _rate(self, answer: object, reference: object) -> Rated:
        counts, issues = self.row_metric.count(answer, reference, needs_values=True)
        is_unreadable = counts.invalid_predictions > 0
        scores, weights = self._scores(counts), self._weights_for(reference)
        total = sum(weight * scores[name] for name, weight in weights.items()) if weights else None
        if is_unreadable and self.unreadable is not None:
            total = self.unreadable
        elif not weights:
            issues = [*issues, "the reference has nothing to count"]
        return Rated(None if total is None else float(total), scores, is_unreadable, issues)

    def _scores(self, counts: Counts) -> dict[str, float]:
        results = {**self.row_metric.family.score(counts), "invalid_predictions": counts.invalid_predictions}
        of_names = picked(results, self.weights, family=self.row_metric.family.NAME)
        return {name: float(value) for name, value in of_names.items()}

    def _weights_for(self, reference: object) -> dict[str, float]:
        """The weights of the scores that count something in a reference, whose rewards add up to what all would."""
        without_answer = self._scores(self.row_metric.count(None, reference).counts)
        weights = {name: weight for name, weight in self.weights.items() if not self._is_free(name, without_answer)}
        best, left = (sum(weight for weight in each.values() if weight > 0) for each in (self.weights, weights))
        return {name: weight * best / left if weight > 0 else weight for name, weight in weights.items()}

    def _is_free(self, name: str, without_answer: Mapping[str, float]) -> bool:
        """Whether no answer has the best score: a share of nothing, as of groups in a reference without any."""
        kind = score_of(self.row_metric.family, name).kind
        return self.weights[name] > 0 and kind in ("share", "documents") and without_answer[name] >= 1

    def _column(self, columns: Mapping[str, Any], completions: Sequence[object]) -> Collection[object]:
        """The references of a batch."""
        if self.reference not in columns:
            names = sorted(columns.keys() - _OF_TRL)
            got = with_close_names([self.reference], names)
            raise ValueError(f"the data set has no column {got} for the references; got: {', '.join(names) or 'none'}")
        references: Collection[object] = columns[self.reference]
        if len(references) != len(completions):
            problem = f"expected as many references as completions, got {len(references)} and {len(completions)}"
            raise ValueError(f"column {self.reference!r}: {problem}")
        return references


def _weights(family: Family, score: object) -> dict[str, float]:
    """The weights of scores by name. Raises ValueError for one that rewards what is worse, or nothing."""
    if score is None or isinstance(score, str):
        score = {headline_of(family) if score is None else score: 1}
    if not isinstance(score, Mapping) or not score or not all(isinstance(name, str) for name in score):
        raise ValueError(f"score must be the name of a score, or weights of scores by name, got {shortened(score)}")
    for name, weight in score.items():
        is_low = is_better_low(family, name)
        if not _is_number(weight) or weight == 0:
            raise ValueError(f"the weight of {name} must be a finite number other than 0, got {shortened(weight)}")
        if is_low == (weight > 0):
            better, sign, example = ("lower", "negative", -1.0) if is_low else ("higher", "positive", 1.0)
            problem = f"{better} values of {name} are better, so its weight must be {sign}"
            raise ValueError(f"{problem}, as in score={{{name!r}: {example}}}")
    _warn_of_parts(family, score)
    return dict(score)


def _warn_of_parts(family: Family, names: Iterable[str]) -> None:
    """Warn if precision, or recall, is all that is rewarded."""
    wholes = {name: score_of(family, name).part_of for name in names}
    if None not in wholes.values() and len({*wholes.values()}) == len(wholes):
        parts, better = " and ".join(wholes), " and ".join(map(str, wholes.values()))
        warn(f"{parts} alone can be gamed, by one sure value or by a list of everything: reward {better}")


def _is_number(value: object) -> TypeGuard[float]:
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= float_info.max


def _answer(completion: object) -> object:
    """The text of a completion; of messages, that of the last turn of the assistant."""
    if not isinstance(completion, list | tuple):
        return completion
    if not all(isinstance(message, Mapping) and "role" in message for message in completion):
        return completion  # a list of entities, say
    turns = [message for message in completion if message["role"] == "assistant"]
    content = turns[-1].get("content") if turns else None
    if isinstance(content, list):  # parts, of which some may be images
        content = "".join(part.get("text") or "" for part in content)
    return content or ""  # a turn that only calls tools has no text
