"""Verification with a model, asked over real HTTP: what it answers is data, its calls are recorded, and they cost."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from chat_server import Answer, ChatServer, Request
from typer.testing import CliRunner

from omnipilot.bench.suites.duet.recipe_book import book
from omnipilot.bench.suites.pool.commands.synth import synth
from omnipilot.bench.suites.pool.pool_folder import PoolFolder
from omnipilot.bench.suites.pool.records import TrajectoryAction
from omnipilot.bench.suites.pool.templates import hand_written_subtasks
from omnipilot.bench.suites.pool.verify.differences import evaluator_of
from omnipilot.bench.suites.pool.verify.instances import draw_instance
from omnipilot.bench.suites.pool.verify.model_evaluators import checks_named
from omnipilot.bench.suites.pool.verify.model_trajectories import read_keys, read_step
from omnipilot.bench.suites.pool.verify.trajectories import demonstrate
from omnipilot.bench.suites.pool.verify.verification import right_traces
from omnipilot.envs import Box, Element, Press, TypeText

TEMPLATE = book("").templates["start-timer"]
STEPS = demonstrate(draw_instance(TEMPLATE, 0)).actions
SOUND = evaluator_of(TEMPLATE.id, right_traces(TEMPLATE, (1, 2, 3))).evaluator
FINISH = {
    "status": "FINISH",
    "observation": "the timer runs",
    "thought": "",
    "label": "",
    "text": "",
    "function": "",
    "arguments": {},
}


def text_of(request: Request) -> str:
    """All text of a request."""
    parts = [message["content"] for message in request.json["messages"]]
    return "\n".join(
        part if isinstance(part, str) else "\n".join(one.get("text", "") for one in part) for part in parts
    )


def asks_for_evaluator(request: Request) -> bool:
    """Whether an evaluator is asked for, and no action."""
    return "You write how it is checked" in text_of(request)


def action_reply(request: Request, step: TrajectoryAction) -> dict[str, Any]:
    """The step as the model says it: with the label that the control has in the list."""
    found = re.search(rf'^\[(\d+)\] \S+ "{re.escape(step.control_text)}"', text_of(request), re.MULTILINE)
    assert found is not None
    return {
        "status": "CONTINUE",
        "observation": f"I see {step.control_text}",
        "thought": f"I need {step.control_text}",
        "label": found[1],
        "text": step.control_text,
        "function": step.function,
        "arguments": dict(step.args),
    }


class Script:
    """A model that carries out the steps of a demonstration, and answers with the evaluators in turn."""

    def __init__(self, *evaluators: Any, steps: Sequence[int] = (len(STEPS),)) -> None:
        self.evaluators = list(evaluators)
        self.steps = list(steps)
        self.at = 0

    def __call__(self, request: Request) -> Answer:
        if asks_for_evaluator(request):
            answer = self.evaluators.pop(0) if len(self.evaluators) > 1 else self.evaluators[0]
            return Answer(answer if isinstance(answer, str) else json.dumps({"evaluator": answer}))
        if self.at == self.steps[0]:
            self.at = 0
            self.steps = self.steps[1:] or self.steps
            return Answer(json.dumps(FINISH))
        self.at += 1
        return Answer(json.dumps(action_reply(request, STEPS[self.at - 1])))


def make_pool(root: Path, *ids: str) -> PoolFolder:
    """A pool of some hand-written subtasks."""
    pool = PoolFolder(root)
    pool.subtasks.write([one for one in hand_written_subtasks() if one.id in ids], stage="subtasks", seed=0)
    return pool


def run(root: Path, server: ChatServer, *more: str) -> str:
    """The command's output; it has to succeed."""
    flags = ["--model", "openai-compatible/scripted", "--url", server.url, *more]
    result = CliRunner().invoke(synth, ["verify", str(root), "--no-pictures", *flags])
    assert result.exit_code == 0, (result.output, result.exception)
    return result.output


def test_a_model_makes_both_and_its_words_stay_with_the_trajectory(tmp_path: Path) -> None:
    pool = make_pool(tmp_path / "pool", "start-timer")
    with ChatServer(Script(SOUND)) as server:
        output = run(pool.root, server, "--price-in", "1", "--price-out", "1", "--cassette", str(tmp_path / "kept"))
        asked = server.requests
    assert "1 of 1 subtasks accepted (1 in round 1), 1 of them strict" in output
    assert f"{len(STEPS) + 2} calls, $0.00" in output
    written = pool.trajectories.read()[0]
    assert [action.thought for action in written.actions] == [f"I need {step.control_text}" for step in STEPS]
    assert pool.evaluators.read()[0].made_by == "model openai-compatible/scripted, state"
    pictures = [part for part in asked[0].json["messages"][1]["content"] if part["type"] == "image_url"]
    assert len(pictures) == 1
    assert asked[0].json["temperature"] == 0.0
    again = make_pool(tmp_path / "again", "start-timer")
    with ChatServer() as silent:
        run(again.root, silent, "--cassette", str(tmp_path / "kept"), "--replay")
        assert silent.requests == []
    assert again.trajectories.read() == pool.trajectories.read()
    assert again.evaluators.read() == pool.evaluators.read()


