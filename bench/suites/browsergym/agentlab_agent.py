"""Our agents in AgentLab's loop: `ExpArgs(OmnipilotArgs(planner="rules"), EnvArgs("miniwob.click-test"))`.

AgentLab asks for one action after the other; the agent runs in the ordinary loop, in a thread, on a world whose actions
are handed to AgentLab. agentlab 0.4.2 with browsergym-core 0.14.3 was used.
"""

from __future__ import annotations

import functools
import queue
import threading
import time
import weakref
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from omnipilot.agents import AgentSpec, Limits, build, episode, parse_part
from omnipilot.agents.assembly import GROUNDERS, PLANNERS
from omnipilot.bench.suites.browsergym.actions import Addressing, write_said, write_wait
from omnipilot.bench.suites.browsergym.page_reading import read_goal, read_observation
from omnipilot.bench.suites.browsergym.world import GymBrowser
from omnipilot.envs import (
    ActionRejected,
    Answer,
    AskUser,
    Capability,
    Done,
    EnvLost,
    Modality,
    World,
)
from omnipilot.envs.types import require
from omnipilot.envs.web import BROWSING_VERBS, POINTING_VERBS, TYPING_VERBS
from omnipilot.planners import Brief, Verbs

require("agentlab.agents.agent_args", "browsergym")

from agentlab.agents.agent_args import AgentArgs  # noqa: E402
from browsergym.core.action.highlevel import HighLevelActionSet  # noqa: E402
from browsergym.experiments.agent import Agent, AgentInfo  # noqa: E402

SUBSETS = ["chat", "infeas", "bid", "coord", "nav", "tab"]
NO_LIMITS = Limits(None, None)
"""AgentLab's own `max_steps` counts."""


@dataclass
class OmnipilotArgs(AgentArgs):
    """What an agent of ours is made of, for AgentLab.

    Attributes:
        planner, grounder: parts, as the command line takes them.
        modalities: what the agent is shown: "screenshot", "elements", "context".
        actions: "coord" to send places as coordinates, "bid" as the ids of elements.
        chromium: a browser's program for BrowserGym's browsers; "" for Playwright's own.
    """

    agent_name: str = "omnipilot"
    planner: str = "rules"
    grounder: str = "elements"
    modalities: tuple[str, ...] = ("screenshot", "elements")
    actions: Addressing = "coord"
    chromium: str = ""
    options: dict[str, Any] = field(default_factory=dict)

    def make_agent(self) -> AgentLabAgent:
        """An agent for one episode."""
        if self.chromium:
            use_chromium(self.chromium)
        planner = parse_part(self.planner, PLANNERS).with_options(self.options)
        spec = AgentSpec(
            planner=planner,
            grounder=parse_part(self.grounder, GROUNDERS),
            modalities=frozenset(map(Modality, self.modalities)),
        )
        return AgentLabAgent(spec, self.actions)

    def set_reproducibility_mode(self) -> None:
        """Nothing changes: what a model samples at is an option of the planner."""


class WritableInfo(AgentInfo):
    """AgentLab writes errors into an agent's info as into a dictionary, which its own class does not allow."""

    def __setitem__(self, name: str, value: Any) -> None:
        setattr(self, name, value)


class AgentLabAgent(Agent):
    """One of our agents, for one episode."""

    def __init__(self, spec: AgentSpec, actions: Addressing) -> None:
        self.action_set = HighLevelActionSet(SUBSETS, multiaction=True, strict=True)
        self._spec = spec
        self._actions: Addressing = actions
        self._world: HandedWorld | None = None

    def obs_preprocessor(self, obs: Mapping[str, Any]) -> dict[str, Any]:
        """The observation, without texts at its top: AgentLab counts their tokens by a vocabulary that it downloads."""
        return {"screenshot": obs["screenshot"], "goal_object": obs["goal_object"], "bgym": dict(obs)}

    def get_action(self, obs: Mapping[str, Any]) -> tuple[str | None, WritableInfo]:
        """The next action; None when the agent has ended the episode.

        Raises:
            Exception: whatever the agent raised, such as that its model is not available.
        """
        seen = obs["bgym"]
        if self._world is None:
            self._world = HandedWorld(self._actions)
            self._world.browser.take_in(read_observation(seen))
            threading.Thread(target=_play, args=(self._world, self._spec, read_goal(seen)[0]), daemon=True).start()
            weakref.finalize(self, self._world.seen.put, None)
        else:
            self._world.seen.put(read_observation(seen))
        action = self._world.chosen.get()
        if isinstance(action, BaseException):
            raise action
        recorder = self._world.thoughts
        return action, WritableInfo(think=recorder.thought, stats={"n_tokens": recorder.tokens, "turn": recorder.turn})


