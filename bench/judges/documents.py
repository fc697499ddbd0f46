"""What judges read of documents and pictures: texts, cells, brightness, and one picture within another."""

from __future__ import annotations

import io
import re
import zipfile
import zlib
from html.parser import HTMLParser
from typing import Any
from xml.etree import ElementTree

from omnipilot.envs.types import EnvLost, open_picture, require

MOST_XML = 32 * 1024 * 1024
"""Bytes of a document's content that are read, uncompressed."""
MOST_TAGS = 500_000
"""Its tags; each element costs some 200 bytes of memory."""
MOST_COLUMNS = 64
INLIERS = 10
"""Pairs of keypoints, of those that one homography explains, from which on a picture counts as found."""
RATIO = 0.75
"""A keypoint's best match must be this much nearer than its second best (Lowe, 2004, section 7.1)."""
LONGEST_SIDE = 1600
OFFICE = {
    "text": "urn:oasis:names:tc:opendocument:xmlns:text:1.0",
    "table": "urn:oasis:names:tc:opendocument:xmlns:table:1.0",
}


def paragraphs(data: bytes) -> list[str] | None:
    """The paragraphs of an OpenDocument text; None if it is none."""
    root = _content(data)
    if root is None:
        return None
    kinds = f"{{{OFFICE['text']}}}p", f"{{{OFFICE['text']}}}h"
    return [_text(one) for one in root.iter() if one.tag in kinds]


def cells(data: bytes) -> list[list[str]] | None:
    """The cells of the first sheet of an OpenDocument spreadsheet, as shown, without empty rows; None if it is none."""
    root = _content(data)
    sheet = None if root is None else root.find(".//table:table", OFFICE)
    if sheet is None:
        return None
    rows = []
    for row in sheet.iter(f"{{{OFFICE['table']}}}table-row"):
        found: list[str] = []
        for cell in row.findall("table:table-cell", OFFICE):
            repeated = cell.get(f"{{{OFFICE['table']}}}number-columns-repeated", "1")
            times = int(repeated) if repeated.isdecimal() else 1
            words = " ".join(_text(one) for one in cell.iter(f"{{{OFFICE['text']}}}p"))
            found += [words] * min(times, MOST_COLUMNS - len(found))
        while found and not found[-1]:
            found.pop()
        if found:
            rows.append(found)
    return rows


def _content(data: bytes) -> ElementTree.Element | None:
    """The content of an OpenDocument file."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive, archive.open("content.xml") as file:
            xml = file.read(MOST_XML + 1)
        if len(xml) > MOST_XML or xml.count(b"<") > MOST_TAGS or b"<!DOCTYPE" in xml or b"<!ENTITY" in xml:
            return None
        return ElementTree.fromstring(xml)
    except (zipfile.BadZipFile, KeyError, OSError, EOFError, zlib.error, ElementTree.ParseError, RuntimeError):
        return None


def _text(node: ElementTree.Element) -> str:
    """The text of a node; tabs, line breaks and runs of spaces are elements of their own in OpenDocument."""
    name = node.tag.rpartition("}")[2] if isinstance(node.tag, str) else ""
    if name == "s":
        count = node.get(f"{{{OFFICE['text']}}}c", "1")
        inner = " " * min(int(count) if count.isdecimal() else 1, 1000)
    else:
        inner = {"tab": "\t", "line-break": "\n"}.get(name, node.text or "")
    return inner + "".join(_text(child) + (child.tail or "") for child in node)


def brightness(data: bytes) -> float | None:
    """Mean length of a picture's RGB vectors, from 0 to 255; None if it is no picture."""
    import numpy as np

    pixels = _pixels(data)
    return None if pixels is None else float(np.linalg.norm(pixels.astype(np.float64), axis=2).mean() / np.sqrt(3))


