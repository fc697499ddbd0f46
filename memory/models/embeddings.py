"""Texts as vectors: of a server of the OpenAI embeddings protocol, of litellm, or of a model in this process."""

from __future__ import annotations

import base64
import hashlib
import json
import threading
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from omnipilot.envs import ConfigError
from omnipilot.envs.schema import parse_json
from omnipilot.envs.types import check_installed, require
from omnipilot.memory.messages import Reply, Usage, answered_by, read_count
from omnipilot.memory.models.cassette import Cassette
from omnipilot.memory.models.endpoint import LlmEndpoint
from omnipilot.memory.models.endpoint_calls import CallRecord, EndpointCalls, no_answer
from omnipilot.memory.models.exchange import WatchedCall, current_listener
from omnipilot.memory.models.prices import cost
from omnipilot.memory.models.retry import RetryClock

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

IN_PROCESS = "sentence-transformers"
"""In place of a provider: a model that sentence-transformers runs in this process."""
EXTRA = "embed"
BATCH = 64
"""Texts of one request, or of one pass of a model in this process."""
_SERVED, _LOCAL = ("url", "key_env", "timeout", "retries"), ("device", "revision")
_WEIGHTS = ("*.safetensors", "*.bin", "*.json", "*.txt", "*.model")
"""Files of a folder that decide which vectors a model gives: weights, pooling, vocabulary."""


class Embeddings(ABC):
    """Turns texts into vectors. Threads may share it."""

    @abstractmethod
    def embed(self, texts: Sequence[str]) -> tuple[NDArray[np.float32], Usage]:
        """Vectors of unit length, shape (texts, dimensions), float32.

        Raises:
            ModelUnavailable: a server gave no usable answer. ConfigError: the model cannot be loaded, or not asked so.
        """

    def identity(self) -> Mapping[str, str]:
        """What of it can change a run's numbers besides its options, by name; see `AgentPart.identity`."""
        return {}

    def warm_up(self) -> None:
        """Load what the first use needs."""


def make_embeddings(text: str, cassette: str = "", replay: bool = False) -> Embeddings:
    """The embeddings that an option names.

    Args:
        cassette: folder of kept vectors, "" for none. replay: take all from there, and load no model.
        text: "provider/model" and options after commas: "openai/text-embedding-3-small",
            "hosted_vllm/NAME,url=http://…/v1", each with `url`, `key_env`, `timeout` and `retries`; or
            "sentence-transformers/FOLDER" (or a hub id: "sentence-transformers/all-MiniLM-L6-v2"), with `device` and
            `revision`, for a model in this process.

    Raises:
        ConfigError: the text names none. MissingExtra: a package that it needs is not installed.
    """
    if cassette:
        kept = Cassette(cassette, "replay" if replay else "record")
        return RecordedEmbeddings(text, kept, None if replay else make_embeddings(text))
    model, *rest = (part.strip() for part in text.split(","))
    options = dict(part.partition("=")[::2] for part in rest)
    provider, _, name = model.partition("/")
    known = _LOCAL if provider == IN_PROCESS else _SERVED
    if not name:
        from omnipilot.memory.models.model_names import how_to_name

        raise ConfigError(
            f"embeddings: {text!r} names no model: it lacks its provider; {how_to_name(model)}; "
            f"in this process it is {IN_PROCESS}/FOLDER"
        )
    if unknown := sorted(set(options) - set(known)):
        raise ConfigError(f"embeddings {model}: unknown option {unknown[0]!r}; there are {', '.join(known)}")
    if empty := [key for key, value in options.items() if not value]:
        raise ConfigError(f"embeddings {model}: write {empty[0]}=VALUE")
    if provider == IN_PROCESS:
        return LocalEmbeddings(name, **options)
    try:
        timeout, retries = float(options.get("timeout", "60")), int(options.get("retries", "4"))
    except ValueError:
        raise ConfigError(f"embeddings {model}: timeout and retries are numbers") from None
    return ServedEmbeddings(
        LlmEndpoint(model, options.get("url", ""), options.get("key_env", ""), timeout, min(timeout, 60.0), retries)
    )


