"""Columns by choice, and tables by level, device, application or another tag."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from made_runs import a_run
from made_runs import episode as made_episode

from omnipilot.bench import Episode
from omnipilot.bench.journal.run import Run
from omnipilot.bench.report.main_table import main_table
from omnipilot.bench.report.results.columns import chosen_columns, headings, table_by
from omnipilot.bench.report.terms import meaning
from omnipilot.bench.scoring.metrics import METRICS
from omnipilot.envs import ConfigError
from omnipilot.memory import Usage


def episode(key: str, reason: str = "", **more: Any) -> Episode:
    return replace(made_episode(key, reason=reason), **more)


def runs() -> list[Run]:
    easy, hard, some = {"app": "mail+clock", "level": "easy"}, {"app": "mail", "level": "hard"}, {"app": "mail"}
    little, much = Usage(3, 900, 100, 0.25, 2.0), Usage(5, 1900, 100, 0.75, 4.0)
    episodes = [
        episode("a", turns=4, usage=little, tags=easy, envs=("phone",)),
        episode("b", turns=8, usage=much, tags=hard, envs=("desktop", "phone")),
        episode("c", "void", turns=90, usage=Usage(1, 1, 1, 9.0), tags=some, envs=("phone",)),
    ]
    return [a_run("first", episodes)]


def test_means_leave_out_void_episodes_and_rates_count_them_as_failures() -> None:
    found = main_table(runs(), chosen=chosen_columns("sr,turns,tokens,dollars,void"))
    row = dict(zip(found.columns, found.rows[0], strict=True))
    assert (row["turns"], row["tokens"], row["dollars"], row["void"]) == ("6.0", "1,500", "0.5000", "1")
    assert row["SR %"] == "66.7" and "EE %" not in row
    assert any("means over the episodes, without void ones: turns, tokens, dollars" in note for note in found.notes)


def test_a_row_for_each_value_and_a_task_counts_in_all_of_its_values() -> None:
    by_app = table_by(runs(), "app", ("solved", "turns"))
    assert by_app.rows == (("clock", "1", "1/1", "4.0"), ("mail", "3", "2/3", "6.0"))
    assert "several values" in by_app.notes[-1]
    by_device = table_by(runs(), "device", ("solved",))
    assert by_device.rows == (("desktop + phone", "1", "1/1"), ("phone", "2", "1/2"))
    assert [row[0] for row in table_by(runs(), "task", ("solved",)).rows] == ["a", "b", "c"]


def test_an_unknown_price_is_no_zero() -> None:
    unpriced = [a_run("first", [episode("a", usage=Usage(1, 1, 1, None))])]
    assert table_by(unpriced, "task", ("dollars",)).rows[0][-1] == "?"


def test_misspelt_columns_and_tags_are_named() -> None:
    with pytest.raises(ConfigError, match="did you mean dollars"):
        chosen_columns("sr,dolars")
    with pytest.raises(ConfigError, match="no tag of these tasks 'levl'; did you mean level"):
        table_by(runs(), "levl")
    assert chosen_columns("all") == METRICS.names()


def test_each_column_has_a_meaning() -> None:
    assert [heading for heading in headings(METRICS.names()) if not meaning(heading)] == []
