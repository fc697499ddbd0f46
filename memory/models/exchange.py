"""What is sent to models and what comes back, as whoever keeps a record is told of it.

Every attempt at a call of a model, be it a chat, texts to embed or a sound to transcribe, is reported to the listener
of the context that it is called in, whatever part of an agent calls it and however deep it lies within others. The
context also says in which role the model is asked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

from omnipilot.envs.types.media import Media
from omnipilot.memory.messages import Reply, Usage, scrub_reply
from omnipilot.memory.models.retry import RetryClock
from omnipilot.memory.secrets.scrub import scrub

T = TypeVar("T")


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
        reply: what was read of it, in words where it is no conversation; None if the attempt failed.
        problem: why the attempt failed, "" if it did not.
        usage: tokens, cost and seconds of this attempt.
        replayed: answered from a cassette: nothing was sent, and nothing was paid.
        waited: seconds that it waited for its turn at the endpoint, in no usage.
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
    waited: float = 0.0


class Listener(Protocol):
    """Is told of the calls of models."""

    def exchanged(self, exchange: Exchange) -> None:
        """Called after each attempt, before anybody reads the reply."""
        ...

    def unread(self, problem: str, unknown: Sequence[str] = ()) -> None:
        """Called when the last reply could not be read by who asked for it; `problem` says why."""
        ...


_listener: ContextVar[Listener | None] = ContextVar("listener", default=None)
_role: ContextVar[str] = ContextVar("role", default="")
_episode: ContextVar[str] = ContextVar("episode", default="")


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


@contextmanager
def in_episode(key: str) -> Iterator[None]:
    """Say to which episode the calls of models within the block belong."""
    token = _episode.set(key)
    try:
        yield
    finally:
        _episode.reset(token)


def current_episode() -> str:
    """The episode to which calls of models belong; "" where nobody said."""
    return _episode.get()


def current_listener() -> Listener | None:
    """Who is told of calls; None if nobody is."""
    return _listener.get()


def current_role() -> str:
    """The role in which models are asked; "planner" where nobody said."""
    return _role.get() or "planner"


def tell_unread(problem: str, unknown: Sequence[str] = ()) -> None:
    """Report that the last reply could not be read, for whoever keeps a record.

    Args:
        unknown: actions that it asked for and that the action space has no word for.
    """
    if (listener := _listener.get()) is not None:
        listener.unread(problem, unknown)


class WatchedCall:
    """Gathers what one call sends and gets back, and tells a listener of each attempt as soon as it is over.

    Args:
        model: provider and model. clock: measures the seconds of attempts.
    """

    def __init__(self, listener: Listener, model: str, clock: RetryClock) -> None:
        self._listener, self._model, self._clock = listener, model, clock
        self._body: Mapping[str, Any] = {}
        self._raw = ""
        self._attempts = 0
        self._waited = 0.0

    def waiting(self, seconds: float) -> None:
        """The next attempt has waited so long for its turn at the endpoint."""
        self._waited = seconds

    def sending(self, body: Mapping[str, Any]) -> None:
        """The body of the request, with `Enclosed` in the place of each capture."""
        self._body = body

    def received(self, body: str) -> None:
        """The body of an answer, whatever it is."""
        self._raw = scrub(body)

    def over(
        self, attempt: Callable[[float], T], describe: Callable[[T], Reply], raw: bool = True
    ) -> Callable[[float], T]:
        """The attempt, whose outcome is reported.

        Args:
            describe: gives what the record tells of its result; the usage has tokens and cost.
            raw: whether an answer that could be read is also told as it came.
        """

        def watched(seconds: float) -> T:
            self._raw, began = "", self._clock.now()
            try:
                result = attempt(seconds)
            except Exception as error:
                self.tell(None, scrub(f"{error}"), Usage(calls=1, cost=0.0, seconds=self._clock.now() - began))
                raise
            reply = describe(result)
            self._raw = self._raw if raw else ""
            tokens = reply.usage
            spent = Usage(1, tokens.tokens_in, tokens.tokens_out, tokens.cost, self._clock.now() - began)
            self.tell(scrub_reply(reply), "", spent)
            return result

        return watched

    def tell(self, reply: Reply | None, problem: str, usage: Usage, replayed: bool = False) -> None:
        """Report an attempt."""
        self._attempts += 1
        role, waited = current_role(), self._waited
        self._listener.exchanged(
            Exchange(role, self._model, self._attempts, self._body, self._raw, reply, problem, usage, replayed, waited)
        )
