"""What a recorded episode holds for a memory: its turns with their captures, and the events that its agent kept."""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, cast

from omnipilot.bench.journal.events import EpisodeStarted, Event, PastTurn, Remembered, StepTaken, TurnTaken
from omnipilot.bench.journal.journal import FILE, MEDIA, read
from omnipilot.bench.journal.recorder import elements_from_text, usage_from_json
from omnipilot.bench.journal.results import Slot
from omnipilot.bench.journal.run_directory import REMEMBERED
from omnipilot.envs import Absent, AudioClip, ConfigError, Image, Modality, Observation, Size, VideoClip
from omnipilot.envs.schema import codec, parse_json
from omnipilot.envs.types import read_text
from omnipilot.memory import MediaRef, MediaStore, Memory, Move, Outcome, Step, Turn
from omnipilot.memory.episodic import EpisodicMemory, TimelineError, TimelineEvent
from omnipilot.memory.episodic.events import read_events
from omnipilot.memory.episodic.memory import TimelineMemory
from omnipilot.memory.store.index import Kind as MediaKind


@dataclass
class RecordedEpisode:
    """The last attempt at an episode, as far as it went.

    Attributes:
        attempt: 0 before it is found. turns: with the turns of the past first. remembered: the events that the agent's
            memory kept; empty if it kept none.
    """

    key: str
    folder: Path
    attempt: int = 0
    instruction: str = ""
    turns: list[PastTurn | TurnTaken] = field(default_factory=list)
    steps: dict[int, list[StepTaken]] = field(default_factory=dict)
    remembered: list[TimelineEvent] = field(default_factory=list)

    @property
    def envs(self) -> tuple[str, ...]:
        """Every environment that was observed, in order."""
        return tuple(dict.fromkeys(env for turn in self.turns for env in turn.observations))

    def add(self, event: Event) -> None:
        """Take in the next event of the journal; a new attempt replaces the one before."""
        if getattr(event, "key", None) != self.key:
            return
        if isinstance(event, EpisodeStarted):
            self.attempt, self.instruction = event.attempt, event.instruction
            self.turns, self.steps, self.remembered = [], {}, []
        elif getattr(event, "attempt", None) != self.attempt:
            return
        elif isinstance(event, PastTurn | TurnTaken):
            self.turns.append(event)
        elif isinstance(event, StepTaken):
            self.steps.setdefault(event.turn, []).append(event)
        elif isinstance(event, Remembered):
            self.remembered += read_events(event.events)

    def turn(self, taken: PastTurn | TurnTaken, store: MediaStore) -> Turn:
        """A turn as the agent's memory was given it, with every capture that was recorded.

        Raises:
            MediaError: a capture is missing or damaged.
        """
        seen = {env: observation_from_json(env, data, store) for env, data in taken.observations.items()}
        if isinstance(taken, PastTurn):
            return Turn(taken.turn, seen, "", (), tuple(_past_steps(taken)), usage_from_json({}))
        steps = tuple(_step(step, seen, store) for step in self.steps.get(taken.turn, ()))
        return Turn(taken.turn, seen, taken.thought, tuple(taken.notes), steps, usage_from_json(taken.usage))


def find_episode(folder: Path, task: str, instance: int = 0, trial: int = 0) -> RecordedEpisode:
    """The last attempt at an episode of the run in a folder.

    Raises:
        ConfigError: there is no such episode; the message names those that there are.
        JournalError: the journal cannot be read.
    """
    wanted = RecordedEpisode(Slot(task, instance, trial).key, folder)
    known: dict[str, None] = {}
    for event in read(folder):
        if isinstance(event, EpisodeStarted):
            known[event.key] = None
        wanted.add(event)
    if wanted.attempt:
        return wanted
    of_task = [key for key in known if key.rpartition("#")[0] == task]
    if of_task:
        told = ", ".join(key.rpartition("#")[2] for key in of_task)
        raise ConfigError(
            f"{folder} has no instance {instance} with trial {trial} of {task}; there are (instance.trial): {told}"
        )
    from omnipilot.agents.assembly.registry import describe_unknown

    raise ConfigError(
        f"{folder}: {describe_unknown('task', task, dict.fromkeys(key.rpartition('#')[0] for key in known))}"
    )


