"""Speeds that only a real vLLM server has: how much of a question about a known screenshot is in its prefix cache."""

from __future__ import annotations

import os
import re
import socket
import statistics
import time
import urllib.request
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from speed_grounders import desktop

from omnipilot.envs import ConfigError, Observation
from omnipilot.grounders import VllmGrounder
from omnipilot.grounders.families import get
from omnipilot.grounders.served import Launch, Server

PROGRAM, FOLDER = "OMNIPILOT_VLLM", "OMNIPILOT_TINY_MODEL"
"""Variables that `make bench` sets where `make models` has been run: the program, and a folder with the tiny model."""
NAME = "tiny"
FAMILY = get("qwen2.5-vl")
"""Whose architecture the tiny model has."""
STARTED_WITHIN = 900.0
QUESTIONS = 20

ENVIRONMENT: Mapping[str, str] = {
    "HF_HUB_OFFLINE": "1",
    "VLLM_CPU_KVCACHE_SPACE": "1",
    "VLLM_NO_USAGE_STATS": "1",
    "DO_NOT_TRACK": "1",
    # Three processes import the same thousands of modules: without their bytecode it takes twice as long.
    "PYTHONDONTWRITEBYTECODE": "",
}
EXTRA = (
    *("--load-format", "dummy", "--enforce-eager", "--dtype", "bfloat16"),
    # A random model may spend all its tokens on blanks inside the JSON.
    *("--structured-outputs-config", '{"backend":"xgrammar","disable_any_whitespace":true}'),
)


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as probe:
        return int(probe.getsockname()[1])


def tiny_server(program: str, folder: Path, extra: tuple[str, ...] = ()) -> Server:
    """Start a server of the tiny model without weights, as `omnipilot serve` would, on a free port.

    Raises:
        ConfigError: it does not start; the message holds the end of its log.
    """
    wanted = Launch(
        str(folder), FAMILY, port=_free_port(), context=8192, served_name=NAME, program=program, extra=(*EXTRA, *extra)
    )
    server = Server(wanted.argv(), wanted.url, ENVIRONMENT)
    try:
        server.wait(STARTED_WITHIN)
    except BaseException:
        server.stop()
        raise
    return server


def counter(url: str, name: str) -> float:
    """A counter of a running server, such as "vllm:prefix_cache_hits_total", over all its engines."""
    with urllib.request.urlopen(url.removesuffix("/v1") + "/metrics", timeout=30) as answer:
        page = answer.read().decode()
    return sum(float(value) for value in re.findall(rf"^{name}{{[^}}]*}} (\S+)$", page, re.MULTILINE))


@dataclass(frozen=True, slots=True)
class Shared:
    """What twenty questions about one screenshot shared.

    Attributes:
        hits: tokens found in the prefix cache. asked: tokens of all prompts.
        first, later: seconds of the first question, and the median of the others.
    """

    hits: int
    asked: int
    first: float
    later: float

    @property
    def rate(self) -> float:
        """Share of the prompts' tokens that the server did not compute again."""
        return self.hits / self.asked


def shared_prefix(url: str, seen: Observation, questions: int = QUESTIONS) -> Shared:
    """Ask a server of the tiny model, one after the other, for places on one screenshot that it has not seen yet."""
    grounder = VllmGrounder(FAMILY.models[0], url, FAMILY.name, timeout=120.0, structured=True, served_name=NAME)
    names = ("vllm:prefix_cache_hits_total", "vllm:prefix_cache_queries_total")
    before = [counter(url, name) for name in names]
    times = []
    for number in range(questions):
        began = time.perf_counter()
        grounder.ground(seen, f"the button of row {number}")
        times.append(time.perf_counter() - began)
    grounder.close()
    hits, asked = (round(counter(url, name) - old) for name, old in zip(names, before, strict=True))
    return Shared(hits, asked, times[0], statistics.median(times[1:]))


def prefix_cache() -> Shared:
    """Start the server that `make models` brought, and ask it about the embedded desktop.

    Raises:
        ConfigError: there is no such server.
    """
    program, folder = os.environ.get(PROGRAM, ""), os.environ.get(FOLDER, "")
    if not program or not folder:
        raise ConfigError("there is no vLLM here; run: make models, then: make bench")
    picture = desktop()
    with tiny_server(program, Path(folder)) as server:
        return shared_prefix(server.url, Observation("desktop", 0.0, picture.size, screenshot=picture))
