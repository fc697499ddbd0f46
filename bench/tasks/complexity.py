"""How complex a task is, computed from its graph: OmniBench's five complexities and ten capabilities.

OmniBench §3.1 and table 2 for the complexities, table 12 for the capabilities. A node is a judged sub-goal, as the
graph evaluator follows it.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from enum import StrEnum

from omnipilot.bench.tasks.graph import JudgeGraph


class Grade(StrEnum):
    """The grade of a complexity."""

    EASY = "easy"
    MEDIUM = "medium"
    HARD = "hard"


CAPABILITIES: Mapping[str, tuple[str, ...]] = {
    "parallel planning": ("dependency", "branch"),
    "long-range planning": ("dependency", "hierarchy"),
    "long-sequence reasoning": ("instruction", "hierarchy"),
    "long instruction following": ("branch",),
    "sequential decision-making": ("hierarchy", "branch"),
    "cross-domain decision-making": ("branch", "knowledge"),
    "subtask identification": ("dependency", "instruction"),
    "dependency identification": ("dependency",),
    "cross-domain knowledge": ("instruction", "knowledge"),
    "domain-specific knowledge": ("instruction",),
}
"""The complexities that must be hard in a task that tests the capability."""
MEDIUM_FROM: Mapping[str, int] = {"dependency": 2, "instruction": 3, "hierarchy": 3, "branch": 3, "knowledge": 2}
HARD_FROM: Mapping[str, int] = {"dependency": 4, "instruction": 5, "hierarchy": 5, "branch": 5, "knowledge": 4}


@dataclass(frozen=True, slots=True)
class Complexity:
    """The five figures of a task.

    Attributes:
        dependency: edges. instruction: nodes. hierarchy: nodes on the longest path (depth, a root counts 1).
        branch: most nodes of one depth (width). knowledge: application categories.
    """

    dependency: int
    instruction: int
    hierarchy: int
    branch: int
    knowledge: int

    def figures(self) -> dict[str, int]:
        """Each figure by the name of its complexity."""
        return {name: getattr(self, name) for name in HARD_FROM}

    def grades(self) -> dict[str, Grade]:
        """Each complexity as easy, medium or hard (table 2)."""
        return {name: grade_of(name, figure) for name, figure in self.figures().items()}

    def capabilities(self) -> tuple[str, ...]:
        """The capabilities that the task tests: those whose complexities are all hard (table 12)."""
        hard = {name for name, grade in self.grades().items() if grade is Grade.HARD}
        return tuple(name for name, needed in CAPABILITIES.items() if hard >= set(needed))


def grade_of(complexity: str, figure: int) -> Grade:
    """Easy, medium or hard (table 2)."""
    if figure >= HARD_FROM[complexity]:
        return Grade.HARD
    return Grade.MEDIUM if figure >= MEDIUM_FROM[complexity] else Grade.EASY


def complexity_of(graph: JudgeGraph, categories: Collection[str]) -> Complexity:
    """The five figures of a graph whose applications are of these categories."""
    depths = depths_of(graph)
    levels = list(depths.values())
    return Complexity(
        len(set(graph.edges)),
        len(graph.nodes),
        max(levels),
        max(levels.count(depth) for depth in levels),
        len(set(categories)),
    )


def depths_of(graph: JudgeGraph) -> dict[str, int]:
    """The depth of each node: 1 for a node without predecessors, else one more than its deepest predecessor."""
    before: dict[str, list[str]] = {node.name: [] for node in graph.nodes}
    for earlier, later in graph.edges:
        before[later].append(earlier)
    depths: dict[str, int] = {}
    for name in graph.order():
        depths[name] = 1 + max((depths[earlier] for earlier in before[name]), default=0)
    return depths
