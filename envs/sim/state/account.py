"""The account that the phone and the desktop share: people, messages, mails, documents, alarms."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, Literal, TypeAlias, get_args, get_origin, get_type_hints

from omnipilot.envs.sim.state.desktop_data import (
    Article,
    Bookmark,
    CartLine,
    Clip,
    Console,
    DesktopSettings,
    Dir,
    Order,
    Place,
    Playback,
    Product,
    Route,
    Sheet,
    Ticket,
    Visit,
)
from omnipilot.envs.sim.state.phone_data import (
    Appointment,
    PhoneCall,
    PhoneSettings,
    Photo,
    Player,
    Playlist,
    Song,
    Timer,
    Todo,
    Voicemail,
    WirelessNetwork,
)

Folder: TypeAlias = Literal["inbox", "sent", "archive", "trash"]
FOLDERS: tuple[Folder, ...] = ("inbox", "sent", "archive", "trash")
NOTES = "Notes"
"""The folder of documents that the phone shows as notes."""


@dataclass(frozen=True, slots=True)
class Contact:
    """A person. `id` is the name in lower case with hyphens: "ana-silva"."""

    id: str
    name: str
    phone: str
    email: str
    company: str = ""
    favourite: bool = False
    blocked: bool = False


@dataclass(frozen=True, slots=True)
class TextMessage:
    """One message of a thread. `mine` tells whether the owner sent it; `time` is seconds on the world's clock."""

    text: str
    time: float
    mine: bool = False


@dataclass(frozen=True, slots=True)
class Thread:
    """The conversation with one contact (`contact` is its id), oldest message first."""

    contact: str
    messages: tuple[TextMessage, ...] = ()
    unread: int = 0

    @property
    def sent(self) -> tuple[str, ...]:
        """Texts that the owner sent, oldest first."""
        return tuple(message.text for message in self.messages if message.mine)


@dataclass(frozen=True, slots=True)
class Mail:
    """One mail; `sender` and `to` are addresses, `time` is seconds on the world's clock."""

    id: str
    sender: str
    to: str
    subject: str
    body: str
    time: float
    folder: Folder = "inbox"
    read: bool = False


@dataclass(frozen=True, slots=True)
class Document:
    """A text document; one in the folder "Notes" is also a note on the phone.

    Attributes:
        id: stable while name and folder change.
        saved: seconds on the world's clock of its last save.
    """

    id: str
    folder: str
    name: str
    text: str
    saved: float = 0.0

    @property
    def path(self) -> str:
        """Folder and name: "Notes/Shopping"."""
        return f"{self.folder}/{self.name}"


@dataclass(frozen=True, slots=True)
class Alarm:
    """An alarm of the phone at `hour`:`minute` of the wall clock; one that is not `daily` turns off once it rang.

    `snoozed` is when it rings again, in seconds on the world's clock; None if it was not snoozed.
    """

    id: str
    hour: int
    minute: int
    label: str = ""
    enabled: bool = True
    daily: bool = False
    snoozed: float | None = None

    @property
    def at(self) -> str:
        """The time as HH:MM."""
        return f"{self.hour:02d}:{self.minute:02d}"


