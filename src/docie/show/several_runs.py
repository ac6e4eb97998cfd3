"""What several runs of a system say: how far the score of one may be from that of another, and what differs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from docie.core.phrases import counted, percent, some_of, verb, visible
from docie.inputs.row import answer_name
from docie.show.page.data import link_to
from docie.show.section import Part, Section, Table, Text, cut, number

SHOWN, SHOWN_BRIEFLY = 1000, 10
"""The number of values that a page shows at most, and a terminal."""
WORST = 3
"""The number of documents that are named."""
MANY = 5
"""The number of runs from which on an alarm that they are good or bad as a whole would mostly come."""
ALARM = 0.05
"""The chance that runs are said to be good or bad as a whole although they are not."""


def section(runs: Mapping[str, Any], results: Mapping[str, Any], scores: Sequence[str], *, brief: bool) -> Section:
    """The runs of one system.

    Args:
        runs: what `docie.score` has of them.
        results: the scores of the same family.
        scores: the names of those that are shown, the most important first.
        brief: whether it is for a terminal.
    """
    spread = {name: runs["scores"][name] for name in scores if name in runs["scores"]}
    columns = ["standard_deviation", *["of_whole_runs"] * any(each["p"] is not None for each in spread.values())]
    rows = [[name, number(results[name]), *(number(each[key]) for key in columns)] for name, each in spread.items()]
    headings = ["score", "mean of runs", "standard deviation of one run", "of whole runs"]
    table = Table("", headings[: 2 + len(columns)], rows)
    more = [Text(line) for name, each in [*spread.items()][:1] for line in in_words(name, each, runs)]
    parts: list[Part] = [Text(f"{answers(runs)}."), table, *more, *values(runs, brief=brief, links=not brief)]
    return Section(parts, "Several runs", "runs")


def answers(runs: Mapping[str, Any]) -> str:
    """How many answers there are.

    >>> answers({"documents": 50, "least": 3, "most": 3}), answers({"documents": 50, "least": 1, "most": 3})
    ('50 documents with 3 answers each', '50 documents with 1 to 3 answers each')
    """
    least, most = runs["least"], runs["most"]
    many = f"{least} to {counted(most, 'answer')}" if least < most else counted(most, "answer")
    return f"{counted(runs['documents'], 'document')} with {many} each"


def in_words(name: str, spread: Mapping[str, Any], runs: Mapping[str, Any]) -> Iterator[str]:
    """What runs do not show, and by how much an interval narrows, with more answers for the same documents or others.

    >>> spread = {"another_run": 0.98, "more_documents": 0.87, "p": 0.3}
    >>> for line in in_words("f1", spread, {"documents": 50, "most": 3}):
    ...     print(line)
    3 runs hardly show what another training seed would change: take five or more for that.
    The interval of f1 narrows by 2 % with one more run of each document, by 13 % if as many answers are to new ...
    """
    if spread["p"] is not None and spread["p"] < ALARM:
        yield (
            "Whole runs differ by more than answers that have nothing in common would, as models that were trained "
            f"with different seeds do: the interval of {name} does not contain that; the deviation of whole runs does."
        )
    elif spread["p"] is not None and runs["most"] < MANY:
        few = counted(runs["most"], "run")
        yield f"{few} hardly show what another training seed would change: take five or more for that."
    if runs["documents"] > 1:
        more, others = (percent(1 - spread[key], 1) for key in ("another_run", "more_documents"))
        narrows = f"The interval of {name} narrows by {more} with one more run of each document"
        yield f"{narrows}, by {others} if as many answers are to new documents."


def values(runs: Mapping[str, Any], *, brief: bool, links: bool = False) -> Iterator[Part]:
    """The values that differ between runs, most unstable first.

    Args:
        runs: what `docie.score` has of them.
        brief: whether they are for a terminal.
        links: whether each leads to the answer that fewest runs gave, on a page that shows all answers.
    """
    unstable, most = runs["unstable"], SHOWN_BRIEFLY if brief else SHOWN
    differ = verb(len(unstable), "differs", "differ")
    share = f" ({percent(len(unstable), runs['values'])})" if unstable else ""
    worst = (f"{each['document']} ({each['values']})" for each in runs["unstable_documents"])
    most_in = f", most in {some_of(worst, WORST)}" if unstable else ""
    yield Text(f"{len(unstable):,} of {counted(runs['values'], 'value')}{share} {differ} between runs{most_in}.")
    if unstable:
        title = "values that differ" + f", the {most} most unstable of {len(unstable):,}" * (len(unstable) > most)
        rows = [
            [str(each["document"]), each["place"], _cell(each["reference"]), _said(each["answers"])]
            for each in unstable[:most]
        ]
        columns = ["document", "place", "reference", "answers"]
        shown = enumerate(unstable[:most] if links else ())
        to = {at: link_to(document=answer_name(each["document"], each["answers"][-1]["runs"][0])) for at, each in shown}
        yield Table(title, columns, rows, texts=4, links=to, fits={2: "break", 3: "break"})


def of_systems(systems: Mapping[str, Mapping[str, Any]], scores: Sequence[str]) -> Iterator[Table]:
    """How far the scores of one run vary, and how many values differ, a row for each system."""
    rows = [
        [
            name,
            str(runs["least"]) if runs["least"] == runs["most"] else f"{runs['least']} – {runs['most']}",
            *(number(runs["scores"][score]["standard_deviation"]) if runs["scores"] else "–" for score in scores),
            f"{runs['unstable_values']:,} of {runs['values']:,}" if runs["values"] else "–",
        ]
        for name, runs in systems.items()
    ]
    if rows:
        deviations = [f"{score}, deviation of one run" for score in scores]
        yield Table("several runs", ["system", "runs", *deviations, "values that differ"], rows)


def _said(given: Iterable[Mapping[str, Any]]) -> str:
    return ", ".join(f"{_cell(each['prediction']) or 'nothing'} ({len(each['runs'])})" for each in given)


def _cell(text: str | None) -> str:
    return "" if text is None else cut(visible(text))
