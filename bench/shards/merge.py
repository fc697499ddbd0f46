"""One run directory out of several of the same specification, such as those of its shards."""

from __future__ import annotations

import hashlib
import os
import shutil
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from omnipilot.bench.journal.journal import FILE, MEDIA, Journal
from omnipilot.bench.journal.kept_media import take_not_kept
from omnipilot.bench.journal.lock import RunLock, is_locked
from omnipilot.bench.journal.provenance import version_changes
from omnipilot.bench.journal.results import Survey, pending, survey_of
from omnipilot.bench.journal.run_directory import FRESH, explain_differences, prepare, read_spec_file, read_workers_file
from omnipilot.bench.shards.shard import NOTE, Shard
from omnipilot.bench.spec import RunSpec, differences, essence
from omnipilot.envs import ConfigError
from omnipilot.envs.schema import parse_json
from omnipilot.envs.types import open_file
from omnipilot.envs.types.system_errors import telling_disk_errors
from omnipilot.memory.store.durable import make_folder, sync_file, sync_names
from omnipilot.memory.store.media_store import why_not_kept

SHOWN = 5
"""Episodes and differences that a message names."""
_WRITING = "tmp"
"""Where media are copied to before they get their names; a run that is started in the directory empties it."""


@dataclass(frozen=True, slots=True)
class ShardPart:
    """A shard as its directory holds it: how many episodes it has, and how many of them are finished."""

    shard: Shard
    folder: Path
    episodes: int
    finished: int


@dataclass(frozen=True, slots=True)
class MergedRun:
    """What merging came to.

    Attributes:
        episodes: finished ones of the merged run. planned: all of the run. added: new ones.
        left: keys of those that are not finished, in order.
        parts: the shards that were there. absent: those that were not, where all shards are of one division.
        torn: directories whose journal ends in half a line, which was left out.
    """

    out: Path
    episodes: int
    planned: int
    added: int
    left: tuple[str, ...] = ()
    parts: tuple[ShardPart, ...] = ()
    absent: tuple[Shard, ...] = ()
    torn: tuple[Path, ...] = ()


@dataclass(frozen=True, slots=True)
class _Source:
    """A directory that is merged, read once.

    Attributes:
        end: bytes of its journal that are merged. What is written after them may name media that were not there when
            these were taken.
    """

    folder: Path
    spec: Mapping[str, Any]
    survey: Survey
    end: int


@dataclass(frozen=True, slots=True)
class _Line:
    """A whole line of a journal. attempt: the episode's key and the attempt that it is of; None for any other line."""

    content: bytes
    attempt: tuple[str, int] | None

    @property
    def digest(self) -> bytes:
        return hashlib.blake2b(self.content, digest_size=16).digest()


@dataclass
class _Known:
    """What is known of the lines of several journals: those of each attempt in order, and all others."""

    attempts: dict[tuple[str, int], list[bytes]] = field(default_factory=dict)
    others: set[bytes] = field(default_factory=set)
    owners: dict[tuple[str, int], Path] = field(default_factory=dict)


def merge_runs(
    folders: Sequence[Path],
    out: Path,
    mixed_versions: bool = False,
    on_media: Callable[[int, int], None] | None = None,
) -> MergedRun:
    """Make one run directory of several; those that are merged stay as they are.

    A directory `out` that holds a run of the same specification gets what it lacks: shards that came later, and
    episodes that were finished since. Killed on the way, the same call goes on.

    Args:
        folders: run directories of one specification; `out` may be among them.
        mixed_versions: whether they may have been made with different versions of this package, of Python or of
            libraries; tables then say so.
        on_media: told how many of how many media are there.

    Raises:
        ConfigError: a directory holds no run, is being written, or is of another specification or version; or two of
            them tell different things of one episode. The message names them, and no run was changed.
    """
    sources = _sources(folders, out)
    if not mixed_versions:
        _refuse_versions(sources)
    start = sources[0]
    spec = RunSpec.from_json(start.spec)
    make_folder(out)
    with telling_disk_errors(out), RunLock(out):
        there = _there(out)
        ends = {one.folder: one.end for one in sources}
        _refuse_other_content({**({out: None} if there else {}), **ends})
        prepare(out, spec, start.survey.tasks)
        _take_media([folder / MEDIA for folder in ends], out / MEDIA, on_media)
        before = len(survey_of(out).episodes) if there else 0
        torn = _take_lines(ends, out)
    now = survey_of(out)
    left = tuple(slot.key for slot, _ in pending(spec, now.tasks, now))
    parts = tuple(_parts(sources))
    return MergedRun(
        out, len(now.episodes), now.planned, len(now.episodes) - before, left, parts, _absent(now), tuple(torn)
    )


