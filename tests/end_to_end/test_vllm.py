"""A planner over a real vLLM server: a model of random weights, held to the schema of our verbs, never strays."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
import tiny_qwen
from made_settings import spec_of
from speed_vllm import NAME, tiny_server

from omnipilot.bench.journal import read
from omnipilot.bench.journal.events import EpisodeEnded, StepTaken, TurnTaken
from omnipilot.bench.run import run
from omnipilot.memory import Message
from omnipilot.memory.models import LlmEndpoint
from omnipilot.memory.models.model import ChatModel
from omnipilot.planners import Verbs
from omnipilot.planners.chat.toolset import toolset

pytestmark = [pytest.mark.vllm, pytest.mark.slow, pytest.mark.timeout(1200)]

TURNS = 6


@pytest.fixture(scope="module")
def url(vllm_program: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server whose prompts may be as long as those of a planner: a token is a byte here."""
    folder = tiny_qwen.write(tmp_path_factory.mktemp("tiny") / NAME)
    calling = ("--enable-auto-tool-choice", "--tool-call-parser", "hermes")
    server = tiny_server(str(vllm_program), folder, ("--max-model-len", "32768", *calling))
    yield server.url
    server.stop()


def test_an_episode_goes_to_its_limit_without_a_malformed_action(url: str, tmp_path: Path) -> None:
    # Nothing that ends an episode is offered, so that only the limit does.
    held = ("controls=wait,noop", "history=0", "repairs=0", "images=1", "actions=2", "timeout=900", "attempt=600")
    sampled = ("parameters.max_tokens=9000", "parameters.temperature=1.0")
    flags = {
        **{"suite": "duet", "tasks": "mail-code-to-message", "retries": 99, "limits": {"turns": TURNS}},
        **{"planner": {"name": "json", "model": f"hosted_vllm/{NAME}"}, "planner_url": url},
        "planner_modalities": "screenshot",
    }
    spec = spec_of({}, flags, [f"planner.{option}" for option in (*held, *sampled)])
    result = run(spec, tmp_path / "run")
    assert [episode.void for episode in result.episodes] == [False]
    events = list(read(tmp_path / "run"))
    (ended,) = [event for event in events if isinstance(event, EpisodeEnded)]
    turns = [event for event in events if isinstance(event, TurnTaken)]
    steps = [event for event in events if isinstance(event, StepTaken)]
    assert ended.reason == "turns", ended.detail
    assert len(turns) == TURNS
    assert [step.message for step in steps if step.result == "malformed"] == []
    assert all(turn.moves and turn.usage["tokens_out"] > 0 for turn in turns)
    assert "malformed action" not in " ".join(step.message for step in steps)


def test_a_call_that_is_required_keeps_its_schema_and_stands_alone(url: str) -> None:
    """Why thoughts are arguments: whatever the prompt asks for, the server begins with the call."""
    envs = {name: Verbs("phone", frozenset({"click", "swipe", "type"})) for name in ("one", "two")}
    asked = (Message("system", ("Say why in a sentence, then call a tool.",)), Message("user", ("Go on.",)))
    # Its words are random letters: each of the texts that a schema asks for goes on for hundreds.
    parameters = {"max_tokens": 6000, "temperature": 1.0}
    replies = []
    for seed in range(6):
        model = ChatModel(LlmEndpoint(f"hosted_vllm/{NAME}", url=url, parameters={**parameters, "seed": seed}))
        replies.append(model.complete(asked, 600, tools=toolset(envs)))
        model.close()
    calling = [reply for reply in replies if reply.calls]
    assert len(calling) > len(replies) / 2
    assert [reply.text for reply in calling] == [""] * len(calling)
    schemas = {tool.name: tool.parameters for tool in toolset(envs)}
    for name, told in (call for reply in calling for call in reply.calls):
        given = json.loads(told)
        assert set(schemas[name]["required"]) <= set(given) <= set(schemas[name]["properties"]), (name, told)
