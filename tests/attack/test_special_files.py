"""Pipes, devices, sockets and folders where a file is expected: refused at once, in words; nothing waits for them."""

from __future__ import annotations

import os
import shutil
import signal
import socket
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
from command_line import omnipilot

from omnipilot.bench.journal.journal import FILE
from omnipilot.envs import ConfigError, EnvLost
from omnipilot.envs.types.foreign_media import open_film, read_sound
from omnipilot.envs.types.regular_files import NotAFile, open_file, read_file, read_text
from omnipilot.memory.models.cassette import Cassette

SECONDS = 10
"""Seconds after which something counts as hanging; each case takes a part of one."""
Making = Callable[[Path], object]


def listen(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as made:
        here = Path.cwd()
        os.chdir(path.parent)
        try:
            made.bind(path.name)
        finally:
            os.chdir(here)


MAKING: dict[str, Making] = {
    "a pipe": os.mkfifo,
    "a device": lambda path: path.symlink_to("/dev/zero"),
    "a socket": listen,
    "a folder": Path.mkdir,
}


class Hanging(BaseException):
    """Something waits for a file that never comes."""


@pytest.fixture(autouse=True)
def bell() -> Iterator[None]:
    def ring(number: int, frame: FrameType | None) -> None:
        raise Hanging

    before = signal.signal(signal.SIGALRM, ring)
    signal.alarm(SECONDS * 3)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("data")
    assert omnipilot("miniature", str(folder), "guiact-web", "screenspot-v2", "omnigui").returncode == 0
    return folder


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("run") / "run"
    done = omnipilot("run", "--suite", "duet", "--tasks", "dismiss-alarm", "--planner", "noop", "--out", str(folder))
    assert done.returncode == 0, done.stderr
    return folder


def refused(what: str, *arguments: str) -> str:
    """Run a command that has to refuse a file; what it said."""
    done = omnipilot(*arguments)
    said = done.stderr + done.stdout
    assert done.returncode != 0 and "Traceback" not in said, said
    assert f"it is {what}, not a file" in said, said
    return said


def replaced(path: Path, what: str) -> Path:
    """Put something else in place of what is there."""
    if path.exists():
        path.unlink()
    MAKING[what](path)
    return path


@pytest.mark.parametrize("what", MAKING)
@pytest.mark.parametrize("option", ["run --config", "sweep", "grid", "run --planner noop --task x --world"])
def test_settings_and_worlds(option: str, what: str, tmp_path: Path) -> None:
    file = replaced(tmp_path / "it.toml", what)
    assert str(file) in refused(what, *option.split(), str(file), "--out", str(tmp_path / "out"))


@pytest.mark.slow
@pytest.mark.parametrize("what", ["a pipe", "a device", "a socket"])
@pytest.mark.parametrize("suffix", [".json", ".jsonl", ".csv", ".parquet"])
def test_predictions(suffix: str, what: str, data: Path, tmp_path: Path) -> None:
    file = replaced(tmp_path / f"predictions{suffix}", what)
    refused(what, "score", "guiact-web", str(file), "--data", str(data / "guiact-web"))


@pytest.mark.slow
@pytest.mark.parametrize("what", ["a pipe", "a device"])
@pytest.mark.parametrize("command", ["list tasks", "score", "run"])
def test_data_of_benchmarks(command: str, what: str, data: Path, tmp_path: Path) -> None:
    folder = Path(shutil.copytree(data / "omnigui", tmp_path / "omnigui"))
    replaced(folder / "merged_sorted.json", what)
    named = ("--suite", "omnigui", "--data", str(folder))
    arguments = {
        "list tasks": ("list", "tasks", *named),
        "run": ("run", *named, "--planner", "oracle", "--out", str(tmp_path / "out")),
        "score": ("score", "omnigui", str(next(folder.glob("predictions*"))), *named[2:]),
    }[command]
    assert "merged_sorted.json" in refused(what, *arguments)


@pytest.mark.parametrize("what", ["a pipe", "a device"])
def test_pictures_of_a_benchmark(what: str, data: Path, tmp_path: Path) -> None:
    folder = Path(shutil.copytree(data / "screenspot-v2", tmp_path / "screenspot-v2"))
    for picture in (folder / "screenspotv2_image").iterdir():
        replaced(picture, what)
    done = omnipilot("ground", "--suite", "screenspot-v2", "--data", str(folder), "--grounder", "random-element")
    assert done.returncode != 0 and "Traceback" not in done.stderr, done.stderr


@pytest.mark.parametrize("what", ["a pipe", "a device"])
@pytest.mark.parametrize("name", [FILE, "spec.json"])
@pytest.mark.parametrize("command", ["report", "memory", "run"])
def test_files_of_a_run(command: str, name: str, what: str, played: Path, tmp_path: Path) -> None:
    folder = Path(shutil.copytree(played, tmp_path / "run"))
    replaced(folder / name, what)
    more = {"memory": ("dismiss-alarm",)}.get(command, ())
    if command == "run":
        settings = ("--suite", "duet", "--tasks", "dismiss-alarm", "--planner", "noop", "--out", str(folder))
        assert name in refused(what, "run", *settings)
    else:
        assert name in refused(what, command, str(folder), *more)


@pytest.mark.parametrize("what", MAKING)
@pytest.mark.parametrize(
    "part",
    [
        "--planner uitars-1.5 -o planner.prompt={}",
        "--planner noop --grounder vllm -o grounder.model=uground-v1-7b -o grounder.template={}",
        "--planner mini -o planner.folder={}",
    ],
)
def test_files_of_parts(part: str, what: str, tmp_path: Path) -> None:
    file = replaced(tmp_path / "text", what)
    words = part.format(file).split()
    done = omnipilot("run", "--suite", "duet", "--tasks", "dismiss-alarm", "--out", str(tmp_path / "out"), *words)
    assert done.returncode != 0 and "Traceback" not in done.stderr + done.stdout, done.stderr


def test_a_cassette(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / f"{'0' * 64}.json")
    with pytest.raises(ConfigError, match="it is a pipe, not a file"):
        Cassette(tmp_path, "replay").find({"model": "m"})


def test_a_token(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "token")
    refused("a pipe", "env", "check", "http://127.0.0.1:1", "--token-file", str(tmp_path / "token"))


@pytest.mark.parametrize("what", MAKING)
@pytest.mark.parametrize("read", [open_film, lambda path: read_sound(path, path.name)])
def test_films_and_sounds(read: Callable[[Path], Any], what: str, tmp_path: Path) -> None:
    pytest.importorskip("av", reason="PyAV is not installed")
    with pytest.raises(EnvLost, match=rf"film.mp4 cannot be read: it is {what}, not a file"):
        read(replaced(tmp_path / "film.mp4", what))


@pytest.mark.parametrize("what", MAKING)
def test_every_reader(what: str, tmp_path: Path) -> None:
    path = replaced(tmp_path / "x", what)
    for read in (open_file, read_file, read_text):
        with pytest.raises(NotAFile, match=f"it is {what}, not a file"):
            read(path)


def test_a_file_that_is_too_large_is_not_read(tmp_path: Path) -> None:
    file = tmp_path / "it.toml"
    file.touch()
    os.truncate(file, 10**12)
    done = omnipilot("run", "--config", str(file))
    assert done.returncode == 2 and "more than 8 MB" in done.stderr
    with pytest.raises(NotAFile, match="more than 2,147 MB"):
        read_file(file)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (b"\xef\xbb\xbfsuite = 'duet'\r\nplanner = 'noop'\r\ntasks = ['dismiss-alarm']\r\n", ""),
        (b"\xff\xfes\0u\0", "byte 0 is no UTF-8; save the file in this encoding"),
        (b"a = 'caf\xe9'", "byte 8 is no UTF-8"),
        (b"a = " + b"[" * 100_000, "nested too deeply"),
        (b"a = " + b"[" * 500 + b"]" * 500, "nested too deeply"),
        (b"a." * 5_000 + b"b = 1", "nested too deeply"),
        (b"a = " + b"9" * 9_000, "not valid TOML"),
        (b"a = 1\0", "not valid TOML"),
    ],
    ids=["mark", "UTF-16", "Latin-1", "open lists", "lists", "tables", "digits", "NUL"],
)
def test_texts_that_are_odd(text: bytes, told: str, tmp_path: Path) -> None:
    file = tmp_path / "it.toml"
    file.write_bytes(text)
    done = omnipilot("run", "--config", str(file), "--out", str(tmp_path / "out"), "--dry-run")
    assert (done.returncode, "Traceback" in done.stderr) == (2 if told else 0, False), done.stderr
    assert told in done.stderr
    other = omnipilot("run", "--world", str(file), "--task", "x", "--planner", "noop", "--dry-run")
    assert other.returncode == 2 and "Traceback" not in other.stderr
    assert told in other.stderr and str(file) in other.stderr
