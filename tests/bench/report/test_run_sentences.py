"""The sentences above the tables of a page say who solved how many of what."""

from __future__ import annotations

from dataclasses import replace

from made_runs import a_run, episode

from omnipilot.agents import PartSpec
from omnipilot.bench.journal.run import Run
from omnipilot.bench.report.run_sentences import count_sentences, run_sentences

SOLVED = [episode(f"good{number}#0.0") for number in range(8)]
TOY = "toy_suite:ToySuite"
FAILED = [episode("late#0.0", 1), episode("lost#0.0", 0, "void")]


def plain(runs: list[Run]) -> list[str]:
    return [text.replace("\u00a0", " ") for text in run_sentences(runs)]


def test_one_run_is_told_with_its_interval_and_how_the_rest_ended() -> None:
    (told,) = plain([a_run("x", [*SOLVED, *FAILED])])
    assert told.startswith(f"rules solved 8 of 10 episodes of {TOY}: 80.0 %, 95 % interval ")
    assert told.endswith("Not solved: 1 turn limit, 1 void."), told


def test_nothing_more_is_said_where_all_is_solved_and_known() -> None:
    (told,) = plain([a_run("x", SOLVED)])
    assert "Not solved" not in told and "finished" not in told and "bound" not in told


def test_an_unfinished_run_and_a_bound_say_so() -> None:
    run = a_run("x", SOLVED, planned=20)
    agent = replace(run.spec.agent, planner=PartSpec("oracle"))
    (told,) = plain([replace(run, spec=replace(run.spec, agent=agent))])
    assert "8 of 20 episodes are finished" in told
    assert "It is a bound, not the result of an agent: planner oracle knows the truth." in told


def test_one_task_gives_no_interval_and_no_episode_no_sentence() -> None:
    (told,) = plain([a_run("x", [episode("one#0.0"), episode("one#1.0")])])
    assert told == f"rules solved 2 of 2 episodes of {TOY}: 100.0 %, no interval, because there is only one task.", told
    assert plain([a_run("x", [], planned=3)]) == []


def test_of_many_runs_the_two_ends_are_named() -> None:
    few = [a_run(f"run{number}", [*SOLVED[: 2 * number], *FAILED]) for number in range(4)]
    (told,) = plain(few)
    assert told.startswith(f"Of 4 runs of {TOY}, run3 solved the most, 6 of 8 (75.0 %, 95 % interval "), told
    assert "and run0 the fewest, 0 of 2 (0.0 %" in told
    assert len(plain(few[:3])) == 3


def test_counts_stand_the_best_first_and_bounds_apart() -> None:
    rules, noop, oracle = (
        a_run(name, [episode(f"a#{number}", 2 if number < solved else 0) for number in range(3)], name)
        for name, solved in (("rules", 1), ("noop", 0), ("oracle", 3))
    )
    assert count_sentences([noop, oracle, rules]) == [
        "Of 3 episodes of toy_suite:ToySuite, solved: rules 1, noop 0; told what agents have to find out: oracle 3."
    ]
    assert count_sentences([oracle]) == [
        "Of 3 episodes of toy_suite:ToySuite, solved: told what agents have to find out: oracle 3."
    ]


def test_where_runs_have_other_numbers_of_episodes_each_count_says_of_how_many() -> None:
    runs = [a_run("rules", [episode("a"), episode("b", 0)]), a_run("noop", [episode("a", 0)], "noop")]
    assert count_sentences(runs) == ["Of episodes of toy_suite:ToySuite, solved: rules 1 of 2, noop 0 of 1."]
