"""What command-line tools answer about a desktop, as records; each answer comes from untrusted programs."""

from __future__ import annotations

from typing import Any

from omnipilot.envs.desktop.state.record import PlayerState, PlayingStream, Sheet
from omnipilot.envs.schema.json_text import parse_json
from omnipilot.envs.schema.read_csv import read_rows

SEPARATOR = "\x1f"
PLAYER_FIELDS = ("playerName", "status", "position", "mpris:length", "volume", "xesam:url")
PLAYER_FORMAT = SEPARATOR.join("{{" + name + "}}" for name in PLAYER_FIELDS)
"""For `playerctl --format`; the fields of one player."""
MOST_CELLS = 20_000


def players_from(answer: str) -> tuple[PlayerState, ...]:
    """Players from lines of `playerctl --all-players metadata` in `PLAYER_FORMAT`; unreadable lines are left out."""
    found = []
    for line in answer.splitlines():
        values = line.split(SEPARATOR)
        if len(values) < len(PLAYER_FIELDS):
            continue
        name, status, position, length, volume, url = (*values[:5], SEPARATOR.join(values[5:]))
        # mpv is a little before the start when it begins to play.
        at, long = (max(0.0, _number(value) / 1e6) for value in (position, length))
        found.append(PlayerState(name, status, url, at, long, _number(volume, 1.0)))
    return tuple(found)


def streams_from(answer: str) -> tuple[PlayingStream, ...]:
    """Streams from `pactl --format=json list sink-inputs`."""
    found = []
    for row in _rows(answer):
        properties = row.get("properties")
        properties = properties if isinstance(properties, dict) else {}
        name = properties.get("application.name") or properties.get("application.process.binary") or ""
        found.append(PlayingStream(str(name), bool(row.get("corked")), bool(row.get("mute")), _volume(row)))
    return tuple(found)


def output_from(answer: str, sink: str) -> tuple[bool, float]:
    """Whether a sink is muted, and its volume, from `pactl --format=json list sinks`; not and 1.0 if it is unknown."""
    for row in _rows(answer):
        if row.get("name") == sink:
            return bool(row.get("mute")), _volume(row)
    return False, 1.0


def sheet_from(answer: str) -> Sheet:
    """The cells of a sheet from comma-separated values; those beyond `MOST_CELLS` are left out."""
    rows: list[tuple[str, ...]] = []
    cells = 0
    for row in read_rows(answer):
        cells += len(row)
        if cells > MOST_CELLS:
            break
        rows.append(tuple(row))
    return tuple(rows)


def _rows(answer: str) -> list[dict[str, Any]]:
    try:
        rows = parse_json(answer)
    except ValueError:
        return []
    return [row for row in rows if isinstance(row, dict)] if isinstance(rows, list) else []


def _volume(row: dict[str, Any]) -> float:
    """The loudest channel's volume."""
    channels = row.get("volume")
    values = channels.values() if isinstance(channels, dict) else ()
    return max((_number(one.get("value")) / 65536 for one in values if isinstance(one, dict)), default=1.0)


def _number(value: object, otherwise: float = 0.0) -> float:
    try:
        return float(str(value))
    except ValueError:
        return otherwise
