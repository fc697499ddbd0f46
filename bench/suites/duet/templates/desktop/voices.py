"""Sub-tasks of `duet` on the desktop that depend on sound: a voice, a bell, dialled digits."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from omnipilot.bench.suites.duet.kit.desktop import Sounds, claim_letter, inbox_at, mails_astray, mails_sent
from omnipilot.bench.suites.duet.kit.moves import on_desktop
from omnipilot.bench.synthesis.compose import Piece, TaskSampler, Template
from omnipilot.bench.tasks.graph import JudgeGraph
from omnipilot.bench.tasks.judges import Case, Judge, Verdict
from omnipilot.envs import Click, Intent, OpenApp, Ref, TypeText, Wait
from omnipilot.envs.sim.state.account import Folder, Mail, fresh_id
from omnipilot.envs.sim.state.world_state import WorldState

COLORS = ("red", "green", "blue", "yellow")
ORDERS: Mapping[str, tuple[Folder, str]] = {"archive": ("archive", "archive"), "delete": ("trash", "trash")}
"""What a voice says, the folder where the mail then belongs, and the button that brings it there."""
BEGIN = 8.0
"""Seconds after the start at which the voice or the bell begins."""
STROKE = 1.4


def _posters(draw: TaskSampler, state: WorldState, subjects: list[str]) -> tuple[list[Mail], str]:
    """Mails of one sender whose subjects differ in one word, and the sender's name."""
    person = draw.choice(state.account.contacts)
    mails: list[Mail] = []
    for subject in subjects:
        id = fresh_id("mail", (*state.account.mails, *mails))
        body = f"Hello,\n\nthis is about {subject.lower()}.\n\n{person.name.split()[0]}"
        mails.append(Mail(id, person.email, state.account.owner.email, subject, body, -500.0 - 40 * len(mails)))
    draw.claim("mails", *(mail.id for mail in mails))
    return mails, person.name


def _sorted(mails: list[Mail], right: str, folder: str, draw: TaskSampler) -> Callable[[Case], Verdict]:
    """A condition: one of the mails is in a folder and the others have not moved."""

    def ask(case: Case) -> Verdict:
        now = {mail.id: found.folder if (found := case.state.account.mail(mail.id)) else "" for mail in mails}
        hit = all(place == (folder if id == right else "inbox") for id, place in now.items())
        wrong = mails_astray(case, draw)
        return Verdict(float(hit and not wrong), f"wanted {right} in {folder}; now {now}; astray: {wrong}")

    return ask


def _after(now: WorldState, seconds: float) -> Wait:
    """Wait until a given second on the world's clock."""
    return Wait(max(0.1, round(seconds - now.time, 6)))


def _obey(draw: TaskSampler, _: Mapping[str, str], state: WorldState) -> Piece:
    voice = draw.choice(("en-a", "en-b"))
    mails, name = _posters(draw, state, [f"Poster, {color}" for color in draw.sample(COLORS, 4)])
    order, color = draw.fact(lambda dice: (dice.choice(sorted(ORDERS)), dice.choice(COLORS)))
    folder, button = ORDERS[order]
    right = next(mail.id for mail in mails if mail.subject.endswith(color))
    state = state.own(state.account.put(*mails)).later(BEGIN, Sounds(f"speech:{voice}:{order} {color}"))
    done: list[Intent] = [Click(Ref(f"mail/list/{right}")), Click(Ref(f"mail/read/{button}"))]
    return Piece(
        JudgeGraph((Judge("did what was said", _sorted(mails, right, folder, draw)),)),
        state,
        lambda now: on_desktop(*inbox_at(now, right), _after(now, BEGIN + 4.0), *done),
        {"name": name},
    )


OBEY_VOICE = Template(
    "obey-voice",
    "on the desktop, listen to the voice that speaks a few seconds after the start: it says which one of the four "
    'mails "Poster, …" from "{name}" to archive or to delete; do so at once in Mail',
    "desktop",
    "mail",
    _obey,
    level="AV-critical",
    dimension="instant response",
    hangs_on="speech",
)


def _bell(draw: TaskSampler, _: Mapping[str, str], state: WorldState) -> Piece:
    person = draw.pick("contacts", state.account.contacts)
    claim_letter(draw, person.email, "Bell")
    bell = draw.choice(("chime", "ding_low", "chime_door"))
    strokes = draw.fact(lambda dice: dice.randint(2, 7))
    for stroke in range(strokes):
        state = state.later(BEGIN + STROKE * stroke, Sounds(bell, 1.2))
    text = str(strokes)

    def sent(case: Case) -> Verdict:
        found = [(mail.to, mail.body.strip()) for mail in mails_sent(case) if mail.subject == "Bell"]
        wrong = mails_astray(case, draw)
        return Verdict(float((person.email, text) in found and len(found) == 1 and not wrong), f"sent: {found}")

    return Piece(
        JudgeGraph((Judge("number sent", sent),)),
        state,
        lambda now: on_desktop(
            OpenApp("Mail"),
            _after(now, BEGIN + STROKE * 7 + 1.0),
            Click(Ref("mail/compose")),
            TypeText(person.name, Ref("mail/compose/to")),
            TypeText("Bell", Ref("mail/compose/subject")),
            TypeText(text, Ref("mail/compose/body")),
            Click(Ref("mail/compose/send")),
        ),
        {"name": person.name},
    )


COUNT_BELL = Template(
    "count-bell",
    "on the desktop, count how often the bell sounds that begins a few seconds after the start and stops within twenty "
    'seconds, then send "{name}" a mail in Mail with the subject "Bell" and only the number, in digits, as its text',
    "desktop",
    "mail",
    _bell,
    level="AV-critical",
    dimension="temporal reasoning",
    hangs_on="sound",
)


def _true_code(draw: TaskSampler, _: Mapping[str, str], state: WorldState) -> Piece:
    codes = [str(code) for code in draw.sample(range(1000, 10_000), 4)]
    mails, name = _posters(draw, state, [f"Gate code {code}" for code in codes])
    code = draw.fact(lambda dice: dice.choice(codes))
    right = mails[codes.index(code)].id
    state = replace(state, signals=replace(state.signals, code=code)).own(state.account.put(*mails))
    started = Judge("tones played", lambda case: case.state.signals.code_since is not None)
    return Piece(
        JudgeGraph.chain([started, Judge("true code archived", _sorted(mails, right, "archive", draw))]),
        state,
        lambda now: on_desktop(
            OpenApp("Signals"),
            Click(Ref("signals/tones/play")),
            Wait(2.0),
            *inbox_at(now, right),
            Click(Ref(f"mail/list/{right}")),
            Click(Ref("mail/read/archive")),
        ),
        {"name": name},
    )


TRUE_CODE = Template(
    "true-code",
    'on the desktop, play the tones in Signals, then archive in Mail the one of the four mails "Gate code …" from '
    '"{name}" that has the code which they dial, and none of the others',
    "desktop",
    "signals",
    _true_code,
    level="AV-critical",
    dimension="cross-modal discrimination",
    hangs_on="sound",
)


TEMPLATES = (OBEY_VOICE, COUNT_BELL, TRUE_CODE)
