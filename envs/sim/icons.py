"""Icons as a few strokes and shapes on a 240-unit square, drawn at any size."""

from __future__ import annotations

from difflib import get_close_matches
from functools import lru_cache, reduce
from typing import Literal

from omnipilot.envs.sim.shapes import SAMPLES, Grid, Mask, Samples

Kind = Literal["stroke", "loop", "fill", "disc", "ring"]
Part = tuple[bool, Kind, tuple[int, ...]]

SIDE = 240
PEN = 20
"""Width of a stroke."""


def _draw(text: str) -> tuple[Part, ...]:
    """Parse "stroke x y x y …; cut disc x y r; …"; `cut` takes away from what is drawn before it."""
    parts: list[Part] = []
    for clause in text.split(";"):
        words = clause.split()
        cut = words[0] == "cut"
        kind, *numbers = words[cut:]
        if kind not in ("stroke", "loop", "fill", "disc", "ring"):
            raise ValueError(f"{kind!r} is none of stroke, loop, fill, disc, ring")
        parts.append((cut, kind, tuple(int(number) for number in numbers)))  # type: ignore[arg-type]
    return tuple(parts)


# stroke: an open line; loop: a closed one; fill: a closed one and its inside; disc and ring: centre and radius.
ICONS: dict[str, tuple[Part, ...]] = {
    name: _draw(text)
    for name, text in {
        "alarm": "ring 120 130 78; stroke 120 90 120 132 148 150; stroke 30 68 66 38; stroke 210 68 174 38",
        "back": "stroke 200 120 45 120; stroke 115 50 45 120 115 190",
        "battery": "loop 70 50 170 50 170 210 70 210; fill 100 30 140 30 140 40 100 40;"
        "fill 95 100 145 100 145 185 95 185",
        "bell": "disc 120 100 60; fill 70 100 170 100 170 150 190 172 50 172 70 150; disc 120 36 14; disc 120 200 20;"
        "cut fill 90 188 150 188 150 183 90 183",
        "calendar": "loop 40 50 200 50 200 205 40 205; fill 45 55 195 55 195 85 45 85; stroke 80 28 80 50; "
        "stroke 160 28 160 50; fill 135 145 160 145 160 170 135 170",
        "check": "stroke 40 125 95 180 203 68",
        "clock": "ring 120 120 88; stroke 120 68 120 122 156 144",
        "close": "stroke 58 58 182 182; stroke 182 58 58 182",
        "document": "loop 55 30 140 30 190 80 190 210 55 210; stroke 138 34 138 82 186 82; stroke 90 130 155 130;"
        "stroke 90 170 155 170",
        "down": "stroke 60 90 120 150 180 90",
        "edit": "fill 42 162 138 66 174 102 78 198 42 198; fill 162 42 172 32 208 68 198 78",
        "folder": "fill 35 60 92 60 114 84 205 84 205 185 35 185",
        "forward": "stroke 40 120 195 120; stroke 125 50 195 120 125 190",
        "home": "fill 120 48 200 120 178 120 178 195 150 195 150 140 90 140 90 195 62 195 62 120 40 120",
        "inbox": "loop 40 40 200 40 200 200 40 200; stroke 42 145 88 145 100 168 140 168 152 145 198 145",
        "lamp": "disc 120 92 68; fill 98 140 142 140 142 162 98 162; stroke 98 192 142 192; stroke 110 215 130 215;"
        "cut fill 85 182 155 182 155 178 85 178",
        "mail": "loop 35 55 205 55 205 185 35 185; stroke 38 62 120 128 202 62",
        "menu": "stroke 40 62 200 62; stroke 40 120 200 120; stroke 40 178 200 178",
        "message": "fill 40 45 200 45 200 160 82 160 40 202; cut stroke 78 85 162 85; cut stroke 78 122 135 122",
        "minus": "stroke 50 120 190 120",
        "more": "disc 120 50 20; disc 120 120 20; disc 120 190 20",
        "note": "fill 45 45 195 45 195 140 140 195 45 195; cut stroke 80 85 160 85; cut stroke 80 122 130 122;"
        "cut stroke 148 205 148 148 205 148",
        "pause": "fill 72 55 92 55 92 185 72 185; fill 148 55 168 55 168 185 148 185",
        "person": "disc 120 78 46; disc 120 222 88; cut fill 20 215 220 215 220 330 20 330",
        "phone": "loop 70 25 170 25 170 215 70 215; stroke 108 185 132 185",
        "play": "fill 85 55 185 120 85 185",
        "plus": "stroke 120 45 120 195; stroke 45 120 195 120",
        "reply": "fill 95 58 38 120 95 182 95 146 132 147 165 158 190 178 205 196 198 160 178 126 145 102 95 94",
        "save": "fill 45 45 158 45 195 82 195 195 45 195; cut fill 78 62 138 62 138 80 78 80; cut disc 120 145 32",
        "search": "ring 100 100 62; stroke 148 148 205 205",
        "send": "fill 38 45 205 120 38 195 38 144 140 120 38 96",
        "settings": "disc 120 120 68; stroke 120 42 120 198; stroke 42 120 198 120; stroke 65 65 175 175;"
        "stroke 175 65 65 175; stroke 112 42 128 42; stroke 112 198 128 198; stroke 42 112 42 128;"
        "stroke 198 112 198 128; stroke 59 71 71 59; stroke 169 59 181 71;"
        "stroke 59 169 71 181; stroke 169 181 181 169; cut disc 120 120 30",
        "star": "fill 120 38 145 92 204 99 160 139 172 198 120 168 68 198 80 139 36 99 95 92",
        "trash": "stroke 45 60 195 60; stroke 92 56 98 34 142 34 148 56; fill 70 95 170 95 163 203 77 203;"
        "cut stroke 103 118 105 182; cut stroke 137 118 135 182",
        "up": "stroke 60 150 120 90 180 150",
        "volume": "fill 40 95 75 95 115 58 115 182 75 145 40 145; stroke 152 85 164 102 168 120 164 138 152 155;"
        "stroke 176 52 198 82 206 120 198 158 176 188",
        "wifi": "disc 120 190 18; stroke 78 145 98 130 120 125 142 130 162 145;"
        "stroke 45 105 80 80 120 72 160 80 195 105",
    }.items()
}


