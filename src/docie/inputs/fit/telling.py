"""Whether a change of structure is worth telling: by itself, or with the names that it brings to light."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from docie.inputs.fit.change import LEAST, Change, changed_values, is_found
from docie.inputs.fit.hypotheses.rename import names_of
from docie.inputs.fit.sample import Sample


def worth_telling(
    sample: Sample, kind: str, options: dict[str, Any], text: str, *, is_trap: bool = False
) -> Iterator[Change]:
    """The change, if it helps: by itself, or with the names that it brings to light.

    Where both sides are written so, values agree in the wrong groups: that is worth telling by itself.
    """
    after = sample.under(options)
    concerned, gained = changed_values(sample, after), after.agreed - sample.agreed
    if is_trap and gained <= 0 and concerned >= LEAST:
        yield Change(kind, options, concerned, max(-gained, LEAST), text, after)
    elif is_found(gained, min(concerned, after.size) // (2 if kind == "records" else 1)):
        # of the values in rows that are one group, many agree with those of other rows: half of a half is enough
        yield Change(kind, options, concerned, gained, text, after)
    elif names := names_of(
        after, is_certain="cells" not in options.get("predictions.records", ())
    ):  # columns have no names
        names_alone = names_of(sample)
        both = named(after, names)
        gained = both.agreed - sample.agreed
        alone = named(sample, names_alone)
        if len(names_alone) < 1 + len(names) or alone.agreed > both.agreed:  # other names would be the simpler reason
            gained -= alone.agreed - sample.agreed
        if not is_found(gained, min(concerned, both.size)):
            return
        if kind in ("unwrap", "leaf"):  # the names are a finding of their own
            yield Change(kind, options, concerned, gained, text, after)
        else:
            yield Change(kind, {**options, "predictions.rename": names}, concerned, gained, text, both)


def named(sample: Sample, names: Mapping[str, str]) -> Sample:
    """The sample with names that stand on one side only read as those of the other side."""
    return sample.under({"predictions.rename": names})
