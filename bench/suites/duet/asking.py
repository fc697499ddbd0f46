"""Tasks of `duet` that lack something which only their user knows: the split `asks`.

What is lacking is drawn apart from everything else, and is in no world: two instances that differ in it alone have the
same instruction and the same world. So whoever does not ask does the same in both, and is wrong in one of them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

from omnipilot.bench.suites.duet.kit.desktop import folder_of
from omnipilot.bench.suites.duet.kit.moves import fresh, on_desktop, strays
from omnipilot.bench.suites.duet.kit.phone import SENTENCES
from omnipilot.bench.suites.duet.recipe import Recipe
from omnipilot.bench.suites.duet.templates.desktop.mail import MAIL_CONTACT
from omnipilot.bench.suites.duet.templates.phone.alarms import SET_ALARM
from omnipilot.bench.suites.duet.templates.phone.messages import TEXT_CONTACT
from omnipilot.bench.synthesis.compose import Piece, TaskSampler, Template
from omnipilot.bench.synthesis.template import Solution
from omnipilot.bench.tasks.graph import JudgeGraph
from omnipilot.bench.tasks.judges import Case, Judge, Verdict
from omnipilot.bench.tasks.user_facts import UNKNOWN, UserFact
from omnipilot.envs import AskUser, Click, Ref
from omnipilot.envs.sim.state.account import Contact, Document, TextMessage, Thread, fresh_id
from omnipilot.envs.sim.state.world_state import WorldState
from omnipilot.memory import Move

TOPICS = {
    "recipient": ("robin", "who", "whom", "recipient", "contact", "person"),
    "time": ("time", "when", "hour", "clock", "alarm", "get up"),
    "file": ("file", "plan", "document", "version"),
    "code": ("code", "pin", "number", "digit"),
}
"""What a question can be about. The user of each task has an answer to one of these, so that one question which names
them all, or one list of questions for every task, finds nothing out."""
FAMILY_NAMES = ("Archer", "Bell", "Cole", "Dunn")
"""Of the four people called Robin."""
COLOURS = ("blue", "green", "grey", "red")
"""Of the four site plans."""
HOURS = range(5, 9)
"""Of the untold time, which falls on any minute of them."""


def _knows(topic: str, answer: str) -> tuple[UserFact, ...]:
    """What the user of a task can be asked about."""
    return tuple(UserFact(words, answer if name == topic else UNKNOWN) for name, words in TOPICS.items())


def _asking(piece: Piece, topic: str, question: str, answer: str, *more: Judge) -> Piece:
    """A piece whose user has this answer, and whose demonstration asks first.

    Args:
        more: what has to hold besides, once the piece's own nodes are reached.
    """

    def ask_first(way: Solution) -> Solution:
        return lambda now: [Move("", AskUser(question)), *way(now)]

    return replace(
        piece,
        graph=JudgeGraph.chain([*piece.graph.nodes, *more]),
        solution=ask_first(piece.solution),
        alternative=ask_first(piece.alternative) if piece.alternative is not None else None,
        user=_knows(topic, answer),
    )


def _text_namesake(draw: TaskSampler, _: Mapping[str, str], state: WorldState) -> Piece:
    text = draw.choice(SENTENCES)
    for place, name in enumerate(FAMILY_NAMES):
        id = f"robin-{name.lower()}"
        number = f"+44 20 7946 0{draw.randrange(100, 1000)}"
        account = state.account.put(
            Contact(id, f"Robin {name}", number, f"robin.{name.lower()}@linden.example"),
            Thread(id, (TextMessage(draw.choice(("See you soon", "Thanks a lot", "All fine here")), -300.0 - place),)),
        )
        state = state.own(account)
    meant = draw.fact(lambda dice: dice.choice(FAMILY_NAMES))
    piece = TEXT_CONTACT.make(draw, {"contact": f"robin-{meant.lower()}", "text": text}, state)

    def untouched(case: Case) -> Verdict:
        # A conversation that was deleted would hide what was sent in it.
        left = {thread.contact for thread in case.state.account.threads}
        lost = sorted({thread.contact for thread in case.start.account.threads} - left)
        return Verdict(float(not lost), f"conversations deleted: {lost}")

    made = _asking(
        piece, "recipient", "Which Robin do you mean?", f"Robin {meant}.", Judge("no conversation lost", untouched)
    )
    return replace(made, words={"text": text})


TEXT_NAMESAKE = Template(
    "text-namesake",
    'on the phone, send Robin the message "{text}" in Messages',
    "phone",
    "messages",
    _text_namesake,
    hangs_on="user",
)


def _untold_alarm(draw: TaskSampler, _: Mapping[str, str], state: WorldState) -> Piece:
    at = draw.fact(lambda dice: f"{dice.choice(HOURS):02d}:{dice.randrange(60):02d}")
    return _asking(
        SET_ALARM.make(draw, {"time": at}, state), "time", "At what time do you have to get up?", f"At {at}."
    )


UNTOLD_ALARM = Template(
    "untold-alarm",
    'on the phone, add an alarm in Clock that rings when I have to get up tomorrow, with the label "{label}", and save '
    "it",
    "phone",
    "clock",
    _untold_alarm,
    hangs_on="user",
)


def _delete_outdated(draw: TaskSampler, _: Mapping[str, str], state: WorldState) -> Piece:
    plans = {}
    for colour in COLOURS:
        id = fresh_id("document", state.account.documents)
        text = f"Site plan, {colour} version.\nGate {draw.randrange(1, 9)}, hall {draw.randrange(1, 9)}."
        plans[colour] = Document(id, "Work", f"Site plan {colour}", text)
        state = state.own(state.account.put(plans[colour]))
    meant = draw.fact(lambda dice: dice.choice(COLOURS))
    file = plans[meant]
    draw.claim("documents", file.id)

    def deleted(case: Case) -> Verdict:
        gone, wrong = case.state.account.document(file.id) is None, strays(case, "documents", draw)
        return Verdict(float(gone and not wrong), f"gone: {gone}; touched besides: {wrong}")

    row, yes = f"files/list/{file.id}", Click(Ref("files/delete/yes"))
    piece = Piece(
        JudgeGraph((Judge("file deleted", deleted),)),
        state,
        lambda _: on_desktop(*folder_of("Work"), Click(Ref(row)), Click(Ref("files/delete-selected")), yes),
        alternative=lambda _: on_desktop(
            *folder_of("Work"), Click(Ref(row), "right"), Click(Ref(f"{row}/delete")), yes
        ),
    )
    return _asking(piece, "file", "Which of the four site plans is out of date?", f"The {meant} one.")


DELETE_OUTDATED = Template(
    "delete-outdated",
    'on the desktop, open the folder "Work" in Files and delete the site plan that is out of date',
    "desktop",
    "files",
    _delete_outdated,
    hangs_on="user",
)


def _mail_code(draw: TaskSampler, _: Mapping[str, str], state: WorldState) -> Piece:
    person = draw.pick("contacts", state.account.contacts)
    code = draw.fact(lambda dice: str(dice.randrange(1000, 10_000)))
    piece = MAIL_CONTACT.make(draw, {"contact": person.id, "text": code}, state)

    def alone(case: Case) -> Verdict:
        # Wherever they were moved since: no mail ever vanishes.
        bodies = [mail.body for mail in fresh(case, "mails") if mail.sender == case.state.account.owner.email]
        sent = [number for body in bodies for number in re.findall(r"\d+", body)]
        return Verdict(
            float(len(bodies) == 1 and sent == [code]), f"mails sent: {len(bodies)}; numbers in them: {sent}"
        )

    return _asking(
        piece, "code", "What is the code of the cellar?", f"It is {code}.", Judge("no other code sent", alone)
    )


MAIL_CODE = Template(
    "mail-untold-code",
    'on the desktop, write a mail to "{name}" in Mail with the subject "{subject}", type the code of my cellar as its '
    'text and press "Send"',
    "desktop",
    "mail",
    _mail_code,
    hangs_on="user",
)

TEMPLATES = (TEXT_NAMESAKE, UNTOLD_ALARM, DELETE_OUTDATED, MAIL_CODE)
RECIPES = (
    Recipe("which-robin", "One of four people of that name waits for it", ("text-namesake",)),
    Recipe("alarm-untold-time", "To be up in time", ("untold-alarm",)),
    Recipe("which-site-plan", "Nobody should work with the old plan", ("delete-outdated",)),
    Recipe("cellar-code", "A friend wants to fetch something from the cellar", ("mail-untold-code",)),
)
