"""Screens that take time to load: they show a spinner until a time on the world's clock."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from omnipilot.envs.sim.apps.base import Ctx
from omnipilot.envs.sim.render import theme
from omnipilot.envs.sim.render.text import measure
from omnipilot.envs.sim.state.dependency_tracking import ask
from omnipilot.envs.sim.state.world_state import DeviceName, WorldState
from omnipilot.envs.sim.ui.containers import Widget
from omnipilot.envs.sim.ui.layout_pass import Painter
from omnipilot.envs.sim.ui.scene import Do

FRAMES = 10
"""Steps of the spinner per second."""
DOTS = ((0, -16), (11, -11), (16, 0), (11, 11), (0, 16), (-11, 11), (-16, 0), (-11, -11))


@dataclass(slots=True, eq=False)
class Loading(Widget):
    """A spinner in the centre of its area, listed as a "progressbar", up to the time `until`."""

    until: float
    text: str = "Loading…"

    def _measure(self, width: int) -> tuple[int, int]:
        return width, 120

    def place(self, p: Painter, x: int, y: int, w: int, h: int) -> None:
        """Eight dots, three of them dark, and a text below."""
        step = int(round(p.time * FRAMES, 3))
        p.lasts(min(self.until, (step + 1) / FRAMES))
        cx, cy = x + w // 2, y + h // 2 - 12
        for i, (dx, dy) in enumerate(DOTS):
            p.circle(cx + dx, cy + dy, 3, theme.ACCENT if (i - step) % 8 < 3 else theme.BORDER)
        p.text(x + (w - measure(self.text, 14)) // 2, cy + 30, self.text, theme.MUTED, 14)
        p.element("progressbar", self.text, p.seen(cx - 24, cy - 24, 48, 48))


LOADING = ("loading", "joining")
"""Last segments of the keys under which devices keep until when something loads."""


def is_loading(state: WorldState, device: DeviceName) -> bool:
    """Whether anything on a device is loading, in sight or not; asked of the state alone, which lays out no screen."""
    return any(
        key.rpartition("/")[2] in LOADING and isinstance(until, int) and until > state.time * 1000
        for key, until in state.device(device).values.items()
    )


def load(device: DeviceName, key: str, seconds: float) -> Do:
    """Start loading: `key` ("browser/loading") is ready after some seconds. Apply it before showing the page.

    Its last segment is one of `LOADING`.
    """
    assert key.rpartition("/")[2] in LOADING

    def do(state: WorldState) -> WorldState:
        ready = round((state.time + seconds) * 1000)
        return state.on(device, values=state.device(device).values.set(key, ready))

    return do


def when_loaded(ctx: Ctx, key: str, page: Callable[[], Widget], text: str = "Loading…") -> Widget:
    """The page, or a spinner while `key` is loading. Example:

    Button("shop/open", "Open", both(load("desktop", "shop/loading", 1.5), show("desktop", "browser", "shop")))
    when_loaded(ctx, "shop/loading", lambda: shop(ctx))
    """
    until = ctx.number(key) / 1000
    return Loading(until, text, flex=1) if ask(ctx.state, _awaits, until) else page()


def _awaits(state: WorldState, time: float) -> bool:
    return state.time < time
