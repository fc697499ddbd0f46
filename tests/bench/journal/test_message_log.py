"""What is kept of model calls: written at once, readable after a kill, each message once."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import tracemalloc
from pathlib import Path
from typing import Any

from speed_harness import kept_messages

from omnipilot.bench.journal import read
from omnipilot.bench.journal.calls import CallReader, recorded_calls
from omnipilot.bench.journal.events import Event, ModelCalled, ReplyUnread, event_from_json, event_to_json
from omnipilot.bench.journal.message_log import MessageLog
from omnipilot.memory import MediaStore, Reply, Usage
from omnipilot.memory.models.exchange import Exchange, in_role, listening, tell_unread
from omnipilot.memory.secrets import scrub as scrubber

KILLED = """
import os, signal, sys
from pathlib import Path
from omnipilot.bench.journal.journal import Journal
from omnipilot.bench.journal.message_log import MessageLog
from omnipilot.memory import MediaStore, Reply, Usage
from omnipilot.memory.models.exchange import Exchange
folder = Path(sys.argv[1])
journal = Journal.open(folder)
log = MessageLog("t#0.0", 1, MediaStore(folder / "media"), journal.append)
for attempt in (1, 2):
    body = {"model": "m", "messages": [{"role": "user", "content": "say it"}]}
    problem = "HTTP 503: busy" if attempt == 1 else ""
    log.exchanged(Exchange("planner", "x/m", attempt, body, f"answer {attempt}", None, problem, Usage()))
