"""What is made, and the folder that it lies in: screens with their boxes, and tasks whose scripts say names."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, Literal, TypeAlias, cast, get_args

from omnipilot.envs import ConfigError, Size
from omnipilot.envs.types import read_text

State: TypeAlias = Literal["made", "accepted", "taken out"]
PixelCorners: TypeAlias = tuple[int, int, int, int]
"""Left, top, right and bottom, in pixels of the screenshot."""
NAME = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
"""The name of a box: what it does, in hyphens, such as `open-inbox`."""
WORDINGS = 3


@dataclass(frozen=True, slots=True)
class NamedBox:
    """A box on a screen: what it does in hyphens, where it is, and what is written on it."""

    name: str
    corners: PixelCorners
    label: str = ""

    @property
    def center(self) -> tuple[float, float]:
        """Its centre in pixels."""
        left, top, right, bottom = self.corners
        return (left + right) / 2, (top + bottom) / 2


@dataclass(frozen=True, slots=True)
class MadeScreen:
    """A screen.

    Attributes:
        id: its file without its ending. part: "web" or "desktop". app: what it is of. picture: file in the folder.
        reach: how the embedded world comes to it (`seed`, `app`, `first`); empty where it is of elsewhere.
    """

    id: str
    part: str
    app: str
    picture: str
    size: tuple[int, int]
    boxes: tuple[NamedBox, ...]
    reach: Mapping[str, Any] = field(default_factory=dict)

    @property
    def named(self) -> dict[str, NamedBox]:
        """The boxes by name."""
        return {box.name: box for box in self.boxes}

    @property
    def pixels(self) -> Size:
        """The size of its picture."""
        return Size(*self.size)


@dataclass(frozen=True, slots=True)
class NamedTask:
    """A task on a screen: its wordings mean the same, and its script names boxes: `pyautogui.click(<open-inbox>)`.

    Attributes:
        by: who wrote it: "rules", or a person. state: what a review said of it. why: why it was taken out.
    """

    id: str
    screen: str
    wordings: tuple[str, ...]
    script: tuple[str, ...]
    by: str = "rules"
    state: State = "made"
    why: str = ""


class MakingFolder:
    """The folder: `screens.json`, `tasks.json`, and pictures in `screens/`.

    Args:
        path: of the folder; it is made when something is written.
    """

    def __init__(self, path: Path) -> None:
        self.path = path

    @property
    def has_tasks(self) -> bool:
        """Whether tasks were ever written."""
        return (self.path / "tasks.json").is_file()

    def screens(self) -> dict[str, MadeScreen]:
        """The screens by id.

        Raises:
            ConfigError: there are none, or one cannot be read.
        """
        found: dict[str, MadeScreen] = {}
        for one in self._read("screens.json", "omnipilot make screens"):
            boxes = tuple(NamedBox(box["name"], tuple(box["corners"]), box.get("label", "")) for box in one["boxes"])
            found[one["id"]] = MadeScreen(**{**one, "boxes": boxes, "size": tuple(one["size"])})
        return found

    def tasks(self) -> list[NamedTask]:
        """The tasks, in the order that they were written.

        Raises:
            ConfigError: there are none, or one cannot be read.
        """
        lists = ("wordings", "script")
        read = self._read("tasks.json", "omnipilot make tasks")
        made: list[dict[str, Any]] = [{**one, **{name: tuple(one[name]) for name in lists}} for one in read]
        return [NamedTask(**one) for one in made]

    def write_screens(self, screens: Iterable[MadeScreen]) -> None:
        """Write all screens."""
        self._write("screens.json", [asdict(one) for one in screens])

    def write_tasks(self, tasks: Iterable[NamedTask]) -> None:
        """Write all tasks."""
        self._write("tasks.json", [asdict(one) for one in tasks])

    def write_picture(self, name: str, data: bytes) -> str:
        """Write a picture, and return its path in the folder."""
        (self.path / "screens").mkdir(parents=True, exist_ok=True)
        (self.path / "screens" / name).write_bytes(data)
        return f"screens/{name}"

    def put_boxes(self, screen: str, boxes: Iterable[NamedBox]) -> None:
        """Replace the boxes of a screen.

        Raises:
            ConfigError: there is no such screen, or a box is none; the message says what is wrong.
        """
        screens, given = self.screens(), tuple(boxes)
        if screen not in screens:
            raise ConfigError(f"there is no screen {screen!r}; there are {', '.join(screens)}")
        check_boxes(given, screens[screen].pixels)
        screens[screen] = replace(screens[screen], boxes=given)
        self.write_screens(screens.values())

    def review(self, ids: Iterable[str], state: str, why: str = "") -> None:
        """Say what a review said of tasks.

        Raises:
            ConfigError: there is no such task or state, or something is taken out without a reason.
        """
        if state not in get_args(State):
            raise ConfigError(f"the state of a task is {', '.join(get_args(State))}, not {state!r}")
        if state == "taken out" and not why:
            raise ConfigError("say why a task is taken out, with --why")
        said = cast(State, state)
        chosen, tasks = set(ids), self.tasks()
        if unknown := sorted(chosen - {one.id for one in tasks}):
            raise ConfigError(f"there is no task {unknown[0]!r} in {self.path}")
        kept = why if state == "taken out" else ""
        self.write_tasks(replace(one, state=said, why=kept) if one.id in chosen else one for one in tasks)

    def _read(self, file: str, made_by: str) -> list[dict[str, Any]]:
        path = self.path / file
        if not path.is_file():
            raise ConfigError(f"{self.path} has no {file}; make it first: {made_by} {self.path}")
        try:
            found: list[dict[str, Any]] = json.loads(read_text(path))
        except ValueError as error:
            raise ConfigError(f"{path} is not valid JSON: {error}") from None
        return found

    def _write(self, file: str, data: Any) -> None:
        self.path.mkdir(parents=True, exist_ok=True)
        (self.path / file).write_text(json.dumps(data, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def check_boxes(boxes: Iterable[NamedBox], size: Size) -> None:
    """Reject boxes that are none: names twice or in no hyphens, corners out of order or outside the picture.

    Raises:
        ConfigError: the message names the box.
    """
    seen: set[str] = set()
    for box in boxes:
        left, top, right, bottom = box.corners
        if not NAME.fullmatch(box.name):
            raise ConfigError(f"the name {box.name!r} of a box is not words in hyphens, such as open-inbox")
        if box.name in seen:
            raise ConfigError(f"two boxes are called {box.name}")
        if not (0 <= left < right <= size.width and 0 <= top < bottom <= size.height):
            raise ConfigError(f"the box {box.name} is not on the screen of {size.width}x{size.height}: {box.corners}")
        seen.add(box.name)
