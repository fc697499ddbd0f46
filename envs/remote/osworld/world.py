"""A desktop in a virtual machine, through the server that OSWorld or WindowsAgentArena runs in it."""

from __future__ import annotations

import base64
import secrets
import threading
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Literal, cast

from omnipilot.envs.base import Capability, Env, Thinking, World
from omnipilot.envs.clock import WallClock
from omnipilot.envs.remote.connection import option_mistakes
from omnipilot.envs.remote.osworld.accessibility import AccessibilityTree, BadTree, read_tree
from omnipilot.envs.remote.osworld.machine import EXECUTE_SECONDS, Machine, last_line
from omnipilot.envs.remote.osworld.pyautogui_lines import (
    CLIPBOARD,
    PREFIX,
    SECONDS_A_CHARACTER,
    VERBS,
    Platform,
    line_for,
)
from omnipilot.envs.remote.reset_command import run_reset_command
from omnipilot.envs.requirements import failed_checks, listens
from omnipilot.envs.types.actions import Action, Custom
from omnipilot.envs.types.custom import CustomVerb
from omnipilot.envs.types.errors import ActionRejected, ConfigError, EnvLost
from omnipilot.envs.types.geometry import Size
from omnipilot.envs.types.media import Image
from omnipilot.envs.types.observation import Absent, Context, Elements, Modality, Observation

FROZEN = Thinking()
LARGEST_PICTURE = 34_000_000
"""Maximum pixels of a screenshot."""
LONGEST_TOLD = 4000
"""Characters of what a verb of the machine's own returned that are told."""
LOOK_AGAIN = 0.2
"""Seconds between two looks at a screen that may still be changing."""
RESTORE_SECONDS = 600.0
"""Seconds for a machine to be restored, and then to answer again."""
_PLATFORMS: Mapping[str, Platform] = {"linux": "linux", "windows": "windows", "darwin": "macos"}


