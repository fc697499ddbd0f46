"""Recorded runs as a data set of Hugging Face: a Parquet file with one row a turn, pictures inside."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from omnipilot.bench.doors.recorded import played_episodes, screenshot_file
from omnipilot.envs import ConfigError
from omnipilot.envs.types import require
from omnipilot.memory.secrets import scrub_values

FILE = "turns.parquet"
HELD_OUT = "test"
BATCH = 100
"""Rows that are in memory at once, with their pictures."""


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
    write_parquet(out / FILE, rows, features)
    return [out / FILE]


def write_parquet(path: Path, rows: Iterable[Mapping[str, Any]], features: Any) -> None:
    """Write rows as one Parquet file, some at a time, so that not all pictures need to be in memory.

    Args:
        rows: at least one. features: `datasets.Features` of a row, by which `datasets` reads pictures as pictures.

    Raises:
        MissingExtra: datasets is not installed.
    """
    datasets: Any = require("datasets", "hub")
    parquet: Any = require("pyarrow.parquet", "hub")
    schema = features.arrow_schema
    with parquet.ParquetWriter(path, schema) as writer:
        left = iter(rows)
        while batch := list(itertools.islice(left, BATCH)):
            table = datasets.Dataset.from_list(batch, features).data.table
            writer.write_table(table.select(schema.names).cast(schema))


def _rows(folder: Path) -> Iterator[dict[str, Any]]:
    for one in played_episodes(folder):
        started, completed, planner = one.started, 0, one.run.spec.agent.planner
        if started.tags.get("split") == HELD_OUT:
            raise ConfigError(
                f"{folder}: task {started.task!r} is of the split that its suite holds out for the test; nobody shall "
                "train on it, so it is not exported"
            )
        for turn in one.turns:
            steps = one.steps.get(turn.turn, ())
            completed = steps[-1].completed if steps else completed
            yield {
                "run": one.run.name,
                "suite": one.run.spec.suite.name,
                "planner": planner.model or planner.name,
                "task": started.task,
                "instance": started.instance,
                "trial": started.trial,
                "turn": turn.turn,
                "instruction": started.instruction,
                "thought": turn.thought,
                "moves": json.dumps(turn.moves, ensure_ascii=False),
                "results": json.dumps([f"{step.result}: {step.message}".removesuffix(": ") for step in steps]),
                **_images(folder, turn.observations),
                "completed": completed,
                "total": len(started.nodes),
                "success": one.success,
            }


def _images(folder: Path, observations: Mapping[str, Any]) -> dict[str, Any]:
    """Pictures by their bytes: a path would be right on this machine alone."""
    envs, images = [], []
    for env, seen in observations.items():
        digest = seen.get("screenshot")
        file = screenshot_file(folder, digest) if digest else None
        if file is not None and file.is_file():
            envs.append(env)
            images.append({"bytes": file.read_bytes(), "path": None})
    return {"envs": envs, "images": images}
