"""Judges of files: that they exist, what they contain, pictures and office documents among them."""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import Literal

from omnipilot.bench.judges.documents import (
    cell_text,
    document_paragraphs,
    find_picture,
    picture_size_of,
    slides_of,
)
from omnipilot.bench.judges.evidence import DeviceEvidence
from omnipilot.bench.judges.kinds import judge
from omnipilot.bench.judges.matching import matches


@judge()
def check_file_exists(evidence: DeviceEvidence, file_path: str) -> tuple[bool, str]:
    """There is a file at this path; for its absence, put it into a `not`."""
    return evidence.is_file(file_path), f"a file {file_path}"


@judge(platform="desktop")
def check_folder_exists(evidence: DeviceEvidence, path: str) -> tuple[bool, str]:
    """There is a folder at this path."""
    return evidence.is_folder(path), f"a folder {path}"


@judge()
def check_file_contains(evidence: DeviceEvidence, path: str, text: str) -> tuple[bool, str]:
    """A file contains exactly this text."""
    data = evidence.read_file(path)
    found = "no file" if data is None else data.decode("utf-8", "replace")
    return data is not None and text in found, f"{path}: {found!r}"


@judge()
def check_file_equals(evidence: DeviceEvidence, path: str, text: str) -> tuple[bool, str]:
    """A file is exactly this text, up to a line break at its end."""
    data = evidence.read_file(path)
    found = "no file" if data is None else data.decode("utf-8", "replace")
    return data is not None and found.removesuffix("\n") == text.removesuffix("\n"), f"{path}: {found!r}"


@judge()
def check_same_content(evidence: DeviceEvidence, path: str, other: str) -> tuple[bool, str]:
    """Two files have the same content."""
    data = evidence.read_file(path)
    return data is not None and data == evidence.read_file(other), f"{path} and {other}"


@judge()
def check_downloaded(evidence: DeviceEvidence, url: str, path: str) -> tuple[bool, str]:
    """A file has the content that a web address gives to the device at the time of judging."""
    data = evidence.read_file(path)
    return data is not None and data == evidence.download(url), f"{path} from {url}"


@judge()
def check_image_size(evidence: DeviceEvidence, path: str, width: int, height: int) -> tuple[bool, str]:
    """A file is a picture of this width and height in pixels."""
    size = picture_size_of(evidence.read_file(path) or b"")
    return size == (width, height), f"{path}: {'no picture' if size is None else f'{size[0]} x {size[1]}'}"


@judge()
def check_picture_in(evidence: DeviceEvidence, part: str, whole: str) -> tuple[bool, str]:
    """A picture or document shows a picture, by keypoints (SIFT, ratio test, at least 10 inliers of a homography)."""
    drawn = evidence.as_picture(whole)
    if drawn is None:
        return False, f"{whole} cannot be drawn"
    place = find_picture(evidence.read_file(part) or b"", drawn)
    return place is not None, f"{part} is at {place}" if place else f"{part} is not in {whole}"


@judge()
def check_picture_on_screen(evidence: DeviceEvidence, part: str) -> tuple[bool, str]:
    """The screen shows the picture of a file, by keypoints."""
    shot = evidence.screenshot()
    place = None if shot is None else find_picture(evidence.read_file(part) or b"", shot.png())
    return place is not None, f"{part} is at {place}" if place else f"{part} is not on the screen"


@judge()
def check_pictures_beside(
    evidence: DeviceEvidence, first: str, second: str, path: str, side: Literal["left", "right", "above", "below"]
) -> tuple[bool, str]:
    """A picture or document shows two pictures, the first on a side of the second."""
    whole = evidence.as_picture(path)
    if whole is None:
        return False, f"{path} cannot be drawn"
    places = [find_picture(evidence.read_file(one) or b"", whole) for one in (first, second)]
    if places[0] is None or places[1] is None:
        return False, f"{first if places[0] is None else second} is not in it"
    (x, y), (others_x, others_y) = places[0], places[1]
    holds = {"left": x < others_x, "right": x > others_x, "above": y < others_y, "below": y > others_y}[side]
    return holds, f"centres at {x:.0f}, {y:.0f} and {others_x:.0f}, {others_y:.0f}"


@judge()
def check_document_text(evidence: DeviceEvidence, path: str, text: str, exact: bool = False) -> tuple[bool, str]:
    """A paragraph of a text document (.odt, .docx) has this text."""
    found = document_paragraphs(evidence.read_file(path) or b"")
    if found is None:
        return False, f"{path} is no text document"
    return any(matches(text, one, exact) for one in found), f"{path}: {found!r}"


@judge()
def check_table_cell(evidence: DeviceEvidence, path: str, cell: str, text: str) -> tuple[bool, str]:
    """A cell of a spreadsheet's first sheet (.ods, .xlsx), such as "B3", shows exactly this, up to case and blanks."""
    found = cell_text(evidence.read_file(path) or b"", cell)
    return found is not None and matches(text, found, exact=True), f"{cell} of {path}: {found!r}"


@judge()
def check_slide(
    evidence: DeviceEvidence, path: str, number: int, text: str = "", pictures: int = 0
) -> tuple[bool, str]:
    """A slide of a presentation (.odp, .pptx), counted from 1, has this text and at least so many pictures."""
    slides = slides_of(evidence.read_file(path) or b"")
    if slides is None or not 1 <= number <= len(slides):
        return False, f"{PurePosixPath(path).name} has {'no' if slides is None else len(slides)} slides"
    slide = slides[number - 1]
    holds = (not text or any(matches(text, one) for one in slide.texts)) and slide.pictures >= pictures
    return holds, f"slide {number}: {list(slide.texts)!r}, {slide.pictures} pictures"
