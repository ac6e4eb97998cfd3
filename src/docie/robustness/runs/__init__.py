"""Models under attack: what a model answers to attacked forms, beside its answers to the forms as they are."""
