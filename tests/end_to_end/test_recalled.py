"""What memory recalls arrives in the request to a model, part for part, in place and with its label."""

from __future__ import annotations

import base64
import io
import json
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import av
import pytest
import tiny_qwen
from chat_server import Answer, ChatServer, Request, Status
from scripted import ScriptedGrounder
from secret_screens import observation
from speed_vllm import NAME, tiny_server

from omnipilot.agents import SingleAgent
from omnipilot.agents.base import Agent, Situation
from omnipilot.envs import AudioClip, Image, VideoClip
from omnipilot.memory import Budget, Outcome, Recalled, Role, Step, Turn, Usage
from omnipilot.memory.episodic import EpisodicMemory
from omnipilot.memory.quoting import quote
from omnipilot.planners import Brief, Planner, Verbs
from omnipilot.planners.chat import JsonPlanner, OmniGuiPlanner
from omnipilot.planners.native import NativePlanner

BUDGET = Budget(texts=6, images=2, clips=4, tokens=400, audio_seconds=5, video_seconds=5)
STEP_BEFORE = "Screenshot of phone one step before:"
"""OmniGUI's prompt holds the last screen itself; it is not shown twice."""
MEDIA = ("--limit-mm-per-prompt", '{"image": 8, "video": 4}')
"""More than the grounders that are served need."""
WAIT = '{"thought": "", "actions": [{"kind": "wait", "seconds": 1}]}'


def contents(part: object) -> tuple[str, bytes | str]:
    """The kind and content of a message part as it was sent."""
    assert isinstance(part, dict)
    kind = part["type"]
    if kind == "text":
        return "text", part["text"]
    if kind == "input_audio":
        return "audio", base64.b64decode(part["input_audio"]["data"])
    data = base64.b64decode(part[kind]["url"].partition(",")[2])
    return ("video", frames_of(data)) if kind == "video_url" else (kind.removesuffix("_url"), data)


def frames_of(file: bytes) -> bytes:
    """All frames of a film: two files of one clip may differ in bits that no frame depends on."""
    with av.open(io.BytesIO(file)) as container:
        return b"".join(frame.to_ndarray(format="rgb24").tobytes() for frame in container.decode(video=0))


def sent_as(part: object) -> tuple[str, bytes]:
    if isinstance(part, Image):
        return "image", part.png()
    if isinstance(part, AudioClip):
        return "audio", part.wav()
    assert isinstance(part, VideoClip)
    return "video", frames_of(part.mp4())


def check_arrived(request: Request, recalled: Sequence[Recalled], takes: frozenset[str]) -> None:
    """Check that each recalled part is in the last message, in order, after its label."""
    parts = [contents(part) for part in request.json["messages"][-1]["content"]]
    at = 0
    words = "\n".join(str(content) for kind, content in parts if kind == "text")
    for one in recalled:
        assert one.why in words
        if isinstance(one.part, str):
            own = one.source in ("thought", "action", "note")
            assert f"({one.why}): {one.part if own else quote(one.part)}" in words
        elif (wanted := sent_as(one.part))[0] in takes:
            found = parts.index(wanted)
            label = str(parts[found - 1][1]).splitlines()[-1]
            if label == STEP_BEFORE:
                continue
            assert found >= at, "they are in the order of the recall"
            assert label.startswith("- ") and label.endswith(f"{one.source} ({one.why}):")
            at = found + 1
    assert at or not any(not isinstance(one.part, str) for one in recalled)


def second_choice(agent: Agent, turns: int = 3) -> list[Recalled]:
    """What was recalled for the last of some turns."""
    agent.begin(Brief("Type the code heard in the film", {"phone": Verbs("phone", frozenset({"click"}))}))
    given: list[Recalled] = []
    for index in range(turns):
        seen = {"phone": observation("phone", index, ("code", f"page {index}"))}
        situation = Situation(index, {env: one.only(agent.modalities) for env, one in seen.items()}, seen.__getitem__)
        choice = agent.decide(situation)
        moves = [proposal.move for proposal in choice.proposals]
        steps = tuple(Step(index, index, move, move.intent, Outcome("control")) for move in moves)
        agent.learn(Turn(index, situation.observations, "", (), steps, Usage()))
        given = [one for _, one in choice.recalled]
    return given


