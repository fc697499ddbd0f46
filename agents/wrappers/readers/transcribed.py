"""The readers that put speech into words: `whisper` in this process, and `endpoint` behind one."""

from __future__ import annotations

import re
from collections.abc import Mapping
from copy import copy
from dataclasses import replace
from typing import Any

from omnipilot.agents.wrappers.readers.perception import PerceptionReader, sound_line
from omnipilot.envs import AudioClip, ConfigError
from omnipilot.memory.episodic.sounds import SoundTracker
from omnipilot.memory.models import LlmEndpoint
from omnipilot.memory.perception import OcrReader, read_sounds
from omnipilot.memory.perception.audio.reader import IDLE
from omnipilot.memory.transcription import (
    EndpointTranscriber,
    SpokenPiece,
    Transcriber,
    WhisperTranscriber,
    join_pieces,
    record_transcriber,
)
from omnipilot.memory.warm_up import warm_up

UNSURE = 0.3
"""Seconds at the end of speech that goes on of which nothing is told yet: a word may be cut off there."""
_DIGIT = re.compile(r"\d")


class TranscribingReader(PerceptionReader):
    """Tells what is said, and of other sounds and of text what `perception` does.

    A transcriber that knows when each word was said tells of speech that goes on what was said so far, ended by "…",
    but no number that may go on; the rest follows once it is over. Any other one tells of an utterance
    when it is over.

    Args:
        transcriber: puts speech into words. what, ocr: as of `PerceptionReader`.
    """

    main_option = "model"

    def __init__(self, transcriber: Transcriber, what: str = "transcript", ocr: OcrReader | None = None) -> None:
        super().__init__(what, ocr)
        self.transcriber = transcriber
        self._trackers: dict[str, SoundTracker] = {}
        self._told: dict[str, float] = {}

    def identity(self) -> dict[str, str]:
        """What the transcriber states of itself."""
        return dict(self.transcriber.identity())

    def warm_up(self) -> None:
        """Load the models."""
        super().warm_up()
        warm_up(self.transcriber)

    def begin(self) -> None:
        """Forget what goes on, and what was told of it."""
        self._trackers, self._told = {}, {}

    def fork(self) -> TranscribingReader:
        """Another that has heard the same so far, with the same model."""
        other = copy(self)
        other._trackers = {env: tracker.fork() for env, tracker in self._trackers.items()}
        other._told = dict(self._told)
        return other

    def hear(self, clip: AudioClip) -> list[tuple[float, str]]:
        """What can be made out of a new piece of sound: of each sound its start, and a line; of speech its words."""
        events = [one for one in read_sounds(clip).events if one.kind not in {*IDLE, "speech"}]
        return [*((one.start, sound_line(one)) for one in events), *self._speech(clip)]

    def _speech(self, clip: AudioClip) -> list[tuple[float, str]]:
        if clip.env not in self._trackers:
            self._trackers[clip.env] = SoundTracker(self.transcriber.transcribe_words, "readers")
        tracker = self._trackers[clip.env]
        lines: list[tuple[float, str]] = []
        for sound in tracker.feed(clip):
            if sound.event.kind != "speech":
                continue
            if not sound.said:
                lines.append((sound.event.start, sound_line(sound.event)))
            elif new := self._new(clip.env, sound.said):
                begun = sound.event.start if new == sound.said else new[0].start
                lines.append((begun, sound_line(replace(sound.event, start=begun), join_pieces(new))))
                self._told[clip.env] = new[-1].end
        if self.transcriber.times_words:
            said = _without_end(self._new(clip.env, tracker.spoken_so_far()), clip.end)
            if said:
                begun = said[0].start
                lines.append((begun, f"{begun:.1f} s to {said[-1].end:.1f} s, speech: {join_pieces(said)} …"))
                self._told[clip.env] = said[-1].end
        return lines

    def _new(self, env: str, said: tuple[SpokenPiece, ...]) -> tuple[SpokenPiece, ...]:
        """The words that were not told yet."""
        told = self._told.get(env)
        return said if told is None else tuple(piece for piece in said if piece.end > told + 0.05)


def _without_end(said: tuple[SpokenPiece, ...], now: float) -> tuple[SpokenPiece, ...]:
    """The words without the last ones, if these may go on, and without a number at the end.

    A number is written anew, and at other times, when more of it is heard: half of one would be taken for all of it.
    """
    while said and (said[-1].end > now - UNSURE or _DIGIT.search(said[-1].text)):
        said = said[:-1]
    return said


class WhisperReader(TranscribingReader):
    """Tells in words what is said, by Whisper in this process, and names other sounds.

    Args:
        model, language, device, revision, beam, precision, prompt, vad: as of `WhisperTranscriber`.
        what: `transcript`, or with a comma `texts` too, which are read from the screenshot.
        cassette: folder in which transcriptions are kept, "" for none. replay: take all from there, and load no model.

    Raises:
        ConfigError: an option has no such value. MissingExtra: faster-whisper is not installed; or RapidOCR, for
            `texts`.
    """

    def __init__(
        self,
        model: str,
        language: str = "",
        device: str = "auto",
        revision: str = "",
        beam: int = 5,
        precision: str = "auto",
        prompt: str = "",
        vad: bool = True,
        what: str = "transcript",
        cassette: str = "",
        replay: bool = False,
    ) -> None:
        transcriber: Transcriber | None = None
        if not replay:
            transcriber = WhisperTranscriber(model, device, language, revision, beam, precision, prompt, vad)
        asked = {"language": language, "revision": revision, "beam": beam, "precision": precision, "prompt": prompt}
        request = {"model": f"whisper/{model}", **asked, "vad": vad}
        super().__init__(_recorded(request, True, cassette, transcriber), what)


class EndpointReader(TranscribingReader):
    """Tells in words what is said, by a model behind an endpoint, and names other sounds.

    Args:
        model: PROVIDER/MODEL, such as "openai/whisper-1" or "hosted_vllm/openai/whisper-small".
        url, key_env, timeout, retries: as of `LlmEndpoint`. language: of the speech, such as "en"; "" lets the model
            find out. what, cassette, replay: as of `WhisperReader`.

    Raises:
        ConfigError: an option has no such value. MissingExtra: the client's library is not installed; or RapidOCR, for
            `texts`.
    """

    def __init__(
        self,
        model: str,
        url: str = "",
        key_env: str = "",
        language: str = "",
        timeout: float = 60.0,
        retries: int = 4,
        what: str = "transcript",
        cassette: str = "",
        replay: bool = False,
    ) -> None:
        transcriber: Transcriber | None = None
        if not replay:
            endpoint = LlmEndpoint(model, url, key_env, timeout, min(timeout, 60.0), retries)
            transcriber = EndpointTranscriber(endpoint, language)
        super().__init__(_recorded({"model": model, "language": language}, False, cassette, transcriber), what)


def _recorded(
    request: Mapping[str, Any], times_words: bool, cassette: str, transcriber: Transcriber | None
) -> Transcriber:
    """A transcriber that keeps its answers if a cassette is named.

    Raises:
        ConfigError: it is to be replayed, and there is no cassette.
    """
    if transcriber is not None and not cassette:
        return transcriber
    if not cassette:
        raise ConfigError("readers: replay requires cassette, the folder of what was recorded")
    return record_transcriber(request, times_words, cassette, transcriber)
