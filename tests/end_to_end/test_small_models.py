"""Agents over a real language model of 135M parameters, served by a real vLLM: every way to ask it, end to end.

Whether it is of any use on a task is the matter of docs/real-models.md. Here each reply has to be read, or told to the
model in words that say the cure, and a run has to be replayed from its cassette without the model.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import real_models
from made_settings import spec_of
from small_models import CONTEXT, small_server

from omnipilot.bench.journal import read
from omnipilot.bench.journal.events import EpisodeEnded, StepTaken, TurnTaken
from omnipilot.bench.run import run
from omnipilot.envs import ConfigError
from omnipilot.memory import Message
from omnipilot.memory.models import LlmEndpoint
from omnipilot.memory.models.model import ChatModel
from omnipilot.planners import Verbs
from omnipilot.planners.chat.toolset import toolset

pytestmark = [
    pytest.mark.vllm,
    pytest.mark.real,
    pytest.mark.slow,
    pytest.mark.timeout(1800),
    pytest.mark.exhibit("duet"),
]

NAME = "smollm2-135m"
MODEL = f"hosted_vllm/{NAME}"
TURNS = 2
PATIENT = ("timeout=900", "attempt=600")
"""The server computes on the processor, which tests share."""
WAYS: dict[str, tuple[dict[str, Any], tuple[str, ...]]] = {
    "tools": ({"planner": MODEL}, ("max_tokens=300",)),
    "json": ({"planner": {"name": "json", "model": MODEL}}, ("max_tokens=400", "longest=200")),
    "unconstrained json": ({"planner": {"name": "json", "model": MODEL}}, ("max_tokens=200", "constrain=false")),
    "scripts": (
        {"planner": {"name": "pyautogui", "model": MODEL}},
        ("env=desktop", "screenshot=false", "parameters.max_tokens=200"),
    ),
    "by function": ({"planner": MODEL, "agent": "by-function"}, ("max_tokens=150",)),
    "by environment": ({"planner": MODEL, "agent": "by-environment"}, ("max_tokens=150",)),
}
"""Settings of a run, and options of its planner."""


@pytest.fixture(scope="module")
def url(vllm_program: Path) -> Iterator[str]:
    """A server of SmolLM2; skipped where its weights cannot be had."""
    real_models.folder(NAME)
    with small_server(NAME) as server:
        yield server.url


def play(way: str, url: str, out: Path, **more: Any) -> list[Any]:
    """The events of an episode of a way to ask the model."""
    settings, options = WAYS[way]
    flags = {
        **{"suite": "duet", "tasks": "mail-code-to-message", "limits": {"turns": TURNS}, "planner_url": url},
        **{"modalities": "elements,context", "grounder": "elements", **settings, **more},
    }
    run(spec_of({}, flags, [f"planner.{option}" for option in (*PATIENT, *options)]), out)
    return list(read(out))


@pytest.mark.parametrize("way", WAYS)
def test_an_episode_runs_to_its_end_and_is_replayed_without_the_model(way: str, url: str, tmp_path: Path) -> None:
    kept = {"cassette": str(tmp_path / "calls")}
    events = play(way, url, tmp_path / "run", **kept)
    (ended,) = [event for event in events if isinstance(event, EpisodeEnded)]
    assert ended.reason in ("turns", "done", "invalid"), ended.detail
    turns = [event for event in events if isinstance(event, TurnTaken)]
    assert turns and all(turn.usage["tokens_out"] > 0 for turn in turns)
    steps = [event for event in events if isinstance(event, StepTaken)]
    # Each turn either acts, or says why its reply could not be read.
    assert all(step.message for step in steps if step.result == "malformed")

    files = list((tmp_path / "calls").glob("*.json"))
    assert sum(file.stat().st_size for file in files) < 60_000 * len(files)
    again = play(way, "http://127.0.0.1:9/v1", tmp_path / "again", **kept, replay=True)
    assert [(step.proposed, step.result) for step in steps] == [
        (step.proposed, step.result) for step in again if isinstance(step, StepTaken)
    ]


def test_arguments_keep_their_schema_because_tools_are_strict(url: str) -> None:
    """Without `strict`, the same server lets the same model make up the arguments; then this has become needless."""
    envs = {name: Verbs(name, frozenset({"click", "type", "open_app"})) for name in ("phone", "desktop")}
    tools = toolset(envs)
    asked = (Message("system", ("You call tools.",)), Message("user", ("Open Mail on the desktop.",)))
    model = ChatModel(LlmEndpoint(MODEL, url, timeout=900, attempt=600, parameters={"max_tokens": 200}))
    reply = model.complete(asked, tools=tools)
    model.close()
    schemas = {tool.name: tool.parameters for tool in tools}
    assert reply.calls
    for name, told in reply.calls:
        given = json.loads(told)
        assert set(schemas[name]["required"]) <= set(given) <= set(schemas[name]["properties"]), (name, told)


def test_a_conversation_that_does_not_fit_is_refused_with_both_numbers_and_the_cure(url: str) -> None:
    model = ChatModel(LlmEndpoint(MODEL, url, timeout=900, attempt=600, retries=0, parameters={"max_tokens": 10}))
    with pytest.raises(ConfigError, match=rf"(?s){CONTEXT}.*history_tokens") as refused:
        model.complete((Message("user", ("word " * (CONTEXT + 100),)),))
    model.close()
    assert "too long" in str(refused.value)
