"""The reader `mini-ears`: what is said, in words, by the small ears in this process."""

from __future__ import annotations

from omnipilot.agents.wrappers.readers import TranscribingReader
from omnipilot.memory.mini import EarsTranscriber


class EarsReader(TranscribingReader):
    """Tells in words what is said in English, by the small ears, and names other sounds.

    Args:
        model: folder of the ears, from `omnipilot train ears`; "" for those that are shipped.
        what: `transcript`, or with a comma `texts` too, which are read from the screenshot.

    Raises:
        ConfigError: there are no such ears, or broken ones; or `what` names something else. MissingExtra: RapidOCR is
            not installed, for `texts`.
    """

    def __init__(self, model: str = "", what: str = "transcript") -> None:
        super().__init__(EarsTranscriber(model), what)
