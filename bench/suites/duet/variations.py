"""How tasks of the embedded world can be varied: other looks, other names, other words; judges and solutions stay."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal

from omnipilot.bench.synthesis.rewording import reword
from omnipilot.bench.synthesis.template import Template
from omnipilot.envs import ConfigError
from omnipilot.envs.sim.content.generate import initial_world
from omnipilot.envs.sim.content.renaming import rename
from omnipilot.envs.sim.state.display import Look
from omnipilot.envs.sim.state.world_state import WorldState

LOOKS: Mapping[str, str] = {
    "dark": "the dark theme",
    "dense": "screens of 1080x2400 and 2560x1440 pixels",
    "zoom": "things larger by a sixth (phone) and a fifth (desktop), so that less fits on a screen",
}
NAMES: Mapping[str, str] = {"names": "other people, places, companies and products"}
ADB = "adb"
DEVICES: Mapping[str, str] = {
    ADB: "the phone over adb, as any phone is driven: uiautomator's elements, by the wall clock; only tasks that need "
    "the phone alone"
}
WORDS: Mapping[str, str] = {"reworded": "instructions in other English words, by rule"}


@dataclass(frozen=True, slots=True)
class WorldVariation:
    """Variations of the embedded world together.

    Attributes:
        names: of `LOOKS`, `NAMES`, `WORDS` and `DEVICES`; empty for the world as it is.

    Raises:
        ConfigError: two of them exclude each other.
    """

    names: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        if {"dense", "zoom"} <= self.names:
            raise ConfigError("vary: dense and zoom both say how large things are on a screen; take one of them")

    @property
    def look(self) -> Look:
        """How both devices look."""
        theme: Literal["dark", "light"] = "dark" if "dark" in self.names else "light"
        if "dense" in self.names:
            return Look(theme, "large")
        return Look(theme, "zoomed" if "zoom" in self.names else "normal")

    def begin(self, seed: int) -> WorldState:
        """The content of an instance, before a task puts its own in."""
        return _renamed_world(seed) if "names" in self.names else initial_world(seed)

    def show(self, state: WorldState) -> WorldState:
        """The state on screens that look so."""
        return state if self.look == Look() else state.looking(self.look)

    def reword(self, text: str) -> str:
        """An instruction, or the pattern of one, in the words of this variation."""
        return reword(text) if "reworded" in self.names else text

    def templates(self, templates: Sequence[Template]) -> tuple[Template, ...]:
        """Templates in the words of this variation."""
        return tuple(replace(one, instruction=self.reword(one.instruction)) for one in templates)


@lru_cache(maxsize=16)
def _renamed_world(seed: int) -> WorldState:
    return rename(initial_world(seed))
