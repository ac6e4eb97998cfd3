"""Groups that are written in other ways than as lists of objects."""

from docie.inputs.records.record_kinds import record_kinds, with_records

__all__ = ["record_kinds", "with_records"]
