"""Which provider accepts which media, and in which form: what litellm passes on rather than drops.

Found by sending each part through litellm 1.106 and reading what arrives, as
`tests/memory/models/litellm/test_media_wire.py` does again; a form that litellm drops in silence counts as not taken.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

Form: TypeAlias = Literal["", "image_url", "input_audio", "video_url", "file"]


@dataclass(frozen=True, slots=True)
class Forms:
    """The OpenAI message part for each kind of media; "" if not accepted.

    Attributes:
        hoists: media lose their place among the words, so that the words must say where they were.
    """

    image: Form = "image_url"
    audio: Form = ""
    video: Form = ""
    hoists: bool = False

    def of(self, kind: str) -> Form:
        """The form of "image", "audio" or "video"."""
        return {"image": self.image, "audio": self.audio, "video": self.video}[kind]


_VLLM = Forms(audio="input_audio", video="video_url")
_GEMINI = Forms(audio="input_audio", video="file")
_NOVA = Forms(video="image_url")


def forms(model: str) -> Forms:
    """The forms that a model's provider ("provider/name") accepts; an unknown provider accepts images."""
    provider, _, name = model.partition("/")
    match provider:
        case "hosted_vllm":
            return _VLLM
        case "gemini":
            return _GEMINI
        case "vertex_ai" | "vertex_ai_beta":
            return _GEMINI if "gemini" in name else Forms()
        case "bedrock":
            return _NOVA if "nova" in name else Forms()
        case "openai" | "azure":
            return Forms(audio="input_audio") if "audio" in name else Forms()
        case "ollama_chat":
            return Forms(hoists=True)
    return Forms()
