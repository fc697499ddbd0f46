"""Transcripts in a cassette: what was heard once is said again, without the model."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from transcription_server import TranscriptionServer, said

from omnipilot.agents.wrappers.readers import WhisperReader
from omnipilot.envs import AudioClip, ConfigError
from omnipilot.envs.types import SAMPLE_RATE
from omnipilot.memory.models.exchange import Exchange, listening
from omnipilot.memory.transcription import SpokenPiece, Transcriber, make_transcriber
from omnipilot.memory.transcription.recorded import record_transcriber


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


def refuse() -> Transcriber:
    raise AssertionError("a replay loads no model")


def test_words_and_their_times_are_replayed_by_the_sound_wherever_it_is_heard(tmp_path: Path) -> None:
    model = Words()
    recorded = record_transcriber("made", {"beam": 5}, lambda: model, str(tmp_path), False)
    assert recorded.transcribe_words(clip(300, 2.0)) == (
        SpokenPiece(" loud", 2.0, 2.25),
        SpokenPiece(" 300", 2.75, 3.0),
    )
    assert recorded.transcribe(clip(300)) == "loud 300" and model.asked == 1  # the same sound, heard earlier

    again = record_transcriber("made", {"beam": 5}, refuse, str(tmp_path), True)
    again.close()
    assert again.transcribe_words(clip(300, 7.5))[1] == SpokenPiece(" 300", 8.25, 8.5)
    assert again.times_words and again.identity() == {"weights": "abc"}
    with pytest.raises(ConfigError, match="no answer to this request of made.*audio"):
        again.transcribe(clip(301))


def test_other_options_are_another_recording(tmp_path: Path) -> None:
    record_transcriber("made", {"beam": 5, "prompt": ""}, Words, str(tmp_path), False).transcribe(clip(300))
    record_transcriber("made", {"beam": 5}, refuse, str(tmp_path), True).transcribe(clip(300))
    with pytest.raises(ConfigError, match="options.beam"):
        record_transcriber("made", {"beam": 1}, refuse, str(tmp_path), True)


def test_a_served_model_is_replayed_without_its_server_and_its_cost_is_told(tmp_path: Path) -> None:
    with TranscriptionServer(lambda _: said("the code is 4711")) as server:
        text = f"openai-compatible/whisper-tiny,url={server.url}"
        live = Heard()
        with listening(live):
            words = make_transcriber(text, str(tmp_path)).transcribe(clip(300))
    heard = Heard()
    with listening(heard):
        elsewhere = "openai-compatible/whisper-tiny,url=http://127.0.0.1:9"
        assert make_transcriber(elsewhere, str(tmp_path), replay=True).transcribe(clip(300)) == words
    (told,) = heard.exchanges
    assert words == "the code is 4711" and told.replayed and [one.replayed for one in live.exchanges] == [False]
    assert (told.usage.calls, told.usage.tokens) == (1, live.exchanges[0].usage.tokens)


def test_the_reader_whisper_is_replayed_where_neither_model_nor_library_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    options = {"beam": 5, "precision": "auto", "vad": True}
    record_transcriber("whisper/folder", options, Words, str(tmp_path), False).transcribe(clip(300))
    monkeypatch.setattr("omnipilot.agents.wrappers.readers.transcribed.WhisperTranscriber", refuse)
    reader = WhisperReader("folder", cassette=str(tmp_path), replay=True)
    reader.warm_up()
    assert reader.identity() == {"weights": "abc"}
    assert reader.transcriber.transcribe(clip(300)) == "loud 300"
