"""Derives a run's record again from the actions alone, and names what differs.

Each attempt is played again by the ordinary runner, with an agent that decides as recorded. Instructions, what was seen
and heard, clocks, outcomes, verdicts, endings and the table come of it anew. What no world can tell is not verified:
who decided, what was thought, and what it cost.
"""

from __future__ import annotations

import platform
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from omnipilot.bench.episode.course import LEFT
from omnipilot.bench.episode.recorded_turns import RecordAlone, RecordEnds
from omnipilot.bench.episode.runner import EpisodeRunner
from omnipilot.bench.journal.attempts import RecordedAttempt
from omnipilot.bench.journal.control import RunCommand
from omnipilot.bench.journal.differences import event_differences
from omnipilot.bench.journal.events import (
    EpisodeEnded,
    EpisodeStarted,
    Event,
    ModelCalled,
    MoveGuarded,
    PastTurn,
    PersonActed,
    Remembered,
    ReplyUnread,
    StepTaken,
    TurnTaken,
)
from omnipilot.bench.journal.journal import read
from omnipilot.bench.journal.load_runs import load_checked
from omnipilot.bench.journal.provenance import version
from omnipilot.bench.journal.results import VOID, Episode, Slot, slots, survey
from omnipilot.bench.journal.run import Run
from omnipilot.bench.registry import load_suite
from omnipilot.bench.report.main_table import main_table
from omnipilot.bench.run.code import code_changes
from omnipilot.bench.run.runner import chosen_tasks
from omnipilot.bench.spec import RunSpec
from omnipilot.bench.tasks.task import Suite
from omnipilot.envs import Capability, OmnipilotError
from omnipilot.memory import MediaStore

_DERIVE = ("omnipilot", "numpy", "pillow", "scipy")
"""Packages of which pictures, sounds and intervals are made."""
CLOCKED = ("seconds", "working")
"""Limits that hang on wall time, which no record can be derived from."""
_TOLD = (ModelCalled, ReplyUnread, Remembered, PersonActed, MoveGuarded)
_DERIVED = (
    "reason",
    "status",
    "completed",
    "total",
    "turns",
    "steps",
    "actions",
    "invalid",
    "nodes",
    "results",
    "verbs",
    "harms",
)
_POINTING = ("pointed_right", "pointed_told", "pointed_asked")


@dataclass(frozen=True, slots=True)
class Verification:
    """What came of verifying a run.

    Attributes:
        attempts, turns, captures: how many were derived again and compared.
        differences: every difference, in words; none where all is as recorded.
        notes: what could not be derived, and what the reader should know.
        impossible: why nothing could be played again; "" if it could.
    """

    attempts: int
    turns: int
    captures: int
    differences: tuple[str, ...]
    notes: tuple[str, ...] = ()
    impossible: str = ""

    @property
    def whole(self) -> bool:
        """Whether everything was derived again, and equal."""
        return not self.differences and not self.impossible


def verify_run(
    folder: Path, only: Collection[str] = (), on_attempt: Callable[[int, int], None] | None = None
) -> Verification:
    """Derive a run again from its actions.

    Args:
        only: keys of episodes, `task#instance.trial`, to play again; none for all. Files and the list of episodes are
            checked in any case.
        on_attempt: told how many attempts have been compared, and of how many.

    Raises:
        ConfigError, JournalError: there is no run, or its suite cannot be made.
    """
    run = load_checked(folder)
    return verify_events(run, list(read(folder)), load_suite(run.spec.suite), only, on_attempt)


def verify_events(
    run: Run,
    events: Sequence[Event],
    suite: Suite,
    only: Collection[str] = (),
    on_attempt: Callable[[int, int], None] | None = None,
) -> Verification:
    """As `verify_run`, of a run that was read.

    Args:
        events: of its journal. suite: its suite.
    """
    attempts = recorded_attempts(events)
    asked = [slot.key for slot in slots(run.spec, chosen_tasks(run.spec, suite))]
    differences = [*run.problems, *episode_gaps(asked, attempts)]
    notes = list(version_notes(run))
    if strangers := sorted(set(only) - {key for key, _ in attempts}):
        differences.append(f"{', '.join(strangers)}: not in the record")
    if impossible := why_impossible(run.spec, suite):
        return Verification(0, 0, 0, tuple(differences), tuple(notes), impossible)
    chosen = {which: record for which, record in attempts.items() if not only or which[0] in only}
    derived: dict[tuple[str, int], list[Event]] = {}
    turns = captures = 0
    for count, (which, record) in enumerate(chosen.items(), 1):
        found, problem = play_again(
            run.spec, suite, RecordedAttempt.of_events(record), raised_limits(run, which), MediaStore()
        )
        differences += attempt_differences(record, found, problem, notes)
        derived[which] = found
        turns += sum(isinstance(event, TurnTaken) for event in found)
        captures += sum(_captures(event) for event in found)
        if on_attempt is not None:
            on_attempt(count, len(chosen))
    differences += _table(run, events, derived)
    return Verification(len(chosen), turns, captures, tuple(differences), tuple(dict.fromkeys(notes)))


