"""Worlds with other sounds and moving pictures, or none; static screen content is unchanged."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import replace
from random import Random
from typing import TypeAlias

from omnipilot.envs.sim import SimWorld
from omnipilot.envs.sim.apps.desktop.films import draw_fact
from omnipilot.envs.sim.apps.desktop.signals import ZONES
from omnipilot.envs.sim.audio.sound import Sound
from omnipilot.envs.sim.state.account import Account
from omnipilot.envs.sim.state.world_state import DeviceName, WorldState

Sounds: TypeAlias = tuple[Sound, ...]
Dub: TypeAlias = Callable[[Sounds, float], Sounds]
"""From the sounds that a device made, and the time, to those that are heard instead."""


def silence(_: Sounds, __: float) -> Sounds:
    """Silence."""
    return ()


def noise(_: Sounds, time: float) -> Sounds:
    """Pink noise from beginning to end."""
    return (Sound("noise:pink:-20", 0.0, max(time, 0.1)),)


def another(sounds: Sounds, _: float) -> Sounds:
    """At each sound's time and for its duration, somebody dials a number instead."""
    digits = "".join(Random(len(sounds)).choice("0123456789") for _ in range(6))
    return tuple(replace(sound, name=f"dtmf:{digits}") for sound in sounds)


DUBS: Mapping[str, Dub] = {"silence": silence, "noise": noise, "another's sounds": another}


class Dubbed(SimWorld):
    """A world whose sounds are replaced by others."""

    def __init__(self, dub: Dub) -> None:
        super().__init__()
        self._dub = dub

    def change(self, step: Callable[[WorldState], WorldState], seconds: float, name: Hashable = None) -> None:
        """Like `SimWorld.change`; then the sounds are replaced."""
        super().change(step, seconds, name)
        state = self._state
        names: tuple[DeviceName, ...] = ("phone", "desktop")
        for name in names:
            state = state.on(name, sounds=self._dub(state.device(name).sounds, state.time))
        self._state = state


def other_facts(state: WorldState, seed: int) -> WorldState:
    """The state with different facts in recordings, songs, films and signals, each of unchanged length."""
    dice = Random(seed)
    signals = replace(
        state.signals,
        blinks=dice.choice([n for n in range(2, 7) if n != state.signals.blinks]),
        zone=dice.choice([zone for zone in ZONES if zone != state.signals.zone]),
        code="".join(dice.choice("0123456789") for _ in state.signals.code),
    )
    return replace(state, signals=signals).own(_other_recordings(state.account, dice))


def _other_recordings(account: Account, dice: Random) -> Account:
    dialled = "dtmf:" + "".join(dice.choice("0123456789") for _ in range(8))
    return replace(
        account,
        voicemails=tuple(replace(item, sound=dialled) for item in account.voicemails),
        songs=tuple(replace(item, tune=dice.choice(account.songs).tune) for item in account.songs),
        clips=tuple(replace(item, fact=draw_fact(item.kind, dice)) for item in account.clips),
    )
