"""Gives a run back the captures that it did not keep, by playing its episodes again from their actions.

A journal names every capture by its content, kept or not. So what is made anew is what was seen, bit by bit, or it is
not written.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from omnipilot.bench.journal.attempts import RecordedAttempt
from omnipilot.bench.journal.events import EpisodeEnded, Event, PastTurn, StepTaken, TurnTaken
from omnipilot.bench.journal.journal import MEDIA, read
from omnipilot.bench.journal.kept_media import forget_not_kept
from omnipilot.bench.journal.load_runs import load_run
from omnipilot.bench.journal.lock import RunLock
from omnipilot.bench.journal.run import Run
from omnipilot.bench.journal.run_directory import CHECKED
from omnipilot.bench.registry import load_suite
from omnipilot.bench.tasks.task import Suite
from omnipilot.bench.verification.verify import (
    attempt_differences,
    play_again,
    raised_limits,
    recorded_attempts,
    why_impossible,
)
from omnipilot.envs import ConfigError
from omnipilot.envs.schema import parse_json
from omnipilot.envs.types import read_file
from omnipilot.envs.types.media import Media
from omnipilot.envs.types.system_errors import telling_disk_errors
from omnipilot.memory import MediaRef, MediaStore
from omnipilot.memory.store.index import Kind, media_path
from omnipilot.memory.store.media_store import StoredMedia, reference_of, silence_of

_CLIPS: tuple[tuple[str, Kind], ...] = (("audio", "audio"), ("video", "video"))


@dataclass(frozen=True, slots=True)
class Rerendering:
    """What came of bringing back a run's captures.

    Attributes:
        attempts: how many lacked captures. played: how many of these were played again, and equal to their records.
        captures: how many were written, each content once.
        problems: attempts for which nothing was written, each with the reason.
        impossible: why no episode can be played again; "" if they can.
    """

    attempts: int
    played: int
    captures: int
    problems: tuple[str, ...]
    impossible: str = ""


class _Wanted(MediaStore):
    """Holds those captures that are wanted, of all that it is given."""

    def __init__(self, wanted: Collection[str]) -> None:
        super().__init__()
        self._wanted = frozenset(wanted)
        self.found: dict[str, StoredMedia] = {}

    def put(self, media: Media) -> MediaRef:
        ref, found = reference_of(media)
        if ref.digest in self._wanted:
            self.found[ref.digest] = found
        return self._index.add(ref)


def rerender_run(
    folder: Path, only: Collection[str] = (), on_attempt: Callable[[int, int], None] | None = None
) -> Rerendering:
    """Play the episodes of a run again whose captures are not kept, and write these.

    Args:
        only: keys of episodes, `task#instance.trial`; none for all.
        on_attempt: told how many attempts have been looked at, and of how many.

    Raises:
        ConfigError, JournalError: there is no run, or its suite cannot be made, or the run goes on.
    """
    run = load_run(folder)
    suite = load_suite(run.spec.suite)
    media = folder / MEDIA
    with telling_disk_errors(folder), RunLock(folder):
        attempts = recorded_attempts(list(read(folder)))
        if strangers := sorted(set(only) - {key for key, _ in attempts}):
            raise ConfigError(f"{folder} has no episode {', '.join(strangers)}")
        chosen = {which: record for which, record in attempts.items() if not only or which[0] in only}
        due = {which: lacking for which, record in chosen.items() if (lacking := _lacking(media, record))}
        if due and (why := why_impossible(run.spec, suite)):
            return Rerendering(len(due), 0, 0, (), why)
        store = MediaStore(media, folder / CHECKED)
        problems: list[str] = []
        written = 0
        for count, (which, lacking) in enumerate(due.items(), 1):
            made, why = _make_again(run, suite, which, attempts[which], lacking)
            problems += [f"{which[0]}, attempt {which[1]}: {why}"] * bool(why)
            for capture in made:
                store.put(capture)
            store.sync()
            written += len(made)
            if on_attempt is not None:
                on_attempt(count, len(due))
        if not any(_lacking(media, record) for record in attempts.values()):
            forget_not_kept(media)
    return Rerendering(len(due), len(due) - len(problems), written, tuple(problems))


def _make_again(
    run: Run, suite: Suite, which: tuple[str, int], record: Sequence[Event], lacking: Collection[str]
) -> tuple[list[StoredMedia], str]:
    """The captures that an attempt lacks; none, and why, where it is not played again as it was."""
    wanted = _Wanted(lacking)
    attempt = RecordedAttempt.of_events(list(record))
    found, problem = play_again(run.spec, suite, attempt, raised_limits(run, which), wanted)
    differences = list(attempt_differences(record, found, problem, []))
    if not differences and (away := len(set(lacking) - wanted.found.keys())):
        differences = [f"{away} of the captures that its record names do not come of its actions"]
    if differences:
        more = f" (and {len(differences) - 1} more differences)" if len(differences) > 1 else ""
        return [], f"{differences[0]}{more}"
    return list(wanted.found.values()), ""


def _lacking(media: Path, record: Iterable[Event]) -> set[str]:
    """The digests of the captures that an attempt's events name and that have no file."""
    found = {(one["digest"], kind): one for look in _looks(record) for kind, one in _captures(look)}
    return {digest for (digest, kind), one in found.items() if not _is_there(media, digest, kind, one)}


def _looks(record: Iterable[Event]) -> Iterator[Mapping[str, Any]]:
    for event in record:
        if isinstance(event, TurnTaken | PastTurn | EpisodeEnded):
            yield from event.observations.values()
        elif isinstance(event, StepTaken) and event.look is not None:
            yield event.look


def _captures(look: Mapping[str, Any]) -> Iterator[tuple[Kind, Mapping[str, Any]]]:
    if "screenshot" in look:
        yield "image", {"digest": look["screenshot"]}
    for name, kind in _CLIPS:
        if name in look:
            yield kind, look[name]


def _is_there(media: Path, digest: str, kind: Kind, named: Mapping[str, Any]) -> bool:
    """Whether a capture has its file, a film all of its pictures, or is a silence, which needs none."""
    file = media / media_path(digest, kind)
    if kind == "audio" and not file.exists():
        return silence_of(digest, named["start"], named["end"]) is not None
    if kind != "video":
        return file.exists()
    try:
        frames = {str(frame) for _, frame in parse_json(read_file(file))["frames"]}
    except (OSError, ValueError, KeyError, TypeError):
        return False
    return all((media / media_path(frame, "image")).exists() for frame in frames)