def recorded_attempts(events: Sequence[Event]) -> dict[tuple[str, int], list[Event]]:
    """The events of each attempt that an agent and a world had a part in, by key and number."""
    found: dict[tuple[str, int], list[Event]] = {}
    for event in events:
        if isinstance(event, EpisodeStarted):
            found[event.key, event.attempt] = [event]
        elif isinstance(event, PastTurn | TurnTaken | StepTaken | EpisodeEnded):
            found.setdefault((event.key, event.attempt), []).append(event)
    return {which: record for which, record in found.items() if isinstance(record[0], EpisodeStarted)}


def raised_limits(run: Run, which: tuple[str, int]) -> list[PersonActed]:
    """What persons did to the limits of an attempt, given by key and number."""
    return [act for act in run.acts if act.action == "raise" and (act.key, act.attempt) == which]


def episode_gaps(asked: Sequence[str], attempts: Mapping[tuple[str, int], Sequence[Event]]) -> Iterator[str]:
    """Episodes that are asked for and that the record lacks, or the other way round, and gaps in attempts.

    Args:
        asked: keys. attempts: the events of each, by key and number.
    """
    ended = {key for (key, _), record in attempts.items() if isinstance(record[-1], EpisodeEnded)}
    if lacking := [key for key in asked if key not in ended]:
        yield f"{len(lacking)} of {len(asked)} episodes have no end in the record: {_some(lacking)}"
    if strange := sorted(ended - set(asked)):
        yield f"the specification asks for no {_some(strange)}"
    numbers: dict[str, list[int]] = {}
    for key, number in attempts:
        numbers.setdefault(key, []).append(number)
    for key, found in numbers.items():
        if sorted(found) != list(range(1, max(found) + 1)):
            yield f"{key}: the record has the attempts {', '.join(map(str, found))}, and lacks others before them"


def version_notes(run: Run) -> Iterator[str]:
    """How this interpreter, the packages and the code of others' parts differ from those that made the record."""
    told = [{**made, **made.get("libraries", {})} for made in run.made_with]
    for name, now in {"python": platform.python_version(), **{name: version(name) for name in _DERIVE}}.items():
        then = dict.fromkeys(str(made[name]) for made in told if name in made)
        if now and then and list(then) != [now]:
            yield f"recorded with {name} {' and '.join(then)}; this is {now}"
    for name, (was, now) in code_changes(run.spec).items():
        yield f"recorded with the code {was} of {name}; {f'here it is {now}' if now else 'it is not found here'}"


def why_impossible(spec: RunSpec, suite: Suite) -> str:
    """Why the worlds of a run cannot be played again; "" if they can."""
    if suite.version != spec.suite_version:
        return f"recorded on version {spec.suite_version} of suite {suite.name!r}, and this is version {suite.version}"
    world = suite.world(spec.thinking)
    try:
        if Capability.RECORDED in world.capabilities:
            return f"suite {suite.name!r} plays recordings, in which no action of an agent changes anything"
        if Capability.SNAPSHOTS not in world.capabilities:
            return (
                f"the world of suite {suite.name!r} is not the same each time, so what it showed cannot be derived "
                "again; that files are whole, episodes complete and ends as counted was looked at"
            )
    finally:
        world.close()
    return ""


def play_again(
    spec: RunSpec, suite: Suite, record: RecordedAttempt, raises: Sequence[PersonActed], store: MediaStore
) -> tuple[list[Event], str]:
    """The events of an attempt that is played again, and why it came to no end, "" if it did.

    Args:
        raises: of its limits, by persons. store: is given all that is seen and heard.
    """
    started = record.started
    found: list[Event] = []
    slot = Slot(started.task, started.instance, started.trial)
    # What a guard refused is refused in the record.
    plain = replace(spec, experience=None, forked=None, guard=None)
    runner: EpisodeRunner | None = None
    try:
        runner = EpisodeRunner(plain, suite, RecordAlone(record), store, found.append, messages=False)
        for act in raises:
            if not act.refused:
                runner.raise_limit(RunCommand.of("raise", act.who, act.key, act.limit, act.after))
        runner.play(slot, started.attempt)
    except RecordEnds as error:
        return found, str(error)
    except (OmnipilotError, ValueError, KeyError, TypeError, AttributeError) as error:
        # A record that was edited can hold anything.
        return found, f"it cannot be played again: {type(error).__name__}: {error}"
    finally:
        if runner is not None:
            runner.close()
    return found, ""


