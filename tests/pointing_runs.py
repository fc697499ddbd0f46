"""A served grounder on a small pointing suite."""

from __future__ import annotations

import base64
import io
from collections.abc import Callable

from chat_server import Answer, Behaviour, Request
from PIL import Image as pil

from omnipilot.envs.geometry import Size
from omnipilot.grounders.calibrate_targets import TARGETS
from omnipilot.grounders.family import Family


def pointing(writes: Family) -> Callable[[Request], Behaviour]:
    """A model that sees the probe's targets and writes as a family does."""

    def answer(request: Request) -> Behaviour:
        parts = [part for message in request.json["messages"] for part in _parts(message)]
        text = " ".join(part["text"] for part in parts if part["type"] == "text")
        url = next(part["image_url"]["url"] for part in parts if part["type"] == "image_url")
        with pil.open(io.BytesIO(base64.b64decode(url.partition(",")[2]))) as picture:
            size = Size(*picture.size)
        target = next(target for target in TARGETS if target.description in text)
        return Answer(writes.render(target.at, size))

    return answer


def _parts(message: dict[str, object]) -> list[dict[str, dict[str, str]]]:
    content = message["content"]
    return [{"type": "text", "text": content}] if isinstance(content, str) else content  # type: ignore[dict-item,return-value]
