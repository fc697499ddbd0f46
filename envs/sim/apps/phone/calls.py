"""Telephone calls: dialling, ringing, keys in a call, hanging up."""

from __future__ import annotations

from dataclasses import dataclass, replace

from omnipilot.envs.sim.state.account import Account, Contact, fresh_id
from omnipilot.envs.sim.state.events import RingingEnds, stop_ringing
from omnipilot.envs.sim.state.phone_data import PhoneCall
from omnipilot.envs.sim.state.world_state import Ringing, View, WorldState
from omnipilot.envs.sim.ui.navigation import arrive, both, open_window
from omnipilot.envs.sim.ui.scene import Do

CALL_SECONDS = 20.0
"""Seconds that a call rings before it counts as missed."""
CONNECT_SECONDS = 2.0
"""Seconds until an outgoing call is answered."""


def digits(number: str) -> str:
    """The last ten digits of a number, which are equal for all its spellings."""
    return "".join(c for c in number if c.isdigit())[-10:]


def caller(account: Account, number: str) -> Contact | None:
    """The contact with a number, in any spelling."""
    wanted = digits(number)
    return next((person for person in account.contacts if wanted and digits(person.phone) == wanted), None)


def shown_name(account: Account, number: str) -> str:
    """The contact's name, or the number."""
    person = caller(account, number)
    return person.name if person else number


def call_screen(state: WorldState, id: str) -> WorldState:
    """Show a call on the phone."""
    views = View("keypad"), View("call", id)
    return both(open_window("phone", "phone", "keypad", (0, 0, 0, 0)), arrive("phone", "phone", *views))(state)


def dial(number: str) -> Do:
    """Call a number and show the call; a live call ends."""

    def do(state: WorldState) -> WorldState:
        if not number.strip():
            return state
        state = hang_up(state)
        person = caller(state.account, number)
        id = fresh_id("call", state.account.calls)
        call = PhoneCall(id, person.phone if person else number, state.time, "out", live=True)
        state = state.own(state.account.put(call)).sound("phone", "ringback", CONNECT_SECONDS)
        return call_screen(state, id)

    return do


def live_call(state: WorldState) -> PhoneCall | None:
    """The current call."""
    return next((call for call in state.account.calls if call.live), None)


def hang_up(state: WorldState) -> WorldState:
    """End the live call; the screen does not change."""
    call = live_call(state)
    if call is None:
        return state
    ended = replace(call, live=False, seconds=round(state.time - call.time, 6))
    state = silence(state, "ringback")
    return state.own(state.account.put(ended))


def press(key: str) -> Do:
    """Press a key in the live call, which plays its tone to the other side."""

    def do(state: WorldState) -> WorldState:
        call = live_call(state)
        state = state.sound("phone", f"dtmf:{key}", 0.2)
        return state if call is None else state.own(state.account.put(replace(call, keys=call.keys + key)))

    return do


def silence(state: WorldState, *names: str) -> WorldState:
    """End the phone's sounds with one of these names."""
    sounds = tuple(
        replace(sound, seconds=max(0.0, round(state.time - sound.start, 6)))
        if sound.name in names and sound.start + sound.seconds > state.time
        else sound
        for sound in state.phone.sounds
    )
    return state.on("phone", sounds=sounds)


@dataclass(frozen=True, slots=True)
class CallArrives:
    """An incoming call from a contact's id or a number; calls of blocked contacts are dropped."""

    number: str

    def __call__(self, state: WorldState) -> WorldState:
        account, settings = state.account, state.account.phone_settings
        person = account.find("contacts", self.number) or caller(account, self.number)
        number = person.phone if person else self.number
        call = PhoneCall(fresh_id("call", account.calls), number, state.time, "missed")
        state = state.own(account.put(call))
        if person is not None and person.blocked:
            return state
        state = stop_ringing(state)
        if not settings.quiet:
            state = state.sound("phone", settings.ringtone, CALL_SECONDS, settings.ring)
        ringing = Ringing(call.id, shown_name(account, number), state.time, "call", settings.ringtone)
        return state.on("phone", ringing=ringing, popup=None).later(CALL_SECONDS, RingingEnds(state.time))


def answer(state: WorldState) -> WorldState:
    """Answer the ringing call; a live call ends."""
    ringing = state.phone.ringing
    call = state.account.find("calls", ringing.alarm) if ringing else None
    state = stop_ringing(hang_up(state))
    if call is None:
        return state
    taken = replace(call, kind="in", time=state.time, live=True)
    return call_screen(state.own(state.account.put(taken)), call.id)


def decline(state: WorldState) -> WorldState:
    """Decline the ringing call; it stays among the missed ones as declined."""
    ringing = state.phone.ringing
    call = state.account.find("calls", ringing.alarm) if ringing else None
    state = stop_ringing(state)
    return state if call is None else state.own(state.account.put(replace(call, kind="declined")))
