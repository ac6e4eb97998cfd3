"""Dataset records → reference documents.

Each function reads the records of one data set, in the columns of its usual versions on the Hugging Face Hub, which its
docstring names. Other columns, images too, do not matter. Lists may be tuples or arrays, as `datasets` gives them with
a format set. Annotated data is expected to be right: what is missing or malformed raises ValueError, naming record and
field.

**Tags** come as numbers, which stand for the names of the data set's feature. `names=None` takes the list with which
the data set was published (`CORD_TAGS`, `SROIE_TAGS`, `FUNSD_TAGS`). Other versions need theirs, for instance
`names=dataset.features["ner_tags"].feature.names`. Tags that are names already need no list. Entity types are the names
in lower case without prefix (`B-MENU.NM` is `menu.nm`). Tags are read as `docie.tagging.find_spans` reads them, and the
words of an entity are joined by blanks.
"""

from .forms import FUNSD_TAGS, funsd, xfund
from .pages import docvqa, kleister, mp_docvqa, vrdu
from .receipts import CORD_GROUPS, CORD_ONTOLOGY, CORD_TAGS, SROIE_TAGS, cord, cord_names, sroie
from .words import form_columns, words_and_boxes

__all__ = [
    "CORD_GROUPS",
    "CORD_ONTOLOGY",
    "CORD_TAGS",
    "FUNSD_TAGS",
    "SROIE_TAGS",
    "cord",
    "cord_names",
    "docvqa",
    "form_columns",
    "funsd",
    "kleister",
    "mp_docvqa",
    "sroie",
    "vrdu",
    "words_and_boxes",
    "xfund",
]
