"""What a chat client does when the server misbehaves: tries again, waits as told, and ends within its deadline."""

from __future__ import annotations

import threading
from collections.abc import Callable
from email.utils import formatdate

import pytest
from chat_server import Answer, Behaviour, Body, ChatServer, Drop, HalfSent, Hang, Status

from omnipilot.envs import ConfigError
from omnipilot.memory import Message, ModelUnavailable
from omnipilot.memory.models import ChatModel, LlmEndpoint
from omnipilot.memory.models.retry import LONGEST_PAUSE, RetryClock, pause, retry_after, wait_in

HELLO = (Message("user", ("hello",)),)
GOOD = Answer("(1, 2)")
MISBEHAVIOURS: dict[str, Behaviour] = {
    "too many requests": Status(429),
    "internal error": Status(500),
    "bad gateway": Status(502),
    "overloaded": Status(503),
    "dropped": Drop(),
    "reset": Drop(reset=True),
    "half-sent": HalfSent(),
    "no JSON": Body(b"<html>proxy error</html>"),
    "no object": Body(b"[1]"),
    "no choices": Body(b'{"error": {"message": "oops"}}'),
    "no message": Body(b'{"choices": [{}]}'),
    "odd content": Body(b'{"choices": [{"message": {"content": 7}}]}'),
    "odd calls": Body(b'{"choices": [{"message": {"content": "", "tool_calls": 7}}]}'),
    "deep": Body(b"[" * 100_000),
    "empty": Body(b""),
}
SLACK = 20.0
"""Seconds after which a call that should have ended has not."""


class Clock:
    """Time that passes only where somebody waits."""

    def __init__(self) -> None:
        self.now = 1000.0
        self.waits: list[float] = []

    def wait(self, seconds: float) -> None:
        self.waits.append(seconds)
        self.now += seconds


def client(server: ChatServer, clock: Clock | None = None, **options: object) -> ChatModel:
    clock = clock or Clock()
    endpoint = LlmEndpoint("hosted_vllm/scripted", server.url, **{"timeout": 60.0, "retries": 3, **options})  # type: ignore[arg-type]
    return ChatModel(endpoint, clock=RetryClock(lambda: clock.now, clock.wait, lambda: 0.5))


@pytest.mark.parametrize("what", MISBEHAVIOURS)
def test_what_may_pass_is_tried_again(what: str) -> None:
    clock = Clock()
    with ChatServer([MISBEHAVIOURS[what], MISBEHAVIOURS[what], GOOD]) as server:
        reply = client(server, clock).complete(HELLO)
    assert reply.text == "(1, 2)" and reply.usage.calls == 3 and len(server.requests) == 3
    assert clock.waits == [0.25, 0.5]
    assert len({request.body for request in server.requests}) == 1


@pytest.mark.parametrize("what", MISBEHAVIOURS)
def test_what_does_not_pass_ends_as_unavailable(what: str) -> None:
    with (
        ChatServer([MISBEHAVIOURS[what]]) as server,
        pytest.raises(ModelUnavailable, match=f"scripted at {server.url} gave no answer in 3 attempts: ."),
    ):
        client(server, retries=2).complete(HELLO)
    assert len(server.requests) == 3


@pytest.mark.parametrize("code", [400, 401, 403, 404, 413, 422, 302])
def test_what_will_not_pass_is_told_at_once(code: int) -> None:
    said = "The model `x` does not exist."
    with (
        ChatServer([Status(code, said)]) as server,
        pytest.raises(ConfigError, match=rf"HTTP {code}\)?: {said}"),
    ):
        client(server).complete(HELLO)
    assert len(server.requests) == 1


def test_a_request_that_the_server_found_too_slow_is_nobodys_configuration() -> None:
    with ChatServer([Status(408)]) as server, pytest.raises(ModelUnavailable, match="408"):
        client(server).complete(HELLO)


def test_the_server_is_waited_for_as_long_as_it_asks() -> None:
    clock = Clock()
    with ChatServer([Status(429, headers={"Retry-After": "7"}), Status(503), GOOD]) as server:
        client(server, clock).complete(HELLO)
    assert clock.waits == [7.0, 0.5]


