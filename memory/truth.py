"""What the runner knows of an episode and agents may not: the source of gold and graded parts."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from omnipilot.envs import Absent, ConfigError, Elements
from omnipilot.memory.trajectory import Move


class Truth(Protocol):
    """The truth about the running episode.

    The runner makes it, and `omnipilot.agents.build` hands it to the parts that the registries list as gold, and to
    no other part.

    Attributes:
        seed: of the episode; differs by task, instance and trial.
    """

    @property
    def seed(self) -> int: ...

    def elements(self, env: str) -> Elements | Absent:
        """Every element on the screen of an environment, as judges read it; absent where nothing knows them."""
        ...

    def demonstration(self) -> tuple[Move, ...]:
        """A solution of the task.

        Raises:
            ConfigError: the task has none.
        """
        ...


@runtime_checkable
class TakesTruth(Protocol):
    """A gold or graded part: one that takes its answers, or some of them, from the truth."""

    def take_truth(self, truth: Truth) -> None:
        """Keep the source; it follows the running episode. Called once, before any episode."""
        ...


class Unknown:
    """The truth of a part that was made without one: every question raises ConfigError.

    Args:
        what: the part, for the message: "grounder 'gold'".
    """

    def __init__(self, what: str) -> None:
        self._what = what

    @property
    def seed(self) -> int:
        """Unknown."""
        raise self._error()

    def elements(self, env: str) -> Elements | Absent:  # noqa: ARG002
        """Unknown."""
        raise self._error()

    def demonstration(self) -> tuple[Move, ...]:
        """Unknown."""
        raise self._error()

    def _error(self) -> ConfigError:
        return ConfigError(
            f"{self._what} takes its answers from the runner, and there is none here; "
            "use it by its name in `omnipilot run`, `sweep`, `grid` or `ground`"
        )
