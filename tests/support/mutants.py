"""Mutation testing of the modules that compute, by hand: do the tests notice small errors in the code?

    python tests/support/mutants.py                               # all mutants of MODULES: hours
    python tests/support/mutants.py --sample 40                   # 40 of each module, drawn at random with a seed
    python tests/support/mutants.py --sample 40 metrics/hed/metric.py  # of some modules

mutmut makes the mutants (`pip install mutmut`). Each one is put in place of its function in a process of its own, which
runs the tests that call this function, fast ones first, until one of them fails. No file is changed. Left out are tests
that take longer than half a second, the wording of errors, and functions with decorators, which mutmut does not change.
What survives is printed. `equivalent_mutants.txt` has the lines of survivors that change nothing that a caller sees.
"""

from __future__ import annotations

import argparse
import importlib
import os
import random
import resource
import signal
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field, replace
from difflib import unified_diff
from functools import partial
from itertools import repeat
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any

import pytest

import sizes

ROOT = Path(__file__).resolve().parents[2]
_KIEVAL = ["test_kieval", "test_kieval_assignment", "test_automation", "test_properties"]
MODULES = {
    "metrics/kieval": [
        *(f"tests/metrics/{name}.py" for name in (*_KIEVAL, "test_schema_option")),
        *("tests/diagnosis/test_error_rows.py", "tests/diagnosis/test_repairs.py"),
    ],
    "src/docie/core/counts.py": ["tests/core/test_counts.py", "tests/core/test_flat.py", "tests/metrics/test_hed.py"],
    "metrics/hed/metric.py": ["tests/metrics/test_hed.py"],
    "metrics/entity_f1/metric.py": ["tests/metrics/test_entity_f1.py", "tests/metrics/test_seqeval_keys.py"],
    "metrics/text_match/metric.py": ["tests/metrics/test_hed.py", "tests/metrics/test_schema_option.py"],
    "src/docie/corpus/matrix.py": ["tests/corpus/test_corpus.py", "tests/comparison/test_compare_statistics.py"],
    "src/docie/documents/multisets.py": [
        "tests/documents",
        *(f"tests/metrics/{name}.py" for name in (*_KIEVAL, "test_schema_option")),
    ],
    "src/docie/core/rules": ["tests/metrics/test_match_rules.py", "tests/metrics/test_schema_option.py"],
    "src/docie/core/matching": [
        *(f"tests/core/{name}.py" for name in ("test_matching", "test_assignment", "test_choices")),
        "tests/metrics/test_kieval_assignment.py",
    ],
    "metrics/oi_entities": ["tests/metrics/test_oi_entities.py"],
    "metrics/box_iou": ["tests/metrics/test_box_iou.py"],
    "src/docie/core/geometry.py": ["tests/core/test_geometry.py", "tests/metrics/test_evidence.py"],
    "metrics/kieval/evidence": ["tests/metrics/test_evidence.py"],
    "metrics/anls_star": [f"tests/metrics/{name}.py" for name in ("test_anls_star", "test_explanations")],
    "src/docie/documents/tagging": ["tests/documents/test_tagging.py", "tests/metrics/test_entity_f1.py"],
    "metrics/nted": ["tests/metrics/test_nted.py", "tests/metrics/test_explanations.py"],
}
"""The modules that compute figures, files or folders, and their tests. The examples of the module belong to these."""
EQUIVALENT = Path(__file__).with_name("equivalent_mutants.txt")
SLOWEST = 0.5  # seconds that a test may take while its calls are recorded
TIMES_SLOWER = 10  # the time that the tests may take with a mutant; more is a loop without end
UNCHANGED = "unchanged"  # what every test must pass


@dataclass(frozen=True)
class Mutant:
    """One changed function.

    Attributes:
        module: the name of its module.
        function: its name in the module, such as `Counts.by`.
        source: the text of the module with the change.
        change: what the change is, in one line.
    """

    module: str
    function: str
    source: str = field(repr=False)
    change: str

    def __str__(self) -> str:
        return f"{self.module}.{self.function}: {self.change}"

    def apply(self) -> None:
        """Change the function, wherever it has been imported."""
        old = function_of(vars(importlib.import_module(self.module)), self.function)
        names = {"__name__": self.module, "__package__": self.module.rpartition(".")[0]}
        exec(compile(self.source, "mutant", "exec"), names)
        new = function_of(names, self.function)
        old.__code__, old.__defaults__, old.__kwdefaults__ = new.__code__, new.__defaults__, new.__kwdefaults__


