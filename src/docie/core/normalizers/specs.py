"""The option `normalize`: its values, the function that it stands for, and its text in a signature."""

from __future__ import annotations

import ast
import functools
from collections.abc import Callable, Mapping, Sequence

from docie.core.errors import DocumentError, shortened
from docie.core.normalizers.amounts import money, number
from docie.core.normalizers.dates import date
from docie.core.normalizers.texts import NumberText, absent, alphanumeric, boolean, casefold, nfkc, whitespace
from docie.core.normalizers.typography import typography

Normalizer = Callable[[str], str]
Spec = str | Normalizer | Sequence[str | Normalizer]
Normalize = Spec | Mapping[str, Spec] | None

NORMALIZERS: dict[str, Callable[..., str]] = {
    "nfkc": nfkc,
    "casefold": casefold,
    "whitespace": whitespace,
    "alphanumeric": alphanumeric,
    "typography": typography,
    "number": number,
    "money": money,
    "date": date,
    "boolean": boolean,
    "absent": absent,
}


def normalizer_of(
    normalize: Normalize, of_schema: Mapping[str, Spec] | None = None
) -> Callable[[str, str], str] | None:
    """The function (entity type, text) → text for an option `normalize`.

    Args:
        normalize: the option, as described in the docstring of this package.
        of_schema: the normalizers of a schema, by entity type. A mapping `normalize` takes precedence over them; they
            take precedence over normalizers for all types.

    Returns:
        The function; None if no text is normalised.

    Raises:
        ValueError: if a name is unknown or an argument is wrong.

    >>> normalizer_of({"total": 'number(decimal=",")'})("total", "1.240,50")
    '1240.5'
    """
    if normalize is None and not of_schema:
        return None
    if normalize is not None:
        _check(normalize)
    if not of_schema and not isinstance(normalize, Mapping):
        return functools.partial(_apply, _steps([] if normalize is None else normalize))
    by_type = {**(of_schema or {}), **(normalize if isinstance(normalize, Mapping) else {})}
    others = [] if normalize is None or isinstance(normalize, Mapping) else _steps(normalize)
    steps = {entity_type: _steps(spec) for entity_type, spec in by_type.items()}
    return functools.partial(_apply_by_type, steps, others)


def describe(normalize: Normalize) -> str:
    """The text of an option `normalize` in a signature.

    Args:
        normalize: the option, as described in the docstring of this package.

    Returns:
        str: its text.

    >>> describe(None), describe(["nfkc", "casefold"]), describe({"total": "number"})
    ('none', 'nfkc+casefold', 'total=number')
    """
    if normalize is None:
        return "none"
    if isinstance(normalize, Mapping):
        specs = (f"{entity_type}={describe(spec)}" for entity_type, spec in sorted(normalize.items()))
        return ",".join(specs) or "none"
    return "+".join(_name(step) for step in _listed(normalize)) or "none"


def _check(normalize: Normalize) -> None:
    """Raise ValueError unless the option consists of names and functions, in lists or in a mapping."""
    specs = normalize.values() if isinstance(normalize, Mapping) else [] if normalize is None else [normalize]
    for spec in specs:
        steps = _listed(spec)
        if not isinstance(steps, list | tuple) or not all(isinstance(step, str) or callable(step) for step in steps):
            raise ValueError(f"normalize must be names or functions, or a mapping to these, got {shortened(normalize)}")


def _apply(steps: list[Normalizer], entity_type: str, text: str) -> str:
    number_text = isinstance(text, NumberText)
    for step in steps:
        text = step(NumberText(text) if number_text else text)
        if not isinstance(text, str):
            raise DocumentError(f"its normalizer must give text, got {shortened(text)}", entity=entity_type)
    return text


def _apply_by_type(steps: dict[str, list[Normalizer]], others: list[Normalizer], entity_type: str, text: str) -> str:
    return _apply(steps.get(entity_type, others), entity_type, text)


def _listed(spec: Spec) -> Sequence[str | Normalizer]:
    return [spec] if isinstance(spec, str) or callable(spec) else spec


def _steps(spec: Spec) -> list[Normalizer]:
    return [step if callable(step) else _named(step) for step in _listed(spec)]


def _name(step: str | Normalizer) -> str:
    if isinstance(step, str):
        return step.strip()
    if isinstance(step, functools.partial):
        arguments = [*map(repr, step.args), *(f"{name}={value!r}" for name, value in step.keywords.items())]
        return f"{_name(step.func)}({', '.join(arguments)})"
    if step in NORMALIZERS.values():
        return f"docie.normalizers.{step.__name__}"
    module, name = getattr(step, "__module__", None), getattr(step, "__qualname__", type(step).__qualname__)
    return f"{module}.{name}" if module else name


def _named(text: str) -> Normalizer:
    """The normalizer for a name such as `casefold` or `number(decimal=",")`."""
    problem = f"unknown normalizer {shortened(text)}, expected one of {', '.join(NORMALIZERS)}"
    try:
        node = ast.parse(text.strip(), mode="eval").body
        arguments = {}
        if isinstance(node, ast.Call) and not node.args:
            arguments = {str(keyword.arg): ast.literal_eval(keyword.value) for keyword in node.keywords}
            node = node.func
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        raise ValueError(problem) from None
    if not isinstance(node, ast.Name) or node.id not in NORMALIZERS:
        raise ValueError(problem)
    normalizer = functools.partial(NORMALIZERS[node.id], **arguments)
    try:
        normalizer("1")
    except TypeError as error:
        raise ValueError(f"normalizer {text!r}: {error}") from None
    return normalizer
