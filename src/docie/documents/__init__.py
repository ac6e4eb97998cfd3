"""What metrics read: documents, JSON trees, line items, lists of entities, labelled boxes, and pairs of these."""

from docie.core.values import longer_path
from docie.documents.boxes import Box, Corners, parse_boxes
from docie.documents.document import Document, Entity, Group, parse_document
from docie.documents.entity_lists import EntityList, parse_entities
from docie.documents.kinds import ATTACKS, INPUT_KINDS, check_input_kind, input_kind_of, is_attacked, peek_input_kind
from docie.documents.leaves import LEAF_KEYS, Located, OneOf, alternatives_of, is_leaf, is_one_of_object, is_scored_leaf
from docie.documents.line_items import ItemPair, aligned_items, assigned_items, sections
from docie.documents.multisets import (
    Shared,
    Token,
    Tokens,
    compare_tokens,
    count_shared,
    count_types,
    counterparts,
    has_one_of,
    sort_key,
    tokens_of,
)
from docie.documents.pairs import check_lengths, check_sequence, paired, paired_rows
from docie.documents.rows import Opened, Parsed, id_of, is_wrapper, open_row, plain_row, read_row
from docie.documents.texts import common_length, edit_distance, most_similar
from docie.documents.tree import Node, TreeSizes, parse_tree, tree_leaves
from docie.documents.types import entity_types, seen_types

__all__ = [
    "ATTACKS",
    "INPUT_KINDS",
    "LEAF_KEYS",
    "Box",
    "Corners",
    "Document",
    "Entity",
    "EntityList",
    "Group",
    "ItemPair",
    "Located",
    "Node",
    "OneOf",
    "Opened",
    "Parsed",
    "Shared",
    "Token",
    "Tokens",
    "TreeSizes",
    "aligned_items",
    "alternatives_of",
    "assigned_items",
    "check_input_kind",
    "check_lengths",
    "check_sequence",
    "common_length",
    "compare_tokens",
    "count_shared",
    "count_types",
    "counterparts",
    "edit_distance",
    "entity_types",
    "has_one_of",
    "id_of",
    "input_kind_of",
    "is_attacked",
    "is_leaf",
    "is_one_of_object",
    "is_scored_leaf",
    "is_wrapper",
    "longer_path",
    "most_similar",
    "open_row",
    "paired",
    "paired_rows",
    "parse_boxes",
    "parse_document",
    "parse_entities",
    "parse_tree",
    "peek_input_kind",
    "plain_row",
    "read_row",
    "sections",
    "seen_types",
    "sort_key",
    "tokens_of",
    "tree_leaves",
]
