"""`make prove`: proves that the tasks of `duet` measure what they claim to.

`python -m omnipilot.bench.suites.duet.prove` takes the tasks to prove, and how many instances of each.

Every proof of every task, at several instances; the exit status is 1 where one does not hold.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from functools import partial

from omnipilot.bench.suites.duet.asking import RECIPES
from omnipilot.bench.suites.duet.proofs.proofs import PROOFS
from omnipilot.bench.suites.duet.suite import Duet
from omnipilot.bench.synthesis.prove import flaws_of_task, parser_for, prove

ASKS = tuple(recipe.id for recipe in RECIPES)
"""The tasks of the split `asks`."""


def flaws(task_id: str, instances: int, add: str = "") -> list[str]:
    """The defects of a task: one line per reason, with instance and proof."""
    return flaws_of_task(PROOFS, _suite_of(task_id, add), task_id, instances)


def _suite_of(task_id: str, add: str) -> Duet:
    """The suite with a task of any split."""
    return Duet("asks") if task_id in ASKS else Duet("all", add=add)


def main(arguments: Sequence[str] | None = None) -> int:
    """Prove, and print what fails.

    Returns:
        0 where all holds, else 1.
    """
    parser = parser_for("omnipilot.bench.suites.duet.prove", __doc__, instances=5, jobs=2)
    parser.add_argument("--template", help="only tasks that use this template")
    parser.add_argument("--add", default="", help="a module with templates and recipes of your own")
    options = parser.parse_args(arguments)
    suite = Duet("all", add=options.add)
    known = [*(info.id for info in suite.tasks()), *ASKS]
    chosen = [_suite_of(id, options.add).about(id).id for id in options.tasks] or known
    if options.template:
        chosen = [id for id in chosen if options.template in _suite_of(id, options.add).about(id).templates]
    find = partial(flaws, instances=options.instances, add=options.add)
    return prove(find, chosen, options.jobs, f"{len(PROOFS)} proofs, {options.instances} instances")


if __name__ == "__main__":
    sys.exit(main())
