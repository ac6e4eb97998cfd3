"""Documents from files, in Python as on the command line."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from docie.core.errors import InputError, warn
from docie.core.reading import Reading

_REFERENCES = {"reference", "ground_truth"}


def read(
    path: str | os.PathLike[str], *, side: str | None = None, reading: Reading | Mapping[str, Any] | None = None
) -> list[Any]:
    """The documents of a file or a folder, in order.

    Args:
        path (path): JSON Lines, a JSON list, a table (CSV, TSV, Excel, Parquet), a folder of JSON files, or tagged
            words; "dataset:NAME#SPLIT", a data set in a folder or on the Hugging Face Hub; "-" is standard input.
            Partitions, such as a folder of JSON Lines or Parquet files, and URLs are read one after the other.
        side (str): "prediction" or "reference": which of them is wanted, if the rows hold both. Without it, data sets
            hold references, and other files predictions.
        reading (Reading or dict): how rows are read, such as `{"id_key": "file", "unwrap": "output"}`; it needs a
            `side` to rename or ignore what stands on one side. Answers of services and tasks of annotation tools are
            read in any case, raw texts of models with `side="prediction"`; `{"parse": "no"}` leaves them as they are.

    Returns:
        list: the documents. If rows have ids, each is `{"id": ..., "document": ...}`. All metrics read that, and
        compare the ids, so that a prediction is never scored against the reference of another document. The `meta` of
        wrappers is kept beside it.

    Raises:
        ValueError: for a file that cannot be read, and for rows with a prediction and a reference if `side` is None.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = os.path.join(folder, "references.jsonl")
    ...     with open(path, "w") as file:
    ...         print('{"id": "r-1", "total": "12.00"}', file=file)
    ...     read(path)
    [{'id': 'r-1', 'document': {'total': '12.00'}}]
    """
    from docie.documents.pairs.found import asked_row
    from docie.documents.rows import is_wrapper, open_row  # they bring numpy and scipy, and `import docie` is light
    from docie.files.datasets import PREFIX
    from docie.files.partitions import is_partitioned, open_source, partition_files

    if side not in (None, "prediction", "reference"):
        raise ValueError(f"side must be 'prediction' or 'reference', got {side!r}")
    asked = Reading.of(reading)
    path = os.fspath(path)
    read_as = side or ("reference" if path.startswith(PREFIX) else "prediction")
    documents, facts = [], []
    for file in partition_files(path) if is_partitioned(path) else [path]:
        source = open_source(file, read_as, reading=asked)
        source.answers.reads_texts = side == "prediction"  # others may be documents of ANLS*
        for row in source:
            if asked is not None:
                opened = asked_row(source.found(row), read_as, asked)
                documents.append(opened.document)
                facts.append(_facts(row.id, opened.meta))
                continue
            value = source.document(row)
            if side is None and is_wrapper(value) and "prediction" in value and _REFERENCES & value.keys():
                raise InputError(
                    f"{source.place(row.number)}: a prediction and a reference; name one of them with `side`"
                )
            opened = open_row(value, read_as, accepts_text=True)
            documents.append(opened.document)
            facts.append(_facts(row.id, opened.meta))
        for warning in source.warnings:
            warn(warning)
    has_facts = any(facts)
    return [
        # a document that looks like a wrapper would be unwrapped once more
        {**of_row, "document": document} if has_facts or is_wrapper(document) else document
        for document, of_row in zip(documents, facts, strict=True)
    ]


def _facts(identity: str | None, meta: object) -> dict[str, object]:
    """What stands beside a document."""
    return {name: fact for name, fact in (("id", identity), ("meta", meta)) if fact is not None}
