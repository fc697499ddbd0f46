"""Two runs side by side: what is paired, what flipped, and what is said of it."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
from made_runs import a_run, episode
from toy_suite import toy_spec

from omnipilot.agents import PartSpec
from omnipilot.bench import Episode
from omnipilot.bench.cli.commands.compare import CompareOptions, compare_command
from omnipilot.bench.experiments import compare
from omnipilot.bench.experiments.budget import read_budgets
from omnipilot.bench.experiments.comparison import narrow
from omnipilot.bench.journal.run import Run
from omnipilot.bench.report import compare_table
from omnipilot.bench.report.comparison_table import flip_table
from omnipilot.bench.report.headline_table import interval_table
from omnipilot.bench.run import run
from omnipilot.bench.stats.intervals import wilson
from omnipilot.envs import ConfigError

KEYS = [f"task-{number:02}#0.0" for number in range(12)]
A = a_run("old", [episode(key, 2 if number < 4 else 1) for number, key in enumerate(KEYS)])
B = a_run("new", [episode(key, 2 if 1 <= number < 10 else 0) for number, key in enumerate(KEYS)], "oracle")


def test_what_checks_found_in_the_paired_episodes_is_told() -> None:
    assert not compare(A, B).checks
    ours = tuple(replace(one, checked=2, violated=1, repaired=number == 3) for number, one in enumerate(B.episodes))
    found = compare(A, replace(B, episodes=ours))
    assert found.checks == ("new: 12 of 24 expectations violated, 1.00 an episode; moves repaired: 1",)
    assert "checks of new: 12 of 24" in compare_table(found).with_methods().text()
    assert not compare(A, replace(B, episodes=ours), budgets=read_budgets("3,4")).checks


def test_figures_flips_and_mcnemar() -> None:
    found = compare(A, B)
    assert (found.pairs, found.tasks, found.void, found.valid) == (12, 12, (0, 0), None)
    assert found.mcnemar == (1, 6, pytest.approx(2 * (1 + 7) / 2**7))
    rows = {row.name: row for row in found.rows}
    assert list(rows) == ["SR", "CR", "EE", "CE"]
    solved = rows["SR"]
    assert (solved.a.estimate, solved.b.estimate) == (pytest.approx(4 / 12), pytest.approx(9 / 12))
    assert (solved.a.low, solved.a.high) == tuple(pytest.approx(end) for end in wilson(4, 12))
    assert (solved.b.low, solved.b.high) == tuple(pytest.approx(end) for end in wilson(9, 12))
    assert solved.difference.p == pytest.approx(found.mcnemar[2])
    assert rows["CR"].difference.interval.estimate == pytest.approx((9 - (4 + 8 * 0.5)) / 12)
    assert (rows["EE"].b.estimate, rows["CE"].b.estimate) == (
        pytest.approx(9 / 12 / 4),
        pytest.approx(9 / 12 / 100),
    )
    assert [row[0] for row in flip_table(found, most=2).rows] == ["lost", "gained"]
    assert flip_table(found, most=2).notes[-1] == "5 more flipped: --all shows them"
    assert [flip.gain for flip in found.flips] == [1] * 6 + [-1]
    assert (found.flips[-1].task, found.flips[-1].how) == ("task-00", "turn limit")
    text, flips = compare_table(found).with_methods().text(), flip_table(found).text()
    assert (
        re.search(r"SR %\s+33\.3 \[13\.8, 60\.9\]\s+75\.0 \[46\.8, 91\.1\]\s+\+41\.7 \[", text)
        and 'planner.name: "rules" in old, "oracle" in new' in text
    )
    assert "exact McNemar test: only old solves 1, only new solves 6, p = 0.12" in text
    assert "6 gained, 1 lost, 5 the same" in flips and "task-00#0" in flips


def test_the_order_of_the_runs_turns_the_sign() -> None:
    one, other = compare(A, B).rows[0].difference, compare(B, A).rows[0].difference
    assert one.interval.estimate == -other.interval.estimate and one.p == other.p


def test_repeated_trials_bring_pass_at_k_and_refuse_mcnemar() -> None:
    def repeated(solved: int) -> list[Episode]:
        return [episode(f"t{n}#{i}.{k}", 2 * (k < solved)) for n in range(9) for i in range(2) for k in range(3)]

    found = compare(a_run("a", repeated(1)), a_run("b", [*repeated(2), episode("t0#0.3")]))
    rows = {row.name: row for row in found.rows}
    assert list(rows)[:3] == ["SR", "pass^3", "pass@3"]
    either = rows["SR"].a.estimate, rows["pass@3"].a.estimate, rows["pass^3"].b.estimate
    assert either == (pytest.approx(1 / 3), 1.0, pytest.approx(0.25 / 18))
    assert (found.pairs, found.tasks) == (18, 9)
    assert isinstance(found.mcnemar, str) and "--instance 0 --trial 0" in found.mcnemar
    one = compare(*(narrow(x, 0, 0) for x in (a_run("a", repeated(1)), a_run("b", repeated(2)))))
    assert one.pairs == 9 and not isinstance(one.mcnemar, str)
    with pytest.raises(ConfigError, match="count from 0"):
        narrow(A, 7, None)


def test_a_run_that_is_not_finished_says_so_when_narrowed_too() -> None:
    spec = replace(A.spec, trials=3)
    half = replace(A, spec=spec, episodes=tuple(episode(f"t{n}#0.0") for n in range(6)), planned=36)
    whole = replace(B, spec=spec, episodes=tuple(episode(f"t{n}#0.0") for n in range(12)), planned=36)
    assert compare(narrow(half, 0, 0), narrow(whole, 0, 0)).incomplete == ("old: 6 of 12 episodes",)


def test_void_episodes_count_as_zero_and_both_numbers_are_printed() -> None:
    void = a_run("void", [episode(key, 0 if n < 3 else 2, "void" if n < 3 else "") for n, key in enumerate(KEYS)])
    found = compare(A, void)
    assert found.valid is not None and found.void == (0, 3)
    assert (found.rows[0].b.estimate, found.valid.b.estimate, found.valid.difference.interval.units) == (0.75, 1.0, 9)
    text = compare_table(found).text()
    assert "SR % without void" in text and "void episodes count as zero: 0 of old, 3 of void" in text
    table = interval_table([A, void])
    sr = next(row for row in table.rows if row[:2] == ("void", "SR %"))
    assert sr[2].startswith("75.0 [") and sr[3].startswith("100.0 [") and sr[3].endswith("(3 void)")
    lost = a_run("lost", [episode(key, 0, "void") for key in KEYS])
    assert compare(A, lost).valid is None
    assert any(row[3] == "all 12 void" for row in interval_table([lost]).rows)


def test_what_only_one_run_has_is_left_out_and_said() -> None:
    found = compare(a_run("part", A.episodes[:10], planned=12), replace(B, episodes=B.episodes[1:]))
    assert (found.pairs, found.only_a, found.only_b) == (9, ("task-00#0",), ("task-10#0", "task-11#0"))
    text = compare_table(found).text()
    assert "only part has it: task-00#0" in text and "not finished: part: 10 of 12 episodes" in text
    with pytest.raises(ConfigError, match="share no task"):
        compare(narrow(A, 0, 0), a_run("other", [episode("else#0.0")]))


def test_tasks_of_one_template_are_not_taken_as_independent() -> None:
    def templated(name: str, solved: int, shared: bool) -> Run:
        made = [episode(f"t{n:02}#0.0", 2 * (n < solved), template=f"s{n // 3}" * shared) for n in range(24)]
        return a_run(name, made)

    found, alone = (compare(templated("a", 6, shared), templated("b", 12, shared)) for shared in (True, False))
    one, two = found.rows[0].difference, alone.rows[0].difference
    assert found.shared and not alone.shared
    assert one.interval.clusters == 8 and two.interval.clusters == 24
    assert one.interval.low is not None and two.interval.low is not None and one.interval.low < two.interval.low
    assert one.p is not None and two.p is not None and one.p > two.p
    assert "these share templates" in compare_table(found).with_methods().text()


def test_runs_of_different_suites_are_refused() -> None:
    other = replace(B, spec=replace(B.spec, suite=PartSpec("toy_suite:ToySuite", {"delay": 1.0})))
    with pytest.raises(ConfigError, match=r"suite.options.delay: 0.0 in old, 1.0 in new"):
        compare(A, other)
    with pytest.raises(ConfigError, match="version"):
        compare(A, replace(B, spec=replace(B.spec, suite_version="9")))


def test_a_default_that_is_spelt_out_is_no_difference() -> None:
    one, other = (a_run(name, [episode("t#0.0")]) for name in ("one", "other"))
    suite, memory = PartSpec("page", {"size": "1280x800"}), PartSpec("window", {"turns": 2})
    told = replace(other.spec, suite=suite, agent=replace(other.spec.agent, memory=memory))
    bare = replace(one, spec=replace(one.spec, suite=PartSpec("page")))
    assert compare(bare, replace(other, spec=told)).specs == ()
    small = replace(told, suite=PartSpec("page", {"size": "640x480"}))
    with pytest.raises(ConfigError, match='"1280x800" in one, "640x480" in other'):
        compare(bare, replace(other, spec=small))


def test_the_command_prints_both_tables(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for folder, planner in (("x", "oracle"), ("y", "noop")):
        run(toy_spec("count", "far", instances=2, planner=planner), tmp_path / folder / "run")
    with pytest.raises(ConfigError, match="are the same run"):
        compare_command(tmp_path / "x" / "run", tmp_path / "x" / "run")
    compare_command(tmp_path / "x" / "run", tmp_path / "y" / "run")
    printed = capsys.readouterr().out
    assert str(tmp_path / "x" / "run") in printed and "lost" in printed and "SR %" in printed
    with pytest.raises(ConfigError, match="at least 100"):
        compare_command(tmp_path / "x" / "run", tmp_path / "y" / "run", CompareOptions(resamples=3))
    with pytest.raises(ConfigError, match="no run in"):
        compare_command(tmp_path, tmp_path / "y" / "run")
