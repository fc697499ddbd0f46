"""The commands `synth tell` and `synth check`: by rule, and with a model behind real HTTP."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from hashlib import sha256
from itertools import islice
from pathlib import Path

import pytest
from chat_server import Answer, Behaviour, ChatServer, Request
from drawn_graphs import write_pool
from typer.testing import CliRunner

from omnipilot.bench import prompt_text
from omnipilot.bench.suites.pool.commands.synth import synth
from omnipilot.bench.suites.pool.compose import instances
from omnipilot.bench.suites.pool.pool_folder import PoolFolder
from omnipilot.bench.suites.pool.records import TaskRecord
from omnipilot.bench.suites.pool.suite import PoolSuite
from omnipilot.bench.suites.pool.tell.clauses import TaskClause
from omnipilot.bench.suites.pool.tell.telling import graph_clauses, told_tasks
from omnipilot.bench.suites.pool.tell.wordings import plain_wording
from omnipilot.envs import ConfigError
from omnipilot.envs.sim import SimWorld

RUNNER = CliRunner()
TELL = "omnipilot.bench.suites.pool.tell"


def call(*arguments: str) -> str:
    done = RUNNER.invoke(synth, list(arguments), catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done.output


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> PoolFolder:
    pool = write_pool(tmp_path_factory.mktemp("pool"), 40, seed=4)
    call("tell", str(pool.root))
    return pool


def copy(pool: PoolFolder, to: Path, tasks: int = 2) -> PoolFolder:
    """Some graphs of a pool, untold."""
    fresh = PoolFolder(to)
    fresh.subtasks.write(pool.subtasks.read(), stage="subtasks", seed=0)
    joined = [graph for graph in pool.graphs.read() if graph.edges and len(graph.subtasks) == 3]
    fresh.graphs.write(joined[:tasks], stage="compose", seed=0)
    return fresh


def model(server: ChatServer, *more: str) -> tuple[str, ...]:
    return ("--model", "openai-compatible/scripted", "--url", server.url, "--price-in", "1", "--price-out", "1", *more)


def asks(request: Request) -> str:
    return str(request.json["messages"][-1]["content"])


def plain_texts(pool: PoolFolder) -> dict[str, str]:
    """The sound instruction of each task, by the lines that a writer is told about its subtasks."""
    make = graph_clauses(pool)
    found = {}
    for graph in pool.graphs.read():
        clauses = make(graph, 0)[0]
        found[listing(clauses)] = plain_wording(clauses).text(clauses)
    return found


def listing(clauses: tuple[TaskClause, ...]) -> str:
    return "\n".join(f"{clause.node + 1}. {clause.listed()}" for clause in clauses)


def writer(pool: PoolFolder, spoil: Callable[[str], str] = lambda text: text) -> Callable[[Request], Behaviour]:
    """A model that writes what rules write, spoilt until it is told what was wrong."""
    texts = plain_texts(pool)

    def answer(request: Request) -> Behaviour:
        question = asks(request)
        text = next(text for lines, text in texts.items() if lines in question)
        return Answer(json.dumps({"instruction": text if "What was wrong" in question else spoil(text)}))

    return answer


def reader(pool: PoolFolder) -> Callable[[Request], Behaviour]:
    """A model that reads sound texts rightly, and sees nothing in others."""
    make = graph_clauses(pool)
    known = []
    for graph in pool.graphs.read():
        clauses, edges = make(graph, 0)
        known.append((plain_wording(clauses).text(clauses), clauses, edges))

    def answer(request: Request) -> Behaviour:
        lines = asks(request).splitlines()
        numbers = {
            re.sub(r" \(yields: .*\)$", "", line.partition(". ")[2]): int(line.partition(". ")[0]) for line in lines[3:]
        }
        for text, clauses, edges in known:
            if lines[0] == f"Instruction: {text}":
                pairs = [[numbers[clauses[a].listed()], numbers[clauses[b].listed()]] for a, b in edges]
                return Answer(json.dumps({"needs": pairs, "sequence": [], "missing": []}))
        return Answer(json.dumps({"needs": [], "sequence": [], "missing": []}))

    return answer


@pytest.mark.slow
def test_every_graph_becomes_a_task_that_is_checked_and_played(told: PoolFolder, tmp_path: Path) -> None:
    pool = copy(told, tmp_path, 3)
    assert "3 of 3 graphs are told, 3 of them now" in call("tell", str(pool.root))
    assert "3 of 3 graphs are told, 0 of them now" in call("tell", str(pool.root))
    assert "3 of 3 tasks say their graph, 3 to the edge" in call("check", str(pool.root))
    tasks = pool.tasks.read()
    assert {task.checked for task in tasks} == {"kept"}
    suite = PoolSuite(str(pool.root))
    for task in tasks:
        played = suite.instantiate(task.id, 0)
        assert played.setup(SimWorld()) == task.instruction
        assert played.intent == task.intent
        assert suite.instantiate(task.id, 1).setup(SimWorld()) != task.instruction


@pytest.mark.slow
def test_orders_and_intents_are_told(told: PoolFolder) -> None:
    tasks = told.tasks.read()
    assert len(tasks) == 40
    assert all(task.instruction == task.low for task in tasks)
    assert any(len(task.orders) == 3 for task in tasks)
    assert all(task.low not in task.orders for task in tasks)
    assert sum(bool(task.intent) for task in tasks) >= 10
    errands = sum(task.frame == "errands" for task in tasks)
    assert 8 * errands <= sum(bool(task.frame) for task in tasks)


def test_a_killed_stage_goes_on_where_it_was(told: PoolFolder, tmp_path: Path) -> None:
    pool = copy(told, tmp_path, 3)
    call("tell", str(pool.root))
    whole = pool.tasks.read()
    pool.tasks.path.write_bytes(pool.tasks.path.read_bytes()[:-30])
    assert "3 of 3 graphs are told, 1 of them now" in call("tell", str(pool.root))
    assert pool.tasks.read()[:2] == whole[:2]
    assert len(pool.tasks.read()) == 3


def test_a_sample_of_the_graphs_is_told_and_others_are_played(told: PoolFolder, tmp_path: Path) -> None:
    pool = copy(told, tmp_path, 4)
    assert "2 of 4 graphs are told, 2 of them now" in call("tell", str(pool.root), "--sample", "2")
    chosen = {task.graph for task in pool.tasks.read()}
    assert "2 of 4 graphs are told, 0 of them now" in call("tell", str(pool.root), "--sample", "2")
    suite = PoolSuite(str(pool.root))
    untold = [task.id for task in suite.tasks() if task.id not in chosen]
    assert len(untold) == 2 and all(suite.instantiate(id, 0).setup(SimWorld()) for id in untold)
    call("tell", str(pool.root))
    assert [task.graph for task in pool.tasks.read()][:2] == [
        id for id in (g.id for g in pool.graphs.read()) if id in chosen
    ]
    assert len(pool.tasks.read()) == 4


@pytest.mark.slow
def test_worker_processes_tell_and_check_the_same(told: PoolFolder, tmp_path: Path) -> None:
    alone, beside = copy(told, tmp_path / "alone", 4), copy(told, tmp_path / "beside", 4)
    for pool, jobs in ((alone, "1"), (beside, "2")):
        call("tell", str(pool.root), "--jobs", jobs)
        call("check", str(pool.root), "--jobs", jobs)
    assert alone.tasks.read() == beside.tasks.read()
    assert {task.checked for task in beside.tasks.read()} == {"kept"}


def test_what_is_checked_while_it_is_told_is_what_check_finds(told: PoolFolder, tmp_path: Path) -> None:
    apart, at_once = copy(told, tmp_path / "apart", 4), copy(told, tmp_path / "at once", 4)
    call("tell", str(apart.root))
    assert {task.checked for task in apart.tasks.read()} == {""}
    call("check", str(apart.root))
    call("tell", str(at_once.root), "--check")
    assert apart.tasks.read() == at_once.tasks.read()
    before = at_once.tasks.path.read_bytes()
    assert "4 of 4 tasks say their graph" in call("check", str(at_once.root))
    assert at_once.tasks.path.read_bytes() == before


def test_high_wordings_are_told_where_they_are_wanted(told: PoolFolder, tmp_path: Path) -> None:
    pool = copy(told, tmp_path)
    call("tell", str(pool.root), "--wording", "high")
    assert all(task.instruction == task.high and task.wording == "high" for task in pool.tasks.read())


def test_a_task_whose_words_say_something_else_is_no_task_of_the_suite(told: PoolFolder, tmp_path: Path) -> None:
    pool = copy(told, tmp_path)
    call("tell", str(pool.root))
    first, second = pool.tasks.read()
    spoilt = TaskRecord(first.id, first.graph, "Have a nice day.")
    pool.tasks.write([spoilt, second], stage="tell", seed=0)
    told_of = call("check", str(pool.root))
    assert "1 of 2 tasks say their graph" in told_of
    assert "1 dropped: lost, not asked for" in told_of
    assert [task.id for task in PoolSuite(str(pool.root)).tasks()] == [second.graph]


def test_a_model_writes_and_another_reads(told: PoolFolder, tmp_path: Path) -> None:
    pool = copy(told, tmp_path / "pool")
    cassette = str(tmp_path / "calls")
    with ChatServer(writer(pool)) as server:
        assert "2 of 2 graphs are told" in call("tell", str(pool.root), *model(server, "--cassette", cassette))
        assert len(server.requests) == 2
        assert {task.made_by for task in pool.tasks.read()} == {"model openai-compatible/scripted"}
    with ChatServer(reader(pool)) as server:
        assert "2 of 2 tasks say their graph" in call("check", str(pool.root), *model(server))
        assert all("Which wait for which" not in asks(request) for request in server.requests)
    made = [json.loads(line)["made"] for line in pool.tasks.path.read_text().splitlines()]
    read_by, written_by = made[0], made[0]["before"]
    assert read_by["model"] == written_by["model"] == "openai-compatible/scripted"
    assert (read_by["stage"], written_by["stage"]) == ("check", "tell")
    assert read_by["prompts"] == [sha256(prompt_text("read", TELL).encode()).hexdigest()]
    assert written_by["prompts"] == [sha256(prompt_text("write", TELL).encode()).hexdigest()]
    assert not read_by["calls"]
    keys = [key for one in made for key in one["before"]["calls"]]
    assert sorted(keys) == sorted(path.stem for path in Path(cassette).glob("*.json"))
    assert len(set(keys)) == 2
    pool.tasks.path.unlink()
    replayed = ("--model", "openai-compatible/scripted", "--url", "http://127.0.0.1:9/v1", "--cassette", cassette)
    assert "2 of 2 graphs are told" in call("tell", str(pool.root), *replayed, "--replay")


def test_what_was_lost_is_told_to_the_writer_and_mended(told: PoolFolder, tmp_path: Path) -> None:
    pool = copy(told, tmp_path)
    write, read = writer(pool, lambda _: "Do whatever you like."), reader(pool)
    with ChatServer(write) as server:
        call("tell", str(pool.root), *model(server))
    with ChatServer(lambda request: read(request) if "Instruction:" in asks(request) else write(request)) as server:
        told_of = call("check", str(pool.root), *model(server))
        rewriting = [asks(request) for request in server.requests if "What was wrong" in asks(request)]
    assert "2 of 2 tasks say their graph" in told_of
    assert "2 were written anew" in told_of
    assert all("What was wrong with it: lost: " in one for one in rewriting)
    assert {task.tries for task in pool.tasks.read()} == {1}


def test_what_stays_wrong_is_dropped_after_so_many_tries(told: PoolFolder, tmp_path: Path) -> None:
    pool = copy(told, tmp_path, 1)
    with ChatServer([Answer('{"instruction": "Do whatever you like."}')]) as server:
        call("tell", str(pool.root), *model(server))
    blind = Answer('{"needs": [], "sequence": [], "missing": []}')
    spoilt = Answer('{"instruction": "Do whatever you like."}')
    with ChatServer(lambda request: blind if "Instruction:" in asks(request) else spoilt) as server:
        told_of = call("check", str(pool.root), *model(server))
        assert len(server.requests) == 1 + 2 * 3
    assert "0 of 1 tasks say their graph" in told_of
    assert pool.tasks.read()[0].checked.startswith("lost: ")


@pytest.mark.parametrize(
    "reply", ["import os; os.remove('x')", '{"needs": [[1, 99]], "sequence": [], "missing": []}', ""]
)
def test_a_reply_that_is_no_answer_is_text(told: PoolFolder, tmp_path: Path, reply: str) -> None:
    pool = copy(told, tmp_path, 1)
    call("tell", str(pool.root))
    with ChatServer([Answer(reply)]) as server:
        told_of = call("check", str(pool.root), *model(server))
        assert len(server.requests) == 2
        assert "cannot be read" in asks(server.requests[1])
    assert "1 dropped: not read" in told_of


def test_code_in_an_instruction_is_an_instruction(told: PoolFolder, tmp_path: Path) -> None:
    pool = copy(told, tmp_path, 1)
    code = "__import__('pathlib').Path('made').touch()"
    with ChatServer([Answer(json.dumps({"instruction": code}))]) as server:
        call("tell", str(pool.root), *model(server))
    assert pool.tasks.read()[0].instruction == code
    assert "1 dropped: lost, not asked for" in call("check", str(pool.root))
    assert not Path("made").exists()


def test_a_budget_stops_the_stage_and_keeps_what_was_made(told: PoolFolder, tmp_path: Path) -> None:
    pool = copy(told, tmp_path)
    with ChatServer(writer(pool)) as server:
        with pytest.raises(ConfigError, match=r"the budget of \$1e-06 is spent"):
            call("tell", str(pool.root), *model(server, "--budget", "0.000001"))
        assert len(server.requests) == 1
        assert len(pool.tasks.read()) == 1
        assert "2 of 2 graphs are told, 1 of them now" in call("tell", str(pool.root), *model(server, "--budget", "1"))


def test_a_model_that_says_too_much_tells_no_task(told: PoolFolder, tmp_path: Path) -> None:
    pool = copy(told, tmp_path, 1)
    with ChatServer([Answer(json.dumps({"instruction": "word " * 300}))]) as server:
        told_of = call("tell", str(pool.root), *model(server))
    assert "0 of 1 graphs are told" in told_of
    assert "1 not told" in told_of and "the instruction has 300 words" in told_of


def test_flags_of_a_model_need_one(told: PoolFolder) -> None:
    with pytest.raises(ConfigError, match="name it with --model"):
        call("check", str(told.root), "--budget", "1")
    with pytest.raises(ConfigError, match="--replay requires --cassette"):
        call("check", str(told.root), "--replay")


def test_a_reader_is_measured_by_planted_faults(told: PoolFolder) -> None:
    told_of = call("check", str(told.root), "--planted", "24")
    assert "100.0% of the faulty texts refused" in told_of
    assert "0.0% of" in told_of


def test_faults_are_planted_in_graphs_that_the_seed_draws(told: PoolFolder) -> None:
    def first(seed: int) -> list[str]:
        return [" ".join(clause.template for clause in clauses) for clauses, _ in islice(told_tasks(told, seed), 5)]

    every = sum(1 for _ in told_tasks(told, 0))
    assert first(0) == first(0) != first(1)
    assert every == sum(1 for _ in told_tasks(told, 1)) > 20


def test_nothing_is_played_to_measure_a_reader(told: PoolFolder, monkeypatch: pytest.MonkeyPatch) -> None:
    assert all(graph.draw is None for graph in told.graphs.read())
    monkeypatch.setattr(instances, "play_order", lambda *_: pytest.fail("a graph was played"))
    assert next(told_tasks(told))
    with pytest.raises(pytest.fail.Exception):
        graph_clauses(told)(told.graphs.read()[0], 0)
