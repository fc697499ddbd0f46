"""What a planner's turn costs beyond what its model takes: reading the request, asking, and reading the reply."""

from __future__ import annotations

import http.client
import json
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from speed_delay import delaying_server

from omnipilot.envs import Image, Modality
from omnipilot.envs.sim import SimWorld
from omnipilot.memory.models import LlmEndpoint
from omnipilot.memory.models.client import ChatRequest
from omnipilot.memory.models.openai_chat.wire import Writer
from omnipilot.memory.models.providers import endpoint_forms
from omnipilot.planners import Brief, Request
from omnipilot.planners.base import Verbs
from omnipilot.planners.chat import FunctionCallingPlanner

ARGUMENTS = json.dumps({"keys": ["enter"]})
CALL = {"id": "call_0", "type": "function", "function": {"name": "press", "arguments": ARGUMENTS}}
ANSWER = json.dumps(
    {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 0,
        "model": "delay",
        "choices": [
            {
                "index": 0,
                "message": {"role": "assistant", "content": None, "tool_calls": [CALL]},
                "finish_reason": "tool_calls",
            }
        ],
        "usage": {"prompt_tokens": 1200, "completion_tokens": 8, "total_tokens": 1208},
    }
).encode()


@dataclass(frozen=True, slots=True)
class TurnCost:
    """Milliseconds a turn; the best of the rounds.

    Attributes:
        bare: a thread a connection of `http.client`, that sends bytes made beforehand and reads the answer's.
        ours: the planner `function-calling`, from a request to a decision.
        kilobytes: of a request's body.
    """

    bare: float
    ours: float
    kilobytes: float

    @property
    def ratio(self) -> float:
        return self.ours / self.bare


def turn_cost(delay: float, callers: int, turns: int = 30, rounds: int = 5) -> TurnCost:
    """Compare turns with a bare loop that sends the same bytes to a server that answers after `delay` seconds.

    Every turn shows the same screenshot and elements of the embedded desktop, and keeps no history.
    """
    request = _request()
    with delaying_server(delay, ANSWER) as port, ThreadPoolExecutor(callers) as pool:
        url = f"http://127.0.0.1:{port}/v1"
        planners = [
            FunctionCallingPlanner("hosted_vllm/delay", url, price_in=0.0, price_out=0.0, history=0)
            for _ in range(callers)
        ]
        for planner in planners:
            planner.begin(request.brief)
            planner.warm_up()
        messages, options = planners[0].preview(request)
        asked = ChatRequest(messages, options["tools"], options["tool_choice"])
        body = b"".join(
            Writer().request(
                "delay",
                asked,
                endpoint_forms(LlmEndpoint("hosted_vllm/delay", "http://127.0.0.1:9/v1")),
                strict_tools=True,
            )
        )
        connections = [http.client.HTTPConnection("127.0.0.1", port, timeout=30) for _ in range(callers)]

        def bare(caller: int) -> None:
            for _ in range(turns):
                connections[caller].request("POST", "/v1/chat/completions", body, {"Content-Type": "application/json"})
                if b"press" not in connections[caller].getresponse().read():
                    raise AssertionError("the server answers something else")

        def ours(caller: int) -> None:
            for _ in range(turns):
                if len(planners[caller].plan(request).moves) != 1:
                    raise AssertionError("the server answers something else")

        best: dict[Callable[[int], None], float] = {}
        # The first round opens the connections and encodes the picture.
        for number in range(rounds + 1):
            for way in (bare, ours):
                began = time.perf_counter()
                list(pool.map(way, range(callers)))
                seconds = time.perf_counter() - began
                if number:
                    best[way] = min(seconds, best.get(way, seconds))
        for connection in connections:
            connection.close()
    return TurnCost(1e3 * best[bare] / turns, 1e3 * best[ours] / turns, len(body) / 1024)


def _request() -> Request:
    world = SimWorld()
    try:
        world.reset(0)
        env = world.envs["desktop"]
        seen = env.observe({Modality.SCREENSHOT, Modality.ELEMENTS}, 0.0)
        assert isinstance(seen.screenshot, Image)
        brief = Brief("Press Enter.", {"desktop": Verbs(env.platform, env.verbs, env.custom)})
        return Request(brief, 0, {"desktop": seen})
    finally:
        world.close()
