"""Episodes, steps and model calls of runs as flat records, for notebooks and statistics programs."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias

from omnipilot.agents.assembly.registry import describe_unknown
from omnipilot.bench.journal.events import EpisodeStarted, Event, ModelCalled, StepTaken, TurnTaken
from omnipilot.bench.journal.journal import read
from omnipilot.bench.journal.load_runs import load_run
from omnipilot.bench.journal.results import Episode
from omnipilot.bench.journal.run import Run
from omnipilot.bench.report.action_words import action
from omnipilot.bench.run.parts import name_of
from omnipilot.bench.scoring.metrics import METRICS, Metric, episode_value, load_metric
from omnipilot.envs import ConfigError
from omnipilot.envs.types import require
from omnipilot.memory.secrets import scrub_values

Record: TypeAlias = dict[str, Any]
FORMATS = ("csv", "parquet")
TABLES = ("episodes", "steps", "calls")


def export_runs(folders: Sequence[Path], form: str, out: Path) -> list[Path]:
    """Write the records of runs to files: `episodes`, `steps` and `calls`, each with the ending of the format.

    Args:
        folders: run directories. form: "csv" or "parquet". out: the folder of the files; made if it is missing.

    Returns:
        The files; those that would be empty are not written.

    Raises:
        ConfigError: no such format, or a directory holds no run. MissingExtra: pyarrow is not installed.
        JournalError: a journal is damaged before its last line.
    """
    if form not in FORMATS:
        raise ConfigError(describe_unknown("format", form, FORMATS))
    if form == "parquet":
        require("pyarrow.parquet", "parquet")
    tables: dict[str, list[Record]] = {name: [] for name in TABLES}
    for folder in folders:
        run = load_run(folder)
        kept = {(episode.key, episode.attempt) for episode in run.episodes}
        tables["episodes"] += episode_records(run)
        steps, calls = step_records(run.name, kept, read(folder))
        tables["steps"] += steps
        tables["calls"] += calls
    out.mkdir(parents=True, exist_ok=True)
    write = _write_csv if form == "csv" else _write_parquet
    written = []
    for name, records in tables.items():
        if records:
            written.append(out / f"{name}.{form}")
            write(written[-1], [scrub_values(record) for record in records])
    return written


def episode_records(run: Run) -> list[Record]:
    """One record for each finished episode: what it was, how it ended, and what it took. Tags are `tag_NAME`."""
    agent = run.spec.agent
    parts = {
        "run": run.name,
        "suite": run.spec.suite.name,
        "suite_version": run.spec.suite_version,
        "agent": agent.system,
        "planner": name_of(agent.planner, "planner"),
        "model": agent.planner.model,
        "grounder": name_of(agent.grounder, "grounder"),
        "memory": name_of(agent.memory, "memory"),
    }
    more = [load_metric(name) for name in METRICS.names() if not METRICS.is_ours(name)]
    return [
        {
            **parts,
            "task": one.task,
            "instance": one.instance,
            "trial": one.trial,
            "attempt": one.attempt,
            "instruction": one.instruction,
            "devices": " ".join(one.envs),
            "reason": one.reason,
            "status": one.status,
            "detail": one.detail,
            "success": None if one.unjudged else one.success,
            "void": one.void,
            "completed": one.completed,
            "total": one.total,
            "turns": one.turns,
            "steps": one.steps,
            "actions": one.actions,
            "invalid": one.invalid,
            "calls": one.usage.calls,
            "tokens_in": one.usage.tokens_in,
            "tokens_out": one.usage.tokens_out,
            "dollars": one.cost,
            "model_seconds": one.usage.seconds,
            "world_seconds": one.world_seconds,
            "wall_seconds": one.wall_seconds,
            "pointed_right": one.pointed_right,
            "pointed_told": one.pointed_told,
            "unread": one.unread,
            "unknown": one.unknown,
            "cut": one.cut,
            "undetected": one.undetected,
            "undetected_of": one.looked,
            "answered_by": " ".join(one.usage.models),
            **_own_metrics(one, more),
            **{f"tag_{name}": value for name, value in one.tags.items()},
        }
        for one in run.episodes
    ]


def _own_metrics(episode: Episode, metrics: Iterable[Metric]) -> Record:
    """The metrics of plug-ins: `metric_NAME`, and `metric_NAME_of` for the whole of a ratio."""
    found: Record = {}
    for metric in metrics:
        value = episode_value(metric, episode)
        found[f"metric_{metric.name}"] = value[0] if isinstance(value, tuple) else value
        if isinstance(value, tuple):
            found[f"metric_{metric.name}_of"] = value[1]
    return found


def step_records(
    run: str, kept: Iterable[tuple[str, int]], events: Iterable[Event]
) -> tuple[list[Record], list[Record]]:
    """One record for each step, and one for each attempt at a model call, of the attempts that count.

    A turn's tokens, dollars and seconds stand with its first step; those of grounding, with each step.

    Args:
        run: its name. kept: attempts at episodes, by key and number.
    """
    chosen = set(kept)
    task: dict[str, EpisodeStarted] = {}
    turns: dict[tuple[str, int], TurnTaken] = {}
    steps: list[Record] = []
    calls: list[Record] = []
    for event in events:
        if (getattr(event, "key", ""), getattr(event, "attempt", 0)) not in chosen:
            continue
        if isinstance(event, EpisodeStarted):
            task[event.key] = event
        elif isinstance(event, TurnTaken):
            turns[event.key, event.turn] = event
        elif isinstance(event, StepTaken):
            steps.append(_place(run, task[event.key]) | _step(event, turns.pop((event.key, event.turn), None)))
        elif isinstance(event, ModelCalled):
            calls.append(_place(run, task[event.key]) | _call(event))
    return steps, calls


def _place(run: str, started: EpisodeStarted) -> Record:
    return {
        "run": run,
        "task": started.task,
        "instance": started.instance,
        "trial": started.trial,
        "attempt": started.attempt,
    }


def _step(step: StepTaken, turn: TurnTaken | None) -> Record:
    point = step.pointed[0] if step.pointed else {}
    spent = turn.usage if turn is not None else {}
    return {
        "turn": step.turn,
        "step": step.step,
        "device": step.env,
        "thought": turn.thought if turn is not None else "",
        "proposed": action(step.proposed) if step.proposed else "",
        "executed": action(step.executed) if step.executed else "",
        "proposed_json": _json(step.proposed),
        "executed_json": _json(step.executed),
        "result": step.result,
        "message": step.message,
        "counts": step.counts,
        "target": point.get("target", ""),
        "x": point.get("x"),
        "y": point.get("y"),
        "pointed_right": step.pointing[0]["right"] if step.pointing else None,
        "completed": step.completed,
        "start": step.start,
        "end": step.end,
        "planner_calls": spent.get("calls", 0),
        "planner_tokens_in": spent.get("tokens_in", 0),
        "planner_tokens_out": spent.get("tokens_out", 0),
        "planner_dollars": spent.get("cost", 0.0),
        "planner_seconds": turn.seconds if turn is not None else 0.0,
        "grounder_tokens_in": step.usage.get("tokens_in", 0),
        "grounder_tokens_out": step.usage.get("tokens_out", 0),
        "grounder_dollars": step.usage.get("cost", 0.0),
    }


def _call(call: ModelCalled) -> Record:
    return {
        "turn": call.turn,
        "call": call.call,
        "again": call.again,
        "role": call.role,
        "model": call.model,
        "tokens_in": call.usage["tokens_in"],
        "tokens_out": call.usage["tokens_out"],
        "dollars": call.usage["cost"],
        "seconds": call.usage["seconds"],
        "problem": call.problem,
        "replayed": call.replayed,
    }


def _json(data: Mapping[str, Any] | None) -> str:
    return "" if data is None else json.dumps(data, ensure_ascii=False, separators=(",", ":"))


def _columns(records: Sequence[Record]) -> list[str]:
    """All names, in the order in which they first appear: tags differ from suite to suite."""
    return list(dict.fromkeys(name for record in records for name in record))


def _write_csv(path: Path, records: Sequence[Record]) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, _columns(records), restval="")
        writer.writeheader()
        writer.writerows(records)


def _write_parquet(path: Path, records: Sequence[Record]) -> None:
    arrow, parquet = require("pyarrow", "parquet"), require("pyarrow.parquet", "parquet")
    # By column: of a list of records, only the names of the first would count.
    columns = {name: [record.get(name) for record in records] for name in _columns(records)}
    parquet.write_table(arrow.table(columns), path)
