"""Icons of a picture with the names that a pack of pictures gives them; also a detector for Set-of-Marks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from omnipilot.envs import Box, ConfigError, Element, Image
from omnipilot.grounders.marks.detectors.edges import WidgetDetector
from omnipilot.grounders.marks.detectors.icon_pack import ALIKE, IconPack
from omnipilot.grounders.marks.detectors.regions import add_icons_in_text, choose_regions, whole_pixels

MARGIN = 2
"""Pixels of background around an icon, from which it is told apart."""


class NamedIcons:
    """Finds the icons of a pack in a picture.

    Args:
        pack: folder with pictures of icons, each named by what it does.
        strict: compare as in the paper only; see `IconPack`.

    Raises:
        ConfigError: there is no picture in the folder, or none is named. MissingExtra: OpenCV is not installed.
    """

    def __init__(self, pack: str, strict: bool = False) -> None:
        if not pack:
            raise ConfigError(
                "icons need the option pack: a folder of pictures, each called by what it does (trash.png)"
            )
        self.pack = IconPack.read(pack, strict)
        self._widgets = WidgetDetector()
        self._strokes = WidgetDetector(thin=True)

    def find(self, image: Image, texts: Sequence[Box] = ()) -> list[Element]:
        """Named icons with role "icon" and source "detector", in reading order.

        Args:
            texts: boxes of known text.
        """
        lines = [Element("text", "text", box, source="ocr") for box in texts]
        regions = choose_regions(self._widgets.find(image, texts), lines, image.size)
        return [replace(icon, role="icon") for icon in self.name_icons(image, regions, lines)]

    def name_icons(self, image: Image, regions: Sequence[Element], lines: Sequence[Element]) -> list[Element]:
        """Named icons with role "image", the function as name, and the likeness as confidence, in reading order.

        Args:
            regions: that are not text. lines: of text, in which icons are looked for too.
        """
        strokes = [one for one in self._strokes.find(image) if one.role == "icon"]
        places = add_icons_in_text(regions, strokes, lines, image.size)
        pixels, margin = image.array(), 0 if self.pack.strict else MARGIN
        corners = [whole_pixels(place, image.size, margin) for place in places]
        matches = self.pack.match([pixels[top:bottom, left:right] for left, top, right, bottom in corners])
        return _one_a_place(
            replace(place, role="image", name=match.name, confidence=min(1.0, match.likeness))
            for place, match in zip(places, matches, strict=True)
            if match.likeness >= ALIKE
        )


def _one_a_place(icons: Iterable[Element]) -> list[Element]:
    """The icons in reading order, without those in whose middle a more similar one lies."""
    kept: list[Element] = []
    for one in sorted(icons, key=lambda icon: -(icon.confidence or 0)):
        if not any(one.box.contains(other.box.center) or other.box.contains(one.box.center) for other in kept):
            kept.append(one)
    return sorted(kept, key=lambda icon: (icon.box.top, icon.box.left))
