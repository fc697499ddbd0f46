"""Scores of MMBench-GUI levels 3 and 4 from trees of results, tables, and runs: by hand, and what is not there."""

from __future__ import annotations

import csv
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, get_args

import pytest
from mmbench_l1_made import data, item
from toy_suite import toy_spec

from omnipilot.agents import AgentSpec, PartSpec
from omnipilot.bench import RunSpec, headline
from omnipilot.bench.run import run
from omnipilot.bench.scoring import Scored
from omnipilot.bench.scoring.eqa import Form
from omnipilot.bench.scoring.score import scored_tables
from omnipilot.bench.stats.outcomes import outcomes
from omnipilot.bench.suites.mmbench_gui.level3 import sample as mini_mmbench_l3
from omnipilot.bench.suites.mmbench_gui.level3.run_attempts import group_tasks
from omnipilot.bench.suites.mmbench_gui.level3.score import MMBenchL3, MMBenchL4, limits_of
from omnipilot.bench.tasks.task import values_of
from omnipilot.envs import ConfigError

DONE = {"completed": True, "steps_used": 5, "max_steps": 15}
SLOW = {"completed": True, "steps_used": 10, "max_steps": 15}
FAILED = {"completed": False, "steps_used": 15, "max_steps": 15}


def tree(root: Path, results: Mapping[str, Any]) -> Path:
    """A `result.txt` for each task; text is written as it stands."""
    for task, result in results.items():
        file = root / task / "result.txt"
        file.parent.mkdir(parents=True)
        file.write_text(result if isinstance(result, str) else json.dumps(result), encoding="utf-8")
    return root


def values(found: Scored, limit: int = 15) -> list[float | None]:
    """SR, EQA, EQ¹ and EQ²."""
    return [found.figure(f"{name}@{limit}").value for name in ("SR", "EQA", "EQ1", "EQ2")]


def test_by_hand_in_every_form(tmp_path: Path) -> None:
    # Of 30 steps the first ends at 5 and the second at 15: u = 1/6 and 1/2.
    root = tree(tmp_path / "results", {"a": DONE, "b": SLOW})
    closed = (5 / 6 + 1 / 2) / 2
    # The grid is at or past u = 1/6 from 17 to 100 and at or past 1/2 from 50: 84 and 51 of 101 points.
    grid = (84 + 51) / 2 / 101
    lines = sum(
        min(1, (m / 100) / (1 / 6)) / 2 + (min(1, (m / 100 - 1 / 6) / (1 / 3)) / 2 if m > 16 else 0) for m in range(101)
    )
    assert set(MMBenchL3.variants) == set(get_args(Form)) and MMBenchL3.variants[0] == "release"
    for form, area in (("closed", closed), ("integral", closed), ("grid", grid), ("release", lines / 101)):
        found = MMBenchL3().score("", root, form)
        assert values(found) == pytest.approx([1, area, area, 1 - area])
        assert found.variant == form and found.figures[0].of == 2
    assert values(MMBenchL3().score("", root)) == values(found)
    assert MMBenchL4().score("", root).benchmark == "mmbench-l4"


def test_platforms_are_folders_and_their_mean_weighs_them_by_tasks(tmp_path: Path) -> None:
    results = {"os_web/a": DONE, "os_web/b": FAILED, "macOS/c": DONE, "Linux/deep/d": FAILED, "linux/e": FAILED}
    found = MMBenchL3().score("", tree(tmp_path, {**results, "somewhere/f": DONE}), "closed")
    rows = {row[0]: row[1:3] for row in found.tables[0].rows}
    assert rows == {
        "(not told)": ("1", "0"),
        "os_linux": ("2", "0"),
        "os_mac": ("1", "0"),
        "os_web": ("2", "0"),
        "average": ("6", "0"),
    }
    # (1 - 5/15) on the Mac and where it is not told; on the web (1 - 5/30)/2 of two tasks.
    assert values(found)[:2] == pytest.approx([3 / 6, (2 / 3 + 2 / 3 + 2 * (5 / 6) / 2) / 6])
    # Nothing succeeded on Linux: no EQ¹ there.
    assert next(row for row in found.tables[0].rows if row[0] == "os_linux")[5] == "—"


