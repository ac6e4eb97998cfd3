"""When is a value right? Match rules, what a schema says of values, and what errors weigh and cost."""

from docie.core.rules.groups import count_by_rule
from docie.core.rules.match import Match, Rule, Rules, rules_of
from docie.core.rules.pairs import pairs_by_rule
from docie.core.rules.schemas import Schema, read_schema
from docie.core.rules.shapes import schema_root, shape_of
from docie.core.rules.weights import Cost, Costs, check_weight, read_costs, read_weights

__all__ = [
    "Cost",
    "Costs",
    "Match",
    "Rule",
    "Rules",
    "Schema",
    "check_weight",
    "count_by_rule",
    "pairs_by_rule",
    "read_costs",
    "read_schema",
    "read_weights",
    "rules_of",
    "schema_root",
    "shape_of",
]
