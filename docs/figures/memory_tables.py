"""`python docs/figures/memory_tables.py`: the tables of docs/memory.md, from runs of duet-memory that it makes.

What is done already is not done again; `--out` says where. Tasks of 1,000 turns are played by `from-memory` alone, with
the memories that `--far` names, since each of them takes as long as all that is near; `--near` leaves them out.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import typer

from omnipilot.agents import parse_part
from omnipilot.agents.assembly.build import MEMORIES
from omnipilot.bench.journal.journal import MEDIA
from omnipilot.bench.journal.load_runs import load_run
from omnipilot.bench.journal.replayed_memory import find_episode
from omnipilot.bench.journal.results import Episode
from omnipilot.bench.run import run
from omnipilot.bench.run.config import layer_settings, set_options, spec_from
from omnipilot.bench.run.execution import RunExecution
from omnipilot.bench.run.progress import Progress
from omnipilot.bench.run.read_settings import parse_settings
from omnipilot.bench.spec import RunSpec
from omnipilot.bench.stats.clusters import cluster
from omnipilot.bench.stats.intervals import mean_interval
from omnipilot.bench.suites.duet_memory import DuetMemory
from omnipilot.bench.suites.duet_memory.proofs import Lived
from omnipilot.bench.tables import Table
from omnipilot.bench.tasks.task import TaskInfo
from omnipilot.envs import Modality
from omnipilot.memory import Budget, MediaStore, Role
from omnipilot.memory.allowance import estimate_tokens
from omnipilot.memory.episodic import TimelineEvent
from omnipilot.memory.episodic.ranking import SIGNALS
from omnipilot.planners.baselines.from_memory import read_fact

NAMES = ("none", "window", "keyframes", "episodic")
DISTANCES = (10, 100, 1000)
NEAR, FAR = (10, 100), (1000,)
WITHHELD = (100,)
"""Distances at which tasks are played with each part of `episodic` withheld."""
KS, WHOLE = (1, 3, 10), 0
"""Most texts, most pictures and most clips of a recall; 0 stands for what the memory itself allows."""
Held: TypeAlias = dict[int, dict[str, float]]


@dataclass(frozen=True, slots=True)
class Cell:
    """One row: a planner with a memory, and how far back its tasks go."""

    planner: str
    memory: str
    options: tuple[str, ...] = ()
    readers: str = "gold"
    distances: tuple[int, ...] = NEAR

    @property
    def folder(self) -> str:
        """Where its run is kept, below the folder of all."""
        told = "-".join(option.split(".", 1)[1].replace("=", "-").replace(",", "+") for option in self.options)
        far = {NEAR: "", FAR: "far"}.get(self.distances, "+".join(map(str, self.distances)))
        return "_".join(filter(None, (self.planner, self.memory, told, self.readers, far)))

    def spec(self, tasks: Sequence[str]) -> RunSpec:
        """Its run over tasks."""
        given = {"suite": "duet-memory", "planner": self.planner, "memory": self.memory, "tasks": list(tasks)}
        file = parse_settings(given | ({"readers": self.readers} if self.readers else {}))
        return spec_from(set_options(layer_settings(file, parse_settings({})), ["suite.split=all", *self.options]))


def infos(distances: Sequence[int]) -> list[TaskInfo]:
    """The tasks of these distances."""
    return [info for info in DuetMemory("all").tasks() if int(info.tags["distance"]) in distances]


def played(cell: Cell, out: Path, jobs: int, keep: Callable[[TaskInfo], bool]) -> tuple[Episode, ...]:
    """The episodes of a cell; those that are missing are played."""
    tasks = [info.id for info in infos(cell.distances) if keep(info)]
    if not tasks:
        return ()
    folder = out / cell.folder
    typer.echo(f"{cell.folder}: {len(tasks)} tasks", err=True)
    run(cell.spec(tasks), folder, RunExecution(jobs, on_progress=Progress(sys.stderr)))
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


def recalls(folder: Path, tasks: Sequence[TaskInfo], options: Mapping[str, Any], told: bool, name: str) -> Held:
    """For each limit, by task: whether what a memory recalls for a task's instruction holds the needed fact.

    It is asked before the first decision, and is made from the events of the past that a run's journal has.

    Args:
        folder: of a run with the memory `episodic`. told: with what readers told.
    """
    found: Held = {k: {} for k in (*KS, WHOLE)}
    suite, store = DuetMemory("all"), MediaStore(folder / MEDIA)
    for info in tasks:
        fact = Lived(suite, info.id, 0).fact
        episode = find_episode(folder, info.id)
        past = [one for one in episode.remembered if one.turn < 0 and (told or not _told_by_reader(one))]
        memory = MEMORIES.make(parse_part({"name": name, **options}, MEMORIES))
        memory.take_store(store)
        memory.restore(past, 0)
        for k in found:
            budget = memory.budget if k == WHOLE else Budget(texts=k, images=k, clips=k)
            parts = memory.recall(episode.instruction, budget, Role("planner"), episode.envs)
            found[k][info.id] = float(read_fact(fact, parts) == fact.right)
    return found


def _told_by_reader(event: TimelineEvent) -> bool:
    return event.kind == "transcript" or (event.kind == "text" and event.modality is Modality.SCREENSHOT)


def by_distance(episodes: Sequence[Episode], distance: int) -> dict[str, float]:
    """Success by task, of those of a distance; of all where it is 0."""
    kept = [one for one in episodes if not distance or one.tags["distance"] == str(distance)]
    return {one.task: float(one.success) for one in kept}


def success_table(results: Mapping[Cell, Sequence[Episode]], out: Path) -> Table:
    """Success by distance, and what was recalled for a decision of tasks of 10 and 100 turns."""
    rows = []
    for cell, episodes in results.items():
        shown = [share(by_distance(episodes, distance)) for distance in DISTANCES]
        tokens, pictures, seconds = recalled_a_turn(out / cell.folder)
        rows.append((cell.planner, cell.memory, *shown, f"{tokens:.0f}", f"{pictures:.1f}", f"{seconds:.1f}"))
    columns = ("planner", "memory", *(f"{one:,} turns" for one in DISTANCES), "tokens", "pictures", "clip s")
    return Table(columns, tuple(rows), labels=2)


def kinds_table(results: Mapping[Cell, Sequence[Episode]]) -> Table:
    """Solved tasks by kind."""
    kinds = list(dict.fromkeys(info.tags["kind"] for info in DuetMemory("all").tasks()))

    def solved(episodes: Sequence[Episode], kind: str) -> str:
        own = [one for one in episodes if one.tags["kind"] == kind]
        return f"{sum(one.success for one in own)}/{len(own)}"

    rows = [(kind, *(solved(episodes, kind) for episodes in results.values())) for kind in kinds]
    return Table(("kind", *(cell.memory for cell in results)), tuple(rows))


def recall_table(found: Mapping[str, Held]) -> Table:
    """Recall of the needed fact within each limit."""
    rows = [(name, *(share(each[k]) for k in (*KS, WHOLE))) for name, each in found.items()]
    return Table(("memory", *(f"recall@{k}" for k in KS), "whole budget"), tuple(rows))


def without(signal: str) -> dict[str, Any]:
    """The options of `episodic` that withhold a signal."""
    use: dict[str, Any] = {"use": ",".join(one for one in SIGNALS if one != signal)}
    return use | ({"anchors": False} if signal == "anchors" else {})


def withheld_cells() -> dict[str, Cell]:
    """By name: `episodic`, and `episodic` with each part withheld, at the distances that are played so."""
    cells = {"episodic": Cell("from-memory", "episodic")}
    for signal in SIGNALS:
        options = tuple(f"memory.{name}={str(value).lower()}" for name, value in without(signal).items())
        cells[f"episodic without {signal}"] = Cell("from-memory", "episodic", options, distances=WITHHELD)
    cells["episodic without readers"] = Cell("from-memory", "episodic", readers="", distances=WITHHELD)
    return cells


def withheld_table(results: Mapping[str, Sequence[Episode]]) -> Table:
    """Success with each part withheld."""
    rows = [
        (name, *(share(by_distance(episodes, distance)) for distance in WITHHELD)) for name, episodes in results.items()
    ]
    return Table(("memory", *(f"{one:,} turns" for one in WITHHELD)), tuple(rows))


def withheld(folder: Path, tasks: Sequence[TaskInfo]) -> dict[str, Held]:
    """Recall of `keyframes`, of `episodic`, and of `episodic` with each part withheld."""
    found = {"keyframes": recalls(folder, tasks, {}, True, "keyframes")}
    found["episodic"] = recalls(folder, tasks, {}, True, "episodic")
    for signal in SIGNALS:
        found[f"episodic without {signal}"] = recalls(folder, tasks, without(signal), True, "episodic")
    found["episodic without readers"] = recalls(folder, tasks, {}, False, "episodic")
    return found


def tables(
    out: Path, jobs: int, keep: Callable[[TaskInfo], bool], far_names: Sequence[str] = NAMES
) -> Iterator[tuple[str, Table]]:
    """Every table, with its name; runs what is missing.

    Args:
        far_names: memories with which tasks of 1,000 turns are played.
    """
    main = [Cell("from-memory", name) for name in NAMES]
    near = {cell: played(cell, out, jobs, keep) for cell in main}
    yield "recall", recall_table(withheld(out / main[-1].folder, [info for info in infos(NEAR) if keep(info)]))
    yield "withheld", withheld_table({name: played(cell, out, jobs, keep) for name, cell in withheld_cells().items()})
    far = {
        cell: played(replace(cell, distances=FAR), out, jobs, keep)
        for cell in reversed(main)
        if cell.memory in far_names
    }
    both = {cell: (*near[cell], *far.get(cell, ())) for cell in main}
    yield "success", success_table(both, out)
    # Of each memory the same tasks.
    yield "kinds", kinds_table(both if len(far) == len(main) else near)
    rules = {cell: played(cell, out, jobs, keep) for cell in (Cell("rules", name) for name in NAMES)}
    yield "rules", success_table(rules, out)


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the tables."""
    parser = argparse.ArgumentParser(prog="python docs/figures/memory_tables.py", description=__doc__)
    parser.add_argument("--out", type=Path, default=Path("runs/duet-memory"))
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--near", action="store_true", help="no tasks of 1,000 turns")
    parser.add_argument("--far", default=",".join(NAMES), help="memories that play tasks of 1,000 turns")
    parser.add_argument("--tasks", default="", help="only these, with commas between them")
    options = parser.parse_args(arguments)
    far = [name.strip() for name in options.far.split(",") if name.strip()]
    if strangers := [name for name in far if name not in NAMES]:
        parser.error(f"--far: unknown {', '.join(strangers)}; choose from {', '.join(NAMES)}")
    chosen = {name for name in options.tasks.split(",") if name}

    def keep(info: TaskInfo) -> bool:
        near = not options.near or int(info.tags["distance"]) in NEAR
        return near and (not chosen or info.id in chosen)

    for name, table in tables(options.out, options.jobs, keep, far):
        typer.echo(f"{name}\n\n{table.text()}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
