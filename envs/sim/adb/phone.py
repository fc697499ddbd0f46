"""The phone of a world while it is served: its clock, its display, and what its apps do not know of."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Collection, Hashable
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any, Protocol

from omnipilot.envs.sim.adb.display import PhoneDisplay, Rotation
from omnipilot.envs.sim.adb.file_tree import FileTree
from omnipilot.envs.sim.adb.touch import Touch
from omnipilot.envs.sim.env import SimEnv
from omnipilot.envs.sim.faults import Faults
from omnipilot.envs.sim.state.phone_data import MONDAY
from omnipilot.envs.sim.state.world_state import WorldState
from omnipilot.envs.sim.ui.scene import Do, Scene
from omnipilot.envs.types.actions import Action
from omnipilot.envs.types.errors import ActionRejected
from omnipilot.envs.types.media import AudioClip, Image
from omnipilot.envs.types.observation import Elements, Modality, Observation

BOOTED_BEFORE = 3600.0
"""Seconds for which the phone was on when its world began."""
ADB_KEYBOARDS = ("com.android.adbkeyboard/.AdbIME", "com.github.uiautomator/.AdbKeyboard")
KEYBOARD = "com.android.inputmethod.latin/.LatinIME"


class ServedWorld(Protocol):
    """What a served phone needs of its world."""

    @property
    def faults(self) -> Faults: ...
    @property
    def now(self) -> float: ...

    def alive(self) -> WorldState: ...

    def state(self) -> WorldState: ...

    def change(self, step: Callable[[WorldState], WorldState], seconds: float) -> None: ...

    def wait(self, seconds: float) -> None: ...

    def history(self, since: float) -> tuple[WorldState, ...]: ...


class ServedPhone:
    """The phone of a world, on which time passes as on the wall.

    Verbs take no time of their own here: whoever sends them waits, and the clock runs meanwhile. All methods may be
    called from any thread; whoever changes the world beside a phone that is served holds `lock`.

    Args:
        rate: seconds of the world's clock a second.
        clock: seconds of the wall.
    """

    def __init__(
        self, world: ServedWorld, rate: float = 1.0, clock: Callable[[], float] = time.monotonic, rotation: Rotation = 0
    ) -> None:
        self.lock = threading.RLock()
        self.rate = rate
        self._clock = clock
        self._world = world
        self._env = SimEnv("phone", self, world.faults)
        self._last = clock()
        self._known: WorldState | None = None
        self._turned = rotation
        self.restart()

    def restart(self) -> None:
        """As after switching it on: no files of anybody's, no overrides, the usual keyboard."""
        with self.lock:
            self.files = FileTree()
            self.settings: dict[tuple[str, str], str] = {}
            self.display = PhoneDisplay(self._world.state().phone.screen.pixels, self._turned)
            self.screen_on = True
            self.locked_rotation = False
            self.keyboards = {KEYBOARD}
            self.keyboard = KEYBOARD
            self._env.forget()
            self._last = self._clock()
            self.touch = Touch(self)

    # The `Host` of the phone's environment.

    def alive(self) -> WorldState:
        """See `SimWorld.alive`."""
        return self._world.alive()

    def history(self, since: float) -> tuple[WorldState, ...]:
        """See `SimWorld.history`."""
        return self._world.history(since)

    def change(
        self,
        step: Callable[[WorldState], WorldState],
        seconds: float = 0.0,  # noqa: ARG002
        name: Hashable = None,  # noqa: ARG002
    ) -> None:
        """Apply a step now; it takes no time of its own, so it is another one than that of its name."""
        with self.lock:
            self.tick()
            self._world.change(step, 0.0)
            self._known = self._world.state()

    def tick(self) -> None:
        """Let the time pass on the world's clock that has passed on the wall since the last tick."""
        with self.lock:
            now = self._clock()
            seconds = max(0.0, (now - self._last) * self.rate)
            self._last = now
            if self._world.state() is not self._known:
                # Somebody else changed the world, perhaps to another one: what was laid out may be none of its.
                self._env.forget()
            self._world.wait(round(seconds, 6))
            self._known = self._world.state()
            panel = self._known.phone.screen.pixels
            if panel != self.display.panel:
                self.display = replace(self.display, panel=panel)

    def state(self) -> WorldState:
        """The state of the world as it was last looked at; see `now_state`."""
        return self._world.state()

    def now_state(self) -> WorldState:
        """The state of the world now."""
        with self.lock:
            self.tick()
            return self._world.alive()

    def do(self, action: Action) -> str:
        """Carry out a verb.

        Returns:
            "", or why the phone ignores it.
        """
        with self.lock:
            self.tick()
            try:
                self._env.act(action)
            except ActionRejected as problem:
                return str(problem)
            self._known = self._world.state()
            return ""

    def apply(self, step: Do) -> None:
        """Apply a step of the state."""
        self.change(step)

    def scene(self) -> Scene:
        """The laid-out screen."""
        with self.lock:
            self.tick()
            return self._env.scene()

    def scene_of(self, state: WorldState) -> Scene:
        """The laid-out screen of a state that is being changed."""
        return self._env.scene(state)

    def observe(self, modalities: Collection[Modality], since: float | None = None) -> Observation:
        """See `Env.observe`; clips start at `since` and end now."""
        with self.lock:
            self.tick()
            return self._env.observe(modalities, self._world.now if since is None else since)

    def elements(self) -> Elements:
        """The elements on the screen, with the faults of the world's trees."""
        found = self.observe((Modality.ELEMENTS,)).elements
        assert isinstance(found, Elements)
        return found

    def picture(self) -> Image:
        """The screenshot now."""
        found = self.observe((Modality.SCREENSHOT,)).screenshot
        assert isinstance(found, Image)
        return self.display.picture(found, black=not self.screen_on)

    def sound(self, seconds: float) -> AudioClip:
        """What the phone has sounded in the last seconds."""
        with self.lock:
            self.tick()
            found = self.observe((Modality.AUDIO,), self._world.now - seconds).audio
            assert isinstance(found, AudioClip)
            return found

    @property
    def now(self) -> float:
        """Seconds on the world's clock."""
        with self.lock:
            self.tick()
            return self._world.now

    def date(self) -> datetime:
        """The phone's date and time of day (its time zone is UTC)."""
        state = self.now_state()
        return datetime(MONDAY.year, MONDAY.month, MONDAY.day) + timedelta(seconds=state.start + state.time)

    def unix(self) -> int:
        """The phone's date in seconds since 1970."""
        return int((self.date() - datetime(1970, 1, 1)).total_seconds())

    def uptime(self) -> float:
        """Seconds since the phone was switched on."""
        return self.now + BOOTED_BEFORE

    def turn(self, rotation: int | None) -> None:
        """Lock the rotation, in quarter turns; None follows how the phone lies."""
        self.locked_rotation = rotation is not None
        self.note(rotation=self._turned if rotation is None else rotation)

    def note(self, **changes: Any) -> None:
        """Change the display: `rotation`, `override` or `density`."""
        with self.lock:
            self.display = replace(self.display, **changes)
