"""Recorded runs as trajectories in ATIF, the format of Harbor and of tools that read its trajectories.

Version 1.8, as the package `atif` 1.8.0 declares it.
"""

from __future__ import annotations

import datetime
import json
import os
import shutil
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

from omnipilot.bench.doors.recorded import FinishedEpisode, played_episodes
from omnipilot.bench.journal import MEDIA, StepTaken, TurnTaken
from omnipilot.envs import ConfigError
from omnipilot.memory import MediaRef
from omnipilot.memory.secrets import scrub_values

VERSION = "ATIF-v1.8"
Json = dict[str, Any]


def export_atif(folders: Sequence[Path], out: Path) -> list[Path]:
    """Write one trajectory for each finished episode, and the media that they refer to, beside them.

    Args:
        folders: run directories. out: a folder; each run gets one of its own in it, with `media`.

    Returns:
        The trajectories, JSON files.

    Raises:
        ConfigError: a directory holds no run, or two are named alike. JournalError: a journal is damaged.
    """
    names = [folder.resolve().name for folder in folders]
    if twice := next((name for name in names if names.count(name) > 1), None):
        raise ConfigError(f"two of these runs are named {twice!r}; export them one by one, each with its own --out")
    written = []
    for folder, name in zip(folders, names, strict=True):
        place = out / name
        for one in played_episodes(folder):
            trajectory = make_trajectory(one)
            file = place / f"{one.started.key.replace('#', '-').replace('/', '_')}.json"
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(json.dumps(scrub_values(trajectory), indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
            _copy_media(folder, place, trajectory)
            written.append(file)
    return written


def make_trajectory(one: FinishedEpisode) -> Json:
    """An episode as a trajectory."""
    started, ended, turns, run = one.started, one.ended, one.turns, one.run
    agent = run.spec.agent
    model = agent.planner.model
    first: list[Json] = [_said(started.instruction)]
    if turns:
        first += _parts(turns[0].observations)
    steps: list[Json] = [{"step_id": 1, "timestamp": _time(started.wall), "source": "user", "message": first}]
    for turn, after in zip(turns, (*(one.observations for one in turns[1:]), ended.observations), strict=True):
        steps.append(_step(len(steps) + 1, turn, one.steps.get(turn.turn, ()), after))
    usage = ended.usage
    return {
        "schema_version": VERSION,
        "session_id": one.identity,
        "trajectory_id": f"{started.key}/{started.attempt}",
        "agent": {
            "name": f"omnipilot/{agent.system}",
            "version": one.version,
            **({"model_name": model} if model else {}),
            "extra": {"planner": agent.planner.name, "grounder": agent.grounder.name, "memory": agent.memory.name},
        },
        "steps": steps,
        "final_metrics": {
            "total_prompt_tokens": usage.get("tokens_in", 0),
            "total_completion_tokens": usage.get("tokens_out", 0),
            **({"total_cost_usd": usage["cost"]} if usage.get("cost") is not None else {}),
            "total_steps": len(steps),
            "extra": {
                "reason": ended.reason,
                "success": one.success,
                "completed": ended.completed,
                "total": ended.total,
            },
        },
        "extra": {"suite": run.spec.suite.name, "task": started.task, "instance": started.instance, **started.tags},
    }


def _step(number: int, turn: TurnTaken, took: Sequence[StepTaken], after: Mapping[str, Any]) -> Json:
    """A turn of the agent: what it said, its moves, what came of each, and what the screens showed then."""
    calls: list[Json] = []
    results: list[Json] = []
    for step in took:
        name = f"step-{step.step}"
        asked = dict(step.proposed or {})
        calls.append(
            {
                "tool_call_id": name,
                "function_name": str(asked.pop("kind", "unreadable")),
                "arguments": {"env": step.env, **asked} if step.env else asked,
                "extra": {"executed": step.executed},
            }
        )
        told = f"{step.result}: {step.message}" if step.message else step.result
        results.append({"source_call_id": name, "content": told})
    if seen := _parts(after):
        results.append({"content": seen})
    asked_model = int(turn.usage.get("calls", 0))
    metrics: Json = {
        "prompt_tokens": turn.usage.get("tokens_in", 0),
        "completion_tokens": turn.usage.get("tokens_out", 0),
    }
    if turn.usage.get("cost") is not None:
        metrics["cost_usd"] = turn.usage["cost"]
    return {
        "step_id": number,
        "source": "agent",
        "message": turn.thought,
        **({"tool_calls": calls} if calls else {}),
        **({"observation": {"results": results}} if results else {}),
        "llm_call_count": asked_model,
        **({"metrics": metrics} if asked_model else {}),
        "extra": {
            "turn": turn.turn,
            "seconds": turn.seconds,
            "judged": [change for step in took for change in step.changes],
        },
    }


def _parts(observations: Mapping[str, Any]) -> list[Json]:
    """What was seen and heard: each device's name, its picture, its sound; a film has no part of its own."""
    parts: list[Json] = []
    for env, seen in observations.items():
        found: list[Json] = []
        if digest := seen.get("screenshot"):
            found.append({"type": "image", "source": {"media_type": "image/png", "path": _file(digest, "image")}})
        sound = seen.get("audio")
        # A sound of no length has no file that any player reads.
        if sound and sound["end"] > sound["start"]:
            source = {
                "media_type": "audio/wav",
                "path": _file(sound["digest"], "audio"),
                "duration_sec": sound["end"] - sound["start"],
            }
            found.append({"type": "audio", "source": source})
        if found:
            parts += [_said(env), *found]
    return parts


def _said(text: str) -> Json:
    return {"type": "text", "text": text}


def _file(digest: str, kind: Literal["image", "audio"]) -> str:
    return f"{MEDIA}/{MediaRef(digest, kind).path}"


def _time(wall: float) -> str:
    return datetime.datetime.fromtimestamp(wall, datetime.UTC).isoformat().replace("+00:00", "Z")


def _copy_media(run: Path, place: Path, trajectory: Json) -> None:
    """Link what a trajectory refers to, or copy it where the disk is another; what a run does not have is left out."""
    for path in _paths(trajectory):
        source, target = run / path, place / path
        if source.is_file() and not target.exists():
            target.parent.mkdir(parents=True, exist_ok=True)
            try:
                os.link(source, target)
            except OSError:
                shutil.copyfile(source, target)


def _paths(data: Any) -> Iterator[str]:
    if isinstance(data, Mapping):
        if isinstance(data.get("path"), str) and "media_type" in data:
            yield data["path"]
        for value in data.values():
            yield from _paths(value)
    elif isinstance(data, list):
        for value in data:
            yield from _paths(value)
