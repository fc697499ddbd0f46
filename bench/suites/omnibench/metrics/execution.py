"""OmniBench's scores of one execution (§4.1): coverage and consistency of the paper, completion and coherence as coded.

`variant="paper"` follows the text, whose formulas bear no numbers; `"release"` follows the released evaluator, whose
two scores have other names and other values:

* completion counts whole levels and never looks at the last one, so a task of one level scores 1 with nothing done;
* coherence compares longest runs instead of counting pairs, and is 0 where no order has a run of two.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from omnipilot.bench.suites.omnibench.metrics.antichain import max_run
from omnipilot.bench.suites.omnibench.metrics.coherence import coherence, longest_run, max_coherence
from omnipilot.bench.suites.omnibench.metrics.graph import TaskGraph
from omnipilot.envs import ConfigError

Variant: TypeAlias = Literal["paper", "release"]


@dataclass(frozen=True, slots=True)
class Execution:
    """One episode, as input to the metrics.

    Attributes:
        executed: ids of the completed subtasks, in the order of completion; within one step, in the order of the file.
        void: the infrastructure failed; it stays in the denominator and counts as zero.

    Raises:
        ConfigError: an unknown id, one twice, or one before something that it waits for.
    """

    graph: TaskGraph
    executed: tuple[str, ...] = ()
    void: bool = False

    def __post_init__(self) -> None:
        before = self.graph.predecessors()
        if strangers := set(self.executed) - set(before):
            raise ConfigError(f"these executed subtasks are not in the task: {', '.join(sorted(strangers))}")
        done: set[str] = set()
        for name in self.executed:
            if name in done:
                raise ConfigError(f"subtask {name} was completed twice; list it only once")
            if missing := before[name] - done:
                raise ConfigError(f"subtask {name} was completed before {', '.join(sorted(missing))}; check the order")
            done.add(name)

    @property
    def success(self) -> bool:
        """Whether every subtask is complete and the episode is not void."""
        return len(self.executed) == len(self.graph.subtasks) and not self.void

    def applications(self) -> list[str]:
        """The applications of the completed subtasks, in the order of completion."""
        where = {subtask.id: subtask.application for subtask in self.graph.subtasks}
        return [where[name] for name in self.executed]


def coverage(run: Execution, variant: Variant = "paper") -> float:
    """CR, in 0..1: depths of the completed subtasks over all depths (§4.1); as coded, the completion score.

    The weights w(s) add to 1 already, so the denominator printed with CR changes nothing.
    """
    if run.void:
        return 0.0
    depths = run.graph.depths()
    if variant == "paper":
        return sum(depths[name] for name in run.executed) / sum(depths.values())
    deepest = max(depths.values())
    unfinished = {depth for name, depth in depths.items() if name not in run.executed}
    # Levels are scanned from an empty level 0 to the one before the last.
    first = min((level for level in unfinished if level < deepest), default=None)
    return 1.0 if first is None else (first - 1) / deepest


def consistency(run: Execution, variant: Variant = "paper") -> float | None:
    """LC, in 0..1: CS_agent / CS_max (§4.1); as coded, the coherence score.

    None in the paper's variant where CS_max is 0: no order of the task has two adjacent subtasks of one application,
    and the paper does not say what the ratio is then.
    """
    if variant == "paper":
        most = max_coherence(run.graph)
        return None if most == 0 else 0.0 if run.void else coherence(run.applications()) / most
    longest = max_run(run.graph)
    return 0.0 if run.void or longest == 1 else (longest_run(run.applications()) - 1) / (longest - 1)


@dataclass(frozen=True, slots=True)
class ExecutionReport:
    """The overall columns of table 4 for one variant.

    Attributes:
        tasks, void: how many executions, and how many of them count as zero for being void.
        coverage: CR, mean over tasks. consistency: LC, mean over the `consistency_of` tasks where it is defined.
        success: share of tasks with every subtask complete; OmniBench prints none.
    """

    variant: Variant
    tasks: int
    void: int
    coverage: float | None
    consistency: float | None
    consistency_of: int
    success: float | None


def report(runs: Sequence[Execution], variant: Variant = "paper") -> ExecutionReport:
    """Overall CR and LC: means over tasks; None without tasks."""
    consistent = [score for run in runs if (score := consistency(run, variant)) is not None]
    return ExecutionReport(
        variant,
        len(runs),
        sum(run.void for run in runs),
        mean([coverage(run, variant) for run in runs]),
        mean(consistent),
        len(consistent),
        mean([float(run.success) for run in runs]),
    )


def mean(values: Sequence[float]) -> float | None:
    """The mean; None for no values."""
    return sum(values) / len(values) if values else None
