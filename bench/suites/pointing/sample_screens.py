"""Screens of the embedded world, light and dark, with targets, for the miniature grounding benchmarks."""

from __future__ import annotations

import functools
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, TypeAlias

from omnipilot.bench.pointing.evaluation import Kind, Target
from omnipilot.bench.pointing.place import Place
from omnipilot.bench.suites.pointing.sim_screens import sim_shots
from omnipilot.envs import Absent, Box, Size
from omnipilot.envs.sim.state.display import Look
from omnipilot.envs.sim.state.world_state import DeviceName

LOOKS: tuple[tuple[DeviceName, Look], ...] = (
    ("phone", Look("light", "normal")),
    ("desktop", Look("light", "normal")),
    ("phone", Look("dark", "normal")),
    ("desktop", Look("dark", "normal")),
)
Device: TypeAlias = Literal["phone", "desktop", "browser"]
Case: TypeAlias = Literal["right", "corner", "wrong", "unreadable", "missing"]
CASES: tuple[Case, ...] = ("right", "corner", "wrong", "right", "unreadable", "missing", "right")
"""The rule of sample predictions: what becomes of targets in turn."""


@dataclass(frozen=True, slots=True)
class MiniScreen:
    """A screenshot and its targets; `device` is browser for the desktop's browser, `app` a slug like "text-editor"."""

    device: Device
    theme: str
    app: str
    number: int
    size: Size
    png: bytes
    targets: tuple[Target, ...]

    @property
    def file(self) -> str:
        """A file name for it."""
        return f"{self.device}-{self.theme}-{self.app}-{self.number}.png"

    def of(self, kind: Kind, most: int) -> list[Target]:
        """The first targets of a kind whose names are unique."""
        return [target for target in self.targets if target.kind == kind and not target.distractor][:most]


@functools.lru_cache(maxsize=1)
def screens(seed: int) -> tuple[MiniScreen, ...]:
    """About sixty screens, within seconds; equal seeds give equal screens."""
    found = []
    for shot in sim_shots(seed, LOOKS):
        _, theme, _, *words, number = shot.id.split("-")
        device: Device = "browser" if words == ["browser"] else "phone" if shot.platform == "phone" else "desktop"
        image = shot.observation.screenshot
        assert not isinstance(image, Absent)
        found.append(MiniScreen(device, theme, "-".join(words), int(number), image.size, image.png(), shot.targets))
    return tuple(found)


def some(seed: int, device: Device, each: int) -> list[MiniScreen]:
    """This many screens of a device, light and dark, from different applications as far as possible."""
    found = []
    for theme in ("light", "dark"):
        mine = [screen for screen in screens(seed) if (screen.device, screen.theme) == (device, theme)]
        found += sorted(mine, key=lambda screen: screen.number)[: each // 2]
    return found


def pixels(target: Target, size: Size) -> tuple[int, int, int, int]:
    """Left, top, right, bottom of a target's box in whole pixels."""
    assert isinstance(target.box, Box)
    left, top, right, bottom = (round(edge) for edge in target.box.to_pixels(size))
    return left, top, right, bottom


def stranger(seed: int, screen: MiniScreen, turn: int) -> str:
    """An instruction for another screen's target, with a name that none of this screen's targets has."""
    here = {target.name for target in screen.targets}
    others = [other for other in screens(seed) if other.device == screen.device and other.app != screen.app]
    away = [target.basic for other in others for target in other.targets if target.name not in here]
    return away[turn % len(away)]


def picture(folder: Path, screen: MiniScreen, name: str = "") -> str:
    """Write a screenshot into a folder and return its file name."""
    path = folder / (name or screen.file)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(screen.png)
    return name or screen.file


def write_json(path: Path, data: Any) -> None:
    """Write a JSON file, creating its folder."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(data, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


def samples(
    places: Sequence[Place], row: Callable[[int, Case, tuple[float, float] | None], Mapping[str, Any]]
) -> list[Mapping[str, Any]]:
    """Sample predictions by the rules in `CASES`.

    Args:
        row: makes a target's row from its number and the point in 0..1, or None for no point.
    """
    rows = []
    for number, place in enumerate(places):
        case = CASES[number % len(CASES)]
        if case != "missing":
            rows.append(row(number, case, None if case == "unreadable" else _point(place, case)))
    return rows


def _point(place: Place, case: Case) -> tuple[float, float] | None:
    """The centre, a point just inside the upper left corner, or one far from the target; None for no point."""
    if isinstance(place, Box):
        inside = place
    elif corners := getattr(place, "corners", ()):
        across, down = [c.x for c in corners], [c.y for c in corners]
        inside = Box(min(across), min(down), max(across), max(down))
    else:
        return (0.5, 0.5) if case == "wrong" else None
    middle = inside.center
    if case == "wrong":
        return (middle.x + 0.5) % 1.0, (middle.y + 0.5) % 1.0
    if case == "corner" and isinstance(place, Box):
        return inside.left + (inside.right - inside.left) / 8, inside.top + (inside.bottom - inside.top) / 8
    return middle.x, middle.y
