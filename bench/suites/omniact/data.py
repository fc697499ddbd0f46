"""Reads OmniACT's files: which task belongs to which screen, its recorded script, and the boxes of the screen.

Format: the data set's own README, and the two public evaluators that read it.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal, TypeAlias

from omnipilot.bench.scoring.data.json_file import read_json
from omnipilot.bench.scoring.data.pictures import picture_size
from omnipilot.bench.scoring.data.records import Loaded, Record, read_each
from omnipilot.bench.scoring.data.source import Source, is_file
from omnipilot.bench.scoring.steps.metrics import omniact_part
from omnipilot.bench.suites.omniact.metrics.scores import PixelBox
from omnipilot.bench.suites.omniact.metrics.script_lines import gold_lines
from omnipilot.bench.suites.omniact.unpack import GROUPS
from omnipilot.envs import ConfigError, Size
from omnipilot.envs.types import read_text

GET = (
    "OmniACT: hf://Writer/omniact (MIT, 0.4 GB), or a folder with its train.json, val.json, test.json and data.zip, "
    "ocr.zip, detact_icon.zip and detact_color.zip, unpacked or not; or a miniature of it: "
    "omnipilot miniature DIR omniact"
)
SYSTEMS = ("macOS", "Linux", "Windows")
CATEGORIES = ("Shopping", "Entertainment", "Service", "Government", "Travel", "Health")
"""Of web sites (§3.1)."""
Split: TypeAlias = Literal["test", "val", "train"]
SPLITS: tuple[Split, ...] = ("test", "val", "train")
FOLDERS = ("", "data", "ocr", "detact_icon", "detact_color")
"""Where an archive's content may lie: beside the lists of tasks, or in a folder that is called like the archive."""


@dataclass(frozen=True, slots=True)
class ScriptTask:
    """One task on one screen.

    Attributes:
        id: the key in its list. text: of the task file: "Task: …", "Output Script:", then the script.
        instruction, script: its two parts. boxes: all of the screen, in pixels.
        part: web or desktop. app: the folder of the screen. screen: part, app and number, shared by many tasks.
        ocr, icon, color: files of what the paper's DetACT found on the screen; None where they are not there.
        files: that say what the task is, for the suite's version.
        group: one of `SYSTEMS` for a desktop's app, of `CATEGORIES` for a web site; "" where `GROUPS` does not say.
    """

    id: str
    text: str
    instruction: str
    script: str
    image: Path
    size: Size
    boxes: tuple[PixelBox, ...]
    part: str
    app: str
    screen: str
    ocr: Path | None
    icon: Path | None
    files: tuple[Path, ...]
    color: Path | None = None
    group: str = ""


def load(source: Source, split: Split) -> Loaded[ScriptTask]:
    """All tasks of a split.

    Raises:
        ConfigError: there is no list of its tasks, or it is no JSON.
    """
    listed = source.path(f"{split}.json")
    groups = read_groups(source)
    return read_each(source.records(listed), lambda record: _item(source, listed, record, groups), lambda item: item.id)


def read_groups(source: Source) -> Mapping[str, str]:
    """The system or category of each app, from the user's `GROUPS`; empty without, since the data says it of none.

    Raises:
        ConfigError: it names a group that there is not.
    """
    path = source.root / GROUPS
    if not path.is_file():
        return {}
    try:
        found = read_json(path)
    except ValueError as error:
        raise ConfigError(f"{path} is not valid JSON: {error}") from None
    known = (*SYSTEMS, *CATEGORIES)
    if not isinstance(found, dict) or (strangers := [group for group in found.values() if group not in known]):
        wrong = f"not {strangers[0]!r}" if isinstance(found, dict) else "one an app"
        raise ConfigError(f"{path}: a group is {', '.join(known[:-1])} or {known[-1]}, {wrong}")
    return found


