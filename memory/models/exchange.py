"""What is sent to models and what comes back, as whoever keeps a record is told of it.

Every attempt of every `ChatModel` is reported to the listener of the context that it is called in, whatever part of an
agent calls it and however deep it lies within others. The context also says in which role the model is asked.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any, Protocol

from omnipilot.envs.types.media import Media
from omnipilot.memory.messages import Reply, Usage


@dataclass(frozen=True, slots=True)
class Enclosed:
    """A capture in the body of a request, in the place of its file's text.

    Attributes:
        kind: media type of the file that is sent, such as "image/png".
        prefix: what stands before the file's base64, such as "data:image/png;base64,".
    """

    media: Media
    kind: str
    prefix: str = ""


@dataclass(frozen=True, slots=True)
class Exchange:
    """One attempt at a call of a model: what was sent, and what came back.

    Attributes:
        role: who asked: "planner", "grounder", "critic", "memory", …
        model: provider and model, as the endpoint names it.
        attempt: from 1; a later one sends the same body again.
        body: of the request as its client sends it, captures as `Enclosed`; no key, no header and no address.
        raw: the answer as it came, keys scrubbed; "" if none came, or if the client does not tell.
        reply: what was read of it; None if the attempt failed.
        problem: why the attempt failed, "" if it did not.
        usage: tokens, cost and seconds of this attempt.
        replayed: answered from a cassette: nothing was sent, and nothing was paid.
    """

    role: str
    model: str
    attempt: int
    body: Mapping[str, Any]
    raw: str
    reply: Reply | None
    problem: str
    usage: Usage
    replayed: bool = False


class Listener(Protocol):
    """Is told of the calls of models."""

    def exchanged(self, exchange: Exchange) -> None:
        """Called after each attempt, before anybody reads the reply."""
        ...

    def unread(self, problem: str) -> None:
        """Called when the last reply could not be read by who asked for it; `problem` says why."""
        ...


_listener: ContextVar[Listener | None] = ContextVar("listener", default=None)
_role: ContextVar[str] = ContextVar("role", default="")


@contextmanager
def listening(listener: Listener | None) -> Iterator[None]:
    """Report the calls of models within the block to a listener; None reports them to nobody."""
    token = _listener.set(listener)
    try:
        yield
    finally:
        _listener.reset(token)


@contextmanager
def in_role(name: str) -> Iterator[None]:
    """Say in which role models are asked within the block. The innermost role counts."""
    token = _role.set(name)
    try:
        yield
    finally:
        _role.reset(token)


def current_listener() -> Listener | None:
    """Who is told of calls; None if nobody is."""
    return _listener.get()


def current_role() -> str:
    """The role in which models are asked; "planner" where nobody said."""
    return _role.get() or "planner"


def tell_unread(problem: str) -> None:
    """Report that the last reply could not be read, for whoever keeps a record."""
    if (listener := _listener.get()) is not None:
        listener.unread(problem)
