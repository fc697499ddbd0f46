"""The deadline of a call holds whatever the server does, and is the only one: tests on real time, with much slack."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from chat_server import Answer, Behaviour, ChatServer, Drip, Hang

from omnipilot.memory import Message, ModelUnavailable
from omnipilot.memory.models import ChatModel, LlmEndpoint

HELLO = (Message("user", ("hello",)),)
LONG = (Message("user", ("x" * (32 << 20),)),)
"""More than any socket buffer takes."""
GOOD = Answer("(1, 2)")
SLACK = 20.0
"""Seconds that a loaded machine may add to a deadline; a call without one would not end at all."""


@pytest.mark.parametrize("behaviour", [Hang(), Drip(of_header=True), Drip(of_header=False)], ids=repr)
def test_a_server_that_never_ends_is_left_at_the_deadline(behaviour: Behaviour) -> None:
    with ChatServer([behaviour]) as server:
        asks = ChatModel(LlmEndpoint("hosted_vllm/scripted", server.url, timeout=0.3))
        began = time.monotonic()
        with pytest.raises(ModelUnavailable, match="gave no answer in 1 attempt: no "):
            asks.complete(HELLO)
        assert 0.3 <= time.monotonic() - began < SLACK


@contextmanager
def deaf_server() -> Iterator[tuple[str, threading.Event]]:
    """Answers one request; reads the next, on the same connection, only after the event, and answers it."""
    body = b'{"choices": [{"message": {"content": "(1, 2)"}}]}'
    hears = threading.Event()

    def serve() -> None:
        connection, _ = listener.accept()
        with connection:
            for end in (b"hello", b"xxx"):
                seen = b""
                # The options come after the words, and end the request.
                while end not in seen or not seen.endswith(b"}"):
                    piece = connection.recv(1 << 20)
                    if not piece:
                        return
                    seen = seen[-64:] + piece
                connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s" % (len(body), body))
                hears.wait(SLACK * 4)

    with socket.create_server(("127.0.0.1", 0)) as listener:
        server = threading.Thread(target=serve, daemon=True)
        server.start()
        yield f"http://127.0.0.1:{listener.getsockname()[1]}/v1", hears
        hears.set()


def test_a_server_that_stops_reading_is_left_at_the_deadline() -> None:
    with deaf_server() as (url, _):
        asks = ChatModel(LlmEndpoint("hosted_vllm/scripted", url, timeout=1000))
        assert asks.complete(HELLO).text == "(1, 2)"
        began = time.monotonic()
        with pytest.raises(ModelUnavailable, match="in 1 attempt: "):
            asks.complete(LONG, timeout=0.5)
        assert time.monotonic() - began < SLACK
        asks.close()


def test_a_server_that_reads_late_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """The time to take a connection is not the time to take a request."""
    with deaf_server() as (url, hears):
        asks = ChatModel(LlmEndpoint("hosted_vllm/scripted", url, timeout=1000, retries=0))
        assert asks.complete(HELLO).text == "(1, 2)"
        monkeypatch.setattr("omnipilot.memory.models.openai_chat.connections.CONNECT_SECONDS", 0.2)
        threading.Timer(0.8, hears.set).start()
        assert asks.complete(LONG).text == "(1, 2)"
        asks.close()


def test_an_attempt_that_hangs_is_left_while_time_remains() -> None:
    with ChatServer([Hang(), GOOD]) as server:
        asks = ChatModel(LlmEndpoint("hosted_vllm/scripted", server.url, timeout=SLACK * 2, attempt=0.5, retries=20))
        reply = asks.complete(HELLO)
    assert reply.text == "(1, 2)" and reply.usage.calls >= 2


def test_the_turn_of_others_counts_for_the_deadline() -> None:
    gate = threading.Event()
    with ChatServer([Answer("late", gate=gate)]) as server:
        asks = ChatModel(LlmEndpoint("hosted_vllm/scripted", server.url, timeout=SLACK * 2, concurrency=1))
        other = threading.Thread(target=asks.complete, args=(HELLO,))
        other.start()
        assert server.wait_for(lambda it: it.under_way == 1)
        with pytest.raises(ModelUnavailable, match=r"1 other requests are under way \(concurrency\)"):
            asks.complete(HELLO, timeout=0.1)
        gate.set()
        other.join(SLACK)
        assert not other.is_alive() and asks.complete(HELLO).text == "late"
