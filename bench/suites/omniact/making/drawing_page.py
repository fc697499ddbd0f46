"""The page on which a person draws boxes: served on the loopback interface, to this machine alone."""

from __future__ import annotations

import threading
from dataclasses import asdict
from importlib.resources import files
from typing import Any

from omnipilot.bench import PageContent, PersonalPage
from omnipilot.bench.suites.omniact.making.records import MakingFolder, NamedBox
from omnipilot.envs import ConfigError


class DrawingPage(PersonalPage):
    """Serves the page. Use it as a context manager, or call `close`. What is drawn is written at once.

    Args:
        folder: whose screens are shown. port: 0 for a free one.

    Attributes:
        url: of the page.
    """

    def __init__(self, folder: MakingFolder, port: int = 0) -> None:
        self.folder = folder
        self._screens = folder.screens()
        self._writing = threading.Lock()
        super().__init__(port)

    def take(self, path: str, values: Any) -> object:
        """Write the boxes of a screen.

        Raises:
            ConfigError: they are none; the message says what is wrong.
        """
        if path != "boxes" or not isinstance(values, dict) or not isinstance(values.get("boxes"), list):
            raise ConfigError("this is no set of boxes of a screen")
        try:
            boxes = [
                NamedBox(str(one["name"]), tuple(map(int, one["corners"])), str(one.get("label", "")))  # type: ignore[arg-type]
                for one in values["boxes"]
            ]
            if any(len(box.corners) != 4 for box in boxes):
                raise ValueError
        except (KeyError, TypeError, ValueError):
            raise ConfigError("a box has a name and four corners, in pixels") from None
        with self._writing:
            self.folder.put_boxes(str(values.get("screen")), boxes)
        return "written"

    def content(self, path: str) -> PageContent | None:
        """The page, and what it shows."""
        if path == "":
            return PageContent(files(__package__).joinpath("drawing_page.html").read_bytes())
        if path == "screens":
            return PageContent.json(
                [{"id": one.id, "boxes": [asdict(box) for box in one.boxes]} for one in self.folder.screens().values()]
            )
        screen = self._screens.get(path.removeprefix("picture/"))
        return PageContent((self.folder.path / screen.picture).read_bytes(), "image/png") if screen else None
