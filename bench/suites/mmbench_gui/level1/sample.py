"""Miniature MMBench-GUI level 1: screens of the embedded world with three questions each, in the official format."""

from __future__ import annotations

import csv
import hashlib
import json
import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from omnipilot.bench.suites.pointing.functions import FUNCTIONS
from omnipilot.envs import Absent, Click, ConfigError, Element, Modality, OpenApp
from omnipilot.envs.sim import SimWorld
from omnipilot.envs.sim.state.world_state import DeviceName
from omnipilot.envs.types import fold

PREDICTIONS = "predictions.csv"
_ENTRIES = ("listitem", "treeitem", "row", "link")
_FRAME = ("Back", "Home", "Start", "Mail", "Text Editor", "Signals", "Files", "Browser")
"""Buttons that are on every screen; others are asked about first."""


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


def write(folder: Path, seed: int = 0, contents: int = 1) -> None:
    """Write `L1_annotations.json` and `offline_images/`: 14 screens of four platforms, 42 questions, under 2 MB.

    Args:
        contents: so many times as many screens, each time with other content.
    """
    found = draw_screens(seed, contents)
    screens = [screen for _, _, screen in found]
    items = []
    for number, (platform, app, screen) in enumerate(found):
        rng = random.Random(f"mmbench-l1/{seed}/{number}")
        others = [other for other in screens if other is not screen]
        groups = [easy(screen, others, rng), medium(screen, rng), hard(screen, rng)]
        items.append(write_screen(folder, number, platform, app, screen.png, screen.size, groups))
    write_annotations(folder, items)


def draw_screens(seed: int, contents: int) -> list[tuple[str, str, DrawnScreen]]:
    """The 14 screens, so many times, each time with other content: platform, application and screen."""
    world = SimWorld()
    return [
        (place.platform, place.link or place.app, _open(world, place, seed * 1000 + number))
        for number, place in enumerate(_PLACES * contents)
    ]


def write_screen(
    folder: Path,
    number: int,
    platform: str,
    app: str,
    png: bytes,
    size: tuple[int, int],
    groups: Sequence[Mapping[str, Any]],
) -> dict[str, Any]:
    """Write the picture of a screen, and return its entry in the annotations."""
    name = picture_name(png)
    image = folder / "offline_images" / platform / name
    image.parent.mkdir(parents=True, exist_ok=True)
    image.write_bytes(png)
    return {
        "index": number,
        "image_path": name,
        "image_size": list(size),
        "platform": platform,
        "app_name": app,
        "groups": list(groups),
    }


def picture_name(png: bytes) -> str:
    """What the file of a screenshot is called."""
    return f"{hashlib.sha256(png).hexdigest()}.png"


def read_annotations(folder: Path) -> list[dict[str, Any]]:
    """What `write_annotations` wrote before; empty if nothing.

    Raises:
        ConfigError: the file holds something else.
    """
    path = folder / "L1_annotations.json"
    if not path.is_file():
        return []
    try:
        items = json.loads(path.read_text(encoding="utf-8"))
        if all(isinstance(item["image_path"], str) and isinstance(item["index"], int) for item in items):
            return list(items)
    except (ValueError, KeyError, TypeError):
        pass
    raise ConfigError(f"{path} holds no questions of level 1; write to another folder")


def write_annotations(folder: Path, items: Sequence[Mapping[str, Any]]) -> None:
    """Write `L1_annotations.json`."""
    text = json.dumps(list(items), indent=1, ensure_ascii=False)
    (folder / "L1_annotations.json").write_text(text, encoding="utf-8")


