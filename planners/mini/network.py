"""The network of the small planner in numpy: a decoder of the Llama form, with a cache, read from its folder.

A folder holds what `transformers` and vLLM read too: `config.json`, `model.safetensors`, `tokenizer.json`.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from omnipilot.envs import ConfigError
from omnipilot.planners.mini.model_folder import MINI, read_model

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[np.float32]

SHIPPED = MINI.shipped
MOST_TOKENS = 48
"""Tokens of a reply."""


class MiniNetwork:
    """A decoder that answers one prompt at a time, greedily; the same answer on every machine up to rounding.

    Args:
        folder: see above.

    Raises:
        ConfigError: a file of it is missing or broken; the message names it.
    """

    def __init__(self, folder: Path = SHIPPED) -> None:
        import numpy as np
        from threadpoolctl import ThreadpoolController

        config, weights, self.vocabulary = read_model(folder)
        self._folder = folder
        self.longest = config.longest
        self._heads = config.heads
        self._epsilon = config.epsilon
        self._table: Array = weights["model.embed_tokens.weight"]
        self._norm: Array = weights["model.norm.weight"]
        self._layers = []
        for number in range(config.layers):
            part = {
                name.removeprefix(f"model.layers.{number}.").removesuffix(".weight").rsplit(".", 1)[-1]: array
                for name, array in weights.items()
                if name.startswith(f"model.layers.{number}.")
            }
            qkv = np.concatenate([part["q_proj"], part["k_proj"], part["v_proj"]]).T.copy()
            gated = np.concatenate([part["gate_proj"], part["up_proj"]]).T.copy()
            self._layers.append(
                (
                    part["input_layernorm"],
                    qkv,
                    part["o_proj"].T.copy(),
                    part["post_attention_layernorm"],
                    gated,
                    part["down_proj"].T.copy(),
                )
            )
        half = self._table.shape[1] // self._heads // 2
        frequency = config.theta ** (-np.arange(half, dtype=np.float32) / half)
        angles = np.outer(np.arange(self.longest, dtype=np.float32), frequency)
        self._threads = ThreadpoolController()
        self._cos = np.concatenate([np.cos(angles)] * 2, -1).astype(np.float32)
        self._sin = np.concatenate([np.sin(angles)] * 2, -1).astype(np.float32)

    def reply(
        self, prompt: str, most: int = MOST_TOKENS, among: Sequence[str] = (), whole: bool = True
    ) -> tuple[str, int, int]:
        """The reply to a prompt, and how many tokens the prompt and the reply have.

        Args:
            most: tokens of the reply.
            among: texts of which it has to be one: of the words that they leave possible, the likeliest is taken each
                time. Texts with words that the vocabulary has not got are never said; () for no bounds.
            whole: False if it only has to begin with one of them.

        Raises:
            ConfigError: the weights are so large that there are no scores.
        """
        import numpy as np

        # The matrices are small: with more threads than one, most of the time would go into their waiting.
        with self._threads.limit(limits=1, user_api="blas"), np.errstate(over="ignore", invalid="ignore"):
            return self._reply(prompt, most, among, whole)

    def _reply(self, prompt: str, most: int, among: Sequence[str], whole: bool) -> tuple[str, int, int]:
        import numpy as np

        asked = self.vocabulary.prompt(prompt)
        room = self.longest - most
        if len(asked) > room:
            asked = [*asked[: room - 1], self.vocabulary.act]
        caches: list[tuple[Array, Array]] = []
        said: list[int] = []
        paths = [path for text in among if self.vocabulary.unknown not in (path := self.vocabulary.encode(text))]
        scores = self._forward(asked, 0, caches)
        while len(said) < most:
            open_to = self._open_to(paths, said, whole)
            best = max(open_to, key=lambda token: float(scores[token])) if open_to else int(scores.argmax())
            if not np.isfinite(scores[best]):
                raise self._too_large()
            if best == self.vocabulary.end:
                break
            said.append(best)
            scores = self._forward([best], len(asked) + len(said) - 1, caches)
        return self.vocabulary.decode(said), len(asked), len(said) + 1

    def _open_to(self, paths: Sequence[Sequence[int]], said: Sequence[int], whole: bool) -> list[int]:
        """The tokens that may follow what was said, so that it becomes one of the paths; none if any may."""
        begun = [path for path in paths if list(path[: len(said)]) == list(said)]
        ended = any(len(path) == len(said) for path in begun)
        if ended and not whole:
            return []
        follow = {path[len(said)] for path in begun if len(path) > len(said)}
        return sorted(follow | ({self.vocabulary.end} if ended else set()))

    def _forward(self, tokens: Sequence[int], at: int, caches: list[tuple[Array, Array]]) -> Array:
        """Scores of the token behind the last one; keys and values are added to the caches."""
        import numpy as np

        x: Array = self._table[list(tokens)]
        count, width = x.shape
        cos, sin = self._cos[at : at + count], self._sin[at : at + count]
        behind = np.triu(np.full((count, at + count), -np.inf, np.float32), at + 1) if count > 1 else None
        for number, (before, qkv, out, between, gated, down) in enumerate(self._layers):
            mixed = (self._normed(x, before) @ qkv).reshape(count, 3, self._heads, -1).transpose(1, 2, 0, 3)
            q, k, v = _rotated(mixed[0], cos, sin), _rotated(mixed[1], cos, sin), mixed[2]
            if number < len(caches):
                k = np.concatenate([caches[number][0], k], 1)
                v = np.concatenate([caches[number][1], v], 1)
                caches[number] = k, v
            else:
                caches.append((k, v))
            match = q @ k.transpose(0, 2, 1) / np.sqrt(np.float32(q.shape[-1]))
            if behind is not None:
                match = match + behind
            match = np.exp(match - match.max(-1, keepdims=True))
            attended = (match / match.sum(-1, keepdims=True)) @ v
            x += attended.transpose(1, 0, 2).reshape(count, width) @ out
            gate, up = np.split(self._normed(x, between) @ gated, 2, -1)
            x += (gate / (1 + np.exp(-gate)) * up) @ down
        scores: Array = (self._normed(x[-1:], self._norm) @ self._table.T)[0].astype(np.float32)
        return scores

    def _normed(self, x: Array, weight: Array) -> Array:
        import numpy as np

        size: Array = np.sqrt((x * x).mean(-1, keepdims=True) + np.float32(self._epsilon)).astype(np.float32)
        if not np.isfinite(size).all():
            raise self._too_large()
        return x / size * weight

    def _too_large(self) -> ConfigError:
        return MINI.error(self._folder, "its weights are so large that no reply can be computed")


def _rotated(x: Array, cos: Array, sin: Array) -> Array:
    import numpy as np

    first, second = np.split(x, 2, -1)
    return (x * cos + np.concatenate([-second, first], -1) * sin).astype(np.float32)