class HandedWorld(World):
    """A browser whose actions are handed to AgentLab, and whose observations come from there.

    Attributes:
        chosen: the actions of the agent; None when it is done, an exception when it failed.
        seen: readings of what came of them; None when AgentLab asks no more.
    """

    capabilities = frozenset({Capability.HEARS})

    def __init__(self, actions: Addressing) -> None:
        self.chosen: queue.Queue[str | BaseException | None] = queue.Queue()
        self.seen: queue.Queue[Mapping[str, Any] | None] = queue.Queue()
        self.thoughts = Thoughts()
        self._begun = time.monotonic()
        self.browser = GymBrowser(self, actions, POINTING_VERBS | TYPING_VERBS | BROWSING_VERBS)

    @property
    def envs(self) -> Mapping[str, GymBrowser]:
        """The browser, as "browser"."""
        return {self.browser.name: self.browser}

    @property
    def now(self) -> float:
        """Seconds since the episode began."""
        return time.monotonic() - self._begun

    def send(self, action: str, seconds: float = 0.0) -> None:  # noqa: ARG002
        """Hand over an action, and take in what came of it."""
        self.chosen.put(action)
        seen = self.seen.get()
        if seen is None:
            raise EnvLost("AgentLab has ended the episode")
        self.browser.take_in(seen)
        if error := seen["error"]:
            raise ActionRejected(f"the browser could not do this: {error.strip().splitlines()[0]}")

    def hear(self, said: Answer | AskUser | Done) -> None:
        """Hand over an answer or an ending."""
        if not isinstance(said, AskUser) and (action := write_said(said)):
            self.send(action)

    def reset(self, instance: int) -> None:
        """AgentLab begins episodes."""
        raise NotImplementedError("a world that AgentLab drives is begun by AgentLab")

    def wait(self, seconds: float) -> None:
        """Let AgentLab wait; a step for it."""
        self.send(write_wait(seconds))

    def think(self, measured: float) -> None:
        """Does nothing: pages run in real time anyway."""

    def close(self) -> None:
        """AgentLab closes its browser."""


class Thoughts:
    """A recorder that keeps the last thought, the number of its turn, and all tokens."""

    modalities: frozenset[Modality] = frozenset()

    def __init__(self) -> None:
        self.thought, self.tokens, self.turn = "", 0, 0

    def looked(self, turn: int, observation: Any, fresh: bool) -> None:
        """Nothing is kept."""

    def grounded(self, proposal: Any) -> None:
        """Nothing is kept."""

    def decided(self, turn: int, choice: Any, seconds: float) -> None:  # noqa: ARG002
        """Keep what the planner thought."""
        self.thought, self.turn = choice.decision.thought, turn
        self.tokens += choice.decision.usage.tokens

    def guarded(self, turn: int, step: int, move: Any, ruling: Any) -> None:
        """Nothing is kept."""

    def remembered(self, turn: int, events: Any) -> None:
        """Nothing is kept."""


def _play(world: HandedWorld, spec: AgentSpec, instruction: str) -> None:
    """Play the episode, in a thread of its own."""
    try:
        brief = Brief(
            instruction,
            {name: Verbs(env.platform, env.verbs, env.custom, size=env.size) for name, env in world.envs.items()},
        )
        for _ in episode(world, build(spec), brief, NO_LIMITS, recorder=world.thoughts):
            pass
        world.chosen.put(None)
    except BaseException as error:
        world.chosen.put(error)


def use_chromium(path: str) -> None:
    """Let Playwright start this browser wherever BrowserGym starts one, also for its chat, which takes no such option.

    Args:
        path: the browser's program.
    """
    from playwright.sync_api import BrowserType

    starter: Any = BrowserType
    launch = getattr(starter.launch, "__wrapped__", starter.launch)

    @functools.wraps(launch)
    def launch_this(browser: Any, **options: Any) -> Any:
        return launch(browser, **{"executable_path": path, **options})

    starter.launch = launch_this
