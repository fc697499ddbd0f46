"""Tasks of `duet` played by agents whose models a test serves."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from chat_server import Answer, Behaviour, ChatServer
from scripted_model import as_call, as_object

from omnipilot.agents.build import build
from omnipilot.agents.limits import Ending, Limits
from omnipilot.agents.loop import episode
from omnipilot.agents.spec import AgentSpec, PartSpec
from omnipilot.bench.graph import GraphEvaluator
from omnipilot.bench.judges import Case
from omnipilot.bench.suites.duet import Duet
from omnipilot.envs.observation import Modality
from omnipilot.envs.sim.world import SimWorld
from omnipilot.memory.trace import Move, Step
from omnipilot.planners.base import Brief, Verbs

SEEING = frozenset({Modality.SCREENSHOT, Modality.ELEMENTS, Modality.CONTEXT})
TASK = "send-message"


class Played:
    """An episode of an agent on a task of `duet`, judged."""

    def __init__(self, spec: AgentSpec, retries: int = 3, turns: int = 30) -> None:
        task = Duet().instantiate(TASK, 0)
        world = SimWorld()
        instruction = task.setup(world)
        judge = GraphEvaluator(task.graph)
        start = world.state()
        verbs = {name: Verbs(env.platform, env.verbs, env.custom) for name, env in world.envs.items()}
        run = episode(world, build(spec), Brief(instruction, verbs, 7), Limits(turns, 60), retries)
        self.instruction = instruction
        self.steps: list[Step] = []
        self.ending: Ending | None = None
        while self.ending is None:
            try:
                self.steps.append(next(run))
                judge.step(Case(world, start))
            except StopIteration as stop:
                self.ending = stop.value
        self.success = judge.success


def demonstration() -> list[Move]:
    """The moves that solve the task."""
    task = Duet().instantiate(TASK, 0)
    world = SimWorld()
    task.setup(world)
    assert task.solution is not None
    return list(task.solution(world))


def by_calls(moves: Sequence[Move], each: int = 1) -> list[Behaviour]:
    """Moves as a server's answers that call tools, so many a turn, and then `done`."""
    groups = [moves[i : i + each] for i in range(0, len(moves), each)]
    told = [Answer("I go on.", tuple(as_call(move, True) for move in group)) for group in groups]
    return [*told, Answer("It is sent.", (("done", '{"status": "success"}'),))]


def by_json(moves: Sequence[Move]) -> list[Behaviour]:
    """Moves as a server's answers in JSON, one a turn, and then `done`."""
    told = [*map(as_object, moves), {"kind": "done"}]
    return [Answer(json.dumps({"thought": "I go on.", "actions": [one]})) for one in told]


def spec(server: ChatServer, planner: str = "hosted_vllm/tiny", **more: Any) -> AgentSpec:
    """A single agent whose planner asks that server."""
    options = {"url": server.url, **more.pop("options", {})}
    if "/" not in planner:
        options["model"] = "hosted_vllm/tiny"
    return AgentSpec(planner=PartSpec(planner, options), **{"modalities": SEEING, **more})


def parts(request: Any, kind: str) -> list[Any]:
    """The parts of one kind in a request."""
    contents = [message["content"] for message in request.json["messages"]]
    return [part for content in contents if isinstance(content, list) for part in content if part["type"] == kind]


def words(request: Any) -> str:
    """All text of a request."""
    contents = [message["content"] for message in request.json["messages"] if isinstance(message["content"], str)]
    return "\n".join([*contents, *(part["text"] for part in parts(request, "text"))])
