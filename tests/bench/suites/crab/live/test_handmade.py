"""CRAB's handmade tasks are read from its code, which is not run, and joined as its files are."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from omnipilot.bench.judges import load_judge
from omnipilot.bench.scoring.data.records import Bad
from omnipilot.bench.suites.crab import CrabSuite
from omnipilot.bench.suites.crab.data import CrabTask
from omnipilot.bench.suites.crab.live.handmade import HANDMADE, read_handmade
from omnipilot.bench.suites.crab.live.judges import KINDS
from omnipilot.bench.suites.crab.live.pool import live_pool
from omnipilot.bench.synthesis.sampling import Claims

WORLD = {"devices": {"ubuntu": {"kind": "desktop"}, "android": {"kind": "android", "serial": "emulator-5554"}}}
DATA = os.environ.get("CRAB_DATASET", "")
CODE = """
raise SystemExit("this file is not run")
WORDS = "a sentence"

def evaluator_1():
    result = nx.DiGraph()
    path = "/home/crab/poem"
    a = check_current_window_process("gnome-terminal-server")
    b = ~is_process_open("vim")
    c = check_file_content(path, WORDS)
    d = check_contain_input_text("cat " + path)
    result.add_edges_from([(a, b), (b, c)])
    result.add_edges_from([(c, d)])
    return result

def evaluator_2():
    result = nx.DiGraph()
    a = check_moon_phase("full")
    result.add_edges_from([])
    return result

tasks = [
    Task(id="one", description="Write a poem to /home/crab/poem.", evaluator=evaluator_1()),
    Task(
        id="two",
        description="Send it.",
        evaluator=nx.path_graph(
            [check_current_package_name("com.a/com.a.Main"), check_message_text_box_empty()], create_using=nx.DiGraph
        ),
    ),
    Task(id="three", description="Look up.", evaluator=evaluator_2()),
    Task(id="four", description="Loop.", evaluator=[x for x in y]),
]
"""


def test_graphs_and_values_are_those_that_are_written() -> None:
    one, two, three, four = read_handmade(CODE)
    assert isinstance(one, CrabTask) and isinstance(two, CrabTask) and isinstance(three, CrabTask)
    assert [(use.subtask, use.attributes) for use in one.uses] == [
        ("handmade:check_current_window_process", {"name": "gnome-terminal-server"}),
        ("handmade:~is_process_open", {"name": "vim"}),
        ("handmade:check_file_content", {"path": "/home/crab/poem", "text": "a sentence"}),
        ("handmade:check_contain_input_text", {"text": "cat /home/crab/poem"}),
    ]
    assert one.graph.edges == ((0, 1), (1, 2), (2, 3))
    assert (two.graph.nodes, two.graph.edges, two.folder) == ((0, 1), ((0, 1),), "handmade")
    assert isinstance(four, Bad) and four.record == "four"


def test_they_are_tasks_of_the_suite_with_ones_own_words_and_what_cannot_be_judged_is_listed(tmp_path: Path) -> None:
    (tmp_path / "handmade_tasks.py").write_text(CODE)
    suite = CrabSuite(str(tmp_path), world=WORLD, instead={"/home/crab": "/home/user"})
    assert [info.id for info in suite.tasks()] == ["one", "two"]
    assert suite.tasks()[0].description == "Write a poem to /home/user/poem."
    task = suite.instantiate("one", 0)
    assert [node.env for node in task.graph.nodes] == ["ubuntu"] * 4 and len(task.graph.edges) == 3
    assert "file contains: /home/user/poem, a sentence" in task.graph.nodes[2].name
    assert {bad.record for bad in suite.bad} == {"three", "four"}
    assert any("check_moon_phase" in bad.reason for bad in suite.bad)
    before = suite.version
    (tmp_path / "handmade_tasks.py").write_text(CODE + "\n")
    assert CrabSuite(str(tmp_path), world=WORLD).version != before


@pytest.mark.parametrize("name", HANDMADE)
def test_each_check_is_a_judge_that_takes_what_it_is_given(name: str) -> None:
    one = HANDMADE[name]
    piece = live_pool(WORLD, {}).subtasks[name].make(dict.fromkeys(one.attributes, "left"), frozenset(), Claims())
    assert len(piece.graph.nodes) == 1
    ((kind, _),) = one.judges
    assert kind == "submitted" or kind in KINDS or load_judge(kind)


def test_what_is_no_python_is_told(tmp_path: Path) -> None:
    (found,) = read_handmade("def (")
    assert isinstance(found, Bad) and "no Python" in found.reason


@pytest.mark.needs("CRAB's data")
@pytest.mark.parametrize("rules", ["paper", "release"])
def test_all_of_crabs_own_139_tasks_have_judges(rules: str) -> None:
    suite = CrabSuite(DATA, world=WORLD, rules=rules)
    assert (len(suite.tasks()), len(suite.bad)) == (139, 0)
    assert sum(info.tags["folder"] == "handmade" for info in suite.tasks()) == 16
    graphs = [suite.instantiate(info.id, 0).graph for info in suite.tasks()]
    assert sum(any(judge.reads_controls for judge in graph.nodes) for graph in graphs) == 1
