"""In which form an agent is given its instruction: written, spoken, or both, and how loud."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal, TypeAlias, cast, get_args

from omnipilot.envs import ConfigError

Given: TypeAlias = Literal["text", "speech", "both"]
LEVELS = (20, 10, 0)
"""Decibels of speech over the application's sound in an ablation."""
LOUDEST = 60.0


@dataclass(frozen=True, slots=True)
class InstructionForm:
    """The form of an instruction.

    Attributes:
        given: as text, as speech, or as both.
        level: decibels of speech over the application's sound, where the two are mixed; None for speech beside it.
    """

    given: Given
    level: float | None = None

    @classmethod
    def parse(cls, text: str) -> InstructionForm:
        """From "text", "speech", "both", "speech:10" or "both:0"; "" is "text".

        Raises:
            ConfigError: anything else.
        """
        given, colon, level = (text or "text").partition(":")
        if given not in get_args(Given) or (colon and given == "text"):
            raise ConfigError(
                f"instruction is text, speech or both, with the decibels of speech over the application's sound after "
                f"a colon where they are mixed, such as speech:10, not {text!r}"
            )
        if not colon:
            return cls(cast(Given, given))
        try:
            decibels = float(level)
        except ValueError:
            decibels = math.nan
        if not abs(decibels) <= LOUDEST:
            raise ConfigError(
                f"the level after {given!r} is a number of decibels from -{LOUDEST:g} to {LOUDEST:g}, such as "
                f"{given}:10, not {level!r}"
            )
        return cls(cast(Given, given), decibels)

    @property
    def spoken(self) -> bool:
        """Whether it is spoken."""
        return self.given != "text"

    @property
    def written(self) -> bool:
        """Whether it is given as text."""
        return self.given != "speech"
