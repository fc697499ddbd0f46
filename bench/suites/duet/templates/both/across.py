"""Sub-tasks of `duet` that combine findings from one device with data kept on the other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from omnipilot.bench.suites.duet.kit.moves import front, on_desktop, on_phone
from omnipilot.bench.suites.duet.kit.phone import SENTENCES, anyone, some_contact
from omnipilot.bench.suites.duet.templates.desktop.mail import mail_judge
from omnipilot.bench.synthesis.compose import Piece, Resource, TaskSampler, Template
from omnipilot.bench.tasks.graph import JudgeGraph
from omnipilot.bench.tasks.judges import Judge
from omnipilot.envs import Click, OpenApp, Press, Ref, TypeText
from omnipilot.envs.sim.apps.desktop.films import STOPS
from omnipilot.envs.sim.state.account import Contact, Document, fresh_id
from omnipilot.envs.sim.state.world_state import WorldState


def _extension(draw: TaskSampler, given: Mapping[str, str], state: WorldState) -> Piece:
    people = sorted(state.account.contacts, key=lambda person: person.name)
    numbers = [str(number) for number in draw.sample(range(200, 1000), len(people))]
    known = {person.id: number for person, number in zip(people, numbers, strict=True)}
    text = "\n".join(f"{person.name}: {known[person.id]}" for person in people)
    id = fresh_id("document", state.account.documents)
    draw.claim("documents", id)
    return Piece(
        JudgeGraph((Judge("list opened", front("desktop", "editor", "edit", id)),)),
        state.own(state.account.put(Document(id, "Documents", "Extensions", text, -5400.0))),
        lambda _: on_desktop(OpenApp("Text Editor"), Click(Ref(f"editor/files/{id}"))),
        {},
        Resource("text/number", known.get(given["contact"], ""), "the number of their extension"),
    )


EXTENSION_OF = Template(
    "extension-of",
    'on the desktop, open the document "Extensions" in Text Editor and look up the extension of {contact}',
    "desktop",
    "editor",
    _extension,
    {"contact": "contact"},
    output="text/number",
    alone=some_contact,
    dimension="semantic understanding",
    lasts=False,
)


def _rota(people: Sequence[Contact]) -> str:
    return "\n".join(f"{stop}: {person.name}" for stop, person in zip(STOPS, people, strict=True))


def _on_duty(draw: TaskSampler, given: Mapping[str, str], state: WorldState) -> Piece:
    people = [anyone(draw, state) for _ in STOPS]
    id = fresh_id("document", state.account.documents)
    draw.claim("documents", id)
    now = Document(id, "Notes", "Duty list", _rota(people), -5400.0)
    account = state.account.put(now)
    # The same people on other duties: whoever opens the old list reads another name beside each letter.
    old = Document(fresh_id("document", account.documents), "Notes", "Duty list (old)", _rota(people[1:] + people[:1]))
    return Piece(
        JudgeGraph((Judge("list opened", front("phone", "notes", "edit", id)),)),
        state.own(account.put(replace(old, saved=-1800.0))),
        lambda _: on_phone(OpenApp("Notes"), Click(Ref(f"notes/notes/{id}"))),
        {},
        Resource("contact", people[STOPS.index(given["letter"])].id, "the person on duty"),
        lambda _: on_phone(
            OpenApp("Notes"), TypeText("Duty", Ref("notes/notes/search")), Click(Ref(f"notes/notes/{id}"))
        ),
    )


ON_DUTY = Template(
    "on-duty",
    'on the phone, open the note "Duty list" in Notes and see which name, that of the person on duty, stands beside '
    "{letter}",
    "phone",
    "notes",
    _on_duty,
    {"letter": "text/word"},
    output="contact",
    alone=lambda draw, _: {"letter": draw.choice(STOPS)},
    dimension="semantic understanding",
    lasts=False,
)


def _mail_both(draw: TaskSampler, given: Mapping[str, str], state: WorldState) -> Piece:
    person, subject, text = anyone(draw, state), given["subject"], given["text"]
    form = [
        TypeText(person.name, Ref("mail/compose/to")),
        TypeText(subject, Ref("mail/compose/subject")),
        TypeText(text, Ref("mail/compose/body")),
    ]
    begun = Judge("mail begun", front("desktop", "mail", "compose"))
    begin = (OpenApp("Mail"), Click(Ref("mail/compose")))
    return Piece(
        JudgeGraph.chain([begun, mail_judge(person, subject, text, draw)]),
        state,
        lambda _: on_desktop(*begin, *form, Click(Ref("mail/compose/send"))),
        {"name": person.name},
        alternative=lambda _: on_desktop(*begin, *form, Press(("ctrl", "enter"))),
    )


MAIL_BOTH = Template(
    "mail-both",
    'on the desktop, write a mail to "{name}" in Mail, type {subject} as the subject and {text} as the text, and press '
    '"Send"',
    "desktop",
    "mail",
    _mail_both,
    {"subject": "text", "text": "text"},
    alone=lambda draw, _: {"subject": "For today", "text": draw.choice(SENTENCES)},
)


TEMPLATES = (EXTENSION_OF, ON_DUTY, MAIL_BOTH)
