"""A template of `workshop`: what an instance consists of."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Literal, TypeAlias

from omnipilot.bench.tasks.graph import JudgeGraph
from omnipilot.bench.tasks.judges import Judge
from omnipilot.envs.sim.state.world_state import WorldState
from omnipilot.memory import Move

DeviceName: TypeAlias = Literal["desktop", "browser", "phone"]
Devices: TypeAlias = tuple[DeviceName, ...]
HangsOn: TypeAlias = Literal["screen", "sound", "motion"]


class Draw(Random):
    """What an instance is drawn from.

    Args:
        seed: of the instance. other: another number gives the same instance with other media.

    Attributes:
        media: from which is drawn what can only be heard, or seen in motion; all else is drawn from the `Draw` itself.
    """

    def __init__(self, seed: int, other: int = 0) -> None:
        super().__init__(seed)
        self.media = Random(f"{seed} media {other}")


@dataclass(frozen=True, slots=True)
class Until:
    """A wait between moves until a judge says that something is so, at most `patience` seconds, and as many more as it
    `lasts` by itself, such as a recording that is played."""

    judge: Judge
    patience: float = 30.0
    lasts: float = 0.0


@dataclass(frozen=True, slots=True)
class DemonstratedStep:
    """One step of a demonstration, in words and as moves. `needed`: without it, the task is not solved."""

    what: str
    moves: tuple[Move | Until, ...]
    needed: bool = True


@dataclass(frozen=True, slots=True)
class TaskDraft:
    """One instance of a template.

    Attributes:
        instruction: what the user wants, in a sentence or a few.
        judges: each one thing that must be true; all of them at one time.
        steps: of a demonstration.
        files: of the desktop's home at the start, by path.
        open: command lines of programs that are open at the start; the first word is a name of
            `omnipilot.envs.desktop.programs.PROGRAMS`.
        pages: of the local site, by path without the leading slash; "" is the page that the browser opens.
        phone: prepares the phone.
        media: recordings and films of the desktop's home, by path; each is made when the task is set up.
        page_media: the same of the local site, by path without the leading slash.
    """

    instruction: str
    judges: tuple[Judge, ...]
    steps: tuple[DemonstratedStep, ...]
    files: Mapping[str, bytes] = field(default_factory=dict)
    open: tuple[tuple[str, ...], ...] = ()
    pages: Mapping[str, str] = field(default_factory=dict)
    phone: Callable[[WorldState], WorldState] = lambda state: state
    media: Mapping[str, Callable[[], bytes]] = field(default_factory=dict)
    page_media: Mapping[str, Callable[[], bytes]] = field(default_factory=dict)

    @property
    def graph(self) -> JudgeGraph:
        """Its judges, in any order; each has to last until all are satisfied."""
        return JudgeGraph(self.judges).lasting([one.name for one in self.judges])


@dataclass(frozen=True, slots=True)
class WorkshopTemplate:
    """A kind of task.

    Attributes:
        id: unique. summary: what is to be done, without the values of an instance.
        programs: that it is about. devices: that are started for it.
        make: draws an instance.
        hangs_on: what has to be perceived: the screen alone, sound, or motion. What is asked is then drawn from
            `Draw.media` and is nowhere but in the media of the draft, which `proofs` proves.
        intent: why the user wants it.
    """

    id: str
    summary: str
    programs: tuple[str, ...]
    make: Callable[[Draw], TaskDraft]
    devices: Devices = ("desktop",)
    hangs_on: HangsOn = "screen"
    intent: str = ""
