"""The base of apps: a name, an icon, and screens that are pure functions of the state."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from omnipilot.envs.sim.render.theme import Color
from omnipilot.envs.sim.state.account import Account
from omnipilot.envs.sim.state.world_state import DeviceName, DeviceState, Value, View, WorldState
from omnipilot.envs.sim.ui.containers import Widget
from omnipilot.envs.sim.ui.scene import Do


@dataclass(frozen=True, slots=True)
class Ctx:
    """The context for building a screen.

    Attributes:
        device: the device that shows it. view: the view and its argument.
        width, height: of the available area, in pixels.
    """

    state: WorldState
    device: DeviceState
    view: View
    width: int
    height: int

    @property
    def account(self) -> Account:
        """The shared account of both devices."""
        return self.state.account

    @property
    def arg(self) -> str:
        """The argument of the view, such as an id."""
        return self.view.arg

    def typed(self, id: str, text: str = "") -> str:
        """The current content of the text field `id`; `text` if it was not edited."""
        return typed_text(self.state, self.device.name, id, text)

    def value(self, key: str, default: Value = "") -> Value:
        """The app's stored value under `key`."""
        return self.device.values.get(key, default)

    def number(self, key: str, default: int = 0) -> int:
        """The app's stored integer under `key`."""
        return int(self.device.values.get(key, default))


@dataclass(frozen=True, slots=True)
class App:
    """One app.

    Attributes:
        name: in lower case; ids of its controls and keys of its values start with it.
        views: its screens by name; the first is the one it starts with.
        at: initial position and size (x, y, w, h) of its window on the desktop, in pixels.
        heading: its window's title, if it differs from the app's.
        news: whether its icon on the phone has a dot.
        opens: shows the subject of a banner, once the app is in front.
    """

    name: str
    title: str
    icon: str
    color: Color
    device: DeviceName
    views: Mapping[str, Callable[[Ctx], Widget]]
    at: tuple[int, int, int, int] = (60, 40, 900, 600)
    heading: Callable[[Ctx], str] | None = None
    opens: Callable[[View], Do] | None = None
    news: Callable[[WorldState], bool] | None = None


def typed_text(state: WorldState, device: DeviceName, id: str, text: str = "") -> str:
    """The current content of a text field; `text` if it was not edited."""
    field = state.device(device).fields.get(id)
    return text if field is None else field.text
