"""OmniBench's figures from trajectories and results, with numbers computed by hand."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import omnibench_data
import pytest
from omnibench_data import TASK

from omnipilot.bench.scoring import Scored
from omnipilot.bench.scoring.data.source import Source
from omnipilot.bench.scoring.score import scored_tables
from omnipilot.bench.suites.omnibench import sample as mini_omnibench
from omnipilot.bench.suites.omnibench.data import load_data
from omnipilot.bench.suites.omnibench.metrics.execution import Execution
from omnipilot.bench.suites.omnibench.metrics.graph import TaskGraph
from omnipilot.bench.suites.omnibench.predictions import OmniBenchEpisode
from omnipilot.bench.suites.omnibench.score import OmniBench, figures_of

ONE = {
    "task_instruction": "Write a document",
    "dag": {"nodes": ["a"], "edges": {"a": [[]]}},
    "task_intent": "A report",
    "successful_topo": [["a"]],
}


def scored(tmp_path: Path, predictions: Any, variant: str = "paper", tasks: Mapping[str, Any] | None = None) -> Scored:
    """Predictions of the two chains, scored; a list is written as JSON lines."""
    data = omnibench_data.write(tmp_path / "data", tasks)
    if isinstance(predictions, list):
        path = tmp_path / "trajectories.jsonl"
        path.write_text("".join(json.dumps(line) + "\n" for line in predictions))
    else:
        path = tmp_path / "evaluation_results.json"
        path.write_text(json.dumps(predictions))
    return OmniBench().score(data, path, variant)


def trajectory(*order: str, task: str = "12", **more: Any) -> dict[str, Any]:
    """A task trajectory that completed these subtasks."""
    return {"trajectory_id": f"{task} (0)", "task_id": task, "topological_order": list(order), **more}


@pytest.mark.parametrize(
    ("order", "paper", "release"),
    [
        # Depths 1, 1, 2, 2. CS_max is 2: Word, Word, Excel, Excel. The longest run of any order is 2.
        ("abcd", (1.0, 1.0, 1.0), (1.0, 1.0)),
        ("acbd", (1.0, 0.0, 1.0), (1.0, 0.0)),
        ("bad", (4 / 6, 1 / 2, 0.0), (1.0, 1.0)),
        ("acb", (4 / 6, 0.0, 0.0), (1.0, 0.0)),
        ("ac", (3 / 6, 0.0, 0.0), (0.0, 0.0)),
        ("", (0.0, 0.0, 0.0), (0.0, 0.0)),
    ],
)
def test_both_variants_by_hand(
    tmp_path: Path, order: str, paper: tuple[float, ...], release: tuple[float, ...]
) -> None:
    found = scored(tmp_path, [trajectory(*order)])
    assert [figure.name for figure in found.figures] == ["CR", "LC", "SR"]
    assert [figure.value for figure in found.figures] == pytest.approx(list(paper))
    found = scored(tmp_path, [trajectory(*order)], "release")
    assert [figure.name for figure in found.figures] == ["completion", "coherence", "SR"]
    assert [figure.value for figure in found.figures[:2]] == pytest.approx(list(release))


def test_a_task_in_which_no_order_has_a_pair_is_left_out_of_lc_and_scores_0_as_released(tmp_path: Path) -> None:
    both = {"12": TASK, "13": ONE}
    lines = [trajectory("a", "b", "c", "d"), trajectory("a", task="13")]
    found = scored(tmp_path, lines, tasks=both)
    assert (found.figure("LC").value, found.figure("LC").of) == (1.0, 1)
    assert (found.figure("CR").value, found.figure("CR").of) == (1.0, 2)
    released = scored(tmp_path, lines, "release", both)
    assert (released.figure("coherence").value, released.figure("coherence").of) == (0.5, 2)
    # A task of one level is complete as released, with nothing done.
    idle = scored(tmp_path, [trajectory(task="13"), trajectory("a")], "release", both)
    assert idle.figure("completion").value == pytest.approx((1.0 + 0.0) / 2)


@pytest.mark.parametrize(
    ("line", "field"),
    [
        (trajectory("a", "x"), "topological_order"),
        (trajectory("c", "a"), "topological_order"),
        (trajectory("a", "a"), "topological_order"),
        ({"task_id": "12"}, "topological_order"),
        ({"task_id": "12", "executed": [1]}, "executed"),
    ],
)
def test_an_order_that_cannot_be_is_worth_nothing_and_told(tmp_path: Path, line: dict[str, Any], field: str) -> None:
    found = scored(tmp_path, [line])
    assert [figure.value for figure in found.figures] == [0.0, 0.0, 0.0]
    assert found.figure("CR").void == 0
    assert any(f"trajectories.jsonl, record 0, field {field}: " in note for note in found.notes)


def test_a_task_without_a_prediction_is_void_and_a_stranger_is_extra(tmp_path: Path) -> None:
    both = {"12": TASK, "13": ONE}
    found = scored(tmp_path, [trajectory("a", "b", "c", "d"), trajectory("a", task="99"), 5], tasks=both)
    assert (found.missing, found.extra) == (("13",), ("99",))
    figure = found.figure("SR")
    assert (figure.value, figure.of, figure.void) == (0.5, 2, 1)
    assert figure.valid is not None
    assert figure.valid.estimate == 1.0
    assert any("record 2" in note for note in found.notes)


def test_where_all_are_void_each_figure_is_zero_of_all(tmp_path: Path) -> None:
    data = omnibench_data.write(tmp_path / "data", {"12": TASK})
    tasks = {task.id: task for task in load_data(Source.open(data, "")).items}
    lost = replace(Execution(tasks["12"].graph), void=True)
    attempts = [OmniBenchEpisode("12", 0, trial, lost, False, True) for trial in range(3)]
    for rules in ("paper", "release"):
        found = figures_of(attempts, tasks, rules)  # type: ignore[arg-type]
        assert [(one.value, one.of, one.void, one.valid) for one in found] == [(0.0, 3, 3, None)] * 3
    # A file of outcomes alone does not tell CR and LC, whatever is lost beside it.
    known = figures_of([*attempts, OmniBenchEpisode("12", 0, 3, None, True)], tasks, "paper")
    assert [(one.value, one.of, one.void) for one in known] == [(None, 0, 0), (None, 0, 0), (1 / 4, 4, 3)]


def test_repetitions_of_a_task_are_one_cluster(tmp_path: Path) -> None:
    interval = scored(tmp_path, [trajectory("a"), trajectory("a", "b")]).figure("CR").interval
    assert interval is not None
    assert (interval.estimate, interval.units, interval.clusters) == (pytest.approx(1.5 / 6), 2, 1)


def test_results_give_sr_alone_or_the_scores_that_the_released_code_wrote(tmp_path: Path) -> None:
    both = {"12": TASK, "13": ONE}
    results = {
        "12": {"outcome": "Success", "score": {"completion": 1.0, "coherence": 0.5}, "steps_taken": 9},
        "13": {
            "outcome": "Fail (waited too long)",
            "score": {"completion": 0.5, "coherence": 0.0},
            "steps_taken": 21,
        },
    }
    paper = scored(tmp_path, results, tasks=both)
    assert [figure.value for figure in paper.figures] == [None, None, 0.5]
    assert paper.tables == ()
    assert any("only SR can be had" in note for note in paper.notes)
    release = scored(tmp_path, results, "release", both)
    assert [figure.value for figure in release.figures] == [0.75, 0.25, 0.5]
    broken = scored(tmp_path, {"12": {"outcome": "Success", "score": {"completion": 1}}}, "release")
    assert any("record 12, field score.coherence: it is missing" in note for note in broken.notes)


def test_the_breakdown_has_each_level_and_capability_with_its_tasks(tmp_path: Path) -> None:
    levels, capabilities = scored(tmp_path, [trajectory("a", "c")]).tables
    rows = {row[:2]: row[2:] for row in levels.rows}
    assert len(rows) == 15
    assert rows["dependency", "medium"][1:] == ("1", "0")
    assert rows["dependency", "medium"][0].startswith("50.0 ")
    assert rows["dependency", "hard"] == ("—", "0", "0")
    assert len(capabilities.rows) == 10
    assert all(row[3] == "0" for row in capabilities.rows)


def orders(graph: TaskGraph, done: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """Every order of the subtasks that the graph allows."""
    if len(done) == len(graph.ids):
        yield done
    for name in graph.ids:
        if name not in done and all(before in done for before, after in graph.edges if after == name):
            yield from orders(graph, (*done, name))


def brute(graph: TaskGraph, order: Sequence[str]) -> tuple[float, float | None]:
    """CR and LC as the paper words them, depths by the longest path and CS_max over every order."""
    where = {subtask.id: subtask.application for subtask in graph.subtasks}

    def depth(name: str) -> int:
        return 1 + max((depth(before) for before, after in graph.edges if after == name), default=0)

    def pairs(names: Sequence[str]) -> int:
        return sum(where[a] == where[b] for a, b in itertools.pairwise(names))

    most = max(map(pairs, orders(graph)))
    return sum(map(depth, order)) / sum(map(depth, where)), pairs(order) / most if most else None


def test_the_sample_over_the_miniature_by_brute_force(tmp_path: Path) -> None:
    mini_omnibench.write(tmp_path)
    path = mini_omnibench.sample_predictions(tmp_path)
    covered, consistent = [], []
    for number, task in enumerate(load_data(Source.open(str(tmp_path), "")).items):
        order = task.topologies[0]
        share, logic = brute(task.graph, (order, order[: len(order) // 2], (), ())[number % 4])
        covered.append(share)
        consistent += [] if logic is None else [logic]
    found = OmniBench().score(str(tmp_path), path, "paper")
    assert found.figure("CR").value == pytest.approx(sum(covered) / 8)
    assert found.figure("LC").value == pytest.approx(sum(consistent) / len(consistent))
    assert (found.figure("LC").of, len(covered)) == (len(consistent), 8)
    assert found.missing == ("4", "8")
    assert found.figure("SR").value == pytest.approx(2 / 8)
    assert len([note for note in found.notes if note.startswith("2 predictions cannot be read")]) == 1
    assert "omnibench, variant paper" in scored_tables(found)[0].text()


def test_actions_are_compared_with_demonstrations_where_there_are_any(tmp_path: Path) -> None:
    data, predictions = tmp_path / "data", tmp_path / "predictions.jsonl"
    mini_omnibench.write(data)
    task = next(iter(sorted((data / "tasks").glob("*.json")))).stem
    actions = [
        {"function": "click_input", "args": {"button": "left", "double": False}, "rect": [10, 10, 20, 20]},
        {"function": "keyboard_input", "args": {"keys": "7394{ENTER}"}, "rect": None},
    ]
    made = {"trajectory_id": f"{task} (0)", "task_id": task, "topological_order": []}
    said = {**made, "actions": [{**actions[0], "rect": [14, 14, 2, 2]}, {"function": "keyboard_input", "args": 5}]}
    predictions.write_text(json.dumps(said) + "\n", encoding="utf-8")

    def figures() -> dict[str, float]:
        found = OmniBench().score(str(data), predictions, "paper")
        return {one.name: one.interval.estimate for one in found.figures if one.interval is not None}

    assert "AMS" not in figures()
    worse = {**made, "actions": actions[1:]}
    lines = "".join(json.dumps(one) + "\n" for one in (worse, {**made, "actions": actions}))
    (data / "task_trajectories.jsonl").write_text(lines, encoding="utf-8")
    assert figures()["AMS"] == 0.5
