"""Keys of LLM providers: where they are, and how they stay there."""

from __future__ import annotations

import os

from omnipilot.envs import ConfigError
from omnipilot.memory.models.endpoint import LlmEndpoint
from omnipilot.memory.secrets.scrub import SECRET_NAME, register

NO_KEY = "no-key"
"""What clients send that insist on a key, to servers that are meant to get none."""
_USUAL = {
    "gemini": "GEMINI_API_KEY",
    "vertex_ai": "GOOGLE_APPLICATION_CREDENTIALS",
    "bedrock": "AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY",
    "together_ai": "TOGETHERAI_API_KEY",
}
CLOUDS = frozenset({"bedrock", "vertex_ai", "sagemaker", "azure", "azure_ai"})
"""Providers whose credentials need not be in environment variables."""
_ALSO = {
    "gemini": ("GOOGLE_API_KEY",),
    "bedrock": ("AWS_",),
    "sagemaker": ("AWS_",),
    "together_ai": ("TOGETHERAI_",),
    "huggingface": ("HF_",),
    "azure_ai": ("AZURE_",),
}
"""How the variables begin in which a provider's keys are looked for, where they do not begin with its name."""
_SHORTEST = 6
"""Letters of the shortest key: what is shorter is a word, and no provider's key."""


def key_of(endpoint: LlmEndpoint) -> str | None:
    """The key to send; None where litellm takes the provider's usual one from the environment.

    Raises:
        ConfigError: the variable that should hold it does not, or holds what cannot be a key.
    """
    if not endpoint.key_env:
        return NO_KEY if endpoint.url else None
    key = os.environ.get(endpoint.key_env, "")
    if not key:
        raise ConfigError(
            f"{endpoint.model}: the environment variable {endpoint.key_env} holds no key; set it, or leave key_env out"
        )
    if len(key) < _SHORTEST:
        raise ConfigError(f"the key in {endpoint.key_env} has fewer than {_SHORTEST} letters; that is no key")
    if not (key.isascii() and key.isprintable()) or " " in key:
        # A header cannot carry it, and the error of whoever tried would show it.
        raise ConfigError(f"the key in {endpoint.key_env} holds spaces, line ends or letters beyond ASCII")
    return key


def name_of(endpoint: LlmEndpoint) -> str:
    """The variable in which the key is looked for, in words."""
    if endpoint.key_env:
        return endpoint.key_env
    if endpoint.url:
        return "(name its variable with key_env)"
    return _USUAL.get(endpoint.provider, f"{endpoint.provider.upper()}_API_KEY")


def register_keys(endpoint: LlmEndpoint) -> None:
    """Have every key that may be sent for an endpoint taken out of all that comes back."""
    if endpoint.key_env:
        names = [endpoint.key_env]
    elif endpoint.url:
        names = []
    else:
        prefixes = (f"{endpoint.provider.upper()}_", *_ALSO.get(endpoint.provider, ()))
        names = [name for name in os.environ if SECRET_NAME.search(name) and name.startswith(prefixes)]
    for name in names:
        register(os.environ.get(name, ""), name)
