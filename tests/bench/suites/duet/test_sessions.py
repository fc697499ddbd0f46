"""The demonstrations of all tasks, played through a session: solved, and the same as the command line's journal."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from omnipilot.agents import AgentSpec, PartSpec
from omnipilot.bench.journal.events import EpisodeEnded, EpisodeStarted, StepTaken
from omnipilot.bench.journal.journal import read
from omnipilot.bench.journal.tally import node_states
from omnipilot.bench.run.runner import run
from omnipilot.bench.session import Session
from omnipilot.bench.spec import RunSpec
from omnipilot.bench.suites.duet import Duet
from omnipilot.envs import Image, Modality
from omnipilot.envs.schema import to_json

SUITE = Duet()
TASKS = tuple(info.id for info in SUITE.tasks())


@pytest.mark.parametrize("tasks", [TASKS[:2], pytest.param(TASKS, marks=pytest.mark.slow)], ids=["some", "all"])
def test_demonstrations_give_the_score_and_the_last_picture_of_the_run(tasks: tuple[str, ...], tmp_path: Path) -> None:
    agent = AgentSpec(planner=PartSpec("oracle"), grounder=PartSpec("gold"))
    run(RunSpec(agent, PartSpec("duet"), tasks=tasks), tmp_path, jobs=0)
    started: dict[str, EpisodeStarted] = {}
    verbs: dict[str, list[dict[str, Any]]] = {}
    session = Session(SUITE)
    played, acts = 0, 0
    for event in read(tmp_path):
        if isinstance(event, EpisodeStarted):
            started[event.task], verbs[event.task] = event, []
        elif isinstance(event, StepTaken) and event.executed is not None:
            verbs[started[event.key.partition("#")[0]].task].append({"env": event.env, **event.executed})
        elif isinstance(event, EpisodeEnded):
            task = event.key.partition("#")[0]
            assert session.open(task).instruction == started[task].instruction
            paid = before = 0.0
            for verb in verbs[task]:
                acted = session.act(verb)
                acts, paid, before = acts + 1, paid + acted.completion - before, acted.completion
                assert acted.result in ("done", "control"), acted
            score = session.score()
            reached = [name for name, state in score.nodes.items() if state == "completed"]
            assert score.nodes == node_states(started[task], reached)
            assert (score.completed, score.total, acted.ended) == (event.completed, event.total, event.reason)
            assert score.success and abs(paid - 1) < 1e-9
            last = session.observe({Modality.SCREENSHOT})
            assert {
                name: look.screenshot.digest for name, look in last.items() if isinstance(look.screenshot, Image)
            } == {name: look["screenshot"] for name, look in event.observations.items()}
            played += 1
    assert (played, acts) == (len(tasks), sum(map(len, verbs.values())))
    assert len(TASKS) == 40


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
