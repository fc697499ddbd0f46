"""What keeping captures costs an episode, by `--media`: oracle episodes of `duet`, played in this process.

The ways take turns, some episodes each, so that what else the machine does meets all of them; each
of these parts starts with no pictures in memory. The lines go to a file, as those of a worker to its pipe.
`python speed_media.py EPISODES` measures so many episodes of each.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import nullcontext
from dataclasses import astuple, dataclass
from functools import partial
from pathlib import Path
from typing import get_args
from unittest.mock import patch

from omnipilot.agents import AgentSpec, PartSpec, build
from omnipilot.bench import RunSpec
from omnipilot.bench.episode.runner import EpisodeRunner
from omnipilot.bench.episode.truth import EpisodeTruth
from omnipilot.bench.journal import Event, Slot
from omnipilot.bench.journal.journal import encode
from omnipilot.bench.registry import load_suite
from omnipilot.envs.sim import capture
from omnipilot.envs.sim.shared_pictures import SharedPictures
from omnipilot.memory import MediaStore
from omnipilot.memory.store.background_writer import BackgroundWriter
from omnipilot.memory.store.episode_store import EpisodeStore, Keep

AT_ONCE = "at once"
"""All captures, each encoded and written before the episode goes on."""


@dataclass(frozen=True, slots=True)
class Played:
    """So many episodes: seconds of the processor and of the clock, and bytes of media on the disk."""

    episodes: int
    cpu: float
    wall: float
    size: int

    @property
    def a_minute(self) -> float:
        """Episodes that two processors of one's own play in a minute."""
        return 120 * self.episodes / self.cpu


def play_by_media(episodes: int = 200, part: int = 40) -> Iterator[tuple[str, Played]]:
    """The episodes, by how their captures are kept; `AT_ONCE` is `all` without a thread of its own.

    Args:
        episodes: of each way. part: so many of them, one of each task, before the next way's turn.
    """
    # Letters, icons and speech are made once a process.
    _play(MediaStore, None, range(min(episodes, 8)))
    ways: list[Keep] = list(get_args(Keep))
    found: dict[str, list[Played]] = {way: [] for way in (AT_ONCE, *ways)}
    for first in range(0, episodes, part):
        numbers = range(first, min(first + part, episodes))
        found[AT_ONCE].append(_play(MediaStore, None, numbers))
        for keep in ways:
            writer = BackgroundWriter()
            found[keep].append(_play(partial(EpisodeStore, keep=keep, writer=writer), writer, numbers))
    for way, parts in found.items():
        yield way, Played(*map(sum, zip(*map(astuple, parts), strict=True)))


def _play(make: Callable[[Path], MediaStore], writer: BackgroundWriter | None, episodes: Sequence[int]) -> Played:
    spec = RunSpec(AgentSpec(planner=PartSpec("oracle")), PartSpec("duet"))
    suite, truth = load_suite(spec.suite), EpisodeTruth()
    tasks = [info.id for info in suite.tasks()]
    with (
        tempfile.TemporaryDirectory() as name,
        (Path(name) / "lines").open("wb", buffering=0) as lines,
        patch.object(capture, "SHARED", SharedPictures()),
    ):
        folder = Path(name) / "media"
        store = make(folder)

        last = 0

        def emit(event: Event) -> None:
            nonlocal last
            line = encode(event)
            if writer is None:
                lines.write(line)
            else:
                # As workers do.
                writer.wait(last)
                last = writer.do(partial(lines.write, line))

        runner = EpisodeRunner(spec, suite, build(spec.agent, truth, store), store, emit, truth)
        cpu, wall = time.process_time(), time.perf_counter()
        for number in episodes:
            runner.play(Slot(tasks[number % len(tasks)], number // len(tasks), 0), 1)
            (nullcontext if writer is None else writer.wait)()
        cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
        runner.close()
        return Played(len(episodes), cpu, wall, sum(file.stat().st_size for file in folder.glob("??/*")))


def main(episodes: int) -> None:
    """Print a line for each way."""
    for name, played in play_by_media(episodes):
        cpu, wall = (1e3 * seconds / episodes for seconds in (played.cpu, played.wall))
        size, rate = played.size / 1e6 / episodes, played.a_minute
        print(
            f"{name}: {cpu:.0f} ms of CPU and {wall:.0f} by the clock an episode, {size:.2f} MB, {rate:.0f} a minute",
            flush=True,
        )


if __name__ == "__main__":
    main(int(sys.argv[1]) if sys.argv[1:] else 40)
