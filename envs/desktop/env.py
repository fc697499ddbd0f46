"""The environment of a Linux desktop: its programs as a person at its screen, keyboard and loudspeaker has them."""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Any, Literal

from omnipilot.envs.base import Capability, Env
from omnipilot.envs.clock import WallClock
from omnipilot.envs.desktop.accessibility.bus import BusGone
from omnipilot.envs.desktop.accessibility.options import options_at
from omnipilot.envs.desktop.accessibility.reader import ElementReader
from omnipilot.envs.desktop.accessibility.walk import AccessibleNode, AccessibleProgram
from omnipilot.envs.desktop.address import DesktopAddress
from omnipilot.envs.desktop.capture.film import FilmRecorder
from omnipilot.envs.desktop.capture.screenshot import Screenshots
from omnipilot.envs.desktop.capture.sound import SoundRecorder
from omnipilot.envs.desktop.input import DesktopInput, lasts
from omnipilot.envs.desktop.program_kinds import origin_of_program
from omnipilot.envs.desktop.pyautogui.input import VERBS as PYAUTOGUI
from omnipilot.envs.desktop.pyautogui.input import PyAutoGuiInput
from omnipilot.envs.desktop.x11.connection import XConnection
from omnipilot.envs.desktop.x11.screen_changes import ScreenChanges
from omnipilot.envs.desktop.x11.windows import Windows, XWindow
from omnipilot.envs.types.actions import Action, Click, OpenApp, Press, Select
from omnipilot.envs.types.custom import CustomVerb
from omnipilot.envs.types.errors import ActionRejected, ConfigError, EnvLost
from omnipilot.envs.types.geometry import Size
from omnipilot.envs.types.observation import Absent, Context, Element, Elements, Modality, Observation

POINTING = frozenset({"click", "long_press", "move", "mouse_down", "mouse_up", "drag", "scroll", "select"})
TYPING = frozenset({"type", "press", "key_down", "key_up"})
OPENING = frozenset({"open_app", "system"})
PRESSING = frozenset({"click", "long_press", "mouse_up", "drag", "select"})
DOUBLE_CLICK = 0.4
"""Seconds from a click to the next key, at least. Programs do a part of what a click does only after some tenths of a
second, because a second click may follow; a key that comes before that is lost."""
OPENING_LIST = 1.0
"""Seconds that an open list gets to show its options."""
STARTING = 15.0
"""Seconds that a program gets to open its window."""
VERBS = POINTING | TYPING | OPENING
MOST_OF_CLIPBOARD = 2000
"""Characters of the clipboard that an observation tells."""
INPUTS = ("xtest", "pyautogui")
"""The ways to its mouse and keyboard."""


