"""Routes between places on the map: streets run in blocks of 100 m, east to west and north to south."""

from __future__ import annotations

from typing import get_args

from omnipilot.envs.sim.state.account import Account
from omnipilot.envs.sim.state.desktop_data import Mode, Place

MODES: tuple[Mode, ...] = get_args(Mode)
BLOCK = 100
PACE: dict[Mode, tuple[int, int]] = {"Walk": (80, 0), "Bike": (230, 1), "Bus": (400, 6)}
"""Metres per minute, and minutes before setting off."""
WIDTH, HEIGHT = 20, 12
"""Size of the map in blocks."""


def place_of(account: Account, key: str) -> Place | None:
    """The place with this id or name, ignoring case."""
    wanted = key.strip().lower()
    return next((place for place in account.places if wanted in (place.id, place.name.lower())), None)


def metres(start: Place, end: Place) -> int:
    """Length of the route in metres."""
    return (abs(start.x - end.x) + abs(start.y - end.y)) * BLOCK


def minutes(start: Place, end: Place, mode: Mode) -> int:
    """Duration of the route in whole minutes, rounded up."""
    pace, before = PACE[mode]
    return before + -(-metres(start, end) // pace)


def length(way: int) -> str:
    """A formatted distance: "700 m", "1.8 km"."""
    return f"{way} m" if way < 1000 else f"{way // 1000}.{way % 1000 // 100} km"


def steps(start: Place, end: Place) -> tuple[str, ...]:
    """The directions of the route."""
    across, down = end.x - start.x, end.y - start.y
    found = [f"Start at {start.name}, {start.address}"]
    if across:
        found.append(f"Go {length(abs(across) * BLOCK)} to the {'east' if across > 0 else 'west'}")
    if down:
        found.append(f"Then go {length(abs(down) * BLOCK)} to the {'south' if down > 0 else 'north'}")
    return (*found, f"Arrive at {end.name}, {end.address}")


def nearest(account: Account, place: Place, kind: str = "All") -> tuple[Place, ...]:
    """The other places (of a kind), nearest first."""
    others = [one for one in account.places if one.id != place.id and kind in ("All", one.kind)]
    return tuple(sorted(others, key=lambda one: (metres(place, one), one.name)))
