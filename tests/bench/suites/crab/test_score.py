"""CRAB's figures from its released log, with numbers computed by hand."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from crab_rows import row, scored

from omnipilot.bench.scoring import Scored
from omnipilot.bench.scoring.score import scored_tables
from omnipilot.bench.suites.crab import CrabSuite
from omnipilot.bench.suites.crab import sample as mini_crab
from omnipilot.bench.suites.crab.log import REASONS
from omnipilot.bench.suites.crab.score import Crab
from omnipilot.envs import ConfigError


def values(found: Scored) -> dict[str, float | None]:
    """The figures by name."""
    return {figure.name: figure.value for figure in found.figures}


FOUR = (
    row("a", "success", 3, 1.0),  # 4 actions, for the log omits the one that ended it
    row("b", "reach_max_step", 19, 0.5, token_usage=2000),  # 20 actions
    row("c", "agent_complete", 5, 0.25, token_usage=1000),  # 5 actions
    row("d", "agent_exception", 0, 0.0, token_usage=100),
)


def test_the_four_figures_of_the_paper_by_hand(tmp_path: Path) -> None:
    found = values(scored(tmp_path, *FOUR))
    assert found["SR"] == 1 / 4
    assert found["CR"] == pytest.approx((1 + 0.5 + 0.25) / 4)
    assert found["EE"] == pytest.approx((1 / 4 + 0.5 / 20 + 0.25 / 5) / 4)
    assert found["CE"] == pytest.approx((1 / 500 + 0.5 / 2000 + 0.25 / 1000) / 4)
    assert [found[name] for name in ("FC", "RSL", "IA")] == [1 / 4, 1 / 4, 1 / 4]


def test_the_released_code_counts_the_look_before_the_first_action(tmp_path: Path) -> None:
    found = values(scored(tmp_path, *FOUR, variant="release"))
    assert found["EE"] == pytest.approx((1 / 5 + 0.5 / 21 + 0.25 / 6) / 4)
    assert found["CR"] == pytest.approx((1 + 0.5 + 0.25) / 4)


def test_success_is_by_completeness_and_never_by_the_reason(tmp_path: Path) -> None:
    found = values(scored(tmp_path, row("a", "reach_max_step", 19, 1.0), row("b", "reach_max_step", 19, 0.75)))
    assert found["SR"] == 0.5
    assert found["RSL"] == 0.5
    assert found["EE"] == pytest.approx((1 / 20 + 0.75 / 20) / 2)


def test_with_sr_and_the_void_the_shares_add_up_to_one(tmp_path: Path) -> None:
    reasons = ("env_exception", "action_format_error", "evaluator_exception", "keyboard_interrupt", "agent_complete")
    found = scored(tmp_path, *(row(reason, reason, 2, 0.5) for reason in reasons), row("s", "success", 1, 1.0))
    shares = values(found)
    assert [shares[name] for name in ("SR", "FC", "RSL", "IA")] == [1 / 6, 1 / 6, 0, 3 / 6]
    assert found.figure("IA").void == 1
    # The interrupted one counts as zero; without it there are four of a half and one whole.
    assert shares["CR"] == pytest.approx((4 * 0.5 + 1) / 6)
    valid = found.figure("CR").valid
    assert valid is not None
    assert valid.estimate == pytest.approx((4 * 0.5 + 1) / 5)
    assert any("1 ended by evaluator_exception" in note for note in found.notes)


def test_without_tokens_there_is_no_cost_efficiency_and_a_gap_is_told(tmp_path: Path) -> None:
    bare = scored(tmp_path, row("a", "success", 1, 1.0, token_usage=""))
    assert bare.figure("CE").interval is None
    some = scored(tmp_path, *FOUR, row("e", "agent_complete", 1, 0.5, token_usage="None"))
    assert (some.figure("CE").of, some.figure("SR").of) == (4, 5)
    assert "1 episodes without tokens are left out of CE" in some.notes


def test_where_all_are_void_each_figure_is_zero_of_all(tmp_path: Path) -> None:
    lost = [row(task, "keyboard_interrupt", 0, 0.0) for task in "abcde"]
    for variant in Crab.variants:
        found = scored(tmp_path, *lost, variant=variant)
        assert {(one.value, one.of, one.void, one.valid) for one in found.figures} == {(0.0, 5, 5, None)}
    # One that was not lost and did nothing has no EE; those that were are told.
    found = scored(tmp_path, *lost, row("f", "agent_complete", 0, 0.0))
    assert [(one.value, one.of, one.void) for one in found.figures if one.name == "EE"] == [(None, 6, 5)]


def test_without_actions_there_is_no_execution_efficiency(tmp_path: Path) -> None:
    assert scored(tmp_path, row("a", "agent_complete", 0, 0.0)).figure("EE").interval is None


def test_systems_are_never_mixed_and_repetitions_are_trials(tmp_path: Path) -> None:
    other = row("a", "agent_complete", 3, 0.5, model="other")
    found = scored(tmp_path, row("a", "success", 3, 1.0), row("a", "agent_complete", 3, 0.0), other)
    shown = values(found)
    assert shown["SR (SingleAgentPolicy · m)"] == 0.5
    assert shown["CR (SingleAgentPolicy · other)"] == 0.5
    interval = found.figure("SR (SingleAgentPolicy · m)").interval
    assert interval is not None
    assert (interval.units, interval.clusters) == (1, 1)


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"completeness": "much"}, "completeness"),
        ({"completeness": 1.5}, "completeness"),
        ({"total_steps": -1}, "total_steps"),
        ({"terminate_reason": "bored"}, "terminate_reason"),
        ({"token_usage": "many"}, "token_usage"),
    ],
)
def test_a_row_that_cannot_be_read_is_told_and_its_task_is_void(
    tmp_path: Path, change: dict[str, Any], field: str
) -> None:
    data = tmp_path / "data"
    mini_crab.write(data)
    first, second, *rest = (info.id for info in CrabSuite(str(data)).tasks())
    good = [row(id, "success", 1, 1.0) for id in (second, *rest)]
    found = scored(tmp_path, {**row(first, "success", 1, 1.0), **change}, *good, data=str(data))
    assert found.missing == (first,)
    assert found.figure("SR").value == pytest.approx(16 / 17)
    assert any(f"main_log.csv, record 0 ({first}), field {field}: " in note for note in found.notes)


def test_a_figure_of_the_log_that_cannot_be_is_noted(tmp_path: Path) -> None:
    found = scored(tmp_path, *FOUR, row("e", "success", 3, 1.0, completeness_per_action=0.25))
    assert any(note.startswith("1 rows whose completeness_per_action is not") for note in found.notes)
    assert not any("completeness_per_action" in note for note in scored(tmp_path, *FOUR).notes)


def test_the_sample_over_the_miniature_by_an_independent_count(tmp_path: Path) -> None:
    mini_crab.write(tmp_path)
    path = mini_crab.sample_predictions(tmp_path)
    infos = CrabSuite(str(tmp_path)).tasks()
    completion, by_action = Fraction(0), Fraction(0)
    for number, info in enumerate(infos):
        nodes = int(info.tags["nodes"])
        share, actions = {
            0: (Fraction(1), 2 * nodes),
            1: (Fraction(nodes // 2, nodes), 3),
            2: (Fraction(nodes - 1, nodes), 20),
        }.get(number % 5, (Fraction(0), 1))
        completion += share
        by_action += share / actions
    found = Crab().score(str(tmp_path), path, "paper")
    assert found.figure("SR").value == pytest.approx(4 / 17)
    assert found.figure("CR").value == pytest.approx(float(completion / 17))
    assert found.figure("EE").value == pytest.approx(float(by_action / 17))
    assert found.missing == tuple(info.id for number, info in enumerate(infos) if number % 5 == 4)
    assert found.figure("SR").void == 3
    valid = found.figure("SR").valid
    assert valid is not None
    assert valid.estimate == pytest.approx(4 / 14)
    interval = found.figure("SR").interval
    assert interval is not None
    assert "overlapping templates" in interval.method
    text = "\n".join(table.text() for table in scored_tables(found))
    assert "crab, variant paper" in text
    assert "reach_max_step" in text


def test_tasks_that_the_data_does_not_have_count_for_nothing(tmp_path: Path) -> None:
    data = tmp_path / "data"
    mini_crab.write(data)
    ids = [info.id for info in CrabSuite(str(data)).tasks()]
    found = scored(tmp_path, *(row(id, "success", 1, 1.0) for id in (*ids, "made by hand")), data=str(data))
    assert found.extra == ("made by hand",)
    assert found.figure("SR").of == 17
    assert scored(tmp_path, row("made by hand", "success", 1, 1.0)).figure("SR").of == 1


def test_a_log_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="cannot be read"):
        Crab().score("", tmp_path / "main_log.csv", "paper")


@pytest.mark.parametrize(
    ("counts", "printed"),
    [
        ((17, 10, 67, 26), (14.17, 8.33, 55.83, 21.67)),  # GPT-4o, single
        ((18, 13, 65, 24), (15.00, 10.83, 54.17, 20.00)),  # GPT-4o, by function
        ((4, 34, 41, 41), (3.33, 28.33, 34.17, 34.17)),  # Claude 3 Opus, by function
    ],
)
def test_shares_of_the_papers_120_tasks_are_as_table_2_prints_them(
    tmp_path: Path, counts: tuple[int, ...], printed: tuple[float, ...]
) -> None:
    kinds = (("success", 1.0), ("agent_complete", 0.5), ("reach_max_step", 0.5), ("env_exception", 0.5))
    rows = [
        row(f"{reason} {number}", reason, 3, completeness)
        for (reason, completeness), count in zip(kinds, counts, strict=True)
        for number in range(count)
    ]
    found = values(scored(tmp_path, *rows))
    assert [round(100 * (found[name] or 0.0), 2) for name in ("SR", "FC", "RSL", "IA")] == list(printed)


def test_a_task_that_stands_there_often_counts_once(tmp_path: Path) -> None:
    rows = [row(f"t{number}", "agent_complete", 4, float(number < 4), time=str(number)) for number in range(17)]
    again = [row("t0", "success", 4, 1.0, time=f"again {number}") for number in range(39)]
    once, often = scored(tmp_path, *rows), scored(tmp_path, *rows, *again)
    assert values(once)["SR"] == values(often)["SR"] == pytest.approx(4 / 17)
    for name in ("CR", "FC", "RSL", "IA"):
        assert values(often)[name] == pytest.approx(values(once)[name])
    assert (once.figure("SR").of, often.figure("SR").of) == (17, 56)


def test_trials_of_a_task_are_averaged_and_a_void_one_is_left_out_of_the_rest(tmp_path: Path) -> None:
    found = scored(
        tmp_path,
        *(row("a", "success", 3, 1.0, time="1"), row("a", "keyboard_interrupt", 3, 0.0, time="2")),
        *(row("b", "agent_complete", 3, 0.5, time=str(number)) for number in range(4)),
    )
    assert values(found)["SR"] == pytest.approx((1 / 2 + 0) / 2)
    assert values(found)["CR"] == pytest.approx((1 / 2 + 0.5) / 2)
    figure = found.figure("CR")
    assert figure.void == 1 and figure.valid is not None
    assert figure.valid.estimate == pytest.approx((1 + 0.5) / 2)


@pytest.mark.parametrize("reason", sorted(REASONS))
@pytest.mark.parametrize("completeness", [0.0, 0.75, 1.0])
def test_every_row_is_in_one_share(tmp_path: Path, reason: str, completeness: float) -> None:
    found = scored(tmp_path, row("a", reason, 3, completeness))
    shares = values(found)
    void = found.figure("SR").void
    assert sum(shares[name] or 0.0 for name in ("SR", "FC", "RSL", "IA")) + void == 1
    if reason == "success" and completeness < 1:
        assert shares["FC"] == 1 and any("1 episodes ended as a success" in note for note in found.notes)
