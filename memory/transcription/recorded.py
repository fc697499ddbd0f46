"""Transcripts from a cassette: a run whose model of speech is not there any more says what it heard."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence

from omnipilot.envs import AudioClip
from omnipilot.memory.messages import Reply, Usage, answered_by
from omnipilot.memory.models.cassette import Cassette
from omnipilot.memory.models.exchange import Exchange, Listener, WatchedCall, current_listener, listening
from omnipilot.memory.models.retry import RetryClock
from omnipilot.memory.transcription.base import SpokenPiece, Transcriber, join_pieces


def record_transcriber(
    model: str, options: Mapping[str, object], make: Callable[[], Transcriber], cassette: str, replay: bool
) -> Transcriber:
    """A transcriber, with a cassette around it where one is given.

    Args:
        model, options: name it in the cassette: what can change its words, and not where it is asked.
        make: makes it; not called if it is replayed.
        cassette: folder of kept transcripts, "" for none. replay: take all from there.

    Raises:
        ConfigError: there is no cassette to replay; or as `make` does.
    """
    if not cassette:
        return make()
    kept = Cassette(cassette, "replay" if replay else "record")
    return RecordedTranscriber(model, options, kept, None if replay else make())


class RecordedTranscriber(Transcriber):
    """Takes transcripts from a cassette, by the digest of the sound, and keeps in it what it has to ask for.

    Args:
        model, options: as of `record_transcriber`.
        transcriber: asked for what the cassette lacks; None if it is replayed.
    """

    def __init__(
        self, model: str, options: Mapping[str, object], cassette: Cassette, transcriber: Transcriber | None
    ) -> None:
        self._model = model
        self._options = {name: value for name, value in options.items() if value not in ("", None)}
        self._cassette = cassette
        self._transcriber = transcriber
        about = self._about()
        self.times_words = bool(about["times_words"])
        self._identity: dict[str, str] = about["identity"]

    def identity(self) -> Mapping[str, str]:
        """That of the transcriber when it was recorded."""
        return self._identity

    def warm_up(self) -> None:
        """Load the model, unless it is replayed."""
        from omnipilot.memory.warm_up import warm_up

        warm_up(self._transcriber)

    def transcribe(self, clip: AudioClip) -> str:
        """See `Transcriber`.

        Raises:
            ConfigError: the cassette has no transcript of this sound, and it is replayed.
        """
        return join_pieces(self.transcribe_words(clip))

    def transcribe_words(self, clip: AudioClip) -> tuple[SpokenPiece, ...]:
        """See `Transcriber`; raises as `transcribe` does."""
        request = self._request(audio=clip.digest)
        kept = self._cassette.find(request)
        if kept is None:
            assert self._transcriber is not None
            meter = _Meter(current_listener())
            with listening(meter):
                said = self._transcriber.transcribe_words(clip)
            spans = [[one.text, round(one.start - clip.start, 3), round(one.end - clip.start, 3)] for one in said]
            reply = Reply(json.dumps(spans), usage=meter.usage, model="".join(meter.usage.models[:1]))
            kept = self._cassette.keep(request, reply)
        elif kept.usage.calls and (listener := current_listener()) is not None:
            watch = WatchedCall(listener, self._model, RetryClock())
            watch.sending({"audio": clip.digest})
            watch.tell(kept, "", answered_by(kept).usage, replayed=True)
        return tuple(
            SpokenPiece(text, round(clip.start + start, 3), round(clip.start + end, 3))
            for text, start, end in json.loads(kept.text)
        )

    def close(self) -> None:
        """Close the transcriber."""
        if self._transcriber is not None:
            self._transcriber.close()

    def _request(self, **asked: object) -> dict[str, object]:
        return {"model": self._model, "options": self._options, **asked}

    def _about(self) -> dict[str, object]:
        """What the transcriber states of itself, kept as a call of its own."""
        request = self._request(about=True)
        kept = self._cassette.find(request)
        if kept is None:
            assert self._transcriber is not None
            told = {"times_words": self._transcriber.times_words, "identity": dict(self._transcriber.identity())}
            kept = self._cassette.keep(request, Reply(json.dumps(told)))
        found: dict[str, object] = json.loads(kept.text)
        return found


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
