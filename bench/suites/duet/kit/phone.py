"""Shared by the phone sub-tasks of `duet`: tabs, people with near-duplicates, calls, and times."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

from omnipilot.bench.suites.duet.kit.moves import fresh
from omnipilot.bench.synthesis.sampling import TaskSampler
from omnipilot.bench.synthesis.template import Resource
from omnipilot.bench.tasks.judges import Case
from omnipilot.envs import Click, Intent, OpenApp, Ref
from omnipilot.envs.sim.apps.phone.calls import digits
from omnipilot.envs.sim.apps.registry import APPS
from omnipilot.envs.sim.state.account import Account, Contact
from omnipilot.envs.sim.state.world_state import View, WorldState
from omnipilot.envs.speech import synthesize

SENTENCES = (
    "Bring the spare keys",
    "Meet me at the north gate",
    "The plumber comes at noon",
    "Ask for a window seat",
    "Two boxes are in the hall",
    "The parcel is next door",
)
AFTER = 0.38
"""Less than the pause at the end of what is spoken."""


def tap(id: str) -> Click[Ref]:
    """A tap on the element with this id."""
    return Click(Ref(id))


def tab(now: WorldState, app: str, view: str) -> list[Intent]:
    """The tap on an app's tab; none if the app already shows it."""
    window = now.phone.window(app)
    current = window.stack[0].name if window is not None else next(iter(APPS[app].views))
    return [] if current == view else [tap(f"{app}/tab/{view}")]


def to(now: WorldState, app: str, view: str, arg: str, id: str) -> list[Intent]:
    """The tap on a row that opens an item's view; none if the app, once in front, already shows it."""
    window = now.phone.window(app)
    return [] if window is not None and window.view == View(view, arg) else [tap(id)]


def card(now: WorldState, contact: str) -> list[Intent]:
    """Moves to a contact's card from wherever the phone is."""
    return [OpenApp("Contacts"), *to(now, "contacts", "person", contact, f"contacts/list/{contact}")]


def anyone(draw: TaskSampler, state: WorldState) -> Contact:
    """A contact, neither favourite nor blocked, that no other sub-task uses; many have a near-duplicate."""
    return draw.pick("contacts", [p for p in state.account.contacts if not (p.favourite or p.blocked)])


def contact_by_name(person: Contact) -> Resource:
    """A contact that the instruction calls by name."""
    return Resource("contact", person.id, f'"{person.name}"')


def some_contact(draw: TaskSampler, state: WorldState) -> dict[str, str | Resource]:
    """A contact for an input `contact` that no sub-task provides."""
    return {"contact": contact_by_name(anyone(draw, state))}


def some_text(draw: TaskSampler, _: WorldState) -> dict[str, str | Resource]:
    """A sentence for an input `text` that no sub-task provides."""
    return {"text": draw.choice(SENTENCES)}


def number(dice: Random) -> str:
    """A telephone number that no contact has."""
    return f"+44 20 {dice.randrange(1000, 10_000)} {dice.randrange(1000, 10_000)}"


def near(person: Contact, people: Sequence[Contact]) -> Contact | None:
    """The contact whose name is most easily confused with this one's, if there is one."""
    found = [other for other in people if other.id != person.id and other.name[:2] == person.name[:2]]
    return found[0] if found else None


def fits_in(voice: str, before: str, seconds: float, make: Callable[[Random], str]) -> Callable[[Random], str]:
    """Draw something to say of the same length as a constant, so that its duration reveals nothing.

    Args:
        before: words said first, as in "the code is".
        seconds: from here on there is nothing but the pause at the end.
    """

    def draw(dice: Random) -> str:
        while True:
            text = make(dice)
            if 0 <= synthesize(f"{voice}:{before} {text}").seconds - seconds < AFTER:
                return text

    return draw


def _people_with(account: Account, number: str) -> set[str]:
    """Ids of all contacts with a number: two may share one."""
    return {person.id for person in account.contacts if digits(number) and digits(person.phone) == digits(number)}


def new_texts(case: Case, contact: str) -> list[str]:
    """The texts sent to a contact since the start."""
    before = len(case.start.account.thread(contact).messages)
    return [message.text for message in case.state.account.thread(contact).messages[before:] if message.mine]


def texts_kept(case: Case, contact: str) -> bool:
    """Whether all that a conversation had at the start is still there."""
    then = case.start.account.thread(contact).messages
    return bool(case.state.account.thread(contact).messages[: len(then)] == then)


def callees(case: Case) -> set[str]:
    """Who was called since the start: ids of contacts, or digits of unknown numbers."""
    made = [call.number for call in fresh(case, "calls") if call.kind == "out"]
    return {one for number in made for one in _people_with(case.state.account, number) or {digits(number)}}


def wrong_calls(case: Case, draw: TaskSampler) -> list[str]:
    """Numbers called since the start that no sub-task of the task has claimed as a callee."""
    account, claimed = case.state.account, set(draw.claimed("callees"))
    made = [call.number for call in fresh(case, "calls") if call.kind == "out"]
    return [number for number in made if not claimed & {digits(number), *_people_with(account, number)}]
