"""What notes of tables say of how figures were obtained, also where there is nothing to obtain them from."""

from __future__ import annotations

from dataclasses import replace

import pytest
from made_runs import a_run, episode

from omnipilot.agents import AgentSpec, PartSpec
from omnipilot.bench.experiments.ablation_results import rows_of as ablated
from omnipilot.bench.experiments.comparison import compare
from omnipilot.bench.experiments.sweep_results import rows_of
from omnipilot.bench.journal.run import Run
from omnipilot.bench.report.ablation_table import ablate_figure, ablate_table
from omnipilot.bench.report.comparison_table import compare_table
from omnipilot.bench.report.headline_table import interval_table
from omnipilot.bench.report.main_table import column_names, main_table, task_table
from omnipilot.bench.report.method_notes import (
    BOUND,
    bound_notes,
    corrected_note,
    harness_notes,
    interval_words,
    many,
    p_words_of,
)
from omnipilot.bench.report.sweep_table import sweep_table
from omnipilot.bench.stats.clusters import cluster


def alike(tasks: int, template: str = "") -> tuple[Run, Run]:
    """Two runs of tasks that share a template, if any; the second solves none."""
    one, two = (
        a_run(name, [episode(f"t{n}#0.0", done, template=template or f"x{n}") for n in range(tasks)], planner)
        for name, done, planner in (("one", 2, "rules"), ("two", 0, "noop"))
    )
    return one, two


@pytest.mark.parametrize(
    ("tasks", "templates", "why"),
    [
        (["a"], [["x"]], "there is only one task"),
        (["a", "b"], [["x"], ["x"]], "all tasks share one template"),
        (["a", "b", "c"], [["x"], ["x", "y"], ["y"]], "3 tasks with overlapping templates are too few"),
    ],
)
def test_why_there_is_no_interval(tasks: list[str], templates: list[list[str]], why: str) -> None:
    method = cluster(tasks, templates).too_few
    assert interval_words("SR", [method]) == f"SR: no interval, because {why}"
    assert interval_words("interval", [method, method]) == f"no interval, because {why}"
    assert interval_words("SR", ["Wilson", method]) == f"SR by Wilson; none where {why}"


def test_numbers_tests_and_adjustments() -> None:
    assert (many(1, "pair"), many(2, "pair"), many(0, "task")) == ("1 pair", "2 pairs", "0 tasks")
    assert (p_words_of(["none"]), p_words_of(["flips", "none"])) == ("no p", "p by flips")
    assert corrected_note(3, "cell") == "p Holm: corrected for the 3 cells that are compared together"


def test_every_table_says_which_of_its_runs_are_bounds() -> None:
    runs = [
        a_run(name, [episode(f"{t}#0.0") for t in "ab"], planner) for name, planner in (("o", "oracle"), ("r", "rules"))
    ]
    graded = AgentSpec(planner=PartSpec("rules"), grounder=PartSpec("graded", {"accuracy": 0.5}))
    runs.append(replace(runs[1], name="g", spec=replace(runs[1].spec, agent=graded)))
    note = f"{BOUND}: o (planner oracle); g (grounder graded)"
    for table in (interval_table(runs), sweep_table(rows_of(runs), ("planner", "grounder"))):
        assert note in table.notes
    names = column_names(runs)
    note = f"{BOUND}: {names[0]} (planner oracle); {names[2]} (grounder graded)"
    assert task_table(runs).notes == (note,) and note in main_table(runs).notes
    assert f"{BOUND}: o (planner oracle)" in compare_table(compare(runs[0], runs[1])).notes
    of_all = (("a", ["planner gold"]), ("b", ["planner gold", "grounder graded"]), ("c", ["grounder graded"]))
    assert bound_notes(of_all) == [f"{BOUND}: every run of this table (planner gold, grounder graded)"]
    assert bound_notes((*of_all, ("d", ()))) == [f"{BOUND}: a, b, c (planner gold, grounder graded)"]
    for table in (main_table(runs[1:2]), task_table(runs[1:2]), interval_table(runs[1:2])):
        assert not any(BOUND in line for line in table.notes)


def test_runs_that_differ_in_what_reads_the_screen_are_told_apart_by_it() -> None:
    runs = [a_run(name, [episode("a#0.0")], "mini") for name in ("x", "y")]
    seeing = replace(runs[1].spec.agent, perception=PartSpec("mini-eyes"))
    runs[1] = replace(runs[1], spec=replace(runs[1].spec, agent=seeing))
    suite = runs[0].spec.suite.name
    assert column_names(runs) == [f"{suite} mini", f"{suite} mini + mini-eyes"]


@pytest.mark.parametrize("tasks", [1, 2])
def test_tables_of_runs_that_cannot_be_compared_say_so(tasks: int) -> None:
    one, two = alike(tasks, "x")
    why = "all tasks share one template" if tasks > 1 else "there is only one task"
    for table in (sweep_table(rows_of([one, two]), ("planner",)), ablate_table(ablated(one, {"two": two}, ""))):
        notes = "\n".join(table.with_methods().notes)
        assert f"no interval, because {why}; no p" in notes
        assert "none" not in notes and "1 tasks" not in notes and "1 groups" not in notes and "p Holm" not in notes
    assert f"over {many(tasks, 'pair')} of {many(tasks, 'task')}; " in "\n".join(
        sweep_table(rows_of([one, two]), ("planner",)).notes
    )
    assert "success rate minus the full set" in ablate_figure(ablated(one, {"two": two}, ""), "toy").title
    assert "without intervals" in ablate_figure(ablated(one, {"two": two}, ""), "toy").title
    one, two = alike(3)
    assert "95 % intervals" in ablate_figure(ablated(one, {"two": two}, ""), "toy").title


def test_what_figures_hang_on_besides_the_agent_stands_in_a_line_where_programs_play_or_judge() -> None:
    first, second = episode("a#0.0"), episode("b#0.0", 0, "void")
    first = replace(first, turn_limit=10, screens=("phone 1080x2400",))
    run = a_run("one", [first, replace(second, turn_limit=26)])
    run = replace(run, spec=replace(run.spec, suite=PartSpec("androidworld"), suite_version="43ab+1"))
    made = replace(run, made_with=({"omnipilot": "0.3.0", "programs": {"android_world": "43ab"}},))
    (line,) = harness_notes([("mine", made)])
    assert line == (
        "mine: measured with omnipilot 0.3.0; android_world 43ab; suite androidworld 43ab+1; at most 10–26 turns; "
        "phone 1080x2400; of 2 episodes of 2 tasks, 1 void and counted as zero"
    )
    assert line.replace("mine", "rules") in main_table([made]).notes
    assert harness_notes([("mine", made), ("yours", made)]) == [line.replace("mine", "mine, yours")]
    assert harness_notes([("mine", replace(run, made_with=({"omnipilot": "0.3.0"},)))]) == []
