"""What an LLM client does when the server misbehaves: tries again, waits as told, and ends within its deadline."""

from __future__ import annotations

import time
from typing import Any

import pytest
from chat_server import Answer, Behaviour, Body, ChatServer, Drip, Drop, HalfSent, Hang, Status

from omnipilot.envs import ConfigError
from omnipilot.memory import Message, ModelUnavailable
from omnipilot.memory.models import ChatModel, LlmEndpoint
from omnipilot.memory.models.broker.broker import Ask, Broker
from omnipilot.memory.models.broker.permits import CallPermit, EndpointId, Permits, RequestOutcome
from omnipilot.memory.models.retry import LONGEST_PAUSE, RetryClock, RetryPolicy, TransientError

HELLO = (Message("user", ("hello",)),)
MODELS = ("hosted_vllm/tiny", "openai/tiny", "lm_studio/tiny")
MISBEHAVIOURS: dict[str, Behaviour] = {
    "too many requests": Status(429),
    "internal error": Status(500),
    "bad gateway": Status(502),
    "overloaded": Status(503),
    "site overloaded": Status(529),
    "gateway timed out": Status(504),
    "request timed out": Status(408),
    "dropped": Drop(),
    "reset": Drop(reset=True),
    "half-sent": HalfSent(),
    "no JSON": Body(b"<html>proxy error</html>"),
    "no object": Body(b"[1]"),
    "no choices": Body(b'{"choices": []}'),
    "odd content": Body(b'{"choices": [{"message": {"content": 7}}]}'),
    "deep": Body(b"[" * 100_000),
    "empty": Body(b""),
}
SLACK = 30.0
"""Seconds after which a call that should have ended has not."""


class Clock:
    """Time that passes only where somebody waits."""

    def __init__(self) -> None:
        self.now = 1000.0
        self.waits: list[float] = []

    def wait(self, seconds: float) -> None:
        self.waits.append(seconds)
        self.now += seconds

    @property
    def retry_clock(self) -> RetryClock:
        return RetryClock(lambda: self.now, self.wait, lambda: 0.5)


def client(server: ChatServer, clock: Clock, model: str = MODELS[0], **options: Any) -> ChatModel:
    return ChatModel(LlmEndpoint(model, server.url, **options), clock=clock.retry_clock)


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("what", MISBEHAVIOURS)
@pytest.mark.filterwarnings("ignore:Pydantic serializer warnings")
def test_what_may_pass_is_tried_again(what: str, model: str) -> None:
    clock = Clock()
    with ChatServer([MISBEHAVIOURS[what], MISBEHAVIOURS[what], Answer("good")]) as server:
        reply = client(server, clock, model).complete(HELLO)
    assert reply.text == "good" and reply.usage.calls == 3 and len(server.requests) == 3
    assert clock.waits == [0.25, 0.5]
    assert len({request.body for request in server.requests}) == 1


@pytest.mark.parametrize("what", ["too many requests", "internal error", "dropped", "no choices"])
def test_what_does_not_pass_ends_as_unavailable(what: str) -> None:
    with (
        ChatServer([MISBEHAVIOURS[what]]) as server,
        pytest.raises(ModelUnavailable, match=f"tiny at {server.url} gave no answer in 3 attempts: ."),
    ):
        client(server, Clock(), retries=2).complete(HELLO)
    assert len(server.requests) == 3


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("code", [400, 401, 403, 404, 413, 422, 302])
def test_what_will_not_pass_is_told_at_once(code: int, model: str) -> None:
    said = "temperature is too high, says the server"
    with ChatServer([Status(code, said)]) as server, pytest.raises(ConfigError, match=said):
        client(server, Clock(), model).complete(HELLO)
    assert len(server.requests) == 1


def test_used_up_credit_is_no_reason_to_wait() -> None:
    spent = Status(429, "You exceeded your current quota (insufficient_quota)")
    with ChatServer([spent]) as server, pytest.raises(ConfigError, match="no credit left"):
        client(server, Clock()).complete(HELLO)
    assert len(server.requests) == 1


def test_a_refused_content_voids_the_episode_and_is_not_sent_again() -> None:
    error = Status(400, "Your request was rejected as a result of our safety system (content_policy_violation)")
    with ChatServer([error]) as server, pytest.raises(ModelUnavailable, match="refuses the content"):
        client(server, Clock(), "openai/tiny").complete(HELLO)
    assert len(server.requests) == 1


@pytest.mark.parametrize("model", MODELS)
def test_it_waits_as_long_as_the_server_asks(model: str) -> None:
    clock = Clock()
    with ChatServer([Status(429, headers={"Retry-After": "17"}), Answer("good")]) as server:
        assert client(server, clock, model).complete(HELLO).usage.calls == 2
    assert clock.waits == [17.0]


