"""What real clients send, line for line, against a served phone."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from adb_client_commands import INSTALL, LINES, PLAUSIBLE, SERVICES, Sent
from adb_host import AdbHost

from omnipilot.envs.sim import SimWorld
from omnipilot.envs.sim.adb import PhoneServer


@pytest.fixture
def host() -> Iterator[AdbHost]:
    world = SimWorld()
    world.reset(1)
    with PhoneServer(world) as server, AdbHost(server.port) as host:
        yield host


@pytest.mark.parametrize("sent", [*LINES.values(), PLAUSIBLE], ids=[*LINES, "what a model writes"])
def test_every_line_of_a_client_is_answered(host: AdbHost, sent: tuple[Sent, ...]) -> None:
    wrong = []
    for line, status, said in sent:
        found, out, err = host.run(line)
        if found != status or not re.search(said, out + err):
            wrong.append((line, found, out[-300:] + err[-300:]))
    assert wrong == []


def test_an_installation_is_read_to_its_end_and_refused(host: AdbHost) -> None:
    stream = host.open(INSTALL)
    stream.write(bytes(2004))
    assert stream.read(27) == b"Failure [INSTALL_FAILED_CPU"
    stream.close()
    assert host.shell("echo alive") == "alive\n"


@pytest.mark.parametrize(("name", "there"), SERVICES.items())
def test_every_service_is_there_or_refused(host: AdbHost, name: str, there: bool) -> None:
    if there:
        host.open(name).close()
    else:
        with pytest.raises(ConnectionRefusedError):
            host.open(name)
    assert host.shell("echo alive") == "alive\n"
