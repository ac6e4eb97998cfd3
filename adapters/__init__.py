"""Dataset records and model outputs → documents.

`records` reads the records of data sets. `bio`, `tokens`, `donut` and `llm` read model outputs: tagged words, token
labels, Donut's sequences, answers in JSON. `services` reads the answers of extraction services, `exports` those of
annotation tools, `tables` tables of HTML, Markdown and services. `grouping` groups flat entities. `training` has
ready-made metrics for the training loops of transformers.
"""
