"""The grounder `agree`: asks several grounders, and is unsure where they point at different places."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Literal, TypeAlias, get_args

from omnipilot.envs import ConfigError, Modality, Observation, Size
from omnipilot.envs.types.actions import Described
from omnipilot.grounders.base import Abstention, Grounder, Grounding
from omnipilot.grounders.combine.several import SeveralGrounders, short_name
from omnipilot.memory import Usage

Unsure: TypeAlias = Literal["abstain", "first"]
"""What it does where no two grounders agree: it abstains, or takes the answer of the first that points."""


class AgreeGrounder(SeveralGrounders):
    """Asks grounders in order until two of them point at the same place, and answers with the earlier one's point.

    Two answers are of the same place if the point of one lies in the box of the other, or if they are less than `near`
    of the screen's diagonal apart. Where several point and no two agree, it is unsure, and abstains as `ambiguous` with
    what each said: the planner is asked to describe the place otherwise, and an agent with skills searches it again.
    With `unsure` `first`, it points all the same. A grounder that abstains has no opinion, so one that points alone is
    believed, unless `strict`.

    Its confidence is the share of the grounders asked that point there.

    Args:
        of: two grounders or more, the best first. A third is asked only where the first two disagree.
        near: see above, more than 0 and at most 1.
        unsure: `abstain` or `first`. strict: also unsure where one alone points.
        least: an answer with a confidence below it counts as none; one of unknown confidence counts.

    Raises:
        ConfigError: an option is out of range, there are fewer than two grounders, or more than one numbers marks.
    """

    def __init__(
        self,
        of: Sequence[Grounder],
        near: float = 0.1,
        unsure: Unsure = "abstain",
        least: float = 0.0,
        strict: bool = False,
    ) -> None:
        if len(of) < 2:
            raise ConfigError("two grounders have to agree at least, as in of=vllm,ocr")
        super().__init__(of)
        if not 0 < near <= 1 or not 0 <= least <= 1:
            raise ConfigError(
                f"grounder 'agree': near is in 0..1 and above 0, least in 0..1, not {near:g} and {least:g}"
            )
        if unsure not in get_args(Unsure):
            raise ConfigError(f"grounder option unsure must be {' or '.join(get_args(Unsure))}, not {unsure!r}")
        self.near, self.unsure, self.least, self.strict = near, unsure, least, strict

    @property
    def needs(self) -> frozenset[Modality]:
        """Modalities that any of them needs: without these, no two could agree."""
        return frozenset().union(*(frozenset(one.needs) for one in self.of))

    def ground(self, observation: Observation, target: Described) -> Grounding | Abstention:
        """Ask until two agree; the usage covers all that were asked.

        An id is a place by itself: the first grounder that knows it answers alone.

        Raises:
            ModelUnavailable: the model of one grounder did not answer.
        """
        usage = Usage()
        answers: list[Grounding | Abstention] = []
        for one in self.of:
            found = one.ground(observation, target)
            usage += found.usage
            if isinstance(found, Grounding) and not isinstance(target, str):
                return replace(found, usage=usage)
            if isinstance(found, Grounding) and found.confidence is not None and found.confidence < self.least:
                found = Abstention("ambiguous", f"it points at {_words(found)}, and is not sure")
            if isinstance(found, Grounding):
                for other in answers:
                    if isinstance(other, Grounding) and self._same_place(other, found, observation.size):
                        return replace(other, confidence=2 / (len(answers) + 1), usage=usage)
            answers.append(found)
        pointing = [one for one in answers if isinstance(one, Grounding)]
        sure = len(pointing) == 1 and not self.strict
        if pointing and (sure or self.unsure == "first"):
            return replace(pointing[0], confidence=1 / len(answers), usage=usage)
        said = "; ".join(f"{short_name(one)}: {_words(found)}" for one, found in zip(self.of, answers, strict=True))
        return Abstention("ambiguous" if pointing else "not_found", f"no two grounders agree: {said}", usage)

    def _same_place(self, one: Grounding, other: Grounding, size: Size) -> bool:
        if any(a.box is not None and a.box.contains(b.point) for a, b in ((one, other), (other, one))):
            return True
        apart = math.dist(one.point.to_pixels(size), other.point.to_pixels(size))
        return apart < self.near * math.hypot(size.width, size.height)


def _words(found: Grounding | Abstention) -> str:
    if isinstance(found, Abstention):
        return found.detail or found.reason
    return f"({found.point.x:.3f}, {found.point.y:.3f})"
