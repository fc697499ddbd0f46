"""Sub-tasks of `duet` in the Phone app's voicemail: information that can only be heard."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from typing import TypeAlias

from omnipilot.bench.suites.duet.kit.moves import on_phone
from omnipilot.bench.suites.duet.kit.phone import anyone, fits_in, near, tab, tap
from omnipilot.bench.synthesis.compose import Piece, Resource, TaskSampler, Template
from omnipilot.bench.tasks.graph import JudgeGraph
from omnipilot.bench.tasks.judges import Case, Judge
from omnipilot.envs import Intent, OpenApp, Wait
from omnipilot.envs.sim.apps.phone.settings import ALARM_SOUNDS, RINGTONES
from omnipilot.envs.sim.state.account import Contact, fresh_id
from omnipilot.envs.sim.state.phone_data import Voicemail
from omnipilot.envs.sim.state.world_state import WorldState
from omnipilot.memory import Move

Maker: TypeAlias = Callable[[TaskSampler, Mapping[str, str], WorldState], Piece]
ENGLISH = ("en-a", "en-b")
SECONDS: Mapping[tuple[str, str], float] = {
    ("en-a", "the code is"): 3.0,
    ("en-a", "the time is"): 3.0,
    ("en-a", "the room is"): 2.25,
    ("en-a", "call back"): 6.05,
    ("en-b", "the code is"): 2.78,
    ("en-b", "the time is"): 2.81,
    ("en-b", "the room is"): 2.1,
    ("en-b", "call back"): 5.53,
}
"""How long messages last whose first words are these; what they say is chosen to fit."""


def leave(state: WorldState, person: Contact, sound: str, seconds: float, ago: float) -> tuple[WorldState, Voicemail]:
    """The state in which somebody left a message some seconds before the start, and the message."""
    id = fresh_id("voicemail", state.account.voicemails)
    message = Voicemail(id, person.phone, state.time - ago, sound, seconds)
    return state.own(state.account.put(message)), message


def leave_beep(
    draw: TaskSampler, state: WorldState, person: Contact, note: str, at: int, seconds: int
) -> tuple[WorldState, Voicemail]:
    """The state in which somebody left a silent message with a single beep `at` seconds into it, and the message."""
    score = ",".join(note if second == at else "-" for second in range(seconds))
    state, message = leave(state, person, f"melody:1000:{score}", float(seconds), float(draw.randrange(60, 300)))
    draw.claim("voicemails", message.id)
    return state, message


def message_heard(message: Voicemail, name: str = "message heard") -> Judge:
    """Whether a message was played."""

    def ask(case: Case) -> bool:
        now = case.state.account.find("voicemails", message.id)
        return now is not None and bool(now.heard)

    return Judge(name, ask)


def listening(now: WorldState, *messages: Voicemail) -> list[Intent]:
    """Moves that play each message to its end, from wherever the phone is."""
    moves: list[Intent] = [OpenApp("Phone"), *tab(now, "phone", "voicemail")]
    for message in messages:
        moves += [tap(f"phone/voicemail/{message.id}"), tap("phone/message/play"), Wait(message.seconds + 0.5)]
    return moves


def _message(
    draw: TaskSampler, state: WorldState, sound: str, seconds: float, output: Callable[[Contact], Resource]
) -> Piece:
    """Read by playing somebody's latest message. A person with a similar name left one too."""
    person = anyone(draw, state)
    state, wanted = leave(state, person, sound, seconds, float(draw.randrange(60, 300)))
    ago = float(draw.randrange(300, 600))
    other = near(person, state.account.contacts)
    if other is not None and other.id not in draw.claimed("contacts"):
        state, decoy = leave(state, other, "dtmf:90210", seconds, ago)
        draw.claim("voicemails", decoy.id)
    draw.claim("voicemails", wanted.id)

    def moves(now: WorldState) -> list[Move]:
        return on_phone(*listening(now, wanted))

    return Piece(JudgeGraph((message_heard(wanted),)), state, moves, {"name": person.name}, output(person))


def _code(dice: Random) -> str:
    return "".join(dice.choice("0123456789") for _ in range(4))


def _dialled(draw: TaskSampler, _: Mapping[str, str], state: WorldState) -> Piece:
    code = draw.fact(_code)
    return _message(
        draw,
        state,
        f"dtmf:{code}",
        1.2,
        lambda person: Resource("text/code", code, f"the digits that {person.name} dialled"),
    )


