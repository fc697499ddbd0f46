"""Reads the verbs that a session is given: JSON or typed, and anything else with the reason why it is none."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from omnipilot.envs import Env, Intent
from omnipilot.envs.schema import codec, parse_json
from omnipilot.envs.types import VERBS, MalformedAction
from omnipilot.memory import Move

_KINDS = tuple(VERBS.values())


def read_verb(verb: Any, env: str, envs: Mapping[str, Env]) -> Move:
    """The move that a verb asks for.

    Args:
        verb: an intent, its JSON with one key more, `env`, or a text that holds such JSON.
        env: the environment, where the verb does not say; may be left out if there is only one.

    Raises:
        MalformedAction: it is none; the message says what would be right.
    """
    if isinstance(verb, _KINDS):
        return Move(env, cast(Intent, verb))
    if isinstance(verb, str):
        try:
            verb = parse_json(verb)
        except ValueError as error:
            raise MalformedAction(f"this is no JSON ({error}); an action is such as {{'kind': 'noop'}}") from None
    if isinstance(verb, Mapping) and "env" in verb:
        env, verb = verb["env"], {key: value for key, value in verb.items() if key != "env"}
        if not isinstance(env, str):
            raise MalformedAction(f"'env' names an environment, one of {', '.join(envs)}")
    named = env or (next(iter(envs)) if len(envs) == 1 else "")
    return Move(env, codec.from_json(verb, envs[named].custom if named in envs else None))
