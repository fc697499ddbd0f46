"""Misses beside outcomes, as counts of episodes."""

from __future__ import annotations

from dataclasses import replace

from made_runs import a_run, episode

from omnipilot.bench import Episode
from omnipilot.bench.report.pointing_table import pointing_table


def pointed(key: str, done: int, right: int, told: int, reason: str = "") -> Episode:
    return replace(episode(key, done, reason), pointed_right=right, pointed_told=told)


def test_each_episode_is_counted_once_by_outcome_and_miss() -> None:
    run = a_run(
        "r",
        [
            pointed("a", 2, 3, 3),
            pointed("b", 2, 2, 3),
            pointed("c", 1, 0, 1),
            pointed("d", 0, 1, 2),
            pointed("e", 0, 4, 4),
            pointed("f", 0, 0, 0),
            pointed("g", 0, 0, 5, "void"),
        ],
    )
    table = pointing_table([run, a_run("plain", [episode("a")])])
    assert table is not None
    assert table.rows == (("r", "solved", "2", "1", "1", "0"), ("r", "not solved", "4", "2", "1", "1"))
    assert "need not be the cause" in table.notes[0]


def test_without_verdicts_there_is_no_table_and_an_outcome_without_episodes_has_no_row() -> None:
    assert pointing_table([a_run("plain", [episode("a")])]) is None
    table = pointing_table([a_run("r", [pointed("a", 2, 1, 1)])])
    assert table is not None and [row[1] for row in table.rows] == ["solved"]
