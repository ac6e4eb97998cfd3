"""`docie.toml`: how the rows of references and predictions were written, and when their values are equal.

A configuration is the path of such a file, one entry of it as text (`predictions.unwrap=output.data`), a mapping with
the same keys, or a list of these. Entries and mappings take precedence over files, later ones over earlier ones:
mappings are merged, lists are replaced. Paths in a file are relative to it.
"""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from typing import Any, NamedTuple

from docie.core.errors import InputError, shortened, with_close_names
from docie.core.leaf_keys import leaf_keys
from docie.core.names import as_names
from docie.core.normalizers.specs import normalizer_of
from docie.core.rules.match import rules_of
from docie.core.rules.schemas import read_schema
from docie.core.rules.weights import read_weights
from docie.core.values.toml_text import line_of, toml_key, toml_value
from docie.inputs.answer_rows import check_parse
from docie.inputs.reading import JOINS, NAMES_FILES, PLAIN, SIDE_OPTIONS, SIDES, Reading, Side

VERSION = 1
"""Of the file, as its key `version` has it."""
SYSTEMS = "systems"
VALUES: dict[str, Callable[[Any], object]] = {
    "normalize": normalizer_of,
    "normalize_by": lambda value: Reading(normalize_by=value),
    "match": rules_of,
    "schema": read_schema,
    "weights": read_weights,
}
"""The keys of `[values]`, and what checks their values. All but `normalize_by` are options of families."""
SECTIONS: dict[str, tuple[str, ...]] = {**dict.fromkeys(SIDES, SIDE_OPTIONS), "join": (*JOINS,), "values": (*VALUES,)}
"""The keys of each section."""
_BY_NAME = ("rename", "normalize", "match", "weights")
"""The keys whose values may be mappings from names of types."""
PATHS = ("lines", "rename", "normalize_by", "schema", "weights")
"""The keys whose texts may be paths of files."""
Config = str | os.PathLike[str] | Mapping[str, Any] | Reading | Iterable[Any] | None
"""What `reading_of` takes."""
_ENTRY = re.compile(r"""(\s*[A-Za-z_]+\s*(?:\.(?:"(?:[^"\\]|\\.)*"|'[^']*'|[^"'=])*)?)=""", re.DOTALL)
"""An entry up to the sign, which may also stand in a quoted key."""
_EXAMPLE = "KEY=VALUE, such as predictions.unwrap=output"
_NUMBERS = "values.weights."
"""The beginning of keys whose values are numbers; elsewhere, what looks like one is text, since it may be an id."""
_AT_LINE = re.compile(r" \(at line (\d+), column \d+\)$|\(at end of document\)$")


class Layer(NamedTuple):
    """A part of a configuration.

    Attributes:
        content: what it says.
        text: the text of a file, in which a key is found; empty for other parts.
        name: what it is called in errors.
    """

    content: Mapping[str, Any]
    text: str
    name: str

    def error(self, keys: tuple[str, ...], problem: object) -> InputError:
        """The error about a key: one line that names its place."""
        line = f":{line_of(keys, self.text)}" if self.text else ""
        return InputError(f"{self.name}{line}: {problem}")


def reading_of(config: object, *, reads_files: bool = True) -> Reading:
    """The reading that a configuration asks for.

    Args:
        config: None, a path, an entry as text, a mapping, or a list of these; a reading stays as it is.
        reads_files: whether it may be the path of a file, and name others. A server takes mappings only.

    Raises:
        InputError: for an unknown key or a wrong value, with the line of the file.

    >>> reading_of({"predictions": {"unwrap": "output"}, "join": {"missing": "empty"}}).missing
    'empty'
    >>> reading_of(["predictions.rename.lines=items", "predictions.rename.sum=total"]).predictions.renamed
    {'lines': 'items', 'sum': 'total'}
    >>> reading_of("predictions.unwarp=output")
    Traceback (most recent call last):
    ...
    docie.core.errors.InputError: predictions.unwarp=output: no key 'unwarp' (close: 'unwrap') in [predictions]
    """
    if config is None or isinstance(config, Reading):
        return config or PLAIN
    parts = _parts(config)
    if not reads_files and not all(isinstance(part, Mapping) for part in parts):
        raise InputError("config must be a JSON object: no file is read here")
    layers = [_layer(part) for part in parts]
    merged: dict[str, Any] = {}
    for layer in sorted(layers, key=lambda layer: not layer.text):  # files first
        _check(layer, reads_files)
        merged = _merged(merged, layer.content)
    return _reading(merged)


