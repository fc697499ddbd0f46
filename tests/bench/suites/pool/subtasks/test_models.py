"""A model names and proposes, over real HTTP; what does not hold is refused, and nothing that it writes is run."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from chat_server import Answer, ChatServer, Request
from explored_ways import DELETED, FAVOURITE, NOTE, pool_of
from typer.testing import CliRunner

from omnipilot.bench.suites.pool.commands.synth import synth
from omnipilot.bench.suites.pool.pool_folder import PoolFolder
from omnipilot.bench.suites.pool.subtasks.stage import make_subtasks
from omnipilot.envs import ConfigError

GOOD = {
    "instruction_template": "jot down {body_text} under the heading {title_text}",
    "input_resources": {"title_text": "text/word", "body_text": "text"},
    "output_resources": ["file/note"],
    "why": "to keep it for later",
}
RULE = "on the phone, in Notes, write a new note with {title_text} as the title and {body_text} as the text"


@pytest.fixture(scope="module")
def explored(tmp_path_factory: pytest.TempPathFactory) -> PoolFolder:
    folder = pool_of(PoolFolder(tmp_path_factory.mktemp("explored")), "phone/notes", NOTE, DELETED)
    make_subtasks(folder)
    return folder


@pytest.fixture
def both(explored: PoolFolder, tmp_path: Path) -> PoolFolder:
    shutil.copytree(explored.root, tmp_path / "pool")
    return PoolFolder(tmp_path / "pool")


@pytest.fixture
def pool(both: PoolFolder) -> PoolFolder:
    keep = [one for one in both.subtasks.read() if set(one.inputs) == {"title_text", "body_text"}]
    both.subtasks.write(keep, stage="subtasks", seed=0)
    return both


def run(pool: PoolFolder, server: ChatServer, *more: str) -> str:
    args = ["subtasks", str(pool.root), "--model", "openai-compatible/scripted", "--url", server.url, *more]
    done = CliRunner().invoke(synth, args, catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done.output


def asked(request: Request) -> str:
    return str(request.json["messages"][1]["content"])


def test_a_name_that_holds_is_taken(pool: PoolFolder, tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "notes.md").write_text("Notes keeps short texts.")
    with ChatServer([Answer(json.dumps(GOOD))]) as server:
        output = run(pool, server, "--docs", str(tmp_path / "docs"))
        question = asked(server.requests[0])
        assert "Notes keeps short texts." in question
        assert "Screen before" in question
        assert "text/word" in question
        calls = len(server.requests)
        run(pool, server)
        assert len(server.requests) == calls
    assert "1 subtasks have the model's names now" in output
    (subtask,) = pool.subtasks.read()
    assert subtask.instruction_template == f"on the phone, in Notes, {GOOD['instruction_template']}"


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"instruction_template": "write {title_text}"}, "its holes are body_text, title_text, each once"),
        ({"instruction_template": "write {title_text}, {body_text} and {more}"}, "its holes are"),
        ({"instruction_template": 'write "Harbour", {title_text} and {body_text}'}, "holds a value"),
        ({"instruction_template": "write {title_text} and {body_text} 3 times"}, "holds a value"),
        ({"instruction_template": "write {title_text}. Then save {body_text}"}, "more than one clause"),
        ({"input_resources": {"title_text": "gold", "body_text": "text"}}, "there is no resource type gold"),
        ({"input_resources": {"title_text": "contact", "body_text": "text"}}, "takes a text/word, not a contact"),
        ({"input_resources": {"title_text": "text"}}, "its inputs are"),
        ({"output_resources": ["contact"]}, "it yields file/note, not contact"),
    ],
)
def test_a_name_that_does_not_hold_is_refused(pool: PoolFolder, change: dict[str, Any], why: str) -> None:
    with ChatServer([Answer(json.dumps({**GOOD, **change}))]) as server:
        output = run(pool, server)
    assert why in output
    assert pool.subtasks.read()[0].instruction_template == RULE


def test_a_reply_that_asks_to_run_code_is_text(pool: PoolFolder, tmp_path: Path) -> None:
    mark = tmp_path / "was-run"
    code = f"__import__('pathlib').Path({str(mark)!r}).touch()"
    replies = [Answer(f"```python\n{code}\n```"), Answer(json.dumps({**GOOD, "instruction_template": f"{{{code}}}"}))]
    with ChatServer(replies) as server:
        output = run(pool, server)
    assert "keeps the rule's name" in output
    assert not mark.exists()


def test_calls_are_recorded_and_replayed(pool: PoolFolder, tmp_path: Path) -> None:
    tape = ["--cassette", str(tmp_path / "tape")]
    before = pool.subtasks.read()
    with ChatServer([Answer(json.dumps(GOOD))]) as server:
        run(pool, server, *tape)
        named = pool.subtasks.read()
        pool.subtasks.write(before, stage="subtasks", seed=0)
        pool.candidates.write([one for one in pool.candidates.read() if one.kind != "name"], stage="subtasks", seed=0)
        run(pool, server, *tape, "--replay")
        assert len(server.requests) == 1
    assert pool.subtasks.read() == named != before


@pytest.mark.slow
def test_what_is_proposed_is_carried_out_before_it_counts(tmp_path: Path) -> None:
    pool = pool_of(PoolFolder(tmp_path), "phone/contacts", FAVOURITE)
    make_subtasks(pool)
    known = len(pool.subtasks.read())
    opened = {"verb": "click", "control": "contacts/list/<contact>", "text": ""}

    def step(control: str, verb: str = "click", text: str = "") -> dict[str, str]:
        return {"verb": verb, "control": control, "text": text}

    proposals = {
        "subtasks": [
            {"instruction_template": "block {contact}", "steps": [opened, step("contacts/person/blocked")], "why": ""},
            {"instruction_template": "star {contact}", "steps": [opened, step("contacts/person/favourite")], "why": ""},
            {"instruction_template": "fly", "steps": [step("contacts/wings")], "why": ""},
            {"instruction_template": "look", "steps": [step("contacts/list/favourites")], "why": ""},
            {"instruction_template": "run", "steps": [step("import os; os.abort()", "exec")], "why": ""},
        ]
    }
    with ChatServer([Answer(json.dumps(proposals)), Answer("{}")]) as server:
        output = run(pool, server, "--propose", "5", "--app", "phone/contacts")
        assert "contacts/list/<contact>" in asked(server.requests[0])
    new = [one for one in pool.subtasks.read() if one.made_by.startswith("model")]
    assert {one.effect for one in new} == {("~contacts.blocked",)}
    assert len(pool.subtasks.read()) == known + len(new)
    assert new[0].instruction_template == "on the phone, in Contacts, block {contact}"
    assert "phone refuses" in output
    assert "changes nothing, and tells nothing" in output
    assert "there is no step 'exec'" in output
    assert f"of a model {len(new)} hold and are new, 1 were found by the search, too" in output


def test_a_budget_stops_it_and_what_was_made_is_kept(both: PoolFolder) -> None:
    pool = both
    before = {one.id: one.instruction_template for one in pool.subtasks.read()}
    assert len(before) > 1
    with ChatServer([Answer(json.dumps(GOOD))]) as server:
        args = ["subtasks", str(pool.root), "--model", "openai-compatible/scripted", "--url", server.url]
        prices = ["--price-in", "100", "--price-out", "100", "--budget", "0.000001"]
        with pytest.raises(ConfigError, match="is spent"):
            CliRunner().invoke(synth, [*args, *prices], catch_exceptions=False)
    assert {one.id for one in pool.subtasks.read()} == set(before)
    assert sum(one.kind == "name" for one in pool.candidates.read()) == 1


def test_documentation_needs_a_model_and_a_folder(pool: PoolFolder, tmp_path: Path) -> None:
    runner = CliRunner()
    with pytest.raises(ConfigError, match="name it with --model"):
        runner.invoke(synth, ["subtasks", str(pool.root), "--docs", str(tmp_path)], catch_exceptions=False)
    args = ["subtasks", str(pool.root), "--model", "openai-compatible/x", "--url", "http://127.0.0.1:9"]
    with pytest.raises(ConfigError, match="there is no folder"):
        runner.invoke(synth, [*args, "--docs", str(tmp_path / "none")], catch_exceptions=False)
