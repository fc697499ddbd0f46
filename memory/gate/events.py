"""The gate `events`: sends a clip in which something happens that matters, or that the task speaks of."""

from __future__ import annotations

import math
from collections.abc import Sequence

from omnipilot.envs import AudioClip, ConfigError, Modality, VideoClip
from omnipilot.memory.gate.base import Clip, Gate, GateDecision, Instructed, modality_of
from omnipilot.memory.gate.wording import speaks_of
from omnipilot.memory.messages import Usage


class EventsGate(Gate):
    """Sends a clip with a sound other than noise, or with motion other than idle motion, and what the task asks for.

    All sound is sent where the instruction speaks of hearing, all film where it speaks of watching.
    What a film's first and last frame tell is no event: the planner has them as screenshots. A clip that begins within
    `hangover` seconds after an event is sent too, as it shows whether that goes on.

    Args:
        hangover: seconds.
        unasked: whether to send events also of a kind that the instruction does not speak of. Without them, a device
            that rings while the task is to write a letter is not heard.

    Raises:
        ConfigError: `hangover` is negative.
    """

    def __init__(self, hangover: float = 1.0, unasked: bool = True) -> None:
        if not (math.isfinite(hangover) and hangover >= 0):
            raise ConfigError(f"gate 'events': hangover must be 0 or more seconds, not {hangover!r}")
        self.hangover = hangover
        self.unasked = unasked
        self._instruction = ""
        self._last: dict[tuple[str, Modality], tuple[float, str]] = {}

    def begin(self, brief: Instructed) -> None:
        """Forget the last episode and read the instruction."""
        self._instruction = brief.instruction
        self._last = {}

    def decide(self, turn: int, clips: Sequence[Clip]) -> tuple[Sequence[GateDecision], Usage]:  # noqa: ARG002
        """A decision on each clip."""
        return [self._decision(clip) for clip in clips], Usage()

    def _decision(self, clip: Clip) -> GateDecision:
        modality = modality_of(clip)
        found, levels, matters, until = _sounds(clip) if isinstance(clip, AudioClip) else _motion(clip)
        at, what = self._last.get((clip.env, modality), (-math.inf, ""))
        if matters:
            self._last[clip.env, modality] = (until, matters)
        word = speaks_of(self._instruction, modality)
        sent = True
        if word:
            why = f'the instruction says "{word}"'
        elif not self.unasked:
            sent, why = False, f"the instruction speaks of no {'sound' if modality is Modality.AUDIO else 'film'}"
        elif matters:
            why = matters
        elif clip.start - at <= self.hangover:
            why = f"{max(0.0, clip.start - at):.1f} s after: {what}"
        else:
            kinds = dict.fromkeys(one.split(",")[0] for one in found)
            none = "no sound is recognised" if modality is Modality.AUDIO else "nothing moved"
            sent, why = False, f"nothing but {', '.join(kinds)}" if kinds else none
        return GateDecision(clip.env, modality, sent, why, clip.start, clip.end, tuple(found), levels)


def _sounds(clip: AudioClip) -> tuple[list[str], dict[str, float], str, float]:
    """The sounds in words, the level, the first that matters, and when the last of these ends."""
    from omnipilot.memory.perception.audio.reader import IDLE, read_sounds

    events = read_sounds(clip).events
    matter = [event for event in events if event.kind not in IDLE]
    loudness = clip.loudness()
    levels = {"mean dB": round(20 * math.log10(loudness), 1)} if loudness > 0 else {}
    found = [
        f"{event.kind}{f' {event.detail}' if event.detail else ''}, {event.start:.1f} s to {event.end:.1f} s"
        for event in events
    ]
    until = max((event.end for event in matter), default=-math.inf)
    return found, levels, matter[0].kind if matter else "", until


def _motion(clip: VideoClip) -> tuple[list[str], dict[str, float], str, float]:
    """The movements in words, the largest moving share of the screen, the first that matters, and when it ends."""
    from omnipilot.memory.perception.video.movements import IDLE, movements

    moved = movements(clip)
    matter = [one for one in moved if one.kind not in IDLE]
    found = [f"{one.kind}, {one.start:.1f} s to {one.end:.1f} s, {one.times} changes" for one in moved]
    levels = {"moving share": round(max(one.box.area for one in moved), 4)} if moved else {}
    until = max((one.end for one in matter), default=-math.inf)
    return found, levels, matter[0].kind if matter else "", until
