"""`omnipilot env`: worlds are served, checked and refused as the commands say."""

from __future__ import annotations

import contextlib
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from command_line import omnipilot

from omnipilot.bench.cli.commands.env import world_factory
from omnipilot.envs import ConfigError
from omnipilot.envs.remote import EnvServer
from omnipilot.envs.sim import SimWorld

TOKEN = "t" * 43


@pytest.fixture
def token_file(tmp_path: Path) -> Path:
    path = tmp_path / "token"
    path.touch(0o600)
    path.write_text(TOKEN)
    return path


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with EnvServer(SimWorld, TOKEN) as server:
        yield server.url


def test_a_check_shows_what_is_offered(url: str, token_file: Path, tmp_path: Path) -> None:
    done = omnipilot("env", "check", url, "--token-file", str(token_file), "--out", str(tmp_path / "shots"))
    assert done.returncode == 0, done.stderr
    assert "clock: simulated" in done.stdout and "phone: phone, 412x916" in done.stdout
    assert re.search(r"screenshot: \d+\.\d ms", done.stdout) and "set_clipboard" in done.stdout
    assert "judges" not in done.stdout
    assert sorted(path.name for path in (tmp_path / "shots").iterdir()) == ["desktop.png", "phone.png"]


def test_a_check_without_token_says_so(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    done = omnipilot("env", "check", url)
    assert done.returncode == 2 and "the token is missing or wrong" in done.stderr
    monkeypatch.setenv("OMNIPILOT_REMOTE_TOKEN", TOKEN)
    assert omnipilot("env", "check", url).returncode == 0
    monkeypatch.setenv("OMNIPILOT_REMOTE_TOKEN", "short")
    done = omnipilot("env", "check", url)
    assert done.returncode == 2 and "holds no token" in done.stderr and "short" not in done.stderr


def test_a_token_is_random_and_for_its_owner_alone(tmp_path: Path) -> None:
    found = set()
    for name in ("a", "b"):
        assert omnipilot("env", "token", str(tmp_path / "sub" / name)).returncode == 0
        path = tmp_path / "sub" / name
        assert path.stat().st_mode & 0o777 == 0o600 and len(path.read_text().strip()) == 43
        found.add(path.read_text())
    assert len(found) == 2
    done = omnipilot("env", "token", str(tmp_path / "sub" / "a"))
    assert done.returncode == 2 and "exists" in done.stderr


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o644])
def test_a_token_that_others_can_read_is_refused(url: str, token_file: Path, mode: int) -> None:
    token_file.chmod(mode)
    done = omnipilot("env", "check", url, "--token-file", str(token_file))
    assert done.returncode == 2 and f"chmod 600 {token_file}" in done.stderr and TOKEN not in done.stderr


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--world", "nonsense"], "there is no world 'nonsense'; choose desktop, browser"),
        (["--world", "sim", "-o", "world.url=x"], "a device of kind 'sim' takes no 'url'; it takes no options"),
        (["--world", "browser", "-o", "world.colour=red"], "'browser' takes no 'colour'"),
        (["--world", "no/such.toml"], "cannot read no/such.toml"),
        (["--token-file", "/no/such/token"], "cannot be read"),
    ],
)
def test_what_cannot_be_served_is_told(arguments: list[str], said: str, token_file: Path) -> None:
    done = omnipilot("env", "serve", "--port", "0", *arguments)
    assert done.returncode == 2 and said in done.stderr, done.stderr


def test_worlds_by_name(tmp_path: Path) -> None:
    assert isinstance(world_factory("sim", [])(), SimWorld)
    assert world_factory("live_world:LiveWorld", [])().now >= 0
    (tmp_path / "world.toml").write_text('[devices.machine]\nkind = "live_world:LiveWorld"\n')
    world = world_factory(str(tmp_path / "world.toml"), [])()
    assert list(world.envs) == ["machine-left", "machine-right"]
    world.close()
    with pytest.raises(ConfigError):
        world_factory("sim:3", [])


@pytest.mark.slow
def test_a_served_world_ends_when_told_and_leaves_no_token(tmp_path: Path) -> None:
    environment = {**os.environ, "XDG_CACHE_HOME": str(tmp_path)}
    tokens, left = set(), []
    for number in (signal.SIGKILL, signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        command = [sys.executable, "-m", "omnipilot.bench.cli.app", "env", "serve", "--port", "0", "--allow-judges"]
        # What is ignored here, as under `nohup`, would be ignored there.
        heard = signal.signal(signal.SIGINT, signal.default_int_handler)
        hung_up = signal.signal(signal.SIGHUP, signal.SIG_DFL)
        served = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment)
        signal.signal(signal.SIGINT, heard)
        signal.signal(signal.SIGHUP, hung_up)
        assert served.stdout is not None
        try:
            first, second, third, _ = (served.stdout.readline() for _ in range(4))
            address = first.split()[-1]
            path, judges = (line.split(";")[0].split()[-1] for line in (second, third))
            tokens.add(Path(path).read_text())
            assert Path(path).stat().st_mode & 0o777 == 0o600
            # What a killed one has left is gone with the next start, and another that is served keeps its own.
            assert sorted(map(str, (tmp_path / "omnipilot" / "tokens").iterdir())) == sorted([path, judges])
            if number is signal.SIGTERM:
                with beside(command, environment):
                    assert Path(path).exists() and Path(judges).exists()
            done = omnipilot("env", "check", address, "--token-file", path, "--judges-token-file", judges)
            assert "judges: the state of the world can be read" in done.stdout, done.stderr
        finally:
            served.send_signal(number)
            served.wait(20)
            served.stdout.close()
        assert served.returncode == (0 if number is not signal.SIGKILL else -signal.SIGKILL)
        left.append(len(list((tmp_path / "omnipilot" / "tokens").iterdir())))
    assert left == [2, 0, 0, 0] and len(tokens) == 4


@contextlib.contextmanager
def beside(command: list[str], environment: dict[str, str]) -> Iterator[None]:
    """Another server while this lasts."""
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as other:
        assert other.stdout is not None
        try:
            for _ in range(4):  # the last of its lines comes when its files are there
                other.stdout.readline()
            yield
        finally:
            other.terminate()
