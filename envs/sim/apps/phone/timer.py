"""The clock app's timer, which makes the phone ring."""

from __future__ import annotations

from dataclasses import dataclass, replace

from omnipilot.envs.sim.apps.base import Ctx
from omnipilot.envs.sim.apps.phone.shared_parts import Ticking, buttons, clock_time
from omnipilot.envs.sim.render import theme
from omnipilot.envs.sim.state.events import RING_SECONDS, RingingEnds, stop_ringing
from omnipilot.envs.sim.state.phone_data import Timer
from omnipilot.envs.sim.state.world_state import Ringing, WorldState
from omnipilot.envs.sim.ui.containers import Column, Gap, PaddedBox, Row, ScrollView, Widget
from omnipilot.envs.sim.ui.controls import Button, IconButton
from omnipilot.envs.sim.ui.display_widgets import Label
from omnipilot.envs.sim.ui.grid import Wall
from omnipilot.envs.sim.ui.panels import card
from omnipilot.envs.sim.ui.scene import Do

PRESETS = (60, 180, 300, 600, 900, 1800)
MOST = 3600


def _hold(state: WorldState, timer: Timer) -> WorldState:
    return state.own(replace(state.account, timer=timer))


def time_left(state: WorldState) -> float:
    """Seconds until the timer rings, running or not."""
    timer = state.account.timer
    return timer.left if timer.since is None else max(0.0, round(timer.left - (state.time - timer.since), 6))


@dataclass(frozen=True, slots=True)
class TimerEnds:
    """The timer running since a time ends, and the phone rings."""

    since: float

    def __call__(self, state: WorldState) -> WorldState:
        timer, settings = state.account.timer, state.account.phone_settings
        if timer.since != self.since:
            return state
        state = _hold(stop_ringing(state), Timer(timer.seconds, float(timer.seconds)))
        state = state.sound("phone", settings.alarm_sound, RING_SECONDS, settings.alarm)
        label = f"{clock_time(timer.seconds)} are over"
        ringing = Ringing("timer", label, state.time, "timer", settings.alarm_sound)
        return state.on("phone", ringing=ringing, popup=None).later(RING_SECONDS, RingingEnds(state.time))


def start(state: WorldState) -> WorldState:
    """Start the timer; does nothing if it is running or at 0."""
    timer = state.account.timer
    if timer.since is not None or timer.left <= 0:
        return state
    return _hold(state, replace(timer, since=state.time)).later(timer.left, TimerEnds(state.time))


def pause(state: WorldState) -> WorldState:
    """Pause the timer."""
    return _hold(state, replace(state.account.timer, left=time_left(state), since=None))


def reset(state: WorldState) -> WorldState:
    """Stop the timer and reset it to its full time."""
    seconds = state.account.timer.seconds
    return _hold(state, Timer(seconds, float(seconds)))


def set_to(seconds: int) -> Do:
    """Stop the timer and set its time, 0 to `MOST` seconds."""
    kept = min(max(seconds, 0), MOST)
    return lambda state: _hold(state, Timer(kept, float(kept)))


def timer_screen(ctx: Ctx, head: Widget) -> Widget:
    """The timer's screen, below the header it shares with the alarms."""
    timer, left = ctx.account.timer, time_left(ctx.state)
    # A running timer shows the second it is in: 0:01 until it rings.
    shown = clock_time(-int(-left // 1)) if timer.since is not None else clock_time(left)
    fresh = timer.since is None and left == timer.seconds
    steps = [("minute/down", "minus", "One minute less", -60), ("minute/up", "plus", "One minute more", 60)]
    steps += [("second/down", "minus", "Ten seconds less", -10), ("second/up", "plus", "Ten seconds more", 10)]
    keys = [
        IconButton(f"clock/timer/{id}", icon, name, set_to(timer.seconds + by), size=48, enabled=fresh)
        for id, icon, name, by in steps
    ]
    words = [Label(text, 14, color=theme.MUTED, align="center", role=None, flex=1) for text in ("1 min", "10 s")]
    adjust = Row((keys[0], words[0], keys[1], Gap(12), keys[2], words[1], keys[3]))
    presets = [
        Button(f"clock/timer/{n // 60}-min", f"{n // 60} min", set_to(n), style="outline", enabled=fresh)
        for n in PRESETS
    ]
    run = (
        Button("clock/timer/start", "Start" if fresh else "Go on", start, "play", "filled", enabled=left > 0)
        if timer.since is None
        else Button("clock/timer/pause", "Pause", pause, "pause", "filled")
    )
    parts = (
        Gap(24),
        Label(shown, 40, "bold", align="center", role="timer", id="clock/timer/left"),
        Gap(8),
        card(adjust, 12),
        Wall(presets, 3, 12),
        Gap(8),
        buttons(Button("clock/timer/reset", "Reset", reset, "undo", "outline", enabled=not fresh), run),
    )
    page = Column((head, ScrollView("clock/timer/scroll", PaddedBox(Column(parts, 16), (20, 20)))))
    return page if timer.since is None else Ticking(page, timer.since + timer.left % 1)