def module_of(path: Path) -> str:
    """The name of the module in a file of the checkout."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[1:] if parts[0] == "src" else ("docie", *parts))


def file_of(module: str) -> Path:
    """The file of a module."""
    inner = Path(*module.split(".")[1:]).with_suffix(".py")
    return ROOT / inner if inner.parts[0] == "metrics" else ROOT / "src" / "docie" / inner


def function_of(names: dict[str, Any], place: str) -> FunctionType:
    """The function or method of a module, by its name."""
    class_name, _, name = place.rpartition(".")
    found = vars(names[class_name])[name] if class_name else names[name]
    function = getattr(found, "__func__", found)  # of class methods
    assert isinstance(function, FunctionType), place
    return function


def mutants_of(path: Path) -> list[Callable[[], Mutant]]:
    """What makes the mutants of a file, each one when it is needed."""
    import libcst
    import libcst.matchers
    from mutmut.mutation.file_mutation import create_mutations

    text = path.read_text(encoding="utf-8")
    tree, mutations, _, _ = create_mutations(str(path), text)
    classes = [node for node in tree.body if isinstance(node, libcst.ClassDef)]
    owners = {  # functions and methods; what is inside of a function belongs to it
        id(node): f"{name}{node.name.value}"
        for name, body in [("", tree.body), *((f"{each.name.value}.", each.body.body) for each in classes)]
        for node in body
        if isinstance(node, libcst.FunctionDef)
    }
    words = {
        id(node)
        for statement in libcst.matchers.findall(tree, libcst.matchers.Raise())
        for node in libcst.matchers.findall(statement, libcst.matchers.MatchIfTrue(lambda _: True))
    }

    def mutant(mutation: Any) -> Mutant:
        changed = tree.deep_replace(mutation.original_node, mutation.mutated_node)
        assert isinstance(changed, libcst.Module)
        module = module_of(path)
        owner = owners[id(mutation.contained_by_top_level_function)]
        return Mutant(module, owner, changed.code, line_of_change(text, changed.code))

    return [
        partial(mutant, mutation)
        for mutation in mutations
        if id(mutation.contained_by_top_level_function) in owners and id(mutation.original_node) not in words
    ]


def line_of_change(before: str, after: str) -> str:
    """What differs between two texts, in one line.

    >>> line_of_change("a\\nb = 1\\nc", "a\\nb = 2\\nc")
    'b = 1 → b = 2'
    """
    lines = list(unified_diff(before.splitlines(), after.splitlines(), n=0))[3:]
    return " → ".join(" ".join(line[1:].strip() for line in lines if line[0] == sign) for sign in "-+")


class Runner:
    """A plugin of pytest that runs the tests once, and then some of them for each mutant."""

    def __init__(self, mutants: list[Mutant]) -> None:
        self.mutants = mutants
        self.survived: list[Mutant] = []
        self.seconds: dict[pytest.Item, float] = {}
        self.calls: dict[pytest.Item, set[CodeType]] = {}

    def pytest_configure(self) -> None:
        """Random tests try few examples, always the same, and do not look for a smaller one."""
        from hypothesis import Phase, settings

        sizes.MOST_EXAMPLES = 25
        settings.register_profile("mutants", derandomize=True, database=None, phases=[Phase.explicit, Phase.generate])
        settings.load_profile("mutants")

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Run the tests as they are, then the mutants."""
        for item in session.items:
            self.record(item)
        slow = sum(seconds > SLOWEST for seconds in self.seconds.values())
        report(f"{len(session.items)} tests, {slow} of them left out, {sum(self.seconds.values()):.0f} seconds")
        for number, mutant in enumerate(self.mutants, 1):
            survives = self.survives(mutant)
            report(f"{number}/{len(self.mutants)} {'survived' if survives else 'killed'} {mutant}")
            if mutant.change == UNCHANGED and not survives:
                pytest.exit(f"{mutant}: the tests fail nevertheless", 1)
            if mutant.change != UNCHANGED and survives:
                self.survived.append(mutant)
        return True

    def record(self, item: pytest.Item) -> None:
        """Run a test, and note what it calls and how long it takes."""
        start, called = processor_seconds(), set[CodeType]()
        sys.settrace(
            lambda frame, *_: called.add(frame.f_code)
        )  # for each call; lines are traced only if it gives more
        passes = run(item)
        sys.settrace(None)
        self.calls[item], self.seconds[item] = called, processor_seconds() - start
        if not passes:
            pytest.exit(f"{item.nodeid} fails without a mutant", 1)

    def survives(self, mutant: Mutant) -> bool:
        """Whether all tests pass with a mutant."""
        code = function_of(vars(importlib.import_module(mutant.module)), mutant.function).__code__
        items = [item for item in self.seconds if code in self.calls[item] and self.seconds[item] <= SLOWEST]
        items.sort(key=self.seconds.__getitem__)
        child = os.fork()
        if not child:
            signal.signal(signal.SIGXCPU, signal.SIG_DFL)
            limit = 10 + int(TIMES_SLOWER * sum(map(self.seconds.__getitem__, items)))
            resource.setrlimit(resource.RLIMIT_CPU, (limit, -1))  # a loop without end is ended by the system
            os._exit(not all_pass(items, mutant))
        _, status = os.waitpid(child, 0)
        return os.waitstatus_to_exitcode(status) == 0