def _item(source: Source, listed: Path, record: Record, groups: Mapping[str, str]) -> ScriptTask:
    task = _file(source, record, "task")
    image = _file(source, record, "image")
    box = _file(source, record, "box")
    text = read_text(task, errors="replace")
    if not gold_lines(text, "release"):
        raise record.wrong(
            "task", f"{source.name(task)} contains no script: no line after the first one begins with pyautogui"
        )
    named = record.text("image")
    app = Path(named).parent.name
    part = omniact_part(named)
    return ScriptTask(
        record.record,
        text,
        text.strip().split("\n")[0].removeprefix("Task:").strip(),
        "\n".join(
            line.strip() for line in text.strip().split("\n")[1:] if line.strip().lower().startswith("pyautogui")
        ),
        image,
        _size(record, image),
        boxes(box, source.name(box)),
        part,
        app,
        f"{part}/{app}/{Path(named).stem}",
        _optional(source, record, "ocr"),
        _optional(source, record, "icon"),
        (listed, task, box),
        _optional(source, record, "color"),
        groups.get(app, ""),
    )


@lru_cache(maxsize=512)
def boxes(path: Path, name: str) -> tuple[PixelBox, ...]:
    """The boxes of a screen: left, top, right and bottom in pixels.

    Raises:
        BadRecord: one has no corners; the message names the file, the box and the field.
    """
    try:
        data = read_json(path)
    except ValueError as error:
        raise Record(name, "", {}).wrong("", f"it is not valid JSON: {error}") from None
    if not isinstance(data, dict):
        raise Record(name, "", {}).wrong("", "expected an object with a box under each name")
    return tuple(_box(Record(name, key, value)) for key, value in data.items())


def _box(record: Record) -> PixelBox:
    left, top = record.numbers("top_left", 2)
    right, bottom = record.numbers("bottom_right", 2)
    return left, top, right, bottom


def _file(source: Source, record: Record, field: str) -> Path:
    """The file that a field names, under any spelling used in the data."""
    spellings = list(_spellings(record.text(field), field))
    for spelling in spellings:
        if path := _within(source, spelling):
            return path
    raise record.wrong(field, f"there is no file {' or '.join(spellings)}")


def _optional(source: Source, record: Record, field: str) -> Path | None:
    named = record.text(field, "")
    return _within(source, named) if named else None


def _within(source: Source, named: str) -> Path | None:
    for folder in FOLDERS:
        path = source.root / folder / named
        # As it is written: the hub's files are links, and folders of media may be.
        if is_file(path) and Path(os.path.normpath(path)).is_relative_to(os.path.normpath(source.root)):
            return path
    return None


def _spellings(named: str, field: str) -> Iterator[str]:
    """The name as written, and the actual names of files in the web part: `screen1.png`, `screen1_boxes.json`."""
    yield named
    if field == "task" or not Path(named).name:
        return
    path = Path(named)
    for stem in dict.fromkeys((path.stem.replace("_", ""), path.stem)):
        for ending in ("_boxes", "") if field == "box" else ("",):
            spelled = str(path.with_name(f"{stem}{ending}{path.suffix}"))
            if spelled != named:
                yield spelled


_sized = lru_cache(maxsize=4096)(picture_size)


def _size(record: Record, image: Path) -> Size:
    try:
        return _sized(image)
    except OSError as error:
        raise record.wrong("image", f"it is not a readable picture: {error}") from None


def read_findings(path: Path) -> list[tuple[str, list[tuple[float, float]]]]:
    """DetACT's findings on a screen, from an `ocr`, `icon` or `color` file: names, each with the centres where it is.

    Raises:
        ValueError: the file holds something else.
    """
    data: Any = read_json(path)
    if not isinstance(data, dict):
        raise ValueError(f"{path.name} is not an object with places under names")
    return [(str(name), [_pair(place) for place in _places(value)]) for name, value in data.items()]


def _places(value: Any) -> list[Any]:
    if not isinstance(value, list):
        raise ValueError(f"a place must be a list, not {value!r:.40}")
    return [value] if value and not isinstance(value[0], list) else value


def _pair(place: Any) -> tuple[float, float]:
    if not isinstance(place, list) or len(place) != 2:
        raise ValueError(f"a place must have two numbers, not {place!r:.40}")
    return float(place[0]), float(place[1])
