"""The file in a comparison's folder that says which runs it compares, so that a table can be made of the folder."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import Path

from omnipilot.bench.experiments.budget import TurnBudget, read_budgets
from omnipilot.envs import ConfigError
from omnipilot.envs.schema import parse_json
from omnipilot.envs.types import read_text

MANIFEST = "compare.json"


def write_comparison(folder: Path, runs: Sequence[Path], turns: str | None) -> None:
    """Write which runs a comparison is of, by paths from its folder.

    Args:
        runs: two, or one under two budgets. turns: the budgets as written (`read_budgets`); None for none.
    """
    folder.mkdir(parents=True, exist_ok=True)
    told = {"runs": [os.path.relpath(run.resolve(), folder.resolve()) for run in runs], "turns": turns}
    (folder / MANIFEST).write_text(json.dumps(told, indent=1, ensure_ascii=False) + "\n", "utf-8")


def read_comparison(folder: Path) -> tuple[list[Path], tuple[TurnBudget, TurnBudget] | None]:
    """The runs of a comparison, and their budgets; None where it has none.

    Raises:
        ConfigError: the file is damaged, or a run is no longer there.
    """
    file = folder / MANIFEST
    try:
        told = parse_json(read_text(file))
        runs = [folder / str(run) for run in told["runs"]]
        budgets = read_budgets(str(told["turns"])) if told["turns"] else None
        if not 1 <= len(runs) <= 2 or (len(runs) == 1 and budgets is None):
            raise ValueError("it names neither two runs nor one with two budgets")
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise ConfigError(f"{file} cannot be read ({error!r}); compare the runs again with --out {folder}") from None
    for run in runs:
        if not run.is_dir():
            raise ConfigError(f"{file} names {run}, which is not there; give the run directories themselves")
    return runs, budgets
