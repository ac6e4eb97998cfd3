"""When a value counts as correct: match rules, schemas, weights and costs."""
