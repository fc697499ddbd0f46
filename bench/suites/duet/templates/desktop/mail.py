"""Sub-tasks of `duet` in Mail, on the desktop, in addition to those in desktop_first.py."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from omnipilot.bench.judges import says_one
from omnipilot.bench.suites.duet.kit.answers import other_answers
from omnipilot.bench.suites.duet.kit.desktop import claim_letter, inbox_at, mails_astray, words_of_mails
from omnipilot.bench.suites.duet.kit.moves import fresh, front, on_desktop
from omnipilot.bench.synthesis.compose import Piece, Resource, TaskSampler, Template
from omnipilot.bench.tasks.graph import JudgeGraph
from omnipilot.bench.tasks.judges import Case, Judge, Verdict
from omnipilot.envs import Click, ConfigError, Drag, OpenApp, Press, Ref, TypeText, Wait
from omnipilot.envs.sim.state.account import Contact, Mail, fresh_id
from omnipilot.envs.sim.state.events import MailArrives
from omnipilot.envs.sim.state.world_state import WorldState

SUBJECTS = ("What you asked for", "For your files", "News", "As agreed", "Quick note", "Before I forget")
TEXTS = ("The hall is free on Friday", "I will be there at nine", "Please call the museum", "The lamps have arrived")


def mail_judge(person: Contact, subject: str, text: str, draw: TaskSampler) -> Judge:
    """Judge that a mail with the text went to the person, and none that the task does not ask for to anybody."""
    claim_letter(draw, person.email, subject)

    def ask(case: Case) -> Verdict:
        bodies = words_of_mails(case, person.email, subject)
        hit = bool(bodies) and says_one([text], bodies, other_answers([text], case.start))
        wrong = mails_astray(case, draw)
        return Verdict(float(hit and not wrong), f"to {person.name}: {bodies}; astray: {wrong}")

    return Judge("mail sent", ask)


def _write(draw: TaskSampler, person: Contact, text: str, state: WorldState) -> Piece:
    subject = draw.choice(SUBJECTS)
    form = (
        TypeText(person.name, Ref("mail/compose/to")),
        TypeText(subject, Ref("mail/compose/subject")),
        TypeText(text, Ref("mail/compose/body")),
    )
    opened = Judge("form opened", front("desktop", "mail", "compose"))
    return Piece(
        JudgeGraph.chain([opened, mail_judge(person, subject, text, draw)]),
        state,
        lambda _: on_desktop(OpenApp("Mail"), Click(Ref("mail/compose")), *form, Click(Ref("mail/compose/send"))),
        {"name": person.name, "subject": subject},
        alternative=lambda _: on_desktop(OpenApp("Mail"), Press(("ctrl", "n")), *form, Press(("ctrl", "enter"))),
    )


def _mail_text(draw: TaskSampler, given: Mapping[str, str], state: WorldState) -> Piece:
    return _write(draw, draw.pick("contacts", state.account.contacts), given["text"], state)


MAIL_TEXT = Template(
    "mail-text",
    'on the desktop, write a mail to "{name}" in Mail with the subject "{subject}", type {text} as its text and press '
    '"Send"',
    "desktop",
    "mail",
    _mail_text,
    {"text": "text"},
    alone=lambda draw, _: {"text": draw.choice(TEXTS)},
)


def _mail_contact(draw: TaskSampler, given: Mapping[str, str], state: WorldState) -> Piece:
    person = state.account.contact(given["contact"])
    if person is None:
        raise ConfigError(
            f"{given['contact']!r} has no email address before the task begins; mail somebody who is known"
        )
    return _write(draw, person, given["text"], state)


def _somebody(draw: TaskSampler, state: WorldState) -> Mapping[str, str | Resource]:
    person = draw.pick("contacts", state.account.contacts)
    return {"contact": Resource("contact", person.id, f'"{person.name}"'), "text": draw.choice(TEXTS)}


MAIL_CONTACT = Template(
    "mail-contact",
    'on the desktop, write a mail to {contact} in Mail with the subject "{subject}", type {text} as its text and press '
    '"Send"',
    "desktop",
    "mail",
    _mail_contact,
    {"contact": "contact", "text": "text"},
    alone=_somebody,
)


def _letter(draw: TaskSampler, state: WorldState) -> tuple[Mail, Contact]:
    """A mail with a unique sender and subject, and its sender."""
    inbox = state.account.folder("inbox")
    heads = [(mail.sender, mail.subject) for mail in inbox]
    mail = draw.pick(
        "mails", [m for m in inbox if heads.count((m.sender, m.subject)) == 1 and state.account.contact(m.sender)]
    )
    person = state.account.contact(mail.sender)
    assert person is not None
    return mail, person


def _reply(draw: TaskSampler, given: Mapping[str, str], state: WorldState) -> Piece:
    (mail, person), text = _letter(draw, state), given["text"]
    opened = Judge("mail opened", _open_in_front(mail))
    return Piece(
        JudgeGraph.chain([opened, mail_judge(person, f"Re: {mail.subject}", text, draw)]),
        state,
        lambda now: on_desktop(
            *inbox_at(now, mail.id),
            Click(Ref(f"mail/list/{mail.id}")),
            Click(Ref("mail/read/reply")),
            TypeText(text),
            Click(Ref("mail/compose/send")),
        ),
        {"name": person.name, "subject": mail.subject},
    )


def _open_in_front(mail: Mail) -> Callable[[Case], bool]:
    return front("desktop", "mail", arg=mail.id)


REPLY = Template(
    "reply-mail",
    'on the desktop, open the mail "{subject}" from "{name}" in Mail, reply to it with {text} and press "Send"',
    "desktop",
    "mail",
    _reply,
    {"text": "text"},
    alone=lambda draw, _: {"text": draw.choice(TEXTS)},
)


def _archive(draw: TaskSampler, _: Mapping[str, str], state: WorldState) -> Piece:
    mail, person = _letter(draw, state)

    def archived(case: Case) -> Verdict:
        now = case.state.account.mail(mail.id)
        wrong = mails_astray(case, draw)
        hit = now is not None and now.folder == "archive"
        return Verdict(float(hit and not wrong), f"it is in {now and now.folder}; astray: {wrong}")

    row = Ref(f"mail/list/{mail.id}")
    return Piece(
        JudgeGraph((Judge("mail archived", archived),)),
        state,
        # The drag needs no other step; opening the mail first would be a look.
        lambda now: on_desktop(*inbox_at(now, mail.id), Drag(Ref("mail/folder/archive"), row)),
        {"name": person.name, "subject": mail.subject},
        alternative=lambda now: on_desktop(*inbox_at(now, mail.id), Click(row), Click(Ref("mail/read/archive"))),
    )


ARCHIVE_MAIL = Template(
    "archive-mail",
    'on the desktop, move the mail "{subject}" from "{name}" in Mail from the inbox into the archive',
    "desktop",
    "mail",
    _archive,
)


def _await_code(draw: TaskSampler, _: Mapping[str, str], state: WorldState) -> Piece:
    person, other = draw.sample(state.account.contacts, 2)
    codes = draw.sample(range(1000, 10_000), 2)
    subject, at = draw.choice(("Your new code", "Code for today", "Gate code")), float(draw.randrange(15, 30))
    for late, (sender, code) in enumerate(zip((person, other), codes, strict=True)):
        body = f"Hello,\n\nthe code is {code}.\n\n{sender.name.split()[0]}"
        state = state.later(at + 5.0 * late, MailArrives(sender.email, subject, body))

    def arrived(mails: tuple[Mail, ...]) -> Mail | None:
        return next((mail for mail in mails if (mail.sender, mail.subject) == (person.email, subject)), None)

    def read(case: Case) -> bool:
        mail = arrived(tuple(fresh(case, "mails")))
        return mail is not None and mail.read

    def row(now: WorldState) -> Ref:
        mail = arrived(now.account.mails)
        return Ref(f"mail/list/{mail.id if mail else fresh_id('mail', now.account.mails)}")

    return Piece(
        JudgeGraph((Judge("mail read", read),)),
        state,
        lambda now: on_desktop(*inbox_at(now, ""), Wait(max(0.1, round(at - now.time + 1.0, 6))), Click(row(now))),
        {"name": person.name, "subject": subject},
        Resource("text/code", str(codes[0]), f"the code from {person.name}"),
    )


AWAIT_CODE = Template(
    "await-code",
    'on the desktop, wait until the mail "{subject}" from "{name}" arrives (within half a minute) and open it in Mail '
    "at once",
    "desktop",
    "mail",
    _await_code,
    output="text/code",
    level="AV-supportive",
    dimension="instant response",
    hangs_on="sound",
)

TEMPLATES = (MAIL_TEXT, MAIL_CONTACT, REPLY, ARCHIVE_MAIL, AWAIT_CODE)
