"""Transcribers behind an endpoint: what is sent, what is made of the answer, and what of none."""

from __future__ import annotations

import io
import json
import wave
from types import SimpleNamespace

import numpy as np
import pytest
from transcription_server import TranscriptionServer, said

from omnipilot.envs import AudioClip, ConfigError, MissingExtra
from omnipilot.memory import ModelUnavailable
from omnipilot.memory.models import LlmEndpoint, prices
from omnipilot.memory.models.exchange import Exchange, listening
from omnipilot.memory.models.retry import RetryClock
from omnipilot.memory.transcription import EndpointTranscriber, make_transcriber

CLIP = AudioClip.from_array(np.arange(16_000, dtype=np.int16), "phone", 5.0)
AT_ONCE = RetryClock(wait=lambda seconds: None)


def endpoint(server: TranscriptionServer, **more: object) -> LlmEndpoint:
    return LlmEndpoint("openai-compatible/whisper-tiny", server.url, **more)  # type: ignore[arg-type]


def test_the_clip_is_sent_as_a_file_and_the_text_comes_back() -> None:
    with TranscriptionServer(lambda _: said(" the code is 7394 \n")) as server:
        transcriber = make_transcriber(f"openai-compatible/whisper-tiny,url={server.url},language=en")
        assert transcriber.transcribe(CLIP) == "the code is 7394"
        transcriber.close()
    (form,) = server.forms
    assert server.paths == ["/v1/audio/transcriptions"] and "authorization" not in server.headers[0]
    assert (form["model"], form["language"], form["response_format"]) == (b"whisper-tiny", b"en", b"json")
    with wave.open(io.BytesIO(form["file"])) as file:
        assert (file.getframerate(), file.readframes(99_999)) == (16_000, CLIP.pcm)


def test_a_key_is_sent_where_one_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SPEECH_KEY", "sk-speech-1234")
    with TranscriptionServer(lambda _: said("x")) as server:
        EndpointTranscriber(endpoint(server, key_env="SPEECH_KEY")).transcribe(CLIP)
    assert server.headers[0]["authorization"] == "Bearer sk-speech-1234" and b"language" not in server.forms[0]
    with pytest.raises(ConfigError, match="NO_SUCH_KEY"):
        EndpointTranscriber(endpoint(server, key_env="NO_SUCH_KEY"))


@pytest.mark.parametrize("first", [(503, b"busy"), (429, b"later"), (200, b"<html>"), (200, b'{"text": 4}')])
def test_what_may_pass_is_tried_again(first: tuple[int, bytes]) -> None:
    with TranscriptionServer(lambda n: first if n == 0 else said("at last")) as server:
        assert EndpointTranscriber(endpoint(server), clock=AT_ONCE).transcribe(CLIP) == "at last"
        assert len(server.forms) == 2


def test_what_will_not_pass_says_why() -> None:
    refusing = TranscriptionServer(lambda _: (400, b'{"error": "no such language"}'))
    with refusing as server, pytest.raises(ConfigError, match="no such language"):
        EndpointTranscriber(endpoint(server), clock=AT_ONCE).transcribe(CLIP)
    broken = TranscriptionServer(lambda _: (500, b"broken"))
    with broken as server, pytest.raises(ModelUnavailable, match="no answer in 3 attempts: HTTP 500: broken"):
        EndpointTranscriber(endpoint(server, retries=2), clock=AT_ONCE).transcribe(CLIP)
    with pytest.raises(ModelUnavailable, match="is the server running"):
        EndpointTranscriber(endpoint(server, retries=0), clock=AT_ONCE).transcribe(CLIP)


def test_a_record_is_told_the_sound_the_answer_and_what_it_cost() -> None:
    told: list[Exchange] = []
    listener = SimpleNamespace(exchanged=told.append)
    usage = {"type": "tokens", "input_tokens": 14, "output_tokens": 45}
    answers = [(200, b"<html>"), (200, json.dumps({"text": " 7394 ", "usage": usage}).encode())]
    with TranscriptionServer(answers.__getitem__) as server, listening(listener):  # type: ignore[arg-type]
        priced = endpoint(server, price_in=1.0, price_out=2.0)
        assert EndpointTranscriber(priced, "en", AT_ONCE).transcribe(CLIP) == "7394"
    failed, answered = told
    file = answered.body["file"]
    assert file.media.digest == CLIP.digest and file.kind == "audio/wav"
    assert dict(answered.body) == {
        "model": "whisper-tiny", "language": "en", "response_format": "json", "file": file,
    }  # fmt: skip
    assert failed.raw == "<html>" and "no transcription" in failed.problem and failed.reply is None
    assert answered.reply is not None and answered.reply.text == "7394" and "input_tokens" in answered.raw
    spent = answered.usage
    assert (spent.tokens_in, spent.tokens_out, spent.cost) == (14, 45, pytest.approx((14 + 2 * 45) / 1e6))


def test_what_is_billed_by_the_second_has_the_price_of_its_seconds(monkeypatch: pytest.MonkeyPatch) -> None:
    listed = {"whisper-tiny": {"litellm_provider": "openai-compatible", "input_cost_per_second": 0.5}}
    told: list[Exchange] = []
    with TranscriptionServer(lambda _: said("x")) as server, listening(SimpleNamespace(exchanged=told.append)):  # type: ignore[arg-type]
        EndpointTranscriber(endpoint(server)).transcribe(CLIP)
        monkeypatch.setattr(prices, "price_list", lambda: listed)
        EndpointTranscriber(endpoint(server)).transcribe(CLIP)
    assert [one.usage.cost for one in told] == [None, 0.5]


def test_a_clip_without_anything_is_not_sent() -> None:
    with TranscriptionServer(lambda _: said("x")) as server:
        assert EndpointTranscriber(endpoint(server)).transcribe(AudioClip(b"", "phone")) == ""
    assert server.forms == []


def test_other_providers_are_asked_through_litellm(monkeypatch: pytest.MonkeyPatch) -> None:
    from omnipilot.memory.models.litellm import library

    asked: list[dict[str, object]] = []

    class Response:
        text = " spoken "

    def transcribe(request: dict[str, object], seconds: float) -> Response:
        asked.append(request)
        return Response()

    monkeypatch.setattr(library, "transcribe", transcribe)
    monkeypatch.setenv("SPEECH_KEY", "sk-speech-1234")
    transcriber = make_transcriber("deepgram/nova-2,key_env=SPEECH_KEY")
    assert transcriber.transcribe(CLIP) == "spoken"
    name, content, kind = asked[0]["file"]  # type: ignore[misc]
    assert (asked[0]["model"], asked[0]["api_key"], kind) == ("deepgram/nova-2", "sk-speech-1234", "audio/wav")
    assert content == CLIP.wav() and name.endswith(".wav")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("whisper-1", "names no model"),
        ("openai-compatible/x", "needs the URL"),
        ("openai/whisper-1,pitch=3", "unknown option 'pitch'"),
        ("openai/whisper-1,url", "write url=VALUE"),
        ("openai/whisper-1,timeout=soon", "are numbers"),
    ],
)
def test_a_text_that_names_none_says_what_to_write(text: str, says: str) -> None:
    with pytest.raises(ConfigError, match=says):
        make_transcriber(text)


def test_whisper_in_process_needs_its_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    import importlib.util

    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(MissingExtra, match="speech"):
        make_transcriber("whisper/some-folder")
