"""The demonstrations of all tasks, played through a session: solved, and the same as the command line's journal."""

from __future__ import annotations

import gc
from pathlib import Path

import pytest

from omnipilot.agents import PartSpec
from omnipilot.bench.session import Session
from omnipilot.bench.suites.duet import Duet
from omnipilot.envs import Image, Modality
from omnipilot.envs.schema import to_json
from tests.fixtures.demonstrations import demonstrate

SUITE = Duet()
TASKS = tuple(info.id for info in SUITE.tasks())


@pytest.mark.parametrize("tasks", [TASKS[:2], pytest.param(TASKS, marks=pytest.mark.slow)], ids=["some", "all"])
def test_demonstrations_give_the_score_and_the_last_picture_of_the_run(tasks: tuple[str, ...], tmp_path: Path) -> None:
    session = Session(SUITE)
    shown = demonstrate("duet", tasks, tmp_path)
    for one in shown:
        assert session.open(one.task).instruction == one.instruction
        paid = before = 0.0
        for verb in one.verbs:
            acted = session.act(verb)
            paid, before = paid + acted.completion - before, acted.completion
            assert acted.result in ("done", "control"), acted
        score = session.score()
        assert set(score.nodes.values()) == {"completed"} and len(score.nodes) == one.total
        assert (score.completed, score.total, acted.ended) == (one.completed, one.total, one.reason)
        assert score.success and abs(paid - 1) < 1e-9
        last = session.observe({Modality.SCREENSHOT})
        pictures = {name: look.screenshot for name, look in last.items()}
        assert {name: seen.digest for name, seen in pictures.items() if isinstance(seen, Image)} == one.digests
    assert {one.task for one in shown} == set(tasks)
    assert len(TASKS) == 40


@pytest.mark.slow
def test_acts_leave_nothing_to_the_collector_of_cycles() -> None:
    acts = left = 0
    session = Session(SUITE)
    gc.disable()
    try:
        for task in TASKS[:6]:
            session.open(task)
            course = session._course
            assert course is not None and course.task.solution is not None
            moves = list(course.task.solution(course.world))
            gc.collect()
            for move in moves:
                session.observe({Modality.ELEMENTS})
                session.act(move.intent, move.env)
            acts, left = acts + len(moves), left + gc.collect()
        assert acts > 30 and left < acts
    finally:
        gc.enable()


def test_what_only_the_user_knows_is_told_when_asked() -> None:
    session = Session(PartSpec("duet"), options={"split": "asks"})
    opening = session.open("cellar-code")
    assert opening.asks
    acted = session.act({"kind": "ask_user", "text": "What is the code of the cellar?"})
    assert acted.result == "control" and any(char.isdigit() for char in acted.message)
    other = session.fork()
    assert other.act({"kind": "ask_user", "text": "What is the code of the cellar?"}).message == acted.message
    plain = Session(SUITE)
    assert not plain.open("send-message").asks
    assert plain.act({"kind": "ask_user", "text": "Which?"}).result == "rejected"


def test_a_code_that_begins_with_noughts_can_be_typed_into_a_sheet() -> None:
    session = Session(SUITE)
    session.open("three-signals-in-a-sheet", 9)
    course = session._course
    assert course is not None and course.task.solution is not None
    verbs = [{"env": move.env, **to_json(move.intent)} for move in course.task.solution(course.world)]
    assert any(str(verb.get("text", "")).startswith("0") for verb in verbs)
    assert [session.act(verb).ended for verb in verbs][-1] == "success"