class DesktopEnv(Env):
    """One X11 desktop that runs already; it is seen, heard and operated, and left running.

    Film and sound are recorded from the start, so that clips reach back to it: at most `capture.film.LONGEST` and
    `capture.sound.LONGEST` seconds.

    Args:
        address: where the desktop is reached.
        clock: of the world that it is part of; by default it has one of its own.
        verbs: verbs the agent may use, from `POINTING | TYPING | OPENING`.
        input: "xtest", or "pyautogui" for a mouse and keyboard through PyAutoGUI, which runs in a process of its own.
        launch: starts a program by its name, for `open_app`; raises ActionRejected or ConfigError for one that
            there is not.
        deadline: maximum seconds to collect elements; truncation is reported. cap: maximum number of nodes read.
        quiet: seconds without a change after which the screen has settled; least: seconds that an action waits for
            it at least; cap_settle: seconds that it waits for the program and the screen at most. A region that
            changed before the action does not count.
        record: whether film and sound are recorded.
        patience: seconds after which an unresponsive X server is given up.
        start: seconds to wait for the first frame and the first sound.
        why_gone: says why the desktop is gone, "" if it is not known; added to what is told of a lost one.

    Raises:
        MissingExtra, ConfigError: a library or a program is missing.
        EnvLost: there is no such desktop.
    """

    name: str
    size: Size
    verbs: frozenset[str]
    capabilities = frozenset({Capability.UI_TREE})

    def __init__(
        self,
        address: DesktopAddress,
        name: str = "desktop",
        *,
        clock: WallClock | None = None,
        verbs: frozenset[str] = VERBS,
        input: str = "xtest",
        launch: Callable[[str], None] | None = None,
        deadline: float = 0.5,
        cap: int = 4000,
        quiet: float = 0.15,
        least: float = 0.15,
        cap_settle: float = 2.5,
        record: bool = True,
        patience: float = 10.0,
        start: float = 5.0,
        why_gone: Callable[[], str] | None = None,
    ) -> None:
        if strangers := sorted(verbs - VERBS):
            raise ConfigError(f"a desktop cannot {', '.join(strangers)}; it can {', '.join(sorted(VERBS))}")
        if input not in INPUTS:
            raise ConfigError(f"input must be one of {', '.join(INPUTS)}, not {input!r}")
        self.name = name
        self.address = address
        self.verbs = verbs
        self._clock = clock or WallClock()
        self._launch = launch
        self._why_gone = why_gone
        self._settling = (quiet, least, cap_settle)
        self._closed = False
        self._pings = 0
        self._clicked = float("-inf")  # monotonic seconds at which the last click had been taken in
        self._film: FilmRecorder | Absent = Absent("unsupported", "film is not recorded")
        self._sound: SoundRecorder | Absent = Absent("unsupported", "sound is not recorded")
        opened: list[Any] = []
        try:
            self._x = XConnection(address, patience)
            opened.append(self._x)
            self.size = self._x.size
            if record and address.pulse:
                self._sound = SoundRecorder(address, name)
                opened.append(self._sound)
            elif record:
                self._sound = Absent("unsupported", "this desktop has no sound server")
            if record:
                self._film = FilmRecorder(address, name, self.size)
                opened.append(self._film)
            self._screenshots = Screenshots(address, name)
            opened.append(self._screenshots)
            self._changes = ScreenChanges(address)
            opened.append(self._changes)
            self._windows = Windows(self._x)
            self._reader = ElementReader(address, deadline, cap)
            opened.append(self._reader)
            self._input = DesktopInput(self._x, self._windows, address, lambda: self.size)
            opened.append(self._input)
            self._hands: DesktopInput | PyAutoGuiInput = self._input
            if input == "pyautogui":
                self._hands = PyAutoGuiInput(_reaching(address))
                opened.append(self._hands)
            for recorder in (self._film, self._sound):
                if not isinstance(recorder, Absent):
                    recorder.ready(start)
        except BaseException:
            for part in reversed(opened):
                part.close()
            raise
        self._parts = opened

    @property
    def platform(self) -> Literal["desktop"]:
        """The kind of device."""
        return "desktop"

    @property
    def custom(self) -> Mapping[str, CustomVerb]:
        """No custom verbs."""
        return {}

    @property
    def clipboard(self) -> str:
        """The text on the clipboard, for worlds that prepare and judge tasks.

        Raises:
            EnvLost: the desktop is gone.
        """
        return self._input.clipboard.get()

    @clipboard.setter
    def clipboard(self, text: str) -> None:
        self._input.clipboard.set(text)

    def windows(self) -> list[XWindow]:
        """The windows on the screen, the lowest first, for worlds that prepare and judge tasks."""
        with self._x.talking():
            return self._windows.stack()

    def activate(self, window: XWindow) -> None:
        """Bring a window to the front, for worlds that prepare tasks."""
        with self._x.talking():
            self._windows.activate(window)

    def close_window(self, window: XWindow) -> None:
        """Ask a window to close, for worlds that prepare tasks; its program may ask the user first."""
        with self._x.talking():
            self._windows.close_window(window)

    def programs(self) -> list[AccessibleProgram]:
        """The accessible trees of all programs as these tell them, for worlds that hand them on.

        Raises:
            EnvLost: the desktop is gone, or its accessibility bus.
        """
        with self._x.talking(10.0):
            try:
                return self._reader.programs()
            except BusGone as error:
                raise EnvLost(f"the elements of {self.name} cannot be read: {error}") from error

    def observe(self, modalities: Collection[Modality], since: float) -> Observation:
        """The desktop as it is now, with film and sound from `since` to now."""
        with self._explaining():
            return self._observe(modalities, since)

    @contextlib.contextmanager
    def _explaining(self) -> Iterator[None]:
        """Say why the desktop is gone, where it is known."""
        try:
            yield
        except EnvLost as error:
            why = self._why_gone() if self._why_gone is not None else ""
            if not why:
                raise
            raise EnvLost(f"{error}; {why}") from error

    def _observe(self, modalities: Collection[Modality], since: float) -> Observation:
        with self._x.talking():
            self._follow_size()
            now = self._clock.now
            seen: dict[str, Any] = {modality.value: Absent("unasked") for modality in Modality}
            if Modality.SCREENSHOT in modalities:
                seen["screenshot"] = self._screenshots.take(self.size, now)
            if Modality.CONTEXT in modalities:
                seen["context"] = self._context()
            if Modality.ELEMENTS in modalities:
                seen["elements"] = self._elements()
        if Modality.VIDEO in modalities:
            seen["video"] = self._clip(self._film, since, now)
        if Modality.AUDIO in modalities:
            seen["audio"] = self._clip(self._sound, since, now)
        return Observation(self.name, now, self.size, **seen)

    def ui_tree(self) -> Elements:
        """Every element of every program; those out of sight are `offscreen`, with a flat box at the nearest edge.

        Raises:
            EnvLost: the desktop is gone, or its accessibility bus.
        """
        with self._x.talking(5.0):
            return Elements(tuple(element for element, _ in self._every()))

    def act(self, action: Action) -> None:
        """Execute one action; return when the program in front has taken it in, and the screen has settled."""
        with self._explaining():
            self._act(action)

    def _act(self, action: Action) -> None:
        kind = action.kind
        if kind not in self.verbs:
            raise ActionRejected(f"{self.name} cannot do {kind!r}; it can: {', '.join(sorted(self.verbs))}")
        if self._closed:
            raise EnvLost(f"{self.name} is closed")
        moving = self._changes.moving()
        with self._x.talking(lasts(action)):
            if kind in TYPING:
                self._x.pause(self._clicked + DOUBLE_CLICK - time.monotonic())
            try:
                if isinstance(action, OpenApp):
                    self._open(action.app)
                elif isinstance(action, Select):
                    self._select(action)
                else:
                    getattr(self._hands if kind in PYAUTOGUI else self._input, kind)(action)
            except ActionRejected:
                raise  # nothing has changed: what the agent holds stays held
            except BaseException:
                self._release()
                raise
            quiet, least, cap = self._settling
            began = time.monotonic()
            if kind in POINTING | TYPING:
                self._wait_until_taken_in(cap)
            if kind in PRESSING:
                self._clicked = time.monotonic()
        self._changes.settle(quiet, least, max(quiet, began + cap - time.monotonic()), moving)

    def _wait_until_taken_in(self, seconds: float) -> None:
        """Return when the program in front has come to all that was sent to it, or after some seconds."""
        self._pings += 1
        window, until = self._windows.ping(self._pings), time.monotonic() + seconds
        while window and (left := until - time.monotonic()) > 0:
            if self._changes.wait_for_answer(self._pings, min(left, 0.1)) or not self._windows.is_there(window):
                return

    def settle(self) -> bool:
        """Return when the screen has settled, or after the time limit for that; whether it has."""
        return self._changes.settle(*self._settling, self._changes.moving())

    def close(self) -> None:
        """Release held keys and buttons, stop recording, and leave the desktop running. May be called twice."""
        if self._closed:
            return
        self._closed = True
        self._release()
        for part in reversed(self._parts):
            part.close()

    def _release(self) -> None:
        """Release held keys and buttons; a desktop that is gone has none."""
        self._input.release_quietly()
        if self._hands is not self._input:
            self._hands.release_quietly()

    def _follow_size(self) -> None:
        """Take up another size of the screen; the film begins anew with it. Asking also tells whether it is there."""
        size = self._x.size
        if size == self.size:
            return
        self.size = size
        if isinstance(self._film, FilmRecorder):
            before, self._film = self._film, FilmRecorder(self.address, self.name, size)
            self._parts[self._parts.index(before)] = self._film
            before.close()
            self._film.ready(2.0)

    def _context(self) -> Context:
        front = self._windows.front()
        clipboard = self._input.clipboard.glance()[:MOST_OF_CLIPBOARD]
        if front is None:
            return Context(clipboard=clipboard)
        origin = origin_of_program(front.program) or origin_of_program(front.instance)
        return Context(front.program or front.instance, front.title, clipboard=clipboard, origin=origin)

    def _elements(self) -> Elements | Absent:
        if not self.address.session_bus:
            return Absent("unsupported", "this desktop has no session bus")
        try:
            return self._reader.look(self._windows.stack(), self.size)
        except BusGone as error:
            return Absent("failed", str(error))

    def _every(self) -> list[tuple[Element, AccessibleNode]]:
        try:
            return self._reader.every(self._windows.stack(), self.size)
        except BusGone as error:
            raise EnvLost(f"the elements of {self.name} cannot be read: {error}") from error

    def _clip(self, recorder: Any, since: float, now: float) -> Any:
        return recorder if isinstance(recorder, Absent) else recorder.clip(min(since, now), now, self._clock)

    def _open(self, app: str) -> None:
        window = self._windows.find_program(app)
        if window is None and self._launch is None:
            window = self._windows.find_title(app)
            if window is None:
                opened = ", ".join(self._windows.titles()[:20]) or "none"
                raise ActionRejected(f"there is no window of {app!r}; open are: {opened}")
        if window is None and self._launch is not None:
            before = {one.id for one in self._windows.stack()}
            try:
                self._launch(app)
            except (ActionRejected, ConfigError) as error:
                # It is no program, but may be a word of a title.
                window = self._windows.find_title(app)
                if window is None:
                    raise ActionRejected(str(error)) from error
        if window is None:
            window = self._wait_for(lambda: self._windows.find_program(app) or self._new(before), STARTING)
            if window is None:
                raise ActionRejected(f"{app!r} was started and has opened no window within {STARTING:g} s; look again")
        self._windows.activate(window)
        wanted = window.id
        self._wait_for(lambda: ((front := self._windows.front()) is not None and front.id == wanted) or None, 2.0)

    def _new(self, before: set[int]) -> XWindow | None:
        return next((one for one in reversed(self._windows.stack()) if one.id not in before and not one.popup), None)

    def _wait_for(self, look: Callable[[], Any], seconds: float) -> Any:
        until = time.monotonic() + seconds
        while (found := look()) is None and time.monotonic() < until:
            self._x.pause(0.05)
        return found

    def _select(self, action: Select[Any]) -> None:
        options = options_at(self._every(), action.at)
        if options is None or not options.names:
            raise ActionRejected("there is no drop-down list at this place; try click")
        index = options.index(action.value)
        if index is None:
            shown = ", ".join(map(repr, options.names[:30]))
            raise ActionRejected(f"the list has no {action.value!r}; it has {shown}")
        wanted = options.nodes[index]
        if not self._click_option(wanted):
            self._input.click(Click(options.list.box.center))
            self._wait_until_taken_in(self._settling[2])
            self._changes.settle(*self._settling, [])
            if not self._wait_for(lambda: self._click_option(wanted) or None, OPENING_LIST):
                self._input.press(Press(("esc",)))
                if not self._reader.choose(options.node, index):
                    raise ActionRejected(f"the list did not show {action.value!r} when it was opened; scroll in it")

    def _click_option(self, wanted: AccessibleNode) -> bool:
        """Click an option that is in sight; whether it is."""
        elements = self._elements()
        shown = elements.by_id(wanted.id) if isinstance(elements, Elements) else None
        if shown is None:
            return False
        self._input.click(Click(shown.box.center))
        return True


def _reaching(address: DesktopAddress) -> dict[str, str]:
    """The environment of a program that is to reach the desktop's screen."""
    key = {"XAUTHORITY": address.xauthority} if address.xauthority else {}
    return {**os.environ, "DISPLAY": address.display, **key}
