"""CRAB's composed files: generated ones and those of a pool load, compose to one sink, and are played."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import export_pools
import pytest
from command_line import omnipilot

from omnipilot.bench.scoring.data.source import Source
from omnipilot.bench.suites.crab import CrabSuite
from omnipilot.bench.suites.crab import sample as mini_crab
from omnipilot.bench.suites.crab.data import load_tasks
from omnipilot.bench.suites.pool.export.crab import crab_table, export_crab
from omnipilot.bench.suites.pool.export.crab_generator import (
    SHAPES,
    TypeEdge,
    check_files,
    generate,
    read_shapes,
    read_values,
    table_names,
    type_graph,
    why_unplayable,
)
from omnipilot.bench.suites.pool.export.source import ExportSource
from omnipilot.bench.suites.subtasks.wording import WordedStep
from omnipilot.bench.tasks.filter import facets
from omnipilot.bench.tasks.reviewed_tasks import every_listed_task, listed_tasks, taken_out
from omnipilot.envs import ConfigError


def test_the_graph_of_types_joins_outputs_with_attributes_they_fit() -> None:
    edges = set(type_graph(table_names()))
    assert TypeEdge("read-gate-code", "text-contact", "text") in edges
    assert TypeEdge("read-number", "dial-number", "number") in edges
    assert TypeEdge("note-down", "move-made", "file") in edges
    assert TypeEdge("read-gate-code", "dial-number", "number") not in edges, "a code is no telephone number"
    assert not any(edge.source == "text-contact" for edge in edges), "it yields nothing"


@pytest.fixture(scope="module")
def generated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Twelve tasks, three of each shape."""
    folder = tmp_path_factory.mktemp("crab")
    made = generate(folder, 12, dict.fromkeys(SHAPES, 1), seed=4)
    assert made.shapes == Counter(dict.fromkeys(SHAPES, 3))
    return folder


def test_generated_files_are_read_by_crabs_reader_and_can_be_played(generated: Path) -> None:
    found = load_tasks(Source.open(str(generated), ""))
    assert found.bad == ()
    assert Counter(len(task.graph.edges) for task in found.items) == {0: 3, 1: 3, 2: 6}
    suite = CrabSuite(str(generated))
    assert suite.bad == ()
    assert len(suite.tasks()) == 12
    assert all(why == "" for _, why in check_files(generated))
    joins = [task for task in found.items if task.graph.edges == ((0, 2), (1, 2))]
    assert len(joins) == 3
    for task in joins:
        assert {task.uses[0].output, task.uses[1].output} <= set(task.uses[2].attributes.values())


def test_descriptions_name_given_values_and_hide_those_to_be_found(generated: Path) -> None:
    hidden = 0
    for task in load_tasks(Source.open(str(generated), "")).items:
        for before, after in task.graph.edges:
            output = task.uses[before].output
            assert output
            assert output in task.uses[after].attributes.values()
            if output not in task.uses[before].attributes.values():
                hidden += output not in task.description
    assert hidden >= 1


def test_a_person_who_is_only_made_in_the_task_gets_no_mail() -> None:
    """The walk may lead from a new contact to a mail; such a draft is dropped with its reason."""
    steps = [
        WordedStep("add-contact", {"name": "Zoe New", "phone": "555123456"}),
        WordedStep("mail-contact", {"subject": "News", "text": "Hello"}, {"contact": 0}),
    ]
    with pytest.raises(ConfigError, match="has no email address before the task begins"):
        mini_crab.task_file(steps, "one")


def states(suite: CrabSuite) -> dict[str, str]:
    return {info.id: facets(info)["review"][0] for info in every_listed_task(suite)}


def test_generated_files_are_drafts_until_somebody_has_read_them(generated: Path, tmp_path: Path) -> None:
    assert set(states(CrabSuite(str(generated))).values()) == {"draft"}
    first, second, third = sorted(generated.rglob("*.json"))[:3]
    accepted = {"draft": False, "reviewed_by": "E. Larsson", "verdict": "accepted", "edited": True}
    out = {"draft": False, "reviewed_by": "kim", "verdict": "taken out", "why": "two answers are right"}
    for path, review in ((first, accepted), (second, out), (third, {})):
        (tmp_path / path.name).write_text(json.dumps({**json.loads(path.read_text()), **review}))
    suite = CrabSuite(str(tmp_path))
    assert states(suite) == {first.stem: "accepted", second.stem: "taken out", third.stem: "draft"}
    assert {info.id for info in listed_tasks(suite)} == {first.stem, third.stem}
    assert taken_out(suite) == {second.stem: "taken out by kim: two answers are right"}
    said = omnipilot("list", "tasks", "--suite", "crab", "--data", str(tmp_path)).stdout
    assert "taken out by kim: two answers are right" in " ".join(said.split())


