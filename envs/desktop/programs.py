"""The programs that desktops are known to run well, and how each is started."""

from __future__ import annotations

import difflib
import shutil
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from omnipilot.envs.types.errors import ConfigError

PATH = "/usr/local/bin:/usr/bin:/bin:/usr/games:/usr/sbin:/sbin"
WINDOW_MANAGERS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "xfwm4": ("xfwm4", "--compositor=off"),
        "jwm": ("jwm",),
        "openbox": ("openbox",),
        "matchbox-window-manager": ("matchbox-window-manager",),
    }
)
"""Window managers by the name of their Debian package."""


@dataclass(frozen=True, slots=True)
class Program:
    """One program.

    Attributes:
        kind: what it is for, in a word or two: a name that several share.
        command: its command line. package: of Debian.
        environment: variables that it needs. files: in its home, before its first start, by their path.
    """

    name: str
    kind: str
    command: tuple[str, ...]
    package: str = ""
    environment: Mapping[str, str] = field(default_factory=dict)
    files: Mapping[str, str] = field(default_factory=dict)

    @property
    def packages(self) -> str:
        """What to install."""
        return self.package or self.name


MPV = {".config/mpv/mpv.conf": "vo=x11\nao=pulse\n"}

PROGRAMS: Mapping[str, Program] = MappingProxyType(
    {
        program.name: program
        for program in (
            Program("mousepad", "editor", ("mousepad", "--disable-server")),
            Program("featherpad", "editor", ("featherpad", "--standalone")),
            Program("pcmanfm-qt", "files", ("pcmanfm-qt", "--new-window")),
            Program("thunar", "files", ("thunar",)),
            Program("galculator", "calculator", ("galculator",)),
            Program("kcalc", "calculator", ("kcalc",)),
            Program("eog", "image viewer", ("eog",)),
            Program("evince", "document viewer", ("evince",)),
            Program("mpv", "player", ("mpv", "--force-window", "--idle"), "mpv mpv-mpris", files=MPV),
            Program("celluloid", "player", ("celluloid", "--new-window"), files=MPV),
            Program("gnumeric", "sheets", ("gnumeric",)),
            Program("xfce4-terminal", "terminal", ("xfce4-terminal", "--disable-server")),
            Program("claws-mail", "mail", ("claws-mail",)),
            Program(
                "chromium",
                "browser",
                ("chromium", "--no-first-run", "--disable-gpu", "--force-renderer-accessibility"),
            ),
            Program("firefox", "browser", ("firefox-esr", "--no-remote"), "firefox-esr"),
        )
    }
)


def installed(program: str) -> bool:
    """Whether a program is on this machine."""
    return shutil.which(program, path=PATH) is not None


def find_program(name: str) -> Program:
    """A known and installed program.

    Raises:
        ConfigError: it is unknown, or not installed; the message names its package.
    """
    program = PROGRAMS.get(name)
    if program is None:
        near = difflib.get_close_matches(name, PROGRAMS, 1)
        hint = f"did you mean {near[0]!r}?" if near else f"known are {', '.join(PROGRAMS)}"
        raise ConfigError(f"unknown program {name!r}; {hint}")
    if not installed(program.command[0]):
        raise ConfigError(f"{program.command[0]} is not installed; run as root: apt install {program.packages}")
    return program
