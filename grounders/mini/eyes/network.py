"""The small eyes' networks in numpy: one finds elements, one reads lines of text, one puts elements in order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from omnipilot.grounders.mini.eyes.form import ANCHOR, CELL, DILATIONS, GROUPS, STATES, EyesForm
from omnipilot.grounders.mini.eyes.layers import Array, blocks, convolve, double, relu

SURE = 0.5
"""Least probability of an element that is told."""
MOST = 500
"""Elements of a screen that are told, the surest; each is compared with all others."""
UNIT = 8.0
"""Pixels up to which distances are told in equal steps; farther ones more coarsely."""
SPACE = 12
"""Columns between two lines that are read together."""


@dataclass(frozen=True, slots=True)
class SeenElement:
    """An element as the network sees it.

    Attributes:
        kind, name, value: numbers in the tables of the form.
        box: left, top, right, bottom in pixels.
    """

    kind: int
    name: int
    value: int
    states: frozenset[str]
    box: tuple[float, float, float, float]
    sure: float


class EyesNetwork:
    """The networks with their weights.

    Args:
        weights: by the names of `EyesForm.shapes`, in float32.
    """

    def __init__(self, form: EyesForm, weights: Mapping[str, Array]) -> None:
        self.form = form
        self._layers = {
            layer.name: (weights[f"{layer.name}.weight"], weights[f"{layer.name}.bias"], layer.kernel)
            for layer in form.layers()
        }

    def find(self, pixels: NDArray[np.uint8]) -> list[SeenElement]:
        """The elements of a screen.

        Args:
            pixels: (height, width, 3), uint8.
        """
        chances, near = self.chances(pixels)
        rows, columns, groups = np.nonzero(_peaks(chances) & (chances > SURE))
        if not len(rows):
            return []
        surest = np.sort(np.argsort(-chances[rows, columns, groups], kind="stable")[:MOST])
        rows, columns, groups = rows[surest], columns[surest], groups[surest]
        told = self.tell(near, rows, columns, groups)
        states = told["state"] > 0
        kinds, names, values = (told[head].argmax(axis=1) for head in ("kind", "name", "value"))
        edges = UNIT * np.sinh(np.clip(told["box"], 0, 6))
        x, y = CELL * (columns + 0.5), CELL * (rows + 0.5)
        height, width = pixels.shape[:2]
        boxes = np.stack([x - edges[:, 0], y - edges[:, 1], x + edges[:, 2], y + edges[:, 3]], axis=1)
        boxes = np.clip(boxes, 0, [width, height, width, height])
        return [
            SeenElement(
                int(kinds[n]),
                int(names[n]),
                int(values[n]),
                frozenset(state for state, there in zip(STATES, states[n], strict=True) if there),
                (float(boxes[n, 0]), float(boxes[n, 1]), float(boxes[n, 2]), float(boxes[n, 3])),
                float(chances[rows[n], columns[n], groups[n]]),
            )
            for n in range(len(rows))
            if boxes[n, 2] - boxes[n, 0] >= 1 and boxes[n, 3] - boxes[n, 1] >= 1
        ]

    def chances(self, pixels: NDArray[np.uint8]) -> tuple[Array, Array]:
        """How likely an element is at each place, (rows, columns, groups), and what is known of each place."""
        shown = pixels.astype(np.float32) / 127.5 - 1
        stem = relu(self._apply("stem", blocks(shown, 4, 4)))
        near = relu(self._apply("down8", stem, 2))
        near = near + relu(self._apply("near", near))
        middle = relu(self._apply("down16", near, 2))
        middle = middle + relu(self._apply("middle", middle))
        far = self._apply("down32", middle, 2) + self._apply("place", places(*middle.shape[:2]))
        far = relu(far)
        for number, dilation in enumerate(DILATIONS):
            far = far + relu(self._apply(f"far{number}", far, dilation=dilation))
        far = far + self._apply("whole", far.mean(axis=(0, 1), keepdims=True))
        middle = middle + double(self._apply("up16", far), *middle.shape[:2])
        middle = middle + relu(self._apply("middle_up", middle))
        near = near + double(self._apply("up8", middle), *near.shape[:2])
        near = near + relu(self._apply("near_up", near))
        found: Array = (1 / (1 + np.exp(-self._apply("found", near)))).astype(np.float32)
        return found, near

    def tell(
        self, near: Array, rows: NDArray[np.int_], columns: NDArray[np.int_], groups: NDArray[np.int_]
    ) -> dict[str, Array]:
        """What is told of the elements at some places, by head: scores of shape (number, classes)."""
        padded = np.pad(near, ((1, 1), (1, 1), (0, 0)))
        around = [padded[rows + down, columns + across] for down in range(3) for across in range(3)]
        group = np.eye(GROUPS, dtype=np.float32)[groups]
        known = relu(self._linear("seen", np.concatenate([*around, group], axis=1)))
        return {head: self._linear(head, known) for head in ("box", "kind", "state", "name", "value")}

    def read(self, inks: Sequence[Array]) -> list[str]:
        """The text of lines, "" where there is none.

        Args:
            inks: of each line, see `lines.ink_of`.
        """
        if not inks:
            return []
        strip, starts = join_inks(inks)
        best = self.letter_scores(strip).argmax(axis=1)
        return [self._spell(best[start : start + ink.shape[1]]) for start, ink in zip(starts, inks, strict=True)]

    def letter_scores(self, strip: Array) -> Array:
        """Scores of each letter at each column, (columns, letters); of ink of shape (32, columns)."""
        x = relu(self._apply("letters1", blocks(strip[:, :, None], 2, 1)))
        x = relu(convolve(x, *self._layers["letters2"], stride=(2, 1)))
        x = relu(convolve(x, *self._layers["letters3"], stride=(2, 1)))
        columns = x.transpose(1, 0, 2).reshape(x.shape[1], -1)
        x = relu(self._linear("letters4", _beside(columns, 2)))
        x = x + relu(self._linear("letters5", _beside(x, 1)))
        return self._linear("letter", x)

    def _spell(self, best: NDArray[np.int_]) -> str:
        """The letters of a line: one for each run of columns with the same letter."""
        changes = np.flatnonzero(np.diff(best, prepend=0))
        return "".join(self.form.letters[best[at]] for at in changes if best[at])

    def order(self, elements: Sequence[SeenElement]) -> list[SeenElement]:
        """The elements in the order in which a tree would list them: that which comes before most others first."""
        if len(elements) < 2:
            return list(elements)
        boxes = np.array([one.box for one in elements], np.float32)
        kinds = np.array([one.kind for one in elements])
        weight, bias, _ = self._layers["kind_code"]
        codes = weight.T[kinds] + bias
        count = len(elements)
        first, second = (part.ravel() for part in np.mgrid[:count, :count])
        told = np.concatenate([pair_features(boxes[first], boxes[second]), codes[first], codes[second]], axis=1)
        x = relu(self._linear("pair", told))
        x = relu(self._linear("pair_more", x))
        scores = self._linear("before", x).reshape(count, count)
        wins = (1 / (1 + np.exp(scores.T - scores))).sum(axis=1)
        return [elements[at] for at in np.argsort(-wins, kind="stable")]

    def _apply(self, name: str, x: Array, stride: int = 1, dilation: int = 1) -> Array:
        weight, bias, kernel = self._layers[name]
        return convolve(x, weight, bias, kernel, (stride, stride), dilation)

    def _linear(self, name: str, x: Array) -> Array:
        weight, bias, _ = self._layers[name]
        return np.asarray(x @ weight.T + bias, np.float32)


def places(rows: int, columns: int) -> Array:
    """Where each place at half the size is, from 0 at the top left to 1: (rows / 2, columns / 2, 2), rounded up."""
    down, across = np.mgrid[: -(-rows // 2), : -(-columns // 2)].astype(np.float32)
    return np.stack([down / 25, across / 40], axis=2)


def pair_features(one: Array, other: Array) -> Array:
    """How two boxes stand to each other, (number, PAIR_FEATURES); boxes are left, top, right, bottom in pixels."""
    apart = other - one
    middle = (other[:, :2] + other[:, 2:] - one[:, :2] - one[:, 2:]) / 2
    both = np.concatenate([apart, middle], axis=1)
    beyond = np.stack(
        [
            other[:, 0] - one[:, 2],
            other[:, 1] - one[:, 3],
            one[:, 0] - other[:, 2],
            one[:, 1] - other[:, 3],
            one[:, 3] - one[:, 1] - other[:, 3] + other[:, 1],
            one[:, 2] - one[:, 0] - other[:, 2] + other[:, 0],
        ],
        axis=1,
    )
    return np.concatenate([np.tanh(both / 12), np.tanh(both / 200), np.tanh(beyond / 30)], axis=1).astype(np.float32)


def join_inks(inks: Sequence[Array]) -> tuple[Array, list[int]]:
    """Lines side by side with space between, and the column at which each begins."""
    widths = [ink.shape[1] for ink in inks]
    starts = [SPACE + sum(widths[:at]) + SPACE * at for at in range(len(inks))]
    strip = np.zeros((inks[0].shape[0], starts[-1] + widths[-1] + SPACE), np.float32)
    for start, ink in zip(starts, inks, strict=True):
        strip[:, start : start + ink.shape[1]] = ink
    return strip, starts


def anchor_of(box: Sequence[float]) -> tuple[int, int]:
    """Row and column of the place at which an element is found."""
    left, top, right, bottom = box
    return int((top + bottom) / 2 // CELL), int((left + min((right - left) / 2, ANCHOR)) // CELL)


def _beside(columns: Array, reach: int) -> Array:
    """Each column with those beside it, (columns, (2 * reach + 1) * numbers)."""
    padded = np.pad(columns, ((reach, reach), (0, 0)))
    return np.concatenate([padded[at : at + len(columns)] for at in range(2 * reach + 1)], axis=1)


def _peaks(chances: Array) -> NDArray[np.bool_]:
    """Places that are at least as likely as the eight around them."""
    rows, columns, _ = chances.shape
    padded = np.pad(chances, ((1, 1), (1, 1), (0, 0)))
    around = [padded[down : down + rows, across : across + columns] for down in range(3) for across in range(3)]
    return np.asarray(chances >= np.max(around, axis=0))
