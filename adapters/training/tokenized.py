"""Data sets that were tokenised → the arguments of `token_classification_metrics`. Nothing is tokenised again."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from docie.core.errors import inside, shortened
from docie.core.values.plain import is_list
from docie.documents.leaves import is_scored_leaf
from docie.documents.renaming import new_name
from docie.documents.tagging.schemes import OUTSIDE, is_tag, split_tag
from docie.inputs.reading import PLAIN, Reading

from ..tokens.labels import Id2Label, label_names
from ..tokens.word_ids import IGNORED
from .columns import REFERENCES, Columns

_WORDS = ("words", "tokens")
_TAGS = ("ner_tags", "tags", "labels")
_WINDOWS = "overflow_to_sample_mapping"
_KEEP = 'keep them when you tokenise: encoding["word_ids"] = [encoding.word_ids(row) for row in range(number of rows)]'


def read(
    dataset: object,
    tokenizer: object,
    *,
    rows: object,
    id2label: Id2Label | None,
    reference: str | None,
    reading: Reading = PLAIN,
) -> dict[str, Any]:
    """Read a data set of words and tags that was tokenised.

    Args:
        dataset, tokenizer, rows, id2label, reference: as in `token_classification_metrics.from_dataset`.
        reading: which names on both sides are others.

    Raises:
        ValueError: if a column is missing, or does not show to which words tokens belong.
    """
    columns = Columns(dataset)
    tokens = columns if rows is None else Columns(rows)
    words = columns.lists(columns.find("words", _WORDS))
    if reference is not None and _are_tags(columns[reference], words):
        tags_name: str | None = reference
    else:  # the labels of words are replaced by those of tokens
        tags_name = columns.first(_TAGS[:-1] if "input_ids" in columns.names else _TAGS)
    if id2label is None and tags_name is not None:
        id2label = columns.class_names(tags_name)
    if id2label is None:
        raise ValueError("the features of the data set do not name its tags: pass id2label=model.config.id2label")
    names = label_names(id2label)
    tags = None if tags_name is None else _names_of_tags(columns, tags_name, names)
    if reference is None:
        reference = columns.first(REFERENCES) or tags_name or columns.find("references", REFERENCES)
    is_tags = reference == tags_name
    references: Any = tags if is_tags else columns.references(reference)
    groups = _groups(names.values(), None if is_tags else references, reading)
    documents = _documents(tokens[_WINDOWS], len(words)) if _WINDOWS in tokens.names else None
    if documents is None:
        _check_rows_are_documents(tokens, words)
    word_ids = (
        tokens.lists("word_ids") if "word_ids" in tokens.names else _word_ids(tokens, tokenizer, words, tags, names)
    )
    return {
        "words": words,
        "references": references,
        "word_ids": word_ids,
        "id2label": id2label,
        "documents": documents,
        "groups": groups,
    }


def _are_tags(cells: Iterable[object], words: Iterable[Sequence[str]]) -> bool:
    """Whether a column has a tag, or the id of a label, for every word.

    >>> _are_tags([["O", "B-total"]], [["Total", "4.50"]]), _are_tags([{"total": "4.50"}], [["Total", "4.50"]])
    (True, False)
    """
    return all(
        is_list(tags) and len(tags) == len(of_row) and all(isinstance(tag, int | str) for tag in tags)
        for tags, of_row in zip(cells, words, strict=True)
    )


def _names_of_tags(columns: Columns, name: str, names: Mapping[int, str]) -> list[list[str]]:
    """The names of the tags in a column: those of its classes, or the tags themselves if they are texts."""
    classes = columns.class_names(name)
    known = names if classes is None else label_names(classes)
    found = []
    for row, tags in enumerate(columns.lists(name)):
        for tag in tags:
            if not isinstance(tag, str) and tag not in known:
                raise ValueError(f"column {name!r}, row {row}: the tag {shortened(tag)} has no name")
        found.append([tag if isinstance(tag, str) else known[tag] for tag in tags])
    return found


def _documents(samples: Iterable[int], count: int) -> list[int]:
    """The document of each window. In a `map` with batches, the numbers begin again at 0 in every batch."""
    documents: list[int] = []
    before, last = 0, -1  # documents of earlier batches; the last number in this one
    for sample in samples:
        if sample < last:
            before += last + 1
        documents.append(before + sample)
        last = sample
    if before + last + 1 != count:
        problem = f"{_WINDOWS} has {before + last + 1} documents, the data set {count}"
        raise ValueError(f"{problem}; tokenise it in one batch (batch_size=None)")
    return documents


def _check_rows_are_documents(tokens: Columns, words: Sequence[Sequence[str]]) -> None:
    """Raise ValueError if rows are windows of documents."""
    if len(tokens) != len(words):
        raise ValueError(f"{len(tokens)} rows for {len(words)} documents: windows need their {_WINDOWS}, and word_ids")
    for row, word_ids in enumerate(tokens["word_ids"] if "word_ids" in tokens.names else ()):
        if row and next((word for word in word_ids if word is not None), 0) and words[row] == words[row - 1]:
            problem = f"row {row} is a window of the document of row {row - 1}"
            raise ValueError(f"{problem}: pass the data set of documents, and the windows as rows=")


def _word_ids(
    tokens: Columns, tokenizer: object, words: Sequence[Sequence[str]], tags: Sequence[Sequence[str]] | None, names: Any
) -> list[list[int | None]]:
    """The word of each token, which shows where only the first token of each word has a label."""
    if not {"input_ids", "labels"} <= {*tokens.names}:
        raise ValueError("the data set is not tokenised: pass what the Trainer gets, or pass that as rows=")
    found = getattr(tokenizer, "tokenizer", tokenizer)  # of a processor
    special = {*getattr(found, "all_special_ids", ())} - {getattr(found, "unk_token_id", None)}
    rows, rows_of_labels = ([[*map(int, row)] for row in tokens.lists(name)] for name in ("input_ids", "labels"))
    lengths = [sum(number not in special for number in row) for row in rows]
    longest, word_ids = max(lengths, default=0), []
    for row, (ids, labels) in enumerate(zip(rows, rows_of_labels, strict=True)):
        labelled = [names.get(label, label) for label in labels if label != IGNORED]
        with inside(f"row {row}"):
            if len(ids) != len(labels):
                raise ValueError(f"expected as many labels as tokens, got {len(labels)} and {len(ids)}")
            if len(labelled) > len(words[row]) or (tags is not None and labelled != tags[row][: len(labelled)]):
                problem = "its labels are not those of the first tokens of its words, in the names of id2label"
                raise ValueError(f"{problem}, so they do not show to which words tokens belong; {_KEEP}")
            if len(labelled) < len(words[row]) and lengths[row] < longest:  # it was not cut off
                raise ValueError(f"{len(words[row]) - len(labelled)} of its words have no token; {_KEEP}")
        word_ids.append(_of_first_tokens(ids, labels, special))
    return word_ids


def _of_first_tokens(ids: Sequence[int], labels: Sequence[int], special: Collection[int]) -> list[int | None]:
    """The word of each token: the next one begins at every label, and none reaches over a special token.

    >>> _of_first_tokens([0, 7, 8, 9, 1], [-100, 3, -100, 4, -100], {0, 1})
    [None, 0, 0, 1, None]
    """
    word = -1
    words: list[int | None] = []
    for token, label in zip(ids, labels, strict=True):
        word += label != IGNORED
        words.append(None if word < 0 or (token in special and label == IGNORED) else word)
    return words


def _groups(names: Iterable[str], references: Iterable[object] | None, reading: Reading) -> list[str]:
    """The group types that labels name before a dot: all of them, or those that references have as groups."""
    of_labels, of_references = reading.predictions.renamed, reading.references.renamed
    types = [split_tag(name)[1] if is_tag(name) else name for name in names if name != OUTSIDE]
    groups = sorted({name.partition(".")[0] for name in types if "." in name})
    if references is None:
        return groups
    keys = {key for reference in references if isinstance(reference, Mapping) for key in _keys_of_groups(reference)}
    seen = {new_name(key, of_references) for key in keys}
    return [group for group in groups if new_name(group, of_labels) in seen]


def _keys_of_groups(document: Mapping[str, object]) -> Iterable[str]:
    for key, value in document.items():
        elements = value if isinstance(value, list | tuple) else [value]
        if any(isinstance(each, Mapping) and not is_scored_leaf(each) for each in elements):
            yield key
