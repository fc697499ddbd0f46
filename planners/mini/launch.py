"""How `omnipilot serve mini` starts the small planner: with vLLM, in float32."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class MiniLaunch:
    """The server of a small planner that is shipped; it points at nothing, so it is not probed.

    Attributes:
        weights: which, as `ModelKind.folder` knows them.
    """

    program: str
    host: str
    port: int
    name: str
    extra: tuple[str, ...] = ()
    key_env: str = ""
    weights: str = "mini"

    @property
    def url(self) -> str:
        """Base URL for clients on this machine."""
        return f"http://{self.host}:{self.port}/v1"

    def argv(self) -> list[str]:
        """The command as a list of arguments: in float32, so that it says what it says in process."""
        from omnipilot.planners.mini.model_folder import MINI

        told = ["--host", self.host, "--port", str(self.port), "--served-model-name", self.name]
        return [self.program, "serve", str(MINI.folder(self.weights)), *told, "--dtype", "float32", *self.extra]

    def shell(self) -> str:
        """The command for a shell."""
        return shlex.join(self.argv())

    def remarks(self) -> list[str]:
        """How to ask it."""
        planner = self.weights.replace("mini-", "mini:")
        served = "" if self.name == "mini" else f" -o planner.served_name={self.name}"
        return [f"ask it with: omnipilot run --suite duet --planner {planner} -o planner.url={self.url}{served}"]


def mini_launch(settings: Mapping[str, Any], weights: str = "mini") -> MiniLaunch:
    """The launch of `omnipilot serve mini`.

    Args:
        settings: of the command, by the names of the fields of `Launch`, and `program`.
        weights: which of those that are shipped.
    """
    return MiniLaunch(
        program=settings["program"],
        host=settings["host"],
        port=settings["port"],
        name=settings["served_name"] or weights,
        extra=settings["extra"],
        key_env=settings["key_env"],
        weights=weights,
    )


def mini_pool_launch(settings: Mapping[str, Any]) -> MiniLaunch:
    """The launch of `omnipilot serve mini-pool`."""
    return mini_launch(settings, "mini-pool")
