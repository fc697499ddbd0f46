"""Pictures of `screencap`."""

from __future__ import annotations

from omnipilot.envs.types.media import Image

_HEAD, _END = b"\x89PNG\r\n\x1a\n", b"IEND\xaeB`\x82"
_BARS = 0.08
"""Share of the height at the top and at the bottom where the system's bars are shown above a black window."""


def parse_screenshot(answer: bytes) -> bytes | None:
    """The PNG file in what `screencap -p` printed; None if there is no whole one.

    Phones with several displays print a warning before it.
    """
    start, end = answer.find(_HEAD), answer.rfind(_END)
    return answer[start : end + len(_END)] if 0 <= start < end else None


def is_black(image: Image) -> bool:
    """Whether nothing but black is shown between the system's bars, as of a window that forbids captures."""
    bars = round(image.size.height * _BARS) * image.size.width * 3
    return not image.rgb[bars : len(image.rgb) - bars].strip(b"\0")