class OSWorldEnv(Env):
    """The desktop of a machine that runs OSWorld's server.

    Sound and video are not supported. Each action is
    one line of pyautogui, sent once. Text with characters that pyautogui cannot type goes through the clipboard, whose
    content it replaces.

    Args:
        machine: where it is.
        name: of the environment.
        clock: seconds on the world's clock.
        settle: maximum seconds to wait after an action until two screenshots are equal.
        cap: maximum number of elements.
        python: the program that runs a line.

    Raises:
        EnvLost: the machine does not answer.
    """

    name: str
    size: Size
    verbs: frozenset[str]
    capabilities = frozenset({Capability.UI_TREE, Capability.FILES, Capability.SHELL})

    def __init__(
        self,
        machine: Machine,
        name: str = "desktop",
        clock: Callable[[], float] = time.monotonic,
        *,
        settle: float = 2.0,
        cap: int = 1000,
        python: str = "python",
    ) -> None:
        self.name = name
        self._machine = machine
        self._clock = clock
        self._settle = settle
        self._cap = cap
        self._python = python
        self.verbs = VERBS
        self.custom: Mapping[str, CustomVerb] = {}
        self._answer = ""
        self.meet()

    @property
    def platform(self) -> Literal["desktop"]:
        """The kind of device."""
        return "desktop"

    def meet(self, seconds: float | None = None) -> None:
        """Wait until the machine answers with a screenshot, and learn its system and size.

        Raises:
            EnvLost: it does not, within `seconds` (default: the machine's timeout).
        """
        self.size = self._shoot(seconds).size
        told = self._machine.read("GET", "/platform").body[:100].decode("utf-8", "replace").strip().strip('"').lower()
        self.system: Platform = _PLATFORMS.get(told, "linux")
        self._screen = self._read_screen_size()

    def _read_screen_size(self) -> Size:
        """The screen in the units of pyautogui and of the tree; a screenshot may have more pixels."""
        if self.system == "macos":
            # There the server does not tell.
            return self.size
        said = self._machine.read_json("POST", "/screen_size", {})
        try:
            return Size(said["width"], said["height"])
        except (KeyError, TypeError, ValueError):
            raise EnvLost(f"the machine at {self._machine.url} told no size of its screen") from None

    def observe(self, modalities: Collection[Modality], since: float) -> Observation:  # noqa: ARG002
        """The screen as it is now.

        Raises:
            EnvLost: the machine does not answer.
        """
        now = self._clock()
        seen: dict[str, Any] = {
            modality.value: Absent("unsupported" if modality in modalities else "unasked") for modality in Modality
        }
        if Modality.SCREENSHOT in modalities:
            picture = self._shoot()
            self.size = picture.size
            seen["screenshot"] = picture.at(self.name, now)
        if {Modality.ELEMENTS, Modality.CONTEXT} & set(modalities):
            try:
                tree = self._tree(self._cap)
            except BadTree as error:
                tree = None
                problem = Absent("failed", f"the machine's accessibility tree cannot be read: {error}")
            if Modality.ELEMENTS in modalities:
                seen["elements"] = problem if tree is None else tree.elements
            if Modality.CONTEXT in modalities:
                seen["context"] = problem if tree is None else self._with_answer(self._context(tree))
        return Observation(self.name, now, self.size, **seen)

    def _context(self, tree: AccessibilityTree) -> Context:
        return Context(tree.application, tree.title)

    def _with_answer(self, context: Context) -> Context:
        """The context with what the last verb of the machine's own returned, after the title."""
        return replace(context, title=f"{context.title} ({self._answer})") if self._answer else context

    def _tree(self, cap: int) -> AccessibilityTree:
        said = self._machine.read_json("GET", "/accessibility")
        if not isinstance(said.get("AT"), str):
            raise BadTree("there is none")
        return read_tree(said["AT"], self._screen, cap)

    def _shoot(self, seconds: float | None = None) -> Image:
        file = self._machine.read("GET", "/screenshot", seconds=seconds).body
        return self._picture(file)

    def _picture(self, file: bytes) -> Image:
        picture = Image.encoded(file, self.name, 0.0, f"the screenshot of {self._machine.url}")
        if picture.size.pixels > LARGEST_PICTURE:
            raise EnvLost(f"the screenshot of {self._machine.url} has {picture.size} pixels")
        return picture

    def act(self, action: Action) -> None:
        """Send one action, once, and return when the screen has settled or the time for that has passed.

        Raises:
            ActionRejected: it cannot be done this way; nothing was sent, or the clipboard was missing.
            EnvLost: the machine does not confirm it, or reports an error in the middle of it.
        """
        self._answer = ""
        if isinstance(action, Custom):
            self._call(action)
            self.settle()
            return
        line = PREFIX + line_for(action, self._screen, self.system)
        error = self._run(line, _lasts(action))
        if CLIPBOARD in error:
            raise ActionRejected(
                f"{self.name} cannot type these characters, because its clipboard does not work: {last_line(error)}"
            )
        if error:
            raise EnvLost(f"the machine at {self._machine.url} failed to {action.kind}: {last_line(error)}")
        self.settle()

    def offer(self, tools: Mapping[str, CustomVerb]) -> None:
        """Add verbs that the machine has beside mouse and keyboard; what one returns is told with the next context."""
        self.custom = dict(tools)
        self.verbs = VERBS | {"custom"} if tools else VERBS

    def _call(self, action: Custom) -> None:
        verb = self.custom.get(action.name)
        if verb is None:
            raise ActionRejected(f"{self.name} has no verb {action.name!r}; it adds {', '.join(self.custom) or 'none'}")
        bound = verb.bind(action.arguments)
        said = verb.call(*bound.args, **bound.kwargs)
        self._answer = f"{action.name} answered: {said}"[:LONGEST_TOLD] if said else ""

    def _run(self, line: str, lasts: float) -> str:
        """Run a line of Python; returns what went wrong, or ""."""
        said = self._machine.execute([self._python, "-c", line], lasts)
        if said.get("returncode", 0) == 0 and said.get("status") != "error":
            return ""
        return str(said.get("error") or said.get("message") or "no reason")

    def settle(self) -> None:
        """Return when two screenshots are equal, or after the time for that."""
        deadline = time.monotonic() + self._settle
        before = ""
        while time.monotonic() < deadline:
            digest = self._shoot().digest
            if digest == before:
                return
            before = digest
            threading.Event().wait(LOOK_AGAIN)

    def ui_tree(self) -> Elements:
        """Every element that the tree has on the screen.

        Raises:
            EnvLost: the tree cannot be read.
        """
        try:
            return self._tree(0).elements
        except BadTree as error:
            raise EnvLost(f"the accessibility tree of {self._machine.url} cannot be read: {error}") from None

    def read_file(self, path: str) -> bytes:
        """Content of a file of the machine; raises FileNotFoundError if there is none."""
        return self._machine.file(path)

    def shell(self, command: str, timeout: float) -> str:
        """Standard output of a command in the machine's shell.

        Raises:
            EnvLost: the machine does not answer.
        """
        return str(self._machine.execute(command, timeout, shell=True).get("output", ""))

    def mark(self) -> str:
        """Put an empty file into the home folder, by which `marked` tells whether this is still the same machine."""
        name = f".omnipilot-{secrets.token_hex(8)}"
        self._machine.execute([self._python, "-c", f"import os; open(os.path.expanduser('~/{name}'), 'w').close()"])
        if not self.marked(name):
            raise EnvLost(f"the machine at {self._machine.url} cannot keep a file, so no restore can be checked")
        return name

    def marked(self, name: str) -> bool:
        """Whether the file of `mark` is there."""
        line = f"import os; print(os.path.exists(os.path.expanduser('~/{name}')))"
        said = str(self._machine.execute([self._python, "-c", line]).get("output", "")).strip()
        if said not in ("True", "False"):
            raise EnvLost(f"the machine at {self._machine.url} does not tell which files it has: {last_line(said)}")
        return said == "True"

    def close(self) -> None:
        """Close the connections; the machine goes on. May be called twice."""
        self._machine.close()


