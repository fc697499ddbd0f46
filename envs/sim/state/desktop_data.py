"""The account's data for desktop apps: folders, sheets, clips, the shop, the maps, help, the terminal."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from omnipilot.envs.sim.state.table import FrozenTable

Film: TypeAlias = Literal["lamps", "tram", "counter", "doors"]
Delivery: TypeAlias = Literal["Standard", "Express", "Pick-up"]
Mode: TypeAlias = Literal["Walk", "Bike", "Bus"]


@dataclass(frozen=True, slots=True)
class Dir:
    """A folder of files: "Reports", or "Reports/2023" inside it."""

    path: str

    @property
    def id(self) -> str:
        """Its path."""
        return self.path


@dataclass(frozen=True, slots=True)
class Sheet:
    """A spreadsheet. `cells` holds what was typed, by reference: {"B3": "=B1+B2"}; `saved` is seconds."""

    id: str
    folder: str
    name: str
    cells: FrozenTable[str] = FrozenTable()
    saved: float = 0.0

    @property
    def path(self) -> str:
        """Folder and name: "Sheets/Expenses May"."""
        return f"{self.folder}/{self.name}"


@dataclass(frozen=True, slots=True)
class Clip:
    """A video of `seconds`. Its `fact` can only be seen by watching it: films.py has each `kind`.

    `subtitle` is written below the picture while it plays; "" for a film without.
    """

    id: str
    folder: str
    name: str
    kind: Film
    fact: str
    seconds: float
    saved: float = 0.0
    subtitle: str = ""

    @property
    def path(self) -> str:
        """Folder and name: "Videos/Tram line, Monday"."""
        return f"{self.folder}/{self.name}"


@dataclass(frozen=True, slots=True)
class Playback:
    """Playback of a clip (`id`): at `at` seconds, and running since a time on the world's clock, or paused.

    `played` counts how often it was started.
    """

    id: str
    at: float = 0.0
    since: float | None = None
    played: int = 0


@dataclass(frozen=True, slots=True)
class Product:
    """A product of the shop; `cents` is its price, `stock` the available count."""

    id: str
    name: str
    category: str
    cents: int
    stock: int
    stars: int
    text: str


@dataclass(frozen=True, slots=True)
class CartLine:
    """A product (`id`) in the cart, with its count."""

    id: str
    count: int = 1


@dataclass(frozen=True, slots=True)
class Order:
    """A placed order; `lines` are (product id, count), `cents` the total with delivery and discount."""

    id: str
    lines: tuple[tuple[str, int], ...]
    name: str
    address: str
    delivery: Delivery
    voucher: str
    cents: int
    time: float


@dataclass(frozen=True, slots=True)
class Place:
    """A place on the map, at (x, y) in blocks of 100 m; `saved` if the owner starred it."""

    id: str
    name: str
    kind: str
    address: str
    hours: str
    x: int
    y: int
    saved: bool = False


@dataclass(frozen=True, slots=True)
class Route:
    """A route that the owner saved, between two places (ids)."""

    id: str
    start: str
    end: str
    mode: Mode
    metres: int
    minutes: int


@dataclass(frozen=True, slots=True)
class Article:
    """A help page; `vote` is "yes" or "no" once the owner said whether it helped."""

    id: str
    title: str
    topic: str
    text: str
    vote: str = ""


@dataclass(frozen=True, slots=True)
class Ticket:
    """A question that the owner sent to the help desk."""

    id: str
    topic: str
    text: str
    time: float


@dataclass(frozen=True, slots=True)
class Visit:
    """A page in the browser's history."""

    id: str
    url: str
    time: float


@dataclass(frozen=True, slots=True)
class Bookmark:
    """A bookmarked page; its address is its id."""

    id: str
    title: str


@dataclass(frozen=True, slots=True)
class Console:
    """The terminal: what it shows, the folder it is in ("" is the top), the commands given so far, oldest first."""

    lines: tuple[str, ...] = ()
    cwd: str = ""
    past: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class DesktopSettings:
    """Settings of the desktop's Settings app, except the theme, which is `DeviceState.look`.

    Attributes:
        scale: size of texts in percent. sleep: minutes until the screen goes off, 0 for never.
        volume: percent, of everything that the desktop sounds; nothing is heard while it is `silent`.
        clock24: 14:05, not 2:05 PM. network: id of the wireless network in use, "" for none.
        muted: names of apps that may not show notifications.
    """

    scale: int = 100
    sleep: int = 15
    volume: int = 100
    silent: bool = False
    output: str = "Speakers"
    clock24: bool = True
    zone: str = "London"
    network: str = ""
    language: str = "English"
    muted: tuple[str, ...] = ()

    def clock(self, time: str) -> str:
        """A time of day such as "14:05" in the format of the clock."""
        if self.clock24:
            return time
        hour, minute = time.split(":")
        return f"{(int(hour) + 11) % 12 + 1}:{minute} {'AM' if int(hour) < 12 else 'PM'}"
