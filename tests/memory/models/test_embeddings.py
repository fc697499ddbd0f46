"""Texts as vectors from a server on the loopback, and what the memory `episodic` makes of them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

import numpy as np
import pytest

from omnipilot.envs import Box, ConfigError, Element, Elements, Observation, Size
from omnipilot.memory import ModelUnavailable, Role, Turn, Usage
from omnipilot.memory.episodic import EpisodicMemory
from omnipilot.memory.models.embeddings import ServedEmbeddings, embeddings
from omnipilot.memory.models.endpoint import LlmEndpoint
from omnipilot.memory.models.retry import RetryClock

MODEL = "openai-compatible/tiny"
AT_ONCE = RetryClock(wait=lambda seconds: None)


def vector(text: str) -> list[float]:
    """Of lamps, of anything else, and a bit of length."""
    lamp = any(word in text.casefold() for word in ("lamp", "chandelier", "light"))
    return [3.0 * lamp, 2.0 * (not lamp), 0.1]


class Server(ThreadingHTTPServer):
    """Answers /embeddings; the order of the vectors is reversed, each with its index."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.asked: list[dict[str, Any]] = []
        self.reply: tuple[int, bytes] | None = None
        self.keys: list[str | None] = []

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/v1"


class _Handler(BaseHTTPRequestHandler):
    server: Server

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.keys.append(self.headers["Authorization"])
        self.server.asked.append({"path": self.path, **body})
        data = [{"index": i, "embedding": vector(text)} for i, text in enumerate(body["input"])]
        answer = json.dumps({"data": data[::-1], "usage": {"prompt_tokens": 5 * len(data)}}).encode()
        status, content = self.server.reply or (200, answer)
        self.send_response(status)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *told: object) -> None: ...


@pytest.fixture
def server() -> Iterator[Server]:
    one = Server()
    Thread(target=one.serve_forever, daemon=True).start()
    yield one
    one.shutdown()
    one.server_close()


def test_vectors_are_of_unit_length_in_the_order_of_the_texts(server: Server) -> None:
    vectors, usage = embeddings(MODEL, server.url).embed(["a lamp", "a dog"])
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1) and vectors.dtype == np.float32
    assert vectors[0] @ [1, 0, 0] > 0.9 and vectors[1] @ [0, 1, 0] > 0.9
    assert (usage.calls, usage.tokens_in, usage.cost) == (1, 10, None)
    assert server.asked[0] == {"path": "/v1/embeddings", "model": "tiny", "input": ["a lamp", "a dog"]}
    assert embeddings(MODEL, server.url).embed([])[1] == Usage()


def test_many_texts_are_sent_in_batches_and_cost_what_they_cost(server: Server) -> None:
    endpoint = LlmEndpoint(MODEL, server.url, price_in=2.0, price_out=0.0)
    vectors, usage = ServedEmbeddings(endpoint).embed([f"text {number}" for number in range(150)])
    assert len(vectors) == 150 and usage.calls == len(server.asked) == 3
    assert usage.cost == pytest.approx(750 * 2 / 1e6)


@pytest.mark.parametrize("reply", [(500, b""), (200, b"no JSON"), (200, b'{"data": []}'), (200, b'{"data": [{}]}')])
def test_an_answer_that_is_none_is_told(server: Server, reply: tuple[int, bytes]) -> None:
    server.reply = reply
    with pytest.raises(ModelUnavailable, match="openai-compatible/tiny.*no answer in 2 attempts"):
        ServedEmbeddings(LlmEndpoint(MODEL, server.url, retries=1), AT_ONCE).embed(["a"])
    assert len(server.asked) == 2


def test_a_key_is_sent_where_one_is_named_and_shown_nowhere(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VECTOR_KEY", "sk-vectors-1234")
    server.reply = (400, b"the key sk-vectors-1234 is of another model")
    with pytest.raises(ConfigError, match="is of another model") as told:
        embeddings(MODEL, server.url, "VECTOR_KEY").embed(["a"])
    assert server.keys == ["Bearer sk-vectors-1234"] and "sk-vectors" not in str(told.value)


def test_other_providers_are_asked_through_litellm(monkeypatch: pytest.MonkeyPatch) -> None:
    from omnipilot.memory.models.litellm import library

    asked: list[dict[str, Any]] = []

    def embed(request: dict[str, Any], seconds: float) -> bytes:
        asked.append(request)
        return json.dumps({"data": [{"index": 0, "embedding": [0.0, 4.0]}], "usage": None}).encode()

    monkeypatch.setattr(library, "embed", embed)
    monkeypatch.setenv("VECTOR_KEY", "sk-vectors-1234")
    vectors, usage = embeddings("openai/text-embedding-3-small", key_env="VECTOR_KEY").embed(["a"])
    assert vectors.tolist() == [[0.0, 1.0]] and usage.calls == 1
    assert asked == [{"model": "openai/text-embedding-3-small", "input": ["a"], "api_key": "sk-vectors-1234"}]


def test_a_model_without_a_server_is_refused() -> None:
    with pytest.raises(ConfigError, match="URL of its server"):
        embeddings(MODEL)


def test_what_is_near_in_meaning_is_recalled_without_a_word_in_common(server: Server) -> None:
    def recalled(**options: Any) -> str:
        memory = EpisodicMemory(use="text", **options)
        for turn in range(60):
            line = "chandelier in the hall" if turn == 3 else f"page {turn}"
            elements = Elements((Element("text", line, Box(0, 0, 1, 1)),))
            seen = Observation("desktop", float(turn), Size(8, 8), elements=elements)
            memory.record(Turn(turn, {"desktop": seen}, "", (), (), Usage()))
        found = memory.recall("which lamp was it", memory.budget, Role("planner"), ("desktop",))
        if options:
            assert memory.drain_usage().calls == len(server.asked) > 0
            before = len(server.asked)
            memory._answers.clear()
            assert memory.recall("which lamp was it", memory.budget, Role("planner"), ("desktop",)) == found
            assert len(server.asked) == before, "each text is asked for once"
        return " ".join(f"{one.part} {one.why}" for one in found)

    assert "chandelier" not in recalled()
    assert "chandelier in the hall near the task in meaning (1.00)" in recalled(embeddings=MODEL, url=server.url)