def test_a_wait_beyond_the_deadline_is_not_begun() -> None:
    clock = Clock()
    with (
        ChatServer([Status(429, "slow down", headers={"Retry-After": "3600"})]) as server,
        pytest.raises(ModelUnavailable, match="slow down; no time for another attempt"),
    ):
        client(server, clock).complete(HELLO)
    assert clock.waits == [] and len(server.requests) == 1


def test_attempts_end_with_the_deadline() -> None:
    clock = Clock()
    with ChatServer([Status(500)]) as server, pytest.raises(ModelUnavailable):
        client(server, clock, retries=1000, timeout=30.0).complete(HELLO)
    assert 20 < sum(clock.waits) < 30


def test_nobody_is_there() -> None:
    with ChatServer() as server:
        asks = client(server, retries=1)
    with pytest.raises(ModelUnavailable, match="refused"):
        asks.complete(HELLO)


def test_a_server_that_dies_in_the_middle_of_many_calls() -> None:
    ends: list[object] = []
    with ChatServer([Hang()]) as server:
        asks = client(server, retries=1)

        def one() -> None:
            try:
                ends.append(asks.complete(HELLO))
            except ModelUnavailable as error:
                ends.append(error)

        callers = [threading.Thread(target=one) for _ in range(8)]
        for caller in callers:
            caller.start()
        assert server.wait_for(lambda it: it.under_way == 8)
    for caller in callers:
        caller.join(SLACK)
    assert len(ends) == 8 and all(isinstance(end, ModelUnavailable) for end in ends)


def test_closing_ends_the_waiting_for_another_attempt() -> None:
    with ChatServer([Status(503, headers={"Retry-After": "50"})]) as server:
        asks = ChatModel(LlmEndpoint("hosted_vllm/scripted", server.url, timeout=1000))
        ends: list[Exception] = []

        def one() -> None:
            try:
                asks.complete(HELLO)
            except ModelUnavailable as error:
                ends.append(error)

        caller = threading.Thread(target=one)
        caller.start()
        assert server.wait_for(lambda it: len(it.requests) == 1 and it.under_way == 0)
        asks.close()
        caller.join(SLACK)
        assert len(ends) == 1


def test_pauses_have_full_jitter_and_an_end() -> None:
    ends = [pause(failed, None, lambda: 1.0) for failed in range(1, 40)]
    assert ends[:6] == [0.5, 1.0, 2.0, 4.0, 8.0, 16.0] and set(ends[6:]) == {LONGEST_PAUSE}
    assert pause(5, None, lambda: 0.0) == 0.0
    assert pause(1, 3.0, lambda: 1.0) == 3.0


@pytest.mark.parametrize(
    ("header", "seconds"),
    [("5", 5.0), (" 1.5 ", 1.5), ("0", 0.0), ("", None), ("soon", None), ("-3", None), ("1e9", None), ("²", None)],
)
def test_retry_after_in_seconds(header: str, seconds: float | None) -> None:
    assert retry_after(header) == seconds


@pytest.mark.parametrize(
    ("message", "seconds"),
    [
        ("You exceeded your current quota, please check your plan. Please retry in 34.074824224s.", 34.074824224),
        ('"retryDelay": "41s"', 41.0),
        ("Rate limit reached for gpt-4o. Please try again in 6m0s. Visit", 360.0),
        ("Please try again in 120ms.", 0.12),
        ("Please try again in 1h2m3.5s.", 3723.5),
        ("try again in a moment", None),
        ("try again in 3 days", None),
        ("You exceeded your current quota, please check your plan and billing details.", None),
    ],
)
def test_seconds_that_a_message_asks_for(message: str, seconds: float | None) -> None:
    assert wait_in(message) == seconds


def test_retry_after_as_a_date() -> None:
    at: Callable[[], float] = lambda: 1_700_000_000.0  # noqa: E731
    assert retry_after(formatdate(1_700_000_020, usegmt=True), at) == pytest.approx(20.0)
    assert retry_after(formatdate(1_600_000_000, usegmt=True), at) == 0.0


@pytest.mark.parametrize(
    "options", [{"timeout": 0}, {"retries": -1}, {"concurrency": 0}, {"attempt": 0.0}, {"attempt": -1.0}]
)
def test_numbers_that_make_no_sense_are_refused(options: dict[str, float]) -> None:
    with pytest.raises(ConfigError, match="or more"):
        ChatModel(LlmEndpoint("hosted_vllm/scripted", "http://127.0.0.1:8000/v1", **options))  # type: ignore[arg-type]
