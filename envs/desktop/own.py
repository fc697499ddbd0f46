"""The desktop that the user is sitting at."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from omnipilot.envs.desktop.address import DesktopAddress
from omnipilot.envs.types.errors import ConfigError


def own_desktop(environment: Mapping[str, str] | None = None) -> DesktopAddress:
    """The address of the desktop that this process belongs to, from its environment.

    The session bus and the sound server may be found at their usual places in XDG_RUNTIME_DIR.

    Raises:
        ConfigError: there is none, or it is not one of X11; the message says what to do instead.
    """
    said = os.environ if environment is None else environment
    display = said.get("DISPLAY", "")
    if not display:
        wayland = "a Wayland session without Xwayland" if said.get("WAYLAND_DISPLAY") else "no desktop"
        raise ConfigError(
            f"there is {wayland} here: DISPLAY is not set; start a private desktop with `omnipilot desktop up`, "
            "or set DISPLAY to the X server's, such as :0"
        )
    host = display.rpartition(":")[0]
    if ":" not in display or host not in ("", "unix", "localhost"):
        raise ConfigError(
            f"DISPLAY is {display!r}, and only displays of this machine, such as :0, can be operated; "
            "serve a desktop of another machine there, with `omnipilot env serve`"
        )
    runtime = Path(said.get("XDG_RUNTIME_DIR") or f"/run/user/{os.getuid()}")
    bus = said.get("DBUS_SESSION_BUS_ADDRESS") or _socket("unix:path=", runtime / "bus")
    pulse = said.get("PULSE_SERVER") or _socket("unix:", runtime / "pulse" / "native")
    return DesktopAddress(
        display=display,
        session_bus=bus,
        pulse=pulse,
        sink="@DEFAULT_SINK@" if pulse else "",
        home=Path(said.get("HOME") or "/"),
        runtime=runtime,
        uid=os.getuid(),
        xauthority=said.get("XAUTHORITY", ""),
    )


def _socket(prefix: str, path: Path) -> str:
    return f"{prefix}{path}" if path.exists() else ""
