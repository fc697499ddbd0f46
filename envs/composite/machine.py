"""What this machine lacks for the devices of a world, found without starting one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from omnipilot.envs.composite.device_options import GIVEN, typed_options
from omnipilot.envs.composite.kinds import load
from omnipilot.envs.types.errors import ConfigError

WORDS = frozenset({"kind", "description", "applications"})


def missing_requirements(table: Mapping[str, Any]) -> list[str]:
    """What the devices of a world's table need and do not find here: programs, packages, a phone, a server.

    A kind says so by a static method `lacking` of its class, from its options to messages, each with its cure; of a
    class without one nothing is known.

    Args:
        table: as `read_world` gives it.

    Returns:
        A message for each thing, with the name of its device.
    """
    found: list[str] = []
    for name, values in table["devices"].items():
        try:
            factory = load(values["kind"])
            options = {key: value for key, value in values.items() if key not in WORDS | GIVEN}
            looks: Callable[[Mapping[str, Any]], list[str]] | None = getattr(factory, "lacking", None)
            told = [] if looks is None else looks(typed_options(factory, options))
        except ConfigError as error:
            told = [str(error)]
        found += [f"device {name!r}: {one}" for one in told]
    return found
