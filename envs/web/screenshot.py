"""Screenshots of a page, in CSS pixels."""

from __future__ import annotations

import base64
import time

from omnipilot.envs.types.errors import EnvLost
from omnipilot.envs.types.geometry import Size
from omnipilot.envs.types.media import Image
from omnipilot.envs.types.observation import Absent
from omnipilot.envs.web.tabs import Tab

PATIENCE = 1.0
"""Seconds to retry a page that cannot be captured yet."""

UNANSWERED = 1.5
"""Seconds after which to ask again, twice as long each time: a capture is lost if the page is replaced meanwhile."""


def shoot(tab: Tab, size: Size, env: str, now: float) -> Image | Absent:
    """Capture the viewport at its next frame; `size` is in CSS pixels.

    Raises:
        EnvLost: the page is gone, or the image's shape differs from the viewport's.
    """
    tab.check()
    until, unanswered = time.monotonic() + PATIENCE, UNANSWERED
    while True:
        try:
            shot = tab.send_within(unanswered, "Page.captureScreenshot", {"format": "png", "optimizeForSpeed": True})
            break
        except TimeoutError:
            unanswered *= 2  # a page that can never be captured is for whoever guards this call
        except tab.error as error:
            # A page that has not been drawn yet, or is being replaced, has nothing to capture.
            if "captur" not in str(error):
                raise
            if time.monotonic() > until:
                return Absent("failed", str(error))
            tab.settle(PATIENCE, PATIENCE)
    image = Image.encoded(base64.b64decode(shot["data"]), env, now)
    return image if image.size == size else _rescaled(image, size)


def _rescaled(image: Image, size: Size) -> Image:
    """Rescale device pixels to CSS pixels; an image of another shape is not the viewport."""
    from PIL import Image as pil

    across, down = image.size.width / size.width, image.size.height / size.height
    if abs(across * size.height - image.size.height) > 1 or abs(down * size.width - image.size.width) > 1:
        raise EnvLost(f"the screenshot is {image.size}, but the viewport is {size}")
    picture = pil.frombytes("RGB", (image.size.width, image.size.height), image.rgb)
    small = picture.resize((size.width, size.height), pil.Resampling.BOX)
    return Image.raw(size, small.tobytes(), image.env, image.start)
