"""What the phone shows and sounds: `screencap`, `screenrecord`, `uiautomator`, `wm`, `soundcap`."""

from __future__ import annotations

import re

from omnipilot.envs.sim.adb.file_tree import FileError
from omnipilot.envs.sim.adb.hierarchy import screen_tree, to_xml
from omnipilot.envs.sim.adb.pictures import raw_screencap
from omnipilot.envs.sim.adb.process import Command, RunningCommand, flags
from omnipilot.envs.sim.adb.recording import LONGEST, STEP, ScreenRecording
from omnipilot.envs.types.geometry import Size

MOST_SIDE = 4096
MOST_SOUND = 600.0


async def _screencap(call: RunningCommand) -> int:
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


async def _wm(call: RunningCommand) -> int:
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


async def _said(call: RunningCommand, text: str) -> int:
    await call.say(text)
    return 0


async def _uiautomator(call: RunningCommand) -> int:
    if call.args[:1] != ["dump"]:
        await call.complain("Usage: uiautomator <subcommand> [options]\n  dump [--compressed] [FILE]")
        return 1
    names = [arg for arg in call.args[1:] if not arg.startswith("-")]
    name = names[0] if names else "/sdcard/window_dump.xml"
    tree = screen_tree(call.phone)
    xml = to_xml(tree, call.phone.display.rotation, "--compressed" in call.args)
    if name in ("/dev/tty", "/dev/stdout", "/proc/self/fd/1"):
        await call.out.write(xml.encode())
    else:
        try:
            call.phone.files.write(call.shell.path(name), xml.encode(), call.phone.unix())
        except FileError as error:
            await call.complain(f"java.io.FileNotFoundException: {name}: open failed: {error}")
            return 1
    # Android writes it like this.
    await call.say(f"UI hierchary dumped to: {name}")
    return 0


async def _screenrecord(call: RunningCommand) -> int:
    args, seconds, size, name = list(call.args), LONGEST, None, ""
    while args:
        arg = args.pop(0)
        option, equals, value = arg.partition("=")
        if option in ("--time-limit", "--size", "--bit-rate", "--output-format", "--display-id", "-d"):
            value = value if equals else args.pop(0) if args else ""
            match = re.fullmatch(r"(\d{1,5})x(\d{1,5})", value)
            if option == "--time-limit" and value.isdecimal() and len(value) < 5:
                seconds = min(float(value), LONGEST)
                if not seconds:
                    return await call.fail(f"time limit {value} is outside acceptable range [1,180]", 2)
            elif option == "--size" and match:
                size = Size(min(max(int(match[1]), 2), MOST_SIDE), min(max(int(match[2]), 2), MOST_SIDE))
            elif option in ("--time-limit", "--size"):
                return await call.fail(f"Invalid {option.lstrip('-')} '{value}'", 2)
        elif not arg.startswith("--"):
            name = arg
    if not name:
        await call.complain("Must specify output file (see --help).")
        return 2
    if name != "-":
        call.phone.files.check_write(call.shell.path(name))
    recording = ScreenRecording(call.phone, size, seconds)
    end = call.phone.now + seconds
    while not await call.pause(max(0.0, min(STEP, end - call.phone.now))) and call.phone.now < end:
        recording.advance()
    film = recording.finish()
    if name == "-":
        await call.out.write(film)
    else:
        call.phone.files.write(call.shell.path(name), film, call.phone.unix())
    return 0


async def _soundcap(call: RunningCommand) -> int:
    """`soundcap [-t SECONDS] [FILE]`: what the phone has sounded in the last seconds, as WAV.

    No command of Android's, where the sound of apps needs scrcpy; this phone keeps what it sounded.
    """
    try:
        options, operands = flags(call.args, "t")
        seconds = float(options.get("t", "5"))
        if not 0 < seconds <= MOST_SOUND:
            raise ValueError(f"-t takes seconds above 0, at most {MOST_SOUND:g}")
    except ValueError as problem:
        return await call.fail(str(problem))
    clip = call.phone.sound(seconds)
    if operands and operands[0] != "-":
        call.phone.files.write(call.shell.path(operands[0]), clip.wav(), call.phone.unix())
    else:
        await call.out.write(clip.wav())
    return 0


COMMANDS: dict[str, Command] = {
    "screencap": _screencap,
    "wm": _wm,
    "uiautomator": _uiautomator,
    "screenrecord": _screenrecord,
    "soundcap": _soundcap,
}
