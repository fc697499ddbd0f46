"""Miniature GUI-Odyssey as OS-Atlas's ground-truth rows, played on the embedded world's phone; no pictures."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from omnipilot.bench.scoring.data.records import Record
from omnipilot.bench.scoring.steps.actions import lines_of
from omnipilot.bench.suites.android_control.data import action_of
from omnipilot.bench.suites.android_control.sample import amiss, episodes

FILE = "gui_odyssey_test.jsonl"


def write(folder: Path, seed: int = 0) -> None:
    """Write the rows: the steps of each episode, and one for its end."""
    rows(folder / FILE, _steps(seed))


def sample_predictions(folder: Path) -> Path:
    """Replies by the rule of AndroidControl's miniature, in step order and without ids."""
    return write_replies(folder / FILE, folder / "predictions.jsonl")


def rows(path: Path, steps: Iterator[tuple[str, str, Sequence[str], str]]) -> None:
    """Write ground-truth rows from pictures, tasks, histories and right actions."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8") as file:
        for number, (image, task, told, truth) in enumerate(steps):
            history = "\n".join(f"Step {n}: {one}" for n, one in enumerate(told, 1)) or "None"
            row = {
                "id": number,
                "image": image,
                "conversations": [
                    {"from": "human", "value": f"Screenshot: <image>\nTask: {task}\nHistory: \n{history}\n"},
                    {"from": "gpt", "value": f"actions:\n{truth}"},
                ],
            }
            file.write(json.dumps(row, ensure_ascii=False) + "\n")


def write_replies(truths: Path, path: Path) -> Path:
    """Write a reply for each ground-truth row, null for every eleventh."""
    with path.open("w", encoding="utf-8") as file:
        for number, line in enumerate(truths.read_text(encoding="utf-8").splitlines()):
            truth = json.loads(line)["conversations"][1]["value"].removeprefix("actions:\n")
            said: Mapping[str, Any] = {"pred": None if number % 11 == 10 else amiss(truth, number % 7)}
            file.write(json.dumps(said, ensure_ascii=False) + "\n")
    return path


def _steps(seed: int) -> Iterator[tuple[str, str, Sequence[str], str]]:
    for episode in episodes(seed):
        for number, raw in enumerate(episode.actions):
            action = action_of(Record("", episode.id, raw), episode.sizes[number])
            truth = "\n".join(lines_of(action))
            # GUI-Odyssey has neither OPEN_APP nor WAIT: apps are opened by their icons.
            if truth.split()[0] not in ("OPEN_APP", "WAIT"):
                yield f"screenshots/{episode.id}_{number}.png", episode.goal, episode.told[:number], truth
        yield f"screenshots/{episode.id}_{len(episode.actions)}.png", episode.goal, episode.told, "COMPLETE"
