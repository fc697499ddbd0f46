"""Verbs that an environment or a user adds: a decorated function whose signature and docstring planners see."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from omnipilot.envs.types.actions import VERBS
from omnipilot.envs.types.errors import ActionRejected, ConfigError


@dataclass(frozen=True, slots=True)
class CustomVerb:
    """A verb made from a function.

    Attributes:
        name: of the function.
        description: its docstring, arguments section included.
        call: the function; its parameters are annotated with JSON-able types.
    """

    name: str
    description: str
    call: Callable[..., Any]

    def bind(self, arguments: Mapping[str, Any]) -> inspect.BoundArguments:
        """The arguments, bound to the parameters of the function.

        Raises:
            ActionRejected: one is missing or unknown; the message gives the signature.
        """
        signature = inspect.signature(self.call)
        try:
            return signature.bind(**arguments)
        except TypeError as error:
            raise ActionRejected(f"{self.name}{signature}: {error}") from None


def custom_verb(function: Callable[..., Any]) -> CustomVerb:
    """Turn a function into a verb: `name`, signature and docstring become the schema that planners see.

    Raises:
        ConfigError: it has the name of a built-in verb, no docstring, or a parameter without an annotation or one that
            cannot be passed by name, so that no model could use it.
    """
    name = function.__name__
    if name in VERBS:
        raise ConfigError(f"custom verb {name!r} has the name of a built-in verb; rename the function")
    if not function.__doc__:
        raise ConfigError(f"custom verb {name!r} needs a docstring: planners are shown it")
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
