"""A row of `omnipilot doctor`."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked for on this machine.

    Attributes:
        name: of the thing. found: where it is, or that it is not. needed_for: what it is good for.
        cure: how to get it; "" if it is there.
        required: nothing works without it.
    """

    name: str
    found: str
    needed_for: str
    cure: str = ""
    required: bool = False

    @property
    def ok(self) -> bool:
        """Whether it is there."""
        return not self.cure
