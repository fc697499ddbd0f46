"""How calls get their permits within a process, and what of an endpoint has one limit."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator

import pytest
from chat_server import Answer, ChatServer, Status

from omnipilot.envs import ConfigError
from omnipilot.memory import Message, ModelUnavailable
from omnipilot.memory.models import ChatModel, LlmEndpoint
from omnipilot.memory.models.broker.broker import Broker
from omnipilot.memory.models.broker.limits import EndpointLimits, LimitTable
from omnipilot.memory.models.broker.local import LocalPermits
from omnipilot.memory.models.broker.permits import (
    EndpointId,
    RequestOutcome,
    endpoint_id,
    share_permits,
    waited_seconds,
)
from omnipilot.memory.models.exchange import in_episode

HELLO = (Message("user", ("hello",)),)
HERE = EndpointId("http://here/v1", "hosted_vllm")
KEY = "sk-test-1234567890"


@pytest.fixture
def broker() -> Iterator[Broker]:
    """One request at a time, everywhere in this process."""
    made = Broker(LimitTable((("", EndpointLimits(in_flight=1)),)))
    share_permits(LocalPermits(made))
    yield made
    share_permits(None)


def held(broker: Broker) -> list[tuple[int, int]]:
    return [(one.in_flight, one.waiting) for one in broker.standing()]


def test_threads_wait_for_each_other(broker: Broker) -> None:
    with ChatServer() as server:
        model = ChatModel(LlmEndpoint("openai-compatible/scripted", server.url, price_in=0.0, price_out=0.0))
        threads = [threading.Thread(target=model.complete, args=(HELLO,)) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(30.0)
        assert server.most_under_way == 1 and len(server.requests) == 8 and held(broker) == [(0, 0)]


def test_waiting_counts_neither_as_the_calls_time_nor_against_its_deadline(broker: Broker) -> None:
    permits = LocalPermits(broker)
    with ChatServer() as server:
        endpoint = LlmEndpoint("openai-compatible/scripted", server.url, price_in=0.0, price_out=0.0, timeout=0.3)
        share_permits(permits)
        number = permits.take(endpoint_id(endpoint), 0)
        threading.Timer(0.5, permits.give_back, (number, RequestOutcome())).start()
        before, began = waited_seconds(), time.perf_counter()
        reply = ChatModel(endpoint).complete(HELLO)
        whole, waited = time.perf_counter() - began, waited_seconds() - before
    assert waited >= 0.3 and reply.usage.seconds <= whole - waited + 0.01


def test_a_call_that_fails_gives_its_permit_back(broker: Broker) -> None:
    with ChatServer([Status(400, "no")]) as server:
        model = ChatModel(LlmEndpoint("openai-compatible/scripted", server.url, price_in=0.0, price_out=0.0))
        with pytest.raises(ConfigError):
            model.complete(HELLO)
    with pytest.raises(ModelUnavailable):
        ChatModel(LlmEndpoint("openai-compatible/x", "http://127.0.0.1:1/v1", retries=0)).complete(HELLO)
    assert set(held(broker)) == {(0, 0)}


def test_too_many_requests_use_up_no_attempt(broker: Broker) -> None:
    refusals = [Status(429, headers={"Retry-After": "0"})] * 3
    with ChatServer([*refusals, Answer("well")]) as server:
        model = ChatModel(LlmEndpoint("openai-compatible/scripted", server.url, price_in=0.0, price_out=0.0, retries=0))
        assert model.complete(HELLO).text == "well" and len(server.requests) == 4
    assert held(broker) == [(0, 0)]


def test_one_limit_is_of_a_server_and_a_key_that_is_told_to_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MY_KEY", KEY)
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    mine = endpoint_id(LlmEndpoint("hosted_vllm/a", "http://here/v1/", "MY_KEY"))
    assert mine.base == "http://here/v1" and len(mine.key) == 12 and mine.key not in KEY
    assert endpoint_id(LlmEndpoint("hosted_vllm/b", "http://here/v1", "MY_KEY")) == mine, "whatever the model"
    assert endpoint_id(LlmEndpoint("hosted_vllm/a", "http://here/v1")) == HERE
    usual = endpoint_id(LlmEndpoint("openai/gpt-4o"))
    assert usual.provider == "openai" and usual.key == mine.key
    monkeypatch.setenv("OPENAI_API_KEY", f"{KEY}-other")
    assert endpoint_id(LlmEndpoint("openai/gpt-4o")).key != usual.key


def test_a_replica_stays_that_of_its_episode() -> None:
    urls = [f"http://host-{number}:8000/v1" for number in range(4)]
    endpoint = LlmEndpoint("hosted_vllm/a", ", ".join(urls))
    assert endpoint.urls == tuple(urls)
    keys = [f"task-{number}#0.0" for number in range(400)]
    chosen = {key: endpoint.replica(key).url for key in keys}
    assert all(60 < list(chosen.values()).count(url) < 140 for url in urls)
    fewer = LlmEndpoint("hosted_vllm/a", ",".join(urls[:3]))
    assert all(fewer.replica(key).url == url for key, url in chosen.items() if url != urls[3])
    for wrong, told in (
        ("http://here/v1,there", "what follows the comma"),
        (f"{urls[0]},http://me:word@there/v1", "a user or password"),
    ):
        with pytest.raises(ConfigError, match=told):
            LlmEndpoint("hosted_vllm/a", wrong)


def test_a_call_asks_the_replica_of_its_episode() -> None:
    with ChatServer() as one, ChatServer() as other:
        urls = f"{one.url},{other.url}"
        endpoint = LlmEndpoint("openai-compatible/scripted", urls, price_in=0.0, price_out=0.0)
        model = ChatModel(endpoint)
        for key in "abcdefgh":
            with in_episode(key):
                model.complete(HELLO)
        expected = [sum(endpoint.replica(key).url == server.url for key in "abcdefgh") for server in (one, other)]
        assert [len(server.requests) for server in (one, other)] == expected
