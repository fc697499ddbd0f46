"""Tasks written by rule over the boxes of a screen, each in three wordings that mean the same."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

from omnipilot.bench.suites.omniact.making.records import MadeScreen, NamedBox, NamedTask

CLICKS = {
    "click": ("Click {0}", "Press {0} once", "Use the left button on {0}"),
    "doubleClick": ("Double click {0}", "Click {0} twice in a row", "Press {0} two times, quickly"),
    "rightClick": ("Right click {0}", "Open the context menu of {0}", "Use the right button on {0}"),
    "moveTo": ("Move the pointer to {0}", "Hover over {0}", "Put the mouse on {0} without pressing"),
}
SEARCHES = ("Enter {1} into {0} and confirm", "Write {1} in {0}, then press Enter", "Fill {0} with {1} and submit it")
TWO = ("Click {0}, then {1}", "Press {0} and after that {1}", "First use {0}, next use {1}")
FIXED = (
    (("Scroll down a little", "Go down on this screen", "Show what is further down"), ("pyautogui.scroll(-10)",)),
    (
        ("Select everything and copy it", "Copy all that there is", "Mark it all, then put it on the clipboard"),
        ('pyautogui.hotkey("ctrl","a")', 'pyautogui.hotkey("ctrl","c")'),
    ),
)
TEXTS = ("kettle", "blue lamp", "report 2024", "train to Basel")


def write_tasks(screen: MadeScreen, most: int, seed: int) -> Iterator[NamedTask]:
    """At most so many tasks on a screen, of all kinds that it allows, the same for the same seed."""
    rng = random.Random(f"{screen.id}/{seed}")
    kinds = [_clicks(screen, rng), _searches(screen, rng), _pairs(screen, rng), iter(FIXED)]
    found: list[tuple[Sequence[str], Sequence[str]]] = []
    while kinds and len(found) < most:
        for kind in list(kinds):
            one = next(kind, None)
            if one is None:
                kinds.remove(kind)
            elif len(found) < most:
                found.append(one)
    for number, (wordings, script) in enumerate(found, 1):
        yield NamedTask(f"{screen.id}.{number}", screen.id, tuple(wordings), tuple(script))


def _writes(box: NamedBox) -> bool:
    return box.name.startswith(("write-", "search-"))


def _clicks(screen: MadeScreen, rng: random.Random) -> Iterator[tuple[Sequence[str], Sequence[str]]]:
    pressed = [box for box in screen.boxes if not _writes(box)]
    rng.shuffle(pressed)
    # Most are plain clicks, as most lines of OmniACT's are (63.7 %).
    names = ("click", "click", "rightClick", "click", "doubleClick", "click", "moveTo", "click")
    for number, box in enumerate(pressed):
        name = names[number % len(names)]
        yield [words.format(_told(box)) for words in CLICKS[name]], [f"pyautogui.{name}(<{box.name}>)"]


def _searches(screen: MadeScreen, rng: random.Random) -> Iterator[tuple[Sequence[str], Sequence[str]]]:
    for box in filter(_writes, screen.boxes):
        text = rng.choice(TEXTS)
        lines = [f"pyautogui.click(<{box.name}>)", f'pyautogui.write("{text}")', 'pyautogui.press("enter")']
        yield [words.format(_told(box), f'"{text}"') for words in SEARCHES], lines


def _pairs(screen: MadeScreen, rng: random.Random) -> Iterator[tuple[Sequence[str], Sequence[str]]]:
    pressed = [box for box in screen.boxes if not _writes(box)]
    rng.shuffle(pressed)
    for one, two in zip(pressed[::2], pressed[1::2], strict=False):
        lines = [f"pyautogui.click(<{one.name}>)", f"pyautogui.click(<{two.name}>)"]
        yield [words.format(_told(one), _told(two)) for words in TWO], lines


def _told(box: NamedBox) -> str:
    """What a person calls a box: what is written on it, or what it does."""
    return f'"{box.label}"' if box.label else f"what does this: {box.name.replace('-', ' ')}"
