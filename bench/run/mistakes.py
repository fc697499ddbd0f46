"""Several mistakes told at once, so that a user mends all of them before the next try."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from omnipilot.envs import ConfigError


class SeveralMistakes(ConfigError):
    """More than one thing stands in the way; `errors` has each of them."""

    def __init__(self, errors: Iterable[ConfigError]) -> None:
        self.errors = tuple(errors)
        listed = "".join(f"\n  {number}. {error}" for number, error in enumerate(self.errors, 1))
        super().__init__(f"{len(self.errors)} mistakes stand in the way:{listed}")


class Mistakes:
    """Collects what is wrong with a run.

    Attributes:
        found: the errors in the order in which they were met, each message once.
    """

    def __init__(self) -> None:
        self._found: dict[str, ConfigError] = {}

    @property
    def found(self) -> tuple[ConfigError, ...]:
        return tuple(self._found.values())

    def add(self, *errors: ConfigError) -> None:
        """Note errors; one of several mistakes counts as these."""
        for error in errors:
            if isinstance(error, SeveralMistakes):
                self.add(*error.errors)
            else:
                self._found.setdefault(str(error), error)

    @contextmanager
    def noting(self) -> Iterator[None]:
        """Note what is wrong in a block, which then ends there."""
        try:
            yield
        except ConfigError as error:
            self.add(error)

    def refuse(self) -> None:
        """Raise what was found: one mistake as it is, several as one error that lists them.

        Raises:
            ConfigError: something is wrong.
        """
        found = self.found
        if len(found) == 1:
            raise found[0]
        if found:
            raise SeveralMistakes(found)
