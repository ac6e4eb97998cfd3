"""Flat entities and labelled words, as sequence labelling gives them → documents with groups, and labelled boxes."""

from .documents import Entity, GroupTypes, by_group_id, checked_iterable, entities, slot_filling, to_document
from .words import from_words, labelled_boxes, least_confidence

__all__ = [
    "Entity",
    "GroupTypes",
    "by_group_id",
    "checked_iterable",
    "entities",
    "from_words",
    "labelled_boxes",
    "least_confidence",
    "slot_filling",
    "to_document",
]
