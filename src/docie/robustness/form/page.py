"""Pages of words with their fields: their lines, their reading order, and the neighbours of values."""

from __future__ import annotations

import hashlib
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from docie.core.values.plain import Columns, JsonObject
from docie.documents.boxes import area, hull, shared_area
from docie.robustness.form.from_record import read_record
from docie.robustness.form.to_record import plain_record, written_record
from docie.robustness.form.words import Field, Word, check_page


@dataclass(frozen=True, init=False)
class Page:
    """The words of a page in reading order, and the fields that they hold. Immutable.

    The background is the words that belong to no value, including keys. Fields may share words.

    Attributes:
        words (tuple of Word): the words, either all with boxes or all without.
        fields (tuple of Field): the fields; there may be none.
        page (tuple of float): width and height of the page; None without boxes.
        id (str or int): the id of the document; None for none.

    Raises:
        ValueError: if it is not a valid form. The message names the form and the place.

    >>> words = [Word("Total", (10, 20, 50, 30)), Word("$4.50", (60, 20, 95, 30))]
    >>> form = Page(words, [Field("total", values=(1,), keys=(0,))], page=(100, 200))
    >>> form.document(), form.background, form.words[1].id
    ({'total': '$4.50'}, (0,), 1)
    >>> Page(words, [Field("total", values=(2,))], page=(100, 200))
    Traceback (most recent call last):
    ...
    ValueError: form: field 0 ('total'): words must be positions from 0 to 1, got 2
    """

    words: tuple[Word, ...]
    fields: tuple[Field, ...]
    page: tuple[float, float] | None
    id: str | int | None

    def __init__(
        self,
        words: Iterable[Word],
        fields: Iterable[Field] = (),
        page: tuple[float, float] | None = None,
        id: str | int | None = None,
    ) -> None:
        checked = check_page(words, fields, page, id)
        for name, value in zip(("words", "fields", "page", "id"), (*checked, id), strict=True):
            object.__setattr__(self, name, value)

    @classmethod
    def from_record(
        cls,
        record: Mapping[str, object],
        *,
        names: Sequence[str] | None = None,
        types: Sequence[str] | None = None,
        key_labels: Sequence[str] = (),
        data_types: Mapping[str, str] | None = None,
    ) -> Page:
        """The form of a record with words, boxes and labels, as in data sets and from `records.words_and_boxes`.

        The words of one entity (column `entities`), or with the tags of one span (`ner_tags`), are a field. With labels
        alone, a field is a run of words of one label and group; a key after a value begins a new one. With links, the
        keys of a field are the words that are linked to it, and a key of a field is not a field itself. Boxes that
        extend beyond the page, or have no area, are fitted into it. Types of tags are in lower case, as in the
        adapters.

        Args:
            record (dict): columns `words` (or `tokens`), `boxes` (or `bboxes`, `bbox`; without them the form has no
                boxes), `labels` (entity types, "O" for none, or tags such as B-total) or `ner_tags`; it may have
                `is_key`, `groups`, `entities`, `links` (pairs of the key's and the value's number in `entities`),
                `page` ([1000, 1000] without it) and `id`.
            names (list of str): the names of the tags, if these are numbers.
            types (list of str): the labels that are fields, all by default. Other words are background.
            key_labels (list of str): labels of keys, such as FUNSD's "question". Without links, such words count as the
                keys of the field that follows them immediately. A key without a value has a field without a value.
            data_types (dict): from entity types to one of "date", "number", "money", "text".

        Returns:
            Page: the form.

        Raises:
            ValueError: if something is missing or malformed.

        >>> record = {"words": ["Total", "4.50"], "bboxes": [[9, 9, 40, 20], [50, 9, 70, 20]], "ner_tags": [0, 1]}
        >>> Page.from_record(record, names=["O", "B-total", "I-total"]).fields[0].values
        (1,)
        """
        return cls(*read_record(record, names=names, types=types, key_labels=key_labels, data_types=data_types))

    def to_record(
        self,
        record: Mapping[str, object] | None = None,
        *,
        names: Sequence[str] | None = None,
        columns: Sequence[str] = (),
    ) -> Columns:
        """The form in the columns of a record, so that existing code can prepare it for a model.

        Whole numbers stay whole, boxes without a column `page` lie on a page of [1000, 1000], and tags (IOB2) are
        rewritten for the new order: every run of words of a span begins with B.

        Args:
            record (dict): the record from which the form was read. None: the columns of `records.words_and_boxes`.
            names (list of str): the names of the tags, if these are numbers.
            columns (list of str): further columns of the record with an element for each word, which are reordered
                along.

        Returns:
            dict: the columns that the record has, with new lists. Its other columns are left out.

        Raises:
            ValueError: if the form was read from another record.

        >>> record = {"tokens": ["Total", "4.50"], "bboxes": [[9, 9, 40, 20], [50, 9, 70, 20]], "ner_tags": [0, 1]}
        >>> names = ["O", "B-total", "I-total"]
        >>> Page.from_record(record, names=names).arranged([1, 0]).to_record(record, names=names)
        {'tokens': ['4.50', 'Total'], 'bboxes': [[50, 9, 70, 20], [9, 9, 40, 20]], 'ner_tags': [1, 0]}
        """
        if record is None:
            return plain_record(self.words, self.fields, self.page)
        return written_record(self.words, self.page, record, names=names, columns=columns)

    @property
    def has_boxes(self) -> bool:
        """Whether the words have boxes. A form without words has none."""
        return bool(self.words) and self.words[0].box is not None

    @cached_property
    def values(self) -> frozenset[int]:
        """The positions of the words of values."""
        return frozenset(position for field in self.fields for position in field.values)

    @cached_property
    def keys(self) -> frozenset[int]:
        """The positions of keys, except words that are part of a value too."""
        return frozenset(position for field in self.fields for position in field.keys) - self.values

    @cached_property
    def background(self) -> tuple[int, ...]:
        """The positions of the words outside all values, in order."""
        return tuple(position for position in range(len(self.words)) if position not in self.values)

    @cached_property
    def key(self) -> str:
        """An identifier of the form: its id, or else a digest of its words."""
        if self.id is not None:
            return str(self.id)
        return hashlib.sha256(repr([word[:2] for word in self.words]).encode("utf-8", "surrogatepass")).hexdigest()

    def text_of(self, field: Field) -> str:
        """The text of a field's value: its words, joined by blanks."""
        return " ".join(self.words[position].text for position in field.values)

    def entities(self) -> list[tuple[str, str, None, str | int | None]]:
        """The values as (type, text, None, group), in order of the fields: input for `adapters.grouping`.

        >>> Page([Word("4.50")], [Field("items.amount", (0,), group=1)]).entities()
        [('items.amount', '4.50', None, 1)]
        """
        return [(field.type, self.text_of(field), None, field.group) for field in self.fields if field.values]

    def document(self) -> JsonObject:
        """The document without groups: entity type → text, or a list of texts if there are several."""
        texts: dict[str, list[str]] = {}
        for field in self.fields:
            if field.values:
                texts.setdefault(field.type, []).append(self.text_of(field))
        return {entity_type: found if len(found) > 1 else found[0] for entity_type, found in texts.items()}

    def arranged(self, positions: Sequence[int]) -> Page:
        """The form with only the words at these positions, in this order. Fields lose words that are left out."""
        places = {position: place for place, position in enumerate(positions)}
        fields = [
            field._replace(
                values=tuple(places[position] for position in field.values if position in places),
                keys=tuple(places[position] for position in field.keys if position in places),
            )
            for field in self.fields
        ]
        return Page([self.words[position] for position in positions], fields, self.page, self.id)

    def with_words(self, words: Sequence[Word], *, page: tuple[float, float] | None = None) -> Page:
        """The form with new words in the same positions, and on a new page if one is given."""
        return Page(words, self.fields, page or self.page, self.id)

    def with_texts(self, texts: Mapping[int, str]) -> Page:
        """The form with new texts at these positions. Words that become blank disappear."""
        words = list(self.words)
        for position, text in texts.items():
            words[position] = words[position]._replace(text=text)
        changed = self.with_words(words)
        if all(text.strip() for text in texts.values()):
            return changed
        kept = [position for position, word in enumerate(words) if position not in texts or word.text.strip()]
        return changed.arranged(kept)