def test_the_order_is_that_of_the_paths_and_the_mean_over_orders_stands_beside(tmp_path: Path) -> None:
    early = MMBenchL3().score("", tree(tmp_path / "early", {"a": DONE, "b": FAILED}), "closed")
    late = MMBenchL3().score("", tree(tmp_path / "late", {"a": FAILED, "b": DONE}), "closed")
    assert values(early)[1] == pytest.approx((1 - 5 / 30) / 2) and values(late)[1] == pytest.approx((1 - 20 / 30) / 2)
    for found in (early, late):
        mean = found.figure("EQA@15, any order")
        assert mean.value == pytest.approx((10 / 12 + 4 / 12) / 4, abs=0.02)
        assert mean.interval is not None and "1,000 seeded orders" in mean.interval.method


@pytest.mark.parametrize(
    ("told", "limits"), [(None, (15, 50)), (10, (10,)), (15, (15,)), (30, (15, 30)), (50, (15, 50)), (100, (15, 50))]
)
def test_figures_are_at_the_limits_that_attempts_were_under(
    tmp_path: Path, told: int | None, limits: tuple[int, ...]
) -> None:
    assert limits_of(told) == limits
    result = {"completed": True, "steps_used": 8, **({} if told is None else {"max_steps": told})}
    found = MMBenchL3().score("", tree(tmp_path, {"a": result}))
    assert [figure.name for figure in found.figures if figure.name.startswith("SR")] == [f"SR@{at}" for at in limits]
    assert any("no max_steps is told" in note for note in found.notes) == (told is None)
    assert any("no score at 50" in note for note in found.notes) == (told is not None and told < 50)


def test_what_took_longer_fails_at_the_smaller_limit(tmp_path: Path) -> None:
    slow = {"completed": True, "steps_used": 20, "max_steps": 50}
    found = MMBenchL3().score("", tree(tmp_path, {"a": slow, "b": {**slow, "steps_used": 4}}), "closed")
    assert values(found) == pytest.approx([1 / 2, (1 - 19 / 30) / 2, 1 - 19 / 30, 1 / 2 - (1 - 19 / 30) / 2])
    assert values(found, 50)[:2] == pytest.approx([1, (0.8 + 0.76) / 2])


def test_at_50_the_release_takes_attempts_as_they_are(tmp_path: Path) -> None:
    late = {"completed": True, "steps_used": 60}
    root = tree(tmp_path, {"a": late, "b": {**late, "steps_used": 20}})
    release, closed = (MMBenchL3().score("", root, form) for form in ("release", "closed"))
    lines = [m / 120 for m in range(60)] + [1 / 2 + (m - 60) / 40 for m in range(60, 80)] + [1.0] * 21
    assert values(release, 50)[:2] == pytest.approx([1, sum(lines) / 101])
    assert values(closed, 50)[:2] == pytest.approx([1 / 2, (1 - 70 / 100) / 2])
    assert values(release, 15)[0] == values(closed, 15)[0] == 0
    # First 60 and then 20 or the other way round: u is 0.6 or 0.2, and then 0.8.
    other = [m / 40 for m in range(20)] + [1 / 2 + (m - 20) / 120 for m in range(20, 80)] + [1.0] * 21
    mean = (sum(lines) + sum(other)) / 2 / 101
    assert release.figure("EQA@50, any order").value == pytest.approx(mean, abs=0.02)
    told = "1 attempts took more than 50 steps: at 50 they "
    assert f"{told}keep their steps and their success, as released" in release.notes
    assert f"{told}fail at 50" in closed.notes


def test_tasks_that_share_a_template_are_one_group() -> None:
    assert values_of({"template": "a+b"}, "template") == ("a", "b") and values_of({}, "template") == ()
    tasks = {"w": ("c",), "x": ("a",), "y": ("b", "c"), "z": ("d", "e"), "v": ("b", "a"), "u": (), "t": ()}
    assert group_tasks(tasks) == {"v": "v", "w": "v", "x": "v", "y": "v", "z": "z", "u": "u", "t": "t"}


def test_a_run_has_the_clusters_of_its_own_table(tmp_path: Path) -> None:
    # Nine questions of three screens, which are their templates.
    suite = PartSpec("mmbench-l1", {"data": data(tmp_path / "data", [item(0), item(1), item(2, "os_mac")])})
    result = run(RunSpec(AgentSpec(planner=PartSpec("oracle")), suite), tmp_path / "run")
    found = MMBenchL3().score("", tmp_path / "run")
    rate, area = found.figure("SR@15").interval, found.figure("EQA@15").interval
    own = headline(outcomes(result.episodes)).all
    assert rate is not None and area is not None
    assert (rate.units, rate.clusters) == (own.units, own.clusters) == (9, 3)
    assert area.clusters == 3 and "3 groups of tasks that share templates in 2 platforms" in area.method


