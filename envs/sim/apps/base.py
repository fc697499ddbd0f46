"""What an app is: a name, a picture, and screens that are pure functions of the state."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from omnipilot.envs.sim.render.theme import Color
from omnipilot.envs.sim.state.account import Account
from omnipilot.envs.sim.state.world_state import Device, DeviceName, Value, View, WorldState
from omnipilot.envs.sim.ui.containers import Widget
from omnipilot.envs.sim.ui.scene import Do


@dataclass(frozen=True, slots=True)
class Ctx:
    """What a screen is made from.

    Attributes:
        device: the record of the device that shows it. view: what is shown, with its argument.
        width, height: of the place that it has, in pixels.
    """

    state: WorldState
    device: Device
    view: View
    width: int
    height: int

    @property
    def account(self) -> Account:
        """The account that both devices share."""
        return self.state.account

    @property
    def arg(self) -> str:
        """What the view is about."""
        return self.view.arg

    def typed(self, id: str, text: str = "") -> str:
        """What the text field `id` holds now; `text` while it was not edited."""
        return typed_text(self.state, self.device.name, id, text)

    def value(self, key: str, default: Value = "") -> Value:
        """What the app remembers under `key`."""
        return self.device.values.get(key, default)

    def number(self, key: str, default: int = 0) -> int:
        """A whole number that the app remembers under `key`."""
        return int(self.device.values.get(key, default))


@dataclass(frozen=True, slots=True)
class App:
    """One app.

    Attributes:
        name: in lower case; ids of its controls and keys of its values begin with it.
        views: its screens by name; the first is the one it starts with.
        at: place and size (x, y, w, h) of its window at first, in pixels, on the desktop.
        heading: its window's title, where that is more than its own.
        news: whether its icon on the phone carries a dot.
        opens: shows what a banner is about, once the app is in front.
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
    """What a text field holds now; `text` while it was not edited."""
    field = state.device(device).fields.get(id)
    return text if field is None else field.text
