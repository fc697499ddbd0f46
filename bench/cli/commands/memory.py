"""What `omnipilot memory` does: ask a recorded episode's memory, or print its timeline."""

from __future__ import annotations

import json
import shutil
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import typer

from omnipilot.agents.assembly import MEMORIES
from omnipilot.bench.journal.journal import FILE, MEDIA
from omnipilot.bench.journal.replayed_memory import (
    RecordedEpisode,
    fill_memory,
    find_episode,
    granted_modalities,
    timeline_of,
)
from omnipilot.bench.journal.run_directory import read_spec
from omnipilot.bench.run.config import part_of, set_options
from omnipilot.bench.settings import RunSettings
from omnipilot.envs import AudioClip, ConfigError, Modality, VideoClip
from omnipilot.memory import Budget, MediaStore, Memory, Recalled, Role
from omnipilot.memory.episodic import Scope, TimelineEvent
from omnipilot.memory.episodic.answers import TimelineAnswer
from omnipilot.memory.episodic.events import EVENT_KINDS
from omnipilot.memory.episodic.memory import TimelineMemory

INDENT = " " * 13
KINDS = {
    "transcript": "heard",
    "sound": "heard",
    "audio": "heard",
    "motion": "seen to move",
    "video": "film",
    "text": "on the screen",
    "screen": "screen",
    "context": "in front",
    "write": "written",
    "action": "done",
}
"""How a kind of event is told in an answer, where its name is not the word for it."""


@dataclass(frozen=True, slots=True)
class WhichEpisode:
    """An episode of a run, and what of it may be told.

    Attributes:
        run: its directory. task, instance, trial: which of its episodes.
        envs, modalities: of what may be told, comma-separated; "" for all, and for what the planner was granted.
    """

    run: Path
    task: str
    instance: int = 0
    trial: int = 0
    envs: str = ""
    modalities: str = ""


@dataclass(frozen=True, slots=True)
class AskOptions:
    """How a memory is asked.

    Attributes:
        memory: its name. options: of it, each written memory.KEY=VALUE.
        most: answers that are printed. every: print all that the memory would recall for a decision instead, in its
            order.
    """

    memory: str = "episodic"
    options: Sequence[str] = ()
    most: int = 5
    every: bool = False


@dataclass(frozen=True, slots=True)
class TimelineSpan:
    """Which events of a timeline are printed.

    Attributes:
        kinds: comma-separated; "" for all. start, end: in seconds; None for no bound.
    """

    kinds: str = ""
    start: float | None = None
    end: float | None = None


def ask_command(question: str, which: WhichEpisode, how: AskOptions, as_json: bool) -> None:
    """Print what answers a question about a recorded episode.

    Raises:
        ConfigError: no such run, task, instance, environment or modality; or the memory cannot be made.
    """
    if how.most < 1:
        raise ConfigError(f"--most must be at least 1, not {how.most}")
    if strange := [option for option in how.options if not option.startswith("memory.")]:
        raise ConfigError(f"{', '.join(strange)}: only the memory is asked; write -o memory.KEY=VALUE")
    episode, role, envs = _looked_up(which)
    made = cast(Memory, MEMORIES.make(part_of(set_options(RunSettings(memory=how.memory), how.options), "memory")))
    fill_memory(made, episode)
    run = which.run
    if isinstance(made, TimelineMemory) and not how.every:
        answers = made.answer(question, role, envs, how.most)
        typer.echo(_answers_json(answers, run) if as_json else _answers_text(question, episode, answers, run))
        return
    recalled = made.recall(question, made.budget or Budget(), role, envs)
    typer.echo(_recalled_json(recalled, run) if as_json else _recalled_text(recalled, run))


def timeline_command(which: WhichEpisode, span: TimelineSpan, as_json: bool) -> None:
    """Print the timeline of a recorded episode.

    Raises:
        ConfigError: no such run, task, instance, environment, modality or kind; or a span that ends before it begins.
    """
    start, end = span.start, span.end
    if start is not None and end is not None and not start <= end:
        raise ConfigError(f"--from {start:g} --to {end:g} is no span of time; give the earlier time first")
    episode, role, envs = _looked_up(which)
    wanted = _chosen("kind", span.kinds, EVENT_KINDS)
    scope = Scope.of(role, envs)
    shown = [
        event
        for event in timeline_of(episode)
        if event.kind in wanted
        and scope.admits(event)
        and (start is None or event.end >= start)
        and (end is None or event.start <= end)
    ]
    typer.echo(_events_json(shown) if as_json else _timeline_text(episode, shown, which.run))


def _looked_up(which: WhichEpisode) -> tuple[RecordedEpisode, Role, tuple[str, ...]]:
    """The episode, the role that is told of it, and the environments of which it is."""
    if not (which.run / FILE).exists():
        raise ConfigError(f"there is no run in {which.run}; name a run directory, such as runs/NAME")
    episode = find_episode(which.run, which.task, which.instance, which.trial)
    spec = read_spec(which.run) or {}
    granted = granted_modalities(spec["agent"]) if "agent" in spec else frozenset(Modality)
    modalities = _chosen("modality", which.modalities, tuple(Modality), granted)
    role = Role("planner", frozenset(map(Modality, modalities)))
    return episode, role, _chosen("environment", which.envs, episode.envs)


