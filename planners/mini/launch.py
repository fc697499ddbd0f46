"""How `omnipilot serve mini` starts the small planner: with vLLM, in float32."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

NAME = "mini"
"""What the server calls the model, unless told otherwise."""


@dataclass(frozen=True, slots=True)
class MiniLaunch:
    """The server of the small planner that is shipped; it points at nothing, so it is not probed."""

    program: str
    host: str
    port: int
    name: str
    extra: tuple[str, ...] = ()
    key_env: str = ""

    @property
    def url(self) -> str:
        """Base URL for clients on this machine."""
        return f"http://{self.host}:{self.port}/v1"

    def argv(self) -> list[str]:
        """The command as a list of arguments: in float32, so that it says what it says in process."""
        from omnipilot.planners.mini.network import SHIPPED

        told = ["--host", self.host, "--port", str(self.port), "--served-model-name", self.name]
        return [self.program, "serve", str(SHIPPED), *told, "--dtype", "float32", *self.extra]

    def shell(self) -> str:
        """The command for a shell."""
        return shlex.join(self.argv())

    def remarks(self) -> list[str]:
        """How to ask it."""
        return [f"ask it with: omnipilot run --suite duet --planner mini -o planner.url={self.url}"]


def mini_launch(settings: Mapping[str, Any]) -> MiniLaunch:
    """The launch of `omnipilot serve mini`.

    Args:
        settings: of the command, by the names of the fields of `Launch`, and `program`.
    """
    return MiniLaunch(
        program=settings["program"],
        host=settings["host"],
        port=settings["port"],
        name=settings["served_name"] or NAME,
        extra=settings["extra"],
        key_env=settings["key_env"],
    )