@dataclass(frozen=True, slots=True)
class Account:
    """Everything that belongs to the owner, whichever device shows it."""

    owner: Contact
    contacts: tuple[Contact, ...] = ()
    threads: tuple[Thread, ...] = ()
    mails: tuple[Mail, ...] = ()
    documents: tuple[Document, ...] = ()
    alarms: tuple[Alarm, ...] = ()
    todos: tuple[Todo, ...] = ()
    appointments: tuple[Appointment, ...] = ()
    calls: tuple[PhoneCall, ...] = ()
    voicemails: tuple[Voicemail, ...] = ()
    songs: tuple[Song, ...] = ()
    playlists: tuple[Playlist, ...] = ()
    photos: tuple[Photo, ...] = ()
    networks: tuple[WirelessNetwork, ...] = ()
    player: Player = Player()
    timer: Timer = Timer()
    phone_settings: PhoneSettings = PhoneSettings()
    dirs: tuple[Dir, ...] = ()
    sheets: tuple[Sheet, ...] = ()
    clips: tuple[Clip, ...] = ()
    playbacks: tuple[Playback, ...] = ()
    products: tuple[Product, ...] = ()
    cartlines: tuple[CartLine, ...] = ()
    orders: tuple[Order, ...] = ()
    places: tuple[Place, ...] = ()
    routes: tuple[Route, ...] = ()
    articles: tuple[Article, ...] = ()
    tickets: tuple[Ticket, ...] = ()
    visits: tuple[Visit, ...] = ()
    bookmarks: tuple[Bookmark, ...] = ()
    console: Console = Console()
    desktop_settings: DesktopSettings = DesktopSettings()

    def changed(self, **changes: Any) -> Account:
        """A copy with some attributes changed. What may be tracked is changed by this, and not by `replace`."""
        return replace(self, **changes)

    @property
    def notes(self) -> tuple[Document, ...]:
        """The documents that the phone shows as notes."""
        return tuple(document for document in self.documents if document.folder == NOTES)

    def contact(self, key: str) -> Contact | None:
        """The person (or the owner) with this id, full name, phone number or address."""
        return next((c for c in (*self.contacts, self.owner) if key in (c.id, c.name, c.phone, c.email)), None)

    def thread(self, contact: str) -> Thread:
        """The conversation with a contact's id; empty if there is none yet."""
        return next((thread for thread in self.threads if thread.contact == contact), Thread(contact))

    def mail(self, id: str) -> Mail | None:
        """The mail with this id."""
        return next((mail for mail in self.mails if mail.id == id), None)

    def folder(self, name: str) -> tuple[Mail, ...]:
        """The mails of a folder, newest first."""
        return tuple(sorted((m for m in self.mails if m.folder == name), key=lambda m: (m.time, m.id), reverse=True))

    def document(self, key: str) -> Document | None:
        """The document with this id or path."""
        return next((document for document in self.documents if key in (document.id, document.path)), None)

    def alarm(self, id: str) -> Alarm | None:
        """The alarm with this id."""
        return next((alarm for alarm in self.alarms if alarm.id == id), None)

    def find(self, kind: str, id: str) -> Any:
        """The item of a collection by its id, or None: `find("todos", "todo-3")`."""
        return next((item for item in getattr(self, kind) if _key(item) == id), None)

    def put(self, *items: Any) -> Account:
        """Add each item, or replace the one with its id (a thread: with its contact)."""
        account = self
        for item in items:
            name = _fields()[type(item)]
            old = getattr(account, name)
            same = [i for i, other in enumerate(old) if _key(other) == _key(item)]
            new = (*old[: same[0]], item, *old[same[0] + 1 :]) if same else (*old, item)
            account = account._with(name, new)
        return account

    def drop(self, item: Any) -> Account:
        """Remove an item; nothing changes if it does not exist."""
        name = _fields()[type(item)]
        return self._with(name, tuple(other for other in getattr(self, name) if _key(other) != _key(item)))

    def _with(self, name: str, items: tuple[Any, ...]) -> Account:
        return self.changed(**{name: items})


@cache
def _fields() -> dict[type, str]:
    """The field of the account that holds items of a class."""
    hints = get_type_hints(Account)
    return {get_args(hint)[0]: name for name, hint in hints.items() if get_origin(hint) is tuple}


def _key(item: Any) -> str:
    return str(item.contact if isinstance(item, Thread) else item.id)


def fresh_id(kind: str, items: Iterable[Any]) -> str:
    """An unused id of the form "kind-7"."""
    numbers = [int(item.id.rpartition("-")[2]) for item in items if item.id.rpartition("-")[2].isdigit()]
    return f"{kind}-{max(numbers, default=0) + 1}"
