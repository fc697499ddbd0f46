"""`python docs/figures/memory_tables.py`: the tables of docs/memory.md, from runs of duet-memory that it makes.

What is done already is not done again; `--out` says where. `--far` leaves nothing out: without it, tasks of 1,000 turns
are left to the two memories that recall what is old, and to the planner `from-memory`.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import typer

from omnipilot.agents import build
from omnipilot.bench.episode.prologue import play_prologue
from omnipilot.bench.episode.truth import EpisodeTruth
from omnipilot.bench.journal.load_runs import load_run
from omnipilot.bench.journal.recorder import EpisodeRecorder
from omnipilot.bench.journal.results import Episode
from omnipilot.bench.run import run
from omnipilot.bench.run.config import layer_settings, set_options, spec_from
from omnipilot.bench.run.read_settings import parse_settings
from omnipilot.bench.spec import RunSpec
from omnipilot.bench.stats.clusters import cluster
from omnipilot.bench.stats.intervals import mean_interval
from omnipilot.bench.suites.duet_memory import DuetMemory
from omnipilot.bench.tables import Table
from omnipilot.bench.tasks.task import Task, TaskInfo
from omnipilot.envs import Thinking
from omnipilot.memory import Budget, MediaStore
from omnipilot.memory.episodic.packing import estimate_tokens
from omnipilot.planners import Brief, Verbs
from omnipilot.planners.baselines.from_memory import read_fact

MEMORIES = ("none", "window", "episodic")
SIGNALS = ("text", "recency", "device", "kind", "anchors")
DISTANCES = (10, 100, 1000)
NEAR = (10, 100)
KS = (1, 3, 10)


@dataclass(frozen=True, slots=True)
class Cell:
    """One row: a planner with a memory, and how far back its tasks go."""

    planner: str
    memory: str
    options: tuple[str, ...] = ()
    readers: str = "gold"
    distances: tuple[int, ...] = DISTANCES

    @property
    def folder(self) -> str:
        """Where its run is kept, below the folder of all."""
        told = "-".join(option.split(".", 1)[1].replace("=", "-").replace(",", "+") for option in self.options)
        return "_".join(filter(None, (self.planner, self.memory, told, self.readers)))

    def spec(self, tasks: Sequence[str]) -> RunSpec:
        """Its run over tasks."""
        given = {"suite": "duet-memory", "planner": self.planner, "memory": self.memory, "tasks": list(tasks)}
        file = parse_settings(given | ({"readers": self.readers} if self.readers else {}))
        return spec_from(set_options(layer_settings(file, parse_settings({})), ["suite.split=all", *self.options]))


def without(signal: str) -> tuple[str, ...]:
    """The options of `episodic` with a part withheld; anchors are then not kept either."""
    kept = ",".join(one for one in SIGNALS if one != signal)
    return (f"memory.use={kept}", *(["memory.anchors=false"] if signal == "anchors" else []))


def infos(distances: Sequence[int]) -> list[TaskInfo]:
    """The tasks of these distances."""
    return [info for info in DuetMemory("all").tasks() if int(info.tags["distance"]) in distances]


def played(cell: Cell, out: Path, jobs: int, keep: Callable[[TaskInfo], bool]) -> tuple[Episode, ...]:
    """The episodes of a cell; those that are missing are played."""
    tasks = [info.id for info in infos(cell.distances) if keep(info)]
    folder = out / cell.folder
    run(cell.spec(tasks), folder, jobs)
    return load_run(folder).episodes


def share(hits: Mapping[str, float]) -> str:
    """A share of tasks with its interval, tasks of one template counting as a cluster."""
    if not hits:
        return "—"
    template = {info.id: info.tags["template"] for info in DuetMemory("all").tasks()}
    names = list(hits)
    found = mean_interval(np.array([hits[name] for name in names]), cluster(names, [{template[n]} for n in names]))
    return found.text(0)


def recalled_a_turn(folder: Path) -> tuple[float, float, float]:
    """Tokens of text, pictures, and seconds of sound and film that were recalled for a decision, on average."""
    turns, tokens, pictures, seconds = 0, 0, 0, 0.0
    for line in (folder / "journal.jsonl").read_text(encoding="utf-8").splitlines():
        event = json.loads(line)
        if event["event"] != "turn":
            continue
        turns += 1
        for part in event["recalled"]:
            media = part.get("media")
            if media is None:
                tokens += estimate_tokens(part["text"])
            elif media["kind"] == "image":
                pictures += 1
            else:
                seconds += media["end"] - media["start"]
    return tokens / max(1, turns), pictures / max(1, turns), seconds / max(1, turns)


def recalls(cell: Cell, tasks: Sequence[TaskInfo]) -> dict[int, dict[str, float]]:
    """For each k, by task: whether k texts, k pictures and k clips that the memory recalls hold the needed fact."""
    found: dict[int, dict[str, float]] = {k: {} for k in KS}
    suite = DuetMemory("all")
    for info in tasks:
        task = suite.instantiate(info.id, 0)
        recall, facts = _remembering(cell, suite, task)
        for k in KS:
            parts = recall(Budget(texts=k, images=k, clips=k))
            hit = all(read_fact(fact, parts) == fact.right for fact in facts)
            found[k][info.id] = float(hit)
    return found


def _remembering(cell: Cell, suite: DuetMemory, task: Task) -> tuple[Callable[[Budget], Any], Sequence[Any]]:
    """A memory that has taken in a task's past, as a function from budgets to what it recalls, and the facts."""
    spec, store, truth = cell.spec([task.id]), MediaStore(), EpisodeTruth()
    agent: Any = build(spec.agent, truth, store)
    world = suite.world(Thinking())
    instruction = task.setup(world)
    verbs = {name: Verbs(env.platform, env.verbs, env.custom) for name, env in world.envs.items()}
    truth.begin(world, task, 0)
    agent.begin(Brief(instruction, verbs))
    recorder = EpisodeRecorder("", 1, store, lambda _: None, modalities=())
    assert task.prologue is not None and task.facts is not None
    play_prologue(task.prologue, world, world, agent, recorder, truth)
    while not hasattr(agent, "memory"):
        agent = agent.agent

    def recall(budget: Budget) -> Any:
        return agent.memory.recall(instruction, budget, agent.planner_role, tuple(world.envs))

    return recall, task.facts()


