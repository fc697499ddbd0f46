"""One request to litellm and the reply read from its response."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from omnipilot.envs import ConfigError
from omnipilot.memory.messages import Message, Reply, Usage
from omnipilot.memory.models.endpoint import LlmEndpoint
from omnipilot.memory.models.keys import CLOUDS
from omnipilot.memory.models.litellm.errors import meaning
from omnipilot.memory.models.litellm.library import ask, library
from omnipilot.memory.models.litellm.media_wire import wire
from omnipilot.memory.models.litellm.parameters import accepted_parameters
from omnipilot.memory.models.litellm.prices import cost
from omnipilot.memory.models.media_forms import forms
from omnipilot.memory.models.retry import RetryPolicy, TransientError
from omnipilot.memory.models.strict_schema import is_strict, without_repeated_bounds

if TYPE_CHECKING:
    from omnipilot.memory.models.tool import Tool


def answer(
    endpoint: LlmEndpoint,
    key: str | None,
    policy: RetryPolicy,
    messages: Sequence[Message],
    tools: Sequence[Tool],
    tool_choice: str,
    schema: Mapping[str, Any] | None,
) -> Reply:
    """Ask, as often as the policy allows; see `LitellmModel.complete`.

    Args:
        key: to send; None is the provider's usual one from the environment.
        messages: whose media fit the endpoint.
    """
    wanted: dict[str, Any] = dict(endpoint.parameters)
    if tools:
        wanted["tools"] = [_function(tool) for tool in tools]
        named = {"type": "function", "function": {"name": tool_choice}}
        wanted["tool_choice"] = tool_choice if tool_choice in ("required", "auto", "none") else named
    if schema is not None:
        told = {"name": "answer", "schema": without_repeated_bounds(schema), "strict": is_strict(schema)}
        wanted["response_format"] = {"type": "json_schema", "json_schema": told}
    _check_key(endpoint, key)
    parameters, dropped = accepted_parameters(endpoint.model, wanted)
    request = {
        "model": endpoint.model,
        "api_base": endpoint.url or None,
        "api_key": key,
        **parameters,
    }
    taken = forms(endpoint.model)

    def attempt(seconds: float) -> Reply:
        # Written anew: litellm changes the messages that it is given.
        told = {**request, "messages": wire(messages, taken)}
        try:
            response = ask(told, seconds)
        except Exception as error:
            raise meaning(error, endpoint) from None
        return _read(response)

    who = f"{endpoint.model}{f' at {endpoint.url}' if endpoint.url else ''}"
    result = policy.call(who, attempt)
    reply, tokens = result.value, result.value.usage
    dollars = _cost(endpoint, tokens)
    usage = Usage(result.attempts, tokens.tokens_in, tokens.tokens_out, dollars, result.seconds)
    return Reply(reply.text, reply.calls, usage, reply.model, reply.finish, reply.reasoning, dropped)


def _cost(endpoint: LlmEndpoint, tokens: Usage) -> float | None:
    """None also where the server did not count: no tokens is no price of nothing, unless it is free anyway."""
    if not tokens.tokens and (endpoint.price_in, endpoint.price_out) != (0, 0):
        return None
    return cost(endpoint, tokens.tokens_in, tokens.tokens_out)


def _check_key(endpoint: LlmEndpoint, key: str | None) -> None:
    """Some providers are asked without a key, and then say nothing about keys."""
    if key is None and endpoint.provider not in CLOUDS and not endpoint.provider.startswith("ollama"):
        missing = library().validate_environment(endpoint.model)["missing_keys"]
        if missing:
            raise ConfigError(
                f"{endpoint.model} needs a key: set {' or '.join(missing)}, or name its variable in key_env"
            )


def _function(tool: Tool) -> dict[str, Any]:
    told = {"name": tool.name, "description": tool.description, "parameters": without_repeated_bounds(tool.parameters)}
    return {"type": "function", "function": json.loads(json.dumps(told))}


def _read(response: Any) -> Reply:
    """The first choice; its usage has the tokens alone.

    Raises:
        TransientError: there is none in it.
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
    told = getattr(response, "usage", None)
    tokens = Usage(tokens_in=_count(told, "prompt_tokens"), tokens_out=_count(told, "completion_tokens"))
    reasoning = getattr(message, "reasoning_content", None) or ""
    return Reply(text, named, tokens, str(response.model or ""), str(choice.finish_reason or ""), str(reasoning))


def _arguments(arguments: Any) -> str:
    if arguments is None:
        return "{}"
    return arguments if isinstance(arguments, str) else json.dumps(arguments)


def _count(usage: Any, name: str) -> int:
    count = getattr(usage, name, 0)
    return count if isinstance(count, int) and count > 0 else 0
