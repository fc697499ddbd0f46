"""Plays tasks on the page of `omnipilot play` by real mouse and keys in a headless Chromium: a script, no person.

What is done, and where, comes from a recorded run of the same tasks, such as one of `--planner oracle`. Each of its
actions is made with the hands: a click is a mouse that goes down and up over the picture of the screen, a text is keys.
In `move-file`, the file is dragged.

    python tests/perf/play_by_script.py runs/oracle --out runs/script
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from omnipilot.bench.journal import load_run
from omnipilot.bench.journal.attempts import RecordedAttempt, attempt_events
from omnipilot.envs import (
    Action,
    Answer,
    AskUser,
    Click,
    Done,
    Drag,
    LongPress,
    OpenApp,
    Point,
    Press,
    Scroll,
    Swipe,
    System,
    TypeText,
    Wait,
)
from omnipilot.envs.schema import codec

PATIENCE = 60_000
"""Milliseconds to wait for the next turn."""
FLICK = 400 / 916
"""Share of the phone's height that a swipe without an end goes."""
DRAGGED = "move-file"
"""The task of `duet` in which a file is dragged; demonstrations of the others have all gestures but that."""
KEYS = {"ctrl": "Control", "alt": "Alt", "shift": "Shift", "meta": "Meta", "esc": "Escape", "pageup": "PageUp"}
KEYS |= {"pagedown": "PageDown", "up": "ArrowUp", "down": "ArrowDown", "left": "ArrowLeft", "right": "ArrowRight"}
Acts = Sequence[tuple[str, Action]]


class Hands:
    """Mouse and keys on the page.

    Args:
        page: of Playwright, with the page open.
    """

    def __init__(self, page: Any) -> None:
        self.page = page

    def settled(self, before: str | None = None) -> str:
        """The version of the page's state, once a turn is shown that is newer than `before`; "" if it is over."""
        newer = "b => ['over', 'gone'].includes(document.body.dataset.phase) || (document.body.dataset.phase === 'turn'"
        newer += " && document.body.dataset.version !== b)"
        self.page.wait_for_function(newer, arg=before, timeout=PATIENCE)
        over = self.page.evaluate("['over', 'gone'].includes(document.body.dataset.phase)")
        return "" if over else str(self.page.evaluate("document.body.dataset.version"))

    def do(self, env: str, action: Action) -> bool:
        """Carry out an action, in as many turns as hands need for it; false once everything is over."""
        return all(self._once(step) for step in self._steps(env, action))

    def _once(self, step: Callable[[], None]) -> bool:
        before = self.settled()
        if not before:
            return False
        step()
        return bool(self.settled(before))

    def _steps(self, env: str, action: Action) -> list[Callable[[], None]]:
        match action:
            case Click(at=Point() as at):
                return [lambda: self.click(env, at, action.button, action.count, action.modifiers)]
            case LongPress():
                return [lambda: self.draw(env, action.at, action.at, max(action.seconds, 0.6))]
            case Drag(start=Point() as start):
                rest = 0.6 if self.platform(env) == "phone" else 0.0
                return [lambda: self.draw(env, start, action.end, rest)]
            case Swipe():
                start, end = _ends(action)
                return [lambda: self.draw(env, start, end)]
            case Scroll(unit="notch"):
                return [lambda: self.wheel(env, action)]
            case TypeText():
                place = action.at
                focus = [] if place is None else [lambda: self.click(env, place)]
                clear = [lambda: self.keys(env, ("ctrl", "a"))] if action.clear else []
                return [*focus, *clear, lambda: self.type(env, action.text, action.submit)]
            case Press(seconds=None):
                return [lambda: self.keys(env, action.keys, action.repeat)]
            case System():
                return [lambda: self.page.click(f"{_device(env)} button[data-does={action.name}]")]
            case OpenApp():
                return [lambda: self.page.select_option(f"{_device(env)} select.apps", action.app) and None]
            case Wait():
                return [lambda: self.wait(action.seconds)]
            case Answer() | AskUser():
                return [lambda: self.say("#answer" if isinstance(action, Answer) else "#ask", action.text)]
            case Done():
                return [lambda: self.page.click("#success" if action.status == "success" else "#failure")]
        raise SystemExit(f"these hands cannot do {action}; choose another task")

    def platform(self, env: str) -> str:
        """What the device is."""
        return str(self.page.get_attribute(_device(env), "data-platform"))

    def place(self, env: str, at: Point) -> tuple[float, float]:
        """Where on the page a place of a screen is, scrolled into sight."""
        screen = self.page.locator(f"{_device(env)} .screen")
        screen.scroll_into_view_if_needed()
        box = screen.bounding_box()
        return box["x"] + 2 + at.x * (box["width"] - 4), box["y"] + 2 + at.y * (box["height"] - 4)

    def click(self, env: str, at: Point, button: str = "left", count: int = 1, modifiers: Sequence[str] = ()) -> None:
        """Press and release."""
        for key in modifiers:
            self.page.keyboard.down(KEYS[key])
        self.page.mouse.click(*self.place(env, at), button=button, click_count=count)
        for key in modifiers:
            self.page.keyboard.up(KEYS[key])

    def draw(self, env: str, start: Point, end: Point, rest: float = 0.0) -> None:
        """Press at one place, rest there, and release at another."""
        self.page.mouse.move(*self.place(env, start))
        self.page.mouse.down()
        self.page.wait_for_timeout(rest * 1000)
        self.page.mouse.move(*self.place(env, end), steps=6)
        self.page.mouse.up()

    def wheel(self, env: str, action: Scroll[Point]) -> None:
        """Turn the wheel."""
        self.page.mouse.move(*self.place(env, action.at or Point(0.5, 0.5)))
        way = {"down": (0, 100), "up": (0, -100), "right": (100, 0), "left": (-100, 0)}[action.direction]
        self.page.mouse.wheel(way[0] * action.amount, way[1] * action.amount)

    def type(self, env: str, text: str, submit: bool) -> None:
        """Write with the keys."""
        self.page.focus(f"{_device(env)} .screen")
        for number, line in enumerate(text.split("\n")):
            if number:
                self.page.keyboard.press("Shift+Enter")
            self.page.keyboard.type(line)
        if submit:
            self.page.keyboard.press("Enter")

    def keys(self, env: str, keys: Sequence[str], repeat: int = 1) -> None:
        """Press keys together, so many times."""
        self.page.focus(f"{_device(env)} .screen")
        chord = "+".join(KEYS.get(key, key if len(key) == 1 else key.title()) for key in keys)
        for _ in range(repeat):
            self.page.keyboard.press(chord)

    def wait(self, seconds: float) -> None:
        """Let time pass on the devices."""
        self.page.fill("#seconds", f"{seconds:g}")
        self.page.click("#wait")

    def say(self, button: str, text: str) -> None:
        """Answer, or ask."""
        self.page.fill("#words", text)
        self.page.click(button)


