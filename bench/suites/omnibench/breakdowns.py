"""OmniBench's breakdowns: mean CR by complexity and level (table 5), and by capability (table 4)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from omnipilot.bench.stats.summary import Outcome, headline
from omnipilot.bench.suites.omnibench.data import OmniTask
from omnipilot.bench.suites.omnibench.metrics.complexity import ABBREVIATIONS
from omnipilot.bench.suites.omnibench.metrics.execution import Variant, coverage
from omnipilot.bench.suites.omnibench.predictions import Attempt
from omnipilot.bench.tables import Table
from omnipilot.bench.tasks.complexity import CAPABILITIES, HARD_FROM

LEVELS = ("easy", "medium", "hard")
_SHORT = {name: short for short, name in ABBREVIATIONS.items()}


def breakdown_tables(tasks: Mapping[str, OmniTask], attempts: Sequence[Attempt], variant: Variant) -> tuple[Table, ...]:
    """By complexity and level, and by capability; buckets overlap."""
    name = "completion %" if variant == "release" else "CR %"
    classified = {id for id, task in tasks.items() if task.classified}
    notes = ["width (branch) is the largest level"]
    if left := len(tasks) - len(classified):
        notes.append(
            f"{left} tasks have an application that is not in table 11 and are left out of knowledge and capabilities; "
            "give their subtasks a field category"
        )

    def cells(chosen: Callable[[OmniTask], bool]) -> tuple[str, ...]:
        mine = [one for one in attempts if one.execution is not None and chosen(tasks[one.task])]
        return _cells(mine, tasks, variant)

    levels = []
    for dimension in HARD_FROM:
        for level in LEVELS:

            def at(task: OmniTask, dimension: str = dimension, level: str = level) -> bool:
                known = task.classified or dimension != "knowledge"
                return known and task.complexity.grades()[dimension].value == level

            levels.append((dimension, level, *cells(at)))
    capabilities = []
    for capability in CAPABILITIES:

        def tested(task: OmniTask, capability: str = capability) -> bool:
            return task.classified and capability in task.complexity.capabilities()

        capabilities.append((_SHORT[capability], capability, *cells(tested)))
    figures = name, "episodes", "void"
    return (
        Table(("complexity", "level", *figures), tuple(levels), tuple(notes), labels=2),
        Table(
            ("", "capability", *figures),
            tuple(capabilities),
            ("by complexity alone (table 12); the paper's sets were chosen by hand from these",),
            labels=2,
        ),
    )


def _cells(attempts: Sequence[Attempt], tasks: Mapping[str, OmniTask], variant: Variant) -> tuple[str, ...]:
    outcomes = [
        Outcome(
            one.task,
            one.instance,
            one.trial,
            0.0 if one.void else coverage(one.execution, variant),
            one.void,
            tasks[one.task].graph.ids,
        )
        for one in attempts
        if one.execution is not None
    ]
    if not outcomes:
        return "—", "0", "0"
    found = headline(outcomes)
    return found.all.text(), str(len(outcomes)), str(found.void)
