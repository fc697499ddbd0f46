"""A model is asked where the user said, and nowhere else: no redirect carries a conversation, or a key, to another."""

import asyncio
import socket
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from chat_server import Behaviour, ChatServer, Request, Status
from command_line import omnipilot

from omnipilot.envs import ConfigError
from omnipilot.grounders.served import served_models
from omnipilot.memory import Message, ModelUnavailable
from omnipilot.memory.models import ChatModel, LlmEndpoint

pytestmark = pytest.mark.needs("omnipilot[llm]")
HELLO = (Message("user", ("words of the prompt",)),)
MOVED = (301, 302, 303, 307, 308)
HOSTED = {
    # One of each of litellm's clients: OpenAI's, Azure's, its own with keys in headers of several names, and signed.
    "openai/gpt-4o": "/chat/completions",
    "azure/gpt-4o": "/openai/deployments/gpt-4o/chat/completions",
    "anthropic/claude-sonnet-4-5": "/v1/messages",
    "gemini/gemini-2.0-flash": "/models/gemini-2.0-flash:generateContent",
    "bedrock/amazon.nova-pro-v1:0": "/model/",
    "mistral/mistral-small": "/chat/completions",
    "ollama_chat/llava": "/api/chat",
    "lm_studio/tiny": "/chat/completions",
}


class Moving(ChatServer):
    """A server that is elsewhere, whatever it is asked."""

    def __init__(self, to: str, code: int = 307) -> None:
        super().__init__()
        self._to, self._code = to, code

    def meet(self, request: Request) -> Behaviour:
        self.requests.append(request)
        path = request.path.removeprefix("/v1")
        return Status(self._code, "over there", headers={"Location": self._to + path} if self._to else {})


@pytest.fixture
def other() -> Iterator[ChatServer]:
    """The server that nobody was told to ask."""
    with ChatServer() as server:
        yield server


@pytest.fixture
def hosted(monkeypatch: pytest.MonkeyPatch) -> None:
    """What providers want to be set before they are asked anything."""
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "HEAD_KEY"):
        monkeypatch.setenv(name, "not-a-key-of-anybody")
    monkeypatch.setenv("AWS_REGION_NAME", "us-east-1")
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")


def told(model: str, server: ChatServer) -> str:
    """The error of a call."""
    with pytest.raises(ConfigError) as lost:
        ChatModel(LlmEndpoint(model, server.url, "HEAD_KEY", retries=0)).complete(HELLO)
    assert len(server.requests) == 1
    return str(lost.value)


@pytest.mark.slow
@pytest.mark.usefixtures("hosted")
@pytest.mark.parametrize("model", HOSTED)
def test_no_provider_is_followed_to_another_host(model: str, other: ChatServer) -> None:
    with Moving(other.url) as server:
        line = told(model, server)
    assert not other.requests
    assert "has moved (HTTP 307): Temporary Redirect" in line and f"give the URL '{other.url}'" in line
    assert HOSTED[model] in server.requests[0].path and b"words of the prompt" in server.requests[0].body


@pytest.mark.slow
@pytest.mark.usefixtures("hosted")
@pytest.mark.parametrize("code", MOVED)
def test_nor_is_it_by_any_kind_of_redirect(code: int, other: ChatServer) -> None:
    with Moving(other.url, code) as server:
        assert f"has moved (HTTP {code})" in told("anthropic/claude-sonnet-4-5", server)
    assert not other.requests


