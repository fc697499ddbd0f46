"""A miniature of MMBench-GUI level 1: screens of the embedded world, with three questions each, in its own format."""

from __future__ import annotations

import csv
import hashlib
import json
import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from omnipilot.bench.suites.mmbench_gui.level1.sample_questions import Screen, easy, hard, medium
from omnipilot.envs import Absent, Click, Modality, OpenApp
from omnipilot.envs.sim import SimWorld
from omnipilot.envs.sim.state.world_state import DeviceName

PREDICTIONS = "predictions.csv"


class _Place(NamedTuple):
    platform: str
    device: DeviceName
    app: str
    link: str = ""


_PLACES = (
    *(_Place("os_android", "phone", app) for app in ("Settings", "Clock", "Contacts", "Music", "Tasks")),
    *(_Place("os_linux", "desktop", app) for app in ("Files", "Spreadsheet", "Mail")),
    *(_Place("os_windows", "desktop", app) for app in ("Settings", "Text Editor", "Video Player")),
    *(_Place("os_web", "desktop", "Browser", link) for link in ("Lakeside Shop", "Maps", "Help")),
)


def write(folder: Path, seed: int = 0) -> None:
    """Write `L1_annotations.json` and `offline_images/`: 14 screens of four platforms, 42 questions, under 2 MB."""
    world = SimWorld()
    screens = [_open(world, place, seed * 1000 + number) for number, place in enumerate(_PLACES)]
    items = []
    for number, (place, screen) in enumerate(zip(_PLACES, screens, strict=True)):
        rng = random.Random(f"mmbench-l1/{seed}/{number}")
        others = [other for other in screens if other is not screen]
        groups = [easy(screen, others, rng), medium(screen, rng), hard(screen, rng)]
        name = f"{hashlib.sha256(screen.png).hexdigest()}.png"
        image = folder / "offline_images" / place.platform / name
        image.parent.mkdir(parents=True, exist_ok=True)
        image.write_bytes(screen.png)
        items.append(
            {
                "index": number,
                "image_path": name,
                "image_size": list(screen.size),
                "platform": place.platform,
                "app_name": place.link or place.app,
                "groups": groups,
            }
        )
    (folder / "L1_annotations.json").write_text(json.dumps(items, indent=1, ensure_ascii=False), encoding="utf-8")


def sample_predictions(folder: Path) -> Path:
    """Write `predictions.csv`, a table as the release's, for all questions; they differ by their index modulo 10.

    0 the letter; 1 the letter and the text; 2 another letter; 3 "Answer: X"; 4 "a dog", which is read as
    A; 5 nothing that could be read; 6 no row; 7 "Definitely X", of which the release makes a D; 8 the model could not
    be asked; 9 a sentence with the letter at its end.
    """
    rows = []
    index = 0
    for item in json.loads((folder / "L1_annotations.json").read_text(encoding="utf-8")):
        for group in item["groups"]:
            if (said := _said(index, group)) is not None:
                shared = {"index": index, "question": group["question"], "difficulty": group["difficulty"]}
                rows.append({**shared, "platform": item["platform"], "prediction": said})
            index += 1
    path = folder / PREDICTIONS
    with path.open("w", encoding="utf-8", newline="") as file:
        table = csv.DictWriter(file, list(rows[0]))
        table.writeheader()
        table.writerows(rows)
    return path


def _said(index: int, group: dict[str, Any]) -> str | None:
    answer, options = group["answer"], group["options"]
    other = next(letter for letter in sorted(options) if letter != answer)
    said: Sequence[str | None] = (
        answer,
        f"{answer}. {options[answer]}",
        other,
        f"Looking at the screen.\nAnswer: {answer}",
        "a dog",
        "I cannot tell.",
        None,
        f"Definitely {answer}",
        "Failed to obtain answer via API.",
        f"Given this, the right one is {answer}",
    )
    return said[index % len(said)]


def _open(world: SimWorld, place: _Place, instance: int) -> Screen:
    world.reset(instance)
    env = world.envs[place.device]
    env.act(OpenApp(place.app))
    world.wait(1.0)
    if place.link:
        env.act(Click(next(e.box.center for e in env.ui_tree() if (e.role, e.name) == ("link", place.link))))
        world.wait(1.0)
    seen = env.observe({Modality.SCREENSHOT, Modality.ELEMENTS}, world.now)
    assert not isinstance(seen.screenshot, Absent) and not isinstance(seen.elements, Absent)
    return Screen(seen.screenshot.png(), (seen.size.width, seen.size.height), seen.elements.items)
