"""A vision-language model in this process: conversations in, replies out, in batches."""

from __future__ import annotations

import inspect
import threading
import time
from collections.abc import Mapping, Sequence
from typing import Any

from omnipilot.envs.types import require
from omnipilot.grounders.local.inputs import tensors
from omnipilot.grounders.local.loading import EXTRA, LoadedModel, ModelSource, load, plain
from omnipilot.grounders.local.stopping import StopCriterion, upto_end, upto_stop
from omnipilot.memory import Message, ModelUnavailable, Reply, Usage
from omnipilot.memory.models import Sampling

HONOURED = frozenset({"skip_special_tokens", "chat_template_kwargs", "continue_final_message", "add_generation_prompt"})
"""Keys of `Sampling.extra_body` that are supported here; the last two follow from the conversation."""


class LocalModel:
    """Answers conversations in batches; it may be used by several threads.

    Of the checkpoint's generation settings only the end-of-turn tokens are used: a repetition penalty
    or temperature meant for chats would distort coordinates.
    """

    def __init__(self, source: ModelSource, loaded: LoadedModel) -> None:
        self.source = source
        self.loaded = loaded
        self._lock = threading.Lock()
        hub: Any = require("transformers", EXTRA)
        loaded.model.generation_config = hub.GenerationConfig()

    def plain(self, text: str) -> str:
        """A description without the model's control tokens, so that text from a page cannot act as one."""
        return plain(text, self.loaded.tokenizer)

    def complete_all(
        self, conversations: Sequence[Sequence[Message]], sampling: Sampling, timeout: float
    ) -> list[Reply]:
        """Answer all conversations in one batch. `usage.seconds` of each is its share of the batch's.

        Args:
            timeout: seconds for the batch, including the wait for other threads. It is checked after every token;
                prefill is not interrupted.

        Raises:
            ModelUnavailable: the deadline passed, or the device is out of memory; the message says what helps.
            ConfigError: the images do not fit the model.
        """
        if not conversations:
            return []
        began = time.monotonic()
        if not self._lock.acquire(timeout=timeout):
            raise ModelUnavailable(f"{self.source.model}: still busy with other threads after {timeout:g} s")
        try:
            rows = self._generate(conversations, sampling, began + timeout, timeout)
        finally:
            self._lock.release()
        share = (time.monotonic() - began) / len(rows)
        return [
            Reply(text, usage=Usage(1, read, written, 0.0, share), model=self.source.model)
            for text, read, written in rows
        ]

    def _generate(
        self, conversations: Sequence[Sequence[Message]], sampling: Sampling, deadline: float, timeout: float
    ) -> list[tuple[str, int, int]]:
        """Text, prompt tokens and completion tokens of each row."""
        torch: Any = require("torch", EXTRA)
        loaded = self.loaded
        try:
            with torch.inference_mode():
                batch = tensors(loaded, conversations, sampling.extra_body.get("chat_template_kwargs", {}))
                start = batch["input_ids"].shape[1]
                watch = StopCriterion(start, sampling.stop, loaded.tokenizer.decode, deadline)
                made = loaded.model.generate(
                    **_accepted(loaded.model, batch),
                    **self._settings(sampling),
                    stopping_criteria=[watch],
                )
        except torch.OutOfMemoryError as error:
            torch.cuda.empty_cache()
            raise ModelUnavailable(
                f"{self.source.model}: {loaded.device} has not enough memory for {len(conversations)} screenshots at "
                "once; use a smaller batch, dtype=float16, or a smaller model"
            ) from error
        if watch.late:
            raise ModelUnavailable(
                f"{self.source.model}: {len(conversations)} questions were not fully answered within {timeout:g} s on "
                f"{loaded.device}; use a smaller batch or a longer timeout"
            )
        read = batch["attention_mask"].sum(dim=1).tolist()
        rows = zip(made[:, start:].tolist(), read, strict=True)
        return [self._row(tokens, count, sampling) for tokens, count in rows]

    def _row(self, tokens: Sequence[int], read: int, sampling: Sampling) -> tuple[str, int, int]:
        said, written = upto_end(tokens, self.loaded.ends)
        bare = bool(sampling.extra_body.get("skip_special_tokens", True))
        text = self.loaded.tokenizer.decode(said, skip_special_tokens=bare, clean_up_tokenization_spaces=False)
        return upto_stop(text, sampling.stop), read, written

    def _settings(self, sampling: Sampling) -> dict[str, Any]:
        """Arguments of `generate`: greedy unless the family sets a temperature."""
        tokenizer = self.loaded.tokenizer
        settings: dict[str, Any] = {
            "max_new_tokens": sampling.max_tokens,
            "eos_token_id": sorted(self.loaded.ends),
            "pad_token_id": tokenizer.pad_token_id,
            "do_sample": sampling.temperature > 0,
        }
        if sampling.temperature > 0:
            settings.update(temperature=sampling.temperature, top_k=0)
            if sampling.top_p is not None:
                settings["top_p"] = sampling.top_p
        return settings


def _accepted(model: Any, batch: Mapping[str, Any]) -> dict[str, Any]:
    """The tensors that this model accepts: token types are required by some models and rejected by others."""
    taken = inspect.signature(model.forward).parameters
    return {name: value for name, value in batch.items() if name in taken or not name.endswith("token_type_ids")}


_MODELS: dict[ModelSource, LocalModel] = {}
_LOADING = threading.Lock()


def shared_model(source: ModelSource) -> LocalModel:
    """The model of a source, loaded once per process and kept until `release`.

    Raises:
        ConfigError, MissingExtra: as in `load`.
    """
    with _LOADING:
        if source not in _MODELS:
            _MODELS[source] = LocalModel(source, load(source))
        return _MODELS[source]


def share(model: LocalModel) -> None:
    """Make grounders of its source use a model that was created elsewhere, such as one with dummy weights."""
    with _LOADING:
        _MODELS[model.source] = model


def release() -> None:
    """Forget every shared model; memory is freed once no grounder refers to it."""
    with _LOADING:
        _MODELS.clear()