@pytest.mark.parametrize(
    ("result", "reason"),
    [
        ("1.0", "the bare number that the release's single_run.py writes"),
        ("0", "write {completed, steps_used, max_steps}"),
        ("", "no JSON"),
        ("[1]", "it contains no object {completed, steps_used, max_steps}"),
        ({"completed": True}, "it is missing"),
        ({"completed": "perhaps", "steps_used": 3}, "must be true or false, not 'perhaps'"),
        ({"completed": True, "steps_used": -1}, "must be at least 0"),
        ({"completed": True, "steps_used": 3, "max_steps": "many"}, "expected a number"),
    ],
)
def test_a_result_that_cannot_be_read_is_void_and_listed(tmp_path: Path, result: Any, reason: str) -> None:
    found = MMBenchL3().score("", tree(tmp_path / "some", {"os_web/a": DONE, "os_web/b": result}), "closed")
    (missing,) = found.missing
    assert missing.startswith("os_web/b (") and reason in missing
    rate = found.figure("SR@15")
    assert (rate.value, rate.of, rate.void) == (0.5, 2, 1)
    assert rate.valid is not None and (rate.valid.estimate, rate.valid.units) == (1, 1)
    area = found.figure("EQA@15")
    assert area.value == pytest.approx((1 - 5 / 30) / 2)
    assert area.valid is not None and area.valid.estimate == pytest.approx(1 - 5 / 15)
    orders = found.figure("EQA@15, any order").valid
    # One task has one order.
    assert orders is not None and orders.estimate == pytest.approx(1 - 5 / 15)
    with pytest.raises(ConfigError, match="has no readable result.txt below it: .*result.txt, record b"):
        MMBenchL3().score("", tree(tmp_path / "none", {"b": result}))


def test_a_list_of_tasks_tells_what_is_missing_and_where_tasks_are(tmp_path: Path) -> None:
    listed = [{"task": task, "platform": "os_web"} for task in ("a", "b", "c")]
    (tmp_path / "tasks.jsonl").write_text("\n".join(map(json.dumps, listed)), encoding="utf-8")
    results = tree(tmp_path / "results", {"a": FAILED, "b": DONE, "x": DONE})
    found = MMBenchL3().score(str(tmp_path), results, "closed")
    assert (found.missing, found.extra) == (("c",), ("x",))
    # The missing one comes last here; its cost is every step there is.
    assert values(found)[:2] == pytest.approx([1 / 3, (1 - 20 / 45) / 3])
    assert [row[:3] for row in found.tables[0].rows] == [("os_web", "3", "1"), ("average", "3", "1")]
    with pytest.raises(ConfigError, match="no result is for a task of tasks.jsonl; the results are for x"):
        MMBenchL3().score(str(tmp_path), tree(tmp_path / "others", {"x": DONE}))
    (tmp_path / "tasks.jsonl").write_text('{"task": "a"}\n{"name": "b"}', encoding="utf-8")
    with pytest.raises(
        ConfigError, match=r"no line of it can be read, the first: tasks.jsonl, record 0, field platform"
    ):
        MMBenchL3().score(str(tmp_path), results)


@pytest.mark.parametrize("suffix", [".jsonl", ".json", ".csv"])
def test_a_table_of_results(tmp_path: Path, suffix: str) -> None:
    rows = [
        {"task": "a", "platform": "os_web", "completed": False, "steps_used": 9},
        {"task": "a", "platform": "os_mac", "completed": False, "steps_used": 15},
        {"task": "a", "platform": "os_web", "completed": True, "steps_used": 5},
        {"task": "b", "platform": "os_web", "completed": "?", "steps_used": 9},
    ]
    path = tmp_path / f"said{suffix}"
    if suffix == ".csv":
        with path.open("w", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, list(rows[0]))
            writer.writeheader()
            writer.writerows(rows)
    else:
        lines = list(map(json.dumps, rows))
        path.write_text("\n".join(lines) if suffix == ".jsonl" else f"[{','.join(lines)}]", encoding="utf-8")
    found = MMBenchL3().score("", path, "closed")
    # The same task on two platforms is two tasks; the third row counts for the first, the fourth cannot be read.
    assert values(found)[:2] == pytest.approx([1 / 3, (2 * (1 - 5 / 30) / 2) / 3])
    assert not found.extra and "1 predictions are for a task that already has one; the last one counts" in found.notes
    assert len(found.missing) == 1 and found.missing[0].startswith("b (must be true or false")


