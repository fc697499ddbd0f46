"""Sub-tasks of `duet` in Messages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from omnipilot.bench.judges import says_one
from omnipilot.bench.suites.duet.kit.answers import other_answers
from omnipilot.bench.suites.duet.kit.moves import front, on_phone
from omnipilot.bench.suites.duet.kit.phone import SENTENCES, new_texts, some_contact, some_text, tap, texts_kept, to
from omnipilot.bench.synthesis.compose import Piece, Resource, TaskSampler, Template
from omnipilot.bench.tasks.graph import JudgeGraph
from omnipilot.bench.tasks.judges import Case, Judge, Verdict
from omnipilot.envs import Intent, LongPress, OpenApp, Ref, TypeText, Wait
from omnipilot.envs.sim.state.account import Contact, TextMessage, Thread
from omnipilot.envs.sim.state.events import MessageArrives
from omnipilot.envs.sim.state.world_state import WorldState


def _someone(draw: TaskSampler, state: WorldState) -> Contact:
    """A contact with an existing conversation that no other sub-task uses."""
    claimed = draw.claimed("contacts")
    person = draw.pick("threads", [thread for thread in state.account.threads if thread.contact not in claimed])
    draw.claim("contacts", person.contact)
    found = state.account.contact(person.contact)
    assert found is not None
    return found


def _sent(contact: str, texts: Sequence[str], draw: TaskSampler) -> Judge:
    """Judge that the texts went to the contact, and nothing to people whom the task does not involve."""
    draw.claim("threads", contact)

    def ask(case: Case) -> Verdict:
        found, claimed = new_texts(case, contact), draw.claimed("threads")
        wrong = [
            t.contact for t in case.state.account.threads if t.contact not in claimed and new_texts(case, t.contact)
        ]
        hit = bool(found) and says_one(texts, found, other_answers(texts, case.start), beside=0)
        hit = hit and texts_kept(case, contact)
        return Verdict(float(hit and not wrong), f"sent to {contact}: {found}; to others: {wrong}")

    return Judge("sent", ask)


def _thread(now: WorldState, contact: str) -> list[Intent]:
    """Moves to a conversation, existing or not, from wherever the phone is."""
    window = now.phone.window("messages")
    if window is not None and window.view.name == "thread" and window.view.arg == contact:
        return [OpenApp("Messages")]
    return [OpenApp("Messages"), tap("messages/threads/new"), tap(f"messages/new/{contact}")]


def _send(draw: TaskSampler, given: Mapping[str, str], state: WorldState) -> Piece:
    contact, text = given["contact"], given["text"]
    thread = f"messages/thread/{contact}"
    return Piece(
        JudgeGraph.chain(
            [Judge("conversation opened", front("phone", "messages", arg=contact)), _sent(contact, [text], draw)]
        ),
        state,
        lambda now: on_phone(*_thread(now, contact), TypeText(text, Ref(f"{thread}/text")), tap(f"{thread}/send")),
    )


TEXT_CONTACT = Template(
    "text-contact",
    'on the phone, open the conversation with {contact} in Messages, type {text} and press "Send"',
    "phone",
    "messages",
    _send,
    {"contact": "contact", "text": "text"},
    alone=lambda draw, state: {**some_contact(draw, state), **some_text(draw, state)},
)


def _send_two(draw: TaskSampler, given: Mapping[str, str], state: WorldState) -> Piece:
    person = _someone(draw, state)
    texts = [given["first"], given["second"]]
    thread = f"messages/thread/{person.id}"
    send = [move for text in texts for move in (TypeText(text, Ref(f"{thread}/text")), tap(f"{thread}/send"))]
    return Piece(
        JudgeGraph.chain(
            [Judge("conversation opened", front("phone", "messages", arg=person.id)), _sent(person.id, texts, draw)]
        ),
        state,
        lambda now: on_phone(*_thread(now, person.id), *send),
        {"name": person.name},
    )


SEND_TWO = Template(
    "send-two",
    'on the phone, open the conversation with "{name}" in Messages and send two messages, one with '
    "{first} alone and one with {second} alone",
    "phone",
    "messages",
    _send_two,
    {"first": "text", "second": "text"},
    alone=lambda draw, _: dict(zip(("first", "second"), draw.sample(SENTENCES, 2), strict=True)),
)


def _read(draw: TaskSampler, _: Mapping[str, str], state: WorldState) -> Piece:
    person, code = _someone(draw, state), str(draw.randrange(1000, 10_000))
    thread = state.account.thread(person.id)
    new = Thread(person.id, (*thread.messages, TextMessage(f"The code for the gate is {code}.", -60.0)), unread=1)
    return Piece(
        JudgeGraph((Judge("message read", lambda case: case.state.account.thread(person.id).unread == 0),)),
        state.own(state.account.put(new)),
        lambda now: on_phone(
            OpenApp("Messages"), *to(now, "messages", "thread", person.id, f"messages/threads/{person.id}")
        ),
        {"name": person.name},
        Resource("text/code", code, f"the gate code from {person.name}"),
    )


READ_GATE_CODE = Template(
    "read-gate-code",
    'on the phone, open the conversation with "{name}" in Messages and read the gate code in the last message',
    "phone",
    "messages",
    _read,
    output="text/code",
)


def _reply(draw: TaskSampler, given: Mapping[str, str], state: WorldState) -> Piece:
    person, text = _someone(draw, state), given["text"]
    at = float(draw.randrange(20, 50))
    thread = f"messages/thread/{person.id}"
    old = len(state.account.thread(person.id).messages)
    words = draw.choice(("Are you there?", "Quick question!", "Can you answer right now?"))

    def arrived(case: Case) -> bool:
        # The message has come and was read.
        now = case.state.account.thread(person.id)
        return any(m.text == words and m.time > 0 for m in now.messages[old:]) and now.unread == 0

    def answered(case: Case) -> Verdict:
        messages = case.state.account.thread(person.id).messages[old:]
        asked = [m.time for m in messages if m.text == words and not m.mine]
        delays = [m.time - asked[0] for m in messages if asked and m.mine and m.text == text]
        hit = any(0 <= delay <= 60 for delay in delays)
        return Verdict(float(hit and _sent(person.id, [text], draw)(case).reached), f"answered after {delays} s")

    return Piece(
        JudgeGraph.chain([Judge("message read", arrived), Judge("answered in time", answered)]),
        state.later(at, MessageArrives(person.id, words)),
        lambda now: on_phone(
            Wait(max(0.5, at - now.time + 0.5)),
            *_thread(now, person.id),
            TypeText(text, Ref(f"{thread}/text")),
            tap(f"{thread}/send"),
        ),
        {"name": person.name},
        alternative=lambda now: on_phone(
            Wait(max(0.5, at - now.time + 0.5)),
            tap("banner"),
            TypeText(text, Ref(f"{thread}/text")),
            tap(f"{thread}/send"),
        ),
    )


REPLY_AT_ONCE = Template(
    "reply-at-once",
    'on the phone, wait for the message that "{name}" is about to send, open it in Messages, type {text} and press '
    '"Send" within a minute after it came',
    "phone",
    "messages",
    _reply,
    {"text": "text"},
    alone=some_text,
    level="AV-supportive",
    dimension="instant response",
    hangs_on="sound",
)


def _delete(draw: TaskSampler, _: Mapping[str, str], state: WorldState) -> Piece:
    person = _someone(draw, state)

    def deleted(case: Case) -> Verdict:
        left = {thread.contact for thread in case.state.account.threads}
        lost = {t.contact for t in case.start.account.threads} - left - draw.claimed("threads")
        return Verdict(float(person.id not in left and not lost), f"others deleted: {sorted(lost)}")

    return Piece(
        JudgeGraph((Judge("conversation deleted", deleted),)),
        state,
        lambda _: on_phone(
            OpenApp("Messages"),
            LongPress(Ref(f"messages/threads/{person.id}")),
            tap(f"messages/threads/{person.id}/delete"),
        ),
        {"name": person.name},
    )


DELETE_THREAD = Template(
    "delete-thread",
    'on the phone, delete the conversation with "{name}" from the list in Messages',
    "phone",
    "messages",
    _delete,
)

TEMPLATES = (TEXT_CONTACT, SEND_TWO, READ_GATE_CODE, REPLY_AT_ONCE, DELETE_THREAD)
