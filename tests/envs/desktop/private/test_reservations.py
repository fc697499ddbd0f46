"""Display numbers and user ids belong to one desktop at a time, and come back by themselves."""

import os
import socket
from pathlib import Path

import pytest

from omnipilot.envs.desktop.private import reservations
from omnipilot.envs.desktop.private.reservations import hold, hold_display, hold_user, is_listening


def test_a_name_is_held_once_until_its_holder_is_closed():
    name = f"omnipilot-test-{os.getpid()}"
    first = hold(name)
    assert first is not None and hold(name) is None
    first.close()
    again = hold(name)
    assert again is not None
    again.close()


def test_a_display_is_not_given_twice_and_not_where_an_x_server_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(reservations, "SOCKETS", tmp_path / "sockets")
    monkeypatch.setattr(reservations, "DISPLAYS", range(3900, 3910))
    number, held, link = hold_display(tmp_path / "x")
    assert number == 3900 and os.readlink(link) == str(tmp_path / "x" / "X3900")
    with socket.socket(socket.AF_UNIX) as server:  # as an X server does
        server.bind(f"\0{tmp_path}/sockets/X3901".encode())
        (tmp_path / "sockets" / "X3902").touch()  # one without an abstract socket
        (tmp_path / "sockets" / "X3903").symlink_to(tmp_path / "gone")  # left behind by one of ours
        other, second, left = hold_display(tmp_path / "y")
    assert other == 3903 and os.readlink(left) == str(tmp_path / "y" / "X3903")
    held.close()
    second.close()


def test_programs_never_run_as_root():
    for sandbox in (True, False):
        number, held = hold_user(sandbox)
        assert number != 0
        if held is not None:
            held.close()


def test_a_server_is_there_when_it_takes_connections_and_not_when_its_file_is(tmp_path: Path):
    path = tmp_path / "X1"
    assert not is_listening(path)
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as server:
        server.bind(str(path))
        assert path.exists() and not is_listening(path)
        server.listen()
        assert is_listening(path)
    assert not is_listening(path)