os.kill(os.getpid(), signal.SIGKILL)
"""


def exchange(messages: list[Any], role: str = "planner", attempt: int = 1, **more: Any) -> Exchange:
    body = {"model": "m", "messages": messages, "temperature": 0.0, **more}
    return Exchange(role, "x/m", attempt, body, '{"raw": 1}', Reply("ok"), "", Usage(1, 3, 2, 0.5, 0.1))


def said(*words: str) -> list[Any]:
    return [{"role": "user", "content": word} for word in words]


def test_every_attempt_is_there_after_a_kill(tmp_path: Path) -> None:
    done = subprocess.run([sys.executable, "-c", KILLED, str(tmp_path)], timeout=60, check=False)
    assert done.returncode == -signal.SIGKILL
    (call,) = recorded_calls(read(tmp_path))
    reader = CallReader(MediaStore(tmp_path / "media"))
    assert reader.body(call)["messages"] == said("say it")
    assert [reader.raw(one) for one in call.attempts] == ["answer 1", "answer 2"]
    assert [one.problem for one in call.attempts] == ["HTTP 503: busy", ""]


def test_a_request_names_what_it_begins_like_and_other_roles_keep_their_own_thread() -> None:
    store, events = MediaStore(), list[Event]()
    log = MessageLog("t#0.0", 1, store, events.append)
    log.exchanged(exchange(said("a", "b")))
    log.exchanged(exchange(said("x"), role="critic"))
    log.exchanged(exchange(said("a", "b", "c"), tools=[{"name": "click"}]))
    log.exchanged(exchange(said("b", "c"), tools=[{"name": "click"}]))
    requests = [event.request for event in events if isinstance(event, ModelCalled)]
    assert [(one.get("after"), one.get("kept"), len(one["messages"])) for one in requests] == [
        (None, None, 2), (None, None, 1), (0, 2, 1), (None, None, 2),
    ]  # fmt: skip
    reader = CallReader(store)
    again = [event_from_json(json.loads(json.dumps(event_to_json(event)))) for event in events]
    bodies = [reader.body(call) for call in recorded_calls(again)]
    assert [[m["content"] for m in body["messages"]] for body in bodies] == [
        ["a", "b"],
        ["x"],
        ["a", "b", "c"],
        ["b", "c"],
    ]
    assert bodies[2]["tools"] == [{"name": "click"}] and bodies[0]["temperature"] == 0.0
    assert requests[2]["tools"] == requests[3]["tools"]


def test_turns_name_their_calls_and_what_could_not_be_read_is_noted() -> None:
    events = list[Event]()
    log = MessageLog("t#0.0", 1, MediaStore(), events.append)
    with listening(log), in_role("planner"):
        log.exchanged(exchange(said("a")))
        tell_unread("no JSON")
        log.exchanged(exchange(said("a", "b")))
    assert log.take_calls() == [0, 1] and log.take_calls() == []
    assert [event.problem for event in events if isinstance(event, ReplyUnread)] == ["no JSON"]
    assert [call.unread for call in recorded_calls(events)] == ["no JSON", ""]
    tell_unread("nobody listens")
    assert len(events) == 3


def test_texts_to_embed_have_a_file_of_their_own_and_interrupt_no_conversation() -> None:
    store, events = MediaStore(), list[Event]()
    log = MessageLog("t#0.0", 1, store, events.append)
    vectors = Reply("2 vectors of 3 dimensions")
    log.exchanged(exchange(said("a"), role="memory"))
    log.exchanged(Exchange("memory", "x/e", 1, {"model": "e", "input": ["p", "q"]}, "", vectors, "", Usage()))
    log.exchanged(exchange(said("a", "b"), role="memory"))
    asked, texts, again = recorded_calls(events)
    assert (again.after, again.kept, len(again.messages)) == (asked.number, 1, 2)
    reader = CallReader(store)
    assert reader.body(texts) == {"model": "e", "input": ["p", "q"]}
    assert reader.reply(texts.attempts[0])["text"] == "2 vectors of 3 dimensions"
    assert texts.options == {"model": "e"} and list(texts.given) == ["input"]


def test_a_key_in_a_message_or_an_answer_is_not_written() -> None:
    scrubber.register("sk-hidden-0815-4711", "HIDDEN_KEY")
    store, events = MediaStore(), list[Event]()
    MessageLog("t#0.0", 1, store, events.append).exchanged(exchange(said("the key is sk-hidden-0815-4711")))
    (call,) = recorded_calls(events)
    assert CallReader(store).body(call)["messages"] == said("the key is (HIDDEN_KEY)")


def test_text_that_has_no_utf8_is_kept() -> None:
    store, events = MediaStore(), list[Event]()
    MessageLog("t#0.0", 1, store, events.append).exchanged(exchange(said("half \ud83d")))
    assert CallReader(store).body(recorded_calls(events)[0])["messages"] == said("half \ud83d")


def test_a_missing_message_is_said_and_not_made_up() -> None:
    store, events = MediaStore(), list[Event]()
    MessageLog("t#0.0", 1, store, events.append).exchanged(exchange(said("a")))
    (message,) = CallReader(MediaStore()).body(recorded_calls(events)[0])["messages"]
    assert list(message) == ["missing"]


def test_the_record_of_an_episode_grows_evenly() -> None:
    found = kept_messages(30)
    assert found["growth"] < 1.1 and found["bytes"] < 8_000


def test_long_conversations_are_remembered_in_proportion_to_their_length() -> None:
    """Each call names the messages of the one before; only what is new is kept of it."""

    def call(number: int) -> ModelCalled:
        request: dict[str, object] = {"options": {}, "messages": [f"{number}-a", f"{number}-b"]}
        if number:
            request |= {"after": number - 1, "kept": number}
        return ModelCalled("a#0.0", 1, number, number, 0, "planner", "m", request, "", {}, "", {})

    held = []
    for count in (300, 1200):
        events = [call(number) for number in range(count)]
        tracemalloc.start()
        calls = recorded_calls(events)
        held.append(tracemalloc.get_traced_memory()[0] / count)
        tracemalloc.stop()
    assert held[1] < 1.2 * held[0]
    assert calls[0].messages == ("0-a", "0-b")
    # Each keeps all but the last message of the call before.
    assert calls[3].messages == ("0-a", "1-a", "2-a", "3-a", "3-b")
    assert len(calls[-1].messages) == 1201 and calls[-1].added == ("1199-a", "1199-b")
