"""Keys of model providers: where they are found, and how they are kept out of everything else."""

from __future__ import annotations

import os

from omnipilot.envs import ConfigError
from omnipilot.memory.models.endpoint import LlmEndpoint
from omnipilot.memory.models.providers import provider_of
from omnipilot.memory.secrets.scrub import SECRET_NAME, register

NO_KEY = "no-key"
"""Sent in place of a key by client libraries that insist on one."""
_SHORTEST = 6
"""Length of the shortest key; anything shorter is a word, not a key."""


def key_of(endpoint: LlmEndpoint) -> str | None:
    """The key to send; "" for no key, None for the provider's usual one from the environment.

    Raises:
        ConfigError: the variable that should hold it does not, or holds what cannot be a key.
    """
    if not endpoint.key_env:
        return "" if endpoint.url else None
    return checked_key(endpoint.model, endpoint.key_env)


def checked_key(model: str, variable: str) -> str:
    """The key stored in an environment variable.

    Raises:
        ConfigError: it holds none, or what cannot be a key.
    """
    key = os.environ.get(variable, "")
    if not key:
        raise ConfigError(f"{model}: the environment variable {variable} holds no key; set it, or leave key_env out")
    if len(key) < _SHORTEST:
        raise ConfigError(f"the key in {variable} has fewer than {_SHORTEST} letters; that is no key")
    if not (key.isascii() and key.isprintable()) or " " in key:
        # A header cannot carry it, and the error of whoever tried would show it.
        raise ConfigError(f"the key in {variable} holds spaces, line ends or letters beyond ASCII")
    return key


def usual_key(endpoint: LlmEndpoint) -> str:
    """The key in the provider's usual variable, for its own address only.

    Raises:
        ConfigError: it holds none, or what cannot be a key.
    """
    variable = provider_of(endpoint.model).key_variable
    if not os.environ.get(variable):
        raise ConfigError(f"{endpoint.model} needs a key: set {variable}, or name its variable in key_env")
    return checked_key(endpoint.model, variable)


def key_name(endpoint: LlmEndpoint) -> str:
    """The environment variable of the key, as named in messages."""
    if endpoint.key_env:
        return endpoint.key_env
    if endpoint.url:
        return "(name its variable with key_env)"
    return provider_of(endpoint.model).key_variable


def needs_no_key(endpoint: LlmEndpoint) -> bool:
    """Whether an endpoint without a key in the environment may still be asked: by a cloud's own log-in, or on this
    machine."""
    return provider_of(endpoint.model).ambient_credentials or endpoint.provider.startswith("ollama")


def usual_keys(endpoint: LlmEndpoint) -> list[str]:
    """The environment variables that are set and may hold the key of an endpoint that names none."""
    prefixes = (f"{endpoint.provider.upper()}_", *provider_of(endpoint.model).key_prefixes)
    return [name for name in os.environ if SECRET_NAME.search(name) and name.startswith(prefixes) and os.environ[name]]


def register_keys(endpoint: LlmEndpoint) -> None:
    """Register every key that may be sent for an endpoint with the scrubber."""
    if endpoint.key_env:
        names = [endpoint.key_env]
    else:
        names = [] if endpoint.url else usual_keys(endpoint)
    for name in names:
        register(os.environ.get(name, ""), name)
