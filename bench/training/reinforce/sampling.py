"""Draws replies of a decoder network in batches: each prompt is calculated once, with a cache for what follows.

Rollouts of a group mostly say the same. So a row of a batch is what was said so far to one prompt, however many
rollouts say it; where they part, the row is split.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import torch
from torch import Tensor
from torch.nn import functional

from omnipilot.bench.training.network import Block, DecoderNetwork, rotate
from omnipilot.bench.training.reinforce.policy import SampledReply

BATCH_TOKENS = 4096
"""Tokens of a batch of prompts, padding included: those of like length are calculated together."""


class ReplySampler:
    """Draws replies.

    Args:
        end: the token that ends a reply. most: tokens of a reply, with its end.
        bf16: calculate in bfloat16, while weights stay as they are.
    """

    def __init__(self, network: DecoderNetwork, end: int, most: int, bf16: bool = False) -> None:
        self.network, self.end, self.most, self.bf16 = network, end, most, bf16

    def draw(self, prompts: Sequence[Sequence[int]], temperature: float, seed: int) -> list[SampledReply]:
        """A reply to each prompt; the same prompts, weights and seed give the same replies.

        Args:
            temperature: 0 for the likeliest token each time.
        """
        generator = torch.Generator().manual_seed(seed)
        draws = torch.rand(len(prompts), self.most, generator=generator)
        members: dict[tuple[int, ...], list[int]] = {}
        for number, prompt in enumerate(prompts):
            members.setdefault(tuple(prompt), []).append(number)
        found: dict[int, SampledReply] = {}
        with torch.no_grad(), torch.autocast("cpu", torch.bfloat16, enabled=self.bf16):
            for batch in _batches(sorted(members, key=len)):
                rows = [(row, member) for row, prompt in enumerate(batch) for member in members[prompt]]
                found.update(self._replies(batch, rows, temperature, draws))
        return [found[number] for number in range(len(prompts))]

    def _replies(
        self, prompts: Sequence[tuple[int, ...]], rows: list[tuple[int, int]], temperature: float, draws: Tensor
    ) -> Iterator[tuple[int, SampledReply]]:
        """Args: rows: the row of each member, and its number."""
        cache = PromptCache(self.network, prompts)
        hidden = cache.begin()
        said: dict[int, tuple[list[int], list[float]]] = {member: ([], []) for _, member in rows}
        for step in range(self.most):
            logs = torch.log_softmax(self.network.scores(hidden).float() / (temperature or 1.0), -1)
            row_of = torch.tensor([row for row, _ in rows])
            chosen = self._choose(logs, row_of, draws[[member for _, member in rows], step], temperature)
            chances = logs[row_of, chosen].tolist()
            going: dict[tuple[int, int], int] = {}
            kept: list[tuple[int, int]] = []
            for (row, member), token, chance in zip(rows, chosen.tolist(), chances, strict=True):
                said[member][0].append(token)
                said[member][1].append(chance)
                if token != self.end:
                    kept.append((going.setdefault((row, token), len(going)), member))
            rows = kept
            if not rows or step + 1 == self.most:
                break
            cache.select([row for row, _ in going])
            hidden = cache.go_on([token for _, token in going])
        for member, (tokens, chances) in said.items():
            yield member, SampledReply(tuple(tokens), tuple(chances))

    @staticmethod
    def _choose(logs: Tensor, row_of: Tensor, draws: Tensor, temperature: float) -> Tensor:
        if not temperature:
            return logs.argmax(-1)[row_of]
        heaps = logs.exp().cumsum(-1)[row_of]
        return torch.searchsorted(heaps, (draws * heaps[:, -1])[:, None]).flatten().clamp(max=logs.shape[1] - 1)


class PromptCache:
    """Keys and values of prompts and of what was said to them.

    Args:
        prompts: of like length; shorter ones are padded behind.
    """

    def __init__(self, network: DecoderNetwork, prompts: Sequence[Sequence[int]]) -> None:
        self._network = network
        self._lengths = torch.tensor([len(one) for one in prompts])
        self._tokens = functional.pad(torch.zeros(len(prompts), 0, dtype=torch.long), (0, int(self._lengths.max())))
        for row, prompt in enumerate(prompts):
            self._tokens[row, : len(prompt)] = torch.tensor(prompt)
        self._layers: list[tuple[Tensor, Tensor]] = []
        self._said = 0
        self._before = self._tokens.shape[1]

    def begin(self) -> Tensor:
        """The last hidden states of the prompts, (rows, width)."""
        network, time = self._network, self._before
        x = network.embed_tokens(self._tokens)
        cos, sin = network.cos[:time], network.sin[:time]
        mask = torch.full((time, time), float("-inf")).triu(1)
        for block in network.blocks:
            q, k, v = _heads(block, x)
            k = rotate(k, cos, sin)
            self._layers.append((k, v))
            x = _behind(block, x, rotate(q, cos, sin), k, v, mask)
        return network.norm(x[torch.arange(len(x)), self._lengths - 1])

    def select(self, rows: Sequence[int]) -> None:
        """Go on with some rows, in this order; a row may occur several times."""
        if list(rows) == list(range(len(self._lengths))):
            return
        index = torch.tensor(rows)
        self._lengths = self._lengths[index]
        self._layers = [(k[index], v[index]) for k, v in self._layers]

    def go_on(self, tokens: Sequence[int]) -> Tensor:
        """The hidden states behind one more token of each row, (rows, width)."""
        network = self._network
        at = self._lengths + self._said
        cos, sin = network.cos[at][:, None, None], network.sin[at][:, None, None]
        places = torch.arange(self._before + self._said + 1)
        hidden = (places >= self._lengths[:, None]) & (places < self._before)
        mask = torch.zeros(hidden.shape).masked_fill(hidden, float("-inf"))[:, None, None]
        x = network.embed_tokens(torch.tensor(tokens))[:, None]
        for number, block in enumerate(network.blocks):
            q, k, v = _heads(block, x)
            before, worth = self._layers[number]
            k, v = torch.cat([before, rotate(k, cos, sin)], 2), torch.cat([worth, v], 2)
            self._layers[number] = k, v
            x = _behind(block, x, rotate(q, cos, sin), k, v, mask)
        self._said += 1
        return network.norm(x[:, 0])


def _heads(block: Block, x: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """Queries, keys and values, each (rows, heads, time, width of a head)."""
    rows, time, _ = x.shape
    q, k, v = block.qkv(block.input_layernorm(x)).view(rows, time, 3, block.heads, -1).permute(2, 0, 3, 1, 4)
    return q, k, v


def _behind(block: Block, x: Tensor, q: Tensor, k: Tensor, v: Tensor, mask: Tensor) -> Tensor:
    """What comes out of a layer: x and what attention and the feed-forward add to it."""
    rows, time, width = x.shape
    attended = functional.scaled_dot_product_attention(q, k.to(q.dtype), v.to(q.dtype), mask.to(q.dtype))
    x = x + block.o_proj(attended.transpose(1, 2).reshape(rows, time, width))
    gate, up = block.gate_up(block.post_attention_layernorm(x)).chunk(2, -1)
    return x + block.down_proj(functional.silu(gate) * up)


def _batches(prompts: Sequence[tuple[int, ...]]) -> Iterator[list[tuple[int, ...]]]:
    """Args: prompts: the shortest first."""
    batch: list[tuple[int, ...]] = []
    for prompt in prompts:
        if batch and (len(batch) + 1) * len(prompt) > BATCH_TOKENS:
            yield batch
            batch = []
        batch.append(prompt)
    if batch:
        yield batch
