"""The message parts in which media travel to a model. Which provider accepts which is in the table of providers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

Form: TypeAlias = Literal["", "image_url", "input_audio", "video_url", "file"]


MEDIA = ("image", "audio", "video")
"""Kinds of media."""


@dataclass(frozen=True, slots=True)
class MediaForms:
    """The OpenAI message part for each kind of media; "" if not accepted.

    Attributes:
        hoists: media lose their place among the words, so that the words must say where they were.
        detail: how closely the model looks at pictures: "low", "high" or "auto"; "" leaves it to the server.
    """

    image: Form = "image_url"
    audio: Form = ""
    video: Form = ""
    hoists: bool = False
    detail: str = ""

    def of(self, kind: str) -> Form:
        """The form of "image", "audio" or "video"."""
        return {"image": self.image, "audio": self.audio, "video": self.video}[kind]
