"""What the programs of a desktop reach outside of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from omnipilot.envs.types.errors import ConfigError

MOST_PORTS = 64


@dataclass(frozen=True, slots=True)
class Network:
    """What the programs of a desktop reach outside of it.

    Attributes:
        kind: `none`: nothing. `ports`: some TCP ports of this machine's loopback interface. `host`: all that this
            machine's user reaches, its loopback interface and its abstract sockets included.
        ports: those, where some are.
    """

    kind: Literal["none", "ports", "host"] = "none"
    ports: tuple[int, ...] = ()


def parse_network(value: str | Sequence[int] | bool) -> Network:
    """A network as files and flags say it: "none", "host", or ports, such as [8080] or "8080,8443".

    Raises:
        ConfigError: it is none of these.
    """
    cure = "say 'none', 'host', or ports of this machine's loopback interface, such as [8080]"
    if value is True:
        raise ConfigError(f"network = true does not say how far it goes: {cure}; it used to mean 'host'")
    if value in ("none", "host"):
        return Network(value)
    if value is False or value in ("", [], ()):
        return Network()
    parts = value.split(",") if isinstance(value, str) else value
    try:
        if not isinstance(parts, list | tuple) or any(isinstance(one, bool | float) for one in parts):
            raise ValueError
        ports = tuple(dict.fromkeys(int(one) for one in parts))
    except (TypeError, ValueError):
        raise ConfigError(f"network is {value!r}: {cure}") from None
    if any(not 0 < port < 65536 for port in ports) or len(ports) > MOST_PORTS:
        raise ConfigError(f"network is {value!r}: ports are numbers from 1 to 65535, at most {MOST_PORTS} of them")
    return Network("ports", ports)
