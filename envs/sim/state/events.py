"""Scheduled events: effects that tasks and apps schedule, and the clock that triggers them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from omnipilot.envs.sim.state.account import Alarm, Mail, TextMessage, fresh_id
from omnipilot.envs.sim.state.world_state import DAY, Notice, PendingEvent, Ringing, View, WorldState

RING_SECONDS = 60.0
SNOOZE_SECONDS = 300.0
NOTICE_SECONDS = 4.0


@dataclass(frozen=True, slots=True)
class MessageArrives:
    """A contact's message arrives on the phone, with a ding and a banner. `contact` is an id."""

    contact: str
    text: str

    def __call__(self, state: WorldState) -> WorldState:
        thread = state.account.thread(self.contact)
        person = state.account.contact(self.contact)
        front = state.phone.front
        reading = front is not None and front.app == "messages" and front.view == View("thread", self.contact)
        new = replace(
            thread,
            messages=(*thread.messages, TextMessage(self.text, state.time)),
            unread=0 if reading else thread.unread + 1,
        )
        settings = state.account.phone_settings
        if person is not None and person.blocked:
            return state
        state = state.own(state.account.put(new))
        if not settings.quiet:
            state = state.sound("phone", "ding", 0.6, settings.ring)
        scroll = f"messages/thread/{self.contact}/scroll"
        state = state.on("phone", scrolls=state.phone.scrolls.without(scroll))
        if reading or settings.quiet or "messages" in settings.muted:
            return state
        name = person.name if person else self.contact
        banner = Notice(name, self.text, state.time, "messages", View("thread", self.contact))
        return state.on("phone", notice=banner)


@dataclass(frozen=True, slots=True)
class MailArrives:
    """A mail arrives in the inbox, with a chime and a banner on the desktop. `sender` is an address."""

    sender: str
    subject: str
    body: str

    def __call__(self, state: WorldState) -> WorldState:
        account = state.account
        id = fresh_id("mail", account.mails)
        mail = Mail(id, self.sender, account.owner.email, self.subject, self.body, state.time)
        person = account.contact(self.sender)
        state = state.own(account.put(mail)).sound("desktop", "chime", 1.2)
        if "mail" in account.desktop_settings.muted:
            return state
        banner = Notice(person.name if person else self.sender, self.subject, state.time, "mail", View("inbox", id))
        return state.on("desktop", notice=banner)


@dataclass(frozen=True, slots=True)
class AlarmRings:
    """An alarm starts to ring on the phone."""

    alarm: str

    def __call__(self, state: WorldState) -> WorldState:
        alarm = state.account.alarm(self.alarm)
        if alarm is None:
            return state
        settings = state.account.phone_settings
        state = state.own(state.account.put(replace(alarm, snoozed=None)))
        state = stop_ringing(state).sound("phone", settings.alarm_sound, RING_SECONDS, settings.alarm)
        ringing = Ringing(alarm.id, alarm.label, state.time, sound=settings.alarm_sound)
        state = state.on("phone", ringing=ringing, popup=None)
        return state.later(RING_SECONDS, RingingEnds(state.time))


@dataclass(frozen=True, slots=True)
class RingingEnds:
    """An alarm that was not stopped goes silent."""

    since: float

    def __call__(self, state: WorldState) -> WorldState:
        ringing = state.phone.ringing
        return stop_ringing(state) if ringing is not None and ringing.since == self.since else state


def stop_ringing(state: WorldState) -> WorldState:
    """Dismiss the ringing alarm; one that is not daily turns off."""
    ringing = state.phone.ringing
    if ringing is None:
        return state
    cut = tuple(
        replace(sound, seconds=max(0.0, round(state.time - sound.start, 6)))
        if sound.name == ringing.sound and sound.start == ringing.since
        else sound
        for sound in state.phone.sounds
    )
    alarm = state.account.alarm(ringing.alarm)
    if alarm is not None and not alarm.daily:
        state = state.own(state.account.put(replace(alarm, enabled=False)))
    return state.on("phone", ringing=None, sounds=cut)


def snooze(state: WorldState) -> WorldState:
    """Snooze the ringing alarm for five minutes; it stays on until then."""
    alarm = state.account.alarm(state.phone.ringing.alarm) if state.phone.ringing is not None else None
    state = stop_ringing(state)
    if alarm is None:
        return state
    until = round(state.time + SNOOZE_SECONDS, 6)
    return state.own(state.account.put(replace(alarm, enabled=True, snoozed=until)))


def toggle_alarm(alarm: Alarm) -> Alarm:
    """The alarm after its switch was toggled; a snoozed one will not ring again."""
    return replace(alarm, enabled=not alarm.enabled, snoozed=None)


def due(state: WorldState) -> tuple[PendingEvent, ...]:
    """All upcoming events: pending events, the next ring of each enabled alarm, and the ring of each snoozed one."""
    rings = []
    for alarm in state.account.alarms:
        if alarm.snoozed is not None:
            rings.append(PendingEvent(max(alarm.snoozed, state.time), AlarmRings(alarm.id)))
        if alarm.enabled:
            ahead = (alarm.hour * 3600 + alarm.minute * 60 - state.start - state.time) % DAY
            # Rounding keeps whole minutes whole; an alarm for this very moment has just rung.
            ahead = round(ahead, 6) or DAY
            rings.append(PendingEvent(round(state.time + ahead, 6), AlarmRings(alarm.id)))
    return (*state.events, *rings)


def advance(state: WorldState, seconds: float, note: Callable[[WorldState], None]) -> WorldState:
    """Let time pass; due events happen in order, each at its exact time.

    Args:
        state: the current state.
        seconds: duration, at least 0.
        note: called with each intermediate state, in order.
    """
    end = round(state.time + seconds, 6)
    while True:
        coming = [event for event in due(state) if event.at <= end]
        if not coming:
            break
        first = min(coming, key=lambda event: event.at)
        pending = tuple(event for event in state.events if event is not first)
        state = first.effect(replace(state, time=max(first.at, state.time), events=pending))
        note(state)
    if end > state.time:
        state = replace(state, time=end)
    return state