class WindowsAgentArenaEnv(OSWorldEnv):
    """The desktop of a machine that runs WindowsAgentArena's server: lines run inside it (`/execute_windows`)."""

    def meet(self, seconds: float | None = None) -> None:
        """Wait until the machine says that it is ready; then see `OSWorldEnv.meet`."""
        self._machine.read("GET", "/probe", seconds=seconds)
        super().meet(seconds)

    def _run(self, line: str, lasts: float) -> str:
        answer = self._machine.send("/execute_windows", {"command": line}, EXECUTE_SECONDS + lasts)
        said = self._machine.json_of("/execute_windows", answer)
        if answer.status == 200 and said.get("status") != "error":
            return ""
        return str(said.get("message") or said.get("error") or "no reason")

    def _context(self, tree: AccessibilityTree) -> Context:
        told = self._told()
        clipboard = str(told.get("computer_clipboard") or "")[:2000]
        return Context(tree.application, str(told.get("window_title") or "")[:500], clipboard=clipboard)

    def clipboard(self) -> str:
        """The text on the clipboard."""
        return str(self._told().get("computer_clipboard") or "")

    def foreground(self) -> Image:
        """The picture of the window in front.

        Raises:
            EnvLost: there is none.
        """
        try:
            return self._picture(base64.b64decode(str(self._told().get("image")), validate=True))
        except ValueError:
            raise EnvLost(f"the machine at {self._machine.url} sent no picture of its front window") from None

    def _told(self) -> Mapping[str, Any]:
        return self._machine.read_json("GET", "/obs_winagent")


