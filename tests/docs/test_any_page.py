"""The page on any page: its files make what it says, and its checks and messages are as it says."""

from __future__ import annotations

import re
import runpy
import shlex
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from page_commands import blocks, commands, invoke
from shared_folders import ROOT

from omnipilot.bench.free.checks import EXAMPLES, KINDS, read_check
from omnipilot.bench.free.readings import refuse_unanswerable
from omnipilot.bench.journal.load_runs import load_run
from omnipilot.envs import ConfigError

PAGE = (ROOT / "docs/any-page.md").read_text(encoding="utf-8")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the files that the page lists, in which its commands are run."""
    for text in blocks(PAGE, "html", "python", "toml"):
        if named := re.match(r"(?:<!--|#) ([\w.]+)", text):
            (tmp_path / named[1]).write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    return tmp_path


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """The files of a folder at an address of this machine."""

    class Quiet(SimpleHTTPRequestHandler):
        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(folder)))
    threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
    try:
        yield f"127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()


@pytest.mark.slow
@pytest.mark.web
def test_the_commands_from_nothing_to_a_verdict_give_one(folder: Path) -> None:
    (line,) = [one for one in commands(PAGE) if "subscriber:Subscriber" in one]
    with served(folder) as address:
        words = shlex.split(line.replace("127.0.0.1:8000", address))
        invoke(words[1:])
        invoke([{"subscriber:Subscriber": "noop", "runs/subscriber": "runs/noop"}.get(one, one) for one in words[1:]])
    assert [one.success for one in load_run(Path("runs/subscriber")).episodes] == [True]
    assert [one.success for one in load_run(Path("runs/noop")).episodes] == [False]


@pytest.mark.slow
@pytest.mark.web
def test_the_elements_of_a_page_are_listed_as_the_page_says(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    program = folder / "look.py"
    with served(folder) as address:
        program.write_text(program.read_text(encoding="utf-8").replace("127.0.0.1:8000", address), encoding="utf-8")
        runpy.run_path(str(program))
    printed = [line.strip() for line in capsys.readouterr().out.splitlines()]
    assert printed == re.findall(r"`(\w+ '\w+')`", PAGE)


@pytest.mark.slow
@pytest.mark.web
@pytest.mark.exhibit("sim")
def test_the_world_file_is_played(folder: Path) -> None:
    (line,) = [one for one in commands(PAGE) if "--tasks open-notes" in one]
    with served(folder) as address:
        world = folder / "world.toml"
        world.write_text(world.read_text().replace("127.0.0.1:8000", address))
        invoke(line.split()[1:])
    (episode,) = load_run(Path("runs/noop")).episodes
    assert (episode.task, episode.success, episode.total) == ("open-notes", False, 1)


def test_the_table_of_kinds_is_that_of_the_checks() -> None:
    rows = re.findall(r"^\| `(\w+)` \|.*\| `([^`]+)` \|$", PAGE, re.MULTILINE)
    assert [kind for kind, _ in rows] == list(KINDS) == list(EXAMPLES)
    for kind, example in rows:
        assert read_check(example, ["page"]).kind == kind


def test_the_messages_are_those_that_are_told() -> None:
    first, second = next(text for text in blocks(PAGE, "text") if text.startswith("check ")).splitlines()
    with pytest.raises(ConfigError) as caught:
        read_check("url has /thanks", ["page"])
    assert str(caught.value) == first
    with pytest.raises(ConfigError) as caught:
        refuse_unanswerable(read_check("js true", ["page"]), "android")
    assert str(caught.value) == second
