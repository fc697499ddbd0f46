"""Models in process that are called through their own method instead of chat: Moondream's `point`."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Sequence
from typing import Any

from omnipilot.envs import ConfigError, Image
from omnipilot.envs.types import require
from omnipilot.grounders.local.loading import EXTRA, ModelSource, choose_device, choose_dtype, cure
from omnipilot.memory import Message, ModelUnavailable, Reply, Usage
from omnipilot.memory.models import Sampling

POINTERS = frozenset({"moondream"})
"""Base models that have the method."""


class PointModel:
    """Returns the result of `model.point(picture, words)["points"]` as JSON for the family's parser.

    Tokens are not counted: the usage has only calls and seconds.
    """

    def __init__(self, source: ModelSource, model: Any) -> None:
        self.source = source
        self.model = model
        self._lock = threading.Lock()

    def plain(self, text: str) -> str:
        """The words unchanged: the method takes them separately from the image."""
        return text

    def complete_all(
        self,
        conversations: Sequence[Sequence[Message]],
        sampling: Sampling,  # noqa: ARG002 (the method takes no settings of this kind)
        timeout: float,
    ) -> list[Reply]:
        """Answer one by one; the deadline is checked in between, because the method cannot be interrupted.

        Raises:
            ModelUnavailable: the deadline passed.
        """
        deadline = time.monotonic() + timeout
        if not self._lock.acquire(timeout=timeout):
            raise ModelUnavailable(f"{self.source.model}: other threads kept it busy for {timeout:g} s")
        try:
            return [self._complete(messages, deadline, timeout) for messages in conversations]
        finally:
            self._lock.release()

    def _complete(self, messages: Sequence[Message], deadline: float, timeout: float) -> Reply:
        from PIL import Image as pil

        parts = [part for message in messages for part in message.parts]
        words = " ".join(part for part in parts if isinstance(part, str))
        picture = next(part for part in parts if isinstance(part, Image))
        began = time.monotonic()
        found = self.model.point(pil.fromarray(picture.array()), words, settings={"max_objects": 1})
        if time.monotonic() > deadline:
            raise ModelUnavailable(f"{self.source.model}: no answer within {timeout:g} s; use a longer timeout")
        usage = Usage(calls=1, seconds=time.monotonic() - began)
        return Reply(json.dumps({"points": found["points"]}), usage=usage, model=self.source.model)


_MODELS: dict[ModelSource, PointModel] = {}
_LOADING = threading.Lock()


def shared_pointer(source: ModelSource) -> PointModel:
    """The model of a source, loaded once per process.

    Raises:
        ConfigError: it cannot be loaded, or has no method `point`.
        MissingExtra: torch or transformers is not installed.
    """
    with _LOADING:
        if source not in _MODELS:
            _MODELS[source] = PointModel(source, _load(source))
        return _MODELS[source]


def _load(source: ModelSource) -> Any:
    torch: Any = require("torch", EXTRA)
    hub: Any = require("transformers", EXTRA)
    device = choose_device(source.device, torch)
    origin = {"trust_remote_code": source.trust, **({"revision": source.revision} if source.revision else {})}
    try:
        dtype = choose_dtype(source, device, torch)
        model = hub.AutoModelForCausalLM.from_pretrained(source.model, dtype=dtype, **origin)
    except (OSError, ValueError, ImportError) as error:
        raise ConfigError(f"cannot load {source.model!r} with transformers {hub.__version__}: {cure(error)}") from error
    if not callable(getattr(model, "point", None)):
        raise ConfigError(f"{source.model!r} has no method `point`; is it of this family?")
    return model.to(device).eval()
