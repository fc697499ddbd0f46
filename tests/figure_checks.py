"""Figures read back: every text is inside and apart from the others."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from xml.etree import ElementTree

from omnipilot.bench.figure_text import width

SVG = "{http://www.w3.org/2000/svg}"


SIZES = {"title": (15, True), "group": (13, True), "quiet": (11.5, False)}


@dataclass(frozen=True)
class Text:
    words: str
    left: float
    right: float
    top: float
    bottom: float

    def over(self, other: Text) -> bool:
        beside = self.right <= other.left or other.right <= self.left
        return not (beside or self.bottom <= other.top or other.bottom <= self.top)


def read(svg: str) -> tuple[ElementTree.Element, list[Text]]:
    """The figure, and the box of every text in it, as wide as any font may draw it."""
    root = ElementTree.fromstring(svg)
    found = []
    for node in root.iter(f"{SVG}text"):
        kinds = set(node.get("class", "").split())
        size, bold = next((SIZES[kind] for kind in SIZES if kind in kinds), (13, False))
        x, y, wide = float(node.get("x", "")), float(node.get("y", "")), width(node.text or "", size, bold)
        left = x - wide if "end" in kinds else x - wide / 2 if "middle" in kinds else x
        found.append(Text(node.text or "", left, left + wide, y - 0.8 * size, y + 0.25 * size))
    return root, found


def check(svg: str) -> list[Text]:
    """Every text is inside and apart from the others; whiskers and dots are inside and below no label."""
    root, texts = read(svg)
    wide, high = float(root.get("width", "")), float(root.get("height", ""))
    for text in texts:
        assert text.left >= 0 and text.right <= wide and text.top >= 0 and text.bottom <= high, text
    for one, other in itertools.combinations(texts, 2):
        assert not one.over(other), (one, other)
    for node in root.iter(f"{SVG}circle"):
        x, y = float(node.get("cx", "")), float(node.get("cy", ""))
        mark = Text("dot", x - 4.5, x + 4.5, y - 4.5, y + 4.5)
        assert not any(mark.over(text) for text in texts)
        assert 0 <= x <= wide
    return texts


def words(texts: list[Text]) -> list[str]:
    return [text.words for text in texts]