@pytest.mark.parametrize("model", ["hosted_vllm/tiny", "lm_studio/tiny"])
def test_a_place_on_the_same_server_is_told_in_full(model: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HEAD_KEY", "not-a-key-of-anybody")
    with Moving("/v2") as server:
        assert f"give the URL '{server.url.removesuffix('v1')}v2'" in told(model, server)


@pytest.mark.usefixtures("hosted")
def test_a_redirect_to_nowhere_is_an_error_like_others() -> None:
    with Moving("") as server:
        assert "HTTP 307" in told("openai/gpt-4o", server)


@pytest.mark.usefixtures("hosted")
@pytest.mark.parametrize("model", ["hosted_vllm/tiny", "openai/gpt-4o", "anthropic/claude-sonnet-4-5"])
@pytest.mark.parametrize("to", ["http://[::bad", "http://\xe9:99999", "javascript:alert(1)"])
def test_so_is_one_to_what_is_no_address(model: str, to: str) -> None:
    with Moving(to) as server, pytest.raises((ConfigError, ModelUnavailable)):
        ChatModel(LlmEndpoint(model, server.url, "HEAD_KEY", retries=0)).complete(HELLO)
    assert server.requests


@pytest.mark.usefixtures("hosted")
def test_a_run_ends_with_one_line(other: ChatServer, tmp_path: Path) -> None:
    with Moving(other.url, 308) as server:
        done = omnipilot(
            *("run", "--suite", "toy_suite:ToySuite", "--tasks", "count", "--out", str(tmp_path / "run")),
            *("--planner", "anthropic/claude-sonnet-4-5", "--planner-url", server.url),
            *("-o", "planner.key_env=HEAD_KEY"),
        )
    assert done.returncode == 2 and "has moved (HTTP 308)" in done.stderr and not other.requests
    assert "Traceback" not in done.stderr


@pytest.mark.usefixtures("hosted")
def test_recordings_and_texts_go_nowhere_else_either(other: ChatServer) -> None:
    from omnipilot.memory.models.litellm.library import embed, transcribe
    from omnipilot.memory.models.litellm.redirects import Redirected

    for ask, model, given in (
        (embed, "mistral/mistral-embed", {"input": ["words"]}),
        (embed, "gemini/text-embedding-004", {"input": ["words"]}),
        (transcribe, "openai/whisper-1", {"file": ("a.wav", b"RIFF")}),
        (transcribe, "deepgram/nova-2", {"file": ("a.wav", b"RIFF")}),
    ):
        with Moving(other.url) as server, pytest.raises(Redirected):
            ask({"model": model, "api_base": server.url, "api_key": "x", **given}, 20.0)
        assert len(server.requests) == 1 and not other.requests


@pytest.mark.usefixtures("hosted")
def test_who_cannot_be_kept_from_following_is_refused(other: ChatServer) -> None:
    with Moving(other.url) as server, pytest.raises(ConfigError, match="openai-compatible/tiny"):
        ChatModel(LlmEndpoint("aiohttp_openai/tiny", server.url, "HEAD_KEY", retries=0)).complete(HELLO)
    assert not server.requests and not other.requests


@pytest.mark.usefixtures("hosted")
def test_the_clients_of_others_follow_as_before() -> None:
    """Data sets are fetched through httpx, too, and theirs are behind redirects."""
    from omnipilot.memory.models.litellm.library import library
    from omnipilot.memory.models.litellm.redirects import Redirected, refuse_redirects

    library()
    httpx: Any = sys.modules["httpx"]

    class Elsewhere(ChatServer):
        def meet(self, request: Request) -> Behaviour:
            self.requests.append(request)
            return Status(200, "here")

    with Elsewhere() as there, Moving(there.url) as server:
        assert httpx.get(server.url, follow_redirects=True).status_code == 200

        async def fetch() -> Any:
            async with httpx.AsyncClient(follow_redirects=True) as client:
                return await client.get(server.url)

        async def fetch_in_a_thread() -> Any:
            return await asyncio.to_thread(httpx.get, server.url, follow_redirects=True)

        assert asyncio.run(fetch()).status_code == 200
        for way in (fetch, fetch_in_a_thread):
            with pytest.raises(Redirected):
                asyncio.run(refuse_redirects(way()))
        assert asyncio.run(fetch()).status_code == 200


def test_a_list_of_models_is_asked_for_where_the_server_is(other: ChatServer) -> None:
    with Moving(other.url) as server, pytest.raises(OSError, match="307"):
        served_models(server.url, "a-key")
    assert len(server.requests) == 1 and not other.requests


@pytest.mark.slow
@pytest.mark.usefixtures("hosted")
def test_none_of_all_the_providers_of_litellm_follows(other: ChatServer, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each is asked at an address on this machine; those that ask their own address instead reach nobody."""
    from omnipilot.memory.models.litellm.library import ask, library
    from omnipilot.memory.models.litellm.redirects import FOLLOWING, Redirected

    look_up = socket.getaddrinfo

    def only_here(host: Any, *more: Any, **others: Any) -> Any:
        if host not in ("127.0.0.1", "localhost"):
            raise socket.gaierror(socket.EAI_NONAME, "not from a test")
        return look_up(host, *more, **others)

    monkeypatch.setattr(socket, "getaddrinfo", only_here)
    talk = [{"role": "user", "content": "words of the prompt"}]
    kept, followed = set(), set()
    for provider in sorted(str(getattr(one, "value", one)) for one in library().provider_list):
        with Moving(other.url) as server:
            request = {"model": f"{provider}/x", "api_base": server.url, "api_key": "x", "messages": talk}
            try:
                ask(request, 5.0)
            except Redirected:
                kept.add(provider)
            except Exception:
                pass
        if other.requests:
            followed.add(provider)
            other.requests.clear()
    assert followed == FOLLOWING
    # The others are not asked for chats, want settings of their own, or ask no address but their own.
    assert len(kept) > 90 and {"openai", "anthropic", "gemini", "azure", "mistral", "openrouter", "groq"} <= kept
