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
MANAGER_FILES: Mapping[str, str] = MappingProxyType(
    {
        ".config/xfce4/xfconf/xfce-perchannel-xml/xfwm4.xml": """<?xml version="1.0" encoding="UTF-8"?>
<channel name="xfwm4" version="1.0">
  <property name="general" type="empty">
    <property name="workspace_count" type="int" value="1"/>
    <property name="use_compositing" type="bool" value="false"/>
  </property>
</channel>
"""
    }
)
"""Their settings, by their path in the home: one workspace, so that no window can be on another."""
CALM_CARET = "[Settings]\ngtk-cursor-blink=0\n"
TOOLKIT_FILES: Mapping[str, str] = MappingProxyType(
    {".config/gtk-3.0/settings.ini": CALM_CARET, ".config/gtk-4.0/settings.ini": CALM_CARET}
)
"""Settings of GTK, by their path in the home: its text cursor does not blink, so that a resting screen stays equal."""


@dataclass(frozen=True, slots=True)
class Program:
    """One program.

    Attributes:
        name: by which it is asked for. kind: what it is for, in a word or two, which several share.
        title: what people call it.
        command: its command line. package: of Debian, if it is not `name`.
        environment: variables that it needs. files: in its home, before its first start, by their path.
    """

    name: str
    kind: str
    title: str
    command: tuple[str, ...]
    package: str = ""
    environment: Mapping[str, str] = field(default_factory=dict)
    files: Mapping[str, str] = field(default_factory=dict)

    @property
    def packages(self) -> str:
        """What to install."""
        return self.package or self.name


MPV = {".config/mpv/mpv.conf": "vo=x11\nao=pulse\n"}
"""Its usual video output needs a GPU."""
THUNAR = {
    ".config/xfce4/xfconf/xfce-perchannel-xml/thunar.xml": """<?xml version="1.0" encoding="UTF-8"?>
<channel name="thunar" version="1.0">
  <property name="last-view" type="string" value="ThunarDetailsView"/>
</channel>
"""
}
"""Its view of icons shows no names to assistive technology."""
FIREFOX = {"GNOME_ACCESSIBILITY": "1", "MOZ_CRASHREPORTER_DISABLE": "1"}

PROGRAMS: Mapping[str, Program] = MappingProxyType(
    {
        program.name: program
        for program in (
            Program("mousepad", "text editor", "Mousepad", ("mousepad", "--disable-server")),
            Program("featherpad", "text editor", "FeatherPad", ("featherpad", "--standalone")),
            Program("pcmanfm-qt", "file manager", "PCManFM-Qt", ("pcmanfm-qt", "--new-window")),
            Program("thunar", "file manager", "Thunar", ("thunar",), files=THUNAR),
            Program("galculator", "calculator", "galculator", ("galculator",)),
            Program("kcalc", "calculator", "KCalc", ("kcalc",)),
            Program("eog", "image viewer", "Eye of GNOME", ("eog", "--new-instance")),
            Program("evince", "document viewer", "Evince", ("evince",)),
            Program("mpv", "player", "mpv", ("mpv", "--force-window", "--idle"), "mpv mpv-mpris", files=MPV),
            Program("celluloid", "player", "Celluloid", ("celluloid", "--new-window"), files=MPV),
            Program("gnumeric", "spreadsheet", "Gnumeric", ("gnumeric",)),
            Program("xfce4-terminal", "terminal", "Xfce Terminal", ("xfce4-terminal", "--disable-server")),
            Program("claws-mail", "mail", "Claws Mail", ("claws-mail",)),
            Program(
                "chromium",
                "browser",
                "Chromium",
                (
                    "chromium",
                    "--no-first-run",
                    "--no-default-browser-check",
                    "--disable-gpu",
                    "--password-store=basic",
                    "--force-renderer-accessibility",
                ),
            ),
            Program(
                "firefox", "browser", "Firefox", ("firefox-esr", "--no-remote"), "firefox-esr", environment=FIREFOX
            ),
        )
    }
)


def is_installed(program: str) -> bool:
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
    if not is_installed(program.command[0]):
        raise ConfigError(f"{program.command[0]} is not installed; run as root: apt install {program.packages}")
    return program
