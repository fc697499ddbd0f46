"""Commands that show the screen: `screencap`, `wm`, `uiautomator`."""

from __future__ import annotations

from omnipilot.envs.sim.adb.pictures import raw_screencap
from omnipilot.envs.sim.adb.process import Call, Command, flags
from omnipilot.envs.types.geometry import Size

MOST_SIDE = 4096


async def _screencap(call: Call) -> int:
    try:
        options, operands = flags(call.args, "d", "ph")
    except ValueError as problem:
        return await call.fail(str(problem))
    if "h" in options:
        await call.complain("usage: screencap [-hp] [-d display-id] [FILENAME]")
        return 1
    picture = call.phone.picture()
    name = operands[0] if operands else ""
    data = picture.png() if "p" in options or name.endswith(".png") else raw_screencap(picture)
    if not name or name == "-":
        await call.out.write(data)
        return 0
    call.phone.files.write(call.shell.path(name), data, call.phone.unix())
    return 0


async def _wm(call: Call) -> int:
    phone, args = call.phone, call.args
    verb, rest = (args[0], args[1:]) if args else ("", [])
    display = phone.display
    if verb == "size":
        if not rest:
            lines = f"Physical size: {display.panel}"
            return await _said(call, lines + (f"\nOverride size: {display.override}" if display.override else ""))
        if rest[0] == "reset":
            phone.note(override=None)
            return 0
        width, _, height = rest[0].partition("x")
        if not (width.isdecimal() and height.isdecimal() and all(72 <= int(n) <= MOST_SIDE for n in (width, height))):
            await call.complain(f"Error: bad size {rest[0]}")
            return 255
        size = Size(int(width), int(height))
        phone.note(override=None if size == display.panel else size)
        return 0
    if verb == "density":
        if not rest:
            lines = f"Physical density: {display.panel_dots}"
            return await _said(call, lines + (f"\nOverride density: {display.density}" if display.density else ""))
        if rest[0] == "reset":
            phone.note(density=None)
        elif rest[0].isdecimal() and 72 <= int(rest[0]) <= 2000:
            phone.note(density=int(rest[0]))
        else:
            await call.complain("Error: density must be >= 72")
            return 255
        return 0
    if verb in ("user-rotation", "set-user-rotation"):
        if not rest:
            return await _said(call, f"lock {display.rotation}" if phone.locked_rotation else "free")
        if rest[0] == "free":
            phone.turn(None)
        elif rest[0] == "lock" and rest[1:2] and rest[1] in ("0", "1", "2", "3"):
            phone.turn(int(rest[1]))
        else:
            await call.complain("Error: expecting 'free' or 'lock ROTATION'")
            return 255
        return 0
    if verb == "dismiss-keyguard":
        return 0
    await call.complain(f"Unknown command: {verb}" if verb else "Window manager (window) commands: size, density, …")
    return 255


async def _said(call: Call, text: str) -> int:
    await call.say(text)
    return 0


COMMANDS: dict[str, Command] = {"screencap": _screencap, "wm": _wm}
