"""A pair of trajectory and evaluator is kept only if each proves the other, and the world says which is to blame."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from omnipilot.bench.suites.duet.recipe_book import book
from omnipilot.bench.suites.pool.commands.synth import synth
from omnipilot.bench.suites.pool.pool_folder import PoolFolder
from omnipilot.bench.suites.pool.templates import hand_written_subtasks
from omnipilot.bench.suites.pool.verify import trials, verification
from omnipilot.bench.suites.pool.verify.differences import NoEvaluator, evaluator_of
from omnipilot.bench.suites.pool.verify.discrimination import (
    WrongTrajectory,
    graph_for,
    hardest_first,
    near_text,
    wrong_trajectories,
    wrongly_accepted,
)
from omnipilot.bench.suites.pool.verify.instances import draw_instance
from omnipilot.bench.suites.pool.verify.stage import verify_pool
from omnipilot.bench.suites.pool.verify.task_alone import evaluator_from_task
from omnipilot.bench.suites.pool.verify.verification import (
    SubtaskEvidence,
    TrajectoryAttempt,
    gather_evidence,
    judge_pair,
    right_traces,
    verify,
    verify_by_rules,
)

TEMPLATES = book("").templates
OTHERS = list(TEMPLATES.values())


@pytest.fixture(scope="module")
def alarm() -> SubtaskEvidence:
    """Right and wrong trajectories of adding an alarm."""
    return gather_evidence(TEMPLATES["set-alarm"], OTHERS)


@pytest.fixture(scope="module")
def alarm_evaluator() -> Mapping[str, Any]:
    """The evaluator of adding an alarm."""
    return evaluator_of("set-alarm", right_traces(TEMPLATES["set-alarm"], (1, 2, 3))).evaluator


def goal(evaluator: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The checks of the goal."""
    return list(evaluator["checks"][-1]["all"])


def test_an_evaluator_says_values_by_holes_and_never_an_id_that_was_made_on_the_way(
    alarm_evaluator: Mapping[str, Any],
) -> None:
    path = goal(alarm_evaluator)[0]["args"]["path"]
    assert 'at="{time}"' in path
    assert 'label="{label}"' in path
    assert "id=" not in path
    assert goal(alarm_evaluator)[-1]["args"] == {"path": "account.alarms[id not in {claimed.alarms}]"}
    assert [entry["name"] for entry in alarm_evaluator["checks"]][-2:] == ["clock edit on the phone", "goal"]


def test_items_are_found_by_what_they_hold() -> None:
    made = evaluator_of("archive-mail", right_traces(TEMPLATES["archive-mail"], (1, 2, 3))).evaluator
    assert goal(made)[0]["args"] == {
        "path": 'account.mails[subject="{subject}"].folder',
        "op": "=",
        "value": "archive",
    }


@pytest.mark.parametrize("name", ["set-alarm", "text-contact", "read-note", "delete-event", "choose-zone"])
def test_a_sound_subtask_is_accepted_in_the_first_round_and_strict(name: str) -> None:
    verdict = verify_by_rules(TEMPLATES[name], OTHERS)
    assert verdict.pair is not None
    assert [(record.round, record.accepted, record.strict) for record in verdict.rounds] == [(1, True, True)]


def test_a_subtask_whose_item_nothing_tells_is_rejected_with_the_reason() -> None:
    verdict = verify_by_rules(TEMPLATES["find-asker"], OTHERS)
    assert not verdict.accepted
    assert "accepted although wrong: the same with another item" in verdict.rounds[-1].failed


def test_a_refused_other_way_drops_the_milestone_that_it_does_not_pass() -> None:
    verdict = verify_by_rules(TEMPLATES["stop-name"], OTHERS)
    assert verdict.rounds[0].changed == "evaluator"
    assert "refused its other way" in verdict.rounds[0].failed
    assert verdict.accepted
    assert verdict.rounds[-1].round == 2


