"""Executing verbs with PyAutoGUI, in a process of its own."""

from __future__ import annotations

import contextlib
import json
import os
import queue
import subprocess
import sys
import threading
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias

from omnipilot.envs.types.actions import (
    Click,
    Drag,
    KeyDown,
    KeyUp,
    LongPress,
    MouseDown,
    MouseMove,
    MouseUp,
    Press,
    Scroll,
    TypeText,
)
from omnipilot.envs.types.errors import ActionRejected, ConfigError, EnvLost
from omnipilot.envs.types.geometry import Point, Size
from omnipilot.envs.types.installation import requirement

Call: TypeAlias = tuple[Any, ...]
"""A call of the child: its name and arguments."""
CHILD = Path(__file__).with_name("child.py")
INTERPRETER = "OMNIPILOT_PYAUTOGUI"
"""Environment variable: the Python that has PyAutoGUI; by default the one that runs."""
VERBS = frozenset(
    {"click", "long_press", "move", "mouse_down", "mouse_up", "drag", "scroll", "type", "press", "key_down", "key_up"}
)
NOTCH = 100.0
"""Pixels that count as one notch of the wheel, which is the least that PyAutoGUI turns it."""
PAGE = 0.9
"""Share of the screen that one page scrolls."""
DELTA = {"win32": 120}
"""What PyAutoGUI takes for one notch, by platform; 1 elsewhere."""
UNDONE_BY = {"keyDown": "keyUp", "mouseDown": "mouseUp"}
"""The call that releases what a call presses."""
BETWEEN_CLICKS = 0.03
"""Seconds between the clicks of a double or triple click."""
APART = 0.5
"""Seconds until a click at the same place is one of its own."""
DRAG_STEPS, DRAG_PAUSE = 5, 0.01
"""Moves on the way to each point of a drag, and seconds between them: one leap is not recognised as a drag."""


