"""Miniature of GUIAct's web part as OS-Atlas's ground-truth rows, from the embedded world's browser; no pictures."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from omnipilot.bench.scoring.steps.actions import place
from omnipilot.bench.suites.os_atlas.sample_gui_odyssey import rows, write_replies
from omnipilot.bench.suites.pointing.words import nameable
from omnipilot.envs import Click, OpenApp
from omnipilot.envs.sim import SimWorld

FILE = "gui_act_web_test.jsonl"
PAGES = ("", "Lakeside Shop", "Help")
ROLES = ("link", "button", "textbox")
FIRST, MOST = 2, 6
"""The window's own buttons come first; then so many elements of the page."""


def write(folder: Path, seed: int = 0) -> None:
    """Write the rows."""
    rows(folder / FILE, _steps(seed))


def sample_predictions(folder: Path) -> Path:
    """Replies by the rule of AndroidControl's miniature, in step order and without ids."""
    return write_replies(folder / FILE, folder / "predictions.jsonl")


def _steps(seed: int) -> Iterator[tuple[str, str, Sequence[str], str]]:
    world = SimWorld()
    env = world.envs["desktop"]
    for number, page in enumerate(PAGES):
        world.reset(seed)
        env.act(OpenApp("Browser"))
        if page:
            env.act(Click(next(e for e in env.ui_tree() if e.name == page and e.role == "button").box.center))
        world.wait(1.0)
        found = [e for e in env.ui_tree() if e.role in ROLES and nameable(e)]
        for count, element in enumerate(found[FIRST : FIRST + MOST]):
            image = f"web/{number}-{count}.png"
            yield image, f"Click the {element.role} {element.name}", (), f"CLICK {place(element.box.center)}"
            if element.role == "textbox":
                yield f"web/{number}-{count}-typed.png", "Look for blue lamps", ("click",), "TYPE [blue lamps]"
                yield f"web/{number}-{count}-sent.png", "Look for blue lamps", ("click", "type"), "ENTER"
        yield f"web/{number}-down.png", "See what is further down", (), "SCROLL [DOWN]"
        yield f"web/{number}-over.png", "Open the start page", ("open",), "COMPLETE"
