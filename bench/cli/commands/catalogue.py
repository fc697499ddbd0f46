"""What `omnipilot list suites` prints: each benchmark, the data it needs, and how to get it."""

from __future__ import annotations

import inspect
import textwrap
from collections.abc import Iterator, Mapping
from typing import Literal, TypeAlias

from omnipilot.agents import PartSpec
from omnipilot.agents.assembly.registry import describe_unknown
from omnipilot.bench.registry import POINTING, SUITES
from omnipilot.bench.scoring.benchmark import BENCHMARKS, Benchmark
from omnipilot.envs import BenchmarkInfo, ConfigError, MissingExtra
from omnipilot.envs.installed_plugins import installed_plugins

Way: TypeAlias = Literal["run", "ground", "score"]


OWN: Mapping[str, BenchmarkInfo] = {
    "toy": BenchmarkInfo("one task on a phone of two apps, solved by hearing a message: the smallest suite; for tests"),
    "page": BenchmarkInfo(
        "an instruction of your own on any web page, judged by your checks", "--url URL, --task TEXT and --check CHECK"
    ),
    "free": BenchmarkInfo(
        "instructions of your own in a world of your own, judged by your checks",
        "--world FILE, with [[tasks]] or --task",
    ),
    "file": BenchmarkInfo("tasks of your own in one file of Python", "a file: --suite my_task.py"),
}
"""The engine's own."""


def about() -> dict[str, BenchmarkInfo]:
    """What is said about each benchmark; ours first. What a package says of a name of ours does not count."""
    ours = [one.plugin for one in installed_plugins().working if one.ours]
    tables = [
        *(plugin.benchmarks for plugin in ours if plugin.place < 0),
        OWN,
        *(plugin.benchmarks for plugin in ours if plugin.place >= 0),
        *(one.plugin.benchmarks for one in installed_plugins().working if not one.ours),
    ]
    told: dict[str, BenchmarkInfo] = {}
    for table in tables:
        told |= {name: words for name, words in table.items() if name not in told}
    return told


def ways(name: str) -> tuple[Way, ...]:
    """The commands that a benchmark of this name works with."""
    known = (("run", SUITES), ("ground", POINTING), ("score", BENCHMARKS))
    return tuple(way for way, registry in known if name in registry.names())  # type: ignore[misc]


def names() -> tuple[str, ...]:
    """All benchmarks: ours first, then those of other packages."""
    known = dict.fromkeys(name for registry in (SUITES, POINTING, BENCHMARKS) for name in registry.names())
    told = [name for name in about() if name in known]
    return (*told, *sorted(name for name in known if name not in told))


def catalogue(only: str = "") -> Iterator[str]:
    """The lines of the list; if one benchmark is named, only that one, with the format of its predictions.

    Raises:
        ConfigError: there is no such benchmark.
    """
    if only and only not in names():
        raise ConfigError(describe_unknown("benchmark", only, names()))
    for name in (only,) if only else names():
        where = next(r.where(name) for r in (SUITES, POINTING, BENCHMARKS) if name in r.names())
        made_by = "" if where == "omnipilot" else f"  [{where}]"
        yield f"{name.ljust(17)}{', '.join(ways(name))}{made_by}"
        try:
            yield from _told(name, bool(only))
        except (ConfigError, MissingExtra) as error:
            # One broken package must not hide the others.
            yield from _wrapped("", str(error))
    yield ""
    yield "run     omnipilot run --suite NAME --data DATA"
    yield "ground  omnipilot ground --suite NAME --data DATA"
    yield "score   omnipilot score NAME PREDICTIONS --data DATA"
    yield "DATA is a folder or hf://OWNER/NAME. To try a benchmark without its data: omnipilot miniature DIR."
    if not only:
        yield "For the format of predictions: omnipilot list suites --suite NAME."


def _told(name: str, full: bool) -> Iterator[str]:
    """The lines about a benchmark; without any, the first line of its docstring."""
    info = about().get(name) or BenchmarkInfo(_first_line(name))
    yield from _wrapped("", info.what)
    if info.needs:
        yield from _wrapped("needs: ", info.needs)
    if info.get:
        yield from _wrapped("get:   ", info.get)
    for variation, words in variations_of(name).items():
        yield from _wrapped(f"--vary {variation}: ", words)
    if "score" in ways(name):
        rules: Benchmark = BENCHMARKS.make(PartSpec(name))
        yield from _wrapped("variants: ", ", ".join((f"{rules.variants[0]} (default)", *rules.variants[1:])))
        if full:
            yield from _wrapped("predictions: ", rules.format)


def variations_of(name: str) -> Mapping[str, str]:
    """The variations of a suite that its class lists, with what each changes; nothing is loaded but the class."""
    found = SUITES.load(name) if name in SUITES.names() else None
    listed = getattr(found, "variations", {})
    return listed if isinstance(listed, Mapping) else {}


def _first_line(name: str) -> str:
    found = next(registry.load(name) for registry in (SUITES, POINTING, BENCHMARKS) if name in registry.names())
    return (inspect.getdoc(found) or "").partition("\n")[0]


def _wrapped(title: str, text: str) -> list[str]:
    return textwrap.wrap(text, 100, initial_indent=f"    {title}", subsequent_indent=" " * (4 + len(title)))
