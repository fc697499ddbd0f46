"""What the runner knows of an episode and agents may not: the source of gold and graded parts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import ClassVar, Protocol

from omnipilot.envs import Absent, ConfigError, Element, Elements, Heard, Modality, Point
from omnipilot.envs.types.actions import Described
from omnipilot.memory.trajectory import Move


@dataclass(frozen=True, slots=True)
class Evidence:
    """One thing that shows a fact, or a part of it, to whoever perceives it perfectly.

    Attributes:
        env: where it was seen or heard.
        start, end: seconds on the world's clock in which it was shown or sounded.
        modality: of the captures that hold it: a picture taken in that time, or sounds or films that cover all of it.
        words: a text holds it that has all of these, each as whole words; empty where no text can.
        until: a text counts if it is about a time from `start` to this one; infinite where the words alone tell it from
            all others.
    """

    env: str
    start: float
    end: float
    modality: Modality
    words: tuple[str, ...] = ()
    until: float = float("inf")


@dataclass(frozen=True, slots=True)
class CandidateValue:
    """A value that somebody may conclude for a fact: the right one, or one that is out of date.

    Attributes:
        value: as it is typed.
        ways: to know it; each is everything that must be perceived for it.
        seen: when it was seen or heard last, in seconds on the world's clock.
        ids: of the elements that mean it in a demonstration, in the same order for every candidate of a fact.
    """

    value: str
    ways: tuple[tuple[Evidence, ...], ...]
    seen: float
    ids: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class NeededFact:
    """A fact from before the episode without which a task cannot be solved.

    Attributes:
        name: in words: "the code for the red door".
        value: the right one, one of the candidates': the one that a demonstration uses.
    """

    name: str
    value: str
    candidates: tuple[CandidateValue, ...]

    @property
    def right(self) -> CandidateValue:
        """The candidate with the right value."""
        return next(one for one in self.candidates if one.value == self.value)


@dataclass(frozen=True, slots=True)
class WaitUntil(Move):
    """A wait of a demonstration that is over as soon as something is so, as a person waits for a window to open.

    Whoever knows moves only, waits for the seconds of its intent, a `Wait`.

    Attributes:
        what: it waits for, in words: "Save As is in front".
        holds: whether it is so now, as judges see it.
        patience: seconds after which the demonstration has failed.
    """

    what: str = ""
    holds: Callable[[], bool] = field(default=lambda: True, compare=False, repr=False)
    patience: float = 30.0


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

    def demonstration(self, anew: bool = False) -> tuple[Move, ...]:
        """Moves that solve the task from the state in which they are first asked for.

        Args:
            anew: from the state as it is now, after something else was done.

        Raises:
            ConfigError: the task has no solution. ActionRejected: none leads on from what was done before.
        """
        ...

    def open_goals(self) -> tuple[str, ...]:
        """Names of the task's sub-goals that are not reached, those that come first before the others."""
        ...

    def facts(self) -> tuple[NeededFact, ...]:
        """What must be known from before the episode, and what shows it.

        Raises:
            ConfigError: the task states none.
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
