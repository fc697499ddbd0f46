"""Texts as vectors: any server of the OpenAI embeddings protocol, or a model of `transformers` in this process."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Protocol

from omnipilot.envs import ConfigError
from omnipilot.envs.types import require
from omnipilot.memory.messages import ModelUnavailable, Usage
from omnipilot.memory.models.endpoint import LlmEndpoint
from omnipilot.memory.models.keys import checked_key
from omnipilot.memory.models.providers import provider_of

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
    """A model behind `POST /embeddings` of a server."""

    def __init__(self, endpoint: LlmEndpoint) -> None:
        require("urllib3", "llm")
        from omnipilot.memory.models.openai_chat.connections import Pool

        provider = provider_of(endpoint.model)
        if not (url := endpoint.url or provider.url):
            raise ConfigError(f"{endpoint.model}: give the URL of its server, such as http://127.0.0.1:8000/v1")
        self._endpoint = endpoint
        self._pool = Pool(url, 1)
        usual = provider.key or f"{provider.name.upper()}_API_KEY"
        variable = endpoint.key_env or ("" if endpoint.url else usual)
        self._headers = {"Content-Type": "application/json"}
        if variable:
            self._headers["Authorization"] = f"Bearer {checked_key(endpoint.model, variable)}"

    def embed(self, texts: Sequence[str]) -> tuple[NDArray[np.float32], Usage]:
        """See `Embeddings`."""
        import numpy as np

        found, spent = [], Usage()
        for first in range(0, len(texts), BATCH):
            vectors, usage = self._asked(texts[first : first + BATCH])
            found.append(vectors)
            spent += usage
        return (np.concatenate(found) if found else np.zeros((0, 1), np.float32)), spent

    def _asked(self, texts: Sequence[str]) -> tuple[NDArray[np.float32], Usage]:
        import numpy as np

        from omnipilot.memory.models.openai_chat.connections import ConnectionFailed

        began = time.perf_counter()
        body = json.dumps({"model": self._endpoint.model_name, "input": list(texts)}).encode()
        try:
            answer = self._pool.exchange("POST", "/embeddings", [body], self._headers, self._endpoint.timeout)
        except ConnectionFailed as error:
            raise ModelUnavailable(f"{self._endpoint.model}: {error}") from None
        if answer.status != 200:
            raise ModelUnavailable(f"{self._endpoint.model}: its server answers {answer.status} to /embeddings")
        try:
            data = json.loads(answer.body)
            items = sorted(data["data"], key=lambda item: item["index"])
            vectors = np.array([item["embedding"] for item in items], np.float32)
            if vectors.ndim != 2 or len(vectors) != len(texts) or not np.isfinite(vectors).all():
                raise ValueError("not one vector a text")
            tokens = int(data.get("usage", {}).get("prompt_tokens", 0))
        except (ValueError, KeyError, TypeError) as error:
            raise ModelUnavailable(f"{self._endpoint.model}: its answer to /embeddings is none ({error})") from None
        price = self._endpoint.price_in
        cost = None if price is None else tokens * price / 1e6
        return _unit(vectors), Usage(1, tokens, 0, cost, time.perf_counter() - began, (self._endpoint.model_name,))


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
