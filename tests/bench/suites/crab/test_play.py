"""CRAB's task files played on the embedded world, by agents and through the runner."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from crab_figures import completion_ratio, execution_efficiency, score, success_rate
from fixed_truth import FixedTruth

from omnipilot.agents import AgentSpec, Limits, PartSpec, build, episode
from omnipilot.bench import Case, GraphEvaluator, RunSpec, Task, headline, load_run
from omnipilot.bench.run import run
from omnipilot.bench.stats.outcomes import outcomes
from omnipilot.bench.suites.crab import CrabSuite
from omnipilot.bench.suites.crab import sample as mini_crab
from omnipilot.bench.suites.crab.score import Crab
from omnipilot.bench.suites.subtasks.duet_pool import DRAWS, POOL, SUBMIT, id_of
from omnipilot.bench.suites.subtasks.wording import WordedStep, fill_steps, sentence
from omnipilot.bench.synthesis.sampling import Claims
from omnipilot.envs import Answer, ConfigError, Press, Thinking
from omnipilot.envs.sim import SimWorld
from omnipilot.planners import Brief, Verbs

VALUES = {
    **{"name": "Nina Rossi", "contact": "Aiko Mori", "code": "4821", "number": "204611", "text": "Bring a lamp"},
    **{
        "note": "Wifi",
        "phone": "+44 20 1234 5678",
        "title": "Facts",
        "first": "One",
        "second": "Two",
        "third": "Three",
    },
    **{"list": "Home", "subject": "News", "document": "Budget", "log": "Server/log-monday", "word": "error"},
    **{"target": "Work", "file": "Documents/Letter"},
}
OTHERWISE = {
    "add-contact": {"name": "Rosa Lindt"},
    "dial-number": {"number": "+44 20 1234 5678"},
    "move-made": {"file": "Reports/Visitors"},
}


def play(task: Task, planner: str) -> GraphEvaluator:
    """An episode of a baseline planner, answers included."""
    world = SimWorld()
    instruction = task.setup(world)
    assert task.solution is not None
    truth = FixedTruth(moves=tuple(task.solution(world)))
    evaluator, start, answers = GraphEvaluator(task.graph), world.state(), []
    assert evaluator.step(Case(world, start)) == (), "a node holds at the start"
    verbs = {name: Verbs(env.platform, env.verbs, env.custom) for name, env in world.envs.items()}
    agent = build(AgentSpec(planner=PartSpec(planner)), truth)
    assert task.limits is not None
    for step in episode(world, agent, Brief(instruction, verbs, 1), task.limits):
        if isinstance(step.executed, Answer):
            answers.append(step.executed.text)
        evaluator.step(Case(world, start, tuple(answers)))
        if evaluator.success:
            break
    return evaluator


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Miniature task files."""
    folder = tmp_path_factory.mktemp("crab")
    mini_crab.write(folder)
    return folder


@pytest.mark.parametrize("name", [*DRAWS, SUBMIT])
def test_each_sub_task_of_the_table_is_done_by_its_demonstration_and_not_by_nothing(name: str) -> None:
    subtask = POOL.subtasks[id_of(name)]
    step = WordedStep(
        name, {attribute: OTHERWISE.get(name, {}).get(attribute, VALUES[attribute]) for attribute in subtask.attributes}
    )
    (part,) = fill_steps([step])
    assert (part.output is not None) == bool(subtask.output)
    piece = subtask.make(part.attributes, POOL.start(), Claims())
    world = SimWorld()
    POOL.setup(world, piece.state)
    assert POOL.demonstrate is not None

    def setup(world: SimWorld) -> str:
        POOL.setup(world, piece.state)
        return part.clause

    def solution(world: SimWorld) -> list[object]:
        return list(POOL.demonstrate(world, [piece.solution]))

    task = Task(name, 0, setup, piece.graph, solution, Limits(60, 60))
    assert play(task, "oracle").success
    assert play(task, "noop").completed == 0


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2])
def test_miniature_tasks_of_other_seeds_can_be_done_within_the_papers_turns(tmp_path: Path, seed: int) -> None:
    mini_crab.write(tmp_path, seed)
    suite = CrabSuite(str(tmp_path))
    assert suite.bad == ()
    for info in suite.tasks():
        assert play(suite.instantiate(info.id, 0), "oracle").success, info.description


def test_the_miniature_has_single_sub_tasks_chains_a_join_and_both_devices(data: Path) -> None:
    tags = [info.tags for info in CrabSuite(str(data)).tasks()]
    assert {tag["folder"] for tag in tags} == {"android", "cross", "ubuntu"}
    assert {tag["subtasks"] for tag in tags} == {"1", "2", "3"}
    assert {tag["platform"] for tag in tags} == {"phone", "desktop", "cross"}
    again = data.parent / "again"
    mini_crab.write(again)
    files = sorted(path.relative_to(data) for path in data.glob("*/*.json"))
    assert [(again / file).read_bytes() for file in files] == [(data / file).read_bytes() for file in files]


