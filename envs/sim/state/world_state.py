"""The whole state of the world as one immutable record; every change creates a new one."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Literal, Protocol, TypeAlias

from omnipilot.envs.sim.audio.sound import Sound
from omnipilot.envs.sim.state.account import Account
from omnipilot.envs.sim.state.display import DESKTOP, PHONE, SCREENS, DeviceScreen, Look
from omnipilot.envs.sim.state.table import FrozenTable
from omnipilot.envs.types.geometry import Size

DeviceName: TypeAlias = Literal["phone", "desktop"]
Value: TypeAlias = str | int | bool
DAY = 86_400


@dataclass(frozen=True, slots=True)
class Field:
    """A draft in a text field: `caret` and `anchor` are positions between characters, and delimit the selection."""

    text: str = ""
    caret: int = 0
    anchor: int = 0


@dataclass(frozen=True, slots=True)
class View:
    """A screen of an app and what it is about (an id, or "")."""

    name: str
    arg: str = ""


@dataclass(frozen=True, slots=True)
class Window:
    """A running app: its stack of views, the last one shown; place and size in pixels, on the desktop."""

    app: str
    stack: tuple[View, ...]
    x: int = 0
    y: int = 0
    w: int = 0
    h: int = 0
    hidden: bool = False

    @property
    def view(self) -> View:
        """The visible view."""
        return self.stack[-1]


@dataclass(frozen=True, slots=True)
class Grab:
    """A control held by the pointer, and where it was grabbed, in pixels."""

    id: str
    x: int
    y: int
    moved: bool = False


@dataclass(frozen=True, slots=True)
class Popup:
    """An open menu of a control, at a place in pixels."""

    id: str
    x: int
    y: int
    kind: Literal["menu", "options"] = "menu"


@dataclass(frozen=True, slots=True)
class Notice:
    """A banner that shows for a few seconds; a tap opens `view` of `app`."""

    title: str
    text: str
    time: float
    app: str
    view: View


@dataclass(frozen=True, slots=True)
class Ringing:
    """Something ringing since a time: an alarm or call by its id, or the timer; `sound` is the sound's name."""

    alarm: str
    label: str
    since: float
    kind: Literal["alarm", "timer", "call"] = "alarm"
    sound: str = "alarm"


@dataclass(frozen=True, slots=True)
class Alert:
    """A system dialog in front of everything, with its button labels; Esc presses the first one."""

    id: str
    title: str
    text: str
    buttons: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class DeviceState:
    """The state of one device, apart from the account.

    Attributes:
        windows: running apps, the foreground one last (also on the phone).
        home: a phone shows its home screen.
        focus: id of the focused control, or "".
        fields: drafts by the id of their text field, only for edited ones.
        scrolls: offsets in pixels by the id of their scroll container.
        values: UI state of apps, by a key that starts with the app's name.
        sounds: every sound made so far.
        pointer: in pixels. keys: keys held down. ringing: what is ringing.
        look: its theme and density; set it with `WorldState.looking`, because `size` depends on it.
        hovering: the pointer was moved and has rested since.
        alerts: pending system dialogs; the first one is shown.
        launcher: the desktop's start menu is open.

    All sizes and positions are in layout pixels (`screen.layout`), whatever the density.
    """

    name: DeviceName
    size: Size
    windows: tuple[Window, ...] = ()
    home: bool = True
    focus: str = ""
    fields: FrozenTable[Field] = FrozenTable()
    scrolls: FrozenTable[int] = FrozenTable()
    values: FrozenTable[Value] = FrozenTable()
    clipboard: str = ""
    sounds: tuple[Sound, ...] = ()
    pointer: tuple[int, int] = (0, 0)
    grab: Grab | None = None
    keys: tuple[str, ...] = ()
    popup: Popup | None = None
    notice: Notice | None = None
    ringing: Ringing | None = None
    look: Look = Look()
    hovering: bool = False
    alerts: tuple[Alert, ...] = ()
    launcher: bool = False

    @property
    def screen(self) -> DeviceScreen:
        """Its screen: the sizes of layout and image."""
        return SCREENS[self.name, self.look.density]

    @property
    def front(self) -> Window | None:
        """The foreground app, or None on the home screen or an empty desktop."""
        if self.home and self.name == "phone":
            return None
        return next((window for window in reversed(self.windows) if not window.hidden), None)

    def changed(self, **changes: Any) -> DeviceState:
        """A copy with some attributes changed. What may be tracked is changed by this, and not by `replace`."""
        return replace(self, **changes)

    def window(self, app: str) -> Window | None:
        """The window of an app."""
        return next((window for window in self.windows if window.app == app), None)


