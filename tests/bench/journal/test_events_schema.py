"""`events.schema.json` is what the classes say, and holds for what a run writes."""

from __future__ import annotations

import json
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from omnipilot.agents import AgentSpec, PartSpec
from omnipilot.bench import RunSpec
from omnipilot.bench.episode.guarding import guard_spec
from omnipilot.bench.journal.events import (
    EVENTS,
    Interrupted,
    ModelCalled,
    PastTurn,
    PersonActed,
    Repaired,
    ReplyUnread,
    WorkerJoined,
)
from omnipilot.bench.journal.events import event_to_json as to_json
from omnipilot.bench.journal.events_schema import FILE, events_schema, schema_text
from omnipilot.bench.run import run

SHIPPED = json.loads((files("omnipilot.bench.journal") / FILE).read_text(encoding="utf-8"))
LINE = Draft202012Validator(SHIPPED)
SPEC_FILE = Draft202012Validator({"$ref": "#/$defs/SpecFile", "$defs": SHIPPED["$defs"]})


@pytest.fixture(scope="module")
def lines(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, Any]]:
    """The journal of a run, with an event of each kind that it has none of."""
    folder = tmp_path_factory.mktemp("run")
    agent = AgentSpec(planner=PartSpec("oracle"), memory=PartSpec("episodic"), checks=PartSpec("notice"))
    run(RunSpec(agent, PartSpec("toy"), guard=guard_spec("ask", None, None, PartSpec("toy"))), folder)
    SPEC_FILE.validate(json.loads((folder / "spec.json").read_text()))
    written = [json.loads(line) for line in (folder / "journal.jsonl").read_text().splitlines()]
    call = ModelCalled("t#0.0", 1, 0, 0, 0, "planner", "m", {"options": {}}, "", {"text": "x"}, "", {"calls": 1})
    past = PastTurn("t#0.0", 1, -1, {}, [{"env": "phone", "action": {"kind": "wait"}}], 0.0, 1.0)
    acted = PersonActed("c0ffee", "raise", "t#0.0", 1, "Ada", 1.0, 2.0, "turns", 5, 10)
    more = [call, past, ReplyUnread("t#0.0", 1, 0, "no JSON"), Repaired("{", 1, 0.0), Interrupted(1.0, ["t#0.0"])]
    joined = WorkerJoined("node-2", {"python": "3.11.2"}, 1.0)
    return [*written, *map(to_json, [*more, acted, joined])]


def test_the_shipped_schema_is_what_the_classes_say() -> None:
    Draft202012Validator.check_schema(SHIPPED)
    assert events_schema() == SHIPPED, "run: python -m omnipilot.bench.journal.events_schema > bench/journal/" + FILE
    assert schema_text() == schema_text()


def test_every_line_of_a_run_is_as_the_schema_says(lines: list[dict[str, Any]]) -> None:
    assert {line["event"] for line in lines} == set(EVENTS)
    for line in lines:
        LINE.validate(line)
        assert LINE.is_valid({**line, "later": 1}), "a later version may add a field"


def test_what_is_no_event_is_not(lines: list[dict[str, Any]]) -> None:
    for line in lines:
        assert not LINE.is_valid({**line, "event": "unheard"})
        for name in SHIPPED["$defs"][EVENTS[line["event"]].__name__]["required"]:
            assert not LINE.is_valid({key: value for key, value in line.items() if key != name}), name
    step = next(line for line in lines if line["event"] == "step")
    assert not LINE.is_valid({**step, "turn": "1"}) and not LINE.is_valid({**step, "counts": 1})


def test_a_specification_of_another_format_is_none(tmp_path: Path) -> None:
    spec = RunSpec(AgentSpec(planner=PartSpec("noop")), PartSpec("toy"))
    told = {"identity": spec.identity, "spec": spec.to_json()}
    assert SPEC_FILE.is_valid(told)
    assert not SPEC_FILE.is_valid({**told, "spec": {**spec.to_json(), "format": 2}})
    assert not SPEC_FILE.is_valid({**told, "spec": {**spec.to_json(), "trials": "2"}})
