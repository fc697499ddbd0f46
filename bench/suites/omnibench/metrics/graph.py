"""OmniBench's task graph (§3.1): subtasks, their dependencies, depths and ancestors."""

from __future__ import annotations

from dataclasses import dataclass

from omnipilot.envs import ConfigError


@dataclass(frozen=True, slots=True)
class Subtask:
    """A node of a task graph.

    Attributes:
        application: where it is done; two subtasks are coherent where their applications are equal.
        category: what kind of application it is; empty to read it from table 11
            (`omnipilot.bench.suites.omnibench.metrics.complexity.CATEGORIES`).
    """

    id: str
    application: str
    category: str = ""


@dataclass(frozen=True, slots=True)
class TaskGraph:
    """A task as a directed graph without cycles.

    Attributes:
        subtasks: in the order of the task's file, which breaks ties in the released evaluator.
        edges: pairs of ids, (before, after); one listed twice counts once.

    Raises:
        ConfigError: empty, an id twice, an edge to an unknown id, or a cycle; the message names the culprit.
    """

    subtasks: tuple[Subtask, ...]
    edges: tuple[tuple[str, str], ...] = ()

    def __post_init__(self) -> None:
        ids = self.ids
        if not ids:
            raise ConfigError("a task graph needs at least one subtask")
        if twice := {name for name in ids if ids.count(name) > 1}:
            raise ConfigError(f"subtasks need unique ids; used twice: {', '.join(sorted(twice))}")
        if strangers := {name for edge in self.edges for name in edge} - set(ids):
            raise ConfigError(
                f"edges refer to unknown subtasks: {', '.join(sorted(strangers))}; add those or remove the edges"
            )
        if cyclic := set(ids) - set(self.depths()):
            raise ConfigError(f"the task graph has a cycle that blocks: {', '.join(sorted(cyclic))}")

    @property
    def ids(self) -> tuple[str, ...]:
        """Ids of the subtasks, in the order of the file."""
        return tuple(subtask.id for subtask in self.subtasks)

    def predecessors(self) -> dict[str, set[str]]:
        """The direct predecessors of each subtask."""
        before: dict[str, set[str]] = {name: set() for name in self.ids}
        for earlier, later in self.edges:
            before[later].add(earlier)
        return before

    def depths(self) -> dict[str, int]:
        """d(s): 1 for a subtask without predecessors, otherwise one more than the deepest predecessor's.

        Keys are in a topological order. Subtasks on a cycle or after one would be left out; a valid graph has none.
        """
        before = self.predecessors()
        depths: dict[str, int] = {}
        while ready := [name for name in self.ids if name not in depths and before[name] <= set(depths)]:
            depths |= {name: 1 + max((depths[earlier] for earlier in before[name]), default=0) for name in ready}
        return depths

    def ancestors(self) -> list[int]:
        """The transitive closure: for each subtask, in file order, a bit mask of all its ancestors."""
        at = {name: place for place, name in enumerate(self.ids)}
        before = self.predecessors()
        masks = [0] * len(at)
        for name in self.depths():
            for earlier in before[name]:
                masks[at[name]] |= masks[at[earlier]] | 1 << at[earlier]
        return masks
