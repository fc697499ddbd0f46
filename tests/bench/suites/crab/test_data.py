"""CRAB's task files: what is read, what is wrong with which field, and how sub-tasks become one graph."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from omnipilot.agents import Limits
from omnipilot.bench import Judge, JudgeGraph
from omnipilot.bench.scoring.data.source import Source
from omnipilot.bench.suites.crab import CrabSuite
from omnipilot.bench.suites.crab import sample as mini_crab
from omnipilot.bench.suites.crab.adjacency import Adjacency, read_adjacency
from omnipilot.bench.suites.crab.data import load_tasks
from omnipilot.bench.suites.crab.joining import link_graphs
from omnipilot.bench.suites.subtasks.duet_pool import POOL, id_of
from omnipilot.envs import ConfigError

JOIN = "0 2\n1 2\n2"
SINGLE: dict[str, Any] = {
    "description": "Call Nina Rossi",
    "tasks": [{"task": id_of("call-contact"), "attribute": {"contact": "Nina Rossi"}, "output": None}],
    "adjlist": "0",
    "id": "one",
}


def folder_of(tmp_path: Path, task: Mapping[str, Any], name: str = "android/one.json") -> str:
    """Data with one task file."""
    path = tmp_path / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(task))
    return str(tmp_path)


def bad_of(tmp_path: Path, task: Mapping[str, Any], **options: Any) -> str:
    """What is wrong with a task file; no task comes of it."""
    suite = CrabSuite(folder_of(tmp_path, task), **options)
    assert suite.tasks() == []
    assert len(suite.bad) == 1
    return str(suite.bad[0])


def with_use(**change: Any) -> dict[str, Any]:
    """The single task with its sub-task changed."""
    return {**SINGLE, "tasks": [{**SINGLE["tasks"][0], **change}]}


def test_a_join_is_a_join_on_paper_and_a_chain_through_the_source_as_released() -> None:
    assert read_adjacency(JOIN).edges == ((0, 2), (1, 2))
    assert read_adjacency(JOIN, "fixed") == read_adjacency(JOIN, "paper")
    assert read_adjacency(JOIN, "release").edges == ((0, 2), (2, 1))
    assert read_adjacency(JOIN).order() == (0, 1, 2)
    assert read_adjacency(JOIN, "release").order() == (0, 2, 1)


@pytest.mark.parametrize("text", ["0", "0 1\n1"])
def test_the_lists_that_are_shipped_read_alike_in_all_variants(text: str) -> None:
    assert read_adjacency(text, "release") == read_adjacency(text, "paper")


def test_an_undirected_list_is_oriented_by_the_order_in_which_nodes_come_up() -> None:
    # By hand: nodes come up as 1, 0, 2; 0 is reached from 1, and 2 from 1 and from 0.
    assert read_adjacency("1 0\n2 1 0", "release") == Adjacency((1, 0, 2), ((1, 0), (1, 2), (0, 2)))
    assert read_adjacency("0 1\n1 0", "release").edges == ((0, 1),)


def test_comments_and_blank_lines_say_nothing_and_words_are_no_numbers() -> None:
    assert read_adjacency("# by hand\n0 1 # then\n\n1\n").edges == ((0, 1),)
    with pytest.raises(ValueError, match="'first'"):
        read_adjacency("first 1")


@pytest.mark.parametrize(
    ("change", "field", "why"),
    [
        ({"description": None}, "description", "is null"),
        ({"tasks": []}, "tasks", "at least one"),
        ({"tasks": ["call"]}, "tasks[0]", "an object"),
        ({"tasks": [{"attribute": {}}]}, "tasks[0].task", "is missing"),
        ({"tasks": [{"task": "a", "attribute": []}]}, "tasks[0].attribute", "expected an object"),
        ({"adjlist": 7.5}, "adjlist", "expected text"),
        ({"adjlist": "zero"}, "adjlist", "whole numbers"),
        ({"adjlist": "0 1\n1"}, "adjlist", "`tasks` has 1, numbered from 0"),
        ({"tasks": SINGLE["tasks"] * 2, "adjlist": "0 1\n1 0"}, "adjlist", "cycle that blocks the tasks [0, 1]"),
    ],
)
def test_a_wrong_field_is_told_with_file_record_and_field(
    tmp_path: Path, change: dict[str, Any], field: str, why: str
) -> None:
    told = bad_of(tmp_path, {**SINGLE, **change})
    assert told.startswith(f"android/one.json, record one, field {field}: ")
    assert why in told


@pytest.mark.parametrize("field", ["description", "tasks", "adjlist", "id"])
def test_a_missing_field_is_told(tmp_path: Path, field: str) -> None:
    told = bad_of(tmp_path, {name: value for name, value in SINGLE.items() if name != field})
    assert told.startswith("android/one.json, record one, ")
    assert f"field {field}: it is missing" in told


@pytest.mark.parametrize(
    ("use", "field", "why"),
    [
        ({"task": "51b2463c-9904-4a32-81ba-507bfb89d61f"}, "tasks[0].task", "51b2463c-9904-4a32-81ba-507bfb89d61f"),
        ({"attribute": {}}, "tasks[0].attribute.contact", "is missing"),
        ({"attribute": {"contact": "Nina Rossi", "hour": 7}}, "tasks[0].attribute.hour", "this attribute is unknown"),
        ({"attribute": {"contact": "Nobody Atall"}}, "tasks[0].attribute", "no contact 'Nobody Atall'"),
    ],
)
def test_a_sub_task_that_the_table_cannot_make_is_a_bad_record(
    tmp_path: Path, use: dict[str, Any], field: str, why: str
) -> None:
    told = bad_of(tmp_path, with_use(**use))
    assert told.startswith(f"android/one.json, record one, field {field}: ")
    assert why in told


def test_a_task_that_ends_in_two_sinks_is_a_bad_record(tmp_path: Path) -> None:
    both = [
        SINGLE["tasks"][0],
        {"task": id_of("delete-note"), "attribute": {"note": "Wifi"}, "output": None},
    ]
    told = bad_of(tmp_path, {**SINGLE, "tasks": both, "adjlist": "0\n1"})
    assert told.startswith("android/one.json, record one, field adjlist: CRAB's graphs have one sink; this one has ")
    assert "1 called" in told
    assert "2 note deleted" in told


def test_files_that_are_no_json_and_ids_that_come_twice_are_listed_and_the_others_stay(tmp_path: Path) -> None:
    folder_of(tmp_path, SINGLE)
    folder_of(tmp_path, SINGLE, "cross/again.json")
    (tmp_path / "broken.json").write_text("{")
    (tmp_path / "list.json").write_text("[]")
    suite = CrabSuite(str(tmp_path))
    assert [info.id for info in suite.tasks()] == ["one"]
    assert sorted((bad.file, bad.record) for bad in suite.bad) == [
        ("broken.json", "broken"),
        ("cross/again.json", "again"),
        ("list.json", "list"),
    ]
    with pytest.raises(ConfigError, match="did you mean one"):
        suite.instantiate("onf", 0)


def test_a_bad_task_that_is_asked_for_says_what_is_wrong(tmp_path: Path) -> None:
    suite = CrabSuite(folder_of(tmp_path, with_use(attribute={})))
    with pytest.raises(ConfigError, match=r"crab task one cannot be played: .* field tasks\[0\]\.attribute\.contact"):
        suite.instantiate("one", 0)


def test_every_sink_of_one_is_followed_by_every_source_of_the_next() -> None:
    def graph(name: str, *edges: tuple[str, str], nodes: str) -> JudgeGraph:
        judges = tuple(Judge(f"{name}{node}", lambda _: False) for node in nodes)
        return JudgeGraph(judges, tuple((f"{name}{a}", f"{name}{b}") for a, b in edges))

    # u has the sinks u2, u3; v the sources v1, v2 and the sink v3.
    u = graph("u", ("1", "2"), ("1", "3"), nodes="123")
    v = graph("v", ("1", "3"), ("2", "3"), nodes="123")
    found = link_graphs([u, v], Adjacency((0, 1), ((0, 1),)))
    across = {edge for edge in found.edges if edge[0][0] != edge[1][0]}
    assert across == {("u2", "v1"), ("u2", "v2"), ("u3", "v1"), ("u3", "v2")}
    assert (len(found.nodes), len(found.edges)) == (6, 8)
    assert found.sinks == ("v3",)


def test_the_join_of_the_miniature_has_the_edges_of_its_variant(tmp_path: Path) -> None:
    mini_crab.write(tmp_path)
    joined = next(
        t for t in load_tasks(Source.open(str(tmp_path), "")).items if len(t.graph.edges) == 2 and t.folder == "cross"
    )
    across: dict[str, set[tuple[str, str]]] = {}
    for variant in ("paper", "release"):
        graph = CrabSuite(str(tmp_path), variant=variant).instantiate(joined.id, 0).graph
        across[variant] = {edge for edge in graph.edges if edge[0][0] != edge[1][0]}
    ends = ("1 note opened", "2 mail read", "3 document begun", "3 document saved")
    assert across["paper"] == {(ends[0], ends[2]), (ends[1], ends[2])}
    assert across["release"] == {(ends[0], ends[2]), (ends[3], ends[1])}


def test_the_table_has_sub_tasks_of_both_devices_that_join() -> None:
    subtasks = POOL.subtasks.values()
    assert len(subtasks) >= 12
    assert {"phone", "desktop"} <= {subtask.env for subtask in subtasks}
    outputs = {subtask.output for subtask in subtasks if subtask.output}
    assert {"contact", "file", "text/code", "text/number", "text/phone", "text/email"} <= outputs


def test_limits_are_those_of_the_paper_or_of_the_released_code(tmp_path: Path) -> None:
    data = folder_of(tmp_path, SINGLE)
    paper = CrabSuite(data).instantiate("one", 0).limits
    release = CrabSuite(data, limits="release").instantiate("one", 0).limits
    assert paper is not None
    assert paper.turns == 15
    assert release == Limits(50, 20)


def test_versions_follow_the_files_and_options_are_checked(tmp_path: Path) -> None:
    data = folder_of(tmp_path, SINGLE)
    before = CrabSuite(data).version
    assert CrabSuite(data).version == before
    folder_of(tmp_path, {**SINGLE, "description": "Call her"})
    assert CrabSuite(data).version != before
    with pytest.raises(ConfigError, match="no variant 'papr'; did you mean paper"):
        CrabSuite(data, variant="papr")
    with pytest.raises(ConfigError, match="no set of limits"):
        CrabSuite(data, limits="none")
    with pytest.raises(ConfigError, match="is not a table of sub-tasks"):
        CrabSuite(data, subtasks="omnipilot.bench.suites.subtasks.duet_pool:DRAWS")
    with pytest.raises(ConfigError, match="git clone https://github.com/camel-ai/crab"):
        CrabSuite()
