"""Sub-tasks of `duet` on the phone."""

from __future__ import annotations

from collections.abc import Mapping

from omnipilot.bench.judges import LETTERS_BESIDE, says_one
from omnipilot.bench.suites.duet.kit.answers import other_answers
from omnipilot.bench.suites.duet.kit.moves import fresh, front, on_phone, strays
from omnipilot.bench.suites.duet.kit.phone import new_texts, texts_kept
from omnipilot.bench.synthesis.compose import Piece, Resource, TaskSampler, Template
from omnipilot.bench.tasks.graph import JudgeGraph
from omnipilot.bench.tasks.judges import Case, Judge, Verdict
from omnipilot.envs import Click, Intent, OpenApp, Ref, TypeText, Wait
from omnipilot.envs.sim.state.account import Alarm, Contact, TextMessage, Thread, fresh_id
from omnipilot.envs.sim.state.events import RING_SECONDS, AlarmRings, due
from omnipilot.envs.sim.state.world_state import DAY, WorldState
from omnipilot.memory import Move

LINES = (
    "Running ten minutes late",
    "The meeting moved to room 4",
    "Please bring the blue folder",
    "Lunch at noon tomorrow?",
    "I left the key with Tom",
    "Your parcel is at the desk",
)
STREETS = ("Mill Lane", "Harbour Street", "Station Road", "Oak Avenue", "Church Row", "Bridge Close")


def someone(draw: TaskSampler, state: WorldState) -> Contact:
    """A contact with an existing conversation that no other sub-task uses; near-duplicates of names are allowed."""
    person = state.account.contact(draw.pick("threads", state.account.threads).contact)
    assert person is not None
    return person


def _sent(contact: Contact, text: str, draw: TaskSampler) -> Judge:
    """Judge that the text, or a message with it, went to the contact and nothing to people the task leaves out."""
    # What is told word by word stands alone; what had to be found may have few words beside it.
    beside = 0 if text in LINES else LETTERS_BESIDE

    def ask(case: Case) -> Verdict:
        texts = new_texts(case, contact.id)
        others = [t.contact for t in case.state.account.threads if t.contact not in draw.claimed("threads")]
        wrong = [other for other in others if new_texts(case, other)]
        hit = bool(texts) and says_one([text], texts, other_answers([text], case.start), beside)
        hit = hit and texts_kept(case, contact.id)
        return Verdict(float(hit and not wrong), f"sent to {contact.name}: {texts}; to others: {wrong}")

    return Judge("sent", ask)


def _send_text(draw: TaskSampler, given: Mapping[str, str], state: WorldState) -> Piece:
    person, text = someone(draw, state), given["text"]
    thread = f"messages/thread/{person.id}"
    opened = Judge("conversation opened", front("phone", "messages", arg=person.id))

    def moves(*finding: Intent) -> list[Move]:
        return on_phone(
            OpenApp("Messages"),
            Click(Ref("messages/threads/new")),
            *finding,
            Click(Ref(f"messages/new/{person.id}")),
            TypeText(text, Ref(f"{thread}/text")),
            Click(Ref(f"{thread}/send")),
        )

    return Piece(
        JudgeGraph.chain([opened, _sent(person, text, draw)]),
        state,
        lambda _: moves(),
        {"name": person.name},
        alternative=lambda _: moves(TypeText(person.name, Ref("messages/new/search"))),
    )


SEND_TEXT = Template(
    "send-text",
    'on the phone, open Messages, open the conversation with "{name}", type {text} and press "Send"',
    "phone",
    "messages",
    _send_text,
    {"text": "text"},
    alone=lambda draw, _: {"text": draw.choice(LINES)},
)


