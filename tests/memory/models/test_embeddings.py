"""Texts as vectors from a server on the loopback, and what the memory `episodic` makes of them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from embeddings_server import EmbeddingsServer, embeddings_server
from made_settings import spec_of

from omnipilot.bench.journal import read
from omnipilot.bench.journal.events import TurnTaken
from omnipilot.bench.run import run
from omnipilot.envs import Box, ConfigError, Element, Elements, Observation, Size
from omnipilot.memory import ModelUnavailable, Role, Turn, Usage
from omnipilot.memory.episodic import EpisodicMemory
from omnipilot.memory.models.cassette import Cassette
from omnipilot.memory.models.embeddings import (
    BATCH,
    Embeddings,
    RecordedEmbeddings,
    ServedEmbeddings,
    make_embeddings,
)
from omnipilot.memory.models.endpoint import LlmEndpoint
from omnipilot.memory.models.exchange import Exchange, listening
from omnipilot.memory.models.retry import RetryClock

MODEL = "openai-compatible/tiny"
AT_ONCE = RetryClock(wait=lambda seconds: None)


@pytest.fixture
def server() -> Iterator[EmbeddingsServer]:
    with embeddings_server() as one:
        yield one


class Heard:
    """Keeps what a record is told."""

    def __init__(self) -> None:
        self.exchanges: list[Exchange] = []

    def exchanged(self, exchange: Exchange) -> None:
        self.exchanges.append(exchange)

    def unread(self, problem: str, unknown: Sequence[str] = ()) -> None: ...


def test_vectors_are_of_unit_length_in_the_order_of_the_texts(server: EmbeddingsServer) -> None:
    vectors, usage = make_embeddings(f"{MODEL},url={server.url}").embed(["a lamp", "a dog"])
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1) and vectors.dtype == np.float32
    assert vectors[0] @ [1, 0, 0] > 0.9 and vectors[1] @ [0, 1, 0] > 0.9
    assert (usage.calls, usage.tokens_in, usage.cost) == (1, 10, None)
    assert server.asked[0] == {"path": "/v1/embeddings", "model": "tiny", "input": ["a lamp", "a dog"]}
    assert make_embeddings(f"{MODEL},url={server.url}").embed([])[1] == Usage()


def test_many_texts_are_sent_in_batches_and_cost_what_they_cost(server: EmbeddingsServer) -> None:
    endpoint = LlmEndpoint(MODEL, server.url, price_in=2.0, price_out=0.0)
    vectors, usage = ServedEmbeddings(endpoint).embed([f"text {number}" for number in range(150)])
    assert len(vectors) == 150 and usage.calls == len(server.asked) == 3
    assert usage.cost == pytest.approx(750 * 2 / 1e6)


def test_recorded_vectors_are_replayed_without_the_server_and_are_those_of_the_recording(
    server: EmbeddingsServer, tmp_path: Path
) -> None:
    texts = ["a lamp", "a dog"]
    recorded, usage = make_embeddings(f"{MODEL},url={server.url}", str(tmp_path)).embed(texts)
    again = make_embeddings(f"{MODEL},url=http://127.0.0.1:9", str(tmp_path), replay=True)
    heard = Heard()
    with listening(heard):
        vectors, replayed = again.embed(texts)
    assert np.array_equal(vectors, recorded) and np.allclose(np.linalg.norm(vectors, axis=1), 1)
    assert np.allclose(vectors, make_embeddings(f"{MODEL},url={server.url}").embed(texts)[0], atol=1e-3)
    assert replayed == usage and [exchange.replayed for exchange in heard.exchanges] == [True]
    with pytest.raises(ConfigError, match=r"no answer to this request of openai-compatible/tiny.*a cat"):
        again.embed(["a lamp", "a cat"])
    assert len(server.asked) == 2


def test_which_weights_gave_recorded_vectors_is_replayed_too(tmp_path: Path) -> None:
    class Weighed(Embeddings):
        def embed(self, texts: Sequence[str]) -> tuple[Any, Usage]:
            return np.eye(len(texts), 3, dtype=np.float32), Usage()

        def identity(self) -> dict[str, str]:
            return {"weights": "abc"}

    name = "sentence-transformers/folder"
    recorded = RecordedEmbeddings(name, Cassette(tmp_path), Weighed())
    assert recorded.identity() == {"weights": "abc"} and recorded.embed(["one", "two"])[1] == Usage()
    again = make_embeddings(name, str(tmp_path), replay=True)  # the folder is not looked at
    again.warm_up()
    assert again.identity() == {"weights": "abc"}
    assert np.array_equal(again.embed(["one", "two"])[0], np.eye(2, 3))


def test_a_run_replays_the_embeddings_of_its_memory(server: EmbeddingsServer, tmp_path: Path) -> None:
    def play(url: str, **more: Any) -> list[Any]:
        memory = {"name": "episodic", "embeddings": f"{MODEL},url={url}"}
        flags = {"suite": "toy", "planner": "noop", "memory": memory, "limits": {"turns": 2}}
        spec = spec_of({}, {**flags, "cassette": str(tmp_path / "calls"), **more})
        run(spec, tmp_path / f"run-{len(more)}")
        return [event for event in read(tmp_path / f"run-{len(more)}") if isinstance(event, TurnTaken)]

    recorded = play(server.url)
    asked = len(server.asked)
    assert asked > 0
    again = play("http://127.0.0.1:9", replay=True)
    assert [turn.recalled for turn in again] == [turn.recalled for turn in recorded] and len(server.asked) == asked


def test_a_record_is_told_the_texts_and_the_number_of_vectors_but_neither_vectors_nor_keys(
    server: EmbeddingsServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("VECTOR_KEY", "sk-vectors-1234")
    endpoint = LlmEndpoint(MODEL, server.url, "VECTOR_KEY", price_in=2.0, price_out=0.0, retries=1)
    heard = Heard()
    with listening(heard):
        ServedEmbeddings(endpoint).embed([f"text {number}" for number in range(BATCH + 1)])
        server.reply = (500, b"sk-vectors-1234 is too busy")
        with pytest.raises(ModelUnavailable):
            ServedEmbeddings(endpoint, AT_ONCE).embed(["a"])
    first, second, failed, again = heard.exchanges
    assert [one.attempt for one in heard.exchanges] == [1, 1, 1, 2]
    assert first.body == {"model": "tiny", "input": [f"text {number}" for number in range(BATCH)]}
    assert first.reply is not None and first.reply.text == "64 vectors of 3 dimensions" and first.raw == ""
    assert second.reply is not None and second.reply.text == "1 vector of 3 dimensions"
    assert (first.model, first.usage.tokens_in, first.usage.cost) == (MODEL, 320, pytest.approx(320 * 2 / 1e6))
    assert failed.reply is None and failed.raw == again.raw == "(VECTOR_KEY) is too busy"
    assert "HTTP 500" in failed.problem and "sk-vectors" not in repr(heard.exchanges)


@pytest.mark.parametrize("reply", [(500, b""), (200, b"no JSON"), (200, b'{"data": []}'), (200, b'{"data": [{}]}')])
def test_an_answer_that_is_none_is_told(server: EmbeddingsServer, reply: tuple[int, bytes]) -> None:
    server.reply = reply
    with pytest.raises(ModelUnavailable, match="openai-compatible/tiny.*no answer in 2 attempts"):
        ServedEmbeddings(LlmEndpoint(MODEL, server.url, retries=1), AT_ONCE).embed(["a"])
    assert len(server.asked) == 2


def test_a_key_is_sent_where_one_is_named_and_shown_nowhere(
    server: EmbeddingsServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("VECTOR_KEY", "sk-vectors-1234")
    server.reply = (400, b"the key sk-vectors-1234 is of another model")
    with pytest.raises(ConfigError, match="is of another model") as told:
        make_embeddings(f"{MODEL},url={server.url},key_env=VECTOR_KEY").embed(["a"])
    assert server.keys == ["Bearer sk-vectors-1234"] and "sk-vectors" not in str(told.value)


def test_other_providers_are_asked_through_litellm(monkeypatch: pytest.MonkeyPatch) -> None:
    from omnipilot.memory.models.litellm import library

    asked: list[dict[str, Any]] = []

    def embed(request: dict[str, Any], seconds: float) -> bytes:
        asked.append(request)
        return json.dumps({"data": [{"index": 0, "embedding": [0.0, 4.0]}], "usage": None}).encode()

    monkeypatch.setattr(library, "embed", embed)
    monkeypatch.setenv("VECTOR_KEY", "sk-vectors-1234")
    vectors, usage = make_embeddings("openai/text-embedding-3-small,key_env=VECTOR_KEY").embed(["a"])
    assert vectors.tolist() == [[0.0, 1.0]] and usage.calls == 1
    assert asked == [{"model": "openai/text-embedding-3-small", "input": ["a"], "api_key": "sk-vectors-1234"}]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (MODEL, "URL of its server"),
        ("minilm", "names no model: it lacks its provider.*in this process it is sentence-transformers/FOLDER"),
        ("openai/small,device=cpu", "unknown option 'device'; there are url, key_env, timeout, retries"),
        ("openai/small,timeout=soon", "timeout and retries are numbers"),
        ("openai/small,url=", "write url=VALUE"),
    ],
)
def test_a_text_that_names_no_embeddings_is_refused_with_the_cure(text: str, told: str) -> None:
    with pytest.raises(ConfigError, match=told):
        make_embeddings(text)


def test_what_is_near_in_meaning_is_recalled_without_a_word_in_common(server: EmbeddingsServer) -> None:
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
    assert "chandelier in the hall near the task in meaning (1.00)" in recalled(embeddings=f"{MODEL},url={server.url}")


def memory_of(lines: Sequence[str], **options: Any) -> EpisodicMemory:
    """A memory of one screen a turn."""
    memory = EpisodicMemory(**options)
    for turn, line in enumerate(lines):
        names = line.split(" | ")
        elements = Elements(tuple(Element("text", name, Box(0, 0, 1, 1)) for name in names))
        seen = Observation("desktop", float(turn), Size(8, 8), elements=elements)
        memory.record(Turn(turn, {"desktop": seen}, "", (), (), Usage()))
    return memory


def recalled_texts(memory: EpisodicMemory, query: str) -> list[str]:
    found = memory.recall(query, memory.budget, Role("planner"), ("desktop",))
    return [str(one.part) for one in found]


def test_the_line_of_a_long_screen_that_is_near_in_meaning_counts_however_old_it_is(server: EmbeddingsServer) -> None:
    busy = " | ".join([*(f"button {number}" for number in range(40)), "a chandelier"])
    memory = memory_of([busy, *(f"page {turn}" for turn in range(700))], use="", embeddings=f"{MODEL},url={server.url}")
    assert any("chandelier" in text for text in recalled_texts(memory, "which lamp was it"))
    asked = [text for one in server.asked for text in one["input"]]
    assert len(asked) == len(set(asked)), "each line is asked for once"
    assert "a chandelier" in asked


def test_a_role_is_told_nothing_near_in_meaning_that_it_may_not_see(server: EmbeddingsServer) -> None:
    memory = memory_of(["a chandelier"], use="", embeddings=f"{MODEL},url={server.url}")
    found = memory.recall("lamp", memory.budget, Role("planner", envs=frozenset({"phone"})), ("desktop", "phone"))
    assert found == () and "a chandelier" not in [text for one in server.asked for text in one["input"]]


def test_signals_are_needed_where_there_is_no_meaning() -> None:
    with pytest.raises(ConfigError, match="use names no signal"):
        EpisodicMemory(use="")
