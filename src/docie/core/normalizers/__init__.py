"""Normalizers: they unify the format of texts before values are compared. None is applied by default.

The option `normalize` is None, a name, a function, a list of names and functions (applied in order), or a mapping from
entity type to any of these. The names are those of `NORMALIZERS`, each with a function in this package.

Some texts have two readings; `number(decimal=",")`, `number(leading_zeros=True)`, `money(decimal=",")`,
`money(currency="EUR")`, `date(day_first=True)`, `date(formats=["%d.%m.%y"])`, `date(numbers="days")` and
`boolean(true="X")` say which one is meant.
"""

from docie.core.normalizers.amounts import money, number
from docie.core.normalizers.dates import date
from docie.core.normalizers.same_value import same_value
from docie.core.normalizers.specs import NORMALIZERS
from docie.core.normalizers.texts import absent, alphanumeric, boolean, casefold, nfkc, whitespace
from docie.core.normalizers.typography import typography

__all__ = [
    "NORMALIZERS",
    "absent",
    "alphanumeric",
    "boolean",
    "casefold",
    "date",
    "money",
    "nfkc",
    "number",
    "same_value",
    "typography",
    "whitespace",
]
