"""Texts as vectors: of a server of the OpenAI embeddings protocol, litellm, or `transformers` in this process."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol

from omnipilot.envs import ConfigError
from omnipilot.envs.schema import parse_json
from omnipilot.envs.types import require
from omnipilot.memory.messages import Reply, Usage, read_count
from omnipilot.memory.models.endpoint import LlmEndpoint
from omnipilot.memory.models.endpoint_calls import CallRecord, EndpointCalls, no_answer
from omnipilot.memory.models.prices import cost
from omnipilot.memory.models.retry import RetryClock

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

LOCAL = "transformers/"
"""What the name of a model begins with that runs in this process."""
BATCH = 64


class Embeddings(Protocol):
    """Turns texts into vectors."""

    def embed(self, texts: Sequence[str]) -> tuple[NDArray[np.float32], Usage]:
        """Vectors of unit length, shape (texts, dimensions), float32.

        Raises:
            ModelUnavailable: there is no usable answer.
        """
        ...


def embeddings(model: str, url: str = "", key_env: str = "", timeout: float = 60.0) -> Embeddings:
    """The embeddings of a model.

    Args:
        model: provider and model, such as openai/text-embedding-3-small; or transformers/NAME, a name or a folder.
        url, key_env, timeout: as of `LlmEndpoint`.

    Raises:
        ConfigError: the endpoint cannot be, or its key is not set. MissingExtra: a library is not installed.
    """
    if model.startswith(LOCAL):
        return LocalEmbeddings(model.removeprefix(LOCAL))
    return ServedEmbeddings(LlmEndpoint(model, url, key_env, timeout))


class ServedEmbeddings:
    """A model behind `POST /embeddings` of a server, or that litellm knows.

    Args:
        clock: time and pauses of retries.

    Raises:
        ConfigError, MissingExtra: as in `EndpointCalls`.
    """

    def __init__(self, endpoint: LlmEndpoint, clock: RetryClock | None = None) -> None:
        self._endpoint = endpoint
        self._calls = EndpointCalls(endpoint, clock)

    def embed(self, texts: Sequence[str]) -> tuple[NDArray[np.float32], Usage]:
        """See `Embeddings`."""
        import numpy as np

        found, spent = [], Usage()
        for first in range(0, len(texts), BATCH):
            vectors, usage = self._embed_batch(list(texts[first : first + BATCH]))
            found.append(vectors)
            spent += usage
        return (np.concatenate(found) if found else np.zeros((0, 1), np.float32)), spent

    def _embed_batch(self, texts: list[str]) -> tuple[NDArray[np.float32], Usage]:
        body = {"model": self._endpoint.model_name, "input": texts}
        read = partial(_vectors, len(texts))
        # The vectors themselves are long and say nothing to a reader.
        record = CallRecord(body, self._describe, raw=False)
        if self._calls.through_litellm:
            from omnipilot.memory.models.litellm.library import embed

            result = self._calls.call_litellm(embed, {"input": texts}, read, record)
        else:
            sent = json.dumps(body).encode()
            result = self._calls.post("/embeddings", "application/json", [sent], read, record)
        vectors, tokens = result.value
        return _unit(vectors), Usage(1, tokens, 0, self._cost(tokens), result.seconds, (self._endpoint.model_name,))

    def _describe(self, answer: tuple[NDArray[np.float32], int]) -> Reply:
        vectors, tokens = answer
        number, dimensions = vectors.shape
        words = f"{number:,} vector{'s' * (number != 1)} of {dimensions:,} dimensions"
        return Reply(words, usage=Usage(1, tokens, 0, self._cost(tokens)))

    def _cost(self, tokens: int) -> float | None:
        """Dollars; None also if the server counted no tokens, unless the model is free."""
        return cost(self._endpoint, tokens, 0) if tokens or self._endpoint.price_in == 0 else None


def _vectors(count: int, body: bytes) -> tuple[NDArray[np.float32], int]:
    """The vectors of an answer, shape (texts, dimensions), in the order of the texts, and the tokens that were read.

    Raises:
        TransientError: there is something else in it.
    """
    import numpy as np

    try:
        data = parse_json(body, bounded=True)
        items = sorted(data["data"], key=lambda item: item["index"])
        vectors = np.array([item["embedding"] for item in items], np.float32)
        if vectors.ndim != 2 or len(vectors) != count or not np.isfinite(vectors).all():
            raise ValueError("not one vector a text")
        return vectors, read_count((data.get("usage") or {}).get("prompt_tokens")) or 0
    except (ValueError, KeyError, TypeError):
        raise no_answer("embedding", body) from None


class LocalEmbeddings:
    """A model of `transformers` on the processor: the mean of its last layer over the tokens of a text."""

    def __init__(self, name: str) -> None:
        transformers: Any = require("transformers", "local")
        self._torch: Any = require("torch", "local")
        try:
            self._tokenizer = transformers.AutoTokenizer.from_pretrained(name)
            self._model = transformers.AutoModel.from_pretrained(name).eval()
        except (OSError, ValueError) as error:
            raise ConfigError(f"transformers has no embedding model {name!r}: {error}") from None

    def embed(self, texts: Sequence[str]) -> tuple[NDArray[np.float32], Usage]:
        """See `Embeddings`; nothing is paid."""
        import numpy as np

        found = [np.zeros((0, 1), np.float32)] if not texts else []
        for first in range(0, len(texts), BATCH):
            tokens = self._tokenizer(
                list(texts[first : first + BATCH]), padding=True, truncation=True, return_tensors="pt"
            )
            with self._torch.no_grad():
                hidden = self._model(**tokens).last_hidden_state
            mask = tokens["attention_mask"].unsqueeze(-1)
            found.append(((hidden * mask).sum(1) / mask.sum(1)).float().numpy())
        return _unit(np.concatenate(found)), Usage()


def _unit(vectors: NDArray[np.float32]) -> NDArray[np.float32]:
    import numpy as np

    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    out: NDArray[np.float32] = (vectors / np.where(lengths > 0, lengths, 1)).astype(np.float32)
    return out
