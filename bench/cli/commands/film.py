"""What `omnipilot memory FILE` does: read a film or a sound as a stream, and ask what was seen and heard in it."""

from __future__ import annotations

import json
import shutil
import sys
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import typer

from omnipilot.agents.assembly import MEMORIES
from omnipilot.bench.cli.commands.memory import KINDS
from omnipilot.bench.run.config import part_of, set_options
from omnipilot.bench.settings import RunSettings
from omnipilot.envs import ConfigError, Modality
from omnipilot.memory import MediaStore, Role
from omnipilot.memory.episodic import Scope, TimelineEvent, read_file
from omnipilot.memory.episodic.answers import TimelineAnswer
from omnipilot.memory.episodic.events import EVENT_KINDS, EventKind
from omnipilot.memory.episodic.memory import TimelineMemory
from omnipilot.memory.episodic.ranking import SIGNALS
from omnipilot.memory.episodic.streams import Keep, file_seconds
from omnipilot.memory.store.media_store import StoredMedia

ENV = "film"
"""The environment that the events of a film are from."""
MEDIA = "media"
"""Folder below `--out` for what is kept."""


@dataclass(frozen=True, slots=True)
class FilmQuestion:
    """What is asked of a film.

    Attributes:
        ask: the question; None for its timeline. most: answers that are printed.
        kinds: comma-separated kinds of events of the timeline; "" for all. start, end: seconds of the film within which
            these are; None for all.
        options: of the memory `episodic`, as memory.KEY=VALUE.
        out: folder for key frames and clips; None keeps none.
        as_json: print JSON.
    """

    ask: str | None = None
    most: int = 5
    kinds: str = ""
    start: float | None = None
    end: float | None = None
    options: Sequence[str] = ()
    out: Path | None = None
    as_json: bool = False


def film_command(file: Path, question: FilmQuestion) -> None:
    """Print what of a film or a sound answers a question, with its moments; or its timeline, if there is no question.

    The file is read once, in chunks, so that what is held does not grow with its length.

    Raises:
        ConfigError: the file cannot be read, or there is no such kind or option.
        MissingExtra: it is a film and PyAV is not installed, or what an option needs is not.
    """
    kinds = _chosen_kinds(question.kinds)
    if question.most < 1:
        raise ConfigError(f"--most must be at least 1, not {question.most}")
    start, end = question.start, question.end
    if start is not None and end is not None and not start <= end:
        raise ConfigError(f"--from {start:g} --to {end:g} is no span of time; give the earlier time first")
    if question.ask is not None and (kinds or start is not None or end is not None):
        raise ConfigError("--kinds, --from and --to are for the timeline; leave --ask out, or these")
    memory = _memory(question.options)
    kept = _KeptMedia(question.out / MEDIA) if question.out is not None else None
    if kept is not None:
        memory.take_store(kept.store)
    _read(file, memory, "none" if kept is None else "events")
    if question.ask is not None:
        answers = memory.answer(question.ask, Role("planner"), (ENV,), question.most)
        told = _answers_json(answers, kept) if question.as_json else _answers_text(file, question.ask, answers, kept)
        typer.echo(told)
        return
    scope = Scope(frozenset({ENV}), frozenset(Modality))
    found = memory.timeline.between(
        scope, -1.0 if start is None else start, float("inf") if end is None else end, kinds
    )
    typer.echo(_events_json(found, kept) if question.as_json else _timeline_text(file, found, kept))


def _chosen_kinds(kinds: str) -> tuple[EventKind, ...]:
    names = [name.strip() for name in kinds.split(",") if name.strip()]
    if strangers := [name for name in names if name not in EVENT_KINDS]:
        raise ConfigError(f"there is no kind {', '.join(map(repr, strangers))}; there are: {', '.join(EVENT_KINDS)}")
    return tuple(kind for kind in EVENT_KINDS if kind in names)


