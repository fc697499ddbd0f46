"""From the part of a run's settings to its user, and what is wrong with it."""

from __future__ import annotations

from dataclasses import dataclass

from omnipilot.agents import PartSpec
from omnipilot.bench.registry import USERS
from omnipilot.bench.users.base import NO_USER, User
from omnipilot.envs import ConfigError
from omnipilot.memory.models.made_models import ChecksItself, noting_models

DEFAULT = PartSpec("rules")


@dataclass(frozen=True, slots=True)
class ExaminedUser:
    """The user of a run, made once to be looked at; no episode is played with it.

    Attributes:
        name: of its part. user: None for nobody, and where it cannot be made.
        mistakes: what keeps it from being made. models: those that it calls.
    """

    name: str
    user: User | None = None
    mistakes: tuple[ConfigError, ...] = ()
    models: tuple[ChecksItself, ...] = ()

    def prompts(self) -> dict[str, str]:
        """Hashes of what its model is told, for the run's specification."""
        stated = self.user.identity() if self.user is not None else {}
        return {f"user.{name}": digest for name, digest in stated.items()}

    def refuse_uncallable(self) -> None:
        """Refuse a user whose model cannot be called from here; nothing is sent.

        Raises:
            ConfigError: such as for a key that is not set.
        """
        for model in self.models:
            model.check()

    def refuse_absent(self, jobs: int) -> None:
        """Refuse a person who cannot be asked from here.

        Args:
            jobs: worker processes of the run; 0 where its episodes are played in this one.

        Raises:
            ConfigError: there is no terminal, or others than this process would have to ask.
        """
        if self.user is not None:
            self.user.check()
            if self.user.own_process and jobs:
                raise ConfigError(f"--user {self.name} is asked in the process that you started; add --jobs 0")


def make_user(part: PartSpec | None) -> User | None:
    """The user of a run; None for nobody.

    Args:
        part: of the run's specification; None for the default user.

    Raises:
        ConfigError: it cannot be made.
    """
    chosen = part or DEFAULT
    user: User | None = None if chosen.name == NO_USER else USERS.make(chosen)
    return user


def examine_user(part: PartSpec | None) -> ExaminedUser:
    """Make the user of a run once, to look at it."""
    name = (part or DEFAULT).name
    with noting_models() as models:
        try:
            user = make_user(part)
            return ExaminedUser(name, user, (), tuple(models))
        except ConfigError as error:
            return ExaminedUser(name, None, (error,))
