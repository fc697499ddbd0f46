"""Grids: every planner with every grounder, and nothing else varied."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from toy_suite import toy_spec

from omnipilot.agents import AgentSpec, PartSpec
from omnipilot.bench.experiments.grid import MANIFEST, Grid, grid_of, grid_specs
from omnipilot.bench.experiments.sweep import sweep_request
from omnipilot.bench.settings import RunSettings
from omnipilot.envs import ConfigError
from omnipilot.envs.schema.read_toml import read_toml


def crossed(file: Mapping[str, Any], lists: Mapping[str, list[Any]] | None = None, *options: str) -> Grid:
    found = sweep_request({"suite": "duet", **file}, lists or {}, RunSettings(), command="grid")
    return grid_of(grid_specs(found, options), Path("x"))


def test_rows_are_planners_and_columns_grounders(tmp_path: Path) -> None:
    (tmp_path / "g.toml").write_text(
        'trials = 2\n[grid]\nplanner = ["rules", { name = "json", model = "a/b", cassette = "kept" }]\n'
        'grounder = ["elements", { name = "cascade", of = "ocr,elements" }, "ocr"]\n'
    )
    grid = crossed(read_toml(tmp_path / "g.toml"), None, "memory.turns=3")
    assert grid.planners == ("rules", "json a/b")
    assert grid.grounders == ("elements", "cascade:ocr,elements", "ocr")
    assert [cell.label for cell in grid.cells][2:4] == ["rules · ocr", "json a/b · elements"]
    assert {cell.spec.trials for cell in grid.cells} == {2}
    assert {cell.spec.agent.memory.options["turns"] for cell in grid.cells} == {3}
    assert grid.cells[3].spec.agent.planner.options["cassette"] == "kept"
    grid.write(tmp_path / "out")
    told = json.loads((tmp_path / "out" / MANIFEST).read_text())
    assert told["planners"] == ["rules", "json a/b"] and len(told["cells"]) == 6


def test_flags_override_the_file_and_one_part_may_be_alone() -> None:
    file = {"grid": {"planner": ["rules", "noop"], "grounder": ["elements", "ocr"]}}
    grid = crossed(file, {"planner": ["random"]})
    assert grid.planners == ("random",) and grid.grounders == ("elements", "ocr")
    assert crossed({"planner": "noop"}, {"grounder": ["elements", "ocr"]}).planners == ("noop",)


def test_a_part_that_is_given_twice_is_one_row() -> None:
    grid = crossed({}, {"planner": ["rules", "noop", {"name": "rules"}], "grounder": ["elements", "ocr"]})
    assert grid.planners == ("rules", "noop") and len(grid.cells) == 4


@pytest.mark.parametrize(
    ("file", "lists", "message"),
    [
        ({}, {"planner": ["rules"], "grounder": ["ocr"]}, "at least two planners or two grounders"),
        ({}, {}, "at least two planners or two grounders"),
        (
            {},
            {"planner": ["noop", "noop"], "grounder": ["ocr"]},
            "noop · ocr is the only cell; a grid needs at least two",
        ),
        ({"grid": {"memory": ["window"]}}, {}, "no setting that a grid can vary 'memory'"),
        ({"grid": {"against": "rules"}}, {}, "no setting that a grid can vary 'against'"),
        ({"grid": {"planner": "rules"}}, {}, r"planner in \[grid\] must be a list"),
        ({"grid": ["rules"]}, {}, r"grid must be a table of lists: \[grid\]"),
        ({"sweep": {"planner": ["rules", "noop"]}}, {}, "no setting 'sweep'"),
        ({}, {"planner": ["rules", "noop"], "grounder": [["x"]]}, "setting grounder must be a name, or a table"),
    ],
)
def test_what_cannot_be_says_what_to_write(file: dict[str, Any], lists: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        crossed(file, lists)


def test_where_a_model_is_makes_no_row_of_its_own() -> None:
    planners = [{"name": "json", "model": "a/b", "cassette": name} for name in ("one", "two")]
    other = [{"name": "json", "model": "a/b", "url": f"http://h{n}/v1"} for n in (1, 2)]
    # Where a model or its recordings are is no part of a run's identity.
    assert crossed({}, {"planner": planners, "grounder": ["elements", "ocr"]}).planners == ("json a/b",)
    assert crossed({}, {"planner": other, "grounder": ["elements", "ocr"]}).planners == ("json a/b",)


def test_parts_that_a_table_could_not_tell_apart_are_refused() -> None:
    agents = [AgentSpec(planner=PartSpec("noop", {"pause": pause})) for pause in (1, "1")]
    specs = [replace(toy_spec("count"), agent=agent) for agent in agents]
    with pytest.raises(ConfigError, match=r"two cells of the grid are called noop\(pause=1\) · elements"):
        grid_of(specs, Path("x"))
