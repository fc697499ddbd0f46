"""Clusters of dependent units: the episodes of one task, and the tasks that share a sub-task template.

Instances and trials of a task tend to succeed or fail together, and so do tasks that contain the same sub-task. An
interval that treats them as independent is too narrow: 95 % intervals then cover less than 90 % in the design of
`test_taking_episodes_for_independent_would_not_cover` (tests/bench/stats/test_coverage.py).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

Kind: TypeAlias = Literal["task", "template", "overlap"]


@dataclass(frozen=True, slots=True)
class Clusters:
    """Units (episodes, or pairs of them) in clusters.

    Attributes:
        kind: `task`: no two tasks share a template. `template`: tasks fall into groups in which any two share one, and
            a cluster is a group. `overlap`: A shares a template with B, B another with C; a cluster is a task.
        count: number of clusters. of: the cluster of each unit, in 0..count-1, shape (units,).
        shares: for `overlap`, how much two tasks have in common, shape (count, count): the number of templates that
            both have, divided by the geometric mean of how many each has; 1 on the diagonal.
        noun: what tables call clusters that are not tasks: "episodes", "screens".
    """

    kind: Kind
    count: int
    of: NDArray[np.int64]
    shares: NDArray[np.float64] | None = None
    noun: str = "tasks"

    def sums(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Sums over clusters of the values of units, shape (count,)."""
        return np.bincount(self.of, values, self.count).astype(float)

    @property
    def sizes(self) -> NDArray[np.float64]:
        """Units in each cluster, shape (count,)."""
        return np.bincount(self.of, minlength=self.count).astype(float)

    @property
    def words(self) -> str:
        """The number of clusters and what they are, for tables: "12 tasks"."""
        one = self.count == 1
        return {
            "task": f"{self.count} {self.noun.removesuffix('s') if one else self.noun}",
            "template": f"{self.count} {'group' if one else 'groups'} of tasks with one template",
            "overlap": f"{self.count} tasks with overlapping templates",
        }[self.kind]

    @property
    def too_few(self) -> str:
        """The method of an interval that these clusters cannot give: "none, as there is only one task"."""
        if self.count > 1 or self.kind == "overlap":
            return f"none, as {self.words} are too few"
        if self.kind == "template":
            return "none, as all tasks share one template"
        return f"none, as there is only one {self.noun.removesuffix('s')}"


def cluster(tasks: Sequence[str], templates: Sequence[Collection[str]]) -> Clusters:
    """Group units by task and template.

    Clusters are numbered by name, so that a seed gives the same bootstrap in any order of the units.

    Args:
        tasks: the task of each unit.
        templates: those of each unit, equal for units of one task; empty if none is known.
    """
    of_task: dict[str, frozenset[str]] = {}
    for task, names in zip(tasks, templates, strict=True):
        of_task[task] = of_task.get(task, frozenset()) | frozenset(names)
    order = sorted(of_task)
    number = {task: i for i, task in enumerate(order)}
    unit = np.array([number[task] for task in tasks], dtype=np.int64)
    shares = _shares([of_task[task] for task in order])
    common = shares > 0
    if np.array_equal(common, np.eye(len(order), dtype=bool)):
        return Clusters("task", len(order), unit)
    first = np.argmax(common, axis=1)
    if np.array_equal(common, first[:, None] == first[None, :]):
        groups, group = np.unique(first, return_inverse=True)
        return Clusters("template", len(groups), group[unit].astype(np.int64))
    return Clusters("overlap", len(order), unit, shares)


def clusters_by_name(names: Sequence[str], noun: str) -> Clusters:
    """Group units by the name of their cluster, such as the episodes of steps or the screens of targets.

    Args:
        names: of the cluster of each unit. noun: what tables call the clusters.
    """
    _, first, of = np.unique(np.array(names, dtype=object), return_index=True, return_inverse=True)
    return Clusters("task", len(first), of.astype(np.int64), noun=noun)


def connected_groups(sets: Sequence[Collection[str]]) -> Iterator[list[int]]:
    """The indices of sets that share names, directly or through other sets, group by group; each group sorted."""
    left = list(range(len(sets)))
    while left:
        group = [left.pop(0)]
        names = set(sets[group[0]])
        while more := [i for i in left if not names.isdisjoint(sets[i])]:
            for i in more:
                left.remove(i)
                names |= set(sets[i])
            group += more
        yield sorted(group)


def _shares(templates: Sequence[frozenset[str]]) -> NDArray[np.float64]:
    """`Clusters.shares`: templates in common, divided by the geometric mean of how many each task has."""
    names = {name: i for i, name in enumerate(sorted(frozenset().union(*templates)))}
    member = np.zeros((len(templates), len(names)))
    for row, found in enumerate(templates):
        member[row, [names[name] for name in found]] = 1 / len(found) ** 0.5 if found else 0.0
    shares = np.minimum(member @ member.T, 1.0)
    np.fill_diagonal(shares, 1.0)
    return shares
