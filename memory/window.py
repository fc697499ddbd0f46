"""The memory `window`: the last few turns, verbatim."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

from omnipilot.envs import Absent, ConfigError, Observation, Point
from omnipilot.envs.types import place_fields
from omnipilot.envs.types.actions import Ref, Verb
from omnipilot.memory.allowance import Allowance
from omnipilot.memory.base import Budget, Memory, Recalled, Role
from omnipilot.memory.quoting import quote
from omnipilot.memory.trajectory import Step, Turn
from omnipilot.memory.word_origins import origin_of_sound, origin_on_screen


class WindowMemory(Memory):
    """Recalls thoughts, notes, actions with their outcomes, and screenshots of the last turns.

    Args:
        turns: number of last turns to keep.
        images: number of those recalled with their screenshots; 0 for text only.
        clips: number of those recalled with their sounds and films; 0 for none.
    """

    def __init__(self, turns: int = 2, images: int = 1, clips: int = 0) -> None:
        if turns < 1 or images < 0 or clips < 0:
            raise ConfigError(
                f"memory 'window': turns must be at least 1, images and clips at least 0, not {turns}, {images} and "
                f"{clips}"
            )
        self.turns = turns
        self.images = images
        self.clips = clips
        self._turns: deque[Turn] = deque(maxlen=turns)

    def clear(self) -> None:
        """Forget everything."""
        self._turns.clear()

    def record(self, turn: Turn) -> None:
        """Keep a turn; the oldest one outside the window is forgotten."""
        self._turns.append(turn)

    def recall(
        self,
        query: str,  # noqa: ARG002
        budget: Budget,
        role: Role,
        envs: Collection[str],
    ) -> tuple[Recalled, ...]:
        """The window, whatever the query, oldest first; if the budget is too small, the newest parts are kept."""
        left = Allowance(budget)
        kept: list[Recalled] = []
        for part in self._newest_first(role, frozenset(env for env in envs if role.sees(env))):
            if left.take(part.part):
                kept.append(part)
            elif isinstance(part.part, str):
                # Older texts are left out once a newer one did not fit: gaps would mislead.
                left.texts = 0
        kept.reverse()
        if self.clips:
            # A clip begins before the turn that it was heard in, while the moves of the turn before were made.
            kept.sort(key=lambda one: one.time)
        return tuple(kept)

    def _newest_first(self, role: Role, envs: frozenset[str]) -> Iterator[Recalled]:
        for age, turn in enumerate(reversed(self._turns)):
            for step in reversed(turn.steps):
                env = step.proposed.env if step.proposed is not None else ""
                if env in envs or not env:
                    yield Recalled(_step_words(step), "action", env, step.start, turn.index)
            time = max((seen.time for seen in turn.observations.values()), default=0.0)
            for note in reversed(turn.notes):
                yield Recalled(note, "note", "", time, turn.index)
            if turn.thought:
                yield Recalled(turn.thought, "thought", "", time, turn.index)
            granted = [seen.only(role.modalities) for name, seen in turn.observations.items() if name in envs]
            if age < self.images:
                for seen in reversed(granted):
                    if not isinstance(seen.screenshot, Absent):
                        shown = _told(seen, origin_on_screen)
                        yield Recalled(seen.screenshot, "screenshot", seen.env, seen.time, turn.index, origin=shown)
            if age < self.clips:
                yield from _clips(granted, turn.index)


def _clips(observations: Sequence[Observation], turn: int) -> list[Recalled]:
    """The sounds and films of a turn, the latest first."""
    found = [
        Recalled(clip, source, seen.env, clip.start, turn, origin=_told(seen, origin_of_clip))
        for seen in observations
        for clip, source, origin_of_clip in (
            (seen.audio, "audio", origin_of_sound),
            (seen.video, "video", origin_on_screen),
        )
        if not isinstance(clip, Absent) and clip.seconds > 0
    ]
    return sorted(found, key=lambda one: -one.time)


def _told(seen: Observation, origin_of_words: Callable[[Observation], str]) -> str:
    """Where the words of a capture come from; "" for who is not told the context, and so not by whom words are."""
    return "" if isinstance(seen.context, Absent) else origin_of_words(seen)


def _step_words(step: Step) -> str:
    """A step in one line: the proposal and its outcome; in a recording, the recorded action."""
    if step.predicted is not None or (step.executed is not None and step.outcome.refused):
        where = f" on {step.proposed.env}" if step.proposed is not None and step.proposed.env else ""
        return "nothing" if step.executed is None else f"{verb_text(step.executed)}{where}: done"
    if step.proposed is None:
        return f"unreadable reply: {step.outcome.message}"
    where = f" on {step.proposed.env}" if step.proposed.env else ""
    said = f"{verb_text(step.proposed.intent)}{where}: {step.outcome.result}"
    return f"{said} ({quote(step.outcome.message)})" if step.outcome.message else said


def verb_text(verb: Verb) -> str:
    """A verb as text on one line, without default values: `click at="Save button"`."""
    return " ".join([verb.kind, *(f"{name}={_value(value)}" for name, value in _changed_fields(verb))])


def _changed_fields(verb: Verb) -> Iterator[tuple[str, object]]:
    places = place_fields(verb)
    for name, spec in type(verb).__dataclass_fields__.items():
        value = getattr(verb, name)
        if name in places and value is None:
            continue
        if value != spec.default and value != ():
            yield name, value


def _value(value: object) -> str:
    if isinstance(value, Point):
        return f"({value.x:.3f}, {value.y:.3f})"
    if isinstance(value, Ref):
        return f"#{value.id}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(_value, value)) + "]"
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{quote(str(name))}: {_value(one)}" for name, one in value.items()) + "}"
    return quote(value) if isinstance(value, str) else str(value)
