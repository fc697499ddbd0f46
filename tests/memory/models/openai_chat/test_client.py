"""What a chat client says and what it makes of the answer: the wire, usage, keys, connections."""

from __future__ import annotations

import base64
import json
from concurrent.futures import ThreadPoolExecutor

import pytest
from chat_server import Answer, Body, ChatServer, Status

from omnipilot.envs import AudioClip, ConfigError, Image, Size, VideoClip
from omnipilot.memory import Message, ModelUnavailable
from omnipilot.memory.models import ChatModel, LlmEndpoint, Sampling
from omnipilot.memory.models.retry import RetryClock

URL = "http://127.0.0.1:8000/v1"
KEY = "sk-very-secret-0123456789"
HELLO = (Message("user", ("hello",)),)


def client(server: ChatServer, **options: object) -> ChatModel:
    endpoint = LlmEndpoint("hosted_vllm/scripted", server.url, timeout=60, **options)  # type: ignore[arg-type]
    return ChatModel(endpoint, clock=RetryClock(draw=lambda: 0.0))


def picture(shade: int) -> Image:
    return Image.raw(Size(20, 10), bytes([shade]) * 600)


def test_an_answer_with_its_usage() -> None:
    with ChatServer([Answer("(12, 34)", usage=(120, 7), model="served")]) as server:
        reply = client(server, price_in=0, price_out=0).complete(HELLO)
    assert (reply.text, reply.calls, reply.model) == ("(12, 34)", (), "served")
    assert (reply.usage.calls, reply.usage.tokens_in, reply.usage.tokens_out, reply.usage.cost) == (1, 120, 7, 0.0)
    assert 0 < reply.usage.seconds < 60


def test_a_server_that_counts_no_tokens() -> None:
    with ChatServer([Answer("x", usage=None)]) as server:
        assert client(server).complete(HELLO).usage.tokens == 0


def test_tool_calls_come_back_in_order() -> None:
    calls = (("click", '{"x": 1}'), ("type", '{"text": "é"}'))
    with ChatServer([Answer(None, calls=calls)]) as server:
        reply = client(server).complete(HELLO)
    assert (reply.text, reply.calls) == ("", calls)


def test_content_in_parts_is_read_as_text() -> None:
    parts = [{"type": "text", "text": "(1, "}, {"type": "text", "text": "2)"}]
    body = json.dumps({"choices": [{"message": {"role": "assistant", "content": parts}}]}).encode()
    with ChatServer([Body(body)]) as server:
        assert client(server).complete(HELLO).text == "(1, 2)"


def test_sampling_and_model_are_sent() -> None:
    sampling = Sampling(
        temperature=0.5, max_tokens=9, top_p=0.8, stop=("<end>",), extra_body={"skip_special_tokens": False}
    )
    with ChatServer() as server:
        client(server).complete(HELLO, sampling=sampling)
        client(server).complete(HELLO)
    first, second = (request.json for request in server.requests)
    assert first == {
        "model": "scripted",
        "messages": [{"role": "user", "content": "hello"}],
        "temperature": 0.5,
        "max_tokens": 9,
        "top_p": 0.8,
        "stop": ["<end>"],
        "skip_special_tokens": False,
    }
    assert set(second) == {"model", "messages"}


def test_a_schema_becomes_a_response_format() -> None:
    schema = {"type": "object", "properties": {"x": {"type": "integer"}}, "required": ["x"]}
    with ChatServer() as server:
        client(server).complete(HELLO, schema=schema)
    told = server.requests[0].json["response_format"]
    assert told["type"] == "json_schema" and told["json_schema"]["schema"] == schema and told["json_schema"]["name"]


def test_a_last_message_of_the_assistant_is_gone_on_with() -> None:
    with ChatServer() as server:
        client(server).complete([*HELLO, Message("assistant", ("click(",))])
    told = server.requests[0].json
    assert told["messages"][-1] == {"role": "assistant", "content": "click("}
    assert told["continue_final_message"] is True and told["add_generation_prompt"] is False


def test_the_order_of_mixed_parts_is_kept_and_nothing_dropped() -> None:
    image, sound = picture(7), AudioClip(b"\1\0" * 160)
    parts = ('first ü\n"', image, "second", sound, image, "", "last \ud800")
    with ChatServer() as server:
        client(server).complete([Message("system", ("be brief",)), Message("user", parts)])
    system, user = server.requests[0].json["messages"]
    assert system == {"role": "system", "content": "be brief"}
    kinds = [part["type"] for part in user["content"]]
    assert kinds == ["text", "image_url", "text", "input_audio", "image_url", "text", "text"]
    assert [part["text"] for part in user["content"] if part["type"] == "text"] == [
        'first ü\n"',
        "second",
        "",
        "last ?",
    ]
    kind, data = user["content"][1]["image_url"]["url"].split(",")
    assert kind == "data:image/png;base64" and Image.encoded(base64.b64decode(data)) == image
    told = user["content"][3]["input_audio"]
    assert told["format"] == "wav" and AudioClip.from_wav(base64.b64decode(told["data"])) == sound


