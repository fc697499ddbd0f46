"""The stage `synth subtasks`: from what was explored to subtasks, with what became of each candidate."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from omnipilot.bench.suites.pool.pool_folder import PoolFolder
from omnipilot.bench.suites.pool.records import CandidateRecord, Edge, SubtaskRecord
from omnipilot.bench.suites.pool.subtasks.analysis import try_candidate
from omnipilot.bench.suites.pool.subtasks.candidates import SubtaskCandidate, effect_candidates, screen_candidates
from omnipilot.bench.suites.pool.subtasks.reading_subtasks import readings_of
from omnipilot.bench.suites.pool.subtasks.replay import is_command
from omnipilot.bench.suites.pool.subtasks.resource_types import ResourceTypes, predefined_types
from omnipilot.bench.suites.pool.templates import HAND_WRITTEN
from omnipilot.envs import ConfigError
from omnipilot.envs.sim.apps.registry import APPS

STAGE = "subtasks"
MOST_SCREENS = 60
"""Of one application, that are looked at for what they tell; besides what commands print, each of which is another."""


@dataclass
class SubtasksReport:
    """How much survived.

    Attributes:
        subtasks: all in the pool. tried: candidates so far, those of earlier runs included.
        reasons: how many candidates became nothing, by why.
        proposed: what a model proposed; proposed_new: of these, what the search had not found and holds;
            proposed_known: what it had found.
    """

    subtasks: list[SubtaskRecord] = field(default_factory=list)
    tried: int = 0
    reasons: Counter[str] = field(default_factory=Counter)
    proposed: int = 0
    proposed_new: int = 0
    proposed_known: int = 0

    @property
    def taking_and_yielding(self) -> list[SubtaskRecord]:
        """Those that both take and yield something."""
        return [one for one in self.subtasks if one.inputs and one.output_resources]

    @property
    def passing_on(self) -> list[SubtaskRecord]:
        """Those of them that yield the very item that they took."""
        return [one for one in self.taking_and_yielding if one.source.startswith("{") and not one.reveals]

    def lines(self) -> list[str]:
        """What the command prints."""
        both = self.taking_and_yielding
        apps = {(one.env, one.application) for one in both}
        all_apps = {(one.env, one.application) for one in self.subtasks}
        found = [
            f"{len(self.subtasks)} subtasks of {len(all_apps)} applications",
            f"{len(both)} both take and yield, over {len(apps)} applications; "
            f"{len(self.passing_on)} of them yield the item that they took",
        ]
        if self.tried:
            kept = self.tried - sum(self.reasons.values())
            found.append(f"{kept} of {self.tried} candidates became subtasks ({100 * kept / self.tried:.0f} %)")
            found += [f"  {count} {reason}" for reason, count in self.reasons.most_common()]
        if self.proposed:
            found.append(
                f"of {self.proposed} proposals of a model {self.proposed_new} hold and are new, {self.proposed_known} "
                "were found by the search, too"
            )
        return found


def make_subtasks(
    pool: PoolFolder,
    *,
    seed: int = 0,
    types: ResourceTypes | None = None,
    apps: Sequence[str] = (),
    say: Callable[[str], None] = lambda _line: None,
) -> SubtasksReport:
    """Make the subtasks of a pool; goes on where it was stopped.

    Args:
        seed: of the content that candidates are tried on.
        types: of resources; the predefined ones if none are given.
        apps: as "device/app"; all if none is named.
        say: is told of each app.

    Raises:
        ConfigError: the pool was not explored, or has no application of the embedded world.
    """
    table = types or predefined_types()
    edges = [edge for edge in pool.edges.require() if edge.app.partition("/")[2] in APPS]
    if not edges:
        raise ConfigError(f"{pool.root} has no application of the embedded world; only these become subtasks so far")
    chosen = [one for one in effect_candidates(edges) if not apps or one.app in apps]
    tried = {one.key for one in pool.candidates.read()}
    for app, candidates in _by_app(chosen).items():
        known = {one.id: one for one in pool.subtasks.read() if one.made_by != HAND_WRITTEN}
        before = len(known)
        for candidate in candidates:
            key = candidate_key(candidate)
            if key in tried:
                continue
            outcome = try_candidate(candidate, table, seed, known)
            new = [one for one in outcome.subtasks if one.id not in known]
            known |= {one.id: one for one in new}
            pool.subtasks.append(new, stage=STAGE, seed=seed)
            record = CandidateRecord(
                key, subtasks=tuple(one.id for one in new), reason=outcome.reason or ("" if new else "is known already")
            )
            pool.candidates.append([record], stage=STAGE, seed=seed)
            tried.add(key)
        say(f"{app}: {len(known) - before} subtasks of {len(candidates)} candidates")
    _make_readings(pool, edges, table, seed, apps, say)
    return report_on(pool)


def _make_readings(
    pool: PoolFolder,
    edges: Sequence[Edge],
    types: ResourceTypes,
    seed: int,
    apps: Sequence[str],
    say: Callable[[str], None],
) -> None:
    situations = {one.id: one for one in pool.situations.read()}
    done = {one.key for one in pool.candidates.read()}
    chosen = [one for one in screen_candidates(edges, situations) if not apps or one.app in apps]
    for app, candidates in _by_app(chosen).items():
        key = f"readings of {app}"
        if key in done:
            continue
        seen: Counter[tuple[str, ...]] = Counter()
        looked_at = [one for number, one in enumerate(candidates) if number < MOST_SCREENS or is_command(one.path[-1])]
        found = [reading for candidate in looked_at for reading in readings_of(candidate, types, seen, seed)]
        pool.reveals.append([one.reveal for one in found], stage=STAGE, seed=seed)
        subtasks = {subtask.id: subtask for one in found for subtask in one.subtasks}
        pool.subtasks.append(subtasks.values(), stage=STAGE, seed=seed)
        records = [
            CandidateRecord(
                f"{app} {one.reveal.source} by {one.reveal.channel}",
                subtasks=tuple(subtask.id for subtask in one.subtasks),
                reason=one.reason,
                kind="reading",
            )
            for one in found
        ]
        marker = CandidateRecord(key, kind="mark")
        pool.candidates.append([*records, marker], stage=STAGE, seed=seed)
        say(f"{app}: {len(found)} readings proved, {len(subtasks)} subtasks of them")


def report_on(pool: PoolFolder) -> SubtasksReport:
    """How much survived, from the files of a pool."""
    everything = pool.candidates.read()
    records = [one for one in everything if one.kind in ("effect", "reading")]
    proposals = [one for one in everything if one.kind == "proposal"]
    return SubtasksReport(
        pool.subtasks.read(),
        len(records),
        Counter(one.reason for one in records if not one.subtasks),
        len(proposals),
        sum(bool(one.subtasks) for one in proposals),
        sum(one.reason == "is known already" for one in proposals),
    )


def candidate_key(candidate: SubtaskCandidate) -> str:
    """What tells a candidate apart, the same whenever the same was explored."""
    return " ".join((candidate.app, *candidate.effect, "by", candidate.evidence[-1]))


def _by_app(candidates: Iterable[SubtaskCandidate]) -> Mapping[str, list[SubtaskCandidate]]:
    found: dict[str, list[SubtaskCandidate]] = {}
    for candidate in candidates:
        found.setdefault(candidate.app, []).append(candidate)
    return found