def test_it_does_not_wait_beyond_its_deadline() -> None:
    clock = Clock()
    with (
        ChatServer([Status(429, headers={"Retry-After": "400"})]) as server,
        pytest.raises(ModelUnavailable, match="no time for another attempt"),
    ):
        client(server, clock).complete(HELLO)
    assert clock.waits == [] and len(server.requests) == 1


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("slow", [Hang(), Drip(), Drip(of_header=False)], ids=["hangs", "drips header", "drips body"])
def test_a_slow_server_is_cut_off_and_asked_again(slow: Behaviour, model: str) -> None:
    began = time.monotonic()
    with ChatServer([slow, Answer("good")]) as server:
        endpoint = LlmEndpoint(model, server.url, attempt=1.0, timeout=SLACK)
        reply = ChatModel(endpoint).complete(HELLO)
    assert reply.text == "good" and reply.usage.calls == 2
    assert time.monotonic() - began < SLACK


def test_the_call_ends_within_the_time_it_was_given_whatever_the_endpoint_says() -> None:
    began = time.monotonic()
    with ChatServer([Drip()]) as server, pytest.raises(ModelUnavailable, match="in 1 attempt: no answer in 1 s"):
        ChatModel(LlmEndpoint(MODELS[0], server.url, timeout=600, attempt=500)).complete(HELLO, timeout=1.0)
    assert time.monotonic() - began < SLACK


def test_the_connection_of_an_abandoned_call_is_closed() -> None:
    with ChatServer([Drip()]) as server:
        with pytest.raises(ModelUnavailable):
            ChatModel(LlmEndpoint(MODELS[0], server.url)).complete(HELLO, timeout=0.5)
        assert server.wait_for(lambda s: s.under_way == 0, SLACK)


def test_no_server_is_unavailable_too() -> None:
    with ChatServer() as server:
        url = server.url
    with pytest.raises(ModelUnavailable, match="2 attempts"):
        ChatModel(LlmEndpoint(MODELS[0], url, retries=1), clock=Clock().retry_clock).complete(HELLO)


def test_pauses_double_up_to_the_longest_and_are_drawn_from_the_whole_of_it() -> None:
    clock = Clock()

    def fail(seconds: float) -> None:
        raise TransientError("busy")

    for share, waited in ((1.0, [0.5, 1, 2, 4, 8, 16, LONGEST_PAUSE, LONGEST_PAUSE]), (0.0, [0.0] * 8)):
        clock.waits.clear()
        retry_clock = RetryClock(lambda: clock.now, clock.wait, lambda share=share: share)
        with pytest.raises(ModelUnavailable, match="x gave no answer in 9 attempts: busy"):
            RetryPolicy(1000, 10, 8, retry_clock).call("x", fail)
        assert clock.waits == waited


@pytest.mark.parametrize(("asked", "made"), [(20.0, 91), (290.0, 8), (None, 96), (86_400.0, 7)])
def test_with_a_permit_a_refused_call_waits_outside_its_time_and_not_for_ever(asked: float | None, made: int) -> None:
    clock, told = Clock(), []
    broker = Broker()

    class Waiting(Permits):
        def take(self, endpoint: EndpointId, tokens: int) -> int:
            broker.ask(Ask(None, 1, endpoint, tokens))
            clock.now += broker.next_grant(clock.now) or 0.0
            assert broker.grant(clock.now)
            return 1

        def give_back(self, number: int, outcome: RequestOutcome) -> None:
            broker.tell(None, number, outcome, clock.now)

    def policy() -> RetryPolicy:
        permit = CallPermit(Waiting(), EndpointId("b", "p"), told=told.append)
        return RetryPolicy(3.0, 10.0, 0, clock.retry_clock, None, permit)

    left = [5]

    def refused(seconds: float) -> str:
        assert seconds == pytest.approx(3.0)
        left[0] -= 1
        if left[0] >= 0:
            raise TransientError("HTTP 429", asked, 429)
        return "well"

    result = policy().call("x", refused)
    assert (result.value, result.attempts) == ("well", 6) and sum(told) == pytest.approx(clock.now - 1000.0)
    assert told[1:] == pytest.approx([0.5, 1.0, 2.0, 4.0, 8.0] if asked is None else [min(asked, 300.0)] * 5)
    left[0] = 1_000_000
    with pytest.raises(ModelUnavailable, match=f"in {made} attempts: HTTP 429, for 1800 s"):
        policy().call("x", refused)
    assert not any(clock.waits)


def test_an_attempt_gets_no_more_than_is_left() -> None:
    clock, given = Clock(), []

    def fail(seconds: float) -> None:
        given.append(seconds)
        clock.now += seconds
        raise TransientError("late")

    with pytest.raises(ModelUnavailable, match="no time"):
        RetryPolicy(25.0, 10.0, 9, clock.retry_clock).call("x", fail)
    assert given[:2] == [10.0, 10.0] and 0 < given[2] < 5.0 and sum(given) + sum(clock.waits) == pytest.approx(25.0)