def sample_predictions(folder: Path) -> Path:
    """Write `predictions.csv`, a table in the release's form with all questions; replies vary by index modulo 10.

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


def _open(world: SimWorld, place: _Place, instance: int) -> DrawnScreen:
    world.reset(instance)
    env = world.envs[place.device]
    env.act(OpenApp(place.app))
    world.wait(1.0)
    if place.link:
        env.act(Click(next(e.box.center for e in env.ui_tree() if (e.role, e.name) == ("link", place.link))))
        world.wait(1.0)
    seen = env.observe({Modality.SCREENSHOT, Modality.ELEMENTS}, world.now)
    assert not isinstance(seen.screenshot, Absent) and not isinstance(seen.elements, Absent)
    return DrawnScreen(seen.screenshot.png(), (seen.size.width, seen.size.height), seen.elements.items)


@dataclass(frozen=True, slots=True)
class DrawnScreen:
    """A screenshot as PNG, its width and height in pixels, and its content."""

    png: bytes
    size: tuple[int, int]
    elements: tuple[Element, ...]

    @property
    def entries(self) -> list[str]:
        """Names of the list entries from the top, without repetition."""
        return _names(element for element in self.elements if element.role in _ENTRIES and not self._cut(element))

    def _cut(self, element: Element) -> bool:
        """Whether it is in a last row shorter than the others, so that its name may be cut off at the bottom."""
        boxes = [other.box for other in self.elements if other.role == element.role]
        lowest, tallest = max(box.bottom for box in boxes), max(box.bottom - box.top for box in boxes)
        return element.box.bottom > lowest - 1e-6 and element.box.bottom - element.box.top < 0.9 * tallest

    def shows(self, name: str) -> bool:
        """Whether a name appears anywhere on it."""
        return any(fold(name) in f"{fold(element.name)} {fold(element.value)}" for element in self.elements)


def easy(screen: DrawnScreen, others: Sequence[DrawnScreen], rng: random.Random) -> dict[str, Any]:
    """Which entry is visible?"""
    right = rng.choice(screen.entries)
    pool = sorted({name for other in others for name in other.entries if not screen.shows(name)})
    return _group("easy", "Which of these entries can be seen on this screen?", right, pool, rng, "It is in the list.")


def medium(screen: DrawnScreen, rng: random.Random) -> dict[str, Any]:
    """What does a button do?"""
    known = _names(element for element in screen.elements if element.role == "button" and element.name in FUNCTIONS)
    name = rng.choice([one for one in known if one not in _FRAME] or known)
    right = FUNCTIONS[name]
    pool = sorted(set(FUNCTIONS.values()) - {right})
    return _group("medium", f'What does the button "{name}" do?', right, pool, rng, f"{name}: it {right}.")


def hard(screen: DrawnScreen, rng: random.Random) -> dict[str, Any]:
    """Which switch is on, which entry is selected, or otherwise which entry follows another?"""
    for role, state, words in (("switch", "checked", "switched on"), ("treeitem", "selected", "selected")):
        same = [element for element in screen.elements if element.role == role]
        on = _names(element for element in same if state in element.states)
        off = [name for name in _names(same) if name not in on]
        if on and len(off) >= 3:
            return _group("hard", f"Which of these is {words}?", rng.choice(on), off, rng, f"Only this one is {words}.")
    rows, what = screen.entries, "entry"
    if len(rows) < 5:
        rows, what = _names(element for element in screen.elements if element.role == "button"), "button"
    place = rng.randrange(len(rows) - 1)
    pool = [name for name in rows if name not in rows[place : place + 2]]
    question = f'Which {what} comes right after "{rows[place]}" in reading order?'
    return _group("hard", question, rows[place + 1], pool, rng, f"It follows {rows[place]}.")


def _names(elements: Iterable[Element]) -> list[str]:
    """Names in order, without repetition and without names that would break the quotes."""
    found: dict[str, str] = {}
    for element in elements:
        if "offscreen" not in element.states and element.name.strip() and '"' not in element.name:
            found.setdefault(fold(element.name), element.name)
    return list(found.values())


def _group(
    level: str, question: str, right: str, pool: Sequence[str], rng: random.Random, explanation: str
) -> dict[str, Any]:
    """A question with three to five wrong options, in random order."""
    wrong = rng.sample(list(pool), min(len(pool), rng.randint(3, 5)))
    texts = [right, *wrong]
    rng.shuffle(texts)
    options = dict(zip("ABCDEF", texts, strict=False))
    answer = next(letter for letter, text in options.items() if text == right)
    return {
        "question": question,
        "options": options,
        "answer": answer,
        "explanation": explanation,
        "difficulty": level,
    }
