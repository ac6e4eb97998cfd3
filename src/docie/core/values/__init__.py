"""Values as JSON has them: Python and numpy values in, JSON text in and out, nested as deep as a document may be."""

from docie.core.values.depth import CALLS_FOR_DEPTH, MAX_DEPTH, MAX_VALUES, TOO_DEEP, TOO_MANY, with_deep_recursion
from docie.core.values.json_text import ANY_OF, MAX_TEXT_DEPTH, as_json, check_nesting, has_many_brackets, loads
from docie.core.values.keys import key_text, longer_path
from docie.core.values.plain import (
    JSON_TYPES,
    NO_CONFIDENCE,
    as_list,
    is_list,
    plain_value,
    read_confidence,
    scalar_text,
    scalars,
)

__all__ = [
    "ANY_OF",
    "CALLS_FOR_DEPTH",
    "JSON_TYPES",
    "MAX_DEPTH",
    "MAX_TEXT_DEPTH",
    "MAX_VALUES",
    "NO_CONFIDENCE",
    "TOO_DEEP",
    "TOO_MANY",
    "as_json",
    "as_list",
    "check_nesting",
    "has_many_brackets",
    "is_list",
    "key_text",
    "loads",
    "longer_path",
    "plain_value",
    "read_confidence",
    "scalar_text",
    "scalars",
    "with_deep_recursion",
]
