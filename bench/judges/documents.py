"""What judges read of documents and pictures: texts, cells, brightness, and one picture within another."""

from __future__ import annotations

import io
import re
import zipfile
import zlib
from dataclasses import dataclass
from typing import Any
from xml.etree import ElementTree

from omnipilot.envs.types import EnvLost, open_picture, require

MOST_XML = 32 * 1024 * 1024
"""Bytes of a document's content that are read, uncompressed."""
MOST_TAGS = 500_000
"""Its tags; each element costs some 200 bytes of memory."""
MOST_COLUMNS = 64
MOST_ROWS = 10_000
INLIERS = 10
"""Pairs of keypoints, of those that one homography explains, from which on a picture counts as found."""
RATIO = 0.75
"""A keypoint's best match must be this much nearer than its second best (Lowe, 2004, section 7.1)."""
LONGEST_SIDE = 1600
OFFICE = {
    "text": "urn:oasis:names:tc:opendocument:xmlns:text:1.0",
    "table": "urn:oasis:names:tc:opendocument:xmlns:table:1.0",
    "draw": "urn:oasis:names:tc:opendocument:xmlns:drawing:1.0",
}
WORD = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
SHEET = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
DRAWING = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
SLIDES = "{http://schemas.openxmlformats.org/presentationml/2006/main}"
_SLIDE = re.compile(r"ppt/slides/slide(\d+)\.xml")
_PLACE = re.compile(r"([A-Z]+)(\d+)")


@dataclass(frozen=True, slots=True)
class Slide:
    """A slide of a presentation: its paragraphs, in the order of the file, and the number of its pictures."""

    texts: tuple[str, ...]
    pictures: int


def document_paragraphs(data: bytes) -> list[str] | None:
    """The paragraphs of a text document, OpenDocument or Office Open XML (.odt, .docx); None if it is none."""
    root = _part(data, "content.xml")
    if root is not None:
        kinds = f"{{{OFFICE['text']}}}p", f"{{{OFFICE['text']}}}h"
        return [_text(one) for one in root.iter() if one.tag in kinds]
    root = _part(data, "word/document.xml")
    return None if root is None else [_open_xml_text(one, WORD) for one in root.iter(f"{WORD}p")]


def sheet_cells(data: bytes) -> list[list[str]] | None:
    """The cells of the first sheet of a spreadsheet (.ods, .xlsx), as shown, without empty rows; None if it is none."""
    root = _part(data, "content.xml")
    rows = _open_document_rows(root) if root is not None else _open_xml_rows(data)
    return None if rows is None else [row for row in rows if row]


def cell_text(data: bytes, cell: str) -> str | None:
    """The text of a cell such as "B3" of the first sheet; "" for an empty one, None if it is no spreadsheet."""
    found = _PLACE.fullmatch(cell.upper())
    root = _part(data, "content.xml")
    rows = _open_document_rows(root) if root is not None else _open_xml_rows(data)
    if found is None or rows is None:
        return None
    row, column = int(found[2]) - 1, _column(found[1])
    return rows[row][column] if row < len(rows) and column < len(rows[row]) else ""


def slides_of(data: bytes) -> list[Slide] | None:
    """The slides of a presentation (.odp, .pptx), in order; None if it is none."""
    root = _part(data, "content.xml")
    if root is not None:
        pages = list(root.iter(f"{{{OFFICE['draw']}}}page"))
        texts = [tuple(_text(one) for one in page.iter(f"{{{OFFICE['text']}}}p")) for page in pages]
        counts = [len(list(page.iter(f"{{{OFFICE['draw']}}}image"))) for page in pages]
        return [Slide(*one) for one in zip(texts, counts, strict=True)] or None
    found = []
    for number in sorted(int(match[1]) for name in _names(data) if (match := _SLIDE.fullmatch(name))):
        page = _part(data, f"ppt/slides/slide{number}.xml")
        if page is not None:
            words = tuple(_open_xml_text(one, DRAWING) for one in page.iter(f"{DRAWING}p"))
            found.append(Slide(words, len(list(page.iter(f"{SLIDES}pic")))))
    return found or None


def picture_size_of(data: bytes) -> tuple[int, int] | None:
    """Width and height of a picture file in pixels; None if it is no picture."""
    try:
        with open_picture(data, "a picture") as picture:
            return int(picture.width), int(picture.height)
    except EnvLost:
        return None


def _names(data: bytes) -> list[str]:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            return archive.namelist()
    except (zipfile.BadZipFile, OSError, EOFError):
        return []


def _open_document_rows(root: ElementTree.Element) -> list[list[str]] | None:
    """The rows of the first sheet; trailing empty cells are left out. Repeated rows are counted up to `MOST_ROWS`."""
    sheet = root.find(".//table:table", OFFICE)
    if sheet is None:
        return None
    rows: list[list[str]] = []
    for row in sheet.iter(f"{{{OFFICE['table']}}}table-row"):
        found: list[str] = []
        for cell in row.findall("table:table-cell", OFFICE):
            repeated = cell.get(f"{{{OFFICE['table']}}}number-columns-repeated", "1")
            times = int(repeated) if repeated.isdecimal() else 1
            words = " ".join(_text(one) for one in cell.iter(f"{{{OFFICE['text']}}}p"))
            found += [words] * min(times, MOST_COLUMNS - len(found))
        while found and not found[-1]:
            found.pop()
        again = row.get(f"{{{OFFICE['table']}}}number-rows-repeated", "1")
        rows += [found] * min(int(again) if again.isdecimal() else 1, MOST_ROWS - len(rows))
    return rows


def _open_xml_rows(data: bytes) -> list[list[str]] | None:
    sheet = _part(data, "xl/worksheets/sheet1.xml")
    if sheet is None:
        return None
    strings = _part(data, "xl/sharedStrings.xml")
    shared = [] if strings is None else ["".join(t.text or "" for t in one.iter(f"{SHEET}t")) for one in strings]
    rows: list[list[str]] = []
    for cell in sheet.iter(f"{SHEET}c"):
        place = _PLACE.fullmatch(cell.get("r", ""))
        if place is None or int(place[2]) > MOST_ROWS or _column(place[1]) >= MOST_COLUMNS:
            continue
        value = "".join(one.text or "" for one in cell.iter() if one.tag in (f"{SHEET}v", f"{SHEET}t"))
        if cell.get("t") == "s":
            value = shared[int(value)] if value.isdecimal() and int(value) < len(shared) else ""
        row, column = int(place[2]) - 1, _column(place[1])
        rows += [[] for _ in range(row + 1 - len(rows))]
        rows[row] += [""] * (column + 1 - len(rows[row]))
        rows[row][column] = value
    return rows


def _column(letters: str) -> int:
    number = 0
    for letter in letters:
        number = number * 26 + ord(letter) - ord("A") + 1
    return number - 1


def _open_xml_text(node: ElementTree.Element, namespace: str) -> str:
    return "".join(one.text or "" for one in node.iter(f"{namespace}t"))


def _part(data: bytes, name: str) -> ElementTree.Element | None:
    """A part of an office file; None if there is none, or it is too large."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive, archive.open(name) as file:
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


def picture_brightness(data: bytes) -> float | None:
    """Mean length of a picture's RGB vectors, from 0 to 255; None if it is no picture."""
    import numpy as np

    pixels = _pixels(data)
    return None if pixels is None else float(np.linalg.norm(pixels.astype(np.float64), axis=2).mean() / np.sqrt(3))


def find_picture(part: bytes, whole: bytes) -> tuple[float, float] | None:
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
