"""Measures what the planner `function-calling` sends on `duet`: tokens a turn, and how much of a request repeats.

    python tests/perf/prompt_tokens.py                    # the tables of docs/agents.md
    python tests/perf/prompt_tokens.py --turns 12 --tasks send-message

Each task's demonstration is played by a scripted model, one move a turn, with a thought of 23 tokens. For the second
table it goes on to open the devices' programs one after another, until the episode has the wanted number of turns.

Words are counted by the tokenizer cl100k_base, whose file comes with litellm; tools as the JSON that is sent. A picture
counts as OpenAI's models of 512-pixel tiles count it: 85 tokens, and 170 for each tile after scaling to fit 2048x2048
and then to a shorter side of at most 768 pixels. Sound and video are not counted as tokens, but listed.

The share of a request that repeats is the part of its tokens (tools first, then each message in order) that equals the
beginning of the request of the turn before: what a provider's prompt cache can find.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import math
import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import cycle, takewhile
from pathlib import Path
from statistics import mean
from typing import Any

from omnipilot.agents.limits import Limits
from omnipilot.agents.loop import episode
from omnipilot.agents.teams import SingleAgent
from omnipilot.bench.episode.introduction import introduce
from omnipilot.bench.suites.duet import Duet
from omnipilot.envs import Image, Modality, OpenApp, World
from omnipilot.envs.schema import to_json
from omnipilot.envs.sim import SimWorld
from omnipilot.envs.types import ALL_MODALITIES
from omnipilot.envs.types.actions import place_fields
from omnipilot.grounders import ElementsGrounder
from omnipilot.memory import Message, Move, Reply, Role, WindowMemory
from omnipilot.memory.models import Tool
from omnipilot.memory.models.openai_messages import function
from omnipilot.planners import Brief, FunctionCallingPlanner
from omnipilot.planners.tools import TARGET

TASKS = ("spoken-code-to-log", "send-message", "mail-code-to-message")
TURNS = 30
SIGHT = frozenset({Modality.SCREENSHOT, Modality.CONTEXT})
GRANTS = {"screenshots": SIGHT, "all modalities": ALL_MODALITIES}
THOUGHT = "The last action had the effect I wanted. This is the next step that the task needs, so I do it now."


@cache
def encoding() -> Any:
    """The tokenizer cl100k_base, from the file that comes with litellm."""
    spec = importlib.util.find_spec("litellm")
    assert spec is not None and spec.origin is not None, "litellm is not installed; run: pip install -e '.[llm]'"
    os.environ.setdefault("TIKTOKEN_CACHE_DIR", str(Path(spec.origin).parent / "litellm_core_utils" / "tokenizers"))
    import tiktoken

    return tiktoken.get_encoding("cl100k_base")


def picture_tokens(image: Image) -> int:
    """What a picture counts as, see above."""
    width, height = image.size.width, image.size.height
    fit = min(1.0, 2048 / max(width, height))
    fit *= min(1.0, 768 / (min(width, height) * fit))
    return 85 + 170 * math.ceil(width * fit / 512) * math.ceil(height * fit / 512)


@dataclass(frozen=True)
class Asked:
    """One request.

    Attributes:
        tools, system, earlier, now: tokens of words: of the tools, the system prompt, earlier turns, and this one.
        pictures: tokens of pictures; shown: how many; clips: sounds and videos.
        stream: the whole request as comparable tokens.
    """

    tools: int
    system: int
    earlier: int
    now: int
    pictures: int
    shown: int
    clips: int
    stream: tuple[Any, ...] = field(repr=False)

    @property
    def total(self) -> int:
        """All tokens that are counted."""
        return self.tools + self.system + self.earlier + self.now + self.pictures


def measure(messages: Sequence[Message], tools: Sequence[Tool]) -> Asked:
    """The tokens of a request."""
    code = encoding().encode_ordinary
    written = code(json.dumps([function(tool) for tool in tools], separators=(",", ":"), ensure_ascii=False))
    stream: list[Any] = list(written)
    words = []
    pictures = shown = clips = 0
    for message in messages:
        stream.append(message.role)
        count = 0
        for part in (*message.parts, *(f"{name} {arguments}" for name, arguments in message.calls)):
            if isinstance(part, str):
                told = code(part)
                stream += told
                count += len(told)
            elif isinstance(part, Image):
                tokens = picture_tokens(part)
                stream += [part.digest] * tokens
                pictures, shown = pictures + tokens, shown + 1
            else:
                stream.append(part.digest)
                clips += 1
        words.append(count)
    system, *earlier, now = words
    return Asked(len(written), system, sum(earlier), now, pictures, shown, clips, tuple(stream))


def repeated(asked: Sequence[Asked]) -> list[float]:
    """For each request but the first, the share of it that repeats the beginning of the one before."""
    shares = []
    for before, after in zip(asked, asked[1:], strict=False):
        same = sum(
            1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(before.stream, after.stream, strict=False))
        )
        shares.append(same / len(after.stream))
    return shares


class Player:
    """A model that calls one move after another, in the form of the tools that it is offered."""

    def __init__(self, moves: Iterable[Move], turns: int) -> None:
        self.moves, self.turns = iter(moves), turns
        self.asked: list[Asked] = []

    def complete(
        self, messages: Sequence[Message], timeout: float | None = None, *, tools: Sequence[Tool] = (), **more: Any
    ) -> Reply:
        """The next move as a call."""
        self.asked.append(measure(messages, tools))
        offered = {tool.name: tool.parameters["properties"] for tool in tools}
        move = next(self.moves, None) if len(self.asked) < self.turns else None
        return Reply("", (("done", "{}"),)) if move is None else called(move, offered)


def called(move: Move, offered: dict[str, Any]) -> Reply:
    """A move as a call of one of the tools, with its thought where the tools take it."""
    told = to_json(move.intent)
    kind = told.pop("kind")
    if kind == "custom":
        kind, told = told["name"], told.get("arguments", {})
    else:
        told = {TARGET if name == "at" and "at" in place_fields(move.intent) else name: told[name] for name in told}
        told = {name: f"#{value['id']}" if isinstance(value, dict) else value for name, value in told.items()}
    name = kind if kind in offered else f"{kind}_in_{move.env}"
    if "device" in offered[name]:
        told = {"device": move.env, **told}
    if "thought" in offered[name]:
        return Reply("", ((name, json.dumps({"thought": THOUGHT, **told})),))
    return Reply(THOUGHT, ((name, json.dumps(told)),))


def play(task_id: str, granted: frozenset[Modality] = ALL_MODALITIES, turns: int = 0) -> list[Asked]:
    """The requests of an episode of so many turns; 0 for as many as the demonstration has moves, and one to end."""
    task = Duet().instantiate(task_id, 0)
    world = SimWorld()
    instruction = task.setup(world)
    assert task.solution is not None
    moves = [*task.solution(world), *_wander(world, turns)]
    turns = turns or len(moves) + 1
    player = Player(moves, turns)
    planner = FunctionCallingPlanner.over(player)
    role, whole = Role("planner", granted), Role("grounder", ALL_MODALITIES)
    agent = SingleAgent(planner, ElementsGrounder(), WindowMemory(), role, whole)
    brief = Brief(instruction, {name: introduce(env) for name, env in world.envs.items()})
    try:
        for _ in episode(world, agent, brief, Limits(turns, 2 * turns)):
            pass
    finally:
        world.close()
    return player.asked


def _wander(world: World, turns: int) -> list[Move]:
    """Moves that open one program after another."""
    apps = [cycle([Move(name, OpenApp(app)) for app in introduce(env).installed]) for name, env in world.envs.items()]
    return [next(one) for _ in range(turns) for one in apps]


ROWS: dict[str, Callable[[Asked], float]] = {
    "tools": lambda one: one.tools,
    "system prompt": lambda one: one.system,
    "earlier turns, words": lambda one: one.earlier,
    "this turn, words": lambda one: one.now,
    "pictures": lambda one: one.pictures,
    "all together": lambda one: one.total,
}


def tables(tasks: Sequence[str], turns: int) -> list[str]:
    """The lines that are printed."""
    lines: list[str] = []
    for length in (0, turns):
        what = f"tokens a turn, {turns} turns" if length else "tokens a turn, as many turns as the task needs"
        lines += [f"| {what} | {' | '.join(GRANTS)} |", f"|---|{'--:|' * len(GRANTS)}"]
        runs = [[play(task, granted, length) for task in tasks] for granted in GRANTS.values()]
        for row, of in ROWS.items():
            lines.append(
                f"| {row} | {' | '.join(f'{mean(of(one) for run in some for one in run):,.0f}' for some in runs)} |"
            )
        clips = [mean(one.clips for run in some for one in run) for some in runs]
        lines.append(f"| sounds and videos, number | {' | '.join(f'{one:.1f}' for one in clips)} |")
        shares = [mean(share for run in some for share in repeated(run)) for some in runs]
        lines += [f"| share that repeats the request before | {' | '.join(f'{one:.0%}' for one in shares)} |", ""]
    return lines


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tasks", nargs="+", default=list(TASKS))
    parser.add_argument("--turns", type=int, default=TURNS)
    given = parser.parse_args()
    print("\n".join(tables(given.tasks, given.turns)))


if __name__ == "__main__":
    main()
