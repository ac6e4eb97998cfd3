"""docie: the metrics of document information extraction, as Hugging Face evaluate modules.

>>> import docie
>>> docie.families()
['anls_star', 'box_iou', 'entity_f1', 'hed', 'kieval', 'nted', 'oi_entities', 'text_match']
>>> metric = docie.load("kieval")
>>> metric.compute(predictions=[{"total": "12.00"}], references=[{"total": "12.00"}])["entity_f1"]
1.0
"""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any

from docie._version import __version__

__all__ = ["__version__", "families", "load", "path"]


def families() -> list[str]:
    """The names of all metric families, each loadable by `load`."""
    return sorted(folder.name for folder in _metrics().iterdir() if (folder / f"{folder.name}.py").is_file())


def path(family: str) -> str:
    """The absolute folder of a family's evaluate module, for `evaluate.load(docie.path("kieval"))`.

    Raises ValueError for an unknown family.
    """
    if family not in families():
        raise ValueError(f"unknown family {family!r}, expected one of: {', '.join(families())}")
    return str(_metrics() / family)


def load(family: str, **defaults: Any) -> Any:
    """The family as an `evaluate.Metric`, without network, safe in parallel runs.

    `defaults` are options of the family, as `compute` takes them; `compute` may override them. The parameters of
    `evaluate.load` (`num_process`, `process_id`, `experiment_id`, `cache_dir`) are passed on.

    Raises ValueError for an unknown family and for an option that it does not have or a value that it does not take.

    >>> load("kieval", matching="greedy").compute(predictions=[{}], references=[{}])["signature"]
    'kieval|empty_groups:ignore|matching:greedy|normalize:none|ontology:all|version:0.1.0'
    """
    folder = path(family)
    import evaluate

    return evaluate.load(folder, **defaults)


def _metrics() -> Path:
    spec = importlib.util.find_spec("docie.metrics")
    if spec is None or not spec.submodule_search_locations:
        raise ImportError("docie.metrics is not installed; install docie with pip")
    return Path(next(iter(spec.submodule_search_locations))).resolve()
