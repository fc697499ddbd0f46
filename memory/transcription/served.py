"""Transcribers behind an endpoint: any server with `POST /audio/transcriptions` of OpenAI's API, or litellm."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from functools import partial
from typing import Any, TypeAlias

from omnipilot.envs import AudioClip
from omnipilot.envs.schema import parse_json
from omnipilot.memory.messages import Reply, Usage, read_count
from omnipilot.memory.models.endpoint import LlmEndpoint
from omnipilot.memory.models.endpoint_calls import CallRecord, EndpointCalls, no_answer
from omnipilot.memory.models.exchange import Enclosed
from omnipilot.memory.models.prices import cost, price_of_sound
from omnipilot.memory.models.retry import RetryClock, TransientError
from omnipilot.memory.transcription.base import Transcriber

Transcript: TypeAlias = tuple[str, int, int]
"""What is said, and the tokens that were read and written, 0 where the server counts none."""

SHORTEST = 0.1
"""Seconds of the shortest clip that is sent; servers refuse shorter ones, and nothing is said in them."""


class EndpointTranscriber(Transcriber):
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
        self._calls = EndpointCalls(endpoint, clock)

    def transcribe(self, clip: AudioClip) -> str:
        """What is said in a clip; "" for nothing.

        Raises:
            ModelUnavailable: no answer within the endpoint's time and attempts.
            ConfigError: the server refuses the request or the key.
        """
        if clip.seconds < SHORTEST:
            return ""
        spoken = {"language": self.language} if self.language else {}
        fields = {"model": self.endpoint.model_name, **spoken}
        if not self._calls.through_litellm:
            fields["response_format"] = "json"
        body = {**fields, "file": Enclosed(clip, "audio/wav")}
        record: CallRecord[Transcript] = CallRecord(body, partial(self._describe, clip.seconds))
        if self._calls.through_litellm:
            from omnipilot.memory.models.litellm.library import transcribe

            given = {"file": ("speech.wav", clip.wav(), "audio/wav"), **spoken}
            text, _, _ = self._calls.call_litellm(transcribe, given, _transcript_of, record).value
        else:
            kind, form = multipart(fields, clip.wav())
            text, _, _ = self._calls.post("/audio/transcriptions", kind, form, _transcript, record).value
        return text

    def close(self) -> None:
        """Close connections; a call that waits for another attempt gives up."""
        self._calls.close()

    def _describe(self, seconds: float, answer: Transcript) -> Reply:
        """The answer for a record, with its price by the token or by the second of sound, where one is known."""
        text, tokens_in, tokens_out = answer
        if tokens_in or tokens_out:
            dollars = cost(self.endpoint, tokens_in, tokens_out)
        else:
            dollars = price_of_sound(self.endpoint.model, seconds)
        return Reply(text, usage=Usage(1, tokens_in, tokens_out, dollars))


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


def _transcript(body: bytes) -> Transcript:
    try:
        data = parse_json(body, bounded=True)
        text = data["text"]
    except (ValueError, KeyError, TypeError):
        text = None
    if not isinstance(text, str):
        raise no_answer("transcription", body)
    return text.strip(), *_tokens(data.get("usage"))


def _transcript_of(response: object) -> Transcript:
    text = getattr(response, "text", None)
    if not isinstance(text, str):
        raise TransientError("the answer is no transcription")
    return text.strip(), *_tokens(getattr(response, "usage", None))


def _tokens(usage: object) -> tuple[int, int]:
    """The tokens of an answer's `usage`; some servers count seconds instead, or nothing."""

    def count(name: str) -> int:
        found: Any = usage.get(name) if isinstance(usage, Mapping) else getattr(usage, name, None)
        return read_count(found) or 0

    return count("input_tokens"), count("output_tokens")
