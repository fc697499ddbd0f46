"""A recipe of `duet`: the sub-tasks that make up a task."""

from __future__ import annotations

from dataclasses import dataclass

from omnipilot.bench.synthesis.template import Dimension


@dataclass(frozen=True, slots=True)
class Recipe:
    """A task without an instance.

    Attributes:
        intent: why the user wants it.
        steps: ids of templates, in the order in which they are read. Inputs join to the nearest that fits;
            "send-text text=1" takes the text from the first step, "send-text text=alone" from none.
        dimension: OmniGUI's, where it is not the rarest of the templates'.
    """

    id: str
    intent: str
    steps: tuple[str, ...]
    dimension: Dimension | None = None