class Effect(Protocol):
    """The effect of an event: a pure function of the state, whose `time` is the due time."""

    def __call__(self, state: WorldState) -> WorldState: ...


@dataclass(frozen=True, slots=True)
class PendingEvent:
    """An effect that is due at `at` seconds on the world's clock."""

    at: float
    effect: Effect


@dataclass(frozen=True, slots=True)
class Signals:
    """The Signals app: `blinks` of the lamp, the `zone` where the ball rests, a `code` played as tones.

    `…_since` is the time of its last start, None before.
    """

    blinks: int = 3
    zone: str = "B"
    code: str = "1"
    lamp_since: float | None = None
    ball_since: float | None = None
    code_since: float | None = None


@dataclass(frozen=True, slots=True)
class WorldState:
    """The world at one moment.

    Attributes:
        time: seconds since the reset.
        start: the wall clock at the reset: seconds since a Monday's midnight.
        events: pending events, in no particular order.
    """

    account: Account
    phone: DeviceState = DeviceState("phone", PHONE)
    desktop: DeviceState = DeviceState("desktop", DESKTOP, pointer=(640, 400))
    signals: Signals = Signals()
    time: float = 0.0
    start: int = 9 * 3600
    events: tuple[PendingEvent, ...] = ()

    def device(self, name: DeviceName) -> DeviceState:
        """The device of this name."""
        return self.phone if name == "phone" else self.desktop

    def changed(self, **changes: Any) -> WorldState:
        """A copy with some attributes changed. What may be tracked is changed by this, and not by `replace`."""
        return replace(self, **changes)

    def on(self, name: DeviceName, **changes: Any) -> WorldState:
        """The state with some attributes of a device changed."""
        device = self.device(name).changed(**changes)
        return self.changed(phone=device) if name == "phone" else self.changed(desktop=device)

    def looking(self, look: Look, *devices: DeviceName) -> WorldState:
        """The state with another theme or density of some devices (all if none is named)."""
        state = self
        for name in devices or ("phone", "desktop"):
            size = SCREENS[name, look.density].layout
            windows = tuple(replace(window, x=min(window.x, size.width - 120)) for window in state.device(name).windows)
            state = state.on(name, look=look, size=size, windows=windows)
        return state

    def own(self, account: Account) -> WorldState:
        """The state with another account."""
        return self.changed(account=account)

    def later(self, seconds: float, effect: Effect) -> WorldState:
        """The state with an effect scheduled `seconds` from now."""
        return self.changed(events=(*self.events, PendingEvent(round(self.time + seconds, 6), effect)))

    def sound(self, device: DeviceName, name: str, seconds: float, gain: int = 100) -> WorldState:
        """The state in which a device starts a sound now; the desktop's volume is that of its settings."""
        settings = self.account.desktop_settings
        if device == "desktop":
            gain = 0 if settings.silent else gain * settings.volume // 100
        return self.on(device, sounds=(*self.device(device).sounds, Sound(name, self.time, seconds, gain)))

    def clock(self, time: float | None = None) -> str:
        """The wall clock as HH:MM, now or at another time of the world's clock."""
        minutes = int(self.start + (self.time if time is None else time)) % DAY // 60
        return f"{minutes // 60:02d}:{minutes % 60:02d}"
