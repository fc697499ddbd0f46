"""What judges read of a device: what the agent did there, its screen and context, and what its shell answers.

Everything is read when it is asked for, and nothing is kept: a judge sees the device as it is.
"""

from __future__ import annotations

import base64
import binascii
import shlex
from collections.abc import Iterator
from pathlib import PurePosixPath

from omnipilot.bench.judges.controls import read_controls
from omnipilot.bench.tasks.judges import Case, ExecutedAction
from omnipilot.envs import (
    Action,
    Capability,
    ConfigError,
    Context,
    Elements,
    Env,
    EnvLost,
    Image,
    Modality,
    Point,
)
from omnipilot.envs.android import DumpFailed, Foreground, UiNode, parse_foreground, parse_hierarchy
from omnipilot.envs.composite import CompositeWorld
from omnipilot.envs.types.element_reading import element_at
from omnipilot.memory.perception import shared_reader

PATIENCE = 30.0
"""Seconds for a command of a judge."""
LARGEST = 64 * 1024 * 1024
"""Bytes of a file that is read or downloaded."""
DUMP = "/data/local/tmp/omnipilot-judge.xml"
ABSENT = "omnipilot: no such command"


class DeviceEvidence:
    """One device of a case.

    Args:
        env: the device's name in the world; "" for that of a world that has only one. Without a name, what the agent
            did is what it did on all of them.
    """

    def __init__(self, case: Case, env: str = "") -> None:
        self.case = case
        self.env = env

    @property
    def device(self) -> Env:
        """The device.

        Raises:
            ConfigError: it has no name, and the world has several; or the world has none of that name.
        """
        envs = self.case.world.envs
        if not self.env and len(envs) == 1:
            return next(iter(envs.values()))
        if self.env not in envs:
            which = f"there is no device {self.env!r}" if self.env else "a check has to say which device it is about"
            raise ConfigError(f'{which}: give the evaluator, or the check, an "env", one of {", ".join(envs)}')
        return envs[self.env]

    def shell(self, command: str, *programs: str) -> str:
        """Standard output of a command on the device.

        Args:
            programs: what the command needs there.

        Raises:
            ConfigError: judges have no shell on this device, or it lacks one of the programs.
            EnvLost: the device is gone, or the command takes too long.
        """
        checks = "".join(
            f"command -v {name} >/dev/null || {{ echo '{ABSENT}' {name}; exit 0; }}; " for name in programs
        )
        try:
            said = self._run(checks + command)
        except TimeoutError as error:
            raise EnvLost(f"a judge's command on {self.env} took too long: {error}") from error
        if said.startswith(ABSENT):
            name = said.split()[-1]
            raise ConfigError(f"judges need {name} on the device {self.env!r}: install it there")
        return said

    def _run(self, command: str) -> str:
        world, env = self.case.world, self.device
        if Capability.SHELL in env.capabilities:
            return env.shell(command, PATIENCE)
        if isinstance(world, CompositeWorld):
            found: str | None = world.ask(
                env.name,
                lambda inner: inner.shell(command, PATIENCE) if Capability.SHELL in inner.capabilities else None,
            )
            if found is not None:
                return found
        elif Capability.SHELL in world.capabilities:
            return world.shell(command, PATIENCE)
        raise ConfigError(
            f"judges have no shell on the device {self.env!r}, which this one needs; a remote device gives one with "
            "`omnipilot env serve --allow-judges`"
        )

    def executed(self) -> tuple[ExecutedAction, ...]:
        """What the agent did on this device since the judge's group became active, in order, with the names of the
        controls."""
        done = self.case.actions[self.case.since :]
        return tuple(one for one in done if self.env in ("", one.env))

    def actions(self) -> tuple[Action, ...]:
        """The same without the names."""
        return tuple(one.action for one in self.executed())

    def elements(self) -> Elements:
        """The controls on the screen; none if the device shows none."""
        return read_controls(self.device)

    def screenshot(self) -> Image | None:
        """A screenshot taken now; None if the device gives none."""
        shot = self.device.observe({Modality.SCREENSHOT}, self.case.world.now).screenshot
        return shot if isinstance(shot, Image) else None

    def read_lines(self) -> list[str]:
        """The texts that can be read on a screenshot taken now, by line, from above.

        Raises:
            MissingExtra: the reader of texts is not installed.
        """
        shot = self.screenshot()
        return [] if shot is None else [one.name for one in shared_reader().read(shot).elements]

    def text_under_cursor(self) -> str:
        """The text of what lies where the agent pointed last; "" if it has pointed nowhere."""
        for action in reversed(self.actions()):
            at = getattr(action, "to", None) or getattr(action, "at", None)
            if isinstance(at, Point):
                control = element_at(self.elements(), at)
                return "" if control is None else " ".join(filter(None, (control.name, control.value)))
        return ""

    def context(self) -> Context:
        """The window in front and the clipboard; an empty context where they cannot be read."""
        found = self.device.observe({Modality.CONTEXT}, self.case.world.now).context
        return found if isinstance(found, Context) else Context()

    def clipboard(self) -> str:
        """The text on the clipboard, whole: as the world's state says, else the device, else a program of its shell."""
        if Capability.STATE in self.case.world.capabilities:
            held = getattr(getattr(self.case.state, self.device.name, None), "clipboard", None)
            if isinstance(held, str):
                return held
        told = self.context().clipboard
        if told is not None and len(told) < 2000:
            return told
        return self.shell(
            "if command -v xclip >/dev/null; then xclip -selection clipboard -o; else xsel --clipboard --output; fi "
            "2>/dev/null; true"
        )

    def front_process(self) -> str:
        """Name of the process whose window is in front, "" if it is not known; see proc(5), comm."""
        program = "xdotool getwindowfocus getwindowpid"
        said = self.shell(
            "if command -v xdotool >/dev/null; then "
            f"pid=$({program} 2>/dev/null); "
            "else id=$(xprop -root _NET_ACTIVE_WINDOW 2>/dev/null | sed 's/.*# *//; s/,.*//'); "
            "pid=$(xprop -id \"$id\" _NET_WM_PID 2>/dev/null | sed 's/.*= *//'); fi; "
            'case "$pid" in ""|*[!0-9]*) ;; *) ps -p "$pid" -ww -o comm:64= -o args= ;; esac; true'
        )
        return next((name for name in _process_names(said)), "")

    def process_names(self) -> list[str]:
        """Names of all running processes."""
        return list(_process_names(self.shell("ps -A -ww -o comm:64= -o args=", "ps")))

    def read_file(self, path: str) -> bytes | None:
        """Content of a file of at most `LARGEST` bytes, None if there is none."""
        for one in (self.device, self.case.world):
            if Capability.FILES in one.capabilities:
                try:
                    return one.read_file(path)
                except FileNotFoundError:
                    return None
        quoted = shlex.quote(path)
        small = f'[ "$(wc -c < {quoted})" -le {LARGEST} ]'
        said = self.shell(f"if [ -f {quoted} ] && {small}; then echo file; base64 {quoted}; fi", "base64")
        if not said.startswith("file"):
            return None
        try:
            return base64.b64decode(said.removeprefix("file"), validate=False)
        except binascii.Error:
            return None

    def is_file(self, path: str) -> bool:
        """Whether it is a regular file."""
        if any(Capability.FILES in one.capabilities for one in (self.device, self.case.world)):
            return self.read_file(path) is not None
        return self.shell(f"[ -f {shlex.quote(path)} ] && echo yes; true").strip() == "yes"

    def is_folder(self, path: str) -> bool:
        """Whether it is a directory."""
        return self.shell(f"[ -d {shlex.quote(path)} ] && echo yes; true").strip() == "yes"

    def names_in(self, folder: str, extension: str) -> frozenset[str]:
        """Names in a folder that end in .`extension`."""
        said = self.shell(f"ls -A {shlex.quote(folder)} 2>/dev/null; true")
        return frozenset(name for name in said.splitlines() if name.endswith(f".{extension}"))

    def setting(self, schema: str, key: str) -> str:
        """A value of GSettings, without quotes."""
        said = self.shell(f"gsettings get {shlex.quote(schema)} {shlex.quote(key)} 2>/dev/null; true", "gsettings")
        return said.strip().strip("'")

    def download(self, url: str) -> bytes | None:
        """What a web address gives to the device, which asks itself: an agent may have chosen the address. None for
        no web address, or for none that answers."""
        if not url.startswith(("http://", "https://")) or any(ord(one) <= 32 for one in url):
            return None
        quoted = shlex.quote(url)
        said = self.shell(
            "file=$(mktemp) || exit 0; if command -v curl >/dev/null; then curl -fsSL --max-time 20 "
            f"--max-filesize {LARGEST} --proto '=http,https' -o \"$file\" -- {quoted}; "
            f'else wget -q -T 20 -t 1 -O "$file" -- {quoted}; fi 2>/dev/null && '
            '{ echo file; base64 "$file"; }; rm -f "$file"',
            "base64",
        )
        return base64.b64decode(said.removeprefix("file"), validate=False) if said.startswith("file") else None

    def as_picture(self, path: str) -> bytes | None:
        """A picture file as it is; the first page of a document as a picture, drawn on the device."""
        if PurePosixPath(path).suffix.lower() in (".jpg", ".jpeg", ".png", ".bmp", ".tiff", ".gif", ".webp"):
            return self.read_file(path)
        quoted = shlex.quote(path)
        if PurePosixPath(path).suffix.lower() == ".pdf":
            draw = f'pdftoppm -png -r 100 -singlefile -- {quoted} "$to/page"'
            needs: tuple[str, ...] = ("pdftoppm", "base64")
        else:
            draw = f'timeout 25 soffice --headless --convert-to png --outdir "$to" -- {quoted}'
            needs = "soffice", "base64"
        said = self.shell(
            f'to=$(mktemp -d) || exit 0; {draw} >/dev/null 2>&1; for one in "$to"/*.png; do '
            '[ -f "$one" ] && echo file && base64 "$one"; break; done; rm -rf "$to"',
            *needs,
        )
        return base64.b64decode(said.removeprefix("file"), validate=False) if said.startswith("file") else None

    # Phones

    def foreground(self) -> Foreground:
        """What is in front on a phone, by `dumpsys activity activities`."""
        return parse_foreground(self.shell("dumpsys activity activities | grep ResumedActivity; true"))

    def nodes(self) -> list[UiNode]:
        """Every node of a phone's screen in document order, as uiautomator tells them; none if it tells nothing."""
        said = self.shell(
            f"rm -f {DUMP}; uiautomator dump {DUMP} >/dev/null 2>&1; cat {DUMP} 2>/dev/null; rm -f {DUMP}"
        )
        try:
            return list(_walk(parse_hierarchy(said).root))
        except DumpFailed:
            return []


def _walk(root: UiNode) -> Iterator[UiNode]:
    stack = [root]
    while stack:
        node = stack.pop()
        yield node
        stack.extend(reversed(node.children))


def _process_names(lines: str) -> Iterator[str]:
    """Names from lines of `ps -o comm:64= -o args=`: the kernel cuts names to 15 characters, the command line says the
    rest, as psutil has it."""
    for line in lines.splitlines():
        name, arguments = line[:64].strip(), line[64:].split()
        whole = PurePosixPath(arguments[0]).name if arguments else ""
        yield whole if len(name) >= 15 and whole.startswith(name) else name
