"""Custom verbs of an environment or user: a function whose signature and docstring are shown to planners."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from omnipilot.envs.types.actions import VERBS
from omnipilot.envs.types.errors import ActionRejected, ConfigError


@dataclass(frozen=True, slots=True)
class CustomVerb:
    """A verb made from a function.

    Attributes:
        name: name of the function.
        description: its docstring, including the section on arguments.
        call: the function; its parameters are annotated with JSON-able types.
        steps: the verbs that it stands for, as JSON with `{parameter}` for what differs; empty where it is a verb by
            itself.
    """

    name: str
    description: str
    call: Callable[..., Any]
    steps: tuple[Mapping[str, Any], ...] = field(default=(), hash=False)

    def bind(self, arguments: Mapping[str, Any]) -> inspect.BoundArguments:
        """Bind the arguments to the function's parameters.

        Raises:
            ActionRejected: an argument is missing or unknown; the message shows the signature.
        """
        signature = inspect.signature(self.call)
        try:
            return signature.bind(**arguments)
        except TypeError as error:
            raise ActionRejected(f"{self.name}{signature}: {error}") from None


def custom_verb(function: Callable[..., Any]) -> CustomVerb:
    """Turn a function into a verb: its name, signature and docstring become the schema shown to planners.

    Raises:
        ConfigError: it has the name of a built-in verb, no docstring, or a parameter that has no annotation or cannot
            be passed by name, so that no model could use it.
    """
    name = function.__name__
    if name in VERBS:
        raise ConfigError(f"custom verb {name!r} has the name of a built-in verb; rename it")
    if not function.__doc__:
        raise ConfigError(f"custom verb {name!r} needs a docstring, which is shown to planners")
    for parameter in inspect.signature(function).parameters.values():
        if parameter.annotation is inspect.Parameter.empty or parameter.kind in (
            inspect.Parameter.VAR_POSITIONAL,
            inspect.Parameter.VAR_KEYWORD,
            inspect.Parameter.POSITIONAL_ONLY,
        ):
            raise ConfigError(
                f"custom verb {name!r}: parameter {parameter.name!r} must be annotated and accept a value by name"
            )
    return CustomVerb(name, inspect.cleandoc(function.__doc__), function)
