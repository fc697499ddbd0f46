"""Scrubbing keys: all text from servers and client libraries passes `scrub` before it is stored.

Each client registers the keys that it sends; a process knows all of them. `scrub` replaces a key by `(NAME)`, in every
form that `omnipilot.memory.secrets.forms` knows. Scrub before truncating: in truncated text, less is found.

A key of fewer than 8 characters ("EMPTY", "none", "x"), or a short word of only letters ("placeholder"), could occur in
ordinary text. It is removed only where it is used as a credential (`Bearer x`, `api_key=x`).
"""

from __future__ import annotations

import json
import os
import re
import threading
from collections.abc import Callable, Mapping
from functools import cached_property, lru_cache
from typing import Any

from omnipilot.memory.secrets.forms import LEAST, SecretForms, bare

SECRET_NAME = re.compile(r"(?:^|_)(?:KEY|TOKEN|SECRET|PASSWORD)(?:_|$)")
"""Pattern of the names of environment variables that contain a secret."""
_SHORT_WORD = 12
_LONGEST_LABEL = 200
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]|\r(?!\n)")
"""What terminals take as commands, and what turns the direction of the text after it."""
_CREDENTIAL = r"(\bbearer[\s\"':=]{1,4}|\bauthorization[\s\"':=]{1,4}|\bapi[-_ ]?key[\"']?\s?[:=][\s\"']{0,3})"


class _Known:
    """Some secrets and their forms."""

    def __init__(self, secrets: Mapping[str, str]) -> None:
        self.secrets = dict(secrets)
        named = sorted(((value, f"({name})") for value, name in secrets.items()), key=lambda pair: -len(pair[0]))
        strong = [pair for pair in named if not is_weak(pair[0])]
        weak = [pair for pair in named if is_weak(pair[0])]
        # Hardly anything but backslashes and escapes, so that little is left to search for.
        self._signs = [pair for pair in strong if len(bare(pair[0])) < LEAST]
        self._strong = [pair for pair in strong if pair not in self._signs]
        self._weak = dict(weak)
        either = "|".join(re.escape(value) for value, _ in weak)
        self._as_credential = re.compile(rf"(?i:{_CREDENTIAL})({either})(?![\w-])") if weak else None

    @cached_property
    def _forms(self) -> SecretForms:
        # This takes milliseconds per key, so it waits for a text; otherwise each new key would recompute all forms.
        return SecretForms(self._strong)

    def scrub(self, text: str) -> str:
        """The text without these secrets."""
        for value, name in self._signs:
            for form in (value, json.dumps(value)[1:-1]):
                text = text.replace(form, name)
        if self._as_credential is not None:
            text = self._as_credential.sub(lambda match: match[1] + self._weak[match[2]], text)
        found = self._forms.find(text) if self._strong and len(text) >= LEAST else []
        if not found:
            return text
        pieces: list[str] = []
        at = 0
        for piece in found:
            pieces += (text[at : piece.start], piece.name)
            at = piece.end
        return "".join((*pieces, text[at:]))


_LOCK = threading.Lock()
_known: _Known | None = None


def register(value: str, name: str = "key") -> None:
    """Make `scrub` remove this secret from every text.

    Args:
        name: name of its variable, or another replacement; the first registration wins.
    """
    global _known
    value = value.strip()
    if not value:
        return
    with _LOCK:
        secrets = _known.secrets if _known is not None else {}
        if value not in secrets:
            _known = _Known({**secrets, value: name})


def forget() -> None:
    """Forget every secret; for isolating tests."""
    global _known
    with _LOCK:
        _known = None


def has_secrets() -> bool:
    """Whether any secret is registered."""
    return _known is not None


def scrub(text: str) -> str:
    """The text without any registered secret; half a character, which cannot be written to a file, becomes U+FFFD."""
    text = _whole_characters(text)
    return text if _known is None else _known.scrub(text)


def scrub_error(text: str) -> str:
    """The text of an error or page without any secret, including unused ones in environment variables.

    Control characters, which a terminal obeys, become U+FFFD, but for line breaks and tabs.

    Not for model replies: a value that the environment calls a secret may be a word they need.
    """
    known = _with_environment()
    text = _whole_characters(text)
    if not text.isprintable():
        # Searched for only here: no printable text has any, and pages are long.
        text = _CONTROL.sub("\ufffd", text)
    return text if known is None else known.scrub(text)


def label(text: str) -> str:
    """A foreign text as a name in tables and files: one line of at most 200 characters, without control characters."""
    return scrub(_CONTROL.sub("\ufffd", " ".join(text.split())))[:_LONGEST_LABEL]


def _whole_characters(text: str) -> str:
    if text.isascii():
        return text
    try:
        text.encode()
        return text
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def scrub_values(value: Any, error: bool = False) -> Any:
    """A JSON value with every string scrubbed, including object keys; the same object if nothing was found.

    Numbers are kept, and so are secrets split over several strings.
    """
    known = _with_environment() if error else _known
    return value if known is None else _scrub_values(value, known.scrub)


def is_weak(value: str) -> bool:
    """Whether a key is too similar to an ordinary word to be removed everywhere."""
    word = value.isalpha() and (value[1:].islower() or value.isupper())
    return len(value) < LEAST or (word and len(value) < _SHORT_WORD)


def _scrub_values(value: Any, clean: Callable[[str], str]) -> Any:
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, Mapping):
        return {clean(key) if isinstance(key, str) else key: _scrub_values(item, clean) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_scrub_values(item, clean) for item in value]
    return value


def _environment() -> dict[str, str]:
    """Secrets in environment variables, by value; paths of key files do not count."""
    held = {value.strip(): name for name, value in os.environ.items() if SECRET_NAME.search(name)}
    return {value: name for value, name in held.items() if value and not os.path.exists(value)}


def _with_environment() -> _Known | None:
    secrets = {**_environment(), **(_known.secrets if _known is not None else {})}
    return _compiled(tuple(secrets.items())) if secrets else None


@lru_cache(maxsize=4)
def _compiled(secrets: tuple[tuple[str, str], ...]) -> _Known:
    return _Known(dict(secrets))
