"""Transcripts in a cassette: what was heard once is said again, without the model."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from transcription_server import TranscriptionServer, said

from omnipilot.envs import AudioClip, ConfigError
from omnipilot.envs.types import SAMPLE_RATE
from omnipilot.memory.models.exchange import Exchange, listening
from omnipilot.memory.transcription import SpokenPiece, Transcriber, make_transcriber
from omnipilot.memory.transcription.choice import record_transcriber


class Words(Transcriber):
    """Says how loud a clip is, in two words, and counts how often it is asked."""

    times_words = True

    def __init__(self) -> None:
        self.asked = 0

    def transcribe(self, clip: AudioClip) -> str:
        raise AssertionError("the words are asked for")

    def transcribe_words(self, clip: AudioClip) -> tuple[SpokenPiece, ...]:
        self.asked += 1
        loud = str(np.abs(clip.array()).max())
        return SpokenPiece(" loud", clip.start, clip.start + 0.25), SpokenPiece(f" {loud}", clip.end - 0.25, clip.end)

    def identity(self) -> dict[str, str]:
        return {"weights": "abc"}

    def close(self) -> None: ...


class Heard:
    """Keeps what a record is told."""

    def __init__(self) -> None:
        self.exchanges: list[Exchange] = []

    def exchanged(self, exchange: Exchange) -> None:
        self.exchanges.append(exchange)

    def unread(self, problem: str, unknown: object = ()) -> None: ...


def clip(level: int, start: float = 0.0) -> AudioClip:
    """A second of a constant level."""
    return AudioClip.from_array(np.full(SAMPLE_RATE, level, np.int16), "phone", start)


def test_words_and_their_times_are_replayed_by_the_sound_wherever_it_is_heard(tmp_path: Path) -> None:
    model = Words()
    recorded = record_transcriber({"model": "made", "beam": 5}, True, str(tmp_path), model)
    heard = SpokenPiece(" loud", 2.0, 2.25), SpokenPiece(" 300", 2.75, 3.0)
    assert recorded.transcribe_words(clip(300, 2.0)) == heard
    assert recorded.transcribe(clip(300)) == "loud 300" and model.asked == 1  # the same sound, heard earlier
    assert recorded.identity() == {"weights": "abc"}

    again = record_transcriber({"model": "made", "beam": 5}, True, str(tmp_path), None)
    again.close()
    assert again.transcribe_words(clip(300, 7.5))[1] == SpokenPiece(" 300", 8.25, 8.5)
    assert again.times_words and again.identity() == {"weights": "abc"}
    with pytest.raises(ConfigError, match="no answer to this request of made.*sound"):
        again.transcribe(clip(301))


def test_other_options_are_another_recording(tmp_path: Path) -> None:
    record_transcriber({"model": "made", "beam": 5}, True, str(tmp_path), Words()).transcribe(clip(300))
    with pytest.raises(ConfigError, match="beam"):
        record_transcriber({"model": "made", "beam": 1}, True, str(tmp_path), None).transcribe(clip(300))


def test_a_served_model_is_replayed_without_its_server_and_its_cost_is_told(tmp_path: Path) -> None:
    live, heard = Heard(), Heard()
    with TranscriptionServer(lambda _: said("the code is 4711")) as server, listening(live):
        words = make_transcriber(f"openai-compatible/whisper-tiny,url={server.url}", str(tmp_path)).transcribe(
            clip(300)
        )
    with listening(heard):
        elsewhere = "openai-compatible/whisper-tiny,url=http://127.0.0.1:9"
        assert make_transcriber(elsewhere, str(tmp_path), replay=True).transcribe(clip(300)) == words
    (told,), (sent,) = heard.exchanges, live.exchanges
    assert words == "the code is 4711" and told.replayed and not sent.replayed
    assert told.usage == sent.usage and told.usage.calls == 1
