"""What stands for pyautogui and pyperclip in a served desktop: each call goes to the server.

This file is copied into the desktop's home and runs there with the system's Python: it imports the standard library
alone, and nothing of omnipilot.
"""

from __future__ import annotations

import json
import os
import socket
from collections import namedtuple
from collections.abc import Callable
from typing import Any

FAILSAFE = False
PAUSE = 0.0
Point = namedtuple("Point", "x y")
Size = namedtuple("Size", "width height")


class PyAutoGUIException(Exception):
    pass


class PyperclipException(RuntimeError):
    pass


def _call(name: str, given: Any, named: Any) -> Any:
    with socket.socket(socket.AF_UNIX) as line:
        line.connect(os.environ["OSWORLD_HANDS"])
        line.sendall(json.dumps({"do": name, "given": given, "named": named}, default=str).encode() + b"\n")
        said = b""
        while not said.endswith(b"\n"):
            part = line.recv(1 << 16)
            if not part:
                raise PyAutoGUIException("the desktop's server does not answer")
            said += part
    answer = json.loads(said)
    if "error" in answer:
        raise (PyperclipException if name in ("copy", "paste") else PyAutoGUIException)(answer["error"])
    return answer.get("value")


def position(x: Any = None, y: Any = None) -> Point:
    return Point(*_call("position", [x, y], {}))


def size() -> Size:
    return Size(*_call("size", [], {}))


resolution = size


def __getattr__(name: str) -> Callable[..., Any]:
    if name.startswith("_"):
        raise AttributeError(name)
    return lambda *given, **named: _call(name, given, named)
