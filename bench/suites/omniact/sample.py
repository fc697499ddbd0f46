"""Miniature OmniACT data from the embedded world's desktop: screens, boxes and tasks of one to four lines.

Its browser stands for the web part, whose files are called otherwise than the lists say, as in the data set itself.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from omnipilot.bench.suites.pointing.words import nameable
from omnipilot.envs import Absent, Click, Element, Modality, Observation, OpenApp
from omnipilot.envs.sim import SimWorld

SCREENS = (
    ("web", "lakeside", "Browser", ""),
    ("web", "lakeside", "Browser", "Lakeside Shop"),
    ("desktop", "mail", "Mail", ""),
    ("desktop", "files", "Files", "Documents"),
    ("desktop", "spreadsheet", "Spreadsheet", ""),
    ("desktop", "text_editor", "Text Editor", ""),
    ("desktop", "settings", "Settings", ""),
)
"""Part, app as the data calls it, app of the embedded world, and what is clicked first."""
GROUPS = {
    "lakeside": "Shopping",
    "mail": "macOS",
    "files": "Linux",
    "spreadsheet": "Windows",
    "text_editor": "Linux",
    "settings": "macOS",
}
"""As if the apps of the embedded desktop were of several systems."""
PRESSED = frozenset(("button", "link", "listitem", "treeitem", "tab", "row", "switch", "checkbox"))
FIELDS = frozenset(("textbox", "searchbox"))
WRITTEN = frozenset(("text", "heading", "link", "tab", "treeitem", "titlebar"))
Corners = tuple[int, int, int, int]


@dataclass(frozen=True, slots=True)
class _Screen:
    part: str
    app: str
    number: int
    seen: Observation
    boxes: dict[str, tuple[Element, Corners]]


def write(folder: Path, seed: int = 0) -> None:
    """Write the data: `test.json`, `val.json`, `train.json`, and the files they name."""
    rng = random.Random(f"mini-omniact/{seed}")
    entries = [entry for screen in _screens(seed) for entry in _written(folder, screen, rng)]
    splits: dict[str, list[dict[str, str]]] = {"test": [], "val": [], "train": []}
    for number, entry in enumerate(entries):
        splits["val" if number % 8 == 5 else "train" if number % 8 == 7 else "test"].append(entry)
    for split, listed in splits.items():
        _json(folder / f"{split}.json", {str(number): entry for number, entry in enumerate(listed)})
    _json(folder / "groups.json", GROUPS)


def sample_predictions(folder: Path) -> Path:
    """Predictions for the test split, derived from the truth by a fixed rule.

    With k = (n + n // 8) mod 6 for the n-th task: k 1 points far away, or types or presses amiss; 3 has a call too
    many; 5 holds no script; the others are right. Every thirteenth is missing.
    """
    said: dict[str, str] = {}
    for number, (id, entry) in enumerate(json.loads((folder / "test.json").read_text()).items()):
        script = "\n".join((folder / entry["task"]).read_text().split("\n")[2:])
        if number % 13 != 12:
            said[id] = _amiss(script, (number + number // 8) % 6)
    path = folder / "predictions.json"
    _json(path, said)
    return path


def _amiss(script: str, kind: int) -> str:
    if kind == 1:
        # A digit before the first number is a place far away; an x in a text is a slip, and another key.
        return re.sub(r'"(\w)', r'"x\1', re.sub(r"\((\d)", r"(1\1", script))
    return {3: f'{script}\npyautogui.press("enter")', 5: "I cannot see the screen."}.get(kind, script)


def _screens(seed: int) -> Iterator[_Screen]:
    world, numbers = SimWorld(), dict[str, int]()
    for part, app, title, first in SCREENS:
        world.reset(seed)
        env = world.envs["desktop"]
        env.act(OpenApp(title))
        if first:
            found = next(e for e in env.ui_tree() if e.name == first and e.role in PRESSED)
            env.act(Click(found.box.center))
        world.wait(1.0)
        numbers[app] = numbers.get(app, 0) + 1
        seen = env.observe({Modality.SCREENSHOT, Modality.ELEMENTS}, world.now)
        yield _Screen(part, app, numbers[app], seen, _boxes(seen))


def _boxes(seen: Observation) -> dict[str, tuple[Element, Corners]]:
    assert not isinstance(seen.elements, Absent)
    found: dict[str, tuple[Element, Corners]] = {}
    for element in seen.elements.items:
        corners = tuple(round(side) for side in element.box.to_pixels(seen.size))
        alike = [other for other in seen.elements.items if other.name == element.name and other.role == element.role]
        if (
            element.role in PRESSED | FIELDS
            and nameable(element)
            and "disabled" not in element.states
            and len(alike) == 1
        ):
            found[f"{element.role} {element.name}".replace(" ", "_").lower()] = element, corners  # type: ignore[assignment]
    return found


def _written(folder: Path, screen: _Screen, rng: random.Random) -> Iterator[dict[str, str]]:
    """Write a screen with its tasks and return their list entries."""
    part, app, number = screen.part, screen.app, screen.number
    # The lists say screen_1 of all parts; the files of the web part are called screen1 and screen1_boxes.
    stem = f"screen{number}" if part == "web" else f"screen_{number}"
    assert not isinstance(screen.seen.screenshot, Absent) and not isinstance(screen.seen.elements, Absent)
    _bytes(folder / f"data/data/{part}/{app}/{stem}.png", _small(screen.seen))
    boxes = {
        name: {"top_left": [c[0], c[1]], "bottom_right": [c[2], c[3]], "label": element.name, "valid": 1}
        for name, (element, c) in screen.boxes.items()
    }
    ending = "_boxes" if part == "web" else ""
    _json(folder / f"data/metadata/{part}/boxes/{app}/{stem}{ending}.json", boxes)
    texts = {e.name: _middle(screen, e) for e in screen.seen.elements.items if e.role in WRITTEN and e.name}
    icons = {e.name: [_middle(screen, e)] for e, _ in screen.boxes.values() if e.role == "button"}
    _json(folder / f"ocr/{part}/{app}/screen_{number}.json", texts)
    _json(folder / f"detact_icon/{part}/{app}/screen_{number}.json", icons)
    _json(folder / f"detact_color/{part}/{app}/screen_{number}.json", _colors(screen))
    for count, (task, lines) in enumerate(_tasks(screen, rng), 1):
        named = f"data/tasks/{part}/{app}/task_{number}.{count}.txt"
        _bytes(folder / named, "\n".join([f"Task: {task}", "Output Script:", *lines]).encode())
        yield {
            "task": named,
            "image": f"data/data/{part}/{app}/screen_{number}.png",
            "ocr": f"ocr/{part}/{app}/screen_{number}.json",
            "color": f"detact_color/{part}/{app}/screen_{number}.json",
            "icon": f"detact_icon/{part}/{app}/screen_{number}.json",
            "box": f"data/metadata/{part}/boxes/{app}/screen_{number}.json",
        }


def _colors(screen: _Screen) -> dict[str, list[list[float]]]:
    """The mean colour of each box, as DetACT's colours of segments: middles by name."""
    from omnipilot.grounders.sources.detact import region_color

    assert not isinstance(screen.seen.screenshot, Absent)
    pixels = screen.seen.screenshot.array()
    found: dict[str, list[list[float]]] = {}
    for element, (left, top, right, bottom) in screen.boxes.values():
        if left < right and top < bottom:
            name, _ = region_color(pixels[max(top, 0) : bottom, max(left, 0) : right])
            found.setdefault(name, []).append(_middle(screen, element))
    return found


def _tasks(screen: _Screen, rng: random.Random) -> Iterator[tuple[str, Sequence[str]]]:
    pressed = [(e, c) for e, c in screen.boxes.values() if e.role in PRESSED]
    fields = [(e, c) for e, c in screen.boxes.values() if e.role in FIELDS]
    rng.shuffle(pressed)
    names = ("click", "moveTo", "rightClick", "doubleClick")
    words = ("Click", "Put the pointer on", "Open the context menu of", "Double click")
    for (element, corners), name, word in zip(pressed, names, words, strict=False):
        yield f"{word} the {element.role} {element.name}", (_at(name, corners),)
    if len(pressed) > 5:
        (one, first), (two, second) = pressed[4:6]
        yield f"Click {one.name}, then {two.name}", (_at("click", first), _at("click", second))
    for element, corners in fields[:1]:
        word = rng.choice(("kettle", "blue lamp", "report 2024"))
        lines = (_at("click", corners), f'pyautogui.write("{word}")', 'pyautogui.press("enter")')
        yield f"Search for {word} in {element.name}", lines
        cleared = (lines[0], 'pyautogui.hotkey("ctrl","a")', *lines[1:])
        yield f"Replace what {element.name} holds by {word} and confirm", cleared
    yield "Go down a little", ("pyautogui.scroll(-10)",)
    yield "Select everything and copy it", ('pyautogui.hotkey("ctrl","a")', 'pyautogui.hotkey("ctrl","c")')


def _at(name: str, corners: Corners) -> str:
    left, top, right, bottom = corners
    return f"pyautogui.{name}({(left + right) / 2},{(top + bottom) / 2})"


def _middle(screen: _Screen, element: Element) -> list[float]:
    return [round(value, 1) for value in element.box.center.to_pixels(screen.seen.size)]


def _small(seen: Observation) -> bytes:
    """A screenshot as a small PNG file."""
    import io

    from PIL import Image

    assert not isinstance(seen.screenshot, Absent)
    out = io.BytesIO()
    size = seen.size.width, seen.size.height
    Image.frombytes("RGB", size, seen.screenshot.rgb).save(out, "PNG", optimize=True)
    return out.getvalue()


def _bytes(path: Path, data: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)


def _json(path: Path, data: Any) -> None:
    _bytes(path, (json.dumps(data, indent=1, ensure_ascii=False) + "\n").encode())
