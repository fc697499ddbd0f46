"""What the small eyes should see of a screen: places, kinds, templates, and the letters of lines."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from random import Random

import numpy as np
from numpy.typing import NDArray

from omnipilot.bench.training.eyes.screens import EyesScreen, WrittenLine
from omnipilot.envs.sim.render.text import Weight, letter_middles, line_height, measure, render
from omnipilot.grounders.mini.eyes.form import CELL, STATES, EyesForm
from omnipilot.grounders.mini.eyes.kinds import group_of, kind_of
from omnipilot.grounders.mini.eyes.lines import HALVED, WINDOW, Rect, find_lines, ink_of
from omnipilot.grounders.mini.eyes.network import anchor_of
from omnipilot.grounders.mini.eyes.templates import UNTOLD, LineSlots, TextLine, possible_templates

RARE = 4
"""Templates that make fewer names of elements than this are not learnt."""
MOST_TEMPLATES = 1200
WIDEST_BLANK = 40
"""Pixels of the widest icon."""
ASCII = [chr(code) for code in range(32, 127)]


@dataclass(frozen=True, slots=True)
class EyesTruth:
    """The elements of a screen, n in all, as the network should see them.

    Attributes:
        rows, columns, groups: where each is found. boxes: (n, 4). kinds: (n,). states: (n, STATES).
        names, values: numbers of templates, -1 where none makes the text.
    """

    rows: NDArray[np.int64]
    columns: NDArray[np.int64]
    groups: NDArray[np.int64]
    boxes: NDArray[np.float32]
    kinds: NDArray[np.int64]
    states: NDArray[np.float32]
    names: NDArray[np.int64]
    values: NDArray[np.int64]

    def within(self, part: Rect) -> EyesTruth:
        """The elements that are found in a part of the screen, which begins at a multiple of `CELL`."""
        left, top, right, bottom = part
        rows, columns = self.rows - top // CELL, self.columns - left // CELL
        inside = (rows >= 0) & (columns >= 0) & (rows < -(-(bottom - top) // CELL))
        inside &= columns < -(-(right - left) // CELL)
        moved = self.boxes - np.array([left, top, left, top], np.float32)
        return EyesTruth(
            rows[inside],
            columns[inside],
            self.groups[inside],
            moved[inside],
            self.kinds[inside],
            self.states[inside],
            self.names[inside],
            self.values[inside],
        )


def weight_of(line: WrittenLine) -> Weight:
    """The weight of a line's letters."""
    return "bold" if line.weight == "bold" else "regular"


def lines_as_read(lines: Iterable[WrittenLine]) -> list[TextLine]:
    """Lines as they are found: apart where there are two spaces or more."""
    found: list[TextLine] = []
    for line in lines:
        at = 0
        for part in line.text.split("  "):
            if part.strip():
                left = line.x + measure(line.text[:at], line.size, weight_of(line))
                wide = measure(part, line.size, weight_of(line))
                # Capitals, 0.71 of the size, stand in the middle of a line's box.
                middle, half = line.y + line_height(line.size) / 2, 0.36 * line.size
                found.append((part.strip(), (left, middle - half, left + wide, middle + half)))
            at += len(part) + 2
    return found


def slots_of(screen: EyesScreen) -> LineSlots:
    """What templates may take from a screen whose lines are read without a mistake."""
    kinds = [kind_of(one.role, one.id) for one in screen.elements]
    return LineSlots(lines_as_read(screen.lines), kinds, [one.box for one in screen.elements])


def learn_form(screens: Sequence[EyesScreen]) -> EyesForm:
    """The kinds, templates and letters that screens show."""
    kinds: Counter[str] = Counter()
    names: Counter[str] = Counter()
    values: Counter[str] = Counter()
    letters = set(ASCII)
    for screen in screens:
        slots = slots_of(screen)
        letters.update(letter for line in screen.lines for letter in line.text)
        for number, one in enumerate(screen.elements):
            kinds[kind_of(one.role, one.id)] += 1
            places = slots.of(number)
            names.update(set(possible_templates(one.name, places)))
            values.update(set(possible_templates(one.value, places)))
    return EyesForm(
        tuple(sorted(kinds)),
        _common(names),
        _common(values),
        ("", *sorted(letters)),
    )


def _common(counts: Counter[str]) -> tuple[str, ...]:
    found = [one for one, times in counts.most_common(MOST_TEMPLATES) if times >= RARE and len(one) <= 60]
    return (UNTOLD, *(one for one in found if one != UNTOLD))


def truth_of(screen: EyesScreen, index: dict[str, dict[str, int]]) -> EyesTruth:
    """What should be seen of a screen. `index`: numbers of kinds, names and values, see `index_of`."""
    slots = slots_of(screen)
    rows, columns, groups, boxes, kinds, states, names, values = [], [], [], [], [], [], [], []
    for number, one in enumerate(screen.elements):
        kind = kind_of(one.role, one.id)
        if kind not in index["kinds"] or one.box[2] - one.box[0] < 2 or one.box[3] - one.box[1] < 2:
            continue
        row, column = anchor_of(one.box)
        rows.append(row)
        columns.append(column)
        groups.append(group_of(kind))
        boxes.append(one.box)
        kinds.append(index["kinds"][kind])
        states.append([float(state in one.states) for state in STATES])
        places = slots.of(number)
        names.append(_number(possible_templates(one.name, places), index["names"]))
        values.append(_number(possible_templates(one.value, places), index["values"]))
    return EyesTruth(
        np.array(rows, np.int64),
        np.array(columns, np.int64),
        np.array(groups, np.int64),
        np.array(boxes, np.float32).reshape(-1, 4),
        np.array(kinds, np.int64),
        np.array(states, np.float32).reshape(-1, len(STATES)),
        np.array(names, np.int64),
        np.array(values, np.int64),
    )