def keep_vectors(text: str, folder: Path) -> Embeddings:
    """The embeddings that an option names, asked only for what a folder does not hold yet. Their identity names the
    model, as that of a server states nothing of itself.

    Args:
        text: as of `make_embeddings`. folder: made if it is missing; models and runs may share it.

    Raises:
        ConfigError, MissingExtra: as in `make_embeddings`.
    """
    made = make_embeddings(text)
    # By its weights, where these are known: a folder may come to hold another model.
    weights = made.identity().get("weights")
    return _NamedEmbeddings(f"weights/{weights}" if weights else text, Cassette(folder), made)


def name_model(text: str) -> str:
    """The model that an option names, without where it is: of a folder its last part.

    Args:
        text: as of `make_embeddings`, or the name of a ranking that has no model.
    """
    model = text.partition(",")[0].strip()
    provider, _, name = model.partition("/")
    return f"{provider}/{Path(name).name}" if provider == IN_PROCESS else model


class ServedEmbeddings(Embeddings):
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


def _unit(vectors: NDArray[np.float32]) -> NDArray[np.float32]:
    import numpy as np

    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    out: NDArray[np.float32] = (vectors / np.where(lengths > 0, lengths, 1)).astype(np.float32)
    return out


class RecordedEmbeddings(Embeddings):
    """Takes vectors from a cassette, and keeps in it what it has to ask for.

    They are kept as half-precision numbers, and used so from the first time on: a replay ranks as the recording did.

    Args:
        text: names the model, as of `make_embeddings`; where it is asked is no part of what is kept.
        embeddings: asked for what the cassette lacks; None if it is replayed.
    """

    def __init__(self, text: str, cassette: Cassette, embeddings: Embeddings | None) -> None:
        model, *options = (part.strip() for part in text.split(","))
        self._model = ",".join([model, *(one for one in options if one.startswith("revision="))])
        self._cassette = cassette
        self._embeddings = embeddings

    def identity(self) -> Mapping[str, str]:
        """That of the model when it was recorded."""
        request = {"model": self._model, "identity": True}
        kept = self._cassette.find(request)
        if kept is None:
            assert self._embeddings is not None
            kept = self._cassette.keep(request, Reply(json.dumps(dict(self._embeddings.identity()))))
        found: dict[str, str] = json.loads(kept.text)
        return found

    def warm_up(self) -> None:
        """Load the model, unless it is replayed."""
        if self._embeddings is not None:
            self._embeddings.warm_up()

    def embed(self, texts: Sequence[str]) -> tuple[NDArray[np.float32], Usage]:
        """See `Embeddings`.

        Raises:
            ConfigError: the cassette has no vectors of these texts, and it is replayed.
        """
        import numpy as np

        request = {"model": self._model, "texts": list(texts)}
        kept = self._cassette.find(request)
        if kept is None:
            assert self._embeddings is not None
            vectors, usage = self._embeddings.embed(texts)
            content = base64.b64encode(vectors.astype("<f2").tobytes()).decode("ascii")
            reply = Reply(content, usage=usage, model="".join(usage.models[:1]))
            kept = self._cassette.keep(request, reply)
        elif kept.usage.calls and (listener := current_listener()) is not None:
            watch = WatchedCall(listener, self._model, RetryClock())
            watch.sending({"input": list(texts)})
            watch.tell(replace(kept, text=f"{len(texts):,} vectors"), "", kept.usage, replayed=True)
        flat = np.frombuffer(base64.b64decode(kept.text), "<f2").astype(np.float32)
        return _unit(flat.reshape(len(texts), -1) if len(texts) else flat.reshape(0, 1)), answered_by(kept).usage


