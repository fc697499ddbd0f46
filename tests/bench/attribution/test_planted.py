"""Failures that were planted are attributed to what was planted, and gold parts are never blamed."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from omnipilot.agents import AgentSpec, PartSpec
from omnipilot.bench.attribution import Attributor
from omnipilot.bench.journal.attributions import Attribution, Cause
from omnipilot.bench.run.runner import run
from omnipilot.bench.spec import RunSpec

pytestmark = pytest.mark.exhibit("duet", "duet-memory", "rules")
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
PERCEIVED = (
    "mail-code-to-message",
    "tones-to-message",
    "help-code-to-network",
    "price-to-sheet",
    "message-address-to-document",
    "arriving-code-to-task",
    "beeps-to-table",
    "appointment-to-page",
    "walk-to-mail",
    "network-by-voicemail",
    "dialled-password-to-network",
    "tones-to-reply",
)
"""What is to be typed in them is written, heard or counted, and readers tell of it."""
REMEMBERED = (
    "code-beside-voice-10",
    "changed-room-10",
    "note-before-call-10",
    "code-beside-noise-10",
    "changed-code-10",
)

ALL = PartSpec("duet", {"split": "all"})
GRADED = PartSpec("graded", {"accuracy": 0.5})
CASES: dict[Cause, tuple[AgentSpec, str | PartSpec, tuple[str, ...]]] = {
    Cause.GROUNDING: (AgentSpec(planner=PartSpec("gold"), grounder=GRADED), "duet", TASKS),
    Cause.PERCEPTION: (AgentSpec(planner=PartSpec(f"{PLANTED}:Unread")), ALL, PERCEIVED),
    Cause.MEMORY: (AgentSpec(planner=PartSpec("from-memory"), memory=PartSpec("none")), "duet-memory", REMEMBERED),
    Cause.STOPPING: (AgentSpec(planner=PartSpec(f"{PLANTED}:Quitter")), "duet", TASKS),
    Cause.INSTRUCTION: (AgentSpec(planner=PartSpec(f"{PLANTED}:Skimmer")), "duet", TASKS[3:]),
    Cause.KNOWLEDGE: (AgentSpec(planner=PartSpec(f"{PLANTED}:Novice")), "duet", TASKS),
    Cause.CLAIMED: (AgentSpec(planner=PartSpec(f"{PLANTED}:Boaster")), "duet", TASKS),
    Cause.ENVIRONMENT: (AgentSpec(planner=PartSpec("rules")), f"{PLANTED}:Unsolvable", TASKS),
    Cause.OPEN: (AgentSpec(planner=PartSpec("noop")), "duet", TASKS),
}


def attribute(folder: Path, cause: Cause, tasks: int, instances: int = 1, **gold: PartSpec) -> list[Attribution]:
    """The attributions of the failures of an agent with a planted fault, and with some parts gold."""
    agent, suite, ids = CASES[cause]
    return attributions(replace(agent, **gold), suite, ids[:tasks], folder, instances)  # type: ignore[arg-type]


def attributions(
    agent: AgentSpec, suite: str | PartSpec, tasks: tuple[str, ...], folder: Path, instances: int = 1
) -> list[Attribution]:
    """The attributions of an agent's failures."""
    named = suite if isinstance(suite, PartSpec) else PartSpec(suite)
    run(RunSpec(agent, named, tasks=tasks, instances=instances), folder / "run")
    attributor = Attributor(folder / "run", folder / "forks")
    return [attributor.attribute(one) for one in attributor.failures()]


@pytest.mark.slow
@pytest.mark.parametrize("cause", list(CASES))
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


def test_a_high_wording_is_named_where_the_low_one_repairs(tmp_path: Path):
    found = attributions(AgentSpec(planner=PartSpec("rules")), f"{PLANTED}:Vague", TASKS[:1], tmp_path)
    assert [one.cause for one in found] == [Cause.INSTRUCTION]
    assert found[0].why.startswith("low wording from turn ")
    tried = {one.name: one for one in found[0].findings}
    assert not tried["told sub-goals"].repairs and not tried["nothing exchanged"].repairs


def test_a_task_with_one_wording_is_not_told_another(tmp_path: Path):
    (found,) = attribute(tmp_path, Cause.OPEN, 1)
    notes = {one.name: one.note for one in found.findings}
    assert notes["low wording"] == "the task has one wording"


GOLD = {
    Cause.GROUNDING: "grounder",
    Cause.PERCEPTION: "readers",
    Cause.MEMORY: "memory",
    Cause.STOPPING: "critic",
}
"""The part that each cause blames, where it blames one."""


def gold_parts(planted: Cause) -> dict[str, PartSpec]:
    """All parts gold but the one at fault."""
    parts = {what for cause, what in GOLD.items() if cause is not planted}
    if planted in (Cause.GROUNDING, Cause.OPEN):
        parts.discard("readers")  # since its planner reads no notes
    if planted is Cause.CLAIMED:
        parts.discard("critic")  # which would not let it claim
    return {what: PartSpec("gold") for what in parts}


def check_blame(planted: Cause, found: list[Attribution]) -> None:
    """What was planted is named, and no experiment was made with a part that is gold."""
    assert found
    gold = gold_parts(planted)
    for one in found:
        assert GOLD.get(one.cause) not in gold, one.why
        for finding in one.findings:
            if GOLD.get(finding.cause) in gold:  # type: ignore[arg-type]
                gold_part = f"its {GOLD[finding.cause]} is gold"  # type: ignore[index]
                assert finding.times == 0 and finding.note in (gold_part, "no rule stops it")
    assert [one.cause for one in found] == [planted] * len(found), [one.why for one in found]


@pytest.mark.slow
@pytest.mark.parametrize("planted", list(CASES))
def test_a_gold_part_is_never_blamed(tmp_path: Path, planted: Cause):
    check_blame(planted, attribute(tmp_path, planted, 1, **gold_parts(planted)))


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("planted", list(CASES))
def test_a_gold_part_is_never_blamed_on_all_tasks(tmp_path: Path, planted: Cause):
    tasks = len(CASES[planted][2])
    found = attribute(tmp_path, planted, tasks, -(-12 // tasks), **gold_parts(planted))
    print(f"{planted}: {sum(one.cause is planted for one in found)} of {len(found)}")
    assert not [one for one in found if GOLD.get(one.cause) in gold_parts(planted)]


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_the_wording_is_named_on_all_tasks(tmp_path: Path):
    found = attributions(AgentSpec(planner=PartSpec("rules")), f"{PLANTED}:Vague", TASKS, tmp_path)
    named = sum(one.cause is Cause.INSTRUCTION and one.why.startswith("low wording") for one in found)
    print(f"high wording: {named} of {len(found)} named; {[one.why for one in found]}")
    assert len(found) == len(TASKS) and named >= 0.95 * len(found)
