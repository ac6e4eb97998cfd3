"""A bootstrap that adds up: each part of a corpus is resampled where it lies, and the parts are merged."""

from docie.corpus.poisson.draws import Draws, draws_of
from docie.corpus.poisson.parts import merge_replicates, poisson_bootstrap, summarize_replicates
from docie.corpus.poisson.replicates import Replicates

__all__ = ["Draws", "Replicates", "draws_of", "merge_replicates", "poisson_bootstrap", "summarize_replicates"]