def files_of(config: object) -> Iterator[str]:
    """The files that a configuration is, and those that it names; of one with an error, those that were found."""
    for part in _parts(config):
        try:
            layer = _layer(part)
        except InputError:
            continue
        if layer.text:
            yield layer.name
        sections = [each for each in layer.content.values() if isinstance(each, Mapping)]
        for section in [*sections, *(each for one in sections for each in one.values() if isinstance(each, Mapping))]:
            for key, value in section.items():
                texts = value if isinstance(value, list | tuple) else [value]
                yield from (text for text in texts if _is_path(key, text))


def config_of(reading: Reading) -> dict[str, Any]:
    """The mapping that asks for a reading, with the keys of `docie.toml`.

    >>> config_of(reading_of({"predictions": {"rename": ["lines=items"]}}))
    {'predictions': {'rename': {'lines': 'items'}}}
    """
    config: dict[str, Any] = {}
    values = {f"values.{name}": value for name, value in reading.values.items()}
    for name, value in {**reading.options, **values}.items():
        section, _, key = name.partition(".")
        held = config.setdefault(section, {})
        if section == SYSTEMS:
            system, _, key = key.rpartition(".")
            held = held.setdefault(system, {})
        held[key] = _plain(key, value)
    return config


def with_paths_from(config: Mapping[str, Any], folder: str) -> dict[str, Any]:
    """The configuration of a reading, with paths as a file in a folder has them.

    >>> with_paths_from({"predictions": {"lines": "items.csv"}}, "runs/one")
    {'predictions': {'lines': '../../items.csv'}}
    """
    if not folder:
        return dict(config)
    return _with_paths(config, lambda _, path: os.path.relpath(path, folder) if path else path)


def options_of_config(config: Mapping[str, Any]) -> dict[str, Any]:
    """The options of a configuration by their names."""
    options: dict[str, Any] = {}
    for section, keys in config.items():
        if section == "systems":
            options |= {f"systems.{name}.{key}": value for name, each in keys.items() for key, value in each.items()}
        elif section != "version":
            options |= {f"{section}.{key}": value for key, value in keys.items()}
    return options


