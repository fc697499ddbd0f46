"""The world of BrowserGym's tasks: one browser, driven by BrowserGym's own environment in a process of its own."""

from __future__ import annotations

import base64
from collections.abc import Callable, Collection, Mapping
from typing import Any, Protocol

from omnipilot.bench.foreign import ForeignProcess, ForeignWorld
from omnipilot.bench.suites.browsergym.actions import ActionWriter, Addressing, write_said, write_wait
from omnipilot.bench.suites.browsergym.elements import make_elements
from omnipilot.envs import (
    Absent,
    Action,
    ActionRejected,
    Answer,
    AskUser,
    Context,
    CustomVerb,
    Done,
    Env,
    EnvLost,
    Image,
    Modality,
    Observation,
    Platform,
    Point,
    Size,
    Thinking,
)
from omnipilot.envs.web import BROWSING_VERBS, POINTING_VERBS, TYPING_VERBS

PATIENCE = 120.0
"""Seconds in which a task has to begin, and a step has to end, beside what the step itself waits."""
UNKNOWN = Size(1280, 720)
"""The size of a page that was never seen."""


class BrowserGymWorld(ForeignWorld):
    """A browser that BrowserGym drives and judges.

    Args:
        start: starts the process with the interpreter that has BrowserGym.
        benchmark: whose tasks are played.
        addressing: whether places go out as coordinates or as ids of elements.
        chromium: the browser's program; "" for that of Playwright.
        delay: seconds that BrowserGym waits before it looks.
        arguments: of each task, which BrowserGym gets as `task_kwargs`.
        browses: whether addresses may be opened, and tabs used.
    """

    judged_by = "BrowserGym"

    def __init__(
        self,
        start: Callable[[], ForeignProcess],
        benchmark: str,
        thinking: Thinking,
        *,
        addressing: Addressing = "coord",
        chromium: str = "",
        delay: float = 0.5,
        arguments: Mapping[str, Any] | None = None,
        browses: bool = True,
    ) -> None:
        super().__init__(start(), thinking, PATIENCE)
        self._options = {"benchmark": benchmark, "chromium": chromium, "delay": delay, "arguments": arguments or {}}
        self.browser = GymBrowser(
            self, addressing, POINTING_VERBS | TYPING_VERBS | (BROWSING_VERBS if browses else set())
        )

    @property
    def envs(self) -> Mapping[str, GymBrowser]:
        """The browser, as "browser"."""
        return {self.browser.name: self.browser}

    def start(self, task: str, instance: int) -> str:
        """Begin a task.

        Args:
            task: its id, without "browsergym/". instance: the seed that BrowserGym is given.

        Returns:
            The instruction.

        Raises:
            EnvLost: it cannot begin, or its instruction has pictures, which a run has no way to show.
        """
        self._task = task
        begun = self._process.ask("reset", PATIENCE, task=task, seed=instance, **self._options)
        if begun["pictures"]:
            raise EnvLost(f"the instruction of {task} has pictures, which a run cannot show; leave it out with --tasks")
        self.begin(task)
        self.browser.take_in(begun["seen"])
        return str(begun["goal"])

    def send(self, action: str, seconds: float = 0.0) -> None:
        """Let BrowserGym carry out an action.

        Args:
            action: as its code. seconds: how long it waits by itself.

        Raises:
            ActionRejected: it raised an error; a part of it may have been carried out.
            EnvLost: the process is gone, or its reward is none.
        """
        told = self._process.ask("step", PATIENCE + seconds, action=action)
        self.take_reward(told, action)
        self.browser.take_in(told["seen"])
        if error := told["seen"]["error"]:
            raise ActionRejected(f"the browser could not do this: {error.strip().splitlines()[0]}")

    def hear(self, said: Answer | AskUser | Done) -> None:
        """Send an answer or an ending on to the judges."""
        if not isinstance(said, AskUser) and not self._state.ended and (action := write_said(said)):
            self.send(action)

    def wait(self, seconds: float) -> None:
        """Wait in real time; a step for BrowserGym."""
        self.send(write_wait(seconds), seconds)


class Sender(Protocol):
    """Where the browser's actions go.

    Attributes:
        now: seconds since the episode began.
    """

    @property
    def now(self) -> float: ...

    def send(self, action: str, seconds: float = 0.0) -> None:
        """Have an action carried out, which takes about `seconds`, and let the browser take in what came of it."""
        ...


class GymBrowser(Env):
    """The browser: what BrowserGym told of it after the last action."""

    name: str
    verbs: frozenset[str]
    platform: Platform = "browser"
    custom: Mapping[str, CustomVerb] = {}

    def __init__(self, world: Sender, addressing: Addressing, verbs: frozenset[str]) -> None:
        self.name = "browser"
        self.verbs = verbs
        self._world = world
        self._addressing: Addressing = addressing
        self._pointer: Point | None = None
        self._observation = Observation(self.name, 0.0, UNKNOWN)

    @property
    def size(self) -> Size:
        """Of the last screenshot: pages of one benchmark may differ, and need not have the size of the viewport."""
        return self._observation.size

    def take_in(self, seen: Mapping[str, Any]) -> None:
        """Take in a reading of the page (`page_reading.read_observation`).

        Raises:
            EnvLost: it is none.
        """
        now = self._world.now
        try:
            size = Size(*seen["size"])
            picture = Image.encoded(base64.b64decode(seen["png"]), self.name, now)
            elements = make_elements(seen["elements"], size)
            titles, tab = tuple(seen["titles"]), int(seen["tab"])
            context = Context("Chromium", titles[tab], seen["url"], titles, tab)
        except (KeyError, TypeError, ValueError, IndexError) as error:
            raise EnvLost(f"BrowserGym's observation cannot be read: {type(error).__name__}: {error}") from None
        if picture.size != size:
            raise EnvLost(f"BrowserGym's screenshot is {picture.size}, and was said to be {size}")
        self._observation = Observation(self.name, now, size, picture, elements, context=context)

    def observe(self, modalities: Collection[Modality], since: float) -> Observation:  # noqa: ARG002
        """The page after the last action. BrowserGym looks by itself at each step, and at no other time."""
        return self._observation.only(modalities, "unasked")

    def act(self, action: Action) -> None:
        """Carry out an action by BrowserGym's own.

        Raises:
            ActionRejected: BrowserGym has no action for it, or it failed.
            EnvLost: the process is gone.
        """
        seen = self._observation
        elements = () if isinstance(seen.elements, Absent) else seen.elements.items
        if action.kind not in self.verbs:
            raise ActionRejected(f"this browser cannot {action.kind}; it can {', '.join(sorted(self.verbs))}")
        line = ActionWriter(self._addressing, seen.size, elements, self._pointer).write(action)
        at = getattr(action, "end", None) or getattr(action, "at", None)
        self._pointer = at if isinstance(at, Point) else self._pointer
        self._world.send(line, getattr(action, "seconds", None) or 0.0)

    def close(self) -> None:
        """The world closes it."""
