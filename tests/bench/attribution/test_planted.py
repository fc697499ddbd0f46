"""Failures that were planted are attributed to what was planted, and gold parts are never blamed."""

from __future__ import annotations

from pathlib import Path

import pytest

from omnipilot.agents import AgentSpec, PartSpec
from omnipilot.bench.attribution import Attributor
from omnipilot.bench.journal.attributions import Attribution, Cause
from omnipilot.bench.run.runner import run
from omnipilot.bench.spec import RunSpec

pytestmark = pytest.mark.exhibit("duet", "duet-memory", "mini", "rules")
PLANTED = "planted_failures"
TASKS = (
    "send-message",
    "add-alarm",
    "write-document",
    "mail-code-to-message",
    "message-address-to-document",
    "forget-old-network",
    "total-expenses",
    "blinks-to-log",
    "help-code-to-network",
    "price-to-sheet",
    "log-lines-filed",
    "walk-to-mail",
)
SPOKEN = ("network-by-voicemail", "number-by-voicemail", "code-into-call", "spoken-code-to-log")
REMEMBERED = (
    "code-beside-voice-10",
    "changed-room-10",
    "note-before-call-10",
    "code-beside-noise-10",
    "changed-code-10",
)

GRADED = PartSpec("graded", {"accuracy": 0.5})
CASES: dict[Cause, tuple[AgentSpec, str, tuple[str, ...]]] = {
    Cause.GROUNDING: (AgentSpec(planner=PartSpec("gold"), grounder=GRADED), "duet", TASKS),
    Cause.PERCEPTION: (AgentSpec(planner=PartSpec("mini")), "duet", SPOKEN),
    Cause.MEMORY: (AgentSpec(planner=PartSpec("from-memory"), memory=PartSpec("none")), "duet-memory", REMEMBERED),
    Cause.STOPPING: (AgentSpec(planner=PartSpec(f"{PLANTED}:Quitter")), "duet", TASKS),
    Cause.INSTRUCTION: (AgentSpec(planner=PartSpec(f"{PLANTED}:Skimmer")), "duet", TASKS[3:]),
    Cause.KNOWLEDGE: (AgentSpec(planner=PartSpec(f"{PLANTED}:Novice")), "duet", TASKS),
    Cause.CLAIMED: (AgentSpec(planner=PartSpec(f"{PLANTED}:Boaster")), "duet", TASKS),
    Cause.ENVIRONMENT: (AgentSpec(planner=PartSpec("rules")), f"{PLANTED}:Unsolvable", TASKS),
    Cause.OPEN: (AgentSpec(planner=PartSpec("noop")), "duet", TASKS),
}


def attribute(folder: Path, cause: Cause, tasks: int, instances: int = 1) -> list[Attribution]:
    """The attributions of the failures of an agent with a planted fault."""
    agent, suite, ids = CASES[cause]
    run(RunSpec(agent, PartSpec(suite), tasks=ids[:tasks], instances=instances), folder / "run")
    attributor = Attributor(folder / "run", folder / "forks")
    return [attributor.attribute(one) for one in attributor.failures()]


@pytest.mark.parametrize("cause", [cause for cause in CASES if cause is not Cause.PERCEPTION])
def test_a_planted_failure_is_named(tmp_path: Path, cause: Cause):
    found = attribute(tmp_path, cause, 1)
    assert found
    assert [one.cause for one in found] == [cause] * len(found), [one.why for one in found]


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_of_all_planted_failures_19_in_20_are_named(tmp_path: Path):
    right, whole = 0, 0
    for cause, (_, _, ids) in CASES.items():
        instances = -(-12 // len(ids))
        found = attribute(tmp_path / cause.name, cause, len(ids), instances)
        assert len(found) >= 6, cause
        named = sum(one.cause is cause for one in found)
        print(f"{cause}: {named} of {len(found)} named; {[one.why for one in found if one.cause is not cause]}")
        right, whole = right + named, whole + len(found)
    assert right >= 0.95 * whole
