"""Layout 1 sends what version 0.2 sent, part for part, so that recordings made with it replay."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from asked_requests import SEEN, hashes
from scripted_model import as_call, as_object

from omnipilot.envs.types.actions import CONTROL
from omnipilot.memory import Move, Reply
from omnipilot.planners import FunctionCallingPlanner, JsonPlanner

RECORDED = json.loads((Path(__file__).parents[2] / "fixtures" / "recorded" / "requests_0_2.json").read_text())
"""Hashes of the requests that version 0.2 sent."""


def as_reply(move: Move | None) -> Reply:
    call = ("done", "{}") if move is None else as_call(move, move.intent.kind not in CONTROL)
    return Reply("I go on.", (call,))


def as_text(move: Move | None) -> Reply:
    return Reply(
        json.dumps({"thought": "I go on.", "actions": [{"kind": "done"} if move is None else as_object(move)]})
    )


KINDS: dict[str, Any] = {"function-calling": (FunctionCallingPlanner, as_reply), "json": (JsonPlanner, as_text)}


@pytest.mark.parametrize("seen", sorted(SEEN))
@pytest.mark.parametrize("kind", sorted(KINDS))
def test_every_request_is_the_one_that_version_0_2_sent(kind: str, seen: str) -> None:
    assert hashes(*KINDS[kind], seen, layout=1) == RECORDED[f"{kind} {seen}"]