def test_wrong_trajectories_go_from_other_tasks_to_unwanted_effects(alarm: SubtaskEvidence) -> None:
    names = [wrong.name for wrong in alarm.wrong]
    assert names[0] == "the same with another item"
    assert {"doing nothing", "without its last move", "without move 2"} <= set(names)
    assert any(name.startswith("another text in move") for name in names)
    near = hardest_first(TEMPLATES["delete-alarm"], OTHERS)
    assert near[0].id == "delete-alarm"
    assert near[1].app == "clock"
    assert near_text("14:30") == "14:31"
    assert near_text("Bread") == "Brea"


def test_a_wrong_trajectory_that_did_the_same_is_no_evidence(alarm: SubtaskEvidence) -> None:
    always = {"checks": [{"check": "check_state", "args": {"path": "time", "op": ">=", "value": 0}}]}
    same = WrongTrajectory("the demonstration itself", True, alarm.instance, alarm.demonstration)
    assert not wrongly_accepted(always, [same], alarm.intended.outcome)
    assert wrongly_accepted(always, alarm.wrong[:1], alarm.intended.outcome)


def test_the_world_decides_who_is_to_blame(alarm: SubtaskEvidence, alarm_evaluator: Mapping[str, Any]) -> None:
    never = {"checks": [{"check": "check_state", "args": {"path": "account.alarms[new]", "op": "count", "value": 7}}]}
    always = {"checks": [{"check": "check_state", "args": {"path": "account.alarms[*]", "op": "present"}}]}
    right, short = alarm.demonstration, alarm.demonstration[:-1]
    assert judge_pair(alarm, right, alarm_evaluator).blame == ""
    assert judge_pair(alarm, short, alarm_evaluator).blame == "trajectory"
    assert judge_pair(alarm, right, never).blame == "evaluator"
    assert judge_pair(alarm, short, always).blame == "evaluator"
    assert judge_pair(alarm, right, always).blame == "evaluator"
    assert "doing nothing" in judge_pair(alarm, right, always).failed
    unreadable = judge_pair(alarm, right, {"checks": [{"check": "check_nothing"}]})
    assert unreadable.blame == "evaluator"
    assert "cannot be read" in unreadable.failed


def test_rounds_end_where_one_side_has_nothing_else_to_offer(alarm: SubtaskEvidence, alarm_evaluator: Any) -> None:
    tries: list[int] = []

    def trajectory(findings: Any) -> Any:
        tries.append(len(findings))
        if len(tries) > 2:
            raise NoEvaluator("nothing else")
        return TrajectoryAttempt(alarm.demonstration[:-1])

    sound = evaluator_of("set-alarm", right_traces(TEMPLATES["set-alarm"], (1, 2, 3)))
    verdict = verify("set-alarm", alarm, trajectory, lambda _: sound, rounds=5)
    assert tries == [0, 1, 2]
    assert [record.changed for record in verdict.rounds] == ["trajectory", ""]
    assert not verdict.accepted


def test_a_mended_trajectory_is_accepted_in_the_next_round(alarm: SubtaskEvidence) -> None:
    sound = evaluator_of("set-alarm", right_traces(TEMPLATES["set-alarm"], (1, 2, 3)))
    verdict = verify(
        "set-alarm",
        alarm,
        lambda findings: TrajectoryAttempt(alarm.demonstration if findings else alarm.demonstration[:-1]),
        lambda _: sound,
    )
    assert [record.accepted for record in verdict.rounds] == [False, True]
    assert verdict.pair is not None
    assert len(verdict.pair.trajectory.actions) == len(alarm.demonstration)


def test_behind_the_barrier_no_trajectory_is_played(monkeypatch: pytest.MonkeyPatch) -> None:
    instances = [draw_instance(TEMPLATES["delete-event"], number) for number in (1, 2, 3)]

    def refuse(*_: Any, **__: Any) -> Any:
        raise AssertionError("a trajectory was looked at")

    monkeypatch.setattr(trials, "try_move", refuse)
    blind = [dataclasses.replace(one, solution=refuse, alternative=refuse) for one in instances]
    made = evaluator_from_task("delete-event", ["-appointments"], blind)
    assert made.barrier
    monkeypatch.undo()
    evidence = gather_evidence(TEMPLATES["delete-event"], OTHERS)
    finding = judge_pair(evidence, evidence.demonstration, made.evaluator)
    assert finding.blame == ""
    assert finding.strict


