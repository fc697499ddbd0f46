"""OmniBench's data files: what is read, what is wrong with which field, and what of it can be played."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import omnibench_data
import pytest
from omnibench_data import APPLICATIONS, TASK, subtask

from omnipilot.bench import Case, GraphEvaluator, Judge, JudgeGraph
from omnipilot.bench.judges import read_evaluator
from omnipilot.bench.scoring.data.records import Loaded
from omnipilot.bench.scoring.data.source import Source
from omnipilot.bench.suites.omnibench import OmniBenchSuite
from omnipilot.bench.suites.omnibench import sample as mini_omnibench
from omnipilot.bench.suites.omnibench.dag import completion_order
from omnipilot.bench.suites.omnibench.data import OmniTask, category_of, load_data
from omnipilot.bench.suites.omnibench.metrics.graph import Subtask, TaskGraph
from omnipilot.bench.suites.omnibench.suite import single_judge
from omnipilot.bench.synthesis.compose import fits
from omnipilot.bench.tasks import select
from omnipilot.envs import ConfigError
from omnipilot.envs.sim import SimWorld


def loaded(folder: str | Path) -> Loaded[OmniTask]:
    """The data in a folder."""
    return load_data(Source.open(str(folder), "get it there"))


def with_dag(**change: Any) -> dict[str, Any]:
    """The task with its graph changed."""
    return {**TASK, "dag": {**TASK["dag"], **change}}


def bad_task(tmp_path: Path, task: Mapping[str, Any]) -> str:
    """What is wrong with the one task of the data."""
    found = loaded(omnibench_data.write(tmp_path, {"12": task}))
    assert found.items == ()
    return str(found.bad[-1])


def test_a_task_is_named_by_its_file_and_an_empty_list_is_no_successor(tmp_path: Path) -> None:
    (task,) = loaded(omnibench_data.write(tmp_path)).items
    assert (task.id, task.intent, task.instruction) == ("12", "Two reports", TASK["task_instruction"])
    assert task.graph.ids == ("a", "b", "c", "d")
    assert task.graph.edges == (("a", "c"), ("b", "d"))
    assert task.topologies == (("a", "b", "c", "d"), ("a", "c", "b", "d"))
    assert [part.application for part in task.subtasks] == list(APPLICATIONS.values())


def test_a_node_that_the_edges_leave_out_has_no_successor_either(tmp_path: Path) -> None:
    (task,) = loaded(omnibench_data.write(tmp_path, {"12": with_dag(edges={"a": ["c"], "b": ["d"]})})).items
    assert task.graph.edges == (("a", "c"), ("b", "d"))


@pytest.mark.parametrize(
    ("task", "field", "why"),
    [
        ({**TASK, "task_instruction": 5.5}, "task_instruction", "expected text"),
        ({**TASK, "dag": []}, "dag", "expected an object"),
        (with_dag(nodes="abcd"), "dag.nodes", "expected a list"),
        (with_dag(nodes=["a", 5]), "dag.nodes", "list of strings"),
        (with_dag(nodes=["a", "b", "c", "d", "e"]), "dag.nodes[4]", "no file of subtasks has e"),
        (with_dag(edges=[]), "dag.edges", "expected an object"),
        (with_dag(edges={"x": ["a"]}), "dag.edges.x", "not one of the task's nodes"),
        (with_dag(edges={"a": ["x"]}), "dag.edges.a", "not 'x'"),
        (with_dag(edges={"a": "c"}), "dag.edges.a", "expected a list"),
        (with_dag(edges={"a": ["c"], "c": ["a"]}), "dag", "cycle"),
        (with_dag(nodes=["a", "a", "b", "c", "d"]), "dag", "unique ids"),
        (with_dag(edges={"a": ["b"]}), "dag.edges.a", "a yields file/report, b takes nothing. Add the type"),
        ({**TASK, "successful_topo": [["a", "b"]]}, "successful_topo[0]", "2 of 4"),
        ({**TASK, "successful_topo": [["c", "a", "b", "d"]]}, "successful_topo[0]", "completed before a"),
        ({**TASK, "successful_topo": ["abcd"]}, "successful_topo[0]", "list of ids"),
    ],
)
def test_a_wrong_field_is_told_with_file_record_and_field(
    tmp_path: Path, task: dict[str, Any], field: str, why: str
) -> None:
    told = bad_task(tmp_path, task)
    assert told.startswith(f"tasks/12.json, record 12, field {field}: ")
    assert why in told


@pytest.mark.parametrize("field", ["task_instruction", "dag", "task_intent", "successful_topo"])
def test_a_missing_field_of_a_task_is_told(tmp_path: Path, field: str) -> None:
    told = bad_task(tmp_path, {name: value for name, value in TASK.items() if name != field})
    assert told.startswith(f"tasks/12.json, record 12, field {field}: it is missing")


@pytest.mark.parametrize("field", list(subtask("a")))
def test_a_missing_field_of_a_subtask_is_told_and_so_is_the_task_that_it_is_part_of(tmp_path: Path, field: str) -> None:
    broken = {name: value for name, value in subtask("a").items() if name != field}
    found = loaded(omnibench_data.write(tmp_path, subtasks=[broken, *map(subtask, "bcd")]))
    assert found.items == ()
    own, task = map(str, found.bad)
    assert own.startswith(f"subtasks.json, record {0 if field == 'id' else 'a'}, field {field}: it is missing")
    assert task.startswith("tasks/12.json, record 12, field dag.nodes[0]: ")


def test_a_set_of_parameters_without_a_hole_of_the_template_is_told(tmp_path: Path) -> None:
    broken = subtask("a", available_parameters=[{"path": "x"}, {"file": "x"}])
    own = loaded(omnibench_data.write(tmp_path, subtasks=[broken, *map(subtask, "bcd")])).bad[0]
    assert str(own).startswith("subtasks.json, record a, field available_parameters[1].path: it is missing")


def test_an_object_of_parameters_is_one_set_and_the_one_that_is_told_is_taken(tmp_path: Path) -> None:
    sets = [{"path": "x.docx", "size": 3}, {"path": "y.docx", "size": 4}]
    several = subtask("a", available_parameters=sets)
    single = subtask("b", available_parameters={"path": "z.docx"})
    (task,) = loaded(omnibench_data.write(tmp_path, subtasks=[several, single, *map(subtask, "cd")])).items
    first, second, *_ = task.subtasks
    assert first.parameters_in("Open y.docx in size 4") == sets[1]
    assert first.parameters_in("Open it") == sets[0]
    assert second.parameters_in("Open it") == {"path": "z.docx"}


def test_subtasks_may_lie_in_lines_or_in_a_folder(tmp_path: Path) -> None:
    omnibench_data.write(tmp_path)
    lines = "".join(json.dumps(subtask(id)) + "\n" for id in "ab")
    (tmp_path / "subtasks.json").rename(tmp_path / "subtasks.jsonl")
    (tmp_path / "subtasks.jsonl").write_text(lines)
    (tmp_path / "subtasks").mkdir()
    (tmp_path / "subtasks" / "c.json").write_text(json.dumps(subtask("c")))
    (tmp_path / "subtasks" / "others.json").write_text(json.dumps({"d": subtask("d")}))
    assert len(loaded(tmp_path).items) == 1


def test_a_folder_without_subtasks_or_tasks_says_how_the_data_is_had(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"no subtasks.json or .* get it there"):
        loaded(tmp_path)
    (tmp_path / "subtasks.json").write_text("[]")
    with pytest.raises(ConfigError, match=r"no tasks/\*.json. get it there"):
        loaded(tmp_path)


def test_a_subtask_without_a_judge_is_a_bad_record_and_no_code_of_the_data_is_run(tmp_path: Path) -> None:
    omnibench_data.write(tmp_path)
    trap = tmp_path / "trap"
    code = f"open({str(trap)!r}, 'w').close()\ndef evaluate_agent_task_completion(path): pass\n"
    for id in APPLICATIONS:
        (tmp_path / f"{id}.txt").write_text(code)
    suite = OmniBenchSuite(str(tmp_path))
    assert suite.tasks() == []
    assert [str(bad)[:55] for bad in suite.bad] == ["tasks/12.json, record 12, field dag.nodes[0]: the table"]
    assert "its evaluation function is code of the data set and is not run" in str(suite.bad[0])
    with pytest.raises(ConfigError, match="omnibench task 12 cannot be played"):
        suite.instantiate("12", 0)
    assert not trap.exists()


def test_tags_are_the_five_levels_and_the_capabilities(tmp_path: Path) -> None:
    (task,) = loaded(omnibench_data.write(tmp_path)).items
    # 2 edges, 4 nodes, depth 2, width 2, one category (Office).
    assert {name: task.tags()[name] for name in ("dependency", "instruction", "hierarchy", "branch", "knowledge")} == {
        "dependency": "medium",
        "instruction": "medium",
        "hierarchy": "easy",
        "branch": "easy",
        "knowledge": "easy",
    }
    assert task.tags()["template"] == "a+b+c+d"


def test_an_application_that_table_11_does_not_have_leaves_knowledge_open_unless_the_record_says_more(
    tmp_path: Path,
) -> None:
    others = list(map(subtask, "bcd"))
    (task,) = loaded(omnibench_data.write(tmp_path / "1", subtasks=[subtask("a", application="Foo"), *others])).items
    assert not task.classified
    assert "knowledge" not in task.tags()
    assert task.tags()["dependency"] == "medium"
    known = subtask("a", application="Foo", category="Web Browsing")
    (task,) = loaded(omnibench_data.write(tmp_path / "2", subtasks=[known, *others])).items
    assert task.tags()["knowledge"] == "medium"
    assert (category_of("microsoft edge"), category_of("Terminal")) == ("Web Browsing", "Programming")


def test_the_miniature_has_levels_from_easy_to_hard_and_can_be_chosen_by_them(tmp_path: Path) -> None:
    mini_omnibench.write(tmp_path)
    infos = OmniBenchSuite(str(tmp_path)).tasks()
    for name in ("dependency", "instruction", "hierarchy", "branch", "knowledge"):
        assert {info.tags[name] for info in infos} >= {"easy", "hard"}, name
    assert [info.id for info in select(infos, ["branch=hard"])] == ["6"]
    assert [info.id for info in select(infos, ["hierarchy=hard"])] == ["7"]
    assert all(info.intent for info in infos)


def test_one_judge_a_subtask_is_reached_where_its_judges_end() -> None:
    reached: set[str] = set()
    judges = [Judge(name, lambda _, name=name: name in reached) for name in ("opened", "sent", "saved")]
    graph = JudgeGraph(tuple(judges), (("opened", "sent"), ("opened", "saved")))
    one = single_judge(graph, "id", "phone")
    case = Case(SimWorld())
    assert (one.name, one.env, one.when) == ("id", "phone", "step")
    for name, done in (("opened", False), ("sent", False), ("saved", True)):
        reached.add(name)
        assert one(case).reached is done
    reached.remove("opened")
    assert GraphEvaluator(JudgeGraph((one,))).step(case)[0].completed
    assert (one.group, one.reads_controls) == (None, False)
    clicked = read_evaluator({"checks": [{"check": "check_mouse_clicks", "args": {"text": "Save"}}]})
    one = single_judge(clicked, "id", "phone")
    assert one.group is not None and one.reads_controls


def test_what_is_completed_in_one_step_counts_in_the_order_of_the_file_but_for_what_waits() -> None:
    graph = TaskGraph(tuple(Subtask(name, "Word") for name in "dcba"), (("a", "d"), ("b", "c")))
    assert completion_order(graph, [], "abcd") == ["b", "a", "d", "c"]
    assert completion_order(graph, ["a"], "db") == ["d", "b"]
    assert completion_order(graph, [], "d") == []


@pytest.mark.parametrize("seed", range(3))
def test_the_edges_of_the_miniature_follow_from_its_own_files(tmp_path: Path, seed: int) -> None:
    mini_omnibench.write(tmp_path, seed)
    subtasks = {one["id"]: one for one in json.loads((tmp_path / "subtasks.json").read_text())}
    met = set()
    for path in sorted((tmp_path / "tasks").iterdir()):
        dag = json.loads(path.read_text())["dag"]
        told = {(node, late) for node, behind in dag["edges"].items() for late in behind if late}
        derived = {
            (one, other)
            for one in dag["nodes"]
            for other in dag["nodes"]
            if any(
                fits(output, taken)
                for output in subtasks[one]["output_resources"]
                for taken in subtasks[other]["input_resources"]
            )
        }
        assert derived == told, path.name
        met |= told
    assert len(met) >= 10


def test_an_edge_without_a_resource_that_passes_is_bad_with_the_cure(tmp_path: Path) -> None:
    mini_omnibench.write(tmp_path)
    subtasks = json.loads((tmp_path / "subtasks.json").read_text())
    emptied = [{**one, "output_resources": []} for one in subtasks]
    (tmp_path / "subtasks.json").write_text(json.dumps(emptied))
    found = loaded(tmp_path)
    assert [task.id for task in found.items] == ["1"], "a single subtask has no edges"
    assert len(found.bad) == len(mini_omnibench.TASKS) - 1
    told = str(found.bad[0])
    assert told.startswith("tasks/2.json, record 2, field dag.edges.")
    assert "yields nothing" in told
    assert "Add the type of what passes to output_resources of" in told


def test_a_special_type_passes_where_a_general_one_is_taken_and_not_the_other_way(tmp_path: Path) -> None:
    made, wants = subtask("a", output_resources=["text/code"]), subtask("c", input_resources=["text"])
    others = [subtask("b"), subtask("d")]
    assert len(loaded(omnibench_data.write(tmp_path / "1", subtasks=[made, wants, *others])).items) == 1
    general, special = subtask("a", output_resources=["text"]), subtask("c", input_resources=["text/code"])
    assert loaded(omnibench_data.write(tmp_path / "2", subtasks=[general, special, *others])).items == ()
