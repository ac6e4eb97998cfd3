"""Flat entities and labelled words, the output of sequence labelling → documents with groups, and labelled boxes."""

from .documents import Entity, by_group_id, entities, slot_filling, to_document
from .labelled_words import from_words, labelled_boxes

__all__ = [
    "Entity",
    "by_group_id",
    "entities",
    "from_words",
    "labelled_boxes",
    "slot_filling",
    "to_document",
]