def _chosen(what: str, given: str, known: Sequence[str], usual: Any = None) -> tuple[str, ...]:
    """Names that were given, comma-separated; `usual`, or all that are known, if none were.

    Raises:
        ConfigError: one is not known.
    """
    names = tuple(name.strip() for name in given.split(",") if name.strip())
    if strangers := [name for name in names if name not in known]:
        raise ConfigError(f"there is no {what} {', '.join(map(repr, strangers))} here; there are: {', '.join(known)}")
    return names or tuple(known if usual is None else usual)


def _file(part: Any, run: Path) -> str:
    """The file of a capture in the run's store; that of a cut clip is added to it."""
    return str(run / MEDIA / MediaStore(run / MEDIA).put(part).path)


def _answers_json(answers: Sequence[TimelineAnswer], run: Path) -> str:
    rows = []
    for one in answers:
        row: dict[str, Any] = {"env": one.env, "start": one.start, "end": one.end, "turn": one.turn}
        row |= {"kind": one.kind, "text": one.text, "why": one.why}
        if one.media is not None:
            row |= {"file": _file(one.media, run), "seconds": round(one.media.seconds, 3)}
        rows.append(row)
    return json.dumps(rows, ensure_ascii=False, indent=1)


def _answers_text(question: str, episode: RecordedEpisode, answers: Sequence[TimelineAnswer], run: Path) -> str:
    if not answers:
        return f"Nothing in {episode.key} answers that; without --ask, all of its timeline is printed."
    width = max(60, min(120, shutil.get_terminal_size((100, 24)).columns))
    lines = [f"{episode.key}: {question}"]
    for number, one in enumerate(answers, 1):
        span = f"{one.start:.1f} s" if one.end - one.start < 0.05 else f"{one.start:.1f} to {one.end:.1f} s"
        when = f"{-one.turn} turn{'s' * (one.turn < -1)} before the episode" if one.turn < 0 else f"turn {one.turn + 1}"
        lines += ["", f"{number:>2}  {', '.join(filter(None, (one.env, KINDS.get(one.kind, one.kind), span, when)))}"]
        words = " ".join(one.text.split())
        if isinstance(one.media, AudioClip) and one.kind in ("sound", "audio") and words in ("", "speech"):
            words += f"{', ' if words else ''}not put into words: listen to the file"
        for told in filter(None, (words, one.why and f"why: {one.why}")):
            lines += textwrap.wrap(told, width, initial_indent="    ", subsequent_indent="    ")
        if one.media is not None:
            film = "; the report plays it" if isinstance(one.media, VideoClip) else ""
            length = f" ({one.media.seconds:.1f} s{film})" if one.media.seconds else ""
            lines.append(f"    {_file(one.media, run)}{length}")
    return "\n".join(lines)


def _recalled_json(recalled: Sequence[Recalled], run: Path) -> str:
    rows = []
    for one in recalled:
        row: dict[str, Any] = {"time": one.time, "turn": one.turn, "env": one.env, "source": one.source, "why": one.why}
        if isinstance(one.part, str):
            row["text"] = one.part
        else:
            row |= {"file": _file(one.part, run), "seconds": round(one.part.seconds, 3)}
        rows.append(row)
    return json.dumps(rows, ensure_ascii=False, indent=1)


def _recalled_text(recalled: Sequence[Recalled], run: Path) -> str:
    if not recalled:
        return "Nothing is recalled."
    width = max(60, min(120, shutil.get_terminal_size((100, 24)).columns))
    lines = []
    for one in recalled:
        lines.append(f"{one.time:9.1f} s  {_turn(one.turn)}  {one.env or '-':<9} {one.source}")
        if isinstance(one.part, str):
            lines += textwrap.wrap(one.part, width, initial_indent=INDENT, subsequent_indent=INDENT)
        else:
            length = f" ({one.part.seconds:.1f} s)" if one.part.seconds else ""
            lines.append(f"{INDENT}{_file(one.part, run)}{length}")
        if one.why:
            lines += textwrap.wrap(f"because: {one.why}", width, initial_indent=INDENT, subsequent_indent=f"{INDENT}  ")
    return "\n".join(lines)


def _events_json(events: Sequence[TimelineEvent]) -> str:
    return json.dumps([event.to_json() for event in events], ensure_ascii=False, indent=1)


def _timeline_text(episode: RecordedEpisode, events: Sequence[TimelineEvent], run: Path) -> str:
    width = max(60, min(160, shutil.get_terminal_size((120, 24)).columns))
    lines = [
        f"{episode.key}, attempt {episode.attempt}: {len(episode.turns)} turns, {len(events)} events",
        f"{'from':>9}  {'to':>9}  turn      env       kind        what",
    ]
    for event in events:
        what = " ".join(event.text.split())
        if not what and event.media is not None:
            what = str(run / MEDIA / event.media.path)
        row = f"{event.start:9.1f}  {event.end:9.1f}  {_turn(event.turn)}  {event.env or '-':<9} {event.kind:<11} "
        most = max(20, width - len(row))
        lines.append(row + (what if not event.text or len(what) <= most else f"{what[: most - 1].rstrip()}…"))
    return "\n".join(lines)


def _turn(turn: int) -> str:
    return f"{'past ' if turn < 0 else 'turn '}{-turn if turn < 0 else turn + 1:<3}"
