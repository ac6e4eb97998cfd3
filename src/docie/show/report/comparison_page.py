"""The report of a comparison: which of several systems is better, and where."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from docie.comparison.comparing import gain_of
from docie.comparison.results import ChangedDocument, Compared, Comparison, compared
from docie.core.phrases import counted
from docie.core.scores import rounded
from docie.documents.pairs.joining import paired_rows
from docie.metrics import kieval
from docie.show import comparisons, plots
from docie.show.report.page import Fact, Facts, Page, first_rows, making_of, notes_of
from docie.show.section import Chart, Explained, Item, Listing, Part, Section, Text, number


def comparison_page(
    results: Mapping[str, Any],
    predictions: Mapping[str, Sequence[object]],
    references: Sequence[object],
    settings: kieval.Settings,
    facts: Facts,
    *,
    name_of: Callable[[int], str | int] = lambda number: number,
) -> Page:
    """The report of a comparison.

    Args:
        results (dict): the results of `corpus.compare`.
        predictions (dict): from the name of each system to its predictions.
        references (list): the references.
        settings (kieval.Settings): how values are compared where documents are shown.
        facts (Facts): how the results were made; `predictions` stands for all systems.
        name_of (callable): gives the name of a document that has no id, from its number.

    Returns:
        Page: its sections, for `render`.

    >>> from docie import corpus
    >>> references = [{"total": str(number)} for number in range(8)]
    >>> systems = {"careful": references, "hasty": [{}] * 8}
    >>> results = corpus.compare(kieval, systems, references)
    >>> page = comparison_page(results, systems, references, kieval.Settings(), Facts())
    >>> page.sections[0].parts[0].text
    'hasty is worse than careful: entity_f1 0.0000 against 1.0000, p 0.0078.'
    """
    found = compared(results)
    documents = counted(found["documents"], "document")
    items = [*_changed(found, predictions, references, settings, name_of)]
    parts = (
        _overview(found, facts),
        _differences(found),
        _fields(found, len(predictions)) if found.get("per_entity") else None,
        _documents(items),
        _suspects(found) if "suspects" in found else None,
    )
    return Page(
        facts.title,
        f"Which of {len(predictions)} systems is better, on the same {documents}.",
        [section for section in parts if section],
        _making(found, facts),
    )


def _making(results: Compared, facts: Facts) -> list[Fact]:
    size = f"{results['documents']:,}" + (f", joined by {facts.joined_by}" if facts.joined_by else "")
    if results["units"] != results["documents"]:
        size += f"; {counted(results['units'], 'cluster')}, each swapped as a whole"
    holm = results["holm"]
    by_type = f"; those by entity type over {holm['per_entity']}" if "per_entity" in holm else ""
    test = (
        "Approximate randomisation over documents, two-sided. p-values are corrected by Holm's method over "
        f"{holm['comparisons']}{by_type}."
    )
    own = Fact("Documents", size), Fact("Test", test), Fact("Signature", results["signature"], is_code=True)
    return making_of(facts, *own, said="Documents are shown as KIEval matches their values. ")


def _overview(results: Compared, facts: Facts) -> Section:
    """The tests of the first system against each other one, and the systems by each score, best first."""
    rows = results["comparisons"]
    verdicts = [_verdict(row) for row in rows if row["a"] == rows[0]["a"]]
    ranks = [table._replace(is_small=True) for table in comparisons.ranks(results)]
    said = "Systems that share a letter are not separated by any test. This does not say that they are equal."
    return Section([*notes_of(facts), *verdicts, *ranks, Text(said, "hint")], "Overview", "overview")


def _verdict(row: Comparison) -> Text:
    """What the test says of two systems."""
    values = f"{row['score']} {number(row['value_b'])} against {number(row['value_a'])}"
    p = f"p {number(row['p_value_holm'])}"
    if not row["significant"]:
        least = row["smallest_difference"]
        shown = "" if least is None else f" A difference of {least:.3g} would have been found with a chance of 80 %."
        said = f"No test separates {row['b']} from {row['a']}: {values}, {p}.{shown}"
        return Text(said, lead="Not separated.")
    word = "better" if gain_of(row, row["difference"]) > 0 else "worse"
    return Text(f"{row['b']} is {word} than {row['a']}: {values}, {p}.", lead=f"{word.capitalize()}.")


def _differences(results: Compared) -> Section:
    said = (
        "p is the chance of a difference at least as large if a coin had decided which system gave which answer. "
        "Corrected, it allows for all comparisons; a star marks what is still significant. An interval says where "
        "the true difference probably lies. A difference as large as “smallest to find” would have been found with a "
        "chance of 80 %."
    )
    table = first_rows(comparisons.differences(results), "comparison", "docie compare lists all")
    return Section([Text(said, "hint"), _forest(results, "comparisons"), *table], "Differences", "differences")


def _fields(results: Compared, systems: int) -> Section:
    said: list[Part] = [Text("The chart shows the first two systems.", "hint")] if systems > 2 else []
    table = first_rows(comparisons.by_entity_type(results), "comparison", "docie compare --by-field lists all")
    return Section([*said, _forest(results, "per_entity"), *table], "Fields", "fields")


def _forest(results: Compared, table: str) -> Chart:
    title = "Differences with their intervals. The table below has their numbers."
    return Chart(lambda: plots.forest(results, table=table), title)


def _documents(items: list[Item]) -> Section:
    said = (
        "Those that changed most from the first system to another one: at most ten that got worse, and ten that got "
        "better. Open one to see the reference beside the answers of both."
    )
    parts: list[Part] = [Text(said, "hint"), Listing(items, "name, system, better or worse")]
    parts += [] if items else [Text("No document got better or worse.")]
    return Section(parts, "Documents", "documents")


def _suspects(results: Compared) -> Section:
    said = "Where all systems agree on a value that differs from the reference, the reference may be incorrect."
    return Section([Text(said, "hint"), comparisons.suspects(results)], "Suspected labels", "suspects")


def _changed(
    results: Compared,
    predictions: Mapping[str, Sequence[object]],
    references: Sequence[object],
    settings: kieval.Settings,
    name_of: Callable[[int], str | int],
) -> Iterator[Item]:
    """The documents that changed most from the first system to each other one, by the first score: worse ones first."""
    rows = results["comparisons"]
    first, score = rows[0]["a"], rows[0]["score"]
    for row in rows:
        if (row["a"], row["score"]) == (first, score):
            found = _answers(row, predictions, references)
            for word, changes in zip(("worse", "better"), reversed(comparisons.better_and_worse(row)), strict=True):
                for change in changes:
                    key = change["document"]
                    answers, reference = found[key]
                    name = str(name_of(key) if isinstance(key, int) else key)
                    parts = [
                        Explained(partial(kieval.explain, answer, reference, settings), system)
                        for answer, system in zip(answers, (first, row["b"]), strict=True)
                    ]
                    yield Item(name, f"{word} in {row['b']}: {_summary(change, row)}", parts, f"{row['b']} {word}")


def _answers(
    row: Comparison, predictions: Mapping[str, Sequence[object]], references: Sequence[object]
) -> dict[str | int, tuple[tuple[object, object], object]]:
    """The documents of a pair's changes: the answers of both systems, and the reference."""
    wanted = {change["document"] for change in row["changes"]}
    found: dict[str | int, tuple[tuple[object, object], object]] = {}
    opened = zip(*(paired_rows(predictions[side], references) for side in (row["a"], row["b"])), strict=True)
    for place, ((one, expected), (other, _)) in enumerate(opened):
        for key in wanted & {place, expected.id, one.id, other.id}:
            found.setdefault(key, ((one.document, other.document), expected.document))
    return found


def _summary(change: ChangedDocument, row: Comparison) -> str:
    whole = isinstance(row["value_a"], int)
    one, other = (f"{value:.0f}" if whole else rounded(value) for value in (change["value_a"], change["value_b"]))
    effect = f"{change['effect']:+.0f}" if whole else rounded(change["effect"], flags="+")
    return f"{row['score']} {one} → {other}, {effect} in all"
