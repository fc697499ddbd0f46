"""A world, a planner and a grounder that do what a test tells them, and write down what they were asked."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from omnipilot.agents.single import SingleAgent
from omnipilot.envs.actions import Action, Described, Intent, Ref
from omnipilot.envs.base import Platform, Thinking
from omnipilot.envs.custom import CustomVerb
from omnipilot.envs.errors import ActionRejected
from omnipilot.envs.geometry import Box, Point, Size
from omnipilot.envs.media import SAMPLE_RATE, AudioClip, Image, VideoClip
from omnipilot.envs.observation import ALL_MODALITIES, Absent, Context, Element, Elements, Modality, Observation
from omnipilot.grounders.base import Abstention, Grounding
from omnipilot.memory.base import Role
from omnipilot.memory.trace import Move, Turn
from omnipilot.memory.window import WindowMemory
from omnipilot.planners.base import Brief, Decision, Request, Verbs

SIZE = Size(20, 10)
SECONDS_AN_ACTION = 1.0


def element(name: str, role: str = "button", row: int = 0, id: str | None = None, **more: object) -> Element:
    """An element in one of ten rows of the screen."""
    return Element(role, name, Box(0.1, row / 10, 0.9, row / 10 + 0.08), id=id, **more)  # type: ignore[arg-type]


@dataclass
class ScriptedEnv:
    """A screen whose shade of grey counts the actions, so that every screenshot tells when it was taken."""

    name: str
    clock: Clock
    items: tuple[Element, ...] = ()
    platform: Platform = "desktop"
    verbs: frozenset[str] = frozenset({"click", "type", "press", "scroll", "drag"})
    rings: tuple[tuple[float, float], ...] = ()
    moves: tuple[tuple[float, float], ...] = ()
    rejects: Callable[[Action], str] = lambda _: ""
    on_act: Callable[[ScriptedEnv, Action], None] = lambda *_: None
    acted: list[Action] = field(default_factory=list)
    asked: list[tuple[frozenset[Modality], float, float]] = field(default_factory=list)
    size: Size = SIZE
    custom: Mapping[str, CustomVerb] = field(default_factory=dict)
    closed: bool = False

    def observe(self, modalities: Collection[Modality], since: float) -> Observation:
        now = self.clock.now
        self.asked.append((frozenset(modalities), since, now))
        full = Observation(
            self.name,
            now,
            self.size,
            screenshot=shade(len(self.acted), self.name, now),
            elements=Elements(self.items),
            audio=self._audio(since, now),
            video=self._video(since, now),
            context=Context(app="scripted", title=f"{len(self.acted)} actions"),
        )
        return full.only(modalities, "unasked")

    def act(self, action: Action) -> None:
        if action.kind not in self.verbs:
            raise ActionRejected(f"{self.name} cannot {action.kind}; it can {', '.join(sorted(self.verbs))}")
        if why := self.rejects(action):
            raise ActionRejected(why)
        self.acted.append(action)
        self.clock.now += SECONDS_AN_ACTION
        self.on_act(self, action)

    def close(self) -> None:
        self.closed = True

    def _audio(self, since: float, now: float) -> AudioClip:
        import numpy as np

        times = since + np.arange(round((now - since) * SAMPLE_RATE)) / SAMPLE_RATE
        loud = np.zeros(times.shape, dtype=bool)
        for start, end in self.rings:
            loud |= (times >= start) & (times < end)
        wave = np.where(np.arange(times.size) % 32 < 16, 8000, -8000)
        return AudioClip.from_array(np.where(loud, wave, 0).astype(np.int16), self.name, since)

    def _video(self, since: float, now: float) -> VideoClip:
        ticks = [since + 0.25 * n for n in range(int((now - since) / 0.25) + 1)]
        moving = [any(start <= tick < end for start, end in self.moves) for tick in ticks]
        frames = [
            shade(n if moves else 0, self.name, t) for n, (t, moves) in enumerate(zip(ticks, moving, strict=True))
        ]
        return VideoClip(frames, now, self.name)


def shade(number: int, env: str, time: float) -> Image:
    """A grey picture that is a different one for every number."""
    return Image.raw(SIZE, bytes([number % 256]) * (SIZE.pixels * 3), env, time)


@dataclass
class Clock:
    """The one clock of a scripted world."""

    now: float = 0.0


class ScriptedWorld:
    """Environments on one clock; every action takes a second."""

    def __init__(self, names: Iterable[str] = ("pc",), thinking: Thinking | None = None, **env: object) -> None:
        self.clock = Clock()
        self.thinking = thinking or Thinking()
        self.envs = {name: ScriptedEnv(name, self.clock, **env) for name in names}  # type: ignore[arg-type]
        self.waited: list[float] = []
        self.over = ""

    @property
    def now(self) -> float:
        return self.clock.now

    def reset(self, instance: int) -> None:
        assert instance >= 0
        self.clock.now = 0.0

    def wait(self, seconds: float) -> None:
        self.waited.append(seconds)
        self.clock.now += seconds

    def think(self, measured: float) -> None:
        self.clock.now += self.thinking.elapsed(measured)

    def ended(self) -> str:
        return self.over

    def close(self) -> None:
        for env in self.envs.values():
            env.close()


Scripted = Decision | Exception | Callable[[Request], Decision]


class ScriptedPlanner:
    """Plays its script, one entry a turn, the last one again and again."""

    def __init__(self, *script: Scripted) -> None:
        self.script = script
        self.begun: list[Brief] = []
        self.requests: list[Request] = []

    def begin(self, brief: Brief) -> None:
        self.begun.append(brief)
        self.requests = []

    def plan(self, request: Request) -> Decision:
        entry = self.script[min(len(self.requests), len(self.script) - 1)]
        self.requests.append(request)
        if isinstance(entry, Exception):
            raise entry
        return entry if isinstance(entry, Decision) else entry(request)


class ScriptedGrounder:
    """Knows the places it was told; writes down what it was shown."""

    needs: frozenset[Modality] = frozenset()

    def __init__(self, places: Mapping[str, Point] | None = None) -> None:
        self.places = dict(places or {})
        self.shown: list[Observation] = []

    def ground(self, observation: Observation, target: Described) -> Grounding | Abstention:
        self.shown.append(observation)
        name = target.id if isinstance(target, Ref) else target
        if name in self.places:
            return Grounding(self.places[name])
        return Abstention("not_found", f"there is no {name}")


class ScriptedRecorder:
    """Keeps everything it is told."""

    def __init__(self, modalities: frozenset[Modality] = frozenset()) -> None:
        self.modalities = modalities
        self.looks: list[tuple[int, Observation, bool]] = []
        self.decisions: list[tuple[int, Decision]] = []

    def looked(self, turn: int, observation: Observation, fresh: bool) -> None:
        self.looks.append((turn, observation, fresh))

    def decided(self, turn: int, decision: Decision, seconds: float) -> None:
        assert seconds >= 0
        self.decisions.append((turn, decision))


class WatchedMemory(WindowMemory):
    """A window that also keeps every turn it was given."""

    def __init__(self) -> None:
        super().__init__()
        self.learnt: list[Turn] = []

    def record(self, turn: Turn) -> None:
        super().record(turn)
        self.learnt.append(turn)


def decide(*moves: Intent | tuple[str, Intent], thought: str = "", **more: object) -> Decision:
    """A decision; a bare intent goes to the only environment."""
    pairs = tuple(Move(*move) if isinstance(move, tuple) else Move("", move) for move in moves)
    return Decision(pairs, thought, **more)  # type: ignore[arg-type]


def agent(
    planner: object,
    grounder: object | None = None,
    planner_sees: frozenset[Modality] = ALL_MODALITIES,
    grounder_sees: frozenset[Modality] = ALL_MODALITIES,
    memory: object | None = None,
) -> SingleAgent:
    """A single agent of scripted parts."""
    return SingleAgent(
        planner,  # type: ignore[arg-type]
        grounder or ScriptedGrounder(),  # type: ignore[arg-type]
        memory or WindowMemory(),  # type: ignore[arg-type]
        Role("planner", planner_sees),
        Role("grounder", grounder_sees),
    )


def brief(world: ScriptedWorld, instruction: str = "do it", **more: object) -> Brief:
    """What an agent is told about a scripted world."""
    envs = {name: Verbs(env.platform, env.verbs, env.custom) for name, env in world.envs.items()}
    return Brief(instruction, envs, **more)  # type: ignore[arg-type]


def play(steps: object) -> tuple[list, object]:
    """Drive an episode to its end: its steps and its ending."""
    taken = []
    try:
        while True:
            taken.append(next(steps))  # type: ignore[call-overload]
    except StopIteration as stop:
        return taken, stop.value


def view(env: str, elements: Sequence[Element] | None, **more: object) -> Observation:
    """An observation of these elements; None for a role that is not granted them."""
    seen = Absent("ablated") if elements is None else Elements(tuple(elements))
    return Observation(env, float(more.pop("time", 0.0)), SIZE, elements=seen, **more)  # type: ignore[arg-type]