def test_both_kinds_of_evaluator_say_how_they_were_made() -> None:
    seen = evaluator_of("delete-event", right_traces(TEMPLATES["delete-event"], (1, 2)))
    unseen = evaluator_from_task(
        "delete-event", ["-appointments"], [draw_instance(TEMPLATES["delete-event"], number) for number in (1, 2)]
    )
    assert (seen.made_by, seen.barrier) == ("difference", False)
    assert (unseen.made_by, unseen.barrier) == ("task", True)


def small_pool(root: Path, *ids: str) -> PoolFolder:
    """A pool with some hand-written subtasks."""
    pool = PoolFolder(root)
    chosen = [subtask for subtask in hand_written_subtasks() if subtask.id in ids]
    pool.subtasks.write(chosen, stage="subtasks", seed=0)
    return pool


def test_the_stage_writes_pairs_and_verdicts_and_goes_on_where_it_was_stopped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pool = small_pool(tmp_path, "set-alarm", "find-asker", "read-note")
    verified: list[str] = []
    real = verification.verify_by_rules

    def note(template: Any, *args: Any, **kwargs: Any) -> Any:
        if len(verified) == 2:
            raise KeyboardInterrupt
        verified.append(template.id)
        return real(template, *args, **kwargs)

    monkeypatch.setattr("omnipilot.bench.suites.pool.verify.stage.verify_by_rules", note)
    with pytest.raises(KeyboardInterrupt):
        verify_pool(pool, pictures=False)
    assert len({verdict.subtask for verdict in pool.verdicts.read()}) == 2
    stray = dataclasses.replace(pool.evaluators.read()[0], subtask="stopped-in-between")
    pool.evaluators.append([stray], stage="verify", seed=0)
    monkeypatch.undo()
    count = verify_pool(pool, pictures=False)
    assert (count.given, count.accepted) == (3, 2)
    assert sorted(trajectory.subtask_id for trajectory in pool.trajectories.read()) == ["read-note", "set-alarm"]
    assert sorted(evaluator.subtask for evaluator in pool.evaluators.read()) == ["read-note", "set-alarm"]
    assert list(count.rejected) == ["find-asker"]


def test_the_command_says_how_much_survived_and_why_the_rest_did_not(tmp_path: Path) -> None:
    small_pool(tmp_path, "set-alarm", "find-asker")
    result = CliRunner().invoke(synth, ["verify", str(tmp_path), "--seed", "0"])
    assert result.exit_code == 0, result.output
    assert "1 of 2 subtasks accepted (1 in round 1), 1 of them strict" in result.output
    assert "find-asker: accepted although wrong" in result.output
    media = list((tmp_path / "media").rglob("*.png"))
    trajectory = PoolFolder(tmp_path).trajectories.read()[0]
    assert {tmp_path / "media" / name for name in trajectory.observations} == set(media)


def test_the_command_compares_evaluators_with_and_without_the_barrier(tmp_path: Path) -> None:
    small_pool(tmp_path, "delete-event")
    result = CliRunner().invoke(synth, ["verify", str(tmp_path), "--compare"])
    assert result.exit_code == 0, result.output
    assert "| differences of trajectories | 1 of 1 | 100.0" in result.output
    assert "| the task alone | 1 of 1 | 100.0" in result.output


def test_evaluators_are_asked_with_the_values_of_each_instance(alarm_evaluator: Mapping[str, Any]) -> None:
    template = TEMPLATES["set-alarm"]
    for number in (0, 5):
        instance = draw_instance(template, number)
        played = trials.play_moves(instance, instance.demonstration(), graph_for(alarm_evaluator, instance))
        assert played.accepted
    other = draw_instance(template, 6)
    strange = trials.play_moves(other, draw_instance(template, 0).demonstration(), graph_for(alarm_evaluator, other))
    assert not strange.accepted
    assert "goal" in strange.missing
    assert wrong_trajectories(other, other.demonstration(), ())[0].name == "the same with another item"