def _read_address(draw: TaskSampler, _: Mapping[str, str], state: WorldState) -> Piece:
    person = someone(draw, state)
    address = f"{draw.randrange(2, 90)} {draw.choice(STREETS)}"
    thread = state.account.thread(person.id)
    messages = (*thread.messages, TextMessage(f"We meet at {address}.", -60.0))
    new = Thread(person.id, messages, unread=1)
    read = Judge("message read", lambda case: case.state.account.thread(person.id).unread == 0)
    return Piece(
        JudgeGraph((read,)),
        state.own(state.account.put(new)),
        lambda _: on_phone(OpenApp("Messages"), Click(Ref(f"messages/threads/{person.id}"))),
        {"name": person.name},
        Resource("text/address", address, f"the address that {person.name} sent"),
    )


READ_ADDRESS = Template(
    "read-address",
    'on the phone, open Messages and read the address in the last message from "{name}"',
    "phone",
    "messages",
    _read_address,
    output="text/address",
    dimension="semantic understanding",
)


def _add_alarm(draw: TaskSampler, _: Mapping[str, str], state: WorldState) -> Piece:
    hour, minute = draw.randrange(8, 12), draw.choice((5, 10, 20, 30, 40))
    at = f"{hour:02d}:{minute:02d}"

    def ask(case: Case) -> Verdict:
        new = [alarm.at for alarm in fresh(case, "alarms") if alarm.enabled]
        others = strays(case, "alarms", draw)
        return Verdict(float(new == [at] and not others), f"new alarms: {new}; others touched: {others}")

    tens, ones = divmod(minute, 10)
    return Piece(
        JudgeGraph.chain([Judge("form opened", front("phone", "clock", "edit")), Judge("alarm added", ask)]),
        state,
        lambda _: on_phone(
            OpenApp("Clock"),
            Click(Ref("clock/alarms/new")),
            *[Click(Ref("clock/edit/hour/up"))] * (hour - 7),
            *[Click(Ref("clock/edit/ten-minutes/up"))] * tens,
            *[Click(Ref("clock/edit/minute/up"))] * ones,
            Click(Ref("clock/edit/save")),
        ),
        {"time": at},
    )


ADD_ALARM = Template(
    "add-alarm", "on the phone, add an alarm for {time} in Clock and save it", "phone", "clock", _add_alarm
)


def _ahead(now: WorldState, alarm: Alarm) -> float:
    """Seconds until an alarm rings; 0 if it is ringing."""
    if now.phone.ringing is not None and now.phone.ringing.alarm == alarm.id:
        return 0.0
    return (alarm.hour * 3600 + alarm.minute * 60 - now.start - now.time) % DAY


def _dismiss_alarm(draw: TaskSampler, _: Mapping[str, str], state: WorldState) -> Piece:
    # The world starts in the first 40 s of a minute, so the alarm rings 20 to 50 s or 80 to 110 s after it.
    hour, minute = state.clock(state.time + 60 * draw.choice((1, 2))).split(":")
    alarm = Alarm(fresh_id("alarm", state.account.alarms), int(hour), int(minute), draw.choice(("Tea", "Oven", "Call")))

    def rang(case: Case) -> list[float]:
        return [sound.seconds for sound in case.state.phone.sounds if sound.name == "alarm"]

    def dismissed(case: Case) -> Verdict:
        snoozed = any(
            isinstance(event.effect, AlarmRings) for event in due(case.state) if event.at < case.state.time + DAY / 2
        )
        cut = case.state.phone.ringing is None and bool(rang(case)) and rang(case)[-1] < RING_SECONDS
        return Verdict(float(cut and not snoozed), f"rang for {rang(case)} s; rings again: {snoozed}")

    return Piece(
        JudgeGraph((Judge("dismissed", dismissed),)),
        state.own(state.account.put(alarm)),
        lambda now: on_phone(Wait(_ahead(now, alarm) + 2.0), Click(Ref("clock/ringing/dismiss"))),
    )


DISMISS_ALARM = Template(
    "dismiss-alarm",
    'wait until the alarm rings on the phone and press "Dismiss"',
    "phone",
    "clock",
    _dismiss_alarm,
    level="AV-supportive",
    dimension="instant response",
    hangs_on="sound",
)

TEMPLATES = (SEND_TEXT, READ_ADDRESS, ADD_ALARM, DISMISS_ALARM)
