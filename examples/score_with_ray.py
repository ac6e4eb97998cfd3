"""A corpus scored with Ray Data: each batch becomes one row of counts, and the driver adds the rows.

    pip install "ray[data]"
    python examples/score_with_ray.py predictions-and-references.parquet

The table has the columns `prediction` and `reference`, with a JSON text in each row; `id` and `meta` may be there too.
"""

from __future__ import annotations

import argparse
import json
from typing import Any

from docie import corpus, kieval

BATCH = 1000  # documents


def score(data: Any, family: Any = kieval, settings: Any = None, **options: Any) -> dict[str, Any]:
    """The scores of a Ray dataset. `options` are those of `corpus.results`."""

    def count_batch(frame: Any) -> dict[str, list[str]]:
        """What Ray calls for each batch, a pandas table."""
        rows = frame.to_dict("records")
        part = corpus.count(family, rows, rows, settings, keep="documents")
        return {"part": [json.dumps(part.to_json())]}

    rows = data.map_batches(count_batch, batch_format="pandas", batch_size=BATCH).iter_rows()
    total = corpus.Partial.sum_of(corpus.Partial.from_json(json.loads(row["part"])) for row in rows)
    return corpus.results(total, family=family, **options)


def main() -> None:
    import ray

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("path", help="a Parquet file, or a folder of them")
    ray.data.DataContext.get_current().execution_options.preserve_order = True  # intervals depend on the order
    data = ray.data.read_parquet(parser.parse_args().path)
    results = score(data, settings=kieval.Settings(normalize="casefold"), confidence_level=0.95)
    ray.shutdown()
    print(json.dumps(results, indent=2))


if __name__ == "__main__":
    main()