@pytest.mark.parametrize(
    ("make", "reply"),
    [
        (lambda url: JsonPlanner("hosted_vllm/scripted", url=url, history=0), WAIT),
        (lambda url: OmniGuiPlanner("hosted_vllm/scripted", url=url), '{"action_type": "NONE"}'),
        (
            lambda url: NativePlanner("hosted_vllm/scripted", url=url, family="ui-tars-1.5"),
            "Thought: I wait.\nAction: wait()",
        ),
    ],
    ids=["json", "omnigui", "native"],
)
def test_it_arrives_part_for_part(make: Callable[[str], Planner], reply: str) -> None:
    with ChatServer([Answer(reply)]) as server:
        planner = make(server.url)
        agent = SingleAgent(planner, ScriptedGrounder(), EpisodicMemory(), Role("planner"), Role("grounder"), BUDGET)
        given = second_choice(agent)
        own = [one for one in given if one.source not in ("thought", "action", "outcome") or "json" in reply]
        assert {type(one.part) for one in own} == {str, Image, AudioClip, VideoClip}
        check_arrived(server.requests[-1], own, frozenset({"image", "audio", "video"}))


def test_nothing_is_sent_twice_that_the_conversation_holds() -> None:
    with ChatServer([Answer(WAIT)]) as server:
        planner = JsonPlanner("hosted_vllm/scripted", url=server.url, history=2)
        agent = SingleAgent(planner, ScriptedGrounder(), EpisodicMemory(), Role("planner"), Role("grounder"), BUDGET)
        second_choice(agent)
        whole = [part for message in server.requests[-1].json["messages"] for part in message["content"]]
        pictures = [contents(part) for part in whole if isinstance(part, dict) and part["type"] == "image_url"]
        assert len(pictures) == len(set(pictures)) == 3


@pytest.fixture(scope="module")
def url(vllm_program: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server whose prompts may be as long as those of a planner: a token is a byte here."""
    folder = tiny_qwen.write(tmp_path_factory.mktemp("tiny") / NAME)
    server = tiny_server(str(vllm_program), folder, ("--max-model-len", "32768", *MEDIA))
    yield server.url
    server.stop()


@pytest.mark.vllm
@pytest.mark.slow
@pytest.mark.timeout(1200)
def test_it_arrives_at_a_real_vllm(url: str) -> None:
    def forward(request: Request) -> Answer | Status:
        """Pass the request on to the real server as it came; what its random weights say is not what is tested."""
        onward = urllib.request.Request(
            url.removesuffix("/v1") + request.path, request.body, {"Content-Type": "application/json"}
        )
        try:
            with urllib.request.urlopen(onward, timeout=600) as answer:
                replies.append(json.loads(answer.read()))
        except urllib.error.HTTPError as error:
            return Status(error.code, error.read().decode(errors="replace")[:500])
        return Answer(WAIT)

    replies: list[dict[str, object]] = []
    with ChatServer(forward, models=(NAME,)) as proxy:
        planner = JsonPlanner(
            f"hosted_vllm/{NAME}",
            url=proxy.url,
            history=0,
            repairs=0,
            actions=1,
            audios=0,
            degrade={"audio": "describe"},
            controls="wait,noop",
            parameters={"max_tokens": 8, "temperature": 0.0},
            timeout=900.0,
            attempt=600.0,
        )
        agent = SingleAgent(planner, ScriptedGrounder(), EpisodicMemory(), Role("planner"), Role("grounder"), BUDGET)
        given = second_choice(agent, 2)
        assert {Image, VideoClip} <= {type(one.part) for one in given}
        check_arrived(proxy.requests[-1], given, frozenset({"image", "video"}))
        sent = proxy.requests[-1].json["messages"][-1]["content"]
        words = sum(len(part["text"].encode()) for part in sent if part["type"] == "text")
        usage = replies[-1]["usage"]
        # A token of this model is a byte, so its prompt holds all the words, and its pictures beside them.
        assert isinstance(usage, dict) and usage["prompt_tokens"] > words