class OSWorldWorld(World):
    """One machine that runs OSWorld's server, as a world in real time.

    Args:
        url: such as "http://192.168.122.10:5000". The server asks for no password: reach it through a network that
            nobody else is on, or a tunnel.
        thinking: only recorded; the machine runs by itself.
        clock: of the world that this one is part of, which restarts it; by default it has a clock of its own.
        timeout: seconds for each read.
        settle: maximum seconds to wait after an action until the screen is still.
        reset_command: run on this machine at the start of each reset, to restore the other one, such as
            ["virsh", "snapshot-revert", "VM", "clean"]; the reset fails if a file that was written just before it is
            still there. Without it, a reset changes nothing on the machine.
        reset_seconds: how long the command, and then the restored machine's start, may take.
        python: the program that runs a line in the machine.

    Raises:
        ConfigError: the URL is wrong.
        EnvLost: the machine does not answer.
    """

    env_class: type[OSWorldEnv] = OSWorldEnv

    @staticmethod
    def lacking(options: Mapping[str, Any]) -> list[str]:
        """What it needs and does not find: a server, unless a command restores its machine first."""
        url = options.get("url", "")
        return failed_checks(*([] if options.get("reset_command") else [partial(listens, url)]))

    def __init__(
        self,
        url: str,
        thinking: Thinking = FROZEN,
        clock: WallClock | None = None,
        *,
        timeout: float = 30.0,
        settle: float = 2.0,
        reset_command: Sequence[str] = (),
        reset_seconds: float = RESTORE_SECONDS,
        python: str = "python",
    ) -> None:
        if isinstance(reset_command, str):
            raise ConfigError("a reset command is a list: a program and its arguments")
        self.thinking = thinking
        self._reset_command = tuple(reset_command)
        self._reset_seconds = reset_seconds
        self._own_clock = clock is None
        self._clock = clock or WallClock()
        self._machine = Machine(url, timeout)
        self.desktop = self.env_class(self._machine, clock=lambda: self.now, settle=settle, python=python)

    @classmethod
    def option_mistakes(cls, options: Mapping[str, Any]) -> Iterator[str]:
        """An address that is none, and files that are not there; see `World.option_mistakes`."""
        return option_mistakes(options)

    @property
    def envs(self) -> Mapping[str, OSWorldEnv]:
        """The desktop, by its name."""
        return {self.desktop.name: self.desktop}

    @property
    def now(self) -> float:
        """Wall seconds since the last reset."""
        return self._clock.now

    def reset(self, instance: int) -> None:  # noqa: ARG002
        """Restore the machine, if there is a command for that; what it holds does not depend on `instance`.

        Raises:
            EnvLost: the command failed, the machine does not answer, or it was not restored.
        """
        if self._reset_command:
            mark = self.desktop.mark()
            run_reset_command(self._reset_command, self._reset_seconds)
            self._machine.close()
            self.desktop.meet(self._reset_seconds)
            if self.desktop.marked(mark):
                raise EnvLost(
                    f"the reset command succeeded, but {self._machine.url} was not restored: a file that was written "
                    "before is still there"
                )
        else:
            self.desktop.meet()
        if self._own_clock:
            self._clock.restart()

    def wait(self, seconds: float) -> None:
        """Wait in real time."""
        threading.Event().wait(seconds)

    def think(self, measured: float) -> None:
        """Do nothing: the machine kept running."""

    def close(self) -> None:
        """Close the connections; the machine goes on. May be called twice."""
        self.desktop.close()


class WindowsAgentArenaWorld(OSWorldWorld):
    """One machine that runs WindowsAgentArena's server; see `OSWorldWorld`."""

    env_class = cast("type[OSWorldEnv]", WindowsAgentArenaEnv)


def _lasts(action: Action) -> float:
    """Seconds that an action lasts by itself."""
    seconds = getattr(action, "seconds", None) or 0.0
    return float(seconds * getattr(action, "repeat", 1) + len(getattr(action, "text", "")) * SECONDS_A_CHARACTER * 2)
