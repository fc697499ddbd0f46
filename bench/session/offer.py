"""What `omnipilot env serve --door` hands to the function that serves it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from omnipilot.bench.spec import GuardSpec
from omnipilot.bench.tasks.task import Suite
from omnipilot.envs import World


@dataclass(frozen=True, slots=True)
class Offer:
    """Tasks and worlds to be served to clients of another kind.

    Attributes:
        suite: whose tasks may be opened; None for none. world: makes a world without a task; None for none.
        host, port: where to listen, for a door that listens. token: that its clients must send.
        score: clients may ask how far a task is solved, which an agent that is measured must not. fork: they may double
            worlds.
        guard: what clients may do; None for everything.
        say: tells a line to whoever started the server; not on standard output, which may be the client's.
    """

    suite: Suite | None
    world: Callable[[], World] | None
    host: str
    port: int
    token: str
    score: bool
    fork: bool
    guard: GuardSpec | None
    say: Callable[[str], None]
