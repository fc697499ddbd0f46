"""What the nearest examples are worth to a writer that only copies: OmniACT's scores on miniature data.

    python tests/perf/examples_copied.py [--seeds 4]

The writer has no model. It takes the script of the nearest example, and moves each place to the element that the task
names; without an example, it clicks on the element that the task names. Both are given the data's own DetACT lists.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from omnipilot.bench.scoring.data.source import Source
from omnipilot.bench.suites.omniact import sample as mini_omniact
from omnipilot.bench.suites.omniact.data import ScriptTask, load
from omnipilot.bench.suites.omniact.examples import examples_of, wording_of
from omnipilot.bench.suites.omniact.metrics.scores import OmniActSample, score_sample
from omnipilot.bench.suites.omniact.suite import elements
from omnipilot.bench.tables import Table
from omnipilot.envs import Absent
from omnipilot.memory.examples import Example, ExampleIndex

NONE, OTHERS, ALL = "none", "1, of other screens", "1, of any screen"
SHOWN = (NONE, OTHERS, ALL)
"""Which examples the writer is shown."""
_PLACE = re.compile(r"\((\d+(?:\.\d+)?),(\d+(?:\.\d+)?)")


@dataclass(frozen=True, slots=True)
class Copied:
    """What a writer reached: `sequence` and `action` are shares of the tasks' scores, as in table 4 of the paper."""

    tasks: int
    sequence: float
    action: float


def named_places(item: ScriptTask) -> list[tuple[float, float]]:
    """The middles of the elements that a task names, in the order in which it names them, longer names first."""
    seen = elements(item)
    asked = item.instruction.casefold()
    found: dict[int, tuple[float, float]] = {}
    taken = [False] * len(asked)
    every = () if isinstance(seen, Absent) else seen.items
    for one in sorted(every, key=lambda one: -len(one.name)):
        at = asked.find(one.name.casefold()) if len(one.name) > 2 else -1
        if at >= 0 and not any(taken[at : at + len(one.name)]):
            taken[at : at + len(one.name)] = [True] * len(one.name)
            found[at] = one.box.center.to_pixels(item.size)
    return [found[at] for at in sorted(found)]


def copy_script(item: ScriptTask, example: Example | None) -> str:
    """The script of the example with its places moved; of none, a click on the first element that the task names."""
    places = named_places(item)
    if example is None:
        x, y = places[0] if places else (item.size.width / 2, item.size.height / 2)
        return f"pyautogui.click({x},{y})"
    lines = []
    for line in example.steps:
        if (at := _PLACE.search(line)) and places:
            x, y = places.pop(0)
            line = f"{line[: at.start()]}({x},{y}{line[at.end() :]}"
        lines.append(line)
    return "\n".join(lines)


def score_copies(seeds: int) -> dict[str, Copied]:
    """Write a script for every task of the test of miniatures of these seeds; examples are of their training splits."""
    items: list[ScriptTask] = []
    training: list[ScriptTask] = []
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(seeds):
            at = Path(folder) / str(seed)
            mini_omniact.write(at, seed)
            source = Source.open(str(at), "")
            items += load(source, "test").items
            training += load(source, "train").items
        # One seed's screens are like another's of that name, and so stand for one screen.
        index = ExampleIndex(examples_of(training, elements), ways=("letters",))
        return {shown: _score(items, index, shown) for shown in SHOWN}


def _score(items: Sequence[ScriptTask], index: ExampleIndex, shown: str) -> Copied:
    sequence = action = weights = 0.0
    for item in items:
        barred = {wording_of(item), *([item.screen] if shown == OTHERS else [])}
        nearest = () if shown == NONE else index.nearest(item.instruction, 1, barred)
        script = copy_script(item, nearest[0] if nearest else None)
        score = score_sample(OmniActSample(item.text, item.boxes, script), "fixed")
        weights += score.weight
        sequence += score.weight * score.matched
        action += score.weight * score.action
    return Copied(len(items), sequence / weights, action / weights)


def main(seeds: Annotated[int, typer.Option(help="Miniatures, each with other content.", min=1)] = 4) -> None:
    """Print the scores with and without examples."""
    rows = tuple(
        (shown, str(one.tasks), f"{100 * one.sequence:.1f}", f"{100 * one.action:.1f}")
        for shown, one in score_copies(seeds).items()
    )
    typer.echo(Table(("examples", "tasks", "sequence score", "action score"), rows, labels=1).text())


if __name__ == "__main__":
    typer.run(main)
