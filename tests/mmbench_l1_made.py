"""Tiny data of MMBench-GUI level 1, made by the tests."""

from __future__ import annotations

import io
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from PIL import Image

from omnipilot.envs.actions import Answer
from omnipilot.envs.observation import Modality
from omnipilot.memory.trace import Move
from omnipilot.planners.base import Brief, Decision, Request

LEVELS = ("easy", "medium", "hard")


def group(level: str, answer: str = "B", options: int = 4, **other: Any) -> dict[str, Any]:
    """One question; its options say nothing of which one is right."""
    texts = {letter: f"option {number}" for number, letter in enumerate("ABCDEF"[:options])}
    shared = {"question": f"What is {level}?", "options": texts, "answer": answer, "difficulty": level}
    return {**shared, "explanation": "EXPLAINED", **other}


def item(index: int, platform: str = "os_web", groups: Sequence[Any] | None = None, **other: Any) -> dict[str, Any]:
    """One screen with its three questions; `picture` is the file of its screenshot, where it is another."""
    made = [group(level) for level in LEVELS] if groups is None else list(groups)
    shared = {"index": index, "image_path": f"{index}.png", "image_size": [4, 3], "platform": platform}
    return {**shared, "app_name": "Shop", "groups": made, **other}


def data(folder: Path, items: Sequence[Any]) -> str:
    """A folder with these screens and a picture for each of them that names a known platform."""
    for one in items:
        if isinstance(one, dict) and "index" in one and str(one.get("platform", "")).startswith("os_"):
            file = folder / "offline_images" / one["platform"] / f"{one['index']}.png"
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(one.pop("picture", None) or picture(40 + 8 * int(one["index"])))
    folder.mkdir(exist_ok=True)
    (folder / "L1_annotations.json").write_text(json.dumps(items), encoding="utf-8")
    return str(folder)


def picture(shade: int) -> bytes:
    """A PNG of one colour."""
    file = io.BytesIO()
    Image.new("RGB", (4, 3), (shade % 256, 0, 0)).save(file, "PNG")
    return file.getvalue()


class Guesses:
    """A planner that answers every question with the same words."""

    reads: frozenset[Modality] = frozenset()

    def __init__(self, says: str) -> None:
        self.says = says

    def begin(self, brief: Brief) -> None:
        """There is nothing to prepare."""

    def plan(self, request: Request) -> Decision:
        """Answer."""
        return Decision((Move("", Answer(self.says)),))
