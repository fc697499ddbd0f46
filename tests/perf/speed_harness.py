"""What the harness costs a step beyond environments, models and media encoding; and what a second job brings."""

from __future__ import annotations

import json
import tempfile
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from statistics import median
from typing import Any, ParamSpec, TypeVar

from omnipilot.agents import AgentSpec, PartSpec, Proposal, SingleAgent, build
from omnipilot.bench import Case, Judge, JudgeGraph, RunSpec, Suite, Task, TaskInfo
from omnipilot.bench.episode.pointing import TruthfulJudge
from omnipilot.bench.episode.runner import EpisodeRunner
from omnipilot.bench.episode.truth import EpisodeTruth
from omnipilot.bench.journal import Event, Journal, Slot
from omnipilot.bench.journal.journal import encode
from omnipilot.bench.journal.message_log import MessageLog
from omnipilot.bench.run import run
from omnipilot.bench.run.execution import RunExecution
from omnipilot.bench.spec import RunLimits
from omnipilot.envs import (
    Action,
    AudioClip,
    Box,
    Click,
    CustomVerb,
    Element,
    Elements,
    Image,
    Modality,
    Observation,
    Point,
    Size,
    Thinking,
)
from omnipilot.envs.base import Env, Platform, World
from omnipilot.envs.types.media import Media
from omnipilot.memory import MediaRef, MediaStore, Message, Move, Pointed, Reply, Usage
from omnipilot.memory.models import Tool
from omnipilot.memory.models.client import ChatRequest
from omnipilot.memory.models.exchange import Exchange
from omnipilot.memory.models.media_forms import MediaForms
from omnipilot.memory.models.openai_chat.wire import request_body

SIZE = Size(412, 916)
P = ParamSpec("P")
R = TypeVar("R")


class _Watch:
    """Seconds spent in what is not the harness."""

    def __init__(self, clock: Callable[[], float] = time.perf_counter) -> None:
        self.clock = clock
        self.seconds = 0.0
        self._inside = False

    def timed(self, function: Callable[P, R]) -> Callable[P, R]:
        def call(*args: P.args, **kwargs: P.kwargs) -> R:
            if self._inside:
                return function(*args, **kwargs)
            self._inside, began = True, self.clock()
            try:
                return function(*args, **kwargs)
            finally:
                self.seconds += self.clock() - began
                self._inside = False

        return call


class _Screen(World, Env):
    """A world of one screen with 40 elements, one of which changes its name with every action."""

    name = "screen"
    platform: Platform = "phone"
    size = SIZE
    verbs = frozenset({"click"})
    custom: Mapping[str, CustomVerb] = {}
    now: float

    def __init__(self, watch: _Watch) -> None:
        self.now = 0.0
        self._picture = Image.raw(SIZE, bytes(SIZE.pixels * 3))
        self._rows = [
            Element("button", f"row {i}", Box(0.1, i / 40, 0.9, (i + 1) / 40), frozenset({"focused"}), f"r{i}")
            for i in range(40)
        ]
        for name in ("reset", "wait", "think", "observe", "act"):
            setattr(self, name, watch.timed(getattr(self, name)))

    @property
    def envs(self) -> dict[str, Any]:
        return {self.name: self}

    def reset(self, instance: int) -> None:
        self.now = 0.0

    def wait(self, seconds: float) -> None:
        self.now += seconds

    def think(self, measured: float) -> None:
        pass

    def close(self) -> None:
        pass

    def observe(self, modalities: Collection[Modality], since: float) -> Observation:
        rows = [replace(self._rows[0], name=f"{self.now:g} s"), *self._rows[1:]]
        sound = AudioClip(bytes(2 * round((self.now - since) * 16_000)), self.name, since)
        picture = self._picture.at(self.name, self.now)
        return Observation(self.name, self.now, SIZE, picture, Elements(tuple(rows)), sound).only(modalities, "unasked")

    def act(self, action: Action) -> None:
        self.now += 0.1


class _Suite(Suite):
    """One task of so many clicks, with 20 judges, one of them active."""

    name = "speed"
    version = "1"

    def __init__(self, steps: int, watch: _Watch) -> None:
        self.steps = steps
        self.watch = watch

    def tasks(self) -> Sequence[TaskInfo]:
        return [TaskInfo("clicks", "click on and on", ("screen",))]

    def world(self, thinking: Thinking) -> Any:
        return _Screen(self.watch)

    def instantiate(self, task_id: str, instance: int) -> Task:
        def setup(world: Any) -> str:
            world.reset(instance)
            return "Click on and on."

        graph = JudgeGraph.chain([Judge(f"never {i}", _never) for i in range(20)])
        moves = [Move("screen", Click("row 7"))] * self.steps
        return Task(task_id, instance, setup, graph, lambda _: moves)


class _Store(MediaStore):
    def __init__(self, folder: Path, watch: _Watch) -> None:
        super().__init__(folder)
        self._watch = watch

    def put(self, media: Media) -> MediaRef:
        return self._watch.timed(super().put)(media)

    def put_json(self, text: str, env: str = "", time: float = 0.0) -> MediaRef:
        return self._watch.timed(super().put_json)(text, env, time)

    def sync(self) -> None:
        self._watch.timed(super().sync)()