def lines(form: Page) -> list[list[int]]:
    """The lines of a form, from top to bottom. A word is in a line if its middle is above the first word's bottom.

    Args:
        form (Page): a form with boxes.

    Returns:
        list of list of int: the positions of the words of each line, in the order of the form.

    >>> from docie.robustness.form import Word
    >>> words = [Word("4.50", (60, 11, 90, 21)), Word("Thanks", (10, 40, 50, 50)), Word("Total", (10, 10, 50, 20))]
    >>> lines(Page(words, page=(100, 100)))
    [[0, 2], [1]]
    """
    middles = sorted((word.box[1] + word.box[3], position) for position, word in enumerate(form.words) if word.box)
    found: list[list[int]] = []
    bottom = float("-inf")
    for doubled_middle, position in middles:
        box = form.words[position].box
        if doubled_middle / 2 > bottom and box:
            found.append([])
            bottom = box[3]
        found[-1].append(position)
    return [sorted(line) for line in found]


def reading_order(form: Page) -> list[int]:
    """The positions of the words line by line: left to right, or right to left if most letters are of such a script.

    `form.arranged(reading_order(form))` is the form in that order. Annotations often have another one: CORD lists words
    field by field.

    Args:
        form (Page): a form with boxes.

    Returns:
        list of int: all positions.

    >>> from docie.robustness.form import Word
    >>> words = [Word("4.50", (60, 11, 90, 21)), Word("Total", (10, 10, 50, 20))]
    >>> reading_order(Page(words, page=(100, 100)))
    [1, 0]
    """
    directions = [unicodedata.bidirectional(letter) for word in form.words for letter in word.text]
    is_leftwards = 2 * sum(each in ("R", "AL") for each in directions) > sum(
        each in ("L", "R", "AL") for each in directions
    )

    def place(position: int) -> float:
        box = form.words[position].box or (0, 0, 0, 0)
        return -box[2] if is_leftwards else box[0]

    return [position for line in lines(form) for position in sorted(line, key=place)]


