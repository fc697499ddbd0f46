"""The table of providers: who is asked by which client, and that one module adds another provider."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from chat_server import Answer, ChatServer
from put_plugin import forget_plugins, put_plugin

from omnipilot.envs import AudioClip, ConfigError
from omnipilot.memory import Message
from omnipilot.memory.models import ChatModel, LlmEndpoint, Provider
from omnipilot.memory.models.keys import register_keys
from omnipilot.memory.models.providers import LITELLM, OPENAI_CHAT, provider_of, providers
from omnipilot.memory.secrets.scrub import scrub

URL = "http://127.0.0.1:9/v1"
HELLO = (Message("user", ("hello",)),)
SOUND = AudioClip(b"\1\0" * 800)
MODULE = """
from omnipilot.memory.models import Provider
from omnipilot.memory.models.media_forms import MediaForms
from omnipilot.memory.models.providers import OPENAI_CHAT

ACME = Provider(
    "acme",
    OPENAI_CHAT,
    url="{url}",
    key="ACME_SECRET_KEY",
    key_prefixes=("ACME_SECRET",),
    forms=lambda name: MediaForms(audio="input_audio" if "hears" in name else ""),
    unsupported=frozenset({{"seed"}}),
)
OURS = Provider("openai")
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder on the path, for a package of providers."""
    monkeypatch.syspath_prepend(str(tmp_path))
    yield tmp_path
    monkeypatch.undo()
    sys.modules.pop("acme_models", None)
    forget_plugins()


def test_one_module_adds_a_provider(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    key = "sk-of-acme-0123456789"
    monkeypatch.setenv("ACME_SECRET_KEY", key)
    with ChatServer([Answer(f"heard {key}")], key=key) as server:
        (folder / "acme_models.py").write_text(MODULE.format(url=server.url))
        put_plugin(folder, "acme", 'providers={"acme": "acme_models:ACME", "other": "acme_models:OURS"}')
        endpoint = LlmEndpoint("acme/hears-1", parameters={"temperature": 0.5, "seed": 3})
        reply = ChatModel(endpoint).complete((Message("user", ("What is this?", SOUND)),))
        with pytest.raises(ConfigError, match="takes no audio"):
            ChatModel(LlmEndpoint("acme/deaf-1")).complete((Message("user", (SOUND,)),))
        monkeypatch.delenv("ACME_SECRET_KEY")
        with pytest.raises(ConfigError, match="acme/hears-1 needs a key: set ACME_SECRET_KEY"):
            ChatModel(endpoint).complete(HELLO)
    (request,) = server.requests
    assert request.json["model"] == "hears-1" and request.json["temperature"] == 0.5 and "seed" not in request.json
    assert [part["type"] for part in request.json["messages"][0]["content"]] == ["text", "input_audio"]
    assert request.headers["authorization"] == f"Bearer {key}"
    assert reply.text == "heard (ACME_SECRET_KEY)" and reply.dropped == ("seed",) and reply.usage.cost is None
    assert provider_of("openai/x").client == OPENAI_CHAT, "a package changes no provider of ours"


@pytest.mark.parametrize(
    ("value", "told"), [("acme_models:NONE", "cannot be loaded"), ("sys:path", "is no Provider"), ("no_such:X", "acme")]
)
def test_a_broken_package_is_named_where_it_is_asked_for_and_hides_no_other(
    folder: Path, value: str, told: str
) -> None:
    (folder / "acme_models.py").write_text(MODULE.format(url=URL))
    put_plugin(folder, "acme", f'providers={{"acme": {value!r}}}')
    with pytest.raises(ConfigError, match=told):
        provider_of("acme/large")
    assert provider_of("openai/x") is providers()["openai"] and "acme" not in providers()


@pytest.mark.parametrize(
    ("model", "url", "client"),
    [
        ("hosted_vllm/Qwen/Qwen2.5-VL-7B-Instruct", URL, OPENAI_CHAT),
        ("openai-compatible/any", URL, OPENAI_CHAT),
        ("openai/my-own", URL, OPENAI_CHAT),
        ("openai/gpt-oss-20b", URL, OPENAI_CHAT),
        ("openai/gpt-4o", URL, LITELLM),
        ("openai/o3", URL, LITELLM),
        ("openai/gpt-4o", "", LITELLM),
        ("openai/my-own", "", LITELLM),
        ("anthropic/claude-sonnet-4-5", "", LITELLM),
        ("never_heard_of/x", "", LITELLM),
    ],
)
def test_litellm_asks_only_whom_the_lean_client_does_not(model: str, url: str, client: str) -> None:
    assert provider_of(model).client_for(LlmEndpoint(model, url)) == client


@pytest.mark.parametrize("model", ["hosted_vllm/x", "openai-compatible/x"])
def test_a_server_of_ones_own_needs_its_url(model: str) -> None:
    with pytest.raises(ConfigError, match="needs the URL of its server"):
        LlmEndpoint(model)


def test_a_lean_model_is_asked_without_litellm(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "litellm", None)
    with ChatServer([Answer("yes", usage=(9, 1))]) as server:
        model = ChatModel(LlmEndpoint("openai-compatible/x", server.url))
        model.warm_up()
        assert model.complete(HELLO).text == "yes"


def test_keys_of_a_provider_are_known_by_their_prefixes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_TOKEN", "hf_abcdefgh12345678")
    register_keys(LlmEndpoint("huggingface/x/y"))
    assert "hf_abcdefgh12345678" not in scrub("the token is hf_abcdefgh12345678")


def test_a_provider_names_the_variable_of_its_key() -> None:
    assert Provider("my-cloud").key_variable == "MY_CLOUD_API_KEY"
    assert provider_of("together_ai/x").key_variable == "TOGETHERAI_API_KEY"
