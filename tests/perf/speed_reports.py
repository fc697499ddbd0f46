"""Reading what runs left: one very long episode, and very many short ones, put into a report or gone on with."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from peak_memory import peak_memory
from speed_harness import _Suite, _Watch
from speed_sweep import SUITE

from omnipilot.agents import AgentSpec, PartSpec, build
from omnipilot.bench import RunSpec
from omnipilot.bench.cli.commands.report import report_command
from omnipilot.bench.episode.runner import EpisodeRunner
from omnipilot.bench.episode.truth import EpisodeTruth
from omnipilot.bench.journal import Event, Journal, Slot, read
from omnipilot.bench.journal.events import EpisodeStarted, ModelCalled, RunStarted, TurnTaken
from omnipilot.bench.journal.journal import FILE, MEDIA
from omnipilot.bench.journal.run_directory import CHECKED, prepare, read_spec
from omnipilot.bench.run import run
from omnipilot.bench.spec import RunLimits
from omnipilot.envs import ConfigError, Image, Size
from omnipilot.memory import MediaStore

KEPT = 2
"""Messages that each call of a model adds to the conversation."""


class _Unsynced(MediaStore):
    """One that does not wait for the disk, and says of all that it wrote that it did."""

    def sync(self) -> None:
        self._tell_whole(self._unsynced.values())
        self._unsynced.clear()


def write_long_episode(folder: Path, turns: int) -> None:
    """A run of one episode of so many turns, each with a call of a model that was sent all messages before it.

    It is played and recorded like any other, in a world that costs nothing.
    """
    agent = AgentSpec(planner=PartSpec("oracle"), memory=PartSpec("episodic"))
    spec = RunSpec(agent, PartSpec("duet"), tasks=("add-alarm",), limits=RunLimits(turns=0, actions=0))
    folder.mkdir(parents=True)
    prepare(folder, spec, ())
    store, truth = _Unsynced(folder / MEDIA, folder / CHECKED), EpisodeTruth()
    with Journal.open(folder) as journal:
        journal.append(RunStarted(spec.identity, spec.to_json(), {}, 0.0, list(spec.tasks)))

        def emit(event: Event) -> None:
            if isinstance(event, TurnTaken):
                journal.append(_call(event, store))
                event = replace(event, calls=[event.turn])
            journal.append(event)

        suite = _Suite(turns, _Watch())
        EpisodeRunner(spec, suite, build(spec.agent, truth), store, emit, truth).play(Slot("add-alarm", 0, 0), 1)


def _call(turn: TurnTaken, store: MediaStore) -> ModelCalled:
    """The record of a call whose conversation grows by two messages a turn."""
    picture = store.put(Image.raw(Size(8, 8), turn.turn.to_bytes(3, "big") * 64))
    added = [{"role": "user", "content": [f"turn {turn.turn}", {"media": "image", "digest": picture.digest}]}]
    added.append({"role": "assistant", "content": f"I click on row 7 in turn {turn.turn}."})
    request: dict[str, Any] = {
        "options": {"model": "m"},
        "messages": [store.put_json(json.dumps(one)).digest for one in added],
    }
    if turn.turn:
        request |= {"after": turn.turn - 1, "kept": KEPT * turn.turn}
    usage = {"calls": 1, "tokens_in": 900, "tokens_out": 20, "cost": 0.0, "seconds": 0.5}
    raw = store.put_json(json.dumps({"choices": [{"message": {"content": f"row 7, {turn.turn}"}}]})).digest
    return ModelCalled(turn.key, turn.attempt, turn.turn, turn.turn, 0, "planner", "m", request, raw, {}, "", usage)


def write_many_episodes(folder: Path, episodes: int) -> RunSpec:
    """A complete run of so many episodes of eleven steps: one that was played, and the others like it."""
    spec = RunSpec(AgentSpec(planner=PartSpec("oracle")), PartSpec(SUITE), tasks=("count-000",))
    run(spec, folder)
    whole = RunSpec.from_json({**spec.to_json(), "instances": episodes, "suite_version": "1"})
    played = list(read(folder))
    (folder / FILE).unlink()
    (folder / "spec.json").unlink()
    prepare(folder, whole, ())
    # Every event of an episode has its key.
    of_episode: list[Any] = [event for event in played if not isinstance(event, RunStarted)]
    started = next(event for event in played if isinstance(event, RunStarted))
    with Journal.open(folder) as journal:
        journal.append(replace(started, identity=whole.identity, spec=whole.to_json()))
        for number in range(episodes):
            key = Slot("count-000", number, 0).key
            for event in of_episode:
                more = {"instance": number} if isinstance(event, EpisodeStarted) else {}
                journal.append(replace(event, key=key, **more))
    return whole


@dataclass(frozen=True, slots=True)
class ReadFigures:
    """Of a command that reads a run: seconds of the processor's time, and its greatest resident memory in MB."""

    seconds: float
    resident: float


@dataclass(frozen=True, slots=True)
class ManyFigures:
    """Of a complete run of many episodes: of starting it again, without its report, and of the report; and seconds of
    the processor's time for a bare loop that parses each line of its journal."""

    start: ReadFigures
    report: ReadFigures
    parsing: float


def long_report(folder: Path, turns: int) -> ReadFigures:
    """Of `omnipilot report` of a run of one episode of so many turns, which is made first.

    Beside the folder there must be a run called "small", whose report comes first: what is loaded once does not count.
    """
    write_long_episode(folder, turns)
    return _measured("report", folder)


def many_reports(folder: Path, episodes: int) -> ManyFigures:
    """Of a run of so many episodes, which is made first; beside it as for `long_report`."""
    write_many_episodes(folder, episodes)
    return ManyFigures(_measured("start", folder), _measured("report", folder), parse_seconds(folder))


def parse_seconds(folder: Path) -> float:
    """Seconds of the processor's time for a bare loop that parses each line of a journal."""
    began = time.process_time()
    with (folder / FILE).open("rb") as lines:
        for line in lines:
            json.loads(line)
    return time.process_time() - began


def _measured(what: str, folder: Path) -> ReadFigures:
    done = subprocess.run(
        [sys.executable, __file__, what, str(folder)], capture_output=True, text=True, timeout=1200, check=False
    )
    if done.returncode:
        raise ConfigError(done.stderr.strip().splitlines()[-1])
    return ReadFigures(**json.loads(done.stdout.splitlines()[-1]))


def main(what: str, folder: Path) -> None:
    """Print the figures of one command as JSON."""
    spec = RunSpec.from_json(read_spec(folder))  # type: ignore[arg-type]
    if what == "report":
        # What it loads once is no part of a report.
        report_command([folder.parent / "small"], None, "paper")
    began = time.process_time()
    if what == "report":
        report_command([folder], None, "paper")
    else:
        assert run(spec, folder).ran == 0
    spent = time.process_time() - began
    sys.stdout.write(f"\n{json.dumps({'seconds': spent, 'resident': peak_memory()})}\n")


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