def by_distance(episodes: Sequence[Episode], distance: int) -> dict[str, float]:
    """Success by task, of those of a distance; of all where it is 0."""
    kept = [one for one in episodes if not distance or one.tags["distance"] == str(distance)]
    return {one.task: float(one.success) for one in kept}


def success_table(cells: Sequence[Cell], results: Mapping[Cell, Sequence[Episode]], out: Path) -> Table:
    """Success by distance, and what was recalled for a decision."""
    rows = []
    for cell in cells:
        shown = [share(by_distance(results[cell], distance)) for distance in DISTANCES]
        tokens, pictures, seconds = recalled_a_turn(out / cell.folder)
        rows.append((cell.planner, cell.memory, *shown, f"{tokens:.0f}", f"{pictures:.1f}", f"{seconds:.1f}"))
    columns = ("planner", "memory", *(f"{one:,} turns" for one in DISTANCES), "tokens", "pictures", "clip s")
    return Table(columns, tuple(rows), labels=2)


def withheld_table(results: Mapping[Cell, Sequence[Episode]]) -> Table:
    """Success of `episodic` with a part withheld."""
    rows = []
    for cell, episodes in results.items():
        left = [one for one in SIGNALS if cell.options and one not in cell.options[0].split("=")[1].split(",")]
        what = f"without {left[0]}" if left else "without readers" if not cell.readers else "all of it"
        rows.append((what, *(share(by_distance(episodes, distance)) for distance in (*NEAR, 0))))
    return Table(("episodic", *(f"{one} turns" for one in NEAR), "both"), tuple(rows))


def kinds_table(results: Mapping[Cell, Sequence[Episode]]) -> Table:
    """Solved tasks by kind."""
    kinds = list(dict.fromkeys(info.tags["kind"] for info in DuetMemory("all").tasks()))

    def solved(episodes: Sequence[Episode], kind: str) -> str:
        own = [one for one in episodes if one.tags["kind"] == kind]
        return f"{sum(one.success for one in own)}/{len(own)}"

    rows = [(kind, *(solved(episodes, kind) for episodes in results.values())) for kind in kinds]
    return Table(("kind", *(cell.memory for cell in results)), tuple(rows))


def recall_table(found: Mapping[str, Mapping[int, Mapping[str, float]]]) -> Table:
    """Recall@k of each memory."""
    rows = [(name, *(share(each[k]) for k in KS)) for name, each in found.items()]
    return Table(("memory", *(f"recall@{k}" for k in KS)), tuple(rows))


def tables(out: Path, jobs: int, keep: Callable[[TaskInfo], bool], far: bool) -> Iterator[tuple[str, Table]]:
    """Every table, with its name; runs what is missing."""
    main = [Cell("from-memory", name) for name in MEMORIES]
    rules = [Cell("rules", name, distances=DISTANCES if far else NEAR) for name in MEMORIES]
    results = {cell: played(cell, out, jobs, keep) for cell in (*main, *rules)}
    yield "success", success_table((*main, *rules), results, out)
    yield "kinds", kinds_table({cell: results[cell] for cell in main})
    parts = [Cell("from-memory", "episodic", without(one), distances=NEAR) for one in SIGNALS]
    bare = Cell("from-memory", "episodic", readers="", distances=NEAR)
    near = {cell: played(cell, out, jobs, keep) for cell in (*parts, bare)}
    whole = tuple(one for one in results[main[-1]] if int(one.tags["distance"]) in NEAR)
    yield "withheld", withheld_table({main[-1]: whole, **near})
    chosen = [info for info in infos(NEAR) if keep(info)]
    yield "recall", recall_table({cell.memory: recalls(cell, chosen) for cell in main[1:]})


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the tables."""
    parser = argparse.ArgumentParser(prog="python docs/figures/memory_tables.py", description=__doc__)
    parser.add_argument("--out", type=Path, default=Path("runs/duet-memory"))
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--far", action="store_true", help="`rules` on tasks of 1,000 turns too")
    parser.add_argument("--tasks", default="", help="only these, with commas between them")
    options = parser.parse_args(arguments)
    chosen = {name for name in options.tasks.split(",") if name}
    for name, table in tables(options.out, options.jobs, lambda info: not chosen or info.id in chosen, options.far):
        typer.echo(f"{name}\n\n{table.text()}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
