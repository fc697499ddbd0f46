"""A planner, a grounder, a memory and a world that live in a package of their own."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from omnipilot.envs import (
    Absent,
    Action,
    ActionRejected,
    Box,
    Click,
    CustomVerb,
    Done,
    Element,
    Elements,
    Image,
    Modality,
    Observation,
    Size,
)
from omnipilot.envs.base import Env, Platform, World
from omnipilot.envs.types.actions import Described
from omnipilot.grounders import Abstention, Grounder, Grounding
from omnipilot.memory import Budget, Memory, Move, Recalled, Role, Turn, estimate_tokens
from omnipilot.planners import Brief, Decision, Planner, Request


class FirstButton(Planner):
    """Clicks the first button that it sees, `clicks` times, and says that it is done."""

    reads = frozenset({Modality.ELEMENTS})

    def __init__(self, clicks: int = 1) -> None:
        self.clicks = clicks

    def begin(self, brief: Brief) -> None:
        """Nothing to remember."""

    def plan(self, request: Request) -> Decision:
        """A click on the first button, or the end."""
        if request.turn >= self.clicks:
            return Decision((Move("", Done()),))
        for env, seen in request.observations.items():
            items = [] if isinstance(seen.elements, Absent) else list(seen.elements)
            if button := next((element for element in items if element.role == "button"), None):
                return Decision((Move(env, Click(button.name)),), thought=f"{button.name} comes first.")
        return Decision((Move("", Done("infeasible")),))


class FirstNamed(Grounder):
    """Points at the first element whose name is the description."""

    needs = frozenset({Modality.ELEMENTS})

    def ground(self, observation: Observation, target: Described) -> Grounding | Abstention:
        """Find it by its exact name."""
        items = [] if isinstance(observation.elements, Absent) else list(observation.elements)
        found = next((element for element in items if element.name == target), None)
        return Grounding(found.box.center, found.box) if found else Abstention("not_found", f"no element {target!r}")


class LastThought(Memory):
    """Recalls what was thought last."""

    def __init__(self) -> None:
        self._last: Recalled | None = None

    def clear(self) -> None:
        """Forget it."""
        self._last = None

    def record(self, turn: Turn) -> None:
        """Keep the turn's thought."""
        time = max((seen.time for seen in turn.observations.values()), default=0.0)
        self._last = Recalled(turn.thought, "thought", "", time, turn.index) if turn.thought else None

    def recall(self, query: str, budget: Budget, role: Role, envs: Collection[str]) -> tuple[Recalled, ...]:
        """The thought, where the budget has room for it."""
        if self._last is None:
            return ()
        words = str(self._last.part)
        tokens = budget.tokens is None or estimate_tokens(words) <= budget.tokens
        return (self._last,) if budget.texts >= 1 and len(words) <= budget.characters and tokens else ()


class Lamp(World, Env):
    """A world of one device: a lamp that every click switches on or off. Clicks take a tenth of a second."""

    name = "lamp"
    platform: Platform = "desktop"
    size = Size(16, 16)
    verbs = frozenset({"click"})
    custom: Mapping[str, CustomVerb] = {}

    def __init__(self) -> None:
        self.reset(0)

    @property
    def envs(self) -> Mapping[str, Lamp]:
        """The lamp."""
        return {self.name: self}

    @property
    def now(self) -> float:
        """Seconds since the last reset."""
        return self._now

    def reset(self, instance: int) -> None:
        """Lamps of odd instances are on."""
        self._now, self._on = 0.0, instance % 2 == 1

    def wait(self, seconds: float) -> None:
        """Nothing else happens."""
        self._now += seconds

    def think(self, measured: float) -> None:
        """It waits while models think."""

    def observe(self, modalities: Collection[Modality], since: float) -> Observation:
        """A bright or a dark screen, and one switch; it has neither sound nor motion."""
        picture = Image.raw(self.size, bytes([255 if self._on else 0]) * (self.size.pixels * 3), self.name, self._now)
        states = frozenset({"checked"}) if self._on else frozenset()
        switch = Element("switch", "Lamp", Box(0, 0, 1, 1), states, id="switch")
        return Observation(self.name, self._now, self.size, picture, Elements((switch,))).only(modalities, "unasked")

    def act(self, action: Action) -> None:
        """Switch it."""
        if not isinstance(action, Click):
            raise ActionRejected(f"a lamp cannot {action.kind}; it can click")
        self._on = not self._on
        self._now += 0.1

    def close(self) -> None:
        """There is nothing to release."""
