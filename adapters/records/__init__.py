"""Dataset records → reference documents.

Each function reads the records of one data set, in the columns of its usual versions on the Hugging Face Hub (its
docstring names them); other columns, images too, are not looked at. Lists may be tuples or arrays, as `datasets` gives
them with a format set. Annotated data is expected to be right: what is missing or malformed raises ValueError, naming
record and field.

**Tags** come as numbers, which stand for the names of the data set's feature. `names=None` takes the list that the
data set was published with (`CORD_TAGS`, `SROIE_TAGS`, `FUNSD_TAGS`); other versions give theirs, for instance
`names=dataset.features["ner_tags"].feature.names`. Tags that are names already need no list. Entity types are the
names in lower case without prefix, as the annotations write them (`B-MENU.NM` is `menu.nm`); tags are read as
`docie.tagging.spans` reads them, the words of an entity joined by blanks.
"""

from docie.adapters.records.cord import CORD_GROUPS, CORD_ONTOLOGY, CORD_TAGS, cord, cord_names
from docie.adapters.records.forms import FUNSD_TAGS, funsd, xfund
from docie.adapters.records.long_documents import kleister, vrdu
from docie.adapters.records.questions import docvqa, mp_docvqa
from docie.adapters.records.receipts import SROIE_TAGS, sroie
from docie.adapters.records.words import words_and_boxes

__all__ = [
    "CORD_GROUPS",
    "CORD_ONTOLOGY",
    "CORD_TAGS",
    "FUNSD_TAGS",
    "SROIE_TAGS",
    "cord",
    "cord_names",
    "docvqa",
    "funsd",
    "kleister",
    "mp_docvqa",
    "sroie",
    "vrdu",
    "words_and_boxes",
    "xfund",
]
