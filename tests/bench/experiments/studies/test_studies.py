"""The studies of a suite: what they say of episodes whose truth is known."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from made_runs import episode

from omnipilot.bench import Episode
from omnipilot.bench.experiments.studies.levels import levels, levels_table
from omnipilot.bench.experiments.studies.matched import chain_against_graph, matched_table, with_and_without
from omnipilot.bench.experiments.studies.orders import order_sensitivity, orders_table
from omnipilot.bench.experiments.studies.people import WatchedEpisode, agreement_with_people, people_table, read_watched
from omnipilot.envs import ConfigError


def made(task: str, completed: int, **tags: str) -> Episode:
    """An episode of a task of ten sub-goals."""
    return replace(episode(f"{task}@0#0"), task=task, completed=completed, total=10, tags=tags)


def test_a_figure_falls_from_level_to_level() -> None:
    found = [
        *(made(f"e{n}", 8, branch="easy", dependency="easy") for n in range(6)),
        *(made(f"m{n}", 5 + n % 2, branch="medium", dependency="easy") for n in range(6)),
        *(made(f"h{n}", 1 + n % 2, branch="hard", dependency="hard") for n in range(6)),
    ]
    rows = {(row.complexity, row.grade.value): row for row in levels(found)}
    assert rows["branch", "easy"].mean.estimate == pytest.approx(0.8) and rows["branch", "easy"].drop is None
    medium, hard = rows["branch", "medium"].drop, rows["branch", "hard"].drop
    assert medium is not None and medium.estimate == pytest.approx(0.25)
    assert hard is not None and hard.estimate == pytest.approx(0.4)
    assert hard.low is not None and hard.high is not None and 0.3 < hard.low < 0.4 < hard.high < 0.5
    over = rows["dependency", "hard"].drop
    assert over is not None and over.estimate == pytest.approx(0.675 - 0.15), "a level that nobody has is skipped"
    assert ("hierarchy", "easy") not in rows
    table = levels_table(levels(found))
    assert any("mean drop: 39.17 points over 3 steps" in note for note in table.notes)
    with pytest.raises(ConfigError, match="says its level"):
        levels([made("a", 1)])


def test_a_level_of_a_single_task_has_a_drop_without_an_interval() -> None:
    found = [made("e", 10, branch="easy"), *(made(f"m{n}", 4 + n % 3, branch="medium") for n in range(12))]
    _, medium = levels(found)
    assert medium.drop is not None and medium.drop.estimate == pytest.approx(0.5) and medium.drop.low is None
    assert any("too few groups of tasks" in note for note in levels_table([medium]).notes)


def test_orders_that_change_nothing_have_no_deviation_and_others_that_of_their_scores() -> None:
    tasks = [f"t{n}" for n in range(12)]
    steady = {name: [made(task, 5) for task in tasks] for name in "abc"}
    found = order_sensitivity(steady)
    assert found.deviation.estimate == 0.0 and found.graphs == 12 and found.wordings == 3
    shaky = {name: [made(task, score) for task in tasks] for name, score in (("a", 2), ("b", 4), ("c", 6))}
    found = order_sensitivity(shaky)
    assert found.deviation.estimate == pytest.approx(0.2) and found.scores == pytest.approx(
        {"a": 0.2, "b": 0.4, "c": 0.6}
    )
    assert "standard deviation over 3 wordings, mean over 12 graphs: 20.0" in orders_table(found).notes[0]


def test_too_few_orders_or_graphs_are_refused() -> None:
    with pytest.raises(ConfigError, match="at least 3 wordings, not 2"):
        order_sensitivity({"a": [], "b": []})
    runs = {name: [made(f"t{n}", 5) for n in range(9)] for name in "abc"}
    with pytest.raises(ConfigError, match="at least 10 graphs played in every wording, not 9"):
        order_sensitivity(runs)


def test_chains_are_compared_with_what_they_are_matched_with() -> None:
    dice = Random(1)
    found = [
        made(f"{form}{n}", score - dice.randrange(2), form=form, match=f"set-{n}")
        for n in range(12)
        for form, score in (("chain", 8), ("graph", 5))
    ]
    study = chain_against_graph([*found, made("odd", 3, form="chain", match="set-99")])
    assert study.pairs == 12 and study.alone == 1
    assert -0.45 < study.apart.interval.estimate < -0.15 and study.apart.p is not None and study.apart.p < 0.05
    assert "graph minus chain" in matched_table(study, "paper").notes[0]
    with pytest.raises(ConfigError, match="no matched chains and graphs"):
        chain_against_graph([made("a", 1)])


def test_intents_are_compared_task_by_task() -> None:
    without = [made(f"t{n}", 4) for n in range(12)]
    told = [made(f"t{n}", 4 + n % 3) for n in range(12)]
    study = with_and_without(("no intent", "intent"), without, told)
    assert study.apart.interval.estimate == pytest.approx(0.1) and study.pairs == 12
    with pytest.raises(ConfigError, match="share no task"):
        with_and_without(("a", "b"), [made("x", 1)], [made("y", 1)])


def test_people_agree_with_what_they_saw() -> None:
    watched = [
        WatchedEpisode(f"t{n}", rater, 10 * n, 10 * (n if rater == "kim" else 5))
        for n in range(11)
        for rater in ("kim", "lee")
    ]
    exact = {f"t{n}": n / 10 for n in range(11)}
    found = {(one.first, one.second): one for one in agreement_with_people(watched, {"CR": exact})}
    assert found["CR", "completion"].r.estimate == pytest.approx(1.0) and found["CR", "completion"].episodes == 11
    assert found["completion by kim", "by lee"].r.estimate == pytest.approx(1.0)
    assert math.isnan(found["logic by kim", "by lee"].r.estimate)
    assert "never varies" in people_table(list(found.values())).text()
    with pytest.raises(ConfigError, match="1 of the episodes that were watched are in the run; 4 are needed"):
        agreement_with_people(watched, {"CR": {"t1": 0.5}})


@pytest.mark.parametrize("said", ["55", "110", "-10", "", "ten"])
def test_only_steps_of_ten_are_taken(tmp_path: Path, said: str) -> None:
    sheet = tmp_path / "watched.csv"
    sheet.write_text(f"episode,rater,completion,logic\nt1,kim,50 %,100\nt2,kim,{said},0\n")
    with pytest.raises(ConfigError, match=r"watched.csv:3: completion must be 0, 10, … 100"):
        read_watched(sheet)
    sheet.write_text("episode,rater,completion,logic\nt1,kim,50 %,100\n")
    assert read_watched(sheet) == [WatchedEpisode("t1", "kim", 50, 100)]


def test_a_sheet_of_another_encoding_and_seconds_that_are_none_are_told(tmp_path: Path) -> None:
    sheet = tmp_path / "watched.csv"
    sheet.write_text('episode,rater,completion,logic,seconds\nt1, ,50,100,"12,5"\n')
    assert read_watched(sheet, rater="lee") == [WatchedEpisode("t1", "lee", 50, 100, 12.5)]
    sheet.write_text("episode,rater,completion,logic,seconds\nt1,kim,50,100,long\n")
    with pytest.raises(ConfigError, match=r"watched.csv:2: seconds must be a number, not 'long'"):
        read_watched(sheet)
    sheet.write_bytes("episode,rater,completion,logic\nt1,Jürgen,50,100\n".encode("cp1252"))
    with pytest.raises(ConfigError, match=r"watched.csv is no CSV in UTF-8"):
        read_watched(sheet)
