"""From the part of a run's settings to its user, and what is wrong with it."""

from __future__ import annotations

from omnipilot.agents import PartSpec
from omnipilot.agents.assembly.examine import part_mistakes
from omnipilot.bench.registry import USERS
from omnipilot.bench.users.base import NO_USER, User
from omnipilot.envs import ConfigError

DEFAULT = PartSpec("rules")


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


def user_mistakes(part: PartSpec | None) -> list[ConfigError]:
    """What is wrong with the user of a run, or keeps it from being asked here; nothing is sent to a model."""
    if part is None or part.name == NO_USER:
        return []
    return part_mistakes(USERS, part)


def refuse_absent(part: PartSpec | None, jobs: int) -> None:
    """Refuse a person who cannot be asked from here.

    Args:
        jobs: worker processes of the run; 0 where its episodes are played in this one.

    Raises:
        ConfigError: there is no terminal, or others than this process would have to ask.
    """
    user = make_user(part)
    if user is None:
        return
    user.check()
    if user.own_process and jobs:
        name = part.name if part is not None else DEFAULT.name
        raise ConfigError(f"--user {name} is asked in the process that you started; add --jobs 0")