def harness_figures(
    steps: int = 1000, memory: str = "window", clock: Callable[[], float] = time.perf_counter
) -> dict[str, float]:
    """Where the time of a step goes: one click by the planner `oracle`, grounded by the grounder `elements`.

    The sound is silence, which no reader of sounds looks at.

    Returns:
        Seconds a step: `harness` (loop, agent, memory, graph evaluator, element lists to text, journal), `apart`
        (environment, models, encoding and storing of media) and `all`.
    """
    agent = AgentSpec(planner=PartSpec("oracle"), memory=PartSpec(memory))
    spec = RunSpec(agent, PartSpec("speed"), limits=RunLimits(turns=0, actions=0))
    watch, truth = _Watch(clock), EpisodeTruth()
    parts = build(agent, truth)
    assert isinstance(parts, SingleAgent)
    for part, name in ((parts.planner, "plan"), (parts.grounder, "ground")):
        setattr(part, name, watch.timed(getattr(part, name)))
    with tempfile.TemporaryDirectory() as folder, Journal.open(Path(folder)) as journal:

        def emit(event: Event) -> None:
            journal.append_line(encode(event))

        store = _Store(Path(folder) / "media", watch)
        # Imports and caches are not what a step costs.
        EpisodeRunner(spec, _Suite(20, watch), parts, store, emit, truth).play(Slot("clicks", 0, 0), 1)
        player = EpisodeRunner(spec, _Suite(steps, watch), parts, store, emit, truth)
        watch.seconds = 0.0
        began = clock()
        player.play(Slot("clicks", 0, 1), 1)
        total = clock() - began
    return {"harness": (total - watch.seconds) / steps, "apart": watch.seconds / steps, "all": total / steps}


def harness_overhead(
    steps: int = 1000, memory: str = "window", clock: Callable[[], float] = time.perf_counter
) -> float:
    """Seconds that a step costs beyond environments, models and media encoding."""
    return harness_figures(steps, memory, clock)["harness"]


def verdict_seconds(rounds: int = 300) -> float:
    """Median seconds of a verdict on one described place, on a screen of 40 elements."""
    screen = _Screen(_Watch())
    seen = screen.observe({Modality.ELEMENTS}, 0.0)
    truth = EpisodeTruth()
    task = _Suite(1, _Watch()).instantiate("clicks", 0)
    truth.begin(screen, task, 0)
    pointed = Pointed("row 7", Point(0.5, 0.19))
    proposal = Proposal(Move("screen", Click("the row 7 button")), Click(pointed.point), None, seen, pointed=(pointed,))
    judge, taken = TruthfulJudge(truth), []
    for _ in range(rounds):
        began = time.perf_counter()
        judge.looked(seen)
        found = judge.judge(proposal)
        taken.append(time.perf_counter() - began)
    assert [one["right"] for one in found] == [True]
    return median(taken)


def two_jobs_speedup(suite: str = "duet", planner: str = "oracle", instances: int = 3, rounds: int = 2) -> float:
    """How many times faster two jobs run a suite than one, the start of the processes apart; the best of each counts.

    Means something only on a machine with two cores or more that has nothing else to do.
    """
    spec = RunSpec(AgentSpec(planner=PartSpec(planner)), PartSpec(suite), instances=instances)
    seconds: dict[int, list[float]] = {1: [], 2: []}
    for _ in range(rounds):
        for jobs, taken in seconds.items():
            with tempfile.TemporaryDirectory() as folder:
                taken.append(run(spec, Path(folder), RunExecution(jobs)).seconds)
    return min(seconds[1]) / min(seconds[2])


def _never(case: Case) -> bool:
    return case.world is None


def kept_messages(turns: int = 30, tools: int = 27) -> dict[str, float]:
    """What it costs to keep the messages of an episode: a conversation that grows by a screen of 4 kB a turn.

    Captures are in the store already, as the record of the observations puts them there.

    Returns:
        `ms`: milliseconds of CPU a turn, the median, of describing the request and writing its record. `bytes`: bytes
        a turn of messages, answer and journal line. `growth`: bytes of the last ten turns divided by those of ten in
        the middle; 1 if the record grows evenly.
    """
    tool = Tool(
        "click", "Press and release a button. " * 5, {"type": "object", "properties": {"at": {"type": "string"}}}
    )
    offered = [replace(tool, name=f"click_{number}") for number in range(tools)]
    taken: list[float] = []
    written: list[int] = []
    with tempfile.TemporaryDirectory() as folder:
        store = MediaStore(Path(folder))
        lines: list[bytes] = []
        log = MessageLog("speed#0.0", 1, store, lambda event: lines.append(encode(event)))
        talk = [Message("system", ("You operate devices. " * 100,))]
        for turn in range(turns):
            picture = Image.raw(SIZE, bytes([turn]) * (SIZE.pixels * 3))
            store.put(picture)
            rows = "\n".join(f'#row{number} button "row {number} of turn {turn}"' for number in range(100))
            talk.append(Message("user", (f"turn {turn}", picture, rows)))
            request = ChatRequest(tuple(talk), offered, parameters={"temperature": 0.0, "max_tokens": 4096})
            raw = json.dumps({"choices": [{"message": {"content": f"turn {turn}: {'I click on the row. ' * 10}"}}]})
            before = _size(Path(folder))
            began = time.process_time()
            log.turn = turn
            body = request_body("m", request, MediaForms())
            log.exchanged(Exchange("planner", "openai/m", 1, body, raw, Reply("clicked"), "", Usage(1, 9_000, 90)))
            taken.append(time.process_time() - began)
            written.append(_size(Path(folder)) - before + len(lines[-1]))
            talk.append(Message("assistant", ("I click on the row.",), (("click_1", f'{{"at": "row{turn}"}}'),)))
            talk.append(Message("tool", ("carried out",)))
    middle, last = sum(written[turns // 2 - 5 : turns // 2 + 5]), sum(written[-10:])
    return {"ms": 1e3 * median(taken), "bytes": sum(written) / turns, "growth": last / middle}


def _size(folder: Path) -> int:
    return sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())
