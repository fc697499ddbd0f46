"""Sweeps: the combinations, and their table with Holm over all comparisons."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from figure_checks import check
from made_runs import a_run, episode

from omnipilot.agents import AgentSpec, PartSpec
from omnipilot.bench import RunSpec
from omnipilot.bench.experiments import Sweep
from omnipilot.bench.experiments.sweep import specs_of, sweep_of, sweep_request
from omnipilot.bench.experiments.sweep_results import rows_of
from omnipilot.bench.journal.run import Run
from omnipilot.bench.report.sweep_figure import sweep_figure
from omnipilot.bench.report.sweep_table import sweep_table
from omnipilot.bench.run.labels import label_of, name_words
from omnipilot.bench.settings import RunSettings
from omnipilot.bench.stats.correction import holm
from omnipilot.bench.stats.outcomes import outcomes
from omnipilot.bench.stats.paired import difference, pair
from omnipilot.envs import ConfigError
from omnipilot.envs.schema.read_toml import read_toml


def swept(
    file: Mapping[str, Any], lists: Mapping[str, list[Any]] | None = None, against: str = "", *options: str
) -> Sweep:
    found = sweep_request({"suite": "toy", "planner": "noop", **file}, lists or {}, RunSettings(), against)
    return sweep_of(specs_of(found, options), Path("x"), found.against)


def labels(sweep: Sweep) -> list[str]:
    return [cell.label for cell in sweep.cells]


def test_the_cross_product_and_its_labels(tmp_path: Path) -> None:
    (tmp_path / "s.toml").write_text(
        'memory = { name = "window", turns = 3 }\n[sweep]\nplanner = ["rules", "openai/gpt-4o", '
        '{ name = "json", model = "openai/gpt-4o", images = 2 }]\ngrounder = ["elements", "ocr"]\n'
        'modalities = [["screenshot", "elements"], "all"]\n'
    )
    sweep = swept(read_toml(tmp_path / "s.toml"))
    assert sweep.axes == ("planner", "grounder", "modalities") and len(sweep.cells) == 12
    assert labels(sweep)[:3] == [
        *("rules · elements · screenshot+elements", "rules · elements · all"),
        "rules · ocr · screenshot+elements",
    ]
    assert labels(sweep)[-1] == "json openai/gpt-4o(images=2) · ocr · all"
    assert {cell.spec.agent.memory.options["turns"] for cell in sweep.cells} == {3}
    assert len({cell.folder for cell in sweep.cells}) == 12


def test_flags_come_before_the_file() -> None:
    file = {"memory": {"turns": 3}, "sweep": {"planner": ["rules", "noop"], "grounder": ["elements", "ocr"]}}
    sweep = swept(file, {"planner": ["random"]}, "", "memory.turns=5")
    assert labels(sweep) == ["elements", "ocr"] and sweep.axes == ("grounder",)
    assert {cell.spec.agent.planner.name for cell in sweep.cells} == {"random"}
    assert {cell.spec.agent.memory.options["turns"] for cell in sweep.cells} == {5}


def test_a_planner_of_a_list_keeps_the_options_that_all_share() -> None:
    sweep = swept({"planner": {"name": "json", "model": "a/b", "images": 2}, "sweep": {"planner": ["a/c", "a/d"]}})
    assert [dict(cell.spec.agent.planner.options) for cell in sweep.cells] == [
        {"model": "a/c", "images": 2},
        {"model": "a/d", "images": 2},
    ]


def test_what_is_of_models_goes_to_the_cells_that_ask_one() -> None:
    file = {"planner_url": "http://127.0.0.1:1/v1", "cassette": "kept", "replay": True}
    rules, model = swept({**file, "sweep": {"planner": ["rules", "a/b"]}}).cells
    assert rules.spec.agent.planner.options == {}
    told = {"model": "a/b", "url": "http://127.0.0.1:1/v1", "cassette": "kept", "replay": True}
    assert model.spec.agent.planner.options == told
    with pytest.raises(ConfigError, match="'noop' calls none"):
        swept({"planner_url": "http://127.0.0.1:1/v1", "sweep": {"planner": ["rules", "noop"]}})
    with pytest.raises(ConfigError, match="no part calls an LLM"):
        swept({"cassette": "kept", "sweep": {"planner": ["rules", "noop"]}})
    with pytest.raises(ConfigError, match="--replay requires --cassette"):
        swept({"replay": True, "sweep": {"planner": ["rules", "a/b"]}})


def test_settings_of_model_calls_reach_a_model_inside_another_planner() -> None:
    file = {"planner_url": "http://127.0.0.1:1/v1", "cassette": "kept"}
    sweep = swept({**file, "sweep": {"planner": ["rules", "blind:a/b"]}})
    assert labels(sweep) == ["rules", "blind:a/b"]
    rules, blind = (cell.spec.agent.planner for cell in sweep.cells)
    told = {"model": "a/b", "url": "http://127.0.0.1:1/v1", "cassette": "kept"}
    assert rules == PartSpec("rules") and blind == PartSpec("blind", inner=(PartSpec("function-calling", told),))


def test_combinations_that_are_the_same_run_are_one_cell() -> None:
    sweep = swept({}, {"planner": ["rules", "noop", "rules"], "memory": ["window", {"name": "window"}]})
    assert labels(sweep) == ["rules", "noop"] and sweep.combinations == 6


@pytest.mark.exhibit("duet", "rules")
def test_a_written_instruction_is_called_text() -> None:
    specs = [RunSpec(AgentSpec(), PartSpec("duet"), instruction=form) for form in ("", "both:10")]
    assert [label_of(spec, ("instruction",)) for spec in specs] == ["text", "both:10"]
    assert name_words(specs[0]) == "rules"


def test_the_reference_is_named_by_its_words() -> None:
    lists = {"planner": ["rules", "noop"], "modalities": ["all", "elements,screenshot,context"]}
    assert swept({}, lists).reference == 0
    assert swept({}, lists, "noop · all").reference == 2
    assert swept({}, lists, "noop,no audio").reference == 3
    assert swept({"sweep": {"against": "noop,all"}}, lists).reference == 2
    with pytest.raises(ConfigError, match="matches more than one cell: noop · all; noop · no video, no audio"):
        swept({}, lists, "noop")
    with pytest.raises(ConfigError, match=r"no cell 'nop'"):
        swept({}, lists, "nop")


@pytest.mark.parametrize(
    ("file", "message"),
    [
        ({"sweep": {"plannner": ["rules"]}}, "no setting that a sweep can vary 'plannner'; did you mean planner"),
        ({"sweep": {"planner": "noop"}}, "planner in .sweep. must be a list"),
        ({"sweep": {"planner": []}}, "planner in .sweep. must be a list"),
        ({"sweep": ["rules"]}, "sweep must be a table of lists"),
        ({"trails": 3}, "no setting 'trails'; did you mean trials"),
        ({"sweep": {"modalities": ["all", "sound"]}}, "modalities sound: unknown modality sound"),
        ({"sweep": {"planner": [["rules"]]}}, "setting planner must be a name, or a table"),
    ],
)
def test_bad_settings_say_what_to_write(file: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        swept(file)


def made(planner: str, solved: str) -> Run:
    """A run of one episode a task: 1 solved, 0 not, v void."""
    episodes = [
        episode(f"t{number:02}#0.0", 2 if mark == "1" else 0, "void" if mark == "v" else "")
        for number, mark in enumerate(solved)
    ]
    return a_run(planner, episodes, planner)


RUNS = [
    made("noop", "000000000000"),
    made("rules", "111111110000"),
    made("random", "v10000000000"),
    made("oracle", "111111111111"),
]


def test_holm_is_over_all_comparisons_of_the_sweep() -> None:
    rows = rows_of(RUNS)
    found = [difference(pair(outcomes(RUNS[0].episodes), outcomes(run.episodes))[0]) for run in RUNS[1:]]
    values = [one.p for one in found if one.p is not None]
    # Twelve tasks, all flips counted: 8, 1 and 12 of them the same way.
    assert values == pytest.approx([2 / 2**8, 1.0, 2 / 2**12])
    assert [row.adjusted for row in rows] == [None, *holm(values)]
    assert rows[1].adjusted == pytest.approx(2 * 2 / 2**8) and rows[3].adjusted == pytest.approx(3 * 2 / 2**12)
    assert [row.difference for row in rows] == [None, *found]
    again = rows_of(RUNS, reference=1)
    assert again[1].reference and again[0].difference is not None
    assert again[0].difference.interval.estimate == pytest.approx(-8 / 12)


def test_the_table_says_what_its_numbers_are() -> None:
    table = sweep_table(rows_of(RUNS), ("planner",))
    assert [row[0] for row in table.rows] == ["noop", "random", "rules", "oracle"], "by effect, the reference first"
    assert table.columns[:4] == ("planner", "solved", "SR %", "void") and "SR % without void" in table.columns
    cells = {row[0]: dict(zip(table.columns, row, strict=True)) for row in table.rows}
    assert cells["noop"]["difference"] == "reference" and cells["noop"]["p"] == ""
    assert cells["random"]["solved"] == "1/12" and cells["random"]["void"] == "1"
    assert cells["random"]["SR % without void"].startswith("9.1 [")
    assert cells["rules"]["SR %"].startswith("66.7 [") and cells["rules"]["difference"].startswith("+66.7 [")
    for words_ in ("12 pairs of 12 tasks", "the 3 cells that are compared together", "minus noop"):
        assert words_ in "\n".join(table.notes), words_
    for words_ in ("Wilson", "counts as zero", "80 %"):
        assert words_ in "\n".join(table.methods), words_


def test_a_large_sweep_shows_the_largest_differences_and_says_how_many_more_there_are() -> None:
    table = sweep_table(rows_of(RUNS), ("planner",), most=2)
    assert [row[0] for row in table.rows] == ["noop", "rules", "oracle"]
    assert table.notes[-1] == "1 more row with smaller differences: --all shows them"


def test_several_trials_bring_pass_k() -> None:
    often = a_run("often", [episode(f"t{n}#0.{k}", 2 * (k < 2)) for n in range(8) for k in range(3)], "rules")
    always = a_run("always", [episode(f"t{n}#0.{k}", 2) for n in range(8) for k in range(3)], "oracle")
    table = sweep_table(rows_of([often, always]), ("planner",))
    cells = {row[0]: dict(zip(table.columns, row, strict=True)) for row in table.rows}
    assert cells["rules"]["SR %"].startswith("66.7 [") and cells["rules"]["pass^k %"].startswith("0.0 [")
    assert cells["oracle"]["pass^k %"].startswith("100.0 [") and "pass^k: an instance counts if all k = 3" in "\n".join(
        table.notes
    )


def test_cells_without_episodes_are_shown_and_compared_with_nothing() -> None:
    runs = [RUNS[0], replace(RUNS[1], episodes=(), planned=12), replace(RUNS[3], episodes=RUNS[3].episodes[:6])]
    rows = rows_of(runs)
    table = sweep_table(rows, ("planner",))
    assert table.rows[-1] == ("rules", "0/0", "—", "—", "—", "—", "—")
    assert "not finished: rules, 0 of 12 episodes" in table.notes
    assert any("6 pairs left out" in note for note in table.notes)
    assert rows[2].adjusted == rows[2].difference.p if rows[2].difference else False
    check(sweep_figure(rows, ("planner",)))
    alone = rows_of([runs[1]])
    assert sweep_table(alone, ("planner",)).rows == (("rules", "0/0", "—", "reference", "", "", ""),)
    check(sweep_figure(alone, ("planner",)))


def test_the_figure_shows_rates_and_differences() -> None:
    texts = check(sweep_figure(rows_of(RUNS), ("planner",), "toy"))
    assert "Success rate on toy, 95 % intervals" in texts and "Difference to noop, paired, 95 % intervals" in texts
    assert texts.count("noop") == 1 and texts.count("rules") == 2
    assert "1/12, 1 void" in texts and "p = 0.016 (Holm)" in texts
    systems = ("single", "single", "by-function", "by-function")
    specs = [replace(run.spec, agent=replace(run.spec.agent, system=s)) for run, s in zip(RUNS, systems, strict=True)]
    grouped = [replace(run, spec=spec) for run, spec in zip(RUNS, specs, strict=True)]
    both = check(sweep_figure(rows_of(grouped), ("agent", "planner")))
    assert both.count("single") == both.count("by-function") == 2


def test_the_part_that_asks_no_model_is_free() -> None:
    from omnipilot.bench.run.llm_budget import free

    sweep = swept({}, {"planner": ["rules", "openai/gpt-4o"]})
    assert [free(cell.spec) for cell in sweep.cells] == [True, False]
    priced = PartSpec("function-calling", {"model": "openai/gpt-4o", "price_in": 0.0, "price_out": 0.0})
    spec = sweep.cells[0].spec
    assert free(replace(spec, agent=replace(spec.agent, planner=priced)))
