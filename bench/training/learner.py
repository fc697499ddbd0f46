"""What a trainer trains: a network, and what it says to samples."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol, TypeVar

import torch
from torch import Tensor, nn
from torch.nn import functional

Sample = TypeVar("Sample")
Shown = TypeVar("Shown", contravariant=True)


@dataclass(frozen=True, slots=True)
class Answers:
    """What a network says where it is taught, n places in all.

    Attributes:
        scores: logits, (n, vocabulary). targets: the right tokens, (n,).
        owners: the number of the reply that each place belongs to, (n,). replies: how many there are.
        tokens: how many were calculated, padding included.
        highest: where any token from the target to this one is right, (n,); None if the target alone is.
    """

    scores: Tensor
    targets: Tensor
    owners: Tensor
    replies: int
    tokens: int
    highest: Tensor | None = None

    def loss(self, reduction: Literal["mean", "sum"] = "mean") -> Tensor:
        """Minus the logarithm of the probability of what is right."""
        if self.highest is None:
            return functional.cross_entropy(self.scores, self.targets, reduction=reduction)
        numbers = torch.arange(self.scores.shape[1], device=self.scores.device)
        wrong = (numbers < self.targets[:, None]) | (numbers > self.highest[:, None])
        found = self.scores.logsumexp(-1) - self.scores.masked_fill(wrong, float("-inf")).logsumexp(-1)
        return found.mean() if reduction == "mean" else found.sum()

    def right(self) -> int:
        """How many replies are right in every token."""
        best = self.scores.argmax(-1)
        wrong = (best < self.targets) | (best > (self.targets if self.highest is None else self.highest))
        return self.replies - len(set(self.owners[wrong].tolist()))


class LearnerAnswers(Protocol):
    """What a trainer asks of the answers to some samples; `Answers` is the usual kind."""

    @property
    def targets(self) -> Tensor:
        """What is right, an entry for each place where the network is taught."""
        ...

    @property
    def replies(self) -> int:
        """How many replies there are."""
        ...

    @property
    def tokens(self) -> int:
        """How many were calculated, padding included."""
        ...

    def loss(self, reduction: Literal["mean", "sum"] = "mean") -> Tensor:
        """Minus the logarithm of the probability of what is right: a place, or in all."""
        ...

    def right(self) -> int:
        """How many replies are right throughout."""
        ...


class Learner(Protocol[Shown]):
    """A network that is trained, on the device where it is trained."""

    @property
    def network(self) -> nn.Module: ...

    def about(self) -> dict[str, Any]:
        """What is written beside its checkpoints, as plain values."""
        ...

    def lower(self) -> None:
        """Calculate in bfloat16 from now on."""
        ...

    def length(self, sample: Shown) -> int:
        """Tokens of a sample."""
        ...

    def answers(self, batch: Sequence[Shown]) -> LearnerAnswers:
        """What the network says to some samples."""
        ...
