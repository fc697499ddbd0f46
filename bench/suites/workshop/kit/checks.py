"""The judges of `workshop`: each examines one thing that must be true, and its name says which."""

from __future__ import annotations

import gzip
import io
import re
import zlib
from collections.abc import Sequence
from itertools import zip_longest
from typing import Any

from omnipilot.bench.tasks.judges import Case, Judge, Verdict
from omnipilot.envs import Capability, EnvLost, Image
from omnipilot.envs.desktop.state import DesktopState, cell_position

MOST_XML = 16 * 1024 * 1024
"""Bytes of a spreadsheet that are read, uncompressed."""


def text_is(path: str, text: str) -> Judge:
    """A file holds exactly this text; a newline at its end makes no difference."""

    def ask(case: Case) -> Verdict:
        found = _desktop(case).text(path)
        return Verdict(float(found is not None and found.rstrip("\n") == text.rstrip("\n")), f"{path}: {found!r:.200}")

    return Judge(f"{path} says what it should", ask, env="desktop")


def file_is(path: str, data: bytes) -> Judge:
    """A file is there with exactly this content."""
    return Judge(f"{path} is there", lambda case: _desktop(case).files.get(path) == data, env="desktop")


def file_gone(path: str) -> Judge:
    """A file that was there at the start is there no more."""
    return Judge(f"{path} is gone", lambda case: path not in _desktop(case).files, env="desktop")


def files_unchanged(*paths: str) -> Judge:
    """Files are at the end as they were at the start."""

    def ask(case: Case) -> Verdict:
        now, start = _desktop(case), case.start.desktop
        changed = [path for path in paths if now.files.get(path) != start.files.get(path)]
        return Verdict(float(not changed), f"changed: {', '.join(changed)}" if changed else "")

    return Judge(f"{', '.join(paths)} unchanged", ask, "end", "desktop")


def picture_turned(path: str, data: bytes) -> Judge:
    """A picture file shows what `data` shows, turned clockwise by 90 degrees, and nothing else."""

    def ask(case: Case) -> Verdict:
        import numpy as np

        found = _pixels(_desktop(case).files.get(path, b""))
        wanted = np.rot90(_pixels(data), -1)
        return Verdict(float(np.array_equal(found, wanted)), f"{path}: {found.shape[1]} by {found.shape[0]} pixels")

    return Judge(f"{path} is turned clockwise", ask, env="desktop")


def _pixels(data: bytes) -> Any:
    """Height, width and RGB of a picture file; one without pixels for what is none."""
    import numpy as np

    try:
        return Image.encoded(data).array()
    except EnvLost:
        return np.empty((0, 0, 3), np.uint8)


def cell_shows(path: str, cell: str, value: str) -> Judge:
    """A cell of a spreadsheet file shows this value, once its formulas are computed."""

    def ask(case: Case) -> Verdict:
        found = _desktop(case).cell(path, cell)
        return Verdict(float(found == value), f"{cell}: {found!r}")

    return Judge(f"{cell} of {path} shows {value}", ask, env="desktop")


def sheet_is(path: str, rows: Sequence[Sequence[object]], formula: str = "") -> Judge:
    """A spreadsheet shows these rows and nothing else.

    Args:
        formula: a cell of a file of gnumeric that still computes what it shows.
    """
    wanted = _without_empty(rows)

    def ask(case: Case) -> Verdict:
        sheet = _desktop(case).sheets.get(path)
        if sheet is None:
            return Verdict(0.0, f"{path} is no spreadsheet")
        found = _without_empty(sheet)
        wrong = [f"row {at + 1}" for at, (a, b) in enumerate(zip_longest(found, wanted)) if a != b]
        if not wrong and formula and not _computes(_desktop(case).files[path], formula):
            wrong = [f"{formula} is no formula"]
        return Verdict(float(not wrong), f"{path} differs: {', '.join(wrong)}" if wrong else "")

    return Judge(f"{path} shows all it should", ask, env="desktop")


def _without_empty(rows: Sequence[Sequence[object]]) -> list[list[str]]:
    """Rows of text without empty cells and rows at their ends."""
    found = [[str(value) for value in row] for row in rows]
    for row in found:
        while row and not row[-1]:
            row.pop()
    while found and not found[-1]:
        found.pop()
    return found


def _computes(data: bytes, cell: str) -> bool:
    """Whether a cell of a file of gnumeric holds a formula."""
    row, column = cell_position(cell)
    try:
        book = gzip.GzipFile(fileobj=io.BytesIO(data)).read(MOST_XML)
    except (OSError, EOFError, zlib.error):
        return False
    place = rf'<gnm:Cell(?=[^<>]*\bRow="{row}")(?=[^<>]*\bCol="{column}")[^<>]*>='.encode()
    return re.search(place, book) is not None


