"""Dataset records and model outputs → documents.

`records` reads the records of data sets. `bio`, `tokens`, `donut` and `llm` read what models give: tagged words, labels
of tokens, Donut's sequences, answers in JSON. `grouping` makes groups of flat entities. `training` has ready-made
metrics for the training loops of transformers.
"""
