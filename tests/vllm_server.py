"""A real vLLM server for the tests, on the processor, with a tiny model of random weights.

It is started by what `omnipilot serve` starts servers with, once for the whole session, and again where a test killed
it. Its environment is made by `vllm_env.py`.
"""

from __future__ import annotations

from pathlib import Path

import tiny_qwen

from omnipilot.bench.speed_vllm import FAMILY as FAMILY
from omnipilot.bench.speed_vllm import NAME, counter, tiny_server
from omnipilot.grounders.serve import Server

PROGRAM = Path(__file__).resolve().parent.parent / ".venv-vllm" / "bin" / "vllm"
MISSING = "there is no vLLM here; run: make models (3.5 GB)"


def available() -> bool:
    """Whether the environment has been made to its end."""
    return PROGRAM.exists() and (PROGRAM.parent.parent / ".ready").exists()


class TinyVllm:
    """The server; it is started when it is first asked for, and again where it has ended."""

    def __init__(self, program: Path, folder: Path) -> None:
        self._program = program
        self.folder = tiny_qwen.write(folder / NAME)
        self._server: Server | None = None

    @property
    def url(self) -> str:
        """Base URL of the one that runs now, with /v1."""
        return self.server.url

    @property
    def server(self) -> Server:
        """The running one."""
        if self._server is None or self._server.ended():
            self.stop()
            self._server = tiny_server(str(self._program), self.folder)
        return self._server

    def stop(self) -> None:
        """End it."""
        if self._server is not None:
            self._server.stop()

    def counter(self, name: str) -> float:
        """See `speed_vllm.counter`."""
        return counter(self.url, name)
