"""What gateways and routers put between a model and us: failures in a 200, odd counts, 403s, proxies."""

from __future__ import annotations

import http.server
import json
import threading
from collections.abc import Iterator
from typing import Any

import pytest
from chat_server import Body, ChatServer, Status

from omnipilot.envs import ConfigError
from omnipilot.memory import Message, ModelUnavailable
from omnipilot.memory.messages import read_count
from omnipilot.memory.models import ChatModel, LlmEndpoint
from omnipilot.memory.models.openai_chat.connections import ConnectionPool, proxy_for
from omnipilot.memory.models.retry import RetryClock

HELLO = (Message("user", ("hello",)),)


def client(server: ChatServer, **options: Any) -> ChatModel:
    endpoint = LlmEndpoint("hosted_vllm/scripted", server.url, timeout=60, **options)
    return ChatModel(endpoint, clock=RetryClock(wait=lambda _: False, draw=lambda: 0.0))


def body(choice: Any = None, **more: Any) -> Body:
    """A chat completion with this choice, with status 200."""
    return Body(json.dumps({"model": "m", "choices": [choice] if choice else [], **more}).encode())


SAID = {"message": {"role": "assistant", "content": "hi"}, "finish_reason": "stop"}
EMPTY = {"role": "assistant", "content": ""}
BROKEN = [
    body({"message": EMPTY, "finish_reason": "error", "error": {"code": 502, "message": "Provider returned error"}}),
    body({"message": EMPTY, "finish_reason": "stop", "error": {"code": 429, "message": "rate-limited upstream"}}),
    body({"message": EMPTY, "finish_reason": "error"}),
    body(error={"code": 502, "message": "Provider returned error"}),
    body(error="overloaded"),
]


@pytest.mark.parametrize("broken", BROKEN)
def test_a_provider_that_failed_behind_a_router_is_asked_again(broken: Body) -> None:
    with ChatServer([broken, body(SAID)]) as server:
        assert client(server, retries=1).complete(HELLO).text == "hi"
    assert len(server.requests) == 2


@pytest.mark.parametrize("broken", BROKEN)
def test_a_provider_that_stays_broken_is_no_reply_of_the_model(broken: Body) -> None:
    with ChatServer([broken, broken]) as server, pytest.raises(ModelUnavailable):
        client(server, retries=1).complete(HELLO)


def test_a_router_whose_credit_is_used_up_says_so() -> None:
    answer = body({"message": EMPTY, "error": {"code": 402, "message": "more credits are required"}})
    with ChatServer([answer]) as server, pytest.raises(ConfigError, match="no credit left"):
        client(server).complete(HELLO)


@pytest.mark.parametrize(
    "choice", [{"finish_reason": "content_filter"}, {"finish_reason": "content_filter", "message": EMPTY}]
)
def test_a_reply_that_a_filter_withheld_is_told_as_that(choice: Any) -> None:
    with ChatServer([body(choice)]) as server, pytest.raises(ModelUnavailable, match="filter withheld the reply"):
        client(server).complete(HELLO)


def test_what_was_said_before_a_filter_is_kept() -> None:
    with ChatServer([body({**SAID, "finish_reason": "content_filter"})]) as server:
        assert client(server).complete(HELLO).text == "hi"


@pytest.mark.parametrize(
    ("usage", "tokens"),
    [
        ({"prompt_tokens": 100, "completion_tokens": 10}, (100, 10)),
        ({"prompt_tokens": 100.0, "completion_tokens": 10.0}, (100, 10)),
        ({"prompt_tokens": "100", "completion_tokens": "10"}, (100, 10)),
        ({"prompt_tokens": 100, "completion_tokens": 10.5}, (100, 11)),
        ({"prompt_tokens": -1, "completion_tokens": 10}, (0, 10)),
        ({"prompt_tokens": None, "completion_tokens": None}, (0, 0)),
        ({"prompt_tokens": "many"}, (0, 0)),
        ([], (0, 0)),
        (None, (0, 0)),
    ],
)
def test_a_paid_reply_is_taken_whatever_its_usage_looks_like(usage: Any, tokens: tuple[int, int]) -> None:
    with ChatServer([body(SAID, usage=usage)]) as server:
        reply = client(server, retries=1).complete(HELLO)
    assert (reply.text, reply.usage.tokens_in, reply.usage.tokens_out) == ("hi", *tokens)
    assert len(server.requests) == 1


@pytest.mark.parametrize("count", [True, float("nan"), float("inf"), [], "", "1e400", 10**30])
def test_what_is_no_count_is_none(count: Any) -> None:
    assert read_count(count) is None


