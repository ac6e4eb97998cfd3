"""Sections of texts, tables, charts and documents, which writers put into any form; numbers as texts.

`docie.show.writers` prints what is text; `docie.show.page.page.render` makes a page of everything.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Literal, NamedTuple

from docie.core.scores import rounded

if TYPE_CHECKING:
    from docie.core.explanation import Explanation


class Share(NamedTuple):
    """A fraction between 0 and 1, with its interval where there is one."""

    value: float
    low: float | None = None
    high: float | None = None

    @property
    def text(self) -> str:
        """The fraction in per cent."""
        return f"{percent(self.value)} %"

    @property
    def interval(self) -> str:
        """The interval in per cent; empty without one."""
        return "" if self.low is None or self.high is None else f"{percent(self.low)} – {percent(self.high)} %"


class Heat(NamedTuple):
    """A cell of a heat map: how dark it is, in [0, 1], its tone (a class in style sheets), and what it leads to."""

    share: float
    tone: str
    link: str = ""


Fit = Literal["drop", "break", "cut"]
"""A column is left out, its texts are broken at blanks, or they are shortened: tried in this order."""


class Table(NamedTuple):
    """Rows of text under headings.

    Attributes:
        title: the title.
        columns: the headings.
        rows: the cells. On a page, the last cell of a short row is as wide as the cells that it lacks.
        texts: how many first columns hold no numbers.
        bars: what a column is on a page: a bar in each row; None for none.
        bars_in: the column with the bars.
        span: from where to where bars may reach; they begin at 0.
        costs: whether bars are of what should be small.
        remarks: what a page has in small letters below names in the first column.
        is_small: whether it takes no more room on a page than its cells need.
        links: what the names in the first column lead to on a page, by row.
        heat: the cells of a heat map, by row and column.
        is_list: whether a terminal shows it without headings, the last column in as many lines as it needs.
        fits: what happens to columns in a terminal that is too narrow for all.
    """

    title: str
    columns: list[str]
    rows: list[list[str]]
    texts: int = 1
    bars: Sequence[Share | None] = ()
    bars_in: int = 1
    span: tuple[float, float] = (0, 1)
    costs: bool = False
    remarks: Mapping[str, str] = {}
    is_small: bool = False
    links: Mapping[int, str] = {}
    heat: Mapping[tuple[int, int], Heat] = {}
    is_list: bool = False
    fits: Mapping[int, Fit] = {}

    def with_columns(self, places: Iterable[int]) -> Table:
        """Some of its columns: all of texts, and some of numbers."""
        chosen = [*places]
        rows = [[row[place] for place in chosen] for row in self.rows]
        fits = {at: self.fits[place] for at, place in enumerate(chosen) if place in self.fits}
        return self._replace(columns=[self.columns[place] for place in chosen], rows=rows, fits=fits)

    def part(self, start: int, end: int) -> Table:
        """Some of its rows."""
        heat = {(row - start, column): each for (row, column), each in self.heat.items() if start <= row < end}
        links = {row - start: link for row, link in self.links.items() if start <= row < end}
        return self._replace(rows=self.rows[start:end], bars=self.bars[start:end], heat=heat, links=links)


class Text(NamedTuple):
    """A paragraph. A "hint" is in smaller or fainter letters, a "note" stands out, "code" is a command.

    A `lead` begins it, in bold. On a page, a `link` leads to the values that it is about.
    """

    text: str
    style: Literal["", "hint", "note", "found", "code"] = ""
    lead: str = ""
    link: str = ""


HINT: Literal["hint"] = "hint"
MOST_CHARACTERS = 40
"""Of a value in a terminal."""


COLUMNS = {"group": "group", "field": "entity_type", "verdict": "verdict", "kind": "kind"}
COLUMNS |= {"reference": "expected", "prediction": "predicted", "note": "note", "confidence": "confidence"}
"""The columns of an explanation in words, with what they hold of each pair."""


class Headline(NamedTuple):
    """A score in large letters, with its interval, and what it says in one sentence."""

    name: str
    text: str
    interval: str
    sentence: str


class Headlines(NamedTuple):
    """The scores to begin with: that of the page, and smaller ones beside it."""

    scores: Sequence[Headline]

    def table(self) -> Table:
        """The same as a table, for Markdown and LaTeX."""
        columns = ["score", "meaning", "value", *["interval"] * any(each.interval for each in self.scores)]
        rows = [[each.name, each.sentence, each.text, each.interval][: len(columns)] for each in self.scores]
        return Table("", columns, rows, texts=2)


class Axis(NamedTuple):
    """An axis of a chart: what it is of, and whether its numbers are shares, shown in per cent."""

    label: str
    percent: bool = True


class Series(NamedTuple):
    """The points of a line, (x, y); whether each has a dot."""

    points: Sequence[tuple[float, float]]
    name: str = ""
    dots: bool = False


class Chart(NamedTuple):
    """Lines, drawn by the script of a page.

    Attributes:
        title: what a screen reader says.
        x, y: the axes.
        series: the lines.
        caption: what to see in it.
        diagonal: whether there is a line where x and y are equal.
        marks: below a slider, the point for each row of its table.
    """

    title: str
    x: Axis
    y: Axis
    series: Sequence[Series]
    caption: str = ""
    diagonal: bool = False
    marks: Sequence[tuple[float, float]] = ()

    def data(self) -> dict[str, object]:
        """What the script draws."""
        axes = {"x": self.x._asdict(), "y": self.y._asdict(), "diagonal": self.diagonal, "marks": [*self.marks]}
        return {"title": self.title, **axes, "series": [each._asdict() for each in self.series]}


class Slider(NamedTuple):
    """The rows of a table one at a time, as a slider moves, from the row `start` on; charts with a mark that moves."""

    table: Table
    start: int
    charts: Sequence[Chart]


class Scan(NamedTuple):
    """The image of a page as it stands in a report, as a data URL, and its size before it was made small."""

    url: str
    width: int
    height: int


class Explained(NamedTuple):
    """What is behind the score of a document, found when it is needed: `explain` gives it."""

    explain: Callable[[], Explanation]
    title: str = ""

    def in_words(self, most: int | None = None) -> list[Text | Table]:
        """The sentences and the table of values that stand for it in a text; values of at most so many characters.

        >>> from docie import kieval
        >>> sentence, table = Explained(lambda: kieval.explain({"total": "9"}, {"total": "9"})).in_words()
        >>> table.columns, table.rows
        (['field', 'verdict', 'reference', 'prediction'], [['total', 'correct', '9', '9']])
        """
        found = self.explain()
        columns = {name: [getattr(pair, key) for pair in found.pairs] for name, key in COLUMNS.items()}
        always = ("field", "verdict", "reference", "prediction")
        shown = {name: texts(cells) for name, cells in columns.items() if name in always or any(cells)}
        rows = [[cut(cell, most or len(cell)) for cell in row] for row in zip(*shown.values(), strict=True)]
        said: list[Text | Table] = [Text(said) for said in (found.problem, found.sentence) if said]
        fits: dict[int, Fit] = {at: "drop" if name == "confidence" else "break" for at, name in enumerate(shown)}
        return [*said, Table(self.title, [*shown], rows, texts=len(shown) - ("confidence" in shown), fits=fits)]


class Documents(NamedTuple):
    """Documents with all of their values, which the script of a page lists, searches and draws.

    Attributes:
        texts: the documents as JSON, as `docie.show.page.data` says.
        worst: the first of them with their numbers of errors, for readers without scripts.
        systems: the names of the systems; [""] for one.
        columns: the names of the columns of `meta`.
        patterns: what errors have in common: a text, and the numbers that values bear.
    """

    texts: Sequence[bytes]
    worst: Table
    systems: Sequence[str] = ("",)
    columns: Sequence[str] = ()
    patterns: Sequence[tuple[str, Sequence[int]]] = ()


class Picture(NamedTuple):
    """A picture of its owner, drawn when it is needed: `draw` gives HTML, in which texts are escaped."""

    draw: Callable[[], str]
    title: str


class Beside(NamedTuple):
    """Two things to compare."""

    parts: Sequence[Explained | Picture]


class Details(NamedTuple):
    """What a reader opens to see; open at first, if `is_open`."""

    title: str
    parts: Sequence[Part]
    is_open: bool = False


Part = Text | Table | Headlines | Chart | Slider | Explained | Documents | Picture | Beside | Details


class Section(NamedTuple):
    """Parts in order, under a title.

    Attributes:
        parts: what there is to see.
        title: the title; a writer may leave it out of a single section.
        name: what links on a page call it.
        captions: whether Markdown has the titles of tables. Tables of one metric go below a heading of one's own.
    """

    parts: Sequence[Part]
    title: str = ""
    name: str = ""
    captions: bool = True


def brief(value: float, digits: int = 4) -> str:
    """A number as `rounded` shows it, without zeros at its end.

    >>> brief(0.5), brief(1.0), brief(0.99999), brief(2.0)
    ('0.5', '1', '0.9999', '2')
    """
    return rounded(value, digits).rstrip("0").rstrip(".")


def number(value: object) -> str:
    """A score to four digits, as `rounded` shows it; a count as it is.

    >>> number(2 / 3), number(19_999 / 20_000), number(12)
    ('0.6667', '0.9999', '12')
    """
    return rounded(value) if isinstance(value, float) else str(value)


def texts(cells: Iterable[object]) -> list[str]:
    """Cells as a table shows them.

    >>> texts(["total", 2 / 3, None])
    ['total', '0.6667', '']
    """
    return ["" if cell is None else number(cell) for cell in cells]


def cut(text: str, most: int = MOST_CHARACTERS) -> str:
    """The text, cut so that a table stays readable."""
    return text if len(text) <= most else f"{text[: most - 1]}…"


def percent(value: float) -> str:
    """A fraction in per cent, with one digit behind the point. Only all is 100.0, and only nothing is 0.0.

    >>> percent(0.96598), percent(1.0), percent(0.9999), percent(0.0001), percent(0.0)
    ('96.6', '100.0', '99.9', '0.1', '0.0')
    """
    return rounded(100 * value, 1, whole=100)
