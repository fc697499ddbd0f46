"""Sub-tasks of `duet` in Contacts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from omnipilot.bench.judges import is_same_number
from omnipilot.bench.suites.duet.kit.moves import fresh, front, on_phone, strays
from omnipilot.bench.suites.duet.kit.phone import anyone, callees, card, near, number, some_contact, tap, wrong_calls
from omnipilot.bench.synthesis.compose import Piece, Resource, TaskSampler, Template
from omnipilot.bench.tasks.graph import JudgeGraph
from omnipilot.bench.tasks.judges import Case, Judge, Verdict
from omnipilot.envs import OpenApp, Ref, TypeText
from omnipilot.envs.sim.state.world_state import WorldState

NEW_NAMES = ("Paul Moreau", "Irene Sato", "Kofi Mensah", "Mei Lindqvist", "Oscar Vidal", "Ruth Adler", "Clara Novak")


def _card(contact: str) -> Judge:
    return Judge("card opened", front("phone", "contacts", "person", contact))


def _add_contact(draw: TaskSampler, given: Mapping[str, str], state: WorldState) -> Piece:
    taken = draw.claimed("contacts")
    name = draw.choice([name for name in NEW_NAMES if _id(name) not in taken])
    phone, id = given["phone"], _id(name)
    draw.claim("contacts", id)

    def added(case: Case) -> Verdict:
        new = [
            person for person in fresh(case, "contacts") if person.id == id or person.id not in draw.claimed("contacts")
        ]
        hit = [person.name for person in new] == [name] and is_same_number(new[0].phone, phone)
        stray = strays(case, "contacts", draw)
        return Verdict(float(hit and not stray), f"new: {[(p.name, p.phone) for p in new]}; others touched: {stray}")

    return Piece(
        JudgeGraph.chain([Judge("form opened", front("phone", "contacts", "edit")), Judge("contact added", added)]),
        state,
        lambda _: on_phone(
            OpenApp("Contacts"),
            tap("contacts/list/new"),
            TypeText(name, Ref("contacts/edit/name")),
            TypeText(phone, Ref("contacts/edit/phone")),
            tap("contacts/edit/save"),
        ),
        {"name": name},
        Resource("contact", id, f'the new contact "{name}"'),
    )


def _id(name: str) -> str:
    return name.lower().replace(" ", "-")


ADD_CONTACT = Template(
    "add-contact",
    'on the phone, add a contact in Contacts with the name "{name}", type {phone} as the phone number and save it',
    "phone",
    "contacts",
    _add_contact,
    {"phone": "text/phone"},
    "contact",
    lambda draw, _: {"phone": number(draw)},
)


def _change_number(draw: TaskSampler, given: Mapping[str, str], state: WorldState) -> Piece:
    person, phone = anyone(draw, state), given["phone"]

    def changed(case: Case) -> Verdict:
        now = case.state.account.find("contacts", person.id)
        hit = now is not None and now == replace(person, phone=now.phone) and is_same_number(now.phone, phone)
        stray = strays(case, "contacts", draw)
        more = [new.id for new in fresh(case, "contacts") if new.id not in draw.claimed("contacts")]
        return Verdict(float(hit and not stray and not more), f"{now}; others touched: {stray}; new: {more}")

    return Piece(
        JudgeGraph.chain([_card(person.id), Judge("number changed", changed)]),
        state,
        lambda _: on_phone(
            OpenApp("Contacts"),
            tap(f"contacts/list/{person.id}"),
            tap("contacts/person/edit"),
            TypeText(phone, Ref("contacts/edit/phone"), clear=True),
            tap("contacts/edit/save"),
        ),
        {"name": person.name},
        alternative=lambda _: on_phone(
            OpenApp("Contacts"),
            TypeText(person.name, Ref("contacts/list/search")),
            tap(f"contacts/list/{person.id}"),
            tap("contacts/person/edit"),
            TypeText(phone, Ref("contacts/edit/phone"), clear=True),
            tap("contacts/edit/save"),
        ),
    )


CHANGE_NUMBER = Template(
    "change-number",
    'on the phone, open "{name}" in Contacts, replace the phone number by typing {phone} and save it',
    "phone",
    "contacts",
    _change_number,
    {"phone": "text/phone"},
    alone=lambda draw, _: {"phone": number(draw)},
)


def _reads(what: str, type: str, id: str) -> Template:
    """Read the phone number or the email address on a contact's card."""

    def make(draw: TaskSampler, _: Mapping[str, str], state: WorldState) -> Piece:
        person = anyone(draw, state)
        value = person.phone if type == "text/phone" else person.email
        return Piece(
            JudgeGraph((_card(person.id),)),
            state,
            lambda now: on_phone(*card(now, person.id)),
            {"name": person.name},
            Resource(type, value, f"the {what} of {person.name}"),
        )

    clause = f'on the phone, open "{{name}}" in Contacts and read the {what}'
    return Template(id, clause, "phone", "contacts", make, output=type, lasts=False)


