"""The meaning of a litellm error: retry, tell the user, or give up the episode."""

from __future__ import annotations

import re

from omnipilot.envs import ConfigError
from omnipilot.memory.messages import ModelUnavailable, without_reprs
from omnipilot.memory.models.endpoint import LlmEndpoint
from omnipilot.memory.models.failures import LONGEST_QUOTE, failure, moved_base
from omnipilot.memory.models.litellm.redirects import Redirected
from omnipilot.memory.models.retry import TransientError, retry_after
from omnipilot.memory.secrets.scrub import scrub_error

_STATUS = {"AuthenticationError": 401, "ContentPolicyViolationError": 400, "ContextWindowExceededError": 400}
"""Status of errors whose class says more than their own status."""
_CODE = {"ContentPolicyViolationError": "content_filter", "ContextWindowExceededError": "context_length_exceeded"}


def meaning(error: Exception, endpoint: LlmEndpoint) -> TransientError | ConfigError | ModelUnavailable:
    """The error to raise instead; it contains no key, and should be raised `from None`, since its cause may.

    As `failure` says, and `TransientError` for time-outs, lost connections and answers that are none.
    """
    if isinstance(error, Redirected):
        moved_to = scrub_error(moved_base(endpoint.url, error.asked, error.location))
        return failure(endpoint, error.status, str(error), moved_to=moved_to)
    status = getattr(error, "status_code", None)
    number = int(status) if isinstance(status, int | str) and str(status).isdecimal() else 0
    said = without_reprs(_words(error))
    name = type(error).__name__
    if isinstance(error, TimeoutError) or name == "Timeout":
        return TransientError("no answer in time")
    number = 401 if "Missing credentials" in said else _STATUS.get(name, number)
    # litellm says 500 also where no answer came at all.
    if number < 300 or (number == 500 and getattr(error, "litellm_response_headers", None) is None):
        return TransientError((said or name)[:LONGEST_QUOTE], _seconds_to_wait(error))
    code = f"{getattr(error, 'code', '')} {_CODE.get(name, '')}"
    return failure(endpoint, number, said or name, code=code, wait=_seconds_to_wait(error))


def _words(error: Exception) -> str:
    """The provider's message, without keys, litellm's prefixes and the traceback."""
    text, _, trace = scrub_error(str(error)).partition("Traceback (most recent call last):")
    if last := re.search(r"^\w[\w.]*(?:Error|Exception): .*", trace, re.MULTILINE):
        text = f"{text.strip()} ({last[0]})"
    text = re.sub(r"^(?:litellm\.)?(?:\w+(?:Error|Exception|Timeout)\s*(?::|-)\s*)+", "", text).strip()
    found = re.search(r'"message"\s*:\s*"((?:[^"\\]|\\.)*)"', text)
    said = found[1].replace('\\"', '"') if found else text
    return said if hasattr(error, "status_code") else f"{type(error).__name__}: {said}"


def _seconds_to_wait(error: Exception) -> float | None:
    """Seconds that the server asks to wait before the next attempt; None if it does not say."""
    for headers in (getattr(error, "litellm_response_headers", None), getattr(error.__cause__, "headers", None)):
        value = headers.get("retry-after") if headers is not None and hasattr(headers, "get") else None
        if value:
            return retry_after(str(value))
    return None
