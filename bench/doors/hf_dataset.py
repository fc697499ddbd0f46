"""Recorded runs as a data set of Hugging Face: a Parquet file with one row a turn, pictures inside."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from omnipilot.bench.journal import MEDIA, EpisodeEnded, EpisodeStarted, StepTaken, TurnTaken, load_run, read
from omnipilot.envs import ConfigError
from omnipilot.envs.types import require
from omnipilot.memory import MediaRef
from omnipilot.memory.secrets import scrub_values

FILE = "turns.parquet"
HELD_OUT = "test"


def export_hf(folders: Sequence[Path], out: Path) -> list[Path]:
    """Write the turns of all finished episodes to one file, `turns.parquet`, for `datasets.load_dataset("parquet", …)`.

    A row: `run`, `suite`, `task`, `instance`, `trial`, `turn`, `instruction`, `thought`, `moves` (proposed, JSON),
    `results` (JSON: what came of each), `envs`, `images` (their screenshots before the turn, in the order of `envs`),
    `completed` and `total` sub-goals after it, `success` of the episode, and `planner`.

    Args:
        folders: run directories. out: a folder.

    Raises:
        ConfigError: a run is of a split that its suite holds out, which nobody shall train on. MissingExtra: datasets
            is not installed. JournalError: a journal is damaged.
    """
    datasets: Any = require("datasets", "hub")
    rows = [scrub_values(row) | {"images": row["images"]} for folder in folders for row in _rows(folder)]
    if not rows:
        return []
    text, number = datasets.Value("string"), datasets.Value("int64")
    features = datasets.Features(
        {
            **dict.fromkeys(("run", "suite", "task"), text),
            **dict.fromkeys(("instance", "trial", "turn"), number),
            **dict.fromkeys(("instruction", "thought", "moves", "results"), text),
            "envs": datasets.List(text),
            "images": datasets.List(datasets.Image()),
            **dict.fromkeys(("completed", "total"), number),
            "success": datasets.Value("bool"),
            "planner": text,
        }
    )
    out.mkdir(parents=True, exist_ok=True)
    datasets.Dataset.from_list(rows, features).to_parquet(out / FILE)
    return [out / FILE]


def _rows(folder: Path) -> Iterator[dict[str, Any]]:
    run = load_run(folder)
    kept = {(episode.key, episode.attempt): episode for episode in run.episodes}
    planner = run.spec.agent.planner
    about = {"run": run.name, "suite": run.spec.suite.name, "planner": planner.model or planner.name}
    started: dict[tuple[str, int], EpisodeStarted] = {}
    turns: dict[tuple[str, int], list[tuple[TurnTaken, list[StepTaken]]]] = {}
    for event in read(folder):
        if isinstance(event, EpisodeStarted):
            if event.tags.get("split") == HELD_OUT:
                raise ConfigError(
                    f"{folder}: task {event.task!r} is of the split that its suite holds out for the test; nobody "
                    "shall train on it, so it is not exported"
                )
            started[event.key, event.attempt], turns[event.key, event.attempt] = event, []
        elif isinstance(event, TurnTaken):
            turns[event.key, event.attempt].append((event, []))
        elif isinstance(event, StepTaken) and turns[event.key, event.attempt]:
            turns[event.key, event.attempt][-1][1].append(event)
        elif isinstance(event, EpisodeEnded) and (event.key, event.attempt) in kept:
            one, completed = started[event.key, event.attempt], 0
            for turn, steps in turns.pop((event.key, event.attempt)):
                completed = steps[-1].completed if steps else completed
                yield {
                    **about,
                    "task": one.task,
                    "instance": one.instance,
                    "trial": one.trial,
                    "turn": turn.turn,
                    "instruction": one.instruction,
                    "thought": turn.thought,
                    "moves": json.dumps(turn.moves, ensure_ascii=False),
                    "results": json.dumps([f"{step.result}: {step.message}".removesuffix(": ") for step in steps]),
                    **_images(folder, turn.observations),
                    "completed": completed,
                    "total": len(one.nodes),
                    "success": event.reason == "success",
                }


def _images(folder: Path, observations: Mapping[str, Any]) -> dict[str, Any]:
    """Pictures by their bytes: a path would be right on this machine alone."""
    envs, images = [], []
    for env, seen in observations.items():
        digest = seen.get("screenshot")
        file = folder / MEDIA / MediaRef(digest, "image").path if digest else None
        if file is not None and file.is_file():
            envs.append(env)
            images.append({"bytes": file.read_bytes(), "path": None})
    return {"envs": envs, "images": images}