FLAGGED = "Your chosen model requires moderation and your input was flagged for violence"


@pytest.mark.parametrize(
    ("words", "kind", "told"),
    [
        (FLAGGED, ModelUnavailable, "flagged for violence"),
        ("Key limit exceeded (daily limit)", ConfigError, "no credit left.*limit exceeded"),
        ("Country, region, or territory not supported", ConfigError, "refuses access.*not supported"),
        ("Invalid API key", ConfigError, "does not accept the key"),
    ],
)
def test_403_has_many_meanings(monkeypatch: pytest.MonkeyPatch, words: str, kind: type[Exception], told: str) -> None:
    monkeypatch.setenv("A_MODEL_KEY", "sk-or-v1-0000000000")
    with ChatServer([Status(403, words)]) as server, pytest.raises(kind, match=told) as raised:
        client(server, key_env="A_MODEL_KEY").complete(HELLO)
    assert ("accept the key" in str(raised.value)) == ("API key" in words)


def test_content_that_is_flagged_is_no_missing_key() -> None:
    with ChatServer([Status(403, FLAGGED)]) as server, pytest.raises(ModelUnavailable):
        client(server).complete(HELLO)


def test_a_template_that_takes_no_user_behind_a_tool_is_told_with_a_way_out() -> None:
    answer = Status(400, "Unexpected role 'user' after role 'tool'")
    with ChatServer([answer]) as server, pytest.raises(ConfigError, match=r"planner\.name=json.*Unexpected role"):
        client(server).complete(HELLO)


class Proxy(http.server.BaseHTTPRequestHandler):
    """Answers every request itself, and refuses to pass on what it cannot read."""

    protocol_version = "HTTP/1.1"
    asked: list[tuple[str, str]]

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        self.asked.append((self.path, self.headers.get("Proxy-Authorization", "")))
        said = json.dumps({"choices": [SAID]}).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(said)))
        self.end_headers()
        self.wfile.write(said)

    def do_CONNECT(self) -> None:
        self.asked.append((f"CONNECT {self.path}", self.headers.get("Proxy-Authorization", "")))
        self.send_error(502)

    def log_message(self, format: str, *args: Any) -> None:
        pass


@pytest.fixture
def proxy(monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[str, list[tuple[str, str]]]]:
    """The address of a proxy with user and password, and what it was asked."""
    asked: list[tuple[str, str]] = []
    handler = type("Recording", (Proxy,), {"asked": asked})
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    address = f"http://someone:secret@127.0.0.1:{server.server_port}"
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.lower(), raising=False)
    monkeypatch.setenv("http_proxy", address)
    monkeypatch.setenv("https_proxy", address)
    yield address, asked
    server.shutdown()
    server.server_close()


def post(url: str) -> Any:
    pool = ConnectionPool(url, 1)
    try:
        return pool.exchange("POST", "/chat/completions", [b"{}"], {}, 10.0)
    finally:
        pool.close()


def test_a_model_behind_a_proxy_is_asked_by_it(proxy: tuple[str, list[tuple[str, str]]]) -> None:
    answer = post("http://models.corp.invalid/v1")
    assert answer.status == 200
    assert proxy[1] == [("http://models.corp.invalid/v1/chat/completions", "Basic c29tZW9uZTpzZWNyZXQ=")]


def test_a_proxy_that_gives_no_connection_is_named_without_its_password(
    proxy: tuple[str, list[tuple[str, str]]],
) -> None:
    with pytest.raises(Exception, match=r"the proxy http://127\.0\.0\.1:\d+ gives no connection") as raised:
        post("https://models.corp.invalid/v1")
    assert proxy[1][0][0] == "CONNECT models.corp.invalid:443"
    assert "secret" not in str(raised.value)


def test_this_machine_and_what_no_proxy_names_are_asked_directly(
    monkeypatch: pytest.MonkeyPatch, proxy: tuple[str, list[tuple[str, str]]]
) -> None:
    with ChatServer([body(SAID)]) as server:
        assert client(server).complete(HELLO).text == "hi"
    assert proxy[1] == []
    assert proxy_for("https", "models.example") == proxy[0]
    monkeypatch.setenv("no_proxy", "models.example")
    assert proxy_for("https", "models.example") == ""


def test_a_proxy_of_another_kind_is_refused_with_the_cure(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("all_proxy", "socks5://127.0.0.1:1080")
    with pytest.raises(ConfigError, match="NO_PROXY"):
        ConnectionPool("https://models.example/v1", 1)
