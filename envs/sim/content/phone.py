"""The content of the phone's own apps, generated from the instance's seed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from random import Random

from omnipilot.envs.sim.apps.photo_art import COLORS
from omnipilot.envs.sim.audio.sound import pattern
from omnipilot.envs.sim.state.account import NOTES as NOTES_FOLDER
from omnipilot.envs.sim.state.account import Account, Alarm, Contact, Document, TextMessage, Thread, fresh_id
from omnipilot.envs.sim.state.phone_data import (
    ALBUMS,
    CALENDARS,
    LISTS,
    Appointment,
    CallKind,
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
    add_days,
    day_of,
)
from omnipilot.envs.sim.words import phone as words
from omnipilot.envs.sim.words.people_and_texts import CHATS, MORE_NOTES, NEAR_NOTES, NOTES
from omnipilot.envs.sim.words.phone import MORE_ALARMS, NEAR_ALARMS

TUNES = ("waltz", "march", "lullaby", "jig", "blues", "canon", "melody_a", "melody_b")
DAY = 86_400


def furnish(account: Account, start: int, rng: Callable[[str], Random], person: Callable[..., Contact]) -> Account:
    """Add the content of the phone's apps; `start` is the wall clock at the reset, `person` creates a contact."""
    today = day_of(start)
    dice = rng("more people")
    names = [name for pair in dice.sample(words.NEAR_PEOPLE, 5) for name in pair] + dice.sample(words.PEOPLE, 4)
    people = (*account.contacts, *(person(name, dice) for name in names))
    people = tuple(replace(p, company=dice.choice(words.COMPANIES), favourite=dice.random() < 0.15) for p in people)
    networks = _networks(rng("networks"))
    return replace(
        account,
        contacts=people,
        todos=_todos(rng("todos"), today),
        appointments=_appointments(rng("appointments"), today, people),
        calls=_calls(rng("calls"), people),
        voicemails=_voicemails(rng("voicemails"), people),
        songs=(songs := _songs(rng("songs"))),
        playlists=_playlists(rng("playlists"), songs),
        photos=_photos(rng("photos"), start),
        networks=networks,
        player=Player(),
        timer=Timer(),
        phone_settings=PhoneSettings(network=max((n for n in networks if n.known), key=lambda n: n.strength).id),
    )


def _number(dice: Random) -> str:
    return f"+44 20 {dice.randrange(1000, 10_000)} {dice.randrange(1000, 10_000)}"


def _todos(dice: Random, today: str) -> tuple[Todo, ...]:
    titles = [title for pair in dice.sample(words.TODOS, 12) for title in pair]
    found: list[Todo] = []
    for n, title in enumerate(titles):
        # Two of one title are in different lists.
        place = dice.choice(LISTS) if n % 2 == 0 else dice.choice([name for name in LISTS if name != found[-1].list])
        due = add_days(today, dice.randrange(-1, 15)) if dice.random() < 0.6 else ""
        note, starred = dice.choice(words.DETAILS), dice.random() < 0.15
        found.append(Todo(f"todo-{n + 1}", title, place, due, n >= 20, starred, note))
    return tuple(found)


def _appointments(dice: Random, today: str, people: tuple[Contact, ...]) -> tuple[Appointment, ...]:
    titles = [title for pair in dice.sample(words.APPOINTMENTS, 10) for title in pair]
    hosts = {title: dice.choice(people).id for title in dice.sample(words.INVITATIONS, 3)}
    found: list[Appointment] = []
    taken: set[tuple[str, str]] = set()
    for n, title in enumerate([*titles, *hosts], 1):
        while True:
            day = add_days(today, dice.randrange(-4, 24) if title not in hosts else dice.randrange(1, 9))
            at = f"{dice.randrange(8, 20):02d}:{dice.choice((0, 30)):02d}"
            if (day, at) not in taken:
                break
        taken.add((day, at))
        length, place, calendar = dice.choice((30, 60, 90)), dice.choice(words.PLACES), dice.choice(CALENDARS)
        found.append(Appointment(f"appointment-{n}", title, day, at, length, place, calendar, hosts.get(title, "")))
    return tuple(found)


def _calls(dice: Random, people: tuple[Contact, ...]) -> tuple[PhoneCall, ...]:
    strangers = [_number(dice) for _ in range(3)]
    times = sorted(-float(dice.randrange(300, 4 * DAY)) for _ in range(24))
    found = []
    for n, time in enumerate(times, 1):
        number = dice.choice(strangers) if dice.random() < 0.2 else dice.choice(people).phone
        kind: CallKind = dice.choice(("in", "out", "missed"))
        seconds = 0.0 if kind == "missed" else float(dice.randrange(5, 900))
        found.append(PhoneCall(f"call-{n}", number, time, kind, seconds))
    return tuple(found)


