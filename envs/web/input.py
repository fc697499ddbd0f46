"""Executing verbs with Playwright's mouse and keyboard. Pixels are CSS pixels."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from typing import Any

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
from omnipilot.envs.types.errors import ActionRejected
from omnipilot.envs.types.geometry import Point, Size
from omnipilot.envs.web.frames import fill_field, options_words
from omnipilot.envs.web.tabs import DialogOpened, Tab

NOTCH = 100.0
"""CSS pixels scrolled by one notch of the wheel."""
PAGE = 0.9
"""Share of the viewport scrolled by one page."""
TYPED = 500
"""Maximum length of texts typed key by key; longer ones are inserted at once, as if pasted."""

NAMES = {
    "ctrl": "Control",
    "alt": "Alt",
    "shift": "Shift",
    "meta": "Meta",
    "enter": "Enter",
    "esc": "Escape",
    "tab": "Tab",
    "space": "Space",
    "backspace": "Backspace",
    "delete": "Delete",
    "insert": "Insert",
    "home": "Home",
    "end": "End",
    "pageup": "PageUp",
    "pagedown": "PageDown",
    "up": "ArrowUp",
    "down": "ArrowDown",
    "left": "ArrowLeft",
    "right": "ArrowRight",
    "printscreen": "PrintScreen",
    "capslock": "CapsLock",
    "numlock": "NumLock",
    "scrolllock": "ScrollLock",
    "pause": "Pause",
    "menu": "ContextMenu",
    **{f"f{n}": f"F{n}" for n in range(1, 13)},
}


def playwright_key(name: str) -> str:
    """Playwright's name for a canonical key.

    Raises:
        ActionRejected: a browser's keyboard does not have the key.
    """
    if name in NAMES:
        return NAMES[name]
    if len(name) == 1 and name.isascii():
        return name
    raise ActionRejected(f"this keyboard has no key {name!r}; to write a character, type it as text")


class TabInput:
    """The mouse and keyboard of one tab."""

    def __init__(self, tab: Tab, size: Size) -> None:
        self._tab = tab
        self._size = size
        self._mouse: Any = tab.page.mouse
        self._keys: Any = tab.page.keyboard

    def click(self, action: Click[Point]) -> None:
        with self._held(action.modifiers):
            self._mouse.click(*self._at(action.at), button=action.button, click_count=action.count)

    def long_press(self, action: LongPress[Point]) -> None:
        self._mouse.move(*self._at(action.at))
        with self._button("left"):
            self._tab.page.wait_for_timeout(action.seconds * 1000)

    def move(self, action: MouseMove[Point]) -> None:
        self._mouse.move(*self._at(action.at))

    def mouse_down(self, action: MouseDown[Point]) -> None:
        self._mouse.move(*self._at(action.at))
        self._mouse.down(button=action.button)

    def mouse_up(self, action: MouseUp[Point]) -> None:
        self._mouse.move(*self._at(action.at))
        self._mouse.up(button=action.button)

    def drag(self, action: Drag[Point]) -> None:
        self._mouse.move(*self._at(action.start))
        with self._button(action.button):
            for point in (*action.path, action.end):
                # Several moves on the way: pages do not recognise a single jump as a drag.
                self._mouse.move(*self._at(point), steps=5)

    def scroll(self, action: Scroll[Point]) -> None:
        across = action.direction in ("left", "right")
        side = self._size.width if across else self._size.height
        distance = action.amount * {"notch": NOTCH, "px": 1.0, "page": PAGE * side}[action.unit]
        if action.direction in ("left", "up"):
            distance = -distance
        self._mouse.move(*self._at(action.at or Point(0.5, 0.5)))
        self._mouse.wheel(distance if across else 0.0, 0.0 if across else distance)

    def type(self, action: TypeText[Point]) -> None:
        answer = fill_field(self._tab, self._at(action.at) if action.at else None, action.text, action.clear)
        if "problem" in answer and answer.get("list"):
            raise ActionRejected(
                f"{answer['problem']}: {action.text!r:.60}; type or select one of what the list has: "
                f"{options_words(answer['options'])}"
            )
        if "problem" in answer:
            raise ActionRejected(f"{answer['problem']}, not {action.text!r:.60}")
        if "done" not in answer:
            self._type_keys(action)
            dropped = answer.get("number") and action.text and not action.submit
            if dropped and (problem := self._tab.call("untaken")):
                raise ActionRejected(f"{problem}; it holds nothing of {action.text!r:.60}")
        # A list that has been chosen from has nothing to enter: the key would open it.
        if action.submit and not answer.get("list"):
            self._keys.press("Enter")

    def _type_keys(self, action: TypeText[Point]) -> None:
        if action.at is not None:
            self._mouse.click(*self._at(action.at))
        if action.clear:
            self._keys.press("Control+A")
            self._keys.press("Delete")
        if len(action.text) <= TYPED:
            self._keys.type(action.text)
        else:
            self._keys.insert_text(action.text)

    def press(self, action: Press) -> None:
        names = [playwright_key(name) for name in action.keys]
        for _ in range(action.repeat):
            with self._down(names):
                if action.seconds is not None:
                    self._tab.page.wait_for_timeout(action.seconds * 1000)

    def key_down(self, action: KeyDown) -> None:
        for name in [playwright_key(name) for name in action.keys]:
            self._keys.down(name)

    def key_up(self, action: KeyUp) -> None:
        for name in [playwright_key(name) for name in action.keys]:
            self._keys.up(name)

    def _at(self, point: Point | None) -> tuple[int, int]:
        if point is not None:
            self._tab.cursor = point.to_pixel(self._size)
        return self._tab.cursor

    @contextmanager
    def _held(self, modifiers: tuple[str, ...]) -> Iterator[None]:
        with self._down([NAMES[name] for name in modifiers]):
            yield

    @contextmanager
    def _button(self, button: str) -> Iterator[None]:
        with self._released(partial(self._mouse.up, button=button)):
            self._mouse.down(button=button)
            yield

    @contextmanager
    def _down(self, names: list[str]) -> Iterator[None]:
        with ExitStack() as stack:
            for name in names:
                stack.enter_context(self._released(partial(self._keys.up, name)))
                self._keys.down(name)
            yield

    @contextmanager
    def _released(self, release: Callable[[], None]) -> Iterator[None]:
        """Release a key or button in the end; if a dialog holds the page, when that has been answered."""
        try:
            yield
        except DialogOpened:
            self._tab.unreleased.append(release)
            raise
        except BaseException:
            release()
            raise
        release()
