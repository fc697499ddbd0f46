"""Signals, on the desktop: short-lived signals: a blinking lamp, a ball that rests, tones."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from omnipilot.envs.sim.apps.base import App, Ctx
from omnipilot.envs.sim.render import theme
from omnipilot.envs.sim.render.text import measure
from omnipilot.envs.sim.state.world_state import Signals, WorldState
from omnipilot.envs.sim.ui.containers import Column, PaddedBox, Row, Widget
from omnipilot.envs.sim.ui.controls import Button
from omnipilot.envs.sim.ui.display_widgets import Label, Surface
from omnipilot.envs.sim.ui.layout_pass import Painter
from omnipilot.envs.sim.ui.panels import card
from omnipilot.envs.sim.ui.scene import Do

ZONES = ("A", "B", "C", "D")
LAMP_FIRST, LAMP_PERIOD, LAMP_ON = 0.8, 0.8, 0.4
SWEEP_SECONDS, REST_SECONDS = 1.0, 2.0
DIGIT_SECONDS = 0.2
MARGIN = 0.05
"""Minimum distance of the ball's centre from the sides, as a share of the picture's width."""


def lamp_on(signals: Signals, time: float) -> bool:
    """Whether the lamp is lit: it blinks every 0.8 s, for 0.4 s, the first time 0.8 s after Start."""
    if signals.lamp_since is None:
        return False
    blink, phase = divmod(round(time - signals.lamp_since - LAMP_FIRST, 6), LAMP_PERIOD)
    return 0 <= blink < signals.blinks and phase < LAMP_ON


def ball_at(signals: Signals, time: float) -> float:
    """Position of the ball on its track, 0..1: it sweeps back and forth, rests 2 s in its zone, and returns to 0."""
    if signals.ball_since is None:
        return 0.0
    rest = ((ZONES.index(signals.zone) + 0.5) / len(ZONES) - MARGIN) / (1 - 2 * MARGIN)
    leg, part = divmod((time - signals.ball_since) / SWEEP_SECONDS, 1.0)
    if leg < 2:
        return part if leg == 0 else 1.0 - part
    if leg == 2:
        return rest * part
    rested = leg + part - 3 - REST_SECONDS / SWEEP_SECONDS
    return rest * min(max(1.0 - rested, 0.0), 1.0)


def _lamp(p: Painter, x: int, y: int, w: int, h: int) -> None:
    signals = p.state.signals
    lit = signals.lamp_since is not None and lamp_on(signals, p.time)
    cx, cy = x + w // 2, y + h // 2
    if lit:
        p.circle(cx, cy, 54, (255, 236, 170))
    p.circle(cx, cy, 40, (150, 156, 166))
    p.circle(cx, cy, 37, (255, 190, 30) if lit else (84, 90, 100))


def _ball(p: Painter, x: int, y: int, w: int, h: int) -> None:
    each = w // len(ZONES)
    for i, zone in enumerate(ZONES):
        p.rect(x + i * each, y, each - 4, h, (theme.PAGE, theme.TINT)[i % 2], 8)
        p.text(x + i * each + (each - measure(zone, 22, "bold")) // 2, y + 8, zone, theme.MUTED, 22, "bold")
    p.rect(x + 8, y + h - 42, w - 20, 4, theme.BORDER, 2)
    signals = p.state.signals
    along = MARGIN + (1 - 2 * MARGIN) * (0.0 if signals.ball_since is None else ball_at(signals, p.time))
    p.circle(x - 2 + round(each * len(ZONES) * along), y + h - 40, 16, theme.DANGER)


def start_lamp(state: WorldState) -> WorldState:
    """Start the lamp."""
    return replace(state, signals=replace(state.signals, lamp_since=state.time))


def start_ball(state: WorldState) -> WorldState:
    """Start the ball."""
    return replace(state, signals=replace(state.signals, ball_since=state.time))


def play_code(state: WorldState) -> WorldState:
    """Play the code as telephone key tones."""
    state = replace(state, signals=replace(state.signals, code_since=state.time))
    return state.sound("desktop", f"dtmf:{state.signals.code}", DIGIT_SECONDS * len(state.signals.code))


def _panel(title: str, text: str, button: tuple[str, str, Do], draw: Callable[..., None] | None, id: str) -> Widget:
    parts: list[Widget] = [
        Row(
            (
                Column((Label(title, 16, "bold", role="heading"), Label(text, 12, color=theme.MUTED)), 2, flex=1),
                Button(button[0], button[1], button[2], "play", "filled", name=f"{button[1]} {title.lower()}"),
            ),
            12,
        )
    ]
    if draw is not None:
        parts.append(Surface(id, title, 130, draw))
    return card(Column(parts, 10))


def _signals(_: Ctx) -> Widget:
    panels = (
        _panel("Lamp", "Blinks a number of times", ("signals/lamp/start", "Start", start_lamp), _lamp, "signals/lamp"),
        _panel("Ball", "Rests in one zone", ("signals/ball/play", "Play", start_ball), _ball, "signals/ball"),
        _panel("Tones", "Sounds a code once", ("signals/tones/play", "Play", play_code), None, "signals/tones"),
    )
    return PaddedBox(Column(panels, 12), (16, 16), theme.PAGE)


SIGNALS = App("signals", "Signals", "lamp", (176, 60, 134), "desktop", {"signals": _signals}, (720, 40, 520, 602))
