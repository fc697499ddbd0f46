"""`python docs/figures/mini_steps.py`: writes the 200 stored steps that the weights of `mini` are tested on.

They are demonstrations of development tasks, at instances that nothing is trained on.
"""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

from omnipilot.bench.suites.duet.suite import Duet
from omnipilot.bench.training import demonstrate
from omnipilot.bench.training.data import tasks_of

STEPS = Path(__file__).resolve().parents[2] / "tests/planners/mini/steps.jsonl"
INSTANCES = (5001, 5002)
COUNT = 200


def main() -> None:
    """Choose steps of all tasks by chance, with a fixed seed."""
    suite = Duet("dev")
    samples = [
        sample
        for instance in INSTANCES
        for task in tasks_of(suite, instance)
        for sample in demonstrate(suite, task, instance)
    ]
    chosen = Random(0).sample(samples, COUNT)
    lines = (json.dumps([one.prompt, one.reply], ensure_ascii=False) + "\n" for one in chosen)
    STEPS.write_text("".join(lines), encoding="utf-8")


if __name__ == "__main__":
    main()