def all_pass(items: list[pytest.Item], mutant: Mutant) -> bool:
    """Whether tests pass with a mutant."""
    try:
        mutant.apply()
        return all(map(run, items))
    except BaseException:
        return False


def processor_seconds() -> float:
    """The time of the processor that this process and those that it started have taken."""
    return sum(os.times()[:4])


def report(line: str) -> None:
    """Print a line, past pytest."""
    print(line, file=sys.__stdout__, flush=True)


def run(item: pytest.Item) -> bool:
    """Whether a test passes. Fixtures of the whole session are kept."""
    from _pytest.doctest import DoctestItem
    from _pytest.runner import runtestprotocol

    names = dict(item.dtest.globs) if isinstance(item, DoctestItem) else {}
    reports = runtestprotocol(item, log=False, nextitem=item.session)  # type: ignore[arg-type]  # what is not torn down
    if isinstance(item, DoctestItem):
        item.dtest.globs.update(names)  # a run clears them
    return not any(report.failed for report in reports)


def drawn(module: str, sample: int | None, seed: int) -> list[Mutant]:
    """The mutants of a module, or some of them, after one that changes nothing."""
    path = ROOT / module
    paths = [path] if path.is_file() else sorted(path.rglob("*.py"))
    makers = [maker for path in paths for maker in mutants_of(path)]
    makers = makers if sample is None else random.Random(seed).sample(makers, min(sample, len(makers)))
    mutants = [maker() for maker in makers]
    source = file_of(mutants[0].module)
    return [replace(mutants[0], source=source.read_text(encoding="utf-8"), change=UNCHANGED), *mutants]


def table(tried: Counter[str], survived: Counter[str], equivalent: Counter[str]) -> Iterator[str]:
    """The figures as a table in Markdown.

    >>> print(*table(Counter(hed=40), Counter(hed=3), Counter(hed=1)), sep="\\n")
    | module | mutants | killed | survived | of these equivalent | noticed |
    | :-- | --: | --: | --: | --: | --: |
    | `hed` | 40 | 37 | 3 | 1 | 94.9 % |
    | all | 40 | 37 | 3 | 1 | 94.9 % |
    """
    yield "| module | mutants | killed | survived | of these equivalent | noticed |"
    yield "| :-- | --: | --: | --: | --: | --: |"
    for name in [*tried, None]:
        number, alive, same = (
            (counter.total() if name is None else counter[name]) for counter in (tried, survived, equivalent)
        )
        share = 100 * (number - alive) / (number - same)
        yield f"| {f'`{name}`' if name else 'all'} | {number} | {number - alive} | {alive} | {same} | {share:.1f} % |"


def examine(module: str, sample: int | None, seed: int) -> tuple[int, list[str]]:
    """How many mutants of a module were tried, and the lines of those that survived."""
    os.chdir(ROOT)
    tests = [*MODULES[module], module]
    runner = Runner(drawn(module, sample, seed))
    options = ["--capture=sys", "-p", "no:cacheprovider", "-p", "no:terminal"]
    if pytest.main([*options, *tests], plugins=[runner]) != pytest.ExitCode.OK:
        raise SystemExit(f"{module}: the tests cannot be run")
    return len(runner.mutants) - 1, [str(mutant) for mutant in runner.survived]


def main() -> None:
    """Run the mutants, and print what survived."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("modules", nargs="*", default=[*MODULES], metavar="module", help=", ".join(MODULES))
    parser.add_argument("--sample", type=int, help="mutants of each module; all of them by default")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--processes", type=int, default=1)
    options = parser.parse_args()
    known = {line for line in EQUIVALENT.read_text(encoding="utf-8").splitlines() if line and line[0] != "#"}
    tried, survived, equivalent = Counter[str](), Counter[str](), Counter[str]()
    with ProcessPoolExecutor(options.processes, max_tasks_per_child=1) as pool:
        outcomes = pool.map(examine, options.modules, repeat(options.sample), repeat(options.seed))
        for module, (number, alive) in zip(options.modules, outcomes, strict=True):
            tried[module], survived[module] = number, len(alive)
            equivalent[module] = sum(line in known for line in alive)
            for line in alive:
                report(f"{'equivalent' if line in known else 'survived'}: {line}")
    print(*table(tried, survived, equivalent), sep="\n")


if __name__ == "__main__":
    main()