def _device(env: str) -> str:
    return f'.device[data-env="{env}"]'


def _ends(swipe: Swipe[Point]) -> tuple[Point, Point]:
    start = swipe.start or Point(0.5, 0.5)
    if swipe.end is not None:
        return start, swipe.end
    down = {"up": -FLICK, "down": FLICK}.get(str(swipe.direction), 0.0)
    across = {"left": -0.5, "right": 0.5}.get(str(swipe.direction), 0.0)
    return start, Point(min(max(start.x + across, 0), 1), min(max(start.y + down, 0), 1))


def recorded_acts(folder: Path) -> dict[str, Acts]:
    """What was done in each episode of a run, by its instruction."""
    found: dict[str, Acts] = {}
    for episode in load_run(folder).episodes:
        attempt = RecordedAttempt.of_events(attempt_events(folder, episode.key, episode.attempt))
        acts = [
            (step.env, codec.action_from_json(step.executed))
            for turn in attempt.turns
            for step in turn.steps
            if step.executed is not None
        ]
        found[attempt.started.instruction] = drag_the_file(acts) if episode.task == DRAGGED else acts
    return found


def drag_the_file(acts: Acts) -> Acts:
    """The same, with the file dragged to its folder, as a person would, and not marked, cut and pasted there."""
    opened, folder, (env, item), _, (_, target), _ = acts
    assert isinstance(item, Click) and isinstance(target, Click) and item.at is not None and target.at is not None
    return [opened, folder, (env, Drag(target.at, item.at))]


def play_all(page: Any, acts: Mapping[str, Acts]) -> int:
    """Play until the page says that it is over; the number of tasks."""
    hands, played = Hands(page), 0
    page.uncheck("#auto")
    while hands.settled():
        instruction, task = page.text_content("#instruction"), page.text_content("#count").split(" · ")[0]
        played += 1
        for env, action in acts[instruction]:
            if not hands.do(env, action) or page.text_content("#count").split(" · ")[0] != task:
                break
        else:
            if page.text_content("#count").split(" · ")[0] == task and hands.settled():
                hands.do("", Done())
    return played


@contextmanager
def opened(url: str, width: int = 1440, height: int = 900, elsewhere: bool = False) -> Iterator[Any]:
    """The page in a headless Chromium, with a turn; or as it is, where another window plays or nothing has begun."""
    from playwright.sync_api import sync_playwright

    from omnipilot.envs.web import find_chromium

    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=str(find_chromium()), args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": width, "height": height})
        page.goto(url)
        phases = "['elsewhere', 'instruction']" if elsewhere else "['turn']"
        page.wait_for_function(f"{phases}.includes(document.body.dataset.phase)", timeout=PATIENCE)
        yield page
        browser.close()


def main() -> None:
    """Start `omnipilot play` with the tasks of the recorded run, and play them."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("recorded", type=Path, help="a run of the same tasks, which says what to do")
    parser.add_argument("--out", type=Path, required=True, help="where the run is written")
    given = parser.parse_args()
    spec = load_run(given.recorded).spec
    command = [sys.executable, "-m", "omnipilot.bench.cli.app", "play", *spec.tasks, "--suite", spec.suite.name]
    command += ["--player", "script", "--out", str(given.out)]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as program:
        assert program.stderr is not None
        while not (found := re.search(r"http://\S+", line := program.stderr.readline())):
            if not line:
                sys.exit(program.wait())
        with opened(found[0]) as page:
            play_all(page, recorded_acts(given.recorded))
        said = program.stderr.read()
    if program.returncode:
        sys.exit(said)


if __name__ == "__main__":
    main()
