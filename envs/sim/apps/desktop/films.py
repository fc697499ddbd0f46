"""The films of the video player: frames as pure functions of time; their facts can only be seen by watching.

At the first and last second all films of a kind look the same. The meaning of `Clip.fact`, by kind:

lamps    which of the lamps A to D blinked, and how often: "C4"; the others light up once each
tram     the stop, A to E, where the tram waited: "B"; it passes the others
counter  the highest number that the counter reached before it went back to zero: "27"
doors    the order in which the doors A, B, C opened: "CAB"
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from omnipilot.envs.sim.render.text import measure
from omnipilot.envs.sim.state.desktop_data import Clip, Film
from omnipilot.envs.sim.ui.layout_pass import Painter

SECONDS: dict[Film, float] = {"lamps": 8.0, "tram": 9.0, "counter": 8.0, "doors": 7.0}
"""Length of the films of each kind, in seconds."""
LAMPS, STOPS, DOORS = "ABCD", "ABCDE", "ABC"
BLINK, LIT = 0.8, 0.4
DARK, STEEL, PALE, WARM, RED = (26, 30, 40), (92, 102, 118), (206, 214, 226), (255, 200, 60), (206, 66, 52)
Color = tuple[int, int, int]


def draw_fact(kind: Film, dice: Random) -> str:
    """A random fact for a film of this kind."""
    if kind == "lamps":
        return f"{dice.choice(LAMPS)}{dice.randint(2, 5)}"
    if kind == "tram":
        return dice.choice(STOPS)
    return str(dice.randrange(12, 60)) if kind == "counter" else "".join(dice.sample(DOORS, 3))


def lamp_lit(fact: str, lamp: str, at: float) -> bool:
    """Whether a lamp is lit at a time of the film: each once in the first 2 s, then one of them blinks."""
    if at < 0.5:
        return False
    first = (at - 0.5) / 0.4
    if first < len(LAMPS):
        return LAMPS[int(first)] == lamp
    blink, phase = divmod(round(at - 2.6, 6), BLINK)
    return lamp == fact[0] and 0 <= blink < int(fact[1:]) and phase < LIT


def tram_at(fact: str, at: float) -> float:
    """Position of the tram, 0 at the left edge and 1 at the right: it moves for 6 s and rests for 2 s at its stop."""
    stop = 0.1 + 0.2 * STOPS.index(fact)
    ride = min(max(at - 0.5, 0.0) / 6.0, 1.0)
    if ride <= stop:
        return ride
    return max(stop, min(max(at - 2.5, 0.0) / 6.0, 1.0))


def counter_value(fact: str, at: float) -> int:
    """Value of the counter: it climbs to its maximum within 4.5 s, stays for 1 s, and falls within 1.5 s."""
    top = int(fact)
    if at <= 5.0:
        return min(int(top * max(at - 0.5, 0.0) / 4.5), top)
    return top if at <= 6.0 else max(0, int(top * (7.5 - at) / 1.5))


def door_open(fact: str, door: str, at: float) -> float:
    """How far a door is open, 0..1: the doors open one after the other, for 1.5 s each."""
    since = at - 0.8 - 1.8 * fact.index(door)
    return max(0.0, min(since / 0.4, (1.6 - since) / 0.4, 1.0))


def draw_film(clip: Clip, at: float) -> Callable[[Painter, int, int, int, int], None]:
    """The picture of a film at a time, as a drawing function."""
    at = round(min(max(at, 0.0), clip.seconds), 6)

    def draw(p: Painter, x: int, y: int, w: int, h: int) -> None:
        p.rect(x, y, w, h, DARK)
        _DRAW[clip.kind](p, x, y, w, h, clip.fact, at)

    return draw


def _letter(p: Painter, x: int, y: int, text: str, size: int = 22, color: Color = PALE) -> None:
    p.text(x - measure(text, size, "bold") // 2, y, text, color, size, "bold")


def _lamps(p: Painter, x: int, y: int, w: int, h: int, fact: str, at: float) -> None:
    colors = {"A": RED, "B": WARM, "C": (70, 170, 96), "D": (72, 132, 226)}
    r = min(w // 12, h // 5)
    for i, lamp in enumerate(LAMPS):
        cx, cy = x + w * (2 * i + 1) // 8, y + h // 2 - 10
        p.circle(cx, cy, r + 5, STEEL)
        p.circle(cx, cy, r, colors[lamp] if lamp_lit(fact, lamp, at) else (50, 56, 68))
        _letter(p, cx, cy + r + 12, lamp)


def _tram(p: Painter, x: int, y: int, w: int, h: int, fact: str, at: float) -> None:
    rail = y + h * 3 // 4
    p.rect(x, rail, w, 6, STEEL)
    for i, stop in enumerate(STOPS):
        cx = x + w * (2 * i + 1) // 10
        p.rect(cx - 2, rail - 150, 4, 150, STEEL)
        p.circle(cx, rail - 150, 20, (46, 90, 160))
        _letter(p, cx, rail - 164, stop)
    left = x + round(w * tram_at(fact, at))
    p.rect(left - 60, rail - 62, 120, 56, RED, 10)
    for i in range(3):
        p.rect(left - 50 + 36 * i, rail - 54, 28, 22, PALE, 3)
    p.circle(left - 36, rail - 4, 9, PALE)
    p.circle(left + 36, rail - 4, 9, PALE)


def _counter(p: Painter, x: int, y: int, w: int, h: int, fact: str, at: float) -> None:
    cx, cy = x + w // 2, y + h // 2
    p.rect(cx - 120, cy - 60, 240, 120, (12, 14, 20), 14, STEEL)
    _letter(p, cx, cy - 24, f"{counter_value(fact, at):03d}", 40, WARM)
    _letter(p, cx, cy + 66, "Visitors in the hall", 14)


def _doors(p: Painter, x: int, y: int, w: int, h: int, fact: str, at: float) -> None:
    wide, high = w // 6, h * 3 // 5
    for i, door in enumerate(DOORS):
        left, top = x + w * (2 * i + 1) // 6 - wide // 2, y + h // 5
        p.rect(left - 6, top - 6, wide + 12, high + 6, STEEL)
        p.rect(left, top, wide, high, WARM)
        p.rect(left, top, round(wide * (1 - 0.85 * door_open(fact, door, at))), high, (104, 74, 52))
        _letter(p, left + wide // 2, top + high + 8, door)


_DRAW: dict[Film, Callable[[Painter, int, int, int, int, str, float], None]] = {
    "lamps": _lamps,
    "tram": _tram,
    "counter": _counter,
    "doors": _doors,
}