def fill_memory(memory: Memory, episode: RecordedEpisode) -> None:
    """Give a new memory what an episode's agent went through.

    A memory that keeps a timeline gets the events that were kept, from the index beside the journal if that is up to
    date; any other is given the turns.

    Raises:
        MediaError: a capture is missing or damaged.
    """
    store = MediaStore(episode.folder / MEDIA)
    memory.take_store(store)
    if isinstance(memory, TimelineMemory):
        last = max((turn.turn for turn in episode.turns), default=-1)
        memory.restore(timeline_of(episode), last + 1)
    else:
        for taken in episode.turns:
            memory.record(episode.turn(taken, store))


def timeline_of(episode: RecordedEpisode) -> list[TimelineEvent]:
    """The events of an episode's timeline: those that its memory kept or, where it kept none, those that the recorded
    turns give. Made once; the file beside the journal is made again when it is missing, damaged or of another state.

    Raises:
        MediaError: a capture is missing or damaged.
    """
    if episode.remembered:
        return episode.remembered
    file = episode.folder / REMEMBERED / f"{episode.key.replace(os.sep, '_')}.jsonl"
    state = {"journal": (episode.folder / FILE).stat().st_size, "attempt": episode.attempt}
    with contextlib.suppress(OSError, ValueError, TimelineError):
        first, *lines = read_text(file).splitlines()
        if parse_json(first) == {**state, "events": len(lines)}:
            return list(read_events(map(parse_json, lines)))
    memory = EpisodicMemory()
    store = MediaStore(episode.folder / MEDIA)
    memory.take_store(store)
    for taken in episode.turns:
        memory.record(episode.turn(taken, store))
    memory.conclude()
    events = [replace(event, id=0) for event in memory.drain_events()]
    # A run may lie where nothing can be written; then it is read anew each time.
    with contextlib.suppress(OSError):
        file.parent.mkdir(exist_ok=True)
        new = file.with_name(f"{file.name}.{os.getpid()}")
        head = json.dumps({**state, "events": len(events)}).encode() + b"\n"
        new.write_bytes(head + b"".join(event.to_line() for event in events))
        os.replace(new, file)
    return events


def observation_from_json(env: str, data: Mapping[str, Any], store: MediaStore) -> Observation:
    """The inverse of `omnipilot.bench.journal.recorder.observation_to_json`.

    A picture is decoded only when its pixels are asked for.

    Raises:
        MediaError: a capture is missing or damaged.
    """
    time, absent = data["time"], data.get("absent", {})

    def missing(name: str) -> Absent:
        reason, _, detail = absent.get(name, "ablated").partition(": ")
        return Absent(reason, detail)

    def clip(name: str, kind: MediaKind) -> Any:
        if name not in data:
            return missing(name)
        found = data[name]
        return store.get(MediaRef(found["digest"], kind, env, found["start"], found["end"]), check=False)

    shot = data.get("screenshot")
    elements = data.get("elements")
    context = data.get("context")
    return Observation(
        env,
        time,
        Size(*data["size"]),
        missing("screenshot")
        if shot is None
        else cast(Image, store.get(MediaRef(shot, "image", env, time, time), check=False)),
        missing("elements") if elements is None else elements_from_text(store.get_json(elements["digest"])),
        cast("AudioClip | Absent", clip("audio", "audio")),
        cast("VideoClip | Absent", clip("video", "video")),
        missing("context") if context is None else codec.context_from_json(context),
    )


def granted_modalities(agent: Mapping[str, Any]) -> frozenset[Modality]:
    """What the planner of a recorded specification was granted."""
    own = agent.get("planner_modalities")
    return frozenset(Modality(name) for name in (agent["modalities"] if own is None else own))


def _step(step: StepTaken, seen: Mapping[str, Observation], store: MediaStore) -> Step:
    executed = None if step.executed is None else _intent(step.executed)
    proposed = None if step.proposed is None else Move(step.env, _intent(step.proposed))
    look = seen.get(step.env) if step.look is None else observation_from_json(step.env, step.look, store)
    outcome = Outcome(cast(Any, step.result), step.message)
    return Step(
        step.step,
        step.turn,
        proposed,
        executed,
        outcome,
        look,
        step.look is not None,
        start=step.start,
        end=step.end,
    )


def _past_steps(past: PastTurn) -> Iterator[Step]:
    for number, done in enumerate(past.actions):
        action = _intent(done["action"])
        move = Move(done["env"], action)
        yield Step(number, past.turn, move, action, Outcome("done"), start=past.start, end=past.end)


def _intent(data: Mapping[str, Any]) -> Any:
    return codec.from_json(data)
