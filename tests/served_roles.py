"""One scripted model for every role of every agent system, and the command line to run them with."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Sequence

from chat_server import Answer, Request
from scripted_model import as_call
from served_duet import words

from omnipilot.agents.spec import PartSpec
from omnipilot.bench.suites.registry import load_suite
from omnipilot.envs.base import Thinking
from omnipilot.memory.trace import Move

TASK = "mail-code-to-message"


def omnipilot(*arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run the command line in a process of its own, with some variables."""
    env = {**{k: v for k, v in os.environ.items() if not k.endswith("_API_KEY")}, **variables}
    code = "from omnipilot.bench.cli import main; main()"
    return subprocess.run(
        [sys.executable, "-c", code, *arguments], capture_output=True, text=True, timeout=280, check=False, env=env
    )


def task() -> tuple[str, list[Move]]:
    """The instruction, and the moves that solve it."""
    suite = load_suite(PartSpec("duet"))
    here = suite.instantiate(TASK, 0)
    world = suite.world(Thinking())
    instruction = here.setup(world)
    assert here.solution is not None
    return instruction, list(here.solution(world))


INSTRUCTION, MOVES = task()


def last(request: Request) -> str:
    """The text of the last message of a request."""
    content = request.json["messages"][-1]["content"]
    return content if isinstance(content, str) else "\n".join(part.get("text", "") for part in content)


def device(request: Request) -> str:
    """The one device of a request, by its system prompt."""
    (name,) = re.findall(r'^- "(\w+)": a ', words(request), re.MULTILINE)
    return name


def role(request: Request) -> str:
    """Whose request it is, by the tools that it brings."""
    tools = {tool["function"]["name"] for tool in request.json.get("tools", ())}
    if not tools:
        return "main"
    if "click_in_phone" in tools:
        return "planner" if INSTRUCTION in words(request) else "tool agent"
    return device(request) if "click" in tools else "root"


def brain(moves: Sequence[Move] = MOVES) -> Callable[[Request], Answer]:
    """A model for every role of every system: who knows the task says the next move, the others do what they are told.

    What one role tells another goes by the message alone.
    """
    decided = iter([*moves, None])

    def answer(request: Request) -> Answer:
        who = role(request)
        if who in ("planner", "main"):
            move = next(decided)
            call = ("done", '{"status": "success"}') if move is None else as_call(move, who == "planner")
            if who == "planner":
                return Answer("On it.", (call,), usage=(100, 10))
            env = "" if move is None else move.env
            return Answer(f"Next: {json.dumps({'env': env, 'call': call})}", usage=(100, 10))
        told = json.loads(re.findall(r"Next: (\{.*\})", last(request))[-1])
        name, arguments = told["call"]
        mine = {"tool agent": told["env"] or "root"}.get(who, who) == (told["env"] or "root")
        if who == "tool agent" and told["env"]:
            name = f"{name}_in_{told['env']}"
        return Answer("", ((name, arguments) if mine else ("noop", "{}"),), usage=(50, 5))

    return answer
