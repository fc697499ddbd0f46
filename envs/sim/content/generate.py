"""The content of a world, generated from the instance's seed: the same instance always gives the same world."""

from __future__ import annotations

import hashlib
import random
from functools import lru_cache

from omnipilot.envs.sim.apps.desktop.signals import ZONES
from omnipilot.envs.sim.content.desktop import equip
from omnipilot.envs.sim.content.phone import enrich, furnish
from omnipilot.envs.sim.state.account import NOTES, Account, Alarm, Contact, Document, Mail, TextMessage, Thread
from omnipilot.envs.sim.state.world_state import DAY, Signals, WorldState
from omnipilot.envs.sim.words import people_and_texts as words


def rng(instance: int, purpose: str) -> random.Random:
    """A separate random generator per purpose, so that one more draw here changes nothing elsewhere."""
    return random.Random(hashlib.sha256(f"{instance}/{purpose}".encode()).digest())


@lru_cache(maxsize=16)
def initial_world(instance: int) -> WorldState:
    """The world at the start of an instance: mid-morning or afternoon of a weekday, nothing open.

    The last few are kept, and as states never change, worlds share them: an episode asks for the one of its task, for
    its world and for its solution, and each takes some 15 ms to draw.
    """
    dice = rng(instance, "clock")
    start = dice.randrange(5) * DAY + dice.randrange(9 * 60, 17 * 60) * 60 + dice.randrange(10, 40)
    people = _people(instance)
    account = Account(
        owner=_person(dice.choice(words.OWNERS), dice),
        contacts=people,
        threads=_threads(instance, people),
        alarms=_alarms(instance),
    )
    account = account.put(*_mails(instance, people, account.owner), *_documents(instance, people))
    account = furnish(account, start, lambda purpose: rng(instance, purpose), _person)
    account = equip(account, lambda purpose: rng(instance, purpose))
    account = enrich(account, lambda purpose: rng(instance, purpose), _fill)
    dice = rng(instance, "signals")
    signals = Signals(dice.randint(2, 6), dice.choice(ZONES), "".join(str(dice.randrange(10)) for _ in range(4)))
    return WorldState(account, signals=signals, start=start)


def _person(name: str, dice: random.Random) -> Contact:
    id = name.lower().replace(" ", "-")
    phone = f"+44 7{dice.randrange(100, 1000)} {dice.randrange(100_000, 1_000_000)}"
    return Contact(id, name, phone, f"{id.replace('-', '.')}@{dice.choice(words.DOMAINS)}")


def _people(instance: int) -> tuple[Contact, ...]:
    dice = rng(instance, "people")
    names = [name for pair in dice.sample(words.NEAR_NAMES, 3) for name in pair]
    firsts = {name.split()[0] for name in names}
    others = [name for name in words.NAMES if name.split()[0] not in firsts]
    names += dice.sample(others, 6)
    return tuple(_person(name, dice) for name in sorted(names))


def _fill(template: str, dice: random.Random, person: str = "") -> str:
    return template.format(
        name=dice.choice(words.FIRST_NAMES),
        place=dice.choice(words.PLACES),
        day=dice.choice(words.DAYS),
        thing=dice.choice(words.THINGS),
        hour=f"{dice.randrange(7, 21):02d}:{dice.choice((0, 15, 30, 45)):02d}",
        code=dice.randrange(100_000, 1_000_000),
        number=dice.randrange(2, 60),
        person=person,
    )


def _threads(instance: int, people: tuple[Contact, ...]) -> tuple[Thread, ...]:
    dice = rng(instance, "threads")
    threads = []
    for person in dice.sample(people, 7):
        count = dice.randint(2, 9)
        # Negative times: before the world's start, newest last.
        times = sorted(-float(dice.randrange(120, 6 * 3600)) for _ in range(count))
        talk = dice.sample(words.CHATS, count)
        messages = tuple(
            TextMessage(_fill(text, dice), time, mine=dice.random() < 0.45)
            for text, time in zip(talk, times, strict=True)
        )
        unread = 0 if messages[-1].mine else dice.choice((0, 0, 1))
        threads.append(Thread(person.id, messages, unread))
    return tuple(threads)


def _mails(instance: int, people: tuple[Contact, ...], owner: Contact) -> tuple[Mail, ...]:
    dice = rng(instance, "mails")
    mails = []
    for n, (subject, body) in enumerate(dice.sample(words.MAILS, 10), 1):
        sender = dice.choice(people)
        seed = dice.randrange(1 << 30)
        # The same draws fill the subject and the body, so that they agree.
        subject, body = (_fill(text, random.Random(seed)) for text in (subject, body))
        body = f"Hi {owner.name.split()[0]},\n\n{body}\n\nBest,\n{sender.name.split()[0]}"
        time = -float(dice.randrange(300, 8 * 3600))
        mails.append(Mail(f"mail-{n}", sender.email, owner.email, subject, body, time, "inbox", dice.random() < 0.6))
    for n, (subject, body) in enumerate(dice.sample(words.SENT, 2), len(mails) + 1):
        to = dice.choice(people).email
        time = -float(dice.randrange(300, 8 * 3600))
        mails.append(Mail(f"mail-{n}", owner.email, to, subject, _fill(body, dice), time, "sent", True))
    return tuple(mails)


def _documents(instance: int, people: tuple[Contact, ...]) -> tuple[Document, ...]:
    dice = rng(instance, "documents")
    documents = []
    chosen = [(NOTES, item) for item in dice.sample(words.NOTES, 7)]
    chosen += [("Documents", item) for item in dice.sample(words.DOCUMENTS, 6)]
    for n, (folder, (name, lines)) in enumerate(chosen, 1):
        text = "\n".join(_fill(line, dice, dice.choice(people).name) for line in lines)
        documents.append(Document(f"document-{n}", folder, name, text, -float(dice.randrange(3600, 5 * DAY))))
    return tuple(documents)


def _alarms(instance: int) -> tuple[Alarm, ...]:
    dice = rng(instance, "alarms")
    alarms = []
    # Early or late hours only, so that none of them rings during an episode.
    for n, (label, hour) in enumerate(dice.sample(words.ALARMS, 3), 1):
        alarms.append(Alarm(f"alarm-{n}", hour, dice.choice(range(0, 60, 5)), label, dice.random() < 0.5, n == 1))
    return tuple(alarms)
