"""What is made small: minus the clipped gain of the lessons, plus what it costs to leave the weights of the start."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from omnipilot.bench.training.reinforce.policy import ReplyLesson, ReplyScores


@dataclass(frozen=True, slots=True)
class LessonLoss:
    """The loss of some lessons, as sums over their tokens, each as often as it was given; figures are of those that are
    not only held.

    Attributes:
        loss: with gradients. divergence: k3, from the start. clipped, tokens: tokens that were clipped, and all.
    """

    loss: Tensor
    divergence: float
    entropy: float
    clipped: int
    tokens: int


def k3(logs: Tensor, start: Tensor) -> Tensor:
    """An estimate of the divergence from the start, of each token: never negative, without bias, 0 where nothing has
    changed (k3 of Schulman 2020)."""
    over = start - logs
    return over.exp() - over - 1


def lesson_loss(
    lessons: Sequence[ReplyLesson],
    scores: ReplyScores,
    start: Tensor | None,
    clip: float,
    rein: float,
    hold: float = 0.0,
) -> LessonLoss:
    """The loss of some lessons.

    Args:
        scores: what the policy says of them now. start: what it said before the training; None without a rein.
        clip: how far the ratio to the probability at which a token was drawn counts, as PPO's epsilon.
        rein: weight of the divergence from the start. hold: weight of minus the log-probability of each token of
            lessons that are held.
    """
    counts = [len(one.reply.tokens) for one in lessons]
    owners = torch.repeat_interleave(torch.arange(len(lessons)), torch.tensor(counts))
    up, down, given, held = (
        torch.tensor([float(getattr(one, name)) for one in lessons])[owners] for name in ("up", "down", "times", "held")
    )
    times = given * (1 - held)
    drawn = torch.tensor([log for one in lessons for log in one.reply.logs])
    ratio = (scores.logs - drawn).exp()
    within = ratio.clamp(1 - clip, 1 + clip)
    gain = torch.minimum(ratio * up, within * up) + torch.minimum(ratio * down, within * down)
    loss = -gain.sum() - hold * (scores.logs * held).sum()
    divergence = torch.zeros(())
    if start is not None:
        apart = k3(scores.logs, start) * times
        loss, divergence = loss + rein * apart.sum(), apart.detach().sum()
    clipped = ((ratio > 1 + clip) & (up + down > 0)) | ((ratio < 1 - clip) & (up + down < 0))
    entropy, cut, tokens = ((one * times).sum() for one in (scores.entropy, clipped, torch.ones_like(times)))
    return LessonLoss(loss, float(divergence), float(entropy), int(cut), int(tokens))
