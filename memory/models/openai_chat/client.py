"""A client of servers that speak the OpenAI chat protocol: whatever it is asked ends, and within a deadline.

An answer becomes a `Reply`. What may pass (connection lost, half an answer, 429, 5xx, nonsense instead of JSON) is
tried again while time is left, and becomes `ModelUnavailable` in the end. What will not pass by itself (a wrong model
name, parameter or key) becomes a `ConfigError` at once, with what the server says.
"""

from __future__ import annotations

import math
import os
import random
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, TypeVar

from omnipilot.envs import ConfigError
from omnipilot.envs.types import require
from omnipilot.memory.messages import Message, ModelUnavailable, Reply, Usage, answered_by, scrub_reply
from omnipilot.memory.models.openai_chat.wire import Malformed, Writer, read_error, read_models, read_reply
from omnipilot.memory.models.retry import is_retried, pause, retry_after
from omnipilot.memory.models.sampling import Sampling
from omnipilot.memory.secrets.scrub import register, scrub, scrub_error

if TYPE_CHECKING:
    from omnipilot.memory.models.openai_chat.connections import Answer

T = TypeVar("T")
_SAID = 600


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Where a model is served, and how patient its clients are.

    Attributes:
        url: base of all paths, such as "http://127.0.0.1:8000/v1".
        key: sent as bearer token; never shown anywhere.
        key_env: environment variable to take the key from where `key` is empty; named in messages.
        timeout: seconds that a call may take, with all its attempts, pauses and waiting for its turn.
        attempt: seconds that one attempt may take; None for all that is left.
        retries: attempts after the first.
        concurrency: requests under way at the same time; more wait for their turn.
    """

    url: str = "http://127.0.0.1:8000/v1"
    key: str = field(default="", repr=False)
    key_env: str = ""
    timeout: float = 60.0
    attempt: float | None = None
    retries: int = 3
    concurrency: int = 16


class ChatClient:
    """Calls one model of one server. Threads may share it; connections are kept alive.

    Args:
        endpoint: the server.
        model: the name by which the server knows the model.
        clock: seconds, for deadlines.
        wait: waits so many seconds between attempts; by default `close` ends the waiting.
        draw: uniform numbers of 0..1, for the pauses.

    Raises:
        MissingExtra: urllib3 is not installed.
        ConfigError: the endpoint cannot be: not a URL, no such environment variable, numbers that make no sense.
    """

    def __init__(
        self,
        endpoint: Endpoint,
        model: str,
        *,
        clock: Callable[[], float] = time.monotonic,
        wait: Callable[[float], object] | None = None,
        draw: Callable[[], float] = random.random,
    ) -> None:
        require("urllib3", "llm")
        from omnipilot.memory.models.openai_chat.connections import Pool

        patience = (endpoint.timeout, endpoint.timeout if endpoint.attempt is None else endpoint.attempt)
        if min(patience) <= 0 or endpoint.retries < 0 or endpoint.concurrency < 1:
            raise ConfigError("timeout and attempt are more than 0 seconds, retries 0 or more, concurrency 1 or more")
        self.endpoint = endpoint
        self.model = model
        self._key = _key(endpoint)
        register(self._key, endpoint.key_env or "key")
        self._headers = {"Content-Type": "application/json", "Accept": "application/json"}
        if self._key:
            self._headers["Authorization"] = f"Bearer {self._key}"
        self._pool = Pool(endpoint.url, endpoint.concurrency)
        self._turns = threading.BoundedSemaphore(endpoint.concurrency)
        self._closed = threading.Event()
        self._writer = Writer()
        self._clock, self._draw = clock, draw
        self._wait = wait or self._closed.wait

    def complete(
        self,
        messages: Sequence[Message],
        timeout: float | None = None,
        *,
        sampling: Sampling | None = None,
        schema: Mapping[str, Any] | None = None,
    ) -> Reply:
        """Answer a conversation within `timeout` seconds (the endpoint's where None).

        `usage` of the reply has the tokens that the server counted, every attempt that was made, and the seconds of
        the one that succeeded. Its cost is 0 where the server asks for no key, else unknown.

        Args:
            messages: in order; a last one of the assistant opens the reply, which goes on from there.
            timeout: see above.
            sampling: how to draw the answer.
            schema: JSON schema that the answer must keep.

        Raises:
            ModelUnavailable: no answer in time, or the attempts are used up.
            ConfigError: the server refuses the request (4xx), and would again.
        """
        body = self._writer.request(self.model, messages, sampling or Sampling(), schema)
        reply, attempts, seconds = self._call("POST", "/chat/completions", body, timeout, read_reply)
        cost = None if self._key else 0.0
        reply, told = scrub_reply(reply), reply.usage
        return answered_by(replace(reply, usage=Usage(attempts, told.tokens_in, told.tokens_out, cost, seconds)))

    def models(self, timeout: float | None = None) -> tuple[str, ...]:
        """Ids of the models that the server has.

        Raises:
            ModelUnavailable, ConfigError: as in `complete`.
        """
        return tuple(map(scrub, self._call("GET", "/models", None, timeout, read_models)[0]))

    def warm_up(self) -> None:
        """Open a connection and keep it; nothing is asked over it. A server that is down is met by the first call."""
        self._pool.open(self.endpoint.timeout)

    def close(self) -> None:
        """Close the connections. Calls that wait for another attempt make it at once, and fail."""
        self._closed.set()
        self._pool.close()

    def __repr__(self) -> str:
        return f"ChatClient({self.model!r}, {self.endpoint.url!r})"

    def _call(
        self, method: str, path: str, body: Sequence[bytes] | None, timeout: float | None, read: Callable[[bytes], T]
    ) -> tuple[T, int, float]:
        """The value read from an answer, attempts made, and seconds of the last one."""
        from omnipilot.memory.models.openai_chat.connections import ConnectionFailed

        until = self._clock() + (self.endpoint.timeout if timeout is None else timeout)
        trouble, attempts, cause, asked = "", 0, None, None
        while attempts <= self.endpoint.retries and not (attempts and self._closed.is_set()):
            if attempts:
                seconds = pause(attempts, asked, self._draw)
                if seconds >= until - self._clock():
                    raise self._unavailable(f"{trouble}; no time for another attempt", attempts, cause)
                self._wait(seconds)
            if not self._turns.acquire(timeout=max(0.0, until - self._clock())):
                trouble = trouble or f"{self.endpoint.concurrency} other requests are under way (concurrency)"
                raise self._unavailable(trouble, attempts, cause)
            attempts, asked = attempts + 1, None
            try:
                began = self._clock()
                limit = min(until - began, self.endpoint.attempt or math.inf)
                answer = self._pool.exchange(method, path, body, self._headers, max(limit, 0.001))
                if answer.status == 200:
                    return read(answer.body), attempts, self._clock() - began
            except ConnectionFailed as error:
                trouble, cause = f"{error}", error
                continue
            except Malformed as error:
                # No cause: it would show the whole body, and whatever the server repeats there.
                trouble, cause = f"{error}", None
                continue
            finally:
                self._turns.release()
            trouble, cause = f"HTTP {answer.status}: {self._said(answer)}", None
            if answer.status == 408:
                raise self._unavailable(trouble, attempts, None)
            if not is_retried(answer.status):
                raise self._refusal(answer, path)
            asked = retry_after(answer.headers.get("retry-after", ""))
        raise self._unavailable(trouble, attempts, cause)

    def _unavailable(self, trouble: str, attempts: int, cause: Exception | None) -> ModelUnavailable:
        times = f"{attempts} attempt{'s' if attempts != 1 else ''}"
        error = ModelUnavailable(
            scrub_error(f"{self.model} at {self.endpoint.url} gave no answer in {times}: {trouble}")
        )
        error.__cause__ = cause
        return error

    def _refusal(self, answer: Answer, path: str) -> ConfigError:
        """What a status means that is not worth another attempt."""
        where = f"{self.endpoint.url}{path}"
        said = f"{where} answers HTTP {answer.status}: {self._said(answer)}"
        if answer.status in (401, 403):
            name = self.endpoint.key_env or "key_env"
            state = f"the key in {name} is not accepted" if self._key else f"it wants a key: name its variable ({name})"
            return ConfigError(f"{said}; {state}")
        if answer.status == 404:
            return ConfigError(f"{said}; does the URL end in /v1, and does the server have the model {self.model!r}?")
        if 300 <= answer.status < 400:
            to = scrub_error(answer.headers.get("location", "it moved to"))
            return ConfigError(f"{where} has moved; give the URL {to!r}")
        return ConfigError(said)

    def _said(self, answer: Answer) -> str:
        return scrub_error(read_error(answer.body))[:_SAID]


def _key(endpoint: Endpoint) -> str:
    key = endpoint.key
    if endpoint.key_env and not endpoint.key_env.isidentifier():
        raise ConfigError("key_env is the name of an environment variable, not the key itself")
    if not key and endpoint.key_env:
        key = os.environ.get(endpoint.key_env, "")
        if not key:
            raise ConfigError(f"the environment variable {endpoint.key_env} holds no key; set it, or leave key_env out")
    if not (key.isascii() and key.isprintable()) or " " in key:
        # A header cannot carry it, and the error of whoever tried would show it.
        raise ConfigError(f"the key in {endpoint.key_env or 'key'} holds spaces, line ends or letters beyond ASCII")
    return key
