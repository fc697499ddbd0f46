"""The form of the small eyes' networks: layers and their sizes, and what they tell of an element."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

STATES = ("checked", "disabled", "expanded", "focused", "selected")
"""States that are seen."""
GROUPS = 2
"""Kinds of elements that are looked for apart: those that only show something, and those that have an id."""
CELL = 8
"""Side in pixels of the places at which elements are looked for."""
ANCHOR = 16
"""An element is found at the middle of its height, so many pixels from its left edge, or in the middle if that is
nearer."""
STEM, NEAR, MIDDLE, FAR = 24, 48, 80, 96
"""Channels at a 4th, 8th, 16th and 32nd of the picture's size."""
SEEN_WIDTH = 160
"""Numbers in what is known of one element."""
DILATIONS = (1, 2, 4, 8)
READER = (24, 32, 32, 96)
"""Channels of the reader of lines."""
PAIR_WIDTH, KIND_WIDTH, PAIR_FEATURES = 64, 16, 18
"""Of the network that tells which of two elements comes first: its width, numbers about a kind, and about two boxes."""


@dataclass(frozen=True, slots=True)
class LayerForm:
    """A layer: its weight has the shape (out, kernel * kernel * inputs), its bias (out,)."""

    name: str
    inputs: int
    out: int
    kernel: int = 1


@dataclass(frozen=True, slots=True)
class EyesForm:
    """What the networks tell apart.

    Attributes:
        kinds: of elements, each a role and a family of ids, see `kinds.kind_of`.
        names, values: templates of names and values, see `templates`.
        letters: that are read; number 0 stands for none.
    """

    kinds: tuple[str, ...]
    names: tuple[str, ...]
    values: tuple[str, ...]
    letters: tuple[str, ...]

    def layers(self) -> Iterator[LayerForm]:
        """All layers."""
        yield LayerForm("stem", 48, STEM)
        yield LayerForm("down8", STEM, NEAR, 3)
        yield LayerForm("near", NEAR, NEAR, 3)
        yield LayerForm("down16", NEAR, MIDDLE, 3)
        yield LayerForm("middle", MIDDLE, MIDDLE, 3)
        yield LayerForm("down32", MIDDLE, FAR, 3)
        yield LayerForm("place", 2, FAR)
        for number in range(len(DILATIONS)):
            yield LayerForm(f"far{number}", FAR, FAR, 3)
        yield LayerForm("whole", FAR, FAR)
        yield LayerForm("up16", FAR, MIDDLE)
        yield LayerForm("middle_up", MIDDLE, MIDDLE, 3)
        yield LayerForm("up8", MIDDLE, NEAR)
        yield LayerForm("near_up", NEAR, NEAR, 3)
        yield LayerForm("found", NEAR, GROUPS)
        yield LayerForm("seen", 9 * NEAR + GROUPS, SEEN_WIDTH)
        yield LayerForm("box", SEEN_WIDTH, 4)
        yield LayerForm("kind", SEEN_WIDTH, len(self.kinds))
        yield LayerForm("state", SEEN_WIDTH, len(STATES))
        yield LayerForm("name", SEEN_WIDTH, len(self.names))
        yield LayerForm("value", SEEN_WIDTH, len(self.values))
        first, second, third, last = READER
        yield LayerForm("letters1", 2, first, 3)
        yield LayerForm("letters2", first, second, 3)
        yield LayerForm("letters3", second, third, 3)
        yield LayerForm("letters4", 5 * 4 * third, last)
        yield LayerForm("letters5", 3 * last, last)
        yield LayerForm("letter", last, len(self.letters))
        yield LayerForm("kind_code", len(self.kinds), KIND_WIDTH)
        yield LayerForm("pair", PAIR_FEATURES + 2 * KIND_WIDTH, PAIR_WIDTH)
        yield LayerForm("pair_more", PAIR_WIDTH, PAIR_WIDTH)
        yield LayerForm("before", PAIR_WIDTH, 1)

    def shapes(self) -> dict[str, tuple[int, ...]]:
        """The arrays of the networks, by name."""
        found: dict[str, tuple[int, ...]] = {}
        for layer in self.layers():
            found[f"{layer.name}.weight"] = (layer.out, layer.kernel**2 * layer.inputs)
            found[f"{layer.name}.bias"] = (layer.out,)
        return found
