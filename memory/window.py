"""The memory `window`: the last few turns, verbatim."""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterator

from omnipilot.envs import Absent, ConfigError, Modality, Point
from omnipilot.envs.types.actions import Ref, Verb, place_fields
from omnipilot.memory.base import Budget, Recalled, Role
from omnipilot.memory.trajectory import Step, Turn


class WindowMemory:
    """Recalls thoughts, notes, actions with their outcomes, and screenshots of the last turns.

    Args:
        turns: number of last turns to keep.
        images: number of those recalled with their screenshots; 0 for text only.
    """

    def __init__(self, turns: int = 2, images: int = 1) -> None:
        if turns < 1 or images < 0:
            raise ConfigError(f"memory 'window': turns must be at least 1, images at least 0, not {turns} and {images}")
        self.images = images
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
        texts, images, characters = budget.texts, budget.images, budget.characters
        kept: list[Recalled] = []
        for part in self._newest_first(role, frozenset(env for env in envs if role.sees(env))):
            if isinstance(part.part, str):
                if texts < 1 or len(part.part) > characters:
                    # Older texts are left out once a newer one did not fit: gaps would mislead.
                    texts = 0
                    continue
                texts, characters = texts - 1, characters - len(part.part)
            else:
                if images < 1:
                    continue
                images -= 1
            kept.append(part)
        return tuple(reversed(kept))

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
            if age < self.images and Modality.SCREENSHOT in role.modalities:
                for name, seen in reversed(tuple(turn.observations.items())):
                    if name in envs and not isinstance(seen.screenshot, Absent):
                        yield Recalled(seen.screenshot, "screenshot", name, seen.time, turn.index)


def _step_words(step: Step) -> str:
    """A step in one line: the proposal and its outcome; in a recording, the recorded action."""
    if step.predicted is not None or (step.executed is not None and step.outcome.refused):
        where = f" on {step.proposed.env}" if step.proposed is not None and step.proposed.env else ""
        return "nothing" if step.executed is None else f"{worded(step.executed)}{where}: done"
    if step.proposed is None:
        return f"unreadable reply: {step.outcome.message}"
    where = f" on {step.proposed.env}" if step.proposed.env else ""
    said = f"{worded(step.proposed.intent)}{where}: {step.outcome.result}"
    return f"{said} ({step.outcome.message})" if step.outcome.message else said


def worded(verb: Verb) -> str:
    """A verb as text, without default values: `click at="Save button"`."""
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
    if isinstance(value, tuple):
        return "[" + ", ".join(map(_value, value)) + "]"
    return f'"{value}"' if isinstance(value, str) else str(value)
