"""The graph of a task's sub-goals with the state of each at the end (OmniBench, figure 12; CRAB, figure 2)."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence

from omnipilot.bench.journal.attempts import RecordedAttempt, attempt_events
from omnipilot.bench.journal.results import Episode, judged_episodes
from omnipilot.bench.report.figure_kinds.by_tag import check_count
from omnipilot.bench.report.figure_kinds.chosen_episodes import episodes_of_task
from omnipilot.bench.report.figure_kinds.kind import FigureRequest, RunFigure, figure_kind
from omnipilot.bench.report.figures.records import Block, FigureSpec, GraphNode, NodeGraph
from omnipilot.bench.report.paper.sources import TableSource
from omnipilot.bench.tasks.graph import NodeState
from omnipilot.envs import ConfigError

HEAD = ("row", "run", "task", "instance", "trial", "node", "env", "state", "turn", "before")


@figure_kind("task", "instance", "trial")
def graph(request: FigureRequest) -> RunFigure:
    """A task's sub-goals in their order, with which were reached and when: a graph for each run.

    Over several instances or trials, each node says in how many episodes it was reached.

    Raises:
        ConfigError: as `episodes_of_task`; there are more than eight runs, or the task has no sub-goals.
    """
    chosen = episodes_of_task(request)
    check_count(len(chosen))
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(HEAD)
    blocks: list[Block] = []
    for source, episodes in chosen:
        attempts = [RecordedAttempt.of_events(attempt_events(source.folder, one.key, one.attempt)) for one in episodes]
        if not attempts[0].started.nodes:
            raise ConfigError(f"{episodes[0].key} of {source.folder} has no sub-goals to draw; name another --task")
        for episode, attempt in zip(episodes, attempts, strict=True):
            writer.writerows(_lines(source, episode, attempt))
        title = source.label if len(chosen) > 1 else request.task
        blocks.append(_graph(title, episodes, attempts))
    rows = [blocks[at : at + 2] for at in range(0, len(blocks), 2)]
    caption = (
        f"Sub-goals of {request.task}: an arrow leads to what waits for another. Filled: reached; with a solid edge: "
        "could have been reached and was not; dashed: was still waiting",
    )
    return RunFigure(FigureSpec(rows), out.getvalue().rstrip("\n"), caption)


def turns_of_nodes(attempt: RecordedAttempt) -> dict[str, int]:
    """The turn, from 1, in which each node was reached; one more than the last for those judged only at the end.

    What was lost again has none, or the turn in which it was mended.
    """
    found: dict[str, int] = {}
    told = [
        (number, change) for number, turn in enumerate(attempt.turns, 1) for s in turn.steps for change in s.changes
    ]
    told += [(len(attempt.turns) + 1, change) for change in (attempt.ended.changes if attempt.ended else ())]
    for number, change in told:
        if change.get("completed"):
            found[str(change["node"])] = number
        else:
            found.pop(str(change["node"]), None)
    return found


def _lines(source: TableSource, episode: Episode, attempt: RecordedAttempt) -> list[tuple[object, ...]]:
    turns = turns_of_nodes(attempt)
    lines: list[tuple[object, ...]] = []
    for node in attempt.started.nodes:
        name = node["name"]
        before = "+".join(one for one, after in attempt.started.edges if after == name)
        told = (source.label, source.folder.name, episode.task, episode.instance, episode.trial)
        lines.append((*told, name, node.get("env", ""), str(episode.nodes[name]), turns.get(name, ""), before))
    return lines


def _graph(title: str, episodes: Sequence[Episode], attempts: Sequence[RecordedAttempt]) -> NodeGraph:
    started = attempts[0].started
    judged = judged_episodes(episodes)
    nodes = []
    for node in started.nodes:
        name = node["name"]
        states = [one.nodes[name] for one in episodes if name in one.nodes]
        reached = sum(state is NodeState.COMPLETED for state in states)
        if len(episodes) > 1:
            note = f"{reached} of {len(states)}"
        elif reached:
            note = f"turn {turns_of_nodes(attempts[0]).get(name, '?')}"
        else:
            note = "waiting" if states and states[0] is NodeState.WAITING else "not reached"
        where = f"{node['env']} · " if node.get("env") else ""
        ready = any(state is not NodeState.WAITING for state in states)
        nodes.append(GraphNode(name, where + note, reached / len(states) if states else 0.0, ready))
    edges = [(before, after) for before, after in started.edges]
    if len(episodes) > 1:
        solved = f"{sum(one.success for one in judged)} of {len(judged)} episodes solved"
        about = solved if judged else f"{len(episodes)} episodes, unjudged"
    else:
        one = episodes[0]
        about = f"{one.completed} of {one.total} sub-goals reached in {one.turns} turns"
    return NodeGraph(title, nodes, edges, about)
