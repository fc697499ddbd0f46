"""Parts of others that end the program, or that are no parts at all: the command says who it was, and fails."""

from __future__ import annotations

from pathlib import Path

import pytest
from command_line import omnipilot

PARTS = '''
import sys
from omnipilot.bench import Suite
from omnipilot.planners import Planner

class Made(Planner):
    """Ends the program when it is made."""

    def __init__(self):
        raise SystemExit(0)

    def begin(self, brief): ...
    def plan(self, request): ...


class Playing(Planner):
    """Ends it in an episode, as a call of `sys.exit` deep in a library does."""

    def begin(self, brief): ...

    def plan(self, request):
        sys.exit(0)


class Odd(BaseException):
    """Passes every `except Exception`."""


class Listing(Suite):
    name, version = "listing", "1"

    def tasks(self):
        raise Odd("unseen")

    def instantiate(self, task, instance): ...
    def world(self, thinking): ...
'''


@pytest.fixture(autouse=True)
def _parts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "quitting_parts.py").write_text(PARTS, "utf-8")
    (tmp_path / "quitting_module.py").write_text("raise SystemExit(0)\n", "utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.chdir(tmp_path)


def failed(line: str) -> str:
    done = omnipilot(*line.split())
    assert done.returncode == 2, done.stdout + done.stderr
    return done.stderr


@pytest.mark.parametrize(
    ("line", "who", "where"),
    [
        ("--suite duet --planner quitting_module:Planner", "planner 'quitting_module:Planner' cannot be imported", 1),
        ("--suite quitting_module:Suite", "suite 'quitting_module:Suite' cannot be imported", 1),
        ("--suite duet --memory quitting_module:Memory", "memory 'quitting_module:Memory' cannot be imported", 1),
        ("--suite duet --planner quitting_parts:Made", "planner 'quitting_parts:Made' cannot be made", 10),
        ("--suite quitting_parts:Listing", "omnipilot: quitting_parts", 33),
    ],
)
def test_one_that_ends_the_program_while_it_is_loaded_is_named(line: str, who: str, where: int) -> None:
    said = failed(f"run {line} --dry-run")
    assert who in said and f".py, line {where}) raised " in said and "Traceback" not in said
    assert "SystemExit(0)" in said or "Odd('unseen')" in said


@pytest.mark.parametrize("jobs", ["0", pytest.param("1", marks=pytest.mark.slow)])
def test_one_that_ends_it_in_an_episode_is_named_with_the_episode(jobs: str) -> None:
    said = failed(f"run --suite duet --tasks send-message --planner quitting_parts:Playing --jobs {jobs} --out run")
    assert "send-message#0.0: quitting_parts (" in said and "line 22) raised SystemExit(0)" in said


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("--suite json:loads", "suite 'json:loads' is a function of s, and not what makes a suite: name a class or a"),
        ("--suite json:JSONDecoder", "is a class without tasks, instantiate, world, and not what makes a suite"),
        ("--suite duet --grounder json:loads", "grounder 'json:loads' is a function of s"),
        ("--suite duet --memory os:getcwd", "memory 'os:getcwd' makes a str without clear, record, recall"),
        ("--suite duet --memory math:pi", "memory 'math:pi' is a float, and not what makes a memory"),
        ("--suite duet --planner math:sqrt", "planner 'math:sqrt' is a function of x"),
        ("--suite duet --critic json:JSONDecoder", "critic 'json:JSONDecoder' is a class without begin, check, learn"),
        ("--suite duet --progress json:loads", "progress 'json:loads' is a function of s"),
        ("--suite duet --gate json:JSONDecoder", "gate 'json:JSONDecoder' is a class without begin, decide"),
        ("--suite duet --readers os:getcwd", "readers 'os:getcwd' makes a str without begin, read"),
        ("--suite duet --agent json:loads", "agent 'json:loads' is a function of s, and not what makes an agent"),
        ("--suite duet --checks os:getcwd", "checks 'os:getcwd': there is no option 'agent'"),
        ("--suite duet --tasks send-message --speech json:loads --instruction speech", "speech 'json:loads' is a"),
    ],
)
def test_what_is_no_part_is_refused_in_words(line: str, said: str) -> None:
    told = failed(f"run {line} --dry-run")
    assert said in told and "Traceback" not in told


def test_what_is_no_pointing_suite_is_refused_in_words() -> None:
    assert "pointing suite 'json:loads' is a function of s" in failed("ground --suite json:loads --dry-run")
