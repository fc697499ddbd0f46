"""Contacts, on the phone: people, one person, and a form."""

from __future__ import annotations

from dataclasses import replace

from omnipilot.envs.sim.apps.base import App, Ctx, typed_text
from omnipilot.envs.sim.apps.phone.calls import dial
from omnipilot.envs.sim.apps.phone.shared_parts import (
    buttons,
    change,
    fact,
    jump,
    labelled_fields,
    page,
    remove,
    scrolling_list,
    with_corner,
)
from omnipilot.envs.sim.apps.question import ask, question
from omnipilot.envs.sim.render import theme
from omnipilot.envs.sim.state.account import Contact
from omnipilot.envs.sim.state.world_state import View, WorldState
from omnipilot.envs.sim.ui.containers import Column, PaddedBox, Row, Widget
from omnipilot.envs.sim.ui.controls import Button, IconButton, Switch, TabBar
from omnipilot.envs.sim.ui.display_widgets import Avatar, Glyph, Label
from omnipilot.envs.sim.ui.navigation import back, both, go, remember
from omnipilot.envs.sim.ui.panels import card, empty, list_row, top_bar
from omnipilot.envs.sim.ui.scene import Do
from omnipilot.envs.sim.ui.text_field import TextField

SHOWN, SURE = "contacts/list/shown", "contacts/person/delete"


def _list(ctx: Ctx) -> Widget:
    wanted, shown = ctx.typed("contacts/list/search").lower(), ctx.value(SHOWN, "all")
    rows = [
        list_row(
            f"contacts/list/{person.id}",
            person.name,
            go("phone", "contacts", "person", person.id),
            subtitle=" · ".join(part for part in (person.company, "blocked" if person.blocked else "") if part),
            avatar=True,
            trailing=(Glyph("star", 18, theme.ACCENT),) if person.favourite else (),
        )
        for person in sorted(ctx.account.contacts, key=lambda person: (person.name, person.id))
        if (wanted in person.name.lower() or wanted in person.phone or wanted in person.company.lower())
        and (shown == "all" or person.favourite)
    ]
    tabs = TabBar(
        tuple(
            (f"contacts/list/{key}", name, remember("phone", SHOWN, key))
            for key, name in (("all", "All"), ("favourites", "Favourites"))
        ),
        f"contacts/list/{shown}",
    )
    search = PaddedBox(TextField("contacts/list/search", "Search name, number or company"), (16, 12))
    body = scrolling_list("contacts/list/scroll", rows, "Nobody found")
    return Column((top_bar("Contacts"), tabs, search, with_corner(body, "contacts", "list", "Add contact", "edit")))


def _person(ctx: Ctx) -> Widget:
    person = ctx.account.find("contacts", ctx.arg)
    if person is None:
        return page("contacts", "person", "Contact", [empty("This contact is gone")])
    actions = (
        IconButton(
            "contacts/person/favourite",
            "star",
            "Remove from favourites" if person.favourite else "Add to favourites",
            change("contacts", person.id, favourite=not person.favourite),
            theme.ACCENT if person.favourite else theme.FAINT,
        ),
        IconButton("contacts/person/edit", "edit", "Edit contact", go("phone", "contacts", "edit", person.id)),
        IconButton("contacts/person/remove", "trash", "Delete contact", ask("phone", SURE)),
    )
    text = jump("messages", View("threads"), View("thread", person.id))
    face = Column(
        (Avatar(person.name, 72), Label(person.name, 22, "bold", align="center", role="heading")), 12, align="center"
    )
    block = Row(
        (
            Label("Block calls and messages", 16, role=None, flex=1),
            Switch(
                "contacts/person/blocked",
                "Block calls and messages",
                person.blocked,
                change("contacts", person.id, blocked=not person.blocked),
            ),
        )
    )
    facts = Column(
        (
            fact("Phone", person.phone, "contacts/person/phone"),
            fact("Email", person.email, "contacts/person/email"),
            fact("Company", person.company or "–", "contacts/person/company"),
        ),
        14,
    )
    parts = [
        PaddedBox(face, (0, 8)),
        buttons(
            Button("contacts/person/call", "Call", dial(person.phone), "call", "filled"),
            Button("contacts/person/text", "Message", text, "message", "outline"),
        ),
        card(facts),
        card(block, 12),
    ]
    gone = both(remove("contacts", person.id), back("phone", "contacts"))
    shown = page("contacts", "person", "Contact", parts, actions)
    note = f"{person.name} will be gone from your phone and your computer."
    return question(shown, ctx, SURE, "Delete this contact?", note, "Delete", gone)


def _save(person: Contact, new: bool) -> Do:
    def do(state: WorldState) -> WorldState:
        name, phone, email, company = (
            typed_text(state, "phone", f"contacts/edit/{part}", getattr(person, part)).strip()
            for part in ("name", "phone", "email", "company")
        )
        if not name:
            return state
        id = _free(state, name) if new else person.id
        kept = replace(person, id=id, name=name, phone=phone, email=email, company=company)
        return back("phone", "contacts")(state.own(state.account.put(kept)))

    return do


def _free(state: WorldState, name: str) -> str:
    """An unused contact id derived from the name."""
    id = name.lower().replace(" ", "-")
    taken = {person.id for person in state.account.contacts}
    return next(free for free in (id, *(f"{id}-{n}" for n in range(2, len(taken) + 3))) if free not in taken)


def _edit(ctx: Ctx) -> Widget:
    known = ctx.account.find("contacts", ctx.arg)
    person = known or Contact("", "", "", "")
    fields = [
        TextField(f"contacts/edit/{part}", title, getattr(person, part), size=16)
        for part, title in (("name", "Name"), ("phone", "Phone"), ("email", "Email"), ("company", "Company"))
    ]
    ready = bool(ctx.typed("contacts/edit/name", person.name).strip())
    save = Button("contacts/edit/save", "Save", _save(person, known is None), style="filled", enabled=ready)
    return page(
        "contacts", "edit", "New contact" if known is None else "Edit contact", labelled_fields(*fields), [save]
    )


CONTACTS = App(
    "contacts", "Contacts", "contacts", (20, 122, 128), "phone", {"list": _list, "person": _person, "edit": _edit}
)
