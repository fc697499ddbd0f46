"""The client for providers that only litellm knows: sends one request and reads the reply from the response."""

from __future__ import annotations

import base64
import json
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from omnipilot.envs import ConfigError
from omnipilot.envs.types.media import Media
from omnipilot.memory.messages import Message, Reply, Usage, read_count
from omnipilot.memory.models.client import Attempt, ChatRequest, ModelClient
from omnipilot.memory.models.endpoint import LlmEndpoint
from omnipilot.memory.models.keys import NO_KEY, needs_no_key, usual_key, usual_keys
from omnipilot.memory.models.litellm.errors import meaning
from omnipilot.memory.models.litellm.library import ask, library, present, rehearse
from omnipilot.memory.models.litellm.parameters import accepted_parameters
from omnipilot.memory.models.litellm.redirects import FOLLOWING
from omnipilot.memory.models.media_forms import Form, MediaForms
from omnipilot.memory.models.model_names import check_provider
from omnipilot.memory.models.openai_messages import (
    capture_file,
    enclosed_part,
    function,
    media_part,
    openai_messages,
    response_format,
    tool_choice,
)
from omnipilot.memory.models.providers import endpoint_forms, provider_of, providers
from omnipilot.memory.models.retry import TransientError


class LitellmClient(ModelClient):
    """The client of every provider that litellm knows.

    Raises:
        ConfigError: there is no such provider, or litellm would follow its redirects.
        MissingExtra: litellm is not installed.
    """

    def __init__(self, endpoint: LlmEndpoint) -> None:
        check_provider(endpoint.model, endpoint.url)
        present()
        _refuse_redirects(endpoint)
        self._endpoint = endpoint

    def prepare(self, request: ChatRequest, key: str | None) -> tuple[Attempt, tuple[str, ...]]:
        """See `ModelClient`.

        Raises:
            ConfigError: the model takes no tools and some are wanted, or its provider's key is not set.
            MissingExtra: litellm is not installed.
        """
        endpoint = self._endpoint
        _check_key(endpoint, key)
        wanted: dict[str, Any] = dict(request.parameters)
        if request.tools:
            # Copied to the last level: litellm changes the tools that it is given.
            wanted["tools"] = json.loads(json.dumps([function(tool) for tool in request.tools]))
            wanted["tool_choice"] = tool_choice(request.tool_choice)
        if request.schema is not None:
            wanted["response_format"] = response_format(request.schema)
        parameters, dropped = accepted_parameters(endpoint.model, wanted)
        fields = {
            "model": endpoint.model,
            "api_base": endpoint.url or None,
            "api_key": NO_KEY if key == "" else key,
            **parameters,
        }
        forms = endpoint_forms(endpoint)
        if request.watch is not None:
            told = openai_messages(request.messages, forms, enclosed_part)
            request.watch.sending({"model": endpoint.model, "messages": told, **parameters})

        def attempt(seconds: float) -> Reply:
            # Written anew: litellm changes the messages that it is given.
            told = {**fields, "messages": litellm_messages(request.messages, forms)}
            try:
                response = ask(told, seconds)
            except Exception as error:
                if request.watch is not None:
                    request.watch.received(str(getattr(error, "message", "") or error))
                raise meaning(error, endpoint) from None
            if request.watch is not None:
                request.watch.received(_raw(response))
            return _read(response)

        return attempt, dropped

    def check_key(self, key: str | None) -> None:
        """See `ModelClient.check_key`; litellm is asked only about providers that our table does not have."""
        endpoint = self._endpoint
        if key is None and endpoint.provider not in providers() and not usual_keys(endpoint):
            _check_key(endpoint, key)
        elif key is None and not needs_no_key(endpoint) and not usual_keys(endpoint):
            usual_key(endpoint)

    def preload(self) -> None:
        """Import litellm and what it imports for a first call, which takes seconds."""
        library()
        if not provider_of(self._endpoint.model).ambient_credentials:
            rehearse(self._endpoint.model, threadless=True)

    def warm_up(self) -> None:
        """Import litellm and load everything it needs for a call."""
        library()
        if not provider_of(self._endpoint.model).ambient_credentials:
            rehearse(self._endpoint.model)

    def close(self) -> None:
        """Does nothing: litellm manages its own connections."""


def litellm_messages(messages: Sequence[Message], forms: MediaForms) -> list[dict[str, Any]]:
    """The messages of a request, with their media in base64."""
    return openai_messages(messages, forms, _capture)


def _capture(media: Media, form: Form, detail: str = "") -> dict[str, Any]:
    data, kind = encode_file(media)
    return media_part(form, kind, data, detail)


@lru_cache(maxsize=64)
def encode_file(part: Media) -> tuple[str, str]:
    """A capture's file in base64, and its media type; cached because a conversation is sent every turn.

    Raises:
        MissingExtra: PyAV is not installed, and it is a video.
    """
    content, kind = capture_file(part)
    return base64.b64encode(content).decode(), kind


def _refuse_redirects(endpoint: LlmEndpoint) -> None:
    if endpoint.provider in FOLLOWING:
        raise ConfigError(
            f"{endpoint.model}: litellm follows redirects for {endpoint.provider}/, to any host and with the whole "
            f"conversation; write openai-compatible/{endpoint.model_name}"
        )


def _raw(response: Any) -> str:
    """The response as the JSON that litellm makes of a provider's answer."""
    dump = getattr(response, "model_dump_json", None)
    return str(dump(exclude_none=True)) if dump is not None else repr(response)


def _check_key(endpoint: LlmEndpoint, key: str | None) -> None:
    """Check for a key: some providers are called without one and then report a different error."""
    if key is None and not needs_no_key(endpoint):
        missing = library().validate_environment(endpoint.model)["missing_keys"]
        if missing:
            raise ConfigError(
                f"{endpoint.model} needs a key: set {' or '.join(missing)}, or name its variable in key_env"
            )


def _read(response: Any) -> Reply:
    """Read the first choice as a reply; its usage has only the tokens.

    Raises:
        TransientError: the response holds no answer.
    """
    try:
        choice = response.choices[0]
        message = choice.message
        text, calls = message.content or "", message.tool_calls or ()
        named = tuple((str(call.function.name or ""), _arguments(call.function.arguments)) for call in calls)
    except (AttributeError, IndexError, TypeError) as error:
        raise TransientError(f"the answer is no chat completion ({type(error).__name__})") from None
    if not isinstance(text, str):
        raise TransientError("the answer is no text")
    counted = getattr(response, "usage", None)
    tokens = Usage(tokens_in=_count(counted, "prompt_tokens"), tokens_out=_count(counted, "completion_tokens"))
    reasoning = getattr(message, "reasoning_content", None) or ""
    return Reply(text, named, tokens, str(response.model or ""), str(choice.finish_reason or ""), str(reasoning))


def _arguments(arguments: Any) -> str:
    if arguments is None:
        return "{}"
    return arguments if isinstance(arguments, str) else json.dumps(arguments)


def _count(usage: Any, name: str) -> int:
    return read_count(getattr(usage, name, 0)) or 0
