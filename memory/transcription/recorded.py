"""Transcriptions that are kept in a cassette, and replayed from there without a model."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from omnipilot.envs import AudioClip
from omnipilot.memory.messages import Reply, Usage
from omnipilot.memory.models.cassette import Cassette
from omnipilot.memory.models.exchange import Enclosed, Exchange, Listener, WatchedCall, current_listener, listening
from omnipilot.memory.models.retry import RetryClock
from omnipilot.memory.transcription.base import SpokenPiece, Transcriber, join_pieces
from omnipilot.memory.warm_up import warm_up


class RecordedTranscriber(Transcriber):
    """Takes transcriptions from a cassette, and keeps in it what it has to ask for.

    Args:
        request: the model by its name, and what it is asked; where it runs is no part of that.
        times_words: as of the transcriber.
        transcriber: asked for what the cassette lacks; None if it is replayed.
    """

    def __init__(
        self, request: Mapping[str, Any], times_words: bool, cassette: Cassette, transcriber: Transcriber | None
    ) -> None:
        self.times_words = times_words
        self._request = dict(request)
        self._cassette = cassette
        self._transcriber = transcriber

    def identity(self) -> dict[str, str]:
        """That of the transcriber when it was recorded."""
        request = {**self._request, "identity": True}
        kept = self._cassette.find(request)
        if kept is None:
            assert self._transcriber is not None
            kept = self._cassette.keep(request, Reply(json.dumps(dict(self._transcriber.identity()))))
        found: dict[str, str] = json.loads(kept.text)
        return found

    def warm_up(self) -> None:
        """Load the model, unless it is replayed."""
        warm_up(self._transcriber)

    def transcribe(self, clip: AudioClip) -> str:
        """See `Transcriber`.

        Raises:
            ConfigError: the cassette does not know this sound, and it is replayed.
        """
        return join_pieces(self.transcribe_words(clip))

    def transcribe_words(self, clip: AudioClip) -> tuple[SpokenPiece, ...]:
        """See `Transcriber`.

        Raises:
            ConfigError: as in `transcribe`.
        """
        request = {**self._request, "sound": clip.digest}
        kept = self._cassette.find(request)
        if kept is None:
            assert self._transcriber is not None
            meter = _Meter(current_listener())
            with listening(meter):
                pieces = self._transcriber.transcribe_words(clip)
            said = [(one.text, round(one.start - clip.start, 3), round(one.end - clip.start, 3)) for one in pieces]
            kept = self._cassette.keep(request, Reply(json.dumps(said), usage=meter.usage))
        elif kept.usage.calls and (listener := current_listener()) is not None:
            watch = WatchedCall(listener, str(self._request["model"]), RetryClock())
            watch.sending({"file": Enclosed(clip, "audio/wav")})
            watch.tell(kept, "", kept.usage, replayed=True)
        return tuple(
            SpokenPiece(text, round(clip.start + start, 2), round(clip.start + end, 2))
            for text, start, end in json.loads(kept.text)
        )

    def close(self) -> None:
        """Close the transcriber."""
        if self._transcriber is not None:
            self._transcriber.close()


class _Meter(Listener):
    """Adds up what calls cost, and tells another listener of them."""

    def __init__(self, outer: Listener | None) -> None:
        self.usage = Usage()
        self._outer = outer

    def exchanged(self, exchange: Exchange) -> None:
        self.usage += exchange.usage
        if self._outer is not None:
            self._outer.exchanged(exchange)

    def unread(self, problem: str, unknown: Sequence[str] = ()) -> None:
        if self._outer is not None:
            self._outer.unread(problem, unknown)
