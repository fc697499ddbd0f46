"""Sub-tasks of `duet` in the Phone app: incoming and outgoing calls."""

from __future__ import annotations

from collections.abc import Mapping

from omnipilot.bench.suites.duet.kit.moves import fresh, on_phone
from omnipilot.bench.suites.duet.kit.phone import anyone, callees, card, number, some_contact, tab, tap, wrong_calls
from omnipilot.bench.synthesis.compose import Piece, TaskSampler, Template
from omnipilot.bench.tasks.graph import JudgeGraph
from omnipilot.bench.tasks.judges import Case, Judge, Verdict
from omnipilot.envs import ConfigError, Intent, OpenApp, Wait
from omnipilot.envs.sim.apps.phone.calls import CALL_SECONDS, CallArrives, digits
from omnipilot.envs.sim.state.world_state import WorldState

KEY_NAMES = {"*": "star", "#": "hash"}


def _ahead(now: WorldState, at: float) -> float:
    return max(0.5, at - now.time + 1.0)


def _decline(draw: TaskSampler, _: Mapping[str, str], state: WorldState) -> Piece:
    person = anyone(draw, state)
    at = float(draw.randrange(15, 45))

    def declined(case: Case) -> Verdict:
        calls = [call.kind for call in fresh(case, "calls") if digits(call.number) == digits(person.phone)]
        return Verdict(float("declined" in calls), f"calls from {person.name}: {calls}")

    return Piece(
        JudgeGraph((Judge("declined", declined),)),
        state.later(at, CallArrives(person.id)),
        lambda now: on_phone(Wait(_ahead(now, at)), tap("phone/ringing/decline")),
        {"name": person.name, "seconds": str(int(CALL_SECONDS))},
    )


DECLINE_CALL = Template(
    "decline-call",
    'wait until "{name}" calls the phone and press "Decline" before the {seconds} seconds of ringing are over',
    "phone",
    "phone",
    _decline,
    level="AV-supportive",
    dimension="instant response",
    hangs_on="sound",
)


def _keys(now: WorldState, code: str) -> list[Intent]:
    shown: list[Intent] = [] if now.phone.values.get("phone/call/pad") else [tap("phone/call/pad")]
    return shown + [tap(f"phone/call/{KEY_NAMES.get(key, key)}") for key in code]


def _on_keypad(code: str) -> str:
    """The code, if the keypad of a call has a key for each of its characters.

    Raises:
        ConfigError: it has not.
    """
    if strangers := [key for key in code if not key.isdigit() and key not in KEY_NAMES]:
        raise ConfigError(f"the keypad of a call has no key {strangers[0]!r}; take the code {code!r} elsewhere")
    return code


def _pressed(draw: TaskSampler, contact: str, kind: str, code: str) -> Judge:
    def ask(case: Case) -> Verdict:
        person = case.state.account.find("contacts", contact)
        keys = [
            call.keys
            for call in fresh(case, "calls")
            if person and call.kind == kind and digits(call.number) == digits(person.phone)
        ]
        wrong = wrong_calls(case, draw)
        return Verdict(
            float({*filter(None, keys)} == {code} and not wrong), f"keys pressed: {keys}; others called: {wrong}"
        )

    return Judge("keys pressed", ask)


def _answer(draw: TaskSampler, given: Mapping[str, str], state: WorldState) -> Piece:
    person, code = anyone(draw, state), _on_keypad(given["code"])
    at = float(draw.randrange(70, 110))

    def answered(case: Case) -> bool:
        calls = fresh(case, "calls")
        return any(call.kind == "in" and digits(call.number) == digits(person.phone) for call in calls)

    return Piece(
        JudgeGraph.chain([Judge("call answered", answered), _pressed(draw, person.id, "in", code)]),
        state.later(at, CallArrives(person.id)),
        lambda now: on_phone(Wait(_ahead(now, at)), tap("phone/ringing/answer"), *_keys(now, code)),
        {"name": person.name},
    )


ANSWER_CALL = Template(
    "answer-call",
    'wait until "{name}" calls the phone, press "Answer" within 20 seconds, show the keypad of the call and '
    "press {code} on it",
    "phone",
    "phone",
    _answer,
    {"code": "text/code"},
    alone=lambda draw, _: {"code": str(draw.randrange(1000, 10_000))},
    level="AV-supportive",
    dimension="instant response",
    hangs_on="sound",
)


def _call_and_press(draw: TaskSampler, given: Mapping[str, str], state: WorldState) -> Piece:
    contact, code = given["contact"], _on_keypad(given["code"])
    draw.claim("callees", contact)

    def called(case: Case) -> bool:
        return contact in callees(case)

    return Piece(
        JudgeGraph.chain([Judge("called", called), _pressed(draw, contact, "out", code)]),
        state,
        lambda now: on_phone(*card(now, contact), tap("contacts/person/call"), *_keys(now, code)),
    )


CALL_AND_PRESS = Template(
    "call-and-press",
    "on the phone, call {contact} from Contacts, show the keypad of the call and press {code} on it",
    "phone",
    "phone",
    _call_and_press,
    {"contact": "contact", "code": "text/code"},
    alone=lambda draw, state: {**some_contact(draw, state), "code": str(draw.randrange(1000, 10_000))},
)


def _dial(draw: TaskSampler, given: Mapping[str, str], state: WorldState) -> Piece:
    # A contact is reached without the country's prefix too.
    wanted = digits(given["number"])
    known = any(digits(person.phone) == wanted for person in state.account.contacts)
    keys = wanted if known else "".join(key for key in given["number"] if key.isdigit())
    draw.claim("callees", wanted)

    def dialled(case: Case) -> Verdict:
        made = [call.number for call in fresh(case, "calls") if call.kind == "out"]
        hit = any("".join(key for key in number if key.isdigit()).endswith(keys) for number in made)
        wrong = wrong_calls(case, draw)
        return Verdict(float(hit and not wrong), f"called: {made}; wrong: {wrong}")

    return Piece(
        JudgeGraph((Judge("number called", dialled),)),
        state,
        lambda now: on_phone(
            OpenApp("Phone"),
            *tab(now, "phone", "keypad"),
            *[tap(f"phone/keypad/{key}") for key in keys],
            tap("phone/keypad/call"),
        ),
    )


DIAL_NUMBER = Template(
    "dial-number",
    "on the phone, dial {number} on the keypad of Phone and call it",
    "phone",
    "phone",
    _dial,
    {"number": "text/phone"},
    alone=lambda draw, _: {"number": number(draw)},
)

TEMPLATES = (DECLINE_CALL, ANSWER_CALL, CALL_AND_PRESS, DIAL_NUMBER)
