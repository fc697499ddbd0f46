"""Export in OmniACT's format: three splits by screen, and the files that its lists name."""

from __future__ import annotations

import json
import random
import shutil
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from omnipilot.bench.suites.omniact.making.mapping import doubles, map_names, problems
from omnipilot.bench.suites.omniact.making.records import MadeScreen, MakingFolder, NamedTask
from omnipilot.envs import ConfigError, Element, Image

SHARES = {"train": 7, "val": 1, "test": 2}
"""The paper's 7:1:2 (6,789, 992 and 2,021 of 9,802)."""


def split_tasks(tasks: Sequence[NamedTask], seed: int, by: str = "screen") -> dict[str, str]:
    """The split of each task by its id, 7:1:2 by number of tasks. The wordings of a task are always together.

    Args:
        by: "screen": all tasks of a screen are in one split; "task": they may be in several.

    Raises:
        ConfigError: another word.
    """
    if by not in ("screen", "task"):
        raise ConfigError(f"splits are by screen or by task, not by {by!r}")
    groups: dict[str, list[str]] = defaultdict(list)
    for task in tasks:
        groups[task.screen if by == "screen" else task.id].append(task.id)
    order = sorted(groups)
    random.Random(f"split/{seed}").shuffle(order)
    found: dict[str, str] = {}
    sizes = dict.fromkeys(SHARES, 0)
    for group in sorted(order, key=lambda one: -len(groups[one])):
        # The split that lacks the most of its share takes the next group.
        split = min(SHARES, key=lambda name: (sizes[name] + len(groups[group])) / SHARES[name])
        sizes[split] += len(groups[group])
        found |= dict.fromkeys(groups[group], split)
    return found


def export_data(
    folder: MakingFolder,
    out: Path,
    seed: int = 0,
    by: str = "screen",
    made: bool = False,
    reader: Callable[[Image], Sequence[Element]] | None = None,
) -> dict[str, int]:
    """Write the data, and return the number of its entries by split: one for each wording.

    Args:
        made: tasks that nobody has reviewed go along with those that were accepted.
        reader: what is on a picture, as DetACT reads it: written as the lists of elements that come with the data.

    Raises:
        ConfigError: a task has a problem, or there is none to be exported.
    """
    screens = folder.screens()
    wanted = ("accepted", "made") if made else ("accepted",)
    tasks = [task for task in folder.tasks() if task.state in wanted]
    if not tasks:
        raise ConfigError(
            f"no task of {folder.path} was accepted; review them (omnipilot make review), or export what nobody has "
            "reviewed, too: --unreviewed"
        )
    again = doubles(tasks)
    for task in tasks:
        if task.screen not in screens:
            raise ConfigError(f"task {task.id} is on the screen {task.screen!r}, which is not there")
        if wrong := [*problems(task, screens[task.screen]), *filter(None, [again.get(task.id)])]:
            raise ConfigError(f"task {task.id}: {wrong[0]}; omnipilot make check {folder.path} lists all")
    splits = split_tasks(tasks, seed, by)
    numbers = _numbers(screens, {task.screen for task in tasks})
    lists: dict[str, dict[str, Any]] = {split: {} for split in SHARES}
    for id in sorted(numbers):
        _write_screen(folder, out, screens[id], numbers[id])
        if reader is not None:
            picture = Image.encoded((folder.path / screens[id].picture).read_bytes())
            _write_elements(out, screens[id], numbers[id], reader(picture))
    counts: dict[str, int] = defaultdict(int)
    for task in tasks:
        screen = screens[task.screen]
        for words in task.wordings:
            counts[screen.id] += 1
            entry = _write_task(out, screen, numbers[screen.id], counts[screen.id], words, map_names(task, screen))
            if reader is not None:
                entry |= {kind: f"{at}.json" for kind, at in _element_files(screen, numbers[screen.id]).items()}
            listed = lists[splits[task.id]]
            listed[str(len(listed))] = entry
    for split, entries in lists.items():
        _json(out / f"{split}.json", entries)
    return {split: len(entries) for split, entries in lists.items()}


def _numbers(screens: Mapping[str, MadeScreen], used: set[str]) -> dict[str, int]:
    """The number of each screen among those of its app."""
    counted: dict[tuple[str, str], int] = defaultdict(int)
    found: dict[str, int] = {}
    for id in sorted(used):
        key = screens[id].part, screens[id].app
        counted[key] += 1
        found[id] = counted[key]
    return found


def _write_screen(folder: MakingFolder, out: Path, screen: MadeScreen, number: int) -> None:
    picture = out / f"data/data/{screen.part}/{screen.app}/screen_{number}.png"
    picture.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(folder.path / screen.picture, picture)
    boxes = {
        box.name: {
            "top_left": list(box.corners[:2]),
            "bottom_right": list(box.corners[2:]),
            "label": box.label or box.name,
            "valid": 1,
        }
        for box in screen.boxes
    }
    _json(out / f"data/metadata/{screen.part}/boxes/{screen.app}/screen_{number}.json", boxes)


ROLES = {"ocr": "text", "icon": "image", "color": "color"}
"""The field of an entry that names a list of elements, and the role of what stands in it."""


def _element_files(screen: MadeScreen, number: int) -> dict[str, str]:
    """Where each list of elements of a screen lies, without its ending."""
    folders = {"ocr": "ocr", "icon": "detact_icon", "color": "detact_color"}
    return {kind: f"{folder}/{screen.part}/{screen.app}/screen_{number}" for kind, folder in folders.items()}


def _write_elements(out: Path, screen: MadeScreen, number: int, elements: Sequence[Element]) -> None:
    """Write DetACT's three lists: under each name, where it is. Those of colours have this form by our own choice,
    as their published form was not at hand."""
    for kind, path in _element_files(screen, number).items():
        places: dict[str, list[list[float]]] = defaultdict(list)
        for one in elements:
            if one.role == ROLES[kind]:
                places[one.name].append([round(side, 1) for side in one.box.center.to_pixels(screen.pixels)])
        told: dict[str, Any] = dict(places)
        if kind == "ocr":
            # A text that is there once has its place alone.
            told = {name: found[0] if len(found) == 1 else found for name, found in places.items()}
        _json(out / f"{path}.json", told)


def _write_task(
    out: Path, screen: MadeScreen, number: int, count: int, words: str, lines: Sequence[str]
) -> dict[str, str]:
    named = f"data/tasks/{screen.part}/{screen.app}/task_{number}.{count}.txt"
    path = out / named
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join([f"Task: {words}", "Output Script:", *lines]), encoding="utf-8")
    return {
        "task": named,
        "image": f"data/data/{screen.part}/{screen.app}/screen_{number}.png",
        "box": f"data/metadata/{screen.part}/boxes/{screen.app}/screen_{number}.json",
    }


def _json(path: Path, data: Any) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(data, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