def index_of(form: EyesForm) -> dict[str, dict[str, int]]:
    """The numbers of what a form tells apart, by name."""
    tables = {"kinds": form.kinds, "names": form.names, "values": form.values, "letters": form.letters}
    return {name: {one: number for number, one in enumerate(table)} for name, table in tables.items()}


def _number(options: Sequence[str], known: dict[str, int]) -> int:
    """The number of the most frequent of some templates, -1 for none."""
    return min((known[one] for one in options if one in known), default=-1)


def written_ink(
    bright: NDArray[np.float32], line: WrittenLine, known: dict[str, int]
) -> tuple[NDArray[np.float32], NDArray[np.int64]] | None:
    """The ink of a line on a screen, and the letter at each of its columns; None where there is no ink."""
    wide = measure(line.text, line.size, weight_of(line))
    rect = _ink_rect(bright, (line.x, line.y, line.x + wide, line.y + line_height(line.size)))
    if rect is None:
        return None
    ink, first, scale = ink_of(bright, rect)
    letters = np.zeros(ink.shape[1], np.int64)
    for letter, middle in letter_middles(line.text, line.size, weight_of(line)):
        at = int((line.x + middle - first) / scale)
        if 0 <= at < len(letters):
            letters[at] = known.get(letter, 0)
    return ink, letters


def blank_rects(bright: NDArray[np.float32], lines: Sequence[WrittenLine]) -> list[Rect]:
    """What may be a short line and is none, such as an icon: the small places that are searched and where nothing is
    written. What is wider may be a line that is cut off, and is left out."""
    known = [(box[0], (box[1] + box[3]) / 2, box[2]) for _, box in lines_as_read(lines)]
    return [
        rect
        for rect in find_lines(bright)
        if rect[2] - rect[0] <= WIDEST_BLANK
        and not any(
            left <= rect[2] and right >= rect[0] and abs(level - (rect[1] + rect[3]) / 2) < (rect[3] - rect[1]) / 2 + 8
            for left, level, right in known
        )
    ]


def drawn_ink(
    text: str, size: int, weight: Weight, known: dict[str, int]
) -> tuple[NDArray[np.float32], NDArray[np.int64]] | None:
    """The ink of a text that is drawn for this, and the letter at each of its columns; None if it is blank."""
    drawn = render(text, size, weight)
    rows, columns = drawn.mask.shape
    if not rows or not columns:
        return None
    scale = 2 if rows > HALVED else 1
    margin = 2 * scale
    window = np.zeros((WINDOW * scale, columns + 2 * margin), np.float32)
    top = (WINDOW * scale - rows) // 2
    window[top : top + rows, margin : margin + columns] = drawn.mask / max(1, drawn.mask.max())
    if scale == 2:
        window = window[:, : window.shape[1] // 2 * 2].reshape(WINDOW, 2, -1, 2).mean(axis=(1, 3))
    letters = np.zeros(window.shape[1], np.int64)
    for letter, middle in letter_middles(text, size, weight):
        at = int((middle - drawn.x + margin) / scale)
        if 0 <= at < len(letters):
            letters[at] = known.get(letter, 0)
    return window, letters


def random_text(random: Random, words: Sequence[str]) -> str:
    """A text to practise reading with: words, numbers, codes, and letters in any order."""
    choice = random.random()
    if choice < 0.35:
        return " ".join(random.choice(words) for _ in range(random.randint(1, 4)))
    if choice < 0.6:
        return "".join(random.choice("0123456789") for _ in range(random.randint(1, 9)))
    if choice < 0.7:
        return f"{random.randint(0, 23):02d}:{random.randint(0, 59):02d} {random.choice(words)}"
    if choice < 0.8:
        return f"{random.choice(words).lower()}.{random.choice(words).lower()}@{random.choice(words).lower()}.example"
    return "".join(random.choice(ASCII) for _ in range(random.randint(2, 14))).strip() or "a"


def _ink_rect(bright: NDArray[np.float32], box: Rect) -> Rect | None:
    """The rectangle of the ink in a box."""
    left, top, right, bottom = max(0, box[0]), max(0, box[1]), box[2], box[3]
    part = bright[top:bottom, left:right]
    if part.size == 0:
        return None
    values, counts = np.unique(np.round(part), return_counts=True)
    ink = np.abs(part - values[counts.argmax()]) > 16
    rows, columns = np.flatnonzero(ink.any(axis=1)), np.flatnonzero(ink.any(axis=0))
    if not len(rows):
        return None
    return (
        int(left + columns[0] - 1),
        int(top + rows[0]),
        int(left + columns[-1] + 1),
        int(top + rows[-1] + 1),
    )
