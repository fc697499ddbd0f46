"""The models that are made while an agent is built, so that all of them are checked before the first is called."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Protocol

_MADE: ContextVar[list[ChecksItself] | None] = ContextVar("made_models", default=None)


class ChecksItself(Protocol):
    """A model behind an endpoint, of a chat or of embeddings, transcriptions and others."""

    def check(self) -> None:
        """Look whether it can be called, as far as this machine can say; nothing is sent.

        Raises:
            ConfigError: its key is not set. MissingExtra: a package that it needs is not installed.
        """
        ...

    def preload(self) -> None:
        """Import what the first call needs, without threads and connections: the process may be forked afterwards.

        Raises:
            MissingExtra: a package that it needs is not installed.
        """
        ...


@contextmanager
def noting_models() -> Iterator[list[ChecksItself]]:
    """The list that gets every model made in this context."""
    made: list[ChecksItself] = []
    token = _MADE.set(made)
    try:
        yield made
    finally:
        _MADE.reset(token)


def note_model(model: ChecksItself) -> None:
    """Add a model that was just made to the list, where somebody keeps one."""
    if (made := _MADE.get()) is not None:
        made.append(model)
