"""Packs a run into a bundle: what was asked for, what was done, and what came of it, without pictures and sounds.

What is derived from specification and journal alone is made by one function, here and where a bundle is verified.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from omnipilot.agents import PartSpec
from omnipilot.bench.journal.events import (
    EpisodeEnded,
    Event,
    ModelCalled,
    PastTurn,
    Remembered,
    StepTaken,
    TurnTaken,
    event_to_json,
)
from omnipilot.bench.journal.journal import FILE, parse_journal
from omnipilot.bench.journal.load_runs import no_run_words, run_of
from omnipilot.bench.journal.lock import is_locked
from omnipilot.bench.journal.results import Survey, slots, survey
from omnipilot.bench.journal.run import Run
from omnipilot.bench.journal.run_directory import SPEC, read_spec_file, read_workers_file
from omnipilot.bench.report.headline_table import interval_table
from omnipilot.bench.report.main_table import main_table, task_table
from omnipilot.bench.run.labels import part_words
from omnipilot.bench.run.parts import registry_of
from omnipilot.bench.spec import RunSpec
from omnipilot.bench.tables import Table
from omnipilot.bench.verification import bundle
from omnipilot.bench.verification.bundle import bundle_bytes, check_size, manifest_of, root_hash, to_json
from omnipilot.bench.verification.strange_specs import refuse_objects
from omnipilot.envs import ConfigError
from omnipilot.envs.schema import parse_json
from omnipilot.envs.types import read_file

NAME = "run"
"""What a packed run is called in its tables, whatever its directory is called."""
WEIGHTS = "weights"
"""What parts call the hash of their weights, in what they state of themselves."""
MOST_EPISODES = 100_000
_HOLDS_MEDIA = (PastTurn, TurnTaken, StepTaken, EpisodeEnded, ModelCalled, Remembered)
_DIGITS = frozenset("0123456789abcdef")


@dataclass(frozen=True, slots=True)
class PackedRun:
    """A run as a bundle.

    Attributes:
        content: of the file. root: the hash to publish. episodes: how many it has. media: how many captures and texts
            it names by their hashes.
    """

    content: bytes
    root: str
    episodes: int
    media: int


@dataclass(frozen=True, slots=True)
class ReadRun:
    """A run that was read from the texts of its specification and its journal."""

    run: Run
    events: tuple[Event, ...]
    survey: Survey


def pack_run(folder: Path) -> PackedRun:
    """Pack a run.

    Raises:
        ConfigError: there is no run, it is being written or not finished, its files do not say what was recorded, or a
            part of it has a name that a verifier must not follow. BundleError: it is larger than what is read back.
    """
    if read_spec_file(folder) is None or not (folder / FILE).is_file():
        raise ConfigError(no_run_words(folder))
    if is_locked(folder) or read_workers_file(folder) is not None:
        raise ConfigError(f"{folder} is being written; pack it when its run has ended")
    specification, journal = read_file(folder / SPEC), read_file(folder / FILE)
    found = read_texts(specification, journal)
    if found.run.problems:
        raise ConfigError(f"{folder} is not as it was recorded: {'; '.join(found.run.problems)}")
    ended = {episode.key for episode in found.run.episodes}
    if left := [key for key in registered_keys(found) if key not in ended]:
        raise ConfigError(
            f"{len(left)} of {found.run.planned} episodes are not finished, {left[0]} among them; start the run again "
            f"with --out {folder}, and pack it then"
        )
    members = {bundle.SPECIFICATION: specification, bundle.JOURNAL: journal, **derived_members(found)}
    content = bundle_bytes(members)
    check_size(content, members, str(folder))
    return PackedRun(content, root_hash(manifest_of(members)), len(ended), len(media_hashes(found.events)))


def read_texts(specification: bytes, journal: bytes) -> ReadRun:
    """The run of a specification's and a journal's text.

    Raises:
        ConfigError: the specification is none, or names what must not be followed.
    """
    try:
        told = parse_json(specification, bounded=True)
        spec = told["spec"]
    except (ValueError, KeyError, TypeError) as error:
        raise ConfigError(f"{bundle.SPECIFICATION} cannot be read: {error!r:.200}") from None
    refuse_objects(spec)
    events = tuple(parse_journal(journal))
    found = survey(events)
    return ReadRun(run_of(NAME, told, found), events, found)


def derived_members(found: ReadRun) -> dict[str, bytes]:
    """The members that follow from specification and journal.

    Raises:
        ConfigError: the specification asks for more than `MOST_EPISODES`.
    """
    return {
        bundle.REGISTERED: to_json(_registered(found)),
        bundle.WEIGHTS: to_json(stated_weights(found.run.spec)),
        bundle.MEDIA: to_json(media_hashes(found.events)),
        bundle.VERDICTS: to_json([*_verdicts(found.run)]),
        bundle.TABLE: to_json({name: _table(table) for name, table in _tables(found.run)}),
    }


def registered_keys(found: ReadRun) -> list[str]:
    """The episodes that were asked for, in order: those of the specification, over the tasks that the journal names
    where the run began.

    Raises:
        ConfigError: they are more than `MOST_EPISODES`.
    """
    spec, tasks = found.run.spec, found.survey.tasks
    if max(len(tasks), 1) * spec.instances * spec.trials > MOST_EPISODES:
        raise ConfigError(f"the specification asks for more than {MOST_EPISODES:,} episodes, which no bundle holds")
    return [slot.key for slot in slots(spec, tasks)]


def stated_weights(spec: RunSpec) -> dict[str, str]:
    """The hashes of the weights of those parts that have some, by what the specification calls them."""
    return {name: told for name, told in spec.prompts.items() if WEIGHTS in name.split(".") or f"{WEIGHTS}=" in told}


def media_hashes(events: Sequence[Event]) -> dict[str, list[str]]:
    """What captures and texts the journal names: the kinds of each, by its hash."""
    found: dict[str, set[str]] = {}
    for event in events:
        if isinstance(event, _HOLDS_MEDIA):
            for kind, digest in _hashes(event_to_json(event), event.event):
                found.setdefault(digest, set()).add(kind)
    return {digest: sorted(kinds) for digest, kinds in sorted(found.items())}


def _hashes(value: Any, kind: str) -> Iterator[tuple[str, str]]:
    if isinstance(value, str):
        if is_hash(value):
            yield kind, value
    elif isinstance(value, Mapping):
        for name, one in value.items():
            yield from _hashes(one, kind if name == "digest" else name)
    elif isinstance(value, list):
        for one in value:
            yield from _hashes(one, kind)


def is_hash(text: str) -> bool:
    """Whether a text is a SHA-256 in hexadecimal digits."""
    return len(text) == 64 and _DIGITS.issuperset(text)


def _registered(found: ReadRun) -> dict[str, Any]:
    spec = found.run.spec
    return {
        "identity": found.survey.identity,
        "suite": spec.suite.name,
        "version": spec.suite_version,
        "episodes": registered_keys(found),
    }


def _verdicts(run: Run) -> Iterator[dict[str, Any]]:
    for episode in run.episodes:
        yield {
            "key": episode.key,
            "attempt": episode.attempt,
            "reason": episode.reason,
            "status": episode.status,
            "success": None if episode.unjudged else episode.success,
            "completed": episode.completed,
            "total": episode.total,
            "nodes": {name: str(state) for name, state in episode.nodes.items()},
            **({"harms": dict(episode.harms)} if episode.harms else {}),
        }


def _tables(run: Run) -> Iterator[tuple[str, Table]]:
    """The tables that a number is read from, each over this run alone.

    How parts of other packages are called hangs on the specification alone: where it is verified, these may be missing.
    """
    agent = run.spec.agent
    named = replace(agent, planner=_named(agent.planner, "planner"), grounder=_named(agent.grounder, "grounder"))
    run = replace(run, spec=replace(run.spec, agent=named))
    yield "main", main_table([run])
    yield "intervals", interval_table([run])
    yield "tasks", task_table([run])


def _named(part: PartSpec, what: str) -> PartSpec:
    """A part as tables name it, whether or not the packages that bring it are installed."""
    if not registry_of(what).is_ours(part.name):
        return PartSpec(part_words(part))
    return replace(part, inner=tuple(_named(one, what) for one in part.inner))


def _table(table: Table) -> dict[str, Any]:
    return {"columns": table.columns, "rows": table.rows, "notes": table.with_methods().notes}