def test_a_trajectory_that_stopped_early_is_told_so_and_made_again(tmp_path: Path) -> None:
    pool = make_pool(tmp_path, "start-timer")
    with ChatServer(Script(SOUND, steps=(2, len(STEPS)))) as server:
        run(pool.root, server)
        second = [one for one in server.requests if "Earlier attempts failed" in text_of(one)]
    first, last = pool.verdicts.read()
    assert (first.accepted, first.changed, last.accepted, last.round) == (False, "trajectory", True, 2)
    assert "refused" in text_of(second[0])
    assert second[0].json["temperature"] == 0.7


def test_an_evaluator_that_only_accepts_anything_is_told_what_it_accepted(tmp_path: Path) -> None:
    pool = make_pool(tmp_path, "start-timer")
    lax = {"checks": [{"check": "check_state", "args": {"path": "account.timer.seconds", "op": ">", "value": 0}}]}
    with ChatServer(Script(lax, SOUND)) as server:
        run(pool.root, server)
        asked = [text_of(one) for one in server.requests if asks_for_evaluator(one)]
    assert [verdict.changed for verdict in pool.verdicts.read()] == ["evaluator", ""]
    assert "Earlier evaluators failed" in asked[1]
    assert "accepted although wrong" in asked[1]
    assert "changed '~timer.seconds'" in asked[1]


def test_behind_the_barrier_the_evaluators_side_is_told_nothing_of_the_trajectory(tmp_path: Path) -> None:
    pool = make_pool(tmp_path, "start-timer")
    lax = {"checks": [{"check": "check_state", "args": {"path": "account.timer.seconds", "op": ">", "value": 0}}]}
    with ChatServer(Script(lax, SOUND)) as server:
        run(pool.root, server, "--barrier")
        asked = [text_of(one) for one in server.requests if asks_for_evaluator(one)]
    assert all("Controls on the way" not in one and "changed '~timer" not in one for one in asked)
    assert pool.evaluators.read()[0].barrier


HOSTILE: Sequence[Callable[[str], Any]] = (
    lambda path: f"import pathlib\npathlib.Path({path!r}).touch()",
    lambda path: f"```python\n__import__('pathlib').Path({path!r}).touch()\n```",
    lambda path: {"checks": [{"check": "pathlib:Path.touch", "args": {"path": path}}]},
    lambda path: {
        "checks": [{"check": "check_state", "args": {"path": f"__class__.touch({path!r})", "op": "present"}}]
    },
    lambda path: {"ordered": f"__import__('pathlib').Path({path!r}).touch()", "checks": []},
)


@pytest.mark.parametrize("hostile", HOSTILE)
def test_an_answer_that_asks_to_run_code_is_text(tmp_path: Path, hostile: Callable[[str], Any]) -> None:
    mark = tmp_path / "was-run"
    pool = make_pool(tmp_path / "pool", "start-timer")
    with ChatServer(Script(hostile(str(mark)))) as server:
        output = run(pool.root, server)
        asked = [one for one in server.requests if asks_for_evaluator(one)]
    assert not mark.exists()
    assert "0 of 1 subtasks accepted" in output
    assert len(asked) >= 2, "an unreadable answer is asked for once more"
    assert "cannot be read" in text_of(asked[1])


def test_a_spent_budget_keeps_what_was_done_and_the_command_goes_on(tmp_path: Path) -> None:
    pool = make_pool(tmp_path, "start-timer")
    prices = ["--price-in", "1000000", "--price-out", "0"]
    with ChatServer(Script(SOUND)) as server:
        flags = ["--model", "openai-compatible/scripted", "--url", server.url, *prices, "--budget", "25"]
        result = CliRunner().invoke(synth, ["verify", str(pool.root), "--no-pictures", *flags])
        assert result.exit_code != 0
        assert "the budget of $25 is spent" in str(result.exception)
        assert len(server.requests) == 3
    assert pool.verdicts.read() == []
    with ChatServer(Script(SOUND)) as server:
        assert "1 of 1 subtasks accepted" in run(pool.root, server)


MARKED: Mapping[str, Element] = {"1": Element("button", "Save", Box(0.1, 0.1, 0.3, 0.2), id="form/save")}


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"label": "7"}, "the labels are 1 to 1"),
        ({"text": "Send"}, 'label 1 is "Save"'),
        ({"function": "exec"}, "function is one of click_input"),
        ({"status": "DONE"}, "status is CONTINUE or FINISH"),
        ({"arguments": "double"}, "arguments is an object"),
        ({"label": "", "text": ""}, "needs the label"),
    ],
)
def test_an_action_that_is_none_says_what_to_answer_instead(change: Mapping[str, Any], told: str) -> None:
    sound = {
        "status": "CONTINUE",
        "observation": "",
        "thought": "",
        "label": "1",
        "text": "Save",
        "function": "click_input",
        "arguments": {"button": "left", "double": False},
    }
    assert len(read_step(sound, MARKED, "phone").moves) == 1
    with pytest.raises(ValueError, match=re.escape(told)):
        read_step({**sound, **change}, MARKED, "phone")


def test_keys_are_read_as_they_are_written() -> None:
    assert read_keys("^aHi {+} you{ENTER}") == [Press(("ctrl", "a")), TypeText("Hi + you"), Press(("enter",))]
    with pytest.raises(ValueError, match="no key"):
        read_keys("{F99}")


def test_checks_are_found_however_deep_they_stand() -> None:
    assert checks_named({"checks": [{"all": [{"not": {"check": "a"}}, {"check": "b"}]}]}) == {"a", "b"}
