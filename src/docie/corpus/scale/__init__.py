"""Corpora that are counted in parts: on many machines, or in several runs."""

from docie.corpus.scale.checkpoint import Checkpoint
from docie.corpus.scale.dask_cluster import DaskWorkers, dask_workers
from docie.corpus.scale.parts import PartsTotal, count_part, evaluate_parts, merge_parts

__all__ = ["Checkpoint", "DaskWorkers", "PartsTotal", "count_part", "dask_workers", "evaluate_parts", "merge_parts"]
