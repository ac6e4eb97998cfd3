"""The same scores elsewhere: in Python, and on the command line."""

from __future__ import annotations

import json
import pprint
import shlex
from collections.abc import Iterator, Mapping, Sequence

from docie.core.family import WithColumns, get, options_of
from docie.core.values.json_text import loads
from docie.core.values.plain import JsonObject
from docie.inputs.config import config_of, options_of_config, reading_of
from docie.inputs.fit.change import arguments_of
from docie.inputs.reading import both

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
    """Python code that stores the results of each family in a variable of its name.

    Each family uses those of the options that it has. `confidence_level` is that of the intervals; None for none.

    >>> print(python_lines(["hed"], [{"a": "1"}], [{"a": "2"}], {"unmatched": "ignore"}))
    import docie
    <BLANKLINE>
    references = [{'a': '2'}]
    predictions = [{'a': '1'}]
    hed = docie.load("hed", unmatched='ignore').compute(
        predictions=predictions, references=references, breakdown=True
    )
    print(hed)
    """
    is_raw = not reading_of(options.get("config")).is_plain
    lines = ["import docie", "", *_documents(is_raw=is_raw, references=references, predictions=predictions)]
    level = "" if confidence_level is None else f", confidence_level={confidence_level!r}"
    for family in families:
        known = [f"{name}={value!r}" for name, value in options.items() if name in options_of(get(family))]
        config = [f"config={options['config']!r}"] if options.get("config") else []
        if isinstance(get(family), WithColumns):  # its module has a row for each version, not such rows
            how = ", ".join(["predictions", "references", "settings", *config])
            lines += [
                f"from docie import corpus, {family}",
                f"settings = {family}.Settings({', '.join(known)})",
                f"{family} = corpus.evaluate(",
                f"    {family}, {how}, breakdown=True{level}",
            ]
        else:
            lines += [
                f"{family} = docie.load({', '.join([json.dumps(family), *known, *config])}).compute(",
                f"    predictions=predictions, references=references, breakdown=True{level}",
            ]
        lines += [")", f"print({family})"]
    return "\n".join(lines)


def _documents(*, is_raw: bool, **sides: Sequence[object]) -> Iterator[str]:
    """A variable for references, and one for predictions. Rows that are raw are read by the metric."""
    if any(map(_is_large, sides.values())):
        if is_raw:
            yield "import json"
        read = "[json.loads(line) for line in open({}, encoding='utf-8')]" if is_raw else "docie.read({})"
        yield from (f"{name} = {read}".format(json.dumps(f"{name}.jsonl")) for name in sides)
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
    arguments = ["docie", "score", "references.jsonl", "predictions.jsonl"]
    for family in families:
        arguments += ["--metric", family]
    arguments += [
        part for name, value in options.items() if name != "config" for part in ("--option", f"{name}={_text(value)}")
    ]
    arguments += [*arguments_of(options_of_config(config_of(reading))), "--by-field"]
    if confidence_level is not None:
        arguments += ["--confidence-level", str(confidence_level)]
    return "\n".join([*lines, shlex.join([*arguments, "--format", "json"])])


def options_in_python(options: JsonObject, joined_by: str) -> JsonObject:
    """The options with which rows in Python are read as those of a page.

    A key "id" joins rows of a page, as it does in files. In Python it does so where a reading asks for it, or where the
    id stands beside the document, as it does without a reading.

    >>> options_in_python({"config": {"predictions": {"ignore": "tax"}}}, "id")["config"]
    {'references': {'id': 'id'}, 'predictions': {'id': 'id', 'ignore': ['tax']}}
    """
    reading = reading_of(options.get("config"))
    if reading.is_plain or reading.joins_by_id or joined_by != "id":
        return options
    return {**options, "config": config_of(reading.with_options(both("id", "id")))}


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
