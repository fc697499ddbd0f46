"""What rollouts of a group are worth beside each other, and the lessons that follow from it."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from math import sqrt
from typing import Literal, TypeAlias

from omnipilot.bench.training.reinforce.policy import ReplyLesson, SampledReply

AdvantageScale: TypeAlias = Literal["mean", "std"]
_NOTHING = 1e-9


def advantages(returns: Sequence[float], scale: AdvantageScale = "mean") -> list[float]:
    """How much better each rollout of a group did than the mean of the group.

    Args:
        scale: "mean" leaves it at that; "std" divides by the group's standard deviation (GRPO, Shao et al. 2024). The
            latter makes as much of a group in which one of eight failed as of one in which half did, and of a
            difference of one cheap step as of one between solved and not (Liu et al. 2025), so it is not the default.
    """
    mean = sum(returns) / len(returns)
    over = [one - mean for one in returns]
    if scale == "mean":
        return over
    deviation = sqrt(sum(one * one for one in over) / len(over))
    return [one / deviation if deviation > _NOTHING else 0.0 for one in over]


def lessons_of(played: Iterable[tuple[Sequence[tuple[Hashable, SampledReply]], float]]) -> list[ReplyLesson]:
    """The lessons of rollouts: each reply with the advantage of its rollout, equal ones as one.

    What every rollout of a group did alike adds up to nothing, and is left out; so are groups that did equally well.

    Args:
        played: the questions and replies of each rollout, and its advantage.
    """
    found: dict[tuple[Hashable, tuple[int, ...]], ReplyLesson] = {}
    for steps, advantage in played:
        for question, reply in steps:
            key = question, reply.tokens
            before = found.get(key) or ReplyLesson(question, reply, 0.0, 0.0, 0)
            found[key] = ReplyLesson(
                question,
                before.reply,
                before.up + max(0.0, advantage),
                before.down + min(0.0, advantage),
                before.times + 1,
            )
    return [one for one in found.values() if abs(one.up + one.down) > _NOTHING]