def test_an_instruction_does_not_give_away_what_is_to_be_found() -> None:
    steps = [
        WordedStep("read-gate-code", {"name": "Nina Rossi", "code": "4821"}),
        WordedStep("text-contact", {"contact": "Aiko Mori"}, {"text": 0}),
    ]
    parts = fill_steps(steps)
    assert parts[1].attributes == {"contact": "Aiko Mori", "text": "4821"}
    told = sentence(steps, parts)
    assert "4821" not in told
    assert told.endswith(
        ', then open the conversation with "Aiko Mori" in Messages, type the gate code from Nina Rossi and press '
        '"Send".'
    )


def test_the_released_reading_of_a_join_can_be_played_too(data: Path) -> None:
    suite = CrabSuite(str(data), variant="release")
    joined = next(info for info in suite.tasks() if info.tags["subtasks"] == "3" and info.tags["folder"] == "cross")
    assert play(suite.instantiate(joined.id, 0), "oracle").success


@pytest.mark.slow
def test_through_the_runner_the_oracle_solves_all_and_doing_nothing_none(data: Path, tmp_path: Path) -> None:
    suite = PartSpec("omnipilot.bench.suites.crab.suite:CrabSuite", {"data": str(data)})
    shares = {}
    for planner in ("oracle", "noop"):
        out = tmp_path / planner
        result = run(RunSpec(AgentSpec(planner=PartSpec(planner)), suite), out)
        assert {episode.reason for episode in result.episodes} == {"success" if planner == "oracle" else "done"}
        shares[planner] = Crab().score(str(data), out, "paper")
        episodes = load_run(out).episodes
        for name in ("SR", "CR", "EE"):
            figure = shares[planner].figure(name)
            if name != "EE" or planner == "oracle":
                assert figure.interval == headline(outcomes(episodes, name)).all
        scores = [score(episode) for episode in episodes]
        assert shares[planner].figure("SR").value == success_rate(scores)
        assert shares[planner].figure("CR").value == completion_ratio(scores)
        assert shares[planner].figure("EE").value == pytest.approx(execution_efficiency(scores, "paper"))
        released = Crab().score("", out, "release").figure("EE").value
        assert released == pytest.approx(execution_efficiency(scores, "release"))
    assert (shares["oracle"].figure("SR").value, shares["noop"].figure("SR").value) == (1.0, 0.0)
    assert (shares["noop"].figure("FC").value, shares["noop"].figure("EE").value) == (1.0, None)
    assert shares["oracle"].missing == ()
    assert shares["oracle"].extra == ()
    assert shares["oracle"].figure("CE").value is None


def test_a_run_of_some_tasks_is_scored_over_those_and_data_that_changed_is_refused(data: Path, tmp_path: Path) -> None:
    copy = tmp_path / "data"
    mini_crab.write(copy)
    first, second, *_ = (info.id for info in CrabSuite(str(copy)).tasks())
    suite = PartSpec("omnipilot.bench.suites.crab.suite:CrabSuite", {"data": str(copy)})
    out = tmp_path / "run"
    strange = {"task": "51b2463c-9904-4a32-81ba-507bfb89d61f", "attribute": {}, "output": None}
    (copy / "map.json").write_text(json.dumps({"description": "?", "tasks": [strange], "adjlist": "0", "id": "map"}))
    run(RunSpec(AgentSpec(planner=PartSpec("noop")), suite, tasks=(first, second)), out)
    found = Crab().score(str(copy), out, "paper")
    assert [bad.record for bad in found.bad] == ["map"]
    assert (found.figure("SR").of, found.missing) == (2, ())
    assert "the run has 2 tasks; 16 other tasks of the data are in no figure" in found.notes
    mini_crab.write(copy, seed=7)
    with pytest.raises(ConfigError, match="was run on version .* of the suite, but this data is"):
        Crab().score(str(copy), out, "paper")


def test_a_table_of_ones_own_makes_tasks_in_its_own_world_without_demonstrations(tmp_path: Path) -> None:
    one = {"task": "count", "attribute": {"to": 1}, "output": "1"}
    two = {"task": "count", "attribute": {"to": 2}, "output": None}
    task = {"description": "Count to two", "tasks": [one, two], "adjlist": "0 1\n1", "id": "t"}
    (tmp_path / "t.json").write_text(json.dumps(task))
    suite = CrabSuite(str(tmp_path), subtasks="counting_table:POOL")
    assert [(info.id, info.envs) for info in suite.tasks()] == [("t", ("toy",))]
    made = suite.instantiate("t", 0)
    assert made.solution is None
    assert made.graph.edges == (("1 counted to 1", "2 counted to 2"),)
    world = suite.world(Thinking())
    assert made.setup(world) == "Count to two"
    evaluator = GraphEvaluator(made.graph)
    completed = []
    for _ in range(2):
        world.envs["toy"].act(Press(("enter",)))
        evaluator.step(Case(world))
        completed.append(evaluator.completed)
    assert completed == [1, 2]
