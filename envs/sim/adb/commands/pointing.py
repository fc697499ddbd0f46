"""`input`: touches, text and keys."""

from __future__ import annotations

import math

from omnipilot.envs.sim.adb.keycodes import key_code
from omnipilot.envs.sim.adb.process import Command, RunningCommand
from omnipilot.envs.sim.adb.shell import STEPS_OF_COMMAND
from omnipilot.envs.sim.adb.touch import Touch

SOURCES = (
    "dpad",
    "keyboard",
    "mouse",
    "touchpad",
    "gamepad",
    "touchnavigation",
    "joystick",
    "touchscreen",
    "stylus",
    "trackball",
    "rotaryencoder",
)
USAGE = """Usage: input [<source>] [-d DISPLAY_ID] <command> [<arg>...]

The sources are:
      touchnavigation touchscreen touchpad joystick stylus gamepad dpad mouse keyboard trackball rotaryencoder

The commands and default sources are:
      text <string> (Default: touchscreen)
      keyevent [--longpress|--doubletap|--async] <key code number or name> ... (Default: keyboard)
      tap <x> <y> (Default: touchscreen)
      swipe <x1> <y1> <x2> <y2> [duration(ms)] (Default: touchscreen)
      draganddrop <x1> <y1> <x2> <y2> [duration(ms)] (Default: touchscreen)
      press (Default: trackball)
      roll <dx> <dy> (Default: trackball)
      motionevent <DOWN|UP|MOVE|CANCEL> <x> <y> (Default: touchscreen)
      scroll <x> <y> [--axis VSCROLL,value] (Default: mouse)
      keycombination [-t duration(ms)] <key code 1> <key code 2> ... (Default: keyboard)
"""
LONGEST = 60.0
MOST_TOGETHER = 20
"""Keys that are pressed together."""


def _numbers(texts: list[str], least: int, most: int) -> list[float]:
    """The numbers, of which there are `least` to `most`.

    Raises:
        ValueError: with the words of Android.
    """
    texts = [text for text in texts if text]
    if not least <= len(texts) <= most:
        raise ValueError(f"Invalid arguments for command: {' '.join(texts)}")
    found = []
    for text in texts:
        try:
            number = float(text)
        except ValueError:
            raise ValueError(f'java.lang.NumberFormatException: For input string: "{text}"') from None
        if not math.isfinite(number) or abs(number) > 1e6:
            raise ValueError(f'java.lang.NumberFormatException: For input string: "{text}"')
        found.append(number)
    return found


def _keys(texts: list[str]) -> list[int]:
    found = []
    for text in texts:
        code = key_code(text)
        if code is None:
            raise ValueError(f"Error: Unknown keycode: {text}")
        found.append(code)
    return found


async def _input(call: RunningCommand) -> int:
    args = list(call.args)
    if args and args[0] in SOURCES:
        args.pop(0)
    if args[:1] == ["-d"]:
        del args[:2]
    if not args:
        await call.say(USAGE)
        return 255
    verb, args = args[0], args[1:]
    touch = call.phone.touch
    try:
        if verb == "text":
            return await _text(call, touch, args)
        if verb == "keyevent":
            return await _keyevent(call, touch, args)
        if verb == "keycombination":
            if args[:1] == ["-t"]:
                del args[:2]
            touch.keys(_keys(args[:MOST_TOGETHER]))
        elif verb == "tap":
            x, y = _numbers(args, 2, 2)
            touch.tap(x, y)
        elif verb in ("swipe", "draganddrop"):
            x1, y1, x2, y2, *duration = _numbers(args, 4, 5)
            seconds = min(max(duration[0] if duration else 300.0, 0.0) / 1000, LONGEST)
            hold = verb == "draganddrop"
            await call.pause(seconds)
            touch.stroke([(x1, y1), (x2, y2)], seconds, hold or seconds >= 0.5)
        elif verb == "motionevent":
            kind = args[0].lower() if args else ""
            if kind not in ("down", "up", "move", "cancel"):
                raise ValueError(f"Unknown action: {kind.upper()}")
            x, y = _numbers(args[1:], 2, 2) if kind != "cancel" or args[1:] else (0.0, 0.0)
            touch.event(kind, x, y)
        elif verb == "scroll":
            return _scroll(touch, args)
        elif verb in ("roll", "press"):
            _numbers(args, 2, 2) if verb == "roll" else _numbers(args, 0, 0)
        else:
            await call.complain(f"Error: Unknown command: {verb}\n{USAGE}")
            return 255
    except ValueError as problem:
        await call.complain(str(problem))
        return 255
    return 0


async def _text(call: RunningCommand, touch: Touch, args: list[str]) -> int:
    if len(args) != 1:
        await call.complain("Error: Invalid arguments for command: text")
        return 255
    text = args[0].replace("%s", " ")
    if not text.isascii() or not all(char.isprintable() or char in "\n\t" for char in text):
        # Android knows no key for such a character, and gives up on the whole text.
        await call.complain(
            "\nException occurred while executing 'text':\n"
            "java.lang.NullPointerException: Attempt to get length of null array"
        )
        return 255
    touch.text(text[:10_000])
    return 0


async def _keyevent(call: RunningCommand, touch: Touch, args: list[str]) -> int:
    double = False
    while args and args[0].startswith("--"):
        double = double or args[0] == "--doubletap"
        args = args[1:]
    if not args:
        raise ValueError("Error: Invalid arguments for command: keyevent")
    for code in _keys(args):
        await call.work(STEPS_OF_COMMAND)
        for _ in range(2 if double else 1):
            touch.keys([code])
    return 0


def _scroll(touch: Touch, args: list[str]) -> int:
    x, y = _numbers(args[:2], 2, 2)
    value = 0.0
    rest = args[2:]
    if len(rest) >= 2 and rest[0] == "--axis":
        axis, _, number = rest[1].partition(",")
        value = _numbers([number or "1"], 1, 1)[0] if axis.upper() == "VSCROLL" else 0.0
    if value:
        touch.scroll(x, y, value)
    return 0


COMMANDS: dict[str, Command] = {"input": _input}
