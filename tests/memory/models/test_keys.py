"""Keys reach the server they are meant for, and nothing else: no error, no log, no reply, no cassette."""

from __future__ import annotations

import logging
import traceback
from pathlib import Path

import pytest
from chat_server import Answer, ChatServer, Status

from omnipilot.envs import ConfigError
from omnipilot.memory import Message, ModelUnavailable
from omnipilot.memory.models import Cassette, ChatModel, LlmEndpoint

HELLO = (Message("user", ("hello",)),)
KEY, OTHER = "sk-secret-of-the-planner", "sk-secret-of-openai"
MODELS = pytest.mark.parametrize("model", ["hosted_vllm/tiny", "openai/tiny", "lm_studio/tiny"])


@pytest.fixture(autouse=True)
def _keys(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLANNER_KEY", KEY)
    monkeypatch.setenv("OPENAI_API_KEY", OTHER)
    monkeypatch.setenv("HOSTED_VLLM_API_KEY", OTHER)


@MODELS
def test_a_server_gets_its_own_key_and_no_other(model: str) -> None:
    with ChatServer(key=KEY) as mine, ChatServer() as keyless:
        ChatModel(LlmEndpoint(model, mine.url, "PLANNER_KEY")).complete(HELLO)
        ChatModel(LlmEndpoint(model, keyless.url)).complete(HELLO)
    assert mine.requests[0].headers["authorization"] == f"Bearer {KEY}"
    assert OTHER not in repr(mine.requests) + repr(keyless.requests)
    assert KEY not in repr(keyless.requests)


@MODELS
@pytest.mark.parametrize(
    "behaviour",
    [
        Status(400, f"bad header Bearer {KEY}"),
        Status(401, f"Incorrect API key provided: {KEY}"),
        Status(403, f"{KEY} may not"),
        Status(500, f"crashed on {KEY}"),
        Status(429, f"insufficient_quota for {KEY}"),
    ],
    ids=lambda behaviour: str(behaviour.code),
)
def test_a_key_is_in_no_error_and_no_log(
    model: str, behaviour: Status, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    caplog.set_level(logging.DEBUG)
    with ChatServer([behaviour]) as server:
        try:
            ChatModel(LlmEndpoint(model, server.url, "PLANNER_KEY", retries=0)).complete(HELLO)
            pytest.fail("it was refused")
        except (ConfigError, ModelUnavailable) as error:
            told = "".join(traceback.format_exception(error))
            assert "PLANNER_KEY" in f"{error}"
    seen = capfd.readouterr()
    assert KEY not in told + caplog.text + seen.out + seen.err


def test_a_refused_key_names_its_variable() -> None:
    with ChatServer(key="sk-another-key") as server:
        with pytest.raises(ConfigError, match="does not accept the key in PLANNER_KEY"):
            ChatModel(LlmEndpoint("openai/tiny", server.url, "PLANNER_KEY")).complete(HELLO)
        with pytest.raises(ConfigError, match="name its variable with key_env"):
            ChatModel(LlmEndpoint("openai/tiny", server.url)).complete(HELLO)
    assert len(server.requests) == 2


@pytest.mark.parametrize("key", ["", "two words", "line\nend", "schlüssel", "short"])
def test_what_cannot_be_a_key_is_refused_before_anything_is_sent(key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLANNER_KEY", key)
    with pytest.raises(ConfigError, match="PLANNER_KEY") as told:
        ChatModel(LlmEndpoint("openai/tiny", "http://127.0.0.1:9/v1", "PLANNER_KEY"))
    assert not key or key not in f"{told.value}".replace("PLANNER_KEY", "")


@pytest.mark.parametrize(
    ("model", "name"),
    [
        ("openai/gpt-4o", "OPENAI_API_KEY"),
        ("anthropic/claude-sonnet-4-5", "ANTHROPIC_API_KEY"),
        ("gemini/gemini-2.5-pro", "GEMINI_API_KEY"),
    ],
)
def test_a_missing_key_of_a_provider_is_named_and_nobody_is_asked(
    model: str, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for variable in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "GEMINI_API_KEY", "GOOGLE_API_KEY"):
        monkeypatch.delenv(variable, raising=False)
    with pytest.raises(ConfigError, match=f"needs a key: set .*{name}"):
        ChatModel(LlmEndpoint(model)).complete(HELLO)


def test_a_server_that_repeats_its_key_puts_it_into_no_reply_and_no_cassette(tmp_path: Path) -> None:
    answer = Answer(f"your key is {KEY}", (("click", f'{{"target": "{KEY}"}}'),), model=f"tiny-{KEY}")
    with ChatServer([answer]) as server:
        endpoint = LlmEndpoint("hosted_vllm/tiny", server.url, "PLANNER_KEY")
        reply = ChatModel(endpoint, Cassette(tmp_path)).complete(HELLO)
    (file,) = tmp_path.iterdir()
    assert "(PLANNER_KEY)" in reply.text and KEY not in repr(reply)
    written = file.read_text()
    assert KEY not in written and server.url not in written and "PLANNER_KEY" in written


def test_nothing_that_is_printed_shows_a_key(tmp_path: Path) -> None:
    endpoint = LlmEndpoint("hosted_vllm/tiny", "http://127.0.0.1:9/v1", "PLANNER_KEY")
    assert KEY not in repr(endpoint) + repr(ChatModel(endpoint)) + repr(vars(ChatModel(endpoint)))
