"""Rejecting secrets in settings, which would be written into the run directory."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from omnipilot.envs import ConfigError
from omnipilot.memory.secrets.scrub import is_weak, register

HARMLESS_QUERY = frozenset({"api-version", "api_version", "version", "model", "deployment"})
"""Query parameters of a server's URL that are known not to be secrets; all others might be."""
_NAMED = re.compile(
    r"(?:.*_)?(?:api_?key|access_key|secret_key|(?:access|auth|api|bearer|refresh|id|hf)_token|secret|password|passwd"
    r"|authorization|credentials?|cookie)"
)
_PERHAPS = frozenset({"key", "token", "sig", "signature", "auth", "bearer"})
_SHAPED = re.compile(
    r"\b(?:sk-|hf_|gh[pousr]_|xox[abp]-|AIza|gsk_|nvapi-|AKIA)[\w-]{16,}|(?i:\bbearer\s+)[\w.~+/-]{8,}"
)
_LONG = 16
_URL = re.compile(r"[a-z][a-z0-9+.-]*://", re.IGNORECASE)
_NEXT_URL = re.compile(r"\s*,\s*(?=[a-z][a-z0-9+.-]*://)", re.IGNORECASE)
_HOLDS_KEY = re.compile(r"(?:API_KEY|ACCESS_KEY|TOKEN|SECRET|PASSWORD)$")
CURE = "what is set is written into the run: put the key into an environment variable and use key_env with its name"


def refuse_secrets(settings: Mapping[str, Any], where: str = "") -> None:
    """Reject settings that contain a secret, before anything is written. The message shows no part of the secret.

    Secrets are: values under the name of one (`api_key`, `password`, `Authorization`, …); the user, password or an
    unknown parameter of a URL; values that look like a provider's key (`sk-…`); and values of environment variables
    whose names end with API_KEY, TOKEN, SECRET or PASSWORD. `key_env`, the name of a variable, is not a secret.

    Args:
        where: what the settings belong to, for the message.

    Raises:
        ConfigError: a setting contains a secret; the message names it and says how to pass keys.
    """
    kept = {value: name for name, value in os.environ.items() if _HOLDS_KEY.search(name) and not is_weak(value)}
    for path, value in _texts(settings, where):
        name = path.rpartition(".")[2].lower().replace("-", "_")
        if name == "key_env" or not value:
            continue
        if held := next((variable for secret, variable in kept.items() if secret in value), ""):
            raise ConfigError(f"{path} contains the key from the environment variable {held}; {CURE}")
        if secret := url_secret(value):
            raise ConfigError(f"{path} is a URL containing {secret}; {CURE}")
        if _NAMED.fullmatch(name) or (name in _PERHAPS and len(value) >= _LONG) or _SHAPED.search(value):
            register(value, path)
            raise ConfigError(f"{path} looks like a key; {CURE}")


def url_secret(url: str) -> str:
    """What kind of secret a URL, or one of several with commas, may contain ("a user or password", …), without showing
    it; "" for none."""
    return next(filter(None, map(_secret_of, split_urls(url))), "")


def split_urls(urls: str) -> tuple[str, ...]:
    """The URLs of a text with commas between them, and whatever else a text is as it stands."""
    return tuple(_NEXT_URL.split(urls))


def _secret_of(url: str) -> str:
    if not _URL.match(url):
        return ""
    try:
        parts = urlsplit(url)
        user = parts.username is not None or parts.password is not None
    except ValueError:
        return ""
    if user:
        return "a user or password"
    names = [name for name, _ in parse_qsl(parts.query, keep_blank_values=True)]
    if strangers := [name for name in names if name.lower() not in HARMLESS_QUERY]:
        # A query without a name may be the key itself.
        told = ", ".join(strangers) if all(re.fullmatch(r"[A-Za-z_-]{1,16}", name) for name in strangers) else "others"
        return f"the parameter {told}"
    return "a fragment" if "=" in parts.fragment else ""


def _texts(value: Any, path: str) -> Iterator[tuple[str, str]]:
    if isinstance(value, Mapping):
        for key, item in value.items():
            yield from _texts(item, f"{path}.{key}" if path else str(key))
    elif isinstance(value, list | tuple):
        for item in value:
            yield from _texts(item, path)
    elif isinstance(value, str):
        yield path, value
