"""Grounders that say what a test tells them."""

from __future__ import annotations

from omnipilot.envs.geometry import Point, Size
from omnipilot.envs.observation import Modality, Observation
from omnipilot.grounders.base import Abstention, Grounding
from omnipilot.memory.transcript import Usage

ONE = Usage(calls=1, tokens_in=10, cost=0.5, seconds=0.25)


SEEN = Observation("pc", 0.0, Size(200, 100))


class Says:
    """Gives its answers one after the other, the last again and again."""

    needs = frozenset({Modality.SCREENSHOT})
    reads = needs

    def __init__(self, *answers, needs=None):
        self.answers = answers
        self.asked = []
        if needs is not None:
            self.needs = self.reads = frozenset(needs)

    def ground(self, observation, target):
        self.asked.append((observation, target))
        answer = self.answers[min(len(self.asked), len(self.answers)) - 1]
        if isinstance(answer, Exception):
            raise answer
        return answer


def here(x, y, **more):
    return Grounding(Point(x, y), usage=ONE, **more)


def no(reason="not_found", detail="no"):
    return Abstention(reason, detail, ONE)
