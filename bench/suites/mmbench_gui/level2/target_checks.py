"""What can be checked of pointing targets without a model, after how MMBench-GUI's level 2 was made (A.4)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice

from omnipilot.bench.pointing import Shot, Target
from omnipilot.envs import Box
from omnipilot.envs.types import fold
from omnipilot.grounders import ElementsGrounder, Grounding


@dataclass(frozen=True, slots=True)
class TargetCheck:
    """What a check came to: how many targets, and what is wrong with single ones, by id."""

    targets: int
    wrong: dict[str, str]

    def lines(self) -> Iterator[str]:
        """It in lines for a terminal."""
        share = 100 * (1 - len(self.wrong) / self.targets) if self.targets else 0.0
        yield f"{self.targets} targets; {self.targets - len(self.wrong)} ({share:.1f} %) are found by their words alone"
        yield from (f"  {id}: {why}" for id, why in self.wrong.items())


def check_targets(shots: Iterable[Shot], most: int = 0) -> TargetCheck:
    """Check the targets of screens whose true tree is known.

    The basic wording has to lead `elements` to exactly this element; an advanced one may tell neither its name nor that
    something frames it.

    Args:
        most: screens; 0 for all.
    """
    wrong: dict[str, str] = {}
    count = 0
    for shot in islice(shots, most or None):
        for target in shot.targets:
            count += 1
            if why := target_mistake(shot, target):
                wrong[target.id] = why
    return TargetCheck(count, wrong)


def target_mistake(shot: Shot, target: Target) -> str:
    """What is wrong with the wordings of a target, as far as its screen's tree tells; "" if nothing is."""
    if target.basic:
        found = ElementsGrounder().ground(shot.observation, target.basic)
        if not isinstance(found, Grounding):
            return f"{target.basic!r} finds nothing: {found.detail}"
        box = target.box
        if not (isinstance(box, Box) and box.contains(found.point)):
            return f"{target.basic!r} finds something else"
    if target.advanced:
        said = fold(target.advanced)
        if "box" in said.split() or "arrow" in said.split():
            return f"the advanced wording speaks of what marks the element: {target.advanced!r}"
        if len(fold(target.name)) > 3 and target.role == "button" and fold(target.name) in said:
            return f"the advanced wording tells the name: {target.advanced!r}"
    return ""
