"""Sound events over clips that follow one another: what goes on over an edge is one event."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from omnipilot.envs import AudioClip
from omnipilot.memory.models.exchange import in_role
from omnipilot.memory.perception.audio.phrases import PHRASE_PAUSE
from omnipilot.memory.perception.audio.reader import DIAL_PAUSE, IDLE, SoundEvent, read_sounds
from omnipilot.memory.perception.audio.speech import SPEECH_PAUSE
from omnipilot.memory.transcription.base import SpokenPiece, join_pieces

LONGEST = 20.0
"""Seconds of sound that are kept while an event goes on; a longer event is read in pieces of about this length."""
MARGIN = 0.2
"""Seconds before and after an event that belong to its sound."""
UNCLEAR = 1.5
"""Seconds at the end of a clip that are kept where they are not silent, whatever was made out in them."""
_GAP = 0.02
"""Most seconds between two clips that follow one another."""
_PAUSES = {"speech": SPEECH_PAUSE, "digits": DIAL_PAUSE}
"""Longest pause within an event of a kind, in seconds; of any other kind, `PHRASE_PAUSE`."""


@dataclass(frozen=True, slots=True)
class TrackedSound:
    """A sound event that is over, with its whole span.

    Attributes:
        clip: its sound, with `MARGIN` around; of an event longer than `LONGEST` its first piece.
        said: the words that were said in it, with their times, where speech is transcribed.
    """

    event: SoundEvent
    clip: AudioClip
    said: tuple[SpokenPiece, ...] = ()

    @property
    def words(self) -> str:
        """What was said in it; "" for nothing."""
        return join_pieces(self.said)


class SoundTracker:
    """Reads the clips of one source in order and tells every event once it is over.

    An event that reaches the end of a clip, or ended so shortly before that it may go on, is held: its sound is joined
    to the next clip and read again with it, so that dialled digits, melodies and utterances are whole wherever the
    clips were cut. An event that goes on for longer than `LONGEST` is read in pieces and told as one. A clip that does
    not follow the one before ends what was held.

    Args:
        transcribe: from the sound of an utterance to its words; asked once for each (once for each piece of a long
            one). None leaves speech without words.
        role: in whose name a model is asked.
    """

    def __init__(
        self, transcribe: Callable[[AudioClip], tuple[SpokenPiece, ...]] | None = None, role: str = "memory"
    ) -> None:
        self._transcribe = transcribe
        self._role = role
        self._tail: AudioClip | None = None
        self._end = 0.0
        self._longer: dict[str, TrackedSound] = {}
        self._going_on: tuple[SoundEvent, ...] = ()

    def fork(self) -> SoundTracker:
        """The same source at the same moment; neither notices what the other is fed."""
        other = SoundTracker(self._transcribe, self._role)
        other._tail, other._end, other._longer = self._tail, self._end, dict(self._longer)
        other._going_on = self._going_on
        return other

    @property
    def going_on(self) -> tuple[SoundEvent, ...]:
        """The events that are held, as far as they have been heard, in order of their start."""
        begun = {kind: sound.event for kind, sound in self._longer.items()}
        now = [replace(one, start=begun.pop(one.kind).start) if one.kind in begun else one for one in self._going_on]
        return tuple(sorted((*now, *begun.values()), key=lambda one: (one.start, one.end)))

    def spoken_so_far(self) -> tuple[SpokenPiece, ...]:
        """The words of the speech that goes on, as far as they can be made out by now; transcribed at each call.

        The end of it may be half a word.
        """
        begun = self._longer.get("speech")
        said = begun.said if begun is not None else ()
        if self._tail is None or self._transcribe is None:
            return said
        for event in self._going_on:
            if event.kind == "speech":
                said = _apart(said, self._sound(event, self._tail).said)
        return said

    def feed(self, clip: AudioClip) -> Iterator[TrackedSound]:
        """Take in the next clip; the events that are over, in order of their start."""
        if abs(clip.start - self._end) > _GAP:
            yield from self.finish()
        joined = clip if self._tail is None else AudioClip(self._tail.pcm + clip.pcm, clip.env, self._tail.start)
        self._end = clip.end
        yield from self._read(joined, at_end=False)

    def finish(self) -> Iterator[TrackedSound]:
        """The events that were held."""
        if self._tail is not None:
            yield from self._read(self._tail, at_end=True)
        yield from self._longer.values()
        self._longer.clear()

    def _read(self, joined: AudioClip, at_end: bool) -> Iterator[TrackedSound]:
        self._tail = None
        read = () if _is_silent(joined) else read_sounds(joined).events
        events = [one for one in read if one.kind not in IDLE]
        open_ = [] if at_end else [one for one in events if joined.end - one.end <= _PAUSES.get(one.kind, PHRASE_PAUSE)]
        hold = min((one.start for one in open_), default=joined.end)
        if not at_end and read:
            hold = min(hold, _sounding_since(read, joined))
        # What overlaps with a held sound is held with it: it would be read again, and told twice.
        while (earlier := min((one.start for one in events if one.end > hold), default=hold)) < hold:
            hold = earlier
        cut = joined.end - hold > LONGEST
        if hold < joined.end and not cut:
            told_until = max((one.end for one in events if one.end <= hold), default=joined.start)
            self._tail = joined.slice(max(hold - MARGIN, told_until), joined.end)
        self._going_on = tuple(one for one in events if self._tail is not None and one.end > hold)
        told: list[TrackedSound] = []
        went_on: set[str] = set()
        for event in events:
            if self._tail is not None and event.end > hold:
                went_on.add(event.kind)
                continue
            found = self._sound(event, joined)
            goes_on = cut and event in open_
            before = self._longer.get(event.kind)
            if before is not None and event.start - joined.start <= _PAUSES.get(event.kind, PHRASE_PAUSE):
                found = _join(before, found)
                del self._longer[event.kind]
            if goes_on:
                self._longer[event.kind] = found
                went_on.add(event.kind)
            else:
                told.append(found)
        for kind in [kind for kind in self._longer if kind not in went_on]:
            told.append(self._longer.pop(kind))
        yield from sorted(told, key=lambda one: (one.event.start, one.event.end))

    def _sound(self, event: SoundEvent, clip: AudioClip) -> TrackedSound:
        sound = clip.slice(event.start - MARGIN, event.end + MARGIN)
        if event.kind != "speech" or self._transcribe is None:
            return TrackedSound(event, sound)
        with in_role(self._role):
            return TrackedSound(event, sound, self._transcribe(sound))


def _join(before: TrackedSound, after: TrackedSound) -> TrackedSound:
    """One event of the pieces of a long one."""
    detail = before.event.detail
    if before.event.kind == "digits":
        detail += after.event.detail
    sure = max(before.event.confidence, after.event.confidence)
    event = replace(before.event, end=after.event.end, detail=detail or after.event.detail, confidence=sure)
    return TrackedSound(event, before.clip, _apart(before.said, after.said))


def _apart(before: tuple[SpokenPiece, ...], after: tuple[SpokenPiece, ...]) -> tuple[SpokenPiece, ...]:
    """The words of two pieces of an utterance, with a space between them."""
    if before and after and not after[0].text.startswith(" "):
        after = (replace(after[0], text=f" {after[0].text}"), *after[1:])
    return before + after


def _sounding_since(read: Sequence[SoundEvent], clip: AudioClip) -> float:
    """Since when a clip has been sounding at its end, `UNCLEAR` seconds at most; its end if it is silent there.

    The beginning of a sound may be too short to be told what it is, or that it is one.
    """
    quiet = max((one.end for one in read if one.kind == "silence"), default=clip.start)
    return max(quiet, clip.end - UNCLEAR) if quiet < clip.end - 0.01 else clip.end


def _is_silent(clip: AudioClip) -> bool:
    return not clip.pcm.strip(b"\0")
