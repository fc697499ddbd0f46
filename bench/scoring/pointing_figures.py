"""Figures of pointing runs beside those of agents: what a model points at, and what an agent with it solves.

A row of such a table is a planner with a grounder (MMBench-GUI's table 3), or a model that is both. The two runs belong
together if the same model points in them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from omnipilot.agents import PartSpec, parse_part
from omnipilot.agents.assembly import GROUNDERS
from omnipilot.bench.journal.load_runs import load_run
from omnipilot.bench.journal.pointing_directory import SPEC as POINTED
from omnipilot.bench.journal.pointing_directory import read_spec as read_pointing_spec
from omnipilot.bench.scoring.run_figures import run_figures
from omnipilot.bench.scoring.score import Figure
from omnipilot.envs import ConfigError


def pointing_figures(run: Path, pointing: Sequence[Path], names: Sequence[str] = ()) -> tuple[Figure, ...]:
    """The figures of the pointing run whose model is the one that points in a run; none where there is no such run.

    Args:
        run: a run directory. pointing: directories of `omnipilot ground`. names: of figures, see `run_figures`; by
            default all of the benchmark. Each is called by its benchmark as well: "mmbench-l2 average".

    Raises:
        ConfigError: a directory contains no pointing run, or two are of the same model and benchmark.
    """
    mine = pointing_model(run) if pointing else ""
    found: dict[str, tuple[Path, tuple[Figure, ...]]] = {}
    for folder in pointing:
        benchmark = str(dict(_pointing_spec(folder).get("suite", {})).get("name", ""))
        if not mine or pointing_model(folder) != mine:
            continue
        if benchmark in found:
            raise ConfigError(f"{found[benchmark][0]} and {folder} are both runs of {mine} on {benchmark}; give one")
        figures = run_figures(folder, names)
        found[benchmark] = folder, tuple(replace(one, name=f"{benchmark} {one.name}", short="") for one in figures)
    return tuple(one for _, figures in found.values() for one in figures)


def pointing_model(folder: Path) -> str:
    """The model that points in a run: its grounder's; the planner's where no place was asked of the grounder.

    A grounder that asks no model, such as `text`, is called by its own name.

    Raises:
        ConfigError: the directory contains no run.
    """
    if (folder / POINTED).is_file():
        return _model(parse_part(_pointing_spec(folder).get("grounder", {}), GROUNDERS))
    run = load_run(folder)
    asked = any(one.pointed_asked or one.pointed_told for one in run.episodes)
    return _model(run.spec.agent.grounder if asked else run.spec.agent.planner)


def _model(part: PartSpec) -> str:
    return next((one.model for one in part.walk() if one.model), part.name)


def _pointing_spec(folder: Path) -> Mapping[str, Any]:
    if not (folder / POINTED).is_file():
        raise ConfigError(f"{folder} contains no pointing run; `omnipilot ground --out {folder} …` makes one")
    return read_pointing_spec(folder)
