"""Parts that are slow the first time in a process, importable by workers as "slow_start:…"."""

from __future__ import annotations

import os
import time
from pathlib import Path

from omnipilot.envs.actions import Done, Press
from omnipilot.memory.trace import Move
from omnipilot.memory.transcript import ModelUnavailable
from omnipilot.planners.base import Brief, Decision, Request

SLOW = 1.5
"""Seconds that the first use of the model takes."""
MARKS = "SLOW_START_MARKS"
"""Names the environment variable with the folder where each warming up leaves a mark."""
_LOADED: list[float] = []


def load() -> None:
    """Take long, once a process, as loading a model does."""
    if not _LOADED:
        _LOADED.append(time.perf_counter())
        time.sleep(SLOW)


class Unprepared:
    """Does one press of Enter a turn, three in all, with a model that it loads when it is first asked."""

    def begin(self, brief: Brief) -> None:
        self.turn = 0

    def plan(self, request: Request) -> Decision:
        load()
        self.turn += 1
        return Decision((Move("toy", Press(("enter",))) if self.turn < 4 else Move("", Done("success")),))


class Prepared(Unprepared):
    """The same, but it can load its model before."""

    def warm_up(self) -> None:
        (Path(os.environ[MARKS]) / f"{os.getpid()}-{len(_LOADED)}").touch()
        load()


class Down(Unprepared):
    """Its server is down, also while it warms up."""

    def warm_up(self) -> None:
        raise ModelUnavailable("no connection; is the server running?")

    def plan(self, request: Request) -> Decision:
        raise ModelUnavailable("no connection; is the server running?")
