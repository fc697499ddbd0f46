"""The meaning of a failed call: retry, tell the user, or give up the episode. The same for every client."""

from __future__ import annotations

from urllib.parse import urljoin

from omnipilot.envs import ConfigError
from omnipilot.memory.messages import ModelUnavailable
from omnipilot.memory.models.endpoint import LlmEndpoint
from omnipilot.memory.models.keys import key_name
from omnipilot.memory.models.retry import TransientError, is_retried, wait_in

LONGEST_QUOTE = 600
"""Characters of a server's own words that an error repeats."""
_NO_CREDIT = ("insufficient_quota", "exceeded your current quota", "credit balance is too low", "billing")
_FILTERED = ("content_policy_violation", "content_filter", "contentpolicyviolation")
_FLAGGED = (*_FILTERED, "moderation", "flagged", "content policy", "usage policy")
_LIMITED = (*_NO_CREDIT, "limit exceeded", "quota", "insufficient credit", "out of credit")
_KEY = ("api key", "api_key", "apikey", "invalid key", "authentication", "unauthorized", "invalid token", "credential")
_NO_USER_AFTER_TOOL = ("after role 'tool'", 'after role "tool"', "invalid_request_message_order")
_TOO_LONG = (
    "context_length_exceeded",
    "maximum context length",
    "maximum context limit",
    "exceed context limit",
    "longer than the model's context length",
    "longer than the maximum model length",
    "exceeds the available context size",
    "exceeds the maximum number of tokens",
    "input tokens exceed the configured limit",
    "prompt is too long",
)
"""How servers say that a conversation is too long: OpenAI, vLLM, SGLang, llama.cpp, Gemini, Anthropic."""
_ANSWER_TOO_LONG = ("cannot be greater than max_model_len", "'max_completion_tokens' is too large")
"""How vLLM says that the answer may not be so long, whatever the conversation: 0.32, and older ones."""
_NO_PICTURES = ("is not a multimodal model", "image input is not supported")
"""How servers say that a model takes no pictures: vLLM, llama.cpp."""


class ConversationTooLong(ConfigError):
    """The conversation and its answer do not fit into the model's context."""


def describe(endpoint: LlmEndpoint) -> str:
    """The model and its server, as named in messages."""
    return f"{endpoint.model}{f' at {endpoint.url}' if endpoint.url else ''}"


def moved_base(base: str, asked: str, location: str) -> str:
    """The base URL to write instead, where a server that was asked says that it is elsewhere.

    Args:
        base: the URL of the endpoint; "" where it has none.
        asked: the address of the request, which begins with it.
        location: what it gave as its address, also relative to that one; "" where it gave nothing.
    """
    if not location:
        return ""
    try:
        moved = urljoin(asked, location)
    except ValueError:
        return location
    path = asked.removeprefix(base.rstrip("/")) if base and asked.startswith(base) else ""
    return moved.removesuffix(path)


def failure(
    endpoint: LlmEndpoint,
    status: int,
    quote: str,
    *,
    code: str = "",
    wait: float | None = None,
    keyless: bool = False,
    moved_to: str = "",
) -> TransientError | ConfigError | ModelUnavailable:
    """The error to raise for a response other than 200.

    `TransientError` for 408, 429 and 5xx; `ConfigError` for refused keys, used-up credit, access that is refused and
    requests that will be refused again; `ModelUnavailable` where the provider's filter refuses the content, which
    another episode may not meet.

    Args:
        status: HTTP status.
        quote: what the server says, without keys.
        code: its own name for the error, where it gives one.
        wait: seconds after which it asks to be tried again.
        keyless: no key was sent.
        moved_to: the address that it says it is at now (`moved_base`).
    """
    where, said = describe(endpoint), quote[:LONGEST_QUOTE]
    clues = f"{quote} {code}".lower()
    if status == 403 and any(word in clues for word in _FLAGGED):
        return ModelUnavailable(f"{where} refuses the content of this conversation: {said}")
    if status == 403 and any(word in clues for word in _LIMITED):
        return ConfigError(f"{where} has no credit left for the key in {key_name(endpoint)}: {said}")
    if status == 403 and not keyless and not any(word in clues for word in _KEY):
        return ConfigError(f"{where} refuses access (HTTP 403): {said}")
    if status in (401, 403):
        if keyless:
            return ConfigError(f"{where} wants a key; name its variable with key_env. It answers HTTP {status}: {said}")
        return ConfigError(f"{where} does not accept the key in {key_name(endpoint)}: {said}")
    if status == 400 and any(word in clues for word in _FILTERED):
        return ModelUnavailable(f"{where} refuses the content of this conversation: {said}")
    # Google calls a limit per minute an exceeded quota, and tells to look at the billing, but also when to come back.
    later = wait_in(quote)
    if status == 402 or (status == 429 and later is None and any(word in clues for word in _NO_CREDIT)):
        return ConfigError(f"{where} has no credit left for the key in {key_name(endpoint)}: {said}")
    if status == 404:
        cure = "does the URL end in /v1, and does the server have this model?" if endpoint.url else "is its name right?"
        return ConfigError(f"{where} answers HTTP 404: {said}; {cure}")
    if 300 <= status < 400 and moved_to:
        return ConfigError(f"{where} has moved (HTTP {status}): {said}; give the URL {moved_to!r}")
    if status in (400, 422) and any(words in clues for words in _ANSWER_TOO_LONG):
        return ConfigError(
            f"{where}: the answer may not be as long as max_tokens says: {said}; "
            "set max_tokens to what the model's context leaves beside the conversation, or start its server with a "
            "longer context"
        )
    if status in (400, 413, 422) and any(words in clues for words in _TOO_LONG):
        return ConversationTooLong(
            f"{where}: the conversation is too long: {said}; give it less history (history_tokens), smaller pictures "
            "(scale) or a smaller max_tokens, or start its server with a longer context"
        )
    if status in (400, 422, 500, 501) and any(words in clues for words in _NO_PICTURES):
        return ConfigError(
            f"{where} takes no pictures: {said}; say so with images=0, and let its planner see elements "
            "(--planner-modalities elements,context)"
        )
    if status in (400, 422) and any(words in clues for words in _NO_USER_AFTER_TOOL):
        return ConfigError(
            f"{where}: its chat template takes no user's message behind that of a tool; "
            f"choose the planner that calls no tools, -o planner.name=json. It says: {said}"
        )
    if status == 408 or is_retried(status):
        return TransientError(f"HTTP {status}: {said}", later if wait is None else wait, status)
    return ConfigError(f"{where} refuses the request (HTTP {status}): {said}")
