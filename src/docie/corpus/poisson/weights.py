"""How often a document is drawn into each resampled corpus: a Poisson number, from the document's name and a seed.

A bootstrap draws n of n documents with replacement, so it must know n. The Poisson bootstrap draws each document as
often as a Poisson number of mean 1 says, independently of all others (Oza and Russell, 2001; Chamandy et al., Google,
2012). The number comes from a hash, so it is the same wherever and in whatever order documents are counted.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

_OF_65536 = (24109, 24110, 12055, 4018, 1004, 201, 33, 5, 1)
"""How many of 65,536 equally likely numbers stand for 0, 1, 2, ...: Poisson's probabilities, with mean 1 exactly."""
_TABLE = np.repeat(np.arange(len(_OF_65536), dtype=np.uint8), _OF_65536)


def weights(documents: Sequence[int | str], *, samples: int, seed: int) -> NDArray[np.float64]:
    """How often each document is drawn into each sample.

    Args:
        documents: the number, or the id, of each document.
        samples: the number of samples.
        seed: of the draws.

    Returns:
        An array of whole numbers: a row for each document, a column for each sample.

    >>> weights(["r-1", 2], samples=4, seed=0).shape
    (2, 4)
    """
    table = np.empty((len(documents), samples), dtype=np.float64)
    for row, document in zip(table, documents, strict=True):
        name = f"{seed} {'number' if isinstance(document, int) else 'id'} {document}"
        digest = hashlib.shake_128(name.encode("utf-8", "surrogatepass")).digest(2 * samples)
        row[:] = _TABLE[np.frombuffer(digest, dtype="<u2")]
    return table