def neighbors(form: Page, *, expand: float = 0.02, words: int = 2) -> list[set[int]]:
    """The neighbours of every value: background words in its zone, or near it in reading order.

    The zone is the box around the value, enlarged in width and height by a share of the page. A word is in the zone if
    more than half of its box is. Words of other values are not neighbours. Without boxes, only the order counts.

    Source: Xue et al., "Robustness Evaluation of Transformer-based Form Field Extractors via Form Attacks" (2021),
    which divides the intersection by the union; but a zone is usually larger than a word, so no word could reach one
    half. Here the intersection is divided by the area of the word's box.

    Args:
        form (Page): the form.
        expand (float): the share of the page by which the zone is wider and higher than the value.
        words (int): how many words before and after each word of the value are neighbours.

    Returns:
        list of set of int: the positions of the neighbours of each field's value; empty for a field without a value.

    >>> from docie.robustness.form import Field, Word
    >>> form = Page([Word(text) for text in ("Invoice", "No.", "12", "of", "May", "5")], [Field("number", (2,))])
    >>> neighbors(form, words=1)
    [{1, 3}]
    """
    width, height = form.page or (0, 0)
    across, down = width * expand / 2, height * expand / 2
    background = [(position, box, area(box)) for position in form.background if (box := form.words[position].box)]
    is_background = set(form.background)
    found = []
    for field in form.fields:
        near = {
            other
            for position in field.values
            for other in range(position - words, position + words + 1)
            if other in is_background
        }
        boxes = [box for position in field.values if (box := form.words[position].box)]
        if boxes:
            x0, y0, x1, y1 = hull(boxes)
            zone = (x0 - across, y0 - down, x1 + across, y1 + down)
            near.update(position for position, box, size in background if shared_area(zone, box) > size / 2)
        found.append(near)
    return found
