"""What `open` can name in a world that lacks a device that the weights were taught with."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from omnipilot.planners.base import Verbs
from omnipilot.planners.mini.references import plain_words

OPEN = "open"
TAUGHT_DEVICES = ("phone", "desktop")
"""The devices that the weights were taught with."""


@dataclass(frozen=True, slots=True)
class Openings:
    """The one taught device that is there, and what can be opened on it.

    Attributes:
        device: its name. apps: the applications on it, by the names that it has for them; none if it does not say,
            so that any may be named.
    """

    device: str
    apps: tuple[str, ...] = ()

    @classmethod
    def of(cls, envs: Mapping[str, Verbs]) -> Openings | None:
        """Those of a world; None where nothing is to be ruled out: all taught devices are there, as in training, or
        none is, or the one that is there opens nothing."""
        there = [name for name in TAUGHT_DEVICES if name in envs]
        if len(there) != 1 or "open_app" not in envs[there[0]].kinds:
            return None
        return cls(there[0], tuple(envs[there[0]].installed))

    @property
    def replies(self) -> tuple[str, ...]:
        """The replies that are possible; where no application is known, how they all begin."""
        said = (" ".join([OPEN, self.device, *plain_words(app)]) for app in self.apps)
        return tuple(dict.fromkeys(said)) or (f"{OPEN} {self.device}",)

    def allow(self, reply: str) -> bool:
        """Whether a reply opens nothing, or something that can be there."""
        words = reply.split()
        if words[:1] != [OPEN]:
            return True
        return " ".join(words) in self.replies if self.apps else words[1:2] == [self.device]

    def name_of(self, words: str) -> str:
        """The application that the words of a reply mean, by the device's name for it; "" for none that is known."""
        return next((app for app in self.apps if " ".join(plain_words(app)) == words), "")
