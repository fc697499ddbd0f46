"""The order in which judges are asked does not hang on a process's hashes."""

from __future__ import annotations

import os
import subprocess
import sys

CODE = """
from types import SimpleNamespace
from omnipilot.bench import GraphEvaluator, JudgeGraph

names = ["start", *(f"n{number}" for number in range(12))]
nodes = tuple(SimpleNamespace(name=name, group="", when="") for name in names)
print(GraphEvaluator(JudgeGraph(nodes, tuple(("start", name) for name in names[1:])))._after[0])
"""


def test_nodes_that_wait_for_one_are_asked_in_their_order_in_every_process() -> None:
    said = {
        subprocess.run(
            [sys.executable, "-c", CODE],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2", "3")
    }
    assert said == {f"{list(range(1, 13))}\n"}
