"""What an error of litellm means: try again, tell the user, or give the episode up."""

from __future__ import annotations

import re

from omnipilot.envs import ConfigError
from omnipilot.memory.messages import ModelUnavailable, without_reprs
from omnipilot.memory.models.endpoint import LlmEndpoint
from omnipilot.memory.models.keys import name_of
from omnipilot.memory.models.retry import TransientError, is_retried, retry_after
from omnipilot.memory.secrets.scrub import scrub_error

_SAID = 600
_QUOTA = ("insufficient_quota", "exceeded your current quota", "credit balance is too low", "billing")

_FILTERED = ("content_policy_violation", "content_filter")


def meaning(error: Exception, endpoint: LlmEndpoint) -> TransientError | ConfigError | ModelUnavailable:
    """The error to raise instead; it holds no key, and should be raised `from None`, since its cause may.

    `TransientError` for 429, 5xx, time-outs, lost connections and answers that are none; `ConfigError` for refused
    keys, used-up credit and requests that will be refused again; `ModelUnavailable` where the content is refused by
    the provider's filter, which another episode may not meet.
    """
    code = getattr(error, "status_code", None)
    status = int(code) if isinstance(code, int | str) and str(code).isdecimal() else None
    said = without_reprs(_words(error))[:_SAID]
    where = f"{endpoint.model}{f' at {endpoint.url}' if endpoint.url else ''}"
    name = type(error).__name__
    if isinstance(error, TimeoutError) or name == "Timeout":
        return TransientError("no answer in time")
    if status in (401, 403) or "Missing credentials" in said or name == "AuthenticationError":
        return ConfigError(f"{where} does not accept the key in {name_of(endpoint)}: {said}")
    filtered = any(word in f"{said} {getattr(error, 'code', '')}" for word in _FILTERED)
    if name == "ContentPolicyViolationError" or (status == 400 and filtered):
        return ModelUnavailable(f"{where} refuses the content of this conversation: {said}")
    if status == 402 or (status == 429 and any(word in said.lower() for word in _QUOTA)):
        return ConfigError(f"{where} has no credit left for the key in {name_of(endpoint)}: {said}")
    if status == 404:
        return ConfigError(
            f"{where} answers HTTP 404: {said}; does the server have this model, and is the URL its own?"
        )
    if name == "ContextWindowExceededError":
        return ConfigError(f"{where}: the conversation is too long: {said}; give it less history or smaller pictures")
    if status is not None and 300 <= status < 500 and status not in (408, 429):
        return ConfigError(f"{where} refuses the request (HTTP {status}): {said}")
    if status is None or status < 300 or status == 408 or is_retried(status):
        # litellm says 500 also where no answer came at all.
        answered = status not in (None, 500) or getattr(error, "litellm_response_headers", None) is not None
        return TransientError(f"{f'HTTP {status}: ' if answered else ''}{said or name}", _asked(error))
    return ConfigError(f"{where} answers HTTP {status}: {said}")


def _words(error: Exception) -> str:
    """What the provider says, without keys, the names that litellm puts before it and the traceback after it."""
    text, _, trace = scrub_error(str(error)).partition("Traceback (most recent call last):")
    if last := re.search(r"^\w[\w.]*(?:Error|Exception): .*", trace, re.MULTILINE):
        text = f"{text.strip()} ({last[0]})"
    text = re.sub(r"^(?:litellm\.)?(?:\w+(?:Error|Exception|Timeout)\s*(?::|-)\s*)+", "", text).strip()
    found = re.search(r'"message"\s*:\s*"((?:[^"\\]|\\.)*)"', text)
    said = found[1].replace('\\"', '"') if found else text
    return said if hasattr(error, "status_code") else f"{type(error).__name__}: {said}"


def _asked(error: Exception) -> float | None:
    """Seconds that the server asked to wait."""
    for headers in (getattr(error, "litellm_response_headers", None), getattr(error.__cause__, "headers", None)):
        value = headers.get("retry-after") if headers is not None and hasattr(headers, "get") else None
        if value:
            return retry_after(str(value))
    return None
