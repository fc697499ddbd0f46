"""The parts of docs/scale.md on many episodes on one machine and on endpoints: their commands do what they say."""

from __future__ import annotations

import re
import shlex
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest
from chat_server import Answer, ChatServer
from command_line import omnipilot
from page_commands import blocks, commands
from shared_folders import ROOT

from omnipilot.bench.journal import read
from omnipilot.bench.journal.events import ModelCalled
from omnipilot.bench.run.config import parse_settings
from omnipilot.bench.run.executors.warm_process import NOT_FORKED
from omnipilot.memory.models.broker.broker import _SHARE, LONGEST_CLOSED

PAGE = (ROOT / "docs/scale.md").read_text(encoding="utf-8")
DONE = '{"thought": "Nothing to do.", "actions": [{"kind": "done", "status": "failure", "text": "no"}]}'


def part(title: str) -> str:
    """What stands under a heading of the second rank."""
    return next(text for text in re.split(r"^## ", PAGE, flags=re.MULTILINE) if text.startswith(f"{title}\n"))


@pytest.fixture
def play(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., list[ModelCalled]]:
    """Runs a command of the page; the model calls of its run."""
    monkeypatch.chdir(tmp_path)

    def played(line: str, **places: str) -> list[ModelCalled]:
        for port, url in places.items():
            line = line.replace(f"http://127.0.0.1:{port.removeprefix('port')}/v1", url)
        words = shlex.split(line)[1:]
        done = omnipilot(*words)
        assert done.returncode == 0, done.stderr
        return [event for event in read(Path(words[words.index("--out") + 1])) if isinstance(event, ModelCalled)]

    return played


@pytest.mark.slow
def test_many_jobs_play_a_run(play: Callable[..., list[ModelCalled]]) -> None:
    (line,) = commands(part("Many episodes on one machine"))
    assert play(line) == []
    named = part("Many episodes on one machine").replace("TensorFlow", "tensorflow").replace("JAX", "jax")
    assert all(name in named or name.capitalize() in named for name in NOT_FORKED)


@pytest.mark.slow
def test_limits_and_replicas(play: Callable[..., list[ModelCalled]]) -> None:
    limited, replicas = commands(part("Endpoints"))
    with ChatServer([Answer(DONE)]) as one, ChatServer([Answer(DONE)]) as other:
        calls = play(limited, port8000=one.url)
        assert len(calls) == 4 and one.most_under_way <= 2
        calls = play(replicas, port8000=one.url, port8001=other.url)
        assert len(calls) == 4 and len(one.requests) + len(other.requests) >= 8


def test_limits_in_a_file() -> None:
    (table,) = blocks(part("Endpoints"), "toml")
    assert parse_settings(tomllib.loads(table)).endpoint_limits.places
    assert "98 %" in part("Endpoints") and _SHARE == 0.98 and LONGEST_CLOSED == 300