def _sources(folders: Sequence[Path], out: Path) -> list[_Source]:
    """The runs in these directories, each once, all of one specification."""
    found: list[_Source] = []
    for folder in {path.resolve(): path for path in folders if path.resolve() != out.resolve()}.values():
        told = read_spec_file(folder)
        if told is None or not (folder / FILE).is_file():
            raise ConfigError(f"there is no run in {folder}; name the directories of runs, each made with --out")
        if is_locked(folder) or read_workers_file(folder) is not None:
            raise ConfigError(
                f"{folder} is being written; merge it when its run has ended (one that was killed: {FRESH:g} s later), "
                "or leave it out for now"
            )
        end = (folder / FILE).stat().st_size
        found.append(_Source(folder, told["spec"], survey_of(folder), end))
    if not found:
        raise ConfigError("there is nothing to merge; name the directories of the shards, such as runs/parts/*")
    first = found[0]
    for other in found[1:]:
        words = f"in {first.folder}", f"in {other.folder}"
        if lines := differences(essence(other.spec), essence(first.spec), words=words):
            listed = explain_differences(lines[:SHOWN])
            raise ConfigError(f"{first.folder} and {other.folder} are runs of different specifications:\n  {listed}")
    return found


def _refuse_versions(sources: Sequence[_Source]) -> None:
    first, *others = (one for one in sources if one.survey.made_with)
    for other in others:
        changes = version_changes(*_comparable(first.survey.made_with[-1], other.survey.made_with[-1]))
        if changes:
            named = [f"{name} {was or 'not there'} and {now or 'not there'}" for name, (was, now) in changes.items()]
            more = f", and {len(named) - SHOWN} more" * (len(named) > SHOWN)
            raise ConfigError(
                f"{first.folder} and {other.folder} were made with different versions: {', '.join(named[:SHOWN])}{more}"
                "; --mixed-versions merges them all the same, and tables then say so"
            )