def _memory(options: Sequence[str]) -> TimelineMemory:
    """The memory `episodic`, which weighs everything but how recent something was, unless `options` say otherwise."""
    if strange := [option for option in options if not option.startswith("memory.")]:
        raise ConfigError(f"{', '.join(strange)}: only the memory is asked; write -o memory.KEY=VALUE")
    if not any(option.startswith("memory.use=") for option in options):
        options = [*options, f"memory.use={','.join(signal for signal in SIGNALS if signal != 'recency')}"]
    made = MEMORIES.make(part_of(set_options(RunSettings(memory="episodic"), options), "memory"))
    assert isinstance(made, TimelineMemory)
    made.warm_up()
    return made


def _read(file: Path, memory: TimelineMemory, keep: Keep) -> None:
    """Read a file into a memory, with a bar on the terminal's error stream that says how far it is."""
    chunks = read_file(file, ENV)
    length = file_seconds(file)
    with typer.progressbar(length=round(length or 0) or 1, label=f"reading {file.name}", file=sys.stderr) as bar:
        done = 0
        for until in memory.take_stream(chunks, ENV, keep):
            if length and round(until) > done:
                bar.update(round(until) - done)
                done = round(until)


class _KeptMedia:
    """Key frames and clips of a film in a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.store = folder, MediaStore(folder)

    def file(self, media: StoredMedia) -> str:
        """The file of a picture or clip; that of a cut clip is added."""
        return str(self.folder / self.store.put(media).path)


def _file(event: TimelineEvent, kept: _KeptMedia | None) -> str:
    return "" if event.media is None or kept is None else str(kept.folder / event.media.path)


def _answers_json(answers: Sequence[TimelineAnswer], kept: _KeptMedia | None) -> str:
    rows = []
    for one in answers:
        row: dict[str, Any] = {"start": one.start, "end": one.end, "kind": one.kind, "text": one.text, "why": one.why}
        if one.media is not None and kept is not None:
            row["file"] = kept.file(one.media)
        rows.append(row)
    return json.dumps(rows, ensure_ascii=False, indent=1)


def _answers_text(file: Path, question: str, answers: Sequence[TimelineAnswer], kept: _KeptMedia | None) -> str:
    if not answers:
        return f"Nothing in {file.name} answers that; without --ask, all of its timeline is printed."
    width = max(60, min(120, shutil.get_terminal_size((100, 24)).columns))
    lines = [f"{file.name}: {question}"]
    for number, one in enumerate(answers, 1):
        lines += ["", f"{number:>2}  {KINDS.get(one.kind, one.kind)}, {_span(one.start, one.end)}"]
        words = " ".join(one.text.split())
        if one.kind in ("sound", "audio") and words in ("", "speech"):
            words += f"{', ' if words else ''}not put into words: listen to it, or give a memory.transcriber"
        for told in filter(None, (words, one.why and f"why: {one.why}")):
            lines += textwrap.wrap(told, width, initial_indent="    ", subsequent_indent="    ")
        if one.media is not None and kept is not None:
            lines.append(f"    {kept.file(one.media)}")
    return "\n".join(lines)


def _events_json(events: Sequence[TimelineEvent], kept: _KeptMedia | None) -> str:
    rows = [event.to_json() | ({"file": path} if (path := _file(event, kept)) else {}) for event in events]
    return json.dumps(rows, ensure_ascii=False, indent=1)


def _timeline_text(file: Path, events: Sequence[TimelineEvent], kept: _KeptMedia | None) -> str:
    lines = [f"{file.name}: {len(events)} events", f"{'from':>9}  {'to':>9}  kind        what"]
    for event in events:
        what = " ".join(event.text.split()) or _file(event, kept)
        lines.append(f"{event.start:9.1f}  {event.end:9.1f}  {event.kind:<11} {what}".rstrip())
    return "\n".join(lines)


def _span(start: float, end: float) -> str:
    """A moment or a span, in seconds and, from a minute on, also as a player shows it."""
    told = f"{start:.1f} s" if end - start < 0.05 else f"{start:.1f} to {end:.1f} s"
    minutes, seconds = divmod(int(start), 60)
    hours, minutes = divmod(minutes, 60)
    clock = f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"
    return f"{told} ({clock})" if start >= 60 else told
