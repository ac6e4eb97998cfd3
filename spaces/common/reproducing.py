"""The same scores elsewhere: in Python, and on the command line."""

from __future__ import annotations

import json
import pprint
import shlex
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from docie.core.values.json_text import loads
from docie.inputs.config import config_of, options_of_config, reading_of
from docie.inputs.fit.change import arguments_of

MAX_INLINE = 20_000
"""The most characters of documents inside the lines themselves. Larger documents are files to download."""


def python_lines(
    families: Sequence[str],
    predictions: Sequence[object],
    references: Sequence[object],
    options: Mapping[str, object],
    *,
    confidence_level: float | None = None,
) -> str:
    """Python code that prints the results of all families.

    Each family uses those of the options that it has. `confidence_level` is that of the intervals; None for none.

    >>> print(python_lines(["hed"], [{"a": "1"}], [{"a": "2"}], {"unmatched": "ignore"}))
    import docie
    <BLANKLINE>
    references = [{'a': '2'}]
    predictions = [{'a': '1'}]
    result = docie.score(
        references=references, predictions=predictions, metric=['hed'], by_field=True, unmatched='ignore'
    )
    print(result.to_dict())
    """
    level = {} if confidence_level is None else {"confidence_level": confidence_level}
    how = ", ".join(f"{name}={value!r}" for name, value in {"by_field": True, **options, **level}.items())
    return "\n".join(
        [
            *("import docie", ""),
            *_documents(references=references, predictions=predictions),
            "result = docie.score(",
            f"    references=references, predictions=predictions, metric={[*families]!r}, {how}",
            *(")", "print(result.to_dict())"),
        ]
    )


def _documents(**sides: Sequence[object]) -> Iterator[str]:
    """A variable for references, and one for predictions: rows or, if these are many, a file."""
    if any(map(_is_large, sides.values())):
        yield from (f"{name} = {json.dumps(f'{name}.jsonl')}" for name in sides)
        return
    try:
        json.dumps(sides, allow_nan=False)
    except ValueError:  # these numbers are names in Python
        yield 'nan, inf = float("nan"), float("inf")'
    for name, rows in sides.items():
        yield f"{name} = {pprint.pformat([*rows], width=100, sort_dicts=False)}"


def command_lines(
    families: Sequence[str],
    predictions: Sequence[object],
    references: Sequence[object],
    options: Mapping[str, object],
    *,
    confidence_level: float | None = None,
) -> str:
    """Commands for a shell, which print the results of all families as JSON.

    >>> print(command_lines(["hed"], [{"a": "1"}], [{"a": "2"}], {"unmatched": "ignore"}))
    cat > references.jsonl <<'END'
    {"a": "2"}
    END
    cat > predictions.jsonl <<'END'
    {"a": "1"}
    END
    docie score references.jsonl predictions.jsonl --metric hed --option unmatched=ignore --by-field --format json
    """
    reading = reading_of(options.get("config"))
    lines = []
    if not (_is_large(references) or _is_large(predictions)):
        for name, rows in (("references", references), ("predictions", predictions)):
            lines += [f"cat > {name}.jsonl <<'END'", json_lines(rows), "END"]
    corrections: Any = options.get("corrections") or []
    if corrections:
        lines += ["cat > changes.jsonl <<'END'", json_lines(corrections), "END"]
    arguments = ["docie", "score", "references.jsonl", "predictions.jsonl"]
    for family in families:
        arguments += ["--metric", family]
    arguments += [
        part
        for name, value in options.items()
        if name not in ("config", "corrections")
        for part in ("--option", f"{name}={_text(value)}")
    ]
    arguments += [*arguments_of(options_of_config(config_of(reading))), "--by-field"]
    if corrections:
        arguments += ["--corrections", "changes.jsonl"]
    if confidence_level is not None:
        arguments += ["--confidence-level", str(confidence_level)]
    return "\n".join([*lines, shlex.join([*arguments, "--format", "json"])])


def json_lines(rows: Sequence[object]) -> str:
    """The rows as a file of JSON Lines, without the last line's end."""
    return "\n".join(map(_json, rows))


def _json(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if text.isprintable() else json.dumps(value)


def _text(value: object) -> str:
    """The value of an option for the command line: JSON, or a text that is not JSON."""
    if isinstance(value, str):
        try:
            loads(value)
        except ValueError:
            return value
    return json.dumps(value, ensure_ascii=False)


def _is_large(rows: Sequence[object]) -> bool:
    return len(json_lines(rows)) > MAX_INLINE
