"""What a shell may complete the value of an option to."""

from __future__ import annotations

from collections.abc import Iterable


def families(incomplete: str) -> list[str]:
    """The names of families.

    >>> families("anls")
    ['anls_star']
    """
    from docie.core.family import families as names

    return _beginning_with(incomplete, names())


def metrics(incomplete: str) -> list[str]:
    """The names of families, and all.

    >>> metrics("a")
    ['anls_star', 'all']
    """
    return [*families(incomplete), *_beginning_with(incomplete, ["all"])]


def protocols(incomplete: str) -> list[str]:
    """The names of published scores.

    >>> protocols("docv")
    ['docvqa']
    """
    from docie.protocols import names

    return _beginning_with(incomplete, names())


def attacks(incomplete: str) -> list[str]:
    """The names of attacks.

    >>> attacks("key")
    ['key_drop']
    """
    from docie.robustness.attacks import names

    return _beginning_with(incomplete, names(own=True))


def normalizers(incomplete: str) -> list[str]:
    """The names of normalizers, for all entity types or for one.

    >>> normalizers("da"), normalizers("issued=da")
    (['date'], ['issued=date'])
    """
    from docie.core.normalizers import NORMALIZERS

    return _for_types(incomplete, NORMALIZERS)


def rules(incomplete: str) -> list[str]:
    """Examples of match rules, for all entity types or for one.

    >>> rules("w"), rules("total=sa")
    (['within(0.01)', 'within(1%)'], ['total=same_amount'])
    """
    from docie.core.rules.match import RULES

    return _for_types(incomplete, [example for rule in RULES.values() for example in rule.examples])


def _beginning_with(incomplete: str, values: Iterable[str]) -> list[str]:
    return [value for value in values if value.startswith(incomplete)]


def _for_types(incomplete: str, values: Iterable[str]) -> list[str]:
    entity_type, mark, begun = incomplete.rpartition("=")
    return [f"{entity_type}{mark}{value}" for value in _beginning_with(begun, values)]
