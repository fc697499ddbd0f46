"""Calls of pyautogui and pyperclip, carried out on a desktop of ours."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from omnipilot.envs import (
    Action,
    ActionRejected,
    Click,
    Drag,
    Env,
    KeyDown,
    KeyUp,
    MouseDown,
    MouseMove,
    MouseUp,
    Point,
    Press,
    Scroll,
    Size,
    TypeText,
)

BUTTONS = {"primary": "left", "secondary": "right", 1: "left", 2: "middle", 3: "right"}
LONGEST = 60.0
"""Seconds that a pause between calls may last."""


class Hands:
    """The functions of pyautogui, each an action or a few of them; how long a movement takes is not theirs to say.

    Args:
        env: the desktop. clipboard: puts text on it, None where there is none; `paste` reads it.
    """

    def __init__(
        self,
        env: Env,
        copy: Callable[[str], None] | None = None,
        paste: Callable[[], str] | None = None,
    ) -> None:
        self._env = env
        self._copy, self._paste = copy, paste
        self._at: tuple[int, int] = (env.size.width // 2, env.size.height // 2)

    @property
    def screen(self) -> Size:
        """In pixels."""
        return self._env.size

    def call(self, name: str, given: Sequence[Any], named: Mapping[str, Any]) -> Any:
        """Call a function of pyautogui, or "copy" or "paste" of pyperclip.

        Raises:
            ActionRejected: there is no such function here, or it cannot be done.
        """
        function = getattr(self, f"do_{name}", None)
        if function is None:
            raise ActionRejected(f"pyautogui.{name} is not served here")
        try:
            return function(*given, **named)
        except (TypeError, ValueError) as error:
            raise ActionRejected(f"pyautogui.{name}: {error}") from None

    def do_position(self, x: Any = None, y: Any = None) -> list[int]:
        return list(self._at if x is None else (int(x), int(y)))

    def do_size(self) -> list[int]:
        return [self.screen.width, self.screen.height]

    def do_onScreen(self, x: Any, y: Any = None) -> bool:
        x, y = x if y is None else (x, y)
        return bool(0 <= x < self.screen.width and 0 <= y < self.screen.height)

    def do_sleep(self, seconds: float) -> None:
        threading.Event().wait(min(max(0.0, float(seconds)), LONGEST))

    def do_copy(self, text: Any) -> None:
        if self._copy is None:
            raise ActionRejected("this desktop has no clipboard to write to")
        self._copy(str(text))

    def do_paste(self) -> str:
        return self._paste() if self._paste is not None else ""

    def do_moveTo(self, x: Any = None, y: Any = None, duration: float = 0.0, *_: Any, **__: Any) -> None:  # noqa: ARG002
        self._act(MouseMove(self._place(x, y)))

    def do_moveRel(self, xOffset: Any = 0, yOffset: Any = 0, *_: Any, **__: Any) -> None:
        self.do_moveTo(self._at[0] + (xOffset or 0), self._at[1] + (yOffset or 0))

    def do_click(
        self,
        x: Any = None,
        y: Any = None,
        clicks: int = 1,
        interval: float = 0.0,  # noqa: ARG002
        button: Any = "left",
        **_: Any,
    ) -> None:
        at = self._place(x, y)
        left = int(clicks)
        while left > 0:
            self._act(Click(at, button=self._button(button), count=min(left, 3)))
            left -= 3

    def do_doubleClick(
        self,
        x: Any = None,
        y: Any = None,
        interval: float = 0.0,  # noqa: ARG002
        button: Any = "left",
        **_: Any,
    ) -> None:
        self.do_click(x, y, 2, button=button)

    def do_tripleClick(
        self,
        x: Any = None,
        y: Any = None,
        interval: float = 0.0,  # noqa: ARG002
        button: Any = "left",
        **_: Any,
    ) -> None:
        self.do_click(x, y, 3, button=button)

    def do_leftClick(self, x: Any = None, y: Any = None, **_: Any) -> None:
        self.do_click(x, y)

    def do_rightClick(self, x: Any = None, y: Any = None, **_: Any) -> None:
        self.do_click(x, y, button="right")

    def do_middleClick(self, x: Any = None, y: Any = None, **_: Any) -> None:
        self.do_click(x, y, button="middle")

    def do_mouseDown(self, x: Any = None, y: Any = None, button: Any = "left", **_: Any) -> None:
        self._act(MouseDown(self._place(x, y), button=self._button(button)))

    def do_mouseUp(self, x: Any = None, y: Any = None, button: Any = "left", **_: Any) -> None:
        self._act(MouseUp(self._place(x, y), button=self._button(button)))

    def do_dragTo(
        self,
        x: Any = None,
        y: Any = None,
        duration: float = 0.0,  # noqa: ARG002
        tween: Any = None,  # noqa: ARG002
        button: Any = "left",
        **_: Any,
    ) -> None:
        start = self._point(self._at)
        self._act(Drag(self._place(x, y), start, button=self._button(button)))

    def do_dragRel(
        self,
        xOffset: Any = 0,
        yOffset: Any = 0,
        duration: float = 0.0,  # noqa: ARG002
        tween: Any = None,  # noqa: ARG002
        button: Any = "left",
        **_: Any,
    ) -> None:
        self.do_dragTo(self._at[0] + (xOffset or 0), self._at[1] + (yOffset or 0), button=button)

    do_move = do_moveRel
    do_drag = do_dragRel

    def do_scroll(self, clicks: float, x: Any = None, y: Any = None, **_: Any) -> None:
        self._scroll("up" if clicks > 0 else "down", clicks, x, y)

    do_vscroll = do_scroll

    def do_hscroll(self, clicks: float, x: Any = None, y: Any = None, **_: Any) -> None:
        self._scroll("right" if clicks > 0 else "left", clicks, x, y)

    def do_write(self, message: Any, interval: float = 0.0, **_: Any) -> None:  # noqa: ARG002
        if isinstance(message, str):
            if message:
                self._act(TypeText(message))
            return
        for key in message:
            self.do_press(key)

    do_typewrite = do_write

    def do_press(self, keys: Any, presses: int = 1, interval: float = 0.0, **_: Any) -> None:  # noqa: ARG002
        for _round in range(int(presses)):
            for key in [keys] if isinstance(keys, str) else keys:
                self._act(Press((str(key),)))

    def do_hotkey(self, *keys: Any, **_: Any) -> None:
        flat = [key for one in keys for key in (one if isinstance(one, list | tuple) else [one])]
        self._act(Press(tuple(map(str, flat))))

    def do_keyDown(self, key: str, **_: Any) -> None:
        self._act(KeyDown((key,)))

    def do_keyUp(self, key: str, **_: Any) -> None:
        self._act(KeyUp((key,)))

    def _scroll(self, direction: Any, clicks: float, x: Any, y: Any) -> None:
        if clicks:
            self._act(Scroll(direction, self._place(x, y), abs(float(clicks))))

    def _act(self, action: Action) -> None:
        self._env.act(action)

    def _place(self, x: Any, y: Any) -> Point:
        """A place in pixels, or where the pointer is; the pointer is there afterwards."""
        if isinstance(x, list | tuple):
            x, y = x[0], x[1]
        width, height = self.screen.width, self.screen.height
        left = self._at[0] if x is None else int(x)
        top = self._at[1] if y is None else int(y)
        self._at = (min(max(left, 0), width - 1), min(max(top, 0), height - 1))
        return self._point(self._at)

    def _point(self, at: tuple[int, int]) -> Point:
        return Point((at[0] + 0.5) / self.screen.width, (at[1] + 0.5) / self.screen.height)

    def _button(self, button: Any) -> Any:
        return BUTTONS.get(button, button)
