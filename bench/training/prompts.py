"""Prompts and replies of the small planner, as tokens, and what its network says to them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any, TypeAlias

import torch
from torch import Tensor

from omnipilot.bench.training.learner import Answers
from omnipilot.bench.training.lookups import ASK, lookups
from omnipilot.bench.training.network import DecoderNetwork, Shape
from omnipilot.planners.mini.vocabulary import PAD, Vocabulary

Encoded: TypeAlias = tuple[list[int], list[int]]
"""The tokens of a sample, and the places of those that are learnt."""


class PromptLearner:
    """The small planner's network; implements `learner.Learner`.

    Args:
        weights: to begin with; None for some that are drawn from the seed.
    """

    def __init__(
        self,
        shape: Shape,
        vocabulary: Vocabulary,
        seed: int,
        device: str = "cpu",
        weights: Mapping[str, Tensor] | None = None,
    ) -> None:
        assert vocabulary.tokens[0] == PAD
        self.shape, self.device = shape, device
        torch.manual_seed(seed)
        self.network = DecoderNetwork(shape).to(device)
        if weights is not None:
            self.network.load_state_dict(dict(weights))

    def about(self) -> dict[str, Any]:
        """Its shape."""
        return {"shape": self.shape.to_dict()}

    def lower(self) -> None:
        """Calculate in bfloat16."""
        self.network.to(torch.bfloat16)
        self.network.cos, self.network.sin = self.network.cos.bfloat16(), self.network.sin.bfloat16()

    def length(self, sample: Encoded) -> int:
        """Tokens of a sample."""
        return len(sample[0])

    def answers(self, batch: Sequence[Encoded]) -> Answers:
        """What the network says at the places that are learnt."""
        padded, positions, targets = tensors(batch, self.device)
        hidden = self.network.hidden(padded).flatten(0, 1)[positions]
        scores = self.network.scores(hidden).float()
        return Answers(scores, targets, positions // padded.shape[1], len(batch), padded.numel())


def encode_samples(
    samples: Sequence[tuple[str, str]], vocabulary: Vocabulary, longest: int, asked: int = 0, seed: int = 0
) -> list[Encoded]:
    """Prompts and replies as tokens; those longer than `longest` are left out.

    Args:
        asked: questions about the prompt that are put behind each reply, see `lookups`.
    """
    found = []
    random = Random(seed)
    for prompt, reply in samples:
        tokens = vocabulary.prompt(prompt)
        begins = len(tokens)
        tokens += [*vocabulary.encode(reply), vocabulary.end]
        if len(tokens) > longest:
            continue
        learnt = list(range(begins, len(tokens)))
        for words, number in lookups(prompt, random, asked) if asked else ():
            tokens += vocabulary.encode(" ".join([ASK, *words, number]))
            learnt.append(len(tokens) - 1)
        found.append((tokens, learnt))
    return found


def tensors(batch: Sequence[Encoded], device: str = "cpu") -> tuple[Tensor, Tensor, Tensor]:
    """Tokens (batch, time), and where those that are learnt are predicted: flat positions, and what is right there."""
    time_ = max(len(tokens) for tokens, _ in batch)
    padded = torch.full((len(batch), time_), 0, dtype=torch.long)
    positions, targets = [], []
    for row, (tokens, learnt) in enumerate(batch):
        padded[row, : len(tokens)] = torch.tensor(tokens)
        for at in learnt:
            positions.append(row * time_ + at - 1)
            targets.append(tokens[at])
    return padded.to(device), torch.tensor(positions, device=device), torch.tensor(targets, device=device)
