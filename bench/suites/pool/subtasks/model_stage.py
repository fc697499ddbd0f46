"""What a model adds to the stage `synth subtasks`: names, and proposals that are tried. Both keep what was made."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from omnipilot.bench import StageModel
from omnipilot.bench.suites.pool.explore.stage import read_bookkeeping
from omnipilot.bench.suites.pool.pool_folder import PoolFolder
from omnipilot.bench.suites.pool.records import CandidateRecord
from omnipilot.bench.suites.pool.subtasks.documentation import Documentation
from omnipilot.bench.suites.pool.subtasks.model_names import name_by_model
from omnipilot.bench.suites.pool.subtasks.proposals import Proposed, propose_subtasks
from omnipilot.bench.suites.pool.subtasks.resource_types import ResourceTypes
from omnipilot.bench.suites.pool.subtasks.stage import STAGE
from omnipilot.bench.suites.pool.templates import HAND_WRITTEN
from omnipilot.memory import MalformedReply


def name_pool(
    pool: PoolFolder,
    model: StageModel,
    types: ResourceTypes,
    docs: Documentation,
    seed: int = 0,
    say: Callable[[str], None] = lambda _line: None,
) -> int:
    """Have a model name the subtasks of a pool that it has not named yet; returns how many names hold.

    Raises:
        BudgetSpent: the money is spent; the names that were given are kept.
        ModelUnavailable: the model does not answer; the same holds.
    """
    done = {one.key for one in pool.candidates.read()}
    situations = {one.id: one for one in pool.situations.read()}
    ends = _screens_of(pool)
    kept = 0
    for subtask in pool.subtasks.require():
        key = f"name of {subtask.id}"
        if subtask.made_by == HAND_WRITTEN or key in done:
            continue
        everything = pool.subtasks.read()
        names = name_by_model(model, [subtask], types, situations, ends, docs)
        made, new = model.provenance(), {one.id: one for one in names.subtasks if one.id in names.named}
        changes = {at: (new[one.id], made) for at, one in enumerate(everything) if one.id in new}
        pool.subtasks.revise(changes, stage=STAGE, seed=seed)
        reason = names.refused[0][1] if names.refused else ""
        record = CandidateRecord(key, f"model {model.name}", names.named, reason, "name")
        pool.candidates.append([record], stage=STAGE, seed=seed, **made)
        kept += len(names.named)
        if reason:
            say(f"{subtask.id} keeps the rule's name: {reason}")
    return kept


def propose_for_pool(
    pool: PoolFolder,
    model: StageModel,
    apps: Sequence[str],
    types: ResourceTypes,
    docs: Documentation,
    count: int,
    seed: int = 0,
    say: Callable[[str], None] = lambda _line: None,
) -> Mapping[str, Proposed]:
    """Have a model propose subtasks for applications, and keep those that change or tell something.

    Raises:
        BudgetSpent: the money is spent; what was proposed before is kept.
        ModelUnavailable: the model does not answer; the same holds.
    """
    done = {one.key for one in pool.candidates.read()}
    situations = pool.situations.require()
    noise = list(read_bookkeeping(pool))
    found: dict[str, Proposed] = {}
    for app in apps or sorted({edge.app for edge in pool.edges.require()}):
        key = f"proposals for {app}"
        if key in done:
            continue
        known = {one.id: one for one in pool.subtasks.read() if one.made_by != HAND_WRITTEN}
        mine = [one for one in situations if f"{one.env}/{one.app}" == app]
        try:
            result = propose_subtasks(model, app, mine, known, types, docs, count, noise, seed)
        except MalformedReply as error:
            say(f"{app}: the model's answer cannot be read: {error}")
            model.provenance()  # Calls that came to nothing are of no line.
            continue
        found[app] = result
        made = model.provenance()
        pool.subtasks.append(result.subtasks, stage=STAGE, seed=seed, **made)
        made_by = f"model {model.name}"
        records = [
            *(CandidateRecord(f"{key}: {one.id}", made_by, (one.id,), "", "proposal") for one in result.subtasks),
            *(CandidateRecord(f"{key}: {text}", made_by, (), why, "proposal") for text, why in result.refused),
            *[CandidateRecord(f"{key}: known", made_by, (), "is known already", "proposal")] * result.both,
            CandidateRecord(key, made_by, kind="mark"),
        ]
        pool.candidates.append(records, stage=STAGE, seed=seed, **made)
        say(
            f"{app}: {len(result.subtasks)} new subtasks of the model's proposals, {result.both} that the search had "
            f"found, {len(result.refused)} refused"
        )
        for text, why in result.refused[:3]:
            say(f"  refused: {why} ({text[:80]})")
    return found


def _screens_of(pool: PoolFolder) -> Mapping[str, tuple[str, str]]:
    """The screens before and after the last step of each subtask that the search found."""
    edges = {edge.id: edge for edge in pool.edges.read()}
    found = {}
    for subtask in pool.subtasks.read():
        last = edges.get(subtask.evidence[-1]) if subtask.evidence else None
        if last is not None:
            found[subtask.id] = (last.before, last.after)
    return found