def attempt_differences(
    record: Sequence[Event], found: Sequence[Event], problem: str, notes: list[str]
) -> Iterator[str]:
    """Where an attempt that was played again differs from its record, in words.

    Args:
        problem: why it came to no end; "" if it did. notes: take what could not be derived.
    """
    found = [event for event in found if not isinstance(event, _TOLD)]
    started, last = record[0], record[-1]
    assert isinstance(started, EpisodeStarted)
    end = last if isinstance(last, EpisodeEnded) else None
    name = f"{started.key}, attempt {started.attempt}"
    if end is not None and end.reason == VOID and not any(isinstance(event, TurnTaken) for event in record):
        notes.append(f"{name} is void ({end.detail}), and holds nothing to verify")
        return
    for one, other in zip(record, found, strict=False):
        yield from map(str, event_differences(one, other))
        if type(one) is not type(other):
            return
    if len(found) == len(record):
        return
    if len(found) > len(record):
        if end is None:
            notes.append(f"{name} was cut off")
        else:
            yield f"{name}: it went on after its recorded end"
        return
    lacking = record[len(found)]
    if lacking is end and problem.startswith("the record has"):
        yield from _other_end(name, started, end, notes)
    else:
        yield f"{name}: {problem or 'it ended earlier than recorded'}"


def _other_end(name: str, started: EpisodeStarted, end: EpisodeEnded, notes: list[str]) -> Iterator[str]:
    """What to say of an end that did not come of the actions by itself."""
    if end.reason == VOID:
        notes.append(f"{name} is void ({end.detail}); its turns are verified, its end is not")
    elif end.reason in CLOCKED and started.limits.get(end.reason) is not None:
        notes.append(f"{name} ended by a limit on {end.reason}, which cannot be derived; its turns are verified")
    elif end.reason == "done" and end.detail == LEFT:
        notes.append(f"{name} was left by the caller of its session; its turns are verified")
    else:
        yield f"{name}: its record ends by {end.reason}, and nothing ends it there"


def _captures(event: Event) -> int:
    looks: list[Mapping[str, Any]] = []
    if isinstance(event, TurnTaken | PastTurn | EpisodeEnded):
        looks += event.observations.values()
    elif isinstance(event, StepTaken) and event.look is not None:
        looks.append(event.look)
    return sum(name in look for look in looks for name in ("screenshot", "elements", "audio", "video"))


def _table(run: Run, events: Sequence[Event], derived: Mapping[tuple[str, int], list[Event]]) -> Iterator[str]:
    """Where the table of the run differs from the one of what was derived."""
    made: list[Event] = []
    for event in events:
        which = getattr(event, "key", ""), getattr(event, "attempt", 0)
        if which not in derived:
            made.append(event)
        elif isinstance(event, EpisodeStarted):
            made += derived[which]
    now = {episode.key: episode for episode in survey(made).episodes}
    episodes = tuple(_as_derived(episode, now.get(episode.key)) for episode in run.episodes)
    tables = [main_table([one]) for one in (run, replace(run, episodes=episodes))]
    # A column may be there for one of them alone, such as those of success.
    there, here = (dict(zip(table.columns, table.rows[0], strict=True)) if table.rows else {} for table in tables)
    for name in dict.fromkeys((*there, *here)):
        if there.get(name) != here.get(name):
            yield f"the table: {name} is {there.get(name, '—')} by the record, and {here.get(name, '—')} here"


def _as_derived(recorded: Episode, found: Episode | None) -> Episode:
    """A recorded episode with those of its figures that were derived."""
    if found is None or found.attempt != recorded.attempt:
        return recorded
    return replace(recorded, **{name: getattr(found, name) for name in (*_DERIVED, *_POINTING)})


def first_differences(found: Sequence[str], most: int) -> Iterator[str]:
    """The first differences, and how many more there are."""
    yield from found[:most]
    if len(found) > most:
        yield f"and {len(found) - most} more; --all prints them"


def _some(names: Sequence[str]) -> str:
    more = f" and {len(names) - 3} more" if len(names) > 3 else ""
    return f"{', '.join(names[:3])}{more}"