@pytest.mark.needs("omnipilot[video]")
def test_a_video_is_sent_as_mp4() -> None:
    clip = VideoClip([picture(0), Image.raw(Size(20, 10), bytes([200]) * 600, time=0.5)], 1.0)
    with ChatServer() as server:
        client(server).complete([Message("user", (clip, "what moved?"))])
    kind, data = server.requests[0].json["messages"][0]["content"][0]["video_url"]["url"].split(",")
    assert kind == "data:video/mp4;base64" and base64.b64decode(data)[4:8] == b"ftyp"


def test_questions_about_one_picture_begin_with_the_same_bytes() -> None:
    rgb = bytes(range(200)) * 3
    with ChatServer() as server:
        asks = client(server)
        for word in ("one", "two"):
            # Another object of the same content, as another observation of an unchanged screen brings it.
            asks.complete([Message("user", (Image.raw(Size(20, 10), rgb), word))])
    first, second = (request.body for request in server.requests)
    same = next(i for i, (a, b) in enumerate(zip(first, second, strict=False)) if a != b)
    assert first[:same].endswith(b'{"type":"text","text":"')


def test_a_picture_is_encoded_once(monkeypatch: pytest.MonkeyPatch) -> None:
    encoded = []
    png = Image.png
    monkeypatch.setattr(Image, "png", lambda self: encoded.append(self.digest) or png(self))
    with ChatServer() as server, ThreadPoolExecutor(8) as pool:
        asks = client(server)
        list(pool.map(lambda shade: asks.complete([Message("user", (picture(shade % 2), "?"))]), range(24)))
    assert sorted(encoded) == sorted({picture(0).digest, picture(1).digest})


def test_connections_are_kept_alive() -> None:
    with ChatServer() as server:
        asks = client(server)
        for _ in range(10):
            asks.complete(HELLO)
        assert server.connections == 1
        asks.close()


def test_a_connection_that_went_stale_is_made_anew() -> None:
    with ChatServer() as server:
        asks = client(server, retries=0)
        asks.complete(HELLO)
        server.hang_up()
        assert asks.complete(HELLO).text == "(500, 500)"
    assert server.connections == 2


def test_concurrency_is_bounded() -> None:
    def answer(_: object) -> Answer:
        assert server.wait_for(lambda it: it.most_under_way >= 3)
        return Answer("x", delay=0.02)

    with ChatServer(answer) as server, ThreadPoolExecutor(12) as pool:
        asks = client(server, concurrency=3)
        assert len(list(pool.map(lambda _: asks.complete(HELLO), range(24)))) == 24
        assert server.most_under_way == 3 and server.connections == 3


def test_keys_are_sent_and_never_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOME_KEY", KEY)
    told = []
    with ChatServer(key=KEY) as server:
        asks = ChatModel(LlmEndpoint("hosted_vllm/scripted", server.url, key_env="SOME_KEY"))
        assert asks.complete(HELLO).usage.cost is None
        assert server.requests[0].headers["authorization"] == f"Bearer {KEY}"
        told += [repr(asks), str(asks), repr(asks.endpoint)]
    for script in ([Status(400, f"your key {KEY} is odd")], [Status(500, f"{KEY}")], [Body(KEY.encode())]):
        with ChatServer(script) as server, pytest.raises((ConfigError, ModelUnavailable)) as caught:
            ChatModel(LlmEndpoint("hosted_vllm/scripted", server.url, "SOME_KEY", retries=0)).complete(HELLO)
        chain: BaseException | None = caught.value
        while chain is not None:
            told.append(f"{chain!r}")
            chain = chain.__cause__ or chain.__context__
    assert all(KEY not in text for text in told), told


@pytest.mark.parametrize("key", ["sk-1234\n", "sk 1234", "sk-éééé"])
def test_a_key_that_no_header_carries_is_refused_unseen(key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOME_KEY", key)
    with pytest.raises(ConfigError, match="the key in") as caught:
        ChatModel(LlmEndpoint("hosted_vllm/scripted", URL, "SOME_KEY"))
    assert key.strip() not in str(caught.value)


def test_a_missing_or_refused_key_names_its_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SOME_KEY", raising=False)
    with pytest.raises(ConfigError, match="SOME_KEY holds no key"):
        ChatModel(LlmEndpoint("hosted_vllm/scripted", URL, "SOME_KEY"))
    monkeypatch.setenv("SOME_KEY", "sk-wrong")
    with ChatServer(key=KEY) as server:
        with pytest.raises(ConfigError, match="does not accept the key in SOME_KEY"):
            ChatModel(LlmEndpoint("hosted_vllm/scripted", server.url, key_env="SOME_KEY")).complete(HELLO)
        with pytest.raises(ConfigError, match="wants a key; name its variable with key_env"):
            client(server).complete(HELLO)


@pytest.mark.parametrize(
    "url", ["", "localhost:8000", "ftp://x/v1", "http://me:secret@host/v1", "http://host/v1?k=secret"]
)
def test_a_url_that_is_none_is_refused(url: str) -> None:
    with pytest.raises(ConfigError) as caught:
        ChatModel(LlmEndpoint("hosted_vllm/scripted", url))
    assert "secret" not in str(caught.value)
