"""Macros mined from solved runs: what they are, and that they shorten episodes without losing one."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from made_settings import spec_of

from omnipilot.bench.experiments import macro_mining
from omnipilot.bench.experiments.macro_mining import mine_macros
from omnipilot.bench.journal.load_runs import load_run
from omnipilot.bench.run.runner import run
from omnipilot.envs import ConfigError
from omnipilot.memory.macros import read_macros

Moves = list[tuple[str, dict[str, Any]]]


def press(key: str) -> tuple[str, dict[str, Any]]:
    return "pc", {"kind": "press", "keys": [key]}


def click(id: str) -> tuple[str, dict[str, Any]]:
    return "pc", {"kind": "click", "at": {"id": id}}


def mine(monkeypatch: pytest.MonkeyPatch, episodes: Sequence[tuple[str, Moves]], **bounds: int):
    monkeypatch.setattr(macro_mining, "solved_moves", lambda _: iter(episodes))
    return mine_macros([Path("run")], **bounds)


def open_and_take(task: int) -> Moves:
    return [press("a"), click("bar/open"), click(f"list/item-{task}"), click("bar/take"), press("z")][task % 2 :]


def test_what_many_tasks_do_becomes_a_macro_with_holes(monkeypatch: pytest.MonkeyPatch) -> None:
    (found,) = mine(monkeypatch, [(f"t{n}", open_and_take(n)) for n in range(6)], most=1)
    assert found.macro.steps == (
        {"kind": "click", "at": {"id": "bar/open"}},
        {"kind": "click", "at": {"id": "{value_1}"}},
        {"kind": "click", "at": {"id": "bar/take"}},
        {"kind": "press", "keys": ["z"]},
    )
    assert (found.support, found.uses) == (6, 6)
    # 4 verbs and 3 texts become a name and a parameter, 6 times; the definition has 7 and a parameter.
    assert found.gain == 6 * (7 - 2) - 8


def test_instances_of_one_task_are_one_task(monkeypatch: pytest.MonkeyPatch) -> None:
    assert mine(monkeypatch, [("t", open_and_take(0))] * 9) == ()
    assert mine(monkeypatch, [(f"t{n}", open_and_take(0)) for n in range(4)]) == ()


def test_a_macro_goes_over_no_failure_and_no_change_of_device(monkeypatch: pytest.MonkeyPatch) -> None:
    broken: Moves = [click("bar/open"), ("", {}), click("bar/take")]
    elsewhere: Moves = [click("bar/open"), ("phone", click("bar/take")[1])]
    assert mine(monkeypatch, [(f"t{n}", moves) for n in range(8) for moves in (broken, elsewhere)]) == ()


def test_holes_that_always_say_the_same_are_one_parameter(monkeypatch: pytest.MonkeyPatch) -> None:
    episodes = [(f"t{n}", [click("bar/open"), click(f"a-{n}"), click(f"a-{n}"), click("bar/take")]) for n in range(6)]
    found = mine(monkeypatch, episodes, most=1)
    assert list(found[0].macro.parameters) == ["value_1"]


def test_bounds_and_runs_that_make_no_sense_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ConfigError, match="2 tasks or more"):
        mine(monkeypatch, [("t", open_and_take(0))], support=1)
    with pytest.raises(ConfigError, match="no episode of run was solved"):
        mine(monkeypatch, [])


@pytest.mark.slow
@pytest.mark.exhibit("duet", "sim")
def test_mined_macros_shorten_episodes_without_losing_one(tmp_path: Path) -> None:
    spec = {"suite": "duet", "sample": 16}
    run(spec_of({**spec, "planner": "oracle"}), tmp_path / "before")
    found = mine_macros([tmp_path / "before"], support=3)
    path = tmp_path / "macros.toml"
    path.write_text("\n".join(one.macro.to_toml() for one in found), encoding="utf-8")
    assert len(read_macros(path)) == len(found) > 0
    run(spec_of({**spec, "planner": f"replay:{path}", "verbs": f"macros:{path}"}), tmp_path / "after")
    before, after = (load_run(tmp_path / name).episodes for name in ("before", "after"))
    assert [one.success for one in after] == [one.success for one in before] == [True] * len(before)
    assert [one.steps for one in after] == [one.steps for one in before]
    assert sum(one.turns for one in after) < 0.9 * sum(one.turns for one in before)


MINED_FROM = "beeps-to-table,total-expenses,three-signals-in-a-sheet,tones-to-message,tones-to-caller"
HELD_OUT = "counter-to-sheet,tones-to-reply,doors-to-task,choose-time-zone"
"""Tasks of the splits `dev` and `test` that `rules` solves; for the last of them there is no macro."""


@pytest.mark.slow
@pytest.mark.exhibit("duet", "sim", "rules")
def test_mined_macros_shorten_episodes_of_rules_on_other_tasks_without_losing_one(tmp_path: Path) -> None:
    mined = {"name": "duet", "split": "dev"}
    run(spec_of({"suite": mined, "planner": "rules", "tasks": MINED_FROM}), tmp_path / "mined")
    path = tmp_path / "macros.toml"
    found = mine_macros([tmp_path / "mined"], support=3)
    path.write_text("\n".join(one.macro.to_toml() for one in found), encoding="utf-8")
    spec = {"suite": {"name": "duet", "split": "test"}, "planner": "rules", "tasks": HELD_OUT}
    run(spec_of(spec), tmp_path / "before")
    run(spec_of({**spec, "verbs": f"macros:{path}"}), tmp_path / "after")
    before, after = (load_run(tmp_path / name).episodes for name in ("before", "after"))
    assert [one.success for one in after] == [one.success for one in before] == [True] * 4
    assert [one.steps for one in after] == [one.steps for one in before]
    saved = {one.task: one.turns - other.turns for one, other in zip(before, after, strict=True)}
    assert min(saved.values()) >= 0 and sum(saved.values()) >= 3, saved
