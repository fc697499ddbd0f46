"""What the runner knows of an episode and agents may not: the source of gold and graded parts."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import ClassVar, Protocol

from omnipilot.envs import Absent, ConfigError, Element, Elements, Heard, Point
from omnipilot.envs.types.actions import Described
from omnipilot.memory.trajectory import Move


class Truth(Protocol):
    """The truth about the running episode.

    The runner makes it, and `omnipilot.agents.build` hands it to the parts that the registries list as gold, and to
    no other part.
    """

    def elements(self, env: str) -> Elements | Absent:
        """Every element on the screen of an environment, as judges read it; absent where nothing knows them."""
        ...

    def meaning(self, env: str, target: Described) -> Element | Absent | str:
        """The element that a described place means now.

        Returns:
            Absent where nothing knows the elements, and in words why it cannot be told.
        """
        ...

    def lies_on(self, env: str, element: Element, point: Point) -> bool:
        """Whether pointing there is pointing at the element."""
        ...

    def transcript(self, env: str, start: float, end: float) -> tuple[Heard, ...] | Absent:
        """What an environment sounds, in words, from `start` to `end` in seconds on the world's clock.

        See `omnipilot.envs.Transcript`; absent, with the reason, where nothing knows what sounds.
        """
        ...

    def texts(self, env: str) -> Elements | Absent:
        """What is written on the screen of an environment, in reading order; absent where nothing knows it."""
        ...

    def demonstration(self) -> tuple[Move, ...]:
        """A solution of the task.

        Raises:
            ConfigError: the task has none.
        """
        ...

    def draw(self, part: str, question: str) -> Random:
        """Random numbers for a part's answer to a question.

        They depend on the episode (task, instance and trial), the part, the question, and how often it was asked
        before in the episode, and on nothing else: runs that differ in one part get common random numbers, also
        after their episodes have parted.
        """
        ...


class TakesTruth:
    """A gold or graded part: one that takes its answers, or some of them, from the truth.

    Attributes:
        part: what it is, for messages: "grounder 'gold'".
    """

    part: ClassVar[str]
    _given: Truth | None = None

    def take_truth(self, truth: Truth) -> None:
        """Keep the source; it follows the running episode. Called once, before any episode."""
        self._given = truth

    @property
    def _truth(self) -> Truth:
        """The truth.

        Raises:
            ConfigError: there is none, because no runner made the part.
        """
        if self._given is None:
            raise ConfigError(
                f"{self.part} takes its answers from the runner, and there is none here; "
                "use it by its name in `omnipilot run`, `sweep`, `grid` or `ground`"
            )
        return self._given


def check_grade(part: str, accuracy: float, errors: str | Sequence[str], known: Sequence[str]) -> tuple[str, ...]:
    """The ways in which a graded part may be wrong, in the order of those that are known.

    Args:
        part: for messages, such as "grounder 'graded'". accuracy: in 0..1. errors: names, or a text with commas.

    Raises:
        ConfigError: an impossible accuracy, an unknown error, or none.
    """
    if not 0 <= accuracy <= 1:
        raise ConfigError(f"{part}: accuracy must be in 0..1, not {accuracy:g}; graded:0.9 is 90 %")
    names = [name.strip() for name in errors.split(",")] if isinstance(errors, str) else list(errors)
    if not names or (strange := [name for name in names if name not in known]):
        told = f", not {', '.join(map(str, strange))}" if names else ""
        raise ConfigError(f"{part}: errors are some of {', '.join(known)}{told}")
    return tuple(name for name in known if name in names)


class Draws:
    """The random numbers of `Truth.draw` for one episode."""

    def __init__(self, seed: int | str) -> None:
        self._seed = seed
        self._asked: dict[tuple[str, str], int] = {}

    def draw(self, part: str, question: str) -> Random:
        """As `Truth.draw`."""
        again = self._asked.get((part, question), 0)
        self._asked[part, question] = again + 1
        return Random(f"{self._seed}/{part}/{question}/{again}")
