"""Sub-tasks of `duet` in the Phone app: messages distinguished by ear, and one that must be stopped in time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from omnipilot.bench.suites.duet.kit.moves import on_phone
from omnipilot.bench.suites.duet.kit.phone import anyone, tab, tap
from omnipilot.bench.suites.duet.templates.phone.voicemail import ENGLISH, leave, leave_beep, listening, message_heard
from omnipilot.bench.synthesis.compose import Piece, Resource, TaskSampler, Template
from omnipilot.bench.tasks.graph import JudgeGraph
from omnipilot.bench.tasks.judges import Case, Judge, Verdict
from omnipilot.envs import OpenApp, Wait
from omnipilot.envs.sim.state.phone_data import Voicemail
from omnipilot.envs.sim.state.world_state import WorldState

PLEAS = ("send", "open", "close", "delete", "save", "reply", "ignore", "answer", "stop", "call back")


def _several(
    draw: TaskSampler, state: WorldState, sounds: Sequence[str], seconds: float
) -> tuple[WorldState, list[Voicemail], list[str]]:
    """One message per sound, each from a different person, newest first."""
    messages, people = [], []
    for n, sound in enumerate(sounds):
        person = anyone(draw, state)
        state, message = leave(state, person, sound, seconds, 60.0 + 60 * n + draw.randrange(50))
        draw.claim("voicemails", message.id)
        messages.append(message)
        people.append(person.id)
    return state, messages, people


def _who(draw: TaskSampler, state: WorldState, sounds: Sequence[str], seconds: float, words: str) -> Piece:
    """The person who left the first of the sounds, which may be any of the messages."""
    turn = draw.fact(lambda dice: dice.randrange(len(sounds)))
    turned = [*sounds[len(sounds) - turn :], *sounds[: len(sounds) - turn]]
    state, messages, people = _several(draw, state, turned, seconds)
    names = [state.account.find("contacts", id).name for id in people]
    judges = tuple(message_heard(message, f"message {n} heard") for n, message in enumerate(messages, 1))
    return Piece(
        JudgeGraph(judges),
        state,
        lambda now: on_phone(*listening(now, *messages)),
        {"names": ", ".join(f'"{name}"' for name in names[:-1]) + f' and "{names[-1]}"', "words": words},
        Resource("contact", people[turn], words),
    )


def _dialler(draw: TaskSampler, _: Mapping[str, str], state: WorldState) -> Piece:
    codes = [str(code) for code in draw.sample(range(1000, 10_000), 4)]
    return _who(draw, state, [f"dtmf:{code}" for code in codes], 1.2, f"whoever dialled {codes[0]}")


def _asker(draw: TaskSampler, _: Mapping[str, str], state: WorldState) -> Piece:
    pleas = draw.sample(PLEAS, 5)
    voice = draw.choice(ENGLISH)
    sounds = [f"speech:{voice}:please {plea}" for plea in pleas]
    return _who(draw, state, sounds, 1.8, f'whoever says "please {pleas[0]}"')


FIND_DIALLER = Template(
    "find-dialler",
    "on the phone, open the voicemail in Phone, play the latest message of each of {names} and find {words}",
    "phone",
    "phone",
    _dialler,
    output="contact",
    level="AV-critical",
    dimension="cross-modal discrimination",
    hangs_on="sound",
)
FIND_ASKER = Template(
    "find-asker",
    "on the phone, open the voicemail in Phone, play the latest message of each of {names} and find {words}",
    "phone",
    "phone",
    _asker,
    output="contact",
    level="AV-critical",
    dimension="cross-modal discrimination",
    hangs_on="speech",
)


def _stop(draw: TaskSampler, _: Mapping[str, str], state: WorldState) -> Piece:
    person = anyone(draw, state)
    at = draw.fact(lambda dice: dice.choice(range(4, 23, 6)))
    state, message = leave_beep(draw, state, person, "C6", at, 28)

    def stopped(case: Case) -> Verdict:
        lengths = [sound.seconds for sound in case.state.phone.sounds if sound.name == message.sound]
        hit = bool(lengths) and at <= lengths[-1] <= at + 5
        return Verdict(float(hit), f"the message was played for {lengths} s, its beep is at {at} s")

    return Piece(
        JudgeGraph.chain([message_heard(message), Judge("stopped at once", stopped)]),
        state,
        lambda now: on_phone(
            OpenApp("Phone"),
            *tab(now, "phone", "voicemail"),
            tap(f"phone/voicemail/{message.id}"),
            tap("phone/message/play"),
            *[Wait(1.0)] * (at + 1),
            tap("phone/message/stop"),
        ),
        {"name": person.name},
    )


STOP_AT_BEEP = Template(
    "stop-at-beep",
    'on the phone, open the voicemail in Phone, play the latest message from "{name}", which is silent but for one '
    'beep, and press "Stop" within 5 seconds after the beep',
    "phone",
    "phone",
    _stop,
    level="AV-critical",
    dimension="instant response",
    hangs_on="sound",
)

TEMPLATES = (FIND_DIALLER, FIND_ASKER, STOP_AT_BEEP)