def file_played(name: str, seconds: float) -> Judge:
    """A player has played a file beyond so many seconds."""

    def ask(case: Case) -> Verdict:
        at = max((one.position for one in _desktop(case).players if one.url.endswith(name)), default=0.0)
        return Verdict(min(1.0, at / seconds) if at < seconds else 1.0, f"{name} at {at:.1f} s")

    return Judge(f"{name} was played", ask, env="desktop")


def paused_between(name: str, first: float, last: float) -> Judge:
    """A player holds a file between two positions, in seconds; asked at the end, so that passing by does not count."""

    def ask(case: Case) -> Verdict:
        for one in _desktop(case).players:
            if one.url.endswith(name):
                fits = one.status == "Paused" and first <= one.position <= last
                return Verdict(float(fits), f"{one.status} at {one.position:.1f} s")
        return Verdict(0.0, f"no player has {name}")

    return Judge(f"{name} is paused between {first:g} and {last:g} s", ask, "end", "desktop")


def shows(program: str, text: str) -> Judge:
    """A window of a program shows this text, by the name or value of an element that lies within the window."""

    def ask(case: Case) -> Verdict:
        here = case.world.envs["desktop"]
        windows = [one for one in _desktop(case).windows if one.program.casefold() == program]
        if not windows or Capability.UI_TREE not in here.capabilities:
            return Verdict(0.0, f"{program} is not open")
        texts = set()
        for element in here.ui_tree():
            left, top, right, bottom = element.box.to_pixels(here.size)
            if any(
                window.place[0] <= left
                and window.place[1] <= top
                and right <= window.place[2]
                and bottom <= window.place[3]
                for window in windows
            ):
                texts |= {element.name.strip(), element.value.strip()}
        return Verdict(float(text in texts), f"{program} does not show {text}")

    return Judge(f"{program} shows {text}", ask, env="desktop")


def title_in_front(part: str) -> Judge:
    """The title of the window in front contains this."""

    def ask(case: Case) -> Verdict:
        front = _desktop(case).front
        return Verdict(float(front is not None and part in front.title), f"in front: {front.title if front else ''!r}")

    return Judge(f"{part} is in front", ask, env="desktop")


def in_front(program: str) -> Judge:
    """A window of a program is in front."""

    def ask(case: Case) -> Verdict:
        front = _desktop(case).front
        shown = front.program if front else ""
        return Verdict(float(shown.casefold() == program.casefold()), f"in front: {shown!r}")

    return Judge(f"{program} is in front", ask, env="desktop")


def file_changed(path: str) -> Judge:
    """A file has something in it, and not what it had at the start."""

    def ask(case: Case) -> Verdict:
        now = _desktop(case).files.get(path)
        return Verdict(float(bool(now) and now != case.start.desktop.files.get(path)), f"{path} is as at the start")

    return Judge(f"{path} is written", ask, env="desktop")


def form_sent(path: str, **fields: str) -> Judge:
    """A form was sent to the site with these values; the first that was sent counts."""

    def ask(case: Case) -> Verdict:
        forms = [form for form in case.state.site if form.path == path]
        fits = bool(forms) and all(forms[0].fields.get(name, "").strip() == value for name, value in fields.items())
        return Verdict(float(fits), f"sent: {dict(forms[0].fields) if forms else 'nothing'}")

    return Judge(f"{path} was sent as it should", ask, env="browser")


def says_numbers(*numbers: int) -> Judge:
    """The agent answered with exactly these numbers, in their order; its first answer counts."""
    wanted = [str(number) for number in numbers]

    def ask(case: Case) -> Verdict:
        said = re.findall(r"\d+", case.answers[0]) if case.answers else []
        return Verdict(float(said == wanted), f"answered: {case.answers[:1]}")

    return Judge(f"answered {' '.join(wanted)}", ask)


def page_listened() -> Judge:
    """The page's message was played to its end, as the page tells its site."""
    return Judge(
        "the message was played", lambda case: any(form.path == "listened" for form in case.state.site), env="browser"
    )


def says_names(*names: str, among: Sequence[str]) -> Judge:
    """Of the names `among`, the agent answered with exactly these, in their order; its first answer counts."""

    def ask(case: Case) -> Verdict:
        said = case.answers[0].casefold() if case.answers else ""
        places = sorted((said.find(name.casefold()), name) for name in among)
        found = tuple(name for at, name in places if at >= 0)
        return Verdict(float(found == names), f"answered: {case.answers[:1]}")

    return Judge(f"answered {', '.join(names)}", ask)


def _desktop(case: Case) -> DesktopState:
    found: DesktopState = case.state.desktop
    return found


def note_is(title: str, text: str) -> Judge:
    """The phone has a note of this title with exactly this text."""

    def ask(case: Case) -> Verdict:
        notes = case.state.phone.account.notes
        found = [note.text.strip() for note in notes if note.name.strip() == title]
        return Verdict(float(text in found), f"{title}: {found!r:.200}")

    return Judge(f"the note {title} says what it should", ask, env="phone")
