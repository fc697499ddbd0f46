"""The world of `workshop`: of a desktop, a browser and a phone over adb, those that a task needs."""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any

from omnipilot.bench.suites.workshop.site import Sent, Site
from omnipilot.bench.suites.workshop.template import TaskDraft
from omnipilot.envs import ActionRejected, Capability, Env, EnvLost, Modality, Observation, OpenApp, WallClock, World
from omnipilot.envs.composite import CompositeWorld, Device
from omnipilot.envs.desktop.state import DesktopState, StateReader, WindowState
from omnipilot.envs.sim.state.world_state import WorldState

APPEAR = 60.0
"""Seconds that a program may take to show its window, with what it was started with; longer than it ever should."""
CALM = 0.5
"""Seconds after the last change of the screen until a task begins."""
ELEMENTS = 3.0
"""Seconds at most to collect the elements of the desktop: enough for slow programs on a machine that is busy."""
DEVICES = ("desktop", "browser", "phone")


@dataclass(frozen=True, eq=False)
class WorkshopState:
    """What judges read.

    Attributes:
        desktop, phone: of the devices that the task has; an empty one and None for those that it has not.
        site: the forms that were sent.
    """

    desktop: DesktopState
    phone: WorldState | None
    site: tuple[Sent, ...]


@dataclass(frozen=True, slots=True)
class LastingContent:
    """What of a state lasts: the files of the desktop that are not hidden, by path, what the phone keeps, and the forms
    that were sent."""

    files: Mapping[str, bytes]
    phone: object
    site: tuple[Sent, ...]


class WorkshopWorld(World):
    """Devices are started when a task first needs them, and stay until one needs others."""

    capabilities = frozenset({Capability.STATE, Capability.TOGETHER})

    def __init__(self) -> None:
        self._inner: CompositeWorld | None = None
        self._devices: tuple[str, ...] = ()
        self._heard = False
        self._site: Site | None = None
        self._reader: StateReader | None = None

    def set_up(self, draft: TaskDraft, devices: Sequence[str], instance: int) -> None:
        """Bring the devices to the start of a task.

        Raises:
            ConfigError: a device cannot be started. EnvLost: one is gone.
        """
        wanted = tuple(name for name in DEVICES if name in devices)
        heard = bool(draft.page_media)
        if self._inner is None or (wanted, heard) != (self._devices, self._heard):
            self._stop()
            self._heard = heard
            self._start(wanted)
        assert self._inner is not None
        if self._site is not None:
            self._site.show(draft.pages, {path: make() for path, make in draft.page_media.items()})
        self._inner.reset(instance)
        if "phone" in wanted:
            self._inner.ask("phone", lambda phone: phone.prepare(draft.phone))
        if "desktop" in wanted:
            self._inner.ask("desktop", lambda desktop: self._furnish(desktop, draft))

    def _start(self, wanted: tuple[str, ...]) -> None:
        makes = {"desktop": _desktop, "browser": self._browser, "phone": _phone}
        if "browser" in wanted:
            self._site = Site()
        self._inner = CompositeWorld({name: Device(makes[name]) for name in wanted})
        self._devices = wanted

    def _browser(self, clock: WallClock) -> World:
        from omnipilot.envs.web import BrowserWorld

        assert self._site is not None
        return BrowserWorld(url=self._site.url, clock=clock, sound=self._heard)

    def _furnish(self, desktop: Any, draft: TaskDraft) -> None:
        """Write the files of the home, and open programs one after the other, each when the one before is ready."""
        home = desktop.desktop.home
        for path, data in draft.files.items():
            home.write_file(path, data)
        for path, make in draft.media.items():
            home.write_file(path, make())
        if self._reader is not None:
            self._reader.close()
        self._reader = StateReader(desktop.desktop)
        # Programs of Qt register with the accessibility bus only if it runs when they start.
        desktop.env.observe({Modality.ELEMENTS}, desktop.now)
        for command in draft.open:
            before = self._reader.read().windows
            desktop.desktop.open(*command) if len(command) == 1 else self._open_with(desktop, command)
            shown = _title_of(command, (*draft.files, *draft.media))
            until = desktop.now + APPEAR
            played = command[-1] if command[-1] in draft.media else ""
            while not self._is_ready(desktop, before, shown, played):
                if desktop.now > until:
                    shown_now = ", ".join(repr(one.title) for one in self._reader.read().windows) or "no window"
                    raise EnvLost(
                        f"{' '.join(command)} is not ready, in front with what it was started with, after "
                        f"{APPEAR:g} s; there are {shown_now}"
                    )
                desktop.wait(0.1)
        desktop.env.settle()
        desktop.wait(CALM)

    def _is_ready(self, desktop: Any, before: Sequence[WindowState], shown: str, played: str) -> bool:
        """Whether the window that shows this in its title, or any new one, is worked in, and a player tells that it
        holds what is `played`, if anything.

        The window is brought to the front otherwise: a window manager does not always do that by itself.
        """
        assert self._reader is not None
        state = self._reader.read()
        wanted = find_opened(state.windows, before, shown)
        if any(one.active for one in wanted):
            return not played or any(one.url.endswith(f"/{played}") for one in state.players)
        if wanted and wanted[-1].title:
            with contextlib.suppress(ActionRejected):  # it may be gone, or be called something else by now
                desktop.env.act(OpenApp(wanted[-1].title))
        return False

    def _open_with(self, desktop: Any, command: tuple[str, ...]) -> None:
        from omnipilot.envs.desktop import find_program

        program = find_program(command[0])
        for path, text in program.files.items():
            if not desktop.desktop.home.exists(path):
                desktop.desktop.home.write_file(path, text.encode())
        desktop.desktop.start((*program.command, *command[1:]), program.environment)

    @property
    def inner(self) -> CompositeWorld:
        """The devices.

        Raises:
            EnvLost: no task was set up.
        """
        if self._inner is None:
            raise EnvLost("no task of workshop was set up in this world")
        return self._inner

    @property
    def envs(self) -> Mapping[str, Env]:
        """The devices of the current task; none before one was set up."""
        return {} if self._inner is None else self._inner.envs

    @property
    def now(self) -> float:
        """Wall seconds since the task was set up."""
        return 0.0 if self._inner is None else self._inner.now

    def reset(self, instance: int) -> None:
        """Reset the devices, without the content of any task."""
        self.inner.reset(instance)

    def wait(self, seconds: float) -> None:
        """Wait in real time."""
        self.inner.wait(seconds)

    def think(self, measured: float) -> None:
        """Do nothing: the devices kept running."""

    def observe_together(
        self, modalities: Collection[Modality], since: Mapping[str, float]
    ) -> Mapping[str, Observation]:
        """All devices at one moment."""
        return self.inner.observe_together(modalities, since)

    def state(self) -> WorkshopState:
        """What judges read, now."""
        inner = self.inner
        desktop, phone = DesktopState(), None
        if self._reader is not None and "desktop" in self._devices:
            desktop = inner.ask("desktop", lambda _: self._reader.read())  # type: ignore[union-attr]
        if "phone" in self._devices:
            phone = inner.ask("phone", lambda phone: phone.state())
        return WorkshopState(desktop, phone, self._site.sent if self._site is not None else ())

    def lasting_part(self, state: WorkshopState) -> LastingContent:
        """What a task can be about, without the settings that programs write by themselves."""
        files, phone = state.desktop.files, state.phone
        kept = None if phone is None else self.inner.ask("phone", lambda world: world.lasting_part(phone))
        return LastingContent({path: data for path, data in files.items() if not _is_hidden(path)}, kept, state.site)

    def close(self) -> None:
        """Stop all devices. May be called twice."""
        self._stop()

    def _stop(self) -> None:
        inner, self._inner = self._inner, None
        site, self._site = self._site, None
        reader, self._reader = self._reader, None
        if reader is not None:
            with contextlib.suppress(EnvLost):
                reader.close()
        try:
            if inner is not None:
                inner.close()
        finally:
            if site is not None:
                site.close()


