"""Run directories written by hand, as the recorder would write them."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from omnipilot.bench.events import EpisodeEnded, EpisodeStarted, Event, RunStarted, StepTaken, TurnTaken
from omnipilot.bench.journal import Journal
from omnipilot.envs.geometry import Size
from omnipilot.envs.media import Image
from omnipilot.memory.store import MediaStore

SIZES = {"phone": Size(206, 458), "desktop": Size(640, 400)}


NODES = [
    {"name": "opened", "env": "phone", "when": "step"},
    {"name": "heard", "env": "phone", "when": "step"},
    {"name": "sent", "env": "desktop", "when": "step"},
    {"name": "nothing else", "env": "desktop", "when": "end"},
]


EDGES = [["opened", "sent"], ["heard", "sent"], ["sent", "nothing else"]]


MADE_WITH = {"version": "0.1.0", "libraries": {"numpy": "2.1", "av": "15.0"}}


TAGS = {"level": "2", "capability": ""}


USAGE = {"calls": 1, "tokens_in": 1400, "tokens_out": 60, "cost": 0.0021, "seconds": 1.3}


def picture(env: str, shade: int, time: float = 0.0) -> Image:
    pixels = np.full((SIZES[env].height, SIZES[env].width, 3), shade % 256, np.uint8)
    return Image.from_array(pixels, env, time)


@dataclass
class Writer:
    """Writes a run directory, as the recorder would."""

    folder: Path
    store: MediaStore = field(init=False)
    journal: Journal = field(init=False)
    planner: str = "rules"

    def __post_init__(self) -> None:
        self.folder.mkdir(parents=True)
        self.store = MediaStore(self.folder / "media")
        self.journal = Journal.open(self.folder)
        agent = {"system": "single", "planner": {"name": self.planner, "options": {}}}
        agent |= {"grounder": {"name": "elements", "options": {}}, "modalities": ["audio", "elements", "video"]}
        spec = {"agent": agent, "suite": {"name": "duet", "options": {}}, "instances": 3, "trials": 1}
        self.write(RunStarted("1dea" * 16, spec, MADE_WITH, 0.0, ["mail", "note", "ring", "torn"]))

    def write(self, event: Event) -> None:
        self.journal.append(event)

    def look(self, env: str, shade: int, time: float, **more: Any) -> dict[str, Any]:
        size = SIZES[env]
        seen = {"time": time, "size": [size.width, size.height]}
        return {**seen, "screenshot": self.store.put(picture(env, shade, time)).digest, **more}

    def begin(self, key: str, text: str = "Do it.", attempt: int = 1) -> None:
        task, _, rest = key.partition("#")
        instance, trial = map(int, rest.split("."))
        self.write(EpisodeStarted(key, attempt, task, instance, trial, text, NODES, EDGES, TAGS, {"turns": 30}, 0.0))

    def turn(self, key: str, turn: int, looks: dict[str, Any], attempt: int = 1, **more: Any) -> None:
        values = {"thought": f"thought {turn}", "notes": [], "moves": [], "usage": USAGE, "seconds": 0.2} | more
        self.write(TurnTaken(key, attempt, turn, looks, **values))

    def step(self, key: str, step: int, turn: int, attempt: int = 1, **more: Any) -> None:
        values: dict[str, Any] = {
            "env": "phone",
            "proposed": {"kind": "click", "at": "Save"},
            "executed": {"kind": "click", "at": {"x": 0.25, "y": 0.75}},
            "result": "done",
            "message": "",
            "counts": True,
            "look": None,
            "pointed": [],
            "start": float(step),
            "end": step + 0.5,
            "usage": {},
            "changes": [],
            "completed": 0,
            "seconds": {"env": 0.01, "judge": 0.0001},
        }
        self.write(StepTaken(key, attempt, step, turn, **(values | more)))

    def end(self, key: str, reason: str, completed: int, attempt: int = 1, **more: Any) -> None:
        values: dict[str, Any] = {"status": "", "detail": "", "turns": 2, "steps": 2, "actions": 2, "invalid": 0}
        values |= {"usage": USAGE, "changes": [], "observations": {}, "world_seconds": 9.0, "wall_seconds": 1.0}
        more = values | more
        self.write(EpisodeEnded(key, attempt, reason, completed=completed, total=len(NODES), **more))
