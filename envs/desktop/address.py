"""Where a running desktop is reached."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class DesktopAddress:
    """The sockets and folders of one running desktop; valid inside its sandbox and outside.

    Attributes:
        display: of its X server, such as ":7".
        session_bus: D-Bus address of its session bus, such as "unix:path=/run/user/1000/bus"; "" if it has none.
        pulse: its sound server for PULSE_SERVER, such as "unix:/run/user/1000/pulse/native"; "" if it has none.
        sink: the output whose monitor is recorded.
        home, runtime: the HOME and XDG_RUNTIME_DIR of its programs.
        uid: user id of its programs; the session bus turns every other user away, root included.
        xauthority: file with the X server's key; "" if it needs none.
    """

    display: str
    session_bus: str
    pulse: str
    sink: str
    home: Path
    runtime: Path
    uid: int
    xauthority: str = ""
