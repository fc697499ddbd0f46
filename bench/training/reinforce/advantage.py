"""What rollouts of a group are worth beside each other, and the lessons that follow from it."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from math import sqrt
from typing import Literal, TypeAlias

from omnipilot.bench.training.reinforce.policy import ReplyLesson, SampledReply

AdvantageScale: TypeAlias = Literal["mean", "std"]
"""What differences between returns are divided by: nothing, or the group's standard deviation (GRPO, Shao et al. 2024).
The latter makes as much of a group in which one of eight failed as of one in which half did, and of a difference of one
cheap step as of one between solved and not (Liu et al. 2025), so it is not the default."""
PlayedGroup: TypeAlias = Sequence[tuple[Sequence[tuple[Hashable, SampledReply]], float]]
"""The questions and replies of each rollout from one moment, and its return."""
_NOTHING = 1e-9


def lessons_of(
    groups: Iterable[PlayedGroup], scale: AdvantageScale = "mean"
) -> tuple[list[ReplyLesson], list[ReplyLesson]]:
    """The lessons of groups of rollouts, each group from one moment: equal replies to equal questions as one; and
    what several rollouts were asked and replied to alike.

    Rollouts from one moment are alike up to where they give different replies to the same question. There, and nowhere
    else, a reply has shown what it is worth: the mean return of the rollouts that gave it, less that of all which
    were asked. (That is the advantage of GRPO, at each fork of the tree that the rollouts are.) What a rollout does
    once it is alone has nothing to be compared with, and is no lesson: most of it was right, whether the rollout
    failed or not.

    Args:
        groups: the questions and replies of each rollout of a group, and its return.
    """
    found: dict[tuple[Hashable, tuple[int, ...]], ReplyLesson] = {}
    alike: dict[tuple[Hashable, tuple[int, ...]], ReplyLesson] = {}
    for group in groups:
        returns = [earned for _, earned in group]
        worth = _scale_of(returns, scale)
        together = [(list(range(len(group))), 0)]
        while together:
            members, at = together.pop()
            parted: dict[tuple[Hashable, tuple[int, ...]], list[int]] = {}
            for member in members:
                steps = group[member][0]
                if at < len(steps):
                    question, reply = steps[at]
                    parted.setdefault((question, reply.tokens), []).append(member)
            if sum(map(len, parted.values())) < 2:
                continue
            asked = [member for given in parted.values() for member in given]
            mean = sum(returns[member] for member in asked) / len(asked)
            for key, given in parted.items():
                if len(given) == len(asked):
                    alike[key] = ReplyLesson(key[0], group[given[0]][0][at][1], 0.0, 0.0, len(given), held=True)
                gain = worth * sum(returns[member] - mean for member in given)
                before = found.get(key) or ReplyLesson(key[0], group[given[0]][0][at][1], 0.0, 0.0, 0)
                found[key] = ReplyLesson(
                    key[0],
                    before.reply,
                    before.up + max(0.0, gain),
                    before.down + min(0.0, gain),
                    before.times + len(given),
                )
                if len(given) > 1:
                    together.append((given, at + 1))
    learnt = {key: one for key, one in found.items() if abs(one.up + one.down) > _NOTHING}
    return list(learnt.values()), [one for key, one in alike.items() if key not in learnt]


def _scale_of(returns: Sequence[float], scale: AdvantageScale) -> float:
    """By what differences of a group's returns are multiplied; 0 where there are none."""
    mean = sum(returns) / len(returns)
    deviation = sqrt(sum((one - mean) ** 2 for one in returns) / len(returns))
    if deviation <= _NOTHING:
        return 0.0
    return 1.0 if scale == "mean" else 1 / deviation
