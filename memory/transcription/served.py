"""Transcribers behind an endpoint: any server with `POST /audio/transcriptions` of OpenAI's API, or litellm."""

from __future__ import annotations

import uuid

from omnipilot.envs import AudioClip
from omnipilot.envs.schema.parse_json import parse_json
from omnipilot.memory.models.endpoint import LlmEndpoint
from omnipilot.memory.models.endpoint_calls import EndpointCalls, no_answer
from omnipilot.memory.models.retry import RetryClock, TransientError

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
        if self._calls.through_litellm:
            from omnipilot.memory.models.litellm.library import transcribe

            given = {"file": ("speech.wav", clip.wav(), "audio/wav"), **spoken}
            return self._calls.call_litellm(transcribe, given, _text_of).value
        fields = {"model": self.endpoint.model_name, "response_format": "json", **spoken}
        return self._calls.post("/audio/transcriptions", *multipart(fields, clip.wav()), _text).value

    def close(self) -> None:
        """Close connections; a call that waits for another attempt gives up."""
        self._calls.close()


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
        text = parse_json(body)["text"]
    except (ValueError, KeyError, TypeError):
        text = None
    if not isinstance(text, str):
        raise no_answer("transcription", body)
    return text.strip()


def _text_of(response: object) -> str:
    text = getattr(response, "text", None)
    if not isinstance(text, str):
        raise TransientError("the answer is no transcription")
    return text.strip()
