"""The stage on which a prologue is played: what happens in the world, and when it was seen or heard."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from omnipilot.envs import Click, Modality, OpenApp, Ref, Wait
from omnipilot.envs.sim import SimWorld
from omnipilot.envs.sim.audio.sound import pattern
from omnipilot.envs.sim.state.account import Mail
from omnipilot.envs.sim.state.world_state import DeviceName, WorldState
from omnipilot.memory import Evidence, Move

PAUSE = 0.4
"""Seconds of silence at the end of what is spoken."""
SOUNDING, MELODY = 6.0, 4.0
"""Seconds of a turn in which something sounds, and of a melody in it."""
Effect = Callable[[WorldState], WorldState]


@dataclass(frozen=True, slots=True)
class Span:
    """When something was seen or heard, in seconds on the world's clock, and where."""

    env: str
    start: float
    end: float

    def as_sound(self, *words: str, until: float = float("inf")) -> Evidence:
        """A sound as evidence."""
        return Evidence(self.env, self.start, self.end, Modality.AUDIO, words, until)

    def as_screen(self, *words: str, until: float = float("inf")) -> Evidence:
        """A screen as evidence."""
        return Evidence(self.env, self.start, self.end, Modality.SCREENSHOT, words, until)

    def as_film(self) -> Evidence:
        """A film as evidence, which no words hold."""
        return Evidence(self.env, self.start, self.end, Modality.VIDEO)


class Stage:
    """A world in which a prologue is played, and what happened in it.

    Attributes:
        spans: of what was told, by name.
    """

    def __init__(self, world: SimWorld) -> None:
        self.world = world
        self.spans: dict[str, Span] = {}

    def happen(self, effect: Effect) -> None:
        """Let something happen now that no device did."""
        self.world.change(effect, 0.0)

    def shows(self, env: str, id: str) -> bool:
        """Whether an element is on a screen."""
        return self.world.envs[env].ui_tree().by_id(id) is not None

    def sounds(self, name: str, *sounds: tuple[DeviceName, str]) -> Iterator[Move]:
        """One turn in which sounds begin together, each on its device; the span of the first is kept.

        The turn is equally long whatever is said, and melodies are cut at its end.
        """
        for number, (device, sound) in enumerate(sounds):
            spoken = sound.startswith("speech:")
            lasts = pattern(sound).seconds if spoken else MELODY
            assert lasts <= SOUNDING, sound
            self.happen(_sounding(device, sound, lasts))
            if number == 0:
                start = self.world.now
                self.spans[name] = Span(device, start, start + lasts - PAUSE * spoken)
        yield Move("", Wait(SOUNDING))

    def reads(self, name: str, env: str, seconds: float = 2.0) -> Iterator[Move]:
        """One turn in which what is on a screen is read; its span is kept."""
        start = self.world.now
        yield Move("", Wait(seconds))
        self.spans[name] = Span(env, start, self.world.now)


def _sounding(device: DeviceName, sound: str, seconds: float) -> Effect:
    return lambda state: state.sound(device, sound, seconds)


def take_back(kind: str, id: str) -> Effect:
    """Somebody took back an item of the account: it can be looked up no more."""

    def take(state: WorldState) -> WorldState:
        item = state.account.find(kind, id)
        return state if item is None else state.own(state.account.drop(item))

    return take


def deliver(mail: Mail) -> Effect:
    """A mail is in the inbox now, without a banner or a chime."""
    return lambda state: state.own(state.account.put(replace(mail, time=state.time)))


def close_window(app: str) -> Move:
    """A turn in which a window of the desktop is closed."""
    return Move("desktop", Click(Ref(f"window/{app}/close")))


def read_and_lose(stage: Stage, mail: Mail) -> Iterator[Move]:
    """Four turns in which a mail arrives, is read, and is taken back by its sender."""
    stage.happen(deliver(mail))
    yield Move("desktop", OpenApp("Mail"))
    yield Move("desktop", Click(Ref(f"mail/list/{mail.id}")))
    yield from stage.reads(mail.id, "desktop")
    yield close_window("mail")
    stage.happen(take_back("mails", mail.id))