@pytest.mark.parametrize(
    ("review", "told"),
    [
        ({"draft": True, "verdict": "accepted"}, "a file with a verdict is no draft"),
        ({"draft": False}, "say accepted or taken out, or leave draft true"),
        ({"draft": False, "verdict": "fine", "reviewed_by": "kim"}, "must be accepted or taken out, not 'fine'"),
        ({"draft": False, "verdict": "accepted"}, "names nobody"),
        ({"draft": False, "verdict": "taken out", "reviewed_by": "kim"}, "taken out without a reason"),
        ({"draft": "no"}, "must be true or false"),
    ],
)
def test_a_review_that_says_too_little_is_named(
    generated: Path, tmp_path: Path, review: dict[str, object], told: str
) -> None:
    path = sorted(generated.rglob("*.json"))[0]
    (tmp_path / path.name).write_text(json.dumps({**json.loads(path.read_text()), **review}))
    (bad,) = CrabSuite(str(tmp_path)).bad
    assert told in str(bad)


def test_the_same_seed_gives_the_same_files(tmp_path: Path) -> None:
    for name in ("one", "other"):
        generate(tmp_path / name, 3, {"chain2": 1}, seed=9)
    files = [sorted(path.read_text() for path in (tmp_path / name).rglob("*.json")) for name in ("one", "other")]
    assert files[0] == files[1]


def test_values_come_from_a_table_and_shapes_in_their_shares(tmp_path: Path) -> None:
    (tmp_path / "values.json").write_text(json.dumps({"contact": ["Nina Rossi"], "text": ["The keys are back"]}))
    values = read_values(tmp_path / "values.json")
    made = generate(tmp_path / "out", 7, read_shapes("single=3,chain2=1"), values, seed=1)
    assert made.shapes == {"single": 5, "chain2": 2}
    people = {
        use.attributes[name]
        for task in load_tasks(Source.open(str(tmp_path / "out"), "")).items
        for use in task.uses
        for name in ("contact", "name")
        if name in use.attributes and name == "contact"
    }
    assert people <= {"Nina Rossi"}
    (tmp_path / "wrong.json").write_text('{"contact": "Nina Rossi"}')
    with pytest.raises(ConfigError, match="must be an object such as"):
        read_values(tmp_path / "wrong.json")
    with pytest.raises(ConfigError, match="no shape ring; there are single"):
        generate(tmp_path / "ring", 1, {"ring": 1})
    with pytest.raises(ConfigError, match="SHAPE=NUMBER"):
        read_shapes("single")


def test_the_miniatures_files_can_be_played_and_a_broken_one_says_why_not(tmp_path: Path) -> None:
    mini_crab.write(tmp_path)
    path = sorted((tmp_path / "android").glob("*.json"))[0]
    task = json.loads(path.read_text())
    name = next(name for name in ("contact", "name") if name in task["tasks"][0]["attribute"])
    task["tasks"][0]["attribute"][name] = "Nobody"
    path.write_text(json.dumps(task))
    done = omnipilot("synth", "crab", str(tmp_path), "--check")
    lines = done.stdout.splitlines()
    assert lines[-1] == "16 of 17 can be played"
    (broken,) = [line for line in lines[:-1] if not line.endswith(": playable")]
    assert "'Nobody'" in broken


def test_a_pools_tasks_are_played_from_their_files_by_the_pools_table(tmp_path: Path) -> None:
    source = ExportSource.open(export_pools.write(tmp_path / "pool"), orders=1)
    made = export_crab(source, tmp_path / "out")
    assert (made.tasks, made.bad) == (2, [])
    assert made.left_out["tasks whose judges end in more than one sink"] == 2
    table = crab_table(source.templates)
    found = load_tasks(Source.open(str(tmp_path / "out"), ""))
    assert {task.folder for task in found.items} == {"android", "ubuntu"}
    for task in found.items:
        assert why_unplayable(task, table) == ""
        assert task.review is None
    said = omnipilot("synth", "crab", str(tmp_path / "out"), "--check", "--pool", str(tmp_path / "pool")).stdout
    assert said.splitlines()[-1] == "2 of 2 can be played"
    said = omnipilot("synth", "crab", str(tmp_path / "out"), "--check").stdout
    assert "the table has no sub-task" in said


def test_a_value_that_does_not_follow_from_the_seed_is_refused(tmp_path: Path) -> None:
    source = ExportSource.open(export_pools.write(tmp_path / "pool", export_pools.GRAPHS[:1]))
    export_crab(source, tmp_path / "out")
    (path,) = (tmp_path / "out").rglob("*.json")
    task = json.loads(path.read_text())
    task["tasks"][0]["attribute"]["name"] = "Somebody else"
    path.write_text(json.dumps(task))
    (read,) = load_tasks(Source.open(str(tmp_path / "out"), "")).items
    assert "compose another task instead of editing them" in why_unplayable(read, crab_table(source.templates))
