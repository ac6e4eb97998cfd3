"""The automation curve of a corpus, which `docie.kieval` offers."""

from __future__ import annotations

from collections.abc import Iterable

from docie.corpus.method import Method
from docie.inputs.config import Config
from docie.metrics import kieval
from docie.metrics.kieval.automation import AutomationCurve
from docie.metrics.kieval.metric import curve_of


def automation_curve(
    predictions: Iterable[object],
    references: Iterable[object],
    settings: kieval.Settings | None = None,
    *,
    config: Config = None,
) -> AutomationCurve:
    """The automation curve of a corpus (appendix C), from one sort.

    At a threshold, predicted entities with a lower confidence are reviewed: incorrect ones are replaced or deleted, but
    missing ones are not added. The aligned score at threshold 0 is `aligned`, and it never falls.

    Args:
        predictions (iterable of dict): the predicted documents.
        references (iterable of dict): the reference documents, in the same order.
        settings (kieval.Settings): the options of KIEval; None for its defaults.
        config (path or dict): how rows become documents, as in `docie.corpus.evaluate`.

    Returns:
        AutomationCurve: three arrays of equal length: the thresholds at which something changes, the automation rates
        and the aligned scores there, both in [0, 1].

    Raises:
        DocumentError: if a document cannot be read.
        ValueError: if there are more or fewer predictions than references.

    >>> leaf = {"value": "4.50", "confidence": 0.6}
    >>> curve = automation_curve([{"price": leaf, "nm": "Latte"}], [{"price": "4.80", "nm": "Latte"}])
    >>> curve.thresholds.round(3).tolist(), curve.automation_rates.tolist(), curve.aligned.tolist()
    ([0.0, 0.6, 0.6], [1.0, 1.0, 0.5], [0.5, 0.5, 1.0])
    """
    method = Method.of(kieval, settings, config)
    method.reading.check_one_run("the automation curve")
    pairs = method.pairs(predictions, references)
    return curve_of(((predicted.document, expected.document) for predicted, expected in pairs), method.settings)
