"""Variations of a suite: its tasks with another appearance, other names or other words, and the same judges."""

from __future__ import annotations

from collections.abc import Mapping

from omnipilot.agents.assembly.registry import describe_unknown
from omnipilot.envs import ConfigError

VARY = "vary"
"""The option that every suite takes besides its own: how its tasks are varied, several variations joined by a plus."""
NO_VARIATION = "none"


def variation_names(written: str) -> tuple[str, ...]:
    """The variations that are written as "dark+zoom", sorted, each once; none for "none" and for nothing.

    Raises:
        ConfigError: a name is missing, or "none" stands beside others.
    """
    if written in ("", NO_VARIATION):
        return ()
    names = written.split("+")
    if not all(names) or NO_VARIATION in names:
        raise ConfigError(f"vary takes names joined by +, such as dark+zoom, or {NO_VARIATION}, not {written!r}")
    return tuple(sorted(set(names)))


def check_variations(suite: str, names: tuple[str, ...], known: Mapping[str, str]) -> None:
    """Refuse variations that a suite does not have.

    Args:
        suite: its name. known: its variations.

    Raises:
        ConfigError: it has none, or not these; the message lists those that it has.
    """
    if names and not known:
        raise ConfigError(f"suite {suite!r} has no variations; leave out --vary")
    for name in names:
        if name not in known:
            raise ConfigError(f"suite {suite!r}: {describe_unknown('variation', name, known)}")
