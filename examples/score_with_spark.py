"""A corpus scored with Spark: each partition becomes one row of counts, and the driver adds the rows.

    pip install pyspark
    python examples/score_with_spark.py predictions-and-references.parquet

The table has the columns `prediction` and `reference`, with a JSON text in each row; `id` and `meta` may be there too.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Iterable, Iterator
from typing import Any

from docie import corpus, kieval


def score(table: Any, family: Any = kieval, settings: Any = None, **options: Any) -> dict[str, Any]:
    """The scores of a Spark table. `options` are those of `corpus.results`."""

    def count_partition(frames: Iterable[Any]) -> Iterator[Any]:
        """What Spark calls for each partition, with its rows as pandas tables."""
        import pandas as pd

        rows = [row for frame in frames for row in frame.to_dict("records")]
        part = corpus.count(family, rows, rows, settings, keep="documents")
        yield pd.DataFrame({"part": [json.dumps(part.to_json())]})

    parts = table.mapInPandas(count_partition, "part string").persist()
    parts.count()  # counts all partitions at once; the iterator alone would ask for one after the other
    rows = parts.toLocalIterator()
    total = corpus.Partial.sum_of(corpus.Partial.from_json(json.loads(row.part)) for row in rows)
    results = corpus.results(total, family=family, **options)
    parts.unpersist()
    return results


def main() -> None:
    from pyspark.sql import SparkSession

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("path", help="a Parquet file, or a folder of them")
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)  # on this machine, workers run this Python too
    spark = SparkSession.builder.appName("docie").getOrCreate()
    table = spark.read.parquet(parser.parse_args().path)
    results = score(table, settings=kieval.Settings(normalize="casefold"), confidence_level=0.95)
    spark.stop()
    print(json.dumps(results, indent=2))


if __name__ == "__main__":
    main()