@pytest.mark.slow
def test_any_run_has_an_sr_and_an_eqa_whose_steps_are_its_turns(tmp_path: Path) -> None:
    run(toy_spec("count", "answer", "unsolved", "lost", instances=2, trials=2), tmp_path / "run")
    found = MMBenchL3().score("", tmp_path / "run", "closed")
    # In the order of ids, by steps: answer 5 and 6, count 3 and 4; of lost the first instance is void after its second
    # step and the other is solved with 4; unsolved fails. The budget is 8 · 15.
    ends = [5, 11, 14, 18, 24]
    assert values(found)[:2] == pytest.approx([5 / 8, sum(1 - end / 120 for end in ends) / 8])
    rate = found.figure("SR@15")
    # Both trials of both instances: eight attempts a trial, four tasks that are independent, two attempts void.
    assert rate.interval is not None
    assert (rate.of, rate.void, rate.interval.units, rate.interval.clusters) == (8, 2, 16, 4)
    assert [row[0] for row in found.tables[0].rows] == ["toy", "average"]
    assert {figure.name for figure in found.figures} >= {"SR@15", "SR@30"} and not found.missing
    told = "\n".join(found.notes)
    assert (
        "steps: turns, the decisions of the agent; the run allowed 30 a task" in told and "means over 2 trials" in told
    )
    # Data is for trees: a run says itself what it is of.
    assert values(MMBenchL3().score(str(tmp_path / "nowhere"), tmp_path / "run", "closed")) == values(found)


def test_runs_in_one_folder_are_scored_as_one(tmp_path: Path) -> None:
    for name in ("count", "answer", "unsolved"):
        run(toy_spec(name), tmp_path / "runs" / name)
    run(toy_spec("count", "answer", "unsolved"), tmp_path / "one")
    together, one = (MMBenchL3().score("", tmp_path / name, "closed") for name in ("runs", "one"))
    assert values(together) == values(one) and [row[:2] for row in together.tables[0].rows][-1] == ("average", "3")
    assert any(note.startswith("unsolved: steps: turns") for note in together.notes)
    run(toy_spec("count"), tmp_path / "runs" / "again")
    with pytest.raises(ConfigError, match="count is in again and in count: score one of them"):
        MMBenchL3().score("", tmp_path / "runs")
    run(toy_spec("lost", trials=2), tmp_path / "other" / "b")
    run(toy_spec("count"), tmp_path / "other" / "a")
    with pytest.raises(ConfigError, match="the same number of trials; they have a 1, b 2"):
        MMBenchL3().score("", tmp_path / "other")


@pytest.mark.slow
def test_the_miniature(tmp_path: Path) -> None:
    for name in ("one", "again"):
        (tmp_path / name).mkdir()
        mini_mmbench_l3.write(tmp_path / name)
    one, again = (mini_mmbench_l3.sample_predictions(tmp_path / name) for name in ("one", "again"))
    found = MMBenchL3().score(str(tmp_path / "one"), one)
    assert found == MMBenchL3().score(str(tmp_path / "again"), again)
    rate = found.figure("SR@50")
    assert (rate.of, rate.void) == (26, 4) and rate.value is not None and 0.2 < rate.value < 0.8
    assert sum("single_run.py" in missing for missing in found.missing) == 2
    # Without the list nobody knows of the two that have no result at all.
    assert MMBenchL3().score("", one).figure("SR@50").of == 24
    text = "\n".join(table.text() for table in scored_tables(found))
    assert "tasks without a result cost every step there is" in text


def test_what_cannot_be_scored_says_why(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="mmbench-l3 has no variant 'paper'; it has release, closed, grid, integral"):
        MMBenchL3().score("", tree(tmp_path / "a", {"a": DONE}), "paper")
    with pytest.raises(ConfigError, match="has no readable result.txt below it"):
        (tmp_path / "empty").mkdir()
        MMBenchL3().score("", tmp_path / "empty")
