"""Notes and alarms that are easily taken for one another."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from omnipilot.envs.sim.state.account import NOTES as FOLDER
from omnipilot.envs.sim.state.account import Account, Alarm, Document, fresh_id
from omnipilot.envs.sim.words.people_and_texts import MORE_NOTES, NEAR_NOTES, NOTES
from omnipilot.envs.sim.words.phone import MORE_ALARMS, NEAR_ALARMS

DAY = 86_400


def late_alarms(account: Account, dice: Random) -> Account:
    """The account with alarms shortly before midnight."""
    for label, minute in zip(MORE_ALARMS, sorted(dice.sample(range(0, 60, 5), 3)), strict=True):
        account = account.put(Alarm(fresh_id("alarm", account.alarms), 23, minute, label, dice.random() < 0.3))
    return account


def near_alarms(account: Account, dice: Random) -> Account:
    """The account with pairs of alarms of like labels, half an hour apart: "School bus" at 7:15 and 7:45.

    They lie early or late, so that none of them rings by itself during an episode.
    """
    for one, other, hour in NEAR_ALARMS:
        minute = dice.randrange(0, 30, 5)
        for label, at in ((one, minute), (other, minute + 30)):
            on, daily = dice.random() < 0.4, dice.random() < 0.3
            account = account.put(Alarm(fresh_id("alarm", account.alarms), hour, at, label, on, daily))
    return account


def near_notes(account: Account, dice: Random, fill: Callable[[str, Random], str]) -> Account:
    """The account with a second note of like name and lines for each note, and with more such pairs."""
    lines = dict(NOTES)
    chosen = [(NEAR_NOTES[note.name], lines[note.name]) for note in account.notes]
    for one, other, shared in dice.sample(MORE_NOTES, 4):
        chosen += [(one, shared), (other, shared)]
    for name, shared in chosen:
        text = "\n".join(fill(line.replace("{person}", dice.choice(account.contacts).name), dice) for line in shared)
        id, saved = fresh_id("document", account.documents), -float(dice.randrange(3600, 9 * DAY))
        account = account.put(Document(id, FOLDER, name, text, saved))
    return account
