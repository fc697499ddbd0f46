"""Metrics of episodes: the engine's own, a user's, and the figures that they make."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from crab_figures import Score, completion_ratio, cost_efficiency, execution_efficiency, score, success_rate
from made_runs import a_run
from made_runs import episode as made_episode

from omnipilot.bench import Episode, headline
from omnipilot.bench.report.results.columns import cells, chosen_columns, headings, notes
from omnipilot.bench.scoring.metrics import METRICS, load_metric, metric, metric_figure
from omnipilot.bench.stats.outcomes import FIGURES, outcomes
from omnipilot.envs import ConfigError
from omnipilot.memory import Usage


def episode(key: str, reason: str = "success", **more: Any) -> Episode:
    return replace(made_episode(key, reason=reason), **more)


SOME = [
    episode("a", turns=4, actions=3, usage=Usage(3, 900, 100)),
    episode("b", "turns", turns=8, actions=8, completed=1, total=4, usage=Usage(3, 1900, 100)),
    episode("c", "void", turns=90, usage=Usage(1, 1, 1)),
    episode("d", "done", turns=2, actions=1, completed=0, total=2, usage=Usage(1, 90, 10)),
]


def test_every_name_is_a_metric_that_says_what_it_is() -> None:
    for name in METRICS.names():
        found = load_metric(name)
        assert found.name == name and found.about.endswith("."), name


def test_crabs_figures_are_those_of_the_tables_of_intervals() -> None:
    for name in FIGURES:
        every, figure = headline(outcomes(SOME, name)), metric_figure(load_metric(name.lower()), SOME)
        assert (figure.interval, figure.valid, figure.void) == (every.all, every.valid, 1), name


def test_crabs_figures_are_the_formulas_of_its_paper() -> None:
    formulas = {"sr": success_rate, "cr": completion_ratio, "ee": execution_efficiency, "ce": cost_efficiency}
    for name, formula in formulas.items():
        assert metric_figure(load_metric(name), SOME).value == pytest.approx(formula(list(map(score, SOME)))), name
    released = execution_efficiency(list(map(score, SOME)), "release")
    assert metric_figure(load_metric("ee", "release"), SOME).value == pytest.approx(released)
    scores = [Score(4, 4, 8, 1000), Score(1, 4, 5, 500), Score(0, 2, 0, 0)]
    assert execution_efficiency(scores, "release") == pytest.approx((1 / 9 + 0.25 / 6 + 0) / 3)
    assert cost_efficiency(scores) == pytest.approx((1 / 1000 + 0.25 / 500 + 0) / 3)


def test_no_action_and_no_token_say_nothing() -> None:
    idle = [episode("a", "done", completed=0, actions=0, usage=Usage())]
    assert [metric_figure(load_metric(name), idle).interval for name in ("ee", "ce")] == [None, None]
    assert cells(idle, ("ee", "ce", "sr")) == ("—", "—", "0.0")
    assert cells([], ("sr",)) == ("—",)


def test_a_mean_leaves_void_episodes_out_and_a_ratio_pools() -> None:
    assert metric_figure(load_metric("turns"), SOME).value == pytest.approx(14 / 3)

    @metric(title="invalid share", scale=100, unit="actions")
    def share(one: Episode) -> tuple[float, float]:
        return one.turns - one.actions, one.turns

    figure = metric_figure(share, SOME)
    assert figure.value == pytest.approx(2 / 14) and (figure.of, figure.unit) == (14, "actions")
    assert figure.value == sum(item.part for item in figure.items) / sum(item.whole for item in figure.items)


def test_trials_of_an_instance_are_one_item() -> None:
    trials = [episode("a#0.0"), replace(episode("a#0.1", "done", completed=0), task="a", instance=0)]
    trials[0] = replace(trials[0], task="a", instance=0)
    (item,) = metric_figure(load_metric("sr"), trials).items
    assert (item.key, item.cluster, item.part, item.whole) == ("a#0", "a", 1.0, 2.0)


def test_an_unknown_value_makes_the_figure_unknown_and_none_leaves_an_episode_out() -> None:
    @metric()
    def sometimes(one: Episode) -> float | None:
        return None if one.task == "b" else math.nan if one.task == "d" else 1.0

    assert metric_figure(sometimes, SOME[:2]).of == 1
    assert metric_figure(sometimes, SOME).interval is None


def test_a_users_file_is_a_column_like_ours(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "my_metrics_1.py").write_text(
        "from omnipilot.bench.scoring import metric\n\n"
        '@metric(title="thinking", about="turns per action", unit="actions", better="lower")\n'
        "def thinking(episode):\n    return episode.turns, episode.actions\n\n"
        "def plain(episode):\n    return 1\n\n"
        "@metric()\ndef broken(episode):\n    return episode.no_such_field\n\n"
        '@metric()\ndef words(episode):\n    return "many"\n'
    )
    monkeypatch.syspath_prepend(tmp_path)
    columns = chosen_columns("SR, my_metrics_1:thinking")
    assert headings(columns) == ("SR %", "thinking")
    assert cells(a_run("first", SOME).episodes, columns) == ("25.0", "1.2")
    assert notes(columns) == ("thinking: turns per action; of all actions",)
    with pytest.raises(ConfigError, match=r"is a function: put @metric\(title=…\)"):
        chosen_columns("my_metrics_1:plain")
    with pytest.raises(ConfigError, match="'my_metrics_1:broken' failed for episode a#0.0: AttributeError"):
        cells(SOME, ("my_metrics_1:broken",))
    with pytest.raises(ConfigError, match="gave 'many' for episode"):
        cells(SOME, ("my_metrics_1:words",))
    with pytest.raises(ConfigError, match="cannot be imported"):
        chosen_columns("my_metrics_9:thinking")


def test_the_released_variant_of_ee_counts_one_action_more() -> None:
    assert cells(SOME[:1], ("ee",)) == ("33.3",)
    assert cells(SOME[:1], ("ee",), "release") == ("25.0",)
