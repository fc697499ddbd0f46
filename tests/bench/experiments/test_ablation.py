"""Ablations: their conditions, what is compared with what, and what is said of those that cannot be run."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from figure_checks import check, svg_words
from made_runs import a_run, episode
from made_settings import spec_of
from toy_suite import toy_spec
from typer.testing import CliRunner

from omnipilot.agents import AgentSpec
from omnipilot.agents.assembly.spec import modalities
from omnipilot.bench import Episode, RunSpec
from omnipilot.bench.cli.app import app
from omnipilot.bench.cli.commands.ablate import AblationOptions, ablate_command
from omnipilot.bench.experiments import cells as cells_module
from omnipilot.bench.experiments import conditions
from omnipilot.bench.experiments.ablation import absent, choose_conditions, granting
from omnipilot.bench.experiments.ablation_results import ALL, rows_of
from omnipilot.bench.journal.run import Run
from omnipilot.bench.report.ablation_table import ablate_figure, ablate_table, groups_table
from omnipilot.bench.run import runner
from omnipilot.bench.settings import RunSettings
from omnipilot.bench.spec import essence
from omnipilot.bench.stats.clusters import cluster
from omnipilot.bench.stats.correction import holm
from omnipilot.bench.stats.paired import no_difference
from omnipilot.bench.stats.spread import spread
from omnipilot.bench.tables import Table
from omnipilot.envs import ConfigError, Modality

TOY = {"suite": "toy_suite:ToySuite", "planner": "needy_planner:NeedyPlanner", "tasks": "count,far,answer"}


def names(spec: RunSpec, *without: Modality) -> list[str]:
    return [one.name for one in conditions(spec, without)]


def test_every_condition_and_what_it_grants() -> None:
    found = {one.name: one for one in conditions(toy_spec("count"))}
    assert list(found) == [
        *("full set", "no screenshot", "no elements", "no video", "no audio", "no context", "no video, audio"),
        *("only screenshot", "only elements", "only video", "only audio", "only context", "silence", "noise", "other"),
    ]
    assert found["no video, audio"].spec.agent.modalities == modalities("screenshot,elements,context")
    assert found["only audio"].spec.agent.modalities == {Modality.AUDIO}
    assert (found["noise"].spec.stand_in, found["noise"].spec.agent) == ("noise", toy_spec("count").agent)
    assert len({one.spec.identity for one in found.values()}) == 15
    assert [one.slug for one in found.values()][:2] == ["full", "no-screenshot"]
    assert found["no video, audio"].slug == "no-video-audio"


def test_no_set_of_modalities_comes_twice_and_what_no_world_has_is_left_out() -> None:
    two = replace(toy_spec("count"), agent=AgentSpec(modalities=modalities("elements,audio")))
    assert names(two) == ["full set", "no elements", "no audio", "silence", "noise", "other"]
    assert names(two, Modality.AUDIO) == ["full set", "no elements"]
    one = replace(toy_spec("count"), agent=AgentSpec(modalities=modalities("video")))
    assert names(one) == ["full set", "no video", "silence", "noise", "other"]
    lacking = names(toy_spec("count"), Modality.VIDEO)
    assert "no video" not in lacking and "no video, audio" not in lacking and lacking[-1] == "other"


def test_roles_lose_what_the_agent_loses() -> None:
    agent = AgentSpec(planner_modalities=modalities("audio,elements"), grounder_modalities=modalities("elements"))
    less = granting(agent, modalities("audio,video"))
    assert (less.planner_modalities, less.grounder_modalities) == ({Modality.AUDIO}, frozenset())
    assert less.critic_modalities is None


def test_conditions_are_chosen_by_name_and_by_kind() -> None:
    def picked(*wanted: str) -> list[str]:
        return [one.slug for one in choose_conditions(conditions(toy_spec("count")), wanted)]

    assert picked("no audio", "noise") == picked("noise", "no-audio") == ["full", "no-audio", "noise"]
    assert picked("control", "only-audio") == ["full", "only-audio", "silence", "noise", "other"]
    assert len(picked()) == 15
    with pytest.raises(ConfigError, match="did you mean silence"):
        picked("silense")


def test_stand_ins_are_part_of_an_identity_only_where_used() -> None:
    plain = toy_spec("count")
    assert "stand_in" not in essence(plain.to_json()) and RunSpec.from_json(plain.to_json()) == plain
    noisy = replace(plain, stand_in="noise")
    assert RunSpec.from_json(noisy.to_json()) == noisy and noisy.identity != plain.identity
    assert spec_of({"suite": "toy", "planner": "noop", "stand_in": "other"}).stand_in == "other"
    assert spec_of({"suite": "toy", "planner": "noop", "stand_in": "none"}) == spec_of(
        {"suite": "toy", "planner": "noop"}
    )
    with pytest.raises(ConfigError, match="unknown stand_in 'hush'; choose from silence, noise, other"):
        spec_of({"suite": "toy", "planner": "noop", "stand_in": "hush"})


def leveled(name: str, solved: dict[str, list[int]], void: int = 0) -> Run:
    """A run with a task for each number, by level: 2 solved, 1 half done, 0 nothing; some at the end void."""
    made: list[Episode] = []
    for level, numbers in solved.items():
        for at, done in enumerate(numbers):
            lost = void and at >= len(numbers) - void
            one = episode(f"{level}-{at}#0.0", 0 if lost else done, "void" if lost else "")
            made.append(replace(one, tags={"level": level, "half": "a+b" if at % 2 else ""}))
    return a_run(name, made)


FULL = leveled("full set", {"hard": [2] * 8 + [0], "easy": [2] * 6})
DEAF = leveled("no audio", {"hard": [0] * 7 + [2] * 2, "easy": [2] * 6})


def test_rows_by_level_and_holm_over_the_conditions() -> None:
    rows = {(row.condition, row.group): row for row in rows_of(FULL, {"no audio": DEAF, "other": FULL})}
    assert len(rows) == 9 and rows["full set", ALL].reference
    hard, easy, every = (rows["no audio", group] for group in ("hard", "easy", ALL))
    assert hard.difference is not None and easy.difference is not None and every.difference is not None
    assert (hard.count, hard.pairs, hard.difference.interval.estimate) == ((2, 9), 9, pytest.approx(-6 / 9))
    assert easy.difference.interval.estimate == 0 and easy.difference.p == 1
    assert every.difference.interval.estimate == pytest.approx(-6 / 15)
    # Eight differences, one of them the other way: as extreme are none or one of them turned, of 2^8 ways, twice.
    assert hard.difference.p == pytest.approx(2 * (1 + 8) / 2**8)
    other = rows["other", ALL]
    assert other.difference is not None and other.difference.p == 1 and every.difference.p is not None
    assert (every.adjusted, other.adjusted) == holm([every.difference.p, 1.0]) and every.adjusted > every.difference.p
    assert {row.adjusted for (_, group), row in rows.items() if group != ALL} == {None}, "groups are for exploring"
    assert rows_of(FULL, {}, by="half")[1].group == "no half" and len(rows_of(FULL, {}, by="half")) == 4
    with pytest.raises(ConfigError, match="did you mean level"):
        rows_of(FULL, {}, by="levels")
    assert [row.group for row in rows_of(leveled("x", {"one": [2, 0]}), {})] == [ALL]
    assert [row.group for row in rows_of(FULL, {}, by="")] == [ALL]


def test_a_difference_that_is_the_same_everywhere_is_not_taken_for_none() -> None:
    # A chain of templates: the intervals' degrees of freedom are fewer than the tasks.
    values, tasks = np.full(10, -1.0), [f"t{n}" for n in range(10)]
    chain = cluster(tasks, [(f"s{n}", f"s{n + 1}") for n in range(10)])
    p, how = no_difference(values, chain)
    assert p == pytest.approx(2.0 ** -spread(values, chain).freedom) and 0.01 < p < 0.2 and "all alike" in how
    assert no_difference(0 * values, chain)[0] == 1
    # Where tasks are independent it is the exact test of signs.
    assert no_difference(values, cluster(tasks, [()] * 10))[0] == 2 / 2**10


def cells(table: Table, *of: str) -> dict[str, str]:
    row = next(row for row in table.rows if row[: len(of)] == of)
    return dict(zip(table.columns, row, strict=True))


def test_the_table_has_the_conditions_by_effect_and_counts_void_ones() -> None:
    lost = leveled("silence", {"hard": [2] * 9, "easy": [2] * 6}, void=2)
    rows = rows_of(FULL, {"silence": lost, "no elements": "it needs elements", "no audio": DEAF})
    table = ablate_table(rows, ["a note"], ["a method"])
    assert table.columns[:3] == ("condition", "solved", "SR %") and table.columns[-1] == "void"
    assert [row[0] for row in table.rows] == ["full set", "no audio", "silence", "no elements"]
    assert cells(table, "full set")["difference"] == "reference" and cells(table, "full set")["void"] == "0"
    assert cells(table, "silence")["void"] == "4 (SR 100.0 without)"
    assert cells(table, "no elements")["difference"] == "cannot be run"
    assert "no elements cannot be run: it needs elements" in table.notes and "a note" in table.notes
    assert "a method" in table.methods and not any("Wilson" in note or "sign flips" in note for note in table.notes)
    assert [row[0] for row in ablate_table(rows, most=1).rows] == ["full set", "no audio"]
    assert ablate_table(rows, most=1).notes[-1] == "2 more rows with smaller differences: --all shows them"
    assert "void" not in ablate_table(rows_of(FULL, {"no audio": DEAF})).columns
    shown = check(ablate_figure(rows, "toy · needy"))
    assert {"all tasks (15 pairs)", "no audio", "cannot be run"} <= set(shown) and "hard (9 pairs)" not in shown
    shown = check(ablate_figure(rows, "toy · needy", by_group=True))
    assert {"all tasks (15 pairs)", "hard (9 pairs)", "easy (6 pairs)"} <= set(shown)


def test_groups_stand_in_a_table_of_their_own_without_correction() -> None:
    table = groups_table(rows_of(FULL, {"no audio": DEAF, "no elements": "it needs elements"}), "level")
    assert table is not None and table.columns[:3] == ("condition", "level", "solved") and table.labels == 2
    assert "p Holm" not in table.columns and "for exploring" in table.notes[0] and "not corrected" in table.notes[0]
    hard = cells(table, "no audio", "hard")
    assert (hard["solved"], hard["p"]) == ("2/9", "0.07")
    assert hard["difference"].startswith("-66.7 [") and float(hard["detectable"]) > 20
    assert cells(table, "no elements", "easy")["difference"] == "cannot be run"
    assert cells(table, "full set", "hard")["difference"] == "reference"
    assert groups_table(rows_of(FULL, {"no audio": DEAF}, ""), "") is None


def toy(tmp_path: Path, how: AblationOptions | None = None, **settings: Any) -> Table:
    flags = {**TOY, "out": str(tmp_path / "out"), **settings}
    return ablate_command(None, RunSettings(**flags), (), how or AblationOptions(by="kind"))[0]


@pytest.mark.slow
def test_the_command_runs_all_it_can_once(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    lacking = toy(tmp_path, AblationOptions(dry=True))
    assert len(lacking.rows) == 16 and "silence" in lacking.text() and not (tmp_path / "out").exists()
    table = toy(tmp_path)
    shown = [row[0] for row in table.rows]
    assert shown[0] == "full set" and sorted(shown[1:]) == sorted(
        [
            *("no screenshot", "no elements", "no audio", "no context"),
            *("only screenshot", "only elements", "only audio", "only context", "silence", "noise", "other"),
        ]
    )
    notes = "\n".join(table.with_methods().notes)
    assert "is left or another condition is the same: no video; no video, audio; only video" in notes
    assert "not ablated, as no environment of the suite provides it: video" in notes
    for name in ("no elements", "only screenshot", "only audio", "only context"):
        assert f"{name} cannot be run: planner 'needy' needs elements; grant them" in notes
    assert cells(table, "no audio")["difference"].startswith("0.0 [")
    out = tmp_path / "out"
    stored = json.loads((out / "results.json").read_text(encoding="utf-8"))
    assert stored["conclusion"]["text"].startswith("3 tasks cannot show any difference in 7 comparisons at once")
    assert [one["title"] for one in stored["tables"]] == ["Ablation", "By kind"]
    assert absent(out / "full") == {Modality.VIDEO}
    assert "no audio" in svg_words((out / "ablate.svg").read_text())
    page = (out / "report.html").read_text()
    assert '"title":"Ablation"' in page and "only elements" in page and "\\u003csvg" in page
    printed = capsys.readouterr()
    assert table.text() in printed.out and "[3/12] no elements: 3 of 3 episodes to run" in printed.err

    def refuse(*_: Any, **__: Any) -> None:
        raise AssertionError("nothing is left to run")

    monkeypatch.setattr(cells_module, "run", refuse)
    kept = toy(tmp_path, AblationOptions(("no-audio", "silence"), "kind"))
    assert kept.rows == tuple(row for row in table.rows if row[0] in ("full set", "no audio", "silence"))


def test_what_is_wrong_with_a_directory_or_a_name_is_no_trait_of_a_condition(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="did you mean no-audio"):
        toy(tmp_path, AblationOptions(("no-audoi",)))
    assert not (tmp_path / "out").exists()
    runner.run(toy_spec("count", planner="noop"), tmp_path / "out" / "no-audio")
    with pytest.raises(ConfigError, match="with other settings"):
        toy(tmp_path, AblationOptions(("no-audio",), "kind"))
    runner.run(toy_spec("count", planner="noop"), tmp_path / "run")
    with pytest.raises(ConfigError, match="is a run directory"):
        toy(tmp_path, out=str(tmp_path / "run"))
    with pytest.raises(ConfigError, match="did you mean kind"):
        toy(tmp_path, AblationOptions(by="kinds"), out=str(tmp_path / "kinds"))
    assert not (tmp_path / "kinds").exists(), "it is told before anything is run"
    with pytest.raises(ConfigError, match="leave out stand_in"):
        toy(tmp_path, stand_in="noise")


def test_the_command_line_offers_it() -> None:
    told = CliRunner().invoke(app, ["ablate", "--help"]).output
    assert all(name in told for name in ("--conditions", "--by", "--planner", "--rerun-void", "--power"))
    assert "--stand-in" in CliRunner().invoke(app, ["run", "--help"]).output