def flattened(options: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Options by their names as the keys of a file, each with its value: those of a mapping are keys of their own.

    >>> [*flattened({"predictions.rename": {"line total": "items.amount"}})]
    [('predictions.rename."line total"', 'items.amount')]
    """
    for name, value in options.items():
        title, key = placed(name)
        for path, each in _leaves(key, _plain(key, value)):
            yield f"{title}.{path}", each


def placed(name: str) -> tuple[str, str]:
    """The section of an option by its name, as the header of a file has it, and its key there.

    >>> placed("systems.gpt-4.1.unwrap"), placed("join.missing")
    (('systems."gpt-4.1"', 'unwrap'), ('join', 'missing'))
    """
    section, _, key = name.partition(".")
    if section != SYSTEMS:
        return section, key
    system, _, key = key.rpartition(".")
    return f"{SYSTEMS}.{toml_key(system)}", key


def entries_of(options: Mapping[str, Any]) -> list[str]:
    """The entries that ask for options by their names, as `--config` takes them.

    >>> entries_of({"predictions.rename": {"lines": "items"}, "predictions.unwrap": "output", "references.id": ""})
    ['predictions.rename.lines=items', 'predictions.unwrap=output', 'references.id=""']
    """
    return [f"{name}={value if _is_bare(value) else toml_value(value)}" for name, value in flattened(options)]


def _leaves(path: str, value: object) -> Iterator[tuple[str, object]]:
    """The texts and lists of texts in a value by their keys; a mapping with anything else is one value."""
    if isinstance(value, Mapping) and value and _has_texts_only(value):
        for key, each in value.items():
            yield from _leaves(f"{path}.{toml_key(str(key))}", each)
    else:
        yield path, value[0] if isinstance(value, list | tuple) and len(value) == 1 else value


def _has_texts_only(value: object) -> bool:
    if isinstance(value, Mapping):
        return all(map(_has_texts_only, value.values()))
    return isinstance(value, str) or (isinstance(value, list | tuple) and all(isinstance(each, str) for each in value))


def _is_bare(value: object) -> bool:
    """Whether an entry has a value as it stands, not as TOML."""
    return isinstance(value, str) and bool(value) and _toml_or_text(value) == value == value.strip()


def _plain(key: str, value: Any) -> Any:
    """The value of an option as a file has it."""
    if key == "rename":
        return dict(value)
    if key == "leaf":
        return [each.to_json() for each in leaf_keys(value)]
    return [*value] if isinstance(value, tuple) else value


def _parts(config: object) -> list[object]:
    if isinstance(config, str | os.PathLike | Mapping):
        return [config]
    if not isinstance(config, Iterable):
        raise InputError(f"config must be a path, a mapping or a list of these, got {shortened(config)}")
    return [*config]


def _layer(part: object) -> Layer:
    if isinstance(part, Mapping):
        return Layer(_with_names(part), "", "config")
    if isinstance(part, str) and _ENTRY.match(part) and not os.path.exists(part):
        return Layer(_with_names(_entry(part)), "", part)
    if not isinstance(part, str | os.PathLike):
        raise InputError(f"config must be a path, a mapping or a list of these, got {shortened(part)}")
    path = os.fspath(part)
    if not path:
        raise InputError(f"config is empty; expected a file or {_EXAMPLE}")
    try:
        with open(path, "rb") as file:
            written = file.read()
        text = written.decode("utf-8-sig").replace("\r\n", "\n")
        content = tomllib.loads(text)
    except UnicodeDecodeError as error:
        line = written.count(b"\n", 0, error.start) + 1
        raise InputError(f"{path}:{line}: not UTF-8 (byte {written[error.start]:#04x})") from None
    except tomllib.TOMLDecodeError as error:
        place = _AT_LINE.search(str(error))
        number = place[1] if place and place[1] else text.count("\n") + 1
        raise InputError(f"{path}:{number}: not TOML ({_AT_LINE.sub('', str(error)).strip()})") from None
    except OSError as error:
        hint = "" if path.endswith(".toml") else f"; an entry is {_EXAMPLE}"
        raise InputError(f"{path}: {error.strerror}{hint}") from None
    except ValueError as error:
        raise InputError(f"{path}: {error}") from None
    return Layer(_with_names(_with_paths(content, partial(_joined, os.path.dirname(path)))), text + "\n", path)


def _entry(text: str) -> dict[str, Any]:
    """What an entry says: KEY=VALUE, whose value is TOML or text."""
    key = _ENTRY.match(text)[1]  # type: ignore[index]
    value = text[len(key) + 1 :].strip()
    try:
        read = tomllib.loads(f"value = {value}")["value"] if key.startswith(_NUMBERS) else _toml_or_text(value)
        return tomllib.loads(f"{key} = {toml_value(read)}")
    except tomllib.TOMLDecodeError:
        hint = 'a name of other signs than A-Z, a-z, 0-9, _ and - stands in quotes: predictions.rename."sub total"=tax'
        raise InputError(f"{text}: expected {_EXAMPLE}; {hint}") from None


def _toml_or_text(text: str) -> object:
    """What a text says as a list, a table or a quoted text of TOML; else the text, since numbers may be ids."""
    if not text.startswith(("[", "{", '"', "'")):
        return text
    try:
        return tomllib.loads(f"value = {text}")["value"]
    except tomllib.TOMLDecodeError:
        return text


def _with_paths(content: Mapping[str, Any], change: Callable[[str, str], str]) -> dict[str, Any]:
    """What a configuration says, with other paths, which `change` gives for a key and its text."""

    def path(value: Any, key: str) -> Any:
        if isinstance(value, Mapping) and key not in PATHS:
            return {name: path(each, name) for name, each in value.items()}
        if isinstance(value, list) and key in PATHS:
            return [path(each, key) for each in value]
        return change(key, value) if _is_path(key, value) else value

    return {name: path(value, name) for name, value in content.items()}


def _joined(folder: str, key: str, path: str) -> str:
    """A path in a file of a folder, as it leads from here."""
    joined = os.path.join(folder, path)
    is_file = os.path.exists(joined) or path.lower().endswith(NAMES_FILES)
    return joined if key != "rename" or is_file else path  # else it may be the names of a service


def _is_path(key: str, value: object) -> bool:
    """Whether the value of an option, or a text in it, may be the path of a file."""
    if isinstance(value, list | tuple):
        return any(_is_path(key, each) for each in value)
    if key not in PATHS or not isinstance(value, str):
        return False
    return not (key == "rename" and "=" in value) and not (key == "normalize_by" and value.lstrip().startswith("{"))


def _with_names(content: Mapping[str, Any]) -> dict[str, Any]:
    """What a layer says, with names of types as a mapping, so that they are merged, and kinds of objects as a list, so
    that they are not."""

    def named(value: Any) -> Any:
        if not isinstance(value, Mapping):
            return value
        if isinstance(value.get("leaf"), Mapping):
            value = {**value, "leaf": [value["leaf"]]}
        texts = value.get("rename")
        texts = [texts] if isinstance(texts, str) else texts
        if isinstance(texts, list | tuple) and all(isinstance(each, str) and "=" in each for each in texts):
            return {**value, "rename": as_names(texts)}
        return value

    systems = content.get(SYSTEMS)
    named_systems = {SYSTEMS: {k: named(each) for k, each in systems.items()}} if isinstance(systems, Mapping) else {}
    return {**{name: named(value) for name, value in content.items()}, **named_systems}


def _check(layer: Layer, reads_files: bool) -> None:
    """Raise InputError for what is no key, or no value of one."""
    version = layer.content.get("version", VERSION)
    if type(version) is not int or version != VERSION:
        hint = "; a newer docie reads it" if type(version) is int and version > VERSION else ""
        raise layer.error(("version",), f"version must be {VERSION}, got {shortened(version)}{hint}")
    for name, section in layer.content.items():
        if name == "version":
            continue
        if name not in (*SECTIONS, SYSTEMS):
            raise layer.error((name,), _no_section(name))
        if name == SYSTEMS and isinstance(section, Mapping):
            for system, options in section.items():
                _check_section(layer, (name, system), options, reads_files)
        else:
            _check_section(layer, (name,), section, reads_files)


def _check_section(layer: Layer, section: tuple[str, ...], options: object, reads_files: bool) -> None:
    known = SECTIONS["predictions" if section[0] == SYSTEMS else section[0]]
    title = f"[{'.'.join(section)}]"
    if not isinstance(options, Mapping):
        raise layer.error(section, f"{title} must be a table of keys, got {shortened(options)}")
    for key, value in options.items():
        if key not in known:
            others = [f"[{name}]" for name, keys in SECTIONS.items() if key in keys]
            hint = f"; it is one of {' or '.join(others)}" if others else ""
            unknown = repr(key) if others else with_close_names([str(key)], known)
            raise layer.error((*section, str(key)), f"no key {unknown} in {title}{hint}")
        if not reads_files and _is_path(key, value):
            raise layer.error((*section, key), f"{title} {key} names a file, and none is read here")
        try:
            _check_value(section[0], key, value)
        except ValueError as error:
            problem = str(error) if str(error).startswith(key) else f"{key}: {error}"
            raise layer.error((*section, key, *_wrong_name(section[0], key, value)), f"{title} {problem}") from None


def _check_value(section: str, key: str, value: object) -> None:
    """Raise ValueError for a value that a key does not take."""
    if section in (*SIDES, SYSTEMS):
        Side(**{key: value})  # type: ignore[arg-type]
        if key == "parse":
            check_parse(str(value))
    elif section == "join":
        Reading(**{key: value})  # type: ignore[arg-type]
    else:
        VALUES[key](value)


def _wrong_name(section: str, key: str, value: object) -> Iterator[str]:
    """The first name of a mapping from names whose value is wrong."""
    for name, each in value.items() if isinstance(value, Mapping) and key in _BY_NAME else ():
        try:
            _check_value(section, key, {name: each})
        except ValueError:
            yield str(name)
            return


def _no_section(name: str) -> str:
    others = [f"[{section}]" for section, keys in SECTIONS.items() if name in keys]
    if others:
        return f"the key {name!r} stands in no section; it is one of {' or '.join(others)}"
    return f"no section {with_close_names([name], [*SECTIONS, SYSTEMS])}"


def _merged(one: Mapping[str, Any], other: Mapping[str, Any]) -> dict[str, Any]:
    result = dict(one)
    for key, value in other.items():
        before = result.get(key)
        both = isinstance(value, Mapping) and isinstance(before, Mapping)
        result[key] = _merged(before, value) if both else value  # type: ignore[arg-type]
    return result


def _reading(content: Mapping[str, Any]) -> Reading:
    predictions, values = content.get("predictions", {}), dict(content.get("values", {}))
    by_column = {"normalize_by": values.pop("normalize_by")} if "normalize_by" in values else {}
    return Reading(
        references=Side(**content.get("references", {})),
        predictions=Side(**predictions),
        systems={name: Side(**_merged(predictions, each)) for name, each in content.get(SYSTEMS, {}).items()},
        values=values,
        **content.get("join", {}),
        **by_column,
    )