def _room(dice: Random) -> str:
    return f"{dice.choice('ABCDEF')}{dice.randrange(10, 100)}"


def _time(dice: Random) -> str:
    return f"{dice.randrange(8, 20):02d}{dice.choice((0, 10, 20, 30, 40, 50)):02d}"


def _number(dice: Random) -> str:
    return "0" + "".join(dice.choice("0123456789") for _ in range(9))


def _spoken(before: str, make: Callable[[Random], str], type: str, words: str) -> Maker:
    def piece(draw: TaskSampler, _: Mapping[str, str], state: WorldState) -> Piece:
        voice = draw.choice(ENGLISH)
        seconds = SECONDS[voice, before]
        said = draw.fact(fits_in(voice, before, seconds, make))
        value = f"{said[:2]}:{said[2:]}" if type == "text/time" else said
        sound = f"speech:{voice}:{before} {said}"
        return _message(
            draw, state, sound, seconds, lambda person: Resource(type, value, words.format(name=person.name))
        )

    return piece


def _tune(options: tuple[str, ...], what: str) -> Maker:
    def make(draw: TaskSampler, _: Mapping[str, str], state: WorldState) -> Piece:
        tune = draw.fact(lambda dice: dice.choice(options[1:]))
        return _message(
            draw, state, tune, 8.0, lambda person: Resource(f"tune/{what}", tune, f"the sound that {person.name} left")
        )

    return make


def _beeps(draw: TaskSampler, _: Mapping[str, str], state: WorldState) -> Piece:
    # The places are drawn apart from the count, so that twins share them as far as they go.
    places = draw.sample(range(1, 58, 3), 12)
    count = draw.fact(lambda dice: dice.randrange(4, 13))
    score = ",".join("C6" if at in places[:count] else "-" for at in range(60))
    return _message(
        draw,
        state,
        f"melody:200:{score}",
        12.0,
        lambda person: Resource("text/number", str(count), f"the number of beeps that {person.name} left (in digits)"),
    )


def _heard(id: str, what: str, make: Callable[..., Piece], output: str, **more: str) -> Template:
    return Template(
        id,
        'on the phone, open the voicemail in Phone, play the latest message from "{name}" and ' + what,
        "phone",
        "phone",
        make,
        output=output,
        level="AV-critical",
        **{"dimension": "semantic understanding", "hangs_on": "speech", **more},  # type: ignore[arg-type]
    )


DIALLED_CODE = _heard("dialled-code", "listen to the telephone digits in it", _dialled, "text/code", hangs_on="sound")
SPOKEN_CODE = _heard(
    "spoken-code",
    "listen to the code",
    _spoken("the code is", _code, "text/code", "the code that {name} says (in digits)"),
    "text/code",
)
SPOKEN_TIME = _heard(
    "spoken-time",
    "listen to the time",
    _spoken("the time is", _time, "text/time", "the time that {name} says (as HH:MM)"),
    "text/time",
)
SPOKEN_ROOM = _heard(
    "spoken-room",
    "listen to the room",
    _spoken("the room is", _room, "text/place", "the room that {name} says (as in A12)"),
    "text/place",
)
SPOKEN_NUMBER = _heard(
    "spoken-number",
    "listen to the number to call back",
    _spoken("call back", _number, "text/phone", "the number that {name} says (digits only)"),
    "text/phone",
)
RINGTONE_HEARD = _heard(
    "ringtone-heard",
    "listen to the melody",
    _tune(RINGTONES, "ringtone"),
    "tune/ringtone",
    dimension="cross-modal discrimination",
    hangs_on="sound",
)
ALARM_HEARD = _heard(
    "alarm-heard",
    "listen to the sound",
    _tune(ALARM_SOUNDS, "alarm"),
    "tune/alarm",
    dimension="cross-modal discrimination",
    hangs_on="sound",
)
COUNT_BEEPS = _heard(
    "count-beeps", "count its beeps", _beeps, "text/number", dimension="temporal reasoning", hangs_on="sound"
)
TEMPLATES = (
    DIALLED_CODE,
    SPOKEN_CODE,
    SPOKEN_TIME,
    SPOKEN_ROOM,
    SPOKEN_NUMBER,
    RINGTONE_HEARD,
    ALARM_HEARD,
    COUNT_BEEPS,
)