@lru_cache(maxsize=512)
def draw(name: str, size: int) -> Mask:
    """The mask of an icon, `size` x `size` pixels.

    Raises:
        ValueError: there is no such icon; the message names the nearest.
    """
    if name not in ICONS:
        near = ", ".join(get_close_matches(name, ICONS)) or ", ".join(ICONS)
        raise ValueError(f"no icon is called {name!r}; there is {near}")
    grid = Grid(size, size, SIDE // (2 * SAMPLES))
    drawn = grid.empty()
    for cut, kind, numbers in ICONS[name]:
        shape = _shape(grid, kind, [number * size for number in numbers], PEN * size // 2)
        drawn = drawn & ~shape if cut else drawn | shape
    return grid.mask(drawn)


def _shape(grid: Grid, kind: Kind, numbers: list[int], half: int) -> Samples:
    if kind == "disc":
        return grid.disc((numbers[0], numbers[1]), numbers[2])
    if kind == "ring":
        return grid.ring((numbers[0], numbers[1]), numbers[2], half)
    places = list(zip(numbers[::2], numbers[1::2], strict=True))
    ends = places[1:] if kind == "stroke" else [*places[1:], places[0]]
    lines = [grid.segment(start, end, half) for start, end in zip(places, ends, strict=False)]
    drawn = reduce(lambda one, other: one | other, lines)
    return drawn | grid.polygon(places) if kind == "fill" else drawn
