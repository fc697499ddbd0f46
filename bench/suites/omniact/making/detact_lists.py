"""DetACT as the reader of made screens."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from omnipilot.envs import Element, Image
from omnipilot.envs.sim.render.icons import write_icons
from omnipilot.grounders.sources.detact import DetAct


def detact_reader(pack: str = "") -> Callable[[Image], Sequence[Element]]:
    """What reads texts, icons and colours from a picture.

    Args:
        pack: folder of icons; "" for those that the embedded world draws.

    Raises:
        ConfigError: the pack holds no pictures. MissingExtra: RapidOCR or OpenCV is not installed.
    """
    if pack:
        return DetAct(pack=pack, filter="none").read
    with TemporaryDirectory() as folder:
        write_icons(Path(folder))
        # The pictures are read when it is made.
        return DetAct(pack=folder, filter="none").read
