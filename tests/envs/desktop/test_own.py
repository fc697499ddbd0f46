"""The user's own desktop is found in the environment, or what to do instead is told."""

import os
from pathlib import Path

import pytest

from omnipilot.envs import ConfigError
from omnipilot.envs.desktop import own_desktop


def test_it_is_what_the_environment_says(tmp_path: Path):
    said = {
        "DISPLAY": ":3",
        "DBUS_SESSION_BUS_ADDRESS": "unix:path=/run/x",
        "PULSE_SERVER": "unix:/run/p",
        "HOME": "/home/a",
        "XDG_RUNTIME_DIR": str(tmp_path),
        "XAUTHORITY": "/home/a/.Xauthority",
    }
    found = own_desktop(said)
    assert (found.display, found.session_bus, found.pulse) == (":3", "unix:path=/run/x", "unix:/run/p")
    assert (found.home, found.runtime, found.uid) == (Path("/home/a"), tmp_path, os.getuid())
    assert found.xauthority == "/home/a/.Xauthority" and found.sink == "@DEFAULT_SINK@"


def test_bus_and_sound_are_found_at_their_usual_places(tmp_path: Path):
    (tmp_path / "pulse").mkdir()
    for name in ("bus", "pulse/native"):
        (tmp_path / name).touch()
    found = own_desktop({"DISPLAY": ":0", "XDG_RUNTIME_DIR": str(tmp_path)})
    assert found.session_bus == f"unix:path={tmp_path}/bus" and found.pulse == f"unix:{tmp_path}/pulse/native"
    nothing = own_desktop({"DISPLAY": ":0", "XDG_RUNTIME_DIR": str(tmp_path / "none")})
    assert (nothing.session_bus, nothing.pulse, nothing.sink) == ("", "", "")


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ({}, "omnipilot desktop up"),
        ({"WAYLAND_DISPLAY": "wayland-0"}, "Wayland session without Xwayland"),
        ({"DISPLAY": "far:0"}, "env serve"),
        ({"DISPLAY": "0"}, "such as :0"),
    ],
)
def test_where_there_is_none_the_cure_is_told(said: dict[str, str], told: str):
    with pytest.raises(ConfigError, match=told):
        own_desktop(said)
