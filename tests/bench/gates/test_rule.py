"""Gates: how they are written, when they fail, and what they say of their strength."""

from __future__ import annotations

from dataclasses import replace

import pytest
from made_runs import a_run, episode

from omnipilot.bench.gates.rule import FigureGate, GateVerdict, gate_level, judge_gates, read_gate
from omnipilot.bench.gates.words import gate_lines, gate_table
from omnipilot.bench.journal.run import Run
from omnipilot.envs import ConfigError

DROP = read_gate("SR < -5")


def runs(lost: int, gained: int = 0, tasks: int = 40, solved: int = 30) -> tuple[Run, Run]:
    """Of the tasks that A solves B loses the first, and gains the first of the others."""
    a = [episode(f"t{n:02}#0.0", 2 if n < solved else 0) for n in range(tasks)]
    b = [episode(f"t{n:02}#0.0", 2 if lost <= n < solved + gained else 0) for n in range(tasks)]
    return a_run("main", a), a_run("change", b)


def verdict(both: tuple[Run, Run], gate: FigureGate = DROP) -> GateVerdict:
    return judge_gates(*both, [gate], resamples=1000)[0]


@pytest.mark.parametrize(
    ("text", "gate"),
    [
        ("SR < -5", FigureGate("SR", "<", 5.0)),
        (" CR<-2.5 ", FigureGate("CR", "<", 2.5)),
        ("SR < −5", FigureGate("SR", "<", 5.0)),
        ("pass^3 > 0", FigureGate("pass^3", ">", 0.0)),
        ("pass@2 > +7", FigureGate("pass@2", ">", 7.0)),
    ],
)
def test_a_gate_is_a_figure_a_sign_and_points(text: str, gate: FigureGate) -> None:
    assert read_gate(text) == gate == read_gate(gate.words)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("SR -5", "write a figure"),
        ("SR <= -5", "write a figure"),
        ("SR < -5 %", "write a figure"),
        ("EE < -5", "not EE"),
        ("SR < 5", "perhaps 'SR < -5'"),
        ("SR > -5", "perhaps 'SR > 5'"),
        ("SR < -100", "to above -100"),
    ],
)
def test_what_is_no_gate_is_refused_with_the_cure(text: str, said: str) -> None:
    with pytest.raises(ConfigError, match="--fail-if") as refusal:
        read_gate(text)
    assert said in str(refusal.value)


def test_a_run_fails_that_is_worse_beyond_chance_and_perhaps_by_more_than_is_tolerated() -> None:
    assert not verdict(runs(0)).failed
    assert not verdict(runs(3)).beyond_chance
    bad = verdict(runs(10))
    assert bad.failed and bad.beyond_chance and not verdict(runs(10), read_gate("SR < -60")).failed
    assert not verdict(runs(10), read_gate("SR > 5")).failed
    better = verdict(runs(0, gained=10), read_gate("SR > 5"))
    assert better.failed and not verdict(runs(0, gained=10)).failed


def test_a_small_drop_beyond_chance_passes_where_many_episodes_rule_out_a_larger_one() -> None:
    small = verdict(runs(20, tasks=1000, solved=700))
    assert small.beyond_chance and not small.failed and not small.too_weak
    assert verdict(runs(20, tasks=1000, solved=700), read_gate("SR < -1")).failed
    assert "a drop beyond chance, but of no more than 5 points" in gate_lines([small])[0]


def test_a_gate_that_is_too_weak_says_so_and_what_it_takes() -> None:
    weak = verdict(runs(3))
    assert weak.too_weak and weak.power is not None and weak.power < 0.2
    assert weak.tasks_needed is not None and weak.tasks_needed > 40 and weak.episodes_needed == weak.tasks_needed
    text = gate_lines([weak])[0]
    assert text.startswith("SR < -5 passes: B − A is -7.5 [") and "too weak for its threshold" in text
    assert f"take about {weak.tasks_needed} tasks like these" in text
    enough = verdict(runs(3), read_gate("SR < -40"))
    assert not enough.too_weak and "at this number of episodes" in gate_lines([enough])[0]
    table = gate_table([weak, enough])
    assert [row[:2] for row in table.rows] == [("SR < -5", "passes"), ("SR < -40", "passes")]


def test_with_few_tasks_nothing_fails_and_the_gate_says_that_it_sees_nothing() -> None:
    few = verdict(runs(4, tasks=4, solved=4))
    assert not few.failed and few.power == 0 and few.detectable is None
    one = verdict(runs(1, tasks=1, solved=1))
    assert not one.failed and "no drop can be seen" in gate_lines([one])[0]


def test_episodes_needed_are_those_of_all_instances_and_trials() -> None:
    a = [episode(f"t{n:02}#{i}.{k}", 2) for n in range(12) for i in range(2) for k in range(3)]
    b = [replace(one, reason="turns") if one.task == "t00" else one for one in a]
    weak = verdict((a_run("a", a), a_run("b", b)))
    assert weak.tasks_needed is not None and weak.episodes_needed == 6 * weak.tasks_needed


def test_a_threshold_of_0_has_no_power_of_its_own() -> None:
    none = verdict(runs(10), read_gate("SR < 0"))
    assert none.failed and none.power is None and not none.too_weak
    assert "beyond chance. The smallest drop found" in gate_lines([none])[0]


def test_gates_share_the_false_alarms() -> None:
    assert [gate_level(0.95, count) for count in (1, 2, 5)] == [pytest.approx(one) for one in (0.9, 0.95, 0.98)]
    # Of one side alone, five of five are 3 %: enough for one gate, too few for two.
    alone, two = (judge_gates(*runs(5), [DROP] * count, resamples=1000)[0] for count in (1, 2))
    assert alone.failed and not two.failed
    assert alone.power is not None and two.power is not None and two.power < alone.power
    assert "(5 % beyond either end)" in gate_lines([alone])[0] and "(2.5 % beyond either end)" in gate_lines([two])[0]


def test_what_a_gate_cannot_be_told_of_is_refused() -> None:
    with pytest.raises(ConfigError, match=r"have SR, CR, and no pass\^3"):
        judge_gates(*runs(3), [read_gate("pass^3 < -5")])
    half = a_run("a", [episode("t#0.0"), episode("u#0.0")]), a_run("b", [episode("t#0.0")], planned=2)
    with pytest.raises(ConfigError, match="needs finished runs .b: 1 of 2 episodes"):
        judge_gates(*half, [DROP])
    with pytest.raises(ConfigError, match="needs a --level from 0.75"):
        judge_gates(*runs(3), [DROP], level=0.6)
    with pytest.raises(ConfigError, match="share no task"):
        judge_gates(a_run("a", [episode("t#0.0")]), a_run("b", [episode("u#0.0")]), [DROP])