def place_in(part: bytes, whole: bytes) -> tuple[float, float] | None:
    """The centre of a picture within another one, in pixels of that; None if it is not found there.

    Keypoints are SIFT's, matched by the ratio test, and counted if one homography explains them: CRAB's own judge uses
    a network (XFeat) instead.

    Raises:
        MissingExtra: OpenCV is not installed.
    """
    import numpy as np

    cv2: Any = require("cv2", "marks")
    small, large = _pixels(part), _pixels(whole)
    if small is None or large is None:
        return None
    finder = cv2.SIFT_create(4000)
    (points, marks), (places, others) = (
        finder.detectAndCompute(cv2.cvtColor(one, cv2.COLOR_RGB2GRAY), None) for one in (small, large)
    )
    if marks is None or others is None or len(places) < 2:
        return None
    pairs = cv2.BFMatcher().knnMatch(marks, others, k=2)
    good = [pair[0] for pair in pairs if len(pair) == 2 and pair[0].distance < RATIO * pair[1].distance]
    if len(good) < INLIERS:
        return None
    source = np.array([points[one.queryIdx].pt for one in good], np.float32).reshape(-1, 1, 2)
    target = np.array([places[one.trainIdx].pt for one in good], np.float32).reshape(-1, 1, 2)
    homography, mask = cv2.findHomography(source, target, cv2.RANSAC, 3.5)
    if homography is None or int(mask.sum()) < INLIERS:
        return None
    height, width = small.shape[:2]
    box = [[0, 0], [width - 1, 0], [width - 1, height - 1], [0, height - 1]]
    corners = np.array(box, np.float32).reshape(-1, 1, 2)
    moved = cv2.perspectiveTransform(corners, homography)[:, 0]
    (left, top), (right, bottom) = moved.min(0), moved.max(0)
    return float(left + right) / 2, float(top + bottom) / 2


def _pixels(data: bytes) -> Any:
    """Height, width and RGB of a picture file, its longest side at most `LONGEST_SIDE`; None for what is none."""
    import numpy as np

    try:
        with open_picture(data, "a picture") as picture:
            drawn = picture.convert("RGB")
    except EnvLost:
        return None
    drawn.thumbnail((LONGEST_SIDE, LONGEST_SIDE))
    return np.asarray(drawn)


class _InfoBox(HTMLParser):
    """Collects the rows of the first table of class `infobox`: texts of its headings and cells."""

    def __init__(self) -> None:
        super().__init__()
        self.rows: list[tuple[str, str]] = []
        self._depth = 0
        self._over = False
        self._into = ""
        self._row = {"th": "", "td": ""}
        self._hidden = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "table" and (self._depth or "infobox" in (dict(attrs).get("class") or "").split()):
            self._depth += not self._over
        if not self._depth:
            return
        if tag in ("style", "script"):
            self._hidden += 1
        elif tag == "tr" and self._depth == 1:
            self._row = {"th": "", "td": ""}
        elif tag in ("th", "td") and self._depth == 1:
            self._into = tag

    def handle_endtag(self, tag: str) -> None:
        if not self._depth:
            return
        if tag == "table":
            self._depth -= 1
            self._over = not self._depth
        elif tag in ("style", "script"):
            self._hidden = max(0, self._hidden - 1)
        elif tag == "tr" and self._depth == 1:
            self.rows.append((" ".join(self._row["th"].split()), " ".join(self._row["td"].split())))
            self._into = ""
        elif tag == self._into and self._depth == 1:
            self._into = ""

    def handle_data(self, data: str) -> None:
        if self._depth == 1 and self._into and not self._hidden:
            self._row[self._into] += data


def country_facts(page: str) -> tuple[str, str]:
    """Capital and population from an encyclopedia's page of a country: the words of its box's cell "Capital", and the
    digits of the first number beside, or below, "Population". "" for what it does not tell."""
    box = _InfoBox()
    box.feed(page)
    capital = population = ""
    for at, (heading, cell) in enumerate(box.rows):
        if "Capital" in heading and not capital:
            capital = cell
        if "Population" in heading and not population:
            below = box.rows[at + 1][1] if at + 1 < len(box.rows) else ""
            number = re.search(r"\d{1,3}(?:,\d{3})+|\d{4,}", cell or below)
            population = number[0].replace(",", "") if number else ""
    return capital, population
