"""Who answers an agent's questions, and what of it is in a run's record."""

from __future__ import annotations

import io
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from asking_suite import GOAL, code_of
from chat_server import Answer, ChatServer, Status
from made_settings import spec_of
from scripted_model import ScriptedModel
from typer.testing import CliRunner

from omnipilot.bench.cli.app import app
from omnipilot.bench.journal import read
from omnipilot.bench.journal.events import EpisodeEnded, ModelCalled, StepTaken
from omnipilot.bench.run import run
from omnipilot.bench.run.execution import RunExecution
from omnipilot.bench.run.llm_budget import check_cost
from omnipilot.bench.run.preview import dry_run
from omnipilot.bench.run.spending import Spending
from omnipilot.bench.spec import RunSpec
from omnipilot.bench.tasks import UserFact, UserFacts
from omnipilot.bench.users import ModelUser, TerminalUser
from omnipilot.envs import ConfigError
from omnipilot.memory import Reply

ASKING: Mapping[str, Any] = {"suite": "asking_suite:AskingSuite", "planner": "asking_suite:AskingPlanner"}
NOBODY = "there is no user to ask"


def asked(spec: RunSpec, out: Path) -> tuple[StepTaken, EpisodeEnded]:
    """The question and the end of the one episode of a run."""
    run(spec, out)
    events = list(read(out))
    (question,) = (one for one in events if isinstance(one, StepTaken) and (one.proposed or {})["kind"] == "ask_user")
    (end,) = (one for one in events if isinstance(one, EpisodeEnded))
    return question, end


def test_who_asks_is_told_the_fact_and_the_answer_is_in_the_journal(tmp_path: Path) -> None:
    question, end = asked(spec_of(ASKING), tmp_path)
    assert (question.result, question.message) == ("control", f"It is {code_of(0)}.")
    assert question.executed == {"kind": "ask_user", "text": "What is your code?"}
    assert not question.counts and end.reason == "success"


def test_who_asks_for_something_else_learns_nothing_and_fails(tmp_path: Path) -> None:
    spec = spec_of({**ASKING, "planner": {"name": ASKING["planner"], "question": "What should I know?"}})
    question, end = asked(spec, tmp_path)
    assert question.message == "I don't know." and (end.reason, end.completed) == ("done", 0)


@pytest.mark.parametrize(
    "settings", [{"user": "none"}, {"suite": {"name": ASKING["suite"], "told": False}}], ids=["none", "no facts"]
)
def test_questions_are_refused_where_nobody_is_there_or_nothing_is_known(
    settings: Mapping[str, Any], tmp_path: Path
) -> None:
    question, end = asked(spec_of({**ASKING, **settings}), tmp_path)
    assert (question.result, question.executed) == ("rejected", None)
    assert NOBODY in question.message and (end.reason, end.completed) == ("done", 0)


def test_a_demonstration_that_asks_fails_where_nobody_answers(tmp_path: Path) -> None:
    for user, reason in (("rules", "success"), ("none", "done")):
        spec = spec_of({**ASKING, "planner": "oracle", "user": user})
        assert [one.reason for one in run(spec, tmp_path / user).episodes] == [reason]


def served(server: ChatServer, *options: str, **more: Any) -> RunSpec:
    """A run whose user is a model at a server."""
    prices = ("user.price_in=2", "user.price_out=8")
    return spec_of({**ASKING, "user": "openai/scripted", **more}, None, (f"user.url={server.url}", *prices, *options))


def test_a_model_is_told_the_facts_and_its_calls_are_the_users_and_not_the_agents(tmp_path: Path) -> None:
    with ChatServer([Answer(f"<think>They want it.</think> It is\n{code_of(0)}.")]) as server:
        question, end = asked(served(server), tmp_path)
        (request,) = server.requests
    system, said = request.json["messages"]
    assert GOAL in system["content"] and f"- code: It is {code_of(0)}." in system["content"]
    assert said == {"role": "user", "content": "What is your code?"}
    assert question.message == f"It is {code_of(0)}." and end.reason == "success"
    (call,) = (one for one in read(tmp_path) if isinstance(one, ModelCalled))
    assert call.role == "user" and question.calls == [call.call]
    assert call.usage["cost"] > 0 and end.usage["calls"] == 0
    assert Spending.of_runs(1.0, [tmp_path]).paid == pytest.approx(call.usage["cost"])
    shown = CliRunner().invoke(app, ["show", str(tmp_path), "save-code", "--role", "user", "--turn", "1"]).output
    assert "What is your code?" in shown and f"It is\n{code_of(0)}." in shown


def test_a_model_remembers_what_was_said_in_the_episode_and_nothing_of_the_last() -> None:
    user = ModelUser.over(model := ScriptedModel(Reply("One."), Reply("Two.")))
    for instruction in ("First", "Second"):
        user.begin_task(instruction, UserFacts((UserFact(("a",), f"{instruction} fact."),)), 1)
        said = [user.answer("a?"), user.answer("b?")]
    assert said == ["Two.", "Two."]
    assert [len(call.messages) for call in model.asked] == [2, 4, 2, 4]
    assert "One." in model.asked[1].words and "First" not in model.asked[2].words
    assert {call.salt for call in model.asked} == {1}