class PyAutoGuiInput:
    """The mouse and keyboard of one desktop.

    Args:
        environment: of the child, DISPLAY above all; by default that of this process.
        python: the interpreter with PyAutoGUI; by default the one that `OMNIPILOT_PYAUTOGUI` names, or this one.
        timeout: seconds until a call that does not return counts as lost, beside what it lasts by itself.

    Attributes:
        size: of the screen in the units of the mouse, which on a Mac are not the screenshot's pixels.

    Raises:
        ConfigError: PyAutoGUI is not there or finds no screen; the message says what to do.
    """

    def __init__(
        self, environment: Mapping[str, str] | None = None, python: str | None = None, timeout: float = 20.0
    ) -> None:
        self._timeout = timeout
        self._python = python or os.environ.get(INTERPRETER) or sys.executable
        self._held: list[Call] = []
        self._cursor = (0, 0)
        self._clicked = (0.0, "", self._cursor)
        self._next = 0
        try:
            self._child = subprocess.Popen(
                [self._python, str(CHILD)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env=dict(environment) if environment is not None else None,
                text=True,
                encoding="utf-8",
            )
        except OSError as error:
            raise ConfigError(f"{INTERPRETER} must name a Python interpreter: {error}") from error
        self._answers: queue.Queue[dict[str, Any] | None] = queue.Queue()
        threading.Thread(target=self._listen, daemon=True, name="pyautogui").start()
        try:
            first = self._answer(0, timeout)
        except EnvLost as error:
            self.close()
            raise ConfigError(f"PyAutoGUI did not start: {error}") from error
        if "error" in first:
            self.close()
            raise ConfigError(_cure(str(first["error"]), self._python))
        self.size = Size(*first["size"])
        self._platform = str(first["platform"])
        self._characters = frozenset(first["characters"])
        self._cursor = (self.size.width // 2, self.size.height // 2)

    def click(self, action: Click[Point]) -> None:
        if action.button in ("back", "forward"):
            raise ActionRejected(f"pyautogui has the buttons left, middle and right, not {action.button}")
        calls = [self._to(action.at)]
        if self._clicked[1:] == (action.button, self._cursor):
            # Two clicks of their own must not be taken for a double click.
            calls.append(("sleep", max(0.0, self._clicked[0] + APART - time.monotonic())))
        calls += _presses("keyDown", self._keys(action.modifiers))
        for number in range(action.count):
            calls += [("sleep", BETWEEN_CLICKS)] * (number > 0)
            calls += [("mouseDown", None, None, action.button), ("mouseUp", None, None, action.button)]
        calls += _presses("keyUp", reversed(self._keys(action.modifiers)))
        self._make(calls)
        self._clicked = (time.monotonic(), action.button, self._cursor)

    def long_press(self, action: LongPress[Point]) -> None:
        held: list[Call] = [
            ("mouseDown", None, None, "left"),
            ("sleep", action.seconds),
            ("mouseUp", None, None, "left"),
        ]
        self._make([self._to(action.at), *held], action.seconds)

    def move(self, action: MouseMove[Point]) -> None:
        self._make([self._to(action.at)])

    def mouse_down(self, action: MouseDown[Point]) -> None:
        self._make([self._to(action.at), ("mouseDown", None, None, action.button)])

    def mouse_up(self, action: MouseUp[Point]) -> None:
        self._make([self._to(action.at), ("mouseUp", None, None, action.button)])

    def drag(self, action: Drag[Point]) -> None:
        calls = [self._to(action.start), ("mouseDown", None, None, action.button)]
        for point in (*action.path, action.end):
            (x, y), (_, *end) = self._cursor, self._to(point)
            for step in range(1, DRAG_STEPS + 1):
                share = step / DRAG_STEPS
                calls += [
                    ("moveTo", round(x + (end[0] - x) * share), round(y + (end[1] - y) * share)),
                    ("sleep", DRAG_PAUSE),
                ]
        self._make([*calls, ("mouseUp", None, None, action.button)])

    def scroll(self, action: Scroll[Point]) -> None:
        across = action.direction in ("left", "right")
        side = self.size.width if across else self.size.height
        notches = action.amount * {"notch": 1.0, "px": 1 / NOTCH, "page": PAGE * side / NOTCH}[action.unit]
        amount = max(1, round(notches)) * DELTA.get(self._platform, 1)
        # PyAutoGUI counts up and right as positive.
        signed = amount if action.direction in ("up", "right") else -amount
        self._make([self._to(action.at or Point(0.5, 0.5)), ("hscroll" if across else "scroll", signed)])

    def type(self, action: TypeText[Point]) -> None:
        calls: list[Call] = []
        if action.at is not None:
            calls += [self._to(action.at), ("mouseDown", None, None, "left"), ("mouseUp", None, None, "left")]
            calls += [("sleep", 0.1)]
        if action.clear:
            select = [("command" if self._platform == "darwin" else "ctrl"), "a"]
            calls += [*_presses("keyDown", select), *_presses("keyUp", reversed(select))]
            calls += [("keyDown", "delete"), ("keyUp", "delete")]
        if action.text:
            calls.append(("write" if self._characters.issuperset(action.text) else "paste", action.text))
        if action.submit:
            calls += [("keyDown", "enter"), ("keyUp", "enter")]
        self._make(calls, len(action.text) * 0.05)

    def press(self, action: Press) -> None:
        names = self._keys(action.keys)
        once = [*_presses("keyDown", names), *_presses("keyUp", reversed(names))]
        if action.seconds is not None:
            once.insert(len(names), ("sleep", action.seconds))
        self._make(once * action.repeat, (action.seconds or 0.0) * action.repeat)

    def key_down(self, action: KeyDown) -> None:
        self._make(_presses("keyDown", self._keys(action.keys)))

    def key_up(self, action: KeyUp) -> None:
        self._make(_presses("keyUp", self._keys(action.keys)))

    def title(self) -> str:
        """Title of the window in front; "" where the system does not tell.

        Raises:
            EnvLost: PyAutoGUI does not answer.
        """
        answer = self._ask([("title",)], 0.0)
        return str(answer["results"][0]) if "results" in answer else ""

    def release_quietly(self) -> None:
        """Release what is held; a child that has ended holds nothing."""
        with contextlib.suppress(EnvLost):
            self._release()

    def close(self) -> None:
        """Release what is held and end the child. May be called twice."""
        self.release_quietly()
        assert self._child.stdin is not None
        with contextlib.suppress(OSError):
            self._child.stdin.close()
        try:
            self._child.wait(2)
        except subprocess.TimeoutExpired:
            self._child.kill()
            self._child.wait()

    def _keys(self, names: Sequence[str]) -> list[str]:
        """PyAutoGUI's names for canonical keys.

        Raises:
            ActionRejected: it has no such key.
        """
        for name in names:
            if len(name) == 1 and name not in self._characters:
                raise ActionRejected(f"this keyboard has no key {name!r}; to write a character, type it as text")
        meta = "command" if self._platform == "darwin" else "win"
        return [{"meta": meta, "menu": "apps"}.get(name, name) for name in names]

    def _to(self, point: Point | None) -> Call:
        if point is not None:
            x, y = point.to_pixel(self.size)
            self._cursor = (round(x), round(y))
        return ("moveTo", *self._cursor)

    def _make(self, calls: Sequence[Call], lasts: float = 0.0) -> None:
        """Make calls in order. What they press and do not release is remembered; all of it is released if one fails.

        Raises:
            EnvLost: the child has ended or does not answer. ActionRejected: PyAutoGUI refused a call.
        """
        answer = self._ask(calls, lasts)
        if "error" in answer:
            # How far it came is not known: whatever it would have pressed is released, too.
            self._held += [(UNDONE_BY[name], *arguments) for name, *arguments in calls if name in UNDONE_BY]
            self._release()
            raise ActionRejected(f"PyAutoGUI: {answer['error']}")
        for name, *arguments in calls:
            if name in UNDONE_BY:
                self._held.append((UNDONE_BY[name], *arguments))
            elif (name, *arguments) in self._held:
                self._held.remove((name, *arguments))

    def _release(self) -> None:
        held, self._held = self._held, []
        for call in reversed(held):
            self._ask([call], 0.0)

    def _ask(self, calls: Sequence[Call], lasts: float) -> dict[str, Any]:
        self._next += 1
        assert self._child.stdin is not None
        try:
            self._child.stdin.write(json.dumps({"id": self._next, "calls": calls}) + "\n")
            self._child.stdin.flush()
        except (OSError, ValueError) as error:
            raise EnvLost("the process with PyAutoGUI has ended") from error
        return self._answer(self._next, self._timeout + lasts)

    def _answer(self, number: int, seconds: float) -> dict[str, Any]:
        try:
            answer = self._answers.get(timeout=seconds)
        except queue.Empty:
            self._child.kill()
            raise EnvLost(f"PyAutoGUI has not answered for {seconds:.0f} s") from None
        if answer is None or answer["id"] != number:
            raise EnvLost("the process with PyAutoGUI has ended")
        return answer

    def _listen(self) -> None:
        for answer in self._lines():
            self._answers.put(answer)
        self._answers.put(None)

    def _lines(self) -> Iterator[dict[str, Any]]:
        assert self._child.stdout is not None
        with contextlib.suppress(OSError, ValueError):
            for line in self._child.stdout:
                yield json.loads(line)


def _presses(call: str, names: Iterable[str]) -> list[Call]:
    return [(call, name) for name in names]


def missing_words(python: str, problem: str) -> str:
    """That an interpreter has no PyAutoGUI, and how it gets one."""
    return (
        f"{python} has no PyAutoGUI: pip install {requirement('pyautogui')}, on Linux into an environment of its own "
        f"that {INTERPRETER} names by its interpreter ({problem})"
    )


def _cure(problem: str, python: str) -> str:
    if "No module named" in problem:
        return missing_words(python, problem)
    return f"PyAutoGUI finds no screen to work on ({problem})"
