"""What a small language model really answered is carried out, or told to it with the cure."""

from __future__ import annotations

from typing import Any

import pytest
from scripted_model import ScriptedModel, says
from small_answers import JSON, SCRIPTS, TOOLS

from omnipilot.envs import Image, Observation, Size
from omnipilot.memory import MalformedReply, Reply
from omnipilot.planners import Brief, FunctionCallingPlanner, JsonPlanner, Request, ScriptPlanner, Verbs

KINDS = frozenset({"click", "type", "system", "open_app"})
BRIEF = Brief("Send it.", {"phone": Verbs("phone", KINDS), "pc": Verbs("desktop", KINDS)})
SIZE = Size(200, 100)
SHOT = Image.raw(SIZE, bytes(SIZE.pixels * 3), "pc")
SEEN = {"pc": Observation("pc", 0.0, SIZE, screenshot=SHOT)}
WAYS: dict[str, tuple[Any, list[tuple[str, Reply, str]], dict[str, Any]]] = {
    "tools": (FunctionCallingPlanner, TOOLS, {}),
    "json": (JsonPlanner, JSON, {}),
    "scripts": (ScriptPlanner, SCRIPTS, {"env": "pc"}),
}
CASES = [pytest.param(way, reply, told, id=f"{way}: {what}") for way in WAYS for what, reply, told in WAYS[way][1]]


@pytest.mark.parametrize(("way", "reply", "told"), CASES)
def test_each_answer_is_carried_out_or_told(way: str, reply: Reply, told: str) -> None:
    kind, _, options = WAYS[way]
    model = ScriptedModel(reply, reply)
    planner = kind.over(model, **options)
    planner.begin(BRIEF)
    if not told:
        assert planner.plan(Request(BRIEF, 0, SEEN)).moves
        return
    with pytest.raises(MalformedReply, match=f"(?s){told}") as error:
        planner.plan(Request(BRIEF, 0, SEEN))
    first, second = model.asked
    assert str(error.value) in second.words
    assert len(second.words) - len(first.words) < 2_000 + len(str(error.value)), "the loop is not shown in full again"


def test_a_mistake_that_is_mended_leaves_no_trace() -> None:
    (_, reply, _), *_ = TOOLS
    model = ScriptedModel(reply, says('<tool_call>\n{"name": "noop", "arguments": {}}\n</tool_call>'))
    planner = FunctionCallingPlanner.over(model)
    planner.begin(BRIEF)
    assert planner.plan(Request(BRIEF, 0, SEEN)).usage.calls == 2
    planner.plan(Request(BRIEF, 1, SEEN))
    assert "the argument" not in model.asked[2].words