def test_a_users_calls_are_replayed_from_a_cassette(tmp_path: Path) -> None:
    how = {"cassette": str(tmp_path / "calls")}
    with ChatServer([Answer(f"It is {code_of(0)}.")]) as server:
        asked(served(server, **how), tmp_path / "first")
        sent = len(server.requests)
        again = served(server, **how, replay=True)
    question, end = asked(again, tmp_path / "second")
    assert sent == 1 and question.message == f"It is {code_of(0)}." and end.reason == "success"


def test_a_model_that_does_not_answer_makes_the_episode_void(tmp_path: Path) -> None:
    with ChatServer([Status(500)]) as server:
        run(served(server, "user.retries=0"), tmp_path)
    (end,) = (one for one in read(tmp_path) if isinstance(one, EpisodeEnded))
    assert end.void and "model unavailable" in end.detail


def test_the_user_is_part_of_a_runs_identity_and_the_default_is_the_one_of_earlier_runs() -> None:
    usual = spec_of(ASKING)
    assert usual.user is None and usual == spec_of({**ASKING, "user": "rules"})
    assert "user" not in {key for key, value in usual.to_json().items() if value is not None}
    others = [spec_of({**ASKING, "user": name}) for name in ("none", "openai/a", "openai/b", "terminal")]
    assert len({spec.identity for spec in (usual, *others)}) == 5
    assert RunSpec.from_json(others[1].to_json()) == others[1]
    here = [spec_of({**ASKING, "user": "openai/a"}, None, (f"user.url=http://{host}/v1",)) for host in ("a", "b")]
    assert here[0].identity == here[1].identity


def test_the_prompt_of_a_users_model_is_stated(tmp_path: Path) -> None:
    with ChatServer([Answer("No.")]) as server:
        found = run(served(server), tmp_path).spec
    assert len(found.prompts["user.prompt"]) > 8


def test_a_cost_limit_counts_the_users_model() -> None:
    spec = spec_of({**ASKING, "user": "openai-compatible/mine"}, None, ("user.url=http://localhost:1/v1",))
    with pytest.raises(ConfigError, match="the price of openai-compatible/mine is unknown"):
        check_cost(spec, budget=1.0)
    check_cost(spec_of({**ASKING, "user": "openai-compatible/mine", "limits": {"cost": 1.0}}))


def test_users_that_cannot_be_asked_are_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="did you mean rules"):
        run(spec_of({**ASKING, "user": "rule"}), tmp_path)
    with pytest.raises(ConfigError, match="temprature"):
        run(spec_of({**ASKING, "user": "openai/a"}, None, ("user.temprature=1",)), tmp_path)
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    with pytest.raises(ConfigError, match="openai/a needs a key"):
        run(spec_of({**ASKING, "user": "openai/a"}), tmp_path)
    with pytest.raises(ConfigError, match=r"no server answers at http://127.0.0.1:9/v1.*correct -o user.url"):
        run(spec_of({**ASKING, "user": "hosted_vllm/a"}, None, ("user.url=http://127.0.0.1:9/v1",)), tmp_path)
    assert not list(tmp_path.iterdir())


def test_a_plan_names_another_user_than_the_usual(tmp_path: Path) -> None:
    assert "user: none" in dry_run(spec_of({**ASKING, "user": "none"}), tmp_path)
    assert "user:" not in dry_run(spec_of(ASKING), tmp_path)


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_person_is_asked_in_the_terminal(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    shown = Terminal()
    monkeypatch.setattr("sys.stdin", Terminal(f"  It is {code_of(0)}.\n"))
    monkeypatch.setattr("sys.stderr", shown)
    question, end = asked(spec_of({**ASKING, "user": "terminal"}), tmp_path)
    assert question.message == f"It is {code_of(0)}." and end.reason == "success"
    assert f"The task: {GOAL}" in shown.getvalue() and f"You know (code): It is {code_of(0)}." in shown.getvalue()
    assert "The agent asks: What is your code?" in shown.getvalue()


def test_a_person_can_be_asked_in_any_task_and_may_say_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", Terminal("\nthe left one\n"))
    monkeypatch.setattr("sys.stderr", Terminal())
    person = TerminalUser()
    person.begin_task(GOAL, None, 0)
    assert [person.answer("Which?"), person.answer("Which?"), person.answer("Which?")] == [
        "I don't know.",
        "the left one",
        "I don't know.",
    ]


def test_a_person_is_refused_where_there_is_no_terminal_or_another_process_would_ask(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    spec = spec_of({**ASKING, "user": "terminal"})
    monkeypatch.setattr("sys.stdin", io.StringIO("yes\n"))
    with pytest.raises(ConfigError, match="this is no terminal.*--user rules"):
        run(spec, tmp_path)
    monkeypatch.setattr("sys.stdin", Terminal("yes\n"))
    monkeypatch.setattr("sys.stderr", Terminal())
    with pytest.raises(ConfigError, match="add --jobs 0"):
        run(spec, tmp_path, RunExecution(1))
    assert not list(tmp_path.iterdir())


def test_a_terminals_user_is_told_every_fact() -> None:
    person = TerminalUser()
    person.begin_task(GOAL, UserFacts((UserFact(("a", "b"), "One."), UserFact(("c",), "Two."))), 0)
    assert person._opening[1:] == ["You know (a, b): One.", "You know (c): Two."]
