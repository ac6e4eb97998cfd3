"""Entity types that only one side has: what is known of them, and those that nothing explains."""

from __future__ import annotations

from collections.abc import Iterator

from docie.core.phrases import counted, some_of
from docie.inputs.fit.change import LEAST, LISTED, Change
from docie.inputs.fit.sample import SIDES, Sample
from docie.inputs.fit.told.moved import groups_of, moved_values
from docie.inputs.fit.told.split import splits

SHARE = 0.02
"""Types are told if they have more than this share of the values of their side."""
_MEANING = (
    "counted as spurious. Ignore them only if no reference was meant to have them: they may as well be inventions",
    "counted as missing. Ignore them only if no prediction was meant to have them: the model may as well miss them",
)


def propose(sample: Sample) -> Iterator[Change]:
    """The types that only one side has. It is never known whether they are an invention, so a person decides."""
    explained = {name for each in splits(sample) for name in (each.whole, *each.parts)}
    for names, change in moved_values(sample):
        if names.isdisjoint(explained):
            yield change
            explained |= names
    for place, side in enumerate(SIDES):
        own, other = sample.types[place], sample.types[1 - place]
        alone = [name for name in own if name not in other and name not in explained and all(name.split("."))]
        values = sum(own[name] for name in alone)
        if values < LEAST or values <= SHARE * own.total() or not own.keys() & other.keys():
            continue
        outermost = groups_of(alone, {*own, *other} - {*alone})
        kinds = counted(len(outermost), "type")
        text = (
            f"the {side}s have {kinds} that no {SIDES[1 - place]} has ({some_of(map(repr, outermost), LISTED)}): "
            f"{counted(values, 'value')}, {_MEANING[place]}"
        )
        yield Change(
            "alone", {f"{side}s.ignore": outermost}, values, 0, text, sample, is_certain=False, is_applied=False
        )
