"""Secrets that an agent uses by name: `{secret:bank}` is typed as what it stands for, and told to nobody."""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Mapping
from dataclasses import fields, is_dataclass, replace
from pathlib import Path
from typing import Any

from omnipilot.envs import Action, ActionRejected, ConfigError, Context, Elements, Observation, TypeText
from omnipilot.memory.secrets.scrub import register

PLACEHOLDER = re.compile(r"\{secret:([A-Za-z0-9_-]+)\}")
_NAME = re.compile(r"[A-Za-z0-9_-]+")
_LEAST = 4
"""Characters of the shortest secret: a shorter one could not be told from ordinary text."""


class SecretValues:
    """Named secrets of a run.

    Args:
        values: by name. They are also made known to what scrubs records.
    """

    def __init__(self, values: Mapping[str, str] | None = None) -> None:
        self._values = dict(values or {})
        for name, value in self._values.items():
            register(value, f"secret:{name}")
        self._longest = sorted(self._values.items(), key=lambda pair: -len(pair[1]))

    @property
    def names(self) -> tuple[str, ...]:
        """The names, sorted."""
        return tuple(sorted(self._values))

    def fill(self, action: Action) -> Action:
        """The action with what its placeholders stand for; only typing takes any.

        Raises:
            ActionRejected: an unknown name, or a placeholder in another verb.
        """
        found = set(_placeholders(action))
        if unknown := sorted(found - set(self._values)):
            known = f"known: {', '.join(self.names)}" if self.names else "the run was given none"
            raise ActionRejected(f"there is no secret {unknown[0]!r}; {known}")
        if not found:
            return action
        if not isinstance(action, TypeText):
            raise ActionRejected("a secret can only be typed; use type with its placeholder as the text")
        try:
            return replace(action, text=PLACEHOLDER.sub(lambda match: self._values[match[1]], action.text))
        except ValueError:
            raise ActionRejected("with its secret filled in, the text cannot be typed") from None

    def hide(self, text: str) -> str:
        """A text with each secret as its placeholder."""
        for name, value in self._longest:
            if value in text:
                text = text.replace(value, f"{{secret:{name}}}")
        return text

    def hide_in(self, seen: Observation) -> Observation:
        """An observation in whose texts each secret is its placeholder; the same object if none is there. Pictures and
        sounds are as they are."""
        if not self._values:
            return seen
        elements, context = seen.elements, seen.context
        if isinstance(elements, Elements) and self._shows(elements.items):
            items = tuple(replace(one, name=self.hide(one.name), value=self.hide(one.value)) for one in elements)
            elements = replace(elements, items=items)
        if isinstance(context, Context) and self._shows(context):
            context = replace(
                context,
                title=self.hide(context.title),
                url=self.hide(context.url),
                tabs=tuple(map(self.hide, context.tabs)),
                clipboard=None if context.clipboard is None else self.hide(context.clipboard),
            )
        if elements is seen.elements and context is seen.context:
            return seen
        return replace(seen, elements=elements, context=context)

    def _shows(self, value: Any) -> bool:
        if isinstance(value, str):
            return any(secret in value for secret in self._values.values())
        if isinstance(value, tuple):
            return any(map(self._shows, value))
        return is_dataclass(value) and any(self._shows(getattr(value, spec.name)) for spec in fields(value))


def read_secrets(source: str) -> SecretValues:
    """Secrets from a file of TOML (`bank = "…"`), or from the environment (`env:PREFIX_`: each variable that begins so,
    by the rest of its name in lower case).

    Raises:
        ConfigError: there are none, or one has no name or value that can be used; no value is shown.
    """
    if source.startswith("env:"):
        prefix = source.removeprefix("env:")
        values: dict[str, Any] = {
            name.removeprefix(prefix).lower(): value
            for name, value in os.environ.items()
            if prefix and name.startswith(prefix) and name != prefix
        }
    else:
        try:
            values = tomllib.loads(Path(source).expanduser().read_text(encoding="utf-8"))
        except (OSError, UnicodeDecodeError) as error:
            raise ConfigError(
                f"cannot read the secrets ({type(error).__name__}: {source}); give a file, or env:PREFIX_"
            ) from None
        except tomllib.TOMLDecodeError:
            raise ConfigError(f'{source} is no TOML; write each secret as NAME = "VALUE"') from None
    if not values:
        raise ConfigError(f'{source} has no secrets; write NAME = "VALUE", or set variables that begin with the prefix')
    for name, value in values.items():
        if not _NAME.fullmatch(name) or not isinstance(value, str) or len(value) < _LEAST:
            raise ConfigError(
                f"the secret {name!r} of {source} cannot be used: names have letters, digits, _ and -, and values are "
                f"texts of at least {_LEAST} characters"
            )
    return SecretValues(values)


def _placeholders(value: Any) -> list[str]:
    """The names of all placeholders in the texts of an action."""
    if isinstance(value, str):
        return PLACEHOLDER.findall(value)
    if isinstance(value, Mapping):
        return [name for pair in value.items() for one in pair for name in _placeholders(one)]
    if isinstance(value, list | tuple):
        return [name for one in value for name in _placeholders(one)]
    if is_dataclass(value):
        return [name for spec in fields(value) for name in _placeholders(getattr(value, spec.name))]
    return []