def _comparable(*made_with: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Provenances without the commit if one does not say it: an installed package has none, and git may be too slow."""
    if all("commit" in one for one in made_with):
        return list(made_with)
    return [{name: value for name, value in one.items() if name not in ("commit", "dirty")} for one in made_with]


def _there(out: Path) -> bool:
    return (out / FILE).is_file()


def _lines(folder: Path, end: int | None = None) -> Iterator[_Line]:
    """The whole lines of a journal, or of its first bytes; half a line at its end is left out."""
    read = 0
    with open_file(folder / FILE) as file:
        for content in file:
            read += len(content)
            if end is not None and read > end:
                return
            if content.endswith(b"\n"):
                yield _Line(content, _attempt_of(content))


def _attempt_of(line: bytes) -> tuple[str, int] | None:
    try:
        data = parse_json(line)
    except ValueError:
        return None
    key, attempt = (data.get("key"), data.get("attempt")) if isinstance(data, dict) else (None, None)
    return (key, attempt) if isinstance(key, str) and isinstance(attempt, int) and attempt > 0 else None


def _refuse_other_content(ends: Mapping[Path, int | None]) -> None:
    """Refuse attempts of which two journals tell different things; one may tell more of an attempt than another.

    Args:
        ends: how many bytes of the journal count in each directory; None for all.
    """
    known = _Known()
    conflicts: dict[str, tuple[Path, Path]] = {}
    for folder, end in ends.items():
        here: dict[tuple[str, int], list[bytes]] = {}
        for line in _lines(folder, end):
            if line.attempt is not None:
                here.setdefault(line.attempt, []).append(line.digest)
        for attempt, digests in here.items():
            before = known.attempts.get(attempt, [])
            shared = min(len(before), len(digests))
            if before[:shared] != digests[:shared]:
                conflicts.setdefault(attempt[0], (known.owners[attempt], folder))
            elif len(digests) > len(before):
                known.attempts[attempt], known.owners[attempt] = digests, folder
    if conflicts:
        named = [f"{key} in {one} and in {other}" for key, (one, other) in list(conflicts.items())[:SHOWN]]
        more = f", and {len(conflicts) - SHOWN} more" * (len(conflicts) > SHOWN)
        raise ConfigError(
            f"{len(conflicts)} episodes were played more than once, with different records: {'; '.join(named)}{more}. "
            "Leave one of the directories out; shards overlap only if they are of different divisions, as 1/2 and 1/8"
        )


def _take_lines(ends: Mapping[Path, int], out: Path) -> list[Path]:
    """Append to a journal what others tell and it does not; returns the directories with half a line at their end."""
    with Journal.open(out) as journal:
        # Before the lines, as a run says it before it leaves captures out.
        noted = [folder for folder in ends if why_not_kept(folder / MEDIA)]
        if noted:
            adding = {folder for folder, _ in _new_lines(ends, out)}
            take_not_kept([folder / MEDIA for folder in noted if folder in adding], out / MEDIA)
        for _, line in _new_lines(ends, out):
            journal.append_line(line.content)
    return [folder for folder, end in ends.items() if _is_torn(folder / FILE, end)]


def _new_lines(ends: Mapping[Path, int], out: Path) -> Iterator[tuple[Path, _Line]]:
    """What other journals tell and that of `out` does not, each with its directory."""
    written: Counter[tuple[str, int]] = Counter()
    others: set[bytes] = set()
    for line in _lines(out):
        if line.attempt is None:
            others.add(line.digest)
        else:
            written[line.attempt] += 1
    for folder, end in ends.items():
        passed: Counter[tuple[str, int]] = Counter()
        for line in _lines(folder, end):
            if line.attempt is None:
                new = line.digest not in others
                others.add(line.digest)
            else:
                passed[line.attempt] += 1
                new = passed[line.attempt] > written[line.attempt]
                written[line.attempt] += new
            if new:
                yield folder, line


def _is_torn(path: Path, end: int) -> bool:
    if not end:
        return False
    with open_file(path) as file:
        file.seek(end - 1)
        return file.read(1) != b"\n"


def _take_media(folders: Sequence[Path], into: Path, on_media: Callable[[int, int], None] | None) -> None:
    """Link or copy media that are not there yet. Their names are the hashes of their content."""
    wanted = [path for folder in folders for path in sorted(folder.glob("??/*"))]
    changed: set[Path] = set()
    if on_media is not None:
        on_media(0, len(wanted))
    for count, path in enumerate(wanted, 1):
        place = into / path.parent.name / path.name
        if not place.exists() or (place.stat().st_size == 0 and path.stat().st_size):
            if place.parent not in changed:
                make_folder(place.parent)
                changed.add(place.parent)
            _link_or_copy(path, place, into / _WRITING)
        if on_media is not None:
            on_media(count, len(wanted))
    sync_names([*sorted(changed), *([into] if changed else [])])


def _link_or_copy(path: Path, place: Path, scratch: Path) -> None:
    # What a power cut left empty makes way.
    place.unlink(missing_ok=True)
    try:
        os.link(path, place)
    except OSError:
        # On another file system, or on one without links.
        scratch.mkdir(exist_ok=True)
        shutil.copy2(path, scratch / path.name)
        sync_file(scratch / path.name)
        os.replace(scratch / path.name, place)


def _parts(sources: Sequence[_Source]) -> Iterator[ShardPart]:
    """The shards that were played in each directory, as their starts say."""
    for source in sources:
        found: dict[Shard, int] = {}
        for made_with in source.survey.made_with:
            if (shard := Shard.of_provenance(made_with)) is not None:
                found[shard] = int(made_with[NOTE].get("episodes") or 0)
        for shard, episodes in found.items():
            # Which of them are whose only the suite could tell.
            finished = len(source.survey.episodes) if len(found) == 1 else 0
            yield ShardPart(shard, source.folder, episodes, min(finished, episodes))


def _absent(now: Survey) -> tuple[Shard, ...]:
    """The shards of which nothing was played, where all that were are of one division."""
    there = {shard for made_with in now.made_with if (shard := Shard.of_provenance(made_with)) is not None}
    divisions = {shard.of for shard in there}
    if len(divisions) != 1:
        return ()
    (of,) = divisions
    return tuple(shard for number in range(1, of + 1) if (shard := Shard(number, of)) not in there)
