"""Transcribers behind an endpoint: any server with `POST /audio/transcriptions` of OpenAI's API, or litellm."""

from __future__ import annotations

import json
import threading
import uuid
from collections.abc import Callable
from functools import cached_property
from typing import Any

from omnipilot.envs import AudioClip
from omnipilot.envs.types import require
from omnipilot.memory.models.endpoint import LlmEndpoint
from omnipilot.memory.models.failures import describe, failure
from omnipilot.memory.models.keys import NO_KEY, checked_key, key_of, register_keys
from omnipilot.memory.models.providers import LITELLM, provider_of
from omnipilot.memory.models.retry import RetryClock, RetryPolicy, TransientError, retry_after
from omnipilot.memory.secrets.scrub import scrub_error

SHORTEST = 0.1
"""Seconds of the shortest clip that is sent; servers refuse shorter ones, and nothing is said in them."""


class EndpointTranscriber:
    """Asks a transcription model behind an endpoint, with the keys, retries and deadlines of chat models.

    Servers of OpenAI's API (OpenAI itself, vLLM, whisper.cpp, speaches, …) are asked directly, every other provider
    through litellm.

    Args:
        endpoint: model, address, key and patience; its parameters and limits are those of chat and not used.
        language: of the speech, such as "en" (ISO 639-1); "" lets the model find out.
        clock: time and pauses of retries.

    Raises:
        MissingExtra: the client's library is not installed.
        ConfigError: the endpoint's URL is none, or the variable of its key holds none.
    """

    def __init__(self, endpoint: LlmEndpoint, language: str = "", clock: RetryClock | None = None) -> None:
        self.endpoint = endpoint
        self.language = language
        self._closed = threading.Event()
        self._policy = RetryPolicy(
            endpoint.timeout, endpoint.attempt, endpoint.retries, clock or RetryClock(wait=self._closed.wait)
        )
        self._key = key_of(endpoint)
        register_keys(endpoint)
        self._provider = provider_of(endpoint.model)
        if self._provider.client_for(endpoint) == LITELLM and not (endpoint.url or self._provider.url):
            from omnipilot.memory.models.litellm.library import present

            present()
            self._attempt: Callable[[AudioClip, float], str] = self._ask_litellm
        else:
            require("urllib3", "llm")
            from omnipilot.memory.models.openai_chat.connections import Pool

            self._pool = Pool(endpoint.url or self._provider.url, 4)
            self._attempt = self._ask_server

    def transcribe(self, clip: AudioClip) -> str:
        """What is said in a clip; "" for nothing.

        Raises:
            ModelUnavailable: no answer within the endpoint's time and attempts.
            ConfigError: the server refuses the request or the key.
        """
        if clip.seconds < SHORTEST:
            return ""
        return self._policy.call(describe(self.endpoint), lambda seconds: self._attempt(clip, seconds)).value

    def close(self) -> None:
        """Close connections; a call that waits for another attempt gives up."""
        self._closed.set()
        if hasattr(self, "_pool"):
            self._pool.close()

    @cached_property
    def _sent_key(self) -> str:
        return checked_key(self.endpoint.model, self._provider.key_variable) if self._key is None else self._key

    def _ask_server(self, clip: AudioClip, seconds: float) -> str:
        from omnipilot.memory.models.openai_chat.connections import ConnectionFailed

        fields = {"model": self.endpoint.model_name, "response_format": "json"}
        if self.language:
            fields["language"] = self.language
        kind, body = multipart(fields, clip.wav())
        headers = {"Content-Type": kind, "Accept": "application/json"}
        if self._sent_key:
            headers["Authorization"] = f"Bearer {self._sent_key}"
        try:
            answer = self._pool.exchange("POST", "/audio/transcriptions", body, headers, seconds)
        except ConnectionFailed as error:
            raise TransientError(f"{error}") from error
        if answer.status == 200:
            return _text(answer.body)
        raise failure(
            self.endpoint,
            answer.status,
            scrub_error(answer.body[:10_000].decode("utf-8", "replace")),
            wait=retry_after(answer.headers.get("retry-after", "")),
            keyless=not self._sent_key,
            moved_to=scrub_error(answer.headers.get("location", "")),
        )

    def _ask_litellm(self, clip: AudioClip, seconds: float) -> str:
        from omnipilot.memory.models.litellm.errors import meaning
        from omnipilot.memory.models.litellm.library import transcribe

        request: dict[str, Any] = {"model": self.endpoint.model, "file": ("speech.wav", clip.wav(), "audio/wav")}
        if self._key is not None:
            request["api_key"] = self._key or NO_KEY
        if self.language:
            request["language"] = self.language
        try:
            response = transcribe(request, seconds)
        except Exception as error:
            raise meaning(error, self.endpoint) from None
        text = getattr(response, "text", None)
        if not isinstance(text, str):
            raise TransientError("the answer is no transcription")
        return text.strip()


def multipart(fields: dict[str, str], wav: bytes) -> tuple[str, tuple[bytes, ...]]:
    """A form with a sound file: its content type, and its body in pieces (RFC 7578)."""
    edge = uuid.uuid4().hex
    head = "".join(
        f'--{edge}\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'
        for name, value in fields.items()
    )
    head += f'--{edge}\r\nContent-Disposition: form-data; name="file"; filename="speech.wav"\r\n'
    head += "Content-Type: audio/wav\r\n\r\n"
    return f"multipart/form-data; boundary={edge}", (head.encode(), wav, f"\r\n--{edge}--\r\n".encode())


def _text(body: bytes) -> str:
    try:
        text = json.loads(body)["text"]
    except (ValueError, KeyError, TypeError, RecursionError):
        text = None
    if not isinstance(text, str):
        shown = scrub_error(body[:10_000].decode("utf-8", "replace"))[:120]
        raise TransientError(f"the answer is no transcription: {shown!r}")
    return text.strip()