def _is_hidden(path: str) -> bool:
    return any(part.startswith(".") for part in PurePosixPath(path).parts)


def find_opened(windows: Sequence[WindowState], before: Sequence[WindowState], shown: str) -> list[WindowState]:
    """The windows that show this in their titles; where it is empty, those that were not there before, whatever the
    titles of the others are now."""
    if shown:
        return [one for one in windows if shown in one.title]
    known = Counter((one.pid, one.program) for one in before)
    found = []
    for one in windows:
        known[one.pid, one.program] -= 1
        if known[one.pid, one.program] < 0:
            found.append(one)
    return found


def _title_of(command: Sequence[str], files: Collection[str]) -> str:
    """What a program's window says in its title once it shows the file, or the folder, that it is started with."""
    last = PurePosixPath(command[-1])
    known = any(PurePosixPath(path).is_relative_to(last) for path in files)
    return last.stem if len(command) > 1 and known else ""


def _desktop(clock: WallClock) -> World:
    from omnipilot.envs.desktop import DesktopWorld

    return DesktopWorld(clock=clock, deadline=ELEMENTS)


def _phone(clock: WallClock) -> World:
    from omnipilot.envs.sim.phone_over_adb import EmbeddedPhone

    return EmbeddedPhone(clock)


def lacking_for(devices: Collection[str], programs: Sequence[str]) -> list[str]:
    """What these devices need and do not find on this machine; nothing is started.

    Args:
        devices: names in `DEVICES`. programs: of the desktop.
    """
    from omnipilot.envs.desktop import PROGRAMS, DesktopWorld
    from omnipilot.envs.sim.phone_over_adb import EmbeddedPhone
    from omnipilot.envs.web import BrowserWorld

    known = [name for name in programs if name in PROGRAMS]
    looks = {
        "desktop": lambda: DesktopWorld.lacking({"programs": known}),
        "browser": lambda: BrowserWorld.lacking({}),
        "phone": lambda: EmbeddedPhone.lacking({}),
    }
    return [one for name in DEVICES if name in devices for one in looks[name]()]
