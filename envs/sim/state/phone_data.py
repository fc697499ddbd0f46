"""The account's data for phone apps: tasks, dates, calls, songs, pictures, networks, settings."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta
from typing import Literal, TypeAlias

MONDAY = date(2026, 3, 2)
"""The Monday at whose midnight the world's wall clock starts."""
DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
MONTHS = (
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
)
CALENDARS = ("Work", "Home", "Family", "Sport")
LISTS = ("Home", "Work", "Errands", "Trip")
ALBUMS = ("Camera", "Holiday", "Garden", "Documents")
Answer: TypeAlias = Literal["", "accepted", "declined"]
CallKind: TypeAlias = Literal["out", "in", "missed", "declined"]


def day_of(seconds: float) -> str:
    """The date ("2026-03-04") of a moment, in seconds since the world's Monday."""
    return (MONDAY + timedelta(seconds=int(seconds))).isoformat()


def add_days(day: str, days: int) -> str:
    """The date `days` after another one."""
    return (date.fromisoformat(day) + timedelta(days=days)).isoformat()


def spoken_date(day: str) -> str:
    """A date in spoken form: "Wed 4 March"."""
    when = date.fromisoformat(day)
    return f"{DAYS[when.weekday()][:3]} {when.day} {MONTHS[when.month - 1]}"


@dataclass(frozen=True, slots=True)
class Todo:
    """A task of a list; `due` is a date or "", `done` since it was ticked."""

    id: str
    title: str
    list: str
    due: str = ""
    done: bool = False
    starred: bool = False
    note: str = ""


@dataclass(frozen=True, slots=True)
class Appointment:
    """An entry of a calendar on the date `day` at `at` ("14:30"), `minutes` long.

    `host` is the id of the contact who invites, "" for one's own; `answer` is what the owner said to it.
    """

    id: str
    title: str
    day: str
    at: str
    minutes: int = 60
    place: str = ""
    calendar: str = "Home"
    host: str = ""
    answer: Answer = ""


@dataclass(frozen=True, slots=True)
class PhoneCall:
    """A telephone call from `time` on; `keys` are the keys pressed in it, `seconds` 0 while it is `live` or missed."""

    id: str
    number: str
    time: float
    kind: CallKind
    seconds: float = 0.0
    keys: str = ""
    live: bool = False


@dataclass(frozen=True, slots=True)
class Voicemail:
    """A message on the answering machine: a named sound of `sound.py` that lasts `seconds`."""

    id: str
    number: str
    time: float
    sound: str
    seconds: float
    heard: bool = False
    kept: bool = False


@dataclass(frozen=True, slots=True)
class Song:
    """A song of `seconds`, whose melody is the named sound `tune`."""

    id: str
    title: str
    artist: str
    album: str
    seconds: int
    tune: str
    favourite: bool = False


@dataclass(frozen=True, slots=True)
class Playlist:
    """Songs by id, in their order."""

    id: str
    name: str
    songs: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Player:
    """The music player: a song by id, since a time on the world's clock (None: paused), from its second `skip`.

    `queue` has the songs to play in order; `repeat` starts it over.
    """

    song: str = ""
    since: float | None = None
    skip: float = 0.0
    queue: tuple[str, ...] = ()
    repeat: bool = False


@dataclass(frozen=True, slots=True)
class Photo:
    """A picture, drawn by `photo_art.py` from its content; one in the bin was deleted but can be restored.

    Attributes:
        scene: a key of `photo_art.SCENES`. count, color: number of its objects, and the name of their colour.
        taken: seconds since the world's Monday, before it where negative.
    """

    id: str
    name: str
    album: str
    scene: str
    count: int
    color: str
    taken: float
    place: str
    favourite: bool = False
    binned: bool = False


@dataclass(frozen=True, slots=True)
class WirelessNetwork:
    """A wireless network in range; a `known` one needs no password."""

    id: str
    name: str
    strength: int
    password: str = ""
    known: bool = False


@dataclass(frozen=True, slots=True)
class Timer:
    """The clock app's timer: running since a time (None: stopped) with `left` of `seconds` to go at that time."""

    seconds: int = 300
    left: float = 300.0
    since: float | None = None


@dataclass(frozen=True, slots=True)
class PhoneSettings:
    """Settings of the phone's Settings app; `network` is the id of the network in use, volumes are percent.

    The theme is the device's own (`DeviceState.look`). `muted` names apps that may not show notifications.
    """

    brightness: int = 70
    wifi: bool = True
    network: str = ""
    bluetooth: bool = False
    airplane: bool = False
    quiet: bool = False
    media: int = 100
    ring: int = 100
    alarm: int = 100
    alarm_sound: str = "alarm"
    ringtone: str = "ringtone"
    language: str = "English"
    muted: tuple[str, ...] = ()
