"""What an element is called, by the text in and around it: templates with places for lines.

A template such as `{0}, done` or `Close {bar}` says how a name is made of what is read; one without places is a name
that is not written, such as that of a button with an icon alone.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import pairwise

from omnipilot.grounders.mini.eyes.kinds import role_of
from omnipilot.memory.perception.ocr import in_order

Box = Sequence[float]
TextLine = tuple[str, Box]
"""A line that was read, and where."""
MOST_LINES = 6
UNTOLD = "?"
"""The template of what no template makes."""
_SLOTS = re.compile(r"\{(\w+)\}")


class LineSlots:
    """What templates may take from a screen, for its elements in order.

    Args:
        lines: in reading order.
        kinds, boxes: of all elements of the screen.
    """

    def __init__(self, lines: Sequence[TextLine], kinds: Sequence[str], boxes: Sequence[Box]) -> None:
        self.lines = [(" ".join(text.split()), box) for text, box in lines if text.strip()]
        self.roles = [role_of(kind) for kind in kinds]
        self.boxes = boxes
        bars = [box for role, box in zip(self.roles, boxes, strict=True) if role == "titlebar"]
        self._bar = " ".join(self._inside(bars[-1])) if bars else ""
        self._headers = [box for role, box in zip(self.roles, boxes, strict=True) if role == "columnheader"]
        self._items = [
            box for role, box in zip(self.roles, boxes, strict=True) if role in ("listitem", "row", "article")
        ]
        self._cells = [box for role, box in zip(self.roles, boxes, strict=True) if role == "cell"]

    def of(self, number: int) -> dict[str, str]:
        """What a template of an element may take, by the names of its places."""
        box, role = self.boxes[number], self.roles[number]
        inside = self._inside(box)
        found = {str(at): text for at, text in enumerate(inside[:MOST_LINES])}
        found |= _heads(found)
        if inside:
            found["all"] = " ".join(inside)
            found["rest"] = " ".join(inside[1:])
            found["dots"] = " · ".join(inside[1:])
            if role in ("text", "article", "textbox", "log"):
                found["block"] = self._block(box)
        if self._bar:
            found["bar"] = self._bar
            found["app"] = self._bar.rsplit(" - ", 1)[-1]
            found["file"] = self._bar.split(" - ", 1)[0]
        if role == "cell":
            found["cell"] = self._cell(box)
        if role == "treeitem":
            found["path"] = "/".join(self._path(number))
        if role in (
            "checkbox",
            "switch",
            "slider",
            "button",
            "textbox",
            "combobox",
            "spinbutton",
            "radio",
            "image",
            "text",
        ):
            found |= {name: text for name, text in self._around(box) if text}
            item = min((one for one in self._items if _holds(one, box)), key=_area, default=None)
            if item is not None and item != box:
                rows = {f"item{at}": text for at, text in enumerate(self._inside(item)[:3])}
                found |= rows | _heads(rows)
        return found

    def _inside(self, box: Box) -> list[str]:
        return [text for text, _ in self._lines_in(box)]

    def _lines_in(self, box: Box) -> list[TextLine]:
        """The lines in a box, row by row."""
        found = {
            (round(line[0]), round(line[1]), round(line[2]), round(line[3])): (text, line)
            for text, line in self.lines
            if _holds(box, line)
        }
        return [found[rect] for rect in in_order(found)]

    def _around(self, box: Box) -> list[tuple[str, str]]:
        """The nearest lines in each direction."""
        nearest: dict[str, tuple[float, str]] = {}
        middle = (box[1] + box[3]) / 2
        for text, line in self.lines:
            if _holds(box, line):
                continue
            level = (line[1] + line[3]) / 2
            options = []
            if abs(level - middle) <= max(10, (box[3] - box[1]) / 2):
                options += [("left", box[0] - line[2]), ("right", line[0] - box[2])]
            if line[0] < box[2] and line[2] > box[0]:
                options += [("above", box[1] - line[3]), ("below", line[1] - box[3])]
            for name, far in options:
                if -8 <= far < nearest.get(name, (2000.0, ""))[0]:
                    nearest[name] = far, text
        return [(name, text) for name, (_, text) in nearest.items()]

    def _block(self, box: Box) -> str:
        """Lines as paragraphs: a line that its next word would have fitted ends one."""
        lines = self._lines_in(box)
        rows: list[tuple[str, Box]] = []
        for text, line in lines:
            if rows and abs(rows[-1][1][1] + rows[-1][1][3] - line[1] - line[3]) <= 10:
                before = rows[-1][1]
                rows[-1] = f"{rows[-1][0]} {text}", (before[0], before[1], line[2], before[3])
            else:
                rows.append((text, line))
        if not rows:
            return ""
        steps = [(two[1][1] + two[1][3] - one[1][1] - one[1][3]) / 2 for one, two in pairwise(rows)]
        step = min(steps, default=20.0)
        found = rows[0][0]
        for (earlier, line), (text, _), far in zip(rows, rows[1:], steps, strict=False):
            if far > 1.6 * step:
                found += "\n" * round(far / step) + text
                continue
            letter = (line[2] - line[0]) / max(1, len(earlier))
            fits = line[2] + letter * (1 + len(text.split()[0])) < box[2] - 2
            found += ("\n" if fits else " ") + text
        return found

    def _cell(self, box: Box) -> str:
        """The name of a cell: the letter above its column, and the number before its row."""
        middle = (box[0] + box[2]) / 2
        letters = [text for header in self._headers if header[0] < middle < header[2] for text in self._inside(header)]
        row = [cell for cell in self._cells if abs(cell[1] + cell[3] - box[1] - box[3]) <= 12]
        first = min(row, key=lambda cell: cell[0], default=box)
        level = (box[1] + box[3]) / 2
        before = [
            (first[0] - line[2], text)
            for text, line in self.lines
            if text.isdigit() and line[2] <= first[0] + 4 and line[1] - 4 <= level <= line[3] + 4
        ]
        return f"{letters[0] if letters else ''}{min(before)[1] if before else ''}"

    def _path(self, number: int) -> list[str]:
        """The names of the tree items that an item belongs to, by how far they are indented, and its own."""
        own = [(line[0], text) for text, line in self.lines if _holds(self.boxes[number], line)]
        if not own:
            return []
        items = sorted(
            (self.boxes[at][1], line[0], text)
            for at, role in enumerate(self.roles)
            if role == "treeitem"
            for text, line in self.lines
            if _holds(self.boxes[at], line)
        )
        path = [own[0][1]]
        left = own[0][0]
        tops = [one for one in items if one[0] < self.boxes[number][1] - 2]
        for _, indent, text in reversed(tops):
            if indent < left - 6:
                path.insert(0, text)
                left = indent
        return path[1:] if len(path) > 1 else path


def _heads(lines: Mapping[str, str]) -> dict[str, str]:
    """What stands before the last comma of each line that has one, such as the label in "Yoga, every day"."""
    return {f"{name}_head": text.rpartition(", ")[0] for name, text in lines.items() if ", " in text}


def fill_template(template: str, slots: Mapping[str, str]) -> str:
    """A name that a template makes; a place for which there is nothing stays empty."""
    if template == UNTOLD:
        return slots.get("0", "")
    return _SLOTS.sub(lambda match: slots.get(match[1], ""), template).strip()


def possible_templates(text: str, slots: Mapping[str, str]) -> list[str]:
    """The templates that make a text, the most general first."""
    told = " ".join(text.split())
    if not told:
        return [""]
    found = [f"{{{name}}}" for name, slot in slots.items() if slot and slot in (text, told)]
    if "{" in told:
        return found
    parts = {name: slot for name, slot in slots.items() if len(slot) >= 2 and slot != told and _once(told, slot)}
    for name, slot in parts.items():
        one = told.replace(slot, f"{{{name}}}")
        found.append(one)
        found += [
            one.replace(more, f"{{{other}}}")
            for other, more in parts.items()
            if more != slot and _once(one, more) and more not in slots
        ]
    return [*found, told]


def _once(text: str, part: str) -> bool:
    """Whether a part occurs once in a text, and not within a word."""
    return text.count(part) == 1 and re.search(rf"(?<!\w){re.escape(part)}(?!\w)", text) is not None


def _area(box: Box) -> float:
    return (box[2] - box[0]) * (box[3] - box[1])


def _holds(box: Box, line: Box) -> bool:
    middle, level = (line[0] + line[2]) / 2, (line[1] + line[3]) / 2
    return box[0] <= middle <= box[2] and box[1] <= level <= box[3]