def _voicemails(dice: Random, people: tuple[Contact, ...]) -> tuple[Voicemail, ...]:
    # Two messages of one person are adjacent in the list, and can only be told apart by listening.
    callers = [person.phone for person in dice.sample(people, 8)]
    callers = [callers[0], *callers, callers[1], _number(dice), _number(dice)]
    times = sorted(-float(dice.randrange(600, 3 * DAY)) for _ in callers)
    found = []
    for n, (number, time) in enumerate(zip(callers, times, strict=True), 1):
        code = "".join(str(dice.randrange(10)) for _ in range(4))
        said = dice.choice(words.SAID).format(code=code, hour=code[:2])
        sound = f"dtmf:{code}" if n % 3 == 0 else f"speech:{dice.choice(('en-a', 'en-b'))}:{said}"
        seconds = round(pattern(sound).seconds, 2)
        found.append(Voicemail(f"voicemail-{n}", number, time, sound, seconds, heard=n < 7))
    return tuple(found)


def _songs(dice: Random) -> tuple[Song, ...]:
    found = []
    for n, title in enumerate(words.SONGS):
        artist = words.ARTISTS[(n + n // 6) % len(words.ARTISTS)]
        album, tune = dice.choice(words.RECORDS), dice.choice(TUNES)
        found.append(
            Song(f"song-{n + 1}", title, artist, album, dice.randrange(24, 60), tune, favourite=dice.random() < 0.15)
        )
    return tuple(found)


def _playlists(dice: Random, songs: tuple[Song, ...]) -> tuple[Playlist, ...]:
    return tuple(
        Playlist(f"playlist-{n}", name, tuple(song.id for song in dice.sample(songs, dice.randint(4, 7))))
        for n, name in enumerate(words.PLAYLISTS, 1)
    )


def _photos(dice: Random, start: int) -> tuple[Photo, ...]:
    found = []
    ages = sorted((dice.randrange(3600, 90 * DAY) for _ in range(30)), reverse=True)
    for n, age in enumerate(ages, 1):
        scene = dice.choice(tuple(words.SCENE_NAMES))
        count, color = dice.randint(1, 6), dice.choice(tuple(COLORS))
        album, place = dice.choice(ALBUMS[:3]), dice.choice(words.TOWNS)
        # Like a camera's file names, the name says nothing about the picture.
        found.append(
            Photo(f"photo-{n}", f"IMG_{2000 + n * 7:04d}", album, scene, count, color, float(start - age), place)
        )
    return tuple(found)


def _networks(dice: Random) -> tuple[WirelessNetwork, ...]:
    found = []
    names = list(words.NETWORKS)
    dice.shuffle(names)
    for n, name in enumerate(names, 1):
        secret = f"{dice.choice(('otter', 'maple', 'pebble'))}-{dice.randrange(1000, 10_000)}"
        open_ = "Guest" in name or "WiFi" in name
        found.append(WirelessNetwork(f"network-{n}", name, dice.randint(1, 4), "" if open_ else secret, known=n <= 2))
    return tuple(found)


def enrich(account: Account, rng: Callable[[str], Random], fill: Callable[[str, Random], str]) -> Account:
    """Extend the account to twenty threads, early and late alarms, and similar notes; `fill` fills a template."""
    dice, taken = rng("more threads"), {thread.contact for thread in account.threads}
    # Six of them have no conversation.
    people = [person for person in account.contacts if person.id not in taken][5:]
    for person in dice.sample(people, 20 - len(taken)):
        count = dice.randint(1, 4)
        times = sorted(-float(dice.randrange(6 * 3600, 5 * DAY)) for _ in range(count))
        talk = [
            TextMessage(fill(text, dice), time) for text, time in zip(dice.sample(CHATS, count), times, strict=True)
        ]
        talk = [replace(message, mine=dice.random() < 0.45) for message in talk]
        account = account.put(Thread(person.id, tuple(talk)))
    account = late_alarms(account, rng("more alarms"))
    account = near_alarms(account, rng("near alarms"))
    return near_notes(account, rng("near notes"), fill)


def late_alarms(account: Account, dice: Random) -> Account:
    """Add alarms shortly before midnight."""
    for label, minute in zip(MORE_ALARMS, sorted(dice.sample(range(0, 60, 5), 3)), strict=True):
        account = account.put(Alarm(fresh_id("alarm", account.alarms), 23, minute, label, dice.random() < 0.3))
    return account


def near_alarms(account: Account, dice: Random) -> Account:
    """Add pairs of alarms with similar labels, half an hour apart: "School bus" at 7:15 and 7:45.

    They are early or late, so that none of them rings during an episode.
    """
    for one, other, hour in NEAR_ALARMS:
        minute = dice.randrange(0, 30, 5)
        for label, at in ((one, minute), (other, minute + 30)):
            on, daily = dice.random() < 0.4, dice.random() < 0.3
            account = account.put(Alarm(fresh_id("alarm", account.alarms), hour, at, label, on, daily))
    return account


def near_notes(account: Account, dice: Random, fill: Callable[[str, Random], str]) -> Account:
    """Add a second note with a similar name and lines for each note, and more such pairs."""
    lines = dict(NOTES)
    chosen = [(NEAR_NOTES[note.name], lines[note.name]) for note in account.notes]
    for one, other, shared in dice.sample(MORE_NOTES, 4):
        chosen += [(one, shared), (other, shared)]
    for name, shared in chosen:
        text = "\n".join(fill(line.replace("{person}", dice.choice(account.contacts).name), dice) for line in shared)
        id, saved = fresh_id("document", account.documents), -float(dice.randrange(3600, 9 * DAY))
        account = account.put(Document(id, NOTES_FOLDER, name, text, saved))
    return account