READ_NUMBER = _reads("phone number", "text/phone", "read-number")
READ_EMAIL = _reads("email address", "text/email", "read-email")


def _marks(what: str, kept: str) -> Template:
    """Favourites and blocked people: one switch on the card changes, and no other contact."""

    def make(draw: TaskSampler, given: Mapping[str, str], state: WorldState) -> Piece:
        contact = given["contact"]
        draw.claim("contacts", contact)
        # Whoever is meant is not marked at the start.
        known = state.account.find("contacts", contact)
        if known is not None:
            state = state.own(state.account.put(replace(known, **{what: False})))

        def marked(case: Case) -> Verdict:
            now = case.state.account.find("contacts", contact)
            stray = strays(case, "contacts", draw)
            hit = now is not None and bool(getattr(now, what))
            return Verdict(float(hit and not stray), f"{now}; others touched: {stray}")

        return Piece(
            JudgeGraph.chain([_card(contact), Judge(f"{kept} changed", marked)]),
            state,
            lambda now: on_phone(*card(now, contact), tap(f"contacts/person/{what}")),
            {},
            Resource("contact", contact, "the same person"),
        )

    clause = {"favourite": "add them to the favourites", "blocked": "block their calls and messages"}[what]
    return Template(
        {"favourite": "favourite-contact", "blocked": "block-contact"}[what],
        "on the phone, open {contact} in Contacts and " + clause,
        "phone",
        "contacts",
        make,
        {"contact": "contact"},
        "contact",
        some_contact,
    )


FAVOURITE_CONTACT, BLOCK_CONTACT = _marks("favourite", "favourite"), _marks("blocked", "blocking")


def _call(draw: TaskSampler, given: Mapping[str, str], state: WorldState) -> Piece:
    contact = given["contact"]
    draw.claim("callees", contact)

    def called(case: Case) -> Verdict:
        who = callees(case)
        wrong = wrong_calls(case, draw)
        return Verdict(float(contact in who and not wrong), f"called: {sorted(who)}; wrong: {wrong}")

    return Piece(
        JudgeGraph.chain([_card(contact), Judge("called", called)]),
        state,
        lambda now: on_phone(*card(now, contact), tap("contacts/person/call")),
    )


CALL_CONTACT = Template(
    "call-contact",
    "on the phone, open {contact} in Contacts and call them",
    "phone",
    "contacts",
    _call,
    {"contact": "contact"},
    alone=some_contact,
)


def _delete(draw: TaskSampler, _: Mapping[str, str], state: WorldState) -> Piece:
    twins = [person for person in state.account.contacts if near(person, state.account.contacts)]
    person = draw.pick("contacts", twins)

    def gone(case: Case) -> Verdict:
        stray = strays(case, "contacts", draw)
        there = case.state.account.find("contacts", person.id) is not None
        return Verdict(float(not there and not stray), f"still there: {there}; others touched: {stray}")

    return Piece(
        JudgeGraph.chain([_card(person.id), Judge("contact deleted", gone)]),
        state,
        lambda now: on_phone(
            *card(now, person.id),
            tap("contacts/person/remove"),
            tap("contacts/person/delete/yes"),
        ),
        {"name": person.name},
    )


DELETE_CONTACT = Template(
    "delete-contact", 'on the phone, delete the contact "{name}" in Contacts', "phone", "contacts", _delete
)

TEMPLATES = (
    ADD_CONTACT,
    CHANGE_NUMBER,
    READ_NUMBER,
    READ_EMAIL,
    FAVOURITE_CONTACT,
    BLOCK_CONTACT,
    CALL_CONTACT,
    DELETE_CONTACT,
)
