"""One run under budgets: what is cut fails there, and nothing else changes."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
from figure_checks import svg_words
from made_runs import a_run, episode
from report_index import index_of

from omnipilot.bench import Episode
from omnipilot.bench.cli.commands.compare import CompareOptions, compare_command
from omnipilot.bench.experiments import compare
from omnipilot.bench.experiments.budget import TurnBudget, budget_notes, read_budgets, under_budget
from omnipilot.bench.experiments.comparison import narrow
from omnipilot.bench.journal.load_runs import load_run
from omnipilot.bench.journal.run import Run
from omnipilot.bench.report import compare_table
from omnipilot.bench.run.config import spec_from
from omnipilot.bench.run.runner import run
from omnipilot.bench.settings import LimitSettings, RunSettings
from omnipilot.envs import ConfigError


def one(key: str, solved: bool, turns: int, limit: int | None = 50, reason: str = "") -> Episode:
    return replace(episode(key, 2 if solved else 0, reason), turns=turns, turn_limit=limit)


TURNS = (3, 15, 16, 40, 50, 8)
LONG = a_run("long", [one(f"t{n}#0.0", n != 5, turns) for n, turns in enumerate(TURNS)])


def solved(found: Run) -> str:
    return "".join(str(int(each.success)) for each in found.episodes)


@pytest.mark.parametrize("turns", [1, 3, 8, 15, 16, 39, 40, 50, 60])
def test_a_budget_loses_exactly_the_episodes_that_took_longer(turns: int) -> None:
    cut = under_budget(LONG, TurnBudget(turns))
    assert solved(cut) == "".join(str(int(n != 5 and took <= turns)) for n, took in enumerate(TURNS))
    assert [each.turns for each in cut.episodes] == [min(took, turns) for took in TURNS]
    assert all(each.turn_limit == min(turns, 50) for each in cut.episodes)
    assert cut.name == f"long at {turns} turn{'s' * (turns > 1)}"


def test_what_ends_in_time_is_as_it_was_and_what_is_cut_reached_its_limit() -> None:
    gave_up, void = one("a#0.0", False, 10, 50, "done"), one("b#0.0", False, 30, 50, "void")
    cut = under_budget(a_run("x", [gave_up, void]), TurnBudget(20)).episodes
    assert (cut[0].reason, cut[0].turns) == ("done", 10)
    # The device was lost at turn 30, after the budget was spent.
    assert (cut[1].reason, cut[1].turns, cut[1].void) == ("turns", 20, False)


def test_tasks_with_limits_of_their_own_keep_smaller_ones_and_give_a_share() -> None:
    some = a_run("own", [one("a#0.0", True, 9, 10), one("b#0.0", True, 9, 40), one("c#0.0", True, 9, None)])
    assert [each.turn_limit for each in under_budget(some, TurnBudget(20)).episodes] == [10, 20, 20]
    assert "1 were allowed fewer (10) and keep their own limit" in budget_notes(some, TurnBudget(20))[0]
    shared = replace(some, episodes=some.episodes[:2])
    half = under_budget(shared, TurnBudget(share=0.5))
    assert ([each.turn_limit for each in half.episodes], solved(half)) == ([5, 20], "01")
    assert "own at 50 %: 1 of 2 episodes took more turns" in budget_notes(shared, TurnBudget(share=0.5))[0]
    assert TurnBudget(share=0.29).limit(100) == 29 and TurnBudget(share=0.01).limit(10) == 1
    with pytest.raises(ConfigError, match="50 % of no limit is no budget"):
        under_budget(some, TurnBudget(share=0.5))


def test_budgets_are_read_or_refused() -> None:
    assert read_budgets("15,50") == (TurnBudget(15), TurnBudget(50))
    assert read_budgets("50%, 100 %") == (TurnBudget(share=0.5), TurnBudget(share=1.0))
    assert read_budgets("15") == (TurnBudget(15), TurnBudget(15))
    for wrong in ("", "0", "-1", "x", "15,", "1.5", "0%", "101%", "nan%"):
        with pytest.raises(ConfigError, match="a number of turns or a part"):
            read_budgets(wrong)
    with pytest.raises(ConfigError, match="one budget or two"):
        read_budgets("1,2,3")


def test_one_run_under_two_budgets_is_table_5_without_p() -> None:
    found = compare(LONG, LONG, budgets=(TurnBudget(15), TurnBudget(50)))
    rows = {row.name: row for row in found.rows}
    assert list(rows) == ["SR", "EQA", "EQ1", "EQ2"] and found.one_run
    # At 15: 2 of 6 solved, and the mean over all orders from equation 12, term by term.
    spent = [min(turns, 15) for turns in TURNS]
    eqa = sum(1 - (turns + sum(spent)) / (2 * 15 * 6) for turns in (3, 15)) / 6
    assert rows["SR"].a.estimate == pytest.approx(2 / 6)
    assert rows["EQA"].a.estimate == pytest.approx(eqa)
    assert rows["EQ1"].a.estimate == pytest.approx(eqa / (2 / 6))
    assert rows["EQ2"].a.estimate == pytest.approx(2 / 6 - eqa)
    for row in rows.values():
        assert row.difference.interval.estimate == pytest.approx(row.b.estimate - row.a.estimate)
        assert (row.difference.p, row.difference.detectable) == (None, None)
    assert (rows["SR"].b.estimate, {flip.task for flip in found.flips}) == (pytest.approx(5 / 6), {"t2", "t3", "t4"})
    assert {flip.how for flip in found.flips} == {"turn limit"} and isinstance(found.mcnemar, str)
    text = compare_table(found).text()
    assert "no p: a run under two budgets is one run" in text
    assert "long at 15 turns: 3 of 6 episodes took more turns and fail there" in text
    assert re.search(r"\nEQ1  +0\.\d{3} \[", text)


def test_two_runs_have_p_and_their_own_limits_by_default() -> None:
    short = replace(LONG, name="short", episodes=tuple(one(f"t{n}#0.0", n < 2, 5, 15) for n in range(6)))
    found = compare(short, LONG)
    rows = {row.name: row for row in found.rows}
    assert list(rows) == ["SR", "EQA", "EQ1", "EQ2", "CR", "EE", "CE"] and not found.one_run
    assert rows["EQA"].difference.p is not None and found.curves[0].end == pytest.approx(1 / 3)
    cut = compare(short, LONG, budgets=(TurnBudget(15), TurnBudget(15)))
    assert {row.name: row.b.estimate for row in cut.rows}["SR"] == pytest.approx(2 / 6)


def test_what_cannot_be_compared_is_said() -> None:
    with pytest.raises(ConfigError, match="under one budget has nothing to compare"):
        compare(LONG, LONG, budgets=(TurnBudget(9), TurnBudget(9)))
    some = a_run("some", [one("t0#0.0", True, 5, None), one("t1#0.0", True, 5, 10)])
    assert "no EQA: not every episode had a turn limit" in compare_table(compare(some, LONG)).text()
    narrowed = narrow(LONG, 0, 0)
    assert compare(narrowed, narrowed, budgets=(TurnBudget(9), TurnBudget(20))).one_run


TASKS = ("send-message", "add-alarm", "dismiss-alarm", "move-file", "mail-code-to-message", "tones-to-message")


def a_duet_run(folder: Path, planner: str) -> Path:
    limits = LimitSettings(turns=12 if planner == "random" else None)
    settings = RunSettings(suite="duet", planner=planner, tasks=list(TASKS), limits=limits)
    run(spec_from(settings), folder)
    return folder


@pytest.mark.slow
@pytest.mark.exhibit("duet", "rules")
def test_the_command_from_runs_to_pictures(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    oracle, rand = (a_duet_run(tmp_path / name, name) for name in ("oracle", "random"))
    took = {each.task: each.turns for each in load_run(oracle).episodes}
    assert all(each.turn_limit for each in load_run(oracle).episodes)
    budget = sorted(took.values())[2]
    compare_command(oracle, how=CompareOptions(turns=f"{budget},30", out=tmp_path / "budgets"))
    said = capsys.readouterr().out
    left = sum(turns <= budget for turns in took.values())
    assert f"oracle at {budget} turn{'s' * (budget > 1)}: {6 - left} of 6 episodes took more turns" in said
    assert said.count("gained") == 6 - left + 1
    texts = svg_words((tmp_path / "budgets/eqa.svg").read_text())
    assert {
        "tasks solved so far, %",
        f"oracle at {budget} turn{'s' * (budget > 1)}",
        "oracle at 30 turns",
        "SR 100.0 %",
    } <= set(texts)
    index = index_of(tmp_path / "budgets/report.html")
    assert [each["label"] for each in index["runs"]] == ["oracle"] and len(index["episodes"]) == 6
    assert [bool(each["svg"]) for each in index["sections"]] == [True, True]
    compare_command(oracle, rand, CompareOptions(out=tmp_path / "both"))
    said = capsys.readouterr().out
    assert re.search(r"EQA % +\d", said) and "SR % one app" in said and "limits.turns" in said
    for name in ("eqa", "compare"):
        assert svg_words((tmp_path / f"both/{name}.svg").read_text())
    assert len(index_of(tmp_path / "both/report.html")["runs"]) == 2
    for b, words_of in ((oracle, "are the same run"), (None, "is one run")):
        with pytest.raises(ConfigError, match=f"{words_of}; give two different runs, or two budgets"):
            compare_command(oracle, b)
