"""Sub-tasks of `duet` on the desktop."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from omnipilot.bench.judges import LETTERS_BESIDE, says
from omnipilot.bench.suites.duet.kit.answers import other_answers
from omnipilot.bench.suites.duet.kit.moves import on_desktop
from omnipilot.bench.synthesis.compose import Piece, Resource, TaskSampler, Template
from omnipilot.bench.tasks.graph import JudgeGraph
from omnipilot.bench.tasks.judges import Case, Judge, Verdict
from omnipilot.envs import Click, OpenApp, Press, Ref, TypeText, Wait
from omnipilot.envs.sim.apps.desktop.signals import ZONES
from omnipilot.envs.sim.state.account import Mail, fresh_id
from omnipilot.envs.sim.state.world_state import WorldState

SENTENCES = (
    "Approved by the board.",
    "Check the totals again.",
    "Send this before Friday.",
    "Ask Kim about the figures.",
    "Second draft, not final.",
)


def _write_document(draw: TaskSampler, given: Mapping[str, str], state: WorldState) -> Piece:
    text = given["text"]
    document = draw.pick("documents", [d for d in state.account.documents if d.folder == "Documents"])
    # What is told word by word stands alone; what had to be found may have few words beside it.
    beside = 0 if text in SENTENCES else LETTERS_BESIDE

    def opened(case: Case) -> bool:
        front = case.state.desktop.front
        return front is not None and front.app == "editor" and document.id in front.view.arg

    def saved(case: Case) -> Verdict:
        now = case.state.account.document(document.id)
        if now is None:
            return Verdict(0.0, "the document is gone")
        kept, new = now.text.startswith(document.text), now.text.removeprefix(document.text)
        hit = kept and bool(new) and says(text, new, other_answers([text], case.start), beside)
        return Verdict(float(hit), f"saved text: {now.text[-80:]!r}; old text kept: {kept}")

    return Piece(
        JudgeGraph.chain([Judge("document opened", opened), Judge("text saved", saved)]),
        state,
        lambda _: on_desktop(
            OpenApp("Text Editor"),
            Click(Ref(f"editor/files/{document.id}")),
            TypeText(f"\n{text}"),
            Press(("ctrl", "s")),
        ),
        {"document": document.name},
    )


WRITE_DOCUMENT = Template(
    "write-document",
    'on the desktop, open the document "{document}" in Text Editor, type {text} at its end and press "Save"',
    "desktop",
    "editor",
    _write_document,
    {"text": "text"},
    alone=lambda draw, _: {"text": draw.choice(SENTENCES)},
)


def _read_code(draw: TaskSampler, _: Mapping[str, str], state: WorldState) -> Piece:
    people = list(state.account.contacts)
    person = draw.choice(people)
    other = draw.choice([p for p in people if p is not person and p.name[:2] == person.name[:2]] or people)
    codes = draw.sample(range(1000, 10_000), 2)
    mails: list[Mail] = []
    for sender, code, ago in ((person, codes[0], 900.0), (other, codes[1], 600.0)):
        id = fresh_id("mail", (*state.account.mails, *mails))
        body = f"Hi,\n\nthe new code for the front door is {code}.\n\n{sender.name.split()[0]}"
        mails.append(Mail(id, sender.email, state.account.owner.email, "Door code", body, -ago))
    wanted = mails[0].id

    def read(case: Case) -> bool:
        mail = case.state.account.mail(wanted)
        return mail is not None and mail.read

    return Piece(
        JudgeGraph((Judge("mail read", read),)),
        state.own(state.account.put(*mails)),
        lambda _: on_desktop(OpenApp("Mail"), Click(Ref(f"mail/list/{wanted}"))),
        {"name": person.name},
        Resource("text/code", str(codes[0]), f"the door code from {person.name}"),
    )


READ_CODE = Template(
    "read-code",
    'on the desktop, open Mail and read the mail "Door code" from {name}',
    "desktop",
    "mail",
    _read_code,
    output="text/code",
)


def _listen(draw: TaskSampler, _: Mapping[str, str], state: WorldState) -> Piece:
    code = draw.fact(lambda dice: "".join(dice.choice("0123456789") for _ in range(4)))
    started = Judge("played", lambda case: case.state.signals.code_since is not None)
    return Piece(
        JudgeGraph((started,)),
        replace(state, signals=replace(state.signals, code=code)),
        lambda _: on_desktop(OpenApp("Signals"), Click(Ref("signals/tones/play")), Wait(2.0)),
        output=Resource("text/code", code, "the digits that you heard"),
    )


LISTEN = Template(
    "listen",
    "on the desktop, open Signals, play the tones and listen to their telephone digits",
    "desktop",
    "signals",
    _listen,
    output="text/code",
    level="AV-critical",
    dimension="semantic understanding",
    hangs_on="sound",
)


def _watch(draw: TaskSampler, _: Mapping[str, str], state: WorldState) -> Piece:
    zone = draw.fact(lambda dice: dice.choice(ZONES))
    started = Judge("played", lambda case: case.state.signals.ball_since is not None)
    return Piece(
        JudgeGraph((started,)),
        replace(state, signals=replace(state.signals, zone=zone)),
        lambda _: on_desktop(OpenApp("Signals"), Click(Ref("signals/ball/play")), Wait(6.0)),
        output=Resource("text/word", f"Zone {zone}", 'the zone where it rested (as in "Zone X")'),
    )


WATCH = Template(
    "watch",
    "on the desktop, open Signals, play the ball and watch where it rests",
    "desktop",
    "signals",
    _watch,
    output="text/word",
    level="AV-critical",
    dimension="temporal reasoning",
    hangs_on="motion",
)

TEMPLATES = (WRITE_DOCUMENT, READ_CODE, LISTEN, WATCH)
