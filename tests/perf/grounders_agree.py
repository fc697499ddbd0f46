"""What the disagreement of two grounders says about the first one's answer, on screens of the suite `pointing`.

    python tests/perf/grounders_agree.py [--every 8] [--targets 4] [--without-mini]

Each grounder answers each instruction once; the rows of pairs are those of `agree` over these answers, with its option
`near`. `answered`: of all instructions those that it points for; `right of answered`: of these the hits; `first right
otherwise`: of those for which it abstains, the hits of the first one alone, had it been believed. The pack of `detact`
holds the embedded world's own icons. 95 % intervals, in which a screen is one cluster. `mini-grounder` takes
`omnipilot[local]`.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice, product
from pathlib import Path

import numpy as np
import typer

from omnipilot.bench.pointing.evaluation import STYLES, Style, Target
from omnipilot.bench.pointing.place import hits
from omnipilot.bench.stats.clusters import clusters_by_name
from omnipilot.bench.stats.intervals import mean_interval
from omnipilot.bench.suites.pointing.suite import PointingSuite
from omnipilot.bench.tables import Table
from omnipilot.envs import Observation
from omnipilot.envs.sim.render.icons import write_icons
from omnipilot.envs.types.actions import Described
from omnipilot.grounders import Abstention, AgreeGrounder, Grounder, Grounding, LocalGrounder, OcrGrounder
from omnipilot.grounders.sources.detact import DetactGrounder

NEAR = (0.03, 0.1, 0.2)
PAIRS = (("mini-grounder", "detact"), ("mini-grounder", "ocr"), ("detact", "ocr"))


@dataclass(eq=False)
class Question:
    """An instruction on a screen, and what each grounder answers."""

    screen: int
    observation: Observation
    target: Target
    style: Style
    answers: dict[str, Grounding | Abstention] = field(default_factory=dict)

    def right(self, found: Grounding | Abstention) -> bool:
        """Whether an answer is a hit."""
        if isinstance(found, Abstention):
            return hits(self.target.box, None, found.reason)
        return hits(self.target.box, found.point, "")


class Answered(Grounder):
    """Gives the answer that a grounder gave before."""

    def __init__(self, answer: Grounding | Abstention) -> None:
        self.answer = answer

    def ground(self, observation: Observation, target: Described) -> Grounding | Abstention:
        """The answer, whatever is asked."""
        return self.answer


def questions(every: int, targets: int) -> list[Question]:
    """Some instructions of every so many screens of the embedded world."""
    shots = islice(PointingSuite(web=False).shots(), 0, None, every)
    return [
        Question(number, shot.observation, target, style)
        for number, shot in enumerate(shots)
        for target in shot.targets[:targets]
        for style in STYLES
        if target.instruction(style)
    ]


def share(asked: Sequence[Question], values: Sequence[bool]) -> str:
    """A share in percent with its interval."""
    if not asked:
        return "·"
    found = mean_interval(
        np.array(values, dtype=float), clusters_by_name([str(one.screen) for one in asked], "screens")
    )
    bounds = "—" if found.low is None or found.high is None else f"{100 * found.low:.1f}, {100 * found.high:.1f}"
    return f"{100 * found.estimate:.1f} [{bounds}] of {len(asked)}"


def rows(asked: Sequence[Question], names: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """A row for each grounder alone, and for each pair."""
    for name in names:
        pointed = [one for one in asked if isinstance(one.answers[name], Grounding)]
        right = [one.right(one.answers[name]) for one in pointed]
        answered = [isinstance(one.answers[name], Grounding) for one in asked]
        yield name, share(asked, answered), share(pointed, right), "·"
    for (first, second), near in product(PAIRS, NEAR):
        if first not in names or second not in names:
            continue
        both = {
            id(one): AgreeGrounder([Answered(one.answers[name]) for name in (first, second)], near).ground(
                one.observation, one.target.instruction(one.style)
            )
            for one in asked
        }
        sure = [one for one in asked if isinstance(both[id(one)], Grounding)]
        unsure = [one for one in asked if one not in sure]
        yield (
            f"{first}, {second}, near={near:g}",
            share(asked, [one in sure for one in asked]),
            share(sure, [one.right(both[id(one)]) for one in sure]),
            share(unsure, [one.right(one.answers[first]) for one in unsure]),
        )


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--every", type=int, default=8)
    parser.add_argument("--targets", type=int, default=4)
    parser.add_argument("--without-mini", action="store_true")
    given = parser.parse_args()
    asked = questions(given.every, given.targets)
    with tempfile.TemporaryDirectory() as folder:
        write_icons(Path(folder))
        grounders: dict[str, Grounder] = {"ocr": OcrGrounder(), "detact": DetactGrounder(pack=folder)}
        if not given.without_mini:
            grounders = {"mini-grounder": LocalGrounder("mini-grounder"), **grounders}
        for name, grounder in grounders.items():
            for one in asked:
                one.answers[name] = grounder.ground(one.observation, one.target.instruction(one.style))
            typer.echo(f"{name}: {len(asked)} answers", err=True)
    head = ("grounder", "answered %", "right of answered %", "first right otherwise %")
    screens = len({one.screen for one in asked})
    note = f"{len(asked)} instructions on {screens} screens; […]: 95 % intervals over screens"
    typer.echo(Table(head, tuple(rows(asked, tuple(grounders))), (note,)).text())


if __name__ == "__main__":
    main()