class _NamedEmbeddings(RecordedEmbeddings):
    """Kept vectors with the name of their model in the identity."""

    def identity(self) -> Mapping[str, str]:
        """The model, and what it states of itself."""
        return {**super().identity(), "model": self._model}


class LocalEmbeddings(Embeddings):
    """A model in this process, loaded on first use and once per process.

    sentence-transformers reads how it is pooled, and how many tokens of a text it takes, from the model's own files.

    Args:
        name: a folder, or a hub id such as "all-MiniLM-L6-v2".
        device: "auto" (a GPU where there is one, or the CPU), "cpu", "cuda", …
        revision: branch, tag or commit on the hub.

    Raises:
        MissingExtra: sentence-transformers is not installed. ConfigError: there is no such folder.
    """

    def __init__(self, name: str, device: str = "auto", revision: str = "") -> None:
        check_installed(EXTRA, "sentence_transformers")
        if name.startswith(("/", ".", "~")) and not Path(name).expanduser().is_dir():
            raise ConfigError(
                f"embeddings {IN_PROCESS}/{name}: there is no such folder; give one that holds a model of "
                "sentence-transformers, or a hub id such as all-MiniLM-L6-v2"
            )
        self.name = str(Path(name).expanduser()) if name.startswith("~") else name
        self.device = device
        self.revision = revision

    def identity(self) -> dict[str, str]:
        """The weights: the hash of what lies in the folder, or the commit on the hub."""
        return {"weights": _digest(self.name, self.revision)}

    def warm_up(self) -> None:
        """Load the model."""
        _loaded(self.name, self.device, self.revision)

    def embed(self, texts: Sequence[str]) -> tuple[NDArray[np.float32], Usage]:
        """See `Embeddings`; nothing is paid."""
        return _loaded(self.name, self.device, self.revision).embed(texts), Usage()


class _Model:
    """A loaded model; one call at a time."""

    def __init__(self, name: str, device: str, revision: str) -> None:
        hub: Any = require("sentence_transformers", EXTRA)
        try:
            self._model = hub.SentenceTransformer(
                name, device=None if device == "auto" else device, revision=revision or None
            )
        except (OSError, ValueError, RuntimeError, AssertionError) as error:
            raise _no_model(name, error) from error
        self._lock = threading.Lock()

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """See `Embeddings`."""
        import numpy as np

        if not texts:
            return np.zeros((0, 1), np.float32)
        with self._lock:
            vectors: NDArray[np.float32] = self._model.encode(
                list(texts), batch_size=BATCH, normalize_embeddings=True, show_progress_bar=False
            )
        return vectors.astype(np.float32, copy=False)


@lru_cache(maxsize=2)
def _loaded(name: str, device: str, revision: str) -> _Model:
    return _Model(name, device, revision)


@lru_cache(maxsize=8)
def _digest(name: str, revision: str) -> str:
    """SHA-256 of the files of a folder that decide the vectors, by name and content; of a hub id, its commit.

    Raises:
        ConfigError: it is no folder, and the hub does not have it.
    """
    if not (folder := Path(name)).is_dir():
        hub: Any = require("huggingface_hub", EXTRA)
        try:
            id = name if "/" in name else f"{IN_PROCESS}/{name}"
            return Path(hub.hf_hub_download(id, "config.json", revision=revision or None)).parent.name
        except (OSError, ValueError) as error:
            raise _no_model(name, error) from error
    found = hashlib.sha256()
    for path in sorted({path for pattern in _WEIGHTS for path in folder.rglob(pattern)}):
        with path.open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
        found.update(f"{path.relative_to(folder).as_posix()} {digest}\n".encode())
    return found.hexdigest()


def _no_model(name: str, error: Exception) -> ConfigError:
    said = " ".join(str(error).split())[:300]
    return ConfigError(
        f"embeddings {IN_PROCESS}/{name}: cannot be loaded: {said}; give a folder that holds a model of "
        "sentence-transformers, or a hub id such as all-MiniLM-L6-v2"
    )
