"""The evaluate modules, one folder a family: the module, its card, its JSON Schema, its requirements."""
