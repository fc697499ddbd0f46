"""What mutual verification, intents and the validator are worth: eight rows, with and without each.

OmniBench had people accept or reject 400 tasks a row. Here stand proxies that need nobody: beside such ratings, never
in their place. The rows are subsets of one pool that was made without leaving anything out: a row without a part takes
the tasks that the part would have dropped, too.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

from omnipilot.bench.suites.pool.compose.playing import PlayedGraph
from omnipilot.bench.suites.pool.pool_folder import PoolFolder
from omnipilot.bench.suites.pool.records import GraphRecord, TaskRecord, VerdictRecord
from omnipilot.bench.suites.pool.tell.intents import ERRANDS
from omnipilot.bench.suites.pool.tell.topology import edges_of, is_connected
from omnipilot.bench.tables import Table

PROXIES: Mapping[str, str] = {
    "executable": "executable in every order played",
    "discriminating": "judges refuse what is nearly right",
    "connected": "hangs together",
    "validated": "graph read back",
    "secret": "gives no value away",
    "unsolved": "not solved by noop or random",
}
"""Names of the proxies, and what they say."""
_NOTE = "shares in percent, of the tasks that were looked at; OmniBench: what people accepted (its table 3)"
PAPER: Mapping[tuple[bool, bool, bool], float] = {
    (False, False, False): 0.412,
    (False, True, False): 0.612,
    (True, False, False): 0.827,
    (True, True, False): 0.865,
    (True, True, True): 0.907,
}
"""What people accepted in OmniBench (table 3), by (mutual verification, intents, validator)."""


@dataclass(frozen=True, slots=True)
class TaskProxies:
    """What is known of one task without asking anybody; None where it was not looked at.

    Attributes:
        verified: whether mutual verification accepted all its subtasks. intended: whether it has an intent that is no
            list of errands. kept: whether the validator kept it.
        executable, discriminating, connected, validated, secret, unsolved: see `PROXIES`.
    """

    task: str
    verified: bool | None
    intended: bool
    kept: bool | None
    executable: bool | None
    discriminating: bool | None
    connected: bool
    validated: bool | None
    secret: bool | None
    unsolved: bool | None

    @property
    def accepted(self) -> bool | None:
        """Whether all proxies hold; None where one was not looked at."""
        values = [getattr(self, name) for name in PROXIES]
        return None if None in values else all(values)


@dataclass(frozen=True, slots=True)
class PartsRow:
    """A row of the table.

    Attributes:
        parts: whether mutual verification, intents and the validator took part. tasks: how many are left.
        shares: by proxy, the share of tasks for which it holds, of those that were looked at; None for none.
        accepted: share for which all hold, of those that were looked at. paper: OmniBench's, of people.
    """

    parts: tuple[bool, bool, bool]
    tasks: int
    shares: Mapping[str, float | None]
    accepted: float | None
    paper: float | None


def task_proxies(pool: PoolFolder, played: Mapping[str, PlayedGraph], solved: Mapping[str, bool]) -> list[TaskProxies]:
    """The proxies of a pool's told tasks.

    Args:
        played: what playing showed, by graph; those that are missing were not played.
        solved: whether a baseline solved a task, by graph; those that are missing were not run.

    Raises:
        ConfigError: the pool has no tasks.
    """
    graphs = {graph.id: graph for graph in pool.graphs.read()}
    verdicts: dict[str, VerdictRecord] = {}
    for verdict in pool.verdicts.read():
        last = verdicts.get(verdict.subtask)
        if last is None or verdict.round >= last.round:
            verdicts[verdict.subtask] = verdict
    return [
        _proxies(task, graphs[task.graph], verdicts, played.get(task.graph), solved.get(task.graph))
        for task in pool.tasks.require()
        if task.graph in graphs
    ]


def ablation(tasks: Iterable[TaskProxies]) -> list[PartsRow]:
    """The eight rows, from nothing to everything."""
    found = list(tasks)
    rows = []
    for parts in product((False, True), (False, True), (False, True)):
        left = [
            task
            for task in found
            if all(
                value is True for on, value in zip(parts, (task.verified, task.intended, task.kept), strict=True) if on
            )
        ]
        rows.append(
            PartsRow(
                parts,
                len(left),
                {name: _share([getattr(task, name) for task in left]) for name in PROXIES},
                _share([task.accepted for task in left]),
                PAPER.get(parts),
            )
        )
    return rows


def ablation_table(rows: Sequence[PartsRow]) -> Table:
    """The rows as a table."""
    head = ("verified", "intents", "validator", "tasks", *PROXIES, "all", "OmniBench")
    return Table(
        head,
        tuple(
            (
                *("yes" if on else "no" for on in row.parts),
                str(row.tasks),
                *(_percent(row.shares[name]) for name in PROXIES),
                _percent(row.accepted),
                _percent(row.paper),
            )
            for row in rows
        ),
        (*(f"{name}: {meaning}" for name, meaning in PROXIES.items()), _NOTE),
        labels=3,
    )


def _proxies(
    task: TaskRecord,
    graph: GraphRecord,
    verdicts: Mapping[str, VerdictRecord],
    played: PlayedGraph | None,
    solved: bool | None,
) -> TaskProxies:
    known = [verdicts.get(subtask) for subtask in graph.subtasks]
    judged = [verdict for verdict in known if verdict is not None]
    complete = len(judged) == len(known)
    kept = None if not task.checked else task.is_kept
    unsolved = None
    if solved or (played and played.idle):
        unsolved = False
    elif solved is False or played:
        unsolved = True
    return TaskProxies(
        task.id,
        all(verdict.accepted for verdict in judged) if complete else None,
        bool(task.intent) and task.frame != ERRANDS,
        kept,
        not played.failed if played else None,
        all(verdict.strict for verdict in judged) if complete else None,
        is_connected(len(graph.subtasks), edges_of(graph)),
        kept,
        None if not task.checked else "gives away" not in task.checked,
        unsolved,
    )


def _share(values: Iterable[bool | None]) -> float | None:
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if known else None


def _percent(share: float | None) -> str:
    return "–" if share is None else f"{100 * share:.1f}"
