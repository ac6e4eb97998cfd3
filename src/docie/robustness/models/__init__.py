"""Models under attack: a function of yours, by its name or not, its answers, and a model of rules."""
